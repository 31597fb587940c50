// SPDX-License-Identifier: Apache-2.0
// Bit vectors over the leaves of a line: at most 128, in two words.
#pragma once

#include <cstdint>

#include "models/common/bits.h"

namespace odonata::vtftr {

/// Bit i belongs to coordinate i, 0 <= i < 128.
struct LineMap {
  uint64_t low = 0, high = 0;

  /// The lowest n bits, 0 <= n <= 128.
  static constexpr LineMap first(int n) { return {low_mask(n), n > 64 ? low_mask(n - 64) : 0}; }
  static constexpr LineMap bit(int i) { return i < 64 ? LineMap{1ull << i, 0} : LineMap{0, 1ull << (i - 64)}; }

  constexpr bool test(int i) const { return ((i < 64 ? low >> i : high >> (i - 64)) & 1) != 0; }
  constexpr void set(int i) { *this = *this | bit(i); }
  constexpr void clear(int i) { *this = *this & ~bit(i); }
  constexpr bool any() const { return (low | high) != 0; }
  constexpr int count() const { return std::popcount(low) + std::popcount(high); }
  /// The set bit with `rank` set bits below it, 0 <= rank < count().
  int nth(int rank) const {
    const int below = std::popcount(low);
    return rank < below ? nth_bit(low, rank) : 64 + nth_bit(high, rank - below);
  }
  /// Calls visit(i) for every set bit, ascending.
  template <class Visit>
  void for_each(Visit visit) const {
    for (uint64_t v = low; v != 0; v &= v - 1) visit(std::countr_zero(v));
    for (uint64_t v = high; v != 0; v &= v - 1) visit(64 + std::countr_zero(v));
  }

  constexpr bool operator==(const LineMap&) const = default;
  friend constexpr LineMap operator&(LineMap a, LineMap b) { return {a.low & b.low, a.high & b.high}; }
  friend constexpr LineMap operator|(LineMap a, LineMap b) { return {a.low | b.low, a.high | b.high}; }
  friend constexpr LineMap operator~(LineMap a) { return {~a.low, ~a.high}; }
};

/// The set bit that has (lfsr * count) >> 16 set bits below it; map.any(). Every set bit is about equally likely.
inline int pick(const LineMap& map, uint16_t lfsr) {
  return map.nth(static_cast<int>(static_cast<uint32_t>(lfsr) * static_cast<uint32_t>(map.count()) >> 16));
}

}  // namespace odonata::vtftr
