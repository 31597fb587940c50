// SPDX-License-Identifier: Apache-2.0
#include "tb/torus/stimulus.h"

namespace odonata::cosim {

uint64_t TorusRoutePins::wall(int radix) {
  uint64_t bits = 0;
  for (uint32_t n = random_.below(4); n > 0; --n) bits |= 1ull << below(radix);
  return random_.chance(0.4) ? 0 : bits;
}

bool TorusRoutePins::next(const torus::RouteOutputs&, torus::RouteInputs& in) {
  in = {};
  in.reset = cycle_ == 0 || random_.chance(0.002);
  in.valid = random_.chance(0.95);
  if (cycle_++ % 64 == 0)
    for (int d = 0; d < 2; ++d) wall_[d] = wall(radix_[d]);
  in.wall_x = wall_[0];
  in.wall_y = wall_[1];
  for (int d = 0; d < 2; ++d) {
    const int k = radix_[d];
    in.ask.at[d] = below(k);
    in.ask.dest[d] = below(k);
    if (random_.chance(0.3)) in.ask.dest[d] = in.ask.at[d];
    if (random_.chance(0.2)) in.ask.dest[d] = static_cast<uint8_t>((in.ask.at[d] + k / 2 + below(2)) % k);  // half a ring away
  }
  in.ask.fresh = random_.chance(0.3);
  in.ask.header = below(16);
  const double kind = random_.unit();
  in.ask.blocked = kind < 0.3 ? uint8_t{0} : kind < 0.7 ? static_cast<uint8_t>(1 << below(4)) : below(16);
  return true;
}

TorusTrafficPins::TorusTrafficPins(const Torus& torus, torus::Variant variant, double load, uint64_t seed)
    : torus_(torus), variant_(variant), load_(load), random_(seed), map_(torus, torus::Rule::kAny, {}) {}

void TorusTrafficPins::draw_map() {
  torus::Faults faults;
  for (uint32_t n = random_.below(4); n > 0; --n) faults.nodes.push_back(static_cast<int>(random_.below(static_cast<uint32_t>(torus_.nodes()))));
  if (random_.chance(0.3)) faults.links.push_back({static_cast<int>(random_.below(static_cast<uint32_t>(torus_.nodes()))), random_.chance(0.5)});
  const torus::FaultMap drawn(torus_, torus::Rule::kAny, faults);
  if (drawn.num_healthy() > 1) map_ = drawn;
}

void TorusTrafficPins::send_packet() {
  if (packets_++ % 64 == 0) draw_map();
  const auto healthy = [&] {
    int n = 0;
    do n = static_cast<int>(random_.below(static_cast<uint32_t>(torus_.nodes())));
    while (!map_.healthy(n));
    return n;
  };
  node_ = healthy();
  const int to = healthy();
  ask_ = {};
  for (int d = 0; d < 2; ++d) ask_.dest[d] = static_cast<uint8_t>(torus_.coordinate(to, d));
  ask_.fresh = under_way_ = true;
}

bool TorusTrafficPins::next(const torus::RouteOutputs&, torus::RouteInputs& in) {
  in = {};
  in.reset = cycle_++ == 0;
  in.valid = random_.chance(load_);
  if (!in.valid) return true;
  if (!under_way_) send_packet();
  for (int d = 0; d < 2; ++d) ask_.at[d] = static_cast<uint8_t>(torus_.coordinate(node_, d));
  ask_.blocked = map_.blocked(node_);
  in.ask = ask_;
  in.wall_x = map_.wall(0);
  in.wall_y = map_.wall(1);
  const torus::Answer a = route(variant_, ground_of(map_), ask_);
  under_way_ = a.action == torus::Action::kForward;
  if (!under_way_) return true;
  node_ = torus_.neighbour(node_, a.port);
  ask_.header = a.header;
  ask_.fresh = false;
  return true;
}

bool FaultRegionPins::next(const torus::RegionOutputs&, torus::RegionInputs& in) {
  const uint8_t port = static_cast<uint8_t>(1 << random_.below(4));
  if (random_.chance(0.1)) now_.fail_link |= port;
  if (random_.chance(0.15)) now_.peer_bad |= port;
  if (random_.chance(0.03)) now_.fail_self = true;
  if (random_.chance(0.1)) {  // everything is repaired, marks are not
    now_.fail_link = now_.peer_bad = 0;
    now_.fail_self = false;
  }
  if (random_.chance(0.02)) now_.rule = !now_.rule;
  now_.clear = random_.chance(0.1);
  now_.reset = cycle_++ == 0 || random_.chance(0.01);
  in = now_;
  return true;
}

}  // namespace odonata::cosim
