// SPDX-License-Identifier: Apache-2.0
#include "tb/fault/campaign.h"

#include "fault_plants.h"
#include "hw/fault/block_device.h"
#include "tb/fault/fault_link_words.h"
#include "tb/fault/fault_port_words.h"
#include "tb/fault/fault_router_words.h"
#include "tb/fault/fault_scheduler_words.h"
#include "tb/fault/fault_shared_port_words.h"

namespace odonata::cosim {

namespace {

/// --set beyond=1 (the parameters beyond the paper, docs/fault.md §6.1) or pipelined=1 (one of them), or what the
/// stimulus file says.
bool wants(const CampaignRequest& request, const std::string& key) {
  std::map<std::string, std::string> values = request.parameters;
  values.merge(recorded_meta(request));
  const std::string value = values.contains(key) ? values[key] : "0";
  if (value != "0" && value != "1") throw Error("cosim: --set " + key + "=" + value + ", expected 0 or 1");
  return value == "1";
}

constexpr auto kSample = [](auto& bins, const auto& in, const auto& out, const auto& golden) {
  bins.sample(in, out, golden);
};

/// What the benches have in common: random commands, link events and messages on real tables, whatever the traffic.
/// `variant`: what differs from the paper; the bins describe the unit of the paper, so what they call unreachable may
/// be reached then.
template <class Block, class Bins>
UnitBench<Block> fault_bench(const CampaignRequest& r, const std::string& variant, std::shared_ptr<Bins> bins) {
  check_traffic(r, Block::kName);
  UnitBench<Block> bench;
  bench.parameters = rtl_parameters(r.dragonfly);
  bench.meta = dragonfly_meta(r.dragonfly);
  if (!variant.empty()) bench.meta[variant] = "1";
  bench.cover_with(bins, kSample);
  bench.strict = variant.empty();
  return bench;
}

RtlParameters parameters_of(const fault::SchedulerConfig& c) {
  return {{"Stations", c.stations},
          {"PollWidth", c.poll_width},
          {"RingHop", c.ring_hop},
          {"Pipelined", c.pipelined},
          {"ImmediateMask", c.immediate_mask}};
}

}  // namespace

UnitBench<FaultPortBlock> fault_port_bench(const CampaignRequest& r) {
  check_parameters(r, "fault_port", {"beyond"});
  const Dragonfly& d = r.dragonfly;
  const bool beyond = wants(r, "beyond");
  const int banks = beyond ? kBeyondBanks : 1, depth = beyond ? kBeyondCommandDepth : 0;
  auto bench = fault_bench<FaultPortBlock>(r, beyond ? "beyond" : "", std::make_shared<PortCoverage>(d));
  bench.parameters["Banks"] = banks;
  bench.parameters["CommandDepth"] = depth;
  bench.golden = [=] { return std::make_unique<fault::PortUnit>(d, banks, depth); };
  bench.systemc = [=] { return fault::make_port_systemc(d, banks, depth); };
  bench.rtl = [=](RtlVariant variant, int plant) {
    return beyond ? make_rtl<FaultPortBlock>(beyond_parameters(d), RtlVariant::debug, plant)
                  : make_rtl<FaultPortBlock>(d, variant, plant);
  };
  bench.stimulus = [=] { return std::make_unique<PortStimulus>(d, r.seed, depth); };
  return bench;
}

UnitBench<FaultSchedulerBlock> fault_scheduler_bench(const CampaignRequest& r) {
  check_parameters(r, "fault_scheduler", {});
  const Dragonfly& d = r.dragonfly;
  const fault::SchedulerConfig config = scheduler_config(d);
  auto bench = fault_bench<FaultSchedulerBlock>(r, "", std::make_shared<SchedulerCoverage>(d, config));
  bench.parameters.merge(parameters_of(config));
  bench.golden = [=] { return std::make_unique<fault::SchedulerUnit>(d, config); };
  bench.systemc = [=] { return fault::make_scheduler_systemc(d, config); };
  bench.rtl = [=](RtlVariant variant, int plant) { return make_rtl<FaultSchedulerBlock>(d, variant, plant); };
  bench.stimulus = [=] { return std::make_unique<SchedulerStimulus>(d, r.seed); };
  return bench;
}

UnitBench<FaultLinkBlock> fault_link_bench(const CampaignRequest& r) {
  check_parameters(r, "fault_link", {});
  const Dragonfly& d = r.dragonfly;
  auto bench = fault_bench<FaultLinkBlock>(r, "", std::make_shared<LinkCoverage>());
  bench.golden = [=] { return std::make_unique<fault::LinkUnit>(d); };
  bench.rtl = [=](RtlVariant variant, int plant) { return make_rtl<FaultLinkBlock>(d, variant, plant); };
  bench.stimulus = [=] { return std::make_unique<LinkStimulus>(d, r.seed); };
  return bench;
}

UnitBench<FaultRouterBlock> fault_router_bench(const CampaignRequest& r) {
  check_parameters(r, "fault_router", {"beyond", "pipelined"});
  const Dragonfly& d = r.dragonfly;
  const bool debug = !r.plant.empty() || !r.trace.empty();
  const bool beyond = wants(r, "beyond"), pipelined = wants(r, "pipelined");
  if (pipelined && (beyond || debug))
    throw Error("cosim: --set pipelined=1: built without planted bugs, waveforms and what else is beyond the paper");
  const RouterVariant build = beyond      ? RouterVariant::beyond
                              : pipelined ? RouterVariant::pipelined
                              : debug     ? RouterVariant::planted
                                          : RouterVariant::plain;
  const auto config = router_config(d, build);
  auto bench = fault_bench<FaultRouterBlock>(r,
                                             beyond      ? "beyond"
                                             : pipelined ? "pipelined"
                                                         : "",
                                             std::make_shared<RouterCoverage>(d, config));
  bench.parameters.merge(parameters_of(config.scheduler));
  bench.parameters["Banks"] = config.banks;
  bench.parameters["InputDepth"] = config.input_depth;
  bench.golden = [=] { return std::make_unique<fault::RouterUnit>(d, config); };
  bench.systemc = [=] { return fault::make_router_systemc(d, config); };
  bench.rtl = [=](RtlVariant variant, int plant) {
    if (variant == RtlVariant::random) return make_rtl<FaultRouterBlock>(rtl_parameters(d), variant, plant);
    // The planted build of size tiny has other FIFOs: the golden router was chosen with the build.
    if (variant != RtlVariant::fast && build != RouterVariant::planted && build != RouterVariant::beyond)
      throw Error(variant == RtlVariant::netlist ? "no netlist of fault_router was built, for any size"
                                                 : "this router was built without waveforms");
    return make_fault_router_rtl(d, build, plant);
  };
  bench.stimulus = [=] { return std::make_unique<RouterStimulus>(d, r.seed); };
  return bench;
}

UnitBench<FaultSharedBlock> fault_shared_port_bench(const CampaignRequest& r) {
  check_parameters(r, "fault_shared_port", {});
  check_traffic(r, "fault_shared_port");
  const Dragonfly& d = r.dragonfly;
  UnitBench<FaultSharedBlock> bench;
  bench.parameters = rtl_parameters(d);
  bench.meta = dragonfly_meta(d);
  bench.golden = [=] { return std::make_unique<GoldenSharedPort>(d); };
  bench.rtl = [=](RtlVariant variant, int plant) { return make_rtl<FaultSharedBlock>(d, variant, plant); };
  bench.stimulus = [=] { return std::make_unique<SharedStimulus>(d, r.seed); };
  return bench;
}

std::span<const Plant> fault_plants() { return planted_fault::kPlants; }

std::span<const Unit> fault_units() {
  static const Unit kUnits[] = {
      make_unit<fault_port_bench>("fault_port", "fault", fault_plants()),
      make_unit<fault_scheduler_bench>("fault_scheduler", "fault", fault_plants()),
      make_unit<fault_router_bench>("fault_router", "fault", fault_plants()),
      make_unit<fault_link_bench>("fault_link", "fault", fault_plants()),
  };
  return kUnits;
}

}  // namespace odonata::cosim
