// SPDX-License-Identifier: Apache-2.0
// One network over several ranks: the same result, packet by packet, for any number of them.
#include <gtest/gtest.h>

#include <sstream>

#include "models/common/error.h"
#include "models/workload/motif.h"
#include "sim/network/closed_loop.h"
#include "sim/network/simulation.h"
#include "sim/network/topologies/graph.h"
#include "sim/network/topologies/mesh.h"
#include "tb/network/thread_ranks.h"
#include "tb/network/timed_faults.h"

namespace odonata::network {
namespace {

/// Everything of a run that must not depend on ranks and threads, as text.
struct Seen {
  std::string result;
  std::vector<std::string> deliveries;
};

std::string words(const Result& r) {
  std::ostringstream out;
  out << r.digest << ' ' << r.cycles << ' ' << r.flit_hops << ' ' << r.created << ' ' << r.delivered << ' ' << r.lost << ' ' << r.unroutable << ' '
      << r.lost_in_routers << ' ' << r.cut << ' ' << r.waiting << ' ' << r.in_flight << ' ' << r.in_flight_flits << ' ' << r.unfinished << ' '
      << r.offered << ' ' << r.accepted << ' ' << r.latency.mean() << ' ' << r.latency.max() << ' ' << r.latency.percentile(0.99) << ' '
      << r.mean_with_unfinished << ' ' << r.conservation_ok << ' ' << r.saturated << ' ' << r.faults.quiet << r.faults.tables_ok
      << r.faults.closed_form << ' ' << r.faults.fd_total << '\n';
  for (const uint64_t n : r.hops) out << n << ' ';
  for (const uint64_t n : r.decisions) out << n << ' ';
  for (const ChannelUse& c : r.channels) out << c.name << ' ' << c.mean << ' ' << c.max << ' ';
  for (const float use : r.domain_zero) out << use << ' ';
  for (const Interval& i : r.timeline)
    out << '\n' << i.first << ' ' << i.last << ' ' << i.delivered << ' ' << i.lost << ' ' << i.fd << ' ' << i.latency;
  if (const LoopResult* const p = r.programs.get(); p != nullptr) {
    out << '\n'
        << p->time_cycles << ' ' << p->messages << ' ' << p->received << ' ' << p->bytes << ' ' << p->packets << ' ' << p->nic << ' ' << p->creation
        << ' ' << p->unfinished_ranks << ' ' << p->waits;
    for (const RankResult& rank : p->ranks) out << '\n' << rank.node << ' ' << rank.finished << ' ' << rank.communication << ' ' << rank.calculation;
    for (const JobResult& job : p->jobs) {
      for (const PhaseResult& f : job.phases) out << '\n' << f.name << ' ' << f.messages << ' ' << f.nic << ' ' << f.first << ' ' << f.last;
    }
  }
  out << '\n' << r.deadlock;
  for (const Stalled& s : r.stalled) out << s.router << ' ' << int{s.port} << ' ' << int{s.vc} << ' ' << s.dest << '\n';
  return out.str();
}

Seen run(Config c, Exchange* exchange = nullptr) {
  c.exchange = exchange;
  Seen out;
  const auto simulation = make_simulation(c);
  simulation->on_delivery([&out](const Delivery& d) {
    std::ostringstream line;
    line << d.flit.source << ' ' << d.flit.dest << ' ' << d.flit.born << ' ' << d.cycle << ' ' << d.flit.hops;
    out.deliveries.push_back(line.str());
  });
  const Result result = simulate(*simulation);
  EXPECT_EQ(result.ranks, exchange == nullptr ? 1 : exchange->ranks());
  EXPECT_TRUE(result.conservation_ok);
  out.result = words(result);
  return out;
}

/// The run alone, and with these numbers of ranks.
void expect_same(const Config& c, std::initializer_list<int> ranks, const std::string& what) {
  const Seen alone = run(c);
  EXPECT_GT(alone.deliveries.size(), 100u) << what;
  for (const int count : ranks) {
    for (const int threads : {1, 2}) {
      if (threads == 2 && count != 3) continue;
      ThreadRanks shared(count);
      const auto errors = shared.run([&](Exchange& exchange) {
        Config own = c;
        own.threads = threads;
        const Seen seen = run(own, &exchange);
        EXPECT_EQ(seen.result, alone.result) << what << ", rank " << exchange.own() << " of " << count;
        EXPECT_TRUE(seen.deliveries == alone.deliveries) << what << ", rank " << exchange.own() << " of " << count;
      });
      for (const std::string& error : errors) EXPECT_EQ(error, "") << what;
    }
  }
}

Config tiny(const std::string& routing, const std::string& traffic, double load) {
  Config c = on_dragonfly(Dragonfly::named("tiny"));
  c.routing = routing;
  c.traffic = traffic;
  c.load = load;
  c.warmup = 500;
  c.sample = 1000;
  c.drain = 1000;
  c.interval = 300;
  return c;
}

TEST(NetworkRanks, TheResultDoesNotDependOnRanksForAnyRoutingOfADragonfly) {
  for (const char* routing : {"min", "doar", "val", "ugal_l", "ugal_g", "par", "par_ph"}) {
    expect_same(tiny(routing, "adv+1", 0.3), {2, 3, 8}, routing);
  }
}

TEST(NetworkRanks, PacketsOfSeveralFlitsCrossRanksWhole) {
  for (const Switching switching : {Switching::cut_through, Switching::wormhole}) {
    Config c = tiny("doar", "ur", 0.4);
    c.router.lengths = {1, 5};
    c.router.switching = switching;
    expect_same(c, {3}, "5 flits");
  }
}

TEST(NetworkRanks, FaultsAndRepairsAtRunTime) {
  for (const int flits : {1, 5}) {
    Config c = tiny("doar", "adv+1", 0.3);
    c.router.lengths = {flits};
    c.sample = flits == 1 ? 5000 : 8000;
    add_faults(c, {"global:G0-G1", "local:G2.s0-G2.s1", "router:G3.s1"}, 700, flits == 1 ? 4000 : 6900);
    expect_same(c, {3, 8}, "faults");
  }
}

/// Links between domains of different latencies, so that windows are shorter than most of them.
TEST(NetworkRanks, AGraphOfSeveralDomains) {
  Graph::Parts parts;
  parts.name = "ring of rings";
  for (int s = 0; s < 12; ++s) {
    parts.switches.push_back({"s" + std::to_string(s), s / 3});
    parts.nodes.push_back({"n" + std::to_string(s), s, static_cast<uint32_t>(s)});
    parts.links.push_back({s, s % 3 == 2 ? s - 2 : s + 1, 1});
    if (s % 3 == 0) parts.links.push_back({s, (s + 4) % 12, 7 + s});
  }
  Config c = on_graph(Graph(parts));
  c.load = 0.2;
  c.warmup = 500;
  c.sample = 2000;
  c.drain = 2000;
  expect_same(c, {2, 3, 4}, "graph");
}

/// A circle of channels that goes over all ranks: the watchdog's report and what stands where.
TEST(NetworkRanks, ADeadlockIsFoundAcrossRanks) {
  Graph::Parts parts;
  parts.name = "ring";
  for (int s = 0; s < 6; ++s) {
    parts.switches.push_back({"s" + std::to_string(s), s / 2});
    parts.nodes.push_back({"n" + std::to_string(s), s, static_cast<uint32_t>(s)});
    parts.links.push_back({s, (s + 1) % 6, 1});
  }
  Config c = on_graph(Graph(parts));
  c.routing = "shortest";
  c.traffic = "shift+2";
  c.load = 1;
  c.allow_cycles = true;
  c.router.lengths = {8};
  c.router.switching = Switching::wormhole;
  c.link("link").buffer = 2;
  c.watchdog = 500;
  c.warmup = 0;
  c.sample = 20'000;
  const Result alone = simulate(c);
  EXPECT_NE(alone.deadlock.find("waits for channel s"), std::string::npos) << alone.deadlock;
  EXPECT_FALSE(alone.stalled.empty());
  for (const std::string& error : ThreadRanks(3).run([&](Exchange& exchange) {
         Config own = c;
         own.exchange = &exchange;
         EXPECT_EQ(words(simulate(own)), words(alone));
       })) {
    EXPECT_EQ(error, "");
  }
}

/// Programs of a closed loop over all domains, eager and rendezvous, to their end; and with lost messages, where every rank has to say that they
/// wait.
TEST(NetworkRanks, ProgramsComeToTheSameEnd) {
  for (const uint64_t eager : {uint64_t{0}, uint64_t{1} << 20}) {
    Config c = tiny("doar", "ur", 0);
    c.warmup = 0;
    c.sample = 1'000'000;
    c.programs.eager_limit = eager;
    workload::Workload all;
    all.jobs = {workload::make_motif("random:ranks=64,rounds=40,bytes=5000")};
    c.workload = std::make_shared<const workload::Workload>(std::move(all));
    const Result alone = simulate(c);
    ASSERT_EQ(alone.programs->unfinished_ranks, 0u) << alone.programs->waits;
    expect_same(c, {3, 8}, "programs");
    add_faults(c, {"router:G3.s1"}, 300, 0);
    c.watchdog = 2000;
    EXPECT_NE(simulate(c).programs->unfinished_ranks, 0u);
    expect_same(c, {3}, "programs that wait");
  }
}

TEST(NetworkRanks, ACheckpointIsLoadedWithAnyNumberOfRanks) {
  for (const char* routing : {"doar", "ugal_g"}) {
    Config c = tiny(routing, "adv+1", 0.3);
    if (std::string(routing) == "doar") add_faults(c, {"global:G0-G1"}, 300, 900);
    const Result whole = simulate(c);
    const auto save = [&c](Exchange* exchange, std::ostream& to) {
      Config own = c;
      own.exchange = exchange;
      const auto simulation = make_simulation(own);
      while (simulation->now() < 700) simulation->advance();
      simulation->save(to);
    };
    std::stringstream alone;
    save(nullptr, alone);
    std::stringstream four;
    ThreadRanks(4).run([&](Exchange& exchange) {
      std::ostream nowhere(nullptr);
      save(&exchange, exchange.own() == 0 ? four : nowhere);
    });
    for (const std::string& state : {alone.str(), four.str()}) {
      const auto resume = [&](Exchange* exchange) {
        Config own = c;
        own.exchange = exchange;
        const auto simulation = make_simulation(own);
        std::istringstream from(state);
        simulation->load(from);
        EXPECT_EQ(words(simulate(*simulation)), words(whole)) << routing;
      };
      resume(nullptr);
      for (const int ranks : {3, 8}) {
        for (const std::string& error : ThreadRanks(ranks).run([&](Exchange& exchange) { resume(&exchange); })) EXPECT_EQ(error, "");
      }
    }
  }
}

TEST(NetworkRanks, ADamagedOrMissingPieceIsNamed) {
  const Config c = tiny("min", "ur", 0.3);
  const auto simulation = make_simulation(c);
  for (int i = 0; i < 3; ++i) simulation->advance();
  std::ostringstream to;
  simulation->save(to);
  const std::string good = to.str();
  const auto error_of = [&](const std::string& bytes) -> std::string {
    std::istringstream from(bytes);
    try {
      make_simulation(c)->load(from);
    } catch (const Error& e) {
      return e.what();
    }
    return "accepted";
  };
  EXPECT_EQ(error_of(good), "accepted");
  std::string broken = good;
  broken[good.size() / 2] ^= 1;
  EXPECT_NE(error_of(broken).find("checkpoint: damaged: the piece of domain "), std::string::npos) << error_of(broken);
  EXPECT_NE(error_of(good.substr(0, good.size() - 1)).find("checkpoint: damaged"), std::string::npos);
  EXPECT_NE(error_of(good + "x").find("checkpoint: damaged"), std::string::npos);
}

TEST(NetworkRanks, WhatCannotBeSharedIsRefusedOnEveryRank) {
  const auto expect_refused = [](int ranks, const std::function<Config(int)>& config, const std::string& words) {
    for (const std::string& error : ThreadRanks(ranks).run([&](Exchange& exchange) {
           Config c = config(exchange.own());
           c.exchange = &exchange;
           make_simulation(c);
         })) {
      EXPECT_NE(error.find(words), std::string::npos) << error;
    }
  };
  expect_refused(
      9, [](int) { return tiny("min", "ur", 0.1); }, "9 ranks, but the network has 8 domains");
  expect_refused(
      2,
      [](int) {
        return on_mesh(arb_request::Mesh({4, 4}));
      },
      "2 ranks, but the network has one domain");
  expect_refused(
      3, [](int rank) { return tiny("min", "ur", rank == 2 ? 0.2 : 0.1); }, "settings: rank 2 has load '0.2', rank 0 '0.1'");
}

}  // namespace
}  // namespace odonata::network
