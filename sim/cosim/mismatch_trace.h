// SPDX-License-Identifier: Apache-2.0
// The last cycles before a mismatch as a trace for Perfetto.
#pragma once

#include <string>

#include "sim/common/output.h"

namespace odonata::cli {

/// `waves`: {first, lanes} of a shrunk mismatch (tb/harness/excerpt.h). A thread a pin with a slice for each value:
/// inputs, what the reference gives, and what the device gives where they differ; 1 us of the trace is 1 cycle.
std::string mismatch_trace(const std::string& block, const Json& waves);

}  // namespace odonata::cli
