// SPDX-License-Identifier: Apache-2.0
// The global scheduler of the fault plane, cycle by cycle (docs/fault.md §6): link events, poll, ring, wait for all
// units.
#pragma once

#include <string>
#include <vector>

#include "models/common/bits.h"
#include "models/common/cycle_device.h"
#include "models/fault/fault_scheduler_pins.h"
#include "models/topology/dragonfly.h"

namespace odonata::fault {

/// Structure of the scheduler (docs/fault.md §6, §6.1).
struct SchedulerConfig {
  int stations = 64;            ///< ports of the router hardware: length of the poll round and of the ring
  int poll_width = 1;           ///< input FIFOs looked at in a cycle
  int ring_hop = 1;             ///< cycles from one station of the ring to the next
  bool pipelined = false;       ///< look again after four cycles unless a unit is late
  bool immediate_mask = false;  ///< show dead ports for the look-up
};

/// All registers of the scheduler.
struct SchedulerRegisters {
  PortMap link = ~0ull, queue = 0, busy = 0, late = 0;  ///< inputs
  PortMap event = 0;
  int pointer = 0;
  int wait = 0;  ///< cycles until the command has left the ring (pipelined: until the next look)
  bool working = false;
  bool joins = false;  ///< every link is an event at the next edge
};
/// What a cycle shows, and with it the command that it looks up; from registers only.
SchedulerOutputs scheduler_look(const Dragonfly& d, const SchedulerConfig& config, const SchedulerRegisters& registers);
/// Pointer, wait and served events at the end of a cycle that showed `shown`.
void finish_look(const SchedulerConfig& config, const SchedulerOutputs& shown, SchedulerRegisters& registers);

class SchedulerUnit final : public CycleDevice<SchedulerInputs, SchedulerOutputs> {
 public:
  explicit SchedulerUnit(const Dragonfly& d, const SchedulerConfig& config = {}) : d_(d), c_(config) {}
  void step(const SchedulerInputs& in, SchedulerOutputs& out) override;
  std::vector<std::string> describe() const override;
  PortMap events() const { return r_.event; }

 private:
  Dragonfly d_;
  SchedulerConfig c_;
  SchedulerRegisters r_;
};

}  // namespace odonata::fault
