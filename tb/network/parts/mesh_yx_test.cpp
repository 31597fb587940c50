// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sim/network/simulation.h"
#include "sim/network/topologies/mesh.h"

namespace odonata::network {
namespace {

Config on_yx(double load) {
  Config c = on_mesh(arb_request::Mesh({4, 4, 4}));
  c.routing = "yx";
  c.load = load;
  c.warmup = 500;
  c.sample = 3000;
  c.watchdog = 300;
  return c;
}

/// 3 cycles a link, and every link is on the shortest way.
TEST(MeshYx, WaysAreShortestAndLatencyIsTheClosedForm) {
  const auto simulation = make_simulation(on_yx(0.001));
  const arb_request::Mesh mesh({4, 4, 4});
  size_t seen = 0;
  simulation->on_delivery([&](const Delivery& d) {
    int links = 0;
    for (int i = 0; i < 3; ++i) {
      links += std::abs(mesh.coordinate(static_cast<int>(d.flit.source), i) - mesh.coordinate(static_cast<int>(d.flit.dest), i));
    }
    EXPECT_EQ(d.flit.hops, links);
    EXPECT_GE(d.latency(), static_cast<uint32_t>(1 + 3 * links));
    ++seen;
  });
  EXPECT_TRUE(simulate(*simulation).conservation_ok);
  EXPECT_GT(seen, 100u);
}

TEST(MeshYx, KeepsMovingAtFullLoad) {
  Config c = on_yx(1.0);
  c.router.lengths = {5};
  const Result r = simulate(c);
  EXPECT_EQ(r.deadlock, "");
  EXPECT_TRUE(r.conservation_ok);
}

}  // namespace
}  // namespace odonata::network
