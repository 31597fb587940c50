// SPDX-License-Identifier: Apache-2.0
// The golden unit behind the interface that all levels share.
#pragma once

#include "models/common/golden.h"
#include "models/route_compute/explain.h"
#include "models/route_compute/unit.h"

namespace odonata::route_compute {

/// The reasons of the last decision, a line a statement.
inline std::vector<std::string> reasons(const Unit& unit) {
  std::vector<std::string> out;
  const auto add = [&](const char* title, const Unit::Record& r) {
    const UnitConfig& config = unit.registers().config();
    const size_t first = out.size();
    for (std::string& line : in_words(config, explain(config, r.request, r.entries, r.congestion, r.lfsr)))
      out.push_back(std::move(line));
    out[first] = title + out[first];
  };
  if (unit.out().resp_valid) add("Response: ", unit.response_record());
  if (unit.stage4_record()) add("Request in stage 4: ", *unit.stage4_record());
  if (out.empty()) out.push_back("No request is in stage 4 and no response is due in this cycle.");
  return out;
}

struct GoldenDevice final : Golden<Unit, UnitInputs, UnitOutputs> {
  explicit GoldenDevice(const Dragonfly& d) : Golden(d) {}
};

}  // namespace odonata::route_compute
