// SPDX-License-Identifier: Apache-2.0
// How the global scheduler plugs into the lockstep harness, and its stimulus.
#pragma once

#include <memory>
#include <span>

#include "models/common/random.h"
#include "models/fault/scheduler_unit.h"
#include "tb/harness/probe.h"
#include "tb/harness/stimulus.h"

namespace odonata::cosim {

using FaultSchedulerDevice = CycleDevice<fault::SchedulerInputs, fault::SchedulerOutputs>;

struct FaultSchedulerBlock {
  using Inputs = fault::SchedulerInputs;
  using Outputs = fault::SchedulerOutputs;
  using Reference = fault::SchedulerUnit;
  static constexpr std::string_view kName = "fault_scheduler";
  static std::span<const Probe<Outputs>> probes();
  static bool transaction(const Outputs& out) { return out.cmd_valid != 0; }
};

/// Ports with FIFOs, links and units: FIFOs fill at random and are popped, links flap, units work for a while after each command.
class SchedulerStimulus final : public Stimulus<fault::SchedulerInputs, fault::SchedulerOutputs> {
 public:
  SchedulerStimulus(const Dragonfly& d, uint64_t seed) : ports_(d.num_ports()), random_(seed) {}
  bool next(const fault::SchedulerOutputs& last, fault::SchedulerInputs& in) override;
  uint64_t offered() const { return offered_; }  ///< messages put into FIFOs of live links
  uint64_t popped() const { return popped_; }
  uint64_t flushed() const { return flushed_; }  ///< messages that a dead link took along
  uint64_t waiting() const;

 private:
  int ports_;
  Random random_;
  int fifo_[64] = {};
  int busy_[64] = {};
  PortMap link_ = ~0ull;
  uint64_t cycle_ = 0, offered_ = 0, popped_ = 0, flushed_ = 0;
  double rate_ = 0.01, flap_ = 0.001;
};

/// Verilated schedulers: tiny (7 stations, one FIFO a cycle), the same with planted bugs, full (64 stations, four FIFOs a cycle).
std::unique_ptr<FaultSchedulerDevice> make_Vfault_scheduler_tiny(int plant = 0);
std::unique_ptr<FaultSchedulerDevice> make_Vfault_scheduler_tiny_debug(int plant);
std::unique_ptr<FaultSchedulerDevice> make_Vfault_scheduler_full(int plant = 0);

}  // namespace odonata::cosim
