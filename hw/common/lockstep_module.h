// SPDX-License-Identifier: Apache-2.0
// The lockstep under the SystemC kernel: reference and device step together in one clocked method.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <systemc>
#include <type_traits>

#include "models/common/cycle_device.h"

namespace odonata::hw {

/// Steps `reference` and `device` with the same pins once a period and compares all outputs; the first difference stops
/// the simulation. One self-timed method: the cheapest way to have a clock in SystemC. Name the concrete (final) types
/// to have the calls devirtualised. `Stim` has bool next(const Out& last, In& in): fills the next cycle's pins, false
/// at the end.
template <class In, class Out, class Stim, class Ref = CycleDevice<In, Out>, class Dev = CycleDevice<In, Out>>
class LockstepModule : public sc_core::sc_module {
 public:
  struct Mismatch {
    uint64_t cycle = 0;
    In in;
    Out expected, got;
  };
  struct Options {
    sc_core::sc_time period{1, sc_core::SC_NS};
    uint64_t max_cycles = ~0ull;
    /// Cycles an activation by the kernel (temporal decoupling): more is faster when nothing else needs the time.
    unsigned quantum = 1;
    /// Which outputs complete a transaction: what compared() counts; null: all cycles.
    bool (*transaction)(const Out& out) = nullptr;
  };

  LockstepModule(const sc_core::sc_module_name& name, Stim& stimulus, Ref& reference, Dev& device, Options options = {})
      : sc_module(name),
        stimulus_(stimulus),
        reference_(reference),
        device_(device),
        options_(options),
        activation_(options.period * options.quantum) {
    SC_HAS_PROCESS(LockstepModule);
    SC_METHOD(edge);
    dont_initialize();
    sensitive << edge_;
    edge_.notify(options_.period);
  }

  uint64_t cycles() const { return cycles_; }
  /// Transactions that both sides completed alike.
  uint64_t compared() const { return compared_; }
  const std::optional<Mismatch>& mismatch() const { return mismatch_; }
  /// A run that compared nothing has shown nothing.
  bool passed() const { return compared_ > 0 && !mismatch_; }

 private:
  void edge() {
    for (unsigned k = 0; k < options_.quantum; ++k) {
      if (!step()) return sc_core::sc_stop();
    }
    edge_.notify(activation_);
  }
  /// One cycle; false when the run is over.
  bool step() {
    if (cycles_ == options_.max_cycles || !stimulus_.next(expected_, in_)) return false;
    reference_.step(in_, expected_);
    device_.step(in_, got_);
    if (!equal(expected_, got_)) {
      mismatch_ = Mismatch{cycles_, in_, expected_, got_};
      return false;
    }
    compared_ += options_.transaction == nullptr || options_.transaction(expected_);
    ++cycles_;
    return true;
  }
  /// Without padding the two can be compared as memory, which is faster.
  static bool equal(const Out& a, const Out& b) {
    if constexpr (std::has_unique_object_representations_v<Out>) return std::memcmp(&a, &b, sizeof a) == 0;
    return a == b;
  }

  Stim& stimulus_;
  Ref& reference_;
  Dev& device_;
  const Options options_;
  const sc_core::sc_time activation_;  // distance of two activations
  sc_core::sc_event edge_;
  In in_{};
  Out expected_{}, got_{};
  uint64_t cycles_ = 0, compared_ = 0;
  std::optional<Mismatch> mismatch_;
};

}  // namespace odonata::hw
