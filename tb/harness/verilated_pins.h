// SPDX-License-Identifier: Apache-2.0
// Values at the pins of a Verilated model: integers up to 64 bits, arrays of 32-bit words above. What generated pins
// call.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "models/common/bits.h"

namespace odonata::cosim {

/// Up to Bits bits that are put together or taken apart field by field.
template <int Bits>
class PackedBits {
 public:
  void put(int at, int n, uint64_t value) {
    const int w = at >> 6, s = at & 63;
    word_[w] |= value << s;
    if (s + n > 64) word_[w + 1] |= value >> (64 - s);
  }
  uint64_t get(int at, int n) const {
    const int w = at >> 6, s = at & 63;
    uint64_t value = word_[w] >> s;
    if (s + n > 64) value |= word_[w + 1] << (64 - s);
    return value & low_mask(n);
  }
  template <class Pin>
  void drive(Pin& pin) const {
    if constexpr (std::is_integral_v<Pin>) {
      pin = static_cast<Pin>(word_[0]);
    } else {
      std::memcpy(&pin, word_.data(), sizeof(pin));  // VlWide is an array of 32-bit words, the lowest first
    }
  }
  template <class Pin>
  void sample(const Pin& pin) {
    if constexpr (std::is_integral_v<Pin>) {
      word_[0] = pin;
    } else {
      std::memcpy(word_.data(), &pin, sizeof(pin));
    }
  }

 private:
  std::array<uint64_t, Bits / 64 + 2> word_{};
};

/// A whole pin from an integer, a flag, an enumeration or a map of 64-bit words; what is above its width is cut off.
template <int Bits, class Pin, class T>
void drive_pin(Pin& pin, const T& value) {
  if constexpr (std::is_class_v<T>) {
    const auto& words = value.word;
    if constexpr (std::is_integral_v<Pin>) {
      pin = static_cast<Pin>(words[0]);
    } else {
      std::memcpy(&pin, words.data(), sizeof(pin));
    }
  } else {
    pin = static_cast<Pin>(static_cast<uint64_t>(value) & low_mask(Bits));
  }
}

/// `Count` elements of `Bits` bits side by side, element 0 lowest; those for which `when(k)` is false are 0.
template <int Count, int Bits, class Pin, class Element, class When>
void drive_elements(Pin& pin, Element&& element, When&& when) {
  PackedBits<Count * Bits> packed;
  for (int k = 0; k < Count; ++k) {
    if (when(k)) packed.put(k * Bits, Bits, element(k) & low_mask(Bits));
  }
  packed.drive(pin);
}
template <int Count, int Bits, class Pin, class Element>
void drive_elements(Pin& pin, Element&& element) {
  drive_elements<Count, Bits>(pin, element, [](int) { return true; });
}

template <int Bits, class Pin, class T>
void sample_pin(const Pin& pin, T& value) {
  value = static_cast<T>(pin);
}

/// Takes `Count` elements apart; `element(k)` gives a reference to the k-th, an integer or a map of 64-bit words.
template <int Count, int Bits, class Pin, class Element>
void sample_elements(const Pin& pin, Element&& element) {
  PackedBits<Count * Bits> packed;
  packed.sample(pin);
  for (int k = 0; k < Count; ++k) {
    auto& target = element(k);
    using T = std::remove_reference_t<decltype(target)>;
    if constexpr (std::is_class_v<T>) {
      for (int w = 0; 64 * w < Bits; ++w)
        target.word[w] = packed.get(k * Bits + 64 * w, Bits - 64 * w < 64 ? Bits - 64 * w : 64);
    } else {
      target = static_cast<T>(packed.get(k * Bits, Bits));
    }
  }
}

}  // namespace odonata::cosim
