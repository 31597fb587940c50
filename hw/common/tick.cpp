// SPDX-License-Identifier: Apache-2.0
#include "hw/common/tick.h"

#include "models/common/error.h"

namespace odonata::hw {

Tick::Tick(const sc_core::sc_module_name& name, const sc_core::sc_time& period, const sc_core::sc_time& first)
    : sc_module(name), period_(period) {
  if (period == sc_core::SC_ZERO_TIME)
    throw Error("clock '" + std::string(this->name()) + "': the period must be above 0 s");
  SC_HAS_PROCESS(Tick);
  SC_METHOD(beat);
  sensitive << edge_;
  dont_initialize();
  edge_.notify(first == sc_core::SC_ZERO_TIME ? period : first);
}

void Tick::beat() {
  ++cycles_;
  edge_.notify(period_);
  if (settle_) settled_.notify(sc_core::SC_ZERO_TIME);
}

}  // namespace odonata::hw
