// SPDX-License-Identifier: Apache-2.0
// The global scheduler of the fault plane, cycle by cycle (docs/fault.md §6): link events, poll, ring, wait for all units.
#pragma once

#include <string>
#include <vector>

#include "models/common/bits.h"
#include "models/common/cycle_device.h"
#include "models/topology/dragonfly.h"

namespace odonata::fault {

struct SchedulerInputs {
  PortMap link_up = ~0ull, queue_valid = 0, unit_busy = 0, unit_late = 0;
  uint8_t reset = 0;
  bool operator==(const SchedulerInputs&) const = default;
};
struct SchedulerOutputs {
  PortMap port_mask = 0;
  uint8_t cmd_valid = 0, cmd_kind = 0, cmd_port = 0, cmd_isolated = 0, pop = 0, working = 0, pointer = 0, pad = 0;
  bool operator==(const SchedulerOutputs&) const = default;
};

/// Structure of the scheduler (docs/fault.md §6, §6.1).
struct SchedulerConfig {
  int stations = 64;            ///< ports of the router hardware: length of the poll round and of the ring
  int poll_width = 1;           ///< input FIFOs looked at in a cycle
  int ring_hop = 1;             ///< cycles from one station of the ring to the next
  bool pipelined = false;       ///< look again after four cycles unless a unit is late
  bool immediate_mask = false;  ///< show dead ports for the look-up
};

class SchedulerUnit final : public CycleDevice<SchedulerInputs, SchedulerOutputs> {
 public:
  explicit SchedulerUnit(const Dragonfly& d, const SchedulerConfig& config = {}) : d_(d), c_(config) {}
  void step(const SchedulerInputs& in, SchedulerOutputs& out) override;
  std::vector<std::string> describe() const override;
  PortMap events() const { return event_; }

 private:
  void finish_cycle();
  SchedulerOutputs look() const;
  Dragonfly d_;
  SchedulerConfig c_;
  PortMap link_ = ~0ull, queue_ = 0, busy_ = 0, late_ = 0;  ///< input registers
  PortMap event_ = 0, served_up_ = ~0ull;
  int pointer_ = 0;
  int wait_ = 0;  ///< cycles until the command has left the ring (pipelined: until the next look)
  bool working_ = false;
};

}  // namespace odonata::fault
