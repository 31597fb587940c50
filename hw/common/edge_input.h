// SPDX-License-Identifier: Apache-2.0
// An input that a transaction may change at any time and that a clock edge samples.
#pragma once

#include <systemc>

namespace odonata::hw {

/// A value like that of a wire driven from a clocked process: an edge at time t sees what was driven before t, never
/// what is driven at t. So the order in which the kernel runs the processes of one time point does not matter.
template <class T>
class EdgeInput {
 public:
  explicit EdgeInput(T value = {}) : next_(std::move(value)) {}

  /// Drives the wire from now on.
  void drive(const T& value) {
    const sc_core::sc_time& now = sc_core::sc_time_stamp();
    if (!changed_ || since_ != now) {
      before_ = next_;
      since_ = now;
      changed_ = true;
    }
    next_ = value;
  }
  /// Changes the wire without time: the present edge already sees it.
  void force(const T& value) { next_ = before_ = value; }
  /// What the edge at the present time sees.
  const T& sample() {
    if (!changed_) return next_;
    if (since_ == sc_core::sc_time_stamp()) return before_;
    changed_ = false;
    return next_;
  }
  /// Whether sample() may differ from its last result.
  bool changed() const { return changed_; }
  /// What was driven last.
  const T& driven() const { return next_; }

 private:
  T next_, before_{};
  bool changed_ = false;  // next_ was driven at since_, and no later edge has sampled it
  sc_core::sc_time since_;
};

}  // namespace odonata::hw
