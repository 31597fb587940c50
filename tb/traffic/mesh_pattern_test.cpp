// SPDX-License-Identifier: Apache-2.0
// Mesh traffic patterns against hand-made values, bit strings and digit arithmetic; channel loads of dimension-order
// routing against closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "models/common/error.h"
#include "models/traffic/mesh_pattern.h"
#include "models/traffic/node_pattern.h"
#include "tb/common/error_text.h"

namespace odonata::traffic {
namespace {

using arb_request::Mesh;

int to(const Mesh& mesh, const char* pattern, int source) {
  Random random(1);
  return MeshPattern::parse(mesh, pattern, 7).destination(source, random);
}

std::string bits_of(int node, int bits) {
  std::string text;
  for (int i = bits - 1; i >= 0; --i) text += node >> i & 1 ? '1' : '0';
  return text;
}

TEST(MeshPattern, BitPatternsAsStrings) {
  for (const char* name : {"4x4x4", "8x8", "4x4", "16x16", "4x16"}) {
    const Mesh mesh = Mesh::parse(name);
    const int bits = mesh.routers() == 64 ? 6 : mesh.routers() == 16 ? 4 : mesh.routers() == 256 ? 8 : 6;
    for (int node = 0; node < mesh.routers(); ++node) {
      const std::string b = bits_of(node, bits);
      const size_t half = b.size() / 2;
      EXPECT_EQ(bits_of(to(mesh, "transpose", node), bits), b.substr(half) + b.substr(0, half)) << name;
      EXPECT_EQ(bits_of(to(mesh, "shuffle", node), bits), b.substr(1) + b[0]) << name;
      EXPECT_EQ(bits_of(to(mesh, "bitrev", node), bits), std::string(b.rbegin(), b.rend())) << name;
      std::string inverted = b;
      for (char& c : inverted) c = c == '1' ? '0' : '1';
      EXPECT_EQ(bits_of(to(mesh, "bit-complement", node), bits), inverted) << name;
    }
  }
}

TEST(MeshPattern, DigitPatternsByHand) {
  const Mesh mesh = Mesh::parse("8x8");
  EXPECT_EQ(to(mesh, "tornado", 0), 3 + 8 * 3);
  EXPECT_EQ(to(mesh, "tornado", 6 + 8 * 4), 1 + 8 * 7);
  EXPECT_EQ(to(mesh, "neighbor", 7 + 8 * 2), 0 + 8 * 3);
  const Mesh uneven = Mesh::parse("4x5x3");
  EXPECT_EQ(to(uneven, "tornado", 3 + 4 * 4 + 20 * 2), 0 + 4 * 1 + 20 * 0);  // shifts 1, 2, 1
  EXPECT_EQ(to(uneven, "neighbor", 3 + 4 * 4 + 20 * 2), 0 + 4 * 0 + 20 * 0);
  for (int node = 0; node < 64; ++node) {  // with k = 4 both patterns of BookSim2 are one
    EXPECT_EQ(to(Mesh::parse("4x4x4"), "tornado", node), to(Mesh::parse("4x4x4"), "neighbor", node));
  }
}

TEST(MeshPattern, RandomPermutationIsOneAndFollowsTheSeed) {
  const Mesh mesh = Mesh::parse("4x4x4");
  std::set<int> seen, other;
  Random random(1);
  const MeshPattern a = MeshPattern::parse(mesh, "randperm", 1), b = MeshPattern::parse(mesh, "random-permutation", 1),
                    c = MeshPattern::parse(mesh, "randperm", 2);
  int moved = 0;
  for (int node = 0; node < 64; ++node) {
    seen.insert(a.destination(node, random));
    EXPECT_EQ(a.destination(node, random), b.destination(node, random));
    moved += a.destination(node, random) != c.destination(node, random);
  }
  EXPECT_EQ(seen.size(), 64u);
  EXPECT_GT(moved, 50);
}

TEST(MeshPattern, UniformReachesEveryNodeItselfIncluded) {
  const MeshPattern p = MeshPattern::parse(Mesh::parse("4x4"), "uniform", 1);
  Random random(3);
  std::vector<int> count(16);
  for (int i = 0; i < 16'000; ++i) ++count[static_cast<size_t>(p.destination(5, random))];
  for (int n : count) EXPECT_NEAR(n, 1000, 160);
}

TEST(MeshPattern, RefusesWhatDoesNotFit) {
  EXPECT_THROW(MeshPattern::parse(Mesh::parse("4x4"), "ur", 1), Error);
  EXPECT_THROW(MeshPattern::parse(Mesh::parse("3x3"), "bitrev", 1), Error);
  EXPECT_THROW(MeshPattern::parse(Mesh::parse("4x8"), "transpose", 1), Error);
  EXPECT_NO_THROW(MeshPattern::parse(Mesh::parse("3x3"), "tornado", 1));
}

TEST(NodePattern, ARandomPermutationIsOneAndFollowsTheSeed) {
  constexpr int kNodes = 100;
  const NodePattern a = NodePattern::parse(kNodes, "randperm", 1), same = NodePattern::parse(kNodes, "randperm", 1),
                    other = NodePattern::parse(kNodes, "randperm", 2);
  Random random(1);
  std::set<int> seen;
  int moved = 0, different = 0;
  for (int node = 0; node < kNodes; ++node) {
    const int to = a.destination(node, random);
    seen.insert(to);
    moved += to != node;
    different += to != other.destination(node, random);
    EXPECT_EQ(to, same.destination(node, random));
  }
  EXPECT_EQ(seen.size(), static_cast<size_t>(kNodes));
  EXPECT_GT(moved, 90);
  EXPECT_GT(different, 90);
}

TEST(NodePattern, AShiftIsAWholeNumberBelowTheNodes) {
  Random random(1);
  EXPECT_EQ(NodePattern::parse(5, "shift+4", 1).destination(3, random), 2);
  EXPECT_EQ(NodePattern::parse(5, "shift+1", 1).destination(3, random), 4);
  for (const char* text :
       {"shift+0", "shift+5", "shift+", "shift+1x", "shift+99999999999", "shift", "shift-3", "randperm2"}) {
    EXPECT_EQ(
        error_text([text] { NodePattern::parse(5, text, 1); }),
        "traffic pattern '" + std::string(text) + "' is unknown, expected uniform, randperm or shift+I with I in 1..4");
  }
}

/// Closed forms (Dally, Towles §3.3; k even): uniform k/4, bit-complement k/2, transpose in two dimensions k-1, tornado
/// and neighbor by hand.
TEST(DorLoad, ClosedForms) {
  const auto bound = [](const char* mesh, const char* pattern) {
    const Mesh m = Mesh::parse(mesh);
    return dor_load(m, MeshPattern::parse(m, pattern, 1)).saturation_bound();
  };
  EXPECT_DOUBLE_EQ(bound("8x8", "uniform"), 0.5);
  EXPECT_DOUBLE_EQ(bound("4x4x4", "uniform"), 1);
  EXPECT_DOUBLE_EQ(bound("16x16", "uniform"), 0.25);
  EXPECT_DOUBLE_EQ(bound("8x8", "bitcomp"), 0.25);
  EXPECT_DOUBLE_EQ(bound("4x4x4", "bitcomp"), 0.5);
  EXPECT_DOUBLE_EQ(bound("8x8", "transpose"), 1.0 / 7);
  EXPECT_DOUBLE_EQ(bound("8x8", "tornado"), 1.0 / 3);
  EXPECT_DOUBLE_EQ(bound("4x4x4", "tornado"), 1);
  EXPECT_DOUBLE_EQ(bound("8x8", "neighbor"), 1);
}

TEST(DorLoad, SumIsTheMeanDistance) {
  const Mesh mesh = Mesh::parse("4x3x5");
  const DorLoad load = dor_load(mesh, MeshPattern::parse(mesh, "uniform", 1));
  double sum = 0, distance = 0;
  for (double channel : load.channel) sum += channel;
  for (int k : {4, 3, 5}) distance += (k * k - 1) / (3.0 * k);
  EXPECT_NEAR(sum, 60 * distance, 1e-9);
  EXPECT_NEAR(load.ejection, 1, 1e-9);
}

}  // namespace
}  // namespace odonata::traffic
