// SPDX-License-Identifier: Apache-2.0
// `odonata fault --fat-tree`: how long every switch of a fat-tree needs to know of a dead leaf, with a manager and
// without (docs/vtftr.md §6).
#pragma once

#include "models/vtftr/manager.h"
#include "sim/common/command.h"
#include "sim/vtftr/vtftr_result.h"

namespace odonata::cli {

struct FatTreeFaultOptions {
  std::string tree;
  std::vector<std::string> fail;
  uint64_t detect = 16, service = 1000;
  bool mask_form = false;

  bool given() const { return !tree.empty(); }
};
/// Adds --fat-tree, --detect, --service and --mask-form.
void add_fat_tree_fault_options(Command& command, FatTreeFaultOptions& options);

/// `detected`, `reported`, `served`, `report_hops`, `root_hops`, `leaf_hops`, `roots`, `leaves`, `total`, and of every
/// switch the cycle in which its tables hold, null when it need not or cannot know: `leaf[y][x]`, `row_roots[y]`,
/// `column_roots[x]`. Where nobody hears of it all but `detected` are null.
Json times_json(const FatTree& tree, const vtftr::ReconfigurationTimes& times);

/// The leaves fail one after the other, each when all switches know of those before.
void run_fat_tree_fault(const FatTreeFaultOptions& options, const std::string& json);

}  // namespace odonata::cli
