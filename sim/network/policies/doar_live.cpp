// SPDX-License-Identifier: Apache-2.0
#include "sim/network/policies/doar_live.h"

#include <algorithm>

#include "sim/network/make_engine.h"

namespace odonata::network {

DoarLive::DoarLive(const Context& context, int domain)
    : Doar(context, domain, true),
      links_(static_cast<size_t>(context.wiring.routers) * static_cast<size_t>(context.wiring.ports)),
      alive_(static_cast<size_t>(context.wiring.routers), 1),
      lives_(alive_.size()) {
  for (const TapPoint& t : context.config.taps) {
    if (t.router / context.wiring.routers == domain)
      taps_.push_back({t.router % context.wiring.routers, t.port, t.tap});
  }
}

Route DoarLive::decide_live(const Flit& flit, const Place& at, uint16_t lfsr) {
  const auto [zone, row] = row_of(flit.dest, at.router);
  route_compute::Entries words = entries(at.router, at.port, row, gid_of(flit.source) != gid_);
  if (hides_detours(zone, at)) words.b = 0;
  const route_compute::Decision decision = decide(flit, at, zone, words, lfsr);
  if (!taps_.empty()) watch(flit, at, row, words, lfsr, decision);
  return kept(decision);
}

void DoarLive::watch(const Flit& flit, const Place& at, int row, const route_compute::Entries& words, uint16_t lfsr,
                     const route_compute::Decision& decision) const {
  for (const Tap& t : taps_) {
    if (t.router != at.router || t.port != at.port) continue;
    const int vc = at.port < nodes_ ? 0 : at.vc;
    const route_compute::Request request{unpack(flit.dest), gid_of(flit.source), vc};
    t.tap->decided({request, row, words, seen(at), lfsr, decision});
  }
}

const FaultEvent* DoarLive::next_event(uint32_t cycle) {
  if (context_.faults == nullptr) return nullptr;
  const std::vector<FaultEvent>& events = context_.faults->events(gid_);
  if (next_event_ == events.size() || events[next_event_].cycle != cycle) return nullptr;
  const FaultEvent& e = events[next_event_++];
  apply(e);
  return &e;
}

void DoarLive::apply(const FaultEvent& e) {
  if (e.kind == FaultEvent::Kind::router) return set_router(e);
  if (e.kind == FaultEvent::Kind::link) return set_link(e);
  if (e.life != lives_[e.router]) return;
  if (e.kind == FaultEvent::Kind::open)
    return void(links_[static_cast<size_t>(e.router * ports_ + e.port)].held = false);
  for (bool side : {false, true}) set_entries(e.router, e.port, e.row, e.words.side[side], side);
}

void DoarLive::set_link(const FaultEvent& e) {
  Link& l = links_[static_cast<size_t>(e.router * ports_ + e.port)];
  if (l.up == e.up) return;
  l.set(e.up, e.cycle);
  PortMap failed = 0;
  for (int port = 0; port < ports_; ++port)
    failed |= static_cast<PortMap>(!links_[static_cast<size_t>(e.router * ports_ + port)].up) << port;
  plane_.set_failed(e.router, failed);
  if (busy_ != nullptr) busy_->set_failed(e.router, failed);
}

/// A dead router forgets its tables; alive again it starts as configured.
void DoarLive::set_router(const FaultEvent& e) {
  alive_[e.router] = e.up;
  if (e.up) return;
  ++lives_[e.router];
  for (int port = 0; port < nodes_; ++port) links_[static_cast<size_t>(e.router * ports_ + port)].held = true;
  configure(e.router);
}

bool DoarLive::tables_ok() const {
  for (int r = 0; r < context_.wiring.routers; ++r) {
    for (int port = 0; alive(r) && port < ports_; ++port) {
      for (int row = 0; row < row_count_; ++row) {
        const SidedEntries expected = context_.faults->words(gid_ * context_.wiring.routers + r, port, row);
        for (bool transit : {false, true}) {
          const route_compute::Entries is = entries(r, port, row, transit), should = expected.side[transit];
          if (is.a != should.a || is.b != should.b) return false;
        }
      }
    }
  }
  return true;
}

std::vector<Routing> routings_doar_live() {
  return {{.name = "doar",
           .topology = "dragonfly",
           .text = kDoarText,
           .vcs = DoarLive::kVcs,
           .order = kDragonflyOrder,
           .ignores = of_second_plane,
           .faults = true,
           .make = make_engine<DoarLive, DragonflyTopology>}};
}

}  // namespace odonata::network
