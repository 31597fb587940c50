// SPDX-License-Identifier: Apache-2.0
// What a unit tells its neighbour.
#include "models/fault/plane_network_parts.h"
#include "models/fault/port_unit.h"
#include "models/fault/tell.h"

namespace odonata::fault {

/// Sends what has changed since the last message about the entry. Returns the number of messages.
int FaultPlaneNetwork::tell(ServiceRun& run, const RowConfig& config, int row, int s, int64_t cycle) {
  const Marks& m = stored(run.router, row)[s];
  if (m.level[0] == m.told[0] && m.level[1] == m.told[1]) return 0;
  int sent = 0;
  for (int c = 0; c < 2; ++c) sent += tell_class(run, config, row, s, c, cycle + sent);
  return sent;
}

int FaultPlaneNetwork::tell_class(ServiceRun& run, const RowConfig& config, int row, int s, int c, int64_t cycle) {
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
bool FaultPlaneNetwork::group_accessible(int router, int row, int s) const {
  for (int b = 0; b < d_.a(); ++b) {
    const Marks* m = stored(router, d_.p() + b);
    if (d_.p() + b != row && m != nullptr && m[s].told[0] != Level::full) return false;
  }
  return true;
}

bool FaultPlaneNetwork::all_accessible(int router, int s) const {
  for (int row = 0; row < num_rows(d_); ++row) {
    const Marks* m = stored(router, row);
    if (m != nullptr && (m[s].level[0] != Level::full || m[s].level[1] != Level::full)) return false;
  }
  return true;
}

/// Algorithm 3, lines 11..13: a port whose last entry has become accessible sends FR for the whole port.
void FaultPlaneNetwork::tell_port_level(ServiceRun& run) {
  for (int s = 1; s < num_slots(); ++s) {
    const int port = port_of_slot(s);
    if (!run.check_tag[s] || !all_accessible(run.router, s)) continue;
    send(run, s, kWholePort, run.cycle[port]);
    run.cycle[port] += 1;
  }
}

/// The end mark: what the port whose link has come up had to tell ends here.
void FaultPlaneNetwork::tell_end(ServiceRun& run) {
  run.unit = run.units[run.fp];
  send(run, slot(run.fp), kWholePort, run.cycle[run.fp]);
  run.cycle[run.fp] += 1;
}

void FaultPlaneNetwork::send(ServiceRun& run, int s, const Message& message, int64_t cycle) {
  const int port = port_of_slot(s);
  const PeerPort other = peer(run.router, port);
  if (other.router < 0) return;
  const int latency = d_.is_local_port(port) ? p_.timing.local_latency : p_.timing.global_latency;
  Event e{.kind = EventKind::arrival, .router = other.router, .port = other.port, .message = message};
  e.source = run.index;
  e.from = run.router;
  e.from_port = port;
  e.generation = lives_[run.router];
  e.rounds = run.rounds + 1;
  e.chain = run.chain;
  e.incident = run.incident;
  e.sender = run.unit;
  if (p_.timing.ideal) {
    e.time = latency;
    run.sends.push_back(e);
    return;
  }
  e.sent = cycle + 1;
  if (observer_ != nullptr) observer_->sent(run.router, port, message, e.sent);
  e.time = p_.link.enabled ? e.sent : e.sent + latency;
  e.kind = p_.link.enabled ? EventKind::handover : EventKind::arrival;
  here(e.router) ? push(e) : leaving_.push_back(e);
}

}  // namespace odonata::fault
