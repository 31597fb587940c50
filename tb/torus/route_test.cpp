// SPDX-License-Identifier: Apache-2.0
#include "models/torus/path.h"

#include <gtest/gtest.h>

#include <bit>

#include "models/common/error.h"
#include "tb/common/property.h"
#include "tb/torus/torus_test.h"

namespace odonata::torus {
namespace {

using oracle::Way;
using tests::map_of;
using tests::world_of;

// ---- worked examples of docs/torus.md §6

/// "(2,4) x+ x0,0" of every hop, with back=1 where the header says so, then the outcome and the last node.
std::string told(const FaultMap& map, Variant variant, int from, int to) {
  const Path path = find_path(map, variant, from, to);
  std::string s;
  for (const Hop& h : path.hops)
    s += map.torus().node_name(h.node) + " " + Torus::port_name(h.port) + " " + channel_name(h.port, h.vc) +
         (h.header & header::kBack ? " back" : "") + " | ";
  return s + std::string(name_of(path.outcome)) + " " + map.torus().node_name(path.end);
}

TEST(WorkedExample, PhaseXGoesRoundTheFault) {
  const FaultMap map = map_of("10x10", "node:4,4");
  const Torus& t = map.torus();
  for (const Variant v : {Variant::kSafe6, Variant::kSafe6Ring, Variant::kSafe4})
    EXPECT_EQ(told(map, v, t.node(2, 4), t.node(6, 4)),
              "(2,4) x+ x0,0 | (3,4) y- y0,1 | (3,3) x+ x0,0 | (4,3) x+ x0,0 | (5,3) x+ x0,0 | (6,3) y+ y0,0 | "
              "delivered (6,4)");
}

TEST(WorkedExample, PhaseYGoesRoundTheFaultAndHome) {
  const FaultMap map = map_of("10x10", "node:4,4");
  const Torus& t = map.torus();
  EXPECT_EQ(told(map, Variant::kSafe6, t.node(4, 2), t.node(4, 6)),
            "(4,2) y+ y0,0 | (4,3) x- x0,1 | (3,3) y+ y0,0 back | (3,4) y+ y0,0 back | (3,5) x+ x0,1 back | (4,5) y+ "
            "y0,0 | delivered (4,6)");
}

TEST(WorkedExample, PrintedNeverReturnsToItsColumn) {
  const FaultMap map = map_of("10x10", "node:4,4");
  const Torus& t = map.torus();
  EXPECT_EQ(told(map, Variant::kPrinted, t.node(4, 2), t.node(4, 6)),
            "(4,2) y+ y0,0 | (4,3) x- x1,1 | (3,3) y+ y0,0 | (3,4) y+ y0,0 | (3,5) y+ y0,0 | stuck (3,6)");
}

TEST(WorkedExample, PrintedCirclesAtAWall) {
  const FaultMap map = map_of("4x4", "node:0,1;node:2,1");
  const Torus& t = map.torus();
  EXPECT_EQ(find_path(map, Variant::kPrinted, t.node(0, 0), t.node(0, 2)).outcome, Outcome::kLivelock);
  EXPECT_EQ(told(map, Variant::kSafe6, t.node(0, 0), t.node(0, 2)), "(0,0) y- y0,0 | (0,3) y- y1,0 | delivered (0,2)");
}

TEST(WorkedExample, DisabledDestinationsAreDroppedBesideTheirRegion) {
  const FaultMap map = map_of("10x10", "node:4,4");
  const Torus& t = map.torus();
  const Path path = find_path(map, Variant::kSafe6, t.node(2, 4), t.node(4, 4));
  EXPECT_EQ(path.outcome, Outcome::kDropped);
  EXPECT_EQ(path.end, t.node(3, 4));
  const FaultMap wall = map_of("4x4", "node:0,1;node:2,1");
  const Path walled = find_path(wall, Variant::kSafe6, 0, wall.torus().node(0, 1));
  EXPECT_EQ(walled.outcome, Outcome::kUnreachable);
  EXPECT_TRUE(walled.hops.empty()) << "at once";
}

TEST(WorkedExample, TwoWallsPartTheTorus) {
  const FaultMap map = map_of("6x4", "node:0,0;node:0,2;node:3,0;node:3,2");
  EXPECT_EQ(map.wall(0), 0b101101u);
  const Path path = find_path(map, Variant::kSafe6Ring, map.torus().node(1, 0), map.torus().node(5, 0));
  EXPECT_EQ(path.outcome, Outcome::kUnreachable);
}

// Smallest and largest detours: a fault beside the wrap link, a region of k - 2, a detour over the wrap of the other
// dimension.
TEST(WorkedExample, WrapLinksAreNothingSpecial) {
  const FaultMap corner = map_of("5x5", "node:0,0");
  EXPECT_EQ(told(corner, Variant::kSafe6Ring, corner.torus().node(4, 0), corner.torus().node(1, 0)),
            "(4,0) y- y1,1 | (4,4) x+ x1,0 | (0,4) x+ x0,0 | (1,4) y+ y1,0 | delivered (1,0)");
  const FaultMap tall = map_of("6x6", "node:2,1;node:2,2;node:2,3;node:2,4");
  EXPECT_EQ(tall.num_healthy(), 32);
  EXPECT_EQ(find_path(tall, Variant::kSafe6, tall.torus().node(1, 2), tall.torus().node(3, 2)).outcome,
            Outcome::kDelivered);
  EXPECT_EQ(told(tall, Variant::kSafe6Short, tall.torus().node(1, 4), tall.torus().node(3, 4)),
            "(1,4) y+ y0,1 back | (1,5) x+ x0,0 | (2,5) x+ x0,0 | (3,5) y- y1,0 | delivered (3,4)");
}

// ---- golden model and oracle, path by path

void expect_same_paths(const FaultMap& map, const oracle::World& world, Variant v, int only_every = 1) {
  const Torus& t = map.torus();
  for (int i = 0; i < t.nodes() * t.nodes(); i += only_every) {
    const int from = i / t.nodes(), to = i % t.nodes();
    if (!map.healthy(from)) continue;
    Way golden = tests::in_words(map, v, from, to);
    const Way slow = tests::oracle_way(world, v, {from % world.kx, from / world.kx}, {to % world.kx, to / world.kx});
    if (golden.outcome == "livelock") golden.steps.resize(std::min(golden.steps.size(), slow.steps.size()));
    ASSERT_EQ(golden.outcome, slow.outcome) << name_of(v) << " " << told(map, v, from, to);
    ASSERT_EQ(golden.steps, slow.steps) << name_of(v) << " " << told(map, v, from, to);
  }
}

TEST(Oracle, EveryClosedSetOf4x4) {
  for (const Rule rule : {Rule::kAny, Rule::kDim}) {
    const Torus t = Torus::parse("4x4");
    for_each_closed_set(t, rule, [&](uint32_t set) {
      const FaultMap map(t, rule, node_faults(set));
      const oracle::World world = world_of(t, rule, node_faults(set));
      for (const Variant v : tests::kWithOracle) expect_same_paths(map, world, v);
    });
  }
}

TEST(Oracle, NodesAndLinksOf3x3And5x4) {
  for (const char* name : {"3x3", "5x4"}) {
    const Torus t = Torus::parse(name);
    int every = 0;
    tests::for_each_single_and_double(t, [&](const Faults& f) {
      const Rule rule = every % 2 ? Rule::kDim : Rule::kAny;
      if (every++ % 11 != 0) return;
      const FaultMap map(t, rule, f);
      const oracle::World world = world_of(t, rule, f);
      for (const Variant v : tests::kWithOracle) expect_same_paths(map, world, v);
    });
  }
}

TEST(Oracle, RandomSetsAtLargerSizes) {
  Random random(23);
  for (const char* name : {"7x5", "10x10", "32x32"}) {
    const Torus t = Torus::parse(name);
    for (int i = 0; i < 8; ++i) {
      Faults f = tests::random_nodes(t, t.nodes() / 15, random);
      for (int l = 0; l < 3; ++l)
        f.links.push_back(
            {static_cast<int>(random.below(static_cast<uint32_t>(t.nodes()))), static_cast<int>(random.below(2))});
      const Rule rule = i % 2 ? Rule::kDim : Rule::kAny;
      const FaultMap map(t, rule, f);
      const oracle::World world = world_of(t, rule, f);
      for (const Variant v : tests::kWithOracle)
        expect_same_paths(map, world, v, t.nodes() > 100 ? 4999 : t.nodes() > 40 ? 17 : 1);
    }
  }
}

// ---- one decision

/// Anything that a router might be asked.
Ask random_ask(const Ground& g, Random& random) {
  Ask a;
  for (int d = 0; d < 2; ++d) {
    a.at[d] = static_cast<uint8_t>(random.below(g.radix[d]));
    a.dest[d] = static_cast<uint8_t>(random.below(g.radix[d]));
  }
  a.header = static_cast<uint8_t>(random.below(64));
  a.blocked = static_cast<uint8_t>(random.below(16));
  a.sides = static_cast<uint8_t>(random.below(256));
  a.fresh = random.chance(0.5);
  return a;
}

TEST(Route, ABatchAnswersAsOneByOne) {
  Random random(2);
  std::vector<Ask> asks(1000);
  std::vector<Answer> answers(asks.size());
  const Ground g{{0b0100, 0b1000}, {9, 11}};
  for (Ask& a : asks) a = random_ask(g, random);
  for (int v = 0; v < kNumVariants; ++v) {
    route_all(static_cast<Variant>(v), g, asks.data(), answers.data(), asks.size());
    for (size_t i = 0; i < asks.size(); ++i) {
      ASSERT_EQ(answers[i], route(static_cast<Variant>(v), g, asks[i]));
      const Answer& a = answers[i];
      if (a.action != Action::kForward) {
        ASSERT_EQ(a.port | a.vc | a.header | a.productive, 0);
      } else {
        ASSERT_FALSE(asks[i].blocked >> a.port & 1) << "a blocked port is never named";
        ASSERT_LT(a.vc, kVcs);
        ASSERT_EQ(a.productive & asks[i].blocked, 0);
      }
    }
  }
}

// docs/torus.md §4: the header of a fresh packet means nothing.
TEST(Route, AFreshPacketHasNoHeader) {
  Random random(6);
  const Ground g{{0b0100, 0b1000}, {9, 11}};
  for (int i = 0; i < 20'000; ++i) {
    Ask a = random_ask(g, random);
    a.fresh = true;
    Ask plain = a;
    plain.header = 0;
    for (int v = 0; v < kNumVariants; ++v)
      ASSERT_EQ(route(static_cast<Variant>(v), g, a), route(static_cast<Variant>(v), g, plain))
          << name_of(static_cast<Variant>(v)) << " " << int{a.header};
  }
}

/// Whether a wall stands on the way from `at` to `dest`, link by link.
bool crosses(uint64_t wall, int at, int dest, int radix, bool minus) {
  for (; at != dest; at = (at + (minus ? radix - 1 : 1)) % radix)
    if ((wall >> (minus ? (at + radix - 1) % radix : at) & 1) != 0) return true;
  return false;
}

// docs/torus.md §5: adaptive channels lead in the steered direction of each dimension with an offset, where its port is
// free.
TEST(Route, AdaptiveChannelsKeepClearOfWalls) {
  Random random(7);
  int steered = 0;
  for (int i = 0; i < 20'000; ++i) {
    Ground g{{0, 0}, {7, 10}};
    for (int d = 0; d < 2; ++d) g.wall[d] = random.chance(0.5) ? 1ull << random.below(g.radix[d]) : 0;
    const Ask a = random_ask(g, random);
    const Answer answer = route(Variant::kAdaptive, g, a);
    if (answer.action != Action::kForward) continue;
    unsigned expected = 0;
    for (int d = 0; d < 2 && a.fresh; ++d) {
      if (a.at[d] == a.dest[d]) continue;
      const int k = g.radix[d], off = a.dest[d] - a.at[d];
      const bool near = 2 * std::abs(off) <= k, shorter = (off > 0) != near,
                 other = crosses(g.wall[d], a.at[d], a.dest[d], k, shorter);
      expected |= 1u << (2 * d + (shorter != other));
      steered += other;
    }
    ASSERT_EQ(answer.productive, expected & ~a.blocked) << i;
  }
  EXPECT_GT(steered, 1000);
}

TEST(Route, NamesAndWords) {
  for (int v = 0; v < kNumVariants; ++v) {
    const std::string name(name_of(static_cast<Variant>(v)));
    EXPECT_EQ(variant_from_name(name), static_cast<Variant>(v));
    EXPECT_EQ(variant_from_name("torus_" + name), static_cast<Variant>(v));
  }
  EXPECT_EQ(rule_from_name("any"), Rule::kAny);
  EXPECT_EQ(rule_from_name("dim"), Rule::kDim);
  EXPECT_THROW(rule_from_name("all"), Error);
  for (const char* text : {"", "torus_", "safe", "torus_torus_safe6", "minimal"})
    EXPECT_THROW(variant_from_name(text), Error) << text;
  EXPECT_EQ(channel_name(3, 4), "y1,1");
  EXPECT_EQ(directed_channel_name(1, 2), "x0,2-");
  EXPECT_THROW(find_path(map_of("5x5", "node:1,1"), Variant::kSafe6, 6, 0), Error) << "a disabled source";
  EXPECT_THROW(find_path(map_of("3x3x3", ""), Variant::kSafe6, 0, 1), Error) << "three dimensions";
}

// ---- claims on whole paths

// Without faults every variant is the minimal dimension-order route of a torus with a dateline.
TEST(Path, WithoutFaultsMinimal) {
  for (const char* name : {"3x3", "4x4", "5x4", "10x10", "7x32"}) {
    const FaultMap map = map_of(name, "");
    const Torus& t = map.torus();
    for (int v = 0; v < kNumVariants; ++v) {
      const Variant variant = static_cast<Variant>(v);
      for (int from = 0; from<t.nodes(); from += t.nodes()> 120 ? 7 : 1) {
        for (int to = 0; to < t.nodes(); ++to) {
          const Path path = find_path(map, variant, from, to);
          ASSERT_EQ(path.outcome, Outcome::kDelivered);
          int distance = 0;
          for (int d = 0; d < 2; ++d) {
            const int off = std::abs(t.coordinate(from, d) - t.coordinate(to, d));
            distance += std::min(off, t.radix(d) - off);
          }
          ASSERT_EQ(path.hops.size(), static_cast<size_t>(distance)) << name_of(variant);
          if (variant == Variant::kAdaptive) continue;
          ASSERT_EQ(
              path.hops, variant == Variant::kPrinted || variant == Variant::kRing6 ? path.hops : [&] {
                std::vector<Hop> ecube = find_path(map, Variant::kEcube, from, to).hops;
                for (size_t i = 0; i < ecube.size(); ++i) ecube[i].header = path.hops[i].header;
                return ecube;
              }());
          for (const Hop& h : path.hops) ASSERT_EQ(h.vc % 3, 0);
        }
      }
    }
  }
}

TEST(Path, MeanLinksOfThePaperSize) {
  const FaultMap map = map_of("10x10", "");
  std::vector<int> histogram(11);
  for (int from = 0; from < 100; ++from)
    for (int to = 0; to < 100; ++to) ++histogram[find_path(map, Variant::kSafe6Ring, from, to).hops.size()];
  EXPECT_EQ(histogram, (std::vector<int>{100, 400, 800, 1200, 1600, 1800, 1600, 1200, 800, 400, 100}));
}

// On random tori with random faults: complete, no circle, within the bound of docs/torus.md §6, dropped only if
// disabled.
TEST(Path, PropertiesUpToTheBigSize) {
  test::check_property(400, [] {
    const int kx = test::uniform(3, 32), ky = test::uniform(3, 32);
    const Torus t({kx, ky});
    Random random(test::uniform_word());
    const Rule rule = test::uniform(0, 1) ? Rule::kDim : Rule::kAny;
    Faults faults = tests::random_nodes(t, test::uniform(0, std::max(1, t.nodes() / 20)), random);
    for (int l = test::uniform(0, 3); l > 0; --l)
      faults.links.push_back(
          {static_cast<int>(random.below(static_cast<uint32_t>(t.nodes()))), static_cast<int>(random.below(2))});
    const FaultMap map(t, rule, faults);
    if (map.num_healthy() == 0) return;
    int heights = 0, widths = 0;
    for (const Region& r : map.regions()) heights += r.extent[1], widths += r.extent[0];
    for (int i = 0; i < 50; ++i) {
      const int from = static_cast<int>(random.below(static_cast<uint32_t>(t.nodes()))),
                to = static_cast<int>(random.below(static_cast<uint32_t>(t.nodes())));
      if (!map.healthy(from)) continue;
      for (const Variant v :
           {Variant::kSafe6, Variant::kSafe6Ring, Variant::kSafe6Short, Variant::kSafe4, Variant::kAdaptive}) {
        const Path path = find_path(map, v, from, to);
        if (map.healthy(to)) {
          RC_ASSERT(path.outcome == (map.parted(from, to) ? Outcome::kUnreachable : Outcome::kDelivered));
        } else {
          RC_ASSERT(path.outcome == Outcome::kDropped || path.outcome == Outcome::kUnreachable);
        }
        if (map.wall(0) == 0 && map.wall(1) == 0 && faults.links.empty() && v == Variant::kSafe6)
          RC_ASSERT(static_cast<int>(path.hops.size()) <= kx / 2 + heights + ky / 2 + 2 * widths);
        for (size_t h = 0; h < path.hops.size(); ++h) {
          RC_ASSERT(!(map.blocked(path.hops[h].node) >> path.hops[h].port & 1));
          RC_ASSERT((h + 1 < path.hops.size() ? path.hops[h + 1].node : path.end) ==
                    t.neighbour(path.hops[h].node, path.hops[h].port));
        }
      }
    }
  });
}

// The corners of the big size: one large region, a long thin one, a wall, a corridor of one node (rule dim).
TEST(Path, CornersOfTheBigSize) {
  const Torus t = Torus::parse("32x32");
  const auto rectangle = [&](int x0, int w, int y0, int h) {
    Faults f;
    for (int x = x0; x < x0 + w; ++x)
      for (int y = y0; y < y0 + h; ++y) f.nodes.push_back(t.node(x % 32, y % 32));
    return f;
  };
  for (const Faults& f : {rectangle(28, 10, 25, 13), rectangle(5, 30, 7, 1), rectangle(9, 1, 3, 30),
                          rectangle(4, 1, 0, 32), rectangle(0, 32, 31, 2), rectangle(5, 31, 7, 2)}) {
    for (const Rule rule : {Rule::kAny, Rule::kDim}) {
      const FaultMap map(t, rule, f);
      WaitGraph graph(t);
      for (const Variant v : {Variant::kSafe6Ring, Variant::kSafe6Short}) {
        graph.clear();
        const Service s = add_routes(map, v, graph, Destinations::kAll);
        EXPECT_EQ(s.lost(), 0);
        EXPECT_EQ(s.pairs, int64_t{map.num_healthy()} * (map.num_healthy() - 1));
        EXPECT_EQ(s.delivered + s.unreachable, s.pairs);
        EXPECT_TRUE(graph.acyclic());
      }
    }
  }
}

// ---- the proof of docs/torus.md §7 in paths: the rank rises, or stays in one direction; a channel has one rank

/// Looks at every path of the map; false with the first violation told.
bool rank_holds(const FaultMap& map, Variant v, std::string& why) {
  const Torus& t = map.torus();
  std::map<int, int> rank_of;  // of a channel
  for (int from = 0; from < t.nodes(); ++from) {
    if (!map.healthy(from)) continue;
    for (int to = 0; to < t.nodes(); ++to) {
      const Path path = find_path(map, v, from, to);
      int before = -1, port = -1;
      for (const Hop& h : path.hops) {
        const int now = rank(t, h);
        if (now < before || (now == before && h.port != port))
          return why = "rank falls: " + told(map, v, from, to), false;
        if (rank_of.try_emplace(channel_number(h.node, h.port, h.vc), now).first->second != now)
          return why = "two ranks: " + directed_channel_name(h.port, h.vc) + " of " + t.node_name(h.node), false;
        before = now;
        port = h.port;
      }
    }
  }
  return true;
}

TEST(Rank, HoldsOnClosedSetsAndDoubleFaults) {
  int64_t maps = 0;
  const auto expect = [&](const FaultMap& map, Variant v) {
    std::string why;
    EXPECT_TRUE(rank_holds(map, v, why)) << name_of(v) << " " << why;
    ++maps;
  };
  for (const Rule rule : {Rule::kAny, Rule::kDim}) {
    for (const char* name : {"3x3", "4x4", "5x4"}) {
      const Torus t = Torus::parse(name);
      for_each_closed_set(t, rule, [&](uint32_t set) {
        const FaultMap map(t, rule, node_faults(set));
        expect(map, Variant::kSafe6);
        expect(map, Variant::kSafe6Ring);
        if (rule == Rule::kAny) expect(map, Variant::kSafe4);
      });
    }
    const Torus t = Torus::parse("4x3");
    tests::for_each_single_and_double(t, [&](const Faults& f) { expect(FaultMap(t, rule, f), Variant::kSafe6Ring); });
    Random random(12);
    for (int i = 0; i < 10; ++i)
      expect(FaultMap(Torus::parse("10x10"), rule, tests::random_nodes(Torus::parse("10x10"), 7, random)),
             Variant::kSafe6Ring);
  }
  EXPECT_GT(maps, 3000);
}

TEST(Rank, DoesNotHoldForRing6) {
  std::string why;
  EXPECT_FALSE(rank_holds(map_of("5x5", "node:0,0;node:3,1"), Variant::kRing6, why));
  EXPECT_FALSE(rank_holds(map_of("5x5", "node:0,0"), Variant::kRing6, why));
}

}  // namespace
}  // namespace odonata::torus
