// SPDX-License-Identifier: Apache-2.0
// The network engine agrees with the fat-tree of SystemC switches packet by packet while leaves fail and the manager tells the others; and the
// comparison finds planted bugs (docs/crosscheck.md §5).
#include <gtest/gtest.h>

#include "models/common/error.h"
#include "models/common/random.h"
#include "sim/network/topologies/fat_tree.h"
#include "tb/network/crosscheck_fabric.h"

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
  c.faults.events.push_back({{.is_router = true, .router = {0, network::fat_tree_of(c).tree().leaf(leaf.first, leaf.second)}}, false, cycle});
}

std::string text(const CrossCheckResult& r) {
  std::string out;
  for (const std::string& line : r.difference) out += line + "\n";
  return out;
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

// Leaves that fail in the same cycle, while a report is on its way, is served, or its message spreads: the one at which the manager is, too.
TEST(FatTreeCrossCheck, LeavesThatFailWhileOthersAreTold) {
  const auto check = [](const char* size, const std::vector<std::pair<vtftr_leaf, uint64_t>>& faults, uint64_t services) {
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
  check("4,4,2,2", {{{3, 3}, 100}, {{0, 0}, 333}}, 2);                 // ... before it leaves: sent again from the next leaf
  for (uint64_t cycle = 338; cycle < 378; cycle += 5) check("3,4,2,2", {{{2, 3}, 100}, {{1, 1}, cycle}, {{0, 2}, cycle + 3}}, 3);
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

Config scene_of(const std::string& plant) {
  Config c = on("4,4,2,2", plant == "spare-slot" ? 0.02 : 0.6);
  c.router.lengths = {4};
  c.router.switching = network::Switching::wormhole;
  c.link("node").buffer = c.link("local").buffer = 5;
  fail(c, {1, 0}, 60);
  fail(c, {2, 3}, 360);
  return c;
}

TEST(FatTreeCrossCheck, FindsPlantedBugs) {
  ASSERT_GE(fat_tree_crosscheck_plants().size(), 12u);
  const CrossCheckResult clean = crosscheck(scene_of(""), 700);
  EXPECT_TRUE(clean.passed()) << text(clean);
  for (const std::string& plant : fat_tree_crosscheck_plants()) {
    std::string words;
    try {
      const CrossCheckResult r = crosscheck(scene_of(plant), 700, plant);
      EXPECT_FALSE(r.passed()) << plant;
      words = text(r);
    } catch (const std::logic_error& e) {
      words = std::string("SystemC: ") + e.what();  // a buffer of the SystemC side overflows
    }
    EXPECT_NE(words.find("SystemC:"), std::string::npos) << plant << "\n" << words;
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
  c.fat_tree.service = 1;
  fail(c, {1, 0}, 100);
  fail(c, {2, 0}, 101);  // its message comes at the heels of the first one's
  EXPECT_THROW(crosscheck(c, 1000), Error);
  c = on("4,4,2,2", 0.1);
  fail(c, {1, 0}, 100);
  c.faults.events.push_back({c.faults.events.front().fault, true, 500});
  EXPECT_THROW(crosscheck(c, 1000), Error);
}

}  // namespace
}  // namespace odonata::cosim
