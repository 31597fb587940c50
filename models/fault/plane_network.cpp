// SPDX-License-Identifier: Apache-2.0
#include "models/fault/plane_network_parts.h"

#include <algorithm>
#include <bit>

#include "models/common/random.h"

namespace odonata::fault {

FaultPlaneNetwork::FaultPlaneNetwork(const Dragonfly& d, const Parameters& parameters) : d_(d), p_(parameters) {
  const int n = d.num_routers(), ports = d.num_ports();
  if (!p_.groups.empty() && p_.link.enabled) throw std::logic_error("fault network: the link level knows no parts");
  const std::vector<uint8_t> groups =
      p_.groups.empty() ? std::vector<uint8_t>(static_cast<size_t>(d.g()), 1) : p_.groups;
  routers_.lay(groups, static_cast<size_t>(d.a()));
  alive_.assign(n, 1);
  lives_.assign(n, 0);
  failed_.assign(n, 0);
  up_.assign(n, 0);
  up_since_.lay(groups, static_cast<size_t>(d.a()) * ports);
  peers_.lay(groups, static_cast<size_t>(d.a()) * ports);
  configs_.lay(groups, static_cast<size_t>(d.a()));
  for (int r = 0; r < n; ++r) {
    for (int port = 0; port < ports; ++port) {
      const Dragonfly::Peer other = d.peer(d.router(r), port);
      if (port < d.p() || other.connected) up_[r] |= 1ull << port;
      if (other.connected && here(r))
        peers_[static_cast<size_t>(r) * ports + port] = {d.router_index(other.router), other.port};
    }
  }
  cabled_ = up_;
  const Timing& t = p_.timing;
  steps_.resize((t.entries + t.banks - 1) / t.banks);
  for (int row = 0; row < num_rows(d); ++row) {
    const EntryId id = entry_of_row(d, row);
    const int base = id.zone == Zone::node ? 0 : id.zone == Zone::group_local ? t.base_b : t.base_g;
    if (base + id.index >= t.entries) throw Error("fault network: timing.entries is too small for " + d.name());
    steps_[(base + id.index) / t.banks].push_back(row);
  }
  clear_statistics();
}

FaultPlaneNetwork::~FaultPlaneNetwork() = default;

void FaultPlaneNetwork::clear_statistics() {
  s_ = {};
  s_.services_of_router.assign(d_.num_routers(), 0);
  s_.fd_sent.assign(p_.groups.empty() ? static_cast<size_t>(d_.num_routers()) * d_.num_ports() : 0, 0);
  s_.fr_sent = s_.fd_sent;
  s_.converged.assign(d_.num_routers(), -1);
  last_end_ = -1;
}

void FaultPlaneNetwork::reset(double load, uint64_t seed) {
  p_.timing.load = load;
  p_.timing.seed = seed;
  for (Router& r : routers_) r.clear();
  std::fill(alive_.begin(), alive_.end(), 1);
  std::fill(lives_.begin(), lives_.end(), 0);
  std::fill(failed_.begin(), failed_.end(), 0);
  std::fill(up_since_.begin(), up_since_.end(), 0);
  up_ = cabled_;
  heap_.clear();
  leaving_.clear();
  ends_.clear();
  incidents_.clear();
  services_.clear();
  service_cycles_.clear();
  transfers_.clear();
  now_ = 0;
  sequence_ = service_count_ = 0;
  incident_ = -1;
  clear_statistics();
}

/// As new, but with the memory that it has.
void FaultPlaneNetwork::Router::clear() {
  for (Fifo& fifo : queue) fifo.clear();
  waiting = event = event_up = unheard = 0;
  links = {};
  rows.clear();
  pointer = 0;
  pointer_time = 0;
  busy = false;
  generation = 0;
  free_since = 0;
  back_since = -1;
  chain = 0;
  unit_free.clear();
  late.clear();
  holds = -1;
}

void FaultPlaneNetwork::set_poll(int router, int pointer) {
  if (!here(router)) return;
  routers_[router].pointer = pointer;
  routers_[router].pointer_time = now_;
}

void FaultPlaneNetwork::draw_poll(uint64_t seed) {
  for (int r = 0; r < d_.num_routers(); ++r) {
    set_poll(r, static_cast<int>(mix_seed(seed, static_cast<uint64_t>(r)) % static_cast<uint64_t>(p_.timing.stations)));
  }
}

const RowConfig& FaultPlaneNetwork::cached_config(int router, int row) const {
  auto& rows = configs_[router];
  if (rows.empty()) rows.resize(num_rows(d_));
  if (rows[row] == nullptr) {
    rows[row] =
        std::make_unique<RowConfig>(row_config(d_, d_.router(router), entry_of_row(d_, row), p_.mode, p_.policy));
  }
  return *rows[row];
}

void FaultPlaneNetwork::push(Event event) {
  event.sequence = sequence_++;
  heap_.push_back(event);
  std::push_heap(heap_.begin(), heap_.end());
}

void FaultPlaneNetwork::check_port(RouterId r, int port, const char* what) const {
  const bool router_ok = r.gid >= 0 && r.gid < d_.g() && r.bid >= 0 && r.bid < d_.a();
  const bool port_ok = router_ok && port >= 0 && port < d_.num_ports() && (port < d_.p() || d_.peer(r, port).connected);
  if (port_ok) return;
  throw Error(std::string(what) + ": G" + std::to_string(r.gid) + ".s" + std::to_string(r.bid) + " port " +
              std::to_string(port) + " has no link in " + d_.name());
}

int FaultPlaneNetwork::post_incident(EventKind kind, RouterId router, int port, int64_t cycle) {
  const bool whole_router = kind == EventKind::fail_router || kind == EventKind::repair_router;
  const bool repair = kind == EventKind::repair_link || kind == EventKind::repair_router;
  cycle = std::max(cycle, now_);
  Incident incident;
  incident.repair = repair;
  incident.router = d_.router_index(router);
  incident.port = whole_router ? -1 : port;
  incident.cycle = cycle;
  incidents_.push_back(incident);
  const int number = static_cast<int>(incidents_.size()) - 1;
  push({.time = cycle, .kind = kind, .router = incident.router, .port = port, .incident = number});
  return number;
}

int FaultPlaneNetwork::fail_link(RouterId router, int port, int64_t cycle) {
  check_port(router, port, "failed link");
  return post_incident(EventKind::fail_link, router, port, cycle);
}
int FaultPlaneNetwork::repair_link(RouterId router, int port, int64_t cycle) {
  check_port(router, port, "repaired link");
  return post_incident(EventKind::repair_link, router, port, cycle);
}
int FaultPlaneNetwork::fail_router(RouterId router, int64_t cycle) {
  check_port(router, 0, "failed router");
  return post_incident(EventKind::fail_router, router, 0, cycle);
}
int FaultPlaneNetwork::repair_router(RouterId router, int64_t cycle) {
  check_port(router, 0, "repaired router");
  return post_incident(EventKind::repair_router, router, 0, cycle);
}

void FaultPlaneNetwork::set_failed(int router, int port, bool failed) {
  const PortMap bit = 1ull << port;
  failed_[router] = failed ? failed_[router] | bit : failed_[router] & ~bit;
  if (port >= d_.p()) {
    const Dragonfly::Peer peer = d_.peer(d_.router(router), port);
    PortMap& other = failed_[d_.router_index(peer.router)];
    other = failed ? other | 1ull << peer.port : other & ~(1ull << peer.port);
  }
  update_link(router, port);
}

bool FaultPlaneNetwork::link_up(int router, int port) const {
  if (!alive_[router] || (failed_[router] >> port & 1)) return false;
  if (port < d_.p()) return true;
  if (!(cabled_[router] >> port & 1)) return false;
  return alive_[here(router) ? peer(router, port).router : d_.router_index(d_.peer(d_.router(router), port).router)];
}

/// Brings both ends of a link to its physical state; an end that sees a change gets a link event.
void FaultPlaneNetwork::update_link(int router, int port) {
  const bool up = link_up(router, port);
  if (((up_[router] >> port & 1) != 0) == up) return;
  post_event(router, port, up);
  if (port < d_.p()) return;
  const Dragonfly::Peer peer = d_.peer(d_.router(router), port);
  post_event(d_.router_index(peer.router), peer.port, up);
}

void FaultPlaneNetwork::post_event(int router, int port, bool up) {
  const PortMap bit = 1ull << port;
  up_[router] = up ? up_[router] | bit : up_[router] & ~bit;
  if (!here(router)) return;
  if (up) up_since_[static_cast<size_t>(router) * d_.num_ports() + port] = now_;
  if (observer_ != nullptr) observer_->link(router, port, up, now_);
  if (p_.link.enabled) reset_link_end(router, port);
  if (!alive_[router]) return;
  note_detected();
  open_nodes(router);
  Router& r = routers_[router];
  if (!up && !r.queue.empty()) {
    r.queue[port].clear();
    if (!p_.rules.one_fifo) r.queue[d_.num_ports() + port].clear();
    r.waiting &= ~bit;
  }
  // Out of reset it takes its links for up, those too that come up in the same cycle: its tables are fresh.
  if (up && r.back_since == now_ && !p_.waits_for_end_mark()) {
    r.event &= ~bit;
    ++r.generation;  // a look that was for this event
    schedule_look(router);
    return;
  }
  r.event_time.resize(d_.num_ports());
  r.event_incident.resize(d_.num_ports());
  if (!(r.event & bit)) r.event_time[port] = now_;
  r.event_incident[port] = incident_;
  r.event |= bit;
  r.event_up = up ? r.event_up | bit : r.event_up & ~bit;
  schedule_look(router);
}

/// A dead router forgets everything. A repaired one starts as configured. It finds all links as link events and has
/// heard none of its neighbours; in recovery port_level it finds its dead links.
void FaultPlaneNetwork::set_alive(int router, bool alive) {
  if ((alive_[router] != 0) == alive) return;
  if (!here(router)) return set_alive_elsewhere(router, alive);
  Router& r = routers_[router];
  const uint64_t generation = r.generation + 1;
  r = Router{};
  r.generation = generation;
  r.pointer_time = now_ - 1;  // the last cycle of reset
  r.free_since = now_;
  if (alive) r.back_since = now_;
  alive_[router] = alive;
  if (!alive) ++lives_[router];
  const bool joins = alive && p_.waits_for_end_mark();
  if (joins) {
    r.links = LocalLinks::joining();
    r.unheard = cabled_[router];
  }
  if (observer_ != nullptr) {
    observer_->router(router, alive, now_);
    for (int port = 0; port < d_.num_ports(); ++port) {
      for (PortMap left = r.unheard; left != 0; left &= left - 1)
        observer_->heard(router, port, std::countr_zero(left), true, now_ - 1);
    }
  }
  for (int port = 0; port < d_.num_ports(); ++port) {
    if (port >= d_.p() && !d_.peer(d_.router(router), port).connected) continue;
    update_link(router, port);
    if (alive && !link_up(router, port)) post_event(router, port, false);
  }
  if (!alive) return;
  if (joins) join(router);
  r.holds = incident_;
  r.opens.assign(d_.p(), now_);
  open_nodes(router);
  ++r.generation;
  schedule_look(router);
}

/// Ports without a cable are down, too.
void FaultPlaneNetwork::join(int router) {
  Router& r = routers_[router];
  const PortMap bare = low_mask(d_.num_ports()) & ~cabled_[router];
  for (PortMap left = bare; left != 0; left &= left - 1) {
    r.event_time[std::countr_zero(left)] = now_;
    r.event_incident[std::countr_zero(left)] = incident_;
  }
  r.event |= bare;
  r.event_up &= ~bare;
}

/// The nodes of a router that is back may inject when it has heard whoever is there.
void FaultPlaneNetwork::open_nodes(int router) {
  Router& r = routers_[router];
  if (r.holds < 0 || (r.unheard & up_[router]) != 0) return;
  for (int port = 0; port < d_.p(); ++port) {
    const int64_t cycle = std::max(now_, r.opens[port]);
    if (observer_ != nullptr) observer_->opened(router, port, cycle);
    incidents_[r.holds].nodes_open = std::max(incidents_[r.holds].nodes_open, cycle);
  }
  r.holds = -1;
}

/// A router of another part: only what its neighbours see.
void FaultPlaneNetwork::set_alive_elsewhere(int router, bool alive) {
  alive_[router] = alive;
  if (!alive) ++lives_[router];
  for (PortMap left = cabled_[router]; left != 0; left &= left - 1) update_link(router, std::countr_zero(left));
}

void FaultPlaneNetwork::note_detected() {
  if (s_.phases.detected < 0) s_.phases.detected = now_;
  int64_t& detected = incidents_[incident_].detected;
  if (detected < 0) detected = now_;
}

}  // namespace odonata::fault
