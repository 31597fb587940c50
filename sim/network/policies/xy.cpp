// SPDX-License-Identifier: Apache-2.0
// Dimension order on a fat-tree; packets that meet a dead leaf are dropped (docs/vtftr.md §8).
#include "sim/network/policies/common/fat_tree_policy.h"
#include "sim/network/policies/common/tree_policy.h"
#include "sim/network/routing.h"

namespace odonata::network {

std::vector<Routing> routings_xy() {
  return {{.name = "xy",
           .topology = "fat_tree",
           .text = "dimension order, row first",
           .order = "row < column",
           .ignores = of_tree_faults,
           .faults = true,
           .check = check_paper,
           .make = make_fat_tree_engine}};
}

}  // namespace odonata::network
