// SPDX-License-Identifier: Apache-2.0
// The minimal way of a packet through a dragonfly with the channels that the virtual-channel rule gives it: what a
// packet of a checkpoint still has before it.
#pragma once

#include "models/route_compute/decide.h"
#include "models/topology/dragonfly.h"

namespace odonata::network {

/// Where a packet is: the router, the class of its input port, its virtual channel.
struct WayPoint {
  RouterId router;
  PortClass in = PortClass::node;
  int vc = 0;
};

/// Where a packet comes out that leaves a router through a port that is no node's.
inline WayPoint behind(const Dragonfly& d, RouterId from, int port, int vc) {
  return {d.peer(from, port).router, d.port_class(port), vc};
}

/// The same after the minimal way to router `to`. The channel may be one that no link has.
inline WayPoint after_minimal_way(const Dragonfly& d, WayPoint at, RouterId to) {
  while (!(at.router == to)) {
    const int j = at.router.gid == to.gid ? 0 : d.port_to_group(at.router.gid, to.gid), exit = j / d.h();
    const int port = at.router.gid == to.gid ? d.local_port(at.router.bid, to.bid)
                     : exit == at.router.bid ? d.global_port(j % d.h())
                                             : d.local_port(at.router.bid, exit);
    const PortClass out = d.port_class(port);
    at = {d.peer(at.router, port).router, out, route_compute::next_vc(at.in, out, at.vc)};
  }
  return at;
}

}  // namespace odonata::network
