// SPDX-License-Identifier: Apache-2.0
// The cross-check of tori and fat-trees: what the two have in common, and each of them (docs/crosscheck.md §5).
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "hw/fabric/switch_module.h"
#include "sim/network/config.h"
#include "tb/network/crosscheck.h"
#include "tb/network/own_fabric_units.h"

namespace odonata::network {
class FatTreeTopology;
}

namespace odonata::cosim {

/// `own`: route units of somebody else; null: none.
CrossCheckResult crosscheck_torus(const network::Config& config, uint64_t cycles, const std::string& plant,
                                  const std::function<bool(double)>& go_on, const OwnFabricUnits* own = nullptr);
CrossCheckResult crosscheck_fat_tree(const network::Config& config, uint64_t cycles, const std::string& plant,
                                     const std::function<bool(double)>& go_on, const OwnFabricUnits* own = nullptr);
/// add_random_faults() for them.
void add_torus_faults(network::Config& config, uint64_t cycles);
void add_fat_tree_faults(network::Config& config, uint64_t cycles);
/// Names of their planted bugs; a torus has others in three dimensions.
const std::vector<std::string>& torus_crosscheck_plants(int dimensions = 2);
const std::vector<std::string>& fat_tree_crosscheck_plants();

// ---- what the two share

/// Of a fat-tree, by number: "leaf (1,2)", "row 1 root 0".
std::string switch_name(const network::FatTreeTopology& topology, int number);
/// When switches of a tree know of a fault: ns, number of the switch.
using Updates = std::set<std::pair<int64_t, int>>;
/// Every switch has to know of every fault in the cycle that the golden manager says (`should`). The first before `end`
/// (ns) that does not, in words; empty: they all do.
std::string first_other_update(Updates should, Updates is, int64_t end);

/// The engine's configuration for the comparison; throws Error when it is of no use.
network::Config fabric_config(const network::Config& config, uint64_t cycles);
fabric::SwitchParameters data_path_of(const network::Config& config);

/// Planted bugs of the data path, by name.
const std::map<std::string, fabric::MakeSwitch>& data_path_plants();

}  // namespace odonata::cosim
