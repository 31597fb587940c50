// SPDX-License-Identifier: Apache-2.0
// The mutation campaigns of the congestion units (mutants.toml): a short run of corner cases, which kills most, the
// directed stimuli, then corner cases; all on the same instances.
#pragma once

#include "tb/congestion/bitmap_collector_rtl_pins.h"
#include "tb/congestion/bitmap_sender_rtl_pins.h"
#include "tb/congestion/credit_monitor_rtl_pins.h"
#include "tb/congestion/directed.h"
#include "tb/congestion/stimulus.h"
#include "tb/harness/mutants.h"

namespace odonata::cosim {

/// The runs of a unit; `corner` makes its corner cases from a seed.
template <class Block, class Corner>
std::vector<MutantRun<Block>> congestion_runs(Corner corner, std::vector<typename Block::Inputs> directed,
                                              uint64_t cycles, uint64_t seeds) {
  using Played = Recorded<typename Block::Inputs, typename Block::Outputs>;
  std::vector<MutantRun<Block>> all;
  all.push_back(
      {[corner] { return std::make_unique<ResetFirst<typename Block::Inputs, typename Block::Outputs>>(corner(1)); },
       2001});
  all.push_back({[directed] { return std::make_unique<Played>(directed); }, ~0ull, true});
  for (uint64_t seed = 2; seed < 2 + seeds; ++seed)
    all.push_back({[corner, seed] { return corner(seed); }, cycles, true});
  return all;
}

#if defined(MUTANT_MaxWindow)
struct CreditMonitor {
  using Block = CreditMonitorBlock;
  template <class Model>
  using Pins = CreditMonitorBlockRtlPins<Model, 4, 256, MUTANT_MaxWindow, 1>;
  static constexpr congestion::MonitorLimits kLimits{4, 256, MUTANT_MaxWindow};

  static auto golden() { return std::make_unique<congestion::GoldenMonitor>(kLimits); }
  static std::vector<MutantRun<Block>> runs(uint64_t cycles, uint64_t seeds) {
    return congestion_runs<Block>([](uint64_t seed) { return std::make_unique<MonitorCorner>(seed, kLimits); },
                                  directed_monitor(kLimits), cycles, seeds);
  }
};
#elif !defined(MUTANT_RingStops)
struct BitmapSender {
  using Block = BitmapSenderBlock;
  template <class Model>
  using Pins = BitmapSenderBlockRtlPins<Model, MUTANT_A, MUTANT_H>;
  static Dragonfly size() { return Dragonfly::named("tiny"); }

  static auto golden() { return std::make_unique<congestion::GoldenSender>(size()); }
  static std::vector<MutantRun<Block>> runs(uint64_t cycles, uint64_t seeds) {
    return congestion_runs<Block>([](uint64_t seed) { return std::make_unique<SenderCorner>(size(), seed); },
                                  directed_sender(size()), cycles, seeds);
  }
};
#else
struct BitmapCollector {
  using Block = BitmapCollectorBlock;
  template <class Model>
  using Pins = BitmapCollectorBlockRtlPins<Model, MUTANT_A, MUTANT_H, MUTANT_RingStops>;
  static Dragonfly size() { return Dragonfly::named("tiny"); }

  static auto golden() { return std::make_unique<congestion::GoldenCollector>(size()); }
  static std::vector<MutantRun<Block>> runs(uint64_t cycles, uint64_t seeds) {
    return congestion_runs<Block>([](uint64_t seed) { return std::make_unique<CollectorCorner>(size(), seed); },
                                  directed_collector(size()), cycles, seeds);
  }
};
#endif

}  // namespace odonata::cosim
