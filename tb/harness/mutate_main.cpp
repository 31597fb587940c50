// SPDX-License-Identifier: Apache-2.0
// Runs the mutants of one netlist in lockstep with the golden unit; built by tb/harness/mutate.py, not by CMake.
// MUTANT_HEADER, MUTANT_UNIT: the unit. Usage: bench FIRST LAST STRIDE CYCLES SEEDS; prints the numbers of the
// survivors (0 = the netlist without a mutation), one a line, then "done" and the cycles that were run.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>

#include "Vmutant.h"
#include "tb/harness/mutants.h"
#include "tb/harness/verilated_device.h"
#include MUTANT_HEADER

namespace {

using namespace odonata::cosim;
using Unit = MUTANT_UNIT;
using Block = Unit::Block;
using Device = VerilatedDevice<Vmutant, Unit::Pins<Vmutant>>;

uint64_t cycles_run = 0;

bool survives(const std::vector<MutantRun<Block>>& runs, int mutant) {
  std::unique_ptr<Device> device;
  std::unique_ptr<Block::Reference> golden;
  for (const MutantRun<Block>& run : runs) {
    if (!run.goes_on) {  // registers without reset show in the probes
      device = std::make_unique<Device>();
      device->model().mutsel = static_cast<uint16_t>(mutant);
      golden = Unit::golden();
    }
    const auto stimulus = run.stimulus();
    const RunResult result = run_lockstep<Block>(*stimulus, *golden, *device, {.max_cycles = run.cycles});
    cycles_run += result.cycles;
    if (mutant == 0 && result.mismatch) {  // the bench or the netlist is wrong
      const Difference& x = result.mismatch->differences.front();
      std::fprintf(stderr, "cycle %" PRIu64 ": %s expected %" PRIx64 " got %" PRIx64 "\n", result.mismatch->cycle,
                   x.probe.c_str(), x.expected, x.got);
    }
    if (!result.passed()) return false;
  }
  return true;
}

uint64_t number(const char* text) { return std::strtoull(text, nullptr, 10); }

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  const auto runs = Unit::runs(number(argv[4]), number(argv[5]));
  for (int mutant = std::atoi(argv[1]); mutant <= std::atoi(argv[2]); mutant += std::atoi(argv[3])) {
    if (survives(runs, mutant)) std::printf("%d\n", mutant);
  }
  std::printf("done %" PRIu64 "\n", cycles_run);
  return 0;
}
