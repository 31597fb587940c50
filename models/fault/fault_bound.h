// SPDX-License-Identifier: Apache-2.0
// How long the diagnosis of one given fault can take at most: every message of every router for itself (docs/fault.md
// §7.3).
#pragma once

#include "models/fault/flow_bound.h"
#include "models/fault/message_graph.h"

namespace odonata::fault {

/// From a look that hits to the next one, at most, in a network whose messages have been counted.
int64_t longest_service(const Dragonfly& d, const Timing& timing, bool restores);

/// The bounds of one fault, in cycles after it: no load, perfect wires, recovery `per_entry`, wherever the polls are.
struct FaultBound {
  int64_t cycles = 0;  ///< the last table write, at most
  MessageGraph graph;
  std::vector<FlowBound::Span> messages;  ///< of each message of the graph
};
FaultBound fault_bound(const Dragonfly& d, const Parameters& parameters, const Fault& fault);

}  // namespace odonata::fault
