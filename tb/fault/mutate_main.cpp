// SPDX-License-Identifier: Apache-2.0
// Runs mutants of one netlist in lockstep with the golden block; built by tb/fault/mutate, not by CMake.
// Usage: bench FIRST LAST STRIDE CYCLES SEEDS; prints the numbers of the survivors (0 = the netlist without a mutation), one a line, then
// "done" and the cycles that were run.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>

#include "Vmutant.h"
#include "tb/fault/rtl_pins.h"
#include "tb/harness/lockstep.h"

namespace {

using namespace odonata;

// MUTANT_BLOCK: 0 fault_shared_port, 1 fault_scheduler; the size is tiny.
#if MUTANT_BLOCK == 0
using Block = cosim::FaultSharedBlock;
using Pins = cosim::FaultSharedPins<Vmutant, 7>;
using Random = cosim::SharedStimulus;
cosim::GoldenSharedPort golden(const Dragonfly& d) { return cosim::GoldenSharedPort(d); }
#else
using Block = cosim::FaultSchedulerBlock;
using Pins = cosim::FaultSchedulerPins<Vmutant, 7>;
using Random = cosim::SchedulerStimulus;
fault::SchedulerUnit golden(const Dragonfly& d) { return fault::SchedulerUnit(d, {.stations = 7}); }
#endif

uint64_t cycles_run = 0;

/// Fresh instances: registers without reset show in the probes.
bool agrees(const Dragonfly& d, int mutant, uint64_t seed, uint64_t cycles) {
  cosim::VerilatedDevice<Vmutant, Pins> device;
  device.model().mutsel = static_cast<uint16_t>(mutant);
  auto reference = golden(d);
  Random stimulus(d, seed);
  cosim::RunOptions options;
  options.max_cycles = cycles;
  const cosim::RunResult result = cosim::run_lockstep<Block>(stimulus, reference, device, options);
  cycles_run += result.cycles;
  if (mutant == 0 && result.mismatch) {  // the bench or the netlist is wrong
    const cosim::Difference& x = result.mismatch->differences.front();
    std::fprintf(stderr, "cycle %" PRIu64 ": %s expected %" PRIx64 " got %" PRIx64 "\n", result.mismatch->cycle, x.probe.c_str(), x.expected, x.got);
  }
  return result.passed();
}

bool survives(const Dragonfly& d, int mutant, uint64_t cycles, uint64_t seeds) {
  if (!agrees(d, mutant, 1, 3000)) return false;  // a short run kills most
  for (uint64_t seed = 2; seed < 2 + seeds; ++seed) {
    if (!agrees(d, mutant, seed, cycles)) return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  const Dragonfly d = Dragonfly::named("tiny");
  for (int mutant = std::atoi(argv[1]); mutant <= std::atoi(argv[2]); mutant += std::atoi(argv[3])) {
    if (survives(d, mutant, std::strtoull(argv[4], nullptr, 10), std::strtoull(argv[5], nullptr, 10))) std::printf("%d\n", mutant);
  }
  std::printf("done %" PRIu64 "\n", cycles_run);
  return 0;
}
