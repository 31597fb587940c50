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
  std::vector<std::string> reasons;  ///< the reference's decision record
};

struct RunOptions {
  uint64_t max_cycles = ~0ull;
  uint64_t max_transactions = ~0ull;                                    ///< stop after so many compared transactions
  uint64_t skew = 64;                                                   ///< cycles, for ordered and set-valued probes
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

/// Called after every cycle, with what both sides saw; for coverage.
template <class Block>
using Observer = std::function<void(const typename Block::Inputs&, const typename Block::Outputs&)>;

/// Runs until the stimulus ends, a limit is reached or the first mismatch. `observe` may be null. Generic over the
/// concrete types, so that a call can be devirtualised where they are final.
template <class Block, class Stim, class Ref, class Dev, class Observe>
RunResult run_lockstep(Stim& stimulus, Ref& reference, Dev& device, const RunOptions& options, Observe&& observe) {
  typename Block::Inputs in;
  typename Block::Outputs expected{}, got{};
  Comparator<typename Block::Outputs> comparator(Block::probes(), options.skew);
  RunResult result;
  while (result.cycles < options.max_cycles && result.compared < options.max_transactions &&
         stimulus.next(expected, in)) {
    reference.step(in, expected);
    device.step(in, got);
    if (!comparator.equal(result.cycles, expected, got)) {
      result.mismatch = Mismatch{result.cycles, comparator.differences(), reference.describe()};
      return result;
    }
    result.compared += Block::transaction(expected);
    ++result.cycles;
    observe(in, expected);
    if ((result.cycles & 0xFFFF) == 0 && options.progress && !options.progress(result.cycles, result.compared)) {
      result.interrupted = true;
      return result;
    }
  }
  // What one side still owes may come as late as the skew allows; after that it is a difference. Twice the skew: the
  // last inputs are still on their way through the units when the stimulus ends. A unit that goes on by itself is cut
  // off there.
  const uint64_t end = result.cycles + 2 * options.skew + 2;
  for (uint64_t cycle = result.cycles; cycle < end && comparator.owes(); ++cycle) {
    if constexpr (requires { Block::idle(in); }) in = Block::idle(in);  // a unit without one gets its last inputs again
    reference.step(in, expected);
    device.step(in, got);
    if (comparator.equal(cycle, expected, got)) continue;
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
