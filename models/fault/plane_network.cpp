// SPDX-License-Identifier: Apache-2.0
#include "models/fault/plane_network_parts.h"

#include <algorithm>

namespace odonata::fault {

FaultPlaneNetwork::FaultPlaneNetwork(const Dragonfly& d, const Parameters& parameters) : d_(d), p_(parameters) {
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
    steps_[(base + id.index) / t.banks].push_back(row);
  }
  clear_statistics();
}

FaultPlaneNetwork::~FaultPlaneNetwork() = default;

void FaultPlaneNetwork::clear_statistics() {
  s_ = {};
  s_.services_of_router.assign(d_.num_routers(), 0);
  s_.fd_sent.assign(static_cast<size_t>(d_.num_routers()) * d_.num_ports(), 0);
  s_.fr_sent = s_.fd_sent;
  s_.converged.assign(d_.num_routers(), -1);
  last_end_ = -1;
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
  throw Error(std::string(what) + ": G" + std::to_string(r.gid) + ".s" + std::to_string(r.bid) + " port " + std::to_string(port) +
              " has no link in " + d_.name());
}

void FaultPlaneNetwork::fail_link(RouterId router, int port, int64_t cycle) {
  check_port(router, port, "failed link");
  push({.time = std::max(cycle, now_), .kind = EventKind::fail_link, .router = d_.router_index(router), .port = port});
}
void FaultPlaneNetwork::repair_link(RouterId router, int port, int64_t cycle) {
  check_port(router, port, "repaired link");
  push({.time = std::max(cycle, now_), .kind = EventKind::repair_link, .router = d_.router_index(router), .port = port});
}
void FaultPlaneNetwork::fail_router(RouterId router, int64_t cycle) {
  check_port(router, 0, "failed router");
  push({.time = std::max(cycle, now_), .kind = EventKind::fail_router, .router = d_.router_index(router)});
}
void FaultPlaneNetwork::repair_router(RouterId router, int64_t cycle) {
  check_port(router, 0, "repaired router");
  push({.time = std::max(cycle, now_), .kind = EventKind::repair_router, .router = d_.router_index(router)});
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
  const Dragonfly::Peer peer = d_.peer(d_.router(router), port);
  return peer.connected && alive_[d_.router_index(peer.router)];
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
void FaultPlaneNetwork::set_alive(int router, bool alive) {
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

}  // namespace odonata::fault
