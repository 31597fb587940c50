// SPDX-License-Identifier: Apache-2.0
// SystemC: which side of a fault region is the shorter way round it, as one router of a torus knows it (docs/torus.md
// §3).
#pragma once

#include "hw/common/clocked_module.h"
#include "models/torus/units.h"

namespace odonata::torus {

/// The registers are the outputs.
class TorusSidesModule : public hw::ClockedModule<SideOutputs> {
 public:
  /// Two dimensions.
  TorusSidesModule(const sc_core::sc_module_name& name, hw::Tick& tick, const Torus& torus, hw::Drive<SideInputs> pins);
  /// The pins since the last edge settled.
  const SideOutputs& out() const { return now(); }
  void trace(sc_core::sc_trace_file* file) const override;

 protected:
  // The clocked methods. Virtual, so that a test can plant a bug.
  virtual void count();
  virtual void compare();

 private:
  int radix_[2];
  hw::Drive<SideInputs> pins_;
};

}  // namespace odonata::torus
