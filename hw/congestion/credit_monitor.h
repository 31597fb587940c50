// SPDX-License-Identifier: Apache-2.0
// SystemC: credit monitor of an output port, one clocked method a rank (docs/congestion.md §2; DOAR §3.1).
//
//   pins  r0  sample  |  rank 1  count (a counter a VC), move_window (history RAM)  |  rank 2  compare
#pragma once

#include "hw/congestion/clocked_module.h"
#include "models/congestion/credit_monitor.h"

namespace odonata::congestion {

/// All registers of a monitor; the history RAM is beside them.
struct MonitorRegisters {
  MonitorInputs r0;
  std::array<uint16_t, kNumVcs> in_use{};
  uint8_t underflow = 0, overflow = 0;
  uint16_t length = 0, pointer = 0, fill = 0, window = 0;  // of the history
  bool leaving = false;                                    // read port of the history RAM: the bit at `pointer`
  uint16_t corrected = 0;
  bool congested = false, busy = false;
};

class CreditMonitorModule : public ClockedModule<MonitorRegisters> {
 public:
  CreditMonitorModule(const sc_core::sc_module_name& name, hw::Tick& tick, Drive<MonitorInputs> pins);
  /// The pins since the last edge settled.
  const MonitorOutputs& out() const { return out_; }
  /// All registers and the output pins.
  void trace(sc_core::sc_trace_file* file) const override;

 protected:
  // The clocked methods. Virtual, so that a test can plant a bug.
  virtual void sample();
  virtual void count();
  virtual void move_window();
  virtual void compare();
  void publish() override;

 private:
  int capacity() const;
  bool accepts(int vc) const { return (now().r0.sent >> vc & 1) && now().in_use[vc] < capacity(); }
  bool returns(int vc) const { return (now().r0.credit >> vc & 1) && now().in_use[vc] > 0; }

  Drive<MonitorInputs> pins_;
  std::array<bool, kMaxWindow> history_{};  // departures
  MonitorOutputs out_;
};

}  // namespace odonata::congestion
