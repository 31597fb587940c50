// SPDX-License-Identifier: Apache-2.0
// The rules of leaves and roots with dead roots, dead links and half-dead leaves (two dimensions), and in three and
// four dimensions: mode safe, pure. Every way of every packet over them. Beyond the paper; docs/vtftr.md §8.
#pragma once

#include <string>
#include <vector>

#include "models/vtftr/tree_faults.h"
#include "models/vtftr/tree_rules.h"

namespace odonata::vtftr {

/// A head at a leaf.
struct TreeAsk {
  int leaf = 0, dest = 0;  ///< leaves
  int from = kFromNode;    ///< dimension of the root that it comes from
  int vc = 0;
  int rail = 0;  ///< wanted: the one of the destination's node
};
struct TreeStep {
  int dimension = -1;   ///< -1: eject or dropped
  int vc = 0;           ///< as it goes on
  int rail = 0;         ///< as it goes on
  bool around = false;  ///< the root picks another leaf than the destination's: a bit in the header, for this root only
  DropReason reason = DropReason::none;
  bool operator==(const TreeStep&) const = default;
};

/// Leaf: docs/vtftr.md §8. `known`: the manager's tables; `seen`: what the leaf's own detectors say of its own links.
/// Two dimensions.
TreeStep decide_leaf_2d(const TreeKnowledge& known, const TreeFaults& seen, const TreeAsk& q);
/// The same in any number of dimensions; dead leaves, and rails as long as each leaf keeps one.
TreeStep decide_leaf_kd(const TreeKnowledge& known, const TreeFaults& seen, const TreeAsk& q, int last_vc);
/// The one or the other.
inline TreeStep decide_leaf(const TreeKnowledge& known, const TreeFaults& seen, const TreeAsk& q, int last_vc) {
  return known.faults().tree().dimensions() == 2 ? decide_leaf_2d(known, seen, q)
                                                 : decide_leaf_kd(known, seen, q, last_vc);
}

/// A head at a root.
struct TreeRootAsk {
  FatTree::Root root;
  int dest = 0;  ///< leaf
  int in = 0;    ///< coordinate of the leaf that it comes from
  int vc = 0;
  bool around = false;
};
/// Root: choose_root() in mode safe with the input port excluded; `down`: its links that are, `last_vc`: from which no
/// turn is left.
RootChoice choose_tree_root(const FatTree& tree, const LineMap& mask, const LineMap& down, const TreeRootAsk& q,
                            int last_vc);

/// One dimension routing.
struct TreeHop {
  int dimension = 0, leaf = 0;  ///< the leaf reached
  int vc = 0, rail = 0;
  bool around = false;
  RootKind root_kind = RootKind::direct;
};
struct TreePath {
  std::vector<TreeHop> hops;
  Outcome outcome = Outcome::delivered;
  DropReason reason = DropReason::none;
  double probability = 1;
};

/// The network at one moment. `tables`: what the manager's tables may say, any of these at any switch; the detectors
/// know all of `dead`.
struct TreeScene {
  TreeFaults dead;
  std::vector<TreeKnowledge> tables;
  int vcs = 2;
};
/// All ways over all picks with the first of the tables, most probable first.
std::vector<TreePath> all_tree_paths(const TreeScene& scene, int from, int to, int rail);

struct TreeReport {
  int64_t channels = 0, dependencies = 0;
  std::vector<std::string> cycle;    ///< names of channels; empty: free of deadlock
  int64_t pairs = 0;                 ///< ordered pairs of different live leaves
  int64_t lost_pairs = 0;            ///< of these: some outcome of the picks on some rail is a drop
  int lost_from = -1, lost_to = -1;  ///< the first of them
  int max_routings = 0;
};
/// Every way of every packet: the graph of what can wait for what, and who is served. Rails are told apart when they
/// are not alike. `merge_vcs`: a negative control, all virtual channels of a link count as one.
TreeReport explore_tree(const TreeScene& scene, bool merge_vcs = false);

}  // namespace odonata::vtftr
