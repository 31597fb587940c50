// SPDX-License-Identifier: Apache-2.0
// What a unit supplies for its mutation campaign (tb/<family>/mutants.h): a struct with
//   Block                     as in lockstep.h
//   Pins<Model>               of the Verilated netlist
//   golden()                  a fresh golden unit
//   runs(cycles, seeds)       the stimuli, each with its length
// The parameters of the module are macros MUTANT_<name>.
#pragma once

#include "tb/harness/shrink.h"

namespace odonata::cosim {

/// One run of a mutant; it is killed by the first that differs.
template <class Block>
struct MutantRun {
  std::function<std::unique_ptr<StimulusOf<Block>>()> stimulus;
  uint64_t cycles = ~0ull;
  bool goes_on = false;  ///< with the instances of the run before; else with fresh ones
};

/// Runs of a stimulus, one a seed.
template <class Block, class Make>
std::vector<MutantRun<Block>> seeded(uint64_t cycles, uint64_t seeds, Make make) {
  std::vector<MutantRun<Block>> all;
  for (uint64_t seed = 1; seed <= seeds; ++seed) all.push_back({[make, seed] { return make(seed); }, cycles});
  return all;
}

}  // namespace odonata::cosim
