// SPDX-License-Identifier: Apache-2.0
// The pins of a unit as words, for everything that knows units by name only: devices of other people, vectors, other
// languages. Generated code (tb/<family>/<unit>_words.cpp) takes the structures of a block apart and puts them
// together.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "models/common/bits.h"
#include "tb/harness/rtl_library.h"

namespace odonata::cosim {

/// A pin of the RTL. Its value starts at word `at` of the inputs or outputs and takes (bits + 63) / 64 words, the least
/// significant bit first.
struct Pin {
  std::string name;  ///< of the port: req_valid_i
  int bits = 0;
  int at = 0;
  std::string text;       ///< what it means
  bool optional = false;  ///< an output that a device may be without: it is not compared then
  int words() const { return (bits + 63) / 64; }
};

/// The pins of a unit with its parameters, as docs/<family>.md lists them; clock and reset are not among them.
struct UnitPins {
  std::string unit, family, text;
  std::string top;   ///< the RTL module
  std::string size;  ///< what a size of it is: dragonfly, mesh, torus, fat_tree, one (it has no other)
  std::vector<std::pair<std::string, int>> parameters;  ///< of the RTL module, in its order
  std::vector<Pin> inputs, outputs;
  int request = -1;           ///< input pin that asks; -1: the unit is no pipeline from requests to responses
  std::vector<int> response;  ///< output pins of the answer, the one that says that there is one first
  int latency = 0;            ///< edges from the one that samples a request to the one that shows its response
  int input_words() const { return count(inputs); }
  int output_words() const { return count(outputs); }

 protected:
  static void add(std::vector<Pin>& pins, std::string name, int bits, std::string text, bool optional = false) {
    pins.push_back({std::move(name), bits, count(pins), std::move(text), optional});
  }
  int value(int parameter) const { return parameters[static_cast<size_t>(parameter)].second; }

 private:
  static int count(const std::vector<Pin>& pins) { return pins.empty() ? 0 : pins.back().at + pins.back().words(); }
};

/// The pins of a block, with what carries its structures to words and back. Generated for every unit.
template <class Block>
class PinWords : public UnitPins {
 public:
  using Inputs = typename Block::Inputs;
  using Outputs = typename Block::Outputs;
  /// A parameter that is not wanted follows from the others as the description says, or has its default.
  explicit PinWords(const RtlParameters& wanted);
  bool rst_n(const Inputs& in) const;
  void set_rst_n(Inputs& in, bool level) const;
  /// The member behind the pin `request`; null when there is none.
  bool* request_of(Inputs& in) const;
  void write(const Inputs& in, uint64_t* words) const;
  void read(const uint64_t* words, Inputs& in) const;
  void write(const Outputs& out, uint64_t* words) const;
  void read(const uint64_t* words, Outputs& out) const;
};

// What generated code calls: n bits at bit position `at`.

inline uint64_t get_bits(const uint64_t* words, int at, int n) {
  const int w = at >> 6, s = at & 63;
  uint64_t value = words[w] >> s;
  if (s + n > 64) value |= words[w + 1] << (64 - s);
  return value & low_mask(n);
}
/// The bits were 0.
inline void put_bits(uint64_t* words, int at, int n, uint64_t value) {
  const int w = at >> 6, s = at & 63;
  value &= low_mask(n);
  words[w] |= value << s;
  if (s + n > 64) words[w + 1] |= value >> (64 - s);
}

/// Integers, flags, enumerations, and maps of 64-bit words.
template <class T>
void put_value(uint64_t* words, int at, int n, const T& value) {
  if constexpr (requires { value.word; }) {
    for (int done = 0; done < n; done += 64)
      put_bits(words, at + done, std::min(64, n - done), value.word[static_cast<size_t>(done / 64)]);
  } else {
    put_bits(words, at, n, static_cast<uint64_t>(value));
  }
}
template <class T>
void get_value(const uint64_t* words, int at, int n, T& value) {
  if constexpr (requires { value.word; }) {
    for (int done = 0; done < n; done += 64)
      value.word[static_cast<size_t>(done / 64)] = get_bits(words, at + done, std::min(64, n - done));
  } else {
    value = static_cast<T>(get_bits(words, at, n));
  }
}

/// The value of a parameter: wanted, else this.
inline int parameter(const RtlParameters& wanted, const char* name, int otherwise) {
  const auto found = wanted.find(name);
  return found == wanted.end() ? otherwise : found->second;
}

}  // namespace odonata::cosim
