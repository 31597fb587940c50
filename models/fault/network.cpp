// SPDX-License-Identifier: Apache-2.0
#include "models/fault/network.h"

#include <algorithm>

#include "models/common/random.h"
#include "models/fault/port_unit.h"
#include "models/fault/tell.h"

namespace odonata::fault {

Timing Timing::native(const Dragonfly& d) {
  Timing t;
  t.stations = d.num_ports();
  t.base_b = d.p();
  t.base_g = d.p() + d.a();
  t.entries = num_rows(d);
  return t;
}

struct Network::Queued {
  Message message;
  int64_t arrived = 0;
  int64_t source = -1;  ///< service that sent it
  int rounds = 0;       ///< of the message
  int chain = 0;        ///< services up to and including the sender on the critical chain
};

bool route_reads(const Timing& timing, int router, int port, int64_t cycle) {
  if (timing.load <= 0) return false;
  const auto threshold = static_cast<uint64_t>(timing.load * 0x1.0p53);
  return mix_seed(timing.seed, static_cast<uint64_t>(router) * 64 + port, static_cast<uint64_t>(cycle)) >> 11 < threshold;
}

/// An input queue.
struct Network::Fifo {
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

struct Network::Router {
  std::vector<Fifo> queue;          ///< by port; with the rule one_fifo off the second half holds the FRs
  PortMap waiting = 0;              ///< ports with a message
  PortMap event = 0, event_up = 0;  ///< pending link events and their direction
  std::vector<int64_t> event_time;  ///< by port
  PortMap served_up = ~0ull;        ///< links as served, for `isolated`
  std::vector<std::unique_ptr<Marks[]>> rows;
  int pointer = 0;  ///< next port that the poll looks at, at cycle pointer_time
  int64_t pointer_time = 0;
  bool busy = false;
  uint64_t generation = 0;                        ///< of the scheduled look
  int64_t free_since = 0;                         ///< end of the last service
  int chain = 0;                                  ///< of the last service
  std::vector<int64_t> unit_free;                 ///< pipelined: first cycle in which a port's unit is idle
  std::vector<std::pair<int64_t, int64_t>> late;  ///< pipelined: cycles (from, to) in which the scheduler may not look; disjoint, ascending

  void stand_still(int64_t from, int64_t to);
  int64_t looks_between(int64_t from, int64_t to) const;
  int64_t look_after(int64_t from, int64_t looks) const;
};

/// Units are late from `from` to `to`: the scheduler may not look in these cycles.
void Network::Router::stand_still(int64_t from, int64_t to) {
  std::erase_if(late, [&](const auto& x) { return x.second < pointer_time; });
  auto at = late.begin();
  while (at != late.end() && at->second + 1 < from) ++at;
  while (at != late.end() && at->first <= to + 1) {
    from = std::min(from, at->first);
    to = std::max(to, at->second);
    at = late.erase(at);
  }
  late.insert(at, {from, to});
}

/// How many cycles of [from, to) are look cycles.
int64_t Network::Router::looks_between(int64_t from, int64_t to) const {
  int64_t n = to - from;
  for (const auto& [first, last] : late) n -= std::max<int64_t>(0, std::min(last + 1, to) - std::max(first, from));
  return n;
}

/// The look cycle that has `looks` look cycles from `from` on before it.
int64_t Network::Router::look_after(int64_t from, int64_t looks) const {
  int64_t cycle = from + looks;
  for (const auto& [first, last] : late) {
    if (last < from) continue;
    if (first > cycle) break;
    cycle += last - std::max(first, from) + 1;
  }
  return cycle;
}

struct Network::Event {
  int64_t time = 0;
  EventKind kind = EventKind::look;
  uint64_t sequence = 0;
  int router = 0, port = 0;
  uint64_t generation = 0;
  Message message;
  int64_t sent = 0, source = -1;
  int from = 0, from_port = 0, rounds = 0, chain = 0;
  uint64_t word = 0;  ///< a frame on the wire
  /// Order: time, then kind (faults, ends of services, what wires bring, what units and link ends send, looks), then order of creation.
  bool operator<(const Event& o) const {
    if (time != o.time) return time > o.time;
    if (kind != o.kind) return kind > o.kind;
    return sequence > o.sequence;
  }
};

struct Network::ServiceRun {
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
  bool restores = false;  ///< link up or FR
  int rounds = 0, chain = 0;
  int64_t last_write = -1;
  std::vector<int64_t> cycle;      ///< by port: where its unit is in a travel
  std::vector<uint8_t> check_tag;  ///< by slot: port-level recovery
  std::vector<Event> sends;        ///< ideal timing: they leave when the service ends
};

struct Network::Step {
  std::vector<int> rows;
};

Network::Network(const Dragonfly& d, const Parameters& parameters) : d_(d), p_(parameters) {
  const int n = d.num_routers(), ports = d.num_ports();
  routers_.resize(n);
  alive_.assign(n, 1);
  lives_.assign(n, 0);
  failed_.assign(n, 0);
  up_.assign(n, 0);
  up_since_.assign(static_cast<size_t>(n) * ports, 0);
  for (int r = 0; r < n; ++r) {
    for (int port = 0; port < ports; ++port) {
      if (port < d.p() || d.peer(d.router(r), port).connected) up_[r] |= 1ull << port;
    }
  }
  const Timing& t = p_.timing;
  steps_.resize((t.entries + t.banks - 1) / t.banks);
  for (int row = 0; row < num_rows(d); ++row) {
    const EntryId id = entry_of_row(d, row);
    const int base = id.zone == Zone::node ? 0 : id.zone == Zone::group_local ? t.base_b : t.base_g;
    if (base + id.index >= t.entries) throw Error("fault network: timing.entries is too small for " + d.name());
    steps_[(base + id.index) / t.banks].rows.push_back(row);
  }
  clear_statistics();
}

Network::~Network() = default;

void Network::clear_statistics() {
  s_ = {};
  s_.services_of_router.assign(d_.num_routers(), 0);
  s_.fd_sent.assign(static_cast<size_t>(d_.num_routers()) * d_.num_ports(), 0);
  s_.fr_sent = s_.fd_sent;
  s_.converged.assign(d_.num_routers(), -1);
  last_end_ = -1;
}

// ---- faults

void Network::push(Event event) {
  event.sequence = sequence_++;
  heap_.push_back(std::move(event));
  std::push_heap(heap_.begin(), heap_.end());
}

void Network::check_port(RouterId r, int port, const char* what) const {
  const bool router_ok = r.gid >= 0 && r.gid < d_.g() && r.bid >= 0 && r.bid < d_.a();
  const bool port_ok = router_ok && port >= 0 && port < d_.num_ports() && (port < d_.p() || d_.peer(r, port).connected);
  if (port_ok) return;
  throw Error(std::string(what) + ": G" + std::to_string(r.gid) + ".s" + std::to_string(r.bid) + " port " + std::to_string(port) +
              " has no link in " + d_.name());
}

void Network::fail_link(RouterId router, int port, int64_t cycle) {
  check_port(router, port, "failed link");
  push({.time = std::max(cycle, now_), .kind = EventKind::fail_link, .router = d_.router_index(router), .port = port});
}
void Network::repair_link(RouterId router, int port, int64_t cycle) {
  check_port(router, port, "repaired link");
  push({.time = std::max(cycle, now_), .kind = EventKind::repair_link, .router = d_.router_index(router), .port = port});
}
void Network::fail_router(RouterId router, int64_t cycle) {
  check_port(router, 0, "failed router");
  push({.time = std::max(cycle, now_), .kind = EventKind::fail_router, .router = d_.router_index(router)});
}
void Network::repair_router(RouterId router, int64_t cycle) {
  check_port(router, 0, "repaired router");
  push({.time = std::max(cycle, now_), .kind = EventKind::repair_router, .router = d_.router_index(router)});
}

void Network::set_failed(int router, int port, bool failed) {
  const PortMap bit = 1ull << port;
  failed_[router] = failed ? failed_[router] | bit : failed_[router] & ~bit;
  if (port >= d_.p()) {
    const Dragonfly::Peer peer = d_.peer(d_.router(router), port);
    PortMap& other = failed_[d_.router_index(peer.router)];
    other = failed ? other | 1ull << peer.port : other & ~(1ull << peer.port);
  }
  update_link(router, port);
}

bool Network::link_up(int router, int port) const {
  if (!alive_[router] || (failed_[router] >> port & 1)) return false;
  if (port < d_.p()) return true;
  const Dragonfly::Peer peer = d_.peer(d_.router(router), port);
  return peer.connected && alive_[d_.router_index(peer.router)];
}

/// Brings both ends of a link to its physical state; an end that sees a change gets a link event.
void Network::update_link(int router, int port) {
  const bool up = link_up(router, port);
  if (((up_[router] >> port & 1) != 0) == up) return;
  post_event(router, port, up);
  if (port < d_.p()) return;
  const Dragonfly::Peer peer = d_.peer(d_.router(router), port);
  post_event(d_.router_index(peer.router), peer.port, up);
}

void Network::post_event(int router, int port, bool up) {
  const PortMap bit = 1ull << port;
  up_[router] = up ? up_[router] | bit : up_[router] & ~bit;
  if (up) up_since_[static_cast<size_t>(router) * d_.num_ports() + port] = now_;
  if (observer_ != nullptr) observer_->link(router, port, up, now_);
  if (p_.link.enabled) reset_link_end(router, port);
  if (!alive_[router]) return;
  if (s_.phases.detected < 0) s_.phases.detected = now_;
  Router& r = routers_[router];
  if (!up && !r.queue.empty()) {
    r.queue[port].clear();
    if (!p_.rules.one_fifo) r.queue[d_.num_ports() + port].clear();
    r.waiting &= ~bit;
  }
  if (r.event_time.empty()) r.event_time.resize(d_.num_ports());
  if (!(r.event & bit)) r.event_time[port] = now_;
  r.event |= bit;
  r.event_up = up ? r.event_up | bit : r.event_up & ~bit;
  schedule_look(router);
}

/// A dead router forgets everything. A repaired one starts as configured, and finds its dead links as link events.
void Network::set_alive(int router, bool alive) {
  if ((alive_[router] != 0) == alive) return;
  Router& r = routers_[router];
  const uint64_t generation = r.generation + 1;
  r = Router{};
  r.generation = generation;
  r.pointer_time = now_ - 1;  // the last cycle of reset
  r.free_since = now_;
  alive_[router] = alive;
  if (!alive) ++lives_[router];
  if (observer_ != nullptr) observer_->router(router, alive, now_);
  for (int port = 0; port < d_.num_ports(); ++port) {
    if (port >= d_.p() && !d_.peer(d_.router(router), port).connected) continue;
    update_link(router, port);
    if (alive && !link_up(router, port)) post_event(router, port, false);
  }
  if (alive) {  // its own tables are fresh: only the neighbours have to restore and tell
    r.event &= ~up_[router];
    ++r.generation;
    if (s_.phases.detected < 0) s_.phases.detected = now_;
    schedule_look(router);
  }
}

// ---- the event loop

bool Network::run(int64_t limit) {
  while (!heap_.empty() && heap_.front().time <= limit) {
    std::pop_heap(heap_.begin(), heap_.end());
    const Event event = std::move(heap_.back());
    heap_.pop_back();
    now_ = event.time;
    dispatch(event);
  }
  if (limit != INT64_MAX) now_ = std::max(now_, limit);
  return heap_.empty();
}

void Network::dispatch(const Event& e) {
  switch (e.kind) {
    case EventKind::fail_link:
      return set_failed(e.router, e.port, true);
    case EventKind::repair_link:
      return set_failed(e.router, e.port, false);
    case EventKind::fail_router:
      return set_alive(e.router, false);
    case EventKind::repair_router:
      return set_alive(e.router, true);
    case EventKind::arrival:
      return arrive(e);
    case EventKind::frame:
      return receive_frame(e);
    case EventKind::handover:
      return hand_over(e);
    case EventKind::transmit:
      return transmit(e);
    case EventKind::service_end:
      if (e.generation != routers_[e.router].generation) return;
      routers_[e.router].busy = false;
      return schedule_look(e.router);
    case EventKind::look:
      if (e.generation != routers_[e.router].generation) return;
      return look(e.router);
  }
}

/// Whether what left at e.sent is lost: the link is down, has been down since then, or the sender has died since it began to send.
bool Network::cut_off(const Event& e) const {
  return !(up_[e.router] >> e.port & 1) || lives_[e.from] != e.generation ||
         up_since_[static_cast<size_t>(e.router) * d_.num_ports() + e.port] > e.sent;
}

void Network::arrive(const Event& e) {
  const bool diagnosis = e.message.kind == Kind::diagnosis;
  if (cut_off(e)) {
    s_.fd_dropped += 1;
    return;
  }
  (diagnosis ? s_.fd_total : s_.fr_total) += 1;
  if (observer_ != nullptr) observer_->arrived(e.router, e.port, e.message, now_);
  (diagnosis ? s_.fd_sent : s_.fr_sent)[static_cast<size_t>(e.from) * d_.num_ports() + e.from_port] += 1;
  s_.rounds = std::max(s_.rounds, e.rounds);
  if (p_.record) transfers_.push_back({e.sent, now_, e.from, e.from_port, e.router, e.port, e.message, e.source});
  Router& r = routers_[e.router];
  if (r.queue.empty()) r.queue.resize(static_cast<size_t>(d_.num_ports()) * (p_.rules.one_fifo ? 1 : 2));
  Fifo& fifo = r.queue[e.port + (p_.rules.one_fifo || diagnosis ? 0 : d_.num_ports())];
  fifo.items.push_back({e.message, now_, e.source, e.rounds, e.chain});
  s_.max_queue = std::max(s_.max_queue, fifo.size());
  r.waiting |= 1ull << e.port;
  schedule_look(e.router);
}

/// Finds out when the poll of a free scheduler hits something; a later arrival may bring that forward.
void Network::schedule_look(int router) {
  Router& r = routers_[router];
  if (r.busy || (r.event == 0 && r.waiting == 0)) return;
  const Timing& t = p_.timing;
  const bool event = r.event != 0 && (p_.rules.event_first || r.waiting == 0);
  int64_t looks = 0;
  if (!event && !t.ideal) {
    const int start = pointer(r);
    const int port = rotating_pick(r.waiting, start);
    looks = (port - start + t.stations) % t.stations / t.poll_width;
    r.pointer = start;
    r.pointer_time = now_;
  }
  push({.time = r.look_after(now_, looks), .kind = EventKind::look, .router = router, .generation = ++r.generation});
}

/// Where the poll's pointer is now.
int Network::pointer(const Router& r) const {
  const int64_t moved = p_.timing.ideal ? 0 : r.looks_between(r.pointer_time, now_) * p_.timing.poll_width;
  return static_cast<int>((r.pointer + moved) % p_.timing.stations);
}

void Network::look(int router) {
  Router& r = routers_[router];
  if (r.event != 0 && (p_.rules.event_first || r.waiting == 0)) {
    const int port = std::countr_zero(r.event);
    const bool up = r.event_up >> port & 1;
    r.event &= ~(1ull << port);
    const PortMap bit = 1ull << port;
    r.served_up = up ? r.served_up | bit : r.served_up & ~bit;
    // The poll's pointer stands still while an event is served.
    r.pointer = pointer(r);
    return serve(router, up ? ServiceKind::link_up : ServiceKind::link_down, port, {}, r.event_time[port]);
  }
  const int port = rotating_pick(r.waiting, pointer(r));
  Fifo& first = r.queue[port];
  const bool second = first.empty();  // only with the rule one_fifo off: FRs wait behind all FDs
  Fifo& fifo = second ? r.queue[d_.num_ports() + port] : first;
  const Queued q = fifo.pop();
  if (r.queue[port].empty() && (p_.rules.one_fifo || r.queue[d_.num_ports() + port].empty())) r.waiting &= ~(1ull << port);
  r.pointer = (port + 1) % p_.timing.stations;
  const ServiceKind kind = q.message.kind == Kind::diagnosis ? ServiceKind::diagnosis : ServiceKind::recovery;
  serve(router, kind, port, q, q.arrived);
}

// ---- services

/// The cycle in which the unit of a port takes the command. Behind a pipelined scheduler it can come too early: then it waits in the
/// unit's command queue, and the scheduler does not look while the register of `late` is set.
int64_t Network::start_cycle(const ServiceRun& run, int port) {
  const int64_t arrives = run.hit + 1 + static_cast<int64_t>(port) * p_.timing.ring_hop;
  if (!p_.timing.pipelined) return arrives;
  Router& r = routers_[run.router];
  r.unit_free.resize(d_.num_ports());
  if (r.unit_free[port] <= arrives) return arrives;
  r.stand_still(arrives + 2, r.unit_free[port] + 1);
  return r.unit_free[port];
}

/// The unit of a port is done with a command.
void Network::end_unit(const ServiceRun& run, int port, int64_t last_busy) {
  if (p_.timing.pipelined) routers_[run.router].unit_free[port] = last_busy + 1;
}

/// The first cycle at or after `cycle` in which route compute leaves the port's table RAM alone.
int64_t Network::free_cycle(int router, int port, int64_t cycle) const {
  while (route_reads(p_.timing, router, port, cycle)) ++cycle;
  return cycle;
}

void Network::serve(int router, ServiceKind kind, int fp, const Queued& q, int64_t waiting_since) {
  Router& r = routers_[router];
  ServiceRun run;
  run.router = router;
  run.own = d_.router(router);
  run.kind = kind;
  run.fp = fp;
  run.message = q.message;
  run.hit = now_;
  if (observer_ != nullptr) observer_->served(router, kind, fp, q.message, now_);
  run.index = static_cast<int64_t>(service_count_++);
  run.restores = kind == ServiceKind::link_up || kind == ServiceKind::recovery;
  run.isolated = (r.served_up & (low_mask(d_.a() - 1) << d_.first_local())) == 0;
  const bool event = kind == ServiceKind::link_down || kind == ServiceKind::link_up;
  run.travel = event || (kind == ServiceKind::recovery && p_.recovery == Recovery::port_level);
  run.rounds = event ? 0 : q.rounds;
  run.chain = 1 + (r.free_since > waiting_since ? r.chain : r.free_since == waiting_since ? std::max(r.chain, q.chain) : q.chain);
  if (!p_.timing.ideal) {
    s_.polls += event ? 0 : 1;
    s_.poll_cycles += event ? 0 : now_ - std::max(r.free_since, waiting_since) + 1;
  }
  if (p_.record) services_.push_back({now_, 0, router, kind, fp, q.message, q.source, run.isolated});
  const int64_t last_busy = run.travel ? serve_travel(run) : serve_match(run);
  finish(run, last_busy);
}

void Network::finish(ServiceRun& run, int64_t last_busy) {
  const Timing& t = p_.timing;
  Router& r = routers_[run.router];
  int64_t end = std::max(last_busy, run.hit + 1 + static_cast<int64_t>(t.stations - 1) * t.ring_hop) + 2;
  int64_t next = end;
  if (t.ideal) {
    end = next = run.hit + (run.kind == ServiceKind::diagnosis   ? t.ideal_message
                            : run.kind == ServiceKind::link_down ? t.ideal_local
                            : run.travel                         ? t.ideal_recovery
                                                                 : t.ideal_message);
    for (Event& e : run.sends) {
      e.time += end;
      e.sent = end;
      push(e);
    }
    if (run.last_write >= 0) run.last_write = end;
  } else if (t.pipelined) {
    next = run.hit + 4;
  }
  if (p_.record) services_.back().end = end;
  s_.services += 1;
  s_.services_of_router[run.router] += 1;
  Phases& phases = s_.phases;
  int64_t& phase = run.restores ? phases.recovery_done : run.kind == ServiceKind::link_down ? phases.local_done : phases.diagnosis_done;
  phase = std::max(phase, end);
  if (run.last_write >= 0) {
    phases.last_write = std::max(phases.last_write, run.last_write);
    s_.converged[run.router] = std::max(s_.converged[run.router], run.last_write);
  }
  if (end > last_end_ || (end == last_end_ && run.chain > s_.critical_path_services)) {
    last_end_ = end;
    s_.critical_path_services = run.chain;
  }
  r.busy = true;
  r.chain = run.chain;
  r.free_since = next;
  r.pointer_time = next;
  push({.time = next, .kind = EventKind::service_end, .router = run.router, .generation = ++r.generation});
}

/// An FD or FR: every unit works on the one row that Aim selects. Returns the last busy cycle of all units.
int64_t Network::serve_match(ServiceRun& run) {
  const EntryId id = aim(run.message, run.own);
  const int row = row_of_entry(d_, id);
  run.level = level_of(run.message, p_.mode, id);
  run.scope = scope_of(run.message, d_, run.own, run.fp);
  const RowConfig config = row_config(d_, run.own, id, p_.mode, p_.policy);
  const bool touched = change_row(run, config, row);
  int64_t last_busy = 0;
  bool node_changed = false;
  for (int port = 0; port < d_.num_ports(); ++port) {
    const int s = slot(port);
    int64_t cycle = free_cycle(run.router, port, start_cycle(run, port)) + 1;
    bool changed = s == 0 && port > 0 && node_changed;  // node ports share a slot: the first one changes it
    if (touched && (s > 0 || port == 0)) changed = change_slot(run, config, row, s);
    if (s == 0) node_changed = changed;
    if (changed) {
      cycle = free_cycle(run.router, port, cycle);
      run.last_write = std::max(run.last_write, cycle);
      if (observer_ != nullptr) observer_->written(run.router, row, port, cycle);
    }
    if (run.restores) ++cycle;
    const int sent = touched && s > 0 ? tell(run, config, row, s, cycle) : 0;
    cycle += std::max(0, sent - 1);
    end_unit(run, port, cycle);
    last_busy = std::max(last_busy, cycle);
  }
  if (run.restores) drop_clean_row(run.router, row);
  return last_busy;
}

/// Whether the row can change; stores it if so.
bool Network::change_row(ServiceRun& run, const RowConfig& config, int row) {
  if (stored(run.router, row) != nullptr) return true;
  const PortMap options = config.node.a | config.node.b | config.local.a | config.local.b | config.global.a | config.global.b;
  if (run.restores || !(options >> run.fp & 1)) return false;
  store(run.router, row);
  return true;
}

/// The action of a unit on one entry: the marks, then the level. Node ports share a slot: only the first one changes it.
bool Network::change_slot(ServiceRun& run, const RowConfig& config, int row, int s) {
  const int port = port_of_slot(s);
  if (port == run.fp && s > 0) {
    if (run.kind == ServiceKind::link_up) {
      Marks& m = stored(run.router, row)[s];
      m.told[0] = m.told[1] = Level::full;  // the neighbour has restored everything about this port
    }
  }
  Marks& m = stored(run.router, row)[s];
  const Options options = config.at(d_, port);
  const PortClass at = d_.port_class(port);
  const bool changed = set_option(d_, at, options, run.fp, run.level, run.scope, m);
  update_level(config, at, options, p_.mode, run.isolated, m);
  return changed;
}

/// A travel walks all entries: one pass for a failed port, two for a restored one. Returns the last busy cycle of all units.
int64_t Network::serve_travel(ServiceRun& run) {
  run.scope = Scope::all;
  run.level = run.restores ? Level::full : Level::lost;
  run.cycle.resize(d_.num_ports());
  run.check_tag.assign(num_slots(), 0);
  for (int port = 0; port < d_.num_ports(); ++port) run.cycle[port] = start_cycle(run, port);
  const int steps = static_cast<int>(steps_.size());
  for (int step = 0; step < steps; ++step) walk(run, step, run.restores);
  if (run.restores) {
    for (int step = 0; step < steps; ++step) walk_tell(run, step);
    if (p_.recovery == Recovery::port_level) tell_port_level(run);
    for (int row = 0; row < num_rows(d_); ++row) drop_clean_row(run.router, row);
  }
  for (int port = 0; port < d_.num_ports(); ++port) end_unit(run, port, run.cycle[port] - 1);
  return *std::max_element(run.cycle.begin(), run.cycle.end()) - 1;
}

/// One step of the first pass at all units: read, then write and (for a failed port) tell. Two cycles, one more a message beyond the first.
int64_t Network::walk(ServiceRun& run, int step, bool restore) {
  std::vector<std::pair<int, RowConfig>> rows;
  for (int row : steps_[step].rows) {
    const RowConfig config = row_config(d_, run.own, entry_of_row(d_, row), p_.mode, p_.policy);
    if (change_row(run, config, row)) rows.emplace_back(row, config);
  }
  if (rows.empty() && p_.timing.load <= 0) {
    for (int64_t& cycle : run.cycle) cycle += 2;
    return 0;
  }
  uint64_t node_changed = 0;  // by position in `rows`: what the shared slot said
  for (int port = 0; port < d_.num_ports(); ++port) {
    const int s = slot(port);
    int64_t cycle = free_cycle(run.router, port, run.cycle[port]) + 1;
    bool changed = s == 0 && port > 0 && node_changed != 0;
    if (s > 0 || port == 0) {
      for (auto& [row, config] : rows) changed |= change_slot(run, config, row, s);
      if (s == 0) node_changed = changed;
    }
    if (changed) {
      cycle = free_cycle(run.router, port, cycle);
      run.last_write = std::max(run.last_write, cycle);
      for (size_t i = 0; observer_ != nullptr && i < rows.size(); ++i) observer_->written(run.router, rows[i].first, port, cycle);
    }
    int sent = 0;
    if (!restore && s > 0) {
      for (auto& [row, config] : rows) sent += tell(run, config, row, s, cycle + sent);
    }
    run.cycle[port] = cycle + std::max(1, sent);
  }
  return 0;
}

/// One step of the second pass: a cycle, one more a message beyond the first.
int64_t Network::walk_tell(ServiceRun& run, int step) {
  std::vector<std::pair<int, RowConfig>> rows;
  for (int row : steps_[step].rows) {
    if (stored(run.router, row) == nullptr) continue;
    rows.emplace_back(row, row_config(d_, run.own, entry_of_row(d_, row), p_.mode, p_.policy));
  }
  for (int port = 0; port < d_.num_ports(); ++port) {
    const int s = slot(port);
    int sent = 0;
    if (s > 0) {
      for (auto& [row, config] : rows) sent += tell(run, config, row, s, run.cycle[port] + sent);
    }
    run.cycle[port] += std::max(1, sent);
  }
  return 0;
}

// ---- what a unit tells its neighbour

/// Sends what has changed since the last message about the entry. Returns the number of messages.
int Network::tell(ServiceRun& run, const RowConfig& config, int row, int s, int64_t cycle) {
  int sent = 0;
  for (int c = 0; c < 2; ++c) sent += tell_class(run, config, row, s, c, cycle + sent);
  return sent;
}

int Network::tell_class(ServiceRun& run, const RowConfig& config, int row, int s, int c, int64_t cycle) {
  Marks& m = stored(run.router, row)[s];
  const PortClass at = d_.port_class(port_of_slot(s));
  const bool across = config.id.zone == Zone::group_local && at == PortClass::global;
  Marks one = m;  // the other class is not asked about
  one.told[1 - c] = one.level[1 - c];
  const Speech speech = speech_about(one, at, p_.recovery, across, !across || group_accessible(run.router, row, s));
  if (!speech.changes[c]) return 0;
  m.told[c] = m.level[c];
  if (run.travel && m.level[c] == Level::full && p_.recovery == Recovery::port_level) run.check_tag[s] = 1;
  if (!speech.message[c]) return 0;
  send(run, s, entry_message(p_.mode, run.own, config.id, c, m.level[c], run.travel ? nullptr : &run.message), cycle);
  return 1;
}

/// Whether the neighbour has been told that all B entries of a port but `row` are full.
bool Network::group_accessible(int router, int row, int s) const {
  for (int b = 0; b < d_.a(); ++b) {
    const Marks* m = stored(router, d_.p() + b);
    if (d_.p() + b != row && m != nullptr && m[s].told[0] != Level::full) return false;
  }
  return true;
}

bool Network::all_accessible(int router, int s) const {
  for (int row = 0; row < num_rows(d_); ++row) {
    const Marks* m = stored(router, row);
    if (m != nullptr && (m[s].level[0] != Level::full || m[s].level[1] != Level::full)) return false;
  }
  return true;
}

/// Algorithm 3, lines 11..13: a port whose last entry has become accessible sends FR for the whole port.
void Network::tell_port_level(ServiceRun& run) {
  for (int s = 1; s < num_slots(); ++s) {
    const int port = port_of_slot(s);
    if (!run.check_tag[s] || !all_accessible(run.router, s)) continue;
    send(run, s, Message{Kind::recovery, MessageClass::d, 0, 0, 0, 0}, run.cycle[port]);
    run.cycle[port] += 1;
  }
}

void Network::send(ServiceRun& run, int s, const Message& message, int64_t cycle) {
  const int port = port_of_slot(s);
  const Dragonfly::Peer peer = d_.peer(run.own, port);
  if (!peer.connected) return;
  const int latency = d_.is_local_port(port) ? p_.timing.local_latency : p_.timing.global_latency;
  Event e{.kind = EventKind::arrival, .router = d_.router_index(peer.router), .port = peer.port, .message = message};
  e.source = run.index;
  e.from = run.router;
  e.from_port = port;
  e.generation = lives_[run.router];
  e.rounds = run.rounds + 1;
  e.chain = run.chain;
  if (p_.timing.ideal) {
    e.time = latency;
    run.sends.push_back(e);
    return;
  }
  e.sent = cycle + 1;
  if (observer_ != nullptr) observer_->sent(run.router, port, message, e.sent);
  e.time = p_.link.enabled ? e.sent : e.sent + latency;
  e.kind = p_.link.enabled ? EventKind::handover : EventKind::arrival;
  push(e);
}

// ---- link level: frames, acknowledgements, corruption

/// One end of a link and what it has taken from its unit; `messages` are the ones that the other end has not accepted yet.
struct Network::End {
  End(const Dragonfly& d, Recovery recovery) : link(d, recovery) {}
  LinkEnd link;
  std::deque<Event> messages;
  int64_t transmits_at = -1;  ///< of the scheduled transmission
};

Network::End& Network::link_end(int router, int port) {
  auto& end = ends_[static_cast<size_t>(router) * d_.num_ports() + port];
  if (!end) end = std::make_unique<End>(d_, p_.recovery);
  return *end;
}

void Network::reset_link_end(int router, int port) {
  const auto found = ends_.find(static_cast<size_t>(router) * d_.num_ports() + port);
  if (found == ends_.end()) return;
  End& end = *found->second;
  s_.fd_dropped += end.messages.size();
  end.messages.clear();
  end.link.reset();
  end.transmits_at = -1;
}

/// A unit hands a message to the end of its link.
void Network::hand_over(const Event& e) {
  if (lives_[e.from] != e.generation || !(up_[e.from] >> e.from_port & 1)) {
    s_.fd_dropped += 1;
    return;
  }
  End& end = link_end(e.from, e.from_port);
  end.link.push(e.message);
  end.messages.push_back(e);
  s_.max_unacknowledged = std::max(s_.max_unacknowledged, end.link.waiting());
  schedule_transmit(e.from, e.from_port, now_);
}

void Network::schedule_transmit(int router, int port, int64_t cycle) {
  End& end = link_end(router, port);
  if (!end.link.has_frame()) {
    if (end.link.timeout() < 0) return;
    cycle = std::max(cycle, end.link.timeout());
  }
  if (end.transmits_at >= 0 && end.transmits_at <= cycle) return;
  end.transmits_at = cycle;
  push({.time = cycle, .kind = EventKind::transmit, .router = router, .port = port, .generation = lives_[router]});
}

void Network::transmit(const Event& e) {
  const auto found = ends_.find(static_cast<size_t>(e.router) * d_.num_ports() + e.port);
  if (found == ends_.end() || found->second->transmits_at != now_) return;  // an earlier one has been scheduled, or the end was reset
  End& end = *found->second;
  end.transmits_at = -1;
  if (const std::optional<uint64_t> word = end.link.transmit(now_)) {
    const Dragonfly::Peer peer = d_.peer(d_.router(e.router), e.port);
    Event frame{.kind = EventKind::frame, .router = d_.router_index(peer.router), .port = peer.port, .generation = lives_[e.router]};
    frame.sent = now_;
    frame.time = now_ + (d_.is_local_port(e.port) ? p_.timing.local_latency : p_.timing.global_latency);
    frame.from = e.router;
    frame.from_port = e.port;
    frame.word = pass_wire(*word, p_.link, e.router, e.port, now_);
    s_.frames += 1;
    s_.frames_corrupted += frame.word != *word;
    push(frame);
  }
  schedule_transmit(e.router, e.port, now_ + 1);
}

void Network::receive_frame(const Event& e) {
  if (cut_off(e)) return;
  End& end = link_end(e.router, e.port);
  const uint64_t dropped = end.link.dropped(), malformed = end.link.malformed();
  const std::optional<Message> message = end.link.receive(e.word, now_);
  s_.frames_dropped += end.link.dropped() - dropped;
  s_.frames_malformed += end.link.malformed() - malformed;
  if (message) {
    End& sender = link_end(e.from, e.from_port);
    Event arrival = sender.messages.front();
    sender.messages.pop_front();
    if (!(arrival.message == *message)) throw std::logic_error("fault network: the link level delivered another message than was sent");
    arrival.sent = e.sent;
    arrive(arrival);
  }
  schedule_transmit(e.router, e.port, now_);
}

// ---- tables

Marks* Network::stored(int router, int row) {
  Router& r = routers_[router];
  return r.rows.empty() ? nullptr : r.rows[row].get();
}
const Marks* Network::stored(int router, int row) const {
  const Router& r = routers_[router];
  return r.rows.empty() ? nullptr : r.rows[row].get();
}
Marks* Network::store(int router, int row) {
  Router& r = routers_[router];
  if (r.rows.empty()) r.rows.resize(num_rows(d_));
  r.rows[row] = std::make_unique<Marks[]>(num_slots());
  return r.rows[row].get();
}
void Network::drop_clean_row(int router, int row) {
  const Marks* m = stored(router, row);
  if (m == nullptr) return;
  for (int s = 0; s < num_slots(); ++s) {
    if (!(m[s] == Marks{})) return;
  }
  routers_[router].rows[row].reset();
}

RowConfig Network::config(int router, int row) const { return row_config(d_, d_.router(router), entry_of_row(d_, row), p_.mode, p_.policy); }
Marks Network::marks(int router, int row, int port) const {
  const Marks* m = stored(router, row);
  return m == nullptr ? Marks{} : m[slot(port)];
}
void Network::plant_marks(int router, int row, int port, const Marks& marks) {
  Marks* m = stored(router, row);
  if (m == nullptr) m = store(router, row);
  m[slot(port)] = marks;
}
bool Network::row_stored(int router, int row) const { return stored(router, row) != nullptr; }
Options Network::effective_options(int router, int row, int port, bool transit) const {
  const RowConfig c = config(router, row);
  const PortClass at = d_.port_class(port);
  return effective(c, at, c.at(d_, port), marks(router, row, port), transit, 0);
}

uint64_t Network::invalid_options() const {
  uint64_t n = 0;
  for (int router = 0; router < d_.num_routers(); ++router) {
    if (!alive_[router]) continue;
    for (int row = 0; row < num_rows(d_); ++row) {
      const Marks* m = stored(router, row);
      if (m == nullptr) continue;
      for (int s = 0; s < num_slots(); ++s) {
        const int marked = std::popcount(m[s].lost_b | m[s].partial_b) + (m[s].a != Level::full ? 1 : 0);
        n += static_cast<uint64_t>(marked);
      }
    }
  }
  return n;
}

uint64_t Network::stored_rows() const {
  uint64_t n = 0;
  for (const Router& r : routers_) {
    for (const auto& row : r.rows) n += row != nullptr;
  }
  return n;
}

bool Network::restored() const {
  for (const Router& r : routers_) {
    for (const auto& row : r.rows) {
      for (int s = 0; row != nullptr && s < num_slots(); ++s) {
        if (!(row[s] == Marks{})) return false;
      }
    }
  }
  return true;
}

uint64_t Network::table_hash() const {
  uint64_t hash = 0x0D0A7A;
  for (int router = 0; router < d_.num_routers(); ++router) {
    for (int row = 0; alive_[router] && row < num_rows(d_); ++row) {
      const Marks* m = stored(router, row);
      for (int s = 0; m != nullptr && s < num_slots(); ++s) {
        if (m[s].lost_b == 0 && m[s].partial_b == 0 && m[s].a == Level::full) continue;
        hash = mix_seed(hash, mix_seed(router, row, s), mix_seed(m[s].lost_b, m[s].partial_b), static_cast<uint64_t>(m[s].a));
      }
    }
  }
  return hash;
}

}  // namespace odonata::fault
