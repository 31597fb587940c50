// SPDX-License-Identifier: Apache-2.0
// Which test tries which planted bug of the fault plane, so that none is left out.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

#include "fault_plants.h"

namespace odonata::cosim {

enum class TriedBy { nobody, port, scheduler, router, link, shared };

/// By its file, rtl/fault/fault_*.sv. Bugs of what is beyond the paper are named so; the router is built with all of
/// it, the scheduler without.
inline TriedBy tried_by(const Plant& plant) {
  const auto in = [&plant](std::initializer_list<std::string_view> parts) {
    return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) {
      return plant.file == "rtl/fault/fault_" + std::string(part) + ".sv";
    });
  };
  const bool beyond = plant.name.starts_with("beyond-");
  if (plant.name.starts_with("shared-") || in({"lookup", "shared_port"})) return TriedBy::shared;
  if (in({"aim", "action", "better", "message", "queue", "station", "sequence", "table", "accessibility", "tell",
          "observation"}))
    return TriedBy::port;
  if (in({"scheduler"}) && !beyond) return TriedBy::scheduler;
  if (in({"scheduler", "command", "fifo", "router"})) return TriedBy::router;
  if (in({"link", "crc8"})) return TriedBy::link;
  return TriedBy::nobody;
}

}  // namespace odonata::cosim
