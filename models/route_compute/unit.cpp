// SPDX-License-Identifier: Apache-2.0
#include "models/route_compute/unit.h"

namespace odonata::route_compute {

void Unit::reset() {
  regs_.reset();
  r0_.valid = r1_valid_ = r2_valid_ = r3_valid_ = false;
  c0_.valid = c1_.valid = false;
  out_ = {};
  refresh();
}

void Unit::step(const UnitInputs& in) {
  written_row_ = -1;
  if (in.reset) return reset();
  const bool ready = out_.cfg_ready != 0, stage1 = r0_.valid, stage2 = r1_valid_, stage3 = r2_valid_;

  out_.resp_valid = r3_valid_;
  const Decision response = r3_valid_ ? record_[stage4_].decision : Decision{.port = 0};
  out_.resp_hop_class = static_cast<uint8_t>(response.hop_class);
  out_.resp_port = response.port;
  out_.resp_vc = response.vc;
  out_.resp_router = response.router;
  const bool responded = r3_valid_;
  if (responded) stage4_ ^= 1;

  r3_valid_ = stage3;
  if (stage3) {
    Record& r3 = record_[stage4_];
    r3.request = r2_.request;
    r3.decoded = r2_.decoded;
    r3.entries = r2_.entries;
    r3.lfsr = r2_.lfsr;
    r3.congestion = congestion_;
    r3.decision = decide(regs_.config(), r3.request, r3.decoded, r3.entries, congestion_, r3.lfsr);
  }
  r2_valid_ = stage2;
  if (stage2) {
    r2_.request = r1_.request;
    r2_.decoded = r1_.decoded;
    r2_.lfsr = r1_.lfsr;
    r2_.entries = regs_.entries(r1_.decoded);
    if (filter_) r2_.entries = filter_(r1_.request, r1_.decoded, r2_.entries);
  }
  r1_valid_ = stage1;
  if (stage1) {
    r1_.request = r0_.request;
    r1_.decoded = decode(regs_.config(), r0_.request);
    r1_.lfsr = regs_.lfsr();
  }
  execute_operation(stage1, stage2, stage3, responded);
  load_inputs(in, ready);
  refresh();
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
  r0_.valid = in.req_valid;
  if (in.req_valid) r0_.request = {unpack_address(in.req_dest), in.req_src_gid, in.req_vc};
  if (r2_valid_) congestion_ = in.congestion;  // stage 3 of the coming cycle looks at it
  if (ready && in.cfg_valid) c0_ = {true, in.cfg_write, in.cfg_addr, in.cfg_wdata};
}

/// The outputs that follow from the registers after the edge.
void Unit::refresh() {
  out_.cfg_ready = !c0_.valid || !waits(r0_.valid, r1_valid_, r2_valid_);
  out_.threshold = regs_.threshold_word();
  uint32_t bits = (r0_.valid ? probe::kStage1 : 0) | (r2_valid_ ? probe::kStage3 : 0);
  if (r1_valid_) {
    bits |= probe::kStage2 | static_cast<uint32_t>(r1_.decoded.zone) << probe::kZone |
            (r1_.decoded.rta ? probe::kRta : 0) | static_cast<uint32_t>(r1_.decoded.index_a) << probe::kIndex;
  }
  if (r3_valid_) bits |= probe::kStage4 | static_cast<uint32_t>(record_[stage4_].decision.nonempty) << probe::kNonempty;
  out_.probe = bits;
}

}  // namespace odonata::route_compute
