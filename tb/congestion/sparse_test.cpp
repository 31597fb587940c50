// SPDX-License-Identifier: Apache-2.0
// The sparse plane of the network engine shows the same maps as the golden group plane, in every cycle, at every router
// and port.
#include <gtest/gtest.h>

#include "models/congestion/group_load.h"
#include "models/congestion/sparse_plane.h"
#include "tb/common/error_text.h"

namespace odonata::congestion {
namespace {

/// Both planes under the same traffic. The sparse one is told departures ahead, as an output FIFO knows them: those of
/// tails some cycles ahead, those of packets when they are sent.
class Pair {
 public:
  /// `gaps`: of the sparse plane; without them every flit is a packet and on its link in the cycle after it departed.
  Pair(const Dragonfly& d, const PlaneConfig& plane, const LoadConfig& load, uint64_t seed, bool gaps = true)
      : d_(d),
        golden_(d, plane),
        sparse_(d, plane, gaps),
        busy_(d, plane, gaps, true),
        gaps_(gaps),
        load_(d, plane, load),
        random_(seed),
        told_(static_cast<size_t>(d.a()) * d.num_ports()),
        departure_(told_.size()) {
    for (uint32_t i = 0; i < kDepth - 4; ++i) make();
  }
  /// A planted bug: credits come one cycle late; the window counts packets when they are sent.
  enum class Plant { none, late_credit, grants };
  /// Runs; returns the cycles in which something differs.
  uint64_t run(uint32_t cycles, bool failures, Plant plant = Plant::none) {
    const bool skew = plant == Plant::late_credit;
    uint64_t different = 0;
    for (uint32_t end = now_ + cycles; now_ < end; ++now_) {
      sparse_.begin_cycle(now_), busy_.begin_cycle(now_);
      different += !equal();
      if (now_ > (skew ? 1 : 0)) give_credits(events(now_ - (skew ? 2 : 1)));
      sparse_.settle(), busy_.settle();
      if (failures && random_.chance(0.02)) fail();
      tell(plant == Plant::grants);
      std::vector<RouterEvents> step = events(now_);
      for (int r = 0; r < d_.a(); ++r) step[r].failed = failed_[r];
      golden_.step(step.data());
      make();
    }
    return different;
  }
  SparsePlane& sparse() { return sparse_; }
  uint64_t bits_seen() const { return bits_seen_; }
  uint64_t remote_seen() const { return remote_seen_; }
  uint64_t busy_seen() const { return busy_seen_; }
  uint32_t longest_wait() const { return longest_wait_; }

 private:
  static constexpr uint32_t kAhead = 60;
  static constexpr uint32_t kDepth = 1024;
  std::vector<RouterEvents>& events(uint32_t cycle) { return trace_[cycle % kDepth]; }
  void make() {
    const RouterEvents* e = load_.next();
    std::vector<RouterEvents>& made = trace_[made_++ % kDepth];
    made.assign(e, e + d_.a());
    if (gaps_) return;
    on_link_.resize(made.size());
    for (size_t r = 0; r != made.size(); ++r) {
      made[r].flit = made[r].tail = on_link_[r];
      on_link_[r] = made[r].departed;
    }
  }
  bool equal() {
    bool same = true;
    for (int r = 0; r < d_.a(); ++r) {
      same &= sparse_.cong_local(r) == golden_.cong_local(r);
      same &= busy_.cong_local(r) == golden_.busy_local(r);
      bits_seen_ += sparse_.cong_local(r) != 0;
      for (int port = 0; port < d_.num_ports(); ++port) {
        same &= sparse_.cong_global(r, port) == golden_.cong_global(r, port);
        same &= busy_.cong_global(r, port) == golden_.busy_global(r, port);
        busy_seen_ += !(golden_.busy_global(r, port) == golden_.cong_global(r, port));
        remote_seen_ += golden_.cong_global(r, port).any();
      }
    }
    return same;
  }
  void give_credits(const std::vector<RouterEvents>& e) {
    for (int r = 0; r < d_.a(); ++r) {
      for (int v = 0; v < kNumVcs; ++v) {
        for (PortMap m = e[r].credit[v]; m; m &= m - 1) credit(r * d_.num_ports() + std::countr_zero(m));
      }
    }
  }
  void credit(int index) { sparse_.credit(index), busy_.credit(index); }
  void fail() {
    const int r = static_cast<int>(random_.below(static_cast<uint32_t>(d_.a())));
    failed_[r] ^= PortMap{1} << random_.below(static_cast<uint32_t>(d_.num_ports()));
    sparse_.set_failed(r, failed_[r]), busy_.set_failed(r, failed_[r]);
  }
  /// When the packet that is sent now departs: the packets of a port do so in their order.
  uint32_t departure_of(int r, int port) {
    uint32_t& next = departure_[r * d_.num_ports() + port];
    next = std::max(next, now_);
    while (!(events(next)[r].departed >> port & 1)) ++next;
    return next++;
  }
  /// Sends of this cycle; departures of the next, and of as many as follow without a gap, by chance.
  void tell(bool at_once) {
    for (int r = 0; r < d_.a(); ++r) {
      for (int v = 0; v < kNumVcs; ++v) {
        for (PortMap m = events(now_)[r].sent[v]; m; m &= m - 1) {
          const int port = std::countr_zero(m);
          const uint32_t departure = departure_of(r, port);
          longest_wait_ = std::max(longest_wait_, departure - now_);
          for (SparsePlane* plane : {&sparse_, &busy_})
            plane->sent(r * d_.num_ports() + port, at_once ? now_ : departure);
        }
      }
      for (int port = d_.first_local(); gaps_ && port < d_.first_global(); ++port) {
        uint32_t& told = told_[r * d_.num_ports() + port];
        uint32_t upto = now_ + 1 + (random_.chance(0.5) ? random_.below(kAhead - 1) : 0);
        for (told = std::max(told, now_ + 1); told <= upto && (events(told)[r].flit >> port & 1); ++told) {
          if ((events(told)[r].tail >> port & 1) == 0) continue;
          for (SparsePlane* plane : {&sparse_, &busy_}) plane->rides(r * d_.num_ports() + port, told);
        }
      }
    }
  }

  Dragonfly d_;
  GroupPlane golden_;
  SparsePlane sparse_, busy_;
  bool gaps_;
  GroupLoad load_;
  Random random_;
  std::vector<RouterEvents> trace_[kDepth];
  uint32_t made_ = 0, now_ = 0, longest_wait_ = 0;
  std::vector<uint32_t> told_;       // by port index: up to where departures of flits were told
  std::vector<uint32_t> departure_;  // by port index: first cycle that may have the next departure of a packet
  std::vector<PortMap> on_link_;  // by router: without gaps, ports whose packet is on the link in the cycle to be made
  std::array<PortMap, kMaxRoutersPerGroup> failed_{};
  uint64_t bits_seen_ = 0, remote_seen_ = 0, busy_seen_ = 0;
};

LoadConfig random_load(Random& random) {
  LoadConfig load;
  load.load = 0.3 + 0.7 * random.unit();
  load.packet_flits = random.chance(0.5) ? 1 : 1 + static_cast<int>(random.below(10));
  load.burst = random.chance(0.3) ? 1 : 1 + static_cast<int>(random.below(load.packet_flits == 1 ? 400 : 60));
  load.hot_share = load.local_hot_share = 0.4;
  load.hot_rate = 0.3 + 0.4 * random.unit();
  load.hot_cycles = 100 + static_cast<int>(random.below(900));
  load.seed = random.next();
  return load;
}

PlaneConfig random_plane(Random& random) {
  PlaneConfig plane;
  plane.interval = random.chance(0.3) ? 10 : 1 + static_cast<int>(random.below(40));
  plane.pcs = 1 + static_cast<int>(random.below(50));
  plane.link = static_cast<int>(random.below(20));
  plane.local_threshold = static_cast<int>(random.below(12));
  plane.global_threshold = static_cast<int>(random.below(32));
  plane.local_busy_threshold = static_cast<int>(random.below(12));
  plane.global_busy_threshold = static_cast<int>(random.below(32));
  plane.alternate = random.chance(0.5);
  plane.local_window = static_cast<int>(random.below(40));
  plane.global_window = static_cast<int>(random.below(300));
  plane.local_window_enable = random.chance(0.8);
  plane.global_window_enable = random.chance(0.8);
  plane.stale_enable =
      false;  // no frame is ever lost; after reset short intervals would read as silence until the first frame
  return plane;
}

TEST(SparsePlane, ShowsTheMapsOfTheGoldenPlaneAtItsDefaults) {
  for (const char* size : {"tiny", "paper"}) {
    LoadConfig load;
    load.hot_share = load.local_hot_share = 0.4;
    Pair pair(Dragonfly::named(size), {}, load, 1);
    EXPECT_EQ(pair.run(10'000, false), 0u) << size;
    EXPECT_GT(pair.bits_seen(), 1000u);
    EXPECT_GT(pair.remote_seen(), 1000u);
  }
}

TEST(SparsePlane, ShowsTheMapsOfTheGoldenPlaneInRandomConfigurations) {
  Random random(7);
  uint32_t longest = 0;
  for (int i = 0; i < 60; ++i) {
    const Dragonfly d = random.chance(0.7) ? Dragonfly::named("tiny") : Dragonfly::parse("3,7,2,15");
    const PlaneConfig plane = random_plane(random);  // drawn in this order by every compiler
    const LoadConfig load = random_load(random);
    Pair pair(d, plane, load, random.next());
    ASSERT_EQ(pair.run(3'000, i % 2 == 1), 0u) << "configuration " << i;
    EXPECT_GT(pair.bits_seen(), 0u) << "configuration " << i;
    longest = std::max(longest, pair.longest_wait());
  }
  EXPECT_GT(longest, 300u) << "cycles in an output FIFO";
}

TEST(SparsePlane, ShowsBothMapsWhenTheFramesAlternate) {
  for (const int interval : {1, 2, 3, 10}) {
    LoadConfig load;
    load.hot_share = load.local_hot_share = 0.4;
    PlaneConfig plane;
    plane.interval = interval;
    plane.local_busy_threshold = 2;
    plane.global_busy_threshold = 16;
    plane.alternate = true;
    plane.stale_enable = false;
    Pair pair(Dragonfly::named("tiny"), plane, load, 1);
    EXPECT_EQ(pair.run(10'000, true), 0u) << interval;
    EXPECT_GT(pair.busy_seen(), 1000u) << interval;
  }
}

/// As in a network with packets of one flit; many local ports see their first flit late.
TEST(SparsePlane, ShowsTheMapsOfTheGoldenPlaneWhenEveryFlitIsATail) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    LoadConfig load;
    load.packet_flits = 1;
    load.hot_share = 0.4;
    load.seed = seed;
    const Dragonfly d = Dragonfly::named("tiny");
    for (int i = 0; i < d.a() * d.num_ports(); ++i) {
      load.port_load.push_back(i % d.num_ports() < d.first_global() ? 0.003 * static_cast<double>(seed) : 1.0);
    }
    Pair pair(d, {}, load, seed, false);
    ASSERT_EQ(pair.run(2'000, false), 0u) << "seed " << seed;
  }
}

TEST(SparsePlane, ShowsTheMapsOfTheGoldenPlaneInRandomConfigurationsWithoutGaps) {
  Random random(9);
  uint32_t longest = 0;
  for (int i = 0; i < 30; ++i) {
    const Dragonfly d = random.chance(0.7) ? Dragonfly::named("tiny") : Dragonfly::parse("3,7,2,15");
    LoadConfig load = random_load(random);
    load.packet_flits = 1;
    const PlaneConfig plane = random_plane(random);
    Pair pair(d, plane, load, random.next(), false);
    ASSERT_EQ(pair.run(3'000, i % 2 == 1), 0u) << "configuration " << i;
    EXPECT_GT(pair.bits_seen(), 0u) << "configuration " << i;
    longest = std::max(longest, pair.longest_wait());
  }
  EXPECT_GT(longest, 100u) << "cycles in an output FIFO";
}

TEST(SparsePlane, ACreditThatIsCountedOneCycleLateIsFound) {
  LoadConfig load;
  load.hot_share = load.local_hot_share = 0.4;
  Pair pair(Dragonfly::named("tiny"), {}, load, 1);
  EXPECT_GT(pair.run(5'000, false, Pair::Plant::late_credit), 0u);
}

TEST(SparsePlane, AWindowThatCountsGrantsIsFound) {
  for (const int burst : {1, 60}) {
    LoadConfig load;
    load.load = 0.8;
    load.burst = burst;
    Pair pair(Dragonfly::named("tiny"), {}, load, 1);
    EXPECT_EQ(pair.run(5'000, false, Pair::Plant::grants) != 0, burst > 1) << "without queues both are the same";
  }
}

/// Reads a state back as it is, but for one number.
struct OneMore {
  static constexpr bool kReads = true;
  int number;
  template <class T>
  void operator()(std::vector<T>&) {}
  template <class T>
  requires std::is_arithmetic_v<T>
  void operator()(T& value) {
    if (number-- == 0) ++value;
  }
};

/// A plane and each of its calendars count the same cycles.
TEST(SparsePlane, AStateOfAnotherCycleIsRefused) {
  constexpr uint32_t kCycles = 100;
  const auto refusal = [](int number, bool gaps) {
    SparsePlane plane(Dragonfly::named("tiny"), {}, gaps);
    for (uint32_t c = 0; c != kCycles; ++c) plane.begin_cycle(c), plane.settle();
    plane.visit_state(OneMore{number});
    return error_text([&] { plane.check_cycles(kCycles); });
  };
  constexpr int kNone = -1, kDeparting = 0, kRiding = 1, kStores = 2, kLoads = 3, kNow = 5;  // in their order
  for (const bool gaps : {false, true}) {
    EXPECT_EQ(refusal(kNone, gaps), "");
    for (const int wrong : {kDeparting, kRiding, kStores, kLoads, kNow}) {
      const bool right = wrong == kRiding && !gaps;  // nobody rides
      EXPECT_EQ(refusal(wrong, gaps),
                right ? "" : "checkpoint: the state of another program: the cycle of a congestion plane")
          << wrong;
    }
  }
}

/// Reads a state back as it is, but for the last element of one list. Of the events of a calendar none is kept; where
/// its events are that list it has one, in its next cycle.
struct OtherElement {
  static constexpr bool kReads = true;
  static constexpr int kCalendars = 4, kLists = 32;  // of a calendar: cycles, events, later ones
  int list;
  static constexpr bool is_events(int list) { return list < 3 * kCalendars && list % 3 == 1; }
  static constexpr bool is_number(int list) { return list < kLists && (list >= 3 * kCalendars || is_events(list)); }
  int seen = 0;
  uint32_t next = 0;
  template <class T>
  void operator()(std::vector<T>& values) {
    const bool here = seen == list, before = seen + 1 == list;
    ++seen;
    if constexpr (std::is_same_v<T, uint32_t>) {
      if (is_events(list) && (here || before)) values.push_back(next);
    }
    if (!here || !is_number(list)) return;
    if (values.empty()) values.emplace_back();
    if constexpr (std::is_integral_v<T>) {
      values.back() = static_cast<T>(T{1} << (8 * sizeof(T) - 2));
    } else if constexpr (requires { values.back().newest; }) {
      values.back().newest = 1000;
    } else if constexpr (requires { values.back().bid; }) {
      values.back().bid = 255;
    } else if constexpr (requires { values.back().edge; }) {
      values.back().router = 99;
    }
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  void operator()(T& value) { next = static_cast<uint32_t>(value); }
};

/// Every list has its range, whatever is in it after some traffic.
TEST(SparsePlane, AStateWithAnotherNumberInAListIsRefused) {
  LoadConfig load;
  load.load = 0.9;
  load.burst = 60;
  load.hot_share = load.local_hot_share = 0.4;
  for (int list = 0; list <= OtherElement::kLists; ++list) {
    Pair pair(Dragonfly::named("tiny"), {}, load, 1);
    pair.run(2000, true);
    OtherElement other{list};
    EXPECT_EQ(error_text([&] { pair.sparse().visit_state(other); }),
              OtherElement::is_number(list) ? "checkpoint: the state of another program: a congestion plane" : "")
        << list;
    if (list == OtherElement::kLists) {
      EXPECT_EQ(other.seen, list) << "all lists";
    }
  }
}

/// Reads a state back as it is, but for one event more in a calendar that has none.
struct OneEvent {
  static constexpr bool kReads = true;
  int calendar;
  uint32_t event;
  int seen = 0;
  uint32_t next = 0;
  template <class T>
  void operator()(std::vector<T>& values) {
    const int at = seen++ - 3 * calendar;  // cycles, events, later ones
    if constexpr (std::is_same_v<T, uint32_t>) {
      if (at == 0) values.push_back(next);
      if (at == 1) values.push_back(event);
    }
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  void operator()(T& value) { next = static_cast<uint32_t>(value); }
};

TEST(SparsePlane, EventsAreThoseOfTheGroup) {
  const Dragonfly d = Dragonfly::named("tiny");
  const auto a = static_cast<uint32_t>(d.a()), ports = a * static_cast<uint32_t>(d.num_ports()), last = a - 1;
  const auto taken = [&](int calendar, uint32_t event) {
    SparsePlane plane(d, {}, true);
    return error_text([&] { plane.visit_state(OneEvent{calendar, event}); }).empty();
  };
  const auto store = [](uint32_t router, uint32_t from, uint32_t bits) { return router << 24 | from << 16 | bits; };
  const auto load = [](uint32_t router, uint32_t bid) { return router << 8 | bid; };
  constexpr int kDeparting = 0, kRiding = 1, kStores = 2, kLoads = 3;
  for (const int calendar : {kDeparting, kRiding}) {
    EXPECT_TRUE(taken(calendar, ports - 1));
    EXPECT_FALSE(taken(calendar, ports));
  }
  const uint32_t beyond = 1u << d.h();
  EXPECT_TRUE(taken(kStores, store(last, last - 1, beyond - 1)));
  EXPECT_FALSE(taken(kStores, store(a, 0, 0)));
  EXPECT_FALSE(taken(kStores, store(0, last, 0)));
  EXPECT_FALSE(taken(kStores, store(0, 0, beyond)));
  EXPECT_TRUE(taken(kLoads, load(last, last)));
  EXPECT_FALSE(taken(kLoads, load(a, 0)));
  EXPECT_FALSE(taken(kLoads, load(0, a)));
}

/// Makes all maps that a plane remembers as old as that.
struct AllSince {
  static constexpr bool kReads = true;
  uint32_t edge;
  template <class T>
  void operator()(std::vector<T>& values) {
    if constexpr (requires(T t) { t.newest; }) {
      for (T& history : values)
        for (auto& version : history.version) version.since = edge;
    }
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  void operator()(T&) {}
};

/// A map is at the last port a cycle a port after the first: one that all ports see has to be there.
TEST(SparsePlane, AStateHasAMapThatAllPortsSee) {
  constexpr uint32_t kCycles = 100, kNow = kCycles - 1;
  const Dragonfly d = Dragonfly::named("tiny");
  const auto taken = [&](uint32_t since) {
    SparsePlane plane(d, {}, true);
    for (uint32_t c = 0; c != kCycles; ++c) plane.begin_cycle(c), plane.settle();
    return error_text([&] { plane.visit_state(AllSince{since}); }).empty();
  };
  const auto ports = static_cast<uint32_t>(d.num_ports());
  EXPECT_TRUE(taken(kNow - ports));
  EXPECT_FALSE(taken(kNow - ports + 1));
  EXPECT_FALSE(taken(kNow + 1));
}

TEST(SparsePlane, AStateThatIsLatchedLaterIsRefused) {
  constexpr int kNone = -1, kLatch = 6;  // behind the calendars, the routers that have not sent, and the cycle
  const auto refusal = [](int number) {
    SparsePlane plane(Dragonfly::named("tiny"), {}, true);
    return error_text([&] { plane.visit_state(OneMore{number}); });
  };
  EXPECT_EQ(refusal(kNone), "");
  EXPECT_EQ(refusal(kLatch), "checkpoint: the state of another program: a congestion plane");
}

}  // namespace
}  // namespace odonata::congestion
