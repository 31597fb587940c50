// SPDX-License-Identifier: Apache-2.0
// SystemC: the fault region as one router of a torus sees it, one round of marking an edge (docs/torus.md §3).
#pragma once

#include "hw/common/clocked_module.h"
#include "models/torus/units.h"

namespace odonata::torus {

/// The registers are the outputs.
class FaultRegionModule : public hw::ClockedModule<RegionOutputs> {
 public:
  FaultRegionModule(const sc_core::sc_module_name& name, hw::Tick& tick, hw::Drive<RegionInputs> pins);
  /// The pins since the last edge settled.
  const RegionOutputs& out() const { return now(); }
  void trace(sc_core::sc_trace_file* file) const override;

 protected:
  // The clocked method, and the rule. Virtual, so that a test can plant a bug.
  virtual void mark();
  virtual bool marked(bool dimensions, uint8_t blocked) const;  ///< `dimensions`: rule dim

 private:
  hw::Drive<RegionInputs> pins_;
};

}  // namespace odonata::torus
