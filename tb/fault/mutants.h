// SPDX-License-Identifier: Apache-2.0
// The mutation campaigns of the fault plane (mutants.toml): random runs, the first one short, as it kills most.
#pragma once

#include "tb/fault/fault_scheduler_rtl_pins.h"
#include "tb/fault/fault_shared_port_rtl_pins.h"
#include "tb/fault/scheduler_block.h"
#include "tb/harness/mutants.h"

namespace odonata::cosim {

template <class Block, class Random>
std::vector<MutantRun<Block>> fault_runs(const Dragonfly& d, uint64_t cycles, uint64_t seeds) {
  std::vector<MutantRun<Block>> all;
  for (uint64_t seed = 1; seed < 2 + seeds; ++seed) {
    all.push_back({[d, seed] { return std::make_unique<Random>(d, seed); }, seed == 1 ? 3000 : cycles});
  }
  return all;
}

struct FaultSharedPort {
  using Block = FaultSharedBlock;
  template <class Model>
  using Pins = FaultSharedBlockRtlPins<Model, 2, 4, 2, 8, 8>;
  static Dragonfly size() { return Dragonfly::named("tiny"); }

  static auto golden() { return std::make_unique<GoldenSharedPort>(size()); }
  static auto runs(uint64_t cycles, uint64_t seeds) { return fault_runs<Block, SharedStimulus>(size(), cycles, seeds); }
};

struct FaultScheduler {
  using Block = FaultSchedulerBlock;
  template <class Model>
  using Pins = FaultSchedulerBlockRtlPins<Model, 2, 4, 2, 7, 1, 1, 0, 0>;
  static Dragonfly size() { return Dragonfly::named("tiny"); }

  static auto golden() { return std::make_unique<fault::SchedulerUnit>(size(), fault::SchedulerConfig{.stations = 7}); }
  static auto runs(uint64_t cycles, uint64_t seeds) {
    return fault_runs<Block, SchedulerStimulus>(size(), cycles, seeds);
  }
};

}  // namespace odonata::cosim
