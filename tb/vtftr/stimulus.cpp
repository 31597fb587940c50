// SPDX-License-Identifier: Apache-2.0
#include "tb/vtftr/stimulus.h"

namespace odonata::cosim {

using namespace vtftr;

LineMap VtftrDraws::map(int n) {
  const LineMap all = LineMap::first(n);
  LineMap out;
  switch (below(6)) {
    case 0:
      return {};
    case 1:
      return all;
    case 2:  // half
      return all & LineMap{random_.next(), random_.next()};
    case 3:  // all but one or two
      out = all;
      for (int k = below(2); k >= 0; --k) out.clear(below(n));
      return out;
    default:
      for (int k = below(3); k >= 0; --k) out.set(below(n));
      return out;
  }
}

bool LeafPins::next(const LeafOutputs&, LeafInputs& in) {
  if (cycle_ % 32 == 0) {
    now_.own_x = static_cast<uint8_t>(coordinate(size_.columns));
    now_.own_y = static_cast<uint8_t>(coordinate(size_.rows));
    now_.port_class = static_cast<uint8_t>(chance(0.4) ? 0 : chance(0.05) ? 3 : 1 + below(2));
    now_.safe = chance(0.6);
  }
  if (cycle_ % 8 == 0) {
    now_.fr = map(size_.columns);
    now_.fc = map(size_.rows);
    now_.cf = chance(0.5);
    now_.row_down = chance(0.4) ? 0 : static_cast<uint32_t>(map(size_.rails).low);
    now_.column_down = chance(0.4) ? 0 : static_cast<uint32_t>(map(size_.rails).low);
  }
  in = now_;
  in.reset = cycle_++ == 0 || chance(0.001);
  in.req_valid = chance(0.9);
  int x = chance(0.25) ? now_.own_x : coordinate(size_.columns), y = chance(0.25) ? now_.own_y : coordinate(size_.rows);
  int node = coordinate(size_.nodes);
  if (chance(0.03)) x = below(128);
  if (chance(0.03)) y = below(128);
  if (chance(0.03)) node = below(32);
  in.req_dest = fat_tree_address(x, y, node);
  in.req_vc = chance(0.5);
  return true;
}

void RootPins::draw_static() {
  now_.dim = chance(0.5);
  const int size = now_.dim ? size_.rows : size_.columns;
  now_.own = static_cast<uint8_t>(coordinate(now_.dim ? size_.columns : size_.rows));
  now_.in_port = static_cast<uint8_t>(coordinate(size));
  now_.safe = chance(0.6);
  now_.exclude = chance(0.6);
  rate_ = chance(0.3) ? 1.0 : chance(0.5) ? 0.9 : 0.3;
}

void RootPins::draw_request(RootInputs& in) {
  const int size = in.dim ? size_.rows : size_.columns;
  int target = coordinate(size), other = chance(0.3) ? in.own : coordinate(in.dim ? size_.columns : size_.rows);
  const LineMap dead = in.dead;
  if (dead.any() && chance(0.6)) target = dead.nth(below(dead.count()));  // something to decide
  if (target >= size) target = size - 1;
  if (chance(0.05)) target = (in.in_port + (chance(0.5) ? 1 : size - 1)) % size;
  if (chance(0.02)) target = below(128);
  if (chance(0.02)) other = below(128);
  const int x = in.dim ? other : target, y = in.dim ? target : other;
  in.req_leaf = static_cast<uint16_t>(y << 7 | x);
}

bool RootPins::next(const RootOutputs& last, RootInputs& in) {
  if (cycle_ % 32 == 0) draw_static();
  if (cycle_ % 8 == 0 || chance(0.1)) now_.dead = map(now_.dim ? size_.rows : size_.columns);
  if (cycle_ % 16 == 0) now_.mask = map(size_.ports());
  if (cycle_ % 1000 == 0) row_ = 0;
  in = now_;
  const bool written =
      cycle_ > static_cast<uint64_t>(3 * size_.ports());  // a table that was never written holds anything
  in.reset = cycle_ == 0 || (written && chance(0.001));
  in.req_valid = written && chance(rate_);
  draw_request(in);
  in.req_vc = chance(0.4);
  if (row_ < size_.ports()) {
    in.upd_valid = true;
    in.upd_row = static_cast<uint8_t>(row_);
    in.upd_data = alternatives(size_.ports(), row_, map(size_.ports()));
    if (last.upd_ready && !in.reset && cycle_ > 0) ++row_;
  } else {
    in.upd_valid = chance(0.1);
    in.upd_row = static_cast<uint8_t>(chance(0.05) ? below(128) : coordinate(size_.ports()));
    in.upd_data = map(size_.ports());
    const int target = in.dim ? in.req_leaf >> 7 : in.req_leaf & 127;
    if (chance(0.3)) in.upd_row = static_cast<uint8_t>(target);
  }
  in.lfsr_load = chance(0.01);
  in.lfsr_value = static_cast<uint16_t>(chance(0.1) ? 0 : chance(0.2) ? 0xFFFF : random_.next());
  ++cycle_;
  return true;
}

bool UpdatePins::next(const UpdateOutputs& last, UpdateInputs& in) {
  const bool reset = cycle_ % 2000 == 0;
  if (reset) {
    now_.role = static_cast<uint8_t>(chance(0.1) ? 3 : below(3));
    now_.own_x = static_cast<uint8_t>(coordinate(size_.columns));
    now_.own_y = static_cast<uint8_t>(coordinate(size_.rows));
    epoch_ = 0;
  }
  if (cycle_ % 128 == 0) {
    messages_ = chance(0.3) ? 0.9 : chance(0.5) ? 0.3 : 0.02;
    rows_ = chance(0.5) ? 1.0 : chance(0.5) ? 0.7 : 0.2;
  }
  in = now_;
  in.reset = reset;
  in.msg_valid = chance(messages_);
  in.row_ready = chance(rows_);
  UpdateMessage m;
  m.op = static_cast<UpdateOp>(chance(0.05) ? 3 : chance(0.1) ? 2 : below(2));
  m.x = chance(0.3) ? now_.own_x : coordinate(size_.columns);
  m.y = chance(0.3) ? now_.own_y : coordinate(size_.rows);
  if (chance(0.02)) m.x = below(128);
  if (chance(0.02)) m.y = below(128);
  m.column_masked = chance(0.5);
  m.row_masked = chance(0.5);
  m.column_first = chance(0.3);
  m.epoch = chance(0.3) ? below(8) : (epoch_ + 1) & 7;
  in.msg = pack(m);
  if (in.msg_valid && last.msg_ready) epoch_ = m.epoch;
  ++cycle_;
  return true;
}

bool DetectPins::next(const DetectOutputs&, DetectInputs& in) {
  const int n = size_.columns;
  if (cycle_ == 0) now_.link_up = LineMap::first(n);
  if (cycle_ % 256 == 0) {
    now_.detect = static_cast<uint8_t>(chance(0.3) ? 0 : chance(0.05) ? 255 : chance(0.3) ? 1 << below(8) : below(6));
    flips_ = chance(0.3) ? 0.9 : chance(0.5) ? 0.2 : 0.02;
    takes_ = chance(0.3) ? 1.0 : chance(0.5) ? 0.5 : 0.05;
  }
  if (chance(flips_)) now_.link_up.word[0] ^= (LineMap::bit(coordinate(n))).low;
  if (n > 64 && chance(flips_)) now_.link_up.word[1] ^= LineMap::bit(64 + below(n - 64)).high;
  if (chance(0.005)) now_.link_up = map(n);
  in = now_;
  in.report_ready = chance(takes_);
  in.reset = cycle_++ == 0 || chance(0.001);
  return true;
}

}  // namespace odonata::cosim
