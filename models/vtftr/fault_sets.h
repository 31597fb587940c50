// SPDX-License-Identifier: Apache-2.0
// All fault sets of a grid, one after the other.
#pragma once

#include <vector>

#include "models/vtftr/knowledge.h"

namespace odonata::vtftr {

/// Calls visit(leaves) for every set of k leaves of the tree.
template <class Visit>
void for_each_fault_set(const FatTree& tree, int k, Visit visit) {
  std::vector<int> leaf(static_cast<size_t>(k));
  for (int i = 0; i < k; ++i) leaf[static_cast<size_t>(i)] = i;
  std::vector<LeafId> set(leaf.size());
  for (;;) {
    for (size_t i = 0; i < leaf.size(); ++i) set[i] = {leaf[i] % tree.columns(), leaf[i] / tree.columns()};
    visit(set);
    int i = k - 1;
    while (i >= 0 && leaf[static_cast<size_t>(i)] == tree.num_leaves() - k + i) --i;
    if (i < 0) return;
    ++leaf[static_cast<size_t>(i)];
    for (int j = i + 1; j < k; ++j) leaf[static_cast<size_t>(j)] = leaf[static_cast<size_t>(j - 1)] + 1;
  }
}

/// A set without its i-th leaf.
inline std::vector<LeafId> without(const std::vector<LeafId>& set, size_t i) {
  std::vector<LeafId> rest = set;
  rest.erase(rest.begin() + static_cast<long>(i));
  return rest;
}

}  // namespace odonata::vtftr
