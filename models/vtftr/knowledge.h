// SPDX-License-Identifier: Apache-2.0
// Fault sets of a fat-tree and the tables that the manager makes from them (VTFTR §2.1, Fig. 4). docs/vtftr.md §2.
#pragma once

#include <span>
#include <vector>

#include "models/vtftr/decide.h"

namespace odonata::vtftr {

/// A leaf switch by column and row.
struct LeafId {
  int x = 0, y = 0;
  bool operator==(const LeafId&) const = default;
  auto operator<=>(const LeafId&) const = default;
};

/// A set of dead leaf switches.
class FaultSet {
 public:
  explicit FaultSet(const FatTree& tree, std::span<const LeafId> faults = {});

  /// Throws Error when the leaf lies outside the grid.
  void set(LeafId leaf, bool dead = true);
  bool test(int x, int y) const { return row_[static_cast<size_t>(y)].test(x); }
  /// Bit x: the leaf (x, y) is dead.
  const LineMap& row(int y) const { return row_[static_cast<size_t>(y)]; }
  /// Bit y: the leaf (x, y) is dead.
  const LineMap& column(int x) const { return column_[static_cast<size_t>(x)]; }
  /// Columns (rows) that hold a fault.
  LineMap faulty_columns() const;
  LineMap faulty_rows() const;
  int count() const;
  int columns() const { return static_cast<int>(column_.size()); }
  int rows() const { return static_cast<int>(row_.size()); }
  /// No row and no column is left without a fault: stable connectivity is not promised (docs/vtftr.md §3).
  bool covers_all() const { return faulty_columns().count() == columns() && faulty_rows().count() == rows(); }
  bool operator==(const FaultSet&) const = default;

 private:
  std::vector<LineMap> row_, column_;
};

/// What the tables of all switches say: the knowledge of one fault set.
class Knowledge {
 public:
  explicit Knowledge(const FaultSet& known);

  LeafTables leaf(int x, int y) const { return {known_.row(y), known_.column(x), column_first_}; }
  /// The mask of all roots of a dimension.
  const LineMap& mask(int dimension) const { return mask_[dimension]; }
  bool column_first() const { return column_first_; }
  const FaultSet& faults() const { return known_; }

 private:
  FaultSet known_;
  LineMap mask_[2];
  bool column_first_ = false;
};

/// The list B[t] of alternatives of a root, as the paper writes it down (Fig. 4): all of its line but t and the masked
/// ones.
inline LineMap alternatives(int size, int target, const LineMap& mask) {
  return LineMap::first(size) & ~LineMap::bit(target) & ~mask;
}

/// The links of a root that are down.
inline const LineMap& dead_links(const FaultSet& faults, int dimension, int own) {
  return dimension == kRow ? faults.row(own) : faults.column(own);
}

/// The share of fault sets of k dead leaves that leave a row or a column without a fault, among all of an n x m grid:
/// 1 - sum_ij (-1)^(i+j) C(n,i) C(m,j) C((n-i)(m-j), k) / C(nm, k). docs/vtftr.md §3.
double tolerated_share(int columns, int rows, int faults);

}  // namespace odonata::vtftr
