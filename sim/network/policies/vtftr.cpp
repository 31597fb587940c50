// SPDX-License-Identifier: Apache-2.0
// VTFTR (docs/vtftr.md): dimension order round dead leaves, with one fault-tolerant virtual channel; and what goes
// beyond the paper.
#include <algorithm>

#include "models/common/error.h"
#include "sim/network/policies/common/fat_tree_policy.h"
#include "sim/network/policies/common/tree_policy.h"
#include "sim/network/routing.h"

namespace odonata::network {

namespace {

void check_two(const Config& config) {
  if (fat_tree_of(config).tree().dimensions() != 2)
    throw Error("routing 'vtftr' has two dimensions; " + config.topology->name() + ": vtftr_k");
  if (beyond_the_paper(config)) check_beyond(config);
}

void check_adaptive(const Config& config) {
  if (fat_tree_of(config).tree().dimensions() != 2)
    throw Error("routing 'vtftr_adaptive' has two dimensions; " + config.topology->name() + ": vtftr_k");
  check_beyond(config);
}

int vcs_of_k(const Config& config) { return std::max(3, fat_tree_of(config).tree().dimensions()); }

void check_k(const Config& config) {
  const int k = fat_tree_of(config).tree().dimensions(), vcs = virtual_channels(config);
  if (vcs < k)
    throw Error("routing 'vtftr_k' needs " + std::to_string(k) + " virtual channels in " + std::to_string(k) +
                " dimensions, --vcs gives " + std::to_string(vcs));
  check_beyond(config);
}

std::unique_ptr<Simulation> make_two(const Config& config) {
  return beyond_the_paper(config) ? make_tree_engine(config) : make_fat_tree_engine(config);
}

}  // namespace

std::vector<Routing> routings_vtftr() {
  return {{.name = "vtftr",
           .topology = "fat_tree",
           .text = "dimension order; round dead leaves, one fault-tolerant virtual channel",
           .vcs = 2,
           .order = "x-up 0 < x-down 0 < y-up 0 < y-down 0 < x-up 1 < ... (mode safe)",
           .ignores = of_turn_leaf,
           .faults = true,
           .check = check_two,
           .make = make_two},
          {.name = "vtftr_adaptive",
           .topology = "fat_tree",
           .text = "the same; a misroute takes a port behind which less than half a buffer waits, if there is one",
           .vcs = 2,
           .order = "as vtftr",
           .ignores = of_turn_leaf,
           .faults = true,
           .check = check_adaptive,
           .make = make_tree_engine},
          {.name = "vtftr_k",
           .topology = "fat_tree",
           .text = "the same in any number of dimensions: a virtual channel more for every dimension above one",
           .vcs = 3,
           .reason = "to serve every pair with three dead leaves in three dimensions",
           .order = "channel, then dimension, then up and down",
           .vcs_of = vcs_of_k,
           .ignores = of_turn_leaf,
           .faults = true,
           .check = check_k,
           .make = make_tree_engine}};
}

}  // namespace odonata::network
