// SPDX-License-Identifier: Apache-2.0
// The network engine agrees with the dragonfly of SystemC routers packet by packet, with faults in between; and the
// comparison finds planted bugs.
#include <gtest/gtest.h>

#include "models/common/error.h"
#include "sim/network/simulation.h"
#include "sim/network/topologies/dragonfly.h"
#include "tb/network/crosscheck.h"
#include "tb/network/difference_text.h"
#include "tb/network/packet_ways.h"
#include "tb/network/resumed.h"
#include "tb/network/timed_faults.h"

namespace odonata::cosim {
namespace {

network::Config at_load(double load, const char* traffic = "ur", const char* size = "tiny") {
  network::Config c = network::on_dragonfly(size[0] == 't' ? Dragonfly::named(size) : Dragonfly::parse(size));
  c.load = load;
  c.traffic = traffic;
  return c;
}

/// What only one side has seen differs, whichever side it is: a step more, a packet more.
TEST(CrossCheckWays, WhatOneSideAloneHasSeenDiffers) {
  const WayNames names{[](uint32_t n) { return "router " + std::to_string(n); },
                       [](uint32_t n) { return "node " + std::to_string(n); }};
  const Step granted{.cycle = 5, .router = 1}, delivered{.cycle = 9, .kind = Step::Kind::delivered, .router = 2};
  const auto difference = [&](const std::vector<Step>& a, const std::vector<Step>& b) {
    Ways one(100), other(100);
    for (const Step& s : {granted, delivered}) one.add(3, 1, s), other.add(3, 1, s);
    for (const Step& s : a) one.add(4, 2, s);
    for (const Step& s : b) other.add(4, 2, s);
    CrossCheckResult out;
    compare_ways(names, one, other, out);
    return out.difference.size();
  };
  EXPECT_EQ(difference({granted, delivered}, {granted, delivered}), 0U);
  EXPECT_NE(difference({granted, delivered}, {granted}), 0U);
  EXPECT_NE(difference({granted}, {granted, delivered}), 0U);
  EXPECT_NE(difference({granted, delivered}, {}), 0U);
  EXPECT_NE(difference({}, {granted, delivered}), 0U);
}

TEST(NetworkCrossCheck, LinksAndARouterFailAndRecover) {
  network::Config c = at_load(0.3);
  add_faults(c, {"global:G0-G2"}, 200, 900);
  add_faults(c, {"local:G1.s0-G1.s3"}, 300, 1200);
  add_faults(c, {"node:G4.s0.n1"}, 450, 700);
  add_faults(c, {"router:G3.s1"}, 500, 2600);
  const CrossCheckResult r = crosscheck(c, 3000);
  EXPECT_TRUE(r.passed()) << text(r);
  EXPECT_GT(r.packets, 40'000u);
  EXPECT_GT(r.lost, 100u);
  EXPECT_GT(r.messages, 50u);
  EXPECT_GT(r.events, 3 * r.packets);
}

/// The link of a node is down before its router dies, and longer than that.
TEST(NetworkCrossCheck, ANodeComesBackAfterItsRouter) {
  network::Config c = at_load(0.2);
  add_faults(c, {"node:G0.s1.n0"}, 400, 3100);
  add_faults(c, {"router:G0.s1"}, 500, 3000);
  const CrossCheckResult r = crosscheck(c, 4000);
  EXPECT_TRUE(r.passed()) << text(r);
  EXPECT_GT(r.lost, 1000u);
}

/// A node takes packets again when those of its router's neighbours have said everything whose links are up.
TEST(NetworkCrossCheck, ARouterComesBackWithoutALink) {
  network::Config c = at_load(0.3);
  add_faults(c, {"router:G1.s0"}, 300, 2400);
  Random random(1);
  for (const char* link : {"local:G1.s1-G1.s2", "local:G1.s0-G1.s1"})
    c.faults.events.push_back({fault::parse_faults(network::dragonfly_of(c), link, random).at(0), false, 2320});
  const CrossCheckResult r = crosscheck(c, 5500);
  EXPECT_TRUE(r.passed()) << text(r);
  EXPECT_GT(r.lost, 500u);
}

TEST(NetworkCrossCheck, RandomFaultsUnderEveryTraffic) {
  uint64_t seed = 1;
  for (const char* traffic : {"ur", "adv+1", "rp"}) {
    network::Config c = at_load(0.4, traffic);
    c.seed = ++seed;
    add_random_faults(c, 700);
    const CrossCheckResult r = crosscheck(c, 900);
    EXPECT_TRUE(r.passed()) << traffic << "\n" << text(r);
    EXPECT_GT(r.lost, 0u) << traffic;
  }
}

TEST(NetworkCrossCheck, OtherRouters) {
  const auto check = [](const char* what, network::Config c) {
    add_random_faults(c, 500);
    const CrossCheckResult r = crosscheck(c, 700);
    EXPECT_TRUE(r.passed()) << what << "\n" << text(r);
    EXPECT_GT(r.packets, 1000u) << what;
  };
  network::Config c = at_load(0.6, "adv+1");
  c.link("node").buffer = 3;
  c.link("local").buffer = 4;
  c.link("global").buffer = 40;
  check("small buffers", c);
  c = at_load(0.5);
  c.router.output_fifo = 4;
  check("short output FIFOs", c);
  c = at_load(0.7);
  c.router.output_fifo = 2;
  check("output FIFOs so short that the slots of diagnosis messages count", c);
  c = at_load(0.3, "adv+2");
  c.router.phases = 1;
  c.link("local").latency = 3;
  c.link("global").latency = 20;
  c.plane.local_window_enable = c.plane.global_window_enable = false;
  c.plane.interval = 4;
  check("one phase, short links, no history windows", c);
  c = at_load(0.3);
  c.faults.mode = fault::Mode::paper;
  check("mode paper", c);
  c = at_load(0.3);
  c.faults.recovery = fault::Recovery::port_level;
  check("recovery port_level", c);
  check("another size", at_load(0.3, "ur", "1,3,2,7"));
  c = at_load(0.6, "adv+1");
  c.route_compute = network::RouteCompute::arrival;
  c.link("local").buffer = 4;
  c.link("global").buffer = 40;
  check("routes asked at arrival", c);
}

/// Routes asked at arrival, and packets that find no way any more.
void drop_many(network::Config& c) {
  c.route_compute = network::RouteCompute::arrival;
  for (const char* router : {"router:G1.s1", "router:G2.s0", "router:G5.s3"}) add_faults(c, {router}, 100, 0);
}

/// Packets without an option leave as the switch picks them, on both sides.
/// With more than two phases a router gives back more than two slots of a virtual channel in a cycle, which its
/// neighbour's monitor counts.
TEST(NetworkCrossCheck, MoreThanTwoPhases) {
  for (const int phases : {3, 4}) {
    for (const int flits : {1, 3}) {
      network::Config c = at_load(0.9);
      c.route_compute = network::RouteCompute::arrival;
      c.router.phases = phases;
      c.router.output_fifo = 4;
      c.router.lengths = {flits};
      add_random_faults(c, 300);
      const CrossCheckResult r = crosscheck(c, 400);
      EXPECT_TRUE(r.passed()) << phases << " " << flits << "\n" << text(r);
    }
  }
}

/// A node's link fails for a cycle while a packet enters: the node goes on with its next packet.
TEST(NetworkCrossCheck, ANodesLinkFailsForOneCycle) {
  network::Config c = at_load(0.4);
  c.route_compute = network::RouteCompute::arrival;
  c.router.lengths = {9};
  for (int k = 0; k < 64; ++k) {
    const std::string node = "node:G" + std::to_string(k % 8) + ".s" + std::to_string(k / 8 % 4) + ".n";
    add_faults(c, {node + std::to_string(k / 32)}, 200 + static_cast<uint64_t>(k), 201 + static_cast<uint64_t>(k));
  }
  const CrossCheckResult r = crosscheck(c, 600);
  EXPECT_TRUE(r.passed()) << text(r);
  EXPECT_GT(r.lost, 5u);
}

/// Congestion frames ride on tails only, whether a link can fail or not.
TEST(NetworkCrossCheck, PacketsOfSeveralFlitsWithoutFaults) {
  for (const char* routing : {"doar", "doar_stable"}) {
    for (const int flits : {2, 9}) {
      network::Config c = at_load(0.9);
      c.routing = routing;
      c.route_compute = network::RouteCompute::arrival;
      c.router.lengths = {flits};
      const CrossCheckResult r = crosscheck(c, 500);
      EXPECT_TRUE(r.passed()) << routing << " " << flits << "\n" << text(r);
    }
  }
}

TEST(NetworkCrossCheck, DropsArePicked) {
  network::Config c = at_load(0.8);
  c.router.output_fifo = 64;
  drop_many(c);
  const CrossCheckResult r = crosscheck(c, 800);
  EXPECT_TRUE(r.passed()) << text(r);
  EXPECT_GT(r.lost, 100u);
}

/// Every VC has its turn, on both sides and at a data path's pins.
TEST(NetworkCrossCheck, Turns) {
  network::Config c = at_load(0.8, "adv+1");
  c.route_compute = network::RouteCompute::arrival;
  c.router.output_fifo = 64;
  c.router.turn_cycles = 3;
  const CrossCheckResult r = crosscheck(c, 600);
  EXPECT_TRUE(r.passed()) << text(r);
  EXPECT_GT(r.packets, 1'500u);
  const CrossCheckResult device = crosscheck(c, 400, "", {}, {"golden", nullptr});
  EXPECT_TRUE(device.passed()) << text(device);
}

/// The data path as a device behind its pins: golden model, SystemC module and RTL, in all routers or in some, while
/// links and a router fail.
TEST(NetworkCrossCheck, DataPathsBehindTheirPins) {
  network::Config c = at_load(0.5, "adv+1");
  c.route_compute = network::RouteCompute::arrival;
  c.router.output_fifo = 64;
  add_random_faults(c, 600);
  for (const char* level : {"golden", "systemc", "rtl"}) {
    const CrossCheckResult r = crosscheck(c, level[0] == 's' ? 300 : 800, "", {}, {level, nullptr});
    EXPECT_TRUE(r.passed()) << level << "\n" << text(r);
    EXPECT_GT(r.packets, 1'500u) << level;
  }
  const CrossCheckResult some = crosscheck(c, 300, "", {}, {"rtl", [](int router) { return router % 3 == 0; }});
  EXPECT_TRUE(some.passed()) << text(some);
  c.router.output_fifo = 0;
  EXPECT_THROW(crosscheck(c, 300, "", {}, {"rtl", nullptr}), Error);
}

/// Packets of several flits, with routes asked at arrival; links that fail and flap cut some of them in two.
network::Config long_packets(std::vector<int> lengths, double load = 0.5, const char* traffic = "ur") {
  network::Config c = at_load(load, traffic);
  c.route_compute = network::RouteCompute::arrival;
  c.router.output_fifo = 64;
  c.router.lengths = std::move(lengths);
  return c;
}

TEST(NetworkCrossCheck, FaultsCutPacketsInTwo) {
  uint64_t seed = 20, cut = 0;
  for (const std::vector<int>& lengths : {std::vector{3}, {1, 5}, {8}, {32}}) {
    for (const char* traffic : {"ur", "adv+1"}) {
      network::Config c = long_packets(lengths, 0.5, traffic);
      c.seed = ++seed;
      add_random_faults(c, 1'000);
      const CrossCheckResult r = crosscheck(c, 1'200);
      EXPECT_TRUE(r.passed()) << lengths.back() << " " << traffic << "\n" << text(r);
      EXPECT_GT(r.lost, 0u);
      cut += r.cut;
    }
  }
  for (const std::vector<int>& lengths : {std::vector{8}, {16}, {1, 20}}) {
    network::Config c = long_packets(lengths, 0.6);
    c.seed = ++seed;
    add_flapping_links(c, 40, 1'000);
    const CrossCheckResult r = crosscheck(c, 1'100);
    EXPECT_TRUE(r.passed()) << lengths.back() << "\n" << text(r);
    cut += r.cut;
  }
  EXPECT_GT(cut, 50u);
}

/// Packets of several flits that were on their way through a router when it died hold nothing of it when it is back.
TEST(NetworkCrossCheck, ARouterComesBackUnderLongPackets) {
  network::Config c = long_packets({8}, 0.6);
  add_faults(c, {"router:G1.s0"}, 300, 2400);
  const CrossCheckResult r = crosscheck(c, 4700);
  EXPECT_TRUE(r.passed()) << text(r);
  EXPECT_GT(r.lost, 50u);
}

TEST(NetworkCrossCheck, FaultsCutPacketsOfOtherRouters) {
  const auto check = [](const char* what, network::Config c) {
    add_random_faults(c, 700);
    const CrossCheckResult r = crosscheck(c, 900);
    EXPECT_TRUE(r.passed()) << what << "\n" << text(r);
    EXPECT_GT(r.packets, 100u) << what;
  };
  network::Config c = long_packets({4}, 0.7, "adv+1");
  c.router.output_fifo = 0;
  c.link("node").buffer = 6;
  c.link("local").buffer = 5;
  c.link("global").buffer = 9;
  check("buffers of little more than a packet", c);
  c.router.switching = network::Switching::wormhole;
  c.link("local").buffer = 2;
  check("wormhole", c);
  c = long_packets({2, 7}, 0.5);
  c.faults.recovery = fault::Recovery::port_level;
  c.faults.mode = fault::Mode::paper;
  check("mode paper, recovery port_level", c);
  c = long_packets({3}, 0.5);
  c.routing = "doar_stable";
  check("doar_stable", c);
  c = long_packets({5}, 0.8);
  for (const char* router : {"router:G1.s1", "router:G2.s0", "router:G5.s3"}) add_faults(c, {router}, 100, 0);
  check("packets without an option", c);
}

/// The data path at its pins makes the poisoned tails.
TEST(NetworkCrossCheck, DataPathsBehindTheirPinsCutPackets) {
  for (const char* level : {"golden", "systemc", "rtl"}) {
    network::Config c = long_packets({3}, 0.5, "adv+1");
    add_random_faults(c, 600);
    const CrossCheckResult r = crosscheck(c, level[0] == 's' ? 400 : 1'000, "", {}, {level, nullptr});
    EXPECT_TRUE(r.passed()) << level << "\n" << text(r);
    EXPECT_GT(r.packets, 300u) << level;
  }
}

/// The engine's arrival mode with packets that are cut is as deterministic as the other.
TEST(NetworkCrossCheck, CutPacketsDoNotDependOnThreadsNorOnACheckpoint) {
  network::Config c = long_packets({5});
  add_random_faults(c, 2000);
  c.warmup = 200;
  c.sample = 2000;
  const network::Result one = network::simulate(c);
  EXPECT_TRUE(one.conservation_ok);
  EXPECT_GT(one.cut, 0u);
  c.threads = 2;
  EXPECT_EQ(network::simulate(c).digest, one.digest);
  EXPECT_EQ(network::resumed(c, 700).digest, one.digest);
}

/// Two monitors' thresholds, alternating frames and the other rule, on both sides.
TEST(NetworkCrossCheck, DoarStable) {
  for (const char* traffic : {"adv+1", "rp"}) {
    network::Config c = at_load(0.6, traffic);
    c.routing = "doar_stable";
    c.plane.global_busy_threshold = 6;
    c.link("node").buffer = 8;
    const CrossCheckResult stable = crosscheck(c, 1500);
    EXPECT_TRUE(stable.passed()) << text(stable);
    EXPECT_GT(stable.packets, 1000u);
  }
}

/// Every planted bug of the SystemC side is found, and the report shows the packet or the message.
TEST(NetworkCrossCheck, FindsPlantedBugs) {
  ASSERT_GE(crosscheck_plants().size(), 7u);
  for (const std::string& plant : crosscheck_plants()) {
    if (plant == "spare-slot") continue;  // at this load the buffer itself overflows; ComparesCreditCounters has it
    network::Config c = at_load(0.4, "adv+1");
    c.link("node").buffer = 4;
    c.link("local").buffer = 4;
    add_faults(c, {"local:G1.s0-G1.s3"}, 100, 0);
    if (plant == "eager-drop") {
      c = at_load(0.8);
      drop_many(c);
    }
    if (plant == "open-end") {
      c = long_packets({16});
      add_flapping_links(c, 40, 500);
    }
    const CrossCheckResult r = crosscheck(c, 500, plant);
    EXPECT_FALSE(r.passed()) << plant;
    ASSERT_FALSE(r.difference.empty()) << plant;
    EXPECT_NE(text(r).find("SystemC:"), std::string::npos) << text(r);
  }
}

/// Credit counters are compared themselves: at a load at which no buffer is ever full no packet's way tells of one slot
/// too many.
TEST(NetworkCrossCheck, ComparesCreditCounters) {
  const CrossCheckResult clean = crosscheck(at_load(0.05), 500);
  EXPECT_TRUE(clean.passed()) << text(clean);
  const CrossCheckResult spare = crosscheck(at_load(0.05), 500, "spare-slot");
  ASSERT_FALSE(spare.difference.empty());
  EXPECT_NE(text(spare).find("credits "), std::string::npos) << text(spare);
}

/// The engine's pipeline mode is as deterministic as the other.
TEST(NetworkCrossCheck, PipelineModeDoesNotDependOnThreadsNorOnACheckpoint) {
  network::Config c = at_load(0.4);
  c.route_compute = network::RouteCompute::pipeline;
  add_random_faults(c, 2000);
  c.warmup = 200;
  c.sample = 2000;
  const network::Result one = network::simulate(c);
  EXPECT_TRUE(one.conservation_ok);
  c.threads = 2;
  EXPECT_EQ(network::simulate(c).digest, one.digest);
  EXPECT_EQ(network::resumed(c, 700).digest, one.digest);
}

TEST(NetworkCrossCheck, NothingComparedIsNoPass) {
  const CrossCheckResult r = crosscheck(at_load(0), 100);
  EXPECT_EQ(r.packets, 0u);
  EXPECT_TRUE(r.difference.empty());
  EXPECT_FALSE(r.passed());
}

TEST(NetworkCrossCheck, WhatItCannotCompareIsRefused) {
  EXPECT_THROW(crosscheck(at_load(0.1), 100, "no-such-bug"), Error);
  network::Config c = at_load(0.1);
  c.router.lengths = {2};
  EXPECT_THROW(crosscheck(c, 100), Error);
  c = at_load(0.1);
  c.routing = "min";
  EXPECT_THROW(crosscheck(c, 100), Error);
}

}  // namespace
}  // namespace odonata::cosim
