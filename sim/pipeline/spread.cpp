// SPDX-License-Identifier: Apache-2.0
#include "sim/pipeline/spread.h"

#include <algorithm>

#include <fmt/format.h>

#include "models/common/error.h"

namespace odonata::cli {

void Spread::add(int64_t value) {
  min = count == 0 ? value : std::min(min, value);
  max = count == 0 ? value : std::max(max, value);
  sum += static_cast<double>(value);
  ++count;
}

std::string Spread::text() const {
  return count == 0 ? "none" : min == max ? std::to_string(min) : fmt::format("{}..{}", min, max);
}

Json Spread::cycles() const { return count == 0 ? Json() : min == max ? Json(min) : Json(mean()); }

Json Spread::json() const { return {{"count", count}, {"min", min}, {"mean", mean()}, {"max", max}}; }

void refuse_level(const std::string& level) {
  throw Error(fmt::format("--levels: '{}' is unknown, expected golden, systemc, rtl", level));
}

}  // namespace odonata::cli
