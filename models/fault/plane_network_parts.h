// SPDX-License-Identifier: Apache-2.0
// What the network of fault planes is made of: queues, routers, events, the service at work, link ends. For its own
// sources only.
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "models/fault/link.h"
#include "models/fault/plane_network.h"
#include "models/fault/router_unit.h"

namespace odonata::fault {

struct FaultPlaneNetwork::Queued {
  Message message;
  int64_t arrived = 0;
  int64_t source = -1;  ///< service that sent it
  int rounds = 0;       ///< of the message
  int chain = 0;        ///< services up to and including the sender on the critical chain
  int incident = -1;    ///< that it goes back to
  int64_t sent = -1;
  UnitSpan sender;
};

/// An input queue.
struct FaultPlaneNetwork::Fifo {
  std::vector<Queued> items;
  size_t head = 0;
  bool empty() const { return head == items.size(); }
  int size() const { return static_cast<int>(items.size() - head); }
  void clear() {
    items.clear();
    head = 0;
  }
  Queued pop() {
    const Queued q = items[head++];
    if (head == items.size()) clear();
    return q;
  }
};

struct FaultPlaneNetwork::Router {
  std::vector<Fifo> queue;          ///< by port; with the rule one_fifo off the second half holds the FRs
  PortMap waiting = 0;              ///< ports with a message
  PortMap event = 0, event_up = 0;  ///< pending link events and their direction
  std::vector<int64_t> event_time;  ///< by port
  std::vector<int> event_incident;  ///< by port
  LocalLinks links;                 ///< as served, for `isolated`
  PortMap unheard = 0;              ///< as served: ports without end mark
  int holds = -1;  ///< incident of the router's repair, until it has heard its neighbours; -1: its nodes may inject
  std::vector<int64_t> opens;  ///< by node port: from then on its node sees the last change of `unheard`
  std::vector<std::unique_ptr<Marks[]>> rows;
  int pointer = 0;  ///< next port that the poll looks at, at cycle pointer_time
  int64_t pointer_time = 0;
  bool busy = false;
  uint64_t generation = 0;         ///< of the scheduled look
  int64_t free_since = 0;          ///< end of the last service
  int64_t back_since = -1;         ///< when it came back from the dead
  int chain = 0;                   ///< of the last service
  std::vector<int64_t> unit_free;  ///< pipelined: first cycle in which a port's unit is idle
  std::vector<std::pair<int64_t, int64_t>>
      late;  ///< pipelined: cycles (from, to) in which the scheduler may not look; disjoint, ascending

  void clear();
  void stand_still(int64_t from, int64_t to);
  int64_t looks_between(int64_t from, int64_t to) const;
  int64_t look_after(int64_t from, int64_t looks) const;
};

struct FaultPlaneNetwork::Event {
  int64_t time = 0;
  EventKind kind = EventKind::look;
  uint64_t sequence = 0;
  int router = 0, port = 0;
  uint64_t generation = 0;
  Message message;
  int64_t sent = 0, source = -1;
  int from = 0, from_port = 0, rounds = 0, chain = 0;
  int incident = -1;
  UnitSpan sender;
  uint64_t word = 0;  ///< a frame on the wire
  /// Order: time, then kind (failures, repairs, ends of services, what wires bring, what units and link ends send,
  /// looks), then order of creation.
  bool operator<(const Event& o) const {
    if (time != o.time) return time > o.time;
    if (kind != o.kind) return kind > o.kind;
    return sequence > o.sequence;
  }
};

struct FaultPlaneNetwork::ServiceRun {
  int router = 0;
  RouterId own;
  ServiceKind kind = ServiceKind::link_down;
  int fp = 0;
  Message message;
  int64_t hit = 0;
  int64_t index = 0;
  Level level = Level::lost;
  Scope scope = Scope::all;
  bool isolated = false;
  bool travel = false;
  bool end = false;       ///< an end mark
  bool restores = false;  ///< link up or FR
  int rounds = 0, chain = 0;
  int incident = -1;
  int64_t last_write = -1;
  UnitSpan writer;                 ///< of the last write
  UnitSpan unit;                   ///< at work now; a travel has one a port
  std::vector<UnitSpan> units;     ///< by port, in a travel
  std::vector<int64_t> cycle;      ///< by port: where its unit is in a travel
  std::vector<uint8_t> check_tag;  ///< by slot: port-level recovery
  std::vector<Event> sends;        ///< ideal timing: they leave when the service ends
};

/// One end of a link and what it has taken from its unit; `messages` are the ones that the other end has not accepted
/// yet.
struct FaultPlaneNetwork::End {
  explicit End(const Dragonfly& d) : link(d) {}
  LinkEnd link;
  std::deque<Event> messages;
  int64_t transmits_at = -1;  ///< of the scheduled transmission
};

}  // namespace odonata::fault
