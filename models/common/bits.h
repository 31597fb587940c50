// SPDX-License-Identifier: Apache-2.0
// Bit vectors on machine words: the 64-bit port map and the 512-bit map of a group's global ports.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace odonata {

/// The lowest n bits set, 0 <= n <= 64.
constexpr uint64_t low_mask(int n) { return n >= 64 ? ~0ull : (1ull << n) - 1; }

/// Map of a router's physical ports, bit k = port k.
using PortMap = uint64_t;

/// Map of the global ports of a whole group, bit j = group-wide global port j (at most 32 x 16 = 512).
struct GroupMap {
  static constexpr int kWords = 8;
  alignas(32) std::array<uint64_t, kWords> word{};

  bool test(int bit) const { return (word[bit >> 6] >> (bit & 63)) & 1; }
  void set(int bit) { word[bit >> 6] |= 1ull << (bit & 63); }
  void clear(int bit) { word[bit >> 6] &= ~(1ull << (bit & 63)); }
  bool any() const {
    uint64_t all = 0;
    for (uint64_t w : word) all |= w;
    return all != 0;
  }
  int count() const {
    int n = 0;
    for (uint64_t w : word) n += std::popcount(w);
    return n;
  }
  /// The n <= 32 bits that start at bit position `at`.
  uint32_t field(int at, int n) const {
    static_assert(std::endian::native == std::endian::little, "bits are read with one unaligned load");
    const int byte = at < 448 ? at >> 3 : 56;  // the last load ends with the last byte
    uint64_t value;
    std::memcpy(&value, reinterpret_cast<const char*>(word.data()) + byte, sizeof value);
    return static_cast<uint32_t>(value >> (at - 8 * byte) & low_mask(n));
  }
  /// Sets, by OR, the n <= 32 bits of `value` at bit position `at`; at + n <= 512.
  void put(int at, int n, uint32_t value) {
    const int w = at >> 6, s = at & 63;
    word[w] |= static_cast<uint64_t>(value) << s;
    if (s + n > 64) word[w + 1] |= static_cast<uint64_t>(value) >> (64 - s);
  }
  /// Flips, of the n <= 32 bits at bit position `at`, those that are set in `change`; at + n <= 512.
  void flip(int at, int n, uint32_t change) {
    const int w = at >> 6, s = at & 63;
    word[w] ^= static_cast<uint64_t>(change) << s;
    if (s + n > 64) word[w + 1] ^= static_cast<uint64_t>(change) >> (64 - s);
  }
  /// The lowest n bits set, 0 <= n <= 512.
  static GroupMap low(int n) {
    GroupMap m;
    for (int w = 0; w < kWords; ++w) {
      const int left = n - 64 * w;
      m.word[w] = left <= 0 ? 0 : low_mask(left > 64 ? 64 : left);
    }
    return m;
  }

  bool operator==(const GroupMap&) const = default;
  friend GroupMap operator&(GroupMap a, const GroupMap& b) {
    for (int w = 0; w < kWords; ++w) a.word[w] &= b.word[w];
    return a;
  }
  friend GroupMap operator|(GroupMap a, const GroupMap& b) {
    for (int w = 0; w < kWords; ++w) a.word[w] |= b.word[w];
    return a;
  }
  friend GroupMap operator^(GroupMap a, const GroupMap& b) {
    for (int w = 0; w < kWords; ++w) a.word[w] ^= b.word[w];
    return a;
  }
  friend GroupMap operator~(GroupMap a) {
    for (uint64_t& w : a.word) w = ~w;
    return a;
  }
};

/// The set bit of v that has `rank` set bits below it, 0 <= rank < number of set bits.
inline int nth_bit(uint64_t v, int rank) {
#ifdef __BMI2__  // not by <immintrin.h>, which takes longer to read than most files that include this one
  return std::countr_zero(__builtin_ia32_pdep_di(1ull << rank, v));
#else
  for (; rank != 0; --rank) v &= v - 1;
  return std::countr_zero(v);
#endif
}

/// The set bit of v that has (fraction * number of set bits) >> width set bits below it; v != 0, fraction < 2^width
/// (DOAR: the random pick inside a class). Every set bit is equally likely when the fraction is uniform.
inline int even_pick(uint64_t v, uint32_t fraction, int width) {
  return nth_bit(v,
                 static_cast<int>(static_cast<uint64_t>(fraction) * static_cast<uint64_t>(std::popcount(v)) >> width));
}

/// The lowest set bit at or above `start`, or the lowest of all; v != 0, 0 <= start < 64 (round robin).
inline int rotating_pick(uint64_t v, int start) {
  const uint64_t above = v & (~0ull << start);
  return std::countr_zero(above ? above : v);
}

}  // namespace odonata
