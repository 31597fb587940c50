// SPDX-License-Identifier: Apache-2.0
// VTFTR (docs/vtftr.md): dimension order round dead leaves, with one fault-tolerant virtual channel.
#include "sim/network/policies/common/fat_tree_policy.h"
#include "sim/network/routing.h"

namespace odonata::network {

std::vector<Routing> routings_vtftr() {
  return {{.name = "vtftr",
           .topology = "fat_tree",
           .text = "dimension order; round dead leaves, one fault-tolerant virtual channel",
           .vcs = 2,
           .order = "x-up 0 < x-down 0 < y-up 0 < y-down 0 < x-up 1 < ... (mode safe)",
           .faults = true,
           .make = make_fat_tree_engine}};
}

}  // namespace odonata::network
