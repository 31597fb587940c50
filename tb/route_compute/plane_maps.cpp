// SPDX-License-Identifier: Apache-2.0
#include "tb/route_compute/plane_maps.h"

#include <algorithm>

namespace odonata::cosim {

namespace {

/// Packets of several flits, and enough hot ports that congestion comes and goes everywhere.
congestion::LoadConfig load_config(double load, uint64_t seed) {
  return {.load = load, .packet_flits = 4, .hot_share = 0.4, .local_hot_share = 0.2, .hot_cycles = 3000, .seed = seed};
}

}  // namespace

PlaneMaps::PlaneMaps(const Dragonfly& d, double load, uint64_t seed)
    : plane_(d, {}), load_(d, {}, load_config(load, seed)), failed_(d.a()), events_(d.a()) {}

void PlaneMaps::step() {
  std::copy_n(load_.next(), events_.size(), events_.begin());
  for (size_t r = 0; r < events_.size(); ++r) events_[r].failed |= failed_[r];
  plane_.step(events_.data());
}

void PlaneMaps::set_failed(int bid, PortMap own_ports, const GroupMap& group_ports) {
  const Dragonfly& d = plane_.dragonfly();
  for (int r = 0; r < d.a(); ++r)
    failed_[r] = static_cast<PortMap>(group_ports.field(r * d.h(), d.h())) << d.first_global();
  failed_[bid] |= own_ports;
}

}  // namespace odonata::cosim
