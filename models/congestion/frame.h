// SPDX-License-Identifier: Apache-2.0
// The bitmap frame between two routers of a group and its CRC (docs/congestion.md §3, §4; DOAR §3.1).
#pragma once

#include <array>
#include <cstdint>

namespace odonata::congestion {

inline constexpr int kSliceBits = 256;  ///< bits of a slice (flit); a packet has at most ten
inline constexpr int kCrcBits = 8;
inline constexpr uint8_t kCrcStart = 0xFC;       ///< after a phase of 0 the register holds 0xFF
inline constexpr uint8_t kCrcPolynomial = 0x07;  ///< x^8 + x^2 + x + 1

namespace detail {
constexpr std::array<uint8_t, 256> make_crc_table() {
  std::array<uint8_t, 256> table{};
  for (int byte = 0; byte < 256; ++byte) {
    int crc = byte;
    for (int i = 0; i < 8; ++i) crc = crc & 0x80 ? (crc << 1 & 0xFF) ^ kCrcPolynomial : crc << 1;
    table[byte] = static_cast<uint8_t>(crc);
  }
  return table;
}
inline constexpr std::array<uint8_t, 256> kCrcTable = make_crc_table();
}  // namespace detail

/// CRC-8 of the 22 bits {phase, bid[4:0], bitmap padded to 16}, most significant bit first.
inline uint8_t frame_crc(int bid, uint32_t bits, bool phase) {
  // Phase and bid first: a start value of c over n < 8 bits is the table at the n top bits, the rest shifted up.
  const int head = ((kCrcStart >> 2) ^ (static_cast<int>(phase) << 5 | bid)) & 63;
  uint8_t crc = static_cast<uint8_t>(detail::kCrcTable[head] ^ (kCrcStart << 6 & 0xFF));
  crc = detail::kCrcTable[crc ^ (bits >> 8 & 0xFF)];
  return detail::kCrcTable[crc ^ (bits & 0xFF)];
}

/// What is on a local link in one cycle beside the flit.
struct Frame {
  uint16_t bits = 0;  ///< H bits, bit i = global port i of the sender is congested, or busy
  uint8_t crc = 0;
  bool valid = false;
  uint16_t phase = 0;  ///< 1 bit: 0 congested, 1 busy
  bool operator==(const Frame&) const = default;
};
static_assert(sizeof(Frame) == 6);  // no padding, so that two can be compared as memory

}  // namespace odonata::congestion
