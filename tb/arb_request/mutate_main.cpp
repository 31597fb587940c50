// SPDX-License-Identifier: Apache-2.0
// Runs mutants of one netlist in lockstep with the golden model; built by tb/arb_request/mutate, not by CMake. MUTANT_SWITCH: of the switch, else of
// the input port.
// Usage: bench FIRST LAST STRIDE CYCLES SEEDS; prints the numbers of the survivors (0 = the netlist without a mutation), one a line, then "done" and
// the cycles that were run.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>

#include "Vmutant.h"
#include "tb/arb_request/block.h"
#include "tb/arb_request/rtl_pins.h"
#include "tb/arb_request/stimulus.h"
#include "tb/harness/lockstep.h"

namespace {

using namespace odonata;

constexpr arb_request::PortSize kSize{MUTANT_N, MUTANT_CW, MUTANT_KW, MUTANT_V, MUTANT_S};

uint64_t cycles_run = 0;

template <class Block, class Device, class Golden, class Stim>
bool agrees(int mutant, Golden golden, Stim stimulus, uint64_t cycles) {
  Device device;
  device.model().mutsel = static_cast<uint16_t>(mutant);
  const cosim::RunResult r = cosim::run_lockstep<Block>(stimulus, golden, device, {.max_cycles = cycles});
  cycles_run += r.cycles;
  return r.passed();
}

#ifdef MUTANT_SWITCH
bool corner(int mutant, uint64_t seed, uint64_t cycles) {
  using Device = cosim::VerilatedDevice<Vmutant, cosim::ArbSwitchPins<Vmutant, MUTANT_N, MUTANT_CW, MUTANT_KW>>;
  return agrees<cosim::ArbSwitchBlock, Device>(mutant, arb_request::GoldenSwitch(kSize.dimensions, kSize.queues),
                                               cosim::ArbSwitchPinsRandom(kSize, seed), cycles);
}
#else
using PortDevice = cosim::VerilatedDevice<Vmutant, cosim::ArbPortPins<Vmutant, MUTANT_N, MUTANT_CW, MUTANT_KW>>;

bool corner(int mutant, uint64_t seed, uint64_t cycles) {
  return agrees<cosim::ArbPortBlock, PortDevice>(mutant, arb_request::GoldenPort(kSize), cosim::ArbCornerPins(kSize, seed), cycles);
}
#endif

bool survives(int mutant, uint64_t cycles, uint64_t seeds) {
#ifndef MUTANT_SWITCH
  const bool traffic =
      agrees<cosim::ArbPortBlock, PortDevice>(mutant, arb_request::GoldenPort(kSize), cosim::ArbTrafficPins(kSize, 0.7, 1), cycles / 4);
  if (!traffic) return false;
#endif
  for (uint64_t seed = 1; seed <= seeds; ++seed)
    if (!corner(mutant, seed, cycles)) return false;
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  for (int mutant = std::atoi(argv[1]); mutant <= std::atoi(argv[2]); mutant += std::atoi(argv[3])) {
    if (survives(mutant, std::strtoull(argv[4], nullptr, 10), std::strtoull(argv[5], nullptr, 10))) std::printf("%d\n", mutant);
  }
  std::printf("done %" PRIu64 "\n", cycles_run);
  return 0;
}
