// SPDX-License-Identifier: Apache-2.0
#include "hw/vtftr/root_module.h"

namespace odonata::vtftr {

RootModule::RootModule(const sc_core::sc_module_name& name, hw::Tick& tick, const UnitSize& size, bool mask_form,
                       hw::Drive<RootInputs> pins)
    : ClockedModule(name, tick),
      size_(size),
      mask_form_(mask_form),
      pins_(std::move(pins)),
      table_(static_cast<size_t>(size.ports())) {
  SC_HAS_PROCESS(RootModule);
  SC_METHOD(sample);
  sensitive << edge();
  dont_initialize();
  SC_METHOD(read_table);
  sensitive << edge();
  dont_initialize();
  SC_METHOD(draw);
  sensitive << edge();
  dont_initialize();
  SC_METHOD(write_table);
  sensitive << edge();
  dont_initialize();
  SC_METHOD(choose);
  sensitive << edge();
  dont_initialize();
  SC_METHOD(rank);
  sensitive << edge();
  dont_initialize();
  SC_METHOD(select);
  sensitive << edge();
  dont_initialize();
  clear();
}

void RootModule::sample() {
  next().r0 = pins_();
  if (next().r0.lfsr_value == 0) next().r0.lfsr_load = false;
}

void RootModule::read_table() {
  const RootInputs& in = now().r0;
  RootStage& out = next().read;
  out = {.valid = in.req_valid, .in = in, .row = {}, .lfsr = now().lfsr, .choice = {}, .rank = 0};
  if (mask_form_) out.row = ~LineMap(in.mask);
  if (reads()) out.row = table_[static_cast<size_t>(in.dim ? in.req_leaf >> 7 : in.req_leaf & 127)];
}

/// A load wins over a step.
void RootModule::draw() {
  if (now().r0.lfsr_load) {
    next().lfsr = now().r0.lfsr_value;
  } else if (now().r0.req_valid) {
    next().lfsr = lfsr_next(now().lfsr);
  }
}

/// A row waits while the table is read; an edge in reset writes nothing.
void RootModule::write_table() {
  const RootInputs& in = pins_();
  if (mask_form_) return;
  if (now().waits && !reads() && !in.reset) table_[static_cast<size_t>(now().row)] = now().data;
  if (!ready()) return;
  next().waits = in.upd_valid && in.upd_row < size_.ports();
  next().row = in.upd_row;
  next().data = in.upd_data;
}

void RootModule::choose() {
  RootStage& out = next().chosen;
  out = now().read;
  if (!out.valid || !known(out.in)) return;
  const RootInputs& in = out.in;
  const RootConfig own{
      in.dim ? kColumn : kRow, in.own, size_.columns, size_.rows, {.safe = in.safe, .exclude = in.exclude}};
  out.choice = choose_root(own, {in.dead, ~out.row}, {in.req_leaf & 127, in.req_leaf >> 7, in.in_port, in.req_vc});
}

void RootModule::rank() {
  next().ranked = now().chosen;
  next().ranked.rank = rank_of(now().chosen);
}

void RootModule::select() {
  RootOutputs& out = next().answer;
  out = {};
  const bool late = size_.ports() > 32;
  const RootStage& s = late ? now().ranked : now().chosen;
  if (!s.valid) return;
  out.resp_valid = 1;
  out.resp_kind = static_cast<uint8_t>(s.choice.kind);
  out.resp_vc = s.in.req_vc;
  out.resp_port = static_cast<uint8_t>(s.choice.ports.any() ? s.choice.ports.nth(late ? s.rank : rank_of(s)) : kNoPort);
}

void RootModule::publish() {
  if (now().r0.reset) {
    RootRegisters fresh;
    fresh.r0.reset = true;
    clear(fresh);
  }
  const RootRegisters& r = now();
  out_ = r.answer;
  out_.lfsr = r.lfsr;
  out_.upd_ready = ready();
  out_.probe =
      static_cast<uint8_t>(r.r0.req_valid | r.read.valid << 1 | r.chosen.valid << 2 |
                           (size_.ports() > 32 && r.ranked.valid) << 3 | r.answer.resp_valid << 4 | r.waits << 5);
}

void RootModule::trace(sc_core::sc_trace_file* file) const {
  const RootRegisters& r = now();
  trace_signal(file, r.r0.req_valid, "r0.req_valid", 1);
  trace_signal(file, r.r0.req_leaf, "r0.req_leaf", 14);
  trace_signal(file, r.read.valid, "stage2.valid", 1);
  trace_signal(file, r.chosen.valid, "stage3.valid", 1);
  trace_signal(file, r.waits, "row_waits", 1);
  trace_signal(file, r.lfsr, "lfsr", 16);
  trace_signal(file, out_.resp_valid, "resp_valid", 1);
  trace_signal(file, out_.resp_port, "resp_port", 7);
  trace_signal(file, out_.resp_vc, "resp_vc", 1);
  trace_signal(file, out_.resp_kind, "resp_kind", 3);
}

}  // namespace odonata::vtftr
