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
#ifdef __AVX512F__
  const __m512i one = _mm512_set1_epi32(1);
  for (int i = 0; i != 64; i += 16, up >>= 16, down >>= 16) {
    __m512i lanes = _mm512_loadu_si512(counters + i);
    lanes = _mm512_mask_add_epi32(lanes, static_cast<__mmask16>(up), lanes, one);
    lanes = _mm512_mask_sub_epi32(lanes, static_cast<__mmask16>(down), lanes, one);
    _mm512_storeu_si512(counters + i, lanes);
  }
#else
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
#endif
}

/// Bit i: counters[i] >= 0, i = 0..63.
inline uint64_t not_negative(const int32_t* counters) {
  uint64_t negative = 0;
#if defined(__AVX512F__)
  for (int i = 0; i != 64; i += 16)
    negative |= static_cast<uint64_t>(_mm512_cmplt_epi32_mask(_mm512_loadu_si512(counters + i), _mm512_setzero_si512()))
                << i;
#elif defined(__AVX2__)
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
