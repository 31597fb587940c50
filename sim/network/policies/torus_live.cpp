// SPDX-License-Identifier: Apache-2.0
#include "sim/network/policies/torus_live.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "models/common/state_check.h"
#include "sim/network/make_engine.h"

namespace odonata::network {

TorusLive::TorusLive(const Context& context, int domain)
    : TorusRouting(context, domain),
      history_(context.config),
      last_change_(torus_routing(context.config).variant == torus::Variant::kSafe6Short
                       ? std::max(history_.last_view_change, history_.last_side_change)
                       : history_.last_view_change),
      lag_(context.config.piped() ? 1 : 0) {
  for (size_t r = 0; r < views_.size(); ++r) learn(views_[r], history_.first[static_cast<size_t>(first_) + r]);
}

/// What a router knows, beside its own place.
void TorusLive::learn(TorusView& view, const TorusView& known) {
  const uint8_t x = view.at[0], y = view.at[1];
  view = known;
  view.at[0] = x, view.at[1] = y;
}

void TorusLive::check_state(uint32_t cycles) const {
  const auto happened = [cycles](const auto& list, uint32_t lag) {
    const auto by_now = [=](const auto& item) { return item.cycle + lag < cycles; };
    return static_cast<uint64_t>(std::count_if(list.begin(), list.end(), by_now));
  };
  expect_state(next_change_ == happened(history_.changes, lag_) && next_event_ == happened(history_.events, 0) &&
                   now_ == cycles - (cycles != 0),
               "what has failed so far");
  std::vector<TorusView> known;
  for (size_t r = 0; r < views_.size(); ++r) {
    const Point at = points_[static_cast<size_t>(first_) + r];
    known.push_back(history_.first[static_cast<size_t>(first_) + r]);
    known.back().at[0] = at[0], known.back().at[1] = at[1];
  }
  for (uint64_t i = 0; i != next_change_; ++i) {
    const TorusHistory::Change& c = history_.changes[i];
    if (is_here(c.router)) learn(known[static_cast<size_t>(c.router - first_)], c.view);
  }
  const auto same = [](const TorusView& a, const TorusView& b) {
    return std::tie(a.wall[0], a.wall[1], a.blocked, a.sides, a.at[0], a.at[1]) ==
           std::tie(b.wall[0], b.wall[1], b.blocked, b.sides, b.at[0], b.at[1]);
  };
  expect_state(std::equal(views_.begin(), views_.end(), known.begin(), same), "what routers know");
}

void TorusLive::begin_cycle(uint32_t cycle) {
  now_ = cycle;
  for (; next_change_ != history_.changes.size() && history_.changes[next_change_].cycle + lag_ == cycle;
       ++next_change_) {
    const TorusHistory::Change& c = history_.changes[next_change_];
    if (!is_here(c.router)) continue;
    learn(views_[static_cast<size_t>(c.router - first_)], c.view);
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
  out.quiet = last_change_ < now && next_event_ == history_.events.size();
  if (out.quiet) out.diagnosis_done = last_change_;
  if (!history_.as_map) out.closed_form = "the routers' marks or walls are not those of the fault map";
  return out;
}

std::vector<Routing> routings_torus_live() {
  return torus_routings(true, make_engine<TorusLive, TorusTopology, PacketLengths::any>);
}

}  // namespace odonata::network
