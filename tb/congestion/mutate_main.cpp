// SPDX-License-Identifier: Apache-2.0
// Runs every mutant of one netlist in lockstep with the golden block; built by tb/congestion/mutate, not by CMake.
// Usage: bench MUTANTS CYCLES; prints the numbers of the survivors (0 = the netlist without a mutation), one a line, then "done".
#include <cstdio>
#include <cstdlib>

#include "Vmutant.h"
#include "tb/congestion/rtl_pins.h"
#include "tb/congestion/stimulus.h"
#include "tb/harness/lockstep.h"

namespace {

using namespace odonata;

// MUTANT_BLOCK: 0 credit_monitor, 1 bitmap_sender, 2 bitmap_collector; the size is tiny.
#if MUTANT_BLOCK == 0
using Block = cosim::CreditMonitorBlock;
using Pins = cosim::MonitorPins<Vmutant, 2, 4, 2>;
using Corner = cosim::MonitorCorner;
Corner corner(const Dragonfly&, uint64_t seed) { return Corner(seed, {4, 256, 15}); }
congestion::GoldenMonitor golden(const Dragonfly&) { return congestion::GoldenMonitor({4, 256, 15}); }
#elif MUTANT_BLOCK == 1
using Block = cosim::BitmapSenderBlock;
using Pins = cosim::SenderPins<Vmutant, 2, 4, 2>;
using Corner = cosim::SenderCorner;
Corner corner(const Dragonfly& d, uint64_t seed) { return Corner(d, seed); }
congestion::GoldenSender golden(const Dragonfly& d) { return congestion::GoldenSender(d); }
#else
using Block = cosim::BitmapCollectorBlock;
using Pins = cosim::CollectorPins<Vmutant, 2, 4, 2>;
using Corner = cosim::CollectorCorner;
Corner corner(const Dragonfly& d, uint64_t seed) { return Corner(d, seed); }
congestion::GoldenCollector golden(const Dragonfly& d) { return congestion::GoldenCollector(d); }
#endif

bool survives(cosim::VerilatedDevice<Vmutant, Pins>& device, const Dragonfly& d, int mutant, uint64_t cycles) {
  device.model().mutsel = static_cast<uint16_t>(mutant);
  auto reference = golden(d);
  auto stimulus = corner(d, 1);
  Block::Inputs reset{};
  reset.reset = true;
  Block::Outputs out{};
  device.step(reset, out);
  reference.step(reset, out);
  cosim::RunOptions options;
  options.max_cycles = cycles;
  const cosim::RunResult result = cosim::run_lockstep<Block>(stimulus, reference, device, options);
  return result.compared > 0 && !result.mismatch;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const Dragonfly d = Dragonfly::named("tiny");
  cosim::VerilatedDevice<Vmutant, Pins> device;
  for (int mutant = 0; mutant <= std::atoi(argv[1]); ++mutant) {
    if (survives(device, d, mutant, std::strtoull(argv[2], nullptr, 10))) std::printf("%d\n", mutant);
  }
  std::printf("done\n");
  return 0;
}
