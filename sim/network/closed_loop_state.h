// SPDX-License-Identifier: Apache-2.0
// The ranks of a domain and their network interfaces: what they hold and how they react (docs/workloads.md §2, §3);
// inside of closed_loop.h.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "models/common/state_check.h"
#include "sim/network/closed_loop_plan.h"

namespace odonata::network {

namespace loop {

/// What goes from a rank to another one for an operation: data and header of a send, answer and done of a receive by
/// rendezvous. The second four acknowledge the first four of the partner.
enum class Part : uint32_t { data, header, answer, done, ack_data, ack_header, ack_answer, ack_done };
inline constexpr uint32_t kAck = static_cast<uint32_t>(Part::ack_data);
inline bool is_ack(Part part) { return static_cast<uint32_t>(part) >= kAck; }
inline Part ack_of(Part part) { return static_cast<Part>(static_cast<uint32_t>(part) + kAck); }
inline Part acked_by(Part part) { return static_cast<Part>(static_cast<uint32_t>(part) - kAck); }

/// A message or control packet in a send queue.
struct Out {
  uint32_t op = 0, iteration = 0;
  Part part = Part::data;
  uint32_t sent = 0;  // packets that have entered
  uint32_t packets = 1;
  uint32_t created = 0;  // cycle: the send has started
  uint32_t queued = 0;   // cycle
  uint32_t before = 0;   // times that it has been sent before
};

/// The number of a packet among those of its operation, which has `packets` packets of data.
inline uint32_t number_of(Part part, bool rendezvous, uint32_t packets, uint32_t packet) {
  switch (part) {
    case Part::data:
      return packet + (rendezvous ? 1 : 0);
    case Part::header:
    case Part::answer:
      return 0;
    case Part::done:
      return 1;
    case Part::ack_data:
      return rendezvous ? 3 : 0;
    case Part::ack_header:
      return 2;
    case Part::ack_answer:
      return packets + 1;
    case Part::ack_done:
      return packets + 2;
  }
  return 0;
}
/// And back.
inline Part part_of(const workload::Op& op, bool rendezvous, uint32_t packets, uint32_t number) {
  if (op.kind == workload::OpKind::recv) {
    constexpr Part kOf[] = {Part::answer, Part::done, Part::ack_header, Part::ack_data};
    return rendezvous ? kOf[number] : Part::ack_data;
  }
  if (!rendezvous) return Part::data;
  return number == 0             ? Part::header
         : number <= packets     ? Part::data
         : number == packets + 1 ? Part::ack_answer
                                 : Part::ack_done;
}

/// Something of this node that has not been acknowledged; of a partner that has arrived ahead of its iteration.
struct Transfer {
  uint32_t op = 0, iteration = 0;
  Part part = Part::data;
  uint32_t sent = 0;  // times
  bool is(uint32_t o, uint32_t i, Part p) const { return op == o && iteration == i && part == p; }
};

/// A message that is arriving, by the numbers of its packets.
struct In {
  uint32_t source = 0;  // address
  uint32_t first = 0, packets = 0, left = 0;
  uint32_t op = 0, iteration = 0;  // of the receive
  uint32_t phase = 0;
};

struct Early {  // arrived before its receive has started: a whole message or a header
  uint32_t op = 0, iteration = 0;
};

enum class Happens : uint32_t { begin, calculated, sent, arrived, header, answer, done, again, acknowledged, timeout };
inline Happens arrival_of(Part part) {
  return part == Part::data     ? Happens::arrived
         : part == Part::header ? Happens::header
         : part == Part::answer ? Happens::answer
                                : Happens::done;
}

struct Event {
  uint32_t cycle = 0, node = 0, op = 0, iteration = 0;
  Happens what = Happens::begin;
  uint16_t part = 0, sent = 0;  // of what has come again, is acknowledged or late
  uint64_t number = 0;          // events of a cycle happen in the order in which they were made
  bool operator<(const Event& o) const {
    return std::tie(o.cycle, o.number) < std::tie(cycle, number);
  }  // earliest on top of the heap
};

struct PhaseSums {
  uint64_t messages = 0, received = 0, bytes = 0, packets = 0, arrivals = 0;
  uint64_t created = 0, entered = 0, arrived = 0;  // sums of cycles, over packets
  uint32_t first = kNever, ended = 0;  // cycle behind the one in which the last operation ended; 0: none has
};

/// A queue that is a vector; what has left is cut off now and then.
template <class T>
class Queue {
 public:
  bool empty() const { return next_ == list_.size(); }
  T& front() { return list_[next_]; }
  const T& front() const { return list_[next_]; }
  void push(const T& t) { list_.push_back(t); }
  void pop() {
    if (++next_ < 64 || 2 * next_ < list_.size()) return;
    list_.erase(list_.begin(), list_.begin() + static_cast<std::ptrdiff_t>(next_));
    next_ = 0;
  }
  /// Whether what was read is a queue.
  bool holds() const { return next_ <= list_.size(); }
  const T* begin() const { return list_.data() + next_; }
  const T* end() const { return list_.data() + list_.size(); }
  template <class Visit>
  void visit_state(Visit&& visit) {
    visit(list_), visit(next_);
  }

 private:
  std::vector<T> list_;
  size_t next_ = 0;
};

/// A node with a rank.
struct Host {
  uint32_t rank = LoopPlan::kNone;
  uint32_t iteration = 0;
  uint32_t ops_left = 0;
  uint32_t running = 0, busy_since = 0;  // calculations
  uint32_t finished = kNever;
  uint64_t busy = 0;
  uint64_t free = 0;                   // from when on the NIC may send data, in parts of a cycle
  uint32_t leaving = LoopPlan::kNone;  // the send whose last packet is entering
  // Only when what is lost is sent again:
  std::vector<Transfer> unacknowledged, given_up;
  std::vector<std::vector<uint64_t>> bits;  // [arriving], a bit a packet that is there
  std::vector<uint8_t> got;                 // [op], a bit a part that is there, of this iteration
  std::vector<Transfer> ahead;              // the same of later ones
  Queue<Out> control, data;
  std::vector<In> arriving;
  std::vector<Early> early;
  std::vector<uint32_t> needs_left;  // [op]
  std::vector<uint32_t> started;     // [op], cycle
  std::vector<uint8_t> status;       // [op]
  std::vector<uint16_t> cpus;        // busy ones
  std::vector<uint32_t> queued;      // calculations that wait for theirs
  template <class Visit>
  void visit_state(Visit&& visit) {
    visit(iteration), visit(ops_left), visit(running), visit(busy_since), visit(finished), visit(busy), visit(free),
        visit(leaving);
    control.visit_state(visit), data.visit_state(visit);
    visit(arriving), visit(early), visit(needs_left), visit(started), visit(status), visit(cpus), visit(queued);
    visit(unacknowledged), visit(given_up), visit(got), visit(ahead);
    size_t open = bits.size();
    visit(open);
    expect_state(open == 0 || open == arriving.size(), "packets of messages that are arriving");
    bits.resize(open);
    for (std::vector<uint64_t>& b : bits) visit(b);
  }
};

/// What a packet's number says.
struct Number {
  uint32_t op = 0, iteration = 0;  // of the sender
  uint32_t within = 0;             // its packets of that operation
};

}  // namespace loop

struct Nics::State {
  using Op = workload::Op;
  using OpKind = workload::OpKind;
  using Early = loop::Early;
  using Event = loop::Event;
  using Happens = loop::Happens;
  using Host = loop::Host;
  using In = loop::In;
  using Number = loop::Number;
  using Out = loop::Out;
  using Part = loop::Part;
  using PhaseSums = loop::PhaseSums;
  using Transfer = loop::Transfer;
  template <class T>
  using Queue = loop::Queue<T>;
  enum : uint8_t { kWaits, kStarted, kDone };  // of an operation

  explicit State(const LoopPlan& p, uint32_t& next_event)
      : plan(p), next_event_of_all(next_event), phases(p.phases.size()) {}

  const LoopPlan& plan;
  uint32_t& next_event_of_all;
  std::vector<Host> hosts;  // by node of the domain
  std::vector<Event> heap;
  std::vector<PhaseSums> phases;
  std::vector<uint32_t> ready;    // operations of the host in hand that can start
  std::vector<uint32_t> touched;  // hosts with another head
  std::vector<uint8_t> is_touched;
  uint32_t ranks_left = 0, time = 0;
  uint64_t events = 0, control_packets = 0;
  uint64_t resent = 0, acknowledgements = 0, duplicates = 0, gave_up = 0;
  bool resumed = false;  // from a checkpoint

  /// An error of the engine; after a checkpoint one of its state: whose packet comes when, only the run shows.
  [[noreturn]] void cannot_be(const char* what) const {
    if (resumed) expect_state(false, what);
    throw std::logic_error(std::string("network engine: ") + what);
  }

  template <class Visit>
  void visit_state(Visit&& visit) {
    visit(heap), visit(phases), visit(ranks_left), visit(time), visit(events), visit(control_packets);
    visit(resent), visit(acknowledgements), visit(duplicates), visit(gave_up);
    for (Host& h : hosts) {
      if (h.rank != LoopPlan::kNone) h.visit_state(visit);
    }
  }

  const RankPlan& rank(const Host& h) const { return plan.ranks[h.rank]; }
  const Op& op(const Host& h, uint32_t i) const { return rank(h).program->ops[i]; }
  PhaseSums& phase(const Host& h, const Op& o) { return phases[rank(h).phase_base + o.phase]; }
  const RankPlan& peer(const Host& h, const Op& o) const { return plan.ranks[rank(h).base + o.peer]; }

  void happens(uint64_t cycle, uint32_t node, Happens what, uint32_t op = 0, uint32_t iteration = 0,
               Part part = Part::data, uint32_t sent = 0) {
    const auto then = static_cast<uint32_t>(std::min<uint64_t>(cycle, kNever));
    heap.push_back(
        {then, node, op, iteration, what, static_cast<uint16_t>(part), static_cast<uint16_t>(sent), events++});
    std::push_heap(heap.begin(), heap.end());
    next_event_of_all = heap.front().cycle;
  }
  void touch(uint32_t n) {
    if (is_touched[n] != 0) return;
    is_touched[n] = 1;
    touched.push_back(n);
  }
  void queue(uint32_t n, Part part, uint32_t i, uint32_t iteration, uint32_t created, uint32_t now,
             uint32_t before = 0) {
    Host& h = hosts[n];
    Out out{i, iteration, part, 0, 1, created, now, before};
    if (part == Part::data) out.packets = plan.cut(op(h, i).amount).packets;
    (part == Part::data ? h.data : h.control).push(out);
    touch(n);
  }

  void serve(uint32_t now) {
    for (const uint32_t n : touched) is_touched[n] = 0;
    touched.clear();
    while (!heap.empty() && heap.front().cycle <= now) {
      const Event e = heap.front();
      std::pop_heap(heap.begin(), heap.end());
      heap.pop_back();
      react(e, now);
    }
    next_event_of_all = heap.empty() ? kNever : heap.front().cycle;
  }
  void react(const Event& e, uint32_t now) {
    Host& h = hosts[e.node];
    const auto part = static_cast<Part>(e.part);
    const bool came = e.what == Happens::again || (plan.resends() && e.what >= Happens::arrived &&
                                                   e.what <= Happens::done && !is_own_message(h, e));
    if (came) queue(e.node, ack_of(part), e.op, e.iteration, now, now);
    switch (e.what) {
      case Happens::again:
        break;
      case Happens::acknowledged:
        acknowledged(h, e.op, e.iteration, part);
        break;
      case Happens::timeout:
        time_out(e.node, {e.op, e.iteration, part, e.sent}, now);
        break;
      case Happens::begin:
        begin(e.node, now);
        break;
      case Happens::calculated:
        calculated(e.node, e.op, now);
        break;
      case Happens::sent:
      case Happens::done:
        finish(e.node, e.op, now);
        break;
      case Happens::answer:
        queue(e.node, Part::data, e.op, e.iteration, h.started[e.op], now);
        break;
      case Happens::arrived:
      case Happens::header:
        if (h.iteration == e.iteration && h.status[e.op] == kStarted) {
          received(e.node, e.op, e.what == Happens::header, now);
        } else {
          h.early.push_back({e.op, e.iteration});
        }
        break;
    }
    start_ready(e.node, now);
  }
  bool is_own_message(const Host& h, const Event& e) const { return &peer(h, op(h, e.op)) == &rank(h); }

  void acknowledged(Host& h, uint32_t i, uint32_t iteration, Part part) {
    const auto same = [&](const Transfer& t) { return t.is(i, iteration, part); };
    h.unacknowledged.erase(std::remove_if(h.unacknowledged.begin(), h.unacknowledged.end(), same),
                           h.unacknowledged.end());
  }
  /// It has been sent so often and was not acknowledged in time: sent again, or given up.
  void time_out(uint32_t n, const Transfer& late, uint32_t now) {
    Host& h = hosts[n];
    const auto same = [&](const Transfer& t) {
      return t.is(late.op, late.iteration, late.part) && t.sent == late.sent;
    };
    if (std::none_of(h.unacknowledged.begin(), h.unacknowledged.end(), same)) return;
    acknowledged(h, late.op, late.iteration, late.part);
    if (late.sent < plan.tries()) return queue(n, late.part, late.op, late.iteration, now, now, late.sent);
    h.given_up.push_back(late);
    ++gave_up;
  }
  /// The last packet of something enters the network.
  void expect_acknowledgement(uint32_t n, const Out& out, uint32_t now) {
    const Transfer t{out.op, out.iteration, out.part, out.before + 1};
    hosts[n].unacknowledged.push_back(t);
    happens(now - 1 + plan.patience(t.sent), n, Happens::timeout, t.op, t.iteration, t.part, t.sent);
  }

  /// Whether something from a partner has come, whole.
  bool has(const Host& h, uint32_t i, uint32_t iteration, Part part) const {
    if (iteration != h.iteration) {
      const auto same = [&](const Transfer& t) { return t.is(i, iteration, part); };
      return iteration < h.iteration || std::any_of(h.ahead.begin(), h.ahead.end(), same);
    }
    return (h.got[i] >> static_cast<uint32_t>(part) & 1) != 0;
  }
  void note(Host& h, uint32_t i, uint32_t iteration, Part part) {
    if (iteration != h.iteration) return h.ahead.push_back({i, iteration, part, 0});
    h.got[i] = static_cast<uint8_t>(h.got[i] | 1u << static_cast<uint32_t>(part));
  }
  /// What is there of the iteration that begins.
  void note_ahead(Host& h) {
    std::fill(h.got.begin(), h.got.end(), uint8_t{0});
    const auto now =
        std::partition(h.ahead.begin(), h.ahead.end(), [&h](const Transfer& t) { return t.iteration != h.iteration; });
    for (auto t = now; t != h.ahead.end(); ++t) note(h, t->op, t->iteration, t->part);
    h.ahead.erase(now, h.ahead.end());
  }

  /// What the started receive waited for is here: a header, or the whole message.
  void received(uint32_t n, uint32_t i, bool header, uint32_t now) {
    Host& h = hosts[n];
    if (header) return queue(n, Part::answer, i, h.iteration, now, now);
    const Op& o = op(h, i);
    ++phase(h, o).received;
    if (plan.rendezvous(o) && &peer(h, o) != &rank(h)) queue(n, Part::done, i, h.iteration, now, now);
    finish(n, i, now);
  }

  /// An iteration of the program, after its delay; the rank's end after the last one.
  void next_iteration(uint32_t n, uint32_t now) {
    Host& h = hosts[n];
    if (h.iteration == rank(h).iterations) {
      h.finished = now;
      time = std::max(time, now);
      --ranks_left;
      return;
    }
    const uint32_t delay = plan.delay(h.rank, h.iteration);
    if (delay == 0) return begin(n, now);
    h.busy += delay;
    happens(uint64_t{now} + delay, n, Happens::begin);
  }
  void begin(uint32_t n, uint32_t now) {
    Host& h = hosts[n];
    const workload::Rank& program = *rank(h).program;
    h.ops_left = static_cast<uint32_t>(program.ops.size());
    std::fill(h.status.begin(), h.status.end(), kWaits);
    for (uint32_t i = 0; i < program.ops.size(); ++i) {
      h.needs_left[i] = program.ops[i].needs;
      if (h.needs_left[i] == 0) ready.push_back(i);
    }
    if (h.ops_left != 0) return;
    h.iteration = rank(h).iterations;  // nothing to do, however often
    next_iteration(n, now);
  }
  void start_ready(uint32_t n, uint32_t now) {
    for (size_t k = 0; k < ready.size(); ++k) start(n, ready[k], now);  // grows meanwhile
    ready.clear();
  }
  /// Tells those that wait for the start, or for the end, of an operation.
  void release(Host& h, uint32_t i, uint32_t started) {
    const RankPlan& r = rank(h);
    for (uint32_t k = r.heads[i]; k != r.heads[i + 1]; ++k) {
      const uint32_t d = r.dependents[k];
      if ((d & 1) == started && --h.needs_left[d / 2] == 0) ready.push_back(d / 2);
    }
  }
  void start(uint32_t n, uint32_t i, uint32_t now) {
    Host& h = hosts[n];
    const Op& o = op(h, i);
    if (o.kind == OpKind::calc && o.cpu != Op::kTimer && o.amount != 0) {
      if (std::find(h.cpus.begin(), h.cpus.end(), o.cpu) != h.cpus.end()) return h.queued.push_back(i);
      h.cpus.push_back(o.cpu);
    }
    h.status[i] = kStarted;
    h.started[i] = now;
    PhaseSums& sums = phase(h, o);
    sums.first = std::min(sums.first, now);
    release(h, i, 1);
    if (o.kind == OpKind::send) return start_send(n, i, now);
    if (o.kind == OpKind::recv) return start_receive(n, i, now);
    if (o.amount == 0) return finish(n, i, now);
    if (h.running++ == 0) h.busy_since = now;
    happens(now + std::min<uint64_t>(plan.cycles(o.amount), kNever), n, Happens::calculated, i);
  }
  void start_send(uint32_t n, uint32_t i, uint32_t now) {
    Host& h = hosts[n];
    const Op& o = op(h, i);
    PhaseSums& sums = phase(h, o);
    ++sums.messages;
    sums.bytes += o.amount;
    if (&peer(h, o) == &rank(h)) {  // to itself: it is there at once
      happens(now, n, Happens::arrived, rank(h).partner[i], h.iteration);
      return finish(n, i, now);
    }
    queue(n, plan.rendezvous(o) ? Part::header : Part::data, i, h.iteration, now, now);
  }
  void start_receive(uint32_t n, uint32_t i, uint32_t now) {
    Host& h = hosts[n];
    const auto it = h.iteration;
    const auto found = std::find_if(h.early.begin(), h.early.end(),
                                    [i, it](const Early& e) { return e.op == i && e.iteration == it; });
    if (found == h.early.end()) return;
    *found = h.early.back();
    h.early.pop_back();
    const Op& o = op(h, i);
    received(n, i, plan.rendezvous(o) && &peer(h, o) != &rank(h), now);
  }
  void calculated(uint32_t n, uint32_t i, uint32_t now) {
    Host& h = hosts[n];
    const uint16_t cpu = op(h, i).cpu;
    if (--h.running == 0) h.busy += now - h.busy_since;
    if (cpu != Op::kTimer) {
      h.cpus.erase(std::find(h.cpus.begin(), h.cpus.end(), cpu));
      const auto next = std::find_if(h.queued.begin(), h.queued.end(), [&](uint32_t q) { return op(h, q).cpu == cpu; });
      if (next != h.queued.end()) {
        ready.push_back(*next);
        h.queued.erase(next);
      }
    }
    finish(n, i, now);
  }
  void finish(uint32_t n, uint32_t i, uint32_t now) {
    Host& h = hosts[n];
    if (h.status[i] != kStarted) cannot_be("an operation ends that has not started");
    h.status[i] = kDone;
    PhaseSums& sums = phase(h, op(h, i));
    sums.ended = std::max(sums.ended, now + 1);
    release(h, i, 0);
    if (--h.ops_left != 0) return;
    ++h.iteration;
    if (plan.resends()) note_ahead(h);
    next_iteration(n, now);
  }

  const Out& next_out(const Host& h) const { return h.control.empty() ? h.data.front() : h.control.front(); }
  uint32_t take(uint32_t n, uint32_t now) {
    Host& h = hosts[n];
    Queue<Out>& queue = h.control.empty() ? h.data : h.control;
    Out& out = queue.front();
    const Op& o = op(h, out.op);
    const RankPlan& r = rank(h);
    const bool rendezvous = plan.rendezvous(o);
    const uint32_t packets = is_ack(out.part) ? plan.cut(o.amount).packets : out.packets;
    const uint32_t id = Nics::kMark | (out.iteration * r.first_id.back() + r.first_id[out.op] +
                                       loop::number_of(out.part, rendezvous, packets, out.sent));
    h.leaving = LoopPlan::kNone;
    count(h, out, now);
    if (out.part == Part::data)
      h.free =
          std::max(h.free, uint64_t{now - 1} << LoopPlan::kPaceBits) + plan.pace() * plan.flits_of(o.amount, out.sent);
    if (++out.sent == out.packets) {
      if (out.part == Part::data && !rendezvous && out.before == 0) h.leaving = out.op;
      if (plan.resends() && !is_ack(out.part)) expect_acknowledgement(n, out, now);
      queue.pop();
    }
    return id;
  }
  /// A packet enters; what is sent again keeps its times.
  void count(const Host& h, const Out& out, uint32_t now) {
    if (out.before != 0) return void(++resent);
    if (is_ack(out.part)) return void(++acknowledgements);
    if (out.part != Part::data) return void(++control_packets);
    PhaseSums& sums = phase(h, op(h, out.op));
    ++sums.packets;
    sums.created += out.created;
    sums.entered += now - 1;
  }

  void delivered(uint32_t n, uint32_t source, uint32_t id, uint32_t now) {
    Host& h = hosts[n];
    const auto of = [source, id](const In& in) { return in.source == source && id - in.first < in.packets; };
    auto in = std::find_if(h.arriving.begin(), h.arriving.end(), of);
    if (in == h.arriving.end()) {
      if (!open(n, source, id, now)) return;
      in = h.arriving.end() - 1;
    }
    if (plan.resends() && !is_new(h, *in, id)) return void(++duplicates);
    ++phases[in->phase].arrivals;
    phases[in->phase].arrived += now;
    if (--in->left != 0) return;
    arrives(n, Part::data, in->op, in->iteration, now);
    if (plan.resends()) {
      std::swap(h.bits[static_cast<size_t>(in - h.arriving.begin())], h.bits.back());
      h.bits.pop_back();
    }
    *in = h.arriving.back();
    h.arriving.pop_back();
  }
  /// Marks a packet of an open message as arrived; false: it was.
  static bool is_new(Host& h, const In& in, uint32_t id) {
    uint64_t& word = h.bits[static_cast<size_t>(&in - h.arriving.data())][(id - in.first) / 64];
    const uint64_t bit = uint64_t{1} << (id - in.first) % 64;
    return (word & bit) == 0 && (word |= bit) != 0;
  }
  /// Something is here whole: the rank hears of it in cycle `now`.
  void arrives(uint32_t n, Part part, uint32_t i, uint32_t iteration, uint32_t now) {
    if (plan.resends()) note(hosts[n], i, iteration, part);
    happens(now, n, arrival_of(part), i, iteration, part);
  }
  /// Of a packet of a rank that sends some.
  static Number number(const RankPlan& from, uint32_t id) {
    const uint32_t an_iteration = from.first_id.back(), offset = id % an_iteration;
    const auto after = std::upper_bound(from.first_id.begin(), from.first_id.end(), offset);
    const auto i = static_cast<uint32_t>(after - from.first_id.begin()) - 1;
    return {i, id / an_iteration, offset - from.first_id[i]};
  }
  /// Whether a rank with this address sends such a packet, to address `to`.
  bool is_packet(uint32_t source, uint32_t id, uint32_t to) const {
    const uint32_t r = plan.rank_of(source);
    if (r == LoopPlan::kNone) return false;
    const RankPlan& from = plan.ranks[r];
    if (from.first_id.back() == 0 || id / from.first_id.back() >= from.iterations) return false;
    return plan.ranks[from.base + from.program->ops[number(from, id).op].peer].address == to;
  }
  void check_state() const;
  void check_events() const;
  void check_host(const Host& h, bool begins) const;
  void check_operations(const Host& h, bool begins) const;
  void check_calculations(const Host& h) const;
  void check_queue(const Host& h, const Queue<Out>& queue, bool data) const;
  void check_arriving(const Host& h) const;

  /// The first packet of something: it is known by its number. False: that is all; only a message may have more.
  bool open(uint32_t n, uint32_t source, uint32_t id, uint32_t now) {
    Host& h = hosts[n];
    const RankPlan& from = plan.ranks[plan.rank_of(source)];
    const auto [i, iteration, within] = number(from, id);
    const Op& o = from.program->ops[i];
    const uint32_t own = from.partner[i];
    if (plan.ranks[from.base + o.peer].address != rank(h).address) cannot_be("a message for another rank");
    const bool rendezvous = plan.rendezvous(o);
    const uint32_t packets = plan.cut(o.amount).packets;
    const Part part = loop::part_of(o, rendezvous, packets, within);
    if (is_ack(part)) return happens(now, n, Happens::acknowledged, own, iteration, acked_by(part)), false;
    const uint32_t first = id - within + (rendezvous ? 1 : 0);
    if (plan.resends() && has(h, own, iteration, part)) {
      ++duplicates;
      const bool last = part != Part::data || id - first + 1 == packets;
      if (last) happens(now, n, Happens::again, own, iteration, part);
      return false;
    }
    if (part != Part::data) return arrives(n, part, own, iteration, now), false;
    h.arriving.push_back({source, first, packets, packets, own, iteration, from.phase_base + o.phase});
    if (plan.resends()) h.bits.emplace_back((packets + 63) / 64);
    return true;
  }
};

}  // namespace odonata::network
