// SPDX-License-Identifier: Apache-2.0
#include "models/fault/paths.h"

namespace odonata::fault {

PathCount count_paths(const FaultPlaneNetwork& network, RouterId from, RouterId to) {
  const Dragonfly& d = network.dragonfly();
  const bool inside = from.gid == to.gid;
  const EntryId id = inside ? EntryId{Zone::group_local, to.bid} : EntryId{Zone::global, to.gid};
  const int row = row_of_entry(d, id);
  const Options o = network.effective_options(d.router_index(from), row, 0, false);
  PathCount count{o.a != 0 ? 1 : 0, 0};
  for (PortMap left = o.b; left != 0; left &= left - 1) {
    const int port = std::countr_zero(left);
    if (inside || !d.is_local_port(port)) {
      count.nonminimal += 1;
      continue;
    }
    const Dragonfly::Peer next = d.peer(from, port);
    const Options there = network.effective_options(d.router_index(next.router), row, next.port, false);
    count.nonminimal += std::popcount(there.b);  // table A of R_m is the minimal path, counted above
  }
  return count;
}

}  // namespace odonata::fault
