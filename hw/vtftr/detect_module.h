// SPDX-License-Identifier: Apache-2.0
// SystemC: detector of a root switch (docs/vtftr.md §9.4).
//
//   pins  r0  sample  |  counters  debounce  |  reports  report
#pragma once

#include <array>

#include "hw/common/clocked_module.h"
#include "models/vtftr/units.h"

namespace odonata::vtftr {

struct DetectRegisters {
  LineMap down, dead, told;
  int detect = 0;
  bool reset = false;
  std::array<uint8_t, FatTree::kMaxLine> count{};
  bool valid = false, up = false;
  int leaf = 0;
};

class DetectModule : public hw::ClockedModule<DetectRegisters> {
 public:
  DetectModule(const sc_core::sc_module_name& name, hw::Tick& tick, int ports, hw::Drive<DetectInputs> pins);
  /// The pins since the last edge settled.
  const DetectOutputs& out() const { return out_; }
  void trace(sc_core::sc_trace_file* file) const override;

 protected:
  // The clocked methods. Virtual, so that a test can plant a bug.
  virtual void sample();
  virtual void debounce();
  virtual void report();
  void publish() override;

 private:
  int ports_;
  hw::Drive<DetectInputs> pins_;
  DetectOutputs out_;
};

}  // namespace odonata::vtftr
