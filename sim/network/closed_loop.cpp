// SPDX-License-Identifier: Apache-2.0
#include "sim/network/closed_loop.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <stdexcept>
#include <tuple>

#include "models/common/error.h"
#include "models/common/random.h"
#include "models/common/state_check.h"
#include "models/workload/program.h"
#include "sim/network/result.h"
#include "sim/network/topology.h"

namespace odonata::network {

using workload::Job;
using workload::Op;
using workload::OpKind;

namespace {

constexpr uint32_t kNever = std::numeric_limits<uint32_t>::max() - 1;  // no run is that long

/// A rank of any job as the engine needs it.
struct RankPlan {
  const workload::Rank* program = nullptr;
  uint32_t job = 0, base = 0;  // number of rank 0 of the job
  uint32_t iterations = 1;
  uint32_t phase_base = 0;           // of the job, over all phases
  uint32_t node = 0, address = 0;    // of the network
  uint32_t straggles = 0;            // cycles later in every iteration
  std::vector<uint32_t> partner;     // [op]
  std::vector<uint32_t> first_id;    // [op], and the packets of an iteration at the end
  std::vector<uint32_t> heads;       // [op] in dependents
  std::vector<uint32_t> dependents;  // op * 2 + whether it waits only for the start
};

/// A link's worth of a message.
struct Cut {
  uint64_t flits = 1;
  uint32_t packets = 1;
};

}  // namespace

class LoopPlan {
 public:
  LoopPlan(const Config& config, const Wiring& wiring);
  bool rendezvous(const Op& op) const { return op.amount > eager_limit_; }
  Cut cut(uint64_t bytes) const {
    Cut out;
    out.flits = std::max<uint64_t>(1, (bytes + flit_bytes_ - 1) / flit_bytes_);
    out.packets = static_cast<uint32_t>((out.flits + packet_flits_ - 1) / packet_flits_);
    return out;
  }
  uint8_t flits_of(uint64_t bytes, uint32_t packet) const {
    const Cut c = cut(bytes);
    return static_cast<uint8_t>(packet + 1 == c.packets ? c.flits - uint64_t{packet} * packet_flits_ : packet_flits_);
  }
  /// Of a calculation, from its ns.
  uint64_t cycles(uint64_t ns) const {
    return clock_ == 1 ? ns : static_cast<uint64_t>(std::ceil(static_cast<double>(ns) * clock_));
  }
  uint64_t pace() const { return pace_; }
  /// Whether everything is acknowledged, and sent again when it is not.
  bool resends() const { return resend_ != 0; }
  uint32_t tries() const { return tries_; }
  /// Cycles from the entry of what has been sent `sent` times to its time-out, which doubles.
  uint64_t patience(uint32_t sent) const { return resend_ << std::min(sent - 1, 20u); }
  uint32_t rank_at(uint32_t node) const { return rank_of_node_[node]; }
  /// kNone: no rank has it.
  uint32_t rank_of(uint32_t address) const {
    return address < rank_of_address_.size() ? rank_of_address_[address] : kNone;
  }
  uint32_t delay(uint32_t rank, uint32_t iteration) const {
    const uint64_t jitter = jitter_ == 0 ? 0 : mix_seed(seed_, 0x6A697474, rank, iteration) % (jitter_ + 1);
    return static_cast<uint32_t>(std::min<uint64_t>(kNever, jitter + ranks[rank].straggles));
  }

  std::vector<RankPlan> ranks;
  std::vector<std::string> phases;  // of all jobs
  const Wiring& wiring;
  const workload::Workload& jobs;
  static constexpr uint32_t kNone = ~0u;
  static constexpr int kPaceBits = 16;

 private:
  void place(const Config& config);
  void number_packets(RankPlan& rank) const;
  static void list_dependents(RankPlan& rank);
  void set_stragglers(const std::string& text);

  uint64_t eager_limit_, flit_bytes_, packet_flits_, jitter_, seed_, resend_;
  uint32_t tries_;
  uint64_t pace_;  // 2^-kPaceBits cycles that a flit of data takes at the NIC
  double clock_;
  std::vector<uint32_t> rank_of_node_, rank_of_address_;
};

void DeleteLoopPlan::operator()(const LoopPlan* plan) const { delete plan; }

LoopPlanPointer make_loop_plan(const Config& config, const Wiring& wiring) {
  return LoopPlanPointer(config.workload ? new LoopPlan(config, wiring) : nullptr);
}

LoopPlan::LoopPlan(const Config& config, const Wiring& w)
    : wiring(w),
      jobs(*config.workload),
      eager_limit_(config.programs.eager_limit),
      flit_bytes_(static_cast<uint64_t>(config.programs.flit_bytes)),
      packet_flits_(static_cast<uint64_t>(config.router.packet_flits())),
      jitter_(0),
      seed_(config.seed),
      resend_(config.programs.resend),
      tries_(static_cast<uint32_t>(config.programs.resend_tries)),
      pace_(static_cast<uint64_t>(std::llround(static_cast<double>(1 << kPaceBits) / config.programs.nic_rate))),
      clock_(config.programs.clock) {
  jitter_ = cycles(config.programs.jitter);
  for (uint32_t j = 0; j < jobs.jobs.size(); ++j) {
    const Job& job = jobs.jobs[j];
    const auto base = static_cast<uint32_t>(ranks.size()), phase_base = static_cast<uint32_t>(phases.size());
    if (job.ranks.empty()) throw Error("workload " + job.name + ": no rank");
    workload::totals(job);
    workload::Partners partners = workload::match(job);
    workload::check_order(job, partners, eager_limit_);
    phases.insert(phases.end(), job.phases.begin(), job.phases.end());
    for (uint32_t r = 0; r < job.ranks.size(); ++r) {
      RankPlan rank;
      rank.program = &job.ranks[r];
      rank.job = j;
      rank.base = base;
      rank.iterations = job.iterations;
      rank.phase_base = phase_base;
      rank.partner = std::move(partners[r]);
      number_packets(rank);
      list_dependents(rank);
      ranks.push_back(std::move(rank));
    }
  }
  place(config);
  set_stragglers(config.programs.straggler);
}

/// The packets of a rank have numbers in the order of its program: those of a send (header first), two control packets
/// of a receive by rendezvous; and behind them the acknowledgements of what comes from the partner, when there are any
/// (`number_of`).
void LoopPlan::number_packets(RankPlan& rank) const {
  uint64_t next = 0;
  for (const Op& op : rank.program->ops) {
    rank.first_id.push_back(static_cast<uint32_t>(next));
    const uint64_t packets =
        op.kind == OpKind::send && op.amount / flit_bytes_ < Nics::kMark ? cut(op.amount).packets : 0;
    if (op.kind == OpKind::send) next += (packets == 0 ? uint64_t{Nics::kMark} : packets) + (rendezvous(op) ? 1 : 0);
    if (op.kind == OpKind::recv && rendezvous(op)) next += 2;
    if (resends() && op.kind != OpKind::calc) next += rendezvous(op) ? 2 : op.kind == OpKind::recv ? 1 : 0;
    if (next * rank.iterations >= Nics::kMark) throw Error("workload: a rank sends more than 2147483647 packets");
  }
  rank.first_id.push_back(static_cast<uint32_t>(next));
}

void LoopPlan::list_dependents(RankPlan& rank) {
  const workload::Rank& program = *rank.program;
  rank.heads.assign(program.ops.size() + 1, 0);
  for (const workload::Need& need : program.needs) ++rank.heads[need.op + 1];
  for (size_t i = 1; i < rank.heads.size(); ++i) rank.heads[i] += rank.heads[i - 1];
  rank.dependents.resize(program.needs.size());
  std::vector<uint32_t> next(rank.heads.begin(), rank.heads.end() - 1);
  for (uint32_t i = 0; i < program.ops.size(); ++i) {
    const Op& op = program.ops[i];
    for (uint32_t k = op.first_need; k != op.first_need + op.needs; ++k)
      rank.dependents[next[program.needs[k].op]++] = 2 * i + program.needs[k].started;
  }
}

/// Which node a rank is on.
void LoopPlan::place(const Config& config) {
  const std::string& how = config.programs.mapping;
  const auto nodes = static_cast<size_t>(wiring.nodes);
  if (ranks.size() > nodes) {
    throw Error("workload: " + std::to_string(ranks.size()) + " ranks, " + config.topology->name() + " has " +
                std::to_string(nodes) + " nodes");
  }
  std::vector<uint32_t> order(nodes);
  for (uint32_t i = 0; i < nodes; ++i) order[i] = i;
  if (how == "random") {
    Random random(mix_seed(seed_, 0x6D617073));
    for (size_t i = nodes; i > 1; --i) std::swap(order[i - 1], order[random.below(static_cast<uint32_t>(i))]);
  } else if (how == "group") {  // the ranks of a router side by side, routers group after group in turn
    if (wiring.domains == 1 || wiring.is_cut())
      throw Error("--mapping group: " + config.topology->name() + " has no groups");
    using Place = std::tuple<size_t, size_t, size_t, uint32_t>;  // router of its group, group, port, node
    std::vector<Place> places;
    const auto ports = static_cast<size_t>(wiring.ports), routers = static_cast<size_t>(wiring.routers);
    for (size_t i = 0; i < wiring.wire.size(); ++i) {
      if (wiring.wire[i].kind == LinkKind::node)
        places.emplace_back(i / ports % routers, i / ports / routers, i % ports, wiring.wire[i].peer);
    }
    std::sort(places.begin(), places.end());
    for (size_t i = 0; i < nodes; ++i) order[i] = std::get<3>(places[i]);
  } else if (!config.programs.placed.empty()) {
    order = config.programs.placed;
    if (order.size() < ranks.size())
      throw Error("--mapping " + how + ": " + std::to_string(order.size()) + " nodes for " +
                  std::to_string(ranks.size()) + " ranks");
  } else if (how != "linear") {
    throw Error("--mapping: '" + how + "' is unknown, expected linear, random, group, file:FILE");
  }
  const std::vector<uint32_t> addresses = wiring.addresses();
  rank_of_node_.assign(nodes, kNone);
  rank_of_address_.assign(*std::max_element(addresses.begin(), addresses.end()) + 1, kNone);
  for (uint32_t r = 0; r < ranks.size(); ++r) {
    const uint32_t node = order[r];
    if (node >= nodes)
      throw Error("--mapping " + how + ": node " + std::to_string(node) + " of " + std::to_string(nodes));
    if (rank_of_node_[node] != kNone)
      throw Error("--mapping " + how + ": node " + std::to_string(node) + " for two ranks");
    rank_of_node_[node] = r;
    rank_of_address_[addresses[node]] = r;
    ranks[r].node = node;
    ranks[r].address = addresses[node];
  }
}

/// "RANK:NS,RANK:NS".
void LoopPlan::set_stragglers(const std::string& text) {
  std::set<uint64_t> given;
  for (size_t from = 0; from < text.size();) {
    const size_t to = std::min(text.find(',', from), text.size());
    const std::string one = text.substr(from, to - from);
    const size_t colon = one.find(':');
    const auto number = [&one](const std::string& word) {
      uint64_t value = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
      if (error != std::errc() || end != word.data() + word.size() || value > kNever)
        throw Error("--straggler: '" + one + "', expected RANK:NS");
      return value;
    };
    const uint64_t rank = number(one.substr(0, colon)),
                   ns = number(colon == std::string::npos ? "" : one.substr(colon + 1));
    if (rank >= ranks.size())
      throw Error("--straggler: rank " + std::to_string(rank) + " of " + std::to_string(ranks.size()));
    if (!given.insert(rank).second) throw Error("--straggler: rank " + std::to_string(rank) + " is given twice");
    ranks[rank].straggles = static_cast<uint32_t>(std::min<uint64_t>(cycles(ns), kNever));
    from = to + 1;
  }
}

namespace {

/// What goes from a rank to another one for an operation: data and header of a send, answer and done of a receive by
/// rendezvous. The second four acknowledge the first four of the partner.
enum class Part : uint32_t { data, header, answer, done, ack_data, ack_header, ack_answer, ack_done };
constexpr uint32_t kAck = static_cast<uint32_t>(Part::ack_data);
bool is_ack(Part part) { return static_cast<uint32_t>(part) >= kAck; }
Part ack_of(Part part) { return static_cast<Part>(static_cast<uint32_t>(part) + kAck); }
Part acked_by(Part part) { return static_cast<Part>(static_cast<uint32_t>(part) - kAck); }

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
uint32_t number_of(Part part, bool rendezvous, uint32_t packets, uint32_t packet) {
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
Part part_of(const Op& op, bool rendezvous, uint32_t packets, uint32_t number) {
  if (op.kind == OpKind::recv) {
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
Happens arrival_of(Part part) {
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
  uint32_t first = kNever, last = 0;
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

enum : uint8_t { kWaits, kStarted, kDone };

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

}  // namespace

/// What a packet's number says.
struct Number {
  uint32_t op = 0, iteration = 0;  // of the sender
  uint32_t within = 0;             // its packets of that operation
};

struct Nics::State {
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
    sums.last = std::max(sums.last, now);
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
                                       number_of(out.part, rendezvous, packets, out.sent));
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
    const Part part = part_of(o, rendezvous, packets, within);
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

// ---- what a state from a checkpoint has to be

/// The operation is one of a rank, of that kind (calc: of any).
static bool is_op(const RankPlan& rank, uint32_t op, OpKind kind = OpKind::calc) {
  const auto& ops = rank.program->ops;
  return op < ops.size() && (kind == OpKind::calc || ops[op].kind == kind);
}

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
    expect_state(e.node < hosts.size() && hosts[e.node].rank != LoopPlan::kNone && e.part < kAck &&
                     e.what <= Happens::timeout && e.number < events,
                 "an event of a program");
    const Host& h = hosts[e.node];
    expect_state(e.iteration <= rank(h).iterations && (e.what == Happens::begin || is_op(rank(h), e.op)),
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
      expect_state(is_op(r, t.op) && op(h, t.op).kind != OpKind::calc && static_cast<uint32_t>(t.part) < kAck,
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
    expect(part_of(o, rendezvous, packets, within) == Part::data && within == (rendezvous ? 1u : 0u));
    expect(in.packets == packets && in.left != 0 && in.left <= packets && in.op == from.partner[i] &&
           in.iteration == iteration && in.phase == from.phase_base + o.phase);
    if (!plan.resends()) continue;
    uint32_t there = 0;
    for (const uint64_t word : h.bits[k]) there += static_cast<uint32_t>(std::popcount(word));
    expect(h.bits[k].size() == (packets + 63) / 64 && there == packets - in.left &&
           (packets % 64 == 0 || h.bits[k].back() >> packets % 64 == 0));
  }
}

bool Nics::knows(const Flit& flit) const { return state_->is_packet(flit.source, flit.born & ~kMark, flit.dest); }

Nics::Nics(const LoopPlan& plan, int domain) : state_(std::make_unique<State>(plan, next_event_)) {
  const size_t ports = static_cast<size_t>(plan.wiring.routers) * plan.wiring.ports;
  for (size_t i = static_cast<size_t>(domain) * ports; i != (static_cast<size_t>(domain) + 1) * ports; ++i) {
    const PortWire& wire = plan.wiring.wire[i];
    if (wire.kind != LinkKind::node) continue;
    Host h;
    h.rank = plan.rank_at(wire.peer);
    has_rank_.push_back(h.rank != LoopPlan::kNone);
    if (has_rank_.back() != 0) {
      const size_t ops = plan.ranks[h.rank].program->ops.size();
      h.needs_left.resize(ops);
      h.started.resize(ops);
      h.status.resize(ops);
      if (plan.resends()) h.got.resize(ops);
      ++state_->ranks_left;
    }
    state_->hosts.push_back(std::move(h));
  }
  state_->is_touched.resize(has_rank_.size());
  for (uint32_t n = 0; n < has_rank_.size(); ++n) {
    if (has_rank(n)) state_->happens(plan.delay(state_->hosts[n].rank, 0), n, Happens::begin);
    if (has_rank(n)) state_->hosts[n].busy = plan.delay(state_->hosts[n].rank, 0);
  }
  if (state_->heap.empty()) next_event_ = kNever;
}

Nics::~Nics() = default;

const std::vector<uint32_t>& Nics::serve(uint32_t now) {
  state_->serve(now);
  return state_->touched;
}

Packet Nics::head(uint32_t n) const {
  const Host& h = state_->hosts[n];
  if (h.control.empty() && h.data.empty()) return {GeometricGap::kNever, 0, 1};
  const Out& out = state_->next_out(h);
  const Op& o = state_->op(h, out.op);
  const uint32_t dest = state_->peer(h, o).address;
  if (out.part != Part::data) return {out.queued, dest, 1};
  return {std::max(out.queued, static_cast<uint32_t>(h.free >> LoopPlan::kPaceBits)), dest,
          state_->plan.flits_of(o.amount, out.sent)};
}

uint32_t Nics::take(uint32_t n, uint32_t now) { return state_->take(n, now); }

void Nics::entered(uint32_t n, uint32_t now) {
  Host& h = state_->hosts[n];
  if (h.leaving == LoopPlan::kNone) return;
  state_->happens(now, n, Happens::sent, h.leaving);
  h.leaving = LoopPlan::kNone;
}

void Nics::delivered(uint32_t n, const Flit& flit, uint32_t cycle) {
  if (is_own(flit)) state_->delivered(n, flit.source, flit.born & ~kMark, cycle - kUncountedCycles);
}

uint64_t Nics::waiting(uint32_t n) const {
  uint64_t out = 0;
  for (const Queue<Out>* queue : {&state_->hosts[n].control, &state_->hosts[n].data}) {
    for (const Out& o : *queue) out += o.packets - o.sent;
  }
  return out;
}

uint32_t Nics::ranks_left() const { return state_->ranks_left; }

bool Nics::gave_up() const { return state_->gave_up != 0; }

bool Nics::will_act(uint32_t now) const {
  const auto waits_for_its_pace = [now](const Host& h) {
    return !h.data.empty() && h.free >> LoopPlan::kPaceBits > now;
  };
  return !state_->heap.empty() || std::any_of(state_->hosts.begin(), state_->hosts.end(), waits_for_its_pace);
}

namespace {

/// The state as bytes, and back; the same visitor as a checkpoint's.
class ToBytes {
 public:
  template <class T>
  void operator()(const std::vector<T>& list) {
    static_assert(std::is_trivially_copyable_v<T>);
    (*this)(list.size());
    add(list.data(), list.size() * sizeof(T));
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  void operator()(const T& number) { add(&number, sizeof number); }
  std::vector<char> bytes;

 private:
  void add(const void* data, size_t size) {
    bytes.insert(bytes.end(), static_cast<const char*>(data), static_cast<const char*>(data) + size);
  }
};

class FromBytes {
 public:
  [[maybe_unused]] static constexpr bool kReads = true;
  explicit FromBytes(const std::vector<char>& bytes) : bytes_(bytes) {}
  bool at_end() const { return at_ == bytes_.size(); }
  template <class T>
  void operator()(std::vector<T>& list) {
    size_t size = 0;
    (*this)(size);
    expect_state(size <= (bytes_.size() - at_) / sizeof(T), "a list of a program");
    list.resize(size);
    take(list.data(), size * sizeof(T));
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  void operator()(T& number) { take(&number, sizeof number); }

 private:
  void take(void* data, size_t size) {
    expect_state(size <= bytes_.size() - at_, "a number of a program");
    if (size != 0) std::memcpy(data, bytes_.data() + at_, size);
    at_ += size;
  }
  const std::vector<char>& bytes_;
  size_t at_ = 0;
};

}  // namespace

std::vector<char> Nics::save() const {
  ToBytes to;
  state_->visit_state(to);
  return std::move(to.bytes);
}

void Nics::load(const std::vector<char>& bytes) {
  FromBytes from(bytes);
  state_->visit_state(from);
  state_->resumed = true;
  expect_state(from.at_end(), "the length of the state of programs");
  state_->check_state();
  next_event_ = state_->heap.empty() ? kNever : state_->heap.front().cycle;
}

/// Sums over domains.
struct LoopSums {
  static LoopResult result(const LoopPlan& plan, const std::vector<const Nics*>& domains);
};

LoopResult LoopSums::result(const LoopPlan& plan, const std::vector<const Nics*>& domains) {
  LoopResult out;
  std::vector<PhaseSums> phases(plan.phases.size());
  std::vector<const Host*> hosts(plan.ranks.size());
  for (const Nics* nics : domains) {
    const Nics::State& s = *nics->state_;
    out.time_cycles = std::max<uint64_t>(out.time_cycles, s.time);
    out.control_packets += s.control_packets;
    out.resent += s.resent, out.acknowledgements += s.acknowledgements, out.duplicates += s.duplicates,
        out.given_up += s.gave_up;
    for (const Host& h : s.hosts) {
      if (h.rank != LoopPlan::kNone) hosts[h.rank] = &h;
    }
    for (size_t i = 0; i < phases.size(); ++i) {
      const PhaseSums& from = s.phases[i];
      PhaseSums& to = phases[i];
      to.messages += from.messages, to.received += from.received, to.bytes += from.bytes, to.packets += from.packets;
      to.arrivals += from.arrivals;
      to.created += from.created, to.entered += from.entered, to.arrived += from.arrived;
      to.first = std::min(to.first, from.first);
      to.last = std::max(to.last, from.last);
    }
  }
  const auto mean = [](const PhaseSums& s, uint64_t since) {
    if (s.packets == 0 || s.arrivals != s.packets) return std::numeric_limits<double>::quiet_NaN();
    return static_cast<double>(static_cast<int64_t>(s.arrived - since)) / static_cast<double>(s.packets);
  };
  PhaseSums all;
  for (const Job& job : plan.jobs.jobs) {
    JobResult j{job.name, job.note, static_cast<uint32_t>(out.ranks.size()), static_cast<uint32_t>(job.ranks.size()),
                0,        {}};
    for (uint32_t r = 0; r < j.ranks; ++r) {
      const uint32_t number = j.first_rank + r;
      RankResult rank;
      rank.node = plan.ranks[number].node;
      if (const Host* h = hosts[number]; h != nullptr) {
        rank.calculation = h->busy;
        if (h->finished != kNever) {
          rank.finished = h->finished;
          rank.communication = h->finished - h->busy;
        } else {
          ++out.unfinished_ranks;
          for (uint32_t i = 0; i < h->status.size() && out.waits.empty(); ++i) {
            if (h->status[i] == kStarted)
              out.waits = describe(job, r, i) + ", iteration " + std::to_string(h->iteration);
          }
        }
        if (out.gave_up.empty() && !h->given_up.empty()) {
          const Transfer& t = h->given_up.front();
          const auto peer = static_cast<uint32_t>(plan.ranks[number].base + job.ranks[r].ops[t.op].peer);
          out.gave_up = describe(job, r, t.op) + ", iteration " + std::to_string(t.iteration) + ": node " +
                        std::to_string(plan.ranks[peer].node) + " has not answered node " + std::to_string(rank.node) +
                        " in " + std::to_string(t.sent) + " tries";
        }
      }
      j.time_cycles = j.time_cycles < 0 || rank.finished < 0 ? -1 : std::max(j.time_cycles, rank.finished);
      out.ranks.push_back(rank);
    }
    for (const std::string& name : job.phases) {
      const PhaseSums& s = phases[plan.ranks.empty() ? 0 : j.phases.size() + plan.ranks[j.first_rank].phase_base];
      j.phases.push_back({name, s.messages, s.bytes, s.packets, mean(s, s.entered), mean(s, s.created),
                          s.first == kNever ? -1 : static_cast<int64_t>(s.first),
                          s.first == kNever ? -1 : static_cast<int64_t>(s.last)});
      out.messages += s.messages, out.received += s.received, out.bytes += s.bytes, out.packets += s.packets;
      all.packets += s.packets, all.arrivals += s.arrivals;
      all.created += s.created, all.entered += s.entered, all.arrived += s.arrived;
    }
    out.jobs.push_back(std::move(j));
  }
  out.nic = mean(all, all.entered);
  out.creation = mean(all, all.created);
  return out;
}

LoopResult loop_result(const LoopPlan& plan, const std::vector<const Nics*>& domains) {
  return LoopSums::result(plan, domains);
}

uint64_t hash_of(const workload::Workload& workload) {
  uint64_t out = 0;
  const auto add = [&out](uint64_t value) { out = mix_seed(out, value); };
  for (const Job& job : workload.jobs) {
    add(job.iterations);
    for (const workload::Rank& r : job.ranks) {
      add(r.ops.size());
      for (const Op& o : r.ops) {
        add(o.amount);
        add(uint64_t{o.peer} << 32 | o.tag);
        add(static_cast<uint64_t>(o.kind) << 32 | static_cast<uint64_t>(o.phase) << 16 | o.cpu);
        for (uint32_t k = o.first_need; k != o.first_need + o.needs; ++k)
          add(2 * uint64_t{r.needs[k].op} + r.needs[k].started);
      }
    }
  }
  return out;
}

}  // namespace odonata::network
