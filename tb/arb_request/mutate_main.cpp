// SPDX-License-Identifier: Apache-2.0
// Runs every mutant of one netlist in lockstep with the golden input port; built by tb/arb_request/mutate, not by CMake.
// Usage: mutate_main MUTANTS TRANSACTIONS V S; prints the numbers of the survivors (0 = the netlist without a mutation), one a line, then "done".
#include <cstdio>
#include <cstdlib>

#include "Vmutant.h"
#include "tb/arb_request/block.h"
#include "tb/arb_request/rtl_pins.h"
#include "tb/arb_request/stimulus.h"
#include "tb/harness/lockstep.h"

namespace {

using namespace odonata;

bool survives(cosim::VerilatedDevice<Vmutant, cosim::ArbPortPins<Vmutant, MUTANT_N, MUTANT_CW, MUTANT_KW>>& device, const arb_request::PortSize& size,
              int mutant, uint64_t transactions) {
  device.model().mutsel = static_cast<uint16_t>(mutant);
  cosim::RunOptions options;
  options.max_transactions = transactions;
  options.max_cycles = 20 * transactions;
  cosim::ArbCornerPins corner(size, 1);
  arb_request::GoldenPort golden(size);
  if (cosim::run_lockstep<cosim::ArbPortBlock>(corner, golden, device, options).mismatch) return false;
  cosim::ArbTrafficPins traffic(size, 0.7, 2);
  arb_request::GoldenPort again(size);
  return !cosim::run_lockstep<cosim::ArbPortBlock>(traffic, again, device, options).mismatch;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const arb_request::PortSize size{MUTANT_N, MUTANT_CW, MUTANT_KW, std::atoi(argv[3]), std::atoi(argv[4])};
  cosim::VerilatedDevice<Vmutant, cosim::ArbPortPins<Vmutant, MUTANT_N, MUTANT_CW, MUTANT_KW>> device;
  for (int mutant = 0; mutant <= std::atoi(argv[1]); ++mutant)
    if (survives(device, size, mutant, std::strtoull(argv[2], nullptr, 10))) std::printf("%d\n", mutant);
  std::printf("done\n");
  return 0;
}
