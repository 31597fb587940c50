// SPDX-License-Identifier: Apache-2.0
// Which messages one fault can cause, and what each of them waits for, whatever the order of events (docs/fault.md
// §7.3).
#pragma once

#include <cstdint>
#include <vector>

#include "models/fault/entry.h"
#include "models/fault/fault_name.h"

namespace odonata::fault {

/// A message that one fault can cause. It leaves through port `out` of router `from` about its entry `row`, and comes
/// to port `in` of router `to`, where it hits entry `to_row` (all of them numbers).
struct GraphMessage {
  int from = 0, out = 0, to = 0, in = 0;
  int row = 0, to_row = 0;
  MessageClass message_class = MessageClass::d;
  bool restores = false;     ///< an FR
  Scope scope = Scope::all;  ///< what it touches there
  /// Messages to `from`. An FD, or the first FR about a dead router, leaves when all of them have been served; any
  /// other FR when the first of them has been. Empty: it leaves in the travel of `from`.
  std::vector<int> causes;
  bool first_of_causes = false;
  std::vector<int> before;  ///< messages to `from`: it leaves before any of these is served, or never
  int last_writer = -1;     ///< the highest port of `to` at which it can change a mark; -1: it changes none
};

/// A link event that the fault is to a router.
struct GraphEvent {
  int router = 0, port = 0;
};

/// The messages of one fault. Every one is sent once at most.
struct MessageGraph {
  std::vector<GraphMessage> messages;
  std::vector<GraphEvent> events;
};

/// The graph of a fault in a network without any other.
MessageGraph message_graph(const Dragonfly& d, Mode mode, const table::ConfigurationPolicy& policy, const Fault& fault);

}  // namespace odonata::fault
