// SPDX-License-Identifier: Apache-2.0
// The fault planes of all routers of a dragonfly, joined by links with latencies (docs/fault.md §7): event-driven, deterministic, and
// exact to the cycle of docs/fault.md §5 and §6. Rows of the tables are stored only where an option has changed.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/fault/entry.h"
#include "models/fault/link.h"
#include "models/fault/observer.h"

namespace odonata::fault {

/// Structure of the scheduler, the ring and the units (cycles of the router clock unless said otherwise).
struct Timing {
  bool ideal = false;             ///< true: constant service times, messages leave when the service ends (the arithmetic of DOAR §4.2)
  int64_t ideal_local = 1300;     ///< t_ld
  int64_t ideal_message = 100;    ///< t_gd
  int64_t ideal_recovery = 2000;  ///< t_r
  int stations = 64;              ///< ports of the router hardware: length of the poll round and of the ring
  int poll_width = 1;             ///< input queues looked at in a cycle
  int ring_hop = 1;               ///< cycles from one station of the command ring to the next
  int base_b = 16;                ///< first hardware entry of zone B; zone N starts at 0
  int base_g = 48;                ///< first hardware entry of zone G
  int entries = 560;              ///< et_num: entries that a travel walks
  int banks = 1;                  ///< entries a step of a travel (beyond the paper)
  bool pipelined = false;         ///< fetch the next command while the units work (beyond the paper)
  int local_latency = 10;         ///< link latency
  int global_latency = 100;
  double load = 0;    ///< probability that route compute takes a port's table RAM in a cycle
  uint64_t seed = 1;  ///< of the route traffic

  /// The entries and stations of a router built for just this dragonfly (the SystemC and RTL of size tiny).
  static Timing native(const Dragonfly& d);
};

/// Whether route compute has the table RAM of a port in a cycle: the route traffic of timing.load, the same for every model.
bool route_reads(const Timing& timing, int router, int port, int64_t cycle);

/// The ordering rules of docs/fault.md §6; switched off only to show what breaks.
struct OrderingRules {
  bool one_fifo = true;     ///< FD and FR of an input port share one FIFO
  bool event_first = true;  ///< a port's link event is served before its messages
};

struct Parameters {
  Mode mode = Mode::safe;
  Recovery recovery = Recovery::per_entry;
  Timing timing;
  OrderingRules rules;
  table::ConfigurationPolicy policy;
  LinkLevel link;
  bool record = false;  ///< keep every service and message (timeline page, trace)
};

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
struct Transfer {
  int64_t sent = 0, arrived = 0;
  int from = 0, from_port = 0, to = 0, to_port = 0;
  Message message;
  int64_t service = -1;  ///< the service that sent it
};

/// Cycle counts of a run. Times are absolute cycles; -1 = it did not happen.
struct Phases {
  int64_t detected = -1;        ///< first link event
  int64_t local_done = -1;      ///< last travel of a failed port
  int64_t diagnosis_done = -1;  ///< last service of an FD
  int64_t last_write = -1;      ///< last change of a table entry
  int64_t recovery_done = -1;   ///< last service of a link-up event or an FR
};

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
  int64_t ring_cycles = 0;             ///< t2 of the structure: from the poll hit to the last unit's start, and back
  std::vector<int> services_of_router;
  std::vector<uint32_t> fd_sent, fr_sent;  ///< by router * ports + port
  std::vector<int64_t> converged;          ///< last change of a table, by router; -1 = never
};

class Network {
 public:
  Network(const Dragonfly& d, const Parameters& parameters);
  ~Network();

  const Dragonfly& dragonfly() const { return d_; }
  const Parameters& parameters() const { return p_; }

  /// Tells `observer` from now on (null: nobody); it has to outlive the runs.
  void set_observer(Observer* observer) { observer_ = observer; }

  // Faults, effective at a cycle >= now(). All throw Error when the name means nothing in this dragonfly.
  void fail_link(RouterId router, int port, int64_t cycle);
  void repair_link(RouterId router, int port, int64_t cycle);
  void fail_router(RouterId router, int64_t cycle);
  void repair_router(RouterId router, int64_t cycle);

  /// Serves events until nothing is left, or until `limit` (an event later than that stays). Returns whether the network is quiet.
  bool run(int64_t limit = INT64_MAX);
  int64_t now() const { return now_; }

  // The tables as they stand.
  RowConfig config(int router, int row) const;
  /// Marks of an entry at a port (node ports share theirs); all zero when nothing has changed.
  Marks marks(int router, int row, int port) const;
  /// Overwrites the marks of an entry at a port: a planted bug for the negative controls of the checkers.
  void plant_marks(int router, int row, int port, const Marks& marks);
  /// effective() for packets on channels up to kHighestDetourVc.
  Options effective_options(int router, int row, int port, bool transit) const;
  /// Whether a row has ever been changed; unchanged rows equal the configuration.
  bool row_stored(int router, int row) const;

  /// Physical state of the network.
  bool link_up(int router, int port) const;  ///< link not failed and both routers alive; node ports: not failed
  bool alive(int router) const { return alive_[router]; }

  /// Options marked lost or partial now at live routers. The node ports of a router are alike and counted once (docs/readings.md §5.8).
  uint64_t invalid_options() const;
  /// True when no mark is left anywhere: every table equals its configuration, bit for bit.
  bool restored() const;
  /// Hash of all marks (router, row, port, levels), 0 marks give a constant.
  uint64_t table_hash() const;
  /// Rows stored now.
  uint64_t stored_rows() const;

  const Statistics& statistics() const { return s_; }
  /// Starts a new count (phases, messages); the tables stay.
  void clear_statistics();
  const std::vector<Service>& services() const { return services_; }
  const std::vector<Transfer>& transfers() const { return transfers_; }

  int num_slots() const { return d_.a() + d_.h(); }
  /// Slot of a port in a row: all node ports share slot 0.
  int slot(int port) const { return port < d_.p() ? 0 : port - d_.p() + 1; }
  int port_of_slot(int s) const { return s == 0 ? 0 : d_.p() + s - 1; }

 private:
  struct Queued;
  struct Fifo;
  struct Router;
  struct Event;
  struct ServiceRun;
  struct Step;
  struct End;
  enum class EventKind : uint8_t { fail_link, repair_link, fail_router, repair_router, service_end, frame, arrival, handover, transmit, look };

  void push(Event event);
  void dispatch(const Event& event);
  void check_port(RouterId router, int port, const char* what) const;
  void set_failed(int router, int port, bool failed);
  void update_link(int router, int port);
  void set_alive(int router, bool alive);
  void post_event(int router, int port, bool up);
  bool cut_off(const Event& event) const;
  void arrive(const Event& event);
  End& link_end(int router, int port);
  void reset_link_end(int router, int port);
  void hand_over(const Event& event);
  void schedule_transmit(int router, int port, int64_t cycle);
  void transmit(const Event& event);
  void receive_frame(const Event& event);
  int pointer(const Router& router) const;
  void schedule_look(int router);
  void look(int router);
  void serve(int router, ServiceKind kind, int fp, const Queued& queued, int64_t waiting_since);
  int64_t serve_match(ServiceRun& run);
  int64_t serve_travel(ServiceRun& run);
  int64_t walk(ServiceRun& run, int step, bool restore);
  int64_t walk_tell(ServiceRun& run, int step);
  bool change_slot(ServiceRun& run, const RowConfig& config, int row, int slot);
  bool change_row(ServiceRun& run, const RowConfig& config, int row);
  int tell(ServiceRun& run, const RowConfig& config, int row, int slot, int64_t cycle);
  int tell_class(ServiceRun& run, const RowConfig& config, int row, int slot, int c, int64_t cycle);
  bool group_accessible(int router, int row, int slot) const;
  bool all_accessible(int router, int slot) const;
  void tell_port_level(ServiceRun& run);
  void send(ServiceRun& run, int slot, const Message& message, int64_t cycle);
  void finish(ServiceRun& run, int64_t last_busy);
  int64_t free_cycle(int router, int port, int64_t cycle) const;
  int64_t start_cycle(const ServiceRun& run, int port);
  void end_unit(const ServiceRun& run, int port, int64_t last_busy);
  Marks* stored(int router, int row);
  const Marks* stored(int router, int row) const;
  Marks* store(int router, int row);
  void drop_clean_row(int router, int row);

  Dragonfly d_;
  Parameters p_;
  Statistics s_;
  int64_t now_ = 0;
  std::vector<Router> routers_;
  std::vector<uint8_t> alive_;
  std::vector<uint64_t> lives_;    ///< how often a router has died
  std::vector<PortMap> failed_;    ///< individually failed ports: links (marked at both ends) and node links
  std::vector<PortMap> up_;        ///< physical state as the port sees it
  std::vector<int64_t> up_since_;  ///< by router * ports + port
  std::vector<Event> heap_;
  std::map<size_t, std::unique_ptr<End>> ends_;  ///< by router * ports + port; made when first used
  uint64_t sequence_ = 0;
  std::vector<Step> steps_;  ///< rows of every step of a travel
  std::vector<Service> services_;
  std::vector<Transfer> transfers_;
  int64_t last_end_ = -1;
  uint64_t service_count_ = 0;
  Observer* observer_ = nullptr;
};

}  // namespace odonata::fault
