// SPDX-License-Identifier: Apache-2.0
// Services: a match on one row, or a travel over all of them, at every unit of a router.
#include "models/fault/plane_network_parts.h"

#include <algorithm>
#include <bit>

namespace odonata::fault {

/// The cycle in which the unit of a port takes the command. Behind a pipelined scheduler it can come too early: then it
/// waits in the unit's command queue, and the scheduler does not look while the register of `late` is set.
int64_t FaultPlaneNetwork::start_cycle(const ServiceRun& run, int port) {
  const int64_t arrives = run.hit + 1 + static_cast<int64_t>(port) * p_.timing.ring_hop;
  if (!p_.timing.pipelined) return arrives;
  Router& r = routers_[run.router];
  r.unit_free.resize(d_.num_ports());
  if (r.unit_free[port] <= arrives) return arrives;
  r.stand_still(arrives + 2, r.unit_free[port] + 1);
  return r.unit_free[port];
}

/// The unit of a port is done with a command.
void FaultPlaneNetwork::end_unit(const ServiceRun& run, int port, int64_t last_busy) {
  if (p_.timing.pipelined) routers_[run.router].unit_free[port] = last_busy + 1;
}

/// The first cycle at or after `cycle` in which route compute leaves the port's table RAM alone.
int64_t FaultPlaneNetwork::free_cycle(int router, int port, int64_t cycle) const {
  while (route_reads(p_.timing, router, port, cycle)) ++cycle;
  return cycle;
}

void FaultPlaneNetwork::serve(int router, ServiceKind kind, int fp, const Queued& q, int64_t waiting_since) {
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
  const bool event = kind == ServiceKind::link_down || kind == ServiceKind::link_up;
  run.end = kind == ServiceKind::recovery && is_end_mark(q.message, p_.recovery);
  run.travel = event || run.end || (kind == ServiceKind::recovery && p_.recovery == Recovery::port_level);
  const RingCommand command{true, false, static_cast<uint8_t>(kind), static_cast<uint8_t>(fp),
                            event ? 0 : encode_message(q.message)};
  r.links = r.links.after(d_, command, !p_.waits_for_end_mark());
  run.isolated = r.links.isolated;
  run.rounds = event ? 0 : q.rounds;
  run.chain = 1 + (r.free_since > waiting_since    ? r.chain
                   : r.free_since == waiting_since ? std::max(r.chain, q.chain)
                                                   : q.chain);
  run.incident = q.incident;
  if (!p_.timing.ideal) {
    s_.polls += event ? 0 : 1;
    s_.poll_cycles += event ? 0 : now_ - std::max(r.free_since, waiting_since) + 1;
  }
  if (p_.record) {
    services_.push_back({now_, 0, router, kind, fp, q.message, q.source, run.isolated});
    service_cycles_.push_back({run.incident,
                               waiting_since,
                               r.looks_between(std::max(r.free_since, waiting_since), now_) + 1,
                               q.sent,
                               q.sender,
                               -1,
                               {}});
  }
  const int64_t last_busy = run.travel ? serve_travel(run) : serve_match(run);
  finish(run, last_busy);
}

void FaultPlaneNetwork::finish(ServiceRun& run, int64_t last_busy) {
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
      here(e.router) ? push(e) : leaving_.push_back(e);
    }
    if (run.last_write >= 0) run.last_write = end;
  } else if (t.pipelined) {
    next = run.hit + 4;
  }
  if (p_.record) {
    services_.back().end = end;
    service_cycles_.back().written = run.last_write;
    service_cycles_.back().writer = run.writer;
  }
  s_.services += 1;
  s_.services_of_router[run.router] += 1;
  note_phases(run, end);
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

/// What the service means for its incident and for the run.
void FaultPlaneNetwork::note_phases(const ServiceRun& run, int64_t end) {
  const auto later = [](int64_t& last, int64_t cycle) { last = std::max(last, cycle); };
  Incident& incident = incidents_[run.incident];
  const bool event = run.kind == ServiceKind::link_down || run.kind == ServiceKind::link_up;
  if (event) later(incident.local_done, end);
  if (run.kind == ServiceKind::diagnosis) later(incident.last_fd, end);
  later(incident.last_service, end);
  later(incident.last_write, run.last_write);
  Phases& phases = s_.phases;
  if (run.last_write >= 0) later(s_.converged[run.router], run.last_write);
  if (incident.repair) {
    later(phases.recovery_done, end);
    later(phases.recovery_write, run.last_write);
    return;
  }
  if (event) later(phases.local_done, end);
  if (run.kind == ServiceKind::diagnosis) later(phases.last_fd, end);
  later(phases.diagnosis_done, end);
  later(phases.last_write, run.last_write);
}

/// An FD or FR: every unit works on the one row that Aim selects. Returns the last busy cycle of all units.
int64_t FaultPlaneNetwork::serve_match(ServiceRun& run) {
  const EntryId id = aim(run.message, run.own);
  const int row = row_of_entry(d_, id);
  run.level = level_of(run.message, p_.mode, id);
  run.scope = scope_of(run.message, d_, run.own, run.fp);
  const RowConfig& config = cached_config(run.router, row);
  const bool touched = change_row(run, config, row);
  int64_t last_busy = 0;
  bool node_changed = false;
  for (int port = 0; port < d_.num_ports(); ++port) {
    const int s = slot(port);
    const int64_t start = start_cycle(run, port), read = free_cycle(run.router, port, start);
    run.unit = {port, start, read - start};
    int64_t cycle = read + 1;
    bool changed = s == 0 && port > 0 && node_changed;  // node ports share a slot: the first one changes it
    if (touched && (s > 0 || port == 0)) changed = change_slot(run, config, row, s);
    if (s == 0) node_changed = changed;
    if (changed) {
      cycle = write_cycle(run, run.unit, cycle);
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

/// The unit writes: in the first free RAM cycle from `cycle` on.
int64_t FaultPlaneNetwork::write_cycle(ServiceRun& run, UnitSpan& unit, int64_t cycle) {
  const int64_t free = free_cycle(run.router, unit.port, cycle);
  unit.ram_wait += free - cycle;
  if (free > run.last_write) {
    run.last_write = free;
    run.writer = unit;
  }
  return free;
}

/// Whether the row can change; stores it if so.
bool FaultPlaneNetwork::change_row(ServiceRun& run, const RowConfig& config, int row) {
  if (stored(run.router, row) != nullptr) return true;
  const PortMap options =
      config.node.a | config.node.b | config.local.a | config.local.b | config.global.a | config.global.b;
  // Nothing is lost that could come back. But who has not been heard does not count: a router that joins, a link that
  // is back before anybody saw it fail.
  const PortMap unheard = routers_[run.router].unheard;
  const PortMap named = run.kind == ServiceKind::link_down ? unheard | 1ull << run.fp
                        : run.kind == ServiceKind::link_up ? unheard
                        : run.restores                     ? 0
                                                           : 1ull << run.fp;
  if ((options & named) == 0) return false;
  store(run.router, row);
  return true;
}

/// The action of a unit on one entry: the marks, then the level. Node ports share a slot: only the first one changes
/// it.
bool FaultPlaneNetwork::change_slot(ServiceRun& run, const RowConfig& config, int row, int s) {
  const int port = port_of_slot(s);
  Marks& m = stored(run.router, row)[s];
  if (run.kind == ServiceKind::link_up && port == run.fp && s > 0) {
    m.told[0] = m.told[1] = Level::full;  // the neighbour has restored everything about this port
  }
  const Options options = config.at(d_, port);
  const PortClass at = d_.port_class(port);
  const bool changed = set_option(d_, at, options, run.fp, run.level, run.scope, m);
  update_level(config, at, options, p_.mode, run.isolated, routers_[run.router].unheard, m);
  return changed;
}

/// Which ports have been heard after a link event or an end mark; the units know it from the cycle on in which they
/// take the command.
void FaultPlaneNetwork::hear(ServiceRun& run) {
  PortMap& unheard = routers_[run.router].unheard;
  const PortMap bit = 1ull << run.fp, before = unheard;
  if (run.kind == ServiceKind::link_up)
    unheard = p_.waits_for_end_mark() && run.fp >= d_.p() ? unheard | bit : unheard & ~bit;
  if (run.end) unheard &= ~bit;
  if (unheard == before) return;
  for (int port = 0; observer_ != nullptr && port < d_.num_ports(); ++port) {
    observer_->heard(run.router, port, run.fp, (unheard & bit) != 0, run.cycle[port]);
  }
  note_heard(run);
}

/// A unit's pins show it in the cycle after that in which it takes the command; what a node then sends enters with the
/// next edge.
void FaultPlaneNetwork::note_heard(const ServiceRun& run) {
  constexpr int kToNode = 2;
  Router& r = routers_[run.router];
  r.opens.assign(run.cycle.begin(), run.cycle.begin() + d_.p());
  for (int64_t& cycle : r.opens) cycle += kToNode;
  open_nodes(run.router);
}

/// A travel walks all entries: one pass for a failed port, two for a restored one and for an end mark. Returns the last
/// busy cycle of all units.
int64_t FaultPlaneNetwork::serve_travel(ServiceRun& run) {
  run.scope = run.end ? Scope::none : Scope::all;
  run.level = run.restores ? Level::full : Level::lost;
  run.cycle.resize(d_.num_ports());
  run.check_tag.assign(num_slots(), 0);
  run.units.resize(d_.num_ports());
  for (int port = 0; port < d_.num_ports(); ++port) {
    run.cycle[port] = start_cycle(run, port);
    run.units[port] = {port, run.cycle[port], 0};
  }
  hear(run);
  for (const auto& step : steps_) walk(run, step);
  if (run.restores) {
    for (const auto& step : steps_) walk_tell(run, step);
    if (p_.recovery == Recovery::port_level) tell_port_level(run);
    if (p_.waits_for_end_mark() && run.kind == ServiceKind::link_up && run.fp >= d_.p()) tell_end(run);
    for (int row = 0; row < num_rows(d_); ++row) drop_clean_row(run.router, row);
  }
  for (int port = 0; port < d_.num_ports(); ++port) end_unit(run, port, run.cycle[port] - 1);
  return *std::max_element(run.cycle.begin(), run.cycle.end()) - 1;
}

/// One step of the first pass at all units: read, then write and (for a failed port) tell. Two cycles, one more a
/// message beyond the first.
void FaultPlaneNetwork::walk(ServiceRun& run, const std::vector<int>& step) {
  std::vector<std::pair<int, const RowConfig*>> rows;
  for (int row : step) {
    const RowConfig& config = cached_config(run.router, row);
    if (change_row(run, config, row)) rows.emplace_back(row, &config);
  }
  if (rows.empty() && p_.timing.load <= 0) {
    for (int64_t& cycle : run.cycle) cycle += 2;
    return;
  }
  uint64_t node_changed = 0;  // by position in `rows`: what the shared slot said
  for (int port = 0; port < d_.num_ports(); ++port) {
    const int s = slot(port);
    UnitSpan& unit = run.units[port];
    const int64_t read = free_cycle(run.router, port, run.cycle[port]);
    unit.ram_wait += read - run.cycle[port];
    int64_t cycle = read + 1;
    bool changed = s == 0 && port > 0 && node_changed != 0;
    if (s > 0 || port == 0) {
      for (auto& [row, config] : rows) changed |= change_slot(run, *config, row, s);
      if (s == 0) node_changed = changed;
    }
    if (changed) {
      cycle = write_cycle(run, unit, cycle);
      for (size_t i = 0; observer_ != nullptr && i < rows.size(); ++i)
        observer_->written(run.router, rows[i].first, port, cycle);
    }
    int sent = 0;
    run.unit = unit;
    if (!run.restores && s > 0) {
      for (auto& [row, config] : rows) sent += tell(run, *config, row, s, cycle + sent);
    }
    run.cycle[port] = cycle + std::max(1, sent);
  }
}

/// One step of the second pass: a cycle, one more a message beyond the first.
void FaultPlaneNetwork::walk_tell(ServiceRun& run, const std::vector<int>& step) {
  std::vector<std::pair<int, const RowConfig*>> rows;
  for (int row : step) {
    if (stored(run.router, row) != nullptr) rows.emplace_back(row, &cached_config(run.router, row));
  }
  for (int port = 0; port < d_.num_ports(); ++port) {
    const int s = slot(port);
    int sent = 0;
    run.unit = run.units[port];
    if (s > 0) {
      for (auto& [row, config] : rows) sent += tell(run, *config, row, s, run.cycle[port] + sent);
    }
    run.cycle[port] += std::max(1, sent);
  }
}

}  // namespace odonata::fault
