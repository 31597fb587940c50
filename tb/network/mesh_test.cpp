// SPDX-License-Identifier: Apache-2.0
// The engine on meshes against what nobody tuned: latencies of an empty network, the channel loads of dimension order,
// freedom from deadlock and, for the unsafe variants, deadlocks that the golden model confirms.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "models/arb_request/deadlock.h"
#include "models/traffic/mesh_pattern.h"
#include "sim/network/policies/common/mesh_policy.h"
#include "sim/network/simulation.h"
#include "tb/common/error_text.h"

namespace odonata::network {
namespace {

using arb_request::Mesh;

/// The watchdog must not take a long way for a circle.
TEST(Mesh, TheLongestWayGoesThroughAllDimensions) {
  EXPECT_EQ(network::on_mesh(Mesh::parse("100x3x5")).topology->longest_way(), 99 + 2 + 4);
  EXPECT_EQ(network::on_mesh(Mesh::parse("3x100")).topology->longest_way(), 2 + 99);
}

Config on_mesh(const std::string& mesh, const std::string& routing, const std::string& traffic = "uniform",
               double load = 0.1) {
  Config c = network::on_mesh(Mesh::parse(mesh));
  c.routing = routing;
  c.traffic = traffic;
  c.load = load;
  c.warmup = 1000;
  c.sample = 3000;
  return c;
}

std::vector<std::string> routings(bool safe) {
  std::vector<std::string> out;
  for (const MeshRoutingInfo& i : kMeshRoutings) {
    if (i.safe == safe) out.emplace_back(i.name);
  }
  return out;
}

int distance(const Mesh& mesh, int a, int b) {
  int sum = 0;
  for (int d = 0; d < mesh.dimensions(); ++d) sum += std::abs(mesh.coordinate(a, d) - mesh.coordinate(b, d));
  return sum;
}

/// One packet at a time: 2 + latency cycles a link, and a cycle for every further flit.
void check_zero_load(const std::string& name, const std::string& routing, int flits, int latency) {
  const Mesh mesh = Mesh::parse(name);
  Config c = on_mesh(name, routing);
  c.link("local").latency = latency;
  auto trace = std::make_shared<traffic::PacketTrace>();
  trace->nodes = mesh.routers();
  for (int source = 0; source < mesh.routers(); ++source) {
    for (int dest = 0; dest < mesh.routers(); ++dest) {
      trace->packets.push_back({static_cast<uint32_t>(trace->packets.size() * 200), static_cast<uint32_t>(source),
                                static_cast<uint32_t>(dest), static_cast<uint8_t>(flits)});
    }
  }
  c.trace = trace;
  c.warmup = 0;
  c.sample = trace->cycles();
  const auto simulation = make_simulation(c);
  size_t seen = 0;
  simulation->on_delivery([&](const Delivery& d) {
    const int source = static_cast<int>(d.flit.source), dest = static_cast<int>(d.flit.dest),
              links = distance(mesh, source, dest);
    // docs/mesh.md §2; a delivery is in the edge behind the last cycle of the latency.
    EXPECT_EQ(d.cycle - d.flit.born - 1, static_cast<uint32_t>(1 + links * (2 + latency) + flits - 1))
        << name << " " << routing << " " << source << "-" << dest;
    EXPECT_EQ(d.flit.hops, links);
    EXPECT_EQ(trace->packets[seen].source, d.flit.source);
    ++seen;
  });
  simulate(*simulation);
  EXPECT_EQ(seen, trace->packets.size()) << name << " " << routing;
}

TEST(Mesh, ZeroLoadLatencyOfEveryPair) {
  for (const char* routing : {"dor", "duato"}) {
    check_zero_load("8x8", routing, 1, 1);
    check_zero_load("4x4x4", routing, 5, 1);
  }
  for (const std::string& routing : routings(true)) {
    check_zero_load("4x4", routing, 8, 3);
    check_zero_load("3x2x4", routing, 1, 1);
  }
}

/// Dimension order cannot accept more than the busiest channel carries, and gets near it. Of the flits created in T
/// cycles at load L, L * b * T have to cross the busiest channel (b: its load at load 1), which carries at most T: the
/// rest waits.
TEST(Mesh, DorStaysBelowItsChannelLoadBound) {
  for (const char* name : {"8x8", "4x4x4"}) {
    const Mesh mesh = Mesh::parse(name);
    for (const std::string& pattern : traffic::MeshPattern::names()) {
      Config c = on_mesh(name, "dor", pattern, 1.0);
      c.router.vcs = 8;
      c.drain = 0;
      c.warmup = 0;
      c.sample = 20'000;
      const double bound =
          traffic::dor_load(mesh, traffic::MeshPattern::parse(mesh, pattern, c.seed)).saturation_bound();
      c.load = bound * 1.05;
      if (c.load < 1) {
        const Result above = simulate(c);
        const auto cycles = static_cast<double>(c.sample);
        EXPECT_LE(above.channel("local").max, 1.0) << name << " " << pattern;
        EXPECT_GT(static_cast<double>(above.waiting + above.in_flight), 0.05 * cycles - 5 * std::sqrt(1.05 * cycles))
            << name << " " << pattern;
      }
      c.warmup = 1000;
      c.load = bound * 0.7;
      c.sample = 4000;
      c.drain = 10'000;
      const Result below = simulate(c);
      EXPECT_FALSE(below.saturated) << name << " " << pattern << " at " << c.load << ": " << below.latency.mean();
      EXPECT_NEAR(below.accepted, c.load, 0.02);
    }
  }
}

/// Full load for a while: every safe algorithm keeps moving and loses nothing. The long runs are in `./dev campaign`.
TEST(Mesh, SafeAlgorithmsKeepMovingAtFullLoad) {
  for (const std::string& routing : routings(true)) {
    for (const char* name : {"4x4x4", "8x8"}) {
      for (const std::string& pattern : traffic::MeshPattern::names()) {
        Config c = on_mesh(name, routing, pattern, 1.0);
        c.router.lengths = {1, 5, 8};
        c.warmup = 100;
        c.sample = 1200;
        c.drain = 0;
        c.watchdog = 300;
        const Result r = simulate(c);
        EXPECT_EQ(r.deadlock, "") << name << " " << routing << " " << pattern;
        EXPECT_TRUE(r.conservation_ok) << name << " " << routing << " " << pattern;
        EXPECT_EQ(r.lost, 0u);
        EXPECT_GT(r.accepted, 0.05) << name << " " << routing << " " << pattern;
      }
    }
  }
}

/// Below saturation everything arrives, on shortest paths.
TEST(Mesh, PathsAreMinimal) {
  for (const std::string& routing : routings(true)) {
    Config c = on_mesh("4x4x4", routing, "bitcomp", 0.15);
    c.router.lengths = {5};
    const Result r = simulate(c);
    EXPECT_EQ(r.unfinished, 0u) << routing;
    EXPECT_EQ(r.created, r.delivered + r.waiting + r.in_flight);
    uint64_t others = 0;
    for (size_t i = 0; i < r.hops.size(); ++i)
      others += i % 2 == 1 && i <= 9 ? 0 : r.hops[i];  // |a - (3 - a)| is 1 or 3
    EXPECT_EQ(others, 0u) << routing;
  }
}

TEST(Mesh, SameSeedSameBits) {
  for (const std::string& routing : routings(true)) {
    Config c = on_mesh("4x4x4", routing, "randperm", 0.3);
    c.router.lengths = {1, 5, 8};
    const Result a = simulate(c), b = simulate(c);
    EXPECT_EQ(a.digest, b.digest) << routing;
    c.seed = 2;
    EXPECT_NE(simulate(c).digest, a.digest) << routing;
  }
}

TEST(Mesh, ACheckpointGoesOnExactly) {
  for (const char* routing : {"footprint_d2ra", "footprint"}) {
    Config c = on_mesh("4x4", routing, "transpose", 0.4);
    c.router.lengths = {1, 5};
    const Result whole = simulate(c);
    const auto first = make_simulation(c);
    while (first->now() < 1700) first->advance();
    std::stringstream file;
    first->save(file);
    const auto second = make_simulation(c);
    second->load(file);
    EXPECT_EQ(simulate(*second).digest, whole.digest) << routing;
  }
}

/// An unsafe variant stalls; the whole stalled configuration is deadlocked by the golden model's own definition, and
/// every line that the watchdog printed is a wait that the golden rule knows.
void check_deadlock(Config c, arb_request::Rule rule) {
  const Mesh mesh = mesh_of(c);
  c.warmup = 0;
  c.sample = 200'000;
  c.drain = 0;
  c.watchdog = 1000;
  const Result r = simulate(c);
  ASSERT_NE(r.deadlock, "") << c.routing;
  EXPECT_TRUE(r.conservation_ok);
  std::vector<arb_request::Packet> packets;
  for (const Stalled& s : r.stalled) {
    packets.push_back(
        {mesh.queue(static_cast<int>(s.router), s.port / 2, (s.port & 1) == 0), static_cast<int>(s.dest)});
  }
  ASSERT_GE(packets.size(), 4u);
  EXPECT_TRUE(arb_request::is_deadlocked(mesh, rule, c.router.vcs, packets)) << c.routing << "\n" << r.deadlock;
  std::istringstream lines(r.deadlock);
  std::string line, waits_for_first, before;
  int count = 0;
  while (std::getline(lines, line)) {
    const size_t of = line.find(" of queue "), wait = line.find(" waits for queue ");
    ASSERT_NE(wait, std::string::npos) << line;
    ASSERT_NE(of, std::string::npos) << line;
    const std::string here = line.substr(of + 4, wait - of - 4), there = line.substr(wait + 11);
    if (count == 0) waits_for_first = here;
    if (count > 0) {
      EXPECT_EQ(here, before) << r.deadlock;
    }
    before = there;
    ++count;
  }
  EXPECT_GE(count, 4);
  EXPECT_EQ(before, waits_for_first) << r.deadlock;  // a closed circle
}

TEST(Mesh, UnsafeVariantsStallInADeadlockThatIsReal) {
  Config lowered = on_mesh("4x4", "dbra_lowered", "uniform", 1.0);
  lowered.router.vcs = 2;
  check_deadlock(lowered, arb_request::Rule::kDbraLowered);
  Config mixed = on_mesh("4x4", "mixed_dor", "uniform", 1.0);
  mixed.router.vcs = 1;
  check_deadlock(mixed, arb_request::Rule::kMixedDor);
  mixed.router.lengths = {5};
  mixed.router.vcs = 2;
  check_deadlock(mixed, arb_request::Rule::kMixedDor);
}

/// Without a watchdog nobody looks for the deadlock, and the run goes to its end.
TEST(Mesh, WithoutAWatchdogADeadlockIsNotSaid) {
  Config c = on_mesh("4x4", "mixed_dor", "uniform", 1.0);
  c.router.vcs = 1;
  c.warmup = 0;
  c.sample = 20'000;
  c.drain = 0;
  c.watchdog = 500;
  const Result seen = simulate(c);
  ASSERT_NE(seen.deadlock, "");
  ASSERT_LT(seen.cycles, c.sample);
  c.watchdog = 0;
  const Result r = simulate(c);
  EXPECT_EQ(r.deadlock, "");
  EXPECT_GE(r.cycles, c.sample);
  EXPECT_EQ(r.delivered, seen.delivered);
}

/// A run that is shorter than the watchdog is patient says it at its end; one that is only overloaded does not.
TEST(Mesh, ADeadlockIsSaidAtTheEndOfAShortRun) {
  Config c = on_mesh("4x4", "mixed_dor", "uniform", 1.0);
  c.router.vcs = 1;
  c.warmup = 0;
  c.sample = 3000;
  c.watchdog = 20'000;
  for (const uint64_t drain : {0, 2000}) {
    c.drain = drain;
    const Result r = simulate(c);
    EXPECT_NE(r.deadlock.find("waits for"), std::string::npos) << drain;
    EXPECT_EQ(r.deadlock.find("not in a circle"), std::string::npos) << drain;
    EXPECT_EQ(r.cycles, c.sample + drain);
    EXPECT_TRUE(r.saturated);
  }
  c.routing = "d2ra";
  c.drain = 500;
  const Result busy = simulate(c);
  EXPECT_NE(busy.unfinished, 0U);
  EXPECT_EQ(busy.deadlock, "");
}

/// A run that ends before its sample begins has rates of nothing: they are 0, not 0 / 0.
TEST(Mesh, ADeadlockBeforeTheSampleLeavesNoRates) {
  Config c = on_mesh("4x4", "mixed_dor", "uniform", 1.0);
  c.router.vcs = 1;
  c.warmup = 20'000;
  c.sample = 1000;
  c.watchdog = 500;
  const Result r = simulate(c);
  ASSERT_NE(r.deadlock, "");
  ASSERT_LT(r.cycles, c.warmup);
  EXPECT_EQ(r.offered, 0);
  EXPECT_EQ(r.accepted, 0);
  EXPECT_EQ(r.channel("local").mean, 0);
  EXPECT_EQ(r.channel("local").max, 0);
  for (const float sent : r.sent) EXPECT_EQ(sent, -1.0F);
}

/// D2RA's proof wants one packet a virtual channel (D2RA §3.1): where packets wait behind each other it deadlocks.
TEST(Mesh, D2raStallsWherePacketsWaitBehindEachOther) {
  Config c = on_mesh("8x8", "d2ra", "uniform", 1.0);
  c.router.vcs = 2;
  c.router.lengths = {5};
  c.warmup = 0;
  c.sample = 30'000;
  c.drain = 0;
  c.watchdog = 1000;
  for (VcReuse reuse : {VcReuse::empty, VcReuse::tail}) {
    c.requests.reuse = reuse;
    const Result r = simulate(c);
    EXPECT_EQ(r.deadlock.empty(), reuse == VcReuse::empty) << r.deadlock;
    EXPECT_TRUE(r.conservation_ok);
  }
}

TEST(Mesh, WhatIsOnALinkIsNoDeadlock) {
  Config c = on_mesh("4x4", "dor", "uniform", 0.001);
  c.link("local").latency = 255;
  c.warmup = 0;
  c.sample = 20'000;
  c.watchdog = 1;
  const Result r = simulate(c);
  EXPECT_EQ(r.deadlock, "");
  EXPECT_GE(r.cycles, c.sample);
  EXPECT_GT(r.delivered, 50u);
  c.load = 0.5;  // buffers smaller than the way there and back
  c.link("local").buffer = 4;
  EXPECT_EQ(simulate(c).deadlock, "");
}

TEST(Mesh, ASilentNetworkIsNoDeadlock) {
  Config c = on_mesh("4x4", "dor");
  c.trace = std::make_shared<traffic::PacketTrace>(
      traffic::PacketTrace{16, "", {{0, 0, 15, 1}, {20'000, 15, 0, 1}}});  // nothing for long between the two
  c.warmup = 0;
  c.sample = c.trace->cycles();
  c.watchdog = 100;
  const Result r = simulate(c);
  EXPECT_EQ(r.deadlock, "");
  EXPECT_EQ(r.delivered, 2u);
}

TEST(Mesh, TracesAreDelivered) {
  Config c = on_mesh("8x8", "d2ra");
  c.trace = std::make_shared<traffic::PacketTrace>(traffic::generate_sample(64, 5000, 0.1, 1));
  c.warmup = 0;
  c.sample = c.trace->cycles();
  const Result r = simulate(c);
  EXPECT_EQ(r.delivered, c.trace->packets.size());
  EXPECT_EQ(r.unfinished, 0u);
  EXPECT_NEAR(r.offered * 64 * static_cast<double>(c.sample), static_cast<double>(c.trace->flits()), 0.5);
}

std::string reason(const Config& c) {
  return error_text([&] { make_simulation(c); });
}

TEST(Mesh, RefusesWhatCannotWork) {
  Config c = on_mesh("4x4x4", "dbra");
  c.router.vcs = 2;
  EXPECT_NE(reason(c).find("needs 3 virtual channels"), std::string::npos) << reason(c);
  c = on_mesh("4x4", "duato");
  c.router.vcs = 1;
  EXPECT_NE(reason(c).find("escape channel"), std::string::npos);
  c = on_mesh("4x4", "d2ra");
  c.router.lengths = {9};
  EXPECT_NE(reason(c).find("do not fit into a depth of 8"), std::string::npos);
  for (const std::vector<uint8_t>& flits : std::vector<std::vector<uint8_t>>{{9, 2, 1}, {1, 9, 2}, {1, 2, 9}}) {
    c = on_mesh("4x4", "d2ra");  // wherever the longest packet of a trace stands
    c.trace = std::make_shared<traffic::PacketTrace>(
        traffic::PacketTrace{16, "", {{0, 0, 5, flits[0]}, {3, 1, 6, flits[1]}, {9, 3, 2, flits[2]}}});
    EXPECT_NE(reason(c).find("packets of 9 flits do not fit"), std::string::npos) << reason(c);
  }
  c = on_mesh("4x4", "d2ra");
  c.requests.device = [] { return nullptr; };
  for (const int router : {-1, 16}) {
    c.requests.device_router = router;
    EXPECT_NE(reason(c).find("router of the device"), std::string::npos) << router << reason(c);
  }
  c = on_mesh("4x4", "min");
  EXPECT_NE(reason(c).find("unknown on a mesh"), std::string::npos);
  c = on_mesh("4x4", "d2ra", "adv+1");
  EXPECT_NE(reason(c).find("unknown on a mesh"), std::string::npos);
}

}  // namespace
}  // namespace odonata::network
