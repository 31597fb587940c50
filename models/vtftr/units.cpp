// SPDX-License-Identifier: Apache-2.0
#include "models/vtftr/units.h"

namespace odonata::vtftr {

// ---- vtftr_leaf

void LeafUnit::step(const LeafInputs& in) {
  answered_ = stage_2_;
  out_ = {};
  if (answered_.req_valid && !in.reset) {
    const LeafInputs& a = answered_;
    const From from = a.port_class == 0 ? From::node : a.port_class == 1 ? From::row : From::column;
    const LeafRequest q{address_x(a.req_dest), address_y(a.req_dest), address_node(a.req_dest), from, a.req_vc};
    const LeafTables tables{a.fr, a.fc, a.cf};
    const LeafDecision d = decide_leaf({a.own_x, a.own_y, size_.columns, size_.rows, size_.nodes, a.safe}, tables, q);
    const int rail = d.dimension < 0 ? 0
                                     : first_rail(d.dimension == kRow ? a.row_down : a.column_down,
                                                  q.node % size_.rails, size_.rails);
    const LeafKind kind = rail < 0 ? LeafKind::no_rail : d.kind;
    out_.resp_valid = 1;
    out_.resp_kind = static_cast<uint8_t>(kind);
    out_.resp_vc = static_cast<uint8_t>(d.vc);
    out_.resp_port =
        static_cast<uint8_t>(dropped(kind)             ? kNoPort
                             : kind == LeafKind::eject ? q.node
                                                       : (size_.nodes + d.dimension * size_.rails + rail) & 127);
    out_.probe = static_cast<uint8_t>(4 | tables.row_dead.test(q.x) << 3 | tables.column_dead.test(q.y) << 4 |
                                      tables.column_first << 5);
  }
  stage_2_ = r0_;
  r0_ = in;
  stage_2_.req_valid &= !in.reset;
  r0_.req_valid &= !in.reset;
  out_.probe |= static_cast<uint8_t>(r0_.req_valid | stage_2_.req_valid << 1);
}

// ---- vtftr_root

RootUnit::RootUnit(const UnitSize& size, bool mask_form)
    : size_(size),
      mask_form_(mask_form),
      stage_(static_cast<size_t>(latency() - 1)),
      table_(static_cast<size_t>(size.ports())) {
  out_.upd_ready = 1;
  out_.lfsr = lfsr_;
}

RootConfig RootUnit::config(const RootInputs& in) const {
  return {in.dim ? kColumn : kRow, in.own, size_.columns, size_.rows, {.safe = in.safe, .exclude = in.exclude}};
}

void RootUnit::step(const RootInputs& in) {
  // The last stages answer what stage 2 asked.
  for (size_t i = stage_.size() - 1; i > 0; --i) stage_[i] = stage_[i - 1];
  stage_[0] = {r0_, {}, lfsr_, {}};
  const bool read = r0_.req_valid && known(r0_) && !mask_form_;
  if (r0_.req_valid && known(r0_)) {
    const int x = r0_.req_leaf & 127, y = r0_.req_leaf >> 7;
    stage_[0].row = mask_form_ ? ~LineMap(r0_.mask) : table_[static_cast<size_t>(r0_.dim ? y : x)];
    stage_[0].choice = choose_root(config(r0_), {r0_.dead, ~stage_[0].row}, {x, y, r0_.in_port, r0_.req_vc});
  }
  // The table: a request that is read goes first.
  const bool ready = !waits_ || !read;  // in the mask form nothing waits
  if (waits_ && !read && !in.reset) table_[static_cast<size_t>(waiting_row_)] = waiting_data_;
  if (ready) {
    waits_ = !mask_form_ && in.upd_valid && in.upd_row < size_.ports();
    waiting_row_ = in.upd_row;
    waiting_data_ = in.upd_data;
  }
  // The LFSR: a load wins.
  if (r0_.lfsr_load) {
    lfsr_ = r0_.lfsr_value;
  } else if (r0_.req_valid) {
    lfsr_ = lfsr_next(lfsr_);
  }
  r0_ = in;
  r0_.lfsr_load = in.lfsr_load && in.lfsr_value != 0;
  if (in.reset) {
    r0_.req_valid = r0_.lfsr_load = waits_ = false;
    for (Asked& a : stage_) a.in.req_valid = false;
    lfsr_ = kLfsrReset;
  }
  out_ = {};
  const Asked& a = answered();
  if (a.in.req_valid) {
    out_.resp_valid = 1;
    out_.resp_kind = static_cast<uint8_t>(a.choice.kind);
    out_.resp_vc = a.in.req_vc;
    out_.resp_port = static_cast<uint8_t>(a.choice.ports.any() ? pick(a.choice.ports, a.lfsr) : kNoPort);
  }
  out_.lfsr = lfsr_;
  out_.upd_ready = !waits_ || !(r0_.req_valid && known(r0_));
  out_.probe = static_cast<uint8_t>(r0_.req_valid | out_.resp_valid << 4 | waits_ << 5);
  for (size_t i = 0; i + 1 < stage_.size(); ++i) out_.probe |= static_cast<uint8_t>(stage_[i].in.req_valid << (i + 1));
}

// ---- vtftr_update

void UpdateUnit::step(const UpdateInputs& in) {
  out_ = {};
  const bool room = fifo_.size() < 4, was_walking = walking_;
  bool pop = !fifo_.empty() && !was_walking;
  if (was_walking && in.row_ready) {
    walking_ = at_ != line() - 1;
    at_ = (at_ + 1) & 127;
  }
  if (!was_walking) at_ = 0;
  if (pop) {
    take(fifo_.front());
    fifo_.pop_front();
  }
  if (in.msg_valid && room) fifo_.push_back(in.msg);
  role_ = in.role;
  own_x_ = in.own_x;
  own_y_ = in.own_y;
  if (in.reset) {
    fifo_.clear();
    columns_ = rows_ = {};
    column_first_ = heard_ = false;
    epoch_ = at_ = 0;
    walking_ = !leaf();
    out_ = {};
  }
  publish();
}

/// The oldest message, with the role as it was before the edge.
void UpdateUnit::take(uint32_t bits) {
  const UpdateMessage m = unpack(bits);
  if (m.op == UpdateOp::reserved || m.x >= size_.columns || m.y >= size_.rows) {
    out_.malformed = 1;
    return;
  }
  const int ahead = (m.epoch - epoch_) & 7;
  if (heard_ && (ahead == 0 || ahead > 4)) {
    out_.old = 1;
    return;
  }
  out_.fwd_valid = 1;
  out_.fwd = bits;
  epoch_ = m.epoch;
  heard_ = true;
  column_first_ = m.column_first;
  if (leaf()) {
    LeafTables tables{columns_, rows_, false};
    vtftr::apply(m, own_x_, own_y_, tables);
    columns_ = tables.row_dead;
    rows_ = tables.column_dead;
  } else if (m.op != UpdateOp::column_first) {
    vtftr::apply(m, role_, role_ == kRow ? columns_ : rows_);
    walking_ = true;
  }
}

void UpdateUnit::publish() {
  out_.msg_ready = fifo_.size() < 4;
  out_.columns = columns_;
  out_.rows = rows_;
  out_.cf = column_first_;
  out_.epoch = static_cast<uint8_t>(epoch_);
  out_.busy = out_.row_valid = walking_;
  if (!walking_) return;
  out_.row = static_cast<uint8_t>(at_);
  out_.row_data = alternatives(line(), at_, role_ == kRow ? columns_ : rows_);
}

// ---- vtftr_detect

void DetectUnit::step(const DetectInputs& in) {
  const LineMap dead = dead_, waiting = {told_.low ^ dead_.low, told_.high ^ dead_.high};
  for (int i = 0; i < ports_; ++i) {
    int& count = count_[static_cast<size_t>(i)];
    if (down_.test(i) == dead.test(i)) {
      count = 0;
    } else if (count >= detect_) {
      count = 0;
      down_.test(i) ? dead_.set(i) : dead_.clear(i);
    } else {
      ++count;
    }
  }
  if (!out_.report_valid || in.report_ready) {
    const bool next = waiting.any();
    const int leaf = next ? waiting.nth(0) : 0;
    out_.report_valid = next;
    out_.report_leaf = static_cast<uint8_t>(leaf);
    out_.report_up = next && !dead.test(leaf);
    if (next) dead.test(leaf) ? told_.set(leaf) : told_.clear(leaf);
  }
  down_ = LineMap::first(ports_) & ~LineMap(in.link_up);
  detect_ = in.detect;
  if (in.reset) {
    down_ = dead_ = told_ = {};
    std::fill(count_.begin(), count_.end(), 0);
    out_ = {};
  }
  out_.dead = dead_;
}

}  // namespace odonata::vtftr
