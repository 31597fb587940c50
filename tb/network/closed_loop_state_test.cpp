// SPDX-License-Identifier: Apache-2.0
// States of programs behind right checksums, one thing wrong in each: every clause of Nics::State::check_state()
// refuses a state that nothing else does (docs/network_ranks.md §5).
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/network/closed_loop_state.h"
#include "sim/network/state_file.h"
#include "sim/network/topology.h"
#include "tb/common/error_text.h"

namespace odonata::network {
namespace {

using loop::Event;
using loop::Happens;
using loop::Host;
using loop::Part;
using workload::Op;
using workload::OpKind;

constexpr uint64_t kFlitBytes = 32;
constexpr size_t kRanks = 3;     // on nodes 0, 1, 2
constexpr uint32_t kNobody = 5;  // a node without a rank
constexpr uint8_t kWaits = 0, kStarted = 1;
constexpr uint64_t kMiddle = 30;  // cycle

// Operations of rank 0 and what they are in the middle of the run.
enum : uint32_t { kSent, kSends, kCalculates, kReceives, kWaitsToReceive, kWaitsToSend, kOps };

Op operation(OpKind kind, uint64_t amount, uint32_t peer = 0) {
  Op out;
  out.kind = kind, out.amount = amount, out.peer = peer;
  return out;
}

/// Rank 0 sends to rank 1 and calculates, rank 1 calculates before it answers, rank 2 has nothing to do and begins
/// late.
Config programs(uint64_t resend) {
  Config c(make_topology("mesh:3x3"));
  workload::Workload all;
  all.jobs.resize(1);
  workload::Job& job = all.jobs[0];
  job.name = "two of three", job.iterations = 2;
  job.ranks.resize(kRanks);
  workload::Rank &first = job.ranks[0], &second = job.ranks[1];
  constexpr uint64_t kLong = 100'000;  // ns
  first.add(operation(OpKind::send, 1, 1), {});
  first.add(operation(OpKind::send, 80 * kFlitBytes, 1), {});
  first.add(operation(OpKind::calc, kLong), {});
  first.add(operation(OpKind::recv, 1, 1), {});
  first.add(operation(OpKind::recv, 1, 1), {{kCalculates, 0}});
  first.add(operation(OpKind::send, 1, 1), {{kReceives, 0}});
  second.add(operation(OpKind::recv, 1, 0), {});
  second.add(operation(OpKind::recv, 80 * kFlitBytes, 0), {});
  second.add(operation(OpKind::calc, kLong), {});
  second.add(operation(OpKind::send, 1, 0), {{2, 0}});
  second.add(operation(OpKind::send, 1, 0), {{2, 0}});
  second.add(operation(OpKind::recv, 1, 0), {{2, 0}});
  // Who looks one operation too far sees one that he would take, and reads no memory that is not there.
  for (workload::Rank* r : {&first, &second}) {
    r->ops.reserve(r->ops.size() + 1);
    r->ops.push_back(operation(OpKind::send, 1, 0));
    r->ops.pop_back();
  }
  c.workload = std::make_shared<const workload::Workload>(std::move(all));
  c.programs.resend = resend;
  c.programs.straggler = "2:5000";
  c.load = 0;
  return c;
}

/// What Nics saves, in its order.
struct Programs {
  std::vector<Event> heap;
  std::vector<loop::PhaseSums> phases;
  uint32_t ranks_left = 0, time = 0;
  uint64_t events = 0, sums[5] = {};
  std::vector<Host> hosts = std::vector<Host>(kRanks);

  template <class Visit>
  void visit_state(Visit&& visit) {
    visit(heap), visit(phases), visit(ranks_left), visit(time), visit(events);
    for (uint64_t& s : sums) visit(s);
    for (Host& h : hosts) h.visit_state(visit);
  }
  /// One event more, the last of all.
  void add(Event e) {
    e.cycle = 1'000'000;
    e.number = events++;
    heap.push_back(e);
  }
  void add(uint32_t node, Happens what, uint32_t op, Part part = Part::data) {
    Event e;
    e.node = node, e.what = what, e.op = op, e.part = static_cast<uint16_t>(part);
    add(e);
  }
};

/// Programs on a network where every packet arrives after five cycles, taken to the middle of their run.
class Halfway {
 public:
  explicit Halfway(uint64_t resend)
      : config_(programs(resend)),
        wiring_(config_.topology->wire(config_)),
        plan_(make_loop_plan(config_, wiring_)),
        nics_(*plan_, 0) {
    struct Packet {
      uint64_t cycle;
      uint32_t node;
      Flit flit;
    };
    const std::vector<uint32_t> addresses = wiring_.addresses();
    std::vector<Packet> under_way;
    for (uint32_t now = 0; now != kMiddle; ++now) {
      for (uint32_t n = 0; n != kRanks; ++n) {
        const auto head = nics_.head(n);
        if (head.born > now) continue;
        Packet p{now + 5, 0, {}};
        p.flit.source = addresses[n], p.flit.dest = head.dest;
        p.flit.born = nics_.take(n, now + 1);
        p.node = static_cast<uint32_t>(std::find(addresses.begin(), addresses.end(), head.dest) - addresses.begin());
        nics_.entered(n, now + 1);
        under_way.push_back(p);
      }
      for (const Packet& p : under_way) {
        if (p.cycle == now) nics_.delivered(p.node, p.flit, now + 1);
      }
      nics_.serve(now);
    }
    good_ = nics_.save();
  }
  const std::vector<char>& good() const { return good_; }
  Programs state() const {
    StateReader from(std::string(good_.begin(), good_.end()));
    Programs out;
    out.visit_state(from);
    EXPECT_TRUE(from.at_end());
    return out;
  }
  /// Why bytes are refused, by NICs that have just had the good ones: what lies behind the end of a list is as it was.
  std::string why(const std::vector<char>& bytes) {
    return error_text([&] {
      nics_.load(good_);
      nics_.load(bytes);
    });
  }
  std::string why(Programs state) {
    StateWriter to;
    state.visit_state(to);
    return why({to.bytes().begin(), to.bytes().end()});
  }

 private:
  Config config_;
  Wiring wiring_;
  LoopPlanPointer plan_;
  Nics nics_;
  std::vector<char> good_;
};

struct Wrong {
  const char* name;
  const char* part;  ///< that is refused
  std::function<void(Programs&)> make;
};

void expect_refused(Halfway& run, const std::vector<Wrong>& all) {
  for (const Wrong& w : all) {
    Programs state = run.state();
    w.make(state);
    EXPECT_EQ(run.why(state), std::string("checkpoint: the state of another program: ") + w.part) << w.name;
  }
}

TEST(ClosedLoopState, TheMiddleOfARunHasWhatTheOthersChange) {
  for (const uint64_t resend : {0, 2000}) {
    Halfway run(resend);
    Programs good = run.state();
    EXPECT_EQ(run.why(good), "");
    StateWriter to;
    good.visit_state(to);
    EXPECT_EQ(std::vector<char>(to.bytes().begin(), to.bytes().end()), run.good());
    const std::vector<uint8_t> status{2, kStarted, kStarted, kStarted, kWaits, kWaits};
    EXPECT_EQ(good.hosts[0].status, status);
    EXPECT_EQ(good.hosts[1].arriving.size(), 1u);
    EXPECT_EQ(good.hosts[1].bits.size(), resend == 0 ? 0u : 1u);
    EXPECT_EQ(good.hosts[0].leaving, LoopPlan::kNone);
    EXPECT_EQ(good.hosts[2].status.size(), 0u);
    const auto begins = [](const Event& e) { return e.what == Happens::begin && e.node == 2; };
    EXPECT_EQ(std::count_if(good.heap.begin(), good.heap.end(), begins), 1);
    EXPECT_GE(good.heap.size(), 3u);
    EXPECT_NE(good.heap.front().cycle, good.heap.back().cycle);
  }
}

TEST(ClosedLoopState, EventsThatCannotBeAreRefused) {
  const char* const kEvent = "an event of a program";
  const auto event = [kEvent](const char* name, uint32_t node, Happens what, uint32_t op, Part part = Part::data) {
    return Wrong{name, kEvent, [=](Programs& p) { p.add(node, what, op, part); }};
  };
  const auto changed = [kEvent](const char* name, const std::function<void(Event&)>& change) {
    return Wrong{name, kEvent, [change](Programs& p) {
                   p.add(0, Happens::acknowledged, kSends);
                   change(p.heap.back());
                 }};
  };
  Halfway run(2000), plain(0);
  Programs good = run.state();
  good.add(0, Happens::acknowledged, kSends);
  EXPECT_EQ(run.why(good), "") << "what is changed below";
  expect_refused(run,
                 {{"not the earliest on top", "the order of a program's events",
                   [](Programs& p) { std::swap(p.heap.front(), p.heap.back()); }},
                  {"a second begin", "the begin of an iteration", [](Programs& p) { p.add(2, Happens::begin, 0); }},
                  event("a node without a rank", kNobody, Happens::begin, 0),
                  event("a node beyond the last", 9, Happens::begin, 0),
                  changed("a part beyond the last", [](Event& e) { e.part = loop::kAck; }),
                  changed("beyond what happens", [](Event& e) { e.what = static_cast<Happens>(10); }),
                  changed("a number that comes next", [](Event& e) { ++e.number; }),
                  changed("an iteration after the last", [](Event& e) { e.iteration = 2; }),
                  event("an operation after the last", 0, Happens::acknowledged, kOps),
                  event("a calculation that is a send", 0, Happens::calculated, kSends),
                  event("a send that has left and is a receive", 0, Happens::sent, kReceives),
                  event("an answer to a receive", 0, Happens::answer, kReceives),
                  event("a receive that is told to be done", 0, Happens::done, kReceives),
                  event("what arrives for a send", 0, Happens::arrived, kSends),
                  event("a header for a send", 0, Happens::header, kSends),
                  event("data of a receive that are late", 0, Happens::timeout, kReceives),
                  event("a send that has left and not started", 0, Happens::sent, kWaitsToSend),
                  event("an answer to what has not started", 0, Happens::answer, kWaitsToSend),
                  event("done without a start", 0, Happens::done, kWaitsToSend),
                  event("a send that has left twice", 0, Happens::sent, kSent),
                  event("a calculation that comes again", 0, Happens::again, kCalculates, Part::header),
                  {"a send of which it is not told whether it has started", kEvent, [](Programs& p) {
                     p.add(0, Happens::sent, kSends);
                     p.hosts[0].status.resize(kSends);
                   }}});
  expect_refused(plain, {event("again, where nothing is", 0, Happens::again, kSends),
                         event("acknowledged, where nothing is", 0, Happens::acknowledged, kSends),
                         event("late, where nothing is", 0, Happens::timeout, kSends)});
}

TEST(ClosedLoopState, RanksThatCannotBeAreRefused) {
  const char *const kOperations = "operations of a rank", *const kAcknowledged = "what has to be acknowledged",
                    *const kLeaves = "the message that leaves", *const kCalculations = "calculations of a rank",
                    *const kIteration = "the iteration of a rank";
  const auto first = [](const char* name, const char* part, const std::function<void(Host&)>& change) {
    return Wrong{name, part, [change](Programs& p) { change(p.hosts[0]); }};
  };
  const auto transfer = [=](const char* name, uint32_t op, Part part) {
    return first(name, kAcknowledged, [=](Host& h) { h.ahead.push_back({op, 1, part, 0}); });
  };
  Halfway run(2000), plain(0);
  Programs good = run.state();
  good.hosts[0].ahead.push_back({kSends, 1, Part::done, 0});
  EXPECT_EQ(run.why(good), "") << "what is changed below";
  expect_refused(
      run,
      {{"a phase too few", "phases of programs", [](Programs& p) { p.phases.pop_back(); }},
       {"a rank too few that has not ended", "ranks that have not ended", [](Programs& p) { --p.ranks_left; }},
       first("more needs than operations", kOperations, [](Host& h) { h.needs_left.push_back(0); }),
       first("more starts than operations", kOperations, [](Host& h) { h.started.push_back(0); }),
       first("more operations than the program has", kOperations,
             [](Host& h) { h.status.push_back(kWaits), ++h.ops_left; }),
       first("parts of more than there is", kOperations, [](Host& h) { h.got.push_back(0); }),
       {"no packets of what arrives", kOperations, [](Programs& p) { p.hosts[1].bits.clear(); }},
       {"a packet that is here and awaited", "a message that is arriving",
        [](Programs& p) { p.hosts[1].bits.front().front() &= p.hosts[1].bits.front().front() - 1; }},
       first("an iteration after the end", kIteration, [](Host& h) { h.iteration = 3; }),
       {"an end before the last iteration", kIteration, [](Programs& p) { p.hosts[0].finished = 5, --p.ranks_left; }},
       first("a processor that calculates nothing", kCalculations, [](Host& h) { h.cpus.push_back(3); }),
       first("a calculation too many", kCalculations, [](Host& h) { ++h.running; }),
       first("a receive that leaves", kLeaves, [](Host& h) { h.leaving = kReceives; }),
       first("a send that leaves before it starts", kLeaves, [](Host& h) { h.leaving = kWaitsToSend; }),
       first("an operation after the last that leaves", kLeaves, [](Host& h) { h.leaving = kOps; }),
       first("a send that came early", "a message that came early",
             [](Host& h) {
               h.early.push_back({kSends, 0});
             }),
       transfer("an operation after the last", kOps, Part::data),
       transfer("a calculation", kCalculates, Part::data),
       transfer("an acknowledgement", kSends, Part::ack_data)});
  expect_refused(plain, {first("parts where nothing is acknowledged", kOperations, [](Host& h) { h.got.resize(kOps); }),
                         {"packets where nothing is sent again", kOperations,
                          [](Programs& p) { p.hosts[1].bits.resize(p.hosts[1].arriving.size()); }}});
}

/// Cut in the middle of its last number, and a number too long.
TEST(ClosedLoopState, StatesOfAnotherLengthAreRefused) {
  Halfway run(2000);
  const auto refused = [](const char* part) {
    return std::string("checkpoint: the state of another program: ") + part;
  };
  std::vector<char> bytes = run.good();
  bytes.pop_back();
  EXPECT_EQ(run.why(bytes), refused("a number of a program"));
  bytes = run.good();
  bytes.push_back(0);
  EXPECT_EQ(run.why(bytes), refused("the length of the state of programs"));
  bytes = run.good();
  bytes[4] = 1;  // 2^32 events more
  EXPECT_EQ(run.why(bytes), refused("a list of a program"));
}

}  // namespace
}  // namespace odonata::network
