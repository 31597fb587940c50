// SPDX-License-Identifier: Apache-2.0
// SystemC: the global scheduler of the fault plane (docs/fault.md §6).
//
//   pins  registers: links, FIFOs, busy, late  |  events: pending link events  |  look: event or poll
//                                              |  wait for the ring and the units
#pragma once

#include "hw/common/clocked_module.h"
#include "models/fault/scheduler_unit.h"

namespace odonata::fault {

class FaultSchedulerModule : public hw::ClockedModule<SchedulerRegisters> {
 public:
  FaultSchedulerModule(const sc_core::sc_module_name& name, hw::Tick& tick, const Dragonfly& d,
                       const SchedulerConfig& config, hw::Drive<SchedulerInputs> pins);
  /// The pins since the last edge settled: the command of the look cycle.
  const SchedulerOutputs& out() const { return out_; }

 protected:
  // The clocked methods. Virtual, so that a test can plant a bug.
  virtual void sample();       ///< pins -> input registers
  virtual void serve();        ///< pointer, wait
  virtual void take_events();  ///< changes of links become pending events; the served one goes
  void publish() override;

 private:
  const Dragonfly d_;
  const SchedulerConfig config_;
  const hw::Drive<SchedulerInputs> pins_;
  bool reset_ = false, joins_ = false;  ///< sampled by the present edge
  SchedulerOutputs out_;
};

}  // namespace odonata::fault
