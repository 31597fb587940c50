// SPDX-License-Identifier: Apache-2.0
// `odonata net --device rtl --at PLACE` on a torus and a fat-tree: the Verilated route units of one router in the running network (docs/network.md
// §9).
#pragma once

#include <string>

#include "sim/network/config.h"

namespace odonata::cli {

/// Puts Verilated route units at the router that `at` names: "X,Y" of a torus; "leaf:X,Y", "row:LINE,RAIL", "column:LINE,RAIL" of a fat-tree. The run
/// gets RouteCompute::arrival. Nothing on other topologies. Throws Error for bad options and where no RTL of the size was built.
void apply_fabric_device(const std::string& device, const std::string& at, const std::string& plant, network::Config& config);

}  // namespace odonata::cli
