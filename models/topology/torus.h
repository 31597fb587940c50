// SPDX-License-Identifier: Apache-2.0
// A torus of 2 or 3 dimensions (docs/torus.md §1): geometry only. Nodes are numbered with x fastest; port 2 * dimension
// + minus.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace odonata {

/// Geometry of a torus. Immutable; the radix may differ from dimension to dimension and need not be a power of two.
class Torus {
 public:
  static constexpr int kMaxDimensions = 3;
  static constexpr int kMinRadix = 3;   ///< with 2 the two links between a pair of nodes would be one
  static constexpr int kMaxRadix = 64;  ///< a ring of nodes is the bits of a machine word

  using Coordinates = std::array<int, kMaxDimensions>;  ///< unused dimensions are 0

  /// Radices of 2 or 3 dimensions; throws Error that names the one out of range.
  explicit Torus(const std::vector<int>& radix);
  /// "10x10", "10,10", "4x4x4", or a named size: tiny 4x4, paper 10x10, big 32x32. Throws Error on anything else.
  static Torus parse(std::string_view text);

  int dimensions() const { return dimensions_; }
  int radix(int dimension) const { return radix_[static_cast<size_t>(dimension)]; }
  int nodes() const { return nodes_; }
  int ports() const { return 2 * dimensions_; }  ///< without the node's own

  int coordinate(int node, int dimension) const {
    return node / stride_[static_cast<size_t>(dimension)] % radix(dimension);
  }
  Coordinates coordinates(int node) const;
  /// The node at these coordinates, each inside its ring.
  int node(const Coordinates& at) const;
  int node(int x, int y, int z = 0) const { return node({x, y, z}); }
  /// "3,5"; throws Error that names the text and what is wrong with it.
  int parse_node(std::string_view text) const;
  /// The node at the other end of a port; it is reached there through opposite(port).
  int neighbour(int node, int port) const;
  static constexpr int opposite(int port) { return port ^ 1; }

  std::string name() const;                ///< "10x10"
  std::string node_name(int node) const;   ///< "(3,5)"
  static std::string port_name(int port);  ///< "x+", "x-", "y+", ...
  bool operator==(const Torus&) const = default;

 private:
  int dimensions_ = 0, nodes_ = 1;
  Coordinates radix_{}, stride_{};
};

}  // namespace odonata
