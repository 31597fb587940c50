// SPDX-License-Identifier: Apache-2.0
// The lockstep of every block: stimulus -> reference and device -> comparison of every output in every cycle.
//
// A block is a struct with
//   using Inputs, Outputs;                                    plain structs, Outputs comparable with ==
//   static constexpr std::string_view kName;
//   static std::span<const Probe<Outputs>> probes();          outputs to compare
//   static std::span<const Field<Inputs>> fields();           inputs to record
//   static Inputs idle(const Inputs&);                        the same cycle with nothing offered (for shrinking)
//   static bool transaction(const Outputs&);                  whether the outputs complete a transaction (`compared`)
//   static std::vector<Inputs> preload(Reference&);           cycles that bring a fresh device where the reference is
// tb/harness/README.md shows how a block plugs in.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "models/common/cycle_device.h"
#include "tb/harness/comparator.h"
#include "tb/harness/stimulus.h"

namespace odonata::cosim {

/// The first cycle in which reference and device differ.
struct Mismatch {
  uint64_t cycle = 0;
  std::vector<Difference> differences;
  std::vector<std::string> reasons;  ///< the reference's decision record; empty when it was ahead (RunOptions)
};

struct RunOptions {
  uint64_t max_cycles = ~0ull;
  uint64_t max_transactions = ~0ull;  ///< stop after so many compared transactions
  uint64_t skew = 64;                 ///< cycles, for ordered and set-valued probes
  /// Cycles that the reference runs before the device runs the same ones, at least 1. Two large models that take turns
  /// every cycle drive each other out of the processor's caches. What is compared stays the same; above 1 a mismatch
  /// has no reasons, because the reference has gone on (reasons_at() of shrink.h has them).
  size_t ahead = 1;
  std::function<bool(uint64_t cycle, uint64_t transactions)> progress;  ///< every 65,536 cycles; false stops the run
};

struct RunResult {
  uint64_t cycles = 0;
  uint64_t compared = 0;  ///< transactions that both sides completed and that were compared
  bool interrupted = false;
  std::optional<Mismatch> mismatch;
  /// A run that compared nothing has shown nothing.
  bool passed() const { return compared > 0 && !mismatch && !interrupted; }
};

/// Called after every cycle of the reference, before the device runs it; for coverage.
template <class Block>
using Observer = std::function<void(const typename Block::Inputs&, const typename Block::Outputs&)>;

/// Runs until the stimulus ends, a limit is reached or the first mismatch. `observe` may be null. Generic over the
/// concrete types, so that a call can be devirtualised where they are final.
template <class Block, class Stim, class Ref, class Dev, class Observe>
RunResult run_lockstep(Stim& stimulus, Ref& reference, Dev& device, const RunOptions& options, Observe&& observe) {
  struct Cycle {
    typename Block::Inputs in{};
    typename Block::Outputs expected{};
  };
  std::vector<Cycle> ahead(std::max<size_t>(options.ahead, 1));
  typename Block::Outputs got{};
  Comparator<typename Block::Outputs> comparator(Block::probes(), options.skew);
  RunResult result;
  Cycle* last = &ahead.front();
  const auto run_reference = [&] {  // how many cycles
    size_t n = 0;
    uint64_t completed = result.compared;
    while (n < ahead.size() && result.cycles + n < options.max_cycles && completed < options.max_transactions &&
           stimulus.next(last->expected, ahead[n].in)) {
      last = &ahead[n++];
      reference.step(last->in, last->expected);
      completed += Block::transaction(last->expected);
      observe(last->in, last->expected);
    }
    return n;
  };
  while (const size_t n = run_reference()) {
    const uint64_t begin = result.cycles;
    for (size_t k = 0; k < n; ++k) {
      device.step(ahead[k].in, got);
      if (!comparator.equal(result.cycles, ahead[k].expected, got)) {
        result.mismatch = Mismatch{result.cycles, comparator.differences(), {}};
        if (ahead.size() == 1) result.mismatch->reasons = reference.describe();
        return result;
      }
      result.compared += Block::transaction(ahead[k].expected);
      ++result.cycles;
    }
    if (begin >> 16 != result.cycles >> 16 && options.progress && !options.progress(result.cycles, result.compared)) {
      result.interrupted = true;
      return result;
    }
  }
  // What one side still owes may come as late as the skew allows; after that it is a difference. Twice the skew: the
  // last inputs are still on their way through the units when the stimulus ends. A unit that goes on by itself is cut
  // off there.
  const uint64_t end = result.cycles + 2 * options.skew + 2;
  for (uint64_t cycle = result.cycles; cycle < end && comparator.owes(); ++cycle) {
    if constexpr (requires { Block::idle(last->in); }) {
      last->in = Block::idle(last->in);  // a unit without one gets its last inputs again
    }
    reference.step(last->in, last->expected);
    device.step(last->in, got);
    if (comparator.equal(cycle, last->expected, got)) continue;
    result.mismatch = Mismatch{cycle, comparator.differences(), reference.describe()};
    break;
  }
  return result;
}

template <class Block, class Stim, class Ref, class Dev>
RunResult run_lockstep(Stim& stimulus, Ref& reference, Dev& device, const RunOptions& options = {}) {
  return run_lockstep<Block>(stimulus, reference, device, options, [](const auto&, const auto&) {});
}

}  // namespace odonata::cosim
