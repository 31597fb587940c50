// SPDX-License-Identifier: Apache-2.0
// What faults at run time do to a torus, cycle by cycle: the golden fault units of all routers
// (models/torus/fault_plane.h) run ahead of the traffic, on which they do not depend (docs/torus.md §12).
#pragma once

#include "models/torus/fault_plane.h"
#include "sim/network/fault_feed.h"
#include "sim/network/topologies/torus.h"

namespace odonata::network {

/// What a router knows of faults (FaultMap, or its units).
struct TorusView {
  uint64_t wall[2] = {};
  uint8_t blocked = 0, sides = 0;
  uint8_t at[2] = {};
  uint8_t unused[4] = {};
};

struct TorusHistory {
  /// From `cycle` on a router knows this; its coordinates are not set.
  struct Change {
    uint32_t cycle = 0;
    int router = 0;
    TorusView view;
  };
  static constexpr uint32_t kNever = ~0u;

  explicit TorusHistory(const Config& config);

  std::vector<TorusView> first;    ///< what each router knows at the start
  std::vector<Change> changes;     ///< by cycle
  std::vector<FaultEvent> events;  ///< routers that die, links that go down, the node links of marked routers; by cycle
  std::vector<uint32_t> link_down;  ///< by router * 5 + port: first cycle without it
  std::vector<uint32_t> dead;       ///< by router: first cycle in which it is dead
  uint32_t first_fault = kNever;    ///< cycle
  uint32_t last_view_change = 0;    ///< cycle from which every router knows all, sides excepted
  uint32_t last_side_change = 0;    ///< the same of its sides, which only torus_safe6_short has
  bool as_map = false;              ///< the routers come to what FaultMap says of all faults together

 private:
  void take_down(uint32_t cycle, int router, int port);
  void kill(uint32_t cycle, const torus::Faults& faults);
  void spread(uint32_t cycle, uint32_t until);
  TorusView view(int router) const;

  const Torus torus_;
  torus::FaultPlane plane_;
};

}  // namespace odonata::network
