// SPDX-License-Identifier: Apache-2.0
// What the measurements of all pipelines share: cycle counts, how they are told, the names of the levels.
#pragma once

#include <cstdint>
#include <string>

#include "sim/common/output.h"

namespace odonata::cli {

/// Idle edges are added between requests until all are answered: up to this interval, with so many requests a try.
inline constexpr int kLongestInterval = 16;
inline constexpr int kIntervalTries = 200;

/// Smallest, largest and mean of some cycle counts.
struct Spread {
  uint64_t count = 0;
  int64_t min = 0, max = 0;
  double sum = 0;
  void add(int64_t value);
  double mean() const { return count == 0 ? 0 : sum / static_cast<double>(count); }
  bool always(int64_t value) const { return count > 0 && min == value && max == value; }
  std::string text() const;  ///< "4", "4..7" or "none"
  Json cycles() const;       ///< an integer where all values agree, else the mean; null of none
  Json json() const;         ///< `count`, `min`, `mean`, `max`
};

/// An Error for the `--levels` of no level.
[[noreturn]] void refuse_level(const std::string& level);

}  // namespace odonata::cli
