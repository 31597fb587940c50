// SPDX-License-Identifier: Apache-2.0
// The mutation campaign of route compute (mutants.toml): a short run of corner cases, which kills most, the directed
// tests, then corner cases; all on the same instances.
#pragma once

#include "models/route_compute/golden_device.h"
#include "tb/harness/mutants.h"
#include "tb/route_compute/block.h"
#include "tb/route_compute/route_compute_rtl_pins.h"
#include "tb/route_compute/stimulus.h"

namespace odonata::cosim {

struct RouteCompute {
  using Block = RouteComputeBlock;
  template <class Model>
  using Pins = RouteComputeBlockRtlPins<Model, MUTANT_P, MUTANT_A, MUTANT_H, MUTANT_G, 8, 0>;
  static auto golden() { return std::make_unique<route_compute::GoldenDevice>(Dragonfly::named("tiny")); }
  static std::vector<MutantRun<Block>> runs(uint64_t cycles, uint64_t seeds) {
    const Dragonfly d = Dragonfly::named("tiny");
    const auto corner = [&](uint64_t seed, uint64_t length) -> MutantRun<Block> {
      return {[=] { return std::make_unique<CornerStimulus>(d, CornerOptions{.seed = seed, .cycles = length}); }, ~0ull,
              seed != 1};
    };
    std::vector<MutantRun<Block>> all{corner(1, 2000)};
    const auto directed = all_directed_tests(d);
    all.push_back(
        {[directed] { return std::make_unique<Recorded<Block::Inputs, Block::Outputs>>(directed); }, ~0ull, true});
    for (uint64_t seed = 2; seed < 2 + seeds; ++seed) all.push_back(corner(seed, cycles));
    return all;
  }
};

}  // namespace odonata::cosim
