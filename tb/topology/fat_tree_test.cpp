// SPDX-License-Identifier: Apache-2.0
#include "models/topology/fat_tree.h"

#include <gtest/gtest.h>

#include <set>

namespace odonata {
namespace {

TEST(FatTree, SizesOfThePaper) {
  EXPECT_EQ(FatTree::named("paper").num_nodes(), 4096);
  EXPECT_EQ(FatTree::named("paper").num_roots(), 512);
  const FatTree full = FatTree::named("full");
  EXPECT_EQ(full.num_nodes(), 124416);  // §1.2: "more than 100,000 with 72-port switches"
  EXPECT_EQ(full.num_leaves(), 5184);
  EXPECT_EQ(full.num_roots(), 3456);
  EXPECT_EQ(full.leaf_ports(), 72);
}

TEST(FatTree, TheMostLeavesAreTaken) {
  EXPECT_EQ(FatTree::parse("128,128,128,8,1,1").num_leaves(), 1 << 24);
  EXPECT_THROW(FatTree::parse("128,128,128,9,1,1"), Error);
}

TEST(FatTree, LeavesAndLinesAreOneToOne) {
  for (const char* text : {"4,4,2,2", "3,5,4,2", "72,72,24,24", "2,3,4,6,3", "3,2,2,4,5,1"}) {
    const FatTree t = FatTree::parse(text);
    for (int leaf = 0; leaf < t.num_leaves(); ++leaf) EXPECT_EQ(t.leaf(t.point(leaf)), leaf);
    for (int d = 0; d < t.dimensions(); ++d) {
      std::set<int> seen;
      for (int line = 0; line < t.num_lines(d); ++line) {
        for (int at = 0; at < t.size(d); ++at) {
          const int leaf = t.leaf_of_line(d, line, at);
          EXPECT_EQ(t.line(leaf, d), line);
          EXPECT_EQ(t.point(leaf)[static_cast<size_t>(d)], at);
          seen.insert(leaf);
        }
      }
      EXPECT_EQ(static_cast<int>(seen.size()), t.num_leaves());
    }
  }
}

TEST(FatTree, RowsAndColumnsAreLines) {
  const FatTree t = FatTree::parse("5,3,2,1");
  for (int y = 0; y < 3; ++y) {
    for (int x = 0; x < 5; ++x) {
      EXPECT_EQ(t.line(t.leaf(x, y), 0), y);
      EXPECT_EQ(t.line(t.leaf(x, y), 1), x);
    }
  }
}

TEST(FatTree, PortsNameNodesThenRails) {
  const FatTree t = FatTree::named("tiny");
  EXPECT_EQ(t.leaf_ports(), 6);
  EXPECT_EQ(t.leaf_port(1).node, 1);
  EXPECT_EQ(t.leaf_port(5).dimension, 1);
  EXPECT_EQ(t.leaf_port(5).rail, 1);
  EXPECT_EQ(t.uplink(1, 1), 5);
  const FatTree more = FatTree::parse("4,4,4,2");  // nodes than rails
  EXPECT_EQ(more.leaf_port(3).node, 3);
  EXPECT_EQ(more.leaf_port(4).node, -1);
  EXPECT_EQ(more.leaf_port(4).dimension, 0);
  EXPECT_EQ(fat_tree_address(71, 71, 23), 71u << 12 | 71u << 5 | 23u);
}

TEST(FatTree, NamesAreSizes) {
  for (const auto& [name, size] : {std::pair{"tiny", "4,4,2,2"}, {"small", "8,8,8,8"}, {"full", "72,72,24,24"}}) {
    EXPECT_EQ(FatTree::parse(name).name(), FatTree::parse(size).name());
    EXPECT_EQ(FatTree::named(name).name(), FatTree::parse(size).name());
  }
  EXPECT_THROW(FatTree::named("4,4,2,2"), Error);
  EXPECT_THROW(FatTree::parse("large"), Error);
}

TEST(FatTree, TheLargestSizesAreTaken) {
  for (const char* text : {"2,2,1,1", "128,2,1,1", "2,128,1,1", "2,2,32,32"}) {
    EXPECT_EQ(FatTree::parse(text).dimensions(), 2) << text;
  }
  EXPECT_EQ(FatTree::parse("2,2,32,32").leaf_ports(), 96);
  EXPECT_EQ(FatTree::parse("128,128,128,1,1").num_leaves(), 1 << 21);
  EXPECT_THROW(FatTree::parse("2,129,1,1"), Error);
  EXPECT_THROW(FatTree::parse("2,2,0,1"), Error);
}

TEST(FatTree, BadSizesAreRefused) {
  for (const char* text : {"", "4,4,2", "4,4,2,2,", "4,x,2,2", "1,4,2,2", "129,4,2,2", "4,4,33,1", "4,4,3,2", "4,4,2,3",
                           "4,4,2,0", "4,4,32,32,32", "2,2,2,2,2,2,2", "4;4,2,2", "4,4,2,2x"}) {
    EXPECT_THROW(FatTree::parse(text), Error) << text;
  }
}

}  // namespace
}  // namespace odonata
