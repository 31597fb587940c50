// SPDX-License-Identifier: Apache-2.0
// Networks without domains of their own, cut into pieces: the same result packet by packet wherever they are cut, for
// any number of threads and ranks.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <set>
#include <sstream>
#include <stdexcept>

#include "models/arb_request/golden_device.h"
#include "models/common/error.h"
#include "models/workload/motif.h"
#include "sim/network/topologies/fat_tree.h"
#include "sim/network/topologies/graph.h"
#include "sim/network/topologies/mesh.h"
#include "sim/network/topologies/torus.h"
#include "sim/network/worker_pool.h"
#include "tb/network/seen_run.h"
#include "tb/network/thread_ranks.h"

namespace odonata::network {
namespace {

struct Case {
  std::string name;
  Config config;
};

Config with(Config c, const std::string& routing, double load, std::vector<int> lengths) {
  c.routing = routing;
  c.load = load;
  c.router.lengths = std::move(lengths);
  c.warmup = 100;
  c.sample = 300;
  c.drain = 200;
  c.interval = 200;
  c.link(c.links[1].name).latency = 4;
  return c;
}
Config mesh(const std::string& routing, std::vector<int> lengths = {1}) {
  return with(on_mesh(arb_request::Mesh({4, 3})), routing, 0.3, std::move(lengths));
}
Config torus(const std::string& routing) { return with(on_torus(Torus({5, 5})), routing, 0.15, {4}); }
Config tree(const std::string& routing, int flits) {
  Config c = with(on_fat_tree(FatTree::parse("4,3,2,2")), routing, 0.4, {flits});
  c.link("local").buffer = 8;
  return c;
}
/// Faults by name in cycle 150; the repair of all in cycle `repair` (0: never).
Config failing(Config c, const std::string& names, uint64_t repair) {
  Random random(1);
  std::vector<fault::Fault> taken;
  for (const fault::Fault& f : c.topology->parse_faults(names, random, taken)) {
    c.faults.events.push_back({f, false, 150});
    if (repair != 0) c.faults.events.push_back({f, true, repair});
  }
  return c;
}
/// Links of several latencies, some alike.
Config graph() {
  Graph::Parts parts;
  parts.name = "ring with chords";
  for (int s = 0; s < 11; ++s) {
    parts.switches.push_back({"s" + std::to_string(s), 0});
    parts.nodes.push_back({"n" + std::to_string(s), s, static_cast<uint32_t>(s)});
    parts.links.push_back({s, (s + 1) % 11, 2 + s % 3});
    if (s % 4 == 0) parts.links.push_back({s, (s + 5) % 11, 30});
  }
  return with(on_graph(Graph(parts)), "up_down", 0.1, {3});
}
Config programs(Config c) {
  c.load = 0;
  c.warmup = 0;
  c.sample = 1'000'000;
  workload::Workload all;
  all.jobs = {workload::make_motif("random:ranks=12,rounds=6,bytes=2000")};
  c.workload = std::make_shared<const workload::Workload>(std::move(all));
  return c;
}

std::vector<Case> cases() {
  std::vector<Case> out;
  for (const char* routing : {"dor", "dbra", "d2ra", "dyxy_d2ra", "footprint_d2ra", "duato", "dyxy", "footprint"}) {
    out.push_back({routing, mesh(routing)});
    out.push_back({std::string(routing) + ", 5 flits", mesh(routing, {1, 5})});
  }
  out.push_back({"three dimensions", with(on_mesh(arb_request::Mesh({3, 2, 2})), "d2ra", 0.3, {1})});
  Config most = mesh("d2ra");
  most.requests.selection = arb_request::Policy::kMostCredits;
  most.link("local").latency = 1;
  out.push_back({"most credits, 1 cycle", most});
  for (const char* routing : {"torus_safe6_ring", "torus_safe4", "torus_printed", "ecube", "torus_adaptive",
                              "torus_duato", "torus_up_down"}) {
    Config c = torus(routing);
    Random random(1);
    c.faults.standing = c.topology->parse_faults("link:1,1,x+", random, {});
    out.push_back({routing, c});
  }
  out.push_back(
      {"torus_safe6_ring, faults at run time", failing(torus("torus_safe6_ring"), "node:2,2;link:0,4,y+", 0)});
  out.push_back({"torus_boxes", with(on_torus(Torus({3, 4, 3})), "torus_boxes", 0.1, {4})});
  for (const int flits : {1, 4}) {
    for (const char* routing : {"vtftr", "ft_a", "xy"})
      out.push_back({routing, failing(tree(routing, flits), "leaf:1,1", 0)});
    out.push_back({"vtftr_adaptive", failing(tree("vtftr_adaptive", flits), "leaf:1,1;leaf:2,0", 0)});
    out.push_back({"vtftr, a root and a link", failing(tree("vtftr", flits), "root:row,1,0;link:2,1,column,0", 0)});
  }
  Config back = failing(tree("vtftr", 1), "leaf:1,1", 2200);
  back.sample = 2500;
  out.push_back({"vtftr, a leaf comes back", back});
  out.push_back(
      {"vtftr_k", failing(with(on_fat_tree(FatTree::parse("3,2,2,2,2")), "vtftr_k", 0.3, {2}), "leaf:1,1,1", 0)});
  Config arrival = failing(tree("vtftr", 1), "leaf:1,1", 0);
  arrival.route_compute = RouteCompute::arrival;
  out.push_back({"vtftr, arrival", arrival});
  Config live = failing(torus("torus_safe6"), "node:3,1", 0);
  live.route_compute = RouteCompute::arrival;
  out.push_back({"torus, arrival", live});
  out.push_back({"graph", graph()});
  out.push_back({"programs on a mesh", programs(mesh("duato", {4}))});
  out.push_back({"programs on a fat-tree", programs(tree("vtftr", 4))});
  return out;
}

Config in(Config c, int domains, int threads) {
  c.domains = domains;
  c.threads = threads;
  return c;
}

/// Wherever it is cut; with threads, and with ranks: all numbers of them for some.
TEST(NetworkPieces, TheResultIsThatOfTheWhole) {
  int number = 0;
  for (const Case& k : cases()) {
    ASSERT_EQ(k.config.topology->wire(k.config).domains, 1) << k.name;
    ASSERT_TRUE(k.config.topology->wire(in(k.config, 3, 1)).is_cut()) << k.name;
    const Seen whole = run(k.config);
    EXPECT_GT(whole.deliveries.size(), 100u) << k.name;
    const auto expect_whole = [&](int domains, int threads) {
      const Seen seen = run(in(k.config, domains, threads));
      EXPECT_EQ(seen.result, whole.result) << k.name << ", " << domains << " domains, " << threads << " threads";
      EXPECT_TRUE(seen.deliveries == whole.deliveries)
          << k.name << ", " << domains << " domains, " << threads << " threads";
    };
    for (const int domains : {2, 3, 7}) expect_whole(domains, 1);
    expect_whole(1, 2);
    if (number++ % 8 == 0) {
      expect_whole(1, 3), expect_whole(6, 4);
      expect_same(k.config, {2, 3, 4}, k.name);
    } else {
      expect_same(k.config, {2}, k.name);
    }
  }
}

TEST(NetworkPieces, ACheckpointIsLoadedWithAnyNumberOfRanksUpToItsDomains) {
  int number = 0;
  for (const Case& k : cases()) {
    const std::string whole = words(simulate(k.config));
    const auto save = [](const Config& c, std::ostream& to) {
      const auto simulation = make_simulation(c);
      while (simulation->now() < 200 && simulation->advance()) {
      }
      simulation->save(to);
    };
    std::stringstream one, four;
    save(k.config, one);
    save(in(k.config, 4, 1), four);
    const std::string ranks = saved_by(3, [&](Exchange& exchange, std::ostream& to) {
      Config own = k.config;
      own.exchange = &exchange;
      save(own, to);
    });
    const auto resume = [&](const std::string& state, Exchange* exchange, int threads) {
      Config own = in(k.config, 1, threads);
      own.exchange = exchange;
      const auto simulation = make_simulation(own);
      std::istringstream from(state);
      simulation->load(from);
      EXPECT_EQ(words(simulate(*simulation)), whole) << k.name << ", " << threads << " threads";
    };
    for (const std::string& state : {one.str(), four.str(), ranks}) {
      resume(state, nullptr, 1);
    }
    if (number++ % 8 != 0) continue;
    resume(one.str(), nullptr, 3);
    resume(ranks, nullptr, 2);
    for (const int count : {2, 4}) {
      for (const std::string& error :
           ThreadRanks(count).run([&](Exchange& exchange) { resume(four.str(), &exchange, 1); }))
        EXPECT_EQ(error, "");
    }
    for (const std::string& error : ThreadRanks(2).run([&](Exchange& exchange) { resume(one.str(), &exchange, 1); }))
      EXPECT_NE(error.find("2 ranks, but the network has one domain"), std::string::npos) << error;
  }
}

/// Who waits for whom over the borders of pieces, and what stands where.
TEST(NetworkPieces, ADeadlockIsTheSameOne) {
  for (const char* routing : {"dbra_lowered", "mixed_dor"}) {
    Config c = with(on_mesh(arb_request::Mesh({8, 8})), routing, 0.6, {1});
    c.sample = 20'000;
    c.watchdog = 500;
    const Result whole = simulate(c);
    ASSERT_NE(whole.deadlock.find("waits for"), std::string::npos) << routing;
    EXPECT_FALSE(whole.stalled.empty());
    for (const int domains : {2, 3, 12})
      EXPECT_EQ(words(simulate(in(c, domains, 1))), words(whole)) << routing << ", " << domains;
    for (const std::string& error : ThreadRanks(3).run([&](Exchange& exchange) {
           Config own = c;
           own.exchange = &exchange;
           EXPECT_EQ(words(simulate(own)), words(whole)) << routing;
         })) {
      EXPECT_EQ(error, "");
    }
  }
}

/// A device decides at one router, wherever that is.
TEST(NetworkPieces, ADeviceIsWhereItsRouterIs) {
  Config c = mesh("d2ra");
  c.requests.device = [] { return std::make_unique<arb_request::GoldenLogic>(arb_request::PortSize{.dimensions = 2}); };
  for (const int router : {5, 11}) {
    c.requests.device_router = router;
    const Result whole = simulate(c);
    EXPECT_GT(whole.compared, 100u);
    for (const int domains : {2, 5})
      EXPECT_EQ(words(simulate(in(c, domains, 1))), words(whole)) << router << ", " << domains;
    for (const std::string& error : ThreadRanks(3).run([&](Exchange& exchange) {
           Config own = c;
           own.exchange = &exchange;
           EXPECT_EQ(words(simulate(own)), words(whole)) << router;
         })) {
      EXPECT_EQ(error, "");
    }
  }
}

TEST(NetworkPieces, EveryRouterHasItsNameAndItsLinks) {
  for (const Config& c : {mesh("dor"), torus("ecube"), tree("vtftr", 1), graph()}) {
    const Wiring whole = c.topology->wire(c);
    for (const int domains : {2, 3, 5}) {
      const Wiring pieces = c.topology->wire(in(c, domains, 1));
      ASSERT_EQ(pieces.domains, domains);
      std::set<int> names;
      int between = 0;
      for (int r = 0; r != pieces.domains * pieces.routers; ++r) {
        const int name = pieces.name(r);
        if (name >= 0) {
          EXPECT_TRUE(names.insert(name).second);
        }
        for (int port = 0; port != pieces.ports; ++port) {
          const PortWire w = pieces.at(r, port);
          if (name < 0) {
            EXPECT_EQ(w.kind, LinkKind::none);
            continue;
          }
          const PortWire& before = whole.at(name, port);
          const bool link = w.kind == LinkKind::inside || w.kind == LinkKind::between;
          EXPECT_EQ(link, before.kind == LinkKind::inside);
          if (!link) continue;
          EXPECT_EQ(pieces.name(static_cast<int>(w.peer)), static_cast<int>(before.peer));
          EXPECT_EQ(pieces.at(static_cast<int>(w.peer), w.peer_port).peer, static_cast<uint32_t>(r));
          EXPECT_EQ(w.kind == LinkKind::inside, static_cast<int>(w.peer) / pieces.routers == r / pieces.routers);
          between += w.kind == LinkKind::between;
        }
      }
      EXPECT_EQ(static_cast<int>(names.size()), whole.routers);
      EXPECT_GT(between, 0);
    }
  }
}

TEST(NetworkPieces, ThreadsWaitForEachOtherAfterEveryStep) {
  for (const int threads : {1, 2, 3, 4}) {
    WorkerPool pool(threads);
    for (const int steps : {0, 1, 40}) {
      std::atomic<int> done = 0;
      int after = 0;
      pool.run_steps(
          steps,
          [&](int step, int) {
            EXPECT_EQ(after, step);
            ++done;
          },
          [&](int step) {
            EXPECT_EQ(done, threads * (step + 1));
            ++after;
          });
      EXPECT_EQ(after, steps);
    }
    for (const int bad : {0, threads - 1}) {
      const auto fail = [bad](int step, int thread) {
        if (step == 3 && thread == bad) throw std::runtime_error("thread " + std::to_string(thread));
      };
      EXPECT_THROW(pool.run_steps(10, fail, [](int step) { EXPECT_LT(step, 3); }), std::runtime_error);
    }
  }
}

/// Whoever has asked for deliveries hears of them after a checkpoint, too, that cuts the network otherwise.
TEST(NetworkPieces, DeliveriesAreSeenBehindACheckpointThatCutsAnew) {
  const Config c = mesh("d2ra");
  const auto heard = [](Simulation& simulation, std::vector<uint32_t>& cycles) {
    simulation.on_delivery([&cycles](const Delivery& d) { cycles.push_back(d.cycle); });
  };
  std::vector<uint32_t> all, rest;
  const auto first = make_simulation(in(c, 4, 1));
  heard(*first, all);
  while (first->now() < 200) ASSERT_TRUE(first->advance());
  const size_t before = all.size();
  std::stringstream state;
  first->save(state);
  simulate(*first);
  const auto second = make_simulation(c);
  heard(*second, rest);
  second->load(state);
  simulate(*second);
  EXPECT_GT(before, 100u);
  EXPECT_GT(rest.size(), 100u);
  EXPECT_EQ(rest, std::vector<uint32_t>(all.begin() + static_cast<std::ptrdiff_t>(before), all.end()));
}

}  // namespace
}  // namespace odonata::network
