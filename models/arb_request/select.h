// SPDX-License-Identifier: Apache-2.0
// The selection function S of D2RA (eq. 13), which the paper leaves open: three policies; docs/arb_request.md §3.
#pragma once

#include <cstdint>

#include "models/arb_request/request.h"
#include "models/common/lfsr.h"

namespace odonata::arb_request {

/// Selection policy; the numbers are the codes of the `policy_i` pin.
enum class Policy : uint8_t { kRoundRobin = 0, kRandom = 1, kMostCredits = 2 };
/// The reserved code 3 acts as round-robin.
constexpr Policy known(Policy policy) { return policy > Policy::kMostCredits ? Policy::kRoundRobin : policy; }

/// The lowest set bit at or above `start`, or the lowest of all; v != 0, 0 <= start < 32.
inline int pick(uint32_t v, int start) {
  const uint32_t above = v & (~0u << start);
  return std::countr_zero(above ? above : v);
}

/// The candidates whose credit is the largest among the candidates.
inline uint8_t with_most_credits(uint8_t candidates, Lanes credit) {
  int best = -1;
  uint8_t result = 0;
  for (uint32_t left = candidates; left; left &= left - 1) {
    const int i = std::countr_zero(left), have = lane(credit, i);
    if (have > best) result = 0;
    if (have >= best) result |= static_cast<uint8_t>(1u << i), best = have;
  }
  return result;
}

/// What the selection remembers between packets.
struct Selector {
  uint8_t dimension_pointer = 0;
  uint16_t lfsr = kLfsrReset;

  /// The dimension that wins; candidates != 0; `credit` a byte a dimension; N = 1..8 dimensions. Changes nothing.
  int choose(uint8_t candidates, Lanes credit, Policy policy, int dimensions) const {
    switch (policy) {
      case Policy::kRandom:
        return pick(candidates, ((lfsr & 0xFF) * dimensions) >> 8);
      case Policy::kMostCredits:
        return pick(with_most_credits(candidates, credit), dimension_pointer);
      default:
        return pick(candidates, dimension_pointer);
    }
  }
  /// After a choice that was used.
  void advance(int dimension, int dimensions) {
    dimension_pointer = static_cast<uint8_t>(dimension + 1 == dimensions ? 0 : dimension + 1);
    lfsr = lfsr_next(lfsr);
  }
};

}  // namespace odonata::arb_request
