// SPDX-License-Identifier: Apache-2.0
// VTFTR Algorithm 1 and the backup lists of §2.1, slowly and as printed: lists of numbers, no bit maps, nothing of the
// golden model.
#pragma once

#include <set>
#include <utility>
#include <vector>

namespace odonata::vtftr::oracle {

using Leaf = std::pair<int, int>;  ///< column, row
using Leaves = std::set<Leaf>;

/// Which way a leaf switch sends a packet: Algorithm 1, lines 3 to 9. `inport` is 'n', 'r' or 'c'. 'e': the packet is
/// there.
inline char leaf_switch(Leaf at, Leaf destination, char inport) {
  if (at == destination) return 'e';
  if (at.first == destination.first) return 'c';  // S1
  if (inport == 'r') return 'c';                  // S2
  return 'r';                                     // S3
}

/// The leaves of its row that a row root may send to: Algorithm 1, lines 10 to 14.
inline std::vector<int> row_root(int row, Leaf destination, int columns, const Leaves& wrong) {
  if (!wrong.count({destination.first, row})) return {destination.first};
  std::vector<int> any;
  for (int f = 0; f < columns; ++f) {
    if (f != destination.first && !wrong.count({f, row})) any.push_back(f);  // a dead one cannot be reached
  }
  return any;
}

/// Algorithm 1, lines 15 to 17.
inline int column_root(Leaf destination) { return destination.second; }

/// All ways of Algorithm 1 as lists of leaves, the source not among them; at most `most` routings long. Needs live
/// leaves in the destination's column.
inline void ways(Leaf at, Leaf destination, char inport, int columns, const Leaves& wrong, size_t most,
                 std::vector<Leaf>& way, std::vector<std::vector<Leaf>>& found) {
  const char out = leaf_switch(at, destination, inport);
  if (out == 'e') return found.push_back(way);
  if (way.size() == most) return;
  std::vector<Leaf> next;
  if (out == 'c') {
    next.push_back({at.first, column_root(destination)});
  } else {
    for (int f : row_root(at.second, destination, columns, wrong)) next.push_back({f, at.second});
  }
  for (const Leaf& leaf : next) {
    if (wrong.count(leaf)) continue;
    way.push_back(leaf);
    ways(leaf, destination, out, columns, wrong, most, way, found);
    way.pop_back();
  }
}

/// The backup lists of one dimension, made by the walk that §2.1 describes: all but the target itself; then for every
/// line with a fault its bit is taken out of the lists of all other targets.
inline std::vector<std::set<int>> backup_lists(int size, const std::set<int>& faulty_lines) {
  std::vector<std::set<int>> lists(static_cast<size_t>(size));
  for (int target = 0; target < size; ++target) {
    for (int i = 0; i < size; ++i) {
      if (i != target) lists[static_cast<size_t>(target)].insert(i);
    }
  }
  for (int line : faulty_lines) {
    for (int target = 0; target < size; ++target) {
      if (target != line) lists[static_cast<size_t>(target)].erase(line);
    }
  }
  return lists;
}

}  // namespace odonata::vtftr::oracle
