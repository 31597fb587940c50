// SPDX-License-Identifier: Apache-2.0
// The claims of docs/torus.md §7 on every small fault set: who is served, whose channel dependency graph has a cycle.
#include <gtest/gtest.h>

#include <deque>
#include <memory>

#include "tb/common/property.h"
#include "tb/torus/torus_test.h"

namespace odonata::torus {
namespace {

using tests::map_of;

/// What a variant comes to on a family of fault sets.
struct Family {
  int64_t sets = 0;        ///< with a healthy node
  int64_t incomplete = 0;  ///< with a lost pair
  int64_t pairs = 0, lost = 0, unreachable = 0, livelocked = 0;
  int64_t cyclic = 0;      ///< packets for healthy nodes
  int64_t cyclic_all = 0;  ///< packets for disabled nodes, too
  int max_links = 0;
  int64_t links = 0;
};

class Collector {
 public:
  Collector(const Torus& torus, Variant variant) : variant_(variant), graph_(torus) {}
  void add(const FaultMap& map) {
    if (map.num_healthy() == 0) return;
    graph_.clear();
    const Service s = add_routes(map, variant_, graph_, Destinations::kAll);
    const bool cyclic = !graph_.acyclic();
    f_.cyclic_all += cyclic;
    if (cyclic) {  // fewer packets have fewer dependencies
      graph_.clear();
      add_routes(map, variant_, graph_);
      f_.cyclic += !graph_.acyclic();
    }
    ++f_.sets;
    f_.incomplete += s.lost() > 0;
    f_.pairs += s.pairs;
    f_.lost += s.lost();
    f_.unreachable += s.unreachable;
    f_.livelocked += s.livelocked;
    f_.links += s.links;
    f_.max_links = std::max(f_.max_links, s.max_links);
  }
  const Family& family() const { return f_; }

 private:
  Variant variant_;
  WaitGraph graph_;
  Family f_;
};

Family closed_sets(const std::string& name, Rule rule, Variant variant) {
  const Torus t = Torus::parse(name);
  Collector c(t, variant);
  for_each_closed_set(t, rule, [&](uint32_t set) { c.add(FaultMap(t, rule, node_faults(set))); });
  return c.family();
}

Family singles_and_doubles(const std::string& name, Rule rule, Variant variant) {
  const Torus t = Torus::parse(name);
  Collector c(t, variant);
  tests::for_each_single_and_double(t, [&](const Faults& f) { c.add(FaultMap(t, rule, f)); });
  return c.family();
}

void expect_complete_and_acyclic(const Family& f) {
  EXPECT_EQ(f.lost, 0);
  EXPECT_EQ(f.cyclic_all, 0);
}

// ---- the repaired variants: every node-fault set through its closure

struct Closures {
  const char* torus;
  Rule rule;
  int64_t sets, unreachable;
  int max_links;  // of safe6
};
void PrintTo(const Closures& c, std::ostream* out) { *out << c.torus << " " << name_of(c.rule); }

class EveryNodeFaultSet : public testing::TestWithParam<Closures> {};
TEST_P(EveryNodeFaultSet, Safe6RingIsCompleteAndAcyclic) {
  const Closures& c = GetParam();
  const Family f = closed_sets(c.torus, c.rule, Variant::kSafe6Ring);
  expect_complete_and_acyclic(f);
  EXPECT_EQ(f.sets, c.sets);
  EXPECT_EQ(f.unreachable, c.unreachable);
  EXPECT_LE(f.max_links, c.max_links);
}
TEST_P(EveryNodeFaultSet, Safe6IsCompleteAndAcyclic) {
  const Closures& c = GetParam();
  const Family f = closed_sets(c.torus, c.rule, Variant::kSafe6);
  expect_complete_and_acyclic(f);
  EXPECT_EQ(f.max_links, c.max_links);
}
TEST_P(EveryNodeFaultSet, Safe6ShortIsCompleteAndAcyclic) {
  expect_complete_and_acyclic(closed_sets(GetParam().torus, GetParam().rule, Variant::kSafe6Short));
}
TEST_P(EveryNodeFaultSet, Safe4NeedsRuleAny) {
  const Closures& c = GetParam();
  const Family f = closed_sets(c.torus, c.rule, Variant::kSafe4);
  EXPECT_EQ(f.lost, 0);
  if (c.rule == Rule::kAny) {
    EXPECT_EQ(f.cyclic_all, 0);
  }
  if (c.rule == Rule::kDim && std::string(c.torus) == "5x5") {
    EXPECT_EQ(f.cyclic_all, 974);
    EXPECT_EQ(f.cyclic, 339);
  }
}
INSTANTIATE_TEST_SUITE_P(
    Torus, EveryNodeFaultSet,
    testing::Values(Closures{"3x3", Rule::kAny, 16, 0, 3}, Closures{"3x3", Rule::kDim, 49, 0, 3},
                    Closures{"4x4", Rule::kAny, 201, 0, 9}, Closures{"4x4", Rule::kDim, 1041, 128, 11},
                    Closures{"5x3", Rule::kAny, 124, 0, 4}, Closures{"5x3", Rule::kDim, 637, 270, 6},
                    Closures{"5x5", Rule::kAny, 2416, 0, 12}, Closures{"5x5", Rule::kDim, 34771, 1500, 14},
                    Closures{"6x4", Rule::kAny, 2148, 384, 14}));

TEST(EveryNodeFaultSetOf6x5, Safe6RingIsCompleteAndAcyclic) {
  const Family f = closed_sets("6x5", Rule::kAny, Variant::kSafe6Ring);
  expect_complete_and_acyclic(f);
  EXPECT_EQ(f.sets, 11068);
  EXPECT_EQ(f.unreachable, 600);
}

// ---- every single and double fault of nodes and links

struct Doubles {
  const char* torus;
  int64_t sets, printed_incomplete, ring6_cyclic, ring6_cyclic_all;
};
void PrintTo(const Doubles& d, std::ostream* out) { *out << d.torus; }
class SingleAndDoubleFaults : public testing::TestWithParam<Doubles> {};
TEST_P(SingleAndDoubleFaults, RepairedVariantsAreCompleteAndAcyclic) {
  for (const Variant v :
       {Variant::kSafe6, Variant::kSafe6Ring, Variant::kSafe6Short, Variant::kSafe4, Variant::kSafe4Ring}) {
    const Family f = singles_and_doubles(GetParam().torus, Rule::kAny, v);
    expect_complete_and_acyclic(f);
    EXPECT_EQ(f.sets, GetParam().sets);
  }
  expect_complete_and_acyclic(singles_and_doubles(GetParam().torus, Rule::kDim, Variant::kSafe6Ring));
}
TEST_P(SingleAndDoubleFaults, PrintedLosesPacketsAndRing6HasCycles) {
  EXPECT_EQ(singles_and_doubles(GetParam().torus, Rule::kAny, Variant::kPrinted).incomplete,
            GetParam().printed_incomplete);
  const Family ring6 = singles_and_doubles(GetParam().torus, Rule::kAny, Variant::kRing6);
  EXPECT_EQ(ring6.lost, 0);
  EXPECT_EQ(ring6.cyclic, GetParam().ring6_cyclic);
  EXPECT_EQ(ring6.cyclic_all, GetParam().ring6_cyclic_all);
}
INSTANTIATE_TEST_SUITE_P(Torus, SingleAndDoubleFaults,
                         testing::Values(Doubles{"4x4", 1177, 692, 0, 0}, Doubles{"5x5", 2851, 2300, 61, 71},
                                         Doubles{"6x6", 5887, 5058, 76, 88}));

// ---- what is printed

TEST(Printed, LosesPairsWithOneFault) {
  const Torus t = Torus::parse("10x10");
  WaitGraph graph(t);
  int64_t pairs = 0, lost = 0;
  for (int n = 0; n < t.nodes(); ++n) {
    const Service s = add_routes(FaultMap(t, Rule::kAny, Faults{{n}, {}}), Variant::kPrinted, graph);
    EXPECT_EQ(s.pairs, 99 * 98);
    EXPECT_GT(s.stuck, 0);
    EXPECT_EQ(s.lost(), s.stuck) << "all are stuck in their row";
    pairs += s.pairs;
    lost += s.lost();
  }
  EXPECT_NEAR(static_cast<double>(lost) / static_cast<double>(pairs), 0.0176, 0.0001);
}

TEST(Printed, LivelocksAtAWall) {
  const FaultMap map = map_of("4x4", "node:0,1;node:2,1");
  WaitGraph graph(map.torus());
  const Service s = add_routes(map, Variant::kPrinted, graph);
  EXPECT_GT(s.livelocked, 0);
  EXPECT_EQ(s.unreachable, 0) << "the torus is connected";
}

// Theorem 1 is false: the smallest cycle, seven channels of VN1 with two faults on 5x4 and 5x5.
TEST(Theorem1, MinimalCycleOfTwoFaults) {
  for (const char* name : {"5x4", "5x5"}) {
    const FaultMap map = map_of(name, "node:0,0;node:3,1");
    const Torus& t = map.torus();
    EXPECT_EQ(map.rounds(), 0);
    WaitGraph graph(t);
    EXPECT_EQ(add_routes(map, Variant::kRing6, graph).lost(), 0);
    EXPECT_FALSE(graph.acyclic());
    const std::vector<int> cycle = graph.find_cycle();
    ASSERT_EQ(cycle.size(), 7u);
    std::set<std::string> channels;
    for (const Wait& w : explain_cycle(map, Variant::kRing6, cycle)) {
      channels.insert(in_words(t, w).substr(0, 14));
      // The packet really holds the one and asks for the other.
      const Path path = find_path(map, Variant::kRing6, w.from, w.to);
      bool found = false;
      for (size_t h = 0; h + 1 < path.hops.size(); ++h) found |= path.hops[h] == w.holds && path.hops[h + 1] == w.wants;
      EXPECT_TRUE(found) << in_words(t, w);
      EXPECT_TRUE(map.healthy(w.to));
    }
    EXPECT_EQ(channels, (std::set<std::string>{"y0,2+ of (1,0)", "x0,0- of (1,1)", "x0,0- of (0,1)", "y1,2- of (4,1)",
                                               "x1,0- of (4,0)", "x1,0- of (3,0)", "x1,0- of (2,0)"}));
    graph.clear();
    EXPECT_EQ(add_routes(map, Variant::kSafe6, graph, Destinations::kAll).lost(), 0);
    EXPECT_TRUE(graph.acyclic());
  }
}

// The cycle is there without any repair of ours: the packets of the table are routed as printed, too.
TEST(Theorem1, TheRoutingAsPrintedHasTheCycleToo) {
  for (const char* name : {"5x4", "5x5"}) {
    const FaultMap map = map_of(name, "node:0,0;node:3,1");
    WaitGraph graph(map.torus());
    add_routes(map, Variant::kPrinted, graph);
    EXPECT_FALSE(graph.acyclic());
    std::set<std::string> channels;
    for (const Wait& w : explain_cycle(map, Variant::kPrinted, graph.find_cycle()))
      channels.insert(in_words(map.torus(), w).substr(0, 14));
    EXPECT_EQ(channels, (std::set<std::string>{"y0,2+ of (1,0)", "x0,0- of (1,1)", "x0,0- of (0,1)", "y1,2- of (4,1)",
                                               "x1,0- of (4,0)", "x1,0- of (3,0)", "x1,0- of (2,0)"}));
  }
}

// DWZ §3: without faults messages are free of deadlock, on the main channels of classes that the source chooses.
TEST(Theorem1, WithoutFaultsClassesOfTheSourceHaveNoCycle) {
  for (const char* name : {"4x4", "5x5", "6x6", "10x10"}) {
    const FaultMap map = map_of(name, "");
    const Torus& t = map.torus();
    for (const Variant v : {Variant::kPrinted, Variant::kRing6, Variant::kEcube}) {
      WaitGraph graph(t);
      EXPECT_EQ(add_routes(map, v, graph).lost(), 0) << name << " " << name_of(v);
      EXPECT_TRUE(graph.acyclic()) << name << " " << name_of(v);
    }
    for (int pair = 0; pair < t.nodes() * t.nodes(); ++pair) {
      const int from = pair % t.nodes(), to = pair / t.nodes();
      int phase = 0;
      for (const Hop& hop : find_path(map, Variant::kPrinted, from, to).hops) {
        const int dimension = hop.port >> 1;
        EXPECT_GE(dimension, phase) << "never from y to x";
        phase = dimension;
        EXPECT_EQ(hop.vc, t.coordinate(to, dimension) > t.coordinate(from, dimension) ? 0 : 3);
      }
    }
  }
}

/// The virtual network of a hop as its header has it: bit 0 the phase, bit 1 the direction.
int network_of(const Hop& hop) { return hop.header & 3; }

// Theorem 1 (1) and (3), Fig. 2: the channel sets of the four virtual networks have nothing in common, since the
// channel says which it is; and a message goes from one of x to one of y at most.
TEST(Theorem1, TheFourNetworksOfFig2ShareNoChannel) {
  constexpr Variant kVariants[] = {Variant::kPrinted, Variant::kRing6, Variant::kSafe6, Variant::kSafe6Ring};
  const Torus t = Torus::parse("4x4");
  int64_t hops = 0;
  for (const Rule rule : {Rule::kAny, Rule::kDim}) {
    for_each_closed_set(t, rule, [&](uint32_t set) {
      const FaultMap map(t, rule, node_faults(set));
      for (const Variant v : kVariants) {
        std::set<std::pair<int, int>> changes;
        for (int pair = 0; pair < 256; ++pair) {
          const int from = pair % 16, to = pair / 16;
          if (!map.healthy(from) || !map.healthy(to)) continue;
          int before = -1;
          for (const Hop& hop : find_path(map, v, from, to).hops) {
            const int dimension = hop.header & 1, minus = hop.header >> 1 & 1, j = hop.vc % 3, link = hop.port >> 1;
            ASSERT_EQ(link == dimension, j == 0);
            ASSERT_EQ(j == 0 ? hop.port & 1 : j - 1, minus);
            if (before >= 0 && before != network_of(hop)) changes.insert({before, network_of(hop)});
            before = network_of(hop);
            ++hops;
          }
        }
        const std::set<std::pair<int, int>> four{{0, 1}, {0, 3}, {2, 1}, {2, 3}};
        if (set == 0) {
          EXPECT_EQ(changes, four) << name_of(v);
        } else if (v == Variant::kSafe6 || v == Variant::kSafe6Ring) {
          for (const auto& change : changes) EXPECT_TRUE(four.count(change)) << name_of(v) << " " << set;
        }
      }
    });
  }
  EXPECT_GT(hops, 1'000'000);
}

// The abstract promises connectivity as long as faulty nodes do not part the network. What rule `any` marks beside them
// does part it here; rule `dim` marks nothing.
TEST(Connectivity, MarksPartWhatFaultsDoNot) {
  const Torus t = Torus::parse("6x4");
  const Faults faults = parse_faults(t, "node:0,0;node:0,2;node:3,0;node:3,2");
  oracle::World world;
  world.kx = 6, world.ky = 4;
  for (const int n : faults.nodes) world.disabled.insert({n % 6, n / 6});
  EXPECT_EQ(world.healthy().size(), 20u);
  for (const auto& [to, distance] : world.distances({1, 0})) EXPECT_GE(distance, 0) << to.x << "," << to.y;
  const FaultMap any(t, Rule::kAny, faults), dim(t, Rule::kDim, faults);
  EXPECT_TRUE(any.parted(t.node(1, 0), t.node(5, 0)));
  WaitGraph graph(t);
  const Service service = add_routes(dim, Variant::kSafe6Ring, graph);
  EXPECT_EQ(service.pairs, 380);
  EXPECT_EQ(service.delivered, 380);
}

// Second kind: five x links in a line; y1,0- of one column fills its whole ring.
TEST(Theorem1, ALineOfLinksMakesARingOfOneClass) {
  const FaultMap map = map_of("8x8", "link:0,2,x+;link:0,3,x+;link:0,4,x+;link:0,5,x+;link:0,6,x+");
  EXPECT_EQ(map.num_healthy(), 64);
  WaitGraph graph(map.torus());
  add_routes(map, Variant::kRing6, graph);
  EXPECT_FALSE(graph.acyclic());
  std::set<std::string> names;
  for (const int c : graph.find_cycle()) names.insert(directed_channel_name(channel_port(c), channel_vc(c)));
  EXPECT_EQ(names, std::set<std::string>{"y1,0-"});
  graph.clear();
  EXPECT_EQ(add_routes(map, Variant::kSafe6Ring, graph, Destinations::kAll).lost(), 0);
  EXPECT_TRUE(graph.acyclic());
}

TEST(Ring6, CyclesOnClosedSets) {
  for (const auto& [name, rule, all, healthy] : std::vector<std::tuple<const char*, Rule, int, int>>{
           {"5x5", Rule::kAny, 558, 508}, {"6x4", Rule::kAny, 308, 300}}) {
    const Family f = closed_sets(name, rule, Variant::kRing6);
    EXPECT_EQ(f.lost, 0);
    EXPECT_EQ(f.cyclic_all, all);
    EXPECT_EQ(f.cyclic, healthy);
  }
}

// ---- faults at run time: packets of the old map and of the new one in one graph

TEST(RunTime, UnionOfNestedMapsIsAcyclicForSafe6) {
  Random random(77);
  int unions = 0;
  for (const char* name : {"5x5", "6x6", "8x8"}) {
    const Torus t = Torus::parse(name);
    for (int i = 0; i < 120; ++i) {
      const Rule rule = i % 2 ? Rule::kDim : Rule::kAny;
      Faults f = tests::random_nodes(t, 2 + i % 3, random);
      const FaultMap before(t, rule, f);
      const Faults more = tests::random_nodes(t, 1 + i % 3, random);
      f.nodes.insert(f.nodes.end(), more.nodes.begin(), more.nodes.end());
      const FaultMap after(t, rule, f);
      for (const Variant v : {Variant::kSafe6, Variant::kSafe6Ring}) {
        WaitGraph graph(t);
        add_routes(before, v, graph, Destinations::kAll);
        add_routes(after, v, graph, Destinations::kAll);
        EXPECT_TRUE(graph.acyclic()) << name << " " << i;
        ++unions;
      }
    }
  }
  EXPECT_EQ(unions, 720);
}

// ---- the graph itself, against a plain one of sets

bool plain_acyclic(std::map<std::string, std::set<std::string>> wants) {
  std::map<std::string, int> wanted;
  for (const auto& [from, to] : wants)
    for (const std::string& c : to) ++wanted[c];
  std::deque<std::string> free;
  for (const auto& [c, _] : wants)
    if (wanted[c] == 0) free.push_back(c);
  size_t gone = 0;
  for (; !free.empty(); free.pop_front(), ++gone)
    for (const std::string& c : wants[free.front()])
      if (--wanted[c] == 0) free.push_back(c);
  return gone == wants.size();
}

TEST(WaitGraph, AgreesWithAPlainGraphOfTheOraclesPaths) {
  Random random(31);
  int cyclic = 0;
  for (int i = 0; i < 60; ++i) {
    const Torus t = Torus::parse(i % 2 ? "5x5" : "6x4");
    const Rule rule = i % 4 < 2 ? Rule::kAny : Rule::kDim;
    const Faults faults = tests::random_nodes(t, 3 + i % 3, random);
    const FaultMap map(t, rule, faults);
    const oracle::World world = tests::world_of(t, rule, faults);
    for (const Variant v : {Variant::kRing6, Variant::kPrinted, Variant::kSafe4, Variant::kSafe6Ring}) {
      std::map<std::string, std::set<std::string>> wants;
      int64_t dependencies = 0;
      for (const oracle::Point from : world.healthy()) {
        for (const oracle::Point to : world.healthy()) {
          const oracle::Way way = tests::oracle_way(world, v, from, to);
          std::string held;
          for (const oracle::Step& s : way.steps) {
            const std::string name = s.channel + " " + std::to_string(s.at.x) + " " + std::to_string(s.at.y);
            wants[name];
            if (!held.empty()) dependencies += wants[held].insert(name).second;
            held = name;
          }
        }
      }
      WaitGraph graph(t);
      add_routes(map, v, graph);
      EXPECT_EQ(static_cast<size_t>(graph.channels()), wants.size());
      if (v != Variant::kPrinted) {
        EXPECT_EQ(graph.dependencies(), dependencies);
      }  // a circle's own last dependency is not in the oracle's path
      EXPECT_EQ(graph.acyclic(), plain_acyclic(wants)) << name_of(v);
      EXPECT_EQ(graph.acyclic(), graph.find_cycle().empty());
      cyclic += !graph.acyclic();
    }
  }
  EXPECT_GT(cyclic, 3);
}

TEST(WaitGraph, IsEmptyWhenCleared) {
  const Torus t = Torus::parse("4x4");
  WaitGraph graph(t);
  const int one = channel_number(0, 0, 2), next = channel_number(t.neighbour(0, 0), 0, 2);
  graph.use(one);
  graph.add(one, next);
  EXPECT_EQ(graph.channels(), 2);
  EXPECT_EQ(graph.dependencies(), 1);
  graph.clear();
  EXPECT_EQ(graph.channels(), 0);
  EXPECT_EQ(graph.dependencies(), 0);
}

// ---- how long the ways are

/// Mean of links over shortest over all pairs, in all maps together.
double stretch(const std::string& name, Variant v, const std::vector<Faults>& sets) {
  const Torus t = Torus::parse(name);
  int64_t links = 0, shortest = 0;
  WaitGraph graph(t);
  for (const Faults& f : sets) {
    const FaultMap map(t, Rule::kAny, f);
    links += add_routes(map, v, graph).links;
    const oracle::World world = tests::world_of(t, Rule::kAny, f);
    for (const oracle::Point& from : world.healthy())
      for (const auto& [to, distance] : world.distances(from)) shortest += distance;
  }
  return static_cast<double>(links) / static_cast<double>(shortest);
}
TEST(Length, DetoursOf5x5) {
  std::vector<Faults> sets;
  tests::for_each_single_and_double(Torus::parse("5x5"), [&](const Faults& f) { sets.push_back(f); });
  const double safe6 = stretch("5x5", Variant::kSafe6, sets), ring = stretch("5x5", Variant::kSafe6Ring, sets),
               shorter = stretch("5x5", Variant::kSafe6Short, sets);
  EXPECT_NEAR(safe6, 1.042, 0.001);
  EXPECT_NEAR(ring, 1.032, 0.001);
  EXPECT_NEAR(shorter, 1.031, 0.001);
}

}  // namespace
}  // namespace odonata::torus
