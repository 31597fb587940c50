// SPDX-License-Identifier: Apache-2.0
// SystemC: route unit of an input port of a leaf switch, one clocked method a stage (docs/vtftr.md §9.1).
//
//   pins  r0  sample  |  stage 2  look_up  |  stage 3  decide
#pragma once

#include "hw/common/clocked_module.h"
#include "models/vtftr/units.h"

namespace odonata::vtftr {

/// What stage 2 hands on.
struct LeafLookUp {
  bool valid = false;
  LeafRequest request;
  LeafInputs in;  ///< for the static pins
  bool row_dead = false, column_dead = false;
  int row_rail = 0, column_rail = 0;  ///< -1: none
};
struct LeafRegisters {
  LeafInputs r0;
  LeafLookUp stage_2;
  LeafOutputs answer;
};

class LeafModule : public hw::ClockedModule<LeafRegisters> {
 public:
  LeafModule(const sc_core::sc_module_name& name, hw::Tick& tick, const UnitSize& size, hw::Drive<LeafInputs> pins);
  /// The pins since the last edge settled.
  const LeafOutputs& out() const { return out_; }
  void trace(sc_core::sc_trace_file* file) const override;

 protected:
  // The clocked methods. Virtual, so that a test can plant a bug.
  virtual void sample();
  virtual void look_up();
  virtual void decide();
  virtual int rail_from(uint32_t down, int wanted) const;
  void publish() override;

 private:
  UnitSize size_;
  hw::Drive<LeafInputs> pins_;
  LeafOutputs out_;
};

}  // namespace odonata::vtftr
