// SPDX-License-Identifier: Apache-2.0
// Whoever wants to see every decision at an input port with all that it depends on: RTL in the loop, recorders
// (docs/network.md §9).
#pragma once

#include "models/route_compute/decide.h"

namespace odonata::network {

/// Is called by the thread that runs the port's domain; one tap serves one port.
class DecisionTap {
 public:
  virtual ~DecisionTap() = default;
  /// A cycle begins. What the decisions of the cycle before were about has been told.
  virtual void cycle(uint32_t now) = 0;
  /// A decision: the row of table A that the request hits, the words of A and B there, the maps and the LFSR value, and
  /// what was decided.
  struct Seen {
    route_compute::Request request;
    int row = 0;
    route_compute::Entries entries;
    route_compute::Congestion congestion;
    uint16_t lfsr = 0;
    route_compute::Decision decision;  ///< hop class, port and vc; the rest is not set by every path
  };
  virtual void decided(const Seen& seen) = 0;
};

/// Where a tap sits; the tap outlives the simulation.
struct TapPoint {
  int router = 0;  ///< over all groups
  int port = 0;
  DecisionTap* tap = nullptr;  ///< null: the router is another rank's
};

}  // namespace odonata::network
