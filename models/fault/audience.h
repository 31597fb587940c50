// SPDX-License-Identifier: Apache-2.0
// Who hears of a dead local link, as far as the bound of docs/fault.md §7.3 needs to know.
#pragma once

#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

#include "models/topology/dragonfly.h"

namespace odonata::fault {

/// Routers of a group that hear of a dead local link in the same way.
struct Listeners {
  bool attached = false;  ///< to an end of the link
  int early = 0;          ///< global ports that lead to a router that is attached to an end: it passes news on at once
  int late = 0;           ///< global ports that lead to the mate of such a router: it passes news on when all ways are
                          ///< gone
  bool speaks = false;    ///< news comes through all its global ports: it says so to its mates
  int routers = 0;        ///< how many of the group
  auto key() const { return std::tuple(attached, early, late, speaks, routers); }
  bool operator<(const Listeners& o) const { return key() < o.key(); }
};

/// The routers of a group, in kinds. With an attached router the group itself tells what it has heard.
using Audience = std::vector<Listeners>;

/// The audiences that there are: of all groups, over all local links.
std::set<Audience> audiences(const Dragonfly& d);

}  // namespace odonata::fault
