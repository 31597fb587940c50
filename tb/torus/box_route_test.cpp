// SPDX-License-Identifier: Apache-2.0
// Three dimensions (docs/torus.md §13): ways round boxes, who is served, the dependency graph over many fault sets.
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "models/common/error.h"
#include "models/common/random.h"
#include "models/torus/box_route.h"

namespace odonata::torus {
namespace {

struct Sum {
  int sets = 0, cyclic = 0;
  int64_t pairs = 0, lost = 0, unreachable = 0, links = 0, shortest = 0;
};

void add(Sum& sum, const Torus& t, const Faults& faults, Destinations to = Destinations::kAll) {
  const BoxMap map(t, faults);
  if (map.map().num_healthy() < 2) return;
  const BoxReport r = explore_boxes(map, to);
  ++sum.sets;
  sum.cyclic += !r.cycle.empty();
  sum.pairs += r.service.pairs;
  sum.lost += r.service.lost();
  sum.unreachable += r.service.unreachable;
  sum.links += r.service.links;
}

Faults random_faults(const Torus& t, int nodes, int links, Random& random) {
  Faults f;
  for (int i = 0; i < nodes; ++i) f.nodes.push_back(static_cast<int>(random.below(static_cast<uint32_t>(t.nodes()))));
  for (int i = 0; i < links; ++i)
    f.links.push_back(
        {static_cast<int>(random.below(static_cast<uint32_t>(t.nodes()))), static_cast<int>(random.below(3))});
  return f;
}

int node_at(const Torus& t, const Torus::Coordinates& at) {
  int n = 0;
  for (int d = t.dimensions() - 1; d >= 0; --d) n = n * t.radix(d) + at[static_cast<size_t>(d)];
  return n;
}

TEST(Boxes, WithoutFaultsEveryWayIsShortest) {
  const Torus t = Torus::parse("5x4x3");
  const BoxMap map(t, {});
  for (int from = 0; from < t.nodes(); ++from) {
    for (int to = 0; to < t.nodes(); ++to) {
      size_t shortest = 0;
      for (int d = 0; d < 3; ++d) {
        const int off = std::abs(t.coordinate(from, d) - t.coordinate(to, d));
        shortest += static_cast<size_t>(std::min(off, t.radix(d) - off));
      }
      const Path p = find_box_path(map, from, to);
      ASSERT_EQ(p.outcome, Outcome::kDelivered);
      EXPECT_EQ(p.hops.size(), shortest);
      for (const Hop& h : p.hops) EXPECT_EQ(h.vc % 3, 0) << "main channels";
    }
  }
}

TEST(Boxes, RoundOneNodeInEachPhase) {
  const Torus t = Torus::parse("6x6x6");
  const BoxMap map(t, parse_faults(t, "node:2,2,2"));
  const auto way = [&](const char* from, const char* to) {
    std::string text;
    for (const Hop& h : find_box_path(map, t.parse_node(from), t.parse_node(to)).hops)
      text += Torus::port_name(h.port) + std::to_string(h.vc) + " ";
    return text;
  };
  EXPECT_EQ(way("1,2,2", "3,2,2"), "y-6 x+0 x+0 y+0 ") << "phase x: along y, no way back";
  EXPECT_EQ(way("2,1,2", "2,3,2"), "z-1 y+0 y+0 z+0 ") << "phase y: along z";
  EXPECT_EQ(way("2,2,1", "2,2,3"), "y-1 z+0 z+0 y+1 ") << "phase z: along y, and back";
}

TEST(Boxes, EverySingleAndDoubleFaultIsServedWithoutACycle) {
  Sum sum;
  const Torus t = Torus::parse("4x3x3");
  for (int a = 0; a < t.nodes(); ++a) {
    for (int d = 0; d < 3; ++d) add(sum, t, {{}, {{a, d}}});
    for (int b = 0; b <= a; ++b) add(sum, t, {{a, b}, {}});
  }
  EXPECT_EQ(sum.sets, 36 * 3 + 36 * 37 / 2);
  EXPECT_EQ(sum.cyclic, 0);
  EXPECT_EQ(sum.lost, 0);
  EXPECT_EQ(sum.unreachable, 0);
  EXPECT_GT(sum.pairs, 800'000);
}

TEST(Boxes, RandomSetsOfNodesAndLinks) {
  Random random(7);
  for (const char* size : {"4x4x4", "5x4x3", "6x5x4"}) {
    Sum sum;
    const Torus t = Torus::parse(size);
    for (int i = 0; i < 40; ++i) add(sum, t, random_faults(t, 1 + i % 6, i % 4, random));
    EXPECT_GT(sum.sets, 30);
    EXPECT_EQ(sum.cyclic, 0) << size;
    EXPECT_EQ(sum.lost, 0) << size;
    EXPECT_LT(sum.unreachable * 100, sum.pairs) << size;
  }
}

// A ring of dead nodes across one plane walls it off for phase x, though there is a way round in z: such pairs are
// refused at the source.
TEST(Boxes, AWallOfOnePlaneIsSteeredRoundTheRing) {
  const Torus t = Torus::parse("5x3x3");
  const BoxMap one(t, parse_faults(t, "node:1,0,0;node:1,1,0;node:1,2,0"));
  const Service s = explore_boxes(one).service;
  EXPECT_EQ(s.lost(), 0);
  EXPECT_EQ(s.unreachable, 12 * 6)
      << "in the plane z = 0 the column of the other planes' destinations at x = 1 is dead";
  EXPECT_EQ(find_box_path(one, t.parse_node("0,0,0"), t.parse_node("2,0,0")).hops.size(), 3u) << "the other way round";
  const BoxMap two(t, parse_faults(t, "node:1,0,0;node:1,1,0;node:1,2,0;node:3,0,0;node:3,1,0;node:3,2,0"));
  EXPECT_EQ(find_box_path(two, t.parse_node("0,0,0"), t.parse_node("2,0,0")).outcome, Outcome::kUnreachable);
  const BoxReport r = explore_boxes(two, Destinations::kAll);
  EXPECT_TRUE(r.cycle.empty());
  EXPECT_EQ(r.service.lost(), 0);
  EXPECT_GT(r.service.unreachable, 0);
}

// A ring of 64 fills the word of its walls. A plane's wall is known in that plane and in no other.
TEST(Boxes, WallsOfTheLongestRing) {
  for (const int d : {0, 1, 2}) {
    const Torus t = Torus::parse(d == 0 ? "64x3x3" : d == 1 ? "3x64x3" : "3x3x64");
    const int fixed = d == 0 ? 2 : 0,
              across = 3 - d - fixed;  // of the plane that phase d turns in; its other dimension
    for (const int c : {0, 40, 63}) {
      Faults f;
      Torus::Coordinates at{};
      at[static_cast<size_t>(d)] = c;
      at[static_cast<size_t>(fixed)] = 1;
      for (int i = 0; i < 3; ++i) {
        at[static_cast<size_t>(across)] = i;
        f.links.push_back({node_at(t, at), d});
      }
      const BoxMap map(t, f);
      for (int n = 0; n < t.nodes(); ++n) {
        const BoxMap::View view = map.view(n);
        const uint64_t walls[] = {view.wall_x, view.wall_yz[0], view.wall_yz[1]};
        for (int other = 0; other < 3; ++other) {
          const bool here = other == d && t.coordinate(n, fixed) == 1;
          ASSERT_EQ(walls[other], here ? uint64_t{1} << c : 0u) << t.name() << " " << n << " " << other;
        }
      }
    }
  }
}

TEST(Boxes, EveryPairIsCountedOnceByItsFate) {
  const Torus t = Torus::parse("4x3x3");
  const Service whole = explore_boxes(BoxMap(t, {})).service;
  EXPECT_EQ(whole.pairs, 36 * 35);
  EXPECT_EQ(whole.delivered, 36 * 35);
  const BoxMap map(t, parse_faults(t, "node:1,0,0;node:1,1,0;node:1,2,0;node:3,0,0;node:3,1,0;node:3,2,0"));
  const Service s = explore_boxes(map).service;
  EXPECT_EQ(s.pairs, 30 * 29);
  EXPECT_GT(s.unreachable, 0);
  EXPECT_EQ(s.delivered + s.unreachable + s.dropped + s.livelocked, s.pairs);
  int64_t delivered = 0;
  for (int from = 0; from < t.nodes(); ++from) {
    for (int to = 0; to < t.nodes(); ++to) {
      if (from != to && map.healthy(from) && map.healthy(to))
        delivered += find_box_path(map, from, to).outcome == Outcome::kDelivered;
    }
  }
  EXPECT_EQ(s.delivered, delivered);
  EXPECT_THROW(find_box_path(map, t.parse_node("1,0,0"), 0), Error);
}

TEST(Boxes, AChannelIsNamedByItsLinkAndItsNode) {
  const Torus t = Torus::parse("5x4x3");
  EXPECT_EQ(box_channel_name(t, t.parse_node("4,1,2"), 0, 7), "x7+ of (4,1,2)");
  EXPECT_EQ(box_channel_name(t, t.parse_node("0,3,1"), 3, 2), "y2- of (0,3,1)");
  EXPECT_EQ(box_channel_name(t, t.parse_node("0,3,1"), 4, 0), "z0+ of (0,3,1)");
}

/// Channels and dependencies, counted once more from the paths of all pairs, or of those to healthy nodes; also with
/// the detours of phase x (channels 6 to 9, two a plane) on the first channel of a plane.
TEST(Boxes, TheGraphHasTheDependenciesOfAllPaths) {
  Random random(5);
  bool detours = false;
  for (int run = 0; run < 48; ++run) {
    const int i = run / 4;
    const bool merged = run % 2 != 0, all = run % 4 < 2;
    const Torus t = Torus::parse(i < 6 ? "3x3x3" : "4x4x4");
    const BoxMap map(t, random_faults(t, i < 6 ? i : 3, i < 6 ? i / 2 : 0, random));
    std::set<std::vector<int>> channels, pairs;
    for (int from = 0; from < t.nodes(); ++from) {
      for (int to = 0; to < t.nodes(); ++to) {
        if (from == to || !map.healthy(from) || !(all || map.healthy(to))) continue;
        std::vector<int> before;
        for (const Hop& h : find_box_path(map, from, to).hops) {
          detours = detours || h.vc == 6;
          const int first_of_plane[] = {0, 0, 3, 3};
          const std::vector<int> channel = {h.node, h.port, merged && h.vc >= 6 ? first_of_plane[h.vc - 6] : h.vc};
          channels.insert(channel);
          if (!before.empty()) pairs.insert({before[0], before[1], before[2], channel[0], channel[1], channel[2]});
          before = channel;
        }
      }
    }
    const BoxReport r = explore_boxes(map, all ? Destinations::kAll : Destinations::kHealthy, merged);
    EXPECT_EQ(r.channels, static_cast<int64_t>(channels.size())) << i;
    EXPECT_EQ(r.dependencies, static_cast<int64_t>(pairs.size())) << i;
  }
  EXPECT_TRUE(detours);
}

// The control: with the detours of phase x on the channels of the second plane packets wait in a circle.
TEST(Boxes, WithoutChannelsOfTheirOwnTheDetoursOfPhaseXCloseCycles) {
  Random random(3);
  std::vector<std::string> cycle;
  const Torus t = Torus::parse("4x4x4");
  for (int i = 0; i < 30 && cycle.empty(); ++i)
    cycle = explore_boxes(BoxMap(t, random_faults(t, 3, 0, random)), Destinations::kHealthy, true).cycle;
  ASSERT_FALSE(cycle.empty());
  // Each leads to the node at which the next one begins.
  const auto node_of = [&t](const std::string& name) { return t.parse_node(name.substr(8, name.size() - 9)); };
  for (size_t i = 0; i < cycle.size(); ++i) {
    const int port = (cycle[i][0] - 'x') * 2 + (cycle[i][2] == '-' ? 1 : 0);
    EXPECT_EQ(t.neighbour(node_of(cycle[i]), port), node_of(cycle[(i + 1) % cycle.size()])) << cycle[i];
  }
}

TEST(Boxes, TwoDimensionsAreRefused) { EXPECT_THROW(BoxMap(Torus::parse("5x5"), {}), Error); }

}  // namespace
}  // namespace odonata::torus
