// SPDX-License-Identifier: Apache-2.0
// Runs mutants of one netlist in lockstep with the golden unit; built by tb/route_compute/mutate, not by CMake.
// Usage: bench FIRST LAST STRIDE CYCLES SEEDS; prints the numbers of the survivors (0 = the netlist without a mutation), one a line, then
// "done" and the cycles that were run.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>

#include "Vmutant.h"
#include "models/route_compute/golden_device.h"
#include "tb/harness/lockstep.h"
#include "tb/route_compute/block.h"
#include "tb/route_compute/rtl_pins.h"
#include "tb/route_compute/stimulus.h"

namespace {

using namespace odonata;
using Block = cosim::RouteComputeBlock;
using Device = cosim::VerilatedDevice<Vmutant, cosim::RouteComputePins<Vmutant>>;

uint64_t cycles_run = 0;

/// A fresh device and a fresh reference for every mutant (registers without reset show in the probes); all stimuli one after the other.
class Run {
 public:
  Run(const Dragonfly& d, int mutant) : reference_(d) { device_.model().mutsel = static_cast<uint16_t>(mutant); }
  template <class Stim>
  bool agrees(Stim&& stimulus) {
    const cosim::RunResult result = cosim::run_lockstep<Block>(stimulus, reference_, device_);
    cycles_run += result.cycles;
    return result.passed();
  }

 private:
  Device device_;
  route_compute::GoldenDevice reference_;
};

bool survives(const Dragonfly& d, const std::vector<Block::Inputs>& directed, int mutant, uint64_t cycles, uint64_t seeds) {
  Run run(d, mutant);
  const auto corner = [&](uint64_t seed, uint64_t length) { return run.agrees(cosim::CornerStimulus(d, {.seed = seed, .cycles = length})); };
  // A short run kills most.
  if (!corner(1, 2000)) return false;
  if (!run.agrees(cosim::Recorded<Block::Inputs, Block::Outputs>(directed))) return false;
  for (uint64_t seed = 2; seed < 2 + seeds; ++seed) {
    if (!corner(seed, cycles)) return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  const Dragonfly d = Dragonfly::named("tiny");
  const std::vector<Block::Inputs> directed = cosim::all_directed_tests(d);
  for (int mutant = std::atoi(argv[1]); mutant <= std::atoi(argv[2]); mutant += std::atoi(argv[3])) {
    if (survives(d, directed, mutant, std::strtoull(argv[4], nullptr, 10), std::strtoull(argv[5], nullptr, 10))) std::printf("%d\n", mutant);
  }
  std::printf("done %" PRIu64 "\n", cycles_run);
  return 0;
}
