// SPDX-License-Identifier: Apache-2.0
// The mutation campaigns of the torus units (mutants.toml): random pins.
#pragma once

#include "models/torus/golden_device.h"
#include "tb/harness/mutants.h"
#include "tb/torus/fault_region_rtl_pins.h"
#include "tb/torus/stimulus.h"
#include "tb/torus/torus_box_rtl_pins.h"
#include "tb/torus/torus_output_rtl_pins.h"
#include "tb/torus/torus_route_rtl_pins.h"
#include "tb/torus/torus_sides_rtl_pins.h"
#include "tb/torus/torus_walls_rtl_pins.h"

namespace odonata::cosim {

#if defined(MUTANT_Ring)
struct TorusRoute {
  using Block = TorusRouteBlock;
  template <class Model>
  using Pins = TorusRouteBlockRtlPins<Model, MUTANT_KX, MUTANT_KY, MUTANT_CW, MUTANT_Ring, MUTANT_Detours>;

  static auto golden() {
    using torus::Variant;
    constexpr Variant kSix = MUTANT_Ring ? Variant::kSafe6Ring : Variant::kSafe6,
                      kFour = MUTANT_Ring ? Variant::kSafe4Ring : Variant::kSafe4;
    return std::make_unique<torus::GoldenRoute>(Torus({MUTANT_KX, MUTANT_KY}), MUTANT_Detours == 2 ? kSix : kFour);
  }
  static auto runs(uint64_t cycles, uint64_t seeds) {
    return seeded<Block>(cycles, seeds,
                         [](uint64_t seed) { return std::make_unique<TorusRoutePins>(MUTANT_KX, MUTANT_KY, seed); });
  }
};
#elif defined(MUTANT_KZ)
struct TorusBox {
  using Block = TorusBoxBlock;
  template <class Model>
  using Pins = TorusBoxBlockRtlPins<Model, MUTANT_KX, MUTANT_KY, MUTANT_KZ, MUTANT_CW>;

  static auto golden() { return std::make_unique<torus::GoldenBox>(Torus({MUTANT_KX, MUTANT_KY, MUTANT_KZ})); }
  static auto runs(uint64_t cycles, uint64_t seeds) {
    return seeded<Block>(cycles, seeds, [](uint64_t seed) {
      return std::make_unique<TorusBoxPins>(Torus({MUTANT_KX, MUTANT_KY, MUTANT_KZ}), seed);
    });
  }
};
#elif defined(MUTANT_KX)
struct TorusWalls {
  using Block = TorusWallsBlock;
  template <class Model>
  using Pins = TorusWallsBlockRtlPins<Model, MUTANT_KX, MUTANT_KY, MUTANT_CW>;

  static auto golden() { return std::make_unique<torus::GoldenWalls>(Torus({MUTANT_KX, MUTANT_KY})); }
  static auto runs(uint64_t cycles, uint64_t seeds) {
    return seeded<Block>(cycles, seeds,
                         [](uint64_t seed) { return std::make_unique<TorusWallsPins>(MUTANT_KX, MUTANT_KY, seed); });
  }
};

struct TorusSides {
  using Block = TorusSidesBlock;
  template <class Model>
  using Pins = TorusSidesBlockRtlPins<Model, MUTANT_KX, MUTANT_KY, MUTANT_CW>;

  static auto golden() { return std::make_unique<torus::GoldenSides>(Torus({MUTANT_KX, MUTANT_KY})); }
  static auto runs(uint64_t cycles, uint64_t seeds) {
    return seeded<Block>(cycles, seeds,
                         [](uint64_t seed) { return std::make_unique<TorusSidesPins>(MUTANT_KX, MUTANT_KY, seed); });
  }
};
#elif defined(MUTANT_Slots)
struct TorusOutput {
  using Block = TorusOutputBlock;
  template <class Model>
  using Pins = TorusOutputBlockRtlPins<Model, MUTANT_P, MUTANT_KW, MUTANT_Slots>;

  static auto golden() { return std::make_unique<torus::GoldenOutput>(MUTANT_Slots, MUTANT_P); }
  static auto runs(uint64_t cycles, uint64_t seeds) {
    return seeded<Block>(cycles, seeds,
                         [](uint64_t seed) { return std::make_unique<TorusOutputPins>(MUTANT_Slots, MUTANT_P, seed); });
  }
};
#else
struct FaultRegion {
  using Block = FaultRegionBlock;
  template <class Model>
  using Pins = FaultRegionBlockRtlPins<Model>;

  static auto golden() { return std::make_unique<torus::GoldenRegion>(); }
  static auto runs(uint64_t cycles, uint64_t seeds) {
    return seeded<Block>(cycles, seeds, [](uint64_t seed) { return std::make_unique<FaultRegionPins>(seed); });
  }
};
#endif

}  // namespace odonata::cosim
