// SPDX-License-Identifier: Apache-2.0
#include "tb/route_compute/campaign.h"

#include "hw/route_compute/pipeline_device.h"
#include "route_compute_plants.h"
#include "tb/route_compute/block.h"
#include "tb/route_compute/coverage.h"
#include "tb/route_compute/route_compute_words.h"
#include "tb/route_compute/stimulus.h"

namespace odonata::cosim {

using route_compute::GoldenDevice;
using route_compute::PipelineDevice;
using route_compute::UnitInputs;
using route_compute::UnitOutputs;

namespace {

using StimulusPart = std::unique_ptr<StimulusOf<RouteComputeBlock>>;

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
  check_parameters(r, "route_compute", {"maps"});
  const auto found = r.parameters.find("maps");
  if (found == r.parameters.end() || found->second == "drawn") return MapSource::drawn;
  if (found->second != "plane") throw Error("--maps: '" + found->second + "' is unknown, expected drawn or plane");
  if (r.traffic == "corner" || !r.trace_in.empty())
    throw Error(
        "--maps plane: the maps of corner cases and recorded stimuli are their own, expected --traffic ur, adv+I, rp "
        "or all");
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

/// Every kind of stimulus in one run: corner cases for 1.5 million cycles, then the traffic patterns; reaches every
/// coverage bin.
StimulusPart everything(const CampaignRequest& r) {
  std::vector<StimulusPart> parts;
  parts.push_back(directed_then_corner(r, 1'500'000));
  for (const char* pattern : {"adv+1", "rp"}) parts.push_back(traffic(r, pattern, 200'000));
  parts.push_back(traffic(r, "ur"));
  return std::make_unique<Sequence<UnitInputs, UnitOutputs>>(std::move(parts));
}

StimulusPart make_stimulus(const CampaignRequest& r) {
  if (r.traffic == "corner") return directed_then_corner(r, 0);
  if (r.traffic == "all") return everything(r);
  return traffic(r, r.traffic);
}

}  // namespace

UnitBench<RouteComputeBlock> route_compute_bench(const CampaignRequest& r) {
  maps_of(r);  // refuses what it does not know
  check_pattern(r);
  const Dragonfly& d = r.dragonfly;
  UnitBench<RouteComputeBlock> bench;
  bench.parameters = rtl_parameters(d);
  bench.golden = [=] { return std::make_unique<GoldenDevice>(d); };
  bench.systemc = [=] { return std::make_unique<PipelineDevice>(d); };
  bench.rtl = [=](RtlVariant variant, int plant) { return make_rtl<RouteComputeBlock>(d, variant, plant); };
  bench.stimulus = [=] { return make_stimulus(r); };
  bench.cover_with(std::make_shared<RouteComputeCoverage>(d),
                   [](auto& bins, const auto& in, const auto&, const auto& golden) { bins.sample(in, golden.unit()); });
  bench.meta = dragonfly_meta(d);
  return bench;
}

std::span<const Plant> route_compute_plants() { return planted_route_compute::kPlants; }

std::span<const Unit> route_compute_units() {
  static const Unit kUnits[] = {
      make_unit<route_compute_bench>("route_compute", "route_compute", route_compute_plants(), kLoaded)};
  return kUnits;
}

}  // namespace odonata::cosim
