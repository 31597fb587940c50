// SPDX-License-Identifier: Apache-2.0
// The fault units of all routers of a torus, wired to each other: how the regions, the walls and the sides come about
// without anybody who sees the whole (docs/torus.md §3).
#pragma once

#include <utility>
#include <vector>

#include "models/torus/units.h"

namespace odonata::torus {

/// The fault units of all nodes of a torus, edge by edge (docs/torus.md).
class FaultPlane {
 public:
  /// Two dimensions. Failed nodes are dead: their units do nothing and the neighbours read `bad`.
  FaultPlane(const Torus& torus, Rule rule);
  /// Adds failures, from the next edge on.
  void fail(const Faults& faults);
  /// One rising edge of all routers.
  void step();
  /// Steps until an edge changes nothing; returns the edge after which everything was as it stays.
  int64_t settle();

  int64_t cycle() const { return cycle_; }
  bool dead(int node) const { return dead_[static_cast<size_t>(node)]; }
  const RegionOutputs& region(int node) const { return region_[static_cast<size_t>(node)].out(); }
  const WallOutputs& walls(int node) const { return wall_[static_cast<size_t>(node)].out(); }
  const SideOutputs& sides(int node) const { return side_[static_cast<size_t>(node)].out(); }
  /// The last edge that changed this router's marks, or its walls (runs included), or its sides; 0: none did.
  int64_t last_mark(int node) const { return last_mark_[static_cast<size_t>(node)]; }
  int64_t last_wall(int node) const { return last_wall_[static_cast<size_t>(node)]; }
  int64_t last_side(int node) const { return last_side_[static_cast<size_t>(node)]; }
  /// The last edge that changed what this router decides by: blocked ports and walls without the runs; 0: none did.
  int64_t last_view(int node) const { return last_view_[static_cast<size_t>(node)]; }
  /// The same of its sides without the runs, by which only safe6_short decides.
  int64_t last_side_view(int node) const { return last_side_view_[static_cast<size_t>(node)]; }

 private:
  int peer(int node, int port) const { return peer_[static_cast<size_t>(kLinkPorts * node + port)]; }
  RegionInputs region_inputs(int node) const;
  WallInputs wall_inputs(int node) const;
  SideInputs side_inputs(int node) const;

  Rule rule_;
  std::vector<int> peer_;
  std::vector<std::pair<uint8_t, uint8_t>> at_;  // coordinates by node
  std::vector<bool> dead_;
  std::vector<uint8_t> fail_link_;
  std::vector<RegionUnit> region_, region_before_;
  std::vector<WallUnit> wall_, wall_before_;
  std::vector<SideUnit> side_, side_before_;
  std::vector<int64_t> last_mark_, last_wall_, last_side_, last_view_, last_side_view_;
  int64_t cycle_ = 0;
};

}  // namespace odonata::torus
