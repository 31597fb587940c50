// SPDX-License-Identifier: Apache-2.0
// Every way that packets of a fat-tree may take, whatever is picked: connectivity, lengths, and freedom from deadlock
// as the channel dependency graph (VTFTR §2.3; Dally, Seitz 1987). docs/vtftr.md §3.
#pragma once

#include <string>
#include <vector>

#include "models/vtftr/knowledge.h"

namespace odonata::vtftr {

/// One virtual channel of a link between a leaf and a root of a dimension (of one rail: rails are alike and never mix).
struct TreeChannel {
  int dimension = kRow;
  bool down = false;  ///< from the root to the leaf
  LeafId leaf;
  int vc = 0;
  bool operator==(const TreeChannel&) const = default;
};
/// "x-up(1,0) vc 1"
std::string to_string(const TreeChannel& channel);

/// What is explored: dead leaves, and what the tables may say. Every switch may hold any of the `tables` at any time (a
/// broadcast that is under way).
struct Exploration {
  FatTree tree;
  FaultSet dead;
  std::vector<Knowledge> tables;
  Mode mode;
  bool any_content = false;  ///< tables may say anything at all; `tables` is not used
  bool one_vc = false;       ///< study: turns stay on virtual channel 0
};

struct ExplorationReport {
  int64_t channels = 0;  ///< that any packet may hold
  int64_t dependencies = 0;
  std::vector<TreeChannel> cycle;  ///< empty: free of deadlock
  int64_t pairs = 0;               ///< ordered pairs of different live leaves
  int64_t lost_pairs = 0;          ///< of these: some outcome of the picks is a drop or has no end
  int64_t endless_pairs = 0;       ///< of these: some outcomes have no end
  int max_routings = 0;            ///< of ways that end
  bool acyclic() const { return cycle.empty(); }
  bool full() const { return lost_pairs == 0; }
};
ExplorationReport explore(const Exploration& what);

}  // namespace odonata::vtftr
