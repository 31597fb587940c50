// SPDX-License-Identifier: Apache-2.0
// Input pins as text: the Field of an integer, of an array and of a map of 64-bit words.
#pragma once

#include <array>
#include <type_traits>

#include "tb/harness/trace_file.h"

namespace odonata::cosim {

namespace detail {

/// Texts of a pin. An integer, flag or enumeration: hexadecimal.
template <class T>
struct PinText {
  static std::string get(const T& value, int) { return to_hex(static_cast<uint64_t>(value)); }
  static bool set(T& value, int bits, const std::string& hex) {
    uint64_t number = 0;
    if (!from_hex(hex, bits, number)) return false;
    value = static_cast<T>(number);
    return true;
  }
};

/// Elements of `digits` hexadecimal digits, the first element last, without leading zeros.
template <class Elements>
std::string get_elements(const Elements& elements, size_t digits) {
  std::string out;
  for (auto value = elements.rbegin(); value != elements.rend(); ++value) {
    std::string hex = to_hex(*value);
    if (!out.empty()) hex.insert(0, digits - hex.size(), '0');
    if (!out.empty() || hex != "0") out += hex;
  }
  return out.empty() ? "0" : out;
}
template <class Elements>
bool set_elements(Elements& elements, size_t digits, const std::string& text) {
  using T = typename Elements::value_type;
  const size_t all = digits * elements.size();
  if (text.empty() || text.size() > all) return false;
  const std::string hex = std::string(all - text.size(), '0') + text;
  for (size_t k = 0; k < elements.size(); ++k) {
    if (!PinText<T>::set(elements[k], static_cast<int>(8 * sizeof(T)), hex.substr(all - digits * (k + 1), digits)))
      return false;
  }
  return true;
}

/// An array of integers: four digits an element, sixteen when they have 64 bits.
template <class T, size_t N>
struct PinText<std::array<T, N>> {
  static constexpr size_t kDigits = sizeof(T) == 8 ? 16 : 4;
  static std::string get(const std::array<T, N>& value, int) { return get_elements(value, kDigits); }
  static bool set(std::array<T, N>& value, int, const std::string& hex) { return set_elements(value, kDigits, hex); }
};

/// A map: a structure around an array of 64-bit words.
template <class T>
requires requires(T map) { map.word; }
struct PinText<T> {
  static std::string get(const T& map, int) { return get_elements(map.word, 16); }
  static bool set(T& map, int, const std::string& hex) { return set_elements(map.word, 16, hex); }
};

}  // namespace detail

/// A pin of `Bits` bits in traces and reports; `Get` gives a reference to it in (const) inputs.
template <class In, int Bits, auto Get>
constexpr Field<In> input_field(const char* name) {
  using Text = detail::PinText<std::remove_cvref_t<decltype(Get(std::declval<In&>()))>>;
  return {name, Bits, [](const In& in) { return Text::get(Get(in), Bits); },
          [](In& in, const std::string& hex) { return Text::set(Get(in), Bits, hex); }};
}

}  // namespace odonata::cosim
