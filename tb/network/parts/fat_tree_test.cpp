// SPDX-License-Identifier: Apache-2.0
// The fat-tree on the engine: the paper's latencies without load, ways as the model has them, faults before and after
// the tables know, deadlocks.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "models/common/error.h"
#include "models/vtftr/dependency.h"
#include "models/vtftr/fault_sets.h"
#include "models/vtftr/golden_device.h"
#include "models/vtftr/path.h"
#include "models/vtftr/tree_route.h"
#include "sim/network/policies/common/fat_tree_policy.h"
#include "sim/network/policies/common/tree_policy.h"
#include "sim/network/route_hardware.h"
#include "sim/network/routing.h"
#include "sim/network/topologies/fat_tree.h"
#include "tb/common/error_text.h"
#include "tb/network/resumed.h"

namespace odonata::network {
namespace {

using vtftr::LeafId;

fault::Fault fault_of(const Config& c, LeafId leaf) {
  return {.is_router = true, .router = {0, fat_tree_of(c).tree().leaf(leaf.x, leaf.y)}};
}

/// Leaves dead from the first cycle on.
Config tree_with(const std::string& size, const std::vector<LeafId>& dead = {},
                 Reconfigure reconfigure = Reconfigure::at_once) {
  Config c = on_fat_tree(FatTree::parse(size));
  for (const LeafId leaf : dead) c.faults.events.push_back({fault_of(c, leaf), false, 1});
  c.fat_tree.reconfigure = reconfigure;
  c.warmup = 500;
  c.sample = 1000;
  c.drain = 3000;
  c.watchdog = 1000;
  return c;
}

double ns(const Config& c, uint32_t cycles) { return c.fat_tree.fixed_ns + c.fat_tree.ns_per_cycle * cycles; }

std::string reason(const Config& c) {
  return error_text([&] { make_simulation(c); });
}

/// Packets far apart, between all pairs of live leaves: every one has the latency of its links and, of `vtftr`, a way
/// that the model has, too. Packets by links.
std::map<int, int> check_alone(const Config& given, const std::vector<LeafId>& dead, const std::vector<LeafId>& known) {
  Config c = given;
  const FatTree& tree = fat_tree_of(c).tree();
  const vtftr::Scene scene{tree, vtftr::FaultSet(tree, dead), vtftr::Knowledge(vtftr::FaultSet(tree, known)), {}};
  const auto trace = std::make_shared<traffic::PacketTrace>();
  trace->nodes = tree.num_nodes();
  uint32_t cycle = 400;  // everything is known by then
  for (int from = 0; from < tree.num_leaves(); ++from) {
    for (int to = 0; to < tree.num_leaves(); ++to) {
      const auto is_dead = [&](int leaf) { return scene.dead.test(leaf % tree.columns(), leaf / tree.columns()); };
      if (is_dead(from) || is_dead(to)) continue;
      trace->packets.push_back({cycle += 100, static_cast<uint32_t>(tree.node(from, 1)),
                                static_cast<uint32_t>(tree.node(to, to % tree.p())), 1});
    }
  }
  c.trace = trace;
  c.warmup = 0;
  c.sample = cycle + 1;
  const auto simulation = make_simulation(c);
  std::map<int, int> links;
  simulation->on_delivery([&](const Delivery& d) {
    ++links[d.flit.hops];
    EXPECT_EQ(d.latency(), 1u + 7u * d.flit.hops);
    if (c.routing != "vtftr") return;
    const int from = static_cast<int>(d.flit.source) / tree.p(), to = static_cast<int>(d.flit.dest) / tree.p();
    const auto at = [&](int leaf) { return LeafId{leaf % tree.columns(), leaf / tree.columns()}; };
    bool found = false;
    for (const vtftr::Path& p : vtftr::all_paths(scene, at(from), at(to), static_cast<int>(d.flit.dest) % tree.p()))
      found |= p.outcome == vtftr::Outcome::delivered && 2 * p.hops.size() == d.flit.hops;
    EXPECT_TRUE(found) << from << " to " << to << " over " << int{d.flit.hops} << " links";
  });
  const Result r = simulate(*simulation);
  EXPECT_TRUE(r.conservation_ok);
  EXPECT_EQ(r.delivered, trace->packets.size());
  return links;
}

// VTFTR §3.2: 237 ns over 4 links, 307 over 6, 377 over 8.
TEST(FatTree, LatenciesWithoutLoadAreThePapers) {
  const Config c = tree_with("4,4,2,2");
  EXPECT_EQ(ns(c, 1 + 4 * 7), 237);
  EXPECT_EQ(ns(c, 1 + 6 * 7), 307);
  EXPECT_EQ(ns(c, 1 + 8 * 7), 377);
  EXPECT_EQ(check_alone(c, {}, {}), (std::map<int, int>{{0, 16}, {2, 96}, {4, 144}}));
}

TEST(FatTree, KnownFaultsCostNoLinkOrTwoMore) {
  const std::vector<LeafId> one{{2, 0}}, two{{2, 0}, {0, 2}};
  EXPECT_EQ(check_alone(tree_with("4,4,2,2", one), one, one), (std::map<int, int>{{0, 15}, {2, 84}, {4, 126}}));
  EXPECT_EQ(check_alone(tree_with("4,4,2,2", two), two, two)[6], 2) << "two pairs are blocked on both ways";
  EXPECT_EQ(check_alone(tree_with("4,4,2,2", one, Reconfigure::manager), one, one)[6], 0);
  EXPECT_EQ(check_alone(tree_with("4,4,2,2", one, Reconfigure::broadcast), one, one)[6], 0);
}

TEST(FatTree, FreshFaultsCostTwoOrFourLinksMore) {
  const std::vector<LeafId> one{{2, 0}}, two{{2, 0}, {1, 2}};
  EXPECT_EQ(check_alone(tree_with("4,4,2,2", one, Reconfigure::never), one, {})[6], 9) << "(n-1)^2 pairs";
  auto links = check_alone(tree_with("4,4,2,2", two, Reconfigure::never), two, {});
  EXPECT_GT(links[6], 9);
  EXPECT_EQ(links.rbegin()->first, 8) << "a fault behind a misroute";
}

TEST(FatTree, AlgorithmAGoesRoundOverEightLinks) {
  Config c = tree_with("4,4,2,2", {{2, 0}});
  c.routing = "ft_a";
  c.traffic = "alive";
  c.load = 0.05;
  const Result r = simulate(c);
  EXPECT_EQ(r.lost, 0u);
  EXPECT_GT(r.hops[8], 0u);
  EXPECT_GT(r.hops[6], 0u) << "from the turn's column or to its row";
  EXPECT_EQ(r.deadlock, "");
  EXPECT_TRUE(r.conservation_ok);
}

// VTFTR §3.2: round one fault algorithm A takes 4 hops more, 377 ns for 237. So it does here for four of the nine pairs
// that meet it; where its turn leaf lies in the line of the one or of the other it takes two more, for one pair none.
TEST(FatTree, AlgorithmAPairByPair) {
  const std::vector<LeafId> one{{2, 0}};
  Config c = tree_with("4,4,2,2", one);
  c.routing = "ft_a";
  EXPECT_EQ(check_alone(c, one, one), (std::map<int, int>{{0, 15}, {2, 84}, {4, 118}, {6, 4}, {8, 4}}));
}

// VTFTR §3.2, Fig. 6: A's fixed detours fill before those that are drawn; at low load there is no difference.
TEST(FatTree, FixedDetoursFillBeforeDrawnOnes) {
  const auto run = [](const char* routing, double load) {
    Config c = tree_with("8,8,8,8", {{3, 4}});
    c.routing = routing;
    c.traffic = "alive";
    c.load = load;
    c.warmup = 600;
    c.drain = 500;
    return simulate(c);
  };
  const Result drawn = run("vtftr", 0.65), fixed = run("ft_a", 0.65);
  EXPECT_FALSE(drawn.saturated);
  EXPECT_TRUE(fixed.saturated);
  EXPECT_LT(drawn.latency.mean() * 1.5, fixed.latency.mean());
  EXPECT_NEAR(run("vtftr", 0.3).latency.mean(), run("ft_a", 0.3).latency.mean(), 0.5);
}

// VTFTR §3.2, Fig. 6: without faults the fault-tolerant channel is idle and its buffers are missed.
TEST(FatTree, AnIdleChannelCostsBuffers) {
  const auto accepted = [](const char* routing) {
    Config c = tree_with("8,8,8,8");
    c.routing = routing;
    c.load = 1;
    for (LinkClass& l : c.links) l.buffer = 16;
    if (c.routing == "xy") c.router.vcs = 2;
    return simulate(c).accepted;
  };
  EXPECT_LT(accepted("vtftr"), 0.95 * accepted("xy"));
}

// VTFTR §3.2, Fig. 7 and 8: ten faults cost little, in a column, in a row or anywhere: what live leaves accept is
// within 2 % of each other and of what is sent.
TEST(FatTree, TenFaultsCostLittleWhereverTheyAre) {
  std::vector<double> accepted;
  const auto run = [&](const std::vector<LeafId>& dead) {
    Config c = tree_with("16,16,16,16", dead);
    c.traffic = "alive";
    c.load = 0.9;
    c.warmup = 200;
    c.sample = 300;
    c.drain = 0;
    const Result r = simulate(c);
    EXPECT_EQ(r.lost, 0u);
    accepted.push_back(r.accepted * 256 / (256 - static_cast<double>(dead.size())));
  };
  std::vector<LeafId> row, column, all;
  for (int i = 0; i < 10; ++i) {
    row.push_back({i, 5});
    column.push_back({7, i});
    all.push_back({(3 * i + 1) % 16, (5 * i + 2) % 16});
  }
  run({});
  for (const auto& dead : {row, column, all}) run(dead);
  for (const double a : accepted) {
    EXPECT_NEAR(a, 0.9, 0.02 * 0.9);
    EXPECT_NEAR(a, accepted.front(), 0.02 * accepted.front());
  }
}

TEST(FatTree, XyDropsWhatMeetsADeadLeaf) {
  Config c = tree_with("4,4,2,2", {{2, 0}});
  c.routing = "xy";
  c.traffic = "alive";
  const Result r = simulate(c);
  EXPECT_GT(r.unroutable, 0u);
  EXPECT_EQ(r.unroutable, r.drops[static_cast<size_t>(vtftr::DropReason::dead)]);
  EXPECT_TRUE(r.conservation_ok);
}

TEST(FatTree, DropsAreCountedByReason) {
  const FatTree tree = FatTree::named("tiny");
  std::vector<LeafId> lossy;  // three fresh faults: safe drops what would have to turn once more
  vtftr::for_each_fault_set(tree, 3, [&](const std::vector<LeafId>& set) {
    if (!lossy.empty()) return;
    if (!vtftr::explore({tree, vtftr::FaultSet(tree, set), {vtftr::Knowledge(vtftr::FaultSet(tree))}, {}}).full())
      lossy = set;
  });
  Config c = tree_with("4,4,2,2", lossy, Reconfigure::never);
  c.load = 0.3;
  const Result r = simulate(c);
  uint64_t sum = 0;
  for (const uint64_t n : r.drops) sum += n;
  EXPECT_EQ(sum, r.unroutable);
  EXPECT_GT(r.drops[static_cast<size_t>(vtftr::DropReason::dead)], 0u) << "packets for dead leaves";
  EXPECT_GT(r.drops[static_cast<size_t>(vtftr::DropReason::virtual_channel)] +
                r.drops[static_cast<size_t>(vtftr::DropReason::no_port)],
            0u);
  EXPECT_EQ(r.drops[static_cast<size_t>(vtftr::DropReason::loop)], 0u);
  EXPECT_EQ(r.drops[static_cast<size_t>(vtftr::DropReason::turn)], 0u);
  EXPECT_TRUE(r.conservation_ok);
}

// docs/vtftr.md §3: the cycle of four channels becomes a deadlock of packets.
TEST(FatTree, PrintedRulesDeadlockWithTwoFreshFaultsAndSafeOnesDoNot) {
  Config c = tree_with("3,3,4,1", {{0, 0}, {1, 1}}, Reconfigure::never);
  const FatTree& tree = fat_tree_of(c).tree();
  const auto trace = std::make_shared<traffic::PacketTrace>();  // all of the two leaves beside (0,0) to (0,1)
  trace->nodes = tree.num_nodes();
  for (uint32_t cycle = 10; cycle < 3000; ++cycle) {
    for (const int from : {tree.leaf(1, 0), tree.leaf(2, 0)})
      for (int i = 0; i < tree.p(); ++i)
        trace->packets.push_back({cycle, static_cast<uint32_t>(tree.node(from, i)),
                                  static_cast<uint32_t>(tree.node(tree.leaf(0, 1), i)), 1});
  }
  c.trace = trace;
  c.warmup = 0;
  c.sample = trace->cycles();
  c.drain = 200'000;
  for (LinkClass& l : c.links) l.buffer = 1;
  const Result safe = simulate(c);
  EXPECT_EQ(safe.deadlock, "");
  EXPECT_TRUE(safe.conservation_ok);
  c.faults.mode = fault::Mode::paper;
  const Result paper = simulate(c);
  EXPECT_NE(paper.deadlock.find("waits for x-up"), std::string::npos) << paper.deadlock;
  EXPECT_NE(paper.deadlock.find("in VC 1"), std::string::npos) << paper.deadlock;
}

TEST(FatTree, TwoFaultsBreakAlgorithmAUnlessTheTurnIsCommon) {
  Config c = tree_with("4,4,2,2", {{0, 0}, {2, 1}});
  c.routing = "ft_a";
  c.traffic = "alive";
  c.load = 1;
  c.sample = 20'000;
  for (LinkClass& l : c.links) l.buffer = 1;
  EXPECT_NE(simulate(c).deadlock, "");
  c.fat_tree.common_turn_leaf = true;
  const Result common = simulate(c);
  EXPECT_EQ(common.deadlock, "");
  EXPECT_EQ(common.lost, 0u);
}

TEST(FatTree, ALeafFailsAndComesBackUnderLoad) {
  for (const int flits : {1, 4}) {
    for (const Reconfigure how : {Reconfigure::manager, Reconfigure::broadcast}) {
      Config c = tree_with("4,4,2,2", {}, how);
      const fault::Fault leaf = fault_of(c, {2, 1});
      c.faults.events = {{leaf, false, 1000}, {leaf, true, 4000}};
      c.router.lengths = {flits};
      c.load = 0.4;
      c.sample = 6000;
      const Result r = simulate(c);
      EXPECT_TRUE(r.conservation_ok);
      EXPECT_EQ(r.deadlock, "");
      EXPECT_GT(r.lost, 0u);
      EXPECT_EQ(r.faults.detected, 1004) << "16 ns";
      EXPECT_TRUE(r.faults.quiet);
      EXPECT_TRUE(r.faults.tables_ok);
      EXPECT_TRUE(r.faults.restored);
      EXPECT_LT(r.unfinished, 50u);
    }
  }
}

// Two leaves across a corner cut a 2x2 tree in two: the other half keeps what it knows, and no table is wrong.
TEST(FatTree, WhomTheManagerCannotReachHasNoWrongTables) {
  for (const char* routing : {"vtftr", "ft_a"}) {
    for (const Reconfigure how : {Reconfigure::manager, Reconfigure::broadcast, Reconfigure::at_once}) {
      Config c = tree_with("2,2,1,1", {}, how);
      c.routing = routing;
      c.faults.events = {{fault_of(c, {0, 0}), false, 200}, {fault_of(c, {1, 1}), false, 200}};
      c.load = 0.2;
      c.sample = 3000;
      const Result r = simulate(c);
      EXPECT_TRUE(r.faults.quiet) << routing;
      EXPECT_TRUE(r.faults.tables_ok) << routing;
      EXPECT_TRUE(r.conservation_ok) << routing;
    }
  }
}

// The roots of (0,0) have no way to the manager at (1,1), the only leaf alive: it hears of (1,0) and (0,1) only. When
// all come back it tells each what it has missed.
TEST(FatTree, TheManagerDoesNotHearOfALeafWhoseRootsAreCutOff) {
  Config c = tree_with("2,2,1,1", {}, Reconfigure::manager);
  for (const bool repair : {false, true}) {
    for (const auto& leaf : {std::pair{0, 0}, {1, 0}, {0, 1}})
      c.faults.events.push_back({fault_of(c, {leaf.first, leaf.second}), repair, repair ? 2700u : 371u});
  }
  const FatTreeSchedule schedule(c);
  EXPECT_TRUE(schedule.known.back() == vtftr::FaultSet(fat_tree_of(c).tree()));
  EXPECT_FALSE(schedule.known[0].test(0, 0));
  EXPECT_TRUE(schedule.known[2].test(0, 1));
  c.load = 0.2;
  c.sample = 6000;
  const Result r = simulate(c);
  EXPECT_TRUE(r.faults.quiet);
  EXPECT_TRUE(r.faults.tables_ok);
  EXPECT_TRUE(r.faults.restored);
}

// 4x4, the manager at (0,0): 16 + 3*35 + 48 + 1000 + 48, then 4*35 + 2 for the leaves.
TEST(FatTree, TablesAreWrittenInTheManagersCycles) {
  Config c = tree_with("4,4,2,2", {}, Reconfigure::manager);
  c.faults.events = {{fault_of(c, {2, 1}), false, 1000}};
  const Result r = simulate(c);
  EXPECT_EQ(r.faults.detected, 1004);
  EXPECT_EQ(r.faults.last_write, 1000 + (16 + 105 + 48 + 1000 + 48 + 140 + 2 + 4) / 5);
  EXPECT_TRUE(r.faults.tables_ok);
  EXPECT_FALSE(r.faults.restored);
}

// Without a manager: roots by their neighbours after 2 hops and their walk, 16 + 70 + 7; leaves that are not told of
// the fault hear of cf a hop after the roots, 16 + 105 + 2.
TEST(FatTree, WithoutAManagerLeavesHearAHopAfterTheRoots) {
  Config c = tree_with("4,4,2,2", {}, Reconfigure::broadcast);
  c.faults.events = {{fault_of(c, {2, 1}), false, 1000}};
  const FatTreeSchedule schedule(c);
  std::map<bool, uint32_t> last;  // of roots, of leaves
  for (const FatTreeSchedule::Update& u : schedule.updates) last[u.at_leaf] = std::max(last[u.at_leaf], u.cycle);
  EXPECT_EQ(last[false], 1000u + (16 + 70 + 7 + 4) / 5);
  EXPECT_EQ(last[true], 1000u + (16 + 105 + 2 + 4) / 5);
  EXPECT_EQ(simulate(c).faults.last_write, last[true]);
}

TEST(FatTree, AliveTrafficIsAmongLeavesThatNeverFail) {
  for (const LeafId leaf : {LeafId{0, 0}, LeafId{2, 1}, LeafId{3, 3}}) {
    Config c = tree_with("4,4,2,2", {}, Reconfigure::manager);
    c.faults.events = {{fault_of(c, leaf), false, 800}};
    c.traffic = "alive";
    c.load = 0.5;
    std::set<uint32_t> seen;
    const auto simulation = make_simulation(c);
    simulation->on_delivery([&](const Delivery& d) { seen.insert(d.flit.dest / 2); });
    simulate(*simulation);
    EXPECT_EQ(seen.size(), 15u);
    EXPECT_EQ(seen.count(static_cast<uint32_t>(leaf.y * 4 + leaf.x)), 0u);
  }
}

/// A leaf with a dead link goes on: its nodes have traffic.
TEST(FatTree, ALinkThatFailsLeavesNodesAlive) {
  Config c = on_fat_tree(FatTree::parse("2,2,1,1"));
  c.traffic = "alive";
  for (const int leaf : {0, 1, 2})
    c.faults.events.push_back({{.is_router = false, .router = {0, leaf}, .port = 1}, false, 100});
  EXPECT_EQ(error_text([&c] { c.topology->check_traffic(c); }), "");
}

/// Switches of 64 ports, which the pins of a route unit have, can be routed at the arrival.
TEST(FatTree, TheMostPortsOfASwitchAtTheArrival) {
  const auto refusal = [](const char* size) {
    Config c = on_fat_tree(FatTree::parse(size));
    c.route_compute = RouteCompute::arrival;
    c.load = 0;
    c.warmup = 0;
    c.sample = 10;
    return error_text([&c] { simulate(c); });
  };
  EXPECT_EQ(refusal("2,2,32,16"), "");
  EXPECT_NE(refusal("65,2,1,1").find("has switches of more than 64 ports"), std::string::npos);
}

/// The unit's table is written again when its root has heard of another line.
TEST(FatTree, AUnitOfARootIsToldWhatItsRootKnows) {
  const vtftr::UnitSize size{4, 4, 2, 2};
  RouteHardware hardware;
  hardware.root = [&size] { return std::make_unique<vtftr::GoldenRoot>(size); };
  RootLockstep units(hardware, 4);
  uint16_t lfsr = 0xACE1;
  const vtftr::RootConfig config{vtftr::kRow, 1, 4, 4, {}};
  for (const uint64_t mask : {0, 4, 0, 8, 2}) {
    for (int x = 1; x < 4; ++x) {
      vtftr::RootInputs in;
      in.own = 1, in.in_port = 0, in.safe = in.exclude = in.req_valid = true;
      in.req_leaf = static_cast<uint16_t>(3 << 7 | x);
      in.mask.word[0] = mask;
      in.dead = vtftr::LineMap::bit(x);
      const vtftr::RootTables tables{in.dead, in.mask};
      const vtftr::RootDecision d = vtftr::decide_root(config, tables, {x, 3, 0, 0}, lfsr);
      const uint16_t next = lfsr_next(lfsr);
      EXPECT_NO_THROW(units.decide(0, in, lfsr, {d.port, 0, static_cast<int>(d.kind)}, next)) << mask << " " << x;
      lfsr = next;
    }
  }
  EXPECT_EQ(units.compared(), 15u);
}

/// Two nodes are the fewest among which there is traffic.
TEST(FatTree, TrafficOfTwoNodesIsTaken) {
  Config c = on_fat_tree(FatTree::parse("2,2,1,1"));
  const auto refusal = [&c] { return error_text([&c] { c.topology->check_traffic(c); }); };
  c.traffic = "ur";
  EXPECT_EQ(refusal(), "") << "another name of uniform";
  c.traffic = "alive";
  for (const int leaf : {0, 1}) c.faults.events.push_back({{.is_router = true, .router = {0, leaf}}, false, 100});
  EXPECT_EQ(refusal(), "");
  c.faults.events.push_back({{.is_router = true, .router = {0, 2}}, false, 100});
  EXPECT_EQ(refusal(), "network: traffic 'alive' needs two nodes whose leaves do not fail");
}

// Drawn faults leave out no kind of link.
TEST(FatTree, RandomLinksAreOfEveryDimensionAndRail) {
  for (const auto& [size, kinds] : {std::pair{"4,4,2,2", 4u}, std::pair{"5,3,6,3", 6u}, std::pair{"3,3,3,2,2", 6u}}) {
    const Config c = on_fat_tree(FatTree::parse(size));
    Random random(3);
    std::set<std::pair<int, int>> seen;
    std::set<int> leaves;
    for (const fault::Fault& f : c.topology->parse_faults("random-links:50", random, {})) {
      const vtftr::TreeFault link = fat_tree_of(c).tree_fault(f);
      EXPECT_EQ(link.kind, vtftr::TreeFault::Kind::link);
      seen.insert({link.dimension, link.rail});
      leaves.insert(link.leaf);
    }
    EXPECT_EQ(seen.size(), kinds) << size;
    EXPECT_GT(leaves.size(), 10u) << size;
  }
}

TEST(FatTree, ResultsDoNotDependOnThreadsAndCheckpoints) {
  Config c = tree_with("8,4,4,2", {{2, 1}}, Reconfigure::manager);
  c.load = 0.5;
  const Result one = simulate(c);
  EXPECT_GT(one.delivered, 10'000u);
  Config two = c;
  two.threads = 2;
  EXPECT_EQ(simulate(two).digest, one.digest);
  EXPECT_EQ(resumed(c, 300).digest, one.digest);
}

TEST(FatTree, FullSizeRuns) {
  Config c = on_fat_tree(FatTree::named("full"));
  for (LinkClass& l : c.links) l.buffer = 4;
  c.load = 0.02;
  c.warmup = 0;
  c.sample = 30;
  c.drain = 60;
  const Result r = simulate(c);
  EXPECT_EQ(c.topology->nodes(), 124'416);
  EXPECT_TRUE(r.conservation_ok);
  EXPECT_EQ(r.unfinished, 0u);
  EXPECT_GT(r.delivered, 50'000u);
  EXPECT_LT(r.memory_bytes, uint64_t{16} << 30);
}

// ---- beyond the paper (docs/vtftr.md §8)

/// A run with faults by name, from the first cycle on or NAME@CYCLE.
Config tree_failing(const std::string& size, const std::vector<std::string>& fail,
                    Reconfigure reconfigure = Reconfigure::at_once) {
  Config c = tree_with(size, {}, reconfigure);
  Random random(1);
  for (const std::string& name : fail) {
    const size_t at = name.find('@');
    for (const fault::Fault& f : c.topology->parse_faults(name.substr(0, at), random, {}))
      c.faults.events.push_back({f, false, at == std::string::npos ? 1 : std::stoull(name.substr(at + 1))});
  }
  c.traffic = "alive";
  return c;
}

/// Packets far apart between all pairs of live leaves: each takes as many links as one of the model's ways.
void check_tree_alone(Config c, int vcs) {
  const FatTreeTopology& topology = fat_tree_of(c);
  const FatTree& tree = topology.tree();
  vtftr::TreeFaults dead(tree);
  for (const TimedFault& f : c.faults.events) dead.set(topology.tree_fault(f.fault));
  const vtftr::TreeScene scene{dead, {vtftr::TreeKnowledge(dead)}, vcs};
  const auto trace = std::make_shared<traffic::PacketTrace>();
  trace->nodes = tree.num_nodes();
  uint32_t cycle = 400;
  for (int from = 0; from < tree.num_leaves(); ++from)
    for (int to = 0; to < tree.num_leaves(); ++to)
      if (!dead.leaf_dead(from) && !dead.leaf_dead(to))
        trace->packets.push_back({cycle += 100, static_cast<uint32_t>(tree.node(from, 0)),
                                  static_cast<uint32_t>(tree.node(to, to % tree.p())), 1});
  c.trace = trace;
  c.warmup = 0;
  c.sample = cycle + 1;
  const auto simulation = make_simulation(c);
  simulation->on_delivery([&](const Delivery& d) {
    EXPECT_EQ(d.latency(), 1u + 7u * d.flit.hops);
    if (c.routing != "vtftr") return;
    const int from = static_cast<int>(d.flit.source) / tree.p(), to = static_cast<int>(d.flit.dest) / tree.p();
    bool found = false;
    for (const vtftr::TreePath& p : vtftr::all_tree_paths(scene, from, to, tree.rail(static_cast<int>(d.flit.dest))))
      found |= p.outcome == vtftr::Outcome::delivered && 2 * p.hops.size() == d.flit.hops;
    EXPECT_TRUE(found) << from << " to " << to << " over " << int{d.flit.hops} << " links";
  });
  const Result r = simulate(*simulation);
  EXPECT_TRUE(r.conservation_ok);
  EXPECT_EQ(r.delivered, trace->packets.size());
  EXPECT_TRUE(r.faults.tables_ok);
}

TEST(FatTreeBeyond, DeadLinksRootsAndHalfDeadLeavesAreRoutedAsTheModelDoes) {
  check_tree_alone(tree_failing("4,4,2,2", {"link:1,1,row,0", "root:column,2,1"}), 2);
  check_tree_alone(tree_failing("4,4,2,2", {"link:1,1,row,0;link:1,1,row,1", "leaf:2,3"}), 2);
  check_tree_alone(
      tree_failing("4,4,2,2", {"link:1,1,row,0;link:1,1,row,1", "link:3,1,row,0;link:3,1,row,1"}, Reconfigure::manager),
      2);
}

TEST(FatTreeBeyond, ThreeDimensions) {
  check_tree_alone(tree_failing("3,3,3,2,1", {"leaf:1,1,0"}), 3);
  check_tree_alone(tree_failing("4,3,3,2,2", {"leaf:1,0,0", "leaf:0,1,1", "leaf:2,2,2", "link:3,1,1,2,0"}), 3);
  Config c = tree_failing("3,3,3,2,2", {"leaf:1,1,1@800"}, Reconfigure::manager);
  c.load = 0.6;
  c.sample = 3000;
  const Result r = simulate(c);
  EXPECT_TRUE(r.conservation_ok);
  EXPECT_EQ(r.deadlock, "");
  EXPECT_TRUE(r.faults.tables_ok);
  EXPECT_GT(r.delivered, 50'000u);
}

TEST(FatTreeBeyond, WithDeadLeavesAloneItIsVtftr) {
  Config c = tree_with("4,4,2,2", {{2, 0}, {0, 2}});
  c.traffic = "alive";
  c.load = 0.5;
  const Result paper = simulate(c);
  c.routing = "vtftr_k";
  c.router.vcs = 3;
  const Result k = simulate(c);
  c.routing = "vtftr_adaptive";
  c.router.vcs = 2;
  const Result adaptive = simulate(c);
  for (const Result* r : {&k, &adaptive}) {
    EXPECT_EQ(r->lost, 0u);
    EXPECT_NEAR(r->latency.mean(), paper.latency.mean(), 0.02 * paper.latency.mean());
    EXPECT_EQ(r->hops[8], 0u);
    EXPECT_NEAR(static_cast<double>(r->hops[6]), static_cast<double>(paper.hops[6]),
                5.0 * std::sqrt(static_cast<double>(paper.hops[6])));
  }
}

TEST(FatTreeBeyond, LinksAndRootsFailAndComeBackUnderLoad) {
  for (const int flits : {1, 4}) {
    Config c =
        tree_failing("4,4,2,2", {"root:row,1,0@900", "link:2,2,column,1@1500", "leaf:0,3@1510"}, Reconfigure::manager);
    const std::vector<TimedFault> failed = c.faults.events;
    for (const TimedFault& f : failed) c.faults.events.push_back({f.fault, true, f.cycle + 2500});
    c.router.lengths = {flits};
    c.load = 0.4;
    c.sample = 6000;
    const Result r = simulate(c);
    EXPECT_TRUE(r.conservation_ok);
    EXPECT_EQ(r.deadlock, "");
    EXPECT_GT(r.lost, 0u);
    EXPECT_EQ(r.faults.detected, 904);
    EXPECT_TRUE(r.faults.quiet);
    EXPECT_TRUE(r.faults.tables_ok);
    EXPECT_TRUE(r.faults.restored);
    EXPECT_LT(r.unfinished, 50u);
  }
}

// Two of the eight links of a 2x2 tree, a ring, cut it in two. The manager at (0,0) does not hear of a third one
// beyond.
TEST(FatTreeBeyond, WhomTheManagerCannotReachHasNoWrongTables) {
  for (const Reconfigure how : {Reconfigure::manager, Reconfigure::at_once}) {
    Config c = tree_failing("2,2,1,1", {"link:0,0,row,0@200", "link:0,0,column,0@200", "link:1,1,row,0@900"}, how);
    c.load = 0.2;
    c.sample = 3000;
    const Result r = simulate(c);
    EXPECT_TRUE(r.faults.quiet);
    EXPECT_TRUE(r.faults.tables_ok);
    EXPECT_FALSE(r.faults.restored);
  }
}

// As the model has them, in cycles of 5 ns: of one fault; of a second a cycle later, whose report waits for the first.
TEST(FatTreeBeyond, TablesAreWrittenInTheModelsCycles) {
  const auto up = [](int64_t ns) { return (ns + 4) / 5; };
  Config c = tree_failing("4,3,4,2", {"link:1,1,row,0@1000"}, Reconfigure::manager);
  const FatTree tree = fat_tree_of(c).tree();  // c gets another one
  const auto faults = vtftr::parse_tree_faults(tree, "link:1,1,row,0;root:column,2,1");
  const vtftr::TreeTimes one = vtftr::tree_times(vtftr::TreeFaults(tree, {faults[0]}), faults[0], {});
  const Result alone = simulate(c);
  EXPECT_EQ(alone.faults.detected, 1000 + up(16));
  EXPECT_EQ(alone.faults.diagnosis_done, 1000 + up(one.served));
  EXPECT_EQ(alone.faults.last_write, 1000 + up(one.done()));
  c = tree_failing("4,3,4,2", {"link:1,1,row,0@1000", "root:column,2,1@1001"}, Reconfigure::manager);
  const vtftr::TreeFaults both(tree, faults);
  const vtftr::TreeTimes two =
      vtftr::tree_times(both, faults[1], {}, one.served - 5 - vtftr::tree_times(both, faults[1], {}).reported);
  EXPECT_EQ(two.served, one.served - 5 + 1000) << "5 ns after the first";
  const Result together = simulate(c);
  EXPECT_EQ(together.faults.diagnosis_done, 1001 + up(two.served));
  EXPECT_EQ(together.faults.last_write, 1001 + up(two.done()));
}

/// A policy alone, told of all events up to a cycle.
template <class Policy>
class Alone {
 public:
  explicit Alone(Config c) : config_(with_channels(std::move(c))), wiring_(config_.topology->wire(config_)) {}
  Policy& at(uint32_t cycle) {
    for (; now_ <= cycle; ++now_)
      while (policy_.next_event(now_) != nullptr) {
      }
    return policy_;
  }
  const Config& config() const { return config_; }
  const Wiring& wiring() const { return wiring_; }

 private:
  static Config with_channels(Config c) {
    if (c.router.vcs == 0) c.router.vcs = Policy::kVcs;
    return c;
  }
  const Config config_;
  const Wiring wiring_;
  const Context context_{config_, wiring_};
  Policy policy_{context_, 0};
  uint32_t now_ = 0;
};

/// In every cycle both ends of a link are up as long as leaf, root and link live, whatever fails and comes back first.
template <class Policy>
void expect_links_of(const Config& c, uint32_t until) {
  Alone<Policy> alone(c);
  const FatTreeTopology& topology = fat_tree_of(c);
  for (uint32_t cycle = 0; cycle < until; ++cycle) {
    Policy& policy = alone.at(cycle);
    std::set<std::tuple<bool, int, int>> dead;  // as the engine names it
    for (const TimedFault& f : alone.config().faults.events) {
      const std::tuple<bool, int, int> name{f.fault.is_router, f.fault.router.bid,
                                            f.fault.is_router ? 0 : f.fault.port};
      if (f.cycle <= cycle) f.repair ? void(dead.erase(name)) : void(dead.insert(name));
    }
    const auto lives = [&](int router) { return dead.count({true, router, 0}) == 0; };
    for (int leaf = 0; leaf < topology.tree().num_leaves(); ++leaf) {
      ASSERT_EQ(policy.alive(leaf), lives(leaf)) << cycle;
      for (int port = topology.tree().p(); port < topology.tree().leaf_ports(); ++port) {
        const PortWire& wire = alone.wiring().at(leaf, port);
        const int root = static_cast<int>(wire.peer), ports = alone.wiring().ports;
        const bool up = lives(leaf) && lives(root) && dead.count({false, leaf, port}) == 0;
        ASSERT_EQ(policy.port_up(leaf * ports + port), up) << cycle << ": leaf " << leaf << " port " << port;
        ASSERT_EQ(policy.port_up(root * ports + wire.peer_port), up) << cycle << ": root " << root << " of " << leaf;
      }
    }
  }
}

/// Failures and repairs by name and cycle.
Config tree_of_changes(const std::string& size, const std::vector<std::tuple<std::string, bool, uint64_t>>& changes) {
  Config c = tree_with(size, {}, Reconfigure::manager);
  Random random(1);
  for (const auto& [name, repair, cycle] : changes)
    c.faults.events.push_back({c.topology->parse_faults(name, random, {}).front(), repair, cycle});
  return c;
}

/// The nodes of a leaf that is back create packets again, also when it fails once more later.
TEST(FatTree, NodesOfALeafThatIsBackSendUntilItFailsAgain) {
  const auto run = [](const std::vector<std::tuple<std::string, bool, uint64_t>>& later) {
    std::vector<std::tuple<std::string, bool, uint64_t>> all{{"leaf:1,1", false, 1000}};
    all.insert(all.end(), later.begin(), later.end());
    Config c = tree_of_changes("4,4,2,2", all);
    c.load = 0.2;
    c.warmup = 0;
    c.sample = 8000;
    c.drain = 0;
    c.faults.live_traffic = true;
    return simulate(c);
  };
  const Result never = run({}), back = run({{"leaf:1,1", true, 3000}});
  EXPECT_GT(back.delivered, never.delivered + 500);
  const Result again = run({{"leaf:1,1", true, 3000}, {"leaf:1,1", false, 8001}});
  EXPECT_EQ(again.digest, back.digest);
  EXPECT_EQ(again.delivered, back.delivered);
}

TEST(FatTreeBeyond, ALinkIsUpAsLongAsBothItsEndsAre) {
  expect_links_of<TreePolicy>(tree_of_changes("4,3,4,2", {{"leaf:1,1", false, 10},
                                                          {"root:row,1,0", false, 20},
                                                          {"link:1,1,row,0", false, 25},
                                                          {"root:row,1,0", true, 30},
                                                          {"leaf:1,1", true, 40},
                                                          {"link:1,1,row,0", true, 50},
                                                          {"root:column,2,1", false, 60},
                                                          {"leaf:2,0", false, 61},
                                                          {"leaf:2,0", true, 70},
                                                          {"link:3,2,column,1", false, 75},
                                                          {"root:column,2,1", true, 80}}),
                              100);
  expect_links_of<FatTreePolicy<64>>(tree_of_changes("4,3,4,2", {{"leaf:1,1", false, 10},
                                                                 {"leaf:2,1", false, 15},
                                                                 {"root:row,1,0", false, 20},
                                                                 {"leaf:1,1", true, 40},
                                                                 {"root:column,2,1", false, 60},
                                                                 {"leaf:2,1", true, 70}}),
                                     100);
}

// docs/vtftr.md §8.3: among the ports with less than half a buffer's worth behind them, if there is one.
TEST(FatTreeBeyond, AMisrouteKeepsClearOfHalfFullBuffers) {
  for (const int flits : {1, 2}) {
    Config c = tree_with("4,4,2,2", {{2, 1}});
    c.routing = "vtftr_adaptive";
    c.router.lengths = {flits};
    c.link("local").buffer = 8;
    Alone<TreePolicy> alone(c);
    TreePolicy& policy = alone.at(200);
    const int root = fat_tree_of(c).root_router(vtftr::kRow, 1, 0), ports = alone.wiring().ports,
              half = 8 / flits / 2;  // packets
    Flit flit;
    flit.dest = static_cast<uint32_t>(fat_tree_of(c).tree().node(fat_tree_of(c).tree().leaf(2, 3), 0));
    flit.length = static_cast<uint8_t>(flits);
    const auto picked = [&] {  // from leaf 0, whose way to column 2 is blocked: 1 or 3
      std::set<int> out;
      for (int i = 0; i < 64; ++i)
        out.insert(policy.route(flit, {.router = root, .port = 0, .vc = 0, .input = 0}).port);
      return out;
    };
    EXPECT_EQ(picked(), (std::set<int>{1, 3}));
    const auto send = [&](int port, int packets) {
      for (int i = 0; i < packets; ++i) policy.sent(root * ports + port, false, 0, 0);
    };
    send(1, half - 1);
    EXPECT_EQ(picked(), (std::set<int>{1, 3})) << "less than half";
    send(1, 1);
    EXPECT_EQ(picked(), (std::set<int>{3})) << "half";
    send(3, half);
    EXPECT_EQ(picked(), (std::set<int>{1, 3})) << "both";
    policy.credit(root * ports + 1);
    EXPECT_EQ(picked(), (std::set<int>{1}));
  }
}

/// Why packets may be lost while no table knows of the dead leaves.
std::set<vtftr::DropReason> reasons_of(const FatTree& tree, const std::vector<LeafId>& set) {
  vtftr::TreeFaults dead(tree);
  for (const LeafId l : set) dead.set({.leaf = tree.leaf(l.x, l.y)});
  const vtftr::TreeScene scene{dead, {vtftr::TreeKnowledge{vtftr::TreeFaults(tree)}}, 2};
  std::set<vtftr::DropReason> out;
  for (int from = 0; from < tree.num_leaves(); ++from)
    for (int to = 0; to < tree.num_leaves(); ++to)
      if (from != to && !dead.leaf_dead(from))
        for (const vtftr::TreePath& p : vtftr::all_tree_paths(scene, from, to, 0))
          if (p.outcome == vtftr::Outcome::dropped) out.insert(p.reason);
  return out;
}

// What the model loses for a reason is counted by that reason.
TEST(FatTreeBeyond, DropsAreCountedByReason) {
  const FatTree tree = FatTree::named("tiny");
  std::set<vtftr::DropReason> reasons;
  std::vector<LeafId> lossy;
  vtftr::for_each_fault_set(tree, 3, [&](const std::vector<LeafId>& set) {
    if (reasons.size() >= 2) return;
    reasons = reasons_of(tree, set);
    lossy = set;
  });
  ASSERT_TRUE(reasons.count(vtftr::DropReason::dead) && reasons.count(vtftr::DropReason::virtual_channel));
  Config c = tree_with("4,4,2,2", lossy, Reconfigure::never);
  c.routing = "vtftr_adaptive";
  c.load = 0.3;
  c.sample = 3000;
  const Result r = simulate(c);
  for (size_t i = 1; i < r.drops.size(); ++i)
    EXPECT_EQ(r.drops[i] != 0, reasons.count(static_cast<vtftr::DropReason>(i)) != 0) << i;
}

// With one-flit buffers at full load and whatever the tables know: the order of channels holds.
TEST(FatTreeBeyond, NeverDeadlocks) {
  for (const Reconfigure how : {Reconfigure::never, Reconfigure::at_once}) {
    Config c = tree_failing("4,4,2,2", {"link:0,0,row,0", "link:1,0,row,1", "leaf:2,2", "root:column,3,0"}, how);
    c.load = 1;
    for (LinkClass& l : c.links) l.buffer = 1;
    EXPECT_EQ(simulate(c).deadlock, "");
  }
}

TEST(FatTreeBeyond, CheckpointsAndRefusals) {
  Config c = tree_failing("4,4,2,2", {"root:row,1,0@200", "leaf:2,2@260"}, Reconfigure::manager);
  c.load = 0.5;
  const Result one = simulate(c);
  EXPECT_EQ(resumed(c, 300).digest, one.digest);
  Config bad = c;
  bad.routing = "ft_a";
  EXPECT_NE(reason(bad).find("vtftr_k"), std::string::npos) << reason(bad);
  bad = c;
  bad.fat_tree.reconfigure = Reconfigure::broadcast;
  EXPECT_NE(reason(bad).find("--reconfigure"), std::string::npos) << reason(bad);
  bad = c;
  bad.faults.mode = fault::Mode::paper;
  EXPECT_NE(reason(bad).find("mode safe"), std::string::npos) << reason(bad);
  bad = tree_failing("3,3,3,2,1", {});
  bad.routing = "vtftr";
  EXPECT_NE(reason(bad).find("vtftr_k"), std::string::npos) << reason(bad);
  bad.routing = "vtftr_k";
  bad.router.vcs = 2;
  EXPECT_NE(reason(bad).find("3 virtual channels"), std::string::npos) << reason(bad);
}

TEST(FatTree, BadInputIsRefused) {
  EXPECT_THROW(make_topology("fat_tree:4x4x3x2"), Error);
  EXPECT_EQ(make_topology("fat_tree:4x4x4x2x2")->nodes(), 128);
  EXPECT_THROW(make_topology("fat_tree:64x64x64x2x2"), Error);
  EXPECT_EQ(make_topology("fat_tree:64x64x2x32x1")->nodes(), 1 << 18) << "as many as there are addresses";
  EXPECT_THROW(make_topology("fat_tree:64x64x3x32x1"), Error);
  EXPECT_EQ(make_topology("fat_tree:4x4x2x2")->nodes(), 32);
  EXPECT_EQ(make_topology("fat_tree:paper")->nodes(), 4096);
  Config c = tree_with("4,4,2,2");
  c.router.vcs = 1;
  EXPECT_NE(reason(c).find("needs 2 virtual channels"), std::string::npos) << reason(c);
  c = tree_with("4,4,2,2");
  c.traffic = "tornado";
  EXPECT_NE(reason(c).find("tornado"), std::string::npos) << reason(c);
  Random random(1);
  EXPECT_THROW(c.topology->parse_faults("leaf:4,0", random, {}), Error);
  EXPECT_THROW(c.topology->parse_faults("router:G0.s1", random, {}), Error);
  EXPECT_THROW(c.topology->parse_faults("random-leaves:16", random, {}), Error);
  EXPECT_THROW(c.topology->parse_faults("random-leaves:0", random, {}), Error);
  const std::vector<fault::Fault> root = c.topology->parse_faults("root:row,0,0", random, {});
  EXPECT_EQ(c.topology->parse_faults("random-leaves:15", random, root).size(), 15u) << "a root is no leaf";
  std::vector<fault::Fault> links = c.topology->parse_faults("random-links:14", random, {});  // no leaf has failed
  EXPECT_EQ(c.topology->parse_faults("random-leaves:15", random, links).size(), 15u);
  std::vector<fault::Fault> leaves = c.topology->parse_faults("random-leaves:15", random, {});
  const std::vector<fault::Fault> all_but_one = c.topology->parse_faults("random-links:63", random, leaves);
  EXPECT_EQ(all_but_one.size(), 63u);
  for (const fault::Fault& f : all_but_one) EXPECT_EQ(std::count(all_but_one.begin(), all_but_one.end(), f), 1);
  EXPECT_THROW(c.topology->parse_faults("random-links:64", random, leaves), Error);
  EXPECT_EQ(c.topology->parse_faults("leaf:1,0;leaf:2,3", random, {}).size(), 2u);
  EXPECT_EQ(c.topology->parse_faults("random-leaves:5", random, {}).size(), 5u);
  c = tree_with("4,4,2,2", {{1, 1}, {1, 1}});
  EXPECT_NE(reason(c).find("leaf:1,1 fails twice"), std::string::npos) << reason(c);
}

/// Each cycle of a diagnosis and of a recovery is told when it is over, and only then is nothing under way.
TEST(FatTree, ACycleOfADiagnosisIsToldWhenItIsOver) {
  Config c = tree_of_changes("4,4,2,2", {{"leaf:1,1", false, 1000}, {"leaf:1,1", true, 5000}});
  c.sample = 100'000;
  c.load = 0.01;
  const FaultResult whole = simulate(c).faults;
  ASSERT_TRUE(whole.quiet);
  ASSERT_LT(whole.last_write, whole.recovery_write);
  c.drain = 0;
  c.warmup = 0;
  for (const auto member : {&FaultResult::detected, &FaultResult::diagnosis_done, &FaultResult::last_write,
                            &FaultResult::recovery_done, &FaultResult::recovery_write}) {
    const int64_t cycle = whole.*member;
    ASSERT_GT(cycle, 1000);
    for (const int64_t more : {0, 1}) {
      c.sample = static_cast<uint64_t>(cycle + more);
      const FaultResult now = simulate(c).faults;
      EXPECT_EQ(now.*member, more == 0 ? -1 : cycle) << cycle;
      EXPECT_EQ(now.quiet, more == 1 && member == &FaultResult::recovery_write) << cycle << " " << more;
    }
  }
}

}  // namespace
}  // namespace odonata::network
