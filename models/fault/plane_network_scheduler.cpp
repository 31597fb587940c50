// SPDX-License-Identifier: Apache-2.0
// The event loop and the schedulers: arrivals, the poll, the look.
#include "models/fault/plane_network_parts.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <type_traits>

namespace odonata::fault {

/// Units are late from `from` to `to`: the scheduler may not look in these cycles.
void FaultPlaneNetwork::Router::stand_still(int64_t from, int64_t to) {
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
int64_t FaultPlaneNetwork::Router::looks_between(int64_t from, int64_t to) const {
  int64_t n = to - from;
  for (const auto& [first, last] : late) n -= std::max<int64_t>(0, std::min(last + 1, to) - std::max(first, from));
  return n;
}

/// The look cycle that has `looks` look cycles from `from` on before it.
int64_t FaultPlaneNetwork::Router::look_after(int64_t from, int64_t looks) const {
  int64_t cycle = from + looks;
  for (const auto& [first, last] : late) {
    if (last < from) continue;
    if (first > cycle) break;
    cycle += last - std::max(first, from) + 1;
  }
  return cycle;
}

int64_t FaultPlaneNetwork::next() const {
  int64_t first = heap_.empty() ? INT64_MAX : heap_.front().time;
  for (const Event& e : leaving_) first = std::min(first, e.time);
  return first;
}

std::vector<std::byte> FaultPlaneNetwork::take_leaving() {
  static_assert(std::is_trivially_copyable_v<Event>);
  const auto bytes = std::as_bytes(std::span(leaving_));
  std::vector<std::byte> out(bytes.begin(), bytes.end());
  leaving_.clear();
  return out;
}

/// The order of messages that arrive in the same cycle at different ports changes nothing; those of a port keep theirs.
void FaultPlaneNetwork::bring(std::span<const std::byte> messages) {
  for (Event e; messages.size() >= sizeof e; messages = messages.subspan(sizeof e)) {
    std::memcpy(static_cast<void*>(&e), messages.data(), sizeof e);
    if (!here(e.router)) continue;
    if (e.time <= now_)
      throw std::logic_error("fault network: a message of another part comes in a cycle that is over");
    push(e);
  }
}

bool FaultPlaneNetwork::run(int64_t limit) {
  while (!heap_.empty() && heap_.front().time <= limit) {
    std::pop_heap(heap_.begin(), heap_.end());
    const Event event = heap_.back();
    heap_.pop_back();
    now_ = event.time;
    dispatch(event);
  }
  if (limit != INT64_MAX) now_ = std::max(now_, limit);
  return heap_.empty();
}

void FaultPlaneNetwork::dispatch(const Event& e) {
  incident_ = e.incident;
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

/// Whether what left at e.sent is lost: the link is down, has been down since then, or the sender has died since it
/// began to send.
bool FaultPlaneNetwork::cut_off(const Event& e) const {
  return !(up_[e.router] >> e.port & 1) || lives_[e.from] != e.generation ||
         up_since_[static_cast<size_t>(e.router) * d_.num_ports() + e.port] > e.sent;
}

void FaultPlaneNetwork::arrive(const Event& e) {
  const bool diagnosis = e.message.kind == Kind::diagnosis;
  if (cut_off(e)) {
    s_.fd_dropped += 1;
    return;
  }
  (diagnosis ? s_.fd_total : s_.fr_total) += 1;
  if (observer_ != nullptr) observer_->arrived(e.router, e.port, e.message, now_);
  if (p_.groups.empty())
    (diagnosis ? s_.fd_sent : s_.fr_sent)[static_cast<size_t>(e.from) * d_.num_ports() + e.from_port] += 1;
  s_.rounds = std::max(s_.rounds, e.rounds);
  if (p_.record) transfers_.push_back({e.sent, now_, e.from, e.from_port, e.router, e.port, e.message, e.source});
  Router& r = routers_[e.router];
  if (r.queue.empty()) r.queue.resize(static_cast<size_t>(d_.num_ports()) * (p_.rules.one_fifo ? 1 : 2));
  Fifo& fifo = r.queue[e.port + (p_.rules.one_fifo || diagnosis ? 0 : d_.num_ports())];
  fifo.items.push_back({e.message, now_, e.source, e.rounds, e.chain, e.incident, e.sent, e.sender});
  s_.max_queue = std::max(s_.max_queue, fifo.size());
  r.waiting |= 1ull << e.port;
  schedule_look(e.router);
}

/// Finds out when the poll of a free scheduler hits something; a later arrival may bring that forward.
void FaultPlaneNetwork::schedule_look(int router) {
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
int FaultPlaneNetwork::pointer(const Router& r) const {
  const int64_t moved = p_.timing.ideal ? 0 : r.looks_between(r.pointer_time, now_) * p_.timing.poll_width;
  return static_cast<int>((r.pointer + moved) % p_.timing.stations);
}

void FaultPlaneNetwork::look(int router) {
  Router& r = routers_[router];
  if (r.event != 0 && (p_.rules.event_first || r.waiting == 0)) {
    const int port = std::countr_zero(r.event);
    const bool up = r.event_up >> port & 1;
    r.event &= ~(1ull << port);
    // The poll's pointer stands still while an event is served.
    r.pointer = pointer(r);
    Queued event;
    event.incident = r.event_incident[port];
    return serve(router, up ? ServiceKind::link_up : ServiceKind::link_down, port, event, r.event_time[port]);
  }
  const int port = rotating_pick(r.waiting, pointer(r));
  Fifo& first = r.queue[port];
  const bool second = first.empty();  // only with the rule one_fifo off: FRs wait behind all FDs
  Fifo& fifo = second ? r.queue[d_.num_ports() + port] : first;
  const Queued q = fifo.pop();
  if (r.queue[port].empty() && (p_.rules.one_fifo || r.queue[d_.num_ports() + port].empty()))
    r.waiting &= ~(1ull << port);
  r.pointer = (port + 1) % p_.timing.stations;
  const ServiceKind kind = q.message.kind == Kind::diagnosis ? ServiceKind::diagnosis : ServiceKind::recovery;
  serve(router, kind, port, q, q.arrived);
}

}  // namespace odonata::fault
