// SPDX-License-Identifier: Apache-2.0
// SystemC: one end of a link of the fault plane as a clocked module (docs/fault.md §6.3). What it does with frames is
// LinkUnit's; here is time.
#pragma once

#include <utility>

#include "hw/common/clocked_module.h"
#include "models/fault/link_unit.h"

namespace odonata::fault {

class FaultLinkEndModule : public hw::ClockedModule<LinkOutputs> {
 public:
  FaultLinkEndModule(const sc_core::sc_module_name& name, hw::Tick& tick, const Dragonfly& d,
                     hw::Drive<LinkInputs> pins)
      : ClockedModule(name, tick), pins_(std::move(pins)), end_(d) {
    SC_HAS_PROCESS(FaultLinkEndModule);
    SC_METHOD(work);
    sensitive << edge();
    dont_initialize();
  }
  /// The pins since the last edge settled.
  const LinkOutputs& out() const { return now(); }

 private:
  void work() { end_.step(pins_(), next()); }

  const hw::Drive<LinkInputs> pins_;
  LinkUnit end_;
};

}  // namespace odonata::fault
