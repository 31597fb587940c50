// SPDX-License-Identifier: Apache-2.0
// The rivals of DOAR in the engine: path lengths of an empty network, bounds of theory, virtual channels, determinism.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "sim/network/policies/nonminimal.h"
#include "sim/network/simulation.h"
#include "sim/network/wiring.h"
#include "sim/network/topologies/dragonfly.h"
#include "tb/common/error_text.h"
#include "tb/network/configs.h"
#include "tb/network/resumed.h"

namespace odonata::network {
namespace {

/// 8 packets and more than 4 times the share make a group concentrated; more than half to such groups, adversarial.
TEST(Rivals, TprInfersThePatternAtItsEdges) {
  std::vector<uint8_t> concentrated(9);
  const auto adversarial = [&](std::vector<uint16_t> sent) { return is_adversarial(sent, concentrated); };
  EXPECT_FALSE(adversarial({0, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_TRUE(adversarial({8, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(concentrated[0], 1);
  EXPECT_FALSE(adversarial({7, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(concentrated[0], 0);
  EXPECT_FALSE(adversarial({0, 0, 0, 0, 0, 0, 0, 10, 10}));  // 10 of 20 packets over 8 groups: exactly 4 times
  EXPECT_EQ(concentrated[8], 0);
  EXPECT_TRUE(adversarial({0, 0, 0, 0, 0, 0, 0, 9, 10}));
  EXPECT_EQ(concentrated[7], 0);
  EXPECT_EQ(concentrated[8], 1);
  std::vector<uint16_t> half(17, 0);  // of 16 others: 20 of 40 packets to one group
  half[0] = 20;
  std::fill(half.begin() + 1, half.begin() + 11, uint16_t{2});
  concentrated.resize(17);
  EXPECT_FALSE(adversarial(half));
  EXPECT_EQ(concentrated[0], 1);
  half[1] = 1;
  EXPECT_TRUE(adversarial(half));
}

constexpr const char* kRivals[] = {"val", "ugal_l", "ugal_g", "par", "par_ph", "tpr"};

Config tiny(const std::string& routing, const std::string& traffic, double load) {
  return run_on_tiny(routing, traffic, load, 2000, 4000);
}

/// Links of the minimal path between two routers.
int links(const Dragonfly& d, RouterId from, RouterId to) {
  if (from == to) return 0;
  if (from.gid == to.gid) return 1;
  return 1 + (d.attached_router(from.gid, to.gid) != from.bid) + (d.attached_router(to.gid, from.gid) != to.bid);
}

TEST(Rivals, ValPathsOfAnEmptyNetworkHaveTheLengthOfTheirTwoMinimalParts) {
  Config c = tiny("val", "ur", 0.001);
  c.warmup = 0;
  c.sample = 200'000;
  const Dragonfly& d = dragonfly_of(c);
  uint64_t detours = 0, inside = 0, direct = 0;
  std::vector<int> by_router(static_cast<size_t>(d.num_routers()));
  const auto simulation = make_simulation(c);
  simulation->on_delivery([&](const Delivery& delivery) {
    const Address from = unpack(delivery.flit.source), to = unpack(delivery.flit.dest);
    inside += from.gid == to.gid;
    if (from.router() == to.router()) {
      ++direct;
      EXPECT_EQ(delivery.flit.hops, 0);
      return;
    }
    const RouterId via = d.router(static_cast<int>(delivery.flit.via));
    EXPECT_TRUE(via.gid != from.gid && via.gid != to.gid);
    EXPECT_EQ(delivery.flit.hops, links(d, from.router(), via) + links(d, via, to.router()));
    ++by_router[delivery.flit.via];
    ++detours;
  });
  simulate(*simulation);
  EXPECT_GT(inside, 500u);
  EXPECT_GT(inside, direct + 300u);
  ASSERT_GT(detours, 5000u);
  for (int n : by_router)
    EXPECT_NEAR(n, static_cast<double>(detours) / d.num_routers(),
                0.25 * static_cast<double>(detours) / d.num_routers());
}

/// ADV+1 on dfly(2,4,2,8) with routers outside both groups as intermediates: 8 nodes spread over 6 groups and as much
/// in transit, thus 8/3 of the load on six of a group's seven links, none on the seventh.
TEST(Rivals, ValLoadsTheGlobalChannelsAsTheorySaysAndSaturatesThere) {
  const Result below = simulate(tiny("val", "adv+1", 0.3));
  EXPECT_NEAR(below.channel("global").mean, 6.0 / 7 * 8 / 3 * 0.3, 0.01);
  EXPECT_NEAR(below.channel("global").max, 8.0 / 3 * 0.3, 0.06);
  EXPECT_NEAR(below.accepted, 0.3, 0.01);
  EXPECT_EQ(below.unfinished, 0u);
  const Result above = simulate(tiny("val", "adv+1", 0.45));
  EXPECT_TRUE(above.saturated);
  EXPECT_LE(above.accepted, 3.0 / 8 + 0.005);
  EXPECT_GT(above.accepted, 0.9 * 3.0 / 8);
}

TEST(Rivals, TheOthersAreMinimalInAnEmptyNetwork) {
  for (const char* routing : {"ugal_l", "ugal_g", "par", "par_ph", "tpr"}) {
    Config c = tiny(routing, "ur", 0.00005);
    c.sample = 2'000'000;
    const Dragonfly& d = dragonfly_of(c);
    uint64_t packets = 0, longer = 0;
    const auto simulation = make_simulation(c);
    simulation->on_delivery([&](const Delivery& delivery) {
      ++packets;
      longer +=
          delivery.flit.hops != links(d, unpack(delivery.flit.source).router(), unpack(delivery.flit.dest).router());
    });
    simulate(*simulation);
    EXPECT_GT(packets, 4000u);
    EXPECT_LT(longer, packets / 50)
        << routing;  // without the window a packet still on the link counts as a queue of one
  }
}

TEST(Rivals, AdaptiveOnesGetMoreThroughUnderAdversarialTrafficThanTheMinimalLink) {
  for (const char* routing : kRivals) {
    const Result r = simulate(tiny(routing, "adv+1", 0.25));
    EXPECT_NEAR(r.accepted, 0.25, 0.01) << routing;  // the only minimal link of a group carries 1/8 a node
    EXPECT_EQ(r.unfinished, 0u) << routing;
    EXPECT_TRUE(r.conservation_ok) << routing;
    EXPECT_EQ(r.deadlock, "") << routing;
  }
}

/// Share of the packets between groups with more links than a minimal path can have.
double detours(const Result& r) {
  double all = 0, longer = 0;
  for (size_t n = 1; n < r.hops.size(); ++n)
    all += static_cast<double>(r.hops[n]), longer += n > 3 ? static_cast<double>(r.hops[n]) : 0;
  return longer / all;
}

/// Concentrated traffic goes by random routers, spread traffic minimally, and a router changes its mind with its
/// traffic: in R_MIXED both.
TEST(Rivals, TprDetoursWhatItsRouterSendsToFewGroups) {
  Config c = tiny("tpr", "ur", 0.2);
  c.bias = 10;
  EXPECT_LT(detours(simulate(c)), 0.05);
  c.traffic = "adv+1";
  const double adverse = detours(simulate(c));
  c.routing = "val";
  const double always = detours(simulate(c));
  EXPECT_LT(adverse, always);  // one router of four has the link itself, and may use it
  EXPECT_GT(adverse, 0.75 * always);
  c.routing = "tpr";
  c.traffic = "r_mixed_ua:0.5";
  const double mixed = detours(simulate(c));
  EXPECT_GT(mixed, 0.3 * adverse);
  EXPECT_LT(mixed, 0.7 * adverse);
}

/// A third of the packets to one of 16 groups is more than 4 times its share, but the traffic is adversarial only when
/// most of it goes to such groups.
TEST(Rivals, TprLeavesConcentratedTrafficThatIsNotMostOfAll) {
  Config c = on_dragonfly(Dragonfly::parse("2,4,4,17"));
  c.routing = "tpr";
  c.load = 0.2;
  c.bias = 1000;
  c.warmup = 2000;
  c.sample = 4000;
  c.traffic = "p_mixed_ua:0.35";
  EXPECT_LT(detours(simulate(c)), 0.005);  // few intervals of few routers had more
  c.traffic = "p_mixed_ua:0.75";           // the fourth part that goes anywhere goes minimally
  const double most = detours(simulate(c));
  EXPECT_GT(most, 0.5);
  EXPECT_LT(most, 0.6);
}

/// A router forgets what it has sent when an interval of 512 cycles ends: a packet every other interval never makes the
/// eight that a pattern needs, however long the run.
TEST(Rivals, TprForgetsWhatItHasSentBeforeTheInterval) {
  Config c = tiny("tpr", "adv+1", 0.0005);
  c.bias = 1000;  // no detour for a queue of a few packets
  c.warmup = 1000;
  c.sample = 400'000;
  const Result r = simulate(c);
  EXPECT_GT(r.latency.samples(), 1000u);
  EXPECT_EQ(detours(r), 0.0);
}

/// What a router has inferred of each group is part of a state: where some packets of a router go to one group and the
/// others anywhere, a run goes on as it would have from every moment.
TEST(Rivals, TprGoesOnWithWhatItHasInferred) {
  for (const char* traffic : {"p_mixed_ua:0.8", "p_mixed_ua:0.4"}) {
    const Config c = tiny("tpr", traffic, 0.3);
    const Result whole = simulate(c);
    for (uint64_t cycle = 100; cycle < whole.cycles; cycle += 100)
      EXPECT_EQ(resumed(c, cycle).digest, whole.digest) << traffic << ' ' << cycle;
  }
}

TEST(Rivals, OnlyTheDecisionAtTheSecondRouterMakesPathsOfSevenLinks) {
  EXPECT_EQ(simulate(tiny("ugal_l", "adv+1", 0.3)).hops[7], 0u);
  EXPECT_GT(simulate(tiny("par", "adv+1", 0.3)).hops[7], 0u);
  EXPECT_EQ(simulate(tiny("par", "adv+1", 0.3)).hops[8], 0u);
}

TEST(Rivals, ABiasTowardsTheMinimalPathShortensPaths) {
  Config c = tiny("par_ph", "ur", 0.5);
  const Result without = simulate(c);
  c.bias = 50;
  const Result with = simulate(c);
  EXPECT_GT(with.hops[3] * without.latency.samples(), without.hops[3] * with.latency.samples());
}

TEST(Rivals, TooFewVirtualChannelsAreRefusedWithTheReason) {
  for (const char* routing : kRivals) {
    Config c = tiny(routing, "ur", 0.1);
    const bool twice = std::string(routing).starts_with("par");
    c.router.vcs = twice ? 4 : 3;
    const std::string why = error_text([&] { make_simulation(c); });
    EXPECT_NE(why.find(twice ? "needs 5 virtual channels" : "needs 4 virtual channels"), std::string::npos)
        << routing << ": " << why;
  }
}

TEST(Rivals, NeitherThreadsNorACheckpointChangeTheResult) {
  for (const char* routing : kRivals) {
    Config c = tiny(routing, "adv+1", 0.28);
    const Result one = simulate(c);
    c.threads = 2;
    EXPECT_EQ(simulate(c).digest, one.digest) << routing;
    const Config two = c;
    c.threads = 1;
    EXPECT_EQ(resumed(two, 1500, c).digest, one.digest) << routing;
    c.seed = 2;
    EXPECT_NE(simulate(c).digest, one.digest) << routing;
  }
}

/// docs/network.md §5: PAR_PH is PAR with the history windows taken off the queues; without them it is PAR.
TEST(Rivals, WithoutItsWindowsParPhIsPar) {
  Config c = tiny("par", "adv+1", 0.4);
  c.bias = 10;
  const Result par = simulate(c);
  c.routing = "par_ph";
  EXPECT_NE(simulate(c).digest, par.digest);
  c.plane.local_window_enable = false;
  EXPECT_NE(simulate(c).digest, par.digest);
  c.plane.global_window_enable = false;
  EXPECT_EQ(simulate(c).digest, par.digest);
  c.plane.local_window_enable = true;
  EXPECT_NE(simulate(c).digest, par.digest);
}

}  // namespace
}  // namespace odonata::network
