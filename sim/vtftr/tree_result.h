// SPDX-License-Identifier: Apache-2.0
// `odonata route` and `deadlock` on fat-trees beyond the paper: dead roots, dead links, three and four dimensions
// (docs/vtftr.md §8).
#pragma once

#include "models/vtftr/tree_route.h"
#include "sim/vtftr/vtftr_result.h"

namespace odonata::cli {

/// Whether the options name a root or a link, say how many virtual channels there are, or the tree has not two
/// dimensions.
bool beyond_leaves(const FatTreeOptions& options);
/// As run_fat_tree_route() and run_fat_tree_deadlock(); the same keys, hops with `rail`, and where there are sets of
/// faults of one kind `of`.
void run_tree_route(const FatTreeOptions& options, const std::string& from, const std::string& to, uint64_t seed,
                    const std::string& json);
void run_tree_deadlock(const FatTreeOptions& options, const std::string& json);

}  // namespace odonata::cli
