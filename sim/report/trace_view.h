// SPDX-License-Identifier: Apache-2.0
// The page of a trace (`--trace`, `--mismatch-trace`), which is no result of a command.
#pragma once

#include "sim/common/output.h"

namespace odonata::cli {

inline bool is_trace(const Json& json) { return json.is_object() && json.contains("traceEvents"); }

/// Slices on their tracks and counters over the cycles, as a result with sections. Throws Error when an event is not as
/// the program writes them.
Json trace_result(const Json& trace);

}  // namespace odonata::cli
