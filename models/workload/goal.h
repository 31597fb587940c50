// SPDX-License-Identifier: Apache-2.0
// GOAL, the text of LogGOPSim and ATLAHS for programs (docs/workloads.md §5).
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "models/workload/program.h"

namespace odonata::workload {

/// Writes a job piece by piece; iterations become one long program. Throws Error when it would have more than 2^31
/// operations.
void write_goal(const Job& job, const std::function<void(std::string_view)>& to);

/// Throws Error "line N: ..." for anything that is no GOAL, a label that does not exist, a rank that comes twice.
Job read_goal(std::string_view text);

}  // namespace odonata::workload
