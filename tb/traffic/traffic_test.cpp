// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "models/traffic/channel_load.h"
#include "models/traffic/pattern.h"
#include "models/traffic/port_stream.h"
#include "tb/common/error_text.h"

namespace odonata::traffic {
namespace {

const Dragonfly kTiny = Dragonfly::named("tiny");
const Dragonfly kPaper = Dragonfly::named("paper");
const Dragonfly kFull = Dragonfly::named("full");

/// Distance of counts from an even distribution, in standard deviations of the chi-square statistic; below 5 is good
/// for any seed.
double unevenness(const std::vector<int>& count) {
  const double total = std::accumulate(count.begin(), count.end(), 0.0),
               mean = total / static_cast<double>(count.size());
  double chi2 = 0;
  for (int n : count) chi2 += (n - mean) * (n - mean) / mean;
  const double freedom = static_cast<double>(count.size()) - 1;
  return std::abs(chi2 - freedom) / std::sqrt(2 * freedom);
}

TEST(Pattern, BadTextIsRefused) {
  for (const char* text : {"", "uniform", "UR", "adv", "adv+", "adv+0", "adv+8", "adv+-1", "adv+1x", "adv+ 1", "rp+1",
                           "adv+99999999999"}) {
    EXPECT_EQ(error_text([&] { Pattern::parse(kTiny, text, 1); }),
              "traffic pattern '" + std::string(text) + "' is unknown, expected ur, rp or adv+I with I in 1..7");
  }
}

TEST(Pattern, NameIsTheTextItWasParsedFrom) {
  for (const char* text : {"ur", "rp", "adv+1", "adv+7"}) EXPECT_EQ(Pattern::parse(kTiny, text, 1).name(), text);
}

TEST(Pattern, UniformReachesEveryOtherNodeEqually) {
  const Pattern p = Pattern::parse(kTiny, "ur", 1);
  Random random(1);
  for (const int source : {0, 5, kTiny.num_nodes() - 1}) {
    std::vector<int> count(kTiny.num_nodes());
    for (int i = 0; i < 64000; ++i) ++count[p.destination(source, random)];
    EXPECT_EQ(count[source], 0);
    count.erase(count.begin() + source);
    EXPECT_LT(unevenness(count), 5);
  }
}

TEST(Pattern, AdversarialStaysInTheShiftedGroup) {
  const Pattern p = Pattern::parse(kTiny, "adv+3", 1);
  Random random(1);
  const Address source{6, 2, 1};
  std::vector<int> count(kTiny.a() * kTiny.p());
  for (int i = 0; i < 16000; ++i) {
    const Address to = kTiny.node(p.destination(kTiny.node_index(source), random));
    EXPECT_EQ(to.gid, 1);
    ++count[to.bid * kTiny.p() + to.nid];
    EXPECT_EQ(kTiny.node(p.source(kTiny.node_index(source), random)).gid, 3);
  }
  EXPECT_LT(unevenness(count), 5);
}

TEST(Pattern, PermutationIsOneToOneWithoutFixedPoints) {
  for (const Dragonfly& d : {kTiny, kPaper, kFull}) {
    const Pattern p = Pattern::parse(d, "rp", 7);
    Random random(1);
    std::vector<bool> hit(d.num_nodes());
    for (int n = 0; n < d.num_nodes(); ++n) {
      const int to = p.destination(n, random);
      EXPECT_NE(to, n);
      EXPECT_FALSE(hit[to]);
      hit[to] = true;
      EXPECT_EQ(p.source(to, random), n);
    }
  }
}

/// Of a small network some seeds leave every node where it is in turn, the last one, too.
TEST(Pattern, NoSeedSendsANodeToItself) {
  const Dragonfly small = Dragonfly::parse("1,2,1,2");
  Random random(1);
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    const Pattern p = Pattern::parse(small, "rp", seed);
    for (int n = 0; n < small.num_nodes(); ++n) EXPECT_NE(p.destination(n, random), n) << seed;
  }
}

TEST(Pattern, PermutationFollowsTheSeed) {
  Random random(1);
  const auto all = [&random](uint64_t seed) {
    const Pattern p = Pattern::parse(kPaper, "rp", seed);
    std::vector<int> out;
    for (int n = 0; n < kPaper.num_nodes(); ++n) out.push_back(p.destination(n, random));
    return out;
  };
  EXPECT_EQ(all(3), all(3));
  EXPECT_NE(all(3), all(4));
}

TEST(Pattern, FlowsAreThoseOfTheDrawnPackets) {
  for (const char* text : {"ur", "adv+2", "rp"}) {
    const Pattern p = Pattern::parse(kTiny, text, 1);
    Random random(1);
    std::vector<double> groups(64), routers(32);
    const int rounds = 2000;
    for (int i = 0; i < rounds; ++i) {
      for (int source = 0; source < kTiny.num_nodes(); ++source) {
        const Address to = kTiny.node(p.destination(source, random));
        const Address from = kTiny.node(source);
        groups[from.gid * 8 + to.gid] += 1.0 / rounds;
        if (from.router() == RouterId{2, 1}) routers[kTiny.router_index(to.router())] += 1.0 / rounds;
      }
    }
    const std::vector<float> flows = p.group_flows();
    for (int s = 0; s < 8; ++s) {
      double sent = 0;
      for (int t = 0; t < 8; ++t) {
        EXPECT_NEAR(flows[s * 8 + t], groups[s * 8 + t], 0.15) << text;
        EXPECT_NEAR(flows[s * 8 + t], p.flow(nodes_of_group(kTiny, s), nodes_of_group(kTiny, t)), 1e-5);
        sent += flows[s * 8 + t];
      }
      EXPECT_NEAR(sent, kTiny.a() * kTiny.p(), 1e-3);
    }
    for (int r = 0; r < kTiny.num_routers(); ++r) {
      EXPECT_NEAR(p.flow(nodes_of(kTiny, {2, 1}), nodes_of(kTiny, kTiny.router(r))), routers[r], 0.1) << text;
    }
    EXPECT_NEAR(p.flow(all_nodes(kTiny), {9, 10}), 1, 1e-9);
    EXPECT_NEAR(p.flow({9, 10}, all_nodes(kTiny)), 1, 1e-9);
  }
}

TEST(NetworkLoad, UniformTrafficIsMinimalEverywhere) {
  const Pattern p = Pattern::parse(kFull, "ur", 1);
  const RouterLoad load = NetworkLoad(p, 0.8).router({3, 4});
  for (int j = 0; j < kFull.group_ports(); ++j) {
    const double expected = j == 3 ? 0 : 0.8 * 512 * 512 / (kFull.num_nodes() - 1);
    EXPECT_NEAR(load.global[j].minimal, expected, 1e-4);
    EXPECT_EQ(load.global[j].spilled, 0);
  }
  for (int n = 0; n < kFull.p(); ++n) EXPECT_NEAR(load.port[n].total(), 0.8, 1e-9);
  // A local channel carries the own nodes' and the own global ports' share, 2 * 16 ports of load 0.8 / 32, and the
  // traffic inside.
  EXPECT_NEAR(load.port[20].total(), 0.8, 0.02);
}

TEST(NetworkLoad, AdversarialTrafficSpillsEvenly) {
  const Pattern p = Pattern::parse(kPaper, "adv+1", 1);
  const RouterLoad load = NetworkLoad(p, 0.4).router({5, 0});
  const double offered = 0.4 * 72, excess = offered - 1;
  const int minimal = kPaper.port_to_group(5, 6), from_before = kPaper.port_to_group(5, 4);
  for (int j = 0; j < kPaper.group_ports(); ++j) {
    EXPECT_NEAR(load.global[j].minimal, j == minimal ? offered : 0, 1e-4);
    // Every other channel carries the first hop of the own excess and the second hop of another group's.
    EXPECT_NEAR(load.global[j].spilled, j == minimal ? 0 : 2 * excess / 71, 1e-4) << j << " " << from_before;
  }
}

// dfly(2,4,2,5): four of the eight global ports of a group have a cable. Router 3 of group 0 has none: what spills from
// it is its nodes' share of the group's excess, to each router in proportion to the cables that it has.
TEST(NetworkLoad, NoMoreSpillsToARouterThanItHasCables) {
  const Dragonfly d = Dragonfly::parse("2,4,2,5");
  const Pattern p = Pattern::parse(d, "adv+1", 1);
  const RouterLoad at = NetworkLoad(p, 0.3).router({0, 3});
  const double share = (0.3 * 8 - 1) / 4, a_cable = share / 3;
  int cables = 0;
  for (int to = 0; to < 3; ++to) {
    int there = 0;
    for (int i = 0; i < d.h(); ++i) there += d.group_of_port(0, to * d.h() + i) >= 0;
    EXPECT_NEAR(at.port[d.local_port(3, to)].spilled, there * a_cable, 1e-9) << to;
    cables += there;
  }
  EXPECT_EQ(cables, 4);
}

// Group 2 sends everything to group 3. What it sends straight ends there: behind its port at router 1 of group 3 only
// the nodes' own share of the excess goes on to router 3, over two cables.
TEST(NetworkLoad, WhatComesStraightIsNoLastHopOfADetour) {
  const Pattern pattern = Pattern::parse(kTiny, "adv+1", 1);
  const NetworkLoad network(pattern, 0.4);
  const double excess = 0.4 * 8 - 1;
  EXPECT_NEAR(network.router({3, 1}).port[kTiny.local_port(1, 3)].spilled, 2 * excess / 6 / 4, 1e-6);
  // At router 0, with cables to groups 0 and 1, the last hops of two groups' detours are added.
  EXPECT_NEAR(network.router({3, 0}).port[kTiny.local_port(0, 3)].spilled, 2 * excess / 6 / 4 + 2 * excess / 6 / 4,
              1e-6);
}

TEST(NetworkLoad, RangeOfTheLoad) {
  const Pattern p = Pattern::parse(kTiny, "ur", 1);
  EXPECT_THROW(NetworkLoad(p, -0.1), Error);
  EXPECT_THROW(NetworkLoad(p, 1.1), Error);
  EXPECT_THROW(NetworkLoad(p, std::nan("")), Error);
}

/// Mean share of set bits over 2,000 intervals, and the share of one port.
struct Density {
  double local = 0, global = 0, port = 0;
};
Density density(const Dragonfly& d, const char* text, double load, int watched) {
  const Pattern p = Pattern::parse(d, text, 1);
  CongestionModel model(NetworkLoad(p, load), {1, 1}, 1);
  Density out;
  constexpr int kSteps = 2000;
  for (int i = 0; i < kSteps; ++i) {
    model.step();
    out.local += std::popcount(model.map().local) / (1.0 * kSteps * d.num_ports());
    out.global += model.map().global.count() / (1.0 * kSteps * d.group_ports());
    out.port += model.map().global.test(watched) / (1.0 * kSteps);
  }
  return out;
}

TEST(CongestionModel, MoreLoadMoreCongestion) {
  for (const Dragonfly& d : {kTiny, kPaper, kFull}) {
    Density last;
    for (const double load : {0.2, 0.5, 0.7, 0.9, 1.0}) {
      const Density now = density(d, "ur", load, 0);
      EXPECT_GE(now.local, last.local) << d.name() << load;
      EXPECT_GE(now.global, last.global) << d.name() << load;
      last = now;
    }
    EXPECT_GT(last.local, 0.15) << d.name();
    EXPECT_LT(density(d, "ur", 0.2, 0).global, 0.15) << d.name();  // the uncabled ports of a small network
  }
}

TEST(CongestionModel, AdversarialTrafficCongestsTheMinimalPort) {
  for (const Dragonfly& d : {kTiny, kPaper, kFull}) {
    const int minimal = d.port_to_group(1, 2), other = d.port_to_group(1, 5);
    EXPECT_GT(density(d, "adv+1", 0.4, minimal).port, 0.5) << d.name();
    EXPECT_LT(density(d, "adv+1", 0.4, other).port, 0.35) << d.name();
  }
}

TEST(CongestionModel, FailedAndUncabledPortsAreAlwaysCongested) {
  const Pattern p = Pattern::parse(kTiny, "ur", 1);
  const NetworkLoad network(p, 0);
  CongestionModel model(network, {1, 0}, 1);
  const PortMap own_uncabled = 1ull << kTiny.global_port(1);  // group-wide port 1 would lead to the own group
  EXPECT_EQ(model.map().local, own_uncabled);
  EXPECT_EQ(model.map().global.word[0], 1ull << 1);
  GroupMap others;
  others.set(6);
  model.set_failed(1ull << 3 | 1ull << kTiny.global_port(0), others);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(model.map().local, own_uncabled | 1ull << 3 | 1ull << kTiny.global_port(0));
    EXPECT_EQ(model.map().global.word[0], 1ull << 1 | 1ull << 0 | 1ull << 6);
    model.step();
  }
  model.set_failed(0, {});
  model.step();
  EXPECT_EQ(model.map().local, own_uncabled);
  EXPECT_EQ(model.map().global.word[0], 1ull << 1);
}

TEST(CongestionModel, OnlyExistingPortsAndTheSameForTheSameSeed) {
  const Pattern p = Pattern::parse(kPaper, "rp", 1);
  const NetworkLoad network(p, 0.9);
  CongestionModel one(network, {9, 3}, 5), two(network, {9, 3}, 5), other(network, {9, 3}, 6);
  bool differs = false;
  for (int i = 0; i < 1000; ++i) {
    one.step();
    two.step();
    other.step();
    EXPECT_EQ(one.map().local & ~low_mask(kPaper.num_ports()), 0u);
    EXPECT_FALSE((one.map().global & ~GroupMap::low(kPaper.group_ports())).any());
    EXPECT_EQ(one.map().global, two.map().global);
    EXPECT_EQ(one.map().local, two.map().local);
    differs |= !(one.map().global == other.map().global);
  }
  EXPECT_TRUE(differs);
}

TEST(PortStream, NodePortSeesItsOwnPackets) {
  const Pattern p = Pattern::parse(kFull, "adv+5", 1);
  const PortStream stream(p, {510, 3}, 7);
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const route_compute::Request r = stream.draw(random);
    EXPECT_EQ(r.dest.gid, 3);
    EXPECT_EQ(r.src_gid, 510);
    EXPECT_EQ(r.vc, 0);
  }
}

TEST(PortStream, LocalAndGlobalPortsSeeAllRoles) {
  for (const char* text : {"ur", "rp"}) {
    const Pattern p = Pattern::parse(kTiny, text, 1);
    for (int port = kTiny.first_local(); port < kTiny.num_ports(); ++port) {
      const RouterId own{1, 1};
      const Dragonfly::Peer peer = kTiny.peer(own, port);
      if (!peer.connected) continue;
      const PortStream stream(p, own, port);
      Random random(1);
      std::set<std::string> roles;
      std::set<int> vcs;
      for (int i = 0; i < 4000; ++i) {
        const route_compute::Request r = stream.draw(random);
        ASSERT_TRUE(kTiny.contains(r.dest));
        EXPECT_FALSE(r.dest.router() == peer.router);
        vcs.insert(r.vc);
        roles.insert(r.src_gid == own.gid ? "source" : r.dest.gid == own.gid ? "destination" : "intermediate");
      }
      EXPECT_EQ(roles.size(), kTiny.is_local_port(port) ? 3u : 2u) << text << port;
      EXPECT_EQ(vcs, (std::set<int>{0, 1, 2, 3})) << text << port;
    }
  }
}

/// Over a router without a global cable comes only what starts in the group.
TEST(PortStream, NothingComesOverARouterWithoutGlobalCables) {
  const Dragonfly d = Dragonfly::parse("2,4,2,5");
  const Pattern p = Pattern::parse(d, "ur", 1);
  const RouterId own{1, 0};
  const int port = d.local_port(0, 3);
  ASSERT_EQ(d.group_of_port(1, 3 * d.h()), -1);
  const PortStream stream(p, own, port);
  Random random(1);
  for (int i = 0; i < 4000; ++i) {
    const route_compute::Request r = stream.draw(random);
    EXPECT_TRUE(d.contains(r.dest));
    EXPECT_EQ(r.src_gid, own.gid);
  }
}

TEST(PortStream, UnconnectedPortIsRefused) {
  const Pattern p = Pattern::parse(kTiny, "ur", 1);
  EXPECT_THROW(PortStream(p, {1, 0}, kTiny.global_port(1)), Error);
}

}  // namespace
}  // namespace odonata::traffic
