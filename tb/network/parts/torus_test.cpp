// SPDX-License-Identifier: Apache-2.0
// The torus with faults on the engine (docs/torus.md §12): ways and latencies against the golden routes, deadlocks and
// their absence, faults at run time, refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "models/common/channel_graph.h"
#include "models/torus/box_route.h"
#include "models/torus/dependency.h"
#include "sim/network/make_engine.h"
#include "sim/network/policies/torus_live.h"
#include "sim/network/policies/torus_rivals.h"
#include "sim/network/routing.h"
#include "sim/network/state_file.h"
#include "tb/common/error_text.h"
#include "tb/network/resumed.h"

namespace odonata::network {
namespace {

using torus::FaultMap;
using torus::Outcome;
using torus::Path;
using torus::Variant;

/// Faults of the start by name; names with @CYCLE at run time.
Config run_on(const std::string& torus, const std::string& routing, double load = 0.1,
              const std::vector<std::string>& fail = {}, uint64_t seed = 1) {
  Config c = on_torus(Torus::parse(torus));
  c.routing = routing;
  c.load = load;
  c.seed = seed;
  c.warmup = 500;
  c.sample = 3000;
  Random random(seed);
  for (const std::string& name : fail) {
    const size_t at = name.find('@');
    for (const fault::Fault& f : c.topology->parse_faults(name.substr(0, at), random, c.faults.standing)) {
      if (at == std::string::npos) {
        c.faults.standing.push_back(f);
      } else {
        c.faults.events.push_back({f, false, std::stoull(name.substr(at + 1))});
      }
    }
  }
  return c;
}

/// Three dimensions.
bool in_boxes(const Routing& r) { return r.name == "torus_boxes"; }
/// Whether models/torus has the routing; the rivals are tested on their own.
bool is_golden(const Routing& r) {
  return r.topology == "torus" && r.name != "torus_duato" && r.name != "torus_up_down" && !in_boxes(r);
}

std::vector<std::string> names(bool safe) {
  std::vector<std::string> out;
  for (const Routing& r : known_routings())
    if (r.topology == "torus" && r.safe == safe && !r.faults && !r.arrival && !in_boxes(r)) out.push_back(r.name);
  return out;
}

/// A packet between all pairs of healthy nodes, one at a time.
std::shared_ptr<traffic::PacketTrace> one_by_one(const FaultMap& map, int flits, uint32_t apart) {
  auto trace = std::make_shared<traffic::PacketTrace>();
  trace->nodes = map.torus().nodes();
  for (int a = 0; a < trace->nodes; ++a)
    for (int b = 0; b < trace->nodes; ++b)
      if (a != b && map.healthy(a) && map.healthy(b))
        trace->packets.push_back({static_cast<uint32_t>(trace->packets.size()) * apart, static_cast<uint32_t>(a),
                                  static_cast<uint32_t>(b), static_cast<uint8_t>(flits)});
  return trace;
}

void take_trace(Config& c, std::shared_ptr<traffic::PacketTrace> trace) {
  c.trace = std::move(trace);
  c.warmup = 0;
  c.sample = c.trace->cycles();
}

/// Every packet goes as the golden route goes, in 3 (links + 1) + flits - 1 cycles; what the route loses is dropped.
/// Returns the mean latency.
double expect_golden_ways(const std::string& torus, const std::string& routing, Variant variant,
                          const std::vector<std::string>& fail, int flits, bool live = false) {
  Config c = run_on(torus, routing, 0, fail);
  const FaultMap map = standing_map(c);
  const auto trace = one_by_one(map, flits, 150);
  take_trace(c, trace);
  if (live)
    c.faults.events.push_back(
        {c.topology->parse_faults("node:0,0", *std::make_unique<Random>(1), {}).front(), false, c.sample + 500'000});
  const auto simulation = make_simulation(c);
  std::map<uint32_t, Delivery> seen;
  simulation->on_delivery([&](const Delivery& d) { seen.emplace(d.flit.born / 150, d); });
  const Result r = simulate(*simulation);
  EXPECT_TRUE(r.conservation_ok);
  double sum = 0;
  uint64_t lost = 0;
  for (uint32_t i = 0; i < trace->packets.size(); ++i) {
    const traffic::TracePacket& p = trace->packets[i];
    const Path path = find_path(map, variant, static_cast<int>(p.source), static_cast<int>(p.dest));
    const auto found = seen.find(i);
    const bool delivered = path.outcome == Outcome::kDelivered;
    lost += !delivered;
    EXPECT_EQ(found != seen.end(), delivered) << routing << " " << p.source << "-" << p.dest;
    if (!delivered || found == seen.end()) continue;
    const Flit& flit = found->second.flit;
    EXPECT_EQ(flit.hops, path.hops.size());
    EXPECT_EQ(found->second.latency(), 3 * (path.hops.size() + 1) + static_cast<size_t>(flits) - 1)
        << routing << " " << p.source << "-" << p.dest;
    if (flits == 1 && variant != Variant::kAdaptive) {
      EXPECT_EQ(flit.state, path.hops.back().header);
    }
    sum += found->second.latency();
  }
  EXPECT_EQ(r.unroutable, lost);
  return sum / static_cast<double>(seen.size());
}

// DWZ §4, Fig. 3: latency rises slowly with the number of faults, here at load 0.1 with rule dim, means of three seeds.
TEST(Torus, LatencyRisesSlowlyWithFaults) {
  std::vector<double> means;
  for (const char* fail : {"", "random-nodes:5", "random-nodes:10"}) {
    double sum = 0;
    for (const uint64_t seed : {1, 2, 3}) {
      Config c = run_on("10x10", "torus_safe6_ring", 0.1, {}, seed);
      c.faults.rule = torus::Rule::kDim;
      Random random(seed);
      if (*fail != 0) c.faults.standing = c.topology->parse_faults(fail, random, {});
      c.warmup = 2000;
      c.sample = 8000;
      const Result r = simulate(c);
      EXPECT_EQ(r.lost, 0u);
      sum += r.latency.mean();
    }
    means.push_back(sum / 3);
  }
  EXPECT_LT(means[0], means[1]);
  EXPECT_LT(means[1], means[2]);
  EXPECT_LT(means[2], 1.3 * means[0]);
}

TEST(Torus, ZeroLoadLatencyOfThePaper) {
  // Mean links 500/99: 3 * (500/99 + 1) + 31 = 49.15.
  EXPECT_NEAR(expect_golden_ways("10x10", "torus_safe6_ring", Variant::kSafe6Ring, {}, 32), 3 * (500.0 / 99 + 1) + 31,
              1e-9);
}

TEST(Torus, EveryRoutingGoesAsItsGoldenRoute) {
  const std::vector<std::string> some{"node:1,1", "node:2,2", "node:5,4", "link:0,5,x+"};
  for (const Routing& r : known_routings()) {
    if (!is_golden(r) || r.faults || r.arrival) continue;
    const Variant v = torus::variant_from_name(r.name);
    expect_golden_ways("7x6", r.name, v, some, 3);
    expect_golden_ways("4x5", r.name, v, {}, 1);
    const bool live = std::any_of(known_routings().begin(), known_routings().end(),
                                  [&](const Routing& o) { return o.name == r.name && o.faults; });
    if (live) expect_golden_ways("4x6", r.name, v, {"link:1,0,x+"}, 5, true);
  }
}

TEST(Torus, WhatWallsPartIsDropped) {
  std::vector<std::string> walls;
  for (int y = 0; y < 4; ++y)
    for (const char* x : {"0", "2"}) walls.push_back("link:" + std::string(x) + "," + std::to_string(y) + ",x+");
  for (const char* routing : {"torus_safe6", "torus_safe6_ring", "torus_safe4"})
    expect_golden_ways("5x4", routing, torus::variant_from_name(routing), walls, 2);
}

TEST(Torus, SafeRoutingsKeepMovingAtFullLoad) {
  for (const std::string& routing : names(true)) {
    for (const std::vector<std::string>& fail :
         {std::vector<std::string>{}, {"node:0,0", "node:3,1"}, {"random-nodes:4"}, {"random-links:3", "node:6,6"}}) {
      Config c = run_on("8x7", routing, 1.0, fail, 3);
      c.router.lengths = {1, 5, 32};
      for (LinkClass& l : c.links) l.buffer = 4;
      c.drain = 0;
      c.watchdog = 300;
      const Result r = simulate(c);
      EXPECT_EQ(r.deadlock, "") << routing;
      EXPECT_TRUE(r.conservation_ok) << routing;
      EXPECT_GT(r.accepted, 0.05) << routing;
      if (routing != "ecube") {
        EXPECT_EQ(r.lost, 0u) << routing;
      }
    }
  }
}

/// The pairs whose routes by ring6 make a cycle of channels (docs/torus.md §7).
std::vector<std::pair<int, int>> adversarial_pairs(const FaultMap& map) {
  torus::WaitGraph graph(map.torus());
  add_routes(map, Variant::kRing6, graph);
  const std::vector<int> cycle = graph.find_cycle();
  std::vector<std::pair<int, int>> out;
  for (int a = 0; a < map.torus().nodes(); ++a) {
    for (int b = 0; b < map.torus().nodes(); ++b) {
      if (a == b || !map.healthy(a) || !map.healthy(b)) continue;
      const Path path = find_path(map, Variant::kRing6, a, b);
      const auto number = [&](size_t i) {
        return torus::channel_number(path.hops[i].node, path.hops[i].port, path.hops[i].vc);
      };
      bool on_it = false;
      for (size_t i = 0; i + 1 < path.hops.size(); ++i) {
        for (size_t k = 0; k < cycle.size(); ++k)
          on_it = on_it || (number(i) == cycle[k] && number(i + 1) == cycle[(k + 1) % cycle.size()]);
      }
      if (on_it) out.emplace_back(a, b);
    }
  }
  return out;
}

/// Only those pairs, at full load.
std::shared_ptr<traffic::PacketTrace> adversarial(const FaultMap& map, uint64_t seed) {
  Random random(seed);
  std::map<int, std::vector<int>> to;
  for (const auto& [a, b] : adversarial_pairs(map)) to[a].push_back(b);
  auto trace = std::make_shared<traffic::PacketTrace>();
  trace->nodes = map.torus().nodes();
  for (uint32_t cycle = 0; cycle < 6400; cycle += 32)
    for (const auto& [a, list] : to)
      trace->packets.push_back({cycle, static_cast<uint32_t>(a),
                                static_cast<uint32_t>(list[random.below(static_cast<uint32_t>(list.size()))]), 32});
  return trace;
}

// Theorem 1 of the paper is false, and not only in a graph: seven channels wait for each other. The repair carries the
// very same packets.
TEST(Torus, TheMinimalCycleDeadlocksAndSafeDoesNot) {
  for (const char* torus : {"5x5", "5x4"}) {
    for (const int depth : {4, 32, 128}) {
      for (uint64_t seed = 1; seed <= 3; ++seed) {
        Config c = run_on(torus, "torus_ring6", 0, {"node:0,0", "node:3,1"});
        const auto trace = adversarial(standing_map(c), seed);
        EXPECT_GT(trace->packets.size(), 200u);
        take_trace(c, trace);
        c.drain = 200'000;
        c.watchdog = 1000;
        c.seed = seed;
        for (LinkClass& l : c.links) l.buffer = depth;
        const Result cyclic = simulate(c);
        EXPECT_NE(cyclic.deadlock.find("waits for a channel"), std::string::npos)
            << torus << " depth " << depth << " seed " << seed;
        EXPECT_LT(cyclic.cycles, 10'000u);
        EXPECT_TRUE(cyclic.conservation_ok);
        for (const char* safe : {"torus_safe6", "torus_safe6_ring", "torus_safe4"}) {
          c.routing = safe;
          const Result r = simulate(c);
          EXPECT_EQ(r.deadlock, "") << safe << " " << torus << " depth " << depth;
          EXPECT_EQ(r.delivered, trace->packets.size()) << safe;
        }
      }
    }
  }
}

TEST(Torus, PrintedLosesPacketsBesideOneFault) {
  Config c = run_on("10x10", "torus_printed", 0, {"node:4,4"});
  const FaultMap map = standing_map(c);
  torus::WaitGraph graph(map.torus());
  const torus::Service service = add_routes(map, Variant::kPrinted, graph);
  take_trace(c, one_by_one(map, 1, 100));
  const Result r = simulate(c);
  EXPECT_GT(service.stuck, 100);
  EXPECT_EQ(r.unroutable, static_cast<uint64_t>(service.lost()));
  EXPECT_EQ(r.delivered, static_cast<uint64_t>(service.delivered));
}

TEST(Torus, UniformTrafficIsAmongHealthyNodes) {
  Config c = run_on("6x5", "torus_safe6", 0.1, {"node:1,1", "node:3,1"});  // (2,1) is marked between them
  const FaultMap map = standing_map(c);
  ASSERT_EQ(map.num_healthy(), 27);
  c.sample = 20'000;
  std::map<std::pair<uint32_t, uint32_t>, int> pairs;
  const auto simulation = make_simulation(c);
  simulation->on_delivery([&](const Delivery& d) { ++pairs[{d.flit.source, d.flit.dest}]; });
  const Result r = simulate(*simulation);
  for (const auto& [pair, count] : pairs) {
    EXPECT_TRUE(map.healthy(static_cast<int>(pair.first)) && map.healthy(static_cast<int>(pair.second)));
    EXPECT_NE(pair.first, pair.second);
  }
  EXPECT_GT(pairs.size(), 27u * 26u * 8 / 10);
  EXPECT_NEAR(r.offered, 0.1, 0.01) << "a healthy node and cycle";
  EXPECT_EQ(r.lost, 0u);
}

// docs/torus.md §5: two adaptive channels over safe4 carry far more past five faults.
TEST(Torus, AdaptiveCarriesMore) {
  const std::vector<std::string> fail{"random-nodes:5"};
  Config c = run_on("10x10", "torus_safe4", 0.9, fail, 5);
  c.warmup = 3000;
  c.drain = 0;
  const Result fixed = simulate(c);
  c.routing = "torus_adaptive";
  const Result adaptive = simulate(c);
  EXPECT_GT(adaptive.accepted, 1.3 * fixed.accepted) << adaptive.accepted << " and " << fixed.accepted;
  EXPECT_EQ(adaptive.deadlock, "");
  EXPECT_TRUE(adaptive.conservation_ok);
  EXPECT_EQ(adaptive.lost, 0u);
}

// ---- faults at run time

const std::vector<std::string> kTimed{"node:4,4@1000", "link:2,7,x+@1200", "node:6,6@1500", "node:5,8@1502",
                                      "link:8,1,y+@2500"};

TEST(TorusFaults, MarksGrowAndTheNetworkGoesOn) {
  for (const char* routing : {"torus_safe6", "torus_safe6_ring", "ecube"}) {
    for (const std::vector<int>& lengths : {std::vector<int>{1}, {5, 32}}) {
      Config c = run_on("10x10", routing, 0.15, kTimed);
      c.router.lengths = lengths;
      c.sample = 6000;
      c.interval = 500;
      c.watchdog = 2000;
      const Result r = simulate(c);
      EXPECT_TRUE(r.conservation_ok) << routing;
      EXPECT_EQ(r.deadlock, "");
      EXPECT_GT(r.lost, 0u);
      EXPECT_GT(r.lost, r.lost_in_routers);
      EXPECT_EQ(r.faults.detected, 1000);
      EXPECT_TRUE(r.faults.quiet);
      EXPECT_TRUE(r.faults.tables_ok);
      EXPECT_EQ(r.faults.closed_form, "");
      EXPECT_GE(r.faults.diagnosis_done, 2501);
      EXPECT_LT(r.faults.diagnosis_done, 2600);
      ASSERT_GT(r.timeline.size(), 10u);
      EXPECT_EQ(r.timeline.front().lost, 0u) << "before the first fault";
      EXPECT_GT(r.timeline.back().delivered, 0u);
      if (lengths.size() > 1) {
        EXPECT_GT(r.cut, 0u);
      }
    }
  }
}

// A link dies at a known time under one packet: nothing, everything, or the part that has not crossed it is lost.
TEST(TorusFaults, APacketOnTheLinkIsCut) {
  for (uint64_t fault_at = 1; fault_at < 60; ++fault_at) {
    Config c = run_on("5x5", "torus_safe6", 0, {"link:1,0,x+@" + std::to_string(fault_at)});
    auto trace = std::make_shared<traffic::PacketTrace>();
    trace->nodes = 25;
    trace->packets.push_back({0, 0, 2, 32});
    take_trace(c, trace);
    c.sample = 300;
    const Result r = simulate(c);
    EXPECT_TRUE(r.conservation_ok) << fault_at;
    EXPECT_EQ(r.delivered + r.lost, 1u) << fault_at;
    // Head at (1,0) in cycle 4, its tail leaves over the link in cycle 36: before, a detour; afterwards, nothing
    // happens.
    if (fault_at > 40) {
      EXPECT_EQ(r.delivered, 1u) << fault_at;
    }
    if (fault_at > 8 && fault_at < 35) {
      EXPECT_EQ(r.lost, 1u) << fault_at;
    }
    if (fault_at < 3) {
      EXPECT_EQ(r.delivered, 1u) << fault_at;
    }
  }
}

// Whatever changes last, ports, sides or walls, reaches the router's view: after the last change it is the map's.
TEST(TorusFaults, EveryRouterKnowsAllInTheEnd) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Config c = run_on("7x6", "torus_safe6_short", 0.1, {"node:1,1"}, seed);
    Random random(seed);
    std::vector<fault::Fault> ever = c.faults.standing;
    for (const uint64_t cycle : {600u, 602u, 700u}) {
      for (const fault::Fault& f :
           c.topology->parse_faults(cycle == 700 ? "random-links:1" : "random-nodes:1", random, ever)) {
        c.faults.events.push_back({f, false, cycle});
        ever.push_back(f);
      }
    }
    const TorusHistory history(c);
    const FaultMap map(torus_of(c), c.faults.rule, torus_faults(ever));
    std::vector<TorusView> view = history.first;
    for (const TorusHistory::Change& change : history.changes) view[static_cast<size_t>(change.router)] = change.view;
    for (int n = 0; n < map.torus().nodes(); ++n) {
      if (!map.healthy(n)) continue;
      EXPECT_EQ(view[static_cast<size_t>(n)].blocked, map.blocked(n)) << seed << " " << n;
      EXPECT_EQ(view[static_cast<size_t>(n)].sides, map.sides(n)) << seed << " " << n;
    }
  }
}

TEST(TorusFaults, PacketsForMarkedNodesAreDropped) {
  Config c = run_on("10x10", "torus_safe6_ring", 0.05, {"node:3,5@1000", "node:5,5@1000"});
  c.router.lengths = {4};
  c.sample = 8000;
  uint32_t last = 0;
  const auto simulation = make_simulation(c);
  simulation->on_delivery([&](const Delivery& d) {
    if (d.flit.dest == 54) last = std::max(last, d.cycle);
  });
  const Result r = simulate(*simulation);
  EXPECT_GT(last, 500u);
  EXPECT_LT(last, 1010u) << "(4,5) is marked between the two";
  EXPECT_GT(r.unroutable, 100u);
  EXPECT_TRUE(r.conservation_ok);
}

// No packet is created for a node in or after the cycle in which it dies or is marked, in the cycle before it may be.
TEST(TorusFaults, LiveTrafficEndsWithTheNode) {
  int last_moments = 0;
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    Config c = run_on("6x5", "torus_safe6", 1.0, {"node:1,1@600", "node:3,1@640", "node:5,4@700"}, seed);
    c.router.lengths = {1};
    c.warmup = 0;
    c.sample = 1000;
    c.faults.live_traffic = true;
    const TorusHistory history(c);
    const TorusSource source = TorusTopology::source(c, c.topology->wire(c));
    for (uint32_t node = 0; node < 30; ++node) {
      Random random(seed * 100 + node);
      Packet p = source.next(node, 0, random);
      for (; p.born < 1000; p = source.next(node, p.born, random)) {
        const uint32_t down = history.link_down[p.dest * 5 + 4];
        ASSERT_LT(p.born, down) << node << " to " << p.dest;
        last_moments += p.born + 1 == down;
      }
    }
  }
  EXPECT_GT(last_moments, 5);
}

/// The first cycle in which a packet at (1,0) for (3,0) goes round the link that fails in cycle 100.
uint32_t first_detour(RouteCompute how) {
  Config c = run_on("6x5", "torus_safe6", 0, {"link:1,0,x+@100"});
  c.route_compute = how;
  const Wiring wiring = c.topology->wire(c);
  const Context context{c, wiring};
  TorusLive policy(context, 0);
  for (uint32_t cycle = 0; cycle < 200; ++cycle) {
    policy.begin_cycle(cycle);
    Flit flit;
    flit.dest = 3;
    if (policy.route(flit, {.router = 1, .port = 4, .vc = 0, .input = 0}).port != 0) return cycle;
  }
  return 0;
}

// A port is blocked at the edge after the failure (docs/torus.md §3); hardware routes by what it knew a cycle before.
TEST(TorusFaults, ARouterKnowsOfItsLinkInTheNextCycle) {
  EXPECT_EQ(first_detour(RouteCompute::ideal), 101u);
  EXPECT_EQ(first_detour(RouteCompute::arrival), 102u);
}

/// What the policy saves, in its order.
struct LiveState {
  std::vector<TorusView> views = std::vector<TorusView>(30);
  uint32_t now = 0;
  uint64_t next_event = 0, next_change = 0;
  void visit_state(auto&& visit) { visit(views), visit(now), visit(next_event), visit(next_change); }
};

/// The state of the policy from a checkpoint: its cycle, and what has failed up to then.
TEST(TorusFaults, AStateOfOtherFailuresIsRefused) {
  constexpr uint32_t kCycles = 150;
  const Config c = run_on("6x5", "torus_safe6", 0, {"link:1,0,x+@100", "link:3,3,y+@200"});
  const Wiring wiring = c.topology->wire(c);
  const Context context{c, wiring};
  const auto refusal = [&](const std::function<void(LiveState&)>& change) {
    TorusLive policy(context, 0);
    for (uint32_t cycle = 0; cycle < kCycles; ++cycle) {
      policy.begin_cycle(cycle);
      while (policy.next_event(cycle) != nullptr) {
      }
    }
    StateWriter saved, changed;
    policy.visit_state(saved);
    StateReader from(saved.bytes());
    LiveState state;
    state.visit_state(from);
    EXPECT_TRUE(from.at_end());
    EXPECT_EQ(state.now, kCycles - 1);
    EXPECT_GT(state.next_event, 0u);
    EXPECT_GT(state.next_change, 0u);
    change(state);
    state.visit_state(changed);
    StateReader to(changed.bytes());
    policy.visit_state(to);
    return error_text([&] { policy.check_state(kCycles); });
  };
  const std::string refused = "checkpoint: the state of another program: ";
  EXPECT_EQ(refusal([](LiveState&) {}), "");
  for (const int by : {-1, 1}) {
    EXPECT_EQ(refusal([by](LiveState& s) { s.next_change += by; }), refused + "what has failed so far") << by;
    EXPECT_EQ(refusal([by](LiveState& s) { s.next_event += by; }), refused + "what has failed so far") << by;
    EXPECT_EQ(refusal([by](LiveState& s) { s.now += by; }), refused + "what has failed so far") << by;
  }
  EXPECT_EQ(refusal([](LiveState& s) { s.views[1].blocked ^= 1; }), refused + "what routers know");
}

TEST(TorusFaults, TheLargestTorusIsTaken) {
  EXPECT_EQ(make_topology("torus:64x32x32")->nodes(), 65'536);
  EXPECT_EQ(error_text([] { make_topology("torus:64x32x33"); }),
            "torus 64x32x33 has 67584 nodes, a network at most 65536");
}

TEST(TorusFaults, RandomLinksAreOfEveryDimension) {
  for (const char* name : {"6x5", "5x4x3"}) {
    const Config c = on_torus(Torus::parse(name));
    Random random(2);
    std::map<int, int> links;
    for (const fault::Fault& f : c.topology->parse_faults("random-links:30", random, {})) ++links[f.port / 2];
    EXPECT_EQ(links.size(), static_cast<size_t>(torus_of(c).dimensions())) << name;
    for (const auto& [dimension, count] : links) EXPECT_GT(count, 3) << name << " " << dimension;
  }
}

// A permutation's partner may be disabled: then nothing is sent, by nobody to it.
TEST(TorusFaults, PermutationsSparePartnersThatAreDisabled) {
  for (const char* traffic : {"tornado", "transpose", "randperm"}) {
    Config c = run_on("8x8", "torus_safe6_ring", 0.2, {"node:1,1", "node:3,1", "node:4,5"});
    c.traffic = traffic;
    const FaultMap map = standing_map(c);
    ASSERT_LT(map.num_healthy(), 61) << "one is marked";
    std::set<uint32_t> sources;
    const auto simulation = make_simulation(c);
    simulation->on_delivery([&](const Delivery& d) { sources.insert(d.flit.source); });
    const Result r = simulate(*simulation);
    EXPECT_EQ(r.unroutable, 0u) << traffic;
    EXPECT_GT(sources.size(), 40u) << traffic;
  }
}

// With live traffic only what is under way when a node dies or is marked is lost.
TEST(TorusFaults, LiveTrafficIsForLiveNodes) {
  Config c = run_on("10x10", "torus_safe6_ring", 0.05, {"node:3,5@1000", "node:5,5@1000"});
  c.router.lengths = {4};
  c.sample = 8000;
  const uint64_t all = simulate(c).unroutable;
  c.faults.live_traffic = true;
  const Result r = simulate(c);
  EXPECT_GT(all, 100u);
  EXPECT_LT(r.unroutable, 5u);
  EXPECT_TRUE(r.conservation_ok);
}

TEST(TorusFaults, ACheckpointGoesOnAsIfNothingHadBeen) {
  Config c = run_on("10x10", "torus_safe6", 0.15, kTimed);
  c.router.lengths = {5};
  const Result whole = simulate(c);
  const Result rest = resumed(c, 1500);
  EXPECT_EQ(rest.digest, whole.digest);
  EXPECT_EQ(rest.lost, whole.lost);
}

/// With the order of channels checked at every hop, and all slots and owners after every window.
struct CheckedLive : TorusLive {
  static constexpr bool kChecked = true;
  using TorusLive::TorusLive;
};

TEST(TorusFaults, TheRankRisesWhileMarksGrow) {
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    Config c = run_on("8x9", seed % 2 ? "torus_safe6" : "torus_safe6_ring", 1.0, {}, seed);
    Random random(seed);
    std::vector<fault::Fault> taken;
    for (const uint64_t cycle : {300u, 700u, 1100u}) {
      for (const char* what : {"random-nodes:1", "random-links:1"}) {
        for (const fault::Fault& f : c.topology->parse_faults(what, random, taken)) {
          c.faults.events.push_back({f, false, cycle});
          taken.push_back(f);
        }
      }
    }
    c.faults.rule = seed > 4 ? torus::Rule::kDim : torus::Rule::kAny;
    c.router.lengths = {5, 20};
    c.router.vcs = 6;
    for (LinkClass& l : c.links) l.buffer = 4;
    c.warmup = 0;
    c.drain = 0;
    c.watchdog = 500;
    c.check();
    const auto simulation = make_engine<CheckedLive, TorusTopology, PacketLengths::any>(c);
    const Result r = simulate(*simulation);
    EXPECT_EQ(r.deadlock, "") << seed;
    EXPECT_TRUE(r.conservation_ok) << seed;
    EXPECT_TRUE(r.faults.tables_ok) << seed;
  }
}

/// Goes round the ring along a new wall.
struct Unguarded : TorusLive {
  using TorusLive::TorusLive;
  Route route(Flit& flit, const Place& at) const { return TorusRouting::route(flit, at); }
};

// A wall that comes under way: nobody goes round the ring along it for ever.
TEST(TorusFaults, AWallUnderWayTrapsNobody) {
  std::vector<std::string> wall;
  for (int y = 0; y < 6; ++y) wall.push_back("link:3," + std::to_string(y) + ",x+@" + std::to_string(800 + 3 * y));
  Config c = run_on("8x6", "torus_safe6", 0.2, wall);
  c.router.lengths = {1};
  c.router.vcs = 6;
  c.sample = 4000;
  c.drain = 20'000;
  c.watchdog = 500;
  const Result r = simulate(c);
  EXPECT_EQ(r.deadlock, "");
  EXPECT_EQ(r.unfinished, 0u);
  EXPECT_TRUE(r.conservation_ok);
  EXPECT_TRUE(r.faults.tables_ok);
  const Wiring wiring = c.topology->wire(c);
  Engine unguarded(c, wiring, domain_kind<Unguarded, TorusSource, false>(TorusTopology::source(c, wiring)));
  EXPECT_GT(simulate(unguarded).unfinished, 0u);
}

// ---- what is refused

// docs/torus.md §13: every packet as the golden route has it; full load with small buffers to its end.
TEST(TorusBoxes, WaysOfTheModelAndNoDeadlock) {
  const std::vector<std::string> faults{"node:1,1,1", "node:2,2,1", "link:0,3,2,z+"};
  Config c = run_on("4x4x4", "torus_boxes", 0, faults);
  const torus::BoxMap map(torus_of(c), torus_faults(c.faults.standing));
  const auto trace = one_by_one(map.map(), 3, 150);
  take_trace(c, trace);
  const auto simulation = make_simulation(c);
  uint64_t seen = 0;
  simulation->on_delivery([&](const Delivery& d) {
    const traffic::TracePacket& p = trace->packets[d.flit.born / 150];
    const Path path = find_box_path(map, static_cast<int>(p.source), static_cast<int>(p.dest));
    EXPECT_EQ(d.flit.hops, path.hops.size());
    EXPECT_EQ(d.latency(), 3 * (path.hops.size() + 1) + 2);
    ++seen;
  });
  const Result alone = simulate(*simulation);
  EXPECT_EQ(alone.lost, 0u);
  EXPECT_EQ(seen, trace->packets.size());
  c = run_on("4x4x4", "torus_boxes", 1, faults);
  for (LinkClass& l : c.links) l.buffer = 4;
  c.watchdog = 500;
  const Result full = simulate(c);
  EXPECT_EQ(full.deadlock, "");
  EXPECT_TRUE(full.conservation_ok);
  EXPECT_GT(full.delivered, 1000u);
}

TEST(TorusRefuses, WhatCannotBe) {
  const auto refused = [](Config c) { return error_text([&] { make_simulation(c); }); };
  EXPECT_EQ(refused(run_on("4x4", "torus_safe6")), "");
  EXPECT_NE(error_text([] { make_topology("torus:2x5"); }).find("outside 3..64"), std::string::npos);
  EXPECT_NE(refused(run_on("4x4x4", "torus_safe6")).find("two dimensions"), std::string::npos);
  EXPECT_NE(refused(run_on("4x4x4", "torus_boxes", 0.1, {"node:1,1,1@500"})).find("torus_boxes"), std::string::npos);
  EXPECT_NE(refused(run_on("4x4", "torus_boxes")).find("three dimensions"), std::string::npos);
  EXPECT_NE(error_text([] { run_on("4x4", "torus_safe6", 0.1, {"node:4,0"}); }).find("4,0"), std::string::npos);
  EXPECT_NE(error_text([] { run_on("4x4", "torus_safe6", 0.1, {"random-nodes:17"}); }).find("1..16"),
            std::string::npos);
  EXPECT_NE(refused(run_on("4x4", "torus_safe6", 0.1, {"node:0,1", "node:2,1", "node:1,3"})).find("leave 0 nodes"),
            std::string::npos);
  Config c = run_on("4x4", "torus_safe6");
  c.router.vcs = 4;
  EXPECT_NE(refused(c).find("needs 6 virtual channels"), std::string::npos);
  c = run_on("4x4", "torus_safe4");
  c.faults.rule = torus::Rule::kDim;
  EXPECT_NE(refused(c).find("rule any only"), std::string::npos);
  EXPECT_NE(refused(run_on("6x6", "torus_safe4", 0.1, {"node:1,1@500"})).find("expected torus_safe6_ring"),
            std::string::npos);
  c = run_on("6x6", "torus_safe6", 0.1, {"node:1,1@500"});
  c.faults.events.push_back({c.faults.events.front().fault, true, 9000});
  EXPECT_NE(refused(c).find("marks of a torus only grow"), std::string::npos);
  c = run_on("4x4", "torus_safe6", 0, {"node:1,0"});
  auto trace = std::make_shared<traffic::PacketTrace>();
  trace->nodes = 16;
  trace->packets.push_back({0, 0, 1, 2});
  take_trace(c, trace);
  EXPECT_NE(refused(c).find("(1,0), which is disabled"), std::string::npos);
  std::vector<std::string> walls;
  for (int y = 0; y < 4; ++y)
    for (const char* x : {"0", "2"}) walls.push_back("link:" + std::string(x) + "," + std::to_string(y) + ",x+");
  EXPECT_NE(refused(run_on("5x4", "torus_adaptive", 0.1, walls)).find("walls part"), std::string::npos);
}

// ---- rivals

/// up*/down* serves every pair of live routers, without a cycle of channels, whatever fails.
TEST(TorusRivals, UpDownServesAllLiveRoutersAndIsAcyclic) {
  for (const std::vector<std::string>& fail :
       {std::vector<std::string>{}, {"node:0,0", "node:3,1"}, {"random-nodes:5"}, {"random-links:6", "node:2,2"}}) {
    const Config c = run_on("6x5", "torus_up_down", 0.2, fail, 5);
    const Graph graph = live_graph(c);
    const GraphTables tables = GraphTables::up_down(graph);
    const GraphCheck check = check_tables(graph, tables, 1);
    EXPECT_EQ(check.wrong, "");
    EXPECT_TRUE(check.cycle.empty());
    const Result r = simulate(c);
    EXPECT_TRUE(r.conservation_ok);
    EXPECT_EQ(r.lost, 0u);
    EXPECT_EQ(r.deadlock, "");
    EXPECT_GT(r.accepted, 0.1);
  }
  Config parted = run_on("6x6", "torus_up_down", 0.1, {"link:2,2,x+", "link:1,2,x+", "link:2,2,y+", "link:2,1,y+"});
  EXPECT_NE(error_text([&] { make_simulation(parted); }).find("no way leads"), std::string::npos);
}

/// Its graph has every link between two live routers that did not fail itself, and no other.
TEST(TorusRivals, UpDownKnowsEveryLinkThatLives) {
  const Config c =
      run_on("6x5", "torus_up_down", 0.2, {"node:2,2", "link:5,1,x+", "link:0,3,y+", "link:4,4,y+", "link:3,0,x+"});
  const Torus& t = torus_of(c);
  const torus::Faults faults = torus_faults(c.faults.standing);
  const auto dead = [&](int n) { return std::find(faults.nodes.begin(), faults.nodes.end(), n) != faults.nodes.end(); };
  std::set<std::pair<int, int>> expected, found;
  for (int n = 0; n < t.nodes(); ++n) {
    for (int d = 0; d < 2; ++d) {
      const int beyond = t.neighbour(n, 2 * d);
      const bool failed = std::find(faults.links.begin(), faults.links.end(), torus::Link{n, d}) != faults.links.end();
      if (!failed && !dead(n) && !dead(beyond)) expected.insert({n, beyond}), expected.insert({beyond, n});
    }
  }
  const Graph graph = live_graph(c);
  const auto router = [&](int s) { return static_cast<int>(graph.node(s).address); };
  for (int s = 0; s < graph.switches(); ++s)
    for (const Graph::Port& port : graph.ports(s))
      if (port.link >= 0) found.insert({router(s), router(port.peer)});
  EXPECT_EQ(found, expected);
  EXPECT_EQ(expected.size(), 2u * (60 - 4 - 4));
}

/// The escape of torus_duato: what a packet on an e-cube channel may wait for on e-cube channels, at once or after any
/// minimal hops on the adaptive channel, without faults (Duato's extended graph), as a graph over channels.
bool escape_is_acyclic(const Torus& t) {
  const FaultMap map(t, torus::Rule::kAny, {});
  ChannelGraph extended(t.nodes() * 8);
  const auto number = [](int node, const torus::Answer& a) { return node * 8 + a.port * 2 + a.vc / 3; };
  const auto ecube = [&](int at, int to) {
    torus::Ask ask;
    for (int d = 0; d < 2; ++d)
      ask.at[d] = static_cast<uint8_t>(t.coordinate(at, d)), ask.dest[d] = static_cast<uint8_t>(t.coordinate(to, d));
    ask.fresh = true;
    return torus::route(Variant::kEcube, torus::ground_of(map), ask);
  };
  for (int to = 0; to < t.nodes(); ++to) {
    for (int at = 0; at < t.nodes(); ++at) {
      const torus::Answer first = ecube(at, to);
      if (first.action != torus::Action::kForward) continue;
      std::vector<int> reached{t.neighbour(at, first.port)};
      for (size_t i = 0; i < reached.size(); ++i) {
        const int here = reached[i];
        if (here == to) continue;
        extended.add(number(at, first), number(here, ecube(here, to)));
        for (int d = 0; d < 2; ++d) {
          if (t.coordinate(here, d) == t.coordinate(to, d)) continue;
          const auto minus = torus::detail::shorter_minus(static_cast<uint64_t>(t.coordinate(here, d)),
                                                          static_cast<uint64_t>(t.coordinate(to, d)),
                                                          static_cast<uint64_t>(t.radix(d)));
          const int next = t.neighbour(here, 2 * d + static_cast<int>(minus));
          if (std::find(reached.begin(), reached.end(), next) == reached.end()) reached.push_back(next);
        }
      }
    }
  }
  return extended.find_cycle().empty();
}

TEST(TorusRivals, DuatosEscapeHasNoCycleAndTheNetworkMoves) {
  for (const char* size : {"4x4", "5x7", "6x6"}) {
    EXPECT_TRUE(escape_is_acyclic(Torus::parse(size))) << size;
    Config c = run_on(size, "torus_duato", 1.0);
    for (LinkClass& l : c.links) l.buffer = 4;
    c.router.lengths = {8};
    c.drain = 0;
    c.watchdog = 300;
    const Result r = simulate(c);
    EXPECT_EQ(r.deadlock, "") << size;
    EXPECT_TRUE(r.conservation_ok) << size;
    EXPECT_EQ(r.lost, 0u) << size;
  }
}

/// With faults a packet that has no free productive port is dropped, whole; at light load the others arrive on shortest
/// ways.
TEST(TorusRivals, DuatoDropsWhatHasNoMinimalWay) {
  for (const auto& lengths : {std::vector<int>{1}, {5}}) {
    Config c = run_on("8x8", "torus_duato", 0.05, {"node:3,3", "node:6,1"});
    c.router.lengths = lengths;
    const Result r = simulate(c);
    EXPECT_TRUE(r.conservation_ok);
    EXPECT_EQ(r.deadlock, "");
    EXPECT_GT(r.unroutable, 10u);
    EXPECT_EQ(r.lost, r.unroutable);
    EXPECT_LT(r.lost, r.delivered / 5);
  }
}

/// Outputs of a router with these free slots, some held.
struct Slots {
  std::map<std::pair<int, int>, int> free;  // of a port and channel; others: 8
  std::set<std::pair<int, int>> taken;
  bool held(int port, int vc) const { return taken.count({port, vc}) != 0; }
  int credits(int port, int vc) const {
    const auto found = free.find({port, vc});
    return found == free.end() ? 8 : found->second;
  }
};

/// The adaptive channel of a productive port as long as one is to be had: not held, and with room for a flit, or with
/// cut-through for the packet; then the escape channel of e-cube, then nothing.
TEST(TorusRivals, DuatoEscapesWhenNoAdaptiveChannelIsToBeHad) {
  constexpr int kXPlus = 0, kYPlus = 2, kAdaptive = 2;
  for (const bool cut_through : {false, true}) {
    Config c = run_on("8x8", "torus_duato");
    if (cut_through) c.router.switching = Switching::cut_through;
    const Wiring wiring = c.topology->wire(c);
    const Context context{c, wiring};
    const TorusDuato policy(context, 0);
    Flit flit;
    flit.dest = 2 * 8 + 2;  // two to the right, two up
    flit.length = 4;
    const auto asked = [&](const Slots& slots) {
      const Ask ask = policy.ask(flit, {.router = 0, .port = 4, .vc = 0, .input = 0}, slots);
      return std::pair<int, int>{ask.port, ask.vc};
    };
    const std::pair<int, int> escape{kXPlus, asked({.free = {{{kXPlus, 2}, 0}, {{kYPlus, 2}, 0}}, .taken = {}}).second},
        nothing{Ask{}.port, Ask{}.vc};
    EXPECT_LT(escape.second, kAdaptive) << "e-cube goes along x first";
    EXPECT_EQ(asked({}).second, kAdaptive);
    using Taken = std::set<std::pair<int, int>>;
    const std::pair<int, int> x{kXPlus, kAdaptive}, y{kYPlus, kAdaptive};
    EXPECT_EQ(asked({.free = {}, .taken = Taken{x}}), y);
    EXPECT_EQ(asked({.free = {}, .taken = Taken{y}}), x);
    EXPECT_EQ(asked({.free = {}, .taken = Taken{x, y}}), escape);
    EXPECT_EQ(asked({.free = {}, .taken = Taken{x, y, escape}}), nothing);
    EXPECT_EQ(asked({.free = {{x, 3}}, .taken = Taken{y}}), cut_through ? escape : x) << "room for three flits of four";
    EXPECT_EQ(asked({.free = {{x, 4}}, .taken = Taken{y}}), x);
    EXPECT_EQ(asked({.free = {{escape, 3}}, .taken = Taken{x, y}}), cut_through ? nothing : escape);
  }
}

/// Where no port is blocked a wall across y is all that a router hears.
TEST(TorusFaults, AWallAlongOneDimensionAloneIsTold) {
  for (const char* way : {"x+", "y+"}) {
    std::vector<std::string> links;
    const bool across_y = way[0] == 'y';
    for (int i = 0; i < (across_y ? 6 : 7); ++i)
      links.push_back("link:" + (across_y ? std::to_string(i) + ",2," : "2," + std::to_string(i) + ",") + way + "@100");
    const Config c = run_on("6x7", "torus_safe6", 0, links);
    const TorusHistory history(c);
    std::vector<TorusView> known = history.first;
    for (const TorusHistory::Change& change : history.changes) known[static_cast<size_t>(change.router)] = change.view;
    for (const TorusView& view : known) {
      EXPECT_EQ(view.wall[0], across_y ? 0u : 4u);
      EXPECT_EQ(view.wall[1], across_y ? 4u : 0u);
    }
    EXPECT_TRUE(history.as_map);
  }
}

/// What the units have seen in a cycle is told when it is over.
TEST(TorusFaults, ACycleOfADiagnosisIsToldWhenItIsOver) {
  const Config c = run_on("6x5", "torus_safe6", 0, {"node:1,1@100", "node:3,1@140"});
  const Wiring wiring = c.topology->wire(c);
  const Context context{c, wiring};
  TorusLive policy(context, 0);
  for (uint32_t cycle = 0; cycle < 400; ++cycle) {
    policy.begin_cycle(cycle);
    while (policy.next_event(cycle) != nullptr) {
    }
  }
  const uint32_t last = TorusHistory(c).last_view_change;
  EXPECT_GT(last, 141u);
  EXPECT_EQ(policy.fault_result(100).detected, -1);
  EXPECT_EQ(policy.fault_result(101).detected, 100);
  EXPECT_FALSE(policy.fault_result(last).quiet);
  EXPECT_EQ(policy.fault_result(last).diagnosis_done, -1);
  EXPECT_TRUE(policy.fault_result(last + 1).quiet);
  EXPECT_EQ(policy.fault_result(last + 1).diagnosis_done, last);
}

}  // namespace
}  // namespace odonata::network
