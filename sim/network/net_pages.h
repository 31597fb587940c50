// SPDX-License-Identifier: Apache-2.0
// The pictures of one run of `odonata net`: sections for the report page, and a trace of its timeline for Perfetto.
#pragma once

#include <string>

#include "sim/common/output.h"

namespace odonata::cli {

/// Adds verdict, headline and report sections (hops, channels, timeline when there is one) to a result of `odonata net`.
void add_net_report(Json& result);

/// The timeline as counters in the trace format of Chrome and Perfetto; 1 us of the trace is 1 cycle.
std::string timeline_trace(const Json& result);

}  // namespace odonata::cli
