// SPDX-License-Identifier: Apache-2.0
// One rule of the route function spoiled at a time, in the oracle: does the suite notice? Twice: the comparison with
// the golden model must, and for most of them the claims alone must, which know no golden model.
#include <gtest/gtest.h>

#include <deque>

#include "tb/torus/torus_test.h"

namespace odonata::torus {
namespace {

using oracle::Plant;
using oracle::Rules;
using oracle::Way;

/// Fault sets that between them show every rule: one fault, two, walls, large regions, links.
std::vector<FaultMap> scenes(const std::string& name, std::vector<oracle::World>& worlds) {
  const Torus t = Torus::parse(name);
  std::vector<FaultMap> maps;
  Random random(41);
  for (int i = 0; i < 24; ++i) {
    Faults f = tests::random_nodes(t, i / 4, random);
    if (i % 4 == 3) f.links.push_back({static_cast<int>(random.below(static_cast<uint32_t>(t.nodes()))), i % 2});
    maps.emplace_back(t, Rule::kAny, f);
    worlds.push_back(tests::world_of(t, Rule::kAny, f));
  }
  for (int d = 0; d < 2; ++d) {  // in each dimension a wall of links, one of nodes, a region at the wrap link
    Faults links, nodes, flat;
    for (int i = 0; i < t.radix(1 - d); ++i) {
      links.links.push_back({d ? t.node(i, 1) : t.node(1, i), d});
      nodes.nodes.push_back(d ? t.node(i, 2) : t.node(2, i));
      if (i >= 1 && i <= t.radix(1 - d) - 2)
        flat.nodes.push_back(d ? t.node(i, t.radix(1) - 1) : t.node(t.radix(0) - 1, i));
    }
    for (const Faults& f : {links, nodes, flat}) {
      maps.emplace_back(t, Rule::kAny, f);
      worlds.push_back(tests::world_of(t, Rule::kAny, f));
    }
  }
  return maps;
}

struct Caught {
  int by_comparison = 0;  ///< paths that differ from the golden model's
  std::set<std::string> by_claims;
};

bool cyclic(const std::map<int, std::set<int>>& wants) {
  std::map<int, int> wanted;
  for (const auto& [from, to] : wants)
    for (const int c : to) ++wanted[c];
  std::deque<int> free;
  for (const auto& [c, _] : wants)
    if (wanted[c] == 0) free.push_back(c);
  size_t gone = 0;
  for (; !free.empty(); free.pop_front(), ++gone)
    for (const int c : wants.at(free.front()))
      if (--wanted[c] == 0) free.push_back(c);
  return gone != wants.size();
}

Caught look(Variant variant, Plant plant) {
  Caught caught;
  const Rules rules = tests::rules_of(variant);
  for (const char* name : {"5x5", "6x4"}) {
    std::vector<oracle::World> worlds;
    const std::vector<FaultMap> maps = scenes(name, worlds);
    for (size_t m = 0; m < maps.size(); ++m) {
      const FaultMap& map = maps[m];
      const Torus& t = map.torus();
      std::map<int, std::set<int>> wants;
      for (int from = 0; from < t.nodes(); ++from) {
        if (!map.healthy(from)) continue;
        for (int to = 0; to < t.nodes(); ++to) {
          const Way way = oracle::safe(worlds[m], rules, {t.coordinate(from, 0), t.coordinate(from, 1)},
                                       {t.coordinate(to, 0), t.coordinate(to, 1)}, plant);
          caught.by_comparison += way != tests::in_words(map, variant, from, to);
          const std::string expected = !map.healthy(to) ? "" : map.parted(from, to) ? "unreachable" : "delivered";
          if (expected.empty() ? way.outcome != "dropped" && way.outcome != "unreachable" : way.outcome != expected)
            caught.by_claims.insert(expected == "delivered" ? "lost" : "wrong end");
          if (map.num_healthy() == t.nodes() && map.regions().empty() && m == 0) {  // no fault at all
            int distance = 0;
            for (int d = 0; d < 2; ++d) {
              const int off = std::abs(t.coordinate(from, d) - t.coordinate(to, d));
              distance += std::min(off, t.radix(d) - off);
            }
            if (static_cast<int>(way.steps.size()) != distance) caught.by_claims.insert("not minimal");
          }
          int held = -1;
          for (const oracle::Step& s : way.steps) {
            const int port = (s.channel[0] == 'y' ? 2 : 0) + (s.channel[4] == '-'),
                      vc = 3 * (s.channel[1] - '0') + s.channel[3] - '0';
            const int channel = channel_number(t.node(s.at.x, s.at.y), port, vc);
            wants[channel];
            if (held >= 0) wants[held].insert(channel);
            held = channel;
          }
        }
      }
      if (cyclic(wants)) caught.by_claims.insert("cycle");
    }
  }
  return caught;
}

TEST(Plants, NothingIsFoundWhereNothingIsPlanted) {
  for (const Variant v : {Variant::kSafe6, Variant::kSafe6Ring, Variant::kSafe6Short, Variant::kSafe4}) {
    const Caught caught = look(v, Plant::kNone);
    EXPECT_EQ(caught.by_comparison, 0);
    EXPECT_TRUE(caught.by_claims.empty()) << *caught.by_claims.begin();
  }
}

/// A spoiled rule and what a suite without a golden model says to it, with six channels and with four.
struct Expected {
  Plant plant;
  std::set<std::string> six, four;
};
const std::set<std::string> kNone{}, kCycle{"cycle"}, kLost{"lost"}, kEverything{"cycle", "lost", "wrong end"};

TEST(Plants, EveryOneIsCaught) {
  const std::vector<Expected> plants{
      {Plant::kRadiusOffByOne, {"not minimal"}, {"not minimal"}},
      {Plant::kTieSign, kNone, kNone},  // as good a way
      {Plant::kPlusClassAtEqual, kCycle, kCycle},
      {Plant::kMinusClassNotAtEqual, kCycle, kCycle},
      {Plant::kOwnClass, kCycle, kCycle},
      {Plant::kDetoursSwapped, kNone, kNone},  // other names for the channels
      {Plant::kAroundForgotten, kEverything, kEverything},
      {Plant::kAroundSetOnDetour, kEverything, kEverything},
      {Plant::kNoReturn, kEverything, kEverything},
      {Plant::kReturnOnWrongSide, kLost, {"cycle", "lost"}},
      {Plant::kBackKeptInColumn, kLost, kLost},
      {Plant::kRowBeforeReturn, kNone, kNone},  // a longer detour
      {Plant::kDirectionEveryHop, kNone, kCycle},
      {Plant::kMaskOffByOne, kEverything, kEverything},
      {Plant::kNoWalls, kEverything, kEverything},
      {Plant::kDropInAnyRow, kLost, kLost},
      {Plant::kSideByNetwork, kNone, kCycle},  // no wrong way at all: only the graph finds it
      {Plant::kSideOfHeader, kNone, kCycle},
      {Plant::kXFirstAgain, {"cycle", "wrong end"}, {"cycle", "wrong end"}},
  };
  ASSERT_EQ(plants.size() + 1, static_cast<size_t>(oracle::kNumPlants));
  for (const Expected& e : plants) {
    const Caught six = look(Variant::kSafe6, e.plant), four = look(Variant::kSafe4, e.plant);
    EXPECT_GT(six.by_comparison, 0) << static_cast<int>(e.plant);
    EXPECT_GT(four.by_comparison, e.plant == Plant::kDetoursSwapped ? -1 : 0)
        << "safe4 has one detour channel: nothing to exchange";
    EXPECT_EQ(six.by_claims, e.six) << static_cast<int>(e.plant);
    EXPECT_EQ(four.by_claims, e.four) << static_cast<int>(e.plant);
  }
}

}  // namespace
}  // namespace odonata::torus
