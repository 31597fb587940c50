// SPDX-License-Identifier: Apache-2.0
// The rules of a leaf beyond the paper as functions of what they look at, whatever says it (docs/vtftr.md §8.1, §8.2):
// pure, no tables.
//
// A View has, of a packet's destination: differs(d), the coordinate of dimension d is not right yet; next(d), the leaf
// at the destination's coordinate of d may be entered and left by d; own(d), the leaf has an uplink of d; full(d),
// every line across d is masked. In two dimensions also dest(d), the destination may be entered by d, and corner(d):
// the leaf at its coordinate of d may be entered and left by both.
#pragma once

#include "models/vtftr/path.h"

namespace odonata::vtftr {

inline constexpr int kFromNode = -1;

/// What a leaf does with a head.
struct TreeRule {
  int dimension = -1;   ///< -1: dropped
  int vc = 0;           ///< as it goes on
  bool around = false;  ///< the root picks another leaf than the destination's
  DropReason reason = DropReason::none;
  bool operator==(const TreeRule&) const = default;
};
constexpr TreeRule dropped_for(DropReason reason) { return {-1, 0, false, reason}; }

/// Half-dead leaves, two dimensions: a packet from a node.
template <class View>
TreeRule half_dead_rule_of_node(const View& v) {
  const bool own_row = v.own(kRow), own_column = v.own(kColumn), dest_row = v.dest(kRow), dest_column = v.dest(kColumn);
  const bool row = v.differs(kRow), column = v.differs(kColumn);
  if (!dest_row && !dest_column) return dropped_for(DropReason::dead);
  if (!row && own_column && dest_column) return {kColumn};
  if (!column && own_row && dest_row) return {kRow};
  if (row && column && own_row && v.corner(kRow) && dest_column) return {kRow};        // xy
  if (row && column && own_column && v.corner(kColumn) && dest_row) return {kColumn};  // yx
  const bool row_first = own_row && dest_row && column, column_first = own_column && dest_column && row;
  if (row_first && !(column_first && v.full(kRow) && !v.full(kColumn))) return {kRow, 0, true};  // row, column, row
  if (column_first) return {kColumn, 0, true};                                                   // column, row, column
  if (own_row && dest_column) return {kRow, 0, true};  // row, column, row, column
  return dropped_for(DropReason::no_port);
}

/// The same of one from a row.
template <class View>
TreeRule half_dead_rule_of_row(const View& v, int vc) {
  const bool on = v.own(kColumn) && v.dest(kColumn);
  if (!v.differs(kRow)) return on ? TreeRule{kColumn, vc} : dropped_for(DropReason::no_port);
  if (vc != 0) return dropped_for(DropReason::loop);
  if (v.differs(kColumn) && v.own(kColumn) && v.dest(kRow) && v.corner(kColumn)) return {kColumn};
  return on ? TreeRule{kColumn, 0, true} : dropped_for(DropReason::loop);
}

/// The same of one from a column: the turn.
template <class View>
TreeRule half_dead_rule_of_column(const View& v, int vc) {
  if (!v.differs(kRow)) return dropped_for(DropReason::loop);
  if (vc != 0) return dropped_for(DropReason::turn);
  return v.own(kRow) && v.next(kRow) ? TreeRule{kRow, kFaultTolerantVc} : dropped_for(DropReason::no_port);
}

/// Half-dead leaves, two dimensions. The packet is not at its destination. `from`: the dimension of the root that it
/// comes from, or kFromNode.
template <class View>
TreeRule half_dead_rule(const View& v, int from, int vc) {
  if (from == kFromNode) return half_dead_rule_of_node(v);
  return from == kRow ? half_dead_rule_of_row(v, vc) : half_dead_rule_of_column(v, vc);
}

/// Dead leaves in `k` dimensions: the next dimension above the one that the packet comes from, on its virtual channel;
/// where there is none the first one, on the next channel. The packet is not at its destination, which lives.
template <class View>
TreeRule dimensions_rule(const View& v, int k, int from, int vc, int last_vc) {
  const auto leads = [&v](int d) { return v.differs(d) && v.own(d) && v.next(d); };
  for (int d = from + 1; d < k; ++d)
    if (leads(d)) return {d, vc};
  if (from != kFromNode && vc < last_vc) {
    for (int d = 0; d <= from; ++d)
      if (leads(d)) return {d, vc + 1};
  }
  // All are blocked: round one of them, if there is one where a line across without a fault is left; else out into a
  // dimension that is right already and has one.
  const auto open = [&v](int first, int end, bool differs, bool clean) {
    for (int d = first; d < end; ++d)
      if (v.differs(d) == differs && v.own(d) && !(clean && v.full(d))) return d;
    return -1;
  };
  for (const bool differs : {true, false})
    if (const int d = open(from + 1, k, differs, true); d >= 0) return {d, vc, true};
  if (const int d = open(from + 1, k, true, false); d >= 0) return {d, vc, true};
  if (vc == last_vc) return dropped_for(DropReason::turn);
  for (const bool clean : {true, false})
    if (const int d = open(0, from + 1, true, clean); d >= 0) return {d, vc + 1, true};
  return dropped_for(DropReason::no_port);
}

}  // namespace odonata::vtftr
