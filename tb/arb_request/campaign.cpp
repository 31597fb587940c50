// SPDX-License-Identifier: Apache-2.0
#include "tb/arb_request/campaign.h"

#include "arb_request_plants.h"
#include "hw/arb_request/input_port_device.h"
#include "tb/arb_request/coverage.h"
#include "tb/arb_request/stimulus.h"

namespace odonata::cosim {

using arb_request::GoldenLogic;
using arb_request::GoldenPort;
using arb_request::LogicInputs;
using arb_request::LogicOutputs;
using arb_request::PortDevice;
using arb_request::PortInputs;
using arb_request::PortOutputs;
using arb_request::PortSize;

namespace {

int dims_of(const CampaignRequest& request, const std::map<std::string, std::string>& meta) {
  const auto given = request.parameters.find("dims"), recorded = meta.find("dims");
  const std::string text = given != request.parameters.end() ? given->second : recorded != meta.end() ? recorded->second : "3";
  if (text.size() != 1 || text[0] < '1' || text[0] > '8') throw Error("dims is '" + text + "', expected 1..8");
  return text[0] - '0';
}

void check(const CampaignRequest& request) {
  for (const auto& [key, value] : request.parameters)
    if (key != "dims" && key != "part") throw Error("parameter '" + key + "' is unknown to arb_request, expected dims or part");
  const auto part = request.parameters.find("part");
  if (part != request.parameters.end() && part->second != "port" && part->second != "logic" && part->second != "switch")
    throw Error("part is '" + part->second + "', expected port, logic or switch");
  if (request.traffic != "ur" && request.traffic != "corner") throw Error("traffic is '" + request.traffic + "', arb_request knows ur and corner");
  if (!request.plant.empty() && request.device != "rtl") throw Error("plant: planted bugs are in the RTL only");
}

std::map<std::string, std::string> recorded_meta(const CampaignRequest& request) {
  if (request.trace_in.empty()) return {};
  return parse_trace_header(request.trace_in, read_file(request.trace_in)).meta;
}

std::unique_ptr<PortDevice> systemc_port(const PortSize& size) { return std::make_unique<arb_request::InputPortDevice>(size); }

/// Fills what both parts share: recorded stimulus or random one.
template <class Block>
std::function<std::unique_ptr<StimulusOf<Block>>()> stimulus_maker(const CampaignRequest& request,
                                                                   std::function<std::unique_ptr<StimulusOf<Block>>()> random) {
  if (request.trace_in.empty()) return random;
  const auto cycles = std::make_shared<std::vector<typename Block::Inputs>>(read_trace<Block>(request.trace_in, read_file(request.trace_in)));
  return [cycles] { return std::make_unique<Recorded<typename Block::Inputs, typename Block::Outputs>>(*cycles); };
}

void finish(CampaignResult& result, const PortSize& size, const Coverage& coverage) {
  result.size = std::to_string(size.dimensions) + " dimensions";
  result.coverage = coverage.to_json();
  result.coverage_text = coverage.to_text();
  if (coverage.errors().empty()) return;
  ++result.mismatches;
  result.report.push_back(coverage.errors());
}

CampaignResult run_port(const CampaignRequest& request, const PortSize& size, int plant) {
  CampaignParts<ArbPortBlock> parts;
  parts.meta = {{"dims", std::to_string(size.dimensions)}};
  parts.bench.stimulus = stimulus_maker<ArbPortBlock>(request, [&request, size]() -> std::unique_ptr<StimulusOf<ArbPortBlock>> {
    if (request.traffic == "corner") return std::make_unique<ArbCornerPins>(size, request.seed);
    return std::make_unique<ArbTrafficPins>(size, request.load, request.seed);
  });
  parts.bench.reference = [&request, size]() -> std::unique_ptr<PortDevice> {
    if (request.reference == "systemc") return systemc_port(size);
    return std::make_unique<GoldenPort>(size);
  };
  parts.bench.device = [&request, size, plant]() -> std::unique_ptr<PortDevice> {
    if (request.device == "systemc") return systemc_port(size);
    return make_rtl<ArbPortBlock>(rtl_parameters(size),
                                  request.device == "netlist" ? RtlVariant::netlist
                                  : plant                     ? RtlVariant::debug
                                                              : RtlVariant::fast,
                                  plant);
  };
  if (request.device == "systemc") parts.tracing_device = [size] { return systemc_port(size); };
  if (request.device == "rtl")
    parts.tracing_device = [size, plant] { return make_rtl<ArbPortBlock>(rtl_parameters(size), RtlVariant::debug, plant); };
  // The coverage looks into a golden port; with another reference one runs beside it.
  ArbPortCoverage coverage(size);
  arb_request::InputPort shadow(size);
  parts.cover = [&](const PortInputs& in, const PortOutputs&, const PortDevice& reference) {
    if (const auto* golden = dynamic_cast<const GoldenPort*>(&reference)) return coverage.sample(in, golden->port());
    shadow.step(in);
    coverage.sample(in, shadow);
  };
  CampaignResult result = run_campaign(request, parts);
  finish(result, size, coverage.coverage());
  return result;
}

CampaignResult run_logic(const CampaignRequest& request, const PortSize& size, int plant) {
  if (request.device != "rtl" || request.reference != "golden") throw Error("part logic: only device rtl with reference golden exists");
  using Device = arb_request::LogicDevice;
  CampaignParts<ArbLogicBlock> parts;
  parts.meta = {{"dims", std::to_string(size.dimensions)}};
  parts.bench.stimulus = stimulus_maker<ArbLogicBlock>(
      request, [&request, size]() -> std::unique_ptr<StimulusOf<ArbLogicBlock>> { return std::make_unique<ArbLogicPinsRandom>(size, request.seed); });
  parts.bench.reference = [size] { return std::make_unique<GoldenLogic>(size); };
  parts.bench.device = [size, plant]() -> std::unique_ptr<Device> {
    return make_rtl<ArbLogicBlock>(rtl_parameters(size), plant ? RtlVariant::debug : RtlVariant::fast, plant);
  };
  parts.tracing_device = [size, plant] { return make_rtl<ArbLogicBlock>(rtl_parameters(size), RtlVariant::debug, plant); };
  Coverage coverage;
  ArbLogicCoverage logic(coverage, size.dimensions);
  parts.cover = [&](const LogicInputs&, const LogicOutputs& out, const Device& reference) {
    if (!out.valid) return;
    const LogicInputs& asked = static_cast<const GoldenLogic&>(reference).answered();
    logic.sample(asked.query, asked.scheme, evaluate(asked.query, known(asked.scheme)));
  };
  CampaignResult result = run_campaign(request, parts);
  finish(result, size, coverage);
  return result;
}

CampaignResult run_switch(const CampaignRequest& request, const PortSize& size, int plant) {
  if (request.device != "rtl" || request.reference != "golden") throw Error("part switch: only device rtl with reference golden exists");
  using Device = arb_request::SwitchDevice;
  CampaignParts<ArbSwitchBlock> parts;
  parts.meta = {{"dims", std::to_string(size.dimensions)}};
  parts.bench.stimulus = stimulus_maker<ArbSwitchBlock>(request, [&request, size]() -> std::unique_ptr<StimulusOf<ArbSwitchBlock>> {
    return std::make_unique<ArbSwitchPinsRandom>(size, request.seed);
  });
  parts.bench.reference = [size] { return std::make_unique<arb_request::GoldenSwitch>(size.dimensions, size.queues); };
  parts.bench.device = [size, plant]() -> std::unique_ptr<Device> {
    return make_rtl<ArbSwitchBlock>(rtl_parameters(size), plant ? RtlVariant::debug : RtlVariant::fast, plant);
  };
  parts.tracing_device = [size, plant] { return make_rtl<ArbSwitchBlock>(rtl_parameters(size), RtlVariant::debug, plant); };
  Coverage coverage;
  ArbSwitchCoverage bins(coverage, size);
  parts.cover = [&](const arb_request::SwitchInputs& in, const arb_request::SwitchOutputs&, const Device& reference) {
    bins.sample(in, static_cast<const arb_request::GoldenSwitch&>(reference));
  };
  CampaignResult result = run_campaign(request, parts);
  finish(result, size, coverage);
  return result;
}

}  // namespace

std::span<const Plant> arb_request_plants() { return planted_arb_request::kPlants; }

CampaignResult run_arb_request_campaign(const CampaignRequest& request) {
  check(request);
  const PortSize size = arb_rtl_size(dims_of(request, recorded_meta(request)));
  const int plant = plant_number(planted_arb_request::kPlants, request.plant);
  const auto part = request.parameters.find("part");
  const std::string which = part == request.parameters.end() ? "port" : part->second;
  if (which == "switch") return run_switch(request, size, plant);
  return which == "logic" ? run_logic(request, size, plant) : run_port(request, size, plant);
}

}  // namespace odonata::cosim
