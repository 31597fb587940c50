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
  PortMap link_up = ~0ull, queue_valid = 0, unit_busy = 0;
  uint8_t reset = 0;
  bool operator==(const SchedulerInputs&) const = default;
};
struct SchedulerOutputs {
  uint8_t cmd_valid = 0, cmd_kind = 0, cmd_port = 0, cmd_isolated = 0, pop = 0, working = 0, pointer = 0, pad = 0;
  bool operator==(const SchedulerOutputs&) const = default;
};

class SchedulerUnit final : public CycleDevice<SchedulerInputs, SchedulerOutputs> {
 public:
  explicit SchedulerUnit(const Dragonfly& d, int stations = 64, int poll_width = 1, int ring_hop = 1)
      : d_(d), stations_(stations), poll_width_(poll_width), ring_hop_(ring_hop) {}
  void step(const SchedulerInputs& in, SchedulerOutputs& out) override;
  std::vector<std::string> describe() const override;
  PortMap events() const { return event_; }

 private:
  void finish_cycle();
  SchedulerOutputs look() const;
  Dragonfly d_;
  int stations_, poll_width_, ring_hop_;
  PortMap link_ = ~0ull, queue_ = 0, busy_ = 0;  ///< input registers
  PortMap event_ = 0, served_up_ = ~0ull;
  int pointer_ = 0;
  int wait_ = 0;  ///< cycles until the command has left the ring
  bool working_ = false;
};

}  // namespace odonata::fault
