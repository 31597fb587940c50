// SPDX-License-Identifier: Apache-2.0
// Mixtures of traffic: the share, who differs, and what is refused.
#include <gtest/gtest.h>

#include <memory>

#include "models/common/error.h"
#include "models/traffic/packet_trace.h"
#include "sim/network/mixed_pattern.h"
#include "sim/network/simulation.h"
#include "sim/network/topologies/dragonfly.h"

namespace odonata::network {
namespace {

/// By node: share of its packets that go to the next group, out of 200.
std::vector<double> to_next_group(const Dragonfly& d, const MixedPattern& pattern) {
  Random random(7);
  std::vector<double> out;
  for (int n = 0; n < d.num_nodes(); ++n) {
    int hits = 0;
    for (int i = 0; i < 200; ++i) hits += d.node(pattern.destination(n, random)).gid == (d.node(n).gid + 1) % d.g();
    out.push_back(hits / 200.0);
  }
  return out;
}

TEST(MixedPattern, RoutersOrNodesOrPacketsDiffer) {
  const Dragonfly d = Dragonfly::named("paper");
  for (const char unit : {'r', 'n', 'p'}) {
    const auto share = to_next_group(d, MixedPattern::parse(d, std::string(1, unit) + "_mixed_ua:0.25", 3));
    int others = 0, both = 0, routers_of_both = 0;
    for (int n = 0; n < d.num_nodes(); ++n) {
      others += share[static_cast<size_t>(n)] == 1;
      both += share[static_cast<size_t>(n)] > 0.13 && share[static_cast<size_t>(n)] < 0.5;
      if (n % d.p() != 0)
        routers_of_both += (share[static_cast<size_t>(n)] == 1) != (share[static_cast<size_t>(n - 1)] == 1);
    }
    EXPECT_EQ(others, unit == 'p' ? 0 : d.num_nodes() / 4) << unit;
    EXPECT_EQ(both > d.num_nodes() * 9 / 10, unit == 'p') << unit;
    EXPECT_EQ(routers_of_both > 0, unit == 'n') << unit;
  }
}

/// The share of the units is rounded, not cut off.
TEST(MixedPattern, ASharesNumberOfRoutersIsRounded) {
  const Dragonfly d = Dragonfly::named("tiny");  // 32 routers
  for (const auto& [share, routers] : {std::pair{"0.36", 12}, {"0.35", 11}, {"0.99", 32}, {"0", 0}}) {
    const auto others = to_next_group(d, MixedPattern::parse(d, std::string("r_mixed_ua:") + share, 3));
    EXPECT_EQ(std::count(others.begin(), others.end(), 1.0), routers * d.p()) << share;
  }
}

TEST(MixedPattern, APermutationKeepsItsPartners) {
  const Dragonfly d = Dragonfly::named("tiny");
  const MixedPattern all = MixedPattern::parse(d, "n_mixed_ur:1", 5), plain = MixedPattern::parse(d, "rp", 5);
  Random random(1);
  for (int n = 0; n < d.num_nodes(); ++n) EXPECT_EQ(all.destination(n, random), plain.destination(n, random));
}

TEST(MixedPattern, WhatItDoesNotKnowIsRefused) {
  const Dragonfly d = Dragonfly::named("tiny");
  for (const char* text : {"r_mixed_ua:", "r_mixed_ua:1.5", "n_mixed_ur:x", "n_mixed_ur:0.5x", "x_mixed_ua:0.5",
                           "r_mixed_ux:0.5", "r_mixed_ua", "adv+8", ""}) {
    EXPECT_THROW(MixedPattern::parse(d, text, 1), Error) << text;
  }
}

TEST(MixedPattern, ATraceIsDeliveredPacketByPacket) {
  Config c = on_dragonfly(Dragonfly::named("tiny"));
  const auto trace =
      std::make_shared<traffic::PacketTrace>(traffic::generate_sample(dragonfly_of(c).num_nodes(), 3000, 0.1, 1));
  c.trace = trace;
  c.routing = "min";
  c.warmup = 0;
  c.sample = trace->cycles();
  c.router.lengths = {5};
  const Result r = simulate(c);
  EXPECT_EQ(r.delivered, trace->packets.size());
  EXPECT_TRUE(r.conservation_ok);
  c.topology = std::make_shared<DragonflyTopology>(Dragonfly::named("paper"));
  EXPECT_THROW(simulate(c), Error);
}

}  // namespace
}  // namespace odonata::network
