// SPDX-License-Identifier: Apache-2.0
#include "sim/network/policies/torus_live.h"

#include "sim/network/make_engine.h"

namespace odonata::network {

TorusLive::TorusLive(const Context& context, int domain)
    : TorusRouting(context, domain), history_(context.config), lag_(context.config.piped() ? 1 : 0) {
  for (size_t r = 0; r < views_.size(); ++r) {
    const TorusView map = views_[r];
    views_[r] = history_.first[static_cast<size_t>(first_) + r];
    views_[r].at[0] = map.at[0], views_[r].at[1] = map.at[1];
  }
}

void TorusLive::begin_cycle(uint32_t cycle) {
  now_ = cycle;
  for (; next_change_ != history_.changes.size() && history_.changes[next_change_].cycle + lag_ == cycle;
       ++next_change_) {
    const TorusHistory::Change& c = history_.changes[next_change_];
    if (!is_here(c.router)) continue;
    TorusView& view = views_[static_cast<size_t>(c.router - first_)];
    const uint8_t x = view.at[0], y = view.at[1];
    view = c.view;
    view.at[0] = x, view.at[1] = y;
  }
}

const FaultEvent* TorusLive::next_event(uint32_t cycle) {
  while (next_event_ != history_.events.size() && history_.events[next_event_].cycle == cycle) {
    event_ = history_.events[next_event_++];
    if (!is_here(event_.router)) continue;
    event_.router = static_cast<uint16_t>(event_.router - first_);
    return &event_;
  }
  return nullptr;
}

FaultResult TorusLive::fault_result(uint32_t now) const {
  FaultResult out;
  if (history_.first_fault < now) out.detected = history_.first_fault;
  out.quiet = history_.last_change < now && next_event_ == history_.events.size();
  if (out.quiet) out.diagnosis_done = history_.last_change;
  if (!history_.as_map) out.closed_form = "the routers' marks or walls are not those of the fault map";
  return out;
}

std::vector<Routing> routings_torus_live() {
  return torus_routings(true, make_engine<TorusLive, TorusTopology, PacketLengths::any>);
}

}  // namespace odonata::network
