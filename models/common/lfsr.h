// SPDX-License-Identifier: Apache-2.0
// The 16-bit LFSR that every unit with a random pick has (rtl/common/lfsr16.sv).
#pragma once

#include <cstdint>

namespace odonata {

inline constexpr uint16_t kLfsrReset = 0xACE1;

/// One step of the Galois LFSR with taps 0xB400, period 65535.
constexpr uint16_t lfsr_next(uint16_t x) { return static_cast<uint16_t>((x >> 1) ^ (x & 1 ? 0xB400 : 0)); }

}  // namespace odonata
