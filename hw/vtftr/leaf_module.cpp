// SPDX-License-Identifier: Apache-2.0
#include "hw/vtftr/leaf_module.h"

namespace odonata::vtftr {

LeafModule::LeafModule(const sc_core::sc_module_name& name, hw::Tick& tick, const UnitSize& size,
                       hw::Drive<LeafInputs> pins)
    : ClockedModule(name, tick), size_(size), pins_(std::move(pins)) {
  SC_HAS_PROCESS(LeafModule);
  SC_METHOD(sample);
  sensitive << edge();
  dont_initialize();
  SC_METHOD(look_up);
  sensitive << edge();
  dont_initialize();
  SC_METHOD(decide);
  sensitive << edge();
  dont_initialize();
}

void LeafModule::sample() { next().r0 = pins_(); }

void LeafModule::look_up() {
  const LeafInputs& in = now().r0;
  LeafLookUp& out = next().stage_2;
  out.valid = in.req_valid;
  out.in = in;
  const From from = in.port_class == 0 ? From::node : in.port_class == 1 ? From::row : From::column;
  out.request = {address_x(in.req_dest), address_y(in.req_dest), address_node(in.req_dest), from, in.req_vc};
  out.row_dead = LineMap(in.fr).test(out.request.x);
  out.column_dead = LineMap(in.fc).test(out.request.y);
  out.row_rail = rail_from(in.row_down, out.request.node % size_.rails);
  out.column_rail = rail_from(in.column_down, out.request.node % size_.rails);
}

/// The wanted rail, or the next one round the end whose uplink is up; -1: none.
int LeafModule::rail_from(uint32_t down, int wanted) const {
  for (int i = 0; i < size_.rails; ++i) {
    const int rail = (wanted + i) % size_.rails;
    if ((down >> rail & 1) == 0) return rail;
  }
  return -1;
}

void LeafModule::decide() {
  const LeafLookUp& s = now().stage_2;
  LeafOutputs& out = next().answer;
  out = {};
  if (!s.valid) return;
  LeafTables read;  // what stage 2 has read is all that the rules look at
  if (s.row_dead) read.row_dead.set(s.request.x);
  if (s.column_dead) read.column_dead.set(s.request.y);
  read.column_first = s.in.cf;
  const LeafDecision d =
      decide_leaf({s.in.own_x, s.in.own_y, size_.columns, size_.rows, size_.nodes, s.in.safe}, read, s.request);
  const int rail = d.dimension == kColumn ? s.column_rail : s.row_rail;
  const LeafKind kind = d.dimension >= 0 && rail < 0 ? LeafKind::no_rail : d.kind;
  out.resp_valid = 1;
  out.resp_kind = static_cast<uint8_t>(kind);
  out.resp_vc = static_cast<uint8_t>(d.vc);
  const int uplink = size_.nodes + (d.dimension == kColumn ? size_.rails : 0) + rail;
  out.resp_port = static_cast<uint8_t>((dropped(kind)             ? kNoPort
                                        : kind == LeafKind::eject ? s.request.node
                                                                  : uplink) &
                                       127);
  out.probe = static_cast<uint8_t>(4 | s.row_dead << 3 | s.column_dead << 4 | s.in.cf << 5);
}

void LeafModule::publish() {
  if (now().r0.reset) clear({.r0 = {.reset = true}, .stage_2 = {}, .answer = {}});
  out_ = now().answer;
  out_.probe |= static_cast<uint8_t>(now().r0.req_valid | now().stage_2.valid << 1);
}

void LeafModule::trace(sc_core::sc_trace_file* file) const {
  const LeafRegisters& r = now();
  trace_signal(file, r.r0.req_valid, "r0.req_valid", 1);
  trace_signal(file, r.r0.req_dest, "r0.req_dest", 19);
  trace_signal(file, r.stage_2.valid, "stage2.valid", 1);
  trace_signal(file, r.stage_2.row_dead, "stage2.row_dead", 1);
  trace_signal(file, r.stage_2.column_dead, "stage2.column_dead", 1);
  trace_signal(file, out_.resp_valid, "resp_valid", 1);
  trace_signal(file, out_.resp_port, "resp_port", 7);
  trace_signal(file, out_.resp_vc, "resp_vc", 1);
  trace_signal(file, out_.resp_kind, "resp_kind", 4);
}

}  // namespace odonata::vtftr
