// SPDX-License-Identifier: Apache-2.0
#include "hw/torus/fault_region.h"

#include "hw/torus/fault_region_signals.h"

namespace odonata::torus {

FaultRegionModule::FaultRegionModule(const sc_core::sc_module_name& name, hw::Tick& tick, hw::Drive<RegionInputs> pins)
    : ClockedModule(name, tick), pins_(std::move(pins)) {
  SC_HAS_PROCESS(FaultRegionModule);
  SC_METHOD(mark);
  sensitive << edge();
  dont_initialize();
}

bool FaultRegionModule::marked(bool dimensions, uint8_t blocked) const {
  const bool xp = blocked & 1, xm = blocked & 2, yp = blocked & 4, ym = blocked & 8;
  const bool both = (xp || xm) && (yp || ym);
  return both || (!dimensions && ((xp && xm) || (yp && ym)));
}

void FaultRegionModule::mark() {
  const RegionInputs& in = pins_();
  if (in.reset) {
    next() = {};
    return;
  }
  const uint8_t blocked = in.fail_link | in.peer_bad;
  const bool stays = !in.clear && (now().bad || marked(in.rule != 0, blocked));
  next().bad = in.fail_self || stays;
  next().blocked = blocked;
  next().changed = next().bad != now().bad || blocked != now().blocked;
}

void FaultRegionModule::trace(sc_core::sc_trace_file* file) const {
  trace_pins(file, now(), std::string(name()) + ".");
}

}  // namespace odonata::torus
