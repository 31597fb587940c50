// SPDX-License-Identifier: Apache-2.0
// Deterministic random numbers: the same seed gives the same stream on every machine and with every compiler.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace odonata {

/// SplitMix64 (Steele, Lea, Flood 2014) step; also a good mixing function for deriving seeds.
inline uint64_t split_mix(uint64_t& state) {
  uint64_t z = (state += 0x9E3779B97F4A7C15ull);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

/// One number from several: for a seed per router, port, run, ...
inline uint64_t mix_seed(uint64_t seed, uint64_t a, uint64_t b = 0, uint64_t c = 0) {
  uint64_t state = seed;
  for (uint64_t part : {a, b, c}) state = split_mix(state) ^ (part * 0xD6E8FEB86659FD93ull);
  return split_mix(state);
}

/// xoshiro256** (Blackman, Vigna 2018). The standard's distributions differ between libraries, so draws are made here.
class Random {
 public:
  explicit Random(uint64_t seed) {
    for (uint64_t& word : state_) word = split_mix(seed);
  }
  uint64_t next() {
    const uint64_t result = rotate(state_[1] * 5, 7) * 9, t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = rotate(state_[3], 45);
    return result;
  }
  /// Uniform in 0..n-1 (n >= 1), by Lemire's multiplication; the bias for n < 2^32 is below 2^-32.
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(((next() >> 32) * n) >> 32); }
  /// True with the given probability (0..1).
  bool chance(double probability) { return unit() < probability; }
  /// Uniform in [0, 1) with 53 bits.
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
  static uint64_t rotate(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
  uint64_t state_[4];
};

}  // namespace odonata
