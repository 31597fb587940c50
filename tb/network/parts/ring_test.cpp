// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "models/common/error.h"
#include "sim/network/simulation.h"
#include "sim/network/topology.h"

namespace odonata::network {
namespace {

Config on_ring(double load, int lengths) {
  Config c(make_topology("ring:7"));
  c.load = load;
  c.warmup = 200;
  c.sample = 5000;
  c.watchdog = 300;
  c.router.lengths = {lengths};
  c.link("link").latency = 4;
  return c;
}

TEST(Ring, TheShorterWayInTheClosedForm) {
  const auto simulation = make_simulation(on_ring(0.002, 1));
  size_t seen = 0;
  simulation->on_delivery([&](const Delivery& d) {
    const int ahead = (static_cast<int>(d.flit.dest) - static_cast<int>(d.flit.source) + 7) % 7, links = std::min(ahead, 7 - ahead);
    EXPECT_EQ(d.flit.hops, links);
    EXPECT_GE(d.latency(), static_cast<uint32_t>(1 + links * (2 + 4)));
    ++seen;
  });
  EXPECT_TRUE(simulate(*simulation).conservation_ok);
  EXPECT_GT(seen, 30u);
}

TEST(Ring, KeepsMovingAtFullLoad) {
  for (const Switching switching : {Switching::cut_through, Switching::wormhole}) {
    Config c = on_ring(1.0, 5);
    c.router.switching = switching;
    c.traffic = "shift+3";
    c.link("link").buffer = 40;  // more than a round trip on the link
    const Result r = simulate(c);
    EXPECT_EQ(r.deadlock, "");
    EXPECT_TRUE(r.conservation_ok);
    EXPECT_GT(r.accepted, 0.1);
  }
}

TEST(Ring, RefusesWhatIsNone) { EXPECT_THROW(make_topology("ring:2"), Error); }

}  // namespace
}  // namespace odonata::network
