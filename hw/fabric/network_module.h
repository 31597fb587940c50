// SPDX-License-Identifier: Apache-2.0
// SystemC: what all networks of switches have in common: the clocks of units and network, and the two steps of a cycle
// (docs/crosscheck.md §5).
#pragma once

#include <cstdint>
#include <systemc>

#include "hw/common/tick.h"

namespace odonata::fabric {

/// The route units have a clock of 1 ns; a cycle takes several of its edges, so that a head that arrives in a cycle is
/// routed at its end.
class NetworkModule : public sc_core::sc_module {
 public:
  /// The cycle that has begun last; negative before the first.
  int64_t cycle() const { return static_cast<int64_t>(cycles_.cycles()) - 1 - lead_; }
  /// How long a cycle takes.
  const sc_core::sc_time& period() const { return cycles_.period(); }

 protected:
  static constexpr double kWork = 0.25, kAsk = 0.75;  ///< ns after the edge of a cycle
  /// `edges` of the units' clock a cycle; `lead` cycles before cycle 0.
  NetworkModule(const sc_core::sc_module_name& name, int edges, int64_t lead);
  // From cycle 0 on:
  /// All switches work (SwitchModule::work).
  virtual void work_in(int64_t now) = 0;
  /// All switches ask (SwitchModule::ask).
  virtual void ask_in(int64_t now) = 0;

  const int64_t lead_;
  hw::Tick units_, cycles_;

 private:
  void work();
  void ask();
  sc_core::sc_event work_, ask_;
};

}  // namespace odonata::fabric
