// SPDX-License-Identifier: Apache-2.0
// The fat-tree in the commands `route` and `deadlock`: their options, results as JSON and in words (docs/vtftr.md §7).
#pragma once

#include <string>
#include <vector>

#include "models/vtftr/dependency.h"
#include "models/vtftr/path.h"
#include "sim/common/command.h"
#include "sim/common/output.h"

namespace odonata::cli {

/// --fat-tree and what goes with it; empty `tree`: the command is about something else.
struct FatTreeOptions {
  std::string tree;                ///< N,M,P,U
  std::vector<std::string> fail;   ///< leaf:X,Y (tree_result.h: or roots and links), several with ';' between
  std::vector<std::string> known;  ///< the same, or "none": dead leaves that all tables know; the others are fresh
  std::string mode = "safe", pick, state = "stable";
  bool all_paths = false;
  uint64_t up_to = 0;       ///< deadlock: every set of 1..up_to faults; 0: the set of `fail`
  std::string of = "leaf";  ///< deadlock: of this kind, leaf, root or link
  uint64_t vcs = 0;         ///< virtual channels; 0: as many as dimensions

  bool given() const { return !tree.empty(); }
};
/// Adds --fat-tree, --known, --mode and --pick; returns --fat-tree, which the other options need.
Option add_fat_tree_options(Command& command, FatTreeOptions& options);
/// Of `route`: these, --all-paths and --vcs.
void add_fat_tree_route_options(Command& command, FatTreeOptions& options);
/// Of `deadlock`: these, --state, --up-to, --of and --vcs.
void add_fat_tree_deadlock_options(Command& command, FatTreeOptions& options);

/// The tree, its dead leaves and what the tables know of them.
struct FatTreeScene {
  FatTree tree;
  vtftr::FaultSet dead, known;
  vtftr::Mode mode;
};
/// Throws Error when an option is wrong, a leaf lies outside the grid, or the tree has not two dimensions. Without
/// --known everything is known.
FatTreeScene fat_tree_scene(const FatTreeOptions& options);
/// The leaves of "leaf:X,Y;leaf:X,Y"; throws Error.
std::vector<vtftr::LeafId> parse_leaves(const FatTree& tree, const std::string& option, const std::string& text);

/// One line on stderr when no row and no column is left without a fault: how many pairs may lose packets when all
/// tables know.
void warn_of_covering(const FatTree& tree, const vtftr::FaultSet& dead, const vtftr::Mode& mode);

/// Behind the words for the way that was drawn: how many of all ways do not arrive; nothing for 0.
std::string missed_ways_text(int missed);
/// One way: `outcome`, `reason`, `hops[]` with `routing`, `at`, `vc`, `leaf`, `root`.
Json path_json(const vtftr::Path& path);
/// `channels`, `dependencies`, `acyclic`, `cycle[]`, `pairs`, `lost_pairs`, `endless_pairs`, `max_routings`.
Json exploration_json(const vtftr::ExplorationReport& report);

/// The commands: print the result, write it to a file (empty: none), finish with 1 when the packet does not arrive,
/// there is a cycle or a pair is lost.
void run_fat_tree_route(const FatTreeOptions& options, const std::string& from, const std::string& to, uint64_t seed,
                        const std::string& json);
void run_fat_tree_deadlock(const FatTreeOptions& options, const std::string& json);

}  // namespace odonata::cli
