// SPDX-License-Identifier: Apache-2.0
#include "hw/vtftr/detect_module.h"

namespace odonata::vtftr {

DetectModule::DetectModule(const sc_core::sc_module_name& name, hw::Tick& tick, int ports, hw::Drive<DetectInputs> pins)
    : ClockedModule(name, tick), ports_(ports), pins_(std::move(pins)) {
  SC_HAS_PROCESS(DetectModule);
  SC_METHOD(sample);
  sensitive << edge();
  dont_initialize();
  SC_METHOD(debounce);
  sensitive << edge();
  dont_initialize();
  SC_METHOD(report);
  sensitive << edge();
  dont_initialize();
}

void DetectModule::sample() {
  next().down = LineMap::first(ports_) & ~LineMap(pins_().link_up);
  next().detect = pins_().detect;
  next().reset = pins_().reset;
}

void DetectModule::debounce() {
  for (int i = 0; i < ports_; ++i) {
    uint8_t& count = next().count[static_cast<size_t>(i)];
    const bool down = now().down.test(i);
    if (down == now().dead.test(i)) {
      count = 0;
    } else if (now().count[static_cast<size_t>(i)] >= now().detect) {
      count = 0;
      down ? next().dead.set(i) : next().dead.clear(i);
    } else {
      ++count;
    }
  }
}

/// The lowest change that was not told; one that was undone is none.
void DetectModule::report() {
  if (now().valid && !pins_().report_ready) return;
  const LineMap changed = (now().told & ~now().dead) | (now().dead & ~now().told);
  next().valid = changed.any();
  next().leaf = 0;
  next().up = false;
  if (!changed.any()) return;
  next().leaf = changed.nth(0);
  next().up = !now().dead.test(next().leaf);
  next().up ? next().told.clear(next().leaf) : next().told.set(next().leaf);
}

void DetectModule::publish() {
  if (now().reset) {
    DetectRegisters fresh;
    fresh.detect = now().detect;
    clear(fresh);
  }
  out_ = {};
  out_.dead = now().dead;
  out_.report_valid = now().valid;
  out_.report_leaf = static_cast<uint8_t>(now().leaf);
  out_.report_up = now().up;
}

void DetectModule::trace(sc_core::sc_trace_file* file) const {
  const DetectRegisters& r = now();
  trace_signal(file, r.down.low, "down", 64);
  trace_signal(file, r.dead.low, "dead", 64);
  trace_signal(file, r.told.low, "told", 64);
  trace_signal(file, r.valid, "report_valid", 1);
  trace_signal(file, r.leaf, "report_leaf", 7);
  trace_signal(file, r.up, "report_up", 1);
}

}  // namespace odonata::vtftr
