// SPDX-License-Identifier: Apache-2.0
// Any network with tables: the model (models/topology/graph.h) and its runs on the engine.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "models/workload/goal.h"
#include "sim/network/closed_loop.h"
#include "sim/network/routing.h"
#include "sim/network/topologies/dragonfly.h"
#include "sim/network/topologies/fat_tree.h"
#include "sim/network/topologies/graph.h"
#include "sim/network/topologies/mesh.h"
#include "sim/network/topologies/torus.h"
#include "tb/common/error_text.h"

namespace odonata::network {
namespace {

/// `nodes` nodes a switch, links as given; addresses with gaps.
Graph::Parts parts(int switches, const std::vector<Graph::Link>& links, int nodes = 1) {
  Graph::Parts out;
  out.name = "test";
  for (int s = 0; s < switches; ++s) out.switches.push_back({"s" + std::to_string(s)});
  for (int n = 0; n < switches * nodes; ++n)
    out.nodes.push_back({"n" + std::to_string(n), n / nodes, static_cast<uint32_t>(3 * n + 1)});
  out.links = links;
  return out;
}

Graph::Parts ring(int switches) {
  std::vector<Graph::Link> links;
  for (int s = 0; s < switches; ++s) links.push_back({s, (s + 1) % switches, 1});
  return parts(switches, links);
}

/// A random connected network, with links of different latencies and now and then two between the same switches.
Graph::Parts random_parts(uint64_t seed) {
  Random random(seed);
  const int switches = 4 + static_cast<int>(random.below(12));
  std::vector<Graph::Link> links;
  const auto latency = [&] { return 1 + static_cast<int>(random.below(7)); };
  for (int s = 1; s < switches; ++s)
    links.push_back({static_cast<int>(random.below(static_cast<uint32_t>(s))), s, latency()});
  for (int extra = switches; extra > 0; --extra) {
    const int a = static_cast<int>(random.below(static_cast<uint32_t>(switches))),
              b = static_cast<int>(random.below(static_cast<uint32_t>(switches)));
    if (a != b) links.push_back({a, b, latency()});
  }
  return parts(switches, links, 1 + static_cast<int>(random.below(3)));
}

/// Of switches that are as central the first one is the root; of two that are as far from it the lower one is above.
TEST(GraphModel, TiesOfUpDownGoToTheLowerNumber) {
  const Graph graph(ring(5));
  const GraphTables by_itself = GraphTables::up_down(graph), first = GraphTables::up_down(graph, 0);
  for (int channel = 0; channel < graph.channels(); ++channel)
    EXPECT_EQ(by_itself.down(channel), first.down(channel)) << graph.channel_name(channel);
  const bool down[] = {true, false, true, false, true, false, false, true, false, true};  // 2 and 3 are two links away
  for (int channel = 0; channel < graph.channels(); ++channel)
    EXPECT_EQ(first.down(channel), down[channel]) << graph.channel_name(channel);
}

/// The root is the switch from which the farthest is nearest, wherever it stands.
TEST(GraphModel, UpDownBeginsInTheMiddle) {
  const Graph graph(parts(5, {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1}}));
  const GraphTables by_itself = GraphTables::up_down(graph), middle = GraphTables::up_down(graph, 2);
  for (int channel = 0; channel < graph.channels(); ++channel)
    EXPECT_EQ(by_itself.down(channel), middle.down(channel)) << graph.channel_name(channel);
}

/// A root that is named is the root, the first switch as well.
TEST(GraphModel, UpDownBeginsAtTheRootThatIsNamed) {
  const Graph graph(parts(5, {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1}}));
  for (const int root : {0, 1, 4}) {
    const GraphTables tables = GraphTables::up_down(graph, root);
    for (int channel = 0; channel < graph.channels(); ++channel) {
      const int from = channel / 2 + channel % 2, to = channel / 2 + 1 - channel % 2;
      EXPECT_EQ(tables.down(channel), std::abs(to - root) > std::abs(from - root)) << root << ": " << from << " " << to;
    }
  }
}

/// Links between the same switches have their numbers, however they are written.
TEST(GraphModel, NamesOfChannels) {
  const Graph graph(parts(3, {{0, 1, 1}, {1, 0, 1}, {1, 2, 1}}));
  const std::string names[] = {"s0 -> s1 (link 0)", "s1 -> s0 (link 0)", "s1 -> s0 (link 1)",
                               "s0 -> s1 (link 1)", "s1 -> s2",          "s2 -> s1"};
  for (int channel = 0; channel < graph.channels(); ++channel) EXPECT_EQ(graph.channel_name(channel), names[channel]);
  const Graph star(parts(3, {{0, 2, 1}, {1, 2, 1}, {0, 1, 1}}));  // links that share one end are no parallels
  EXPECT_EQ(star.channel_name(0), "s0 -> s2");
  EXPECT_EQ(star.channel_name(2), "s1 -> s2");
  EXPECT_EQ(star.channel_name(4), "s0 -> s1");
}

TEST(GraphModel, UpDownServesAllPairsWithoutACycle) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    const Graph graph(random_parts(seed));
    for (const int root : {-1, 0, graph.switches() - 1}) {
      const GraphCheck check = check_tables(graph, GraphTables::up_down(graph, root), 2);
      EXPECT_EQ(check.wrong, "") << "seed " << seed;
      EXPECT_TRUE(check.cycle.empty()) << "seed " << seed << ": " << check.cycle.front();
    }
  }
}

/// Links to a node from a switch, and whether one up follows one down.
struct Way {
  std::vector<int> channels;
  bool legal = true;
};
Way way(const Graph& graph, const GraphTables& tables, int at, int node) {
  Way out;
  for (bool down = false;;) {
    const int p = tables.at(at, node, down).port;
    const Graph::Port& port = graph.ports(at).at(static_cast<size_t>(p));
    if (port.link < 0) return out;
    out.channels.push_back(graph.channel(at, p));
    out.legal = out.legal && (!down || tables.down(out.channels.back()));
    down = tables.down(out.channels.back());
    at = port.peer;
  }
}

TEST(GraphModel, UpDownIsLegalAndShortestOfTheLegal) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const Graph graph(random_parts(seed));
    const GraphTables tables = GraphTables::up_down(graph);
    for (int n = 0; n < graph.nodes(); ++n) {
      // All legal ways by relaxation over (switch, came down), independent of the tables' own search.
      const size_t count = static_cast<size_t>(graph.switches());
      std::vector<int> left[2] = {std::vector<int>(count, 1'000), std::vector<int>(count, 1'000)};
      left[0][static_cast<size_t>(graph.node(n).at)] = left[1][static_cast<size_t>(graph.node(n).at)] = 0;
      for (int round = 0; round < 2 * graph.switches(); ++round) {
        for (int c = 0; c < graph.channels(); ++c) {
          const Graph::Link& l = graph.links()[static_cast<size_t>(c / 2)];
          const auto from = static_cast<size_t>(c % 2 == 0 ? l.a : l.b),
                     to = static_cast<size_t>(c % 2 == 0 ? l.b : l.a);
          const bool down = tables.down(c);
          left[0][from] = std::min(left[0][from], left[down][to] + 1);
          if (down) left[1][from] = std::min(left[1][from], left[1][to] + 1);
        }
      }
      for (int s = 0; s < graph.switches(); ++s) {
        const Way found = way(graph, tables, s, n);
        EXPECT_TRUE(found.legal);
        EXPECT_EQ(static_cast<int>(found.channels.size()), left[0][static_cast<size_t>(s)]) << "seed " << seed;
      }
    }
  }
}

TEST(GraphModel, ShortestWaysAreShortestAndDeadlockOnARing) {
  const Graph graph(ring(5));
  const GraphTables tables = GraphTables::shortest(graph);
  for (int n = 0; n < 5; ++n) {
    for (int s = 0; s < 5; ++s)
      EXPECT_EQ(way(graph, tables, s, n).channels.size(),
                static_cast<size_t>(std::min((n - s + 5) % 5, (s - n + 5) % 5)));
  }
  const GraphCheck check = check_tables(graph, tables, 1);
  EXPECT_EQ(check.cycle.size(), 5u);
  const std::set<std::string> named(check.cycle.begin(), check.cycle.end());
  EXPECT_TRUE(named.count("s0 -> s1 VC 0") == 1 || named.count("s1 -> s0 VC 0") == 1);
}

/// Ways that are as good are shared by number of the node, at every switch.
TEST(GraphModel, NodesTakeTurnsAtShortestWaysThatAreAsGood) {
  const Graph graph(parts(3, {{0, 1, 1}, {0, 1, 1}, {0, 1, 1}, {1, 2, 1}, {1, 2, 1}}, 4));
  const GraphTables tables = GraphTables::shortest(graph);
  const auto expect_turns = [&](int at, int to, int first, int ways) {
    for (int n = 0; n < graph.nodes(); ++n) {
      if (graph.node(n).at != to) continue;
      EXPECT_EQ(graph.channel(at, tables.at(at, n, false).port) / 2, first + n % ways) << at << " to node " << n;
    }
  };
  expect_turns(0, 1, 0, 3);
  expect_turns(1, 0, 0, 3);
  expect_turns(0, 2, 0, 3);
  expect_turns(1, 2, 3, 2);
  expect_turns(2, 1, 3, 2);
  expect_turns(2, 0, 3, 2);
}

/// A ring in one direction; with `changes` on virtual channel 0 up to the link from the last switch to the first, and
/// on 1 behind it.
GraphTables dateline(const Graph& graph, bool changes) {
  GraphTables out(graph);
  for (int n = 0; n < graph.nodes(); ++n) {
    for (int s = 0; s < graph.switches(); ++s) {
      const bool own = graph.node(n).at == s;
      const auto vc = static_cast<uint8_t>(changes && graph.node(n).at > s ? 1 : 0);
      out.set(s, n,
              {static_cast<uint8_t>(own ? graph.node_port(n) : graph.port_towards(s, (s + 1) % graph.switches())),
               own ? GraphTables::kNone : vc});
    }
  }
  return out;
}

TEST(GraphModel, ADatelineBreaksTheCycle) {
  const Graph graph(ring(6));
  EXPECT_FALSE(check_tables(graph, dateline(graph, false), 2).cycle.empty());
  EXPECT_TRUE(check_tables(graph, dateline(graph, true), 2).cycle.empty());
  EXPECT_NE(check_tables(graph, dateline(graph, true), 1).wrong.find("virtual channel 1 of 1"), std::string::npos);
}

TEST(GraphModel, TablesThatDoNotServeAreNamed) {
  const Graph graph(ring(4));
  EXPECT_NE(check_tables(graph, GraphTables(graph), 1).wrong.find("find no entry at"), std::string::npos);
  EXPECT_EQ(check_tables(graph, GraphTables(graph), 1).wrong, "packets from 'n0' to 'n0' find no entry at 's0'")
      << "the first of all pairs that are not served";
  GraphTables circle = dateline(graph, false);
  circle.set(2, 2, {static_cast<uint8_t>(graph.port_towards(2, 3))});
  EXPECT_NE(check_tables(graph, circle, 1).wrong.find("go round in a circle"), std::string::npos);
  GraphTables other = dateline(graph, false);
  GraphTables beyond = dateline(graph, false);
  beyond.set(1, 3, {static_cast<uint8_t>(graph.ports(1).size())});
  EXPECT_NE(check_tables(graph, beyond, 1).wrong.find("are sent to a port that is not there at 's1'"),
            std::string::npos);
  other.set(1, 3, {static_cast<uint8_t>(graph.node_port(1))});
  EXPECT_NE(check_tables(graph, other, 1).wrong.find("are sent to node 'n1'"), std::string::npos);
}

TEST(GraphModel, RefusesWhatIsNoNetwork) {
  const auto refused = [](Graph::Parts p) { return error_text([&] { Graph graph(std::move(p)); }); };
  EXPECT_EQ(refused(ring(4)), "");
  EXPECT_NE(refused(parts(3, {{0, 1, 1}})).find("no way leads from switch 's2'"), std::string::npos);
  EXPECT_NE(refused(parts(2, {{0, 0, 1}})).find("to itself"), std::string::npos);
  EXPECT_NE(refused(parts(2, {{0, 1, 0}})).find("latency 0"), std::string::npos);
  EXPECT_EQ(refused(parts(2, {{0, 1, 1023}})), "");
  EXPECT_EQ(refused(parts(2, {{0, 1, 1024}})), "graph: link 0 has latency 1024, must be 1..1023");
  EXPECT_EQ(refused(parts(2, std::vector<Graph::Link>(61, {0, 1, 1}))), "") << "and a node";
  EXPECT_EQ(refused(parts(2, std::vector<Graph::Link>(62, {0, 1, 1}))),
            "graph: switch 's0' has 63 ports, at most 62 are possible");
  Graph::Parts p = ring(4);
  p.nodes[1].address = p.nodes[3].address;
  EXPECT_NE(refused(p).find("same address"), std::string::npos);
  p = ring(4);
  p.address_width = 3;
  EXPECT_NE(refused(p).find("does not fit into address_width 3"), std::string::npos);
  p = ring(4);
  p.nodes[0].name = "s2";
  EXPECT_NE(refused(p).find("'s2'"), std::string::npos);
  p = ring(4);
  p.nodes.clear();
  EXPECT_EQ(refused(p), "graph: there is no node");
  EXPECT_EQ(refused({}), "graph: there is no switch");
  p = ring(4);
  p.address_width = 18;
  EXPECT_EQ(refused(p), "");
  for (const int width : {-1, 19}) {
    p = ring(4);
    p.address_width = width;
    EXPECT_EQ(refused(p), "graph: address_width is " + std::to_string(width) + ", must be 1..18");
  }
}

Config run_of(Graph::Parts p, const std::string& routing, double load) {
  Config c = on_graph(Graph(std::move(p)));
  c.routing = routing;
  c.load = load;
  c.warmup = 500;
  c.sample = 4000;
  c.drain = 0;  // domains change the cycle in which a drained run ends
  return c;
}

/// One packet at a time between all pairs: 2 + latency cycles a link of the tables' way, and a cycle for every further
/// flit.
TEST(Graph, AllPairsArriveInTheClosedForm) {
  for (const int flits : {1, 5}) {
    for (uint64_t seed = 1; seed <= 8; ++seed) {
      Graph::Parts p = random_parts(seed);
      for (size_t s = 0; s < p.switches.size(); ++s) p.switches[s].domain = static_cast<int>(s % seed % 3 % 2);
      Config c = run_of(p, "up_down", 0);
      const Graph& graph = graph_of(c).graph();
      auto trace = std::make_shared<traffic::PacketTrace>();
      trace->nodes = graph.nodes();
      for (int a = 0; a < graph.nodes(); ++a) {
        for (int b = 0; b < graph.nodes(); ++b) {
          trace->packets.push_back({static_cast<uint32_t>(trace->packets.size() * 150), static_cast<uint32_t>(a),
                                    static_cast<uint32_t>(b), static_cast<uint8_t>(flits)});
        }
      }
      c.trace = trace;
      c.warmup = 0;
      c.sample = trace->cycles();
      c.drain = 1000;
      const auto simulation = make_simulation(c);
      size_t seen = 0;
      simulation->on_delivery([&](const Delivery& d) {
        const traffic::TracePacket& sent = trace->packets.at(d.flit.born / 150);
        EXPECT_EQ(d.flit.dest, graph.node(static_cast<int>(sent.dest)).address);
        uint32_t expected = 1 + static_cast<uint32_t>(flits - 1);
        const Way found = way(graph, graph_of(c).tables("up_down"), graph.node(static_cast<int>(sent.source)).at,
                              static_cast<int>(sent.dest));
        for (int channel : found.channels)
          expected += static_cast<uint32_t>(2 + graph.links()[static_cast<size_t>(channel / 2)].latency);
        EXPECT_EQ(d.latency(), expected) << "seed " << seed << ", packet " << d.flit.born / 150;
        EXPECT_EQ(d.flit.hops, found.channels.size());
        ++seen;
      });
      const Result r = simulate(*simulation);
      EXPECT_EQ(seen, trace->packets.size());
      EXPECT_TRUE(r.conservation_ok);
    }
  }
}

TEST(Graph, ThreadsAndDomainsChangeNothing) {
  for (uint64_t seed = 11; seed <= 16; ++seed) {
    Graph::Parts p = random_parts(seed);
    const Result whole = simulate(run_of(p, "up_down", 0.3));
    EXPECT_TRUE(whole.conservation_ok);
    EXPECT_GT(whole.delivered, 1000u);
    for (size_t s = 0; s < p.switches.size(); ++s) p.switches[s].domain = static_cast<int>(s % 3);
    for (const int threads : {1, 2, 3}) {
      Config c = run_of(p, "up_down", 0.3);
      c.threads = threads;
      const Result parted = simulate(c);
      EXPECT_EQ(parted.digest, whole.digest) << "seed " << seed << ", " << threads << " threads";
      EXPECT_TRUE(parted.conservation_ok);
    }
  }
}

TEST(Graph, UpDownKeepsMovingAtFullLoad) {
  for (uint64_t seed = 21; seed <= 26; ++seed) {
    Config c = run_of(random_parts(seed), "up_down", 1.0);
    c.router.lengths = {1, 5, 8};
    c.router.switching = seed % 2 == 0 ? Switching::wormhole : Switching::cut_through;
    c.link("link").buffer = 8;
    c.watchdog = 300;
    const Result r = simulate(c);
    EXPECT_EQ(r.deadlock, "");
    EXPECT_TRUE(r.conservation_ok);
    EXPECT_GT(r.accepted, 0.01);
  }
}

/// A program whose packet is on a link that takes longer than the watchdog waits is not stuck.
TEST(Graph, ALinkLongerThanTheWatchdogIsNoDeadlock) {
  Config c = run_of(parts(3, {{0, 1, 1000}, {1, 2, 1}}), "up_down", 0);
  workload::Workload program;
  program.jobs = {workload::read_goal("num_ranks 2 rank 0 { send 64b to 1 } rank 1 { recv 64b from 0 }")};
  c.workload = std::make_shared<const workload::Workload>(std::move(program));
  c.warmup = 0;
  c.sample = 100'000;
  c.watchdog = 100;
  const Result r = simulate(c);
  EXPECT_EQ(r.deadlock, "");
  EXPECT_EQ(r.programs->unfinished_ranks, 0u) << r.programs->waits;
  EXPECT_GT(r.programs->time_cycles, 1000u);
}

/// Switches in a line, a node at each end.
Graph::Parts line(int switches, int latency) {
  std::vector<Graph::Link> links;
  for (int s = 0; s + 1 < switches; ++s) links.push_back({s, s + 1, latency});
  Graph::Parts out = parts(switches, links, 0);
  out.nodes = {{"first", 0, 1}, {"last", switches - 1, 2}};
  return out;
}

/// A run on such a line from its first cycle on, with time for all to arrive.
Config along(int switches, int latency) {
  Config c = run_of(line(switches, latency), "up_down", 0.01);
  c.warmup = 0;
  c.sample = 2000;
  c.drain = 2000 + static_cast<uint64_t>(switches) * static_cast<uint64_t>(latency + 4);
  return c;
}

/// docs/mesh.md §7: no packet can have arrived before the longest way is over.
TEST(Graph, AWayLongerThanTheWatchdogIsNoDeadlock) {
  Config c = along(100, 1000);
  c.watchdog = 2000;
  const Result r = simulate(c);
  EXPECT_EQ(r.deadlock, "");
  EXPECT_EQ(r.unfinished, 0u);
  EXPECT_GT(r.latency.samples(), 0u);
  EXPECT_GE(r.latency.percentile(0), 99'000u) << "99 links";
  for (const int domains : {1, 2}) {  // three cycles a link, whatever the windows of domains
    Config near = along(1000, 1);
    near.watchdog = 500;
    near.domains = domains;
    const Result n = simulate(near);
    EXPECT_EQ(n.deadlock, "") << domains;
    EXPECT_EQ(n.unfinished, 0u) << domains;
  }
}

/// docs/network.md §6: of more links than 253 a flit says no more than whether they are even.
TEST(Graph, WaysOfManyLinksCountAsSuch) {
  Flit flit;
  for (int links = 0; links <= 600; ++links) {
    EXPECT_EQ(flit.hops, links < 254 ? links : 254 + links % 2);
    flit.vc = 15, flit.length = 1;
    flit = flit.moved(3);
    EXPECT_EQ(flit.vc, 3);
    EXPECT_EQ(flit.length, 1);
  }
  for (const int switches : {254, 255, 256, 300}) {
    const Result r = simulate(along(switches, 1));
    EXPECT_EQ(r.hops[static_cast<size_t>(std::min(switches - 1, 254))], r.latency.samples()) << switches;
    EXPECT_GT(r.latency.samples(), 0u);
  }
}

TEST(Graph, ACycleIsRefusedWithItsChannelsAndRunsOnlyWhenAllowed) {
  Config c = run_of(ring(6), "shortest", 1.0);
  c.traffic = "shift+2";
  const std::string why = error_text([&] { make_simulation(c); });
  EXPECT_NE(why.find("can deadlock"), std::string::npos) << why;
  EXPECT_NE(why.find("s0 -> s1 VC 0, s1 -> s2 VC 0"), std::string::npos) << why;
  EXPECT_NE(why.find("--allow-cycles"), std::string::npos) << why;
  c.allow_cycles = true;
  c.router.lengths = {8};
  c.router.switching = Switching::wormhole;
  c.link("link").buffer = 2;
  c.watchdog = 500;
  c.sample = 20'000;
  const Result r = simulate(c);
  EXPECT_NE(r.deadlock.find("waits for channel s"), std::string::npos) << r.deadlock;
  EXPECT_TRUE(r.conservation_ok);
  c.routing = "up_down";  // the same traffic on the same network
  EXPECT_EQ(simulate(c).deadlock, "");
}

TEST(Graph, GivenTablesDecide) {
  const Graph graph(ring(6));
  Config c(std::make_shared<GraphTopology>(graph, -1, dateline(graph, true)));
  EXPECT_EQ(c.routing, "tables");
  c.router.vcs = 2;
  c.load = 0.2;
  c.warmup = 500;
  c.sample = 5000;
  c.watchdog = 500;
  const Result r = simulate(c);
  EXPECT_TRUE(r.conservation_ok);
  EXPECT_EQ(r.deadlock, "");
  EXPECT_GT(r.hops[5], 0u);  // one direction only
  EXPECT_NE(error_text([&] { make_simulation(run_of(ring(6), "tables", 0.1)); }).find("comes without tables"),
            std::string::npos);
}

TEST(Graph, RefusesWhatDoesNotFit) {
  Config c = run_of(ring(4), "up_down", 0.1);
  c.traffic = "shift+4";
  EXPECT_NE(error_text([&] { make_simulation(c); }).find("I in 1..3"), std::string::npos);
  c = run_of(ring(4), "dor", 0.1);
  EXPECT_NE(error_text([&] { make_simulation(c); }).find("unknown on a graph"), std::string::npos);
  Graph::Parts uneven = ring(40);
  for (int s = 1; s < 30; ++s) uneven.switches[static_cast<size_t>(s)].domain = s;
  EXPECT_NE(error_text([&] { run_of(uneven, "up_down", 0.1); }).find("domains"), std::string::npos);
  // A domain of `most` switches and 15 of one: room for up to 8 times as many as there are.
  const auto domains = [](int most) {
    Graph::Parts p = ring(most + 15);
    for (int s = 0; s < 15; ++s) p.switches[static_cast<size_t>(most + s)].domain = 1 + s;
    return error_text([&] { run_of(p, "up_down", 0.1); });
  };
  EXPECT_EQ(domains(15), "");
  EXPECT_EQ(domains(16),
            "graph: the domains of the switches are too different in size: 16 of up to 16 switches hold 31");
  c = run_of(parts(1, {}, 1), "up_down", 0);
  EXPECT_EQ(error_text([&] { make_simulation(c); }), "");
  c.load = 0.1;
  EXPECT_EQ(error_text([&] { make_simulation(c); }), "network: traffic needs two nodes, test has one");
}

/// Every registered part can be found by its name, and says what keeps it free of deadlock.
TEST(Registry, EveryPartIsComplete) {
  for (const Routing& r : known_routings()) {
    EXPECT_FALSE(r.text.empty() || r.order.empty() || r.make == nullptr || r.vcs < 1) << r.name;
    const auto& kinds = known_topologies();
    EXPECT_TRUE(std::any_of(kinds.begin(), kinds.end(), [&](const TopologyKind& k) { return k.name == r.topology; }))
        << r.name;
  }
  EXPECT_EQ(make_topology("mesh:4x3")->name(), "mesh 4x3");
  EXPECT_EQ(make_topology("dragonfly:2,4,2,9")->nodes(), 72);
  for (const char* text : {"cube:3", "graph:my.json"})  // only --topology reads a graph's file
    EXPECT_NE(error_text([&] { make_topology(text); }).find("expected dragonfly:SIZE|P,A,H,G"), std::string::npos);
  const Config mesh(make_topology("mesh:4x3")), torus(make_topology("torus:4x3"));
  EXPECT_EQ(error_text([&] { mesh_of(torus); }), "network: torus 4x3 is no mesh");
  EXPECT_EQ(error_text([&] { torus_of(mesh); }), "network: mesh 4x3 is no torus");
  EXPECT_EQ(error_text([&] { graph_of(mesh); }), "network: mesh 4x3 is no graph");
  EXPECT_EQ(error_text([&] { fat_tree_of(mesh); }), "network: mesh 4x3 is no fat-tree");
  EXPECT_EQ(error_text([&] { dragonfly_of(mesh); }), "network: mesh 4x3 is no dragonfly");
}

TEST(Registry, ATopologyHasANameOfItsOwnAndIsMadeOfText) {
  const auto parse = [](const std::string& text) { return make_topology("mesh:" + text); };
  std::vector<TopologyKind> all{{"mesh", "KxK..", "", parse}};
  register_topology({"grid", "KxK..", "", parse}, all);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[1].name, "grid");
  EXPECT_EQ(error_text([&] { register_topology({"mesh", "N", "", parse}, all); }), "topology 'mesh' is there already");
  EXPECT_EQ(all.size(), 2u);
  const size_t known = known_topologies().size();
  EXPECT_EQ(error_text([&] {
              add_topology({"grid", "KxK..", "", nullptr});
            }),
            "topology 'grid' is made of nothing, expected .parse");
  EXPECT_EQ(error_text([&] { add_topology({"torus", "KxK..", "", parse}); }), "topology 'torus' is there already");
  EXPECT_EQ(known_topologies().size(), known);
}

/// Behind it a routing may be for that kind: a program that uses the engine as a library has both.
TEST(Registry, AnAddedTopologyIsOneAsTheOthers) {
  EXPECT_THROW(make_topology("grid:2x2"), Error);
  add_topology({"grid", "KxK..", "a mesh", [](const std::string& text) { return make_topology("mesh:" + text); }});
  EXPECT_EQ(make_topology("grid:4x3")->name(), "mesh 4x3");
  EXPECT_NE(error_text([] { make_topology("cube:3"); }).find("grid:KxK.."), std::string::npos);
  add_routing({.name = "own", .topology = "grid", .make = known_routings().front().make});
  EXPECT_EQ(routing_names("grid"), std::vector<std::string>{"own"});
}

/// A name may come again only where it offers what those before it do not.
TEST(Registry, ARoutingThatNoRunWouldChooseIsRefused) {
  std::vector<Routing> all{{.name = "own", .topology = "mesh", .pipeline = true}};
  const auto error = [&all](Routing r) {
    r.make = known_routings().front().make;
    return error_text([&] { register_routing(r, all); });
  };
  EXPECT_EQ(error({.name = "own", .topology = "mesh"}), "routing 'own' of a mesh is there already");
  EXPECT_EQ(error({.name = "own", .topology = "mesh", .pipeline = true}), "routing 'own' of a mesh is there already");
  EXPECT_EQ(error({.name = "own", .topology = "meshh"}),
            "routing 'own' is for a 'meshh', which is no kind of topology");
  EXPECT_EQ(error_text([&] { register_routing({.name = "none", .topology = "mesh"}, all); }),
            "routing 'none' makes no engine, expected .make");
  EXPECT_EQ(all.size(), 1u);
  for (const Routing& r : {Routing{.name = "own", .topology = "torus"}, Routing{.name = "mine", .topology = "mesh"},
                           Routing{.name = "own", .topology = "mesh", .arrival = true},
                           Routing{.name = "own", .topology = "mesh", .faults = true}})
    EXPECT_EQ(error(r), "");
  EXPECT_EQ(all.size(), 5u);
}

}  // namespace
}  // namespace odonata::network
