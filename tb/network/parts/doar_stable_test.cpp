// SPDX-License-Identifier: Apache-2.0
// doar_stable in the engine: the paths of an empty network, no collapse where doar collapses, determinism, faults, the
// hardware's timing.
#include <gtest/gtest.h>

#include "models/common/error.h"
#include "sim/network/simulation.h"
#include "sim/network/topologies/dragonfly.h"
#include "tb/network/configs.h"
#include "tb/network/resumed.h"
#include "tb/network/timed_faults.h"

namespace odonata::network {
namespace {

Config run_of(const Dragonfly& d, const std::string& routing, const std::string& traffic, double load) {
  return run_of(on_dragonfly(d), routing, traffic, load, 1500, 2000);
}
Config tiny(const std::string& traffic, double load) {
  return run_of(Dragonfly::named("tiny"), "doar_stable", traffic, load);
}

/// A balanced dragonfly of 1,056 nodes, in which doar collapses as in the paper's network.
Config balanced(const std::string& routing, const std::string& traffic, double load) {
  Config c = run_of(Dragonfly::parse("4,8,4,33"), routing, traffic, load);
  c.warmup = 3000;
  c.sample = 1000;
  c.drain = 0;
  return c;
}

TEST(DoarStable, UniformTrafficNearCapacityDoesNotCollapse) {
  const Result printed = simulate(balanced("doar", "ur", 0.95)), stable = simulate(balanced("doar_stable", "ur", 0.95));
  EXPECT_LT(printed.accepted, 0.75);
  EXPECT_GT(stable.accepted, 0.94);
  EXPECT_TRUE(stable.conservation_ok);
  EXPECT_EQ(stable.deadlock, "");
}

TEST(DoarStable, BeyondSaturationThroughputStays) {
  const double at_saturation = simulate(balanced("doar_stable", "rp", 0.62)).accepted;
  const Result beyond = simulate(balanced("doar_stable", "rp", 0.9));
  EXPECT_GT(beyond.accepted, 0.98 * at_saturation);
  EXPECT_GT(beyond.accepted, 0.59);
  EXPECT_TRUE(beyond.conservation_ok);
  EXPECT_EQ(beyond.deadlock, "");
}

/// Without the second, lower threshold the minimal fallback alone does not do it.
TEST(DoarStable, TheSecondThresholdIsNeeded) {
  Config c = balanced("doar_stable", "ur", 0.95);
  c.plane.local_busy_threshold = c.plane.local_threshold;
  c.plane.global_busy_threshold = c.plane.global_threshold;
  EXPECT_LT(simulate(c).accepted, 0.9);
}

TEST(DoarStable, AtLowLoadItIsDoar) {
  Config c = tiny("ur", 0.02);
  c.sample = 20'000;
  const Result stable = simulate(c);
  c.routing = "doar";
  const Result printed = simulate(c);
  EXPECT_EQ(stable.digest, printed.digest);  // nothing queues: every port of table A is free
  EXPECT_EQ(stable.conservation_ok, true);
}

TEST(DoarStable, NeitherThreadsNorACheckpointChangeTheResult) {
  for (const int flits : {1, 4}) {
    Config c = tiny("adv+1", 0.3);
    c.router.lengths = {flits};
    const Result one = simulate(c);
    c.threads = 2;
    EXPECT_EQ(simulate(c).digest, one.digest);
    const Config two = c;
    c.threads = 1;
    EXPECT_EQ(resumed(two, 1500, c).digest, one.digest);
    EXPECT_TRUE(one.conservation_ok);
    EXPECT_EQ(one.unfinished, 0u);
    c.routing = "doar";
    EXPECT_NE(simulate(c).digest, one.digest);
  }
}

TEST(DoarStable, ThresholdsMatterAndAreChecked) {
  Config c = tiny("adv+1", 0.3);
  const uint64_t digest = simulate(c).digest;
  c.plane.global_busy_threshold = 2;
  EXPECT_NE(simulate(c).digest, digest);
  c.plane.global_busy_threshold = -1;
  EXPECT_THROW(make_simulation(c), Error);
}

TEST(DoarStable, RunsWithTheTimingOfTheHardware) {
  for (const RouteCompute timing : {RouteCompute::pipeline, RouteCompute::arrival}) {
    const double load = timing == RouteCompute::pipeline ? 0.1 : 0.3;  // a head waits four cycles for its route
    Config c = tiny("adv+1", load);
    c.route_compute = timing;
    const Result r = simulate(c);
    EXPECT_TRUE(r.conservation_ok);
    EXPECT_EQ(r.unfinished, 0u);
    EXPECT_NEAR(r.accepted, load, 0.02);
    c.threads = 2;
    EXPECT_EQ(simulate(c).digest, r.digest);
  }
}

TEST(DoarStable, FaultsAtRunTimeLeaveNoPacketUnaccounted) {
  Config c = tiny("ur", 0.3);
  c.warmup = 2000;
  c.sample = 12'000;
  c.faults.hardware = "native";
  add_faults(c, {"global:G0-G2", "local:G0.s1-G0.s3", "router:G2.s0"}, 2000, 0);
  const Result r = simulate(c);
  ASSERT_TRUE(r.faults.quiet);
  EXPECT_TRUE(r.conservation_ok);
  EXPECT_EQ(r.deadlock, "");
  EXPECT_TRUE(r.faults.tables_ok);
  EXPECT_GT(r.lost, 0u);
  EXPECT_LT(r.lost, r.delivered / 5);
  EXPECT_GT(r.accepted, 0.2);
}

}  // namespace
}  // namespace odonata::network
