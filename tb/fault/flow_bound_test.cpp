// SPDX-License-Identifier: Apache-2.0
// The lemmas of docs/fault.md §7.3 alone: polls of one router or of two mates, with whatever arrives when it hurts
// most. No look may be later than FlowBound says.
#include "models/fault/flow_bound.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <vector>

#include "models/common/random.h"

namespace odonata::fault::test {
namespace {

constexpr int64_t kNotYet = -1;

/// A poll of FIFOs.
class Poll {
 public:
  Poll(const ServerTimes& t, int64_t pointer, int64_t free)
      : t_(t), pointer_(pointer), free_(free), fifos_(static_cast<size_t>(t.stations)) {}
  void arrives(int64_t port, int64_t cycle, int message) {
    auto& fifo = fifos_[static_cast<size_t>(port)];
    auto at = std::find_if(fifo.begin(), fifo.end(), [&](const Waiting& w) { return w.cycle > cycle; });
    fifo.insert(at, {cycle, message});
  }
  /// The message that is looked at in this cycle, or -1; the router is then busy for `service` cycles.
  int look(int64_t cycle, int64_t service) {
    if (cycle < free_) return -1;
    for (int64_t k = 0; k < t_.poll_width; ++k) {
      const int64_t port = (pointer_ + k) % t_.stations;
      auto& fifo = fifos_[static_cast<size_t>(port)];
      if (fifo.empty() || fifo.front().cycle > cycle) continue;
      const int message = fifo.front().message;
      fifo.erase(fifo.begin());
      pointer_ = (port + 1) % t_.stations;
      free_ = cycle + service;
      return message;
    }
    pointer_ = (pointer_ + t_.poll_width) % t_.stations;
    return -1;
  }

 private:
  struct Waiting {
    int64_t cycle = 0;
    int message = 0;
  };
  ServerTimes t_;
  int64_t pointer_, free_;
  std::vector<std::vector<Waiting>> fifos_;
};

int64_t between(Random& random, int64_t least, int64_t most) {
  return least + static_cast<int64_t>(random.below(static_cast<uint32_t>(most - least + 1)));
}

/// Draws until nothing gets later any more: `run` makes a case from numbers and says how far the latest look is behind
/// its bound; at most that of all cases.
template <class Run>
int64_t climb(Random& random, size_t numbers, int cases, const Run& run) {
  constexpr int64_t kAny = 1 << 20;
  std::vector<int64_t> best(numbers);
  for (int64_t& x : best) x = between(random, 0, kAny);
  int64_t most = run(best);
  for (int i = 1; i < cases; ++i) {
    std::vector<int64_t> next = best;
    for (int64_t k = between(random, 1, 3); k > 0; --k)
      next[random.below(static_cast<uint32_t>(numbers))] = between(random, 0, kAny);
    const int64_t late = run(next);
    if (late < most) continue;
    most = late;
    best = next;
  }
  return most;
}

/// Takes one number after the other, as a value of a range.
class Numbers {
 public:
  explicit Numbers(const std::vector<int64_t>& x) : x_(x) {}
  int64_t of(int64_t least, int64_t most) { return least + x_[at_++ % x_.size()] % (most - least + 1); }

 private:
  const std::vector<int64_t>& x_;
  size_t at_ = 0;
};

/// One router: lemmas 1 and 3, with known ports the walk.
int64_t one_router(Random& random, bool known) {
  constexpr int kCases = 150, kCycles = 600;
  const int64_t stations = between(random, 3, 10);
  const ServerTimes t{.service = between(random, 1, stations + 6),
                      .stations = stations,
                      .poll_width = random.below(2) == 0 ? 1 : between(random, 1, stations)};
  struct Flow {
    int64_t port = 0, least = 0, most = 0;
    int number = 0;
  };
  FlowBound b(t);
  const int role = b.role();
  std::vector<int64_t> ports(static_cast<size_t>(stations));
  std::iota(ports.begin(), ports.end(), 0);
  std::vector<int> fifos(ports.size(), FlowBound::kNoFlow);
  std::vector<Flow> flows;
  for (int64_t n = between(random, 1, 5); n > 0; --n) {
    Flow f{.port = between(random, 0, std::min<int64_t>(stations, 4) - 1), .least = between(random, 0, 40)};
    f.most = f.least + (random.below(2) == 0 ? 0 : between(random, 0, 25));
    int& fifo = fifos[static_cast<size_t>(f.port)];
    if (fifo == FlowBound::kNoFlow) fifo = known ? b.fifo_at(role, static_cast<int>(f.port)) : b.fifo(role, 1);
    f.number = b.flow(role, fifo, static_cast<int>(n));
    b.comes(f.number, f.least, f.most);
    flows.push_back(f);
  }
  b.solve();
  return climb(random, 3 + flows.size() + ports.size(), kCases, [&](const std::vector<int64_t>& x) {
    Numbers number(x);
    Poll poll(t, number.of(0, stations - 1), 0);
    const int64_t shorter = number.of(0, std::min<int64_t>(t.service - 1, 3));
    for (size_t i = 0; i < flows.size(); ++i)
      poll.arrives(flows[i].port, number.of(flows[i].least, flows[i].most), static_cast<int>(i));
    int64_t late = -kCycles;
    size_t left = flows.size();
    for (int64_t cycle = 0; left > 0; ++cycle) {
      const int i = poll.look(cycle, cycle % 3 == 0 ? t.service - shorter : t.service);
      if (i < 0) continue;
      --left;
      late = std::max(late, cycle - b.span(flows[static_cast<size_t>(i)].number).look);
    }
    return late;
  });
}

/// Two mates of a group, lemma 2: what the one tells the other when it has been told. Messages of their mates come to
/// both, `others` more to one of them.
class TwoMates {
 public:
  TwoMates(Random& random, int64_t others) : bound_(t_) {
    routers_ = static_cast<int>(between(random, 3, 6));
    t_.stations = routers_ + 1 + (random.below(2) == 0 ? between(random, 0, 6) : 0);
    t_.service = random.below(3) == 0 ? 4 : t_.stations + between(random, 2, 8);
    t_.poll_width = random.below(3) == 0 ? 1 : between(random, 1, t_.stations);
    way_least_ = between(random, 4, 20);
    way_most_ = way_least_ + routers_ - 2;
    std::vector<int> order(static_cast<size_t>(routers_));
    std::iota(order.begin(), order.end(), 0);
    for (size_t i = order.size() - 1; i > 0; --i)
      std::swap(order[i], order[random.below(static_cast<uint32_t>(i + 1))]);
    attached_ = order[0], self_[0] = order[1], self_[1] = order[2];
    bound_ = FlowBound(t_);
    make(random, others);
  }
  int64_t latest(Random& random) {
    constexpr int kCases = 1000;
    return climb(random, 6 + 3 * messages_.size(), kCases, [&](const std::vector<int64_t>& x) { return run(x); });
  }

 private:
  static constexpr int64_t kFirst = 40, kSpan = 100, kCycles = 1200;
  struct Message {
    int side = 0;    ///< at whom
    int sender = 0;  ///< the mate, or routers_ + the global port
    int64_t least = 0, most = 0;
    int flow = 0;
    bool of_mates = false;
  };
  int64_t port(int side, int sender) const {
    const int self = self_[static_cast<size_t>(side)];
    return sender >= routers_ ? sender - 1 : sender - (sender > self ? 1 : 0);
  }
  int add(int side, int sender, int64_t least, int64_t most, bool of_mates) {
    auto& fifo = fifos_[side].emplace(sender, FlowBound::kNoFlow).first->second;
    if (fifo == FlowBound::kNoFlow) {
      fifo = bound_.fifo_at(role_[side], static_cast<int>(port(side, sender)));
      bound_.at_place(role_[side], fifo, sender);
    }
    const int flow = bound_.flow(role_[side], fifo, static_cast<int>(messages_.size()));
    if (least <= most) bound_.comes(flow, least, most);
    if (of_mates) bound_.of_kind(flow, 1);
    messages_.push_back({side, sender, least, most, flow, of_mates});
    return static_cast<int>(messages_.size()) - 1;
  }
  void make(Random& random, int64_t others) {
    role_[0] = bound_.role(), role_[1] = bound_.role();
    for (int side = 0; side < 2; ++side) first_[side] = add(side, attached_, side == 0 ? kFirst - 5 : 0, kFirst, true);
    for (int mate = 0; mate < routers_; ++mate) {
      if (mate == attached_ || mate == self_[0] || mate == self_[1]) continue;
      for (int side = 0; side < 2; ++side) add(side, mate, way_least_, kSpan + way_most_, true);
    }
    for (int side = 0; side < 2; ++side) {
      told_[side] = add(side, self_[1 - side], 1, 0, true);
      const int told = messages_[static_cast<size_t>(told_[side])].flow,
                first = messages_[static_cast<size_t>(first_[1 - side])].flow;
      bound_.follows(told, first, way_least_, way_most_);
      bound_.mates_tell(told, 1, {first, routers_ - 2, way_least_, way_most_});
    }
    for (int64_t i = 0; i < others; ++i) {
      const int side = static_cast<int>(random.below(2));
      int sender = static_cast<int>(between(random, 0, routers_ + 1));
      if (sender == self_[side]) sender = attached_;
      const int64_t least = random.below(2) == 0 ? between(random, kFirst - 30, kFirst) : between(random, 0, kSpan);
      add(side, sender, least, least, false);
    }
    bound_.solve();
  }
  int64_t run(const std::vector<int64_t>& x) const {
    Numbers number(x);
    Poll polls[2] = {{t_, number.of(0, t_.stations - 1), 0}, {t_, number.of(0, t_.stations - 1), 0}};
    const int64_t ways[2] = {number.of(way_least_, way_most_), number.of(way_least_, way_most_)};
    int64_t said = kNotYet;
    for (size_t i = 0; i < messages_.size(); ++i) {
      const Message& m = messages_[i];
      if (m.least > m.most) continue;
      int64_t cycle = number.of(m.least, m.most);
      if (m.of_mates && m.sender != attached_) {  // said to both at once
        if (m.side == 0) said = number.of(0, kSpan);
        cycle = said + number.of(way_least_, way_most_);
      }
      polls[m.side].arrives(port(m.side, m.sender), cycle, static_cast<int>(i));
    }
    int64_t late = -kCycles;
    size_t left = messages_.size();
    for (int64_t cycle = 0; left > 0; ++cycle) {
      for (int side = 0; side < 2; ++side) {
        const int i = polls[side].look(cycle, t_.service);
        if (i < 0) continue;
        --left;
        late = std::max(late, cycle - bound_.span(messages_[static_cast<size_t>(i)].flow).look);
        if (i == first_[side])
          polls[1 - side].arrives(port(1 - side, self_[side]), cycle + ways[side], told_[1 - side]);
      }
    }
    return late;
  }

  ServerTimes t_;
  FlowBound bound_;
  int routers_ = 0, attached_ = 0;
  std::array<int, 2> self_{}, role_{}, first_{}, told_{};
  int64_t way_least_ = 0, way_most_ = 0;
  std::array<std::map<int, int>, 2> fifos_;
  std::vector<Message> messages_;
};

/// Two routers of one role, lemma 2: both are told by port 0, tell each other and are told by their mates. What is
/// there when it begins comes through as many global ports of the one as of the other, but not through the same ones.
int64_t two_of_a_role(Random& random) {
  constexpr int64_t kFirst = 40, kCycles = 1200;
  constexpr int kCases = 600, kOfAMate = 100;  // when mates have served their first message is not known better
  const int64_t mates = between(random, 1, 4), globals = between(random, 2, 7), early = between(random, 1, globals);
  const int64_t stations = 1 + mates + globals + (random.below(2) == 0 ? between(random, 0, 6) : 0);
  const ServerTimes t{.service = random.below(3) == 0 ? 4 : stations + between(random, 2, 8),
                      .stations = stations,
                      .poll_width = random.below(3) == 0 ? 1 : between(random, 1, stations)};
  const int64_t way_least = between(random, 4, 20), way_most = way_least + mates;
  FlowBound b(t);
  const int role = b.role(), first = b.flow(role, b.fifo(role, 1), 0), told = b.flow(role, b.fifo(role, mates), 0),
            there = b.flow(role, b.fifo(role, early, true), 0);
  b.comes(first, kFirst - 5, kFirst);
  b.comes(there, kFirst - 30, kFirst);
  b.of_kind(first, 1);
  b.follows(told, first, way_least, way_most);
  b.mates_tell(told, 1, {first, mates, way_least, way_most});
  b.solve();
  const auto messages = static_cast<size_t>(1 + mates + early);
  return climb(random, 10 + 6 * messages, kCases, [&](const std::vector<int64_t>& x) {
    Numbers number(x);
    Poll polls[2] = {{t, number.of(0, stations - 1), 0}, {t, number.of(0, stations - 1), 0}};
    const int64_t own = number.of(1, mates), ways[2] = {number.of(way_least, way_most), number.of(way_least, way_most)};
    for (int side = 0; side < 2; ++side) {
      polls[side].arrives(0, number.of(kFirst - 5, kFirst), first);
      std::vector<int64_t> ports(static_cast<size_t>(globals));
      std::iota(ports.begin(), ports.end(), 1 + mates);
      for (int64_t k = 0; k < early; ++k) {
        std::swap(ports[static_cast<size_t>(k)], ports[static_cast<size_t>(number.of(k, globals - 1))]);
        polls[side].arrives(ports[static_cast<size_t>(k)], number.of(kFirst - 30, kFirst), there);
      }
    }
    for (int64_t mate = 1; mate <= mates; ++mate) {  // port `own` is the other one of the two
      if (mate == own) continue;
      const int64_t said = number.of(kFirst - 5, b.span(first).look);
      for (Poll& poll : polls) poll.arrives(mate, said + number.of(way_least, way_most), kOfAMate);
    }
    int64_t late = -kCycles;
    size_t left = 2 * messages;
    for (int64_t cycle = 0; left > 0; ++cycle) {
      for (int side = 0; side < 2; ++side) {
        const int flow = polls[side].look(cycle, t.service);
        if (flow < 0) continue;
        --left;
        if (flow != kOfAMate) late = std::max(late, cycle - b.span(flow).look);
        if (flow == first) polls[1 - side].arrives(own, cycle + ways[side], told);
      }
    }
    return late;
  });
}

TEST(FlowBound, NoLookOfARouterIsLater) {
  constexpr int kRouters = 2000;
  Random random(1);
  int close = 0;
  for (int i = 0; i < kRouters; ++i) {
    const int64_t late = one_router(random, i % 2 == 0);
    ASSERT_LE(late, 0) << i;
    close += late >= -1;
  }
  EXPECT_GT(close, kRouters / 2);
}

TEST(FlowBound, NoLookOfMatesThatTellEachOtherIsLater) {
  constexpr int kPairs = 300;
  Random random(2);
  int close = 0;
  for (int i = 0; i < kPairs; ++i) {
    const int64_t late = TwoMates(random, i % 5).latest(random);
    ASSERT_LE(late, 0) << i;
    close += late >= -1;
  }
  EXPECT_GT(close, kPairs / 20);
}

TEST(FlowBound, NoLookOfTwoRoutersOfARoleIsLater) {
  constexpr int kPairs = 200;
  Random random(3);
  int close = 0;
  for (int i = 0; i < kPairs; ++i) {
    const int64_t late = two_of_a_role(random);
    ASSERT_LE(late, 0) << i;
    close += late >= -1;
  }
  EXPECT_GT(close, kPairs / 20);
}

/// What arrives while another message is at work, that has not waited for long: lemma 3 must not forget it.
TEST(FlowBound, AMessageAtWorkIsInTheWay) {
  for (int64_t arrival : {2, 4, 5, 8, 9}) {
    FlowBound b({.service = 10, .stations = 4, .poll_width = 4});
    const int r = b.role(), before = b.flow(r, b.fifo(r, 1), 0), late = b.flow(r, b.fifo(r, 1), 0);
    b.comes(before, 0, 0);
    b.comes(late, arrival, arrival);
    b.solve();
    EXPECT_GE(b.span(late).look, 10) << arrival;
  }
}

/// Lemma 2 by hand: 3 mates tell both, and each of the two has something else from the beginning. At the same place of
/// the round it counts once (4 services, 32 empty looks), else twice (5 and 31). In front of the first message (5 and
/// 43) and of what is told (4 and 44) it adds a round.
TEST(FlowBound, WhatIsThereCountsOnceAPlace) {
  constexpr int kMate = 3, kHere = 20, kThere = 21, kInFront = 22, kInFrontOfTold = 23;
  const auto look = [&](int place) {
    FlowBound b({.service = 10, .stations = 12, .poll_width = 1});
    const int teller = b.role(), listener = b.role();
    const int at_first = b.fifo(teller, 1), first = b.flow(teller, at_first, 1);
    b.comes(first, 0, 0);
    b.of_kind(first, 1);
    const int at_told = b.fifo(listener, 1), told = b.flow(listener, at_told, 1);
    for (int role : {teller, listener}) {
      const int mates = b.fifo(role, 3), from_mates = b.flow(role, mates, 0);
      b.at_place(role, mates, kMate);
      b.comes(from_mates, 0, 1000);
      b.of_kind(from_mates, 1);
      const bool in_front = place == (role == teller ? kInFront : kInFrontOfTold);
      const int fifo = !in_front ? b.fifo(role, 1) : role == teller ? at_first : at_told;
      b.at_place(role, fifo, role == teller || in_front ? place : kHere);
      b.comes(b.flow(role, fifo, 0), 0, 0);
    }
    b.follows(told, first, 5, 5);
    b.mates_tell(told, 1, {first, 3, 5, 5});
    b.solve();
    return b.span(told).look;
  };
  EXPECT_EQ(look(kHere), 4 * 10 + 32);
  EXPECT_EQ(look(kThere), 5 * 10 + 31);
  EXPECT_EQ(look(kInFront), 5 * 10 + 43);
  EXPECT_EQ(look(kInFrontOfTold), 4 * 10 + 44);
}

/// The same where no place is known: one message a global port counts once if the first message comes to one, too.
TEST(FlowBound, WhatIsThereCountsOnceAGlobalPort) {
  const auto look = [](bool first_global, bool global, int64_t messages) {
    FlowBound b({.service = 10, .stations = 12, .poll_width = 1});
    const int teller = b.role(), listener = b.role();
    const int first = b.flow(teller, b.fifo(teller, 1, first_global), 1);
    b.comes(first, 0, 0);
    b.of_kind(first, 1);
    const int told = b.flow(listener, b.fifo(listener, 1), 1);
    for (int role : {teller, listener}) {
      const int mates = b.fifo(role, 3), from_mates = b.flow(role, mates, 0);
      b.at_place(role, mates, 0);
      b.comes(from_mates, 0, 1000);
      b.of_kind(from_mates, 1);
      b.comes(b.flow(role, b.fifo(role, 1, global), 0, role == teller ? 1 : messages), 0, 0);
    }
    b.follows(told, first, 5, 5);
    b.mates_tell(told, 1, {first, 3, 5, 5});
    b.solve();
    return b.span(told).look;
  };
  EXPECT_EQ(look(true, true, 1), 4 * 10 + 32);
  EXPECT_EQ(look(true, false, 1), 5 * 10 + 31);
  EXPECT_EQ(look(false, true, 1), 5 * 10 + 31);
  EXPECT_EQ(look(true, true, 2), 6 * 10 + 30);  // two in one port
}

/// What comes before the last one waits since so many gaps at the latest; alone the last one is looked at by 110.
TEST(FlowBound, MessagesOfOneSenderComeApart) {
  const auto look = [](int64_t times, int64_t apart) {
    FlowBound b({.service = 10, .stations = 4, .poll_width = 4, .apart = apart});
    const int r = b.role(), fifo = b.fifo(r, 1);
    b.one_a_look(r, fifo);
    const int before = b.flow(r, fifo, 0, times), last = b.flow(r, fifo, 1);
    b.comes(before, 0, 100);
    b.comes(last, 0, 100);
    b.solve();
    return b.span(last).look;
  };
  for (int times : {1, 2, 3, 4}) {
    EXPECT_EQ(look(times, 0), 100 + 11 * times);
    for (int apart : {4, 7}) EXPECT_EQ(look(times, apart), std::max<int64_t>(110, look(times, 0) - apart * times));
  }
}

/// Lemma 2 by hand: ways of 2 to 30 cycles. A mate may be late by what they differ: 3 services, and the second term
/// with 33 empty looks is the larger one; ways of 30 cycles only have the first one with 21.
TEST(FlowBound, MatesMayBeLateByWhatTheirWaysDiffer) {
  const auto look = [](int64_t least, int64_t most) {
    FlowBound b({.service = 10, .stations = 12, .poll_width = 1});
    const int teller = b.role(), listener = b.role();
    const int first = b.flow(teller, b.fifo(teller, 1), 1), told = b.flow(listener, b.fifo(listener, 1), 1);
    b.comes(first, 0, 0);
    b.of_kind(first, 1);
    for (int role : {teller, listener}) {
      const int from_mates = b.flow(role, b.fifo(role, 3), 0);
      b.comes(from_mates, 0, 1000);
      b.of_kind(from_mates, 1);
    }
    b.follows(told, first, least, most);
    b.mates_tell(told, 1, {first, 3, least, most});
    b.solve();
    return b.span(told).look;
  };
  EXPECT_EQ(look(2, 30), 3 * 10 + 28 + 33);
  EXPECT_EQ(look(30, 30), 3 * 10 + 30 + 21);
}

int busy_role(FlowBound& b, Random& random) {
  const int64_t available = between(random, 0, 60), least = between(random, 0, 60);
  return b.role(available, least);
}

/// Flows without a meaning: every kind of word that they have, drawn.
std::array<int64_t, 4> drawn_flows(Random& random) {
  const int64_t stations = between(random, 4, 24), service = between(random, 1, stations + 6);
  FlowBound b({.service = service,
               .stations = stations,
               .poll_width = random.below(2) == 0 ? 1 : between(random, 1, stations),
               .bare = between(random, 0, stations / 2),
               .apart = between(random, 0, service),
               .effect = between(random, 0, 20)});
  const bool known = random.below(3) == 0;
  struct Place {
    int role, fifo;
  };
  std::vector<Place> fifos;
  for (int64_t r = between(random, 1, 4); r > 0; --r) {
    const int role = random.below(3) == 0 ? busy_role(b, random) : b.role();
    for (int port = 3; port >= 0; --port) {
      if (random.below(3) == 0) continue;
      const int64_t count = between(random, 0, 3);
      const bool global = random.below(2) == 0;
      const int fifo = known ? b.fifo_at(role, port) : b.fifo(role, count, global);
      if (random.below(3) == 0) b.at_place(role, fifo, static_cast<int>(between(random, 0, 3)));
      if (random.below(2) == 0) b.one_a_look(role, fifo);
      fifos.push_back({role, fifo});
    }
  }
  if (fifos.empty()) return {};
  std::vector<int> flows;
  const auto any = [&](const auto& list) { return list[random.below(static_cast<uint32_t>(list.size()))]; };
  for (int64_t n = between(random, 2, 12); n > 0; --n) {
    const Place at = any(fifos);
    const int chain = static_cast<int>(between(random, 0, 2));
    const int flow = random.below(4) == 0
                         ? b.flow_at(at.role, at.fifo, chain, static_cast<int>(between(random, 0, 2)))
                         : b.flow(at.role, at.fifo, chain, random.below(4) == 0 ? between(random, 0, 3) : 1);
    const auto look = static_cast<int>(between(random, 0, 3));
    if (look < 2) b.look(flow, look, random.below(2) == 0);
    if (random.below(4) == 0) b.of_kind(flow, static_cast<int>(between(random, 1, 2)));
    if (random.below(4) == 0) b.effect(flow, between(random, 0, 40));
    const auto way = [&] { return between(random, 1, 40); };
    if (flows.empty() || random.below(3) == 0) {
      const int64_t least = between(random, 0, 100);
      b.comes(flow, least, least + (random.below(16) == 0 ? -1 : between(random, 0, 60)));
    } else {
      b.leaves(flow, static_cast<FlowBound::When>(random.below(3)));
      for (int64_t causes = between(random, 1, 3); causes > 0; --causes) {
        const int cause = any(flows);
        const int64_t least = way(), most = least + between(random, 0, 20);
        switch (random.below(6)) {
          case 0:
            b.follows_first(flow, cause, least, most, {any(flows)});
            break;
          case 1:
            b.follows(flow, cause, least, most, any(flows));
            break;
          case 2:
            b.follows_late(flow, cause, most);
            break;
          case 3:
          case 4:
            b.mates_tell(flow, 1 + cause % 2, {cause, between(random, 0, 3), least, most});
            [[fallthrough]];
          default:
            b.follows(flow, cause, least, most);
        }
      }
      const int other = any(flows), absent = any(flows);
      if (random.below(5) == 0) b.precedes(flow, other, way(), {FlowBound::kNoFlow, absent});
      if (random.below(5) == 0) b.in_order(other, flow);
    }
    flows.push_back(flow);
  }
  std::array<int64_t, 4> sums{b.solve(), 0, 0, 0};
  for (int flow : flows) {
    const FlowBound::Span span = b.span(flow);
    if (span.least > span.most) continue;
    sums[1] += span.least, sums[2] += span.most, sums[3] += span.look;
  }
  return sums;
}

TEST(FlowBound, ValuesOfDrawnFlows) {
  constexpr int kDrawn = 2000;
  Random random(1);
  std::array<int64_t, 4> sums{};
  for (int i = 0; i < kDrawn; ++i) {
    const auto of_one = drawn_flows(random);
    for (size_t k = 0; k < sums.size(); ++k) sums[k] += of_one[k];
  }
  EXPECT_EQ(sums, (std::array<int64_t, 4>{450018, 727640, 1496957, 1923778}));
}

}  // namespace
}  // namespace odonata::fault::test
