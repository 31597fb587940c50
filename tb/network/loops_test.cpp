// SPDX-License-Identifier: Apache-2.0
// The engine's loops and the containers beneath them: windows of any length, links of any latency, order-free policies
// and those in order, checkpoints.
#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <vector>

#include "models/common/bucket_line.h"
#include "models/common/lanes.h"
#include "models/common/random.h"
#include "sim/network/due_bits.h"
#include "sim/network/make_engine.h"
#include "sim/network/policies/minimal.h"
#include "sim/network/state_file.h"
#include "sim/network/topologies/dragonfly.h"
#include "tb/network/configs.h"

namespace odonata::network {
namespace {

/// MIN as a policy that says nothing of its order; the batches of its base are not its own.
class MinimalInOrder : public Minimal<2> {
 public:
  using Minimal::Minimal;
  static constexpr bool kOrderFree = false;
};

std::unique_ptr<Simulation> minimal(const Config& c, bool in_order) {
  return in_order ? make_engine<MinimalInOrder, DragonflyTopology>(c) : make_engine<Minimal<2>, DragonflyTopology>(c);
}

Config tiny(int local, int global, double load) {
  Config c = run_on_tiny("min", "ur", load, 1000, 2000);
  c.router.vcs = Minimal<2>::kVcs;
  c.link("local").latency = local;
  c.link("global").latency = global;
  return c;
}

TEST(NetworkLoops, TheOrderOfInjectionsChangesNothingWhereNothingIsShared) {
  for (const int global : {20, 100, 127, 128, 129, 300, 1000}) {
    for (const double load : {0.02, 0.5, 1.0}) {
      const Config c = tiny(10, global, load);
      const Result free = simulate(*minimal(c, false)), ordered = simulate(*minimal(c, true));
      EXPECT_EQ(free.digest, ordered.digest) << global << " cycles, load " << load;
      EXPECT_EQ(free.flit_hops, ordered.flit_hops);
      EXPECT_TRUE(free.conservation_ok && ordered.conservation_ok);
      EXPECT_GT(free.delivered, 0u);
    }
  }
}

/// What a checkpoint may hold: a packet that came over a local link on its second channel leaves the group no more.
TEST(NetworkLoops, MinimalKnowsWhatTwoChannelsBringHome) {
  const Config c = tiny(10, 100, 0.5);
  const Dragonfly& d = dragonfly_of(c);
  const Wiring wiring = c.topology->wire(c);
  const Minimal<2> policy(Context{c, wiring}, 0);
  int groups = 0;
  for (int to = 1; to < d.g(); ++to) {
    if (d.port_to_group(0, to) / d.h() != 0) continue;  // the exit is router 0
    ++groups;
    for (int bid = 0; bid < d.a(); ++bid) {
      Flit flit;
      flit.dest = pack({to, bid, 0});
      EXPECT_TRUE(policy.knows(flit, {0, 0, 0}));
      EXPECT_TRUE(policy.knows(flit, {0, d.local_port(0, 1), 0}));
      EXPECT_FALSE(policy.knows(flit, {0, d.local_port(0, 1), 1})) << "G2";
      EXPECT_FALSE(policy.takes(flit, {0, d.local_port(0, 1), 1}, {static_cast<uint8_t>(d.local_port(0, 2)), 1}));
      flit.dest = pack({0, bid, 0});
      EXPECT_TRUE(policy.knows(flit, {0, d.global_port(1), 1})) << "L1";
    }
  }
  EXPECT_EQ(groups, d.h() - 1);
}

/// MIN has room for two channels or for four, whatever it takes.
TEST(NetworkLoops, RoomForMoreChannelsChangesNothing) {
  Config c = tiny(10, 100, 0.5);
  const Result two = simulate(*make_engine<Minimal<2>, DragonflyTopology>(c));
  const Result four = simulate(*make_engine<Minimal<4>, DragonflyTopology>(c));
  EXPECT_EQ(two.digest, four.digest);
  EXPECT_EQ(two.flit_hops, four.flit_hops);
  EXPECT_GT(two.delivered, 0u);
  c.router.vcs = 3;  // more than there is room for in the first
  const auto make_narrow = [&c] { return make_engine<Minimal<2>, DragonflyTopology>(c); };
  EXPECT_THROW(make_narrow(), Error);
  const Result three = simulate(*make_simulation(c));
  EXPECT_TRUE(three.conservation_ok);
  EXPECT_GT(three.delivered, 0u);
}

/// Local links of 500 cycles go through buckets, of 501 through calendars: a packet's way is longer by a cycle for
/// every local link.
TEST(NetworkLoops, LongLinksTakeTheirTime) {
  std::map<int, Result> by_latency;
  for (const int local : {499, 500, 501, 502}) {
    Config c = tiny(local, 1000, 0.001);
    c.sample = 6000;
    by_latency.emplace(local, simulate(*minimal(c, false)));
    EXPECT_TRUE(by_latency.at(local).conservation_ok);
    EXPECT_EQ(by_latency.at(local).unfinished, 0u);
  }
  const auto step = [&](int local) {
    return by_latency.at(local + 1).latency.mean() - by_latency.at(local).latency.mean();
  };
  EXPECT_GT(step(499), 0.5);
  EXPECT_NEAR(step(499), step(500), 0.02);
  EXPECT_NEAR(step(500), step(501), 0.02);
}

TEST(NetworkLoops, ACheckpointInTheMiddleOfLongQueuesGoesOnExactly) {
  for (const bool in_order : {false, true}) {
    for (const int local : {10, 600}) {
      Config c = tiny(local, 1000, 1.0);
      c.traffic = "adv+1";
      const Result whole = simulate(*minimal(c, in_order));
      const auto first = minimal(c, in_order), second = minimal(c, in_order);
      while (first->now() < 2000) first->advance();
      std::stringstream state;
      first->save(state);
      second->load(state);
      const Result resumed = simulate(*second);
      EXPECT_EQ(resumed.digest, whole.digest);
      EXPECT_EQ(resumed.flit_hops, whole.flit_hops);
      EXPECT_TRUE(resumed.conservation_ok);
    }
  }
}

TEST(BucketLine, ShowsEveryEventInItsCycleInTheOrderOfAddition) {
  constexpr uint32_t kDays = 9;
  constexpr size_t kMost = 40;
  BucketLine<uint32_t> line(kDays, kMost);
  std::map<uint32_t, std::vector<uint32_t>> expected;
  Random random(1);
  uint32_t number = 0;
  for (uint32_t cycle = 0; cycle < 2000; ++cycle) {
    std::vector<uint32_t> seen;
    line.serve([&](uint32_t event) { seen.push_back(event); });
    ASSERT_EQ(seen, expected[cycle]) << "cycle " << cycle;
    const auto add = [&](uint32_t cycles) {
      if (expected[cycle + cycles].size() == kMost) return false;
      expected[cycle + cycles].push_back(++number);
      return true;
    };
    for (uint32_t n = random.below(6); n != 0; --n) {
      const uint32_t cycles = 1 + random.below(kDays - 1);
      if (add(cycles)) line.add(cycles, number);
    }
    const BucketLine<uint32_t>::Writer writer(line, 4);
    for (uint32_t n = random.below(6); n != 0; --n) {
      const uint32_t k = random.below(3);
      if (add(4 + k)) writer.room(k) = number;
    }
    size_t waiting = 0, known = 0;
    line.for_each([&](uint32_t) { ++waiting; });
    for (uint32_t later = cycle + 1; later < cycle + kDays; ++later) known += expected[later].size();
    ASSERT_EQ(waiting, known);
  }
}

/// Behind right checksums, too: `./dev fuzz` found a state whose counts led out of the memory.
TEST(BucketLine, RefusesAStateThatIsNotOfSuchALine) {
  const auto load = [](uint32_t today, const std::vector<uint32_t>& counts, size_t events) {
    StateWriter writer;
    writer(today), writer(counts), writer(std::vector<uint32_t>(events, 7));
    StateReader reader(writer.bytes());
    BucketLine<uint32_t> line(3, 2);
    line.visit_state(reader);
  };
  EXPECT_NO_THROW(load(2, {2, 1, 0}, 3));
  EXPECT_THROW(load(3, {2, 1, 0}, 3), Error) << "a day that does not exist";
  EXPECT_THROW(load(2, {2, 1}, 3), Error) << "days are missing";
  EXPECT_THROW(load(2, {2, 0, 0, 1}, 3), Error) << "a day too many";
  EXPECT_THROW(load(2, {2, 0, 1}, 3), Error) << "events of the day that has been served";
  EXPECT_THROW(load(2, {3, 0, 0}, 3), Error) << "more than a day holds";
  EXPECT_THROW(load(2, {2, 1, 0}, 2), Error) << "events are missing";
  EXPECT_THROW(load(2, {2, 1, 0}, 4), Error) << "an event too many";
}

TEST(DueBits, ShowsTheNumbersOfACycleInTheirOrder) {
  DueBits due(150);
  for (const uint32_t number : {149u, 3u, 64u, 63u}) due.add(100, number);
  due.add(101, 5);
  std::vector<uint32_t> seen;
  for (uint32_t cycle = 90; cycle <= 100; ++cycle) {
    due.serve(cycle, [&](uint32_t number) {
      seen.push_back(number);
      due.add(cycle + DueBits::kDays - 1, number);
    });
  }
  EXPECT_EQ(seen, (std::vector<uint32_t>{3, 63, 64, 149}));
  seen.clear();
  for (uint32_t cycle = 101; cycle <= 100 + DueBits::kDays - 1; ++cycle)
    due.serve(cycle, [&](uint32_t number) { seen.push_back(number); });
  EXPECT_EQ(seen, (std::vector<uint32_t>{5, 3, 63, 64, 149}));
}

TEST(BitList, NumbersOfTheBitsOfARangeInTheirOrder) {
  Random random(3);
  for (int round = 0; round < 2000; ++round) {
    std::array<uint64_t, 4> words{};
    const uint32_t bits = random.below(random.chance(0.5) ? 10 : 257);
    for (uint32_t k = 0; k != bits; ++k) words[random.below(4)] |= uint64_t{1} << random.below(64);
    const uint32_t first = random.below(256), last = first + random.below(257 - first);
    std::vector<uint32_t> expected;
    for (uint32_t i = first; i != last; ++i) {
      if ((words[i / 64] >> (i % 64) & 1) != 0) expected.push_back(i);
    }
    std::array<uint32_t, 256 + kBitListSlack> list;
    const uint32_t* const end = list_bits([&words](uint32_t word) { return words[word]; }, first, last, list.data());
    ASSERT_EQ(std::vector<uint32_t>(static_cast<const uint32_t*>(list.data()), end), expected) << first << ".." << last;
  }
}

TEST(Lanes, CountAndSignOfSixtyFourCounters) {
  Random random(2);
  std::array<int32_t, 64> counters{}, expected{};
  for (int round = 0; round < 1000; ++round) {
    const uint64_t sparse = random.chance(0.5)
                                ? random.next() & random.next() & random.next() & random.next() & random.next()
                                : ~uint64_t{0};
    const uint64_t up = random.next() & sparse, down = random.next() & sparse;
    count_bits(counters.data(), up, down);
    uint64_t signs = 0;
    for (int i = 0; i < 64; ++i) {
      expected[static_cast<size_t>(i)] += static_cast<int32_t>(up >> i & 1) - static_cast<int32_t>(down >> i & 1);
      signs |= static_cast<uint64_t>(expected[static_cast<size_t>(i)] >= 0) << i;
    }
    ASSERT_EQ(counters, expected);
    ASSERT_EQ(not_negative(counters.data()), signs);
  }
}

}  // namespace
}  // namespace odonata::network
