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
  return {"Packet at " + point(a.at) + " for " + point(a.dest) +
          (a.fresh ? ", fresh" : ", header " + std::to_string(a.header)) + ", blocked ports " +
          std::to_string(a.blocked)};
}

/// The same in three dimensions.
inline std::vector<std::string> reasons(const BoxUnit& unit) {
  const BoxInputs& a = unit.answered();
  if (!a.valid) return {"No packet is in the output registers."};
  const auto point = [](int x, int y, int z) {
    return "(" + std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z) + ")";
  };
  return {"Packet at " + point(a.at_x, a.at_y, a.at_z) + " for " + point(a.dest_x, a.dest_y, a.dest_z) +
          (a.fresh ? ", fresh" : ", header " + std::to_string(a.header)) + ", blocked ports " +
          std::to_string(a.blocked) + ", in the plane " + (a.at_x == a.dest_x ? "(y, z)" : "(x, y)")};
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

/// Ports whose run has gone round the ring, and what is known.
inline std::vector<std::string> reasons(const WallUnit& unit) {
  const WallOutputs& o = unit.out();
  std::string runs;
  for (size_t p = 0; p < kLinkPorts; ++p) runs += (p == 0 ? "" : ", ") + std::to_string(o.run[p]);
  return {"Runs of x+, x-, y+, y-: " + runs + "; walls of x " + std::to_string(o.wall_x) + ", of y " +
          std::to_string(o.wall_y)};
}

/// Towards which side the spans are shorter.
inline std::vector<std::string> reasons(const SideUnit& unit) {
  const SideOutputs& o = unit.out();
  std::string runs;
  for (size_t p = 0; p < kLinkPorts; ++p) runs += (p == 0 ? "" : ", ") + std::to_string(o.run[p]);
  return {"Runs of x+, x-, y+, y- towards +: " + runs +
          "; ports with a shorter span towards + (bits 0 to 3) and - (4 to 7): " + std::to_string(o.sides)};
}

struct GoldenRegion final : Golden<RegionUnit, RegionInputs, RegionOutputs> {};

struct GoldenRoute final : Golden<RouteUnit, RouteInputs, RouteOutputs> {
  GoldenRoute(const Torus& torus, Variant variant) : Golden(torus, variant) {}
};

struct GoldenBox final : Golden<BoxUnit, BoxInputs, BoxOutputs> {
  explicit GoldenBox(const Torus& torus) : Golden(torus) {}
};

struct GoldenWalls final : Golden<WallUnit, WallInputs, WallOutputs> {
  explicit GoldenWalls(const Torus& torus) : Golden(torus) {}
};

struct GoldenSides final : Golden<SideUnit, SideInputs, SideOutputs> {
  explicit GoldenSides(const Torus& torus) : Golden(torus) {}
};

/// The grant follows the pins: after an edge it is what the registers make of the pins that stand there still.
class GoldenOutput final : public CycleDevice<OutputInputs, OutputOutputs> {
 public:
  GoldenOutput(int slots, int inputs) : unit_(slots, inputs) {}
  void step(const OutputInputs& in, OutputOutputs& out) override {
    unit_.step(in);
    out = {};
    const int winner = unit_.grant(in);
    if (winner >= 0) out.grant = static_cast<uint8_t>(1 << winner);
    for (size_t v = 0; v < kVcs; ++v) out.credit[v] = static_cast<uint8_t>(unit_.credit(static_cast<int>(v)));
    out.owned = unit_.owned();
    winner_ = winner;
  }
  /// Who has won, and which channels are taken.
  std::vector<std::string> describe() const override {
    std::string credits;
    for (size_t v = 0; v < kVcs; ++v)
      credits += (v == 0 ? "" : ", ") + std::to_string(unit_.credit(static_cast<int>(v)));
    return {(winner_ < 0 ? "No input wins" : "Input " + std::to_string(winner_) + " wins") +
            "; free slots by channel: " + credits + "; channels that a packet owns: " + std::to_string(unit_.owned())};
  }

 private:
  OutputUnit unit_;
  int winner_ = -1;
};

}  // namespace odonata::torus
