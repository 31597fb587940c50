// SPDX-License-Identifier: Apache-2.0
// The fat-tree in pages: sections of the results of `route`, `deadlock` and `fault`, each from the result as it is
// written (vtftr_result.h).
#pragma once

#include "models/topology/fat_tree.h"
#include "sim/common/output.h"

namespace odonata::cli {

/// One packet's way between the leaves. `head`: the head of the result with its faults.
Json fat_tree_route_sections(const FatTree& tree, const Json& head, const Json& result);
/// A cycle of channels, or how many sets of dead leaves were looked at.
Json fat_tree_deadlock_sections(const FatTree& tree, const Json& head, const Json& result);
/// When each leaf knew of a fault, over the manager and without one.
Json fat_tree_fault_sections(const FatTree& tree, const Json& faults);

}  // namespace odonata::cli
