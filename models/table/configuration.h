// SPDX-License-Identifier: Apache-2.0
// What every port's tables A, B and C contain in a fault-free dragonfly (DOAR §3.2, Fig. 7(a); docs/readings.md §2,
// §5.3).
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "models/table/entry.h"

namespace odonata::table {

/// Which neighbours a node port's global entry of table B lists when the group has more than eight candidates.
enum class NeighbourPolicy {
  spread,  ///< default: eight consecutive candidates, the window moves by eight per target group and router, so all are
           ///< used equally
  lowest,  ///< the eight with the lowest bids (for comparison)
};
/// Whether the router attached to the target group (R_m) also serves as a source of non-minimal paths.
enum class MinimalRouterPolicy {
  examples,  ///< default: table B lists R_m, and R_m's local ports have B = its other global ports (Fig. 4, Fig. 9(h)
             ///< need it)
  printed,   ///< §3.2 word for word: an entry of a local port has table A or table B, never both; R_m is not listed in
             ///< table B
};

/// Where the papers leave open what tables hold (docs/readings.md).
struct ConfigurationPolicy {
  NeighbourPolicy neighbours = NeighbourPolicy::spread;
  MinimalRouterPolicy minimal_router = MinimalRouterPolicy::examples;
};

std::string_view to_string(NeighbourPolicy policy);
std::string_view to_string(MinimalRouterPolicy policy);

/// The tables of one input port, encoded.
struct PortTables {
  std::vector<uint64_t> a;  ///< p+a+g words
  std::vector<uint64_t> b;  ///< a+g words
  std::vector<uint64_t> c;  ///< a words
  bool operator==(const PortTables&) const = default;
};

/// Tables of input port `port` of router `own`. Every option leads towards its destination; no entry sends a packet
/// back through `port`.
PortTables configure(const Dragonfly& d, RouterId own, int port, const ConfigurationPolicy& policy = {});

/// The local ports of a node port's global entry B for target group `to`, at most eight (for tests of the policies).
std::vector<int> nonminimal_neighbours(const Dragonfly& d, RouterId own, int to, const ConfigurationPolicy& policy);

}  // namespace odonata::table
