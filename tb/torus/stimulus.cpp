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
