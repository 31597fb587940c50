// SPDX-License-Identifier: Apache-2.0
// Synthetic traffic patterns over the nodes of a dragonfly (DOAR §5): who sends to whom.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/common/random.h"
#include "models/topology/dragonfly.h"

namespace odonata::traffic {

/// Consecutive node numbers first..last-1: one node, the nodes of a router, of a group, or all (nodes are numbered
/// group by group).
struct NodeRange {
  int first = 0;
  int last = 0;
  int size() const { return last - first; }
  bool contains(int node) const { return node >= first && node < last; }
};
inline NodeRange nodes_of(const Dragonfly& d, RouterId router) {
  const int first = d.router_index(router) * d.p();
  return {first, first + d.p()};
}
inline NodeRange nodes_of_group(const Dragonfly& d, int gid) {
  return {gid * d.a() * d.p(), (gid + 1) * d.a() * d.p()};
}
inline NodeRange all_nodes(const Dragonfly& d) { return {0, d.num_nodes()}; }

/// A pattern. Another one is a further Kind: a line in parse() and a case in destination(), source() and flow().
class Pattern {
 public:
  enum class Kind {
    uniform,      ///< `ur`: any other node, equally likely
    adversarial,  ///< `adv+I`: a node of group x sends to any node of group (x + I) mod g
    permutation,  ///< `rp`: every node has one destination of its own, drawn once from the seed; never itself
  };
  /// Parses "ur", "adv+I" (I = 1..g-1) or "rp". Throws Error.
  static Pattern parse(const Dragonfly& d, std::string_view text, uint64_t seed);

  Kind kind() const { return kind_; }
  /// The text that parse() understands.
  std::string name() const;
  const Dragonfly& dragonfly() const { return d_; }

  /// The destination of a packet that node `source` sends.
  [[gnu::always_inline]] int destination(int source, Random& random) const {
    switch (kind_) {
      case Kind::uniform:
        return other_node(source, random);
      case Kind::adversarial:
        return node_of_group(source, shift_, random);
      default:
        return to_[source];
    }
  }
  /// The source of a packet that node `destination` receives.
  int source(int destination, Random& random) const {
    switch (kind_) {
      case Kind::uniform:
        return other_node(destination, random);
      case Kind::adversarial:
        return node_of_group(destination, d_.g() - shift_, random);
      default:
        return from_[destination];
    }
  }

  /// Expected number of packets from nodes `from` to nodes `to` when every node sends one packet. Ranges must not cross
  /// groups, unless they are all_nodes().
  double flow(NodeRange from, NodeRange to) const;
  /// flow() between all pairs of groups: g * g values, [from * g + to].
  std::vector<float> group_flows() const;

 private:
  Pattern(const Dragonfly& d, Kind kind) : d_(d), others_(static_cast<uint32_t>(d.num_nodes() - 1)), kind_(kind) {}
  void draw_permutation(uint64_t seed);
  int other_node(int node, Random& random) const {
    const int other = static_cast<int>(random.below(others_));
    return other < node ? other : other + 1;
  }
  int node_of_group(int node, int shift, Random& random) const {
    const int nodes = d_.a() * d_.p(), gid = (node / nodes + shift) % d_.g();
    return gid * nodes + static_cast<int>(random.below(static_cast<uint32_t>(nodes)));
  }
  double adversarial_flow(NodeRange from, NodeRange to) const;
  double permutation_flow(NodeRange from, NodeRange to) const;

  Dragonfly d_;
  uint32_t others_;  // nodes but one
  Kind kind_;
  int shift_ = 0;               // adv+I
  std::vector<int> to_, from_;  // rp and its inverse
};

}  // namespace odonata::traffic
