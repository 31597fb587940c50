// SPDX-License-Identifier: Apache-2.0
// The mutation campaigns of the arbitration requests (mutants.toml): traffic at the input port, then corner cases.
#pragma once

#include "tb/arb_request/arb_request_rtl_pins.h"
#include "tb/arb_request/arb_request_switch_rtl_pins.h"
#include "tb/arb_request/stimulus.h"
#include "tb/harness/mutants.h"

namespace odonata::cosim {

#ifdef MUTANT_V
struct ArbInputPort {
  using Block = ArbPortBlock;
  template <class Model>
  using Pins = ArbPortBlockRtlPins<Model, MUTANT_N, MUTANT_CW, MUTANT_KW, MUTANT_V, MUTANT_S>;
  static constexpr arb_request::PortSize kSize{MUTANT_N, MUTANT_CW, MUTANT_KW, MUTANT_V, MUTANT_S};

  static auto golden() { return std::make_unique<arb_request::GoldenPort>(kSize); }
  static std::vector<MutantRun<Block>> runs(uint64_t cycles, uint64_t seeds) {
    std::vector<MutantRun<Block>> all{{[] { return std::make_unique<ArbTrafficPins>(kSize, 0.7, 1); }, cycles / 4}};
    for (uint64_t seed = 1; seed <= seeds; ++seed)
      all.push_back({[seed] { return std::make_unique<ArbCornerPins>(kSize, seed); }, cycles});
    return all;
  }
};
#else
struct ArbSwitch {
  using Block = ArbSwitchBlock;
  template <class Model>
  using Pins = ArbSwitchBlockRtlPins<Model, MUTANT_N, MUTANT_KW, MUTANT_Slots>;
  static constexpr arb_request::PortSize kSize{MUTANT_N, 2, MUTANT_KW, MUTANT_Slots, 2};

  static auto golden() { return std::make_unique<arb_request::GoldenSwitch>(kSize.dimensions, kSize.queues); }
  static std::vector<MutantRun<Block>> runs(uint64_t cycles, uint64_t seeds) {
    return seeded<Block>(cycles, seeds,
                         [](uint64_t seed) { return std::make_unique<ArbSwitchPinsRandom>(kSize, seed); });
  }
};
#endif

}  // namespace odonata::cosim
