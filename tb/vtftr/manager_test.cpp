// SPDX-License-Identifier: Apache-2.0
// The manager: its messages make the tables that its knowledge says, in the cycles of docs/vtftr.md §6.
#include "models/vtftr/manager.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "models/common/random.h"

namespace odonata::vtftr {
namespace {

TEST(Manager, MessagesArePackedAndTakenApart) {
  const UpdateMessage m{UpdateOp::repair, 71, 5, true, false, true, 6};
  EXPECT_EQ(pack(m), 1u << 20 | 71u << 13 | 5u << 6 | 1u << 5 | 1u << 3 | 6u);
  EXPECT_EQ(unpack(pack(m)), m);
}

// Any sequence of failures and repairs: after each message every table is what the manager knows, without any switch
// counting.
TEST(Manager, TablesFollowItsKnowledge) {
  const FatTree tree = FatTree::parse("5,4,2,2");
  Random random(3);
  Manager manager(tree);
  std::vector<LeafTables> leaf(static_cast<size_t>(tree.num_leaves()));
  LineMap mask[2];
  for (int step = 0; step < 2000; ++step) {
    const LeafId at{static_cast<int>(random.below(5)), static_cast<int>(random.below(4))};
    const UpdateMessage m = manager.serve(at, !manager.known().test(at.x, at.y));
    EXPECT_EQ(m.epoch, (step + 1) & 7);
    const Knowledge known(manager.known());
    for (int d : {kRow, kColumn}) {
      apply(m, d, mask[d]);
      EXPECT_EQ(mask[d], known.mask(d));
    }
    for (int i = 0; i < tree.num_leaves(); ++i) {
      const int x = i % 5, y = i / 5;
      apply(m, x, y, leaf[static_cast<size_t>(i)]);
      EXPECT_EQ(leaf[static_cast<size_t>(i)], known.leaf(x, y));
    }
  }
}

// Leaves that die forget; when one comes back, the message of its repair and those that follow it make its tables
// whole, and change no other's.
TEST(Manager, ALeafThatComesBackIsToldWhatItHasMissed) {
  const FatTree tree = FatTree::parse("5,4,2,2");
  Random random(4);
  Manager manager(tree);
  std::vector<LeafTables> leaf(static_cast<size_t>(tree.num_leaves()));
  LineMap mask[2];
  const auto take = [&](const UpdateMessage& m) {
    for (int d : {kRow, kColumn}) apply(m, d, mask[d]);
    for (int i = 0; i < tree.num_leaves(); ++i)
      if (!manager.known().test(i % 5, i / 5)) apply(m, i % 5, i / 5, leaf[static_cast<size_t>(i)]);
  };
  size_t most = 0;
  for (int step = 0; step < 2000; ++step) {
    const LeafId at{static_cast<int>(random.below(5)), static_cast<int>(random.below(4))};
    const bool dies = !manager.known().test(at.x, at.y);
    if (dies && manager.known().count() > 8) continue;
    take(manager.serve(at, dies));
    if (dies) {
      leaf[static_cast<size_t>(tree.leaf(at.x, at.y))] = {};
    } else {
      const std::vector<UpdateMessage> missed = manager.again(at);
      most = std::max(most, missed.size());
      for (const UpdateMessage& m : missed) take(m);
    }
    const Knowledge known(manager.known());
    for (int d : {kRow, kColumn}) ASSERT_EQ(mask[d], known.mask(d));
    for (int i = 0; i < tree.num_leaves(); ++i)
      if (!manager.known().test(i % 5, i / 5)) {
        ASSERT_EQ(leaf[static_cast<size_t>(i)], known.leaf(i % 5, i / 5)) << step;
      }
  }
  EXPECT_GE(most, 3u);
}

ReconfigurationTimes times(const std::string& tree, LeafId leaf) {
  const FatTree t = FatTree::parse(tree);
  FaultSet dead(t);
  dead.set(leaf);
  return by_manager(t, dead, leaf, {});
}

TEST(Manager, RootsKnowAfter1341CyclesAt16x16) {
  const ReconfigurationTimes t = times("16,16,16,16", {5, 7});
  EXPECT_EQ(t.detected, 16);
  EXPECT_EQ(t.report_hops, 3);
  EXPECT_EQ(t.reported, 16 + 105 + 48);
  EXPECT_EQ(t.served, t.reported + 1000);
  EXPECT_EQ(t.root_hops, 3);
  EXPECT_EQ(t.leaf_hops, 4);
  EXPECT_EQ(t.roots_done(), 1341);
  EXPECT_EQ(t.leaves_done(), t.served + 48 + 4 * 35 + 2);
  EXPECT_EQ(std::count(t.leaf.begin(), t.leaf.end(), kNever), 1) << "the dead one";
}

// A dead leaf in the manager's row or column makes ways of the broadcast longer: 5 hops to roots, 4 to leaves
// (docs/vtftr.md §6).
TEST(Manager, ADeadLeafBesideTheManager) {
  const ReconfigurationTimes t = times("16,16,16,16", {5, 0});
  EXPECT_EQ(t.report_hops, 1);
  EXPECT_EQ(t.root_hops, 5);
  EXPECT_EQ(t.leaf_hops, 4);
  EXPECT_EQ(t.roots_done(), 16 + 35 + 48 + 1000 + 48 + 5 * 35 + 19);
}

TEST(Manager, ADeadLeafFloodsNothing) {
  const FatTree tree = FatTree::parse("3,2,2,2");
  const Flood from = flood(tree, FaultSet(tree, std::vector<LeafId>{{1, 1}}), {1, 1});
  EXPECT_EQ(from.leaf, std::vector<int>(6, -1));
  EXPECT_EQ(from.line[kRow], std::vector<int>(2, -1));
  EXPECT_EQ(from.line[kColumn], std::vector<int>(3, -1));
}

/// A leaf whose row or column is dead with it is reported by the root that still has a way to the manager (§6).
TEST(Manager, EitherRootOfALeafReportsAlone) {
  const FatTree tree = FatTree::parse("4,4,2,2");
  for (int d : {kRow, kColumn}) {
    FaultSet dead(tree);
    for (int i = 0; i < 4; ++i) dead.set(d == kRow ? LeafId{i, 2} : LeafId{2, i});
    const LeafId leaf = d == kRow ? LeafId{1, 2} : LeafId{2, 1};
    const ReconfigurationTimes t = by_manager(tree, dead, leaf, {});
    EXPECT_EQ(t.report_hops, 3);
    EXPECT_EQ(t.reported, 16 + 105 + 48);
    const LeafId near = d == kRow ? LeafId{0, 2} : LeafId{2, 0};  // in the manager's own column or row
    EXPECT_EQ(by_manager(tree, dead, near, {}).report_hops, 1);
  }
}

TEST(Manager, WithoutOneTwoHopsAreEnough) {
  const FatTree tree = FatTree::parse("16,16,16,16");
  FaultSet dead(tree);
  dead.set({5, 7});
  const ReconfigurationTimes t = by_neighbours(tree, dead, {5, 7}, {.mask_form = true});
  EXPECT_EQ(t.roots_done(), 16 + 70 + 2);
  EXPECT_EQ(t.leaves_done(), 16 + 35 + 2);
  EXPECT_EQ(std::count_if(t.leaf.begin(), t.leaf.end(), [](int64_t when) { return when != kNever; }), 30)
      << "the row's and the column's";
  EXPECT_EQ(std::count(t.line[kRow].begin(), t.line[kRow].end(), kNever), 1) << "the own row's: it knows by itself";
}

// A root walks through the table of its own line: that of a row as long as there are columns.
TEST(Manager, WithoutOneRootsOfRowsAndColumnsWriteTheirOwnTables) {
  const FatTree tree = FatTree::parse("4,6,2,2");
  FaultSet dead(tree);
  dead.set({1, 1});
  const ReconfigurationTimes t = by_neighbours(tree, dead, {1, 1}, {});
  for (int y = 0; y < 6; ++y) EXPECT_EQ(t.line[kRow][static_cast<size_t>(y)], y == 1 ? kNever : 16 + 70 + 4 + 3) << y;
  for (int x = 0; x < 4; ++x)
    EXPECT_EQ(t.line[kColumn][static_cast<size_t>(x)], x == 1 ? kNever : 16 + 70 + 6 + 3) << x;
}

TEST(Manager, OneChangeInTimeIsAsOneAlone) {
  const FatTree tree = FatTree::named("tiny");
  for (int leaf = 0; leaf < tree.num_leaves(); ++leaf) {
    const LeafId id{leaf % 4, leaf / 4};
    const FaultSet dead(tree, std::vector<LeafId>{id});
    const ReconfigurationTimes alone = by_manager(tree, dead, id, {});
    const LeafChange changes[] = {{500, id, true}, {90'000, id, false}};
    const auto story = by_manager_in_time(tree, changes, {});
    EXPECT_EQ(story[0].leaf, alone.leaf);
    EXPECT_EQ(story[0].line[kRow], alone.line[kRow]);
    EXPECT_EQ(story[0].line[kColumn], alone.line[kColumn]);
    EXPECT_EQ(story[0].reported, alone.reported);
    EXPECT_EQ(story[0].served, alone.served);
    EXPECT_EQ(story[1].leaf, by_manager(tree, FaultSet(tree), id, {}).leaf);
  }
}

// The dead leaves of the row and column of one that comes back are told of again, a gap apart; a copy that was passed
// on before it lived is lost.
TEST(Manager, WhoComesBackIsToldInTime) {
  const FatTree tree = FatTree::parse("4,4,2,2");
  const LeafChange changes[] = {
      {500, {1, 1}, true}, {4000, {2, 1}, true}, {8000, {1, 3}, true}, {12'000, {3, 3}, true}, {30'000, {1, 1}, false}};
  const auto story = by_manager_in_time(tree, changes, {});
  ASSERT_EQ(story[4].again.size(), 2u) << "(2,1) and (1,3)";
  for (int leaf = 0; leaf < tree.num_leaves(); ++leaf) {
    const auto i = static_cast<size_t>(leaf);
    const bool dead = leaf == 6 || leaf == 13 || leaf == 15;
    EXPECT_EQ(story[4].leaf[i] == kNever, dead) << leaf;
    for (const int64_t k : {0, 1})
      EXPECT_EQ(story[4].again[static_cast<size_t>(k)].leaf[i], dead ? kNever : story[4].leaf[i] + 80 * (k + 1))
          << leaf;
  }
  // The flood about (3,3) passes (1,1)'s roots; it lives from a time on that is swept over them.
  int64_t told = 0, missed = 0;
  const int64_t before = by_manager_in_time(tree, std::span(changes, 4), {})[3].served;
  for (int64_t up = 12'000 + before; up < 12'000 + before + 300; up += 5) {
    const LeafChange other[] = {changes[0], changes[1], changes[2], changes[3], {up, {1, 1}, false}};
    const auto swept = by_manager_in_time(tree, other, {});
    const int64_t heard = swept[3].leaf[5];
    heard == kNever ? ++missed : ++told;
    if (heard != kNever) {
      EXPECT_GE(12'000 + heard, up + 35);
    }
  }
  EXPECT_GT(told, 10);
  EXPECT_GT(missed, 10);
}

TEST(Manager, OfReportsThatComeAtOnceThatOfTheLowestLeafIsServedFirst) {
  const FatTree tree = FatTree::parse("3,4,2,2");
  const LeafChange changes[] = {{500, {1, 2}, true}, {500, {2, 1}, true}};  // three hops away, both
  const auto story = by_manager_in_time(tree, changes, {});
  EXPECT_EQ(story[0].reported, story[1].reported);
  EXPECT_EQ(story[0].served, story[1].served + 1000) << "(2,1) has the lower number";
}

TEST(Manager, ALeafThatDiesUnderWayLengthensTheFlood) {
  const FatTree tree = FatTree::parse("3,4,2,2");
  const LeafChange changes[] = {{500, {2, 3}, true}, {500 + 1260, {2, 0}, true}};  // on the manager's row
  const auto story = by_manager_in_time(tree, changes, {});
  const ReconfigurationTimes alone = by_manager(tree, FaultSet(tree, std::vector<LeafId>{{2, 3}}), {2, 3}, {});
  EXPECT_EQ(story[0].line[kColumn][2], alone.line[kColumn][2] + 70)
      << "the roots of column 2 hear of it over another leaf of theirs";
  EXPECT_EQ(story[0].leaf[static_cast<size_t>(tree.leaf(2, 0))], kNever);
}

// A root reports one leaf an edge, the lowest first: two leaves of the manager's row die at once. The roots of their
// columns report at once, but over three hops.
TEST(Manager, LeavesOfARowThatDieAtOnceAreReportedOneAfterTheOther) {
  const FatTree tree = FatTree::parse("4,4,2,2");
  const LeafChange changes[] = {{500, {2, 0}, true}, {500, {1, 0}, true}, {500, {3, 2}, true}};
  const auto story = by_manager_in_time(tree, changes, {});
  const ReconfigurationTimes alone = by_manager(tree, FaultSet(tree, std::vector<LeafId>{{1, 0}}), {1, 0}, {});
  EXPECT_EQ(alone.report_hops, 1);
  EXPECT_EQ(story[1].reported, alone.reported);
  EXPECT_EQ(story[0].reported, alone.reported + 1);
}

TEST(Manager, ALeafThatDiedBeforeTheOthersOfItsRowIsReportedFirst) {
  const FatTree tree = FatTree::parse("4,4,2,2");
  const LeafChange changes[] = {{500, {3, 0}, true}, {600, {1, 0}, true}};
  const auto story = by_manager_in_time(tree, changes, {});
  const ReconfigurationTimes alone = by_manager(tree, FaultSet(tree, std::vector<LeafId>{{3, 0}}), {3, 0}, {});
  EXPECT_EQ(story[0].reported, alone.reported);
}

/// The leaf at which a message starts has to live when it leaves; whether it did a hop before is all one.
TEST(Manager, ALeafThatHasJustComeBackPassesTheMessageOn) {
  const FatTree tree = FatTree::parse("4,4,2,2");
  const LeafId dead{2, 3};
  const ReconfigurationTimes alone = by_manager(tree, FaultSet(tree, std::vector<LeafId>{dead}), dead, {});
  const int64_t leaves = 500 + alone.served + ManagerTiming{}.nic;
  const LeafChange changes[] = {{500, dead, true}, {leaves - 34, {0, 0}, true}, {leaves - 1, {0, 0}, false}};
  EXPECT_EQ(by_manager_in_time(tree, changes, {})[0].leaf, alone.leaf);
}

}  // namespace
}  // namespace odonata::vtftr
