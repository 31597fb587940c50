// SPDX-License-Identifier: Apache-2.0
// What the lockstep tests of the fault plane's blocks have in common: a run, complete coverage, every planted bug.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "models/topology/dragonfly.h"
#include "tb/fault/plant_tests.h"
#include "tb/fault/run_words.h"
#include "tb/harness/coverage.h"
#include "tb/harness/lockstep.h"

namespace odonata::cosim {

/// Runs of a device beside a golden unit, a `Golden(dragonfly)`, under random pins, a `Random(dragonfly, seed)`; both
/// are fresh ones.
template <class Block, class Golden, class Random>
struct FaultBench {
  /// `observe(in, out, golden)` is called after every cycle of the golden unit.
  template <class Device, class Observe>
  static RunResult watched(Device& device, uint64_t cycles, uint64_t seed, const Dragonfly& d, Observe observe) {
    Random stimulus(d, seed);
    Golden reference(d);
    return run_lockstep<Block>(stimulus, reference, device, {.max_cycles = cycles},
                               [&](const auto& in, const auto& out) { observe(in, out, reference); });
  }

  template <class Device>
  static RunResult run(Device& device, uint64_t cycles, uint64_t seed, const Dragonfly& d = Dragonfly::named("tiny")) {
    return watched(device, cycles, seed, d, [](const auto&, const auto&, const auto&) {});
  }

  /// A device that agrees for so many cycles and completes more than `compared` transactions.
  template <class Device>
  static void expect_agrees(Device& device, uint64_t cycles, uint64_t seed, uint64_t compared,
                            const Dragonfly& d = Dragonfly::named("tiny")) {
    const RunResult r = run(device, cycles, seed, d);
    EXPECT_TRUE(r.passed()) << words(r);
    EXPECT_GT(r.compared, compared);
  }
};

inline void expect_complete(const Coverage& coverage, const std::string& where = "") {
  EXPECT_EQ(coverage.percent(), 100.0) << where << "\n" << coverage.to_text(40);
  EXPECT_EQ(coverage.errors(), "") << where;
}

/// Every planted bug of which `ours(plant)` holds shows in `run(plant)`; there are at least so many.
template <class Ours, class Run>
void expect_caught(int at_least, Ours ours, Run run) {
  int caught = 0;
  for (const Plant& plant : planted_fault::kPlants) {
    if (!ours(plant)) continue;
    EXPECT_TRUE(run(plant).mismatch.has_value()) << plant.name << ": " << plant.what;
    ++caught;
  }
  EXPECT_GE(caught, at_least);
}
template <class Run>
void expect_caught(int at_least, TriedBy test, Run run) {
  expect_caught(
      at_least, [test](const Plant& plant) { return tried_by(plant) == test; }, run);
}

}  // namespace odonata::cosim
