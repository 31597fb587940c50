// SPDX-License-Identifier: Apache-2.0
#include "hw/route_compute/pipeline.h"

#include "hw/route_compute/pipeline_view.h"

namespace odonata::route_compute {

RouteComputePipeline::RouteComputePipeline(const sc_core::sc_module_name& name, hw::Tick& tick, const Dragonfly& d,
                                           UnitPins& pins)
    : sc_module(name),
      pins_(pins),
      regs_(d),
      table_a_(std::string(this->name()) + ".table_a", static_cast<size_t>(table::size_a(d))),
      table_b_(std::string(this->name()) + ".table_b", static_cast<size_t>(table::size_b(d))) {
  SC_HAS_PROCESS(RouteComputePipeline);
  const auto clocked = [&](const sc_core::sc_event& event) {
    sensitive << event;
    dont_initialize();
  };
  SC_METHOD(sample);
  clocked(tick.edge());
  SC_METHOD(stage1);
  clocked(tick.edge());
  SC_METHOD(stage2);
  clocked(tick.edge());
  SC_METHOD(stage3);
  clocked(tick.edge());
  SC_METHOD(stage4);
  clocked(tick.edge());
  SC_METHOD(configure);
  clocked(tick.edge());
  SC_METHOD(settle);
  clocked(tick.settled());
  show();
}

RouteComputePipeline::~RouteComputePipeline() { close_trace(); }

// The stages.

void RouteComputePipeline::sample() {
  const UnitInputs& in = pins_.drive();
  Ranks& to = next();
  to.reset = in.reset;
  to.r0.valid = in.req_valid;
  if (in.req_valid) to.r0.request = {unpack_address(in.req_dest), in.req_src_gid, in.req_vc};
  to.congestion = in.congestion;
  if (!out_.cfg_ready) {
    to.c0 = now().c0;
  } else {
    to.c0.valid = in.cfg_valid;
    if (in.cfg_valid) to.c0 = {true, in.cfg_write, in.cfg_addr, Target::refused, in.cfg_wdata};
  }
}

void RouteComputePipeline::stage1() {
  const DecodeRank& r0 = now().r0;
  LookupRank& r1 = next().r1;
  r1.valid = r0.valid;
  if (!r0.valid) return;
  r1.request = r0.request;
  r1.decoded = decode(config(), r0.request);
  r1.lfsr = regs_.lfsr();
}

void RouteComputePipeline::stage2() {
  const LookupRank& r1 = now().r1;
  FilterRank& r2 = next().r2;
  r2.valid = r1.valid;
  if (!r1.valid) return;
  r2.request = r1.request;
  r2.decoded = r1.decoded;
  r2.lfsr = r1.lfsr;
  const uint64_t a = table_a_.read(static_cast<uint32_t>(r1.decoded.index_a));
  const uint64_t b = table_b_.read(static_cast<uint32_t>(r1.decoded.index_b));
  const table::Zone zone = r1.decoded.zone;
  r2.entries.a = zone == table::Zone::invalid ? 0 : a;
  r2.entries.b = zone == table::Zone::invalid || zone == table::Zone::node ? 0 : b;
  if (filter_) r2.entries = filter_(r1.request, r1.decoded, r2.entries);
}

/// RTA of stage 3: A1, A2 and C1, by the rule twice, side by side, then N1 and N2, then B.
GlobalRequests RouteComputePipeline::filter_rta(const FilterRank& r2, const Congestion& congestion) const {
  const GroupMap a1 = unit_a1(config(), r2.entries.a);
  const GroupMap a2 = unit_a2(config(), r2.entries.b, a1);
  const Rule& rule = config().rule();
  const GroupMap n1 = unit_n(a1, congestion.global, unit_c1(config(), congestion.local));
  const GroupMap n2 = rule.second_maps ? unit_n(a2, congestion.busy_global, unit_c1(config(), congestion.busy_local))
                                       : unit_n(a2, congestion.global, unit_c1(config(), congestion.local));
  const bool minimal = rule.minimal_global && a1.any();
  return unit_b(config(), r2.request.dest, n1, n2, minimal ? a1 : a1 | a2);
}

void RouteComputePipeline::stage3() {
  const FilterRank& r2 = now().r2;
  SelectRank& r3 = next().r3;
  r3.valid = r2.valid;
  if (!r2.valid) return;
  const Congestion& congestion = now().congestion;
  r3.rta = r2.decoded.rta;
  r3.vc = static_cast<uint8_t>(r2.request.vc);
  r3.lfsr = r2.lfsr;
  r3.cong_local = congestion.local;
  if (r3.rta) {
    const GlobalRequests& g = r3.global = filter_rta(r2, congestion);
    r3.nonempty =
        static_cast<uint8_t>(g.ga.any() | g.gb.any() << 1 | g.gc.any() << 2 | g.gd.any() << 3 | g.any.any() << 6);
  } else {
    const LocalRequests& l = r3.local = stage3_rtb(config(), r2.decoded, r2.entries, congestion);  // F, S1, S2
    r3.nonempty = static_cast<uint8_t>((l.s1 != 0) << 4 | (l.s2 != 0) << 5 | (l.any != 0) << 6);
  }
}

void RouteComputePipeline::stage4() {
  const SelectRank& r3 = now().r3;
  ResponseRank& r4 = next().r4;
  r4.valid = r3.valid;
  if (!r3.valid) return;
  r4.decision =
      r3.rta ? stage4_rta(config(), r3.global, r3.cong_local, r3.vc, r3.lfsr)  // P1, then M and P2, and the VC rule
             : stage4_rtb(config(), r3.local, r3.vc, r3.lfsr);                 // P3 and the VC rule
}

// The configuration.

/// Whether the operation in c0 has to wait for a stage in the coming cycle: route requests win.
bool RouteComputePipeline::waits(const Ranks& ranks) const {
  if (!ranks.c0.valid) return false;
  const bool table = ranks.c0.target == Target::table_a || ranks.c0.target == Target::table_b;
  if (table && (ranks.c0.write ? hold_writes_ : hold_reads_)) return true;
  return must_wait(ranks.c0.target, ranks.c0.write, ranks.r0.valid, ranks.r1.valid, ranks.r2.valid);
}

void RouteComputePipeline::configure() {
  const Operation& c0 = now().c0;
  Ranks& to = next();
  to.c2 = now().c1;
  to.c1 = {};
  if (!c0.valid || !out_.cfg_ready) return;
  const bool refused = c0.target == Target::refused;
  to.c1 = {true, refused, 0};
  if (refused) return;
  hw::SinglePortRam* ram = c0.target == Target::table_a   ? &table_a_
                           : c0.target == Target::table_b ? &table_b_
                                                          : nullptr;
  const uint32_t index = c0.address - (c0.target == Target::table_a ? reg::kTableA : reg::kTableB) / 8;
  if (!c0.write) {
    to.c1.data = ram != nullptr ? ram->read(index) : regs_.read(c0.target, c0.address);
  } else {
    if (ram != nullptr) ram->write(index, c0.data);
    write_ = c0;
  }
}

// The edge has passed.

/// All registers load: the next ranks become the present ones, and the pins show them.
void RouteComputePipeline::settle() {
  const Ranks& before = now();
  Ranks& after = next();
  written_row_ = -1;
  table_a_.clock(!after.reset);
  table_b_.clock(!after.reset);
  if (after.reset) {
    after = Ranks{.reset = true};
    regs_.reset();
  } else {
    commit(before, after);
  }
  write_.valid = false;
  after.c0.target = after.c0.valid ? regs_.target(after.c0.write, after.c0.address, after.c0.data) : Target::refused;
  parity_ ^= 1;
  show();
  if (view_ != nullptr) fill_view();
  pins_.deliver(out_);
}

/// Registers that are not between two stages: configuration, LFSR, counters.
void RouteComputePipeline::commit(const Ranks& before, const Ranks& after) {
  if (!out_.cfg_ready) ++regs_.counter(reg::kCounterWaits);
  if (write_.valid) {
    if (write_.target == Target::table_a) {
      written_row_ = static_cast<int>(write_.address - reg::kTableA / 8);
    } else if (write_.target == Target::table_b) {
      written_row_ = static_cast<int>(write_.address - reg::kTableB / 8) + regs_.dragonfly().p();
    } else {
      regs_.write(write_.target, write_.address, write_.data);
    }
    ++regs_.counter(reg::kCounterWrites);
  }
  if (before.r0.valid) {
    regs_.advance_lfsr();
    ++regs_.counter(reg::kCounterRequests);
  }
  if (after.r4.valid) ++regs_.counter(reg::kCounterHopClass + static_cast<int>(after.r4.decision.hop_class));
}

/// The output pins: functions of the registers only.
void RouteComputePipeline::show() {
  const Ranks& ranks = now();
  const Decision decision = ranks.r4.valid ? ranks.r4.decision : Decision{.port = 0};
  out_.resp_valid = ranks.r4.valid;
  out_.resp_hop_class = static_cast<uint8_t>(decision.hop_class);
  out_.resp_port = decision.port;
  out_.resp_vc = decision.vc;
  out_.resp_router = decision.router;
  out_.cfg_ready = !waits(ranks);
  out_.cfg_ack = ranks.c2.valid;
  out_.cfg_err = ranks.c2.valid && ranks.c2.error;
  out_.cfg_rdata = ranks.c2.valid ? ranks.c2.data : 0;
  out_.threshold = regs_.threshold_word();
  show_probe(ranks);
}

void RouteComputePipeline::show_probe(const Ranks& ranks) {
  uint32_t bits = (ranks.r0.valid ? probe::kStage1 : 0) | (ranks.r2.valid ? probe::kStage3 : 0);
  if (ranks.r1.valid) {
    const Decoded& d = ranks.r1.decoded;
    bits |= probe::kStage2 | static_cast<uint32_t>(d.zone) << probe::kZone | (d.rta ? probe::kRta : 0) |
            static_cast<uint32_t>(d.index_a) << probe::kIndex;
  }
  if (ranks.r3.valid) bits |= probe::kStage4 | static_cast<uint32_t>(ranks.r3.nonempty) << probe::kNonempty;
  out_.probe = bits;
}

// Access without time.

uint64_t RouteComputePipeline::read_word(Target target, uint32_t word_address) const {
  if (target == Target::table_a) return table_a_.peek(word_address - reg::kTableA / 8);
  if (target == Target::table_b) return table_b_.peek(word_address - reg::kTableB / 8);
  return regs_.read(target, word_address);
}

void RouteComputePipeline::write_word(Target target, uint32_t word_address, uint64_t data) {
  if (target == Target::table_a) return table_a_.poke(word_address - reg::kTableA / 8, data);
  if (target == Target::table_b) return table_b_.poke(word_address - reg::kTableB / 8, data);
  regs_.write(target, word_address, data);
}

bool RouteComputePipeline::debug_read(uint32_t word_address, uint64_t& data) const {
  const Target target = regs_.target(false, word_address, 0);
  if (target == Target::refused) return false;
  data = read_word(target, word_address);
  return true;
}

bool RouteComputePipeline::debug_write(uint32_t word_address, uint64_t data) {
  const Target target = regs_.target(true, word_address, data);
  if (target == Target::refused) return false;
  write_word(target, word_address, data);
  return true;
}

}  // namespace odonata::route_compute
