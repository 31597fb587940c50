// SPDX-License-Identifier: Apache-2.0
// The claims of VTFTR §2.2 and §2.3 over all fault sets of a 4x4 fat-tree (docs/vtftr.md §3): connectivity, lengths,
// freedom from deadlock.
#include <gtest/gtest.h>

#include "models/vtftr/dependency.h"
#include "models/vtftr/fault_sets.h"
#include "models/vtftr/path.h"

namespace odonata::vtftr {
namespace {

const FatTree kTiny = FatTree::named("tiny");
constexpr Mode kSafe{.safe = true, .exclude = true}, kPaper{.safe = false, .exclude = false},
    kPaperExclude{.safe = false, .exclude = true};

/// Sums over many fault sets.
struct Total {
  int cases = 0, full = 0, cyclic = 0, routings = 0;
  int64_t lost = 0, endless = 0;
  void add(const ExplorationReport& r) {
    ++cases;
    full += r.full();
    cyclic += !r.acyclic();
    routings = std::max(routings, r.max_routings);
    lost += r.lost_pairs;
    endless += r.endless_pairs;
  }
};

ExplorationReport explore_with(const FaultSet& dead, std::vector<Knowledge> tables, Mode mode) {
  return explore({kTiny, dead, std::move(tables), mode});
}

/// Every fault is known; `covering`: sets that leave no clean row and no clean column, or the others.
Total stable(int k, Mode mode, bool covering = false) {
  Total total;
  for_each_fault_set(kTiny, k, [&](const std::vector<LeafId>& set) {
    const FaultSet dead(kTiny, set);
    if (dead.covers_all() == covering) total.add(explore_with(dead, {Knowledge(dead)}, mode));
  });
  return total;
}
/// No fault is known.
Total fresh(int k, Mode mode) {
  Total total;
  for_each_fault_set(kTiny, k, [&](const std::vector<LeafId>& set) {
    total.add(explore_with(FaultSet(kTiny, set), {Knowledge(FaultSet(kTiny))}, mode));
  });
  return total;
}
/// One fault is fresh; every switch holds the old or the new tables.
Total one_fresh_mixed(int k, Mode mode) {
  Total total;
  for_each_fault_set(kTiny, k, [&](const std::vector<LeafId>& set) {
    const FaultSet dead(kTiny, set);
    for (size_t i = 0; i < set.size(); ++i)
      total.add(explore_with(dead, {Knowledge(FaultSet(kTiny, without(set, i))), Knowledge(dead)}, mode));
  });
  return total;
}
Total any_content(int k, Mode mode) {
  Total total;
  for_each_fault_set(kTiny, k, [&](const std::vector<LeafId>& set) {
    total.add(explore({.tree = kTiny, .dead = FaultSet(kTiny, set), .tables = {}, .mode = mode, .any_content = true}));
  });
  return total;
}

// Stable: one fault-tolerant virtual channel, at most three dimension routings, all live pairs connected.
TEST(VtftrClaims, StableSetsWithACleanLineAreFullAndAcyclic) {
  const int sets[] = {0, 16, 120, 560, 1796, 3936}, routings[] = {0, 2, 3, 3, 3, 3};
  for (int k = 1; k <= 5; ++k) {
    for (const Mode mode : {kSafe, kPaper}) {
      const Total t = stable(k, mode);
      EXPECT_EQ(t.cases, sets[k]);
      EXPECT_EQ(t.full, sets[k]) << k;
      EXPECT_EQ(t.cyclic, 0) << k;
      EXPECT_EQ(t.routings, routings[k]) << k;
    }
  }
}

TEST(VtftrClaims, StableCoveringSets) {
  EXPECT_EQ(stable(4, kPaper, true).cyclic, 24);
  EXPECT_EQ(stable(5, kPaper, true).cyclic, 432);
  const Total four = stable(4, kSafe, true), five = stable(5, kSafe, true);
  EXPECT_EQ(four.cases, 24);
  EXPECT_EQ(four.full, 24);
  EXPECT_EQ(five.cases, 432);
  EXPECT_EQ(five.full, 288);
  EXPECT_EQ(four.cyclic + five.cyclic, 0);
}

/// Fewest dimension routings between two live leaves: one in a line, two round a live corner, else three; a line that
/// holds no fault leads round all others.
int fewest_routings(const FaultSet& dead, LeafId from, LeafId to) {
  if (from.x == to.x || from.y == to.y) return 1;
  return dead.test(to.x, from.y) && dead.test(from.x, to.y) ? 3 : 2;
}

// §2.2, first advantage: "the fault-tolerant path with the fewest hops" once the fault is known.
TEST(VtftrClaims, StableWaysAreTheShortest) {
  int64_t compared = 0;
  for (int k = 0; k <= 3; ++k) {
    for_each_fault_set(kTiny, k, [&](const std::vector<LeafId>& set) {
      const FaultSet dead(kTiny, set);
      for (const Mode mode : {kSafe, kPaper}) {
        const Scene scene{kTiny, dead, Knowledge(dead), mode};
        for (int pair = 0; pair < 256; ++pair) {
          const LeafId from{pair % 4, pair / 4 % 4}, to{pair / 16 % 4, pair / 64};
          if (from == to || dead.test(from.x, from.y) || dead.test(to.x, to.y)) continue;
          for (const Path& path : all_paths(scene, from, to, 0)) {
            ASSERT_EQ(static_cast<int>(path.hops.size()), fewest_routings(dead, from, to));
            ++compared;
          }
        }
      }
    });
  }
  EXPECT_GT(compared, 200'000);
}

// §2.2, third advantage: n-1 rows or n-1 columns may hold any faults. All subsets of three columns, and of three rows.
TEST(VtftrClaims, AllButOneLineMayHoldAnyFaults) {
  for (const int dimension : {kRow, kColumn}) {
    Total safe, paper;
    for (unsigned bits = 0; bits < 1u << 12; ++bits) {
      std::vector<LeafId> set;
      for (int i = 0; i < 12; ++i) {
        if ((bits >> i & 1) != 0) set.push_back(dimension == kRow ? LeafId{i / 4, i % 4} : LeafId{i % 4, i / 4});
      }
      const FaultSet dead(kTiny, set);
      safe.add(explore_with(dead, {Knowledge(dead)}, kSafe));
      paper.add(explore_with(dead, {Knowledge(dead)}, kPaper));
    }
    for (const Total& t : {safe, paper}) {
      EXPECT_EQ(t.full, 1 << 12);
      EXPECT_EQ(t.cyclic, 0);
      EXPECT_EQ(t.routings, 3);
    }
  }
}

// §3.2: "the place of a single faulty leaf has no influence".
TEST(VtftrClaims, ThePlaceOfOneFaultDoesNotMatter) {
  for_each_fault_set(kTiny, 1, [&](const std::vector<LeafId>& set) {
    const FaultSet dead(kTiny, set);
    const ExplorationReport known = explore_with(dead, {Knowledge(dead)}, kPaper),
                            unknown = explore_with(dead, {Knowledge(FaultSet(kTiny))}, kPaper);
    EXPECT_EQ(known.channels, 72);
    EXPECT_EQ(known.dependencies, 117);
    EXPECT_EQ(known.pairs, 210);
    EXPECT_EQ(unknown.channels, 72);
    EXPECT_EQ(unknown.dependencies, 120);
  });
}

// §2.3 has fresh faults among what cannot deadlock. Two of them can.
TEST(VtftrClaims, TwoFreshFaultsCloseACycleAsPrinted) {
  const Total one = fresh(1, kPaper), two = fresh(2, kPaper), three = fresh(3, kPaper);
  EXPECT_EQ(one.cyclic, 0);
  EXPECT_EQ(one.endless, 0);
  EXPECT_EQ(two.cyclic, 72);
  EXPECT_EQ(two.endless, 432);
  EXPECT_EQ(three.cyclic, 384);
  EXPECT_EQ(three.endless, 4464);
}

TEST(VtftrClaims, ExcludingTheInputHelpsUpToThreeFreshFaults) {
  EXPECT_EQ(fresh(2, kPaperExclude).cyclic, 0);
  EXPECT_EQ(fresh(3, kPaperExclude).cyclic, 0);
  EXPECT_EQ(fresh(4, kPaperExclude).cyclic, 144);
}

TEST(VtftrClaims, SafeIsAcyclicWithFreshFaults) {
  const int full[] = {0, 16, 120, 416, 872};
  const int64_t lost[] = {0, 0, 0, 576, 4896};
  for (int k = 1; k <= 4; ++k) {
    const Total t = fresh(k, kSafe);
    EXPECT_EQ(t.cyclic, 0) << k;
    EXPECT_EQ(t.full, full[k]) << k;
    EXPECT_EQ(t.lost, lost[k]) << k;
    EXPECT_EQ(t.endless, 0) << k;
  }
}

TEST(VtftrClaims, OneFreshFaultWhileTablesAreMixed) {
  const int cases[] = {0, 16, 240, 1680, 7280}, full[] = {0, 16, 240, 1680, 6368}, cyclic[] = {0, 0, 0, 0, 768};
  for (int k = 1; k <= 4; ++k) {
    const Total safe = one_fresh_mixed(k, kSafe), paper = one_fresh_mixed(k, kPaper);
    EXPECT_EQ(safe.cases, cases[k]);
    EXPECT_EQ(safe.full, full[k]) << k;
    EXPECT_EQ(safe.cyclic, 0) << k;
    EXPECT_EQ(paper.cyclic, cyclic[k]) << k;
  }
}

// The rank proof's other side: whatever the tables say, safe has no cycle and at most four routings.
TEST(VtftrClaims, SafeIsAcyclicWithAnyTableContent) {
  for (int k = 0; k <= 4; ++k) {
    const Total t = any_content(k, kSafe);
    EXPECT_EQ(t.cyclic, 0) << k;
    EXPECT_EQ(t.endless, 0) << k;
    EXPECT_LE(t.routings, 4);
  }
  EXPECT_GT(any_content(2, kPaper).cyclic, 0);
}

/// Any content is at least that of every table: without a fault, of those that know one or two.
TEST(VtftrClaims, AnyTableContentAllowsWhatEveryTableDoes) {
  const FaultSet healthy(kTiny);
  for (const Mode mode : {kSafe, kPaper}) {
    const ExplorationReport any =
        explore({.tree = kTiny, .dead = healthy, .tables = {}, .mode = mode, .any_content = true});
    for (int k = 1; k <= 2; ++k) {
      for_each_fault_set(kTiny, k, [&](const std::vector<LeafId>& set) {
        const ExplorationReport some =
            explore_with(healthy, {Knowledge(healthy), Knowledge(FaultSet(kTiny, set))}, mode);
        EXPECT_GE(any.channels, some.channels);
        EXPECT_GE(any.dependencies, some.dependencies);
      });
    }
  }
}

TEST(VtftrClaims, OneVirtualChannelIsNotEnough) {
  const int cyclic[] = {0, 16, 120, 528};
  for (int k = 1; k <= 3; ++k) {
    Total t;
    for_each_fault_set(kTiny, k, [&](const std::vector<LeafId>& set) {
      const FaultSet dead(kTiny, set);
      t.add(explore({.tree = kTiny, .dead = dead, .tables = {Knowledge(dead)}, .mode = kPaper, .one_vc = true}));
    });
    EXPECT_EQ(t.cyclic, cyclic[k]) << k;
  }
}

// The smallest counterexample in words: two fresh faults on a diagonal.
TEST(VtftrClaims, TheCycleOfTwoFreshFaultsOnADiagonal) {
  const std::vector<LeafId> set{{0, 0}, {1, 1}};
  const FaultSet dead(kTiny, set);
  const std::vector<Knowledge> nothing{Knowledge(FaultSet(kTiny))};
  const ExplorationReport paper = explore_with(dead, nothing, kPaper), safe = explore_with(dead, nothing, kSafe);
  EXPECT_EQ(paper.channels, 100);
  EXPECT_EQ(paper.dependencies, 164);
  EXPECT_EQ(safe.channels, 80);
  EXPECT_EQ(safe.dependencies, 122);
  ASSERT_EQ(paper.cycle.size(), 4u);
  for (const TreeChannel& c : paper.cycle) EXPECT_EQ(c.vc, kFaultTolerantVc) << to_string(c);
}

TEST(VtftrClaims, TheToleratedShareIsTheClosedForm) {
  EXPECT_EQ(tolerated_share(4, 4, 3), 1);
  EXPECT_EQ(tolerated_share(4, 4, 4), 1796.0 / 1820);
  EXPECT_EQ(tolerated_share(4, 4, 5), 3936.0 / 4368);
  EXPECT_EQ(tolerated_share(4, 4, 16), 0);
  EXPECT_NEAR(tolerated_share(8, 8, 16), 0.816, 0.0005);
  EXPECT_NEAR(tolerated_share(16, 16, 32), 0.989, 0.0005);
  // Where the number of sets no longer fits into 64 bits; from integers of any length.
  EXPECT_NEAR(tolerated_share(10, 10, 17), 0.979430394320756, 1e-12);
  EXPECT_NEAR(tolerated_share(10, 10, 18), 0.9630107942323571, 1e-9);
  EXPECT_NEAR(tolerated_share(10, 10, 19), 0.9395449877973827, 1e-9);
  EXPECT_NEAR(tolerated_share(9, 12, 18), 0.9874600934127825, 1e-9);
  EXPECT_NEAR(tolerated_share(16, 16, 32), 0.9891094421436024, 1e-9);
}

}  // namespace
}  // namespace odonata::vtftr
