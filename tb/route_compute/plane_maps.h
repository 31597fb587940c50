// SPDX-License-Identifier: Apache-2.0
// Congestion maps for route compute out of the congestion plane of a loaded group, instead of drawn ones.
#pragma once

#include <vector>

#include "models/congestion/group_load.h"
#include "models/route_compute/decide.h"

namespace odonata::cosim {

/// One group of a dragonfly under load with its golden congestion plane; what the route-compute unit at any port of any
/// router of it sees. The group runs on whatever the unit does: resets and configuration of the unit are not its own.
class PlaneMaps {
 public:
  /// `load` in flits a cycle and port, 0..1.
  PlaneMaps(const Dragonfly& d, double load, uint64_t seed);
  /// One cycle.
  void step();
  /// Failed ports: physical ports of router `bid`, and group-wide global ports. They read as congested as soon as the
  /// plane has carried it there.
  void set_failed(int bid, PortMap own_ports, const GroupMap& group_ports);
  /// The pins of the unit at physical port `port` of router `bid`.
  route_compute::Congestion map(int bid, int port) const {
    return {plane_.cong_local(bid), plane_.cong_global(bid, port)};
  }

 private:
  congestion::GroupPlane plane_;
  congestion::GroupLoad load_;
  std::vector<PortMap> failed_;  // by router
  std::vector<congestion::RouterEvents> events_;
};

}  // namespace odonata::cosim
