// SPDX-License-Identifier: Apache-2.0
// SystemC: walls as one router of a torus knows them: runs of blocked ports along the rings, and a flood of wall bits
// (docs/torus.md §3).
#pragma once

#include "hw/common/clocked_module.h"
#include "models/torus/units.h"

namespace odonata::torus {

/// The registers are the outputs.
class TorusWallsModule : public hw::ClockedModule<WallOutputs> {
 public:
  /// Two dimensions.
  TorusWallsModule(const sc_core::sc_module_name& name, hw::Tick& tick, const Torus& torus, hw::Drive<WallInputs> pins);
  /// The pins since the last edge settled.
  const WallOutputs& out() const { return now(); }
  void trace(sc_core::sc_trace_file* file) const override;

 protected:
  // The clocked methods. Virtual, so that a test can plant a bug.
  virtual void count();
  virtual void flood();

 private:
  int ring_beside(int port) const { return radix_[port < 2 ? 1 : 0]; }  // runs go along the other dimension
  int radix_[2];
  hw::Drive<WallInputs> pins_;
};

}  // namespace odonata::torus
