// SPDX-License-Identifier: Apache-2.0
// Runs mutants of one netlist in lockstep with the golden block; built by tb/congestion/mutate, not by CMake.
// Usage: bench FIRST LAST STRIDE CYCLES SEEDS; prints the numbers of the survivors (0 = the netlist without a mutation), one a line, then
// "done" and the cycles that were run.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>

#include "Vmutant.h"
#include "tb/congestion/directed.h"
#include "tb/congestion/rtl_pins.h"
#include "tb/congestion/stimulus.h"
#include "tb/harness/lockstep.h"

namespace {

using namespace odonata;

// MUTANT_BLOCK: 0 credit_monitor, 1 bitmap_sender, 2 bitmap_collector; the size is tiny. MUTANT_WINDOW: longest window of the monitor.
#if MUTANT_BLOCK == 0
using Block = cosim::CreditMonitorBlock;
using Pins = cosim::MonitorPins<Vmutant, 2, 4, 2>;
constexpr congestion::MonitorLimits kLimits{4, 256, MUTANT_WINDOW};
cosim::MonitorCorner corner(const Dragonfly&, uint64_t seed) { return cosim::MonitorCorner(seed, kLimits); }
congestion::GoldenMonitor golden(const Dragonfly&) { return congestion::GoldenMonitor(kLimits); }
std::vector<Block::Inputs> directed(const Dragonfly&) { return cosim::directed_monitor(kLimits); }
#elif MUTANT_BLOCK == 1
using Block = cosim::BitmapSenderBlock;
using Pins = cosim::SenderPins<Vmutant, 2, 4, 2>;
cosim::SenderCorner corner(const Dragonfly& d, uint64_t seed) { return cosim::SenderCorner(d, seed); }
congestion::GoldenSender golden(const Dragonfly& d) { return congestion::GoldenSender(d); }
std::vector<Block::Inputs> directed(const Dragonfly& d) { return cosim::directed_sender(d); }
#else
using Block = cosim::BitmapCollectorBlock;
using Pins = cosim::CollectorPins<Vmutant, 2, 4, 2>;
cosim::CollectorCorner corner(const Dragonfly& d, uint64_t seed) { return cosim::CollectorCorner(d, seed); }
congestion::GoldenCollector golden(const Dragonfly& d) { return congestion::GoldenCollector(d); }
std::vector<Block::Inputs> directed(const Dragonfly& d) { return cosim::directed_collector(d); }
#endif

uint64_t cycles_run = 0;

/// A fresh device and a fresh reference for every mutant; all stimuli one after the other, after a cycle of reset.
class Run {
 public:
  Run(const Dragonfly& d, int mutant) : reference_(golden(d)) {
    device_.model().mutsel = static_cast<uint16_t>(mutant);
    Block::Inputs reset{};
    reset.reset = true;
    Block::Outputs out{};
    device_.step(reset, out);
    reference_.step(reset, out);
  }
  template <class Stim>
  bool agrees(Stim&& stimulus, uint64_t cycles = ~0ull) {
    cosim::RunOptions options;
    options.max_cycles = cycles;
    const cosim::RunResult result = cosim::run_lockstep<Block>(stimulus, reference_, device_, options);
    cycles_run += result.cycles;
    return result.passed();
  }

 private:
  cosim::VerilatedDevice<Vmutant, Pins> device_;
  Block::Reference reference_;
};

bool survives(const Dragonfly& d, const std::vector<Block::Inputs>& directed, int mutant, uint64_t cycles, uint64_t seeds) {
  Run run(d, mutant);
  if (!run.agrees(corner(d, 1), 2000)) return false;  // a short run kills most
  if (!run.agrees(cosim::Recorded<Block::Inputs, Block::Outputs>(directed))) return false;
  for (uint64_t seed = 2; seed < 2 + seeds; ++seed) {
    if (!run.agrees(corner(d, seed), cycles)) return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  const Dragonfly d = Dragonfly::named("tiny");
  const std::vector<Block::Inputs> script = directed(d);
  for (int mutant = std::atoi(argv[1]); mutant <= std::atoi(argv[2]); mutant += std::atoi(argv[3])) {
    if (survives(d, script, mutant, std::strtoull(argv[4], nullptr, 10), std::strtoull(argv[5], nullptr, 10))) std::printf("%d\n", mutant);
  }
  std::printf("done %" PRIu64 "\n", cycles_run);
  return 0;
}
