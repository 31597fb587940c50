// SPDX-License-Identifier: Apache-2.0
// The fault regions of a torus and what follows from them: blocked ports, walls, sides of a detour (docs/torus.md §3).
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "models/torus/types.h"

namespace odonata::torus {

/// A bidirectional link, named by the node whose + port of the dimension it is.
struct Link {
  int node = 0;
  int dimension = 0;
  bool operator==(const Link&) const = default;
};

/// What has failed. A failed node takes its links with it.
struct Faults {
  std::vector<int> nodes;
  std::vector<Link> links;
};

/// "node:3,5", "link:2,2,x+", several of them with ';' between. Throws Error that names the part and what is wrong with
/// it.
Faults parse_faults(const Torus& torus, std::string_view text);

/// A connected set of disabled nodes: a product of arcs, which may go over the wrap links.
struct Region {
  Torus::Coordinates first{};   ///< where each arc begins; 0 when it is the whole ring
  Torus::Coordinates extent{};  ///< its length; 1 in unused dimensions
  int nodes = 0;                ///< disabled nodes of the region; the product of the lengths, if the region is a box
};

/// The fixed point of the marking rule for one set of faults. Immutable.
class FaultMap {
 public:
  static constexpr int16_t kHealthy = -1;

  FaultMap(const Torus& torus, Rule rule, const Faults& faults);

  const Torus& torus() const { return torus_; }
  Rule rule() const { return rule_; }
  /// kHealthy, 0 for a faulty node, otherwise the round in which it was marked.
  int marked_in_round(int node) const { return marked_in_round_[static_cast<size_t>(node)]; }
  /// Neither faulty nor marked: the node may send, receive and forward.
  bool healthy(int node) const { return marked_in_round(node) == kHealthy; }
  int rounds() const { return rounds_; }  ///< of marking; 0: no healthy node was marked
  int num_healthy() const { return num_healthy_; }
  /// Bit p: the link at port p is faulty or its other end is not healthy.
  uint8_t blocked(int node) const { return blocked_[static_cast<size_t>(node)]; }
  /// Bit c: no healthy node of coordinate c in this dimension can leave in direction +. A packet must not cross it.
  uint64_t wall(int dimension) const { return wall_[static_cast<size_t>(dimension)]; }
  /// True if walls part the two nodes: in some dimension both ways round the ring are walled.
  bool parted(int from, int to) const;
  /// Two dimensions: number of consecutive nodes, this one first, whose `port` is blocked, towards + or - of the other
  /// dimension; at most the ring.
  int span(int node, int port, bool minus) const;
  /// Two dimensions: bit p: the span of port p towards + is shorter; bit 4 + p: the one towards - is.
  uint8_t sides(int node) const { return sides_.empty() ? uint8_t{0} : sides_[static_cast<size_t>(node)]; }
  std::vector<Region> regions() const;

 private:
  void mark(const Faults& faults);
  void find_walls();
  void find_sides();

  Torus torus_;
  Rule rule_;
  std::vector<int16_t> marked_in_round_;
  std::vector<uint8_t> blocked_, sides_;
  std::array<uint64_t, Torus::kMaxDimensions> wall_{};
  int rounds_ = 0, num_healthy_ = 0;
};

/// True if a healthy node with these ports blocked is to be marked.
constexpr bool marks(Rule rule, unsigned blocked) {
  const unsigned pairs = (blocked | blocked >> 1) & 0x15;  // bit 2d: dimension d has a blocked port
  const unsigned counted = rule == Rule::kAny ? blocked : pairs;
  return (counted & (counted - 1)) != 0;
}

/// The links of a ring on the way from position `from` to `to` in direction +, bit c = between c and c + 1; the
/// complement is the way in direction -. Bits above the ring are set where the way goes over the wrap link; a wall has
/// none there.
constexpr uint64_t plus_way_of(uint64_t from, uint64_t to) {
  const uint64_t between = ((1ull << from) - 1) ^ ((1ull << to) - 1);  // from..to-1, or to..from-1
  return to < from ? ~between : between;
}

/// Calls `visit` with every set of nodes (bit n = node n) that the marking rule leaves as it is: exactly the sets of
/// disabled nodes that sets of faulty nodes lead to. Two dimensions, at most 30 nodes (2^30 sets are looked at); throws
/// Error otherwise.
void for_each_closed_set(const Torus& torus, Rule rule, const std::function<void(uint32_t)>& visit);

/// The nodes of a set, as faults.
Faults node_faults(uint32_t set);

}  // namespace odonata::torus
