// SPDX-License-Identifier: Apache-2.0
// The network engine agrees with the fat-tree of SystemC switches packet by packet while leaves fail and the manager
// tells the others; and the comparison finds planted bugs (docs/crosscheck.md §5).
#include <gtest/gtest.h>

#include "models/common/error.h"
#include "models/common/random.h"
#include "sim/network/topologies/fat_tree.h"
#include "tb/network/crosscheck_fabric.h"
#include "tb/network/difference_text.h"

namespace odonata::cosim {
namespace {

using network::Config;
using vtftr_leaf = std::pair<int, int>;

Config on(const std::string& size, double load) {
  Config c = network::on_fat_tree(FatTree::parse(size));
  c.load = load;
  return c;
}

void fail(Config& c, vtftr_leaf leaf, uint64_t cycle) {
  c.faults.events.push_back(
      {{.is_router = true, .router = {0, network::fat_tree_of(c).tree().leaf(leaf.first, leaf.second)}}, false, cycle});
}

void repair(Config& c, vtftr_leaf leaf, uint64_t cycle) {
  c.faults.events.push_back(
      {{.is_router = true, .router = {0, network::fat_tree_of(c).tree().leaf(leaf.first, leaf.second)}}, true, cycle});
}

void fail_root(Config& c, int dimension, int line, int rail, uint64_t cycle) {
  c.faults.events.push_back(
      {{.is_router = true, .router = {0, network::fat_tree_of(c).root_router(dimension, line, rail)}}, false, cycle});
}

TEST(FatTreeCrossCheck, ALeafFailsAndTheManagerTells) {
  Config c = on("4,4,2,2", 0.5);
  fail(c, {1, 0}, 150);
  fail(c, {2, 2}, 600);
  const CrossCheckResult r = crosscheck(c, 1100);
  EXPECT_TRUE(r.passed()) << text(r);
  EXPECT_GT(r.packets, 10'000u);
  EXPECT_GT(r.lost, 50u);
  EXPECT_EQ(r.services, 2u);
  EXPECT_EQ(r.messages, 2u * 32u - 3u);  // 16 roots and the live leaves
}

TEST(FatTreeCrossCheck, OtherTreesAndModes) {
  const auto check = [](const char* what, Config c, uint64_t cycles) {
    add_random_faults(c, cycles);
    const CrossCheckResult r = crosscheck(c, cycles);
    EXPECT_TRUE(r.passed()) << what << "\n" << text(r);
    EXPECT_GT(r.packets, 500u) << what;
  };
  check("uneven", on("5,3,4,2", 0.4), 1200);
  Config c = on("4,4,2,1", 0.3);
  c.faults.mode = fault::Mode::paper;
  c.fat_tree.reconfigure = network::Reconfigure::never;
  check("mode paper, never told", c, 700);
  c = on("3,4,2,2", 0.5);
  c.router.lengths = {1, 3, 6};
  c.link("node").buffer = c.link("local").buffer = 8;
  c.router.phases = 1;
  c.seed = 5;
  check("packets of several flits", c, 900);
  c.router.switching = network::Switching::wormhole;
  c.fat_tree.pick = network::Pick::bounce;
  c.fat_tree.service = 333;
  check("wormhole, bounces, a quick manager", c, 900);
}

// Leaves that fail in the same cycle, while a report is on its way, is served, or its message spreads: the one at which
// the manager is, too.
TEST(FatTreeCrossCheck, LeavesThatFailWhileOthersAreTold) {
  const auto check = [](const char* size, const std::vector<std::pair<vtftr_leaf, uint64_t>>& faults,
                        uint64_t services) {
    Config c = on(size, 0.5);
    for (const auto& [leaf, cycle] : faults) fail(c, leaf, cycle);
    const CrossCheckResult r = crosscheck(c, 1000);
    EXPECT_TRUE(r.passed()) << size << "\n" << text(r);
    EXPECT_EQ(r.services, services);
    EXPECT_GT(r.lost, 20u);
  };
  check("4,4,2,2", {{{1, 0}, 100}, {{2, 2}, 200}}, 2);
  check("4,4,2,2", {{{1, 0}, 100}, {{3, 0}, 100}, {{1, 2}, 103}}, 3);  // two of a line at once
  check("4,4,2,2", {{{3, 3}, 100}, {{0, 0}, 340}}, 2);                 // the manager's leaf while the message spreads
  check("4,4,2,2", {{{3, 3}, 100}, {{0, 0}, 333}}, 2);  // ... before it leaves: sent again from the next leaf
  for (uint64_t cycle = 338; cycle < 378; cycle += 5)
    check("3,4,2,2", {{{2, 3}, 100}, {{1, 1}, cycle}, {{0, 2}, cycle + 3}}, 3);
}

// Service takes less than the copies of a message need: the next one leaves a gap later.
TEST(FatTreeCrossCheck, AQuickManagerKeepsItsMessagesApart) {
  Config c = on("4,4,2,2", 0.4);
  c.fat_tree.service = 20;
  for (const auto& [leaf, cycle] :
       {std::pair{vtftr_leaf{1, 0}, 100u}, {vtftr_leaf{3, 2}, 101u}, {vtftr_leaf{2, 1}, 108u}})
    fail(c, leaf, cycle);
  repair(c, {3, 2}, 2400);
  fail(c, {0, 3}, 2404);
  const CrossCheckResult r = crosscheck(c, 2900);
  EXPECT_TRUE(r.passed()) << text(r);
  EXPECT_EQ(r.services, 5u);
}

TEST(FatTreeCrossCheck, RandomLeavesAtAnyTime) {
  Random random(11);
  for (int k = 0; k < 8; ++k) {
    Config c = on("4,4,2,2", 0.3);
    c.seed = static_cast<uint64_t>(k);
    std::vector<fault::Fault> taken;
    for (int n = 0; n < 4; ++n) {
      taken.push_back(c.topology->parse_faults("random-leaves:1", random, taken).front());
      c.faults.events.push_back({taken.back(), false, 50 + random.below(500)});
    }
    const CrossCheckResult r = crosscheck(c, 1200);
    EXPECT_TRUE(r.passed()) << k << "\n" << text(r);
  }
}

// Two others of its row and its column have died since: their messages come again. The epochs have gone on; the leaf
// knows none of them.
TEST(FatTreeCrossCheck, ALeafComesBackAndIsToldWhatItHasMissed) {
  Config c = on("4,4,2,2", 0.5);
  fail(c, {1, 1}, 100);
  fail(c, {2, 1}, 450);
  fail(c, {3, 3}, 800);
  fail(c, {1, 2}, 1150);
  repair(c, {1, 1}, 2200);
  repair(c, {3, 3}, 2900);
  const CrossCheckResult r = crosscheck(c, 3400);
  EXPECT_TRUE(r.passed()) << text(r);
  EXPECT_EQ(r.services, 6u);
  EXPECT_GT(r.lost, 100u);
  // Switches that live, for each message: 16 roots and 15, 14, 13, 12 leaves; 13 for the repair and the two dead ones
  // that (1,1) has missed, then 14.
  EXPECT_EQ(r.messages, 4u * 16 + 15 + 14 + 13 + 12 + 3u * (16 + 13) + (16 + 14));
}

// A leaf comes back while the message about another spreads, is served, or waits; and the one at which the manager is.
TEST(FatTreeCrossCheck, LeavesThatComeBackWhileOthersAreTold) {
  const auto check = [](vtftr_leaf back, uint64_t cycle, vtftr_leaf other) {
    Config c = on("3,4,2,2", 0.3);
    fail(c, back, 50);
    fail(c, other, 2100);  // its message spreads from about cycle 2,340 on
    repair(c, back, cycle);
    const CrossCheckResult r = crosscheck(c, 2900);
    EXPECT_TRUE(r.passed()) << back.first << "," << back.second << "@" << cycle << "\n" << text(r);
    EXPECT_EQ(r.services, 3u);
  };
  for (uint64_t cycle = 2335; cycle < 2380; cycle += 8) check({2, 3}, cycle, {2, 1});
  check({0, 0}, 2100, {0, 2});
  check({0, 0}, 2350, {1, 0});
}

// No report and no message: the leaves of its line see it and take the next rail.
TEST(FatTreeCrossCheck, RootsFail) {
  Config c = on("4,4,4,4", 0.5);
  fail_root(c, 0, 1, 2, 60);
  fail_root(c, 0, 1, 3, 200);
  fail_root(c, 1, 0, 0, 200);
  fail(c, {1, 1}, 300);
  fail_root(c, 0, 1, 0, 620);
  const CrossCheckResult r = crosscheck(c, 900);
  EXPECT_TRUE(r.passed()) << text(r);
  EXPECT_EQ(r.services, 1u);
  EXPECT_GT(r.lost, 50u);
  EXPECT_EQ(r.messages, 32u - 3u + 15u);  // roots that live and leaves
  c = on("3,4,2,2", 0.4);
  c.router.lengths = {1, 4};
  c.router.switching = network::Switching::wormhole;
  fail(c, {1, 1}, 50);
  fail_root(c, 0, 1, 0, 300);   // while (1,1) is dead: it sees it when it is back
  fail_root(c, 1, 1, 1, 2400);  // ... and this one soon after that
  repair(c, {1, 1}, 2399);
  const CrossCheckResult back = crosscheck(c, 3100);
  EXPECT_TRUE(back.passed()) << text(back);
}

// A leaf that came back before a root of its line fails sees that when the others do.
TEST(FatTreeCrossCheck, ARootFailsAfterALeafOfItsLineCameBack) {
  Config c = on("3,4,2,2", 0.4);
  fail(c, {1, 1}, 50);
  repair(c, {1, 1}, 2200);
  fail_root(c, 0, 1, 0, 2500);
  fail_root(c, 1, 1, 1, 2520);
  const CrossCheckResult r = crosscheck(c, 2900);
  EXPECT_TRUE(r.passed()) << text(r);
}

TEST(FatTreeCrossCheck, RandomLeavesAndRootsThatFailAndComeBack) {
  Random random(17);
  for (int k = 0; k < 4; ++k) {
    Config c = on("4,3,2,2", 0.25);
    c.seed = static_cast<uint64_t>(k);
    std::vector<fault::Fault> taken;
    for (int n = 0; n < 4; ++n) {
      taken.push_back(c.topology->parse_faults("random-leaves:1", random, taken).front());
      const uint64_t cycle = 50 + random.below(1200);
      c.faults.events.push_back({taken.back(), false, cycle});
      c.faults.events.push_back({taken.back(), true, cycle + c.least_dead_time() + random.below(900)});
    }
    for (const int dimension : {0, 1}) {
      const auto line = static_cast<int>(random.below(dimension == 0 ? 3 : 4)),
                 rail = static_cast<int>(random.below(2));
      fail_root(c, dimension, line, rail, 1 + random.below(3000));
    }
    const CrossCheckResult r = crosscheck(c, 5200);
    EXPECT_TRUE(r.passed()) << k << "\n" << text(r);
    EXPECT_EQ(r.services, 8u) << k;
  }
}

// The reports about (2,1) and (1,2) come to the manager in the same cycle, whichever failed first on the command line.
TEST(FatTreeCrossCheck, OfReportsThatComeAtOnceThatOfTheLowestLeafIsServedFirst) {
  for (const auto& leaves : {std::vector<vtftr_leaf>{{0, 1}, {2, 1}, {1, 2}}, {{1, 2}, {2, 1}, {0, 1}}}) {
    Config c = on("3,4,2,2", 0.4);
    for (const vtftr_leaf& leaf : leaves) fail(c, leaf, 247);
    const CrossCheckResult r = crosscheck(c, 800);
    EXPECT_TRUE(r.passed()) << text(r);
    EXPECT_EQ(r.services, 3u);
  }
}

// The manager's leaf dies before its message about another one has left, and is known to be dead when that is tried
// again: at the next leaf, which may be dead, too.
TEST(FatTreeCrossCheck, TheManagersLeafDiesWhileItWorks) {
  for (const vtftr_leaf& first : {vtftr_leaf{1, 0}, {1, 1}, {2, 3}}) {
    Config c = on("3,4,2,2", 0.3);
    c.fat_tree.service = 10;
    fail(c, first, 100);
    fail(c, {0, 0}, 130);
    const CrossCheckResult r = crosscheck(c, 800);
    EXPECT_TRUE(r.passed()) << text(r);
    EXPECT_EQ(r.services, 2u);
  }
}

// The roots of (0,0) have no way to the manager at (1,1): it hears neither of its death nor, as it takes it for alive,
// of its return.
TEST(FatTreeCrossCheck, TheManagerDoesNotHearOfALeafWhoseRootsAreCutOff) {
  Config c = on("2,2,1,1", 0.4);
  for (const vtftr_leaf& leaf : {vtftr_leaf{0, 0}, {1, 0}, {0, 1}}) {
    fail(c, leaf, 371);
    repair(c, leaf, 3000);
  }
  const CrossCheckResult r = crosscheck(c, 4200);
  EXPECT_TRUE(r.passed()) << text(r);
  EXPECT_EQ(r.services, 4u);
}

/// A leaf that dies while a packet goes to one of its nodes: the first packet that comes after its repair is delivered
/// whole.
TEST(FatTreeCrossCheck, ARepairedLeafDeliversItsFirstPacketOfSeveralFlits) {
  for (uint64_t seed = 1; seed <= 2; ++seed) {
    Config c = on("4,4,2,2", 0.9);
    c.router.lengths = {8};
    c.seed = seed;
    fail(c, {1, 0}, 200);
    repair(c, {1, 0}, 3000);
    const CrossCheckResult r = crosscheck(c, 3600);
    EXPECT_TRUE(r.passed()) << seed << "\n" << text(r);
    EXPECT_GT(r.lost, 0u) << seed;
  }
}

/// The virtual channels of the routing decide how long a leaf stays dead.
TEST(FatTreeCrossCheck, DrawnFaultsAreRepairedWhenTheyMayBe) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    Config c = on("4,4,2,2", 0.5);
    c.router.lengths = {8};
    c.seed = seed;
    add_random_faults(c, 4000);
    EXPECT_TRUE(std::any_of(c.faults.events.begin(), c.faults.events.end(), [](const auto& e) { return e.repair; }));
    EXPECT_NO_THROW(fabric_config(c, 4000).check()) << seed;
  }
}

// When all leaves of a row are dead its roots miss what is told; the first leaf that comes back brings it.
TEST(FatTreeCrossCheck, RootsWithoutALiveLeafLearnWhenOneComesBack) {
  Config c = on("4,3,2,2", 0.25);
  c.seed = 1;
  const std::vector<std::array<uint64_t, 2>> times{{153, 2975}, {722, 2824}, {1145, 3178}, {998, 3115}};
  for (int x = 0; x < 4; ++x) {
    fail(c, {x, 1}, times[static_cast<size_t>(x)][0]);
    repair(c, {x, 1}, times[static_cast<size_t>(x)][1]);
  }
  fail_root(c, 0, 1, 0, 783);
  const CrossCheckResult r = crosscheck(c, 5200);
  EXPECT_TRUE(r.passed()) << text(r);
  EXPECT_EQ(r.services, 8u);
}

Config scene_of(const std::string& plant) {
  Config c = on("4,4,2,2", plant == "spare-slot" ? 0.02 : 0.6);
  c.router.lengths = {4};
  c.router.switching = network::Switching::wormhole;
  c.link("node").buffer = c.link("local").buffer = 5;
  fail(c, {1, 0}, 60);
  fail(c, {2, 3}, 360);
  if (plant == "deaf-to-rails") fail_root(c, 0, 2, 1, 80);
  return c;
}

/// A switch that hears of a fault a nanosecond later, not at all, or for no reason.
TEST(FatTreeCrossCheck, UpdatesOfTheManagerAreCompared) {
  const Updates should = {{100, 3}, {100, 4}, {250, 3}};
  EXPECT_EQ(first_other_update(should, should, 251), "");
  const std::string words = "Reconfiguration: the golden manager has switch ";
  EXPECT_EQ(first_other_update(should, {{100, 3}, {101, 4}, {250, 3}}, 251),
            words + "4 at 100 ns, SystemC: switch 4 at 101 ns");
  EXPECT_EQ(first_other_update(should, {{100, 3}, {100, 5}, {250, 3}}, 251),
            words + "4 at 100 ns, SystemC: switch 5 at 100 ns");
  EXPECT_EQ(first_other_update(should, {{100, 3}, {100, 4}}, 251), words + "3 at 250 ns, SystemC: nothing more");
  EXPECT_EQ(first_other_update({{100, 3}}, should, 251),
            "Reconfiguration: the golden manager has nothing more, SystemC: switch 4 at 100 ns");
  EXPECT_EQ(first_other_update(should, {{100, 3}, {100, 4}}, 250), "");  // not before the end
}

TEST(FatTreeCrossCheck, FindsPlantedBugs) {
  ASSERT_GE(fat_tree_crosscheck_plants().size(), 12u);
  const CrossCheckResult clean = crosscheck(scene_of(""), 700);
  EXPECT_TRUE(clean.passed()) << text(clean);
  for (const std::string& plant : fat_tree_crosscheck_plants()) {
    const CrossCheckResult r = crosscheck(scene_of(plant), 700, plant);
    EXPECT_FALSE(r.passed()) << plant;
    EXPECT_NE(text(r).find("SystemC:"), std::string::npos) << plant << "\n" << text(r);
  }
}

TEST(FatTreeCrossCheck, WhatItCannotCompareIsRefused) {
  EXPECT_THROW(crosscheck(on("4,4,2,2", 0.1), 100, "no-such-bug"), Error);
  Config c = on("4,4,2,2", 0.1);
  c.routing = "xy";
  EXPECT_THROW(crosscheck(c, 100), Error);
  c = on("4,4,2,2", 0.1);
  c.fat_tree.reconfigure = network::Reconfigure::broadcast;
  EXPECT_THROW(crosscheck(c, 100), Error);
  c = on("4,4,2,2", 0.1);
  fail_root(c, 0, 1, 1, 100);
  c.faults.events.push_back({c.faults.events.front().fault, true, 2500});  // nobody tells it the masks
  EXPECT_THROW(crosscheck(c, 3000), Error);
  c = on("4,4,2,2", 0.1);
  fail_root(c, 0, 1, 0, 100);
  fail_root(c, 0, 1, 1, 200);  // no root of row 1 is left
  EXPECT_THROW(crosscheck(c, 1000), Error);
  c = on("4,4,2,2", 0.1);
  c.faults.events.push_back({{.is_router = false, .router = {0, 3}, .port = 2}, false, 100});
  EXPECT_THROW(crosscheck(c, 1000), Error);
}

}  // namespace
}  // namespace odonata::cosim
