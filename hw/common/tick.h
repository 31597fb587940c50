// SPDX-License-Identifier: Apache-2.0
// The clock of the hardware models: one event at every rising edge. About twice as fast as sc_clock, which toggles a
// signal.
#pragma once

#include <cstdint>
#include <systemc>

namespace odonata::hw {

/// Notifies edge() once a period. Modules make their clocked methods sensitive to it.
class Tick : public sc_core::sc_module {
 public:
  /// `period` and `first` (the time of the first edge, > 0; by default one period) are times with a unit.
  explicit Tick(const sc_core::sc_module_name& name, const sc_core::sc_time& period = {1, sc_core::SC_NS},
                const sc_core::sc_time& first = sc_core::SC_ZERO_TIME);

  const sc_core::sc_time& period() const { return period_; }
  /// The rising edge: methods read the registers' present values and prepare the next ones.
  const sc_core::sc_event& edge() const { return edge_; }
  /// One delta cycle later: registers have loaded, outputs are valid. Costs a notification a cycle once somebody has
  /// asked for it.
  const sc_core::sc_event& settled() {
    settle_ = true;
    return settled_;
  }
  /// Edges so far, the present one included (once this module's method has run).
  uint64_t cycles() const { return cycles_; }

 private:
  void beat();

  sc_core::sc_time period_;
  sc_core::sc_event edge_, settled_;
  bool settle_ = false;
  uint64_t cycles_ = 0;
};

}  // namespace odonata::hw
