// SPDX-License-Identifier: Apache-2.0
// The fast plane of a group against the golden units wired together, measured ages against their closed form, bounded
// staleness.
#include <gtest/gtest.h>

#include <bit>
#include <numeric>

#include "models/congestion/group_load.h"
#include "models/congestion/group_plane.h"
#include "tb/common/error_text.h"
#include "tb/common/property.h"
#include "tb/congestion/unit_group.h"

namespace odonata::congestion {
namespace {

constexpr int kTotal = static_cast<int>(Stage::total);

/// Traffic with everything in it: load, failures of all kinds of ports, credits that should not come.
class WildEvents {
 public:
  WildEvents(const Dragonfly& d, const PlaneConfig& config, uint64_t seed)
      : d_(d),
        random_(seed),
        load_(d, config,
              {.load = 0.9,
               .packet_flits = 1 + static_cast<int>(random_.below(10)),
               .burst = 1 + static_cast<int>(random_.below(30)),
               .local_hot_share = 0.3,
               .hot_cycles = 100,
               .seed = seed}),
        failed_(d.a()) {}
  const RouterEvents* next() {
    const RouterEvents* base = load_.next();
    events_.assign(base, base + d_.a());
    for (int r = 0; r < d_.a(); ++r) {
      if (random_.below(20) == 0) failed_[r] ^= PortMap{1} << random_.below(d_.num_ports());
      if (random_.below(60) == 0) failed_[r] = 0;
      events_[r].failed = failed_[r];
      if (random_.below(30) == 0) events_[r].credit[random_.below(4)] |= PortMap{1} << random_.below(d_.num_ports());
      if (random_.below(30) == 0) events_[r].departed ^= PortMap{1} << random_.below(d_.num_ports());
      if (random_.below(30) == 0) events_[r].sent[random_.below(4)] |= PortMap{1} << random_.below(d_.num_ports());
    }
    return events_.data();
  }

 private:
  Dragonfly d_;
  Random random_;
  GroupLoad load_;
  std::vector<PortMap> failed_;
  std::vector<RouterEvents> events_;
};

PlaneConfig random_config(Random& random) {
  PlaneConfig c;
  c.interval = 1 + static_cast<int>(random.below(14));
  c.pcs = 1 + static_cast<int>(random.below(40));
  c.link = static_cast<int>(random.below(12));
  c.local_window = static_cast<int>(random.below(40));
  c.global_window = static_cast<int>(random.below(260));
  c.local_window_enable = random.below(4) != 0;
  c.global_window_enable = random.below(4) != 0;
  c.local_threshold = static_cast<int>(random.below(20));
  c.global_threshold = static_cast<int>(random.below(20));
  c.local_busy_threshold = static_cast<int>(random.below(20));
  c.global_busy_threshold = static_cast<int>(random.below(20));
  c.alternate = random.below(2) != 0;
  c.local_capacity = 1 + static_cast<int>(random.below(32));
  c.global_capacity = 1 + static_cast<int>(random.below(64));
  c.stale_limit = 1 + static_cast<int>(random.below(6));
  c.stale_enable = random.below(3) != 0;
  if (random.below(2)) c.faults = {0.2, 0.2};
  c.seed = random.next();
  return c;
}

/// Runs both side by side; the first edge with a difference, 0 when there is none.
int64_t first_difference(const Dragonfly& d, const PlaneConfig& fast_config, const PlaneConfig& slow_config, int cycles,
                         uint64_t seed) {
  GroupPlane fast(d, fast_config);
  test::UnitGroup slow(d, slow_config);
  WildEvents events(d, fast_config, seed);
  for (int i = 0; i < cycles; ++i) {
    const RouterEvents* e = events.next();
    fast.step(e);
    slow.step(e);
    for (int r = 0; r < d.a(); ++r) {
      if (fast.cong_local(r) != slow.cong_local(r) || fast.busy_local(r) != slow.busy_local(r) ||
          fast.stale(r) != slow.stale(r))
        return fast.now();
      for (int port = 0; port < d.num_ports(); ++port) {
        if (!(fast.cong_global(r, port) == slow.cong_global(r, port))) return fast.now();
        if (!(fast.busy_global(r, port) == slow.busy_global(r, port))) return fast.now();
      }
    }
    if (!slow.same_counters(fast.counters())) return fast.now();
  }
  return 0;
}

TEST(GroupPlane, EqualsTheGoldenUnitsWiredTogether) {
  odonata::test::check_property(60, [] {
    Random random(odonata::test::uniform_word());
    const Dragonfly d = random.below(2) ? Dragonfly::named("tiny") : Dragonfly::parse("3,5,3,16");
    const PlaneConfig c = random_config(random);
    RC_ASSERT(first_difference(d, c, c, 400, random.next()) == 0);
  });
}

/// A window of no cycles holds no packet, whether it is on or off.
TEST(GroupPlane, EqualsTheGoldenUnitsWithWindowsOfNoCycles) {
  Random random(5);
  for (const bool global : {false, true}) {
    PlaneConfig c = random_config(random);
    (global ? c.global_window : c.local_window) = 0;
    (global ? c.global_window_enable : c.local_window_enable) = true;
    (global ? c.global_threshold : c.local_threshold) = 2;
    EXPECT_EQ(first_difference(Dragonfly::named("tiny"), c, c, 600, 3), 0) << global;
  }
}

TEST(GroupPlane, EqualsTheGoldenUnitsAtPaperAndFullSize) {
  for (const char* size : {"paper", "full"}) {
    PlaneConfig c;
    c.faults = {0.01, 0.05};
    c.local_capacity = 16;
    EXPECT_EQ(first_difference(Dragonfly::named(size), c, c, 600, 5), 0) << size;
  }
}

TEST(GroupPlane, TheComparisonFindsAnyChangedParameter) {
  const Dragonfly d = Dragonfly::named("tiny");
  PlaneConfig good;
  good.local_capacity = 8;
  good.local_threshold = good.global_threshold = 3;
  good.stale_limit = 3;
  good.faults = {0.3, 0.1};
  const auto found = [&](auto change) {
    PlaneConfig other = good;
    change(other);
    return first_difference(d, good, other, 3000, 9) != 0;
  };
  EXPECT_FALSE(found([](PlaneConfig&) {}));
  EXPECT_TRUE(found([](PlaneConfig& c) { ++c.interval; }));
  EXPECT_TRUE(found([](PlaneConfig& c) { ++c.pcs; }));
  EXPECT_TRUE(found([](PlaneConfig& c) { --c.link; }));
  EXPECT_TRUE(found([](PlaneConfig& c) { ++c.local_window; }));
  EXPECT_TRUE(found([](PlaneConfig& c) { ++c.global_window; }));
  EXPECT_TRUE(found([](PlaneConfig& c) { c.local_window_enable = false; }));
  EXPECT_TRUE(found([](PlaneConfig& c) { ++c.local_threshold; }));
  EXPECT_TRUE(found([](PlaneConfig& c) { ++c.global_threshold; }));
  EXPECT_TRUE(found([](PlaneConfig& c) { ++c.local_busy_threshold; }));
  EXPECT_TRUE(found([](PlaneConfig& c) { ++c.global_busy_threshold; }));
  EXPECT_TRUE(found([](PlaneConfig& c) { c.alternate = true; }));
  EXPECT_TRUE(found([](PlaneConfig& c) { --c.local_capacity; }));
  EXPECT_TRUE(found([](PlaneConfig& c) { ++c.stale_limit; }));
  EXPECT_TRUE(found([](PlaneConfig& c) { c.stale_enable = false; }));
  EXPECT_TRUE(found([](PlaneConfig& c) { ++c.seed; }));
}

TEST(GroupPlane, NoSlotIsStolenWhereNothingIsSent) {
  EXPECT_EQ(GroupPlane(Dragonfly::named("tiny"), {}).stolen_fraction(), 0);
}

TEST(GroupPlane, ConfigurationOutOfRangeIsRefusedByName) {
  const auto message = [](auto change) {
    PlaneConfig c;
    change(c);
    return error_text([&] { c.check(); });
  };
  EXPECT_EQ(message([](PlaneConfig& c) { c.interval = 0; }), "congestion: interval is 0, must be 1..255");
  EXPECT_EQ(message([](PlaneConfig& c) { c.local_window = 513; }), "congestion: local_window is 513, must be 0..512");
  EXPECT_EQ(message([](PlaneConfig& c) { c.faults.loss = 1.5; }), "congestion: loss must be a probability 0..1");
  EXPECT_EQ(message([](PlaneConfig& c) { c.faults.corruption = -0.1; }),
            "congestion: corruption must be a probability 0..1");
  struct Range {
    int PlaneConfig::*member;
    const char* name;
    int low, high;
  };
  for (const auto& [member, name, low, high] :
       {Range{&PlaneConfig::interval, "interval", 1, 255}, Range{&PlaneConfig::pcs, "pcs", 1, 255},
        Range{&PlaneConfig::link, "link", 0, 255}, Range{&PlaneConfig::local_window, "local_window", 0, 512},
        Range{&PlaneConfig::global_window, "global_window", 0, 512},
        Range{&PlaneConfig::local_threshold, "local_threshold", 0, 65535},
        Range{&PlaneConfig::global_threshold, "global_threshold", 0, 65535},
        Range{&PlaneConfig::local_busy_threshold, "local_busy_threshold", 0, 65535},
        Range{&PlaneConfig::global_busy_threshold, "global_busy_threshold", 0, 65535},
        Range{&PlaneConfig::local_capacity, "local_capacity", 1, kMaxCapacity},
        Range{&PlaneConfig::global_capacity, "global_capacity", 1, kMaxCapacity},
        Range{&PlaneConfig::stale_limit, "stale_limit", 1, 255}}) {
    for (const int value : {low - 1, high + 1})
      EXPECT_EQ(message([member = member, value](PlaneConfig& c) { c.*member = value; }),
                "congestion: " + std::string(name) + " is " + std::to_string(value) + ", must be " +
                    std::to_string(low) + ".." + std::to_string(high));
    for (const int value : {low, high})
      EXPECT_EQ(message([member = member, value](PlaneConfig& c) { c.*member = value; }), "") << name;
  }
  EXPECT_EQ(message([](PlaneConfig&) {}), "");
}

// ---- The age of information ----

/// One global port of router 0 changes once, at every cycle of lcm(N, A) in turn; `tails`: a tail flit every cycle,
/// else no packets. Ages are measured from outside: by looking at the maps.
struct Sweep {
  AgeStatistics inside;  // by the plane's own measurement
  Histogram outside;     // by looking at the maps of all other routers
  GroupCounters counters;
};
Sweep sweep(const Dragonfly& d, const PlaneConfig& c, bool tails) {
  GroupPlane plane(d, c);
  plane.measure();
  Sweep result;
  std::vector<RouterEvents> events(d.a());
  const PortMap local = low_mask(d.a() - 1) << d.first_local();
  for (RouterEvents& e : events) e.flit = e.tail = tails ? local : 0;
  const int source = d.a() / 2, bit = d.h() - 1, port = d.global_port(bit), j = source * d.h() + bit;
  const int period = std::lcm(c.age_parameters(d).period, d.a());
  const int longest = closed_form(c.age_parameters(d), Stage::total).max + 4;
  for (int phase = 0; phase < period; ++phase) {
    // A new change every `gap` cycles, so that the changes come at every residue of the period.
    int gap = longest;
    while (gap % period != 1 % period) ++gap;
    events[source].failed ^= PortMap{1} << port;
    const bool value = events[source].failed != 0;
    int64_t changed = 0;
    std::vector<uint64_t> seen(d.a());
    for (int i = 0; i < gap; ++i) {
      plane.step(events.data());
      if (changed == 0 && (plane.cong_local(source) >> port & 1) == value) changed = plane.now();
      for (int r = 0; r < d.a(); ++r) {
        if (r == source) continue;
        for (int k = 0; k < d.num_ports(); ++k) {
          if ((seen[r] >> k & 1) || plane.cong_global(r, k).test(j) != value) continue;
          seen[r] |= 1ull << k;
          result.outside.add(plane.now() - changed);
        }
      }
    }
  }
  result.inside = plane.statistics();
  result.counters = plane.counters();
  return result;
}

/// Minimum, maximum, mean and sample count of every stage against the closed form; sources other than all routers need
/// `all_ports`.
void expect_exact(const Dragonfly& d, const PlaneConfig& c, bool tails) {
  SCOPED_TRACE(d.name() + " interval " + std::to_string(c.interval) + " pcs " + std::to_string(c.pcs) + " link " +
               std::to_string(c.link) + (tails ? " tails" : " idle"));
  const Sweep s = sweep(d, c, tails);
  AgeParameters p = c.age_parameters(d);
  p.frame_wait_min = p.frame_wait_max = tails ? 1 : c.interval;
  EXPECT_TRUE(s.outside == s.inside.stage[kTotal]);
  EXPECT_EQ(s.inside.missed, 0u);
  const uint64_t samples = static_cast<uint64_t>(std::lcm(p.period, d.a())) * (d.a() - 1) * d.num_ports();
  EXPECT_EQ(s.outside.samples(), samples);
  for (int i = 0; i < kNumStages; ++i) {
    const auto stage = static_cast<Stage>(i);
    SCOPED_TRACE(to_string(stage));
    if (stage == Stage::wait || stage == Stage::pcs || stage == Stage::link || stage == Stage::ring) {
      EXPECT_DOUBLE_EQ(s.inside.stage[i].mean(), closed_form_mean(p, stage));
    }
    if (stage == Stage::pcs || stage == Stage::link) continue;
    EXPECT_EQ(s.inside.stage[i].min() >= closed_form(p, stage).min, true);
    EXPECT_EQ(s.inside.stage[i].max() <= closed_form(p, stage).max, true);
  }
}

/// The same with every router as source, so that each local port number is a receiver.
void expect_exact_extremes(const Dragonfly& d, const PlaneConfig& c, bool tails) {
  SCOPED_TRACE(d.name() + " interval " + std::to_string(c.interval) + " pcs " + std::to_string(c.pcs) + " link " +
               std::to_string(c.link) + (tails ? " tails" : " idle"));
  GroupPlane plane(d, c);
  plane.measure();
  std::vector<RouterEvents> events(d.a());
  const PortMap local = low_mask(d.a() - 1) << d.first_local();
  for (RouterEvents& e : events) e.flit = e.tail = tails ? local : 0;
  const int period = std::lcm(c.age_parameters(d).period, d.a());
  const int longest = closed_form(c.age_parameters(d), Stage::total).max + 4;
  int gap = longest;
  while (gap % period != 1 % period) ++gap;
  for (int phase = 0; phase < period; ++phase) {
    for (RouterEvents& e : events) e.failed ^= PortMap{1} << d.first_global();
    for (int i = 0; i < gap; ++i) plane.step(events.data());
  }
  AgeParameters p = c.age_parameters(d);
  p.frame_wait_min = p.frame_wait_max = tails ? 1 : c.interval;
  const AgeStatistics s = plane.statistics();
  EXPECT_EQ(s.missed, 0u);
  for (int i = 0; i < kNumStages; ++i) {
    const auto stage = static_cast<Stage>(i);
    const Range range = closed_form(p, stage);
    EXPECT_EQ(s.stage[i].min(), range.min) << to_string(stage);
    EXPECT_EQ(s.stage[i].max(), range.max) << to_string(stage);
    EXPECT_NEAR(s.stage[i].mean(), closed_form_mean(p, stage), 1e-9) << to_string(stage);  // rounding of the sums only
  }
  EXPECT_EQ(s.stage[kTotal].samples(), static_cast<uint64_t>(period) * d.a() * (d.a() - 1) * d.num_ports());
}

TEST(Age, HistogramsAreEqualInTheirSamples) {
  Histogram few, more;
  EXPECT_EQ(few, more);
  few.add(3);
  EXPECT_FALSE(few == more);
  EXPECT_FALSE(more == few);
  more.add(3);
  EXPECT_EQ(few, more);
  more.add(900, 0);  // no sample
  Histogram none;
  none.add(900, 0);
  EXPECT_EQ(none.min(), 0);
  EXPECT_EQ(few, more);
  EXPECT_EQ(more, few);
  more.add(900);
  EXPECT_FALSE(few == more);
  EXPECT_FALSE(more == few);
}

TEST(Age, OutsideAndInsideMeasurementAgreeWithTheClosedForm) {
  for (const bool tails : {false, true}) {
    expect_exact(Dragonfly::named("tiny"), {}, tails);
    PlaneConfig c;
    c.interval = 7;
    c.pcs = 5;
    c.link = 3;
    expect_exact(Dragonfly::parse("3,5,3,16"), c, tails);
  }
  expect_exact(Dragonfly::named("paper"), {}, false);
  expect_exact(Dragonfly::named("tiny"), {.alternate = true}, false);
}

TEST(Age, EveryStageReachesItsClosedFormExactlyForAllIntervals) {
  // Intervals with all kinds of common divisors with A, and latencies that hit the missing residue when N is a multiple
  // of A.
  for (const char* size : {"2,4,2,8", "3,5,3,16", "1,2,2,4", "2,6,1,7"}) {
    const Dragonfly d = Dragonfly::parse(size);
    for (int interval = 1; interval <= 13; ++interval) {
      for (int link = 0; link < d.a(); ++link) {
        PlaneConfig c;
        c.interval = interval;
        c.pcs = 4;
        c.link = link;
        expect_exact_extremes(d, c, false);
        expect_exact_extremes(d, c, true);
      }
    }
  }
}

TEST(Age, WithAlternatingFramesEveryStageReachesItsClosedFormExactly) {
  for (const char* size : {"2,4,2,8", "3,5,3,16", "2,6,1,7"}) {
    const Dragonfly d = Dragonfly::parse(size);
    for (int interval : {1, 2, 3, 4, 5, 6, 7, 10, 12}) {
      for (int link = 0; link < d.a(); ++link) {
        PlaneConfig c;
        c.interval = interval;
        c.pcs = 4;
        c.link = link;
        c.alternate = true;
        expect_exact_extremes(d, c, false);
        expect_exact_extremes(d, c, true);
      }
    }
  }
  AgeParameters p = PlaneConfig{.alternate = true}.age_parameters(Dragonfly::named("paper"));
  EXPECT_EQ(closed_form(p, Stage::total), (Range{47, 108}));
  expect_exact_extremes(Dragonfly::named("paper"), {.alternate = true}, true);
}

TEST(Age, PaperSizeDefaults) {
  const Dragonfly d = Dragonfly::named("paper");
  expect_exact_extremes(d, {}, false);
  expect_exact_extremes(d, {}, true);
  AgeParameters p = PlaneConfig{}.age_parameters(d);
  EXPECT_EQ(closed_form(p, Stage::total), (Range{47, 98}));
  // DOAR §3.1: a broadcast is faster than credits come back. So it is for global links of Table 1, not for local ones.
  constexpr int kThereAndBack = 2 * 100 + 2, kThereAndBackLocal = 2 * 10 + 2;
  EXPECT_LT(closed_form(p, Stage::total).max, kThereAndBack);
  EXPECT_GT(closed_form(p, Stage::total).min, kThereAndBackLocal);
  p.frame_wait_min = 10;
  EXPECT_EQ(closed_form(p, Stage::total), (Range{56, 98}));
  p.frame_wait_min = p.frame_wait_max = 1;
  EXPECT_EQ(closed_form(p, Stage::total), (Range{47, 89}));
}

TEST(Age, GeneralTrafficReachesBothEndsOfTheGeneralForm) {
  const Dragonfly d = Dragonfly::named("tiny");
  GroupPlane plane(d, {});
  plane.measure();
  Random random(2);
  std::vector<RouterEvents> events(d.a());
  for (int i = 0; i < 200'000; ++i) {
    for (RouterEvents& e : events) {
      e.flit = random.next() & random.next();
      e.tail = random.next() & random.next();
      if (random.below(100) == 0) e.failed ^= PortMap{1} << d.global_port(static_cast<int>(random.below(d.h())));
    }
    plane.step(events.data());
  }
  const AgeStatistics s = plane.statistics();
  for (int i = 0; i < kNumStages; ++i) {
    const Range range = closed_form(plane.config().age_parameters(d), static_cast<Stage>(i));
    EXPECT_EQ(s.stage[i].min(), range.min) << to_string(static_cast<Stage>(i));
    EXPECT_EQ(s.stage[i].max(), range.max) << to_string(static_cast<Stage>(i));
  }
}

// ---- Never permanently wrong ----

/// Runs arbitrary changes with lost and bad frames; a violation in words, "" if the bound always holds. `slack` < 0
/// tightens the bound.
std::string staleness_violation(const PlaneConfig& c, uint64_t seed, int slack, int cycles) {
  const Dragonfly d = Dragonfly::named("tiny");
  // First run: how many consecutive frames fail at most? Second run, the same draws: check with that number.
  int lost = 0;
  for (const bool check : {false, true}) {
    GroupPlane plane(d, c);
    Random random(seed);
    std::vector<RouterEvents> events(d.a());
    std::vector<int64_t> changed(d.group_ports(), 0);
    std::vector<bool> value(d.group_ports(), false);
    for (int i = 0; i < cycles; ++i) {
      for (RouterEvents& e : events) {
        e.flit = random.next();
        e.tail = random.next() & random.next();
        if (random.below(150) == 0) e.failed ^= PortMap{1} << d.global_port(static_cast<int>(random.below(d.h())));
      }
      plane.step(events.data());
      if (!check) continue;
      const int64_t bound = staleness_bound(c.age_parameters(d), lost) + slack;
      for (int j = 0; j < d.group_ports(); ++j) {
        const int source = j / d.h();
        const bool now = plane.cong_local(source) >> d.global_port(j % d.h()) & 1;
        if (now != value[j]) changed[j] = plane.now();
        value[j] = now;
        if (plane.now() < changed[j] + bound) continue;
        for (int r = 0; r < d.a(); ++r) {
          for (int k = 0; k < d.num_ports(); ++k) {
            if (plane.cong_global(r, k).test(j) == now) continue;
            return "router " + std::to_string(r) + " port " + std::to_string(k) + " bit " + std::to_string(j) +
                   " wrong at " + std::to_string(plane.now()) + ", last change at " + std::to_string(changed[j]);
          }
        }
      }
    }
    lost = static_cast<int>(plane.counters().longest_gap);
  }
  return "";
}

TEST(Staleness, NoBitIsWrongLongerThanTheBound) {
  odonata::test::check_property(60, [] {
    Random random(odonata::test::uniform_word());
    PlaneConfig c = random_config(random);
    c.stale_enable = false;
    c.faults = {0.3 * random.unit(), 0.3 * random.unit()};
    RC_ASSERT(staleness_violation(c, random.next(), 0, 1500) == "");
  });
}

TEST(Staleness, TheBoundIsTight) {
  PlaneConfig c;
  c.stale_enable = false;
  EXPECT_EQ(staleness_violation(c, 4, 0, 100'000), "");
  EXPECT_NE(staleness_violation(c, 4, -1, 100'000), "") << "one cycle less is violated";
}

TEST(Staleness, ASilentLinkReadsCongestedWithinItsBound) {
  const Dragonfly d = Dragonfly::named("tiny");
  PlaneConfig c;
  c.faults.loss = 1;
  GroupPlane plane(d, c);
  const std::vector<RouterEvents> events(d.a());
  const int bound = silence_bound(c.age_parameters(d), c.stale_limit);
  for (int i = 0; i < bound; ++i) plane.step(events.data());
  for (int r = 0; r < d.a(); ++r) {
    for (int k = 0; k < d.num_ports(); ++k)
      EXPECT_EQ(plane.cong_global(r, k).count(), d.group_ports() - d.h()) << "all but the own bits";
  }
}

TEST(Staleness, CorruptedFramesAreAlwaysFoundAndCounted) {
  const Dragonfly d = Dragonfly::named("paper");
  PlaneConfig c;
  c.faults = {0.1, 0.3};
  GroupPlane plane(d, c);
  GroupLoad load(d, c, {});
  for (int i = 0; i < 20'000; ++i) plane.step(load.next());
  const GroupCounters& n = plane.counters();
  EXPECT_GT(n.corrupted_frames, 1000u);
  EXPECT_EQ(n.undetected_frames, 0u);
  const uint64_t frames = n.frames_in_tails + n.idle_frames,
                 in_flight = frames - n.good_frames - n.bad_frames - n.lost_frames;
  EXPECT_LE(in_flight, static_cast<uint64_t>(132 * 6));
  EXPECT_NEAR(static_cast<double>(n.lost_frames) / static_cast<double>(frames), 0.1, 0.005);
}

/// The first credit of a port comes after the round trip of its class, the last local and the first global port
/// included; with only global ports hot, those of local ones come as fast as packets leave.
TEST(Load, EveryPortHasTheRoundTripAndTheHotShareOfItsClass) {
  const Dragonfly d = Dragonfly::named("tiny");
  GroupLoad load(
      d, {},
      {.local_round_trip = 20, .global_round_trip = 90, .hot_share = 1, .hot_rate = 0.25, .hot_cycles = 100'000});
  std::vector<int64_t> left(static_cast<size_t>(d.num_ports()), -1), back(left);
  std::vector<int> credits(left.size());
  for (int64_t now = 1; now <= 1000; ++now) {
    const RouterEvents& e = load.next()[d.a() - 1];
    for (int port = d.p(); port < d.num_ports(); ++port) {
      const auto at = static_cast<size_t>(port);
      const bool credit = RouterEvents::vcs(e.credit, port) != 0;
      if (left[at] < 0 && (e.departed >> port & 1) != 0) left[at] = now;
      if (back[at] < 0 && credit) back[at] = now;
      credits[at] += static_cast<int>(credit);
    }
  }
  for (int port = d.p(); port < d.num_ports(); ++port) {
    const auto at = static_cast<size_t>(port);
    const bool global = port >= d.first_global();
    EXPECT_EQ(back[at] - left[at], global ? 90 : 20) << port;
    EXPECT_EQ(credits[at] < 300, global) << port << ": " << credits[at];
  }
}

/// However long the bursts are, the share of cycles in which a link is busy is the load.
TEST(Load, BurstsKeepTheLoad) {
  const Dragonfly d = Dragonfly::named("tiny");
  constexpr int kCycles = 60'000, kFlits = 3;
  for (const int burst : {1, 6, 20}) {
    GroupLoad load(d, {}, {.load = 0.5, .packet_flits = kFlits, .burst = burst, .hot_share = 0});
    int64_t packets = 0;
    for (int now = 0; now < kCycles; ++now) {
      const RouterEvents* events = load.next();
      for (int r = 0; r < d.a(); ++r) packets += std::popcount(events[r].departed >> d.p());
    }
    const double links = d.a() * (d.num_ports() - d.p());
    EXPECT_NEAR(static_cast<double>(packets) * kFlits / (links * kCycles), 0.5, 0.02) << burst;
  }
}

TEST(Load, LegalTrafficNeverBreaksACreditAndCongestsOnlyHotPorts) {
  const Dragonfly d = Dragonfly::named("paper");
  for (const double hot : {0.0, 0.25}) {
    GroupPlane plane(d, {});
    GroupLoad load(d, {}, {.hot_share = hot});
    bool congested = false;
    for (int i = 0; i < 8000; ++i) {
      plane.step(load.next());
      for (int r = 0; r < d.a(); ++r) congested |= plane.cong_local(r) != 0;
    }
    EXPECT_EQ(plane.counters().underflows + plane.counters().overflows, 0u);
    EXPECT_EQ(congested, hot > 0);
    EXPECT_EQ(plane.counters().stolen_slots, 0u);
  }
}

}  // namespace
}  // namespace odonata::congestion
