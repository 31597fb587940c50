// SPDX-License-Identifier: Apache-2.0
// Beyond the paper (docs/vtftr.md §8): dead roots and links, half-dead leaves, three dimensions; every way of every
// packet.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "models/common/error.h"
#include "models/common/random.h"
#include "models/vtftr/fault_sets.h"
#include "models/vtftr/tree_route.h"
#include "tb/common/error_text.h"

namespace odonata::vtftr {
namespace {

const FatTree kTiny = FatTree::named("tiny");
const FatTree kCube = FatTree::parse("3,3,3,2,1");

TreeFault leaf(int number) { return {.leaf = number}; }
TreeFault link(int leaf, int dimension, int rail) {
  return {.kind = TreeFault::Kind::link, .leaf = leaf, .dimension = dimension, .rail = rail};
}
TreeFault root(int dimension, int line, int rail) {
  return {.kind = TreeFault::Kind::root, .dimension = dimension, .line = line, .rail = rail};
}

std::vector<TreeFault> all_links(const FatTree& t) {
  std::vector<TreeFault> out;
  for (int n = 0; n < t.num_leaves(); ++n)
    for (int d = 0; d < t.dimensions(); ++d)
      for (int r = 0; r < t.u(); ++r) out.push_back(link(n, d, r));
  return out;
}
std::vector<TreeFault> all_roots(const FatTree& t) {
  std::vector<TreeFault> out;
  for (int d = 0; d < t.dimensions(); ++d)
    for (int line = 0; line < t.num_lines(d); ++line)
      for (int r = 0; r < t.u(); ++r) out.push_back(root(d, line, r));
  return out;
}
std::vector<TreeFault> all_leaves(const FatTree& t) {
  std::vector<TreeFault> out;
  for (int n = 0; n < t.num_leaves(); ++n) out.push_back(leaf(n));
  return out;
}
/// A leaf without rails in one dimension.
std::vector<TreeFault> half_dead(const FatTree& t, int n, int dimension) {
  std::vector<TreeFault> out;
  for (int r = 0; r < t.u(); ++r) out.push_back(link(n, dimension, r));
  return out;
}

TreeReport stable(const FatTree& t, const std::vector<TreeFault>& set, int vcs = 2) {
  const TreeFaults dead(t, set);
  return explore_tree({dead, {TreeKnowledge(dead)}, vcs});
}

std::string text_of(const FatTree& t, const std::vector<TreeFault>& set) {
  std::string out;
  for (const TreeFault& f : set) out += to_string(t, f) + " ";
  return out;
}

void expect_full(const FatTree& t, const std::vector<TreeFault>& set, int routings) {
  const TreeReport r = stable(t, set);
  EXPECT_EQ(r.lost_pairs, 0) << text_of(t, set);
  EXPECT_TRUE(r.cycle.empty()) << text_of(t, set);
  EXPECT_LE(r.max_routings, routings) << text_of(t, set);
}

TEST(TreeFaults, NamesAreReadAsTheyAreWritten) {
  for (const TreeFault& f : {leaf(7), link(7, kColumn, 1), root(kRow, 3, 0)}) {
    const std::vector<TreeFault> again = parse_tree_faults(kTiny, to_string(kTiny, f));
    ASSERT_EQ(again.size(), 1u);
    EXPECT_EQ(again[0], f) << to_string(kTiny, f);
  }
  EXPECT_EQ(to_string(kTiny, link(7, kColumn, 1)), "link:3,1,column,1");
  EXPECT_EQ(parse_tree_faults(kCube, "leaf:1,2,0;root:2,8,0;link:0,0,2,row,0").size(), 3u);
  for (const char* bad : {"leaf:4,0", "leaf:1", "leaf:1,2,3", "root:row,4,0", "root:depth,0,0", "root:row,0,2",
                          "root:row,0", "root:row,0,0,0", "link:1,1,row", "link:1,1,row,x", "node:1", "", "leaf:1,1;"})
    EXPECT_THROW(parse_tree_faults(kTiny, bad), Error) << bad;
}

TEST(TreeFaults, ACoordinateOutsideIsNamed) {
  const auto refused = [](const FatTree& tree, const char* text) {
    return error_text([&] { parse_tree_faults(tree, text); });
  };
  EXPECT_EQ(refused(kTiny, "leaf:4,0"), "fault 'leaf:4,0' on a fat-tree: column 4 is outside the grid, expected 0..3");
  EXPECT_EQ(refused(kTiny, "leaf:0,4"), "fault 'leaf:0,4' on a fat-tree: row 4 is outside the grid, expected 0..3");
  EXPECT_EQ(refused(kCube, "leaf:0,0,3"),
            "fault 'leaf:0,0,3' on a fat-tree: coordinate 2 3 is out of range, expected 0..2");
}

TEST(TreeFaults, LeavesOutsideAndATreeWithoutLeavesAreRefused) {
  EXPECT_NO_THROW(FaultSet(kTiny).set({3, 0}));
  for (const LeafId outside : {LeafId{-1, 0}, LeafId{4, 0}, LeafId{0, -1}, LeafId{0, 4}})
    EXPECT_THROW(FaultSet(kTiny).set(outside), Error) << outside.x << ' ' << outside.y;
  std::vector<TreeFault> all;
  for (int i = 0; i < kTiny.num_leaves(); ++i) all.push_back(leaf(i));
  EXPECT_THROW(tree_times(TreeFaults(kTiny, all), all.back(), {}), Error) << "nobody is left to be the manager";
}

TEST(TreeFaults, WhatFailsTwiceIsRepairedOnce) {
  for (const TreeFault& what : {root(kRow, 0, 1), link(0, kColumn, 1), leaf(3)}) {
    TreeFaults f(kTiny, {what, what});
    f.set(what, false);
    EXPECT_FALSE(f.uneven());
    f.set(what, false);
    EXPECT_FALSE(f.uneven());
    EXPECT_EQ(f, TreeFaults(kTiny));
    f.set(what);
    EXPECT_EQ(f, TreeFaults(kTiny, {what}));
  }
}

TEST(TreeFaults, ARootTakesItsLinksAndGivesThemBack) {
  TreeFaults f(kTiny);
  f.set(link(0, kRow, 1));
  f.set(root(kRow, 0, 1));
  f.set(leaf(2));
  EXPECT_FALSE(f.up(1, kRow, 1));
  EXPECT_FALSE(f.up(2, kColumn, 0));
  f.set(root(kRow, 0, 1), false);
  f.set(leaf(2), false);
  EXPECT_TRUE(f.up(1, kRow, 1));
  EXPECT_FALSE(f.up(0, kRow, 1));
  f.set(link(0, kRow, 1), false);
  EXPECT_EQ(f, TreeFaults(kTiny));
  EXPECT_FALSE(f.uneven());
}

// With dead leaves only, all known and a clean line left, it is the algorithm of the paper in mode safe.
TEST(TreeRoute, DeadLeavesAloneAreRoutedAsInThePaper) {
  for (int k = 1; k <= 2; ++k) {
    for_each_fault_set(kTiny, k, [&](const std::vector<LeafId>& set) {
      const FaultSet dead(kTiny, set);
      const vtftr::Scene scene{kTiny, dead, Knowledge(dead), {}};
      std::vector<TreeFault> faults;
      for (const LeafId& l : set) faults.push_back(leaf(kTiny.leaf(l.x, l.y)));
      const TreeFaults tree(kTiny, faults);
      const TreeScene beyond{tree, {TreeKnowledge(tree)}, 2};
      for (int from = 0; from < kTiny.num_leaves(); ++from) {
        for (int to = 0; to < kTiny.num_leaves(); ++to) {
          if (tree.leaf_dead(from) || tree.leaf_dead(to)) continue;
          const auto id = [](int n) { return LeafId{n % 4, n / 4}; };
          const std::vector<Path> paper = all_paths(scene, id(from), id(to), 0);
          const std::vector<TreePath> own = all_tree_paths(beyond, from, to, 0);
          ASSERT_EQ(paper.size(), own.size()) << from << " " << to << " " << text_of(kTiny, faults);
          for (size_t i = 0; i < own.size(); ++i) {
            EXPECT_EQ(paper[i].outcome, own[i].outcome);
            EXPECT_DOUBLE_EQ(paper[i].probability, own[i].probability);
            ASSERT_EQ(paper[i].hops.size(), own[i].hops.size());
            for (size_t h = 0; h < own[i].hops.size(); ++h) {
              EXPECT_EQ(paper[i].hops[h].at, id(own[i].hops[h].leaf));
              EXPECT_EQ(paper[i].hops[h].vc, own[i].hops[h].vc);
            }
          }
        }
      }
    });
  }
}

TEST(TreeRoute, EveryRootAndEveryTwoRootsOrLinksCostNoPair) {
  const std::vector<TreeFault> links = all_links(kTiny), roots = all_roots(kTiny);
  for (size_t i = 0; i < links.size(); ++i) {
    expect_full(kTiny, {links[i]}, 2);  // another rail
    for (size_t j = 0; j < i; ++j) expect_full(kTiny, {links[i], links[j]}, 4);
  }
  for (size_t i = 0; i < roots.size(); ++i)
    for (size_t j = 0; j <= i; ++j) {
      const bool line = i != j && roots[i].dimension == roots[j].dimension && roots[i].line == roots[j].line;
      if (!line) expect_full(kTiny, {roots[i], roots[j]}, 2);  // else no rail is left to the whole line
    }
}

TEST(TreeRoute, AHalfDeadLeafIsEnteredAndLeftByItsOtherDimension) {
  for (const char* size : {"4,4,2,2", "5,3,2,1", "3,3,3,3"}) {
    const FatTree t = FatTree::parse(size);
    for (int n = 0; n < t.num_leaves(); ++n)
      for (const int d : {kRow, kColumn}) expect_full(t, half_dead(t, n, d), 3);
  }
  const TreeFaults dead(kTiny, half_dead(kTiny, kTiny.leaf(1, 1), kRow));
  const TreeScene scene{dead, {TreeKnowledge(dead)}, 2};
  EXPECT_TRUE(scene.tables[0].half_dead(kTiny.leaf(1, 1)));
  for (const TreePath& p :
       all_tree_paths(scene, kTiny.leaf(0, 1), kTiny.leaf(1, 1), 0)) {  // in its row: column, row, column
    ASSERT_EQ(p.hops.size(), 3u);
    EXPECT_EQ(p.hops[0].dimension, kColumn);
    EXPECT_TRUE(p.hops[0].around);
    EXPECT_EQ(p.hops[1].dimension, kRow);
    EXPECT_EQ(p.hops[2].dimension, kColumn);
    EXPECT_EQ(p.outcome, Outcome::delivered);
  }
}

// The proof's limit: two channels have no way that begins with a column and ends with a row twice.
TEST(TreeRoute, TwoHalfDeadLeavesLoseOnlyThePairThatTwoChannelsCannotServe) {
  for (int a = 0; a < kTiny.num_leaves(); ++a) {
    for (int b = 0; b < kTiny.num_leaves(); ++b) {
      if (a == b) continue;
      std::vector<TreeFault> set = half_dead(kTiny, a, kRow), other = half_dead(kTiny, b, kColumn);
      set.insert(set.end(), other.begin(), other.end());
      const TreeReport r = stable(kTiny, set);
      const bool in_line = a % 4 == b % 4 || a / 4 == b / 4;
      EXPECT_EQ(r.lost_pairs, in_line ? 1 : 0) << a << " " << b;
      if (in_line) {
        EXPECT_EQ(r.lost_from, a);
        EXPECT_EQ(r.lost_to, b);
      }
      EXPECT_TRUE(r.cycle.empty());
      for (const int d : {kRow, kColumn}) {  // both without the same dimension
        if (b < a) continue;
        set = half_dead(kTiny, a, d), other = half_dead(kTiny, b, d);
        set.insert(set.end(), other.begin(), other.end());
        expect_full(kTiny, set, 4);
      }
    }
  }
}

TEST(TreeRoute, OfSeveralLostPairsTheFirstByTargetIsNamed) {
  std::vector<TreeFault> set = half_dead(kTiny, 0, kRow);
  for (const int to : {3, 1}) {
    const std::vector<TreeFault> other = half_dead(kTiny, to, kColumn);
    set.insert(set.end(), other.begin(), other.end());
  }
  const TreeReport r = stable(kTiny, set);
  EXPECT_EQ(r.lost_pairs, 2);
  EXPECT_EQ(r.lost_from, 0);
  EXPECT_EQ(r.lost_to, 1);
}

TEST(TreeRoute, ADeadLeafBesideADeadLinkOrAHalfDeadLeaf) {
  for (int a = 0; a < kTiny.num_leaves(); ++a) {
    for (const TreeFault& l : all_links(kTiny)) expect_full(kTiny, {leaf(a), l}, 4);
    for (int b = 0; b < kTiny.num_leaves(); ++b) {
      if (a == b) continue;
      for (const int d : {kRow, kColumn}) {
        std::vector<TreeFault> set = half_dead(kTiny, b, d);
        set.push_back(leaf(a));
        expect_full(kTiny, set, 4);
      }
    }
  }
}

/// The rails are looked at one by one as soon as they differ: in what is dead, or in what a table knows of a root that
/// has come back meanwhile.
TEST(TreeRoute, ATableThatKnowsMoreThanIsDeadTellsTheRailsApart) {
  const TreeFaults healthy(kTiny), past(kTiny, {root(kRow, 0, 1)});
  const TreeKnowledge none{healthy}, old{past};
  const TreeReport even = explore_tree({healthy, {none}, 2}), mixed = explore_tree({healthy, {old, none}, 2});
  EXPECT_EQ(mixed.channels, 2 * even.channels) << "of two rails";
  EXPECT_GT(mixed.dependencies, 2 * even.dependencies) << "and ways round the root";
}

// Whatever the tables know: no cycle; with all channels merged into one there is one.
TEST(TreeRoute, OldNewAndMixedTablesHaveNoCycle) {
  const TreeKnowledge none{TreeFaults(kTiny)};
  int64_t lost = 0;
  bool control = false;
  const std::vector<TreeFault> links = all_links(kTiny);
  for (size_t i = 0; i < links.size(); i += 3) {
    for (size_t j = 0; j < i; j += 5) {
      const TreeFaults dead(kTiny, {links[i], links[j], leaf(5)});
      for (const auto& tables : {std::vector{none}, std::vector{none, TreeKnowledge(dead)}}) {
        const TreeReport r = explore_tree({dead, tables, 2});
        EXPECT_TRUE(r.cycle.empty());
        EXPECT_LE(r.max_routings, 4);
        lost += r.lost_pairs;
      }
      control |= !explore_tree({dead, {none}, 2}, true).cycle.empty();
    }
  }
  EXPECT_GT(lost, 0) << "a link that its leaf's root alone knows to be dead costs packets until the tables know";
  EXPECT_TRUE(control);
}

/// A packet goes up from a leaf to a root, down from it in the same dimension over the same rail to another leaf of the
/// line, and up again from there: the channels of a cycle are named that way.
TEST(TreeRoute, TheChannelsOfACycleAreTheWayOfAPacket) {
  struct Channel {
    std::string dimension;
    bool up;
    int x, y, vc, rail;
  };
  for (const int rails : {1, 2}) {
    const FatTree tree = FatTree::parse("4,4,2," + std::to_string(rails));
    const TreeFaults dead(tree, {link(6, kColumn, 0), leaf(5), leaf(10)});
    const TreeReport r = explore_tree({dead, {TreeKnowledge{TreeFaults(tree)}}, 2}, true);
    ASSERT_GE(r.cycle.size(), 4u);
    std::vector<Channel> cycle;
    for (const std::string& name : r.cycle) {
      char dimension[8], direction[8];
      Channel c{};
      ASSERT_EQ(std::sscanf(name.c_str(), "%7s %4[a-z](%d,%d) vc %d rail %d", dimension, direction, &c.x, &c.y, &c.vc,
                            &c.rail),
                rails == 1 ? 5 : 6)
          << name;
      c.dimension = dimension;
      c.up = std::string(direction) == "up";
      EXPECT_TRUE(c.dimension == "row" || c.dimension == "column") << name;
      EXPECT_TRUE(c.up || std::string(direction) == "down") << name;
      EXPECT_EQ(c.vc, 0) << name << ": merged";
      cycle.push_back(c);
    }
    for (size_t i = 0; i < cycle.size(); ++i) {
      const Channel &a = cycle[i], &b = cycle[(i + 1) % cycle.size()];
      const bool row = a.dimension == "row";
      EXPECT_NE(a.up, b.up) << r.cycle[i];
      if (a.up) {
        EXPECT_EQ(a.dimension, b.dimension) << r.cycle[i];
        EXPECT_EQ(a.rail, b.rail) << r.cycle[i];
      }
      EXPECT_EQ(a.x != b.x, a.up && row) << r.cycle[i];
      EXPECT_EQ(a.y != b.y, a.up && !row) << r.cycle[i];
    }
  }
}

TEST(TreeRoute, WaysAreInTheOrderOfTheirProbability) {
  bool differ = false;
  for_each_fault_set(kTiny, 2, [&](const std::vector<LeafId>& set) {
    std::vector<TreeFault> faults;
    for (const LeafId at : set) faults.push_back(leaf(kTiny.leaf(at.x, at.y)));
    const TreeFaults dead(kTiny, faults);
    if (dead.leaf_dead(0) || dead.leaf_dead(15)) return;
    const std::vector<TreePath> ways = all_tree_paths({dead, {TreeKnowledge{TreeFaults(kTiny)}}, 2}, 0, 15, 0);
    for (size_t i = 1; i < ways.size(); ++i) {
      EXPECT_LE(ways[i].probability, ways[i - 1].probability) << text_of(kTiny, faults);
      differ |= ways[i].probability < ways[i - 1].probability;
    }
  });
  EXPECT_TRUE(differ);
}

/// A root whose only link that is left has failed under the packet has nowhere to send it back to.
TEST(TreeRoute, ARootWithoutALinkDropsThePacket) {
  const LineMap all = LineMap::first(4);
  const TreeRootAsk q{{kRow, 0, 0}, kTiny.leaf(2, 1), 1, 0, false};
  EXPECT_EQ(choose_tree_root(kTiny, {}, all, q, 1).kind, RootKind::none);
  const RootChoice back = choose_tree_root(kTiny, {}, all & ~LineMap::bit(1), q, 1);
  EXPECT_EQ(back.kind, RootKind::bounce);
  EXPECT_EQ(back.ports, LineMap::bit(1));
}

// §8: with one fault-tolerant channel three dead leaves may lose a pair, with two none does.
TEST(TreeRoute, ThreeDimensionsNeedThreeVirtualChannels) {
  const std::vector<TreeFault> leaves = all_leaves(kCube);
  int64_t two = 0, three = 0;
  int routings = 0;
  const auto add = [&](const std::vector<TreeFault>& set) {
    const TreeReport a = stable(kCube, set, 2), b = stable(kCube, set, 3);
    EXPECT_TRUE(a.cycle.empty() && b.cycle.empty());
    if (set.size() < 3) {
      EXPECT_EQ(a.lost_pairs, 0) << text_of(kCube, set);
    }
    EXPECT_EQ(b.lost_pairs, 0) << text_of(kCube, set);
    two += a.lost_pairs != 0;
    three += b.lost_pairs != 0;
    routings = std::max(routings, b.max_routings);
  };
  for (size_t i = 0; i < leaves.size(); ++i) {
    add({leaves[i]});
    for (size_t j = 0; j < i; ++j) {
      add({leaves[i], leaves[j]});
      for (size_t k = 0; k < j; k += 2) add({leaves[i], leaves[j], leaves[k]});
    }
  }
  EXPECT_GT(two, 0);
  EXPECT_EQ(three, 0);
  EXPECT_EQ(routings, 4);
}

TEST(TreeRoute, TwoDimensionsAsTheSpecialCaseOfMany) {
  const TreeFaults dead(kTiny, {leaf(2), leaf(8)});  // Fig. 5
  const TreeKnowledge known(dead);
  const TreeStep s = decide_leaf_kd(known, dead, {0, 10, kFromNode, 0, 1}, 1);
  EXPECT_EQ(s, decide_leaf_2d(known, dead, {0, 10, kFromNode, 0, 1}));
  EXPECT_TRUE(s.around);
}

// ---- random faults, against the text in plain words

/// The links that live, each asked for by the faults' names alone.
class Plain {
 public:
  Plain(const FatTree& tree, std::vector<TreeFault> faults) : tree_(tree), faults_(std::move(faults)) {}
  bool dead(int n) const { return has(leaf(n)); }
  bool up(int n, int dimension, int rail) const {
    return !dead(n) && !has(link(n, dimension, rail)) && !has(root(dimension, tree_.line(n, dimension), rail));
  }
  std::set<int> rails(int n, int dimension) const {
    std::set<int> out;
    for (int r = 0; r < tree_.u(); ++r)
      if (up(n, dimension, r)) out.insert(r);
    return out;
  }
  /// Leaves of a line that packets may enter and leave there: two without a common rail are not both so.
  std::set<int> attached(int dimension, int line) const {
    std::vector<std::set<int>> own;
    for (int i = 0; i < tree_.size(dimension); ++i)
      own.push_back(rails(tree_.leaf_of_line(dimension, line, i), dimension));
    for (size_t later = 0; later < own.size(); ++later) {
      for (size_t earlier = 0; earlier < later; ++earlier) {
        std::vector<int> common;
        std::set_intersection(own[earlier].begin(), own[earlier].end(), own[later].begin(), own[later].end(),
                              std::back_inserter(common));
        if (!common.empty() || own[earlier].empty() || own[later].empty()) continue;
        own[own[earlier].size() < own[later].size() ? earlier : later].clear();
      }
    }
    std::set<int> out;
    for (size_t i = 0; i < own.size(); ++i)
      if (!own[i].empty()) out.insert(static_cast<int>(i));
    return out;
  }

 private:
  bool has(const TreeFault& f) const { return std::find(faults_.begin(), faults_.end(), f) != faults_.end(); }
  const FatTree& tree_;
  std::vector<TreeFault> faults_;
};

/// Some leaves, roots and links of a tree, few or many.
std::vector<TreeFault> some_of(const FatTree& t, Random& random) {
  std::vector<TreeFault> all = all_links(t), out;
  for (const auto& more : {all_roots(t), all_leaves(t)}) all.insert(all.end(), more.begin(), more.end());
  for (uint32_t n = random.below(random.chance(0.5) ? 4 : 24) + 1; n > 0; --n) {
    const TreeFault f = all[random.below(static_cast<uint32_t>(all.size()))];
    if (std::find(out.begin(), out.end(), f) == out.end()) out.push_back(f);
  }
  return out;
}
/// Sizes, nodes and rails all differ.
const char* const kUneven[] = {"5,3,6,3", "3,4,4,4", "2,3,4,4,2"};

TEST(TreeKnowledge, IsWhatTheTextSays) {
  Random random(7);
  int given_up = 0;  // leaves that have rails
  for (const char* size : kUneven) {
    const FatTree t = FatTree::parse(size);
    for (int i = 0; i < 200; ++i) {
      const std::vector<TreeFault> faults = some_of(t, random);
      const Plain plain(t, faults);
      const TreeKnowledge known{TreeFaults(t, faults)};
      std::vector<std::set<int>> masked(static_cast<size_t>(t.dimensions()));
      for (int d = 0; d < t.dimensions(); ++d) {
        for (int line = 0; line < t.num_lines(d); ++line) {
          const std::set<int> attached = plain.attached(d, line);
          for (int at = 0; at < t.size(d); ++at) {
            const int n = t.leaf_of_line(d, line, at);
            ASSERT_EQ(known.attached(n, d), attached.count(at) != 0) << size << " " << text_of(t, faults) << n;
            given_up += attached.count(at) == 0 && !plain.rails(n, d).empty();
            if (attached.count(at) != 0) continue;
            for (int other = 0; other < t.dimensions(); ++other)
              masked[static_cast<size_t>(other)].insert(t.point(n)[static_cast<size_t>(other)]);
          }
        }
      }
      for (int d = 0; d < t.dimensions(); ++d) {
        const std::set<int>& lines = masked[static_cast<size_t>(d)];
        for (int at = 0; at < t.size(d); ++at) ASSERT_EQ(known.mask(d).test(at), lines.count(at) != 0);
        ASSERT_EQ(known.full(d), static_cast<int>(lines.size()) == t.size(d));
      }
    }
  }
  EXPECT_GT(given_up, 20);
}

// §8.1: the first rail, from the one wanted on, whose own link is up and that leads on; around: one with an unmasked
// other leaf. Tables may be old.
TEST(TreeRoute, RailsOfRandomScenes) {
  Random random(8);
  int around = 0, spare = 0;
  for (const char* size : kUneven) {
    const FatTree t = FatTree::parse(size);
    for (int i = 0; i < 2000; ++i) {
      std::vector<TreeFault> told = some_of(t, random), true_ones = told;
      if (random.chance(0.5)) true_ones.push_back(some_of(t, random).front());
      const TreeFaults seen(t, true_ones);
      const TreeKnowledge known{TreeFaults(t, told)};
      const Plain sees(t, true_ones), knows(t, told);
      for (int n = 0; n < t.num_leaves(); ++n) {
        const int dest = static_cast<int>(random.below(static_cast<uint32_t>(t.num_leaves())));
        const int wanted = static_cast<int>(random.below(static_cast<uint32_t>(t.u())));
        if (sees.dead(n) || dest == n) continue;
        const TreeStep s = decide_leaf(known, seen, {n, dest, kFromNode, 0, wanted}, t.dimensions() - 1);
        if (s.dimension < 0) continue;
        const int d = s.dimension, line = t.line(n, d);
        const auto place = [&](int of) { return t.point(of)[static_cast<size_t>(d)]; };
        const auto leads = [&](int rail) {
          if (!s.around) return knows.up(t.leaf_of_line(d, line, place(dest)), d, rail);
          for (int at = 0; at < t.size(d); ++at)
            if (at != place(dest) && at != place(n) && !known.mask(d).test(at) &&
                knows.up(t.leaf_of_line(d, line, at), d, rail))
              return true;
          return false;
        };
        int good = -1, any = -1;
        for (int r = t.u() - 1; r >= 0; --r) {
          const int rail = (wanted + r) % t.u();
          if (!sees.up(n, d, rail)) continue;
          any = rail;
          if (leads(rail)) good = rail;
        }
        ASSERT_EQ(s.rail, good >= 0 ? good : any) << size << " " << text_of(t, true_ones) << n << " " << dest;
        around += s.around && good >= 0 && good != any;
        spare += !s.around && good != wanted;
      }
    }
  }
  EXPECT_GT(around, 10) << "the first rail that is up leads nowhere";
  EXPECT_GT(spare, 100);
}

// A leaf sees at once that its uplinks of a dimension are down, whatever its tables say: it leaves by another one.
TEST(TreeRoute, ALeafDoesNotCountOnUplinksThatItSeesDown) {
  for (const char* size : {"4,4,2,2", "5,3,6,3", "3,3,3,4,2"}) {
    const FatTree t = FatTree::parse(size);
    const TreeKnowledge none{TreeFaults(t)};
    for (int d = 0; d < t.dimensions(); ++d) {
      const TreeFaults seen(t, half_dead(t, 0, d));
      for (int dest = 1; dest < t.num_leaves(); ++dest) {
        const TreeStep s = decide_leaf(none, seen, {0, dest, kFromNode, 0, 0}, t.dimensions() - 1);
        EXPECT_GE(s.dimension, 0) << size << " " << d << " " << dest << ": dropped";
        EXPECT_NE(s.dimension, d) << size << " " << dest;
      }
    }
  }
}

/// Links from the live leaf of the lowest number to every switch, by a plain search; roots behind the leaves.
std::map<std::vector<int>, int> plain_hops(const FatTree& t, const Plain& plain) {
  int first = 0;
  while (plain.dead(first)) ++first;
  std::map<std::vector<int>, int> hops{{{first}, 0}};
  for (bool more = true; more;) {
    more = false;
    for (int n = 0; n < t.num_leaves(); ++n)
      for (int d = 0; d < t.dimensions(); ++d)
        for (int r = 0; r < t.u(); ++r) {
          if (!plain.up(n, d, r)) continue;
          const std::vector<int> here{n}, root{d, t.line(n, d), r};
          for (const auto& [from, to] : {std::pair{here, root}, std::pair{root, here}}) {
            const auto found = hops.find(from);
            if (found == hops.end()) continue;
            const auto [at, fresh] = hops.emplace(to, found->second + 1);
            if (!fresh && at->second <= found->second + 1) continue;
            at->second = found->second + 1;
            more = true;
          }
        }
  }
  return hops;
}

// §6 and §8.4: detection by the ends that live, the way to the manager, service, the way back, and an update that in a
// root takes as long as its line.
TEST(TreeTimes, OfAnyFaultByAPlainSearch) {
  Random random(9);
  const ManagerTiming timing;
  for (const char* size : kUneven) {
    const FatTree t = FatTree::parse(size);
    for (int i = 0; i < 60; ++i) {
      const std::vector<TreeFault> faults = some_of(t, random);
      const Plain plain(t, faults);
      const TreeFault& last = faults.back();
      std::map<std::vector<int>, int> hops = plain_hops(t, plain);
      std::vector<std::vector<int>> ends;
      for (int n = 0; n < t.num_leaves(); ++n)
        for (int d = 0; d < t.dimensions(); ++d)
          for (int r = 0; r < t.u(); ++r) {
            const int line = t.line(n, d);
            const std::vector<int> at_leaf{n}, at_root{d, line, r};
            if (last == leaf(n)) ends.push_back(at_root);
            if (last == root(d, line, r)) ends.push_back(at_leaf);
            if (last == link(n, d, r)) ends.insert(ends.end(), {at_leaf, at_root});
          }
      int report = -1;
      for (const auto& end : ends)
        if (hops.count(end) && (report < 0 || hops[end] < report)) report = hops[end];
      const TreeTimes times = tree_times(TreeFaults(t, faults), last, timing);
      if (report < 0) {
        EXPECT_EQ(times.done(), kNever) << size << " " << text_of(t, faults);
        continue;
      }
      const int64_t served = 16 + 35 * report + 48 + 1000;
      ASSERT_EQ(times.served, served) << size << " " << text_of(t, faults);
      const auto expect = [&](size_t number, const std::vector<int>& name, int update) {
        const auto found = hops.find(name);
        ASSERT_EQ(times.at[number], found == hops.end() ? kNever : served + 48 + 35 * found->second + update)
            << size << " " << text_of(t, faults) << number;
      };
      size_t number = 0;
      for (int n = 0; n < t.num_leaves(); ++n) expect(number++, {n}, 2);
      for (int d = 0; d < t.dimensions(); ++d)
        for (int line = 0; line < t.num_lines(d); ++line)
          for (int r = 0; r < t.u(); ++r) expect(number++, {d, line, r}, t.size(d) + 3);
    }
  }
}

// The manager's cycles, switch by switch: as manager.h has them where only leaves fail.
TEST(TreeTimes, OfALeafAsTheManagersModel) {
  const TreeFaults dead(kTiny, {leaf(6)});
  const TreeTimes t = tree_times(dead, leaf(6), {});
  const ReconfigurationTimes r = by_manager(kTiny, FaultSet(kTiny, std::vector<LeafId>{{2, 1}}), {2, 1}, {});
  EXPECT_EQ(t.detected, r.detected);
  EXPECT_EQ(t.served, r.served);
  EXPECT_EQ(t.done(), r.done());
  for (int n = 0; n < 16; ++n) EXPECT_EQ(t.at[static_cast<size_t>(n)], r.leaf[static_cast<size_t>(n)]) << n;
  for (int line = 0; line < 4; ++line)
    for (int rail = 0; rail < 2; ++rail) {
      EXPECT_EQ(t.at[static_cast<size_t>(16 + 2 * line + rail)], r.line[kRow][static_cast<size_t>(line)]);
      EXPECT_EQ(t.at[static_cast<size_t>(24 + 2 * line + rail)], r.line[kColumn][static_cast<size_t>(line)]);
    }
  EXPECT_EQ(tree_times(TreeFaults(kTiny, {root(kRow, 0, 0)}), root(kRow, 0, 0), {}).at[16], kNever)
      << "the dead root itself";
}

}  // namespace
}  // namespace odonata::vtftr
