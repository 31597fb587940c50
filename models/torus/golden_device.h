// SPDX-License-Identifier: Apache-2.0
// The golden units of the torus behind the interface that all levels share.
#pragma once

#include <string>
#include <vector>

#include "models/common/golden.h"
#include "models/torus/units.h"

namespace odonata::torus {

/// The packet behind the present answer.
inline std::vector<std::string> reasons(const RouteUnit& unit) {
  if (!unit.answered().valid) return {"No packet is in the output registers."};
  const Ask& a = unit.answered().ask;
  const auto point = [](const uint8_t* c) { return "(" + std::to_string(c[0]) + "," + std::to_string(c[1]) + ")"; };
  return {"Packet at " + point(a.at) + " for " + point(a.dest) + (a.fresh ? ", fresh" : ", header " + std::to_string(a.header)) + ", blocked ports " +
          std::to_string(a.blocked)};
}

/// What the router knows of its ports.
inline std::vector<std::string> reasons(const RegionUnit& unit) {
  const RegionOutputs& o = unit.out();
  std::string ports;
  for (unsigned p = 0; p < kLinkPorts; ++p) {
    if ((o.blocked >> p & 1) != 0) ports += (ports.empty() ? "" : ", ") + std::to_string(p);
  }
  return {"Blocked ports: " + (ports.empty() ? "none" : ports) + "; the router " +
          (o.bad ? "is bad: failed, or marked by its blocked ports or before" : "is neither failed nor marked") +
          (o.changed ? "; that changed at this edge" : "")};
}

struct GoldenRegion final : Golden<RegionUnit, RegionInputs, RegionOutputs> {};

struct GoldenRoute final : Golden<RouteUnit, RouteInputs, RouteOutputs> {
  GoldenRoute(const Torus& torus, Variant variant) : Golden(torus, variant) {}
};

}  // namespace odonata::torus
