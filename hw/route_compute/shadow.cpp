// SPDX-License-Identifier: Apache-2.0
#include "hw/route_compute/shadow.h"

namespace odonata::route_compute {

void ShadowRegisters::step(const UnitInputs& in, const UnitOutputs& before, const UnitOutputs& after) {
  if (in.reset) {
    regs_.reset();
    c0_.valid = false;
    return;
  }
  if (!before.cfg_ready) {
    ++regs_.counter(reg::kCounterWaits);
  } else {
    if (c0_.valid) execute();
    c0_.valid = in.cfg_valid;
    if (in.cfg_valid) c0_ = {true, in.cfg_write, in.cfg_addr, in.cfg_wdata};
  }
  if (before.probe & probe::kStage1) {
    regs_.advance_lfsr();
    ++regs_.counter(reg::kCounterRequests);
  }
  if (after.resp_valid) ++regs_.counter(reg::kCounterHopClass + after.resp_hop_class);
}

void ShadowRegisters::execute() {
  if (!c0_.write) return;
  const Target target = regs_.target(true, c0_.address, c0_.data);
  if (target == Target::refused) return;
  regs_.write(target, c0_.address, c0_.data);
  ++regs_.counter(reg::kCounterWrites);
}

}  // namespace odonata::route_compute
