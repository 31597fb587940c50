// SPDX-License-Identifier: Apache-2.0
// The packets of a traffic pattern as one input port of one router sees them.
#pragma once

#include "models/route_compute/decide.h"
#include "models/traffic/pattern.h"

namespace odonata::traffic {

/// Draws packet headers that may really arrive at input port `port` of router `own`. A node port sees the packets of
/// its node. A local or global port sees packets in their roles: in the source group, in an intermediate group or in
/// the destination group of the path, with the virtual channel that the channel order G0 < L0 < G1 < ... < L3 gives at
/// that point of a minimal or non-minimal path. The pattern decides who sends to whom; how often a role occurs is a
/// fixed share (half source group, where there is one), not a result of routing.
class PortStream {
 public:
  /// Throws Error when nothing is connected to the port.
  PortStream(const Pattern& pattern, RouterId own, int port);
  route_compute::Request draw(Random& random) const;

 private:
  using Request = route_compute::Request;
  /// Each makes one attempt; false when the drawn packet does not pass here in this role.
  bool draw_local(Random& random, Request& out) const;
  bool draw_global(Random& random, Request& out) const;
  bool in_source_group(Random& random, Request& out) const;
  bool at_second_router(Random& random, Request& out) const;
  bool to_own_group(Random& random, NodeRange destinations, Request& out) const;
  bool through_group(Random& random, int from_group, Request& out) const;

  const Pattern* pattern_;
  Dragonfly d_;
  RouterId own_;
  int port_;
  PortClass class_;
  RouterId from_;                   // the router at the other end of a local or global port
  std::vector<int> groups_behind_;  // groups attached to that router (local port), or its group (global port)
};

}  // namespace odonata::traffic
