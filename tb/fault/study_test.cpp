// SPDX-License-Identifier: Apache-2.0
// Samples of a fault study, the parts of their critical chains, and the bound for one fault (docs/fault.md §7.1 to
// §7.3).
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "models/fault/audience.h"
#include "models/fault/fault_bound.h"
#include "models/fault/flow_bound.h"
#include "models/fault/worst_case.h"
#include "tb/fault/network_helpers.h"

namespace odonata::fault::test {
namespace {

/// A router of the design space.
Parameters design(const Dragonfly& d, std::string_view hardware, int poll_width, int banks, bool pipelined) {
  Parameters p;
  p.timing = Timing::of(d, hardware);
  p.timing.poll_width = poll_width;
  p.timing.banks = banks;
  p.timing.pipelined = pipelined;
  return p;
}

std::vector<Parameters> designs(const Dragonfly& d) {
  return {design(d, "full", 1, 1, false),   design(d, "full", 64, 1, false), design(d, "full", 1, 1, true),
          design(d, "native", 1, 1, false), design(d, "full", 64, 8, true),  design(d, "native", 4, 2, false)};
}

int64_t sum(const Shares& shares) {
  int64_t sum = 0;
  for (int64_t s : shares) sum += s;
  return sum;
}

TEST(FaultStudy, EveryFaultHasANumber) {
  for (const char* size : {"2,4,2,8", "2,4,2,9", "3,6,3,18"}) {
    const Dragonfly d = Dragonfly::parse(size);
    std::vector<Fault> links = all_links(d);
    const size_t all = links.size();
    size_t numbers = 0;
    for (FaultClass c : {FaultClass::local, FaultClass::global}) {
      for (int64_t i = 0; i < num_faults(d, c); ++i, ++numbers) std::erase(links, numbered_fault(d, c, i));
    }
    EXPECT_TRUE(links.empty()) << size;
    EXPECT_EQ(numbers, all) << size;
    EXPECT_EQ(num_faults(d, FaultClass::node), d.num_nodes());
    EXPECT_EQ(to_string(d, numbered_fault(d, FaultClass::router, d.num_routers() - 1)),
              to_string(d, Fault{true, d.router(d.num_routers() - 1), 0}));
  }
}

TEST(FaultStudy, ASampleDependsOnNothingBeforeIt) {
  const Dragonfly d = Dragonfly::named("tiny");
  const Parameters p = design(d, "full", 1, 1, false);
  const StudySettings settings{.faults = 2, .most_load = 0.6};
  Study busy(d, p, settings);
  std::vector<StudySample> all;
  for (int64_t i = 0; i < 12; ++i) all.push_back(busy.sample(FaultClass::local, i));
  for (int64_t i : {11, 3, 7}) {
    Study fresh(d, p, settings);
    EXPECT_TRUE(fresh.sample(FaultClass::local, i) == all[static_cast<size_t>(i)]) << i;
    EXPECT_TRUE(busy.sample(FaultClass::local, i) == all[static_cast<size_t>(i)]) << i;
  }
}

/// A sample without drawn polls and load is the run that `odonata fault` makes.
TEST(FaultStudy, ASampleIsARunOfTheNetwork) {
  const Dragonfly d = Dragonfly::named("tiny");
  const Parameters p = design(d, "full", 1, 1, false);
  Study study(d, p, {.draw_poll = false, .every = true});
  for (FaultClass c : {FaultClass::local, FaultClass::global, FaultClass::node, FaultClass::router}) {
    const StudySample sample = study.sample(c, 5);
    FaultPlaneNetwork n(d, p);
    apply(n, numbered_fault(d, c, 5), false, 0);
    n.run();
    EXPECT_EQ(sample.last_write, n.statistics().phases.last_write);
    EXPECT_EQ(sample.last_fd, n.statistics().phases.last_fd);
    EXPECT_EQ(sample.diagnosis, n.statistics().phases.diagnosis_done);
    const int64_t repair = n.now() + 1000;
    apply(n, numbered_fault(d, c, 5), true, repair);
    n.run();
    EXPECT_EQ(sample.recovery, n.statistics().phases.recovery_done - repair);
    EXPECT_TRUE(n.restored());
  }
}

/// Faults of a sample are different ones: as many as there are of a class are all of them.
TEST(FaultStudy, FaultsOfASampleAreDifferent) {
  const Dragonfly d = Dragonfly::named("tiny");
  const Parameters p = design(d, "full", 1, 1, false);
  for (const FaultClass c : {FaultClass::local, FaultClass::global}) {
    const auto all = static_cast<int>(num_faults(d, c));
    Study study(d, p, {.faults = all, .draw_poll = false});
    FaultPlaneNetwork n(d, p);
    for (int i = 0; i < all; ++i) apply(n, numbered_fault(d, c, i), false, 0);
    n.run();
    for (const int64_t number : {0, 1, 2}) {
      const StudySample sample = study.sample(c, number);
      EXPECT_EQ(sample.last_write, n.statistics().phases.last_write) << number;
      EXPECT_EQ(sample.diagnosis, n.statistics().phases.diagnosis_done) << number;
    }
  }
}

TEST(FaultStudy, ChainsAddUp) {
  for (const char* size : {"2,4,2,8", "3,6,3,19"}) {
    const Dragonfly d = Dragonfly::parse(size);
    for (const Parameters& p : designs(d)) {
      for (int faults : {1, 3}) {
        Study study(d, p, {.faults = faults, .most_load = 0.7});
        for (int i = 0; i < 40; ++i) {
          const StudySample s = study.sample(static_cast<FaultClass>(i % kFaultClasses), i);
          EXPECT_EQ(sum(s.chain), s.last_write) << size << ", " << to_string(p.timing) << ", sample " << i;
          for (int64_t share : s.chain) EXPECT_GE(share, 0);
        }
      }
    }
  }
}

TEST(FaultStudy, StepsFollowEachOther) {
  const Dragonfly d = Dragonfly::named("tiny");
  Parameters p = design(d, "full", 1, 1, false);
  p.record = true;
  FaultPlaneNetwork n(d, p);
  n.draw_poll(4);
  apply(n, fault(d, "local:G2.s0-G2.s2"), false, 100);
  n.run();
  const CriticalChain chain = critical_chain(n);
  ASSERT_GT(chain.steps.size(), 2u);
  EXPECT_EQ(chain.steps.front().from, 100);
  EXPECT_EQ(chain.steps.front().kind, ServiceKind::link_down);
  EXPECT_EQ(chain.steps.back().to, n.statistics().phases.last_write);
  EXPECT_EQ(sum(chain.total()), n.statistics().phases.last_write - 100);
  for (size_t i = 0; i < chain.steps.size(); ++i) {
    const ChainStep& s = chain.steps[i];
    EXPECT_EQ(s.sum(), s.to - s.from);
    if (i > 0) {
      EXPECT_EQ(s.from, chain.steps[i - 1].to);
    }
    const bool last = i + 1 == chain.steps.size(),
               across = !last && d.router(s.router).gid != d.router(chain.steps[i + 1].router).gid;
    EXPECT_EQ(s.cycles[static_cast<size_t>(Share::wire)], last     ? 0
                                                          : across ? p.timing.global_latency
                                                                   : p.timing.local_latency);
  }
  // The recovery has a chain of its own.
  const int64_t repair = n.now() + 500;
  apply(n, fault(d, "local:G2.s0-G2.s2"), true, repair);
  n.run();
  EXPECT_EQ(sum(critical_chain(n, true).total()), n.statistics().phases.recovery_write - repair);
  EXPECT_EQ(critical_chain(n).cycles(), chain.cycles());
}

/// A router with four stations and services of 10 cycles: lemma 1 by hand.
TEST(FaultBound, Flows) {
  const ServerTimes times{.service = 10, .stations = 4, .poll_width = 1};
  {
    FlowBound b(times);  // alone: three empty looks, or what the scheduler still has to do
    const int r = b.role();
    b.comes(b.flow(r, b.fifo(r, 1), 0), 0, 100);
    EXPECT_EQ(b.solve(), 100 + 4);
  }
  {
    FlowBound b(times);  // behind two other ports and an earlier message of its own, in two rounds: 3 services and 5
                         // empty looks, and one still at work
    const int r = b.role(), own = b.fifo(r, 1), other = b.fifo(r, 2);
    b.comes(b.flow(r, own, 0), 0, 90);
    b.comes(b.flow(r, own, 0), 0, 100);
    b.comes(b.flow(r, other, 0), 0, 100);
    EXPECT_EQ(b.solve(), 100 + 3 * 10 + 1);
  }
  {
    FlowBound b(times);  // what comes too late to be in front does not count
    const int r = b.role(), last = b.flow(r, b.fifo(r, 1), 0), late = b.flow(r, b.fifo(r, 1), 0);
    b.comes(last, 0, 10);
    b.comes(late, 500, 600);
    EXPECT_EQ(b.solve(), 604);
  }
  {
    FlowBound b({.service = 10, .stations = 12, .poll_width = 1});
    // Eight routers, the first tells seven mates, these tell each other (lemma 2): 6 services, 30 empty looks in three
    // rounds, or 18 in two and a wire; not 5 services and a wire for each of two.
    const int r = b.role(), first = b.flow(r, b.fifo(r, 1), 0), told = b.flow(r, b.fifo(r, 6), 0);
    b.comes(first, 0, 0);
    b.of_kind(first, 1);
    b.follows(told, first, 5, 5);
    b.mates_tell(told, 1, {first, 6, 5, 5});
    EXPECT_EQ(b.solve(), 6 * 10 + 30);
  }
  {
    // Between a global port and a local one lie 8 stations without messages: what comes to a global port later than
    // that before the end is not in front of a local one. Seen at what follows 1,000 cycles later.
    for (const auto& [least, services] : {std::pair{4, 1}, {5, 0}}) {
      FlowBound b({.service = 10, .stations = 12, .poll_width = 1, .bare = 8});
      const int r = b.role(), late = b.flow(r, b.fifo(r, 1, true), 0), local = b.flow(r, b.fifo(r, 1), 0);
      b.comes(local, 0, 0);
      b.comes(late, least, 90);
      const int end = b.role();
      b.follows(b.flow(end, b.fifo(end, 1), 0), local, 1000, 1000);
      EXPECT_EQ(b.solve(), services * 10 + 12 - services + 1000 + 12);
    }
  }
  {
    FlowBound b(times);  // a router that is busy until 200
    const int r = b.role(200, 200);
    b.comes(b.flow(r, b.fifo(r, 1), 0), 0, 10);
    EXPECT_EQ(b.solve(), 204);
  }
}

/// Ports in their order, what waits for the first of several messages, and lemma 3, by hand.
TEST(FaultBound, FlowsOfKnownPorts) {
  const ServerTimes times{.service = 10, .stations = 8, .poll_width = 1};
  {
    // At port 2, behind port 5, which has been looked at in 4 + 8 at the latest: the poll then comes from there.
    FlowBound b(times);
    const int r = b.role(), own = b.flow(r, b.fifo_at(r, 2), 0), other = b.flow(r, b.fifo_at(r, 5), 1);
    b.comes(own, 20, 20);
    b.comes(other, 0, 4);
    b.effect(other, -1000);
    EXPECT_EQ(b.solve(), 20 + 7);  // looked at in 11, so it is at work until 21 only
  }
  {
    FlowBound b(times);
    const int r = b.role(), own = b.flow(r, b.fifo_at(r, 2), 0), other = b.flow(r, b.fifo_at(r, 5), 1);
    b.comes(own, 20, 20);
    b.comes(other, 0, 14);
    b.effect(other, -1000);
    EXPECT_EQ(b.solve(), 14 + 7 + 10 + 4);  // 14 + 7 looked at, and from port 6 to port 2
  }
  {
    // What follows the first of two follows neither later than the one nor later than the other.
    FlowBound b(times);
    const int r = b.role(), one = b.flow(r, b.fifo_at(r, 0), 0), two = b.flow(r, b.fifo_at(r, 1), 1);
    b.comes(one, 0, 100);
    b.comes(two, 0, 300);
    const int to = b.role(), after = b.flow(to, b.fifo_at(to, 0), 0);
    b.leaves(after, FlowBound::When::first);
    b.follows_first(after, one, 5, 5, {two});
    b.follows_first(after, two, 5, 5, {one});
    b.solve();
    EXPECT_EQ(b.span(after).most, 100 + 7 + 5);
    FlowBound all(times);
    const int s = all.role(), first = all.flow(s, all.fifo_at(s, 0), 0), second = all.flow(s, all.fifo_at(s, 1), 1);
    all.comes(first, 0, 100);
    all.comes(second, 200, 300);
    const int late = all.role(), last = all.flow(late, all.fifo_at(late, 0), 0);
    all.leaves(last, FlowBound::When::all);
    all.follows(last, first, 5, 5);
    all.follows(last, second, 5, 5);
    all.solve();
    EXPECT_EQ(all.span(last).least, 205);
    EXPECT_EQ(all.span(last).most, 300 + 7 + 5);
  }
  {
    // What leaves before something else is served, or never, cannot come later.
    FlowBound b(times);
    const int r = b.role(), cause = b.flow(r, b.fifo_at(r, 0), 0), end = b.flow(r, b.fifo_at(r, 1), 1);
    b.comes(cause, 0, 900);
    b.comes(end, 0, 50);
    const int to = b.role(), told = b.flow(to, b.fifo_at(to, 0), 0);
    b.follows(told, cause, 5, 5);
    b.precedes(told, end, 5);
    b.solve();
    EXPECT_LE(b.span(told).most, 50 + 10 + 7 + 5);
    EXPECT_GE(b.span(told).most, 50 + 5);
  }
}

/// How many messages of a diagnosis are outside the bounds of `bound`, or not in its graph.
int outside(const FaultPlaneNetwork& n, const FaultBound& bound) {
  const Dragonfly& d = n.dragonfly();
  using Key = std::tuple<int, int, int, bool>;  // to, in, row, FR; with the class
  std::map<std::pair<Key, int>, size_t> number;
  for (size_t i = 0; i < bound.graph.messages.size(); ++i) {
    const GraphMessage& m = bound.graph.messages[i];
    number[{{m.to, m.in, m.to_row, m.restores}, static_cast<int>(m.message_class)}] = i;
  }
  const auto span = [&](int to, int in, const Message& m) -> const FlowBound::Span* {
    const int row = row_of_entry(d, aim(m, d.router(to)));
    const auto at = number.find({{to, in, row, m.kind == Kind::recovery}, static_cast<int>(m.message_class)});
    return at == number.end() ? nullptr : &bound.messages[at->second];
  };
  int out = 0;
  for (const Transfer& t : n.transfers()) {
    const auto* s = span(t.to, t.to_port, t.message);
    out += s == nullptr || t.arrived < s->least || t.arrived > s->most;
  }
  for (const Service& s : n.services()) {
    if (s.kind == ServiceKind::link_down) continue;
    const auto* bounds = span(s.router, s.port, s.message);
    out += bounds == nullptr || s.start > bounds->look;
  }
  return out;
}

/// Every message of a diagnosis is in the graph of its fault, comes between its bounds and is looked at by its bound.
TEST(FaultBound, EveryMessageIsWithinItsBounds) {
  for (const char* size : {"2,4,2,8", "2,4,2,9", "1,2,1,2", "1,2,2,4", "2,2,2,5", "1,3,3,7", "5,4,5,6", "1,5,1,6"}) {
    const Dragonfly d = Dragonfly::parse(size);
    for (const Mode mode : {Mode::safe, Mode::paper}) {
      for (Parameters p : designs(d)) {
        p.mode = mode;
        p.record = true;
        FaultPlaneNetwork n(d, p);
        for (FaultClass c : {FaultClass::local, FaultClass::global, FaultClass::router}) {
          const Fault fault = numbered_fault(d, c, num_faults(d, c) / 2);
          const FaultBound bound = fault_bound(d, p, fault);
          for (uint64_t seed = 1; seed <= 12; ++seed) {
            n.reset(0, 1);
            n.draw_poll(seed);
            apply(n, fault, false, 0);
            n.run();
            EXPECT_EQ(outside(n, bound), 0) << size << ", " << to_string(d, fault) << ", " << to_string(p.timing);
            EXPECT_LE(n.statistics().phases.last_write, bound.cycles);
          }
        }
      }
    }
  }
}

/// Nobody is told of a node link: the bound is the last step of the travel that changes a mark.
TEST(FaultBound, NodeLinksAreExact) {
  const Dragonfly d = Dragonfly::parse("5,4,5,6");
  for (const Parameters& p : designs(d)) {
    for (int port = 0; port < d.p(); ++port) {
      const Fault link{false, {2, 3}, port};
      FaultPlaneNetwork n(d, p);
      apply(n, link, false, 0);
      n.run();
      const FaultBound bound = fault_bound(d, p, link);
      EXPECT_EQ(bound.cycles, n.statistics().phases.last_write) << port << ", " << to_string(p.timing);
      EXPECT_TRUE(bound.messages.empty());
    }
  }
}

/// Control: the bounds of a faster router, or of another fault, do not hold.
TEST(FaultBound, BoundsOfAnotherRouterAreFoundOut) {
  const Dragonfly d = Dragonfly::named("tiny");
  Parameters p = design(d, "full", 1, 1, false);
  p.record = true;
  FaultPlaneNetwork n(d, p);
  const Fault fault = numbered_fault(d, FaultClass::router, 5);
  apply(n, fault, false, 0);
  n.run();
  EXPECT_EQ(outside(n, fault_bound(d, p, fault)), 0);
  EXPECT_GT(outside(n, fault_bound(d, p, numbered_fault(d, FaultClass::router, 6))), 0);
  p.timing.local_latency -= 1;
  EXPECT_GT(outside(n, fault_bound(d, p, fault)), 0);
}

/// The longest diagnosis that a search over the polls finds, from drawn ones on, of a drawn fault.
int64_t longest_found(const Dragonfly& d, const Parameters& p, FaultClass fault_class, Random& random) {
  const auto drawn = [&](int below) { return static_cast<int>(random.below(static_cast<uint32_t>(below))); };
  const Fault fault = numbered_fault(d, fault_class, drawn(static_cast<int>(num_faults(d, fault_class))));
  FaultPlaneNetwork n(d, p);
  std::vector<int> polls(static_cast<size_t>(d.num_routers()));
  for (int& poll : polls) poll = drawn(p.timing.stations);
  int64_t longest = 0;
  for (int step = 0; step < 200; ++step) {
    std::vector<int> moved = polls;
    for (int i = 0; i < 1 + step % 3; ++i)
      moved[static_cast<size_t>(drawn(d.num_routers()))] = drawn(p.timing.stations);
    n.reset(0, 1);
    for (int r = 0; r < d.num_routers(); ++r) n.set_poll(r, moved[static_cast<size_t>(r)]);
    apply(n, fault, false, 0);
    n.run();
    if (n.statistics().phases.last_write < longest) continue;
    longest = n.statistics().phases.last_write;
    polls = moved;
  }
  return longest;
}

/// Neither samples nor, in small networks, a search for polls that make a diagnosis longer. (One test: to find the
/// bounds takes most of the time.)
TEST(FaultBound, NoSampleAndNoSearchIsAboveIt) {
  for (const auto& [size, samples, searched] : {std::tuple{"2,4,2,8", 24, true},
                                                {"2,4,2,9", 24, true},
                                                {"3,6,3,19", 24, true},
                                                {"1,2,1,2", 24, false},
                                                {"1,3,1,4", 24, true},
                                                {"5,4,5,6", 24, false},
                                                {"2,5,4,21", 24, false},
                                                {"4,8,3,25", 24, false},
                                                {"6,12,6,73", 4, false}}) {
    const Dragonfly d = Dragonfly::parse(size);
    for (Mode mode : {Mode::safe, Mode::paper}) {
      for (Parameters p : designs(d)) {
        p.mode = mode;
        Study study(d, p, {.recovery = false});
        Random random(7);
        for (int c = 0; c < kFaultClasses; ++c) {
          const auto fault_class = static_cast<FaultClass>(c);
          const WorstCase bound = worst_case(d, p, fault_class);
          ASSERT_GT(bound.cycles, 0) << bound.why;
          SCOPED_TRACE(std::string(size) + ", " + kFaultClassNames[static_cast<size_t>(c)] + ", " +
                       to_string(p.timing));
          for (int i = 0; i < (samples < 24 && fault_class == FaultClass::router ? 1 : samples); ++i) {
            EXPECT_LE(study.sample(fault_class, i).last_write, bound.cycles) << "sample " << i;
            EXPECT_LE(study.network().statistics().rounds, 7);
          }
          if (searched && mode == Mode::safe) {
            EXPECT_LE(longest_found(d, p, fault_class, random), bound.cycles);
          }
        }
      }
    }
  }
}

/// The longest diagnosis over all positions of the polls of all routers but `without`.
int64_t longest_of_all_polls(const Dragonfly& d, const Parameters& p, const Fault& fault, int without) {
  FaultPlaneNetwork n(d, p);
  std::vector<int> polls(static_cast<size_t>(d.num_routers()));
  int64_t longest = 0;
  for (bool more = true; more;) {
    n.reset(0, 1);
    for (int r = 0; r < d.num_routers(); ++r) n.set_poll(r, polls[static_cast<size_t>(r)]);
    apply(n, fault, false, 0);
    n.run();
    longest = std::max(longest, n.statistics().phases.last_write);
    more = false;
    for (int r = 0; r < d.num_routers() && !more; ++r) {
      int& poll = polls[static_cast<size_t>(r)];
      if (r == without) continue;
      poll = (poll + 1) % p.timing.stations;
      more = poll != 0;
    }
  }
  return longest;
}

/// All positions of all polls of a small network: the longest of all is below the bound. (The longest of these faults;
/// the poll of a dead router does not matter.)
TEST(FaultBound, AllPollsOfASmallNetwork) {
  const Dragonfly d = Dragonfly::parse("1,3,1,3");
  const Parameters p = design(d, "native", 1, 1, false);
  for (const auto& [fault_class, number, longest, bound] : {std::tuple{FaultClass::local, 1, 276, 282},
                                                            {FaultClass::global, 1, 192, 192},
                                                            {FaultClass::router, 1, 293, 312}}) {
    const Fault fault = numbered_fault(d, fault_class, number);
    EXPECT_EQ(longest_of_all_polls(d, p, fault, fault.is_router ? d.router_index(fault.router) : -1), longest);
    EXPECT_EQ(worst_case(d, p, fault_class).cycles, bound);
  }
}

/// The scene of docs/fault.md §7.3: polls for the routers of some groups, all others at 0.
int64_t constructed_local_link(const Dragonfly& d, const Parameters& p) {
  struct Polls {
    int group;
    int of_router[12];
  };
  constexpr Polls kPolls[] = {
      {60, {30, 25, 22, 0, 0, 0, 0, 0, 0, 0, 53, 0}}, {64, {0, 0, 0, 0, 0, 0, 0, 0, 12, 0, 0, 33}},
      {66, {32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 29, 51}},  {67, {0, 26, 0, 0, 0, 0, 0, 0, 57, 0, 34, 46}},
      {68, {0, 0, 0, 0, 0, 0, 0, 23, 6, 0, 32, 3}},   {69, {0, 0, 0, 0, 0, 0, 0, 38, 0, 9, 27, 5}},
      {71, {0, 0, 0, 31, 0, 0, 0, 0, 0, 0, 0, 41}},   {72, {36, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 52}}};
  FaultPlaneNetwork n(d, p);
  for (const Polls& polls : kPolls) {
    for (int bid = 0; bid < d.a(); ++bid) n.set_poll(d.router_index({polls.group, bid}), polls.of_router[bid]);
  }
  apply(n, fault(d, "local:G70.s10-G70.s11"), false, 0);
  n.run();
  return n.statistics().phases.last_write;
}

/// The longest of some samples as a share of the bound.
double share(const Dragonfly& d, const Parameters& p, FaultClass c, std::initializer_list<int> samples) {
  Study study(d, p, {.recovery = false});
  int64_t most = 0;
  for (int i : samples) most = std::max(most, study.sample(c, i).last_write);
  return static_cast<double>(most) / static_cast<double>(worst_case(d, p, c).cycles);
}

/// Scenes that come close, of every class: a node link, a global link, a local link with constructed polls, a router
/// with a pipelined scheduler, and local links with long wires or short services.
TEST(FaultBound, ScenesComeWithinTenPercent) {
  const Dragonfly d = Dragonfly::named("paper");
  Parameters p = design(d, "full", 1, 1, false);
  Study study(d, p, {.every = true, .recovery = false});
  EXPECT_EQ(study.sample(FaultClass::node, d.p() - 1).last_write, worst_case(d, p, FaultClass::node).cycles);
  EXPECT_GT(share(d, p, FaultClass::global, {1118}), 0.9);
  EXPECT_GT(share(d, design(d, "full", 1, 1, true), FaultClass::router, {1}), 0.9);
  EXPECT_EQ(constructed_local_link(d, p), 2135);
  EXPECT_GE(worst_case(d, p, FaultClass::local).cycles, 2135);
  EXPECT_GT(2135, 0.9 * static_cast<double>(worst_case(d, p, FaultClass::local).cycles));
  p.timing.global_latency = 1000;
  EXPECT_GT(share(d, p, FaultClass::local, {4}), 0.9);
  p = design(d, "full", 64, 8, true);
  p.timing.global_latency = 200;
  EXPECT_GT(share(d, p, FaultClass::local, {6}), 0.9);
}

/// Where the polls are, and the last write of the fault.
int64_t last_write_of(const Dragonfly& d, const Parameters& p, const char* name, const std::vector<int>& polls) {
  FaultPlaneNetwork n(d, p);
  for (size_t r = 0; r < polls.size(); ++r) n.set_poll(static_cast<int>(r), polls[r]);
  apply(n, fault(d, name), false, 0);
  n.run();
  return n.statistics().phases.last_write;
}

/// Scenes of the tiny network: polls by router, found by climbing (docs/notes/2026-11-25-fault-bound.md).
TEST(FaultBound, ScenesOfTheTinyNetwork) {
  const Dragonfly d = Dragonfly::named("tiny");
  struct Scene {
    FaultClass fault_class;
    const char* fault;
    bool pipelined;
    int64_t longest;
    double share;  ///< of the bound
    std::vector<int> polls;
  };
  const Scene scenes[] = {
      {FaultClass::global, "global:G6-G7", false, 1510, 0.98, {4,  44, 39, 52, 39, 39, 49, 16, 23, 8,  37,
                                                               1,  63, 17, 12, 38, 39, 11, 5,  31, 59, 21,
                                                               55, 38, 22, 39, 24, 46, 58, 12, 3,  38}},
      {FaultClass::global, "global:G6-G7", true, 844, 0.98, {20, 58, 10, 38, 7,  7,  6,  14, 23, 24, 11,
                                                             46, 1,  1,  59, 12, 20, 16, 0,  2,  53, 29,
                                                             38, 0,  22, 63, 5,  1,  19, 34, 57, 28}},
      {FaultClass::router, "router:G5.s1", true, 1683, 0.9, {30, 37, 15, 32, 49, 24, 15, 59, 46, 53, 52,
                                                             42, 55, 15, 31, 33, 33, 58, 27, 36, 19, 11,
                                                             51, 21, 45, 2,  7,  29, 11, 61, 3,  8}},
      {FaultClass::local, "local:G4.s2-G4.s3", true, 637, 0.88, {53, 43, 3,  48, 30, 37, 43, 24, 57, 58, 59,
                                                                 11, 7,  48, 33, 14, 1,  8,  6,  12, 19, 35,
                                                                 52, 22, 51, 21, 34, 37, 26, 56, 7,  60}},
  };
  for (const Scene& s : scenes) {
    const Parameters p = design(d, "full", 1, 1, s.pipelined);
    EXPECT_EQ(last_write_of(d, p, s.fault, s.polls), s.longest) << s.fault;
    const int64_t bound = worst_case(d, p, s.fault_class).cycles;
    EXPECT_LE(s.longest, bound);
    EXPECT_GT(static_cast<double>(s.longest), s.share * static_cast<double>(bound)) << s.fault << ", bound " << bound;
  }
}

/// Small networks, too, also such as have a router with a single global port.
TEST(FaultBound, ScenesOfSmallNetworks) {
  const Dragonfly whole = Dragonfly::named("tiny"), d = Dragonfly::parse("2,4,2,9");
  EXPECT_GT(share(whole, design(whole, "full", 64, 1, true), FaultClass::router, {1}), 0.9);
  EXPECT_GT(share(whole, design(whole, "full", 1, 1, true), FaultClass::global, {67}), 0.9);
  EXPECT_GT(share(whole, design(whole, "full", 64, 1, true), FaultClass::local, {43}), 0.9);
  EXPECT_GT(share(d, design(d, "full", 64, 8, true), FaultClass::local, {0}), 0.9);
  EXPECT_GT(share(d, design(d, "full", 64, 8, false), FaultClass::global, {1}), 0.9);
  EXPECT_GT(share(d, design(d, "full", 64, 1, true), FaultClass::router, {2}), 0.9);
}

/// Who hears of a local link.
TEST(FaultBound, Audiences) {
  // dfly(1,3,1,3), direct: every router has at most one global link, group k hangs on router k of all others. Of a link
  // of group 0 the groups behind its ends hear: their router 0, which has no other global port and speaks at once.
  const std::set<Audience> lone = audiences(Dragonfly::parse("1,3,1,3"));
  for (const Audience& a : lone) {
    int routers = 0;
    for (const Listeners& l : a) {
      routers += l.routers;
      EXPECT_EQ(l.early, 0);
      EXPECT_EQ(l.speaks, l.attached || l.late > 0);
    }
    EXPECT_EQ(routers, 3);
  }
  EXPECT_TRUE(lone.contains({{false, 0, 0, false, 2}, {true, 0, 0, true, 1}}));
  // Paper size: whatever hears of a link, six ports are all that a router has.
  const Dragonfly paper = Dragonfly::named("paper");
  const std::set<Audience> all = audiences(paper);
  EXPECT_EQ(all.size(), 11u);
  for (const Audience& a : all) {
    for (const Listeners& l : a) EXPECT_EQ(l.speaks, l.early + l.late + (l.attached ? 1 : 0) == paper.h());
  }
}

/// The router of `group` at the other end of a global link of `router`; -1: there is none.
int attached_to(const Dragonfly& d, RouterId router, int group) {
  for (int port = d.first_global(); port < d.num_ports(); ++port) {
    const Dragonfly::Peer peer = d.peer(router, port);
    if (peer.connected && peer.router.gid == group) return peer.router.bid;
  }
  return -1;
}

bool two_attached_are_linked(const Dragonfly& d) {
  for (int r = 0; r < d.num_routers(); ++r) {
    for (int port = d.first_global(); port < d.num_ports(); ++port) {
      const RouterId own = d.router(r);
      const Dragonfly::Peer peer = d.peer(own, port);
      for (int group = 0; peer.connected && group < d.g(); ++group) {
        if (group == own.gid || group == peer.router.gid) continue;
        const int end = attached_to(d, own, group), other_end = attached_to(d, peer.router, group);
        if (end >= 0 && other_end >= 0 && end != other_end) return true;
      }
    }
  }
  return false;
}

/// In both arrangements they never are (docs/fault.md §7.3): the bound for a router does not count their messages.
TEST(FaultBound, AttachedRoutersOfTwoAreNeverLinked) {
  for (int a = 2; a <= 5; ++a) {
    for (int h = 1; h <= 4; ++h) {
      for (int g = 2; g <= a * h + 1; ++g) {
        for (const Arrangement arrangement : {Arrangement::direct, Arrangement::absolute}) {
          if (arrangement == Arrangement::direct && g > a * h) continue;
          const Dragonfly d({1, a, h, g}, arrangement);
          EXPECT_FALSE(two_attached_are_linked(d)) << d.name();
        }
      }
    }
  }
}

TEST(FaultBound, SaysWhyThereIsNone) {
  const Dragonfly d = Dragonfly::named("paper");
  const Parameters p;
  EXPECT_TRUE(worst_case(d, p, FaultClass::local).tight);
  EXPECT_TRUE(worst_case(d, p, FaultClass::router).tight);
  EXPECT_TRUE(worst_case(Dragonfly::named("tiny"), p, FaultClass::global).tight);
  EXPECT_TRUE(worst_case(Dragonfly::parse("1,2,1,2"), p, FaultClass::local).tight);
  const WorstCase pair = worst_case(Dragonfly::parse("1,2,11,22"), p, FaultClass::local);
  EXPECT_FALSE(pair.tight);
  EXPECT_NE(pair.why, "");
  const auto expect_none = [&](const auto& change) {
    Parameters other;
    change(other);
    EXPECT_EQ(worst_case(d, other, FaultClass::local).cycles, -1);
    EXPECT_NE(worst_case(d, other, FaultClass::local).why, "");
  };
  expect_none([](Parameters& o) { o.timing.load = 0.1; });
  expect_none([](Parameters& o) { o.timing.ideal = true; });
  expect_none([](Parameters& o) { o.link.enabled = true; });
  expect_none([](Parameters& o) { o.recovery = Recovery::port_level; });
}

/// In groups of two every stage has the longer of its links, whichever that is.
TEST(FaultBound, GroupsOfTwoCountTheLongerLink) {
  const Dragonfly d = Dragonfly::parse("1,2,16,33");
  Parameters p;
  p.timing = Timing::native(d);
  const auto bound = [&](int64_t local, int64_t global) {
    p.timing.local_latency = local, p.timing.global_latency = global;
    return worst_case(d, p, FaultClass::local).cycles;
  };
  EXPECT_EQ(bound(3000, 10) - bound(2000, 10), 7 * 1000);
  EXPECT_EQ(bound(10, 3000) - bound(10, 2000), 7 * 1000);
}

TEST(FaultTiming, IdlePoll) {
  Timing t;
  EXPECT_DOUBLE_EQ(t.mean_poll(), 32.5);
  t.poll_width = 64;
  EXPECT_DOUBLE_EQ(t.mean_poll(), 1.0);
  t.poll_width = 4;
  EXPECT_DOUBLE_EQ(t.mean_poll(), 8.5);
}

TEST(FaultTiming, Hardware) {
  const Dragonfly d = Dragonfly::named("tiny");
  EXPECT_EQ(to_string(Timing::of(d, "full")),
            "64 stations, 560 rows, poll width 1, ring hop 1, 1 bank, one command at a time, load 0");
  EXPECT_EQ(Timing::of(d, "native").entries, 14);
  EXPECT_EQ(Timing::of(d, "64,560").base_g, 48);
  EXPECT_EQ(Timing::of(d, "9,20").stations, 9);
  EXPECT_EQ(Timing::of(d, "9,20").base_g, 6);
  EXPECT_EQ(Timing::of(d, "64,1024").entries, 1024);
  for (const char* bad : {"6,14", "7,13", "65,560", "64,1025", "7", "7,14,", "x,14", "7;14", "7x14", ""})
    EXPECT_THROW(Timing::of(d, bad), Error) << bad;
}

}  // namespace
}  // namespace odonata::fault::test
