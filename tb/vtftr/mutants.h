// SPDX-License-Identifier: Apache-2.0
// The mutation campaigns of the VTFTR units (mutants.toml): random pins.
#pragma once

#include "tb/harness/mutants.h"
#include "tb/vtftr/stimulus.h"
#include "tb/vtftr/vtftr_detect_rtl_pins.h"
#include "tb/vtftr/vtftr_leaf_rtl_pins.h"
#include "tb/vtftr/vtftr_root_rtl_pins.h"
#include "tb/vtftr/vtftr_update_rtl_pins.h"

namespace odonata::cosim {

#if defined(MUTANT_P)
struct VtftrLeaf {
  using Block = VtftrLeafBlock;
  template <class Model>
  using Pins = VtftrLeafBlockRtlPins<Model, MUTANT_N, MUTANT_M, MUTANT_P, MUTANT_U>;
  static constexpr vtftr::UnitSize kSize{MUTANT_N, MUTANT_M, MUTANT_P, MUTANT_U};

  static auto golden() { return std::make_unique<vtftr::GoldenLeaf>(kSize); }
  static std::vector<MutantRun<Block>> runs(uint64_t cycles, uint64_t seeds) {
    return seeded<Block>(cycles, seeds, [](uint64_t seed) { return std::make_unique<LeafPins>(kSize, seed); });
  }
};
#elif defined(MUTANT_MaskForm)
struct VtftrRoot {
  using Block = VtftrRootBlock;
  template <class Model>
  using Pins = VtftrRootBlockRtlPins<Model, MUTANT_N, MUTANT_M, MUTANT_S, MUTANT_MaskForm>;
  static constexpr vtftr::UnitSize kSize{MUTANT_N, MUTANT_M, 1, 1};

  static auto golden() { return std::make_unique<vtftr::GoldenRoot>(kSize, MUTANT_MaskForm != 0); }
  static std::vector<MutantRun<Block>> runs(uint64_t cycles, uint64_t seeds) {
    return seeded<Block>(cycles, seeds, [](uint64_t seed) { return std::make_unique<RootPins>(kSize, seed); });
  }
};
#elif defined(MUTANT_N)
struct VtftrUpdate {
  using Block = VtftrUpdateBlock;
  template <class Model>
  using Pins = VtftrUpdateBlockRtlPins<Model, MUTANT_N, MUTANT_M, MUTANT_S>;
  static constexpr vtftr::UnitSize kSize{MUTANT_N, MUTANT_M, 1, 1};

  static auto golden() { return std::make_unique<vtftr::GoldenUpdate>(kSize); }
  static std::vector<MutantRun<Block>> runs(uint64_t cycles, uint64_t seeds) {
    return seeded<Block>(cycles, seeds, [](uint64_t seed) { return std::make_unique<UpdatePins>(kSize, seed); });
  }
};
#else
struct VtftrDetect {
  using Block = VtftrDetectBlock;
  template <class Model>
  using Pins = VtftrDetectBlockRtlPins<Model, MUTANT_S>;

  static auto golden() { return std::make_unique<vtftr::GoldenDetect>(MUTANT_S); }
  static std::vector<MutantRun<Block>> runs(uint64_t cycles, uint64_t seeds) {
    return seeded<Block>(cycles, seeds, [](uint64_t seed) { return std::make_unique<DetectPins>(MUTANT_S, seed); });
  }
};
#endif

}  // namespace odonata::cosim
