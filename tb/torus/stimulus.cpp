// SPDX-License-Identifier: Apache-2.0
#include "tb/torus/stimulus.h"

#include <algorithm>
#include <bit>

namespace odonata::cosim {

namespace {

/// What a run's field can hold: of CW + 1 bits, CW the bits of a coordinate, 2 at least.
int most_run(const int (&radix)[2]) {
  const int coordinate =
      std::max(2, static_cast<int>(std::bit_width(static_cast<unsigned>(std::max(radix[0], radix[1]) - 1))));
  return (2 << coordinate) - 1;
}

/// A run that a neighbour on a ring of `ring` nodes may show, or, now and then, anything.
uint8_t draw_run(int ring, int most, Random& random) {
  const double kind = random.unit();
  if (kind < 0.3) return static_cast<uint8_t>(ring - 1);
  if (kind < 0.4) return static_cast<uint8_t>(ring);
  return static_cast<uint8_t>(random.below(static_cast<uint32_t>(kind < 0.9 ? ring : most + 1)));
}

/// No wall, or up to three.
uint64_t draw_wall(int ring, Random& random) {
  uint64_t bits = 0;
  for (uint32_t n = random.below(4); n > 0; --n) bits |= 1ull << random.below(static_cast<uint32_t>(ring));
  return random.chance(0.4) ? 0 : bits;
}

}  // namespace

uint64_t TorusRoutePins::wall(int radix) { return draw_wall(radix, random_); }

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
    if (random_.chance(0.2))
      in.ask.dest[d] = static_cast<uint8_t>((in.ask.at[d] + k / 2 + below(2)) % k);  // half a ring away
  }
  in.ask.fresh = random_.chance(0.3);
  in.ask.header = below(16);
  const double kind = random_.unit();
  in.ask.blocked = kind < 0.3 ? uint8_t{0} : kind < 0.7 ? static_cast<uint8_t>(1 << below(4)) : below(16);
  return true;
}

bool TorusBoxPins::next(const torus::BoxOutputs&, torus::BoxInputs& in) {
  in = {};
  in.reset = cycle_ == 0 || random_.chance(0.002);
  in.valid = random_.chance(0.95);
  if (cycle_++ % 64 == 0)
    for (int d = 0; d < 3; ++d) wall_[d] = draw_wall(torus_.radix(d), random_);
  in.wall_x = wall_[0];
  in.wall_y = wall_[1];
  in.wall_z = wall_[2];
  uint8_t* const at[] = {&in.at_x, &in.at_y, &in.at_z};
  uint8_t* const dest[] = {&in.dest_x, &in.dest_y, &in.dest_z};
  for (int d = 0; d < 3; ++d) {
    const int k = torus_.radix(d);
    *at[d] = below(k);
    *dest[d] = below(k);
    if (random_.chance(0.4)) *dest[d] = *at[d];
    if (random_.chance(0.2)) *dest[d] = static_cast<uint8_t>((*at[d] + k / 2 + below(2)) % k);  // half a ring away
  }
  in.fresh = random_.chance(0.3);
  in.header = below(32);
  const double kind = random_.unit();
  in.blocked = static_cast<uint8_t>(kind < 0.3   ? 0
                                    : kind < 0.5 ? 1 << below(6)
                                    : kind < 0.7 ? 3 << 2 * below(3)
                                                 : below(64));
  return true;
}

TorusTrafficPins::TorusTrafficPins(const Torus& torus, torus::Variant variant, double load, uint64_t seed)
    : torus_(torus), variant_(variant), load_(load), random_(seed), map_(torus, torus::Rule::kAny, {}) {}

void TorusTrafficPins::draw_map() {
  torus::Faults faults;
  for (uint32_t n = random_.below(4); n > 0; --n)
    faults.nodes.push_back(static_cast<int>(random_.below(static_cast<uint32_t>(torus_.nodes()))));
  if (random_.chance(0.3))
    faults.links.push_back(
        {static_cast<int>(random_.below(static_cast<uint32_t>(torus_.nodes()))), random_.chance(0.5)});
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

bool TorusWallsPins::next(const torus::WallOutputs&, torus::WallInputs& in) {
  in = {};
  in.reset = cycle_ == 0 || random_.chance(0.01);
  in.clear = random_.chance(0.08);
  if (cycle_++ % 16 == 0) {
    for (int d = 0; d < 2; ++d) {  // the first and the last node as often as all others
      const int k = radix_[d];
      at_[d] = static_cast<uint8_t>(random_.chance(0.3)   ? 0
                                    : random_.chance(0.3) ? k - 1
                                                          : static_cast<int>(random_.below(static_cast<uint32_t>(k))));
    }
  }
  in.at_x = at_[0];
  in.at_y = at_[1];
  in.blocked = static_cast<uint8_t>(random_.below(16));
  const int most = most_run(radix_);
  for (size_t p = 0; p < torus::kLinkPorts; ++p) {
    in.run[p] = draw_run(radix_[p < 2 ? 1 : 0], most, random_);
    if (random_.chance(0.1)) in.peer_wall_x[p] = 1ull << random_.below(static_cast<uint32_t>(radix_[0]));
    if (random_.chance(0.1)) in.peer_wall_y[p] = 1ull << random_.below(static_cast<uint32_t>(radix_[1]));
  }
  return true;
}

bool TorusSidesPins::next(const torus::SideOutputs& last, torus::SideInputs& in) {
  in = {};
  in.reset = cycle_++ == 0 || random_.chance(0.01);
  in.clear = random_.chance(0.03);
  in.blocked = static_cast<uint8_t>(random_.below(16) | random_.below(16));
  const int most = most_run(radix_);
  for (size_t p = 0; p < torus::kLinkPorts; ++p) {
    const int ring = radix_[p < 2 ? 1 : 0], off = static_cast<int>(random_.below(3)) - 1;
    in.peer_run[p] = draw_run(ring, most, random_);
    in.run[p] = random_.chance(0.5) ? static_cast<uint8_t>(std::clamp(last.run[p] + off, 0, most))
                                    : draw_run(ring, most, random_);
  }
  return true;
}

bool TorusOutputPins::next(const torus::OutputOutputs& last, torus::OutputInputs& in) {
  if (cycle_ % 512 == 0) {
    load_ = random_.chance(0.5) ? 0.9 : 0.3;
    const double kind = random_.unit();
    back_ = kind < 0.4 ? 0.05 : kind < 0.7 ? 0.4 : 1;
    preferred_ = static_cast<uint8_t>(random_.below(torus::kVcs));
  }
  in = {};
  in.reset = cycle_++ == 0 || random_.chance(0.0005);
  for (unsigned p = 0; p < static_cast<unsigned>(inputs_); ++p) {
    if (random_.chance(load_)) in.ask |= static_cast<uint8_t>(1u << p);
    in.vc[p] =
        random_.chance(0.5) ? preferred_ : static_cast<uint8_t>(random_.below(random_.chance(0.1) ? 8 : torus::kVcs));
  }
  const auto some = [&] { return static_cast<uint8_t>(random_.below(1u << inputs_)); };
  in.head = some();
  in.tail = some();
  for (unsigned v = 0; v < torus::kVcs; ++v)
    if (last.credit[v] < slots_ && random_.chance(back_)) in.credit_back |= static_cast<uint8_t>(1u << v);
  return true;
}

}  // namespace odonata::cosim
