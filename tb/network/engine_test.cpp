// SPDX-License-Identifier: Apache-2.0
// Runs of the network engine against what theory says: latencies of an empty network, throughput bounds, conservation,
// determinism.
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "models/common/error.h"
#include "models/route_compute/decide.h"
#include "sim/network/packet_watch.h"
#include "sim/network/routing.h"
#include "sim/network/simulation.h"
#include "sim/network/topology.h"
#include "sim/network/wiring.h"
#include "sim/network/topologies/dragonfly.h"
#include "tb/common/error_text.h"
#include "tb/network/configs.h"

namespace odonata::network {
namespace {

Config tiny(const std::string& routing, const std::string& traffic, double load) {
  return run_on_tiny(routing, traffic, load, 1000, 4000);
}

// DOAR §5.1, Table 1, and §5.2: what a run of the paper's network has unless told otherwise.
TEST(NetworkEngine, DefaultsAreThoseOfTable1) {
  Config c = on_dragonfly(Dragonfly::named("paper"));
  EXPECT_EQ(c.link("local").latency, 10);
  EXPECT_EQ(c.link("global").latency, 100);
  EXPECT_EQ(c.link("local").buffer, 32);
  EXPECT_EQ(c.link("global").buffer, 256);
  EXPECT_EQ(c.plane.local_threshold, 10);
  EXPECT_EQ(c.plane.global_threshold, 30);
  EXPECT_EQ(c.router.phases, 2);
  EXPECT_EQ(c.router.lengths, std::vector<int>{1});
  EXPECT_EQ(c.warmup, 30'000u);
  EXPECT_EQ(c.sample, 10'000u);
  for (const auto& [routing, vcs] : std::map<std::string, int>{{"min", 2}, {"val", 4}, {"doar", 4}, {"par_ph", 5}}) {
    c.routing = routing;
    EXPECT_EQ(find_routing(c).vcs, vcs) << routing;
  }
}

TEST(NetworkEngine, ThroughputOfMinimalRoutingUnderAdversarialTrafficIsOneLinkAGroup) {
  Config c = run_on_tiny("min", "adv+1", 1.0, 2000, 5000);
  c.drain = 0;
  const Result r = simulate(c);
  EXPECT_NEAR(r.accepted, 1.0 / (dragonfly_of(c).a() * dragonfly_of(c).p()), 0.001);
  EXPECT_TRUE(r.conservation_ok);
  EXPECT_TRUE(r.saturated);
}

TEST(NetworkEngine, UniformTrafficBelowSaturationIsDelivered) {
  for (const char* routing : {"min", "doar"}) {
    const Result r = simulate(tiny(routing, "ur", 0.5));
    EXPECT_NEAR(r.accepted, 0.5, 0.01) << routing;
    EXPECT_EQ(r.unfinished, 0u);
    EXPECT_TRUE(r.conservation_ok);
    EXPECT_EQ(r.lost, 0u);
    EXPECT_EQ(r.created, r.delivered + r.waiting + r.in_flight);
  }
}

TEST(NetworkEngine, TheResultDoesNotDependOnThreads) {
  for (const char* routing : {"min", "doar"}) {
    Config c = tiny(routing, "adv+1", 0.3);
    const Result one = simulate(c);
    c.threads = 2;
    const Result two = simulate(c);
    EXPECT_EQ(one.digest, two.digest);
    EXPECT_EQ(one.latency.mean(), two.latency.mean());
    EXPECT_EQ(one.hops, two.hops);
    EXPECT_EQ(one.cycles, two.cycles);
    c.seed = 2;
    EXPECT_NE(simulate(c).digest, one.digest);
  }
}

/// docs/network.md §2: over the links of the minimal path, 2 + latency each, and 1.
uint32_t closed_form(const Config& c, const Address& from, const Address& to) {
  const Dragonfly& d = dragonfly_of(c);
  const uint32_t local = static_cast<uint32_t>(2 + c.link("local").latency),
                 global = static_cast<uint32_t>(2 + c.link("global").latency);
  if (from.gid == to.gid) return 1 + (from.bid == to.bid ? 0 : local);
  const bool first = d.attached_router(from.gid, to.gid) != from.bid,
             last = d.attached_router(to.gid, from.gid) != to.bid;
  return 1 + (first ? local : 0) + global + (last ? local : 0);
}

TEST(NetworkEngine, AnEmptyNetworkDeliversBetweenAnyTwoNodesInTheTimeOfTheClosedForm) {
  for (const char* routing : {"min", "doar"}) {
    Config c = tiny(routing, "ur", 0.0002);
    c.link("local").latency = 7;
    c.link("global").latency = 60;
    c.warmup = 0;
    c.sample = 5'000'000;
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> seen;
    uint64_t late = 0, packets = 0;
    const auto simulation = make_simulation(c);
    simulation->on_delivery([&](const Delivery& d) {
      const uint32_t expected = closed_form(c, unpack(d.flit.source), unpack(d.flit.dest));
      ++packets;
      late += d.latency() != expected;  // two packets may meet even in an almost empty network
      auto [at, is_new] = seen.try_emplace({d.flit.source, d.flit.dest}, d.latency());
      at->second = std::min(at->second, d.latency());
    });
    simulate(*simulation);
    const Dragonfly& d = dragonfly_of(c);
    uint64_t pairs = 0;
    for (const auto& [pair, latency] : seen) {
      EXPECT_EQ(latency, closed_form(c, unpack(pair.first), unpack(pair.second)));
      ++pairs;
    }
    EXPECT_EQ(pairs, static_cast<uint64_t>(d.num_nodes()) * (d.num_nodes() - 1)) << routing;
    EXPECT_LT(late, packets / 50);
  }
}

TEST(NetworkEngine, PacketsOfSeveralFlitsAreDeliveredWholeInBothKindsOfSwitching) {
  for (const Switching switching : {Switching::cut_through, Switching::wormhole}) {
    for (const char* routing : {"min", "doar"}) {
      Config c = tiny(routing, "rp", 0.25);
      c.router.lengths = {5};
      c.router.switching = switching;
      const Result r = simulate(c);
      EXPECT_NEAR(r.accepted, 0.25, 0.02) << routing;
      EXPECT_TRUE(r.conservation_ok);
      EXPECT_EQ(r.deadlock, "");
      EXPECT_EQ(r.unfinished, 0u);
    }
  }
}

TEST(NetworkEngine, ACheckpointGoesOnExactly) {
  std::stringstream state;
  Config c = tiny("doar", "adv+1", 0.2);
  c.sample = 2000;
  for (const char* routing : {"min", "ugal_l", "par_ph", "doar"}) {
    c.routing = routing;
    c.threads = 1;
    const Result whole = simulate(c);
    const auto first = make_simulation(c);
    while (first->now() < 1500) first->advance();
    state = {};
    first->save(state);
    c.threads = 2;
    const auto second = make_simulation(c);
    second->load(state);
    const Result resumed = simulate(*second);
    EXPECT_EQ(resumed.digest, whole.digest) << routing;
    EXPECT_EQ(resumed.latency.mean(), whole.latency.mean());
    EXPECT_EQ(resumed.cycles, whole.cycles);
    EXPECT_TRUE(resumed.conservation_ok);
  }

  c.seed = 2;
  state.clear();
  state.seekg(0);
  EXPECT_THROW(make_simulation(c)->load(state), Error);
  std::stringstream junk("no checkpoint at all, only text");
  EXPECT_THROW(make_simulation(c)->load(junk), Error);
}

TEST(NetworkEngine, EveryFlippedBitOfACheckpointIsNoticed) {
  Config c = on_dragonfly(Dragonfly::parse("1,2,1,3"));
  for (LinkClass& l : c.links) l.buffer = 1;
  const auto simulation = make_simulation(c);
  std::stringstream to;
  simulation->save(to);
  const std::string bytes = to.str();
  std::istringstream good(bytes);
  simulation->load(good);
  // All bits of the begin, of the end and of a sample of what lies between.
  const size_t step = std::max<size_t>(1, bytes.size() / 2000);
  for (size_t at = 0; at < bytes.size(); at += at < 200 || at + 200 > bytes.size() ? 1 : step) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string broken = bytes;
      broken[at] = static_cast<char>(broken[at] ^ (1 << bit));
      std::istringstream from(broken);
      EXPECT_THROW(simulation->load(from), Error) << "byte " << at << " bit " << bit;
    }
  }
}

TEST(NetworkEngine, BadConfigurationsAreRefusedWithTheReason) {
  const auto message = [](const Config& c) { return error_text([&] { make_simulation(c); }); };
  EXPECT_NE(message(tiny("nonsense", "ur", 0.1)).find("routing 'nonsense' is unknown"), std::string::npos);
  EXPECT_NE(message(tiny("min", "ur", 1.5)).find("load"), std::string::npos);
  EXPECT_NE(message(tiny("min", "adv+99", 0.1)).find("adv+99"), std::string::npos);
  Config few = tiny("doar", "ur", 0.1);
  few.router.vcs = 2;
  EXPECT_NE(message(few).find("needs 4 virtual channels"), std::string::npos);
  EXPECT_NE(message(tiny("min", "ur", -0.1)).find("load"), std::string::npos);
  Config empty = tiny("min", "ur", 0.1);
  empty.router.lengths.clear();
  EXPECT_NE(message(empty).find("no packet length is given"), std::string::npos);
}

TEST(NetworkEngine, NumbersOutOfRangeAreRefusedWithTheRange) {
  struct Range {
    const char* topology;
    void (*set)(Config&);
    const char* words;
  };
  for (const auto& [topology, set, words] : {
           Range{"dragonfly:tiny", [](Config& c) { c.router.phases = 5; }, "phases is 5, must be 1..4"},
           Range{"dragonfly:tiny", [](Config& c) { c.router.output_fifo = -1; },
                 "output_fifo is -1, must be 0..1000000"},
           Range{"dragonfly:tiny", [](Config& c) { c.router.turn_cycles = 257; }, "turn_cycles is 257, must be 0..256"},
           Range{"dragonfly:tiny",
                 [](Config& c) {
                   c.router.lengths = {1, 65};
                 },
                 "packet length is 65, must be 1..64"},
           Range{"dragonfly:tiny", [](Config& c) { c.warmup = 1'000'000'001; },
                 "warmup is 1000000001, must be 0..1000000000"},
           Range{"dragonfly:tiny", [](Config& c) { c.sample = 0; }, "sample is 0, must be 1..1000000000"},
           Range{"dragonfly:tiny", [](Config& c) { c.drain = 100'000'001; },
                 "drain is 100000001, must be 0..100000000"},
           Range{"dragonfly:tiny", [](Config& c) { c.bias = -100'001; }, "bias is -100001, must be -100000..100000"},
           Range{"dragonfly:tiny", [](Config& c) { c.threads = 0; }, "threads is 0, must be 1..1024"},
           Range{"dragonfly:tiny", [](Config& c) { c.link("local").latency = 256; },
                 "local_latency is 256, must be 1..255"},
           Range{"dragonfly:tiny", [](Config& c) { c.link("global").latency = 1024; },
                 "global_latency is 1024, must be 1..1023"},
           Range{"mesh:4x4", [](Config& c) { c.link("local").buffer = 32'769; },
                 "mesh depth is 32769, must be 1..32768"},
           Range{"mesh:4x4", [](Config& c) { c.link("local").latency = 256; }, "local_latency is 256, must be 1..255"},
           Range{"torus:4x4", [](Config& c) { c.link("local").buffer = 16'385; },
                 "torus depth is 16385, must be 1..16384"},
           Range{"torus:4x4", [](Config& c) { c.link("local").latency = 0; }, "local_latency is 0, must be 1..255"},
           Range{"fat_tree:4x4x2x2", [](Config& c) { c.link("local").buffer = 0; }, "must be 1..32768"},
           Range{"fat_tree:4x4x2x2", [](Config& c) { c.link("local").latency = 0; },
                 "local_latency is 0, must be 1..255"},
       }) {
    Config c(make_topology(topology));
    set(c);
    EXPECT_NE(error_text([&c = c] { c.check(); }).find(words), std::string::npos)
        << topology << ": " << words << ", not: " << error_text([&c = c] { c.check(); });
  }
}

/// What sees nothing.
class Blind final : public PacketWatch {
  void granted(const Flit&, uint32_t, uint32_t, int, int, int, int, int) override {}
  void delivered(const Flit&, uint32_t) override {}
  void lost(const Flit&, uint32_t) override {}
};

TEST(NetworkEngine, PacketsAreWatchedWithThePipelineAndOneThreadOnly) {
  Blind watch;
  Config c = tiny("doar", "ur", 0.1);
  c.watch = &watch;
  const auto refusal = [&c] { return error_text([&c] { c.check(); }); };
  const char* const refused = "network: packets are watched with the route-compute pipeline and one thread only";
  EXPECT_EQ(refusal(), refused);
  c.route_compute = RouteCompute::arrival;
  EXPECT_EQ(refusal(), "");
  c.threads = 2;
  EXPECT_EQ(refusal(), refused);
  c.watch = nullptr;
  EXPECT_EQ(refusal(), "");
}

/// docs/network_timing.md: with the hardware's timing buffers are in flits, and with cut-through one has to hold the
/// longest packet; otherwise one of a packet, or with wormhole of a flit, is enough.
TEST(NetworkEngine, OnlyBuffersOfTheHardwareHaveToHoldThePacket) {
  for (const char* name : {"node", "local", "global"}) {
    const auto refusal = [name](RouteCompute timing, Switching switching, int buffer) {
      Config c = tiny("doar", "ur", 0.1);
      c.router.lengths = {1, 4};
      c.router.switching = switching;
      c.route_compute = timing;
      c.link(name).buffer = buffer;
      return error_text([&c] { c.check(); });
    };
    EXPECT_EQ(refusal(RouteCompute::arrival, Switching::cut_through, 3),
              "network: " + std::string(name) + "_buffer is 3, must be 4..8192");
    EXPECT_EQ(refusal(RouteCompute::arrival, Switching::cut_through, 4), "") << name;
    EXPECT_EQ(refusal(RouteCompute::arrival, Switching::wormhole, 1), "") << name;
    EXPECT_EQ(refusal(RouteCompute::ideal, Switching::cut_through, 1), "") << name;
  }
}

}  // namespace
}  // namespace odonata::network
