// SPDX-License-Identifier: Apache-2.0
#include "tb/fault/campaign.h"

#include "fault_plants.h"
#include "hw/fault/block_device.h"
#include "tb/fault/link_block.h"
#include "tb/fault/port_block.h"
#include "tb/fault/router_block.h"
#include "tb/fault/scheduler_block.h"

namespace odonata::cosim {

namespace {

/// What a campaign needs of a block of the fault plane.
template <class Block>
struct Makers {
  std::function<std::unique_ptr<typename Block::Reference>()> reference;
  std::function<std::unique_ptr<DeviceOf<Block>>(bool planted, int plant)> device;
  std::function<std::unique_ptr<StimulusOf<Block>>(uint64_t seed)> stimulus;
  std::function<std::unique_ptr<DeviceOf<Block>>()> systemc;
};

template <class Block, class BlockCoverage>
CampaignResult run(const CampaignRequest& request, const Makers<Block>& make, BlockCoverage coverage, const std::string& variant = "") {
  const std::string name(Block::kName);
  if (request.reference != "golden") throw Error("cosim: block " + name + " has reference golden only, not '" + request.reference + "'");
  const bool systemc = request.device == "systemc";
  if (systemc && !make.systemc) throw Error("cosim: block " + name + " has device rtl only, not 'systemc'");
  if (request.device != "rtl" && !systemc) throw Error("cosim: block " + name + " has devices rtl and systemc, not '" + request.device + "'");
  if (systemc && !request.plant.empty()) throw Error("cosim: --plant: planted bugs are in the RTL, expected --device rtl");
  const Dragonfly d = request.dragonfly;
  const int plant = plant_number(planted_fault::kPlants, request.plant);
  const bool planted = plant != 0 || !request.trace.empty();
  CampaignParts<Block> parts;
  parts.meta = {{"dragonfly", std::to_string(d.p()) + "," + std::to_string(d.a()) + "," + std::to_string(d.h()) + "," + std::to_string(d.g())}};
  if (!variant.empty()) parts.meta[variant] = "1";
  parts.bench.reference = make.reference;
  parts.bench.device = [&] { return systemc ? make.systemc() : make.device(planted, plant); };
  if (request.trace_in.empty()) {
    parts.bench.stimulus = [&] { return make.stimulus(request.seed); };
  } else {
    const auto cycles = read_trace<Block>(request.trace_in, read_file(request.trace_in));
    parts.bench.stimulus = [cycles] { return std::make_unique<Recorded<typename Block::Inputs, typename Block::Outputs>>(cycles); };
  }
  if (planted) parts.tracing_device = [&] { return systemc ? make.systemc() : make.device(true, plant); };
  parts.cover = [&](const auto& in, const auto& out, const auto& unit) { coverage.sample(in, out, unit); };
  CampaignResult result = run_campaign<Block>(request, parts);
  result.coverage = coverage.coverage().to_json();
  result.coverage_text = coverage.coverage().to_text();
  return result;
}

/// --set beyond=1 (the parameters beyond the paper, docs/fault.md §6.1) or pipelined=1 (one of them), or what the stimulus file says.
bool wants(const CampaignRequest& request, const std::string& key) {
  std::map<std::string, std::string> values = request.parameters;
  if (!request.trace_in.empty()) values.merge(parse_trace_header(request.trace_in, read_file(request.trace_in)).meta);
  const std::string value = values.contains(key) ? values[key] : "0";
  if (value != "0" && value != "1") throw Error("cosim: --set " + key + "=" + value + ", expected 0 or 1");
  return value == "1";
}

}  // namespace

std::span<const Plant> fault_plants() { return planted_fault::kPlants; }

CampaignResult run_fault_port_campaign(const CampaignRequest& request) {
  const Dragonfly d = request.dragonfly;
  const bool beyond = wants(request, "beyond");
  const int banks = beyond ? kBeyondBanks : 1, depth = beyond ? kBeyondCommandDepth : 0;
  return run<FaultPortBlock>(
      request,
      {[=] { return std::make_unique<fault::PortUnit>(d, banks, depth); },
       [=](bool planted, int plant) {
         return beyond ? make_rtl<FaultPortBlock>(beyond_parameters(d), RtlVariant::debug, plant)
                       : make_rtl<FaultPortBlock>(d, planted ? RtlVariant::debug : RtlVariant::fast, plant);
       },
       [=](uint64_t seed) { return std::make_unique<PortStimulus>(d, seed, depth); }, [=] { return fault::make_port_systemc(d, banks, depth); }},
      PortCoverage(d), beyond ? "beyond" : "");
}

CampaignResult run_fault_scheduler_campaign(const CampaignRequest& request) {
  const Dragonfly d = request.dragonfly;
  return run<FaultSchedulerBlock>(
      request,
      {[=] { return std::make_unique<fault::SchedulerUnit>(d, scheduler_config(d)); },
       [=](bool planted, int plant) { return make_rtl<FaultSchedulerBlock>(d, planted ? RtlVariant::debug : RtlVariant::fast, plant); },
       [=](uint64_t seed) { return std::make_unique<SchedulerStimulus>(d, seed); },
       [=] { return fault::make_scheduler_systemc(d, scheduler_config(d)); }},
      SchedulerCoverage(d, scheduler_config(d)));
}

CampaignResult run_fault_link_campaign(const CampaignRequest& request) {
  const Dragonfly d = request.dragonfly;
  return run<FaultLinkBlock>(
      request,
      {[=] { return std::make_unique<fault::LinkUnit>(d); }, [=](bool, int plant) { return make_rtl<FaultLinkBlock>(d, RtlVariant::debug, plant); },
       [=](uint64_t seed) { return std::make_unique<LinkStimulus>(d, seed); }, nullptr},
      LinkCoverage());
}

CampaignResult run_fault_router_campaign(const CampaignRequest& request) {
  const Dragonfly d = request.dragonfly;
  const bool planted = !request.plant.empty() || !request.trace.empty();
  const bool beyond = wants(request, "beyond"), pipelined = wants(request, "pipelined");
  if (pipelined && (beyond || planted))
    throw Error("cosim: --set pipelined=1: built without planted bugs, waveforms and what else is beyond the paper");
  const RouterVariant variant = beyond      ? RouterVariant::beyond
                                : pipelined ? RouterVariant::pipelined
                                : planted   ? RouterVariant::planted
                                            : RouterVariant::plain;
  const fault::FaultRouterConfig config = router_config(d, variant);
  return run<FaultRouterBlock>(
      request,
      {[=] { return std::make_unique<fault::RouterUnit>(d, config); }, [=](bool, int plant) { return make_fault_router_rtl(d, variant, plant); },
       [=](uint64_t seed) { return std::make_unique<RouterStimulus>(d, seed); }, [=] { return fault::make_router_systemc(d, config); }},
      RouterCoverage(d, config),
      beyond      ? "beyond"
      : pipelined ? "pipelined"
                  : "");
}

}  // namespace odonata::cosim
