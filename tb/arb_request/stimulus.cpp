// SPDX-License-Identifier: Apache-2.0
#include "tb/arb_request/stimulus.h"

#include <algorithm>

namespace odonata::cosim {

using arb_request::lane;
using arb_request::Lanes;
using arb_request::Policy;
using arb_request::PortInputs;
using arb_request::PortOutputs;
using arb_request::PortSize;
using arb_request::Scheme;
using arb_request::set_lane;

Lanes ArbCases::coordinates() {
  Lanes v = 0;
  for (int d = 0; d < size_.dimensions; ++d) set_lane(v, d, static_cast<uint8_t>(below(1 << size_.coordinate_bits)));
  return v;
}

Lanes ArbCases::dest(Lanes at, double equal) {
  Lanes v = coordinates();
  for (int d = 0; d < size_.dimensions; ++d) {
    const uint8_t own = lane(at, d);
    if (random_.chance(equal)) {
      set_lane(v, d, own);
    } else if (random_.chance(0.4)) {
      set_lane(v, d, static_cast<uint8_t>(own ^ (1 << below(size_.coordinate_bits))));
    }
  }
  return v;
}

Lanes ArbCases::credits(double rich) {
  const int most = (1 << size_.credit_bits) - 1, near = std::min(size_.dimensions + 1, most);
  Lanes v = 0;
  for (int d = 0; d < size_.dimensions; ++d) {
    const int value = random_.chance(rich) ? below(most + 1) : below(near + 1);
    set_lane(v, d, static_cast<uint8_t>(value));
  }
  return v;
}

void ArbCornerPins::new_phase() {
  Random& random = cases_.random();
  constexpr double kRates[] = {0.02, 0.3, 0.7, 1};
  arrivals_ = kRates[random.below(4)];
  grants_ = kRates[random.below(4)];
  equal_ = random.chance(0.1) ? 0.95 : 0.15 + 0.5 * random.unit();
  rich_ = random.chance(0.2) ? 0.9 : 0.1;
  moving_at_ = random.chance(0.2) ? 0.5 : 0.01;
  resets_ = random.chance(0.1) ? 0.05 : 0;
  kept_.scheme = static_cast<Scheme>(random.below(4));
  kept_.policy = static_cast<Policy>(random.below(4));
  kept_.at = cases_.coordinates();
}

bool ArbCornerPins::next(const PortOutputs&, PortInputs& in) {
  Random& random = cases_.random();
  if (cycle_ % 128 == 0) new_phase();
  if (random.chance(moving_at_)) kept_.at = cases_.coordinates();
  in = kept_;
  in.reset_n = cycle_ >= 2 && !random.chance(resets_);
  in.in_valid = random.chance(arrivals_);
  in.in_dest = cases_.dest(in.at, equal_);
  in.credit_plus = cases_.credits(rich_);
  in.credit_minus = cases_.credits(rich_);
  in.grant = random.chance(grants_);
  ++cycle_;
  return true;
}

ArbTrafficPins::ArbTrafficPins(const PortSize& size, double load, uint64_t seed)
    : size_(size), load_(load), random_(seed), radix_(std::min(8, 1 << size.coordinate_bits)) {
  at_ = router();
  for (auto& of_dimension : credit_) of_dimension = {slots(), slots()};
}

Lanes ArbTrafficPins::router() {
  Lanes v = 0;
  for (int d = 0; d < size_.dimensions; ++d)
    set_lane(v, d, static_cast<uint8_t>(random_.below(static_cast<uint32_t>(radix_))));
  return v;
}

void ArbTrafficPins::grant(const PortOutputs& last, PortInputs& in) {
  if (!last.request.valid) return;
  int& credit = credit_[last.request.dimension][last.request.minus];
  in.grant =
      (last.request.eject || credit >= last.request.need) && random_.chance(0.8);  // else another input port wins
  if (in.grant && !last.request.eject) --credit;
}

void ArbTrafficPins::others() {
  for (int d = 0; d < size_.dimensions; ++d) {
    for (int& credit : credit_[d]) {
      if (credit > 0 && random_.chance(0.3 * load_)) --credit;
      if (credit < slots() && random_.chance(0.45)) ++credit;
    }
  }
}

bool ArbTrafficPins::next(const PortOutputs& last, PortInputs& in) {
  in = PortInputs{};
  in.reset_n = cycle_++ >= 2;
  in.at = at_;
  in.in_valid = random_.chance(load_);
  in.in_dest = router();
  if (in.reset_n) grant(last, in);
  others();
  for (int d = 0; d < size_.dimensions; ++d) {
    set_lane(in.credit_plus, d, static_cast<uint8_t>(credit_[d][0]));
    set_lane(in.credit_minus, d, static_cast<uint8_t>(credit_[d][1]));
  }
  return true;
}

bool ArbLogicPinsRandom::next(const arb_request::LogicOutputs&, arb_request::LogicInputs& in) {
  Random& random = cases_.random();
  in.reset_n = cycle_++ >= 2 && !random.chance(0.001);
  in.valid = random.chance(0.95);
  in.scheme = static_cast<Scheme>(random.below(4));
  in.query.at = cases_.coordinates();
  in.query.dest = cases_.dest(in.query.at, random.chance(0.1) ? 0.95 : 0.3);
  in.query.credit_plus = cases_.credits(0.2);
  in.query.credit_minus = cases_.credits(0.2);
  return true;
}

void ArbSwitchPinsRandom::new_phase() {
  constexpr double kRates[] = {0.05, 0.3, 0.7, 1};
  asks_ = kRates[random_.below(4)];
  returns_ = kRates[random_.below(4)];
  hot_ = random_.chance(0.5) ? random_.unit() : 0;
  hot_output_ = below(2 * size_.dimensions);
  ejects_ = random_.chance(0.2) ? 0.8 : 0.1;
  high_ = random_.unit();
  resets_ = random_.chance(0.1) ? 0.05 : 0;
}

arb_request::PortRequest ArbSwitchPinsRandom::request() {
  arb_request::PortRequest r;
  r.valid = random_.chance(asks_);
  if (!r.valid) return r;
  r.eject = random_.chance(ejects_);
  if (r.eject) return r;
  const int output = random_.chance(hot_) ? hot_output_ : below(2 * size_.dimensions);
  r.dimension = static_cast<uint8_t>(random_.chance(0.01) ? below(arb_request::kMaxDimensions) : output / 2);
  r.minus = output & 1;
  r.need = static_cast<uint8_t>(random_.chance(0.02)    ? 1 + below(15)
                                : random_.chance(high_) ? 1 + below(size_.dimensions)
                                                        : 1);
  return r;
}

uint32_t ArbSwitchPinsRandom::returns(const arb_request::SwitchOutputs& last) {
  uint32_t map = 0;
  for (int o = 0; o < 2 * size_.dimensions; ++o) {
    const int known = last.credit[static_cast<size_t>(o)] + static_cast<int>(pending_ >> o & 1);
    if (known < size_.queues && random_.chance(returns_)) map |= 1u << o;
  }
  return map;
}

bool ArbSwitchPinsRandom::next(const arb_request::SwitchOutputs& last, arb_request::SwitchInputs& in) {
  if (cycle_ % 64 == 0) new_phase();
  in = {};
  in.reset_n = cycle_++ >= 2 && !random_.chance(resets_);
  for (int p = 0; p <= 2 * size_.dimensions; ++p) in.request[static_cast<size_t>(p)] = request();
  pending_ = in.returned = in.reset_n ? returns(last) : 0;
  return true;
}

}  // namespace odonata::cosim
