// SPDX-License-Identifier: Apache-2.0
#include "hw/vtftr/update_module.h"

namespace odonata::vtftr {

UpdateModule::UpdateModule(const sc_core::sc_module_name& name, hw::Tick& tick, const UnitSize& size,
                           hw::Drive<UpdateInputs> pins)
    : ClockedModule(name, tick), size_(size), pins_(std::move(pins)) {
  SC_HAS_PROCESS(UpdateModule);
  SC_METHOD(keep);
  sensitive << edge();
  dont_initialize();
  SC_METHOD(take);
  sensitive << edge();
  dont_initialize();
  SC_METHOD(walk);
  sensitive << edge();
  dont_initialize();
}

void UpdateModule::keep() {
  const UpdateInputs& in = pins_();
  next().pins = in;
  int count = now().count;
  if (pops()) {
    for (size_t i = 0; i + 1 < 4; ++i) next().fifo[i] = now().fifo[i + 1];
    --count;
  }
  if (in.msg_valid && now().count < 4) next().fifo[static_cast<size_t>(count++)] = in.msg;
  next().count = count;
}

bool UpdateModule::newer(const UpdateMessage& m) const {
  const int ahead = (m.epoch - now().epoch) & 7;
  return !now().heard || (ahead >= 1 && ahead <= 4);
}

void UpdateModule::take() {
  next().forward = next().old = next().malformed = false;
  next().message = 0;
  if (!pops()) return;
  const UpdateMessage m = unpack(now().fifo[0]);
  next().malformed = !good(m);
  next().old = good(m) && !newer(m);
  if (!good(m) || !newer(m)) return;
  next().forward = true;
  next().message = now().fifo[0];
  next().epoch = m.epoch;
  next().heard = true;
  next().column_first = m.column_first;
  if (leaf()) {
    LeafTables tables{now().columns, now().rows, false};
    vtftr::apply(m, now().pins.own_x, now().pins.own_y, tables);
    next().columns = tables.row_dead;
    next().rows = tables.column_dead;
  } else {
    vtftr::apply(m, now().pins.role, now().pins.role == kRow ? next().columns : next().rows);
  }
}

void UpdateModule::walk() {
  if (now().walking) {
    if (!pins_().row_ready) return;
    next().at = (now().at + 1) & 127;
    next().walking = now().at != line() - 1;
    return;
  }
  next().at = 0;
  if (!pops() || leaf()) return;
  const UpdateMessage m = unpack(now().fifo[0]);
  next().walking = good(m) && newer(m) && m.op <= UpdateOp::repair;
}

void UpdateModule::publish() {
  if (now().pins.reset) {
    UpdateRegisters fresh;
    fresh.pins = now().pins;
    fresh.walking = !leaf();
    clear(fresh);
  }
  const UpdateRegisters& r = now();
  out_ = {};
  out_.msg_ready = r.count < 4;
  out_.columns = r.columns;
  out_.rows = r.rows;
  out_.cf = r.column_first;
  out_.epoch = static_cast<uint8_t>(r.epoch);
  out_.fwd_valid = r.forward;
  out_.fwd = r.message;
  out_.old = r.old;
  out_.malformed = r.malformed;
  out_.busy = out_.row_valid = r.walking;
  if (!r.walking) return;
  out_.row = static_cast<uint8_t>(r.at);
  out_.row_data = alternatives(line(), r.at, r.pins.role == kRow ? r.columns : r.rows);
}

void UpdateModule::trace(sc_core::sc_trace_file* file) const {
  const UpdateRegisters& r = now();
  trace_signal(file, r.count, "count", 3);
  trace_signal(file, r.epoch, "epoch", 3);
  trace_signal(file, r.walking, "walking", 1);
  trace_signal(file, r.at, "at", 7);
  trace_signal(file, r.columns.low, "columns", 64);
  trace_signal(file, r.rows.low, "rows", 64);
  trace_signal(file, r.forward, "fwd_valid", 1);
  trace_signal(file, r.message, "fwd", 22);
}

}  // namespace odonata::vtftr
