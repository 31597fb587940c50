// SPDX-License-Identifier: Apache-2.0
// From a mismatch deep in a long run to a short stimulus that shows it from reset.
#pragma once

#include <algorithm>
#include <deque>

#include "tb/harness/lockstep.h"

namespace odonata::cosim {

template <class Block>
using DeviceOf = CycleDevice<typename Block::Inputs, typename Block::Outputs>;
template <class Block>
using StimulusOf = Stimulus<typename Block::Inputs, typename Block::Outputs>;

/// What is needed to run again: makers of fresh instances. A device that exists once in a process may be returned again
/// and again, because every replay starts with a reset and a full configuration.
template <class Block>
struct Bench {
  std::function<std::unique_ptr<StimulusOf<Block>>()> stimulus;
  std::function<std::unique_ptr<typename Block::Reference>()> reference;
  std::function<std::unique_ptr<DeviceOf<Block>>()> device;
};

template <class Block>
struct Shrunk {
  std::vector<typename Block::Inputs> cycles;  ///< from reset; empty when the mismatch could not be shown again
  size_t preload = 0;                          ///< how many of them are reset and configuration
  Mismatch mismatch;                           ///< the mismatch of this short run
};

/// Runs recorded cycles on fresh instances.
template <class Block>
RunResult replay(const Bench<Block>& bench, const std::vector<typename Block::Inputs>& cycles) {
  Recorded<typename Block::Inputs, typename Block::Outputs> stimulus(cycles);
  auto reference = bench.reference();
  auto device = bench.device();
  return run_lockstep<Block>(stimulus, *reference, *device);
}

/// The reference's decision record after `cycle`: stimulus and a fresh reference run up to there.
template <class Block>
std::vector<std::string> reasons_at(const Bench<Block>& bench, uint64_t cycle) {
  const auto stimulus = bench.stimulus();
  const auto reference = bench.reference();
  typename Block::Inputs in{};
  typename Block::Outputs last{};
  for (uint64_t at = 0; at <= cycle && stimulus->next(last, in); ++at) reference->step(in, last);
  return reference->describe();
}

namespace detail {

/// The same mismatch: its first differing probe is among those of the original.
inline bool same_probe(const RunResult& result, const Mismatch& original) {
  if (!result.mismatch) return false;
  const auto& first = result.mismatch->differences.front().probe;
  return std::any_of(original.differences.begin(), original.differences.end(),
                     [&](const Difference& d) { return d.probe == first; });
}

/// Runs stimulus and reference again up to the failing cycle; the configuration `window` cycles before it, then the
/// last cycles.
template <class Block>
Shrunk<Block> cut_window(const Bench<Block>& bench, uint64_t failing_cycle, uint64_t window) {
  Shrunk<Block> out;
  const uint64_t start = failing_cycle + 1 > window ? failing_cycle + 1 - window : 0;
  auto stimulus = bench.stimulus();
  auto reference = bench.reference();
  typename Block::Inputs in;
  typename Block::Outputs last{};
  for (uint64_t cycle = 0; cycle <= failing_cycle && stimulus->next(last, in); ++cycle) {
    if (cycle == start && start > 0) out.cycles = Block::preload(*reference);
    if (cycle == start) out.preload = out.cycles.size();
    if (cycle >= start) out.cycles.push_back(in);
    reference->step(in, last);
  }
  return out;
}

/// Replaces ever smaller pieces of the window by nothing, then by idle cycles, while the same mismatch stays (delta
/// debugging).
template <class Block, class Keeps>
void reduce(Shrunk<Block>& s, Keeps&& keeps, int max_runs) {
  for (const bool remove : {true, false}) {
    for (size_t piece = std::max<size_t>(1, (s.cycles.size() - s.preload) / 2); piece > 0; piece /= 2) {
      for (size_t at = s.preload; at < s.cycles.size() && max_runs > 0;) {
        auto candidate = s.cycles;
        const size_t end = std::min(at + piece, candidate.size());
        if (remove) {
          candidate.erase(candidate.begin() + static_cast<long>(at), candidate.begin() + static_cast<long>(end));
        } else {
          for (size_t i = at; i < end; ++i) candidate[i] = Block::idle(candidate[i]);
        }
        --max_runs;
        const bool kept = keeps(candidate);
        if (kept) s.cycles = std::move(candidate);
        if (!kept || !remove) at += piece;
      }
    }
  }
}

}  // namespace detail

/// Shrinks the mismatch of a run. The window before the failure grows until the mismatch shows itself again from reset.
template <class Block>
Shrunk<Block> shrink(const Bench<Block>& bench, const Mismatch& original, int max_runs = 2000) {
  for (uint64_t window = 64;; window *= 8) {
    Shrunk<Block> s = detail::cut_window<Block>(bench, original.cycle, window);
    RunResult again = replay(bench, s.cycles);
    const bool whole_run = window > original.cycle;
    if (!detail::same_probe(again, original)) {
      if (whole_run || window > (1u << 20)) return {};
      continue;
    }
    s.mismatch = *again.mismatch;
    s.cycles.resize(std::min<size_t>(s.cycles.size(), s.mismatch.cycle + 1));
    detail::reduce(
        s,
        [&](const std::vector<typename Block::Inputs>& cycles) {
          RunResult r = replay(bench, cycles);
          if (!detail::same_probe(r, original)) return false;
          s.mismatch = *r.mismatch;
          return true;
        },
        max_runs);
    s.cycles.resize(std::min<size_t>(s.cycles.size(), s.mismatch.cycle + 1));
    return s;
  }
}

}  // namespace odonata::cosim
