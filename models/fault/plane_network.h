// SPDX-License-Identifier: Apache-2.0
// The fault planes of all routers of a dragonfly, joined by links with latencies (docs/fault.md §7): event-driven,
// deterministic, and exact to the cycle of docs/fault.md §5 and §6. Rows of the tables are stored only where an option
// has changed.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "models/common/part_list.h"
#include "models/fault/entry.h"
#include "models/fault/observer.h"
#include "models/fault/plane_parameters.h"
#include "models/fault/plane_record.h"

namespace odonata::fault {

/// The fault planes of all routers and the links between them.
class FaultPlaneNetwork {
 public:
  FaultPlaneNetwork(const Dragonfly& d, const Parameters& parameters);
  ~FaultPlaneNetwork();

  const Dragonfly& dragonfly() const { return d_; }
  const Parameters& parameters() const { return p_; }

  /// Tells `observer` from now on (null: nobody); it has to outlive the runs.
  void set_observer(Observer* observer) { observer_ = observer; }

  // Faults, effective at a cycle >= now(). Return the number of the incident. All throw Error when the name means
  // nothing in this dragonfly.
  int fail_link(RouterId router, int port, int64_t cycle);
  int repair_link(RouterId router, int port, int64_t cycle);
  int fail_router(RouterId router, int64_t cycle);
  int repair_router(RouterId router, int64_t cycle);

  /// Where every router's poll is in cycle now() before anything has happened: pointers drawn from `seed`. By default
  /// all are 0 in cycle 0.
  void draw_poll(uint64_t seed);
  /// Where a router's poll is in cycle now(): a constructed scene.
  void set_poll(int router, int pointer);
  /// As new, with another seed of the route traffic; what was computed about the configuration stays.
  void reset(double load, uint64_t seed);

  /// Serves events until nothing is left, or until `limit` (an event later than that stays). Returns whether the
  /// network is quiet.
  bool run(int64_t limit = INT64_MAX);
  int64_t now() const { return now_; }
  /// Cycle of the next event, those that have left for other parts included; INT64_MAX: there is none.
  int64_t next() const;

  // A network in parts (Parameters::groups), all of which hear of all faults. What happens in cycle c reaches another
  // group after c + global_latency.
  /// Whether a router's plane is in this part.
  bool here(int router) const { return p_.groups.empty() || p_.groups[static_cast<size_t>(router / d_.a())] != 0; }
  /// Messages that have left for other parts since the last call, as bytes; bring() takes those of them that are for
  /// routers of its part.
  std::vector<std::byte> take_leaving();
  void bring(std::span<const std::byte> messages);

  // The tables as they stand.
  RowConfig config(int router, int row) const;
  /// Marks of an entry at a port (node ports share theirs), as they count: all zero when it serves as configured.
  Marks marks(int router, int row, int port) const;
  /// Ports of a router whose neighbour has not said everything since the link came up.
  PortMap unheard(int router) const;
  /// Overwrites the marks of an entry at a port: a planted bug for the negative controls of the checkers.
  void plant_marks(int router, int row, int port, const Marks& marks);
  /// effective() for packets on channels up to kHighestDetourVc.
  Options effective_options(int router, int row, int port, bool transit) const;
  /// Whether a row has ever been changed; unchanged rows equal the configuration.
  bool row_stored(int router, int row) const;

  /// Physical state of the network.
  bool link_up(int router, int port) const;  ///< link not failed and both routers alive; node ports: not failed
  bool alive(int router) const { return alive_[router]; }

  /// Options marked lost or partial now at live routers. The node ports of a router are alike and counted once
  /// (docs/readings.md §5.8).
  uint64_t invalid_options() const;
  /// True when no mark is left anywhere: every table equals its configuration, bit for bit.
  bool restored() const;
  /// Hash of all marks (router, row, port, levels), 0 marks give a constant.
  uint64_t table_hash() const;
  /// Rows stored now.
  uint64_t stored_rows() const;

  const Statistics& statistics() const { return s_; }
  /// All failures and repairs so far, in the order in which they were asked for.
  const std::vector<Incident>& incidents() const { return incidents_; }
  /// Starts a new count (phases, messages); the tables stay.
  void clear_statistics();
  const std::vector<Service>& services() const { return services_; }
  const std::vector<ServiceCycles>& service_cycles() const { return service_cycles_; }
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
  struct End;
  struct PeerPort {
    int router = -1, port = -1;  ///< the other end of a link; -1: node port, or not cabled
  };
  enum class EventKind : uint8_t {
    fail_link,
    fail_router,
    repair_link,
    repair_router,
    service_end,
    frame,
    arrival,
    handover,
    transmit,
    look
  };

  void note_detected();
  int post_incident(EventKind kind, RouterId router, int port, int64_t cycle);
  const RowConfig& cached_config(int router, int row) const;
  const PeerPort& peer(int router, int port) const {
    return peers_[static_cast<size_t>(router) * d_.num_ports() + port];
  }
  void push(Event event);
  void dispatch(const Event& event);
  void check_port(RouterId router, int port, const char* what) const;
  void set_failed(int router, int port, bool failed);
  void update_link(int router, int port);
  void set_alive(int router, bool alive);
  void join(int router);
  void open_nodes(int router);
  void set_alive_elsewhere(int router, bool alive);
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
  void hear(ServiceRun& run);
  void note_heard(const ServiceRun& run);
  void tell_end(ServiceRun& run);
  int64_t serve_match(ServiceRun& run);
  int64_t serve_travel(ServiceRun& run);
  void walk(ServiceRun& run, const std::vector<int>& step);
  void walk_tell(ServiceRun& run, const std::vector<int>& step);
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
  int64_t write_cycle(ServiceRun& run, UnitSpan& unit, int64_t cycle);
  void note_phases(const ServiceRun& run, int64_t end);
  void end_unit(const ServiceRun& run, int port, int64_t last_busy);
  Marks* stored(int router, int row);
  const Marks* stored(int router, int row) const;
  Marks* store(int router, int row);
  void drop_clean_row(int router, int row);
  bool row_marked(int router, int row) const { return row_stored(router, row) || unheard(router) != 0; }

  Dragonfly d_;
  Parameters p_;
  Statistics s_;
  int64_t now_ = 0;
  PartList<Router> routers_;
  std::vector<uint8_t> alive_;
  std::vector<uint64_t> lives_;  ///< how often a router has died
  std::vector<PortMap> failed_;  ///< individually failed ports: links (marked at both ends) and node links
  std::vector<PortMap> up_;      ///< physical state as the port sees it
  std::vector<PortMap> cabled_;  ///< the same without faults
  PartList<int64_t> up_since_;   ///< by router * ports + port
  std::vector<Event> heap_, leaving_;
  std::map<size_t, std::unique_ptr<End>> ends_;  ///< by router * ports + port; made when first used
  uint64_t sequence_ = 0;
  std::vector<std::vector<int>> steps_;  ///< rows of every step of a travel
  std::vector<Incident> incidents_;
  int incident_ = -1;  ///< that is taking place
  std::vector<Service> services_;
  std::vector<ServiceCycles> service_cycles_;
  std::vector<Transfer> transfers_;
  PartList<PeerPort> peers_;                                           ///< by router * ports + port
  mutable PartList<std::vector<std::unique_ptr<RowConfig>>> configs_;  ///< by router, row; made when first asked for
  int64_t last_end_ = -1;
  uint64_t service_count_ = 0;
  Observer* observer_ = nullptr;
};

}  // namespace odonata::fault
