// SPDX-License-Identifier: Apache-2.0
// SystemC: update unit of a switch (docs/vtftr.md §9.3).
//
//   pins  FIFO  keep  |  the oldest message  take  |  walk  walk
#pragma once

#include <array>

#include "hw/common/clocked_module.h"
#include "models/vtftr/units.h"

namespace odonata::vtftr {

struct UpdateRegisters {
  UpdateInputs pins;  ///< role and place
  std::array<uint32_t, 4> fifo{};
  int count = 0;
  LineMap columns, rows;
  bool column_first = false;
  int epoch = 0;
  bool heard = false;  ///< a message was taken since the reset
  bool walking = false;
  int at = 0;
  bool forward = false, old = false, malformed = false;
  uint32_t message = 0;
};

class UpdateModule : public hw::ClockedModule<UpdateRegisters> {
 public:
  UpdateModule(const sc_core::sc_module_name& name, hw::Tick& tick, const UnitSize& size, hw::Drive<UpdateInputs> pins);
  /// The pins since the last edge settled.
  const UpdateOutputs& out() const { return out_; }
  void trace(sc_core::sc_trace_file* file) const override;

 protected:
  // The clocked methods. Virtual, so that a test can plant a bug.
  virtual void keep();
  virtual void take();
  virtual void walk();
  void publish() override;

 private:
  bool leaf() const { return now().pins.role >= 2; }
  bool pops() const { return now().count > 0 && !now().walking; }
  bool newer(const UpdateMessage& m) const;
  bool good(const UpdateMessage& m) const {
    return m.op != UpdateOp::reserved && m.x < size_.columns && m.y < size_.rows;
  }
  int line() const { return now().pins.role & 1 ? size_.rows : size_.columns; }

  UnitSize size_;
  hw::Drive<UpdateInputs> pins_;
  UpdateOutputs out_;
};

}  // namespace odonata::vtftr
