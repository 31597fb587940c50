// SPDX-License-Identifier: Apache-2.0
// A copy of a unit's registers and tables, kept by watching its pins: answers debug reads for devices that cannot be
// looked into.
#pragma once

#include "models/route_compute/unit.h"

namespace odonata::route_compute {

/// Follows a unit that keeps to docs/route_compute.md; LFSR and counters included. Words of tables A and B that were
/// never written read 0.
class ShadowRegisters {
 public:
  explicit ShadowRegisters(const Dragonfly& d) : regs_(d) {}

  /// One rising edge: the pins that it sampled, the outputs before it and after it.
  void step(const UnitInputs& in, const UnitOutputs& before, const UnitOutputs& after);
  const Registers& registers() const { return regs_; }

 private:
  void execute();

  struct Operation {
    bool valid = false, write = false;
    uint16_t address = 0;  // words
    uint64_t data = 0;
  };
  Registers regs_;
  Operation c0_;
};

}  // namespace odonata::route_compute
