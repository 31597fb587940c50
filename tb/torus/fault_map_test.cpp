// SPDX-License-Identifier: Apache-2.0
#include "models/torus/fault_map.h"

#include <gtest/gtest.h>

#include <bit>

#include "models/common/error.h"
#include "tb/common/error_text.h"
#include "tb/torus/torus_test.h"

namespace odonata::torus {
namespace {

using tests::map_of;
using tests::world_of;

constexpr Rule kRules[] = {Rule::kAny, Rule::kDim};

// ---- geometry

TEST(Torus, ACoordinateIsWithinItsOwnDimension) {
  EXPECT_EQ(Torus::parse("3x5").parse_node("2,4"), 14);
  EXPECT_THROW(Torus::parse("5x3").parse_node("2,4"), Error);
  EXPECT_EQ(Torus::parse("3x4x5").parse_node("0,3,4"), 57);
  EXPECT_THROW(Torus::parse("5x4x3").parse_node("0,3,4"), Error);
}

TEST(Torus, GeometryOfEveryNode) {
  for (const char* name : {"3x3", "4x4", "5x4", "10x10", "3x7", "3x4x5"}) {
    const Torus t = Torus::parse(name);
    EXPECT_EQ(t.name(), name);
    for (int n = 0; n < t.nodes(); ++n) {
      EXPECT_EQ(t.node(t.coordinates(n)), n);
      for (int p = 0; p < t.ports(); ++p) {
        const int m = t.neighbour(n, p);
        EXPECT_EQ(t.neighbour(m, Torus::opposite(p)), n);
        for (int d = 0; d < t.dimensions(); ++d) {
          const int k = t.radix(d), moved = p / 2 == d ? (p & 1 ? k - 1 : 1) : 0;
          EXPECT_EQ(t.coordinate(m, d), (t.coordinate(n, d) + moved) % k);
        }
      }
    }
  }
  const Torus t = Torus::parse("10,10");
  EXPECT_EQ(t, Torus::parse("paper"));
  EXPECT_EQ(t.node(3, 5), 53);
  EXPECT_EQ(t.node_name(53), "(3,5)");
  EXPECT_EQ(Torus::port_name(0) + Torus::port_name(1) + Torus::port_name(2) + Torus::port_name(3), "x+x-y+y-");
  EXPECT_EQ(Torus::parse("tiny").name(), "4x4");
  EXPECT_EQ(Torus::parse("big").name(), "32x32");
}

TEST(Torus, BadInputIsRefused) {
  for (const char* text : {"", "x", "3", "3x", "x3", "3x3x", "2x3", "3x2", "65x3", "3x3x3x3", "3,3x3", "-3x3", "3x03x",
                           "99999x3", "3x3 ", "paper "})
    EXPECT_THROW(Torus::parse(text), Error) << text;
  EXPECT_EQ(error_text([&] { Torus::parse("10x2"); }), "torus: radix 2 of dimension y is outside 3..64");
}

TEST(Faults, ReadFromText) {
  const Torus t = Torus::parse("10x10");
  const Faults f = parse_faults(t, "node:3,5;link:2,2,x+;link:0,4,x-;link:7,9,y+;node:0,0");
  EXPECT_EQ(f.nodes, (std::vector<int>{53, 0}));
  EXPECT_EQ(f.links, (std::vector<Link>{{22, 0}, {49, 0}, {97, 1}}));
  for (const char* text :
       {"", "node:", "node:3", "node:10,0", "node:0,10", "node:-1,0", "node:a,0", "node:1,2,3", "link:1,2",
        "link:1,2,z+", "link:1,2,x", "link:1,2,x++", "router:1,2", "node:1,2;", ";node:1,2", "node:1, 2", "node:1,+2"})
    EXPECT_THROW(parse_faults(t, text), Error) << text;
  EXPECT_EQ(error_text([&] { parse_faults(t, "node:3,5;node:3,10"); }),
            "node \"3,10\" of torus 10x10: y is outside 0..9");
}

// ---- the fixed point, against the oracle

void expect_same(const Torus& t, Rule rule, const Faults& faults) {
  const FaultMap map(t, rule, faults);
  const oracle::World world = world_of(t, rule, faults);
  int rounds = 0;
  for (int n = 0; n < t.nodes(); ++n) {
    const oracle::Point p{t.coordinate(n, 0), t.coordinate(n, 1)};
    const auto at = world.round.find(p);
    ASSERT_EQ(map.marked_in_round(n), at == world.round.end() ? FaultMap::kHealthy : at->second) << t.node_name(n);
    rounds = std::max(rounds, map.marked_in_round(n));
    for (int port = 0; port < 4; ++port) {
      ASSERT_EQ(map.blocked(n) >> port & 1, !world.usable(p, Torus::port_name(port)));
      const std::string across = port < 2 ? "y" : "x";
      const int plus = world.span(p, Torus::port_name(port), across + "+"),
                minus = world.span(p, Torus::port_name(port), across + "-");
      ASSERT_EQ(map.span(n, port, false), plus);
      ASSERT_EQ(map.span(n, port, true), minus);
      ASSERT_EQ(map.sides(n) >> port & 1, plus < minus);
      ASSERT_EQ(map.sides(n) >> (4 + port) & 1, minus < plus);
    }
  }
  ASSERT_EQ(map.rounds(), rounds);
  ASSERT_EQ(static_cast<size_t>(map.num_healthy()), world.healthy().size());
  for (int d = 0; d < 2; ++d)
    for (int c = 0; c < t.radix(d); ++c)
      ASSERT_EQ(map.wall(d) >> c & 1, world.wall("xy"[d], c)) << t.name() << " " << d << " " << c;
}

TEST(FaultMap, AgreesWithTheOracleOnEverySetOf3x3And4x4) {
  for (const Rule rule : kRules) {
    for (uint32_t set = 0; set < 1u << 9; ++set) expect_same(Torus::parse("3x3"), rule, node_faults(set));
    for (uint32_t set = 0; set < 1u << 16; set += 1 + set % 5) expect_same(Torus::parse("4x4"), rule, node_faults(set));
  }
}

TEST(FaultMap, AgreesWithTheOracleOnRandomNodesAndLinks) {
  Random random(5);
  for (const char* name : {"5x4", "3x7", "10x10", "16x9"}) {
    const Torus t = Torus::parse(name);
    for (int i = 0; i < 150; ++i) {
      Faults f;
      for (uint32_t n = random.below(static_cast<uint32_t>(t.nodes() / 5)) + 1; n > 0; --n)
        tests::add_thing(t, static_cast<int>(random.below(static_cast<uint32_t>(3 * t.nodes()))), f);
      expect_same(t, kRules[i % 2], f);
    }
  }
}

// A ring of 64 fills the word of its walls: walls at the first, the last and some other link.
TEST(FaultMap, AgreesWithTheOracleAtTheLongestRing) {
  for (const char* name : {"64x3", "3x64"}) {
    const Torus t = Torus::parse(name);
    const int d = t.radix(0) == 64 ? 0 : 1;
    for (const int c : {0, 17, 63}) {
      Faults f;
      for (int across = 0; across < 3; ++across) f.links.push_back({d == 0 ? t.node(c, across) : t.node(across, c), d});
      for (const Rule rule : kRules) expect_same(t, rule, f);
      EXPECT_EQ(FaultMap(t, Rule::kDim, f).wall(d), uint64_t{1} << c) << name;
      f.links.pop_back();
      EXPECT_EQ(FaultMap(t, Rule::kDim, f).wall(d), 0u) << name << ": a link of the wall lives";
    }
  }
}

TEST(FaultMap, ClosedSetsAreExactlyTheClosures) {
  for (const char* name : {"3x3", "4x3", "4x4"}) {
    const Torus t = Torus::parse(name);
    for (const Rule rule : kRules) {
      std::set<uint32_t> closures, closed;
      for (uint32_t set = 0; set < 1u << t.nodes(); ++set) {
        const FaultMap map(t, rule, node_faults(set));
        uint32_t all = 0;
        for (int n = 0; n < t.nodes(); ++n) all |= static_cast<uint32_t>(!map.healthy(n)) << n;
        closures.insert(all);
      }
      for_each_closed_set(t, rule, [&](uint32_t set) { closed.insert(set); });
      EXPECT_EQ(closures, closed) << name;
    }
  }
  EXPECT_THROW(for_each_closed_set(Torus::parse("6x6"), Rule::kAny, [](uint32_t) {}), Error);
  EXPECT_THROW(for_each_closed_set(Torus::parse("3x3x3"), Rule::kAny, [](uint32_t) {}), Error);
}

/// Most rounds of any set of faulty nodes.
int most_rounds(const std::string& name, Rule rule) {
  const Torus t = Torus::parse(name);
  int most = 0;
  for (uint32_t set = 0; set < 1u << t.nodes(); ++set)
    most = std::max(most, FaultMap(t, rule, node_faults(set)).rounds());
  return most;
}
TEST(FaultMap, MostRoundsOfAnySet) {
  EXPECT_EQ(most_rounds("3x3", Rule::kAny), 3);
  EXPECT_EQ(most_rounds("4x4", Rule::kAny), 5);
  EXPECT_EQ(most_rounds("3x3", Rule::kDim), 1);
  EXPECT_EQ(most_rounds("4x4", Rule::kDim), 3);
}

// ---- facts of docs/torus.md §3, on every closed set

/// Regions are boxes, no healthy node has too many blocked ports, rings round regions are whole.
void expect_facts(const FaultMap& map) {
  const Torus& t = map.torus();
  for (int n = 0; n < t.nodes(); ++n) {
    if (!map.healthy(n)) continue;
    const unsigned b = map.blocked(n);
    ASSERT_TRUE(map.rule() == Rule::kAny ? std::popcount(b) <= 1 : (b & 3) == 0 || (b & 12) == 0);
    // Beside a blocked port both nodes along the region are healthy, or it is a wall round the ring.
    for (int p = 0; p < 4; ++p) {
      if (!(b >> p & 1)) continue;
      for (const int q : {2 - p / 2 * 2, 3 - p / 2 * 2}) ASSERT_TRUE(map.healthy(t.neighbour(n, q)));
    }
  }
  for (const Region& r : map.regions()) {
    ASSERT_EQ(r.extent[0] * r.extent[1] * r.extent[2], r.nodes);
    for (int d = 0; d < 2 && map.rule() == Rule::kAny; ++d) ASSERT_NE(r.extent[static_cast<size_t>(d)], t.radix(d) - 1);
  }
}

TEST(Facts, RegionsAreBoxesOnEveryClosedSet) {
  int most_blocked = 0, corridors = 0;
  for (const Rule rule : kRules) {
    for (const char* name : {"3x3", "4x4", "5x4", "5x5"}) {
      const Torus t = Torus::parse(name);
      for_each_closed_set(t, rule, [&](uint32_t set) {
        const FaultMap map(t, rule, node_faults(set));
        expect_facts(map);
        EXPECT_EQ(map.rounds(), 0);
        for (int n = 0; n < t.nodes(); ++n)
          if (map.healthy(n)) most_blocked = std::max(most_blocked, std::popcount(map.blocked(n)));
        for (const Region& r : map.regions()) corridors += r.extent[0] == t.radix(0) - 1;
      });
    }
  }
  EXPECT_EQ(most_blocked, 2) << "rule dim, one dimension";
  EXPECT_GT(corridors, 0) << "rule dim allows an arc of k - 1";
}

TEST(Facts, WithLinksToo) {
  for (const Rule rule : kRules)
    for (const char* name : {"3x3", "4x4", "5x4"}) {
      const Torus t = Torus::parse(name);
      tests::for_each_single_and_double(t, [&](const Faults& f) { expect_facts(FaultMap(t, rule, f)); });
    }
}

// Walls are the only way in which healthy nodes lose each other.
void expect_parted_as_searched(const FaultMap& map, const oracle::World& world) {
  const Torus& t = map.torus();
  for (int from = 0; from < t.nodes(); ++from) {
    if (!map.healthy(from)) continue;
    const auto far = world.distances({t.coordinate(from, 0), t.coordinate(from, 1)});
    for (int to = 0; to < t.nodes(); ++to) {
      if (!map.healthy(to)) continue;
      ASSERT_EQ(map.parted(from, to), !far.count({t.coordinate(to, 0), t.coordinate(to, 1)}));
    }
  }
}
TEST(Facts, WallsAloneSeparate) {
  int parted = 0;
  for (const Rule rule : kRules) {
    const Torus t = Torus::parse("6x4");
    int every = 0;
    for_each_closed_set(t, rule, [&](uint32_t set) {
      const FaultMap map(t, rule, node_faults(set));
      const bool walls = std::popcount(map.wall(0)) > 1 || std::popcount(map.wall(1)) > 1;
      parted += walls;
      if (walls || every++ % 40 == 0) expect_parted_as_searched(map, world_of(t, rule, node_faults(set)));
    });
    tests::for_each_single_and_double(Torus::parse("3x3"), [&](const Faults& f) {
      expect_parted_as_searched(FaultMap(Torus::parse("3x3"), rule, f), world_of(Torus::parse("3x3"), rule, f));
    });
  }
  EXPECT_GT(parted, 10);
  // Two walls of links part the torus although (rule dim) no node is disabled.
  const FaultMap links =
      map_of("3x3", "link:0,0,x+;link:0,1,x+;link:0,2,x+;link:1,0,x+;link:1,1,x+;link:1,2,x+", Rule::kDim);
  EXPECT_EQ(links.wall(0), 0b011u);
  EXPECT_EQ(links.num_healthy(), 9);
  EXPECT_TRUE(links.parted(0, 1));
  EXPECT_FALSE(links.parted(0, 2));
}

// ---- the examples of docs/torus.md §3

struct Example {
  const char* torus;
  const char* faults;
  Rule rule;
  int rounds;
  std::vector<std::vector<int>> regions;  // x0, w, y0, h
};
TEST(WorkedExample, RegionsOfSection3) {
  const std::vector<Example> examples{
      {"10x10", "node:3,5;node:5,5", Rule::kAny, 1, {{3, 3, 5, 1}}},
      {"10x10", "node:3,5;node:5,5", Rule::kDim, 0, {{3, 1, 5, 1}, {5, 1, 5, 1}}},
      {"10x10", "node:3,3;node:4,4", Rule::kAny, 1, {{3, 2, 3, 2}}},
      {"10x10", "node:3,3;node:4,4", Rule::kDim, 1, {{3, 2, 3, 2}}},
      {"10x10", "node:2,2;node:3,2;node:4,2;node:5,2;node:5,3;node:5,4;node:5,5", Rule::kAny, 5, {{2, 4, 2, 4}}},
      {"4x4", "node:0,1;node:2,1", Rule::kAny, 1, {{0, 4, 1, 1}}},
      {"4x4", "node:0,1;node:2,1", Rule::kDim, 0, {{0, 1, 1, 1}, {2, 1, 1, 1}}},
      {"6x6", "link:2,2,x+;link:2,2,y+", Rule::kAny, 1, {{2, 1, 2, 1}}},
      {"10x10", "node:3,3;node:5,4", Rule::kAny, 0, {{3, 1, 3, 1}, {5, 1, 4, 1}}},
  };
  for (const Example& e : examples) {
    const FaultMap map = map_of(e.torus, e.faults, e.rule);
    EXPECT_EQ(map.rounds(), e.rounds) << e.torus << " " << e.faults;
    std::vector<std::vector<int>> regions;
    for (const Region& r : map.regions()) regions.push_back({r.first[0], r.extent[0], r.first[1], r.extent[1]});
    EXPECT_EQ(regions, e.regions) << e.torus << " " << e.faults;
  }
}

// A region over both wrap links is closed as it stands: 8..1 x 8..0.
TEST(WorkedExample, ARegionOverBothWrapLinks) {
  Faults f;
  const Torus t = Torus::parse("10x10");
  for (const int x : {8, 9, 0, 1})
    for (const int y : {8, 9, 0}) f.nodes.push_back(t.node(x, y));
  const FaultMap map(t, Rule::kAny, f);
  EXPECT_EQ(map.rounds(), 0);
  ASSERT_EQ(map.regions().size(), 1u);
  EXPECT_EQ(map.regions()[0].first, (Torus::Coordinates{8, 8, 0}));
  EXPECT_EQ(map.regions()[0].extent, (Torus::Coordinates{4, 3, 1}));
}

TEST(WorkedExample, TwoFaultsMakeAWall) {
  const FaultMap any = map_of("4x4", "node:0,1;node:2,1");
  EXPECT_EQ(any.wall(1), 0b0011u) << "between rows 0 and 1, 1 and 2";
  EXPECT_EQ(any.wall(0), 0u);
  EXPECT_EQ(any.num_healthy(), 12);
  EXPECT_EQ(map_of("4x4", "node:0,1;node:2,1", Rule::kDim).wall(1), 0u);
  // A wall and a fault at distance 2 (any), 1 (dim): the next row dies, too.
  EXPECT_EQ(map_of("8x8", "node:0,1;node:2,1;node:4,1;node:6,1;node:3,3").num_healthy(), 40);
  EXPECT_EQ(map_of("5x5", "node:0,1;node:1,1;node:2,1;node:3,1;node:4,1;node:3,2", Rule::kDim).num_healthy(), 15);
  EXPECT_EQ(map_of("5x5", "node:0,1;node:1,1;node:2,1;node:3,1;node:4,1;node:3,3", Rule::kDim).num_healthy(), 19);
}

TEST(WorkedExample, MostRoundsOf5x5) {
  EXPECT_EQ(FaultMap(Torus::parse("5x5"), Rule::kAny, node_faults(0x494)).rounds(), 6);
  const FaultMap all(Torus::parse("5x5"), Rule::kAny, node_faults(0x8494));
  EXPECT_EQ(all.rounds(), 8);
  EXPECT_EQ(all.num_healthy(), 0);
}

// Walls in both dimensions leave nothing.
TEST(WorkedExample, WallsInBothDimensionsDisableEverything) {
  EXPECT_EQ(map_of("4x4", "node:0,1;node:2,1;node:1,3", Rule::kAny).num_healthy(), 0);
  std::string links;
  for (int i = 0; i < 5; ++i)
    links += (i ? ";" : "") + std::string("link:2,") + std::to_string(i) + ",x+;link:" + std::to_string(i) + ",1,y+";
  EXPECT_EQ(map_of("5x5", links).num_healthy(), 0);
  EXPECT_EQ(map_of("5x5", links, Rule::kDim).num_healthy(), 0);
}

/// Disabled beyond the faulty ones, in the mean over random sets.
double disabled_extra(const std::string& torus, Rule rule, int faults, int sets) {
  const Torus t = Torus::parse(torus);
  Random random(17);
  int64_t sum = 0;
  for (int i = 0; i < sets; ++i)
    sum += t.nodes() - faults - FaultMap(t, rule, tests::random_nodes(t, faults, random)).num_healthy();
  return static_cast<double>(sum) / sets;
}
// Rule 6 is bootstrap percolation: with 10 random faults it disables a third of the torus.
TEST(Facts, DisabledNodesByRule) {
  EXPECT_NEAR(disabled_extra("10x10", Rule::kAny, 5, 4000), 1.9, 0.25);
  EXPECT_NEAR(disabled_extra("10x10", Rule::kDim, 5, 4000), 1.0, 0.1);
  EXPECT_NEAR(disabled_extra("10x10", Rule::kAny, 10, 4000), 31, 1.5);
  EXPECT_NEAR(disabled_extra("10x10", Rule::kDim, 10, 4000), 6.1, 0.4);
  EXPECT_NEAR(disabled_extra("32x32", Rule::kAny, 51, 400), 81, 20);
  EXPECT_NEAR(disabled_extra("32x32", Rule::kDim, 51, 400), 14, 1.5);
}

// Three dimensions: the closure alone; regions are boxes.
TEST(Facts, ThreeDimensions) {
  const Torus t = Torus::parse("4x5x3");
  Random random(3);
  for (int i = 0; i < 300; ++i) {
    const FaultMap map(t, Rule::kDim, tests::random_nodes(t, 4, random));
    for (const Region& r : map.regions()) EXPECT_EQ(r.extent[0] * r.extent[1] * r.extent[2], r.nodes);
  }
}

}  // namespace
}  // namespace odonata::torus
