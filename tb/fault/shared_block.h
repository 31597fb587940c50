// SPDX-License-Identifier: Apache-2.0
// A port whose table RAM serves route compute's look-ups and the fault plane's port unit (docs/fault.md §6.5): golden
// device, lockstep block, stimulus.
#pragma once

#include <memory>

#include "models/fault/fault_shared_port_pins.h"
#include "tb/fault/port_block.h"

namespace odonata::cosim {

using fault::SharedInputs;
using fault::SharedOutputs;
using FaultSharedDevice = CycleDevice<SharedInputs, SharedOutputs>;

/// The golden port unit, and beside it look-ups that read its table in the cycles that they take from it.
class GoldenSharedPort final : public FaultSharedDevice {
 public:
  /// A look-up on its way through the stages; row, options and marks are there in the last one.
  struct Request {
    bool valid = false, in_range = false, transit = false;
    int row = 0, vc = 0;
    fault::Options options;
    fault::Marks marks;
    uint64_t mask = 0;
  };
  explicit GoldenSharedPort(const Dragonfly& d) : d_(d), unit_(d) {}
  void step(const SharedInputs& in, SharedOutputs& out) override;
  std::vector<std::string> describe() const override { return unit_.describe(); }
  /// The look-up that the last step answered; not valid when there was none or reset.
  const Request& answered() const { return answered_; }

 private:
  Request decoded() const;
  void answer(SharedOutputs& out) const;
  Dragonfly d_;
  fault::PortUnit unit_;
  SharedInputs r0_;  ///< input registers
  Request r1_, r2_;  ///< reading the RAM; the word is there
  Request answered_;
};

/// Random commands with random look-ups; phases with no, some and full load.
class SharedStimulus final : public Stimulus<SharedInputs, SharedOutputs> {
 public:
  SharedStimulus(const Dragonfly& d, uint64_t seed) : d_(d), commands_(d, seed), random_(seed + 1) {}
  bool next(const SharedOutputs& last, SharedInputs& in) override;

 private:
  Dragonfly d_;
  PortStimulus commands_;
  Random random_;
  double load_ = 0.5;
  uint64_t mask_ = 0;
  int phase_ = 0;       ///< cycles until the load changes
  uint32_t asked_ = 0;  ///< address of the last message: half of the look-ups are for it
};

/// Functional coverage of the look-ups: what is left of tables A and B where they are looked up (docs/fault.md §4,
/// effective options).
class SharedCoverage {
 public:
  explicit SharedCoverage(const Dragonfly& d);
  /// Samples the look-up that `unit` answered in a step with the pins `in`.
  void sample(const SharedInputs& in, const GoldenSharedPort& unit);
  const Coverage& coverage() const { return coverage_; }

 private:
  Dragonfly d_;
  Coverage coverage_;
  int global_ = 0, routers_ = 0, gateway_ = 0;
};

}  // namespace odonata::cosim
