// SPDX-License-Identifier: Apache-2.0
// Leaves, roots and single links of a fat-tree that fail, in any number of dimensions, and what the manager tells all
// switches of them (beyond the paper). docs/vtftr.md §8.
#pragma once

#include <string_view>
#include <vector>

#include "models/vtftr/line_map.h"
#include "models/vtftr/manager.h"

namespace odonata::vtftr {

/// Something of a fat-tree that can fail.
struct TreeFault {
  enum class Kind : uint8_t { leaf, root, link };
  Kind kind = Kind::leaf;
  int leaf = 0;       ///< leaf, link: its number
  int dimension = 0;  ///< root, link: 0 row, 1 column, ...
  int line = 0;       ///< root
  int rail = 0;       ///< root, link
  bool operator==(const TreeFault&) const = default;
};

/// "leaf:X,Y", "root:row,LINE,RAIL", "link:X,Y,column,RAIL", several with ';' between; a coordinate a dimension. The
/// dimensions are called row, column, then 2, 3. Throws Error that names the part and what is wrong with it.
std::vector<TreeFault> parse_tree_faults(const FatTree& tree, std::string_view text);
/// The name of a fault, as parse_tree_faults reads it.
std::string to_string(const FatTree& tree, const TreeFault& fault);
/// "row", "column", "2", "3"
std::string dimension_name(int dimension);
/// "(1,2)", a coordinate a dimension.
std::string leaf_name(const FatTree& tree, int leaf);

/// What has failed. A dead leaf or root takes its links with it.
class TreeFaults {
 public:
  explicit TreeFaults(const FatTree& tree, const std::vector<TreeFault>& faults = {});

  void set(const TreeFault& fault, bool dead = true);
  const FatTree& tree() const { return tree_; }
  bool leaf_dead(int leaf) const { return leaf_dead_[static_cast<size_t>(leaf)] != 0; }
  /// Bit i: the link between the root and leaf i of its line is down.
  const LineMap& down(int dimension, int line, int rail) const { return down_[root(dimension, line, rail)]; }
  bool up(int leaf, int dimension, int rail) const {
    return !down(dimension, tree_.line(leaf, dimension), rail).test(tree_.point(leaf)[static_cast<size_t>(dimension)]);
  }
  /// A root or a single link has failed: the rails are not alike.
  bool uneven() const { return uneven_ != 0; }
  int dead_leaves() const;
  bool operator==(const TreeFaults& other) const { return leaf_dead_ == other.leaf_dead_ && down_ == other.down_; }

 private:
  size_t root(int dimension, int line, int rail) const {
    return static_cast<size_t>(first_[static_cast<size_t>(dimension)] + line * tree_.u() + rail);
  }
  void renew(int dimension, int line, int rail);

  FatTree tree_;
  std::array<int, FatTree::kMaxDimensions> first_{};  // root of a dimension
  std::vector<uint8_t> leaf_dead_, root_dead_;
  std::vector<LineMap> link_dead_, down_;  // by root
  int uneven_ = 0;                         // roots and links that have failed
};

/// What the tables of all switches say: the knowledge of one set of faults. A leaf is *attached* in a dimension when
/// packets may enter and leave it there: it has a rail, and one in common with every other leaf attached to its line. A
/// live leaf that is not attached in every dimension is *half dead*.
class TreeKnowledge {
 public:
  explicit TreeKnowledge(const TreeFaults& known);

  const TreeFaults& faults() const { return known_; }
  bool attached(int leaf, int dimension) const { return (attached_[static_cast<size_t>(leaf)] >> dimension & 1) != 0; }
  bool reachable(int leaf) const { return attached_[static_cast<size_t>(leaf)] != 0; }
  bool half_dead(int leaf) const { return reachable(leaf) && attached_[static_cast<size_t>(leaf)] != all_; }
  /// Bit i: some leaf at coordinate i of the dimension is not attached in every dimension. Roots of the dimension avoid
  /// it.
  const LineMap& mask(int dimension) const { return mask_[static_cast<size_t>(dimension)]; }
  /// No coordinate of the dimension is left unmasked.
  bool full(int dimension) const { return mask(dimension).count() == known_.tree().size(dimension); }

 private:
  void attach(int dimension, int line);

  TreeFaults known_;
  uint8_t all_;
  std::vector<uint8_t> attached_;  // bit d, by leaf
  std::array<LineMap, FatTree::kMaxDimensions> mask_;
};

/// When every switch knows of a fault or a repair, over the manager, in cycles of 1 ns after it: by number, leaves
/// first, then roots by dimension, line and rail; kNever: not reached.
struct TreeTimes {
  int64_t detected = 0, reported = 0, served = 0;
  std::vector<int64_t> at;
  int64_t done() const;  ///< kNever: nobody hears of it
};
/// As by_manager(), switch by switch: the ends of what failed detect it; `faults`: after the change. `waits`: until the
/// manager has served others.
TreeTimes tree_times(const TreeFaults& faults, const TreeFault& change, const ManagerTiming& timing, int64_t waits = 0);

}  // namespace odonata::vtftr
