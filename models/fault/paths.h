// SPDX-License-Identifier: Apache-2.0
// Counting paths as Fig. 9(g), (h) do: the choices that the tables leave at the source.
#pragma once

#include "models/fault/plane_network.h"

namespace odonata::fault {

/// Paths over live links.
struct PathCount {
  int minimal = 0;
  int nonminimal = 0;
  int total() const { return minimal + nonminimal; }
  bool operator==(const PathCount&) const = default;
};

/// Between two routers of a group (to.gid == from.gid, to.bid the other router): the direct link and one-hop detours.
/// Otherwise paths to group `to.gid`: the minimal one, and one for every global port that the source's tables and those
/// of the next router allow.
PathCount count_paths(const FaultPlaneNetwork& network, RouterId from, RouterId to);

}  // namespace odonata::fault
