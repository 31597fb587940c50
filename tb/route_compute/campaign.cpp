// SPDX-License-Identifier: Apache-2.0
#include "tb/route_compute/campaign.h"

#include "hw/route_compute/pipeline_device.h"
#include "route_compute_plants.h"
#include "tb/route_compute/block.h"
#include "tb/route_compute/coverage.h"
#include "tb/route_compute/stimulus.h"

namespace odonata::cosim {

using route_compute::GoldenDevice;
using route_compute::PipelineDevice;
using route_compute::UnitInputs;
using route_compute::UnitOutputs;

std::span<const Plant> route_compute_plants() { return planted_route_compute::kPlants; }

namespace {

/// The golden unit as the reference, with the SystemC pipeline beside it when that was asked for: the pipeline's pins then are what the
/// device is compared with, and the golden unit still gives reasons, coverage and configuration.
class Reference final : public CycleDevice<UnitInputs, UnitOutputs> {
 public:
  Reference(const Dragonfly& d, bool with_pipeline) : golden_(d), pipeline_(with_pipeline ? std::make_unique<PipelineDevice>(d) : nullptr) {}
  void step(const UnitInputs& in, UnitOutputs& out) override {
    golden_.step(in, out);
    if (pipeline_) pipeline_->step(in, out);
  }
  std::vector<std::string> describe() const override { return golden_.describe(); }
  const route_compute::Unit& unit() const { return golden_.unit(); }
  const GoldenDevice& golden() const { return golden_; }

 private:
  GoldenDevice golden_;
  std::unique_ptr<PipelineDevice> pipeline_;
};

/// RouteComputeBlock with that reference.
struct CampaignBlockType : RouteComputeBlock {
  using Reference = cosim::Reference;
  static std::vector<Inputs> preload(const Reference& reference) { return RouteComputeBlock::preload(reference.golden()); }
};

using StimulusPart = std::unique_ptr<StimulusOf<CampaignBlockType>>;

StimulusPart directed_then_corner(const CampaignRequest& r, uint64_t corner_cycles) {
  std::vector<StimulusPart> parts;
  parts.push_back(std::make_unique<Recorded<UnitInputs, UnitOutputs>>(all_directed_tests(r.dragonfly)));
  CornerOptions options;
  options.seed = r.seed;
  options.cycles = corner_cycles;
  parts.push_back(std::make_unique<CornerStimulus>(r.dragonfly, options));
  return std::make_unique<Sequence<UnitInputs, UnitOutputs>>(std::move(parts));
}

MapSource maps_of(const CampaignRequest& r) {
  for (const auto& [key, value] : r.parameters) {
    if (key != "maps") throw Error("--set " + key + "=" + value + ": route_compute knows no such parameter, expected maps");
  }
  const auto found = r.parameters.find("maps");
  if (found == r.parameters.end() || found->second == "drawn") return MapSource::drawn;
  if (found->second != "plane") throw Error("--maps: '" + found->second + "' is unknown, expected drawn or plane");
  if (r.traffic == "corner" || !r.trace_in.empty())
    throw Error("--maps plane: the maps of corner cases and recorded stimuli are their own, expected --traffic ur, adv+I, rp or all");
  return MapSource::plane;
}

StimulusPart traffic(const CampaignRequest& r, const std::string& pattern, uint64_t cycles = 0) {
  TrafficOptions options;
  options.pattern = pattern;
  options.load = r.load;
  options.seed = r.seed;
  options.cycles = cycles;
  options.maps = maps_of(r);
  return std::make_unique<TrafficStimulus>(r.dragonfly, options);
}

/// Every kind of stimulus in one run: corner cases for 1.5 million cycles, then the traffic patterns; reaches every coverage bin.
StimulusPart everything(const CampaignRequest& r) {
  std::vector<StimulusPart> parts;
  parts.push_back(directed_then_corner(r, 1'500'000));
  for (const char* pattern : {"adv+1", "rp"}) parts.push_back(traffic(r, pattern, 200'000));
  parts.push_back(traffic(r, "ur"));
  return std::make_unique<Sequence<UnitInputs, UnitOutputs>>(std::move(parts));
}

StimulusPart make_stimulus(const CampaignRequest& r) {
  if (!r.trace_in.empty()) {
    return std::make_unique<Recorded<UnitInputs, UnitOutputs>>(read_trace<RouteComputeBlock>(r.trace_in, read_file(r.trace_in)));
  }
  if (r.traffic == "corner") return directed_then_corner(r, 0);
  if (r.traffic == "all") return everything(r);
  return traffic(r, r.traffic);
}

void check(const CampaignRequest& r, int plant) {
  if (plant != 0 && r.device != "rtl") throw Error("--plant: bugs are planted in the RTL, expected --device rtl");
  if (r.reference == "systemc" && r.device == "systemc") throw Error("--reference systemc: expected --device rtl or netlist");
  maps_of(r);
  if (!r.trace.empty() && r.device == "netlist")
    throw Error("--trace: waveforms come from RTL (FST) or SystemC (VCD), expected --device rtl or systemc");
}

}  // namespace

CampaignResult run_route_compute_campaign(const CampaignRequest& request) {
  const int plant = plant_number(planted_route_compute::kPlants, request.plant);
  check(request, plant);
  const Dragonfly& d = request.dragonfly;
  CampaignParts<CampaignBlockType> parts;
  parts.bench.stimulus = [&] { return make_stimulus(request); };
  parts.bench.reference = [&] { return std::make_unique<Reference>(d, request.reference == "systemc"); };
  parts.bench.device = [&]() -> std::unique_ptr<RouteComputeDevice> {
    if (request.device == "systemc") return std::make_unique<PipelineDevice>(d);
    const RtlVariant variant = request.device == "netlist" ? RtlVariant::netlist : plant != 0 ? RtlVariant::debug : RtlVariant::fast;
    return make_rtl<RouteComputeBlock>(d, variant, plant);
  };
  if (request.device == "systemc") parts.tracing_device = [&] { return std::make_unique<PipelineDevice>(d); };
  if (request.device == "rtl") parts.tracing_device = [&] { return make_rtl<RouteComputeBlock>(d, RtlVariant::debug, plant); };
  RouteComputeCoverage coverage(d);
  parts.cover = [&](const UnitInputs& in, const UnitOutputs&, const Reference& reference) { coverage.sample(in, reference.unit()); };
  const DragonflySize& s = d.size();
  parts.meta = {{"dragonfly", std::to_string(s.p) + "," + std::to_string(s.a) + "," + std::to_string(s.h) + "," + std::to_string(s.g)},
                {"arrangement", std::string(to_string(d.arrangement()))}};
  CampaignResult result = run_campaign(request, parts);
  result.coverage = coverage.coverage().to_json();
  result.coverage_text = coverage.coverage().to_text();
  return result;
}

}  // namespace odonata::cosim
