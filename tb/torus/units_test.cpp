// SPDX-License-Identifier: Apache-2.0
#include "models/torus/units.h"

#include <gtest/gtest.h>

#include <deque>

#include "models/common/error.h"
#include "models/torus/fault_plane.h"
#include "tb/torus/torus_test.h"

namespace odonata::torus {
namespace {

using tests::map_of;

// ---- the distributed fault plane comes to what the whole map says

/// What the walls that a node knows make it decide, for every other node as destination.
void expect_same_ways(const FaultMap& map, const WallOutputs& known, int node) {
  const Torus& t = map.torus();
  for (int d = 0; d < 2; ++d) {
    const uint64_t mine = d ? known.wall_y : known.wall_x;
    const int at = t.coordinate(node, d);
    for (int to = 0; to < t.radix(d); ++to) {
      if (to == at) continue;
      const uint64_t plus_way = plus_way_of(static_cast<uint64_t>(at), static_cast<uint64_t>(to));
      ASSERT_EQ((mine & plus_way) != 0, (map.wall(d) & plus_way) != 0) << t.node_name(node) << " to " << to;
      ASSERT_EQ((mine & ~plus_way) != 0, (map.wall(d) & ~plus_way) != 0) << t.node_name(node) << " to " << to;
    }
  }
}

/// A node of the plane knows what the map says.
void expect_as_map(const FaultPlane& plane, const FaultMap& map, int node) {
  EXPECT_EQ(plane.dead(node) || plane.region(node).bad, !map.healthy(node));
  if (!map.healthy(node)) return;
  EXPECT_EQ(plane.region(node).blocked, map.blocked(node));
  EXPECT_EQ(plane.sides(node).sides, map.sides(node));
  expect_same_ways(map, plane.walls(node), node);
}

/// Runs the plane and compares it with the map; returns the edges that it took.
int64_t expect_plane(const Torus& t, Rule rule, const Faults& faults) {
  const FaultMap map(t, rule, faults);
  FaultPlane plane(t, rule);
  plane.fail(faults);
  for (int edge = 1; edge <= map.rounds(); ++edge) {  // a round an edge
    plane.step();
    for (int n = 0; n < t.nodes(); ++n) {
      const bool disabled = plane.dead(n) || plane.region(n).bad,
                 expected = !map.healthy(n) && map.marked_in_round(n) <= edge;
      EXPECT_EQ(disabled, expected) << "edge " << edge;
    }
  }
  const int64_t took = plane.settle();
  for (int n = 0; n < t.nodes(); ++n) {
    expect_as_map(plane, map, n);
    if (map.healthy(n)) EXPECT_LE(plane.last_mark(n), map.rounds() + 1);
  }
  return took;
}

TEST(FaultPlane, SettlesToTheMapOnEverySetOf3x3AndClosedSetsOf5x4) {
  for (const Rule rule : {Rule::kAny, Rule::kDim}) {
    for (uint32_t set = 0; set < 1u << 9; ++set) expect_plane(Torus::parse("3x3"), rule, node_faults(set));
    for_each_closed_set(Torus::parse("5x4"), rule,
                        [&](uint32_t set) { expect_plane(Torus::parse("5x4"), rule, node_faults(set)); });
  }
}

TEST(FaultPlane, SettlesToTheMapWithLinks) {
  for (const Rule rule : {Rule::kAny, Rule::kDim}) {
    tests::for_each_single_and_double(Torus::parse("4x3"),
                                      [&](const Faults& f) { expect_plane(Torus::parse("4x3"), rule, f); });
    // Walls of links, and a wall of nodes beside a wall of links.
    for (const char* text : {"link:0,0,x+;link:0,1,x+;link:0,2,x+;link:0,3,x+",
                             "node:0,0;node:1,0;node:2,0;node:3,0;link:0,2,y+;link:1,2,y+;link:2,2,y+;link:3,2,y+"})
      expect_plane(Torus::parse("4x4"), rule, parse_faults(Torus::parse("4x4"), text));
  }
}

TEST(FaultPlane, BoundOfTheTimeAtBigSizes) {
  Random random(9);
  for (const char* name : {"10x10", "16x9", "32x32"}) {
    const Torus t = Torus::parse(name);
    for (int i = 0; i < 12; ++i) {
      const Rule rule = i % 2 ? Rule::kAny : Rule::kDim;
      const Faults faults = tests::random_nodes(t, t.nodes() / 20, random);
      const int rounds = FaultMap(t, rule, faults).rounds(), k = std::max(t.radix(0), t.radix(1));
      EXPECT_LE(expect_plane(t, rule, faults), rounds + 2 + k + t.nodes()) << name;
    }
  }
}

// Faults that come later only add marks: the plane comes to the map of all of them.
TEST(FaultPlane, LaterFaultsAreAdded) {
  const Torus t = Torus::parse("6x5");
  Random random(4);
  for (int i = 0; i < 50; ++i) {
    FaultPlane plane(t, Rule::kAny);
    Faults all = tests::random_nodes(t, 2, random);
    plane.fail(all);
    plane.settle();
    const Faults more = tests::random_nodes(t, 2, random);
    plane.fail(more);
    plane.settle();
    all.nodes.insert(all.nodes.end(), more.nodes.begin(), more.nodes.end());
    const FaultMap map(t, Rule::kAny, all);
    for (int n = 0; n < t.nodes(); ++n) expect_as_map(plane, map, n);
  }
}

TEST(FaultPlane, WithoutFaultsNothingHappens) {
  FaultPlane plane(Torus::parse("5x5"), Rule::kAny);
  EXPECT_EQ(plane.settle(), 0);
}

// ---- fault_region alone

TEST(RegionUnit, MarksByTheRuleForEveryPattern) {
  for (int rule = 0; rule < 2; ++rule) {
    for (unsigned b = 0; b < 16; ++b) {
      RegionUnit unit;
      RegionInputs in;
      in.rule = rule;
      in.peer_bad = static_cast<uint8_t>(b & 5);
      in.fail_link = static_cast<uint8_t>(b & 10);
      unit.step(in);
      const int x = (b & 1) + (b >> 1 & 1), y = (b >> 2 & 1) + (b >> 3 & 1);
      EXPECT_EQ(unit.out().bad, rule ? x > 0 && y > 0 : x + y >= 2) << b;
      EXPECT_EQ(unit.out().blocked, b);
      EXPECT_EQ(unit.out().changed, b != 0);
    }
  }
}

TEST(RegionUnit, AMarkStaysUntilCleared) {
  RegionUnit unit;
  RegionInputs in;
  in.peer_bad = 3;
  unit.step(in);
  EXPECT_TRUE(unit.out().bad);
  in.peer_bad = 0;
  unit.step(in);
  EXPECT_TRUE(unit.out().bad) << "the neighbours are repaired, the mark stays";
  in.clear = true;
  unit.step(in);
  EXPECT_FALSE(unit.out().bad);
  in.fail_self = true;
  unit.step(in);
  EXPECT_TRUE(unit.out().bad) << "a failure is not cleared";
  in.reset = true;
  unit.step(in);
  EXPECT_EQ(unit.out(), RegionOutputs{});
}

// ---- torus_route

TEST(RouteUnit, AnswersAfterTwoEdgesARequestAnEdge) {
  const FaultMap map = map_of("10x10", "node:4,4;node:7,2");
  const Ground g = ground_of(map);
  RouteUnit unit(map.torus(), Variant::kSafe6Ring);
  Random random(1);
  std::deque<std::pair<bool, Answer>> expected(1, {false, {}});
  int ejected = 0, dropped = 0;
  for (int cycle = 0; cycle < 3000; ++cycle) {
    RouteInputs in;
    in.valid = random.chance(0.8);
    for (int d = 0; d < 2; ++d) {
      in.ask.at[d] = static_cast<uint8_t>(random.below(10));
      in.ask.dest[d] = static_cast<uint8_t>(random.below(10));
    }
    in.ask.header = static_cast<uint8_t>(random.below(16));
    in.ask.blocked = static_cast<uint8_t>(random.below(16));
    in.ask.fresh = random.chance(0.3);
    in.wall_x = map.wall(0);
    in.wall_y = map.wall(1);
    in.reset = random.chance(0.01);
    unit.step(in);
    if (in.reset) {
      EXPECT_EQ(unit.out(), RouteOutputs{});
      expected.assign(1, {false, {}});
      continue;
    }
    expected.push_back({in.valid, route(Variant::kSafe6Ring, g, in.ask)});
    const auto [valid, a] = expected.front();
    expected.pop_front();
    const RouteOutputs& out = unit.out();
    ASSERT_EQ(out.valid, valid);
    if (!valid) {
      EXPECT_EQ(out, RouteOutputs{});
      continue;
    }
    EXPECT_EQ(out.eject, a.action == Action::kEject);
    EXPECT_EQ(out.drop, a.action == Action::kDrop || a.action == Action::kUnreachable);
    EXPECT_EQ(out.port, a.port);
    EXPECT_EQ(out.vc, 4 * (a.vc / 3) + a.vc % 3);
    EXPECT_EQ(out.header, a.header);
    ejected += out.eject;
    dropped += out.drop;
  }
  EXPECT_GT(ejected, 10);
  EXPECT_GT(dropped, 10);
}

// ---- torus_box

TEST(BoxUnit, OnlyAPacketThatGoesOnHasAPort) {
  for (const Action action : {Action::kEject, Action::kDrop, Action::kUnreachable}) {
    BoxOutputs expected;
    expected.valid = true;
    (action == Action::kEject ? expected.eject : expected.drop) = true;
    EXPECT_EQ(box_outputs({action, 3, 7, 5}), expected);
  }
}

// ---- torus_output

TEST(OutputUnit, OnePacketAChannelAndACreditAFlit) {
  OutputUnit unit(2);
  OutputInputs in;
  in.ask = 0b00011;
  in.head = 0b00011;
  in.vc = {4, 4, 0, 0, 0};
  EXPECT_EQ(unit.grant(in), 0);
  unit.step(in);
  EXPECT_EQ(unit.owned(), 1 << 4);
  EXPECT_EQ(unit.credit(4), 1);
  in.head = 0b00010;  // input 0 goes on with its body, input 1 still has a head
  EXPECT_EQ(unit.grant(in), 0) << "the channel belongs to the packet of input 0";
  unit.step(in);
  EXPECT_EQ(unit.grant(in), -1) << "no credit is left";
  in.credit_back = 1 << 4;
  unit.step(in);
  in.credit_back = 0;
  in.tail = 0b00001;
  EXPECT_EQ(unit.grant(in), 0);
  unit.step(in);
  EXPECT_EQ(unit.owned(), 0);
  in.credit_back = 1 << 4;
  in.ask = 0;
  unit.step(in);
  in.ask = 0b00010;
  EXPECT_EQ(unit.grant(in), 1);
  in.reset = true;
  unit.step(in);
  EXPECT_EQ(unit.credit(4), 2);
  EXPECT_THROW(OutputUnit(0), Error);
  EXPECT_THROW(OutputUnit(256), Error);
  EXPECT_THROW(OutputUnit(4, 1), Error);
  EXPECT_THROW(OutputUnit(4, 9), Error);
  for (const int slots : {1, 255}) EXPECT_NO_THROW(OutputUnit(slots, 2)) << slots;
  EXPECT_NO_THROW(OutputUnit(1, 8));
  EXPECT_THROW(WallUnit(Torus::parse("3x3x3")), Error);
}

TEST(OutputUnit, RoundRobinOverTheInputs) {
  OutputUnit unit(255);
  OutputInputs in;
  in.ask = 0b10110;
  in.head = in.tail = 0b11111;
  std::vector<int> order;
  for (int i = 0; i < 6; ++i) {
    order.push_back(unit.grant(in));
    unit.step(in);
  }
  EXPECT_EQ(order, (std::vector<int>{1, 2, 4, 1, 2, 4}));
}

// Random flits of packets that follow the rules: never more flits out than credits, never two packets in a channel.
TEST(OutputUnit, RandomPacketsKeepTheChannelsApart) {
  Random random(8);
  OutputUnit unit(3);
  struct Flits {
    int left = 0, sent = 0;
    uint8_t vc = 0;
  };
  std::array<Flits, kInputs> input{};
  std::array<int, kVcs> owner{}, slots{};
  owner.fill(-1);
  slots.fill(3);
  int64_t packets = 0;
  for (int cycle = 0; cycle < 20000; ++cycle) {
    OutputInputs in;
    for (size_t p = 0; p < kInputs; ++p) {
      if (input[p].left == 0 && random.chance(0.5))
        input[p] = {static_cast<int>(random.below(5)) + 1, 0, static_cast<uint8_t>(random.below(kVcs))};
      const uint8_t bit = static_cast<uint8_t>(1 << p);
      if (input[p].left == 0 || random.chance(0.2)) continue;
      in.ask |= bit;
      in.vc[p] = input[p].vc;
      if (input[p].sent == 0) in.head |= bit;
      if (input[p].left == 1) in.tail |= bit;
    }
    for (size_t v = 0; v < kVcs; ++v)
      if (slots[v] < 3 && random.chance(0.4)) in.credit_back |= static_cast<uint8_t>(1 << v);
    const int p = unit.grant(in);
    unit.step(in);
    for (size_t v = 0; v < kVcs; ++v) slots[v] += in.credit_back >> v & 1;
    if (p >= 0) {
      Flits& f = input[static_cast<size_t>(p)];
      ASSERT_TRUE(f.sent == 0 ? owner[f.vc] == -1 : owner[f.vc] == p);
      owner[f.vc] = f.left == 1 ? -1 : p;
      --f.left, ++f.sent, --slots[f.vc];
      packets += f.left == 0;
    }
    for (size_t v = 0; v < kVcs; ++v) {
      ASSERT_EQ(unit.credit(static_cast<int>(v)), slots[v]);
      ASSERT_GE(slots[v], 0);
      ASSERT_EQ(unit.owned() >> v & 1, owner[v] >= 0);
    }
  }
  EXPECT_GT(packets, 3000);
}

}  // namespace
}  // namespace odonata::torus
