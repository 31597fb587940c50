// SPDX-License-Identifier: Apache-2.0
// Quantities of a timeline (odonata net --timeline), for the [[paper]] values of a sweep.
#pragma once

#include <optional>
#include <string>

#include "sim/common/output.h"

namespace odonata::cli {

/// Cycles first .. last.
struct CycleRange {
  uint32_t first = 0, last = 0;
};

/// "NAME@FIRST-LAST": throughput or latency, their mean over the intervals of the range; lost, fd or fr, their sum;
/// last_lost, last_fd or last_fr: cycles from the start of the range to the end of its last interval that has one, 0
/// without any. "NAME@FIRST-LAST/FIRST-LAST": the change in percent against the second range.
struct TimelineQuantity {
  std::string name;
  CycleRange range;
  std::optional<CycleRange> base;
};

/// The quantity that the text names, or nothing.
std::optional<TimelineQuantity> timeline_quantity(const std::string& text);
/// Its value; NaN where nothing was measured: no interval in the range, for a latency no packet in it.
double value_of(const Json& timeline, const TimelineQuantity& quantity);

}  // namespace odonata::cli
