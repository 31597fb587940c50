// SPDX-License-Identifier: Apache-2.0
// What a state of programs from a checkpoint has to be.
#include <algorithm>
#include <bit>

#include "sim/network/closed_loop_state.h"

namespace odonata::network {

using workload::Op;
using workload::OpKind;

namespace {

/// The operation is one of a rank, of that kind (calc: of any).
bool is_op(const RankPlan& rank, uint32_t op, OpKind kind = OpKind::calc) {
  const auto& ops = rank.program->ops;
  return op < ops.size() && (kind == OpKind::calc || ops[op].kind == kind);
}

}  // namespace

void Nics::State::check_state() const {
  expect_state(phases.size() == plan.phases.size(), "phases of programs");
  check_events();
  std::vector<uint8_t> begins(hosts.size());
  for (const Event& e : heap) {
    if (e.what == Happens::begin) expect_state(begins[e.node]++ == 0, "the begin of an iteration");
  }
  uint32_t left = 0;
  for (size_t n = 0; n != hosts.size(); ++n) {
    if (hosts[n].rank == LoopPlan::kNone) continue;
    check_host(hosts[n], begins[n] != 0);
    left += hosts[n].finished == kNever;
  }
  expect_state(left == ranks_left, "ranks that have not ended");
}

void Nics::State::check_events() const {
  expect_state(std::is_heap(heap.begin(), heap.end()), "the order of a program's events");
  for (const Event& e : heap) {
    expect_state(e.node < hosts.size() && hosts[e.node].rank != LoopPlan::kNone && e.part < loop::kAck &&
                     e.what <= Happens::timeout && e.number < events,
                 "an event of a program");
    const Host& h = hosts[e.node];
    expect_state(e.iteration < rank(h).iterations && (e.what == Happens::begin || is_op(rank(h), e.op)),
                 "an event of a program");
    const auto expect_kind = [&](OpKind kind) { expect_state(op(h, e.op).kind == kind, "an event of a program"); };
    if (e.what == Happens::calculated) expect_kind(OpKind::calc);
    if (e.what == Happens::sent || e.what == Happens::answer || e.what == Happens::done) expect_kind(OpKind::send);
    if (e.what == Happens::arrived || e.what == Happens::header) expect_kind(OpKind::recv);
    if (e.what == Happens::sent || e.what == Happens::answer || e.what == Happens::done)
      expect_state(e.op < h.status.size() && h.status[e.op] == kStarted, "an event of a program");
    if (e.what == Happens::timeout && static_cast<Part>(e.part) == Part::data) expect_kind(OpKind::send);
    if (e.what > Happens::done)
      expect_state(plan.resends() && op(h, e.op).kind != OpKind::calc, "an event of a program");
  }
}

void Nics::State::check_host(const Host& h, bool begins) const {
  const RankPlan& r = rank(h);
  const size_t ops = r.program->ops.size();
  expect_state(h.needs_left.size() == ops && h.started.size() == ops && h.status.size() == ops &&
                   h.got.size() == (plan.resends() ? ops : 0) &&
                   h.bits.size() == (plan.resends() ? h.arriving.size() : 0),
               "operations of a rank");
  expect_state(h.iteration <= r.iterations && (h.finished != kNever) == (h.iteration == r.iterations),
               "the iteration of a rank");
  check_operations(h, begins);
  check_calculations(h);
  check_queue(h, h.control, false), check_queue(h, h.data, true);
  check_arriving(h);
  expect_state(h.leaving == LoopPlan::kNone || (is_op(r, h.leaving, OpKind::send) && h.status[h.leaving] == kStarted),
               "the message that leaves");
  for (const Early& e : h.early) expect_state(is_op(r, e.op, OpKind::recv), "a message that came early");
  for (const auto* list : {&h.unacknowledged, &h.given_up, &h.ahead})
    for (const Transfer& t : *list)
      expect_state(is_op(r, t.op) && op(h, t.op).kind != OpKind::calc && static_cast<uint32_t>(t.part) < loop::kAck,
                   "what has to be acknowledged");
}

/// What has started and ended in an iteration, and what each operation still waits for.
void Nics::State::check_operations(const Host& h, bool begins) const {
  const workload::Rank& program = *rank(h).program;
  const auto expect = [](bool holds) { expect_state(holds, "operations of a rank"); };
  for (const uint8_t s : h.status) expect(s <= kDone);
  const auto count = [&h](uint8_t s) { return static_cast<size_t>(std::count(h.status.begin(), h.status.end(), s)); };
  if (begins || h.iteration == rank(h).iterations) {
    expect(!(begins && h.iteration == rank(h).iterations) && h.ops_left == 0 && count(kStarted) == 0);
    return;
  }
  expect(h.ops_left != 0 && h.ops_left == h.status.size() - count(kDone));
  for (size_t i = 0; i != program.ops.size(); ++i) {
    const Op& o = program.ops[i];
    uint32_t left = 0;
    for (uint32_t k = o.first_need; k != o.first_need + o.needs; ++k)
      left += h.status[program.needs[k].op] < (program.needs[k].started ? kStarted : kDone);
    expect(h.needs_left[i] == left && (h.status[i] == kWaits || left == 0));
  }
}

/// Calculations that run, each with its end among the events, and those that wait for their processor.
void Nics::State::check_calculations(const Host& h) const {
  const auto expect = [](bool holds) { expect_state(holds, "calculations of a rank"); };
  std::vector<uint16_t> cpus, busy = h.cpus;
  uint32_t running = 0;
  for (uint32_t i = 0; i != h.status.size(); ++i) {
    const Op& o = op(h, i);
    if (o.kind != OpKind::calc || o.amount == 0 || h.status[i] != kStarted) continue;
    ++running;
    if (o.cpu != Op::kTimer) cpus.push_back(o.cpu);
  }
  std::vector<uint32_t> ends;
  for (const Event& e : heap) {
    if (e.what == Happens::calculated && &hosts[e.node] == &h) ends.push_back(e.op);
  }
  std::sort(cpus.begin(), cpus.end()), std::sort(busy.begin(), busy.end()), std::sort(ends.begin(), ends.end());
  expect(running == h.running && cpus == busy && ends.size() == running);
  expect(std::adjacent_find(ends.begin(), ends.end()) == ends.end());
  for (const uint32_t i : ends) expect(h.status[i] == kStarted);
  for (const uint32_t i : h.queued) expect(is_op(rank(h), i) && op(h, i).kind == OpKind::calc && h.status[i] == kWaits);
}

void Nics::State::check_queue(const Host& h, const Queue<Out>& queue, bool data) const {
  const auto expect = [](bool holds) { expect_state(holds, "a send queue"); };
  expect(queue.holds());
  for (const Out& out : queue) {
    expect(is_op(rank(h), out.op) && out.part <= Part::ack_done && (out.part == Part::data) == data);
    const Op& o = op(h, out.op);
    const bool of_send = out.part == Part::data || out.part == Part::header || out.part == Part::ack_answer ||
                         out.part == Part::ack_done;
    expect(o.kind == (of_send ? OpKind::send : OpKind::recv) && out.iteration < rank(h).iterations);
    const bool first = !is_ack(out.part) && of_send && out.before == 0;  // the operation is not done before it has left
    expect(!first || (out.iteration == h.iteration && h.status[out.op] == kStarted));
    expect(out.packets == (data ? plan.cut(o.amount).packets : 1) && out.sent < out.packets);
    expect(plan.resends() || (!is_ack(out.part) && out.before == 0));
    expect(plan.rendezvous(o) || out.part == Part::data || out.part == Part::ack_data);
  }
}

/// Messages of which some packets are here.
void Nics::State::check_arriving(const Host& h) const {
  const auto expect = [](bool holds) { expect_state(holds, "a message that is arriving"); };
  for (size_t k = 0; k != h.arriving.size(); ++k) {
    const In& in = h.arriving[k];
    expect(is_packet(in.source, in.first, rank(h).address));
    const RankPlan& from = plan.ranks[plan.rank_of(in.source)];
    const auto [i, iteration, within] = number(from, in.first);
    const Op& o = from.program->ops[i];
    const bool rendezvous = plan.rendezvous(o);
    const uint32_t packets = plan.cut(o.amount).packets;
    expect(loop::part_of(o, rendezvous, packets, within) == Part::data && within == (rendezvous ? 1u : 0u));
    expect(in.packets == packets && in.left != 0 && in.left <= packets && in.op == from.partner[i] &&
           in.iteration == iteration && in.phase == from.phase_base + o.phase);
    if (!plan.resends()) continue;
    uint32_t there = 0;
    for (const uint64_t word : h.bits[k]) there += static_cast<uint32_t>(std::popcount(word));
    expect(h.bits[k].size() == (packets + 63) / 64 && there == packets - in.left &&
           (packets % 64 == 0 || h.bits[k].back() >> packets % 64 == 0));
  }
}

}  // namespace odonata::network
