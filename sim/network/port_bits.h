// SPDX-License-Identifier: Apache-2.0
// A bit for every port of a router: a word for up to 64 ports, two for up to 128.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "models/common/bits.h"

namespace odonata::network {

__extension__ using WideBits = unsigned __int128;
template <int kMaxPorts>
using PortBits = std::conditional_t<(kMaxPorts > 64), WideBits, uint64_t>;

inline int lowest_port(uint64_t bits) { return std::countr_zero(bits); }
inline int lowest_port(WideBits bits) {
  const auto low = static_cast<uint64_t>(bits);
  return low != 0 ? std::countr_zero(low) : 64 + std::countr_zero(static_cast<uint64_t>(bits >> 64));
}
inline int count_ports(uint64_t bits) { return std::popcount(bits); }
inline int count_ports(WideBits bits) {
  return std::popcount(static_cast<uint64_t>(bits)) + std::popcount(static_cast<uint64_t>(bits >> 64));
}
/// The lowest set bit from `start` on, or the lowest of all.
inline int rotating_port(uint64_t bits, int start) { return rotating_pick(bits, start); }
inline int rotating_port(WideBits bits, int start) {
  const WideBits above = bits & (~WideBits{0} << start);
  return lowest_port(above != 0 ? above : bits);
}

/// Ports of a router that the engine of a policy has room for: 64 unless the policy says 128.
template <class Policy>
constexpr int max_ports() {
  if constexpr (requires { Policy::kMaxPorts; }) return Policy::kMaxPorts;
  return 64;
}

}  // namespace odonata::network
