// SPDX-License-Identifier: Apache-2.0
// The route functions of VTFTR for leaf and root switches of a 2-dimension fat-tree (VTFTR §2.1, Alg. 1): pure, no
// allocation. docs/vtftr.md §2.
#pragma once

#include "models/topology/fat_tree.h"
#include "models/vtftr/line_map.h"

namespace odonata::vtftr {

inline constexpr int kRow = 0;       ///< dimension of the row roots: a packet changes its column x
inline constexpr int kColumn = 1;    ///< dimension of the column roots: a packet changes its row y
inline constexpr int kNoPort = 127;  ///< the port number of a packet that is dropped
inline constexpr int kFaultTolerantVc = 1;

/// Where a packet comes from at a leaf; the values are the codes of the `class_i` pin.
enum class From : uint8_t { node = 0, row = 1, column = 2 };

/// Which rules hold. paper: as printed. safe: four local rules more, which make every fault set and every table content
/// free of deadlock (docs/vtftr.md §3).
struct Mode {
  bool safe = true;
  bool exclude = true;  ///< a misroute does not pick the port that the packet came from (paper: it may, a bounce)
};

/// What a leaf switch knows, written by the manager's broadcast.
struct LeafTables {
  LineMap row_dead;           ///< FR: bit i, the leaf at column i of the own row is known to be dead
  LineMap column_dead;        ///< FC: bit i, the leaf at row i of the own column is known to be dead
  bool column_first = false;  ///< cf: no column without a fault is left, but a row is
  bool operator==(const LeafTables&) const = default;
};

/// How a leaf decided; the values are the codes of the `resp_kind_o` pin.
enum class LeafKind : uint8_t {
  eject = 0,
  direct = 1,  ///< one coordinate is right already
  xy = 2,
  yx = 3,             ///< row first is known to be blocked, column first is not
  both_row = 4,       ///< both are known to be blocked: misrouted in the row
  both_column = 5,    ///< both are known to be blocked and cf: misrouted in the column
  row_to_column = 6,  ///< it was misrouted in the row
  turn = 7,           ///< column to row: enters the fault-tolerant virtual channel
  loop = 8,           ///< dropped (safe): a step that undoes the last one
  second_turn = 9,    ///< dropped (safe): it is on the fault-tolerant virtual channel already
  bad_address = 10,   ///< dropped: no such leaf or node
  no_rail = 11,       ///< dropped: all uplinks of the dimension are down
};
constexpr bool dropped(LeafKind kind) { return kind >= LeafKind::loop; }

/// A leaf switch: its place in the tree.
struct LeafConfig {
  int x = 0, y = 0;  ///< own column and row
  int columns = 0, rows = 0, nodes = 0;
  bool safe = true;
};
/// A packet's head at an input port of a leaf.
struct LeafRequest {
  int x = 0, y = 0, node = 0;  ///< destination
  From from = From::node;
  int vc = 0;
};
struct LeafDecision {
  LeafKind kind = LeafKind::bad_address;
  int dimension = -1;  ///< kRow or kColumn; -1: eject or dropped
  int vc = 0;
  bool operator==(const LeafDecision&) const = default;
};

/// Rules 1 to 8 of docs/vtftr.md §2, the first that fits.
inline LeafDecision decide_leaf(const LeafConfig& own, const LeafTables& tables, const LeafRequest& q) {
  using enum LeafKind;
  if (q.x >= own.columns || q.y >= own.rows || q.node >= own.nodes) return {bad_address, -1, q.vc};
  const int vc = q.from == From::node ? 0 : q.vc;
  const bool column_right = q.x == own.x, row_right = q.y == own.y;
  if (column_right && row_right) return {eject, -1, vc};
  if (column_right) {
    if (own.safe && q.from == From::column) return {loop, -1, vc};
    return {direct, kColumn, vc};
  }
  if (q.from == From::row) {
    if (own.safe && row_right) return {loop, -1, vc};
    return {row_to_column, kColumn, vc};
  }
  if (q.from == From::column) {
    if (own.safe && q.vc == kFaultTolerantVc) return {second_turn, -1, vc};
    return {turn, kRow, kFaultTolerantVc};
  }
  if (row_right) return {direct, kRow, 0};
  if (!tables.row_dead.test(q.x)) return {xy, kRow, 0};
  if (!tables.column_dead.test(q.y)) return {yx, kColumn, 0};
  if (tables.column_first) return {both_column, kColumn, 0};
  return {both_row, kRow, 0};
}

/// The rail of a step: the first one from `wanted` on, round the end, whose uplink is not down; -1: none. `down`: bit
/// r, that of rail r is.
inline int first_rail(uint32_t down, int wanted, int rails) {
  const uint64_t up = ~static_cast<uint64_t>(down) & low_mask(rails), from = up >> wanted << wanted;
  return up == 0 ? -1 : std::countr_zero(from != 0 ? from : up);
}

/// How a root decided; the values are the codes of the `resp_kind_o` pin.
enum class RootKind : uint8_t {
  direct = 0,
  misroute = 1,      ///< to an unmasked line
  masked = 2,        ///< no unmasked one is left: to a masked one
  bounce = 3,        ///< back to where it came from: nothing else is left
  dead = 4,          ///< dropped (safe): the destination itself is dead
  no_turn_left = 5,  ///< dropped (safe): it is on the fault-tolerant virtual channel and would have to turn once more
  none = 6,          ///< dropped: no leaf is left
  bad_address = 7,   ///< dropped: no such leaf
};
constexpr bool dropped(RootKind kind) { return kind >= RootKind::dead; }

/// What a root switch knows. The list of alternatives B[t] of target t, which the paper writes down, is all but t and
/// the masked ones.
struct RootTables {
  LineMap dead;  ///< bit i: the link to leaf i is down (the root's own detector)
  LineMap mask;  ///< bit i: the line across at coordinate i holds a fault (the manager's broadcast)
  bool operator==(const RootTables&) const = default;
};
struct RootConfig {
  int dimension = kRow;
  int own = 0;  ///< its row (row root) or column (column root)
  int columns = 0, rows = 0;
  Mode mode;
  int size() const { return dimension == kRow ? columns : rows; }
};
/// A packet's head at input port `in` of a root: it came from leaf `in` of the line.
struct RootRequest {
  int x = 0, y = 0;  ///< destination
  int in = 0;
  int vc = 0;
};
/// The ports that may be picked: one for `direct` and `bounce`, none for drops.
struct RootChoice {
  RootKind kind = RootKind::bad_address;
  LineMap ports;
};

/// Rules 1 to 4 of docs/vtftr.md §2 for roots. The virtual channel never changes in a root.
inline RootChoice choose_root(const RootConfig& own, const RootTables& tables, const RootRequest& q) {
  using enum RootKind;
  if (q.x >= own.columns || q.y >= own.rows) return {bad_address, {}};
  const bool row = own.dimension == kRow;
  const int target = row ? q.x : q.y;
  if (!tables.dead.test(target)) return {direct, LineMap::bit(target)};
  if (own.mode.safe && (row ? q.y : q.x) == own.own) return {dead, {}};
  if (own.mode.safe && q.vc == kFaultTolerantVc) return {no_turn_left, {}};
  const LineMap in = LineMap::bit(q.in);
  LineMap live = LineMap::first(own.size()) & ~tables.dead & ~LineMap::bit(target);
  if (own.mode.exclude) live = live & ~in;
  const LineMap unmasked = live & ~tables.mask;
  if (unmasked.any()) return {misroute, unmasked};
  if (live.any()) return {masked, live};
  if (!tables.dead.test(q.in)) return {bounce, in};
  return {none, {}};
}

struct RootDecision {
  RootKind kind = RootKind::bad_address;
  int port = kNoPort;
  bool operator==(const RootDecision&) const = default;
};
/// choose_root() and the even pick; `lfsr` is the unit's value when the request was accepted.
inline RootDecision decide_root(const RootConfig& own, const RootTables& tables, const RootRequest& q, uint16_t lfsr) {
  const RootChoice choice = choose_root(own, tables, q);
  return {choice.kind, choice.ports.any() ? pick(choice.ports, lfsr) : kNoPort};
}

std::string_view to_string(From from);
std::string_view to_string(LeafKind kind);
std::string_view to_string(RootKind kind);

}  // namespace odonata::vtftr
