// SPDX-License-Identifier: Apache-2.0
// Runs every mutant of one netlist in lockstep with the golden input port; built by tb/arb_request/mutate, not by CMake.
// Usage: bench FIRST LAST STRIDE TRANSACTIONS V S; prints the numbers of the survivors (0 = the netlist without a mutation), one a line, then
// "done" and the cycles that were run.
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

using Block = cosim::ArbPortBlock;
using Device = cosim::VerilatedDevice<Vmutant, cosim::ArbPortPins<Vmutant, MUTANT_N, MUTANT_CW, MUTANT_KW>>;

uint64_t cycles_run = 0;

template <class Stim>
bool agrees(const arb_request::PortSize& size, int mutant, Stim&& stimulus, uint64_t transactions) {
  Device device;
  device.model().mutsel = static_cast<uint16_t>(mutant);
  arb_request::GoldenPort golden(size);
  const cosim::RunResult r =
      cosim::run_lockstep<Block>(stimulus, golden, device, {.max_transactions = transactions, .max_cycles = 20 * transactions});
  cycles_run += r.cycles;
  return r.passed();
}

bool survives(const arb_request::PortSize& size, int mutant, uint64_t transactions) {
  return agrees(size, mutant, cosim::ArbCornerPins(size, 1), transactions) &&
         agrees(size, mutant, cosim::ArbTrafficPins(size, 0.7, 2), transactions / 2) &&
         agrees(size, mutant, cosim::ArbCornerPins(size, 3), 2 * transactions);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 7) return 2;
  const arb_request::PortSize size{MUTANT_N, MUTANT_CW, MUTANT_KW, std::atoi(argv[5]), std::atoi(argv[6])};
  for (int mutant = std::atoi(argv[1]); mutant <= std::atoi(argv[2]); mutant += std::atoi(argv[3])) {
    if (survives(size, mutant, std::strtoull(argv[4], nullptr, 10))) std::printf("%d\n", mutant);
  }
  std::printf("done %" PRIu64 "\n", cycles_run);
  return 0;
}
