// SPDX-License-Identifier: Apache-2.0
// Pins of the units' structures on SystemC signals and in waveforms: what generated code calls.
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <type_traits>

namespace odonata::hw {

/// Takes the value of a port into an integer, flag, enumeration or map of 64-bit words.
template <class Port, class T>
void take(const Port& port, T& value) {
  if constexpr (requires { value.word; }) {
    for (int bit = 0; bit < port.read().length(); ++bit) {
      uint64_t& word = value.word[static_cast<size_t>(bit / 64)];
      const uint64_t mask = 1ull << bit % 64;
      word = port.read()[bit].to_bool() ? word | mask : word & ~mask;
    }
  } else {
    value = static_cast<T>(port.read());
  }
}

/// Shows a value on a port.
template <class Port, class T>
void show(const T& value, Port& port) {
  using Shown = std::remove_cvref_t<decltype(port.read())>;
  if constexpr (requires { value.word; }) {
    if constexpr (std::is_integral_v<Shown>) {
      port.write(static_cast<Shown>(value.word[0]));
    } else {
      Shown bits;
      for (int bit = 0; bit < bits.length(); ++bit)
        bits[bit] = (value.word[static_cast<size_t>(bit / 64)] >> bit % 64 & 1) != 0;
      port.write(bits);
    }
  } else {
    port.write(static_cast<Shown>(value));
  }
}

/// Adds a value to a waveform; maps of words and records are left out.
template <class T>
void trace_value(sc_core::sc_trace_file* file, const T& value, const std::string& name, int width) {
  if constexpr (std::is_same_v<T, bool>) {
    sc_core::sc_trace(file, value, name);
  } else if constexpr (std::is_integral_v<T>) {
    sc_core::sc_trace(file, value, name, width);
  }
}

}  // namespace odonata::hw
