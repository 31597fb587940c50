// SPDX-License-Identifier: Apache-2.0
// A bit for every port of a domain, and the numbers of those that are set as a list: a loop over a list has one end that nobody can predict, a loop
// over the bits of every router has one for each.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#ifdef __AVX512F__
#include <immintrin.h>
#endif

namespace odonata::network {

/// Numbers beyond the end of a list that list_bits() may write.
inline constexpr size_t kBitListSlack = 16;

/// Writes `first` + the number of every bit that is set, rising, and perhaps some more behind them; returns the end.
[[gnu::always_inline]] inline uint32_t* list_bits(uint64_t bits, uint32_t first, uint32_t* to) {
#ifdef __AVX512F__
  constexpr int kFew = 6;
  if (std::popcount(bits) > kFew) {
    __m512i numbers =
        _mm512_add_epi32(_mm512_set1_epi32(static_cast<int>(first)), _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    for (; bits != 0; bits >>= 16) {
      const auto some = static_cast<__mmask16>(bits);
      _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(some, numbers));  // a masked store would be slow on Zen 4
      to += std::popcount(static_cast<uint32_t>(some));
      numbers = _mm512_add_epi32(numbers, _mm512_set1_epi32(16));
    }
    return to;
  }
#endif
  for (; bits != 0; bits &= bits - 1) *to++ = first + static_cast<uint32_t>(std::countr_zero(bits));
  return to;
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
