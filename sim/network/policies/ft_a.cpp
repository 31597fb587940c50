// SPDX-License-Identifier: Apache-2.0
// Algorithm A of VTFTR §3, its rival: a packet goes round a dead leaf by a fixed leaf, on one virtual channel
// (docs/vtftr.md §8).
#include "sim/network/policies/common/fat_tree_policy.h"
#include "sim/network/policies/common/tree_policy.h"
#include "sim/network/routing.h"

namespace odonata::network {

std::vector<Routing> routings_ft_a() {
  return {{.name = "ft_a",
           .topology = "fat_tree",
           .text = "dimension order; round a dead leaf by the next column and row, or by one common turn leaf",
           .order = "one turn leaf: no packet turns there twice; several faults with --turn-leaf next can deadlock",
           .safe = false,
           .ignores = of_misroutes,
           .faults = true,
           .check = check_paper,
           .make = make_fat_tree_engine}};
}

}  // namespace odonata::network
