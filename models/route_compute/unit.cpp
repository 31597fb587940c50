// SPDX-License-Identifier: Apache-2.0
#include "models/route_compute/unit.h"

namespace odonata::route_compute {

void Unit::reset() {
  regs_.reset();
  r0_valid_ = r1_valid_ = r2_valid_ = r3_valid_ = false;
  c0_.valid = c1_.valid = false;
  out_ = {};
  idle_ = false;  // not yet: an edge brings the answer of no request
  refresh();
}

void Unit::step(const UnitInputs& in) {
  written_row_ = -1;
  if (in.reset) return reset();
  const bool ready = out_.cfg_ready != 0, stage1 = r0_valid_, stage2 = r1_valid_, stage3 = r2_valid_;
  const bool responded = r3_valid_;
  ++edges_;

  out_.resp_valid = responded;
  const Decision response = responded ? at(5).decision : Decision{.port = 0};
  out_.resp_hop_class = static_cast<uint8_t>(response.hop_class);
  out_.resp_port = response.port;
  out_.resp_vc = response.vc;
  out_.resp_router = response.router;

  r3_valid_ = stage3;
  if (stage3) {
    Record& r = at(4);
    r.decision = decide(regs_.config(), r.request, r.decoded, r.entries, r.congestion, r.lfsr);
  }
  r2_valid_ = stage2;
  if (stage2) {
    Record& r = at(3);
    r.entries = regs_.entries(r.decoded);
    if (filter_) r.entries = filter_(r.request, r.decoded, r.entries);
  }
  r1_valid_ = stage1;
  if (stage1) {
    Record& r = at(2);
    r.request = r0_;
    r.decoded = decode(regs_.config(), r.request);
    r.lfsr = regs_.lfsr();
  }
  execute_operation(stage1, stage2, stage3, responded);
  load_inputs(in, ready);
  refresh();
  // No request, operation or answer is in a register.
  idle_ = !(in.req_valid || stage1 || stage2 || stage3 || responded || c0_.valid || c1_.valid || out_.cfg_ack);
}

/// Whether the pending operation has to wait in a cycle with these stages busy.
bool Unit::waits(bool stage1, bool stage2, bool stage3) const {
  const Target target = regs_.target(c0_.write, c0_.address, c0_.data);
  const bool held =
      (c0_.write ? hold_writes_ : hold_reads_) && (target == Target::table_a || target == Target::table_b);
  return held || must_wait(target, c0_.write, stage1, stage2, stage3);
}

/// Executes the pending operation unless it has to wait, then counts and advances the LFSR: a read sees the values
/// before the edge.
void Unit::execute_operation(bool stage1, bool stage2, bool stage3, bool responded) {
  out_.cfg_ack = c1_.valid;
  out_.cfg_err = c1_.valid && c1_.error;
  out_.cfg_rdata = c1_.valid ? c1_.data : 0;
  c1_ = {};
  if (c0_.valid) {
    const Target target = regs_.target(c0_.write, c0_.address, c0_.data);
    if (waits(stage1, stage2, stage3)) {
      ++regs_.counter(reg::kCounterWaits);
    } else {
      c1_ = {true, target == Target::refused, c0_.write ? 0 : regs_.read(target, c0_.address)};
      if (c0_.write && target != Target::refused) {
        regs_.write(target, c0_.address, c0_.data);
        if (target == Target::table_a) written_row_ = static_cast<int>(c0_.address - reg::kTableA / 8);
        if (target == Target::table_b)
          written_row_ = static_cast<int>(c0_.address - reg::kTableB / 8) + regs_.dragonfly().p();
        ++regs_.counter(reg::kCounterWrites);
      }
      c0_.valid = false;
    }
  }
  if (stage1) {
    regs_.advance_lfsr();
    ++regs_.counter(reg::kCounterRequests);
  }
  if (responded) ++regs_.counter(reg::kCounterHopClass + out_.resp_hop_class);
}

void Unit::load_inputs(const UnitInputs& in, bool ready) {
  r0_valid_ = in.req_valid;
  if (in.req_valid) r0_ = {unpack_address(in.req_dest), in.req_src_gid, in.req_vc};
  if (r2_valid_) at(3).congestion = in.congestion;  // stage 3 of the coming cycle looks at it
  if (ready && in.cfg_valid) c0_ = {true, in.cfg_write, in.cfg_addr, in.cfg_wdata};
}

/// The outputs that follow from the registers after the edge.
void Unit::refresh() {
  out_.cfg_ready = !c0_.valid || !waits(r0_valid_, r1_valid_, r2_valid_);
  out_.threshold = regs_.threshold_word();
  uint32_t bits = (r0_valid_ ? probe::kStage1 : 0) | (r2_valid_ ? probe::kStage3 : 0);
  if (r1_valid_) {
    const Decoded& decoded = at(2).decoded;
    bits |= probe::kStage2 | static_cast<uint32_t>(decoded.zone) << probe::kZone | (decoded.rta ? probe::kRta : 0) |
            static_cast<uint32_t>(decoded.index_a) << probe::kIndex;
  }
  if (r3_valid_) bits |= probe::kStage4 | static_cast<uint32_t>(at(4).decision.nonempty) << probe::kNonempty;
  out_.probe = bits;
}

}  // namespace odonata::route_compute
