// SPDX-License-Identifier: Apache-2.0
// A bit a leaf of a line at the pins of a unit: at most 128, in two words, and as the models have them.
#pragma once

#include <array>

#include "models/vtftr/line_map.h"

namespace odonata::vtftr {

struct LineBits {
  std::array<uint64_t, 2> word{};  ///< bit i of word i/64: coordinate i

  LineBits() = default;
  LineBits(const LineMap& map) : word{map.low, map.high} {}  // NOLINT: the same thing
  operator LineMap() const { return {word[0], word[1]}; }
  /// Itself: a pin of bits is the only element of one.
  LineBits& operator[](int) { return *this; }
  const LineBits& operator[](int) const { return *this; }
  bool operator==(const LineBits&) const = default;
};

}  // namespace odonata::vtftr
