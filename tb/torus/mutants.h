// SPDX-License-Identifier: Apache-2.0
// The mutation campaigns of the torus units (mutants.toml): random pins.
#pragma once

#include "models/torus/golden_device.h"
#include "tb/harness/mutants.h"
#include "tb/torus/fault_region_rtl_pins.h"
#include "tb/torus/stimulus.h"
#include "tb/torus/torus_route_rtl_pins.h"

namespace odonata::cosim {

#ifdef MUTANT_KX
struct TorusRoute {
  using Block = TorusRouteBlock;
  template <class Model>
  using Pins = TorusRouteBlockRtlPins<Model, MUTANT_KX, MUTANT_KY, MUTANT_CW, MUTANT_Ring, MUTANT_Detours>;

  static auto golden() {
    using torus::Variant;
    constexpr Variant kSix = MUTANT_Ring ? Variant::kSafe6Ring : Variant::kSafe6, kFour = MUTANT_Ring ? Variant::kSafe4Ring : Variant::kSafe4;
    return std::make_unique<torus::GoldenRoute>(Torus({MUTANT_KX, MUTANT_KY}), MUTANT_Detours == 2 ? kSix : kFour);
  }
  static std::vector<MutantRun<Block>> runs(uint64_t cycles, uint64_t seeds) {
    std::vector<MutantRun<Block>> all;
    for (uint64_t seed = 1; seed <= seeds; ++seed)
      all.push_back({[seed] { return std::make_unique<TorusRoutePins>(MUTANT_KX, MUTANT_KY, seed); }, cycles});
    return all;
  }
};
#else
struct FaultRegion {
  using Block = FaultRegionBlock;
  template <class Model>
  using Pins = FaultRegionBlockRtlPins<Model>;

  static auto golden() { return std::make_unique<torus::GoldenRegion>(); }
  static std::vector<MutantRun<Block>> runs(uint64_t cycles, uint64_t seeds) {
    std::vector<MutantRun<Block>> all;
    for (uint64_t seed = 1; seed <= seeds; ++seed) all.push_back({[seed] { return std::make_unique<FaultRegionPins>(seed); }, cycles});
    return all;
  }
};
#endif

}  // namespace odonata::cosim
