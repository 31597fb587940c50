// SPDX-License-Identifier: Apache-2.0
// The mutation campaign of the data path (mutants.toml): changing demands, the first run short, as it kills most; then
// packets of up to 64 flits.
#pragma once

#include "models/router/golden_device.h"
#include "tb/harness/mutants.h"
#include "tb/router/router_data_rtl_pins.h"
#include "tb/router/stimulus.h"

namespace odonata::cosim {

struct RouterData {
  using Block = RouterDataBlock;
  template <class Model>
  using Pins = RouterDataBlockRtlPins<Model, MUTANT_P, MUTANT_A, MUTANT_H, MUTANT_FlitBits, MUTANT_NodeDepth,
                                      MUTANT_LocalDepth, MUTANT_GlobalDepth, MUTANT_OutputFifo, MUTANT_TurnCycles>;
  static router::DataConfig config() {
    router::DataConfig c;
    c.nodes = MUTANT_P;
    c.routers = MUTANT_A;
    c.globals = MUTANT_H;
    c.words = MUTANT_FlitBits / 64;
    c.node_depth = MUTANT_NodeDepth;
    c.local_depth = MUTANT_LocalDepth;
    c.global_depth = MUTANT_GlobalDepth;
    c.output_fifo = MUTANT_OutputFifo;
    c.turn_cycles = MUTANT_TurnCycles;
    return c;
  }

  static auto golden() { return std::make_unique<router::GoldenData>(config()); }
  static std::vector<MutantRun<Block>> runs(uint64_t cycles, uint64_t seeds) {
    std::vector<MutantRun<Block>> all;
    const auto add = [&](const DataDemand& demand, bool changing, uint64_t seed, uint64_t length) {
      all.push_back({[=] { return std::make_unique<DataTraffic>(config(), demand, changing, seed); }, length});
    };
    for (uint64_t seed = 1; seed < 2 + seeds; ++seed) add({}, true, seed, seed == 1 ? 2000 : cycles);
    add(longest_packets(), false, 1, cycles);
    for (const DataDemand& demand : longest_packets_cut()) add(demand, false, 1, cycles);
    return all;
  }
};

}  // namespace odonata::cosim
