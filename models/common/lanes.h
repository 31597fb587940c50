// SPDX-License-Identifier: Apache-2.0
// 64 counters at once, each with a bit of a word.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace odonata {

/// counters[i] += bit i of `up` - bit i of `down`, i = 0..63.
inline void count_bits(int32_t* counters, uint64_t up, uint64_t down) {
  constexpr int kFew = 6;
  if (std::popcount(up) + std::popcount(down) <= kFew) {
    for (; up != 0; up &= up - 1) ++counters[std::countr_zero(up)];
    for (; down != 0; down &= down - 1) --counters[std::countr_zero(down)];
    return;
  }
  typedef int32_t Lanes __attribute__((vector_size(32)));
  constexpr Lanes kBit = {1, 2, 4, 8, 16, 32, 64, 128};
  for (int i = 0; i != 64; i += 8, up >>= 8, down >>= 8) {
    Lanes lanes;
    std::memcpy(&lanes, counters + i, sizeof lanes);
    const Lanes ups = ((Lanes{} + static_cast<int32_t>(up & 255)) & kBit) == kBit,
                downs = ((Lanes{} + static_cast<int32_t>(down & 255)) & kBit) == kBit;
    lanes += downs - ups;  // a comparison is -1 where it holds
    std::memcpy(counters + i, &lanes, sizeof lanes);
  }
}

/// Bit i: counters[i] >= 0, i = 0..63.
inline uint64_t not_negative(const int32_t* counters) {
  uint64_t negative = 0;
#ifdef __AVX2__
  for (int i = 0; i != 64; i += 8) {
    const __m256i lanes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(counters + i));
    negative |= static_cast<uint64_t>(static_cast<uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(lanes)))) << i;
  }
#else
  for (int i = 0; i != 64; ++i) negative |= static_cast<uint64_t>(static_cast<uint32_t>(counters[i]) >> 31) << i;
#endif
  return ~negative;
}

}  // namespace odonata
