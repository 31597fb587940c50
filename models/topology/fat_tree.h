// SPDX-License-Identifier: Apache-2.0
// The k-dimension fat-tree (VTFTR §1.2; KNS, Peñaranda et al. 2012): a grid of leaf switches, and in every dimension
// root switches that join the leaves of a line. docs/vtftr.md §1.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "models/common/error.h"

namespace odonata {

/// Leaf switches at the points of a grid of 2..4 dimensions. A leaf has p nodes and u rails a dimension: one uplink to
/// each of the u roots of its line. A root has one port a leaf of its line. Immutable; every method is a closed form.
class FatTree {
 public:
  static constexpr int kMaxDimensions = 4;
  static constexpr int kMaxLine = 128;  ///< leaves of a line: a coordinate has 7 bits
  static constexpr int kMaxNodes = 32;  ///< nodes of a leaf: 5 bits
  static constexpr int kMaxPorts = 127;

  /// A coordinate a dimension: column x, row y, ...
  using Point = std::array<int, kMaxDimensions>;

  /// A port of a leaf leads to a node or to a root.
  struct LeafPort {
    int node = -1;       ///< 0..p-1, or -1
    int dimension = -1;  ///< 0 row (x), 1 column (y), ... , or -1
    int rail = -1;       ///< 0..u-1, or -1
  };
  /// A root switch: the dimension that it joins, its line and its rail.
  struct Root {
    int dimension = 0;
    int line = 0;
    int rail = 0;
    bool operator==(const Root&) const = default;
  };

  /// `sizes`: leaves a dimension (2..128 each). Throws Error that names what is out of range: p 1..32, u 1..p and a
  /// divisor of p, at most 127 ports.
  FatTree(std::span<const int> sizes, int p, int u);
  /// Parses "N,M,P,U", or with k dimensions "N1,..,Nk,P,U", or a name that named() knows. Throws Error.
  static FatTree parse(std::string_view text);
  /// "tiny" 4,4,2,2; "small" 8,8,8,8; "paper" 16,16,16,16; "full" 72,72,24,24. Throws Error.
  static FatTree named(std::string_view name);

  /// "fat-tree 16x16, 16 nodes and 16 rails a leaf"
  std::string name() const;
  int dimensions() const { return dimensions_; }
  int size(int dimension) const { return size_[dimension]; }
  int columns() const { return size_[0]; }
  int rows() const { return size_[1]; }
  int p() const { return p_; }
  int u() const { return u_; }
  int num_leaves() const { return num_leaves_; }
  int num_nodes() const { return num_leaves_ * p_; }
  int num_roots() const;
  int leaf_ports() const { return p_ + dimensions_ * u_; }

  int leaf(const Point& at) const;
  int leaf(int x, int y) const { return y * size_[0] + x; }
  Point point(int leaf) const;
  int node(int leaf, int i) const { return leaf * p_ + i; }
  /// The rail of a packet, kept on its whole way: balanced under uniform traffic, and packets of a pair stay in order.
  int rail(int node) const { return node % p_ % u_; }

  int uplink(int dimension, int rail) const { return p_ + dimension * u_ + rail; }
  LeafPort leaf_port(int port) const;
  /// The line of a leaf in a dimension: its other coordinates as one number. Row roots: the row; column roots: the
  /// column.
  int line(int leaf, int dimension) const;
  /// The leaf at coordinate `at` of a line.
  int leaf_of_line(int dimension, int line, int at) const;
  int num_lines(int dimension) const { return num_leaves_ / size_[dimension]; }

 private:
  std::array<int, kMaxDimensions> size_{1, 1, 1, 1};
  std::array<int, kMaxDimensions> stride_{};
  int dimensions_ = 0;
  int p_ = 0, u_ = 0, num_leaves_ = 1;
};

/// A node's address in hardware: node [4:0], coordinate i at [11+7i : 5+7i]; 19 bits in two dimensions.
constexpr uint32_t fat_tree_address(int x, int y, int node) {
  return static_cast<uint32_t>(y) << 12 | static_cast<uint32_t>(x) << 5 | static_cast<uint32_t>(node);
}

}  // namespace odonata
