// SPDX-License-Identifier: Apache-2.0
// The torus in pages: sections of the results of `route`, `deadlock` and `fault`, each from the result as it is written
// (torus_result.h).
#pragma once

#include "models/torus/fault_map.h"
#include "sim/common/output.h"

namespace odonata::cli {

/// One packet's way on the torus, and link by link.
Json torus_route_sections(const torus::FaultMap& map, const Json& result);
/// A cycle of channels that wait for each other, if there is one.
Json torus_deadlock_sections(const torus::FaultMap& map, const Json& result);
/// The fault regions, coloured by the cycle in which each node knew.
Json torus_fault_sections(const torus::FaultMap& map, const Json& result);

}  // namespace odonata::cli
