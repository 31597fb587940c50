// SPDX-License-Identifier: Apache-2.0
#include "tb/fault/campaign.h"

#include "fault_plants.h"
#include "tb/fault/port_block.h"

namespace odonata::cosim {

std::span<const Plant> fault_plants() { return planted_fault::kPlants; }

CampaignResult run_fault_port_campaign(const CampaignRequest& request) {
  if (request.reference != "golden") throw Error("cosim: block fault_port has reference golden only, not '" + request.reference + "'");
  if (request.device != "rtl") throw Error("cosim: block fault_port has device rtl only, not '" + request.device + "'");
  const Dragonfly d = request.dragonfly;
  const int plant = plant_number(planted_fault::kPlants, request.plant);
  const bool debug = plant != 0 || !request.trace.empty();
  PortCoverage coverage(d);
  CampaignParts<FaultPortBlock> parts;
  parts.meta = {{"dragonfly", std::to_string(d.p()) + "," + std::to_string(d.a()) + "," + std::to_string(d.h()) + "," + std::to_string(d.g())}};
  parts.bench.reference = [&] { return std::make_unique<fault::PortUnit>(d); };
  parts.bench.device = [&] { return make_fault_port_rtl(d, debug, plant); };
  if (request.trace_in.empty()) {
    parts.bench.stimulus = [&] { return std::make_unique<PortStimulus>(d, request.seed); };
  } else {
    const auto cycles = read_trace<FaultPortBlock>(request.trace_in, read_file(request.trace_in));
    parts.bench.stimulus = [cycles] { return std::make_unique<Recorded<fault::PortInputs, fault::PortOutputs>>(cycles); };
  }
  if (debug) parts.tracing_device = [&] { return make_fault_port_rtl(d, true, plant); };
  parts.cover = [&](const auto& in, const auto& out, const auto& unit) { coverage.sample(in, out, unit); };
  CampaignResult result = run_campaign<FaultPortBlock>(request, parts);
  result.coverage = coverage.coverage().to_json();
  result.coverage_text = coverage.coverage().to_text();
  return result;
}

}  // namespace odonata::cosim
