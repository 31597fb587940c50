// SPDX-License-Identifier: Apache-2.0
// SystemC: route unit of an input port of a root switch, one clocked method a stage (docs/vtftr.md §9.2).
//
//   pins  r0  sample  |  stage 2  read_table, draw, write_table  |  stage 3  choose
//                     |  (stage 4  rank, above 32 ports)  |  last  select
#pragma once

#include <vector>

#include "hw/common/clocked_module.h"
#include "models/vtftr/units.h"

namespace odonata::vtftr {

/// A request on its way through the stages.
struct RootStage {
  bool valid = false;
  RootInputs in;
  LineMap row;  ///< the alternatives that it met
  uint16_t lfsr = 0;
  RootChoice choice;
  int rank = 0;
};
struct RootRegisters {
  RootInputs r0;
  RootStage read, chosen, ranked;
  bool waits = false;  ///< a row for the table
  int row = 0;
  LineMap data;
  uint16_t lfsr = kLfsrReset;
  RootOutputs answer;
};

class RootModule : public hw::ClockedModule<RootRegisters> {
 public:
  RootModule(const sc_core::sc_module_name& name, hw::Tick& tick, const UnitSize& size, bool mask_form,
             hw::Drive<RootInputs> pins);
  /// The pins since the last edge settled.
  const RootOutputs& out() const { return out_; }
  void trace(sc_core::sc_trace_file* file) const override;

 protected:
  // The clocked methods. Virtual, so that a test can plant a bug.
  virtual void sample();
  virtual void read_table();
  virtual void draw();
  virtual void write_table();
  virtual void choose();
  virtual void rank();
  virtual void select();
  void publish() override;

 private:
  bool known(const RootInputs& in) const {
    return (in.req_leaf & 127) < size_.columns && in.req_leaf >> 7 < size_.rows;
  }
  bool reads() const { return now().r0.req_valid && known(now().r0) && !mask_form_; }
  bool ready() const { return mask_form_ || !now().waits || !reads(); }
  static int rank_of(const RootStage& s) {
    return static_cast<int>(static_cast<uint32_t>(s.lfsr) * static_cast<uint32_t>(s.choice.ports.count()) >> 16);
  }

  UnitSize size_;
  bool mask_form_;
  hw::Drive<RootInputs> pins_;
  std::vector<LineMap> table_;
  RootOutputs out_;
};

}  // namespace odonata::vtftr
