// SPDX-License-Identifier: Apache-2.0
// Whole paths: following the decisions router by router ends at the destination within the hop limits, whatever the
// congestion.
#include "models/route_compute/path.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "models/common/random.h"
#include "tb/common/random_bits.h"

namespace odonata::route_compute {
namespace {

using table::MinimalRouterPolicy;
using table::NeighbourPolicy;

/// Congestion that every router sees afresh: bits set with a probability of 0, 1/8, 1/2, 7/8 or 1.
class Weather {
 public:
  explicit Weather(uint64_t seed) : random_(seed) {}
  static constexpr int kDensities = 5;
  int density = 0;
  Congestion operator()() {
    Congestion c;
    c.local = random_bits(random_, density);
    for (uint64_t& word : c.global.word) word = random_bits(random_, density);
    return c;
  }

 private:
  Random random_;
};

/// What is wrong with a path; empty when nothing is.
std::string fault(const Dragonfly& d, const Path& path, const Address& to, int link_limit) {
  if (path.outcome != Outcome::delivered) return "not delivered";
  if (!(path.hops.back().router == to.router())) return "delivered at the wrong router";
  if (path.hops.back().record.decision.port != to.nid) return "delivered to the wrong node";
  if (path.links() > link_limit) return "too long: " + path.shape(d);
  for (const Hop& hop : path.hops) {
    if (hop.vc_in > 3 || hop.record.decision.vc > 3) return "virtual channel above 3";
  }
  return "";
}

struct Tally {
  std::map<std::string, int> shapes;
  std::map<HopClass, int> classes;
  int paths = 0, faults = 0;
};

/// From every node port to every destination router; the destination's node and the congestion vary.
/// All densities for each pair, or one of them in turn.
Tally follow_all(const Dragonfly& d, MinimalRouterPolicy minimal, int nodes, bool all_densities) {
  NetworkTables network(d, {NeighbourPolicy::spread, minimal});
  Weather weather(3);
  Tally tally;
  const auto look = [&weather](RouterId) { return weather(); };
  for (int source = 0; source < d.num_routers(); ++source) {
    for (int nid = 0; nid < nodes; ++nid) {
      for (int dest = 0; dest < d.num_routers(); ++dest) {
        const RouterId s = d.router(source), t = d.router(dest);
        const Address from{s.gid, s.bid, nid}, to{t.gid, t.bid, tally.paths % d.p()};
        for (int density = 0; density < (all_densities ? Weather::kDensities : 1); ++density) {
          weather.density = all_densities ? density : tally.paths % Weather::kDensities;
          const Path path = follow(network, from, to, look, static_cast<uint64_t>(tally.paths));
          const std::string wrong = fault(d, path, to, weather.density == 0 ? 3 : kMaxHops);
          if (!wrong.empty() && tally.faults++ < 3) {
            ADD_FAILURE() << d.name() << ", " << s.gid << "." << s.bid << "." << nid << " to " << t.gid << "." << t.bid
                          << ": " << wrong;
          }
          ++tally.paths;
          ++tally.shapes[path.shape(d)];
          ++tally.classes[path.hops.front().record.decision.hop_class];
        }
      }
    }
  }
  return tally;
}

constexpr auto kExamples = MinimalRouterPolicy::examples, kPrinted = MinimalRouterPolicy::printed;

TEST(WholePath, TinyNetworkWithEveryDensity) {
  for (MinimalRouterPolicy minimal : {kExamples, kPrinted}) {
    const Tally tally = follow_all(Dragonfly::named("tiny"), minimal, 2, true);
    EXPECT_EQ(tally.paths, 64 * 32 * 5);
    EXPECT_EQ(tally.faults, 0);
  }
}

TEST(WholePath, TinyNetworkTakesEveryShapeAndClassOfThePaper) {
  const Tally tally = follow_all(Dragonfly::named("tiny"), kExamples, 2, true);
  for (const char* shape : {"", "L", "L-L", "G", "L-G", "G-L", "L-G-L", "G-L-G", "G-L-GL", "LG-L-G", "LG-L-GL",
                            "G-LL-GL", "LG-LL-G", "LG-LL-GL"}) {
    EXPECT_TRUE(tally.shapes.count(shape)) << "'" << shape << "'";
  }
  for (HopClass c :
       {HopClass::ga, HopClass::gb, HopClass::gc, HopClass::gd, HopClass::le, HopClass::lf, HopClass::fallback}) {
    EXPECT_TRUE(tally.classes.count(c)) << to_string(c);
  }
  EXPECT_FALSE(tally.classes.count(HopClass::unroutable));
}

TEST(WholePath, ThousandNodesFromEveryNodePortToEveryRouter) {
  const Dragonfly d({4, 8, 4, 33}, Arrangement::absolute);
  const Tally tally = follow_all(d, kExamples, d.p(), false);
  EXPECT_EQ(tally.paths, 264 * 4 * 264);
  EXPECT_EQ(tally.faults, 0);
}

TEST(WholePath, ThousandNodesWithThePrintedPolicy) {
  EXPECT_EQ(follow_all({{4, 8, 4, 33}, Arrangement::absolute}, kPrinted, 1, false).faults, 0);
}

TEST(WholePath, OddDirectSizeWithFewerGroupsThanPorts) {
  for (MinimalRouterPolicy minimal : {kExamples, kPrinted})
    EXPECT_EQ(follow_all({{3, 5, 3, 7}, Arrangement::direct}, minimal, 3, true).faults, 0);
}

TEST(WholePath, SmallestNetworks) {
  EXPECT_EQ(follow_all({{1, 2, 1, 2}, Arrangement::direct}, kExamples, 1, true).faults, 0);
  EXPECT_EQ(follow_all({{1, 2, 1, 3}, Arrangement::absolute}, kExamples, 1, true).faults, 0);
}

TEST(WholePath, SomePathsOfTheFullNetwork) {
  const Dragonfly d = Dragonfly::named("full");
  NetworkTables network(d);
  Weather weather(4);
  Random random(5);
  for (int k = 0; k < 1500; ++k) {
    weather.density = k % Weather::kDensities;
    // Few groups, so that few tables have to be made.
    const Address from{static_cast<int>(random.below(2)), static_cast<int>(random.below(32)),
                       static_cast<int>(random.below(16))};
    const Address to{510 + static_cast<int>(random.below(2)), static_cast<int>(random.below(32)),
                     static_cast<int>(random.below(16))};
    const Path path = follow(
        network, from, to, [&weather](RouterId) { return weather(); }, static_cast<uint64_t>(k));
    ASSERT_EQ(fault(d, path, to, weather.density == 0 ? 3 : kMaxHops), "") << k;
  }
}

TEST(WholePath, IsTheSameForTheSameSeed) {
  const Dragonfly d = Dragonfly::named("tiny");
  NetworkTables network(d);
  std::set<std::string> routes;
  for (uint64_t seed : {1, 1, 1}) {
    Weather weather(7);
    weather.density = 2;
    const Path path = follow(
        network, {0, 0, 0}, {7, 1, 0}, [&weather](RouterId) { return weather(); }, seed);
    std::string route;
    for (const Hop& hop : path.hops) route += std::to_string(d.router_index(hop.router)) + " ";
    routes.insert(route);
  }
  EXPECT_EQ(routes.size(), 1u);
}

TEST(WholePath, AnAddressOutsideTheNetworkIsUnroutable) {
  NetworkTables network(Dragonfly::named("tiny"));
  const Path path = follow(
      network, {0, 0, 0}, {8, 0, 0}, [](RouterId) { return Congestion{}; }, 1);
  EXPECT_EQ(path.outcome, Outcome::unroutable);
  EXPECT_EQ(path.links(), 0);
}

// ---- failed links

const CongestionSource kCalm = [](RouterId) { return Congestion{}; };

TEST(FailedLink, IsMarkedAtBothEnds) {
  const Dragonfly d = Dragonfly::named("tiny");
  NetworkTables network(d);
  network.fail_link({0, 0}, d.global_port(1));
  EXPECT_TRUE(network.failed({0, 0}, d.global_port(1)));
  EXPECT_TRUE(network.failed({1, 0}, d.global_port(0)));
  EXPECT_EQ(network.failed_ports({0, 1}), 0u);
}

TEST(FailedLink, OfANodePortOrAnUncabledPortIsRefused) {
  const Dragonfly d = Dragonfly::named("tiny");
  NetworkTables network(d);
  EXPECT_THROW(network.fail_link({0, 0}, 0), Error);
  EXPECT_THROW(network.fail_link({0, 0}, d.global_port(0)), Error);
}

TEST(FailedLink, IsTakenOutOfTheTablesThatWereMadeBefore) {
  const Dragonfly d = Dragonfly::named("tiny");
  NetworkTables network(d);
  const int port = d.local_port(0, 1);
  ASSERT_NE(network.tables({0, 0}, 0).a[d.p() + 1], 0u);
  network.fail_link({0, 0}, port);
  for (int in : {0, d.local_port(0, 2), d.global_port(1)}) {
    const table::PortTables& t = network.tables({0, 0}, in);
    EXPECT_EQ(t.a[d.p() + 1] >> port & 1, 0u);
    EXPECT_EQ(table::EntryC::decode(t.c[1]).port[0], -1);
  }
}

TEST(FailedLink, IsTakenOutOfTheTablesOfBothEndsThatWereMadeBefore) {
  const Dragonfly d = Dragonfly::named("tiny");
  NetworkTables network(d);
  const int port = d.local_port(0, 1), back = d.local_port(1, 0);
  ASSERT_EQ(table::EntryC::decode(network.tables({0, 1}, 0).c[0]).port[0], back);
  network.fail_link({0, 0}, port);
  EXPECT_EQ(network.tables({0, 1}, 0).a[d.p()] >> back & 1, 0u);
  EXPECT_EQ(table::EntryC::decode(network.tables({0, 1}, 0).c[0]).port[0], -1);
}

/// In the entries of every group, the last one too.
TEST(FailedLink, IsTakenOutOfTheEntriesOfEveryGroup) {
  const Dragonfly d = Dragonfly::named("tiny");
  const int port = d.local_port(0, 1);
  int named = 0;
  for (int group = 1; group < d.g(); ++group) {
    NetworkTables network(d);
    const size_t row = static_cast<size_t>(d.p() + d.a() + group);
    named += table::GlobalEntryA::decode(network.tables({0, 0}, 0).a[row]).port == port;
    network.fail_link({0, 0}, port);
    EXPECT_NE(table::GlobalEntryA::decode(network.tables({0, 0}, 0).a[row]).port, port) << group;
    for (const int neighbour : table::GlobalEntryB::decode(network.tables({0, 0}, 0).b[row - d.p()]).port)
      EXPECT_NE(neighbour, port) << group;
  }
  EXPECT_GT(named, 0);
}

/// The maps of the own global ports lose that port and keep the others.
TEST(FailedLink, AGlobalOneIsTakenOutOfTheMapsOfEveryGroup) {
  const Dragonfly d = Dragonfly::named("tiny");
  const RouterId own{0, 1};
  for (int k = 0; k < d.h(); ++k) {
    NetworkTables network(d), broken(d);
    ASSERT_TRUE(d.peer(own, d.global_port(k)).connected);
    broken.fail_link(own, d.global_port(k));
    uint32_t named_a = 0, named_b = 0;
    for (int group = 0; group < d.g(); ++group) {
      const size_t row = static_cast<size_t>(d.p() + d.a() + group);
      const auto a = [&](NetworkTables& n) { return table::GlobalEntryA::decode(n.tables(own, 0).a[row]); };
      const auto b = [&](NetworkTables& n) { return table::GlobalEntryB::decode(n.tables(own, 0).b[row - d.p()]); };
      const uint32_t before_a = a(network).own_router ? a(network).global_ports : 0;
      named_a |= before_a, named_b |= b(network).own_global_ports;
      EXPECT_EQ(a(broken).own_router ? a(broken).global_ports : 0, before_a & ~(1u << k)) << group;
      EXPECT_EQ(b(broken).own_global_ports, b(network).own_global_ports & ~(1u << k)) << group;
    }
    EXPECT_NE(named_a >> k & 1, 0u);
    EXPECT_NE(named_b >> k & 1, 0u);
  }
}

TEST(FailedLink, LocalTheSourceTakesADetour) {
  const Dragonfly d = Dragonfly::named("tiny");
  NetworkTables network(d);
  network.fail_link({0, 0}, d.local_port(0, 1));
  const Path path = follow(network, {0, 0, 0}, {0, 1, 0}, kCalm, 1);
  EXPECT_EQ(path.outcome, Outcome::delivered);
  EXPECT_EQ(path.shape(d), "L-L");
}

TEST(FailedLink, GlobalTheSourceTakesAnotherGroup) {
  const Dragonfly d = Dragonfly::named("tiny");
  for (int bid : {0, 1}) {  // the router that owns the link, and another one that has not heard of the failure
    NetworkTables network(d);
    network.fail_link({2, 0}, d.global_port(0));
    const Path path = follow(network, {2, bid, 0}, {0, 0, 0}, kCalm, 1);
    EXPECT_EQ(path.outcome, Outcome::delivered);
    EXPECT_LE(path.links(), kMaxHops);
  }
}

TEST(FailedLink, EntriesStayValidEncodings) {
  const Dragonfly d = Dragonfly::named("tiny");
  for (int port = d.first_local(); port < d.num_ports(); ++port) {
    if (!d.peer({3, 2}, port).connected) continue;
    NetworkTables network(d);
    network.fail_link({3, 2}, port);
    const table::PortTables& t = network.tables({3, 2}, 0);
    for (int g = 0; g < d.g(); ++g) {
      EXPECT_TRUE(table::valid_global_a(d, t.a[d.p() + d.a() + g]));
      EXPECT_TRUE(table::valid_global_b(d, t.b[d.a() + g]));
    }
  }
}

// ---- shapes in words

TEST(PathShape, WritesNonminimalPathsGroupByGroup) {
  const Dragonfly d = Dragonfly::named("tiny");
  const auto shape = [&d](const std::string& links) {
    Path path;
    for (char link : links) {
      Hop hop;
      hop.record.decision.port = static_cast<uint8_t>(link == 'G' ? d.first_global() : d.first_local());
      path.hops.push_back(hop);
    }
    path.hops.emplace_back();
    return path.shape(d);
  };
  EXPECT_EQ(shape(""), "");
  EXPECT_EQ(shape("L"), "L");
  EXPECT_EQ(shape("LL"), "L-L");
  EXPECT_EQ(shape("LGL"), "L-G-L");
  EXPECT_EQ(shape("G"), "G");
  EXPECT_EQ(shape("LGLLGL"), "LG-LL-GL");
  EXPECT_EQ(shape("GLGL"), "G-L-GL");
  EXPECT_EQ(shape("LGLG"), "LG-L-G");
  EXPECT_EQ(shape("GLG"), "G-L-G");
  EXPECT_EQ(shape("LGGL"), "LG-GL");
  EXPECT_EQ(shape("GG"), "G-G");
  // However long, a path with one global link has no intermediate group; failed links make such detours.
  EXPECT_EQ(shape("LLGL"), "L-L-G-L");
  EXPECT_EQ(shape("LGLLL"), "L-G-L-L-L");
  EXPECT_EQ(shape("LLLL"), "L-L-L-L");
}

}  // namespace
}  // namespace odonata::route_compute
