// SPDX-License-Identifier: Apache-2.0
// The worked examples of VTFTR (§2.1 and §2.2, Fig. 3, 4, 5), and Algorithm 1 as the slow oracle has it.
#include <gtest/gtest.h>

#include <map>

#include "models/vtftr/path.h"
#include "models/vtftr/fault_sets.h"
#include "tb/vtftr/oracle.h"

namespace odonata::vtftr {
namespace {

const FatTree kTiny = FatTree::named("tiny");

Scene scene(const std::vector<LeafId>& dead, const std::vector<LeafId>& known, Mode mode = {}) {
  const FaultSet faults(kTiny, dead);
  return {kTiny, faults, Knowledge(FaultSet(kTiny, known)), mode};
}

/// "R(1,0)0 C(1,2)0": dimension, leaf reached, virtual channel.
std::string words(const Path& path) {
  std::string text;
  for (const Routing& hop : path.hops) {
    if (!text.empty()) text += ' ';
    text += hop.dimension == kRow ? "R(" : "C(";
    text += std::to_string(hop.at.x) + "," + std::to_string(hop.at.y) + ")" + std::to_string(hop.vc);
  }
  return text;
}
std::map<std::string, double> ways(const Scene& s, LeafId from, LeafId to) {
  std::map<std::string, double> found;
  for (const Path& path : all_paths(s, from, to, 0))
    found[words(path)] += path.outcome == Outcome::delivered ? path.probability : -path.probability;
  return found;
}
using Ways = std::map<std::string, double>;

TEST(VtftrPaper, XyWithoutFaults) { EXPECT_EQ(ways(scene({}, {}), {0, 0}, {2, 2}), (Ways{{"R(2,0)0 C(2,2)0", 1}})); }

// Fig. 3: a row root finds the leaf at the turn dead and sends the packet to any other leaf of the row.
TEST(VtftrPaper, Fig3FreshFaultIsMisroutedInTheRow) {
  EXPECT_EQ(ways(scene({{2, 0}}, {}), {0, 0}, {2, 2}),
            (Ways{{"R(1,0)0 C(1,2)0 R(2,2)1", 0.5}, {"R(3,0)0 C(3,2)0 R(2,2)1", 0.5}}));
}

// Of several ways the likeliest comes first.
TEST(VtftrPaper, WaysAreInTheOrderOfTheirProbability) {
  int sorted = 0;
  for (int pair = 0; pair < 256; ++pair) {
    const LeafId from{pair % 4, pair / 4 % 4}, to{pair / 16 % 4, pair / 64};
    for (const auto& dead : {std::vector<LeafId>{{2, 0}, {1, 2}}, std::vector<LeafId>{{2, 0}, {1, 2}, {3, 2}}}) {
      if (from == to || std::find(dead.begin(), dead.end(), from) != dead.end()) continue;
      const std::vector<Path> found = all_paths(scene(dead, {}), from, to, 0);
      for (size_t i = 1; i < found.size(); ++i) {
        EXPECT_GE(found[i - 1].probability, found[i].probability);
        sorted += found[i - 1].probability > found[i].probability;
      }
    }
  }
  EXPECT_GT(sorted, 0);
}

// "xy that passes the fault becomes yx": no hop more.
TEST(VtftrPaper, AKnownFaultTurnsXyIntoYx) {
  EXPECT_EQ(ways(scene({{2, 0}}, {{2, 0}}), {0, 0}, {2, 2}), (Ways{{"C(0,2)0 R(2,2)1", 1}}));
}

// §2.3: "without a fault all packets take the fault-free channel", row before column.
TEST(VtftrPaper, WithoutFaultsNobodyUsesTheSecondChannel) {
  int pairs = 0;
  for (int pair = 0; pair < 256; ++pair) {
    const LeafId from{pair % 4, pair / 4 % 4}, to{pair / 16 % 4, pair / 64};
    if (from == to) continue;
    const std::vector<Path> found = all_paths(scene({}, {}), from, to, 0);
    ASSERT_EQ(found.size(), 1u);
    ++pairs;
    for (size_t i = 0; i < found[0].hops.size(); ++i) {
      const Routing& hop = found[0].hops[i];
      EXPECT_EQ(hop.vc, 0);
      EXPECT_EQ(hop.dimension, i == 0 && from.x != to.x ? kRow : kColumn);
    }
  }
  EXPECT_EQ(pairs, 240);
}

// §2.1 case 2: a fresh fault on the yx path is misrouted in the column.
TEST(VtftrPaper, AFreshFaultOnTheYxPath) {
  EXPECT_EQ(ways(scene({{2, 0}, {0, 2}}, {{2, 0}}), {0, 0}, {2, 2}),
            (Ways{{"C(0,1)0 R(2,1)1 C(2,2)1", 0.5}, {"C(0,3)0 R(2,3)1 C(2,2)1", 0.5}}));
}

// §2.1 case 3(3): both ways of the two dimensions are blocked and no column is clean; with rows that are, the packet is
// misrouted in its column as in step 2.
TEST(VtftrPaper, BothBlockedAndNoCleanColumn) {
  const std::vector<LeafId> faults{{2, 0}, {0, 2}, {1, 0}, {3, 2}};
  EXPECT_EQ(ways(scene(faults, faults), {0, 0}, {2, 2}),
            (Ways{{"C(0,1)0 R(2,1)1 C(2,2)1", 0.5}, {"C(0,3)0 R(2,3)1 C(2,2)1", 0.5}}));
}

// §2.2: two, three or four dimension routings, the longest row, column, row, column: a fresh fault behind a misroute.
TEST(VtftrPaper, AFreshFaultBehindAMisroute) {
  EXPECT_EQ(ways(scene({{2, 0}, {1, 2}}, {}), {0, 0}, {2, 2}), (Ways{{"R(3,0)0 C(3,2)0 R(2,2)1", 0.5},
                                                                     {"R(1,0)0 C(1,1)0 R(2,1)1 C(2,2)1", 0.25},
                                                                     {"R(1,0)0 C(1,3)0 R(2,3)1 C(2,2)1", 0.25}}));
}

// Fig. 4: lists of row root 0 and column root 0 after faults 12 and 21 (row column labels).
TEST(VtftrPaper, Fig4BackupLists) {
  const Knowledge none{FaultSet(kTiny)}, first(FaultSet(kTiny, std::vector<LeafId>{{2, 1}})),
      both(FaultSet(kTiny, std::vector<LeafId>{{2, 1}, {1, 2}}));
  const auto list = [](const Knowledge& k, int dimension, int target) {
    std::vector<int> out;
    alternatives(4, target, k.mask(dimension)).for_each([&](int i) { out.push_back(i); });
    return out;
  };
  using List = std::vector<int>;
  // Without faults every list has n-1 entries (§2.1).
  const List before[] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
  const List after_first[] = {{1, 3}, {0, 3}, {0, 1, 3}, {0, 1}}, after_both[] = {{3}, {0, 3}, {0, 3}, {0}};
  const List columns_after_first[] = {{2, 3}, {0, 2, 3}, {0, 3}, {0, 2}};
  for (int t = 0; t < 4; ++t) {
    for (const int dimension : {kRow, kColumn}) EXPECT_EQ(list(none, dimension, t), before[t]) << t;
    EXPECT_EQ(list(first, kRow, t), after_first[t]) << t;
    EXPECT_EQ(list(first, kColumn, t), columns_after_first[t]) << t;
    EXPECT_EQ(list(both, kRow, t), after_both[t]) << t;
    EXPECT_EQ(list(both, kColumn, t), after_both[t]) << t;
  }
}

// Fig. 5: faults 02 and 20. S1 = 00 to D1 = 22 misses both and goes by 03; S2 = 01 to D2 = 12 goes yx by 11; another
// pair goes xy.
TEST(VtftrPaper, Fig5PathsWithTwoFaults) {
  const Scene s = scene({{2, 0}, {0, 2}}, {{2, 0}, {0, 2}});
  const Ways s1 = ways(s, {0, 0}, {2, 2});
  EXPECT_EQ(s1, (Ways{{"R(1,0)0 C(1,2)0 R(2,2)1", 0.5}, {"R(3,0)0 C(3,2)0 R(2,2)1", 0.5}}));
  EXPECT_EQ(ways(s, {1, 0}, {2, 1}), (Ways{{"C(1,1)0 R(2,1)1", 1}}));
  EXPECT_EQ(ways(s, {3, 3}, {1, 1}), (Ways{{"R(1,3)0 C(1,1)0", 1}}));
}

// What the printed rule does with a dead destination.
TEST(VtftrPaper, ADeadDestinationWalksForEverAsPrinted) {
  const Mode paper{.safe = false, .exclude = false};
  for (const Path& path : all_paths(scene({{2, 2}}, {}, paper), {0, 0}, {2, 2}, 0, 6))
    EXPECT_EQ(path.outcome, Outcome::endless);
  for (const int most : {1, 2, 3, 6}) {
    for (const Path& path : all_paths(scene({{2, 2}}, {}, paper), {0, 0}, {2, 2}, 0, most))
      EXPECT_EQ(path.hops.size(), static_cast<size_t>(most)) << "a way is cut after so many routings";
  }
  const std::vector<Path> safe = all_paths(scene({{2, 2}}, {}), {0, 0}, {2, 2}, 0);
  ASSERT_EQ(safe.size(), 1u);
  EXPECT_EQ(safe[0].outcome, Outcome::dropped);
  EXPECT_EQ(safe[0].reason, DropReason::dead);
}

TEST(VtftrPaper, BackupListsAreThoseOfTheWalk) {
  for (const int n : {4, 7, 16, 72}) {
    for (int lines = 0; lines < 4; ++lines) {
      LineMap mask;
      std::set<int> faulty;
      for (int i = 0; i < lines; ++i) faulty.insert(i == 3 ? n - 1 : i * 2 % n), mask.set(i == 3 ? n - 1 : i * 2 % n);
      const auto lists = oracle::backup_lists(n, faulty);
      for (int t = 0; t < n; ++t) {
        std::set<int> mine;
        alternatives(n, t, mask).for_each([&](int i) { mine.insert(i); });
        EXPECT_EQ(mine, lists[static_cast<size_t>(t)]) << n << " " << t;
      }
    }
  }
}

// Algorithm 1 covers fresh faults in the row: every way of the oracle is a way of mode paper and the reverse, for every
// single fault and pair.
TEST(VtftrPaper, Algorithm1IsModePaperWithOneFreshFault) {
  const Mode paper{.safe = false, .exclude = false};
  int compared = 0;
  for_each_fault_set(kTiny, 1, [&](const std::vector<LeafId>& set) {
    const Scene s = scene(set, {}, paper);
    const oracle::Leaves wrong{{set[0].x, set[0].y}};
    for (int from = 0; from < 16; ++from) {
      for (int to = 0; to < 16; ++to) {
        const LeafId a{from % 4, from / 4}, b{to % 4, to / 4};
        if (from == to || a == set[0] || b == set[0]) continue;
        std::set<std::vector<oracle::Leaf>> expected, got;
        std::vector<std::vector<oracle::Leaf>> found;
        std::vector<oracle::Leaf> way;
        oracle::ways({a.x, a.y}, {b.x, b.y}, 'n', 4, wrong, 3, way, found);
        expected.insert(found.begin(), found.end());
        for (const Path& path : all_paths(s, a, b, 0, 3)) {
          if (path.outcome != Outcome::delivered) continue;
          std::vector<oracle::Leaf> leaves;
          for (const Routing& hop : path.hops) leaves.push_back({hop.at.x, hop.at.y});
          got.insert(leaves);
        }
        EXPECT_EQ(got, expected) << from << " " << to;
        compared += static_cast<int>(expected.size());
      }
    }
  });
  EXPECT_GT(compared, 3360);
}

// Safe and paper route alike while every fault is known and a line is clean.
TEST(VtftrPaper, SafeIsPaperWhenNothingIsFresh) {
  for (int k = 0; k <= 3; ++k) {
    for_each_fault_set(kTiny, k, [&](const std::vector<LeafId>& set) {
      const FaultSet dead(kTiny, set);
      for (int from = 0; from < 16; from += 3) {
        for (int to = 0; to < 16; ++to) {
          const LeafId a{from % 4, from / 4}, b{to % 4, to / 4};
          if (from == to || dead.test(a.x, a.y) || dead.test(b.x, b.y)) continue;
          const Ways safe = ways(scene(set, set, {.safe = true, .exclude = true}), a, b),
                     paper = ways(scene(set, set, {.safe = false, .exclude = true}), a, b);
          EXPECT_EQ(safe, paper);
        }
      }
    });
  }
}

TEST(VtftrPaper, DrawnWaysAreAmongAllWays) {
  const Scene s = scene({{2, 0}, {0, 2}, {3, 3}}, {{2, 0}});
  const Ways all = ways(s, {0, 0}, {2, 2});
  std::set<std::string> drawn;
  for (uint32_t lfsr = 1; lfsr < 65536; lfsr += 257) {
    const Path path = walk(s, {0, 0}, {2, 2}, 0, static_cast<uint16_t>(lfsr));
    EXPECT_EQ(path.outcome, Outcome::delivered);
    EXPECT_TRUE(all.count(words(path))) << words(path);
    drawn.insert(words(path));
  }
  EXPECT_EQ(drawn.size(), all.size());
}

}  // namespace
}  // namespace odonata::vtftr
