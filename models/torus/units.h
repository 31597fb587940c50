// SPDX-License-Identifier: Apache-2.0
// Cycle models of the units of a torus router (docs/torus.md §3, §5, §8). One call of step() is one rising clock edge.
#pragma once

#include <array>
#include <cstdint>

#include "models/torus/box_route.h"
#include "models/torus/fault_region_pins.h"
#include "models/torus/torus_box_pins.h"
#include "models/torus/torus_output_pins.h"
#include "models/torus/torus_route_pins.h"
#include "models/torus/torus_sides_pins.h"
#include "models/torus/torus_walls_pins.h"

namespace odonata::torus {

inline constexpr int kLinkPorts = 4;            ///< 0 x+, 1 x-, 2 y+, 3 y-
inline constexpr int kInputs = kLinkPorts + 1;  ///< of the switch: and the node's own port, number 4

// ---- fault_region: one round of marking a cycle

class RegionUnit {
 public:
  void step(const RegionInputs& in);
  const RegionOutputs& out() const { return out_; }

 private:
  RegionOutputs out_;
};

// ---- torus_walls: a counter a port along the ring beside it, and what is known of walls

/// Number of consecutive nodes, this one last, whose port is blocked; `before` is that of the node before.
constexpr uint8_t run_length(bool blocked, uint8_t before, uint8_t ring) {
  return blocked ? static_cast<uint8_t>(before < ring ? before + 1 : ring) : uint8_t{0};
}

class WallUnit {
 public:
  /// Of a torus of two dimensions; FaultMap::wall as far as the node at the coordinates of the pins must know it.
  explicit WallUnit(const Torus& torus);
  void step(const WallInputs& in);
  const WallOutputs& out() const { return out_; }

 private:
  uint8_t radix_[2];
  WallOutputs out_;
};

// ---- torus_sides: safe6_short only; runs towards the other side, and which is shorter

class SideUnit {
 public:
  explicit SideUnit(const Torus& torus);
  void step(const SideInputs& in);
  const SideOutputs& out() const { return out_; }

 private:
  uint8_t radix_[2];
  SideOutputs out_;
};

// ---- torus_route: two cycles, a request a cycle

class RouteUnit {
 public:
  RouteUnit(const Torus& torus, Variant variant);
  void step(const RouteInputs& in);
  const RouteOutputs& out() const { return out_; }
  /// What the present outputs answer.
  const RouteInputs& answered() const { return answered_; }

 private:
  Variant variant_;
  uint8_t radix_[2];
  RouteInputs held_;  // the first stage
  RouteOutputs out_;  // the second
  RouteInputs answered_;
};

// ---- torus_box: the same in three dimensions

/// An answer at the output pins.
BoxOutputs box_outputs(const BoxAnswer& answer);

class BoxUnit {
 public:
  explicit BoxUnit(const Torus& torus);
  void step(const BoxInputs& in);
  const BoxOutputs& out() const { return out_; }
  /// What the present outputs answer.
  const BoxInputs& answered() const { return answered_; }

 private:
  Torus torus_;
  BoxInputs held_;  // the first stage
  BoxOutputs out_;  // the second
  BoxInputs answered_;
};

// ---- torus_output: one link's credits and owners

/// No heap, trivially copyable.
class OutputUnit {
 public:
  static constexpr int kMaxSlots = 255, kMaxInputs = 8;
  /// `slots` flits a channel behind the link, 1..255; `inputs` ports of the switch, 2..8; throws Error otherwise.
  explicit OutputUnit(int slots, int inputs = kInputs);
  /// The input that wins in this cycle, or -1. Changes nothing.
  int grant(const OutputInputs& in) const;
  /// The edge: what grant() says is carried out.
  void step(const OutputInputs& in);
  int credit(int vc) const { return credit_[static_cast<size_t>(vc)]; }
  uint8_t owned() const { return owned_; }  ///< bit v: a packet is on its way through channel v

 private:
  uint8_t slots_, inputs_;
  std::array<uint8_t, kVcs> credit_{};
  uint8_t owned_ = 0, pointer_ = 0;
};

}  // namespace odonata::torus
