// SPDX-License-Identifier: Apache-2.0
// A bit for every port of a domain, and the numbers of those that are set as a list: a loop over a list has one end
// that nobody can predict, a loop over the bits of every router has one for each.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace odonata::network {

/// Numbers beyond the end of a list that list_bits() may write.
inline constexpr size_t kBitListSlack = 8;

/// Writes `first` + the number of every bit that is set, rising, and perhaps some more behind them; returns the end.
/// Eight at a time: how many there are is hard to predict, how many eights is not.
[[gnu::always_inline]] inline uint32_t* list_bits(uint64_t bits, uint32_t first, uint32_t* to) {
  uint32_t* const end = to + std::popcount(bits);
  for (; to < end; to += kBitListSlack) {
    for (size_t i = 0; i != kBitListSlack; ++i, bits &= bits - 1)
      to[i] = first + static_cast<uint32_t>(std::countr_zero(bits));
  }
  return end;
}

/// The same of the words word(0), word(1) .., of the bits first..last-1.
template <class Word>
[[gnu::always_inline]] inline uint32_t* list_bits(Word word, uint32_t first, uint32_t last, uint32_t* to) {
  for (uint32_t w = first / 64; w * 64 < last; ++w) {
    uint64_t bits = word(w);
    if (w * 64 < first) bits &= ~uint64_t{0} << (first % 64);
    if (last - w * 64 < 64) bits &= (uint64_t{1} << (last % 64)) - 1;
    if (bits != 0) to = list_bits(bits, w * 64, to);
  }
  return to;
}

}  // namespace odonata::network
