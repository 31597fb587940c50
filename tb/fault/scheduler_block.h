// SPDX-License-Identifier: Apache-2.0
// How the global scheduler plugs into the lockstep harness, and its stimulus.
#pragma once

#include <memory>

#include "models/common/random.h"
#include "models/fault/scheduler_unit.h"
#include "tb/fault/fault_scheduler_block.h"
#include "tb/harness/coverage.h"
#include "tb/harness/stimulus.h"

namespace odonata::cosim {

using FaultSchedulerDevice = RtlDevice<FaultSchedulerBlock>;

/// Ports with FIFOs, links and units: FIFOs fill at random and are popped, links flap, units work for a while after
/// each command.
class SchedulerStimulus final : public Stimulus<fault::SchedulerInputs, fault::SchedulerOutputs> {
 public:
  SchedulerStimulus(const Dragonfly& d, uint64_t seed)
      : ports_(d.num_ports()), locals_(low_mask(d.a() - 1) << d.first_local()), random_(seed) {}
  bool next(const fault::SchedulerOutputs& last, fault::SchedulerInputs& in) override;
  uint64_t offered() const { return offered_; }  ///< messages put into FIFOs of live links
  uint64_t popped() const { return popped_; }
  uint64_t flushed() const { return flushed_; }  ///< messages that a dead link took along
  uint64_t waiting() const;

 private:
  int ports_;
  PortMap locals_;
  Random random_;
  int fifo_[64] = {};
  int busy_[64] = {};
  PortMap link_ = ~0ull;
  uint64_t cycle_ = 0, offered_ = 0, popped_ = 0, flushed_ = 0;
  double rate_ = 0.01, flap_ = 0.001;
};

/// Functional coverage of the scheduler: what is served, what else is pending, how far the poll had to go, what the
/// wait was for.
class SchedulerCoverage {
 public:
  SchedulerCoverage(const Dragonfly& d, const fault::SchedulerConfig& config);
  void sample(const fault::SchedulerInputs& in, const fault::SchedulerOutputs& out, const fault::SchedulerUnit& unit);
  const Coverage& coverage() const { return coverage_; }

 private:
  Dragonfly d_;
  fault::SchedulerConfig config_;
  Coverage coverage_;
  int served_ = 0, poll_ = 0, waits_ = 0, special_ = 0;
  PortMap link_ = ~0ull, events_ = 0, served_bit_ = 0;  ///< of the previous cycle
  int since_ = 0, kind_ = 0;                            ///< cycles since the last command, and what it was
  bool serving_ = false;
};

/// How the Verilated scheduler of a size was built: tiny 7 stations and one FIFO a cycle, full 64 stations and four.
fault::SchedulerConfig scheduler_config(const Dragonfly& d);

}  // namespace odonata::cosim
