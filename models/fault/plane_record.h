// SPDX-License-Identifier: Apache-2.0
// What a network of fault planes reports of a run: services, messages, phases and counts.
#pragma once

#include <cstdint>
#include <vector>

#include "models/fault/observer.h"

namespace odonata::fault {

/// A command at the units of a router.
struct Service {
  int64_t start = 0;  ///< the command is taken from its queue
  int64_t end = 0;    ///< the scheduler may look for the next one
  int router = 0;
  ServiceKind kind = ServiceKind::link_down;
  int port = 0;  ///< Fp
  Message message;
  int64_t source = -1;    ///< index of the service that sent the message, -1: a link event
  bool isolated = false;  ///< no local link of the router is up, as served
};

/// A message over a link.
struct Transfer {
  int64_t sent = 0, arrived = 0;
  int from = 0, from_port = 0, to = 0, to_port = 0;
  Message message;
  int64_t service = -1;  ///< the service that sent it
};

/// What happened to a link or a router, and when its consequences ended: services and table writes count for the event
/// that they go back to, message by message. Times are absolute cycles; -1 = it did not happen.
struct Incident {
  bool repair = false;
  int router = 0, port = -1;  ///< port -1: the router
  int64_t cycle = 0;          ///< of the failure or repair
  int64_t detected = -1;      ///< first link event that a live router has seen
  int64_t local_done = -1;    ///< last travel of its link events
  int64_t last_fd = -1;       ///< last service of an FD
  int64_t last_service = -1;  ///< last service of anything
  int64_t last_write = -1;    ///< last change of a table entry
  int64_t nodes_open = -1;    ///< a repaired router: the last of its node ports takes packets again
  bool operator==(const Incident&) const = default;
};

/// Cycle counts of a run: those of its failures and those of its repairs. Times are absolute cycles; -1 = it did not
/// happen.
struct Phases {
  int64_t detected = -1;        ///< first link event
  int64_t local_done = -1;      ///< last travel of a failed port
  int64_t last_fd = -1;         ///< last service of an FD
  int64_t diagnosis_done = -1;  ///< last service of all: travels, FDs, and the FRs of a withdrawal
  int64_t last_write = -1;      ///< last change of a table entry by the diagnosis
  int64_t recovery_done = -1;   ///< last service that goes back to a repair
  int64_t recovery_write = -1;  ///< last change of a table entry that does
};

/// What a port unit has done up to a message or a table write.
struct UnitSpan {
  int port = -1;
  int64_t start = 0;     ///< the unit takes the command
  int64_t ram_wait = 0;  ///< cycles waited for route compute since then
};

/// Where the cycles of a service went (beside Service, when recorded): what a critical chain is made of.
struct ServiceCycles {
  int incident = -1;          ///< that it goes back to
  int64_t waiting_since = 0;  ///< the link event, or the message's arrival
  int64_t looks = 0;          ///< cycles of the poll, the look that finds it included
  int64_t sent = -1;          ///< the message was on its link; -1: a link event
  UnitSpan sender;            ///< the unit that sent it
  int64_t written = -1;       ///< last table write
  UnitSpan writer;            ///< the unit that wrote
};

/// Counts of a run.
struct Statistics {
  Phases phases;
  uint64_t fd_total = 0, fr_total = 0;  ///< messages sent over live links
  uint64_t fd_dropped = 0;              ///< messages lost because the link was down
  uint64_t frames = 0;                  ///< link level: frames sent, acknowledgements included
  uint64_t frames_corrupted = 0;        ///< of these: damaged on the wire
  uint64_t frames_dropped = 0;          ///< not taken: wrong CRC, malformed, or not the number that was expected
  uint64_t frames_malformed = 0;        ///< of these: right CRC, but no message that may be applied
  int max_unacknowledged = 0;           ///< longest output queue of a link end
  uint64_t services = 0;
  int critical_path_services = 0;      ///< services on the chain that ends last
  int rounds = 0;                      ///< longest chain of messages
  int max_queue = 0;                   ///< fullest input queue seen
  int64_t poll_cycles = 0, polls = 0;  ///< sum of t1, and how many
  std::vector<int> services_of_router;
  std::vector<uint32_t> fd_sent, fr_sent;  ///< by router * ports + port
  std::vector<int64_t> converged;          ///< last change of a table, by router; -1 = never
};

}  // namespace odonata::fault
