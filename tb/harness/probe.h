// SPDX-License-Identifier: Apache-2.0
// What a block declares about its pins: probes (outputs to compare) and fields (inputs to record).
#pragma once

#include <cstdint>
#include <string>

namespace odonata::cosim {

/// How the values of a probe are compared.
enum class ProbeKind {
  cycle_exact,  ///< equal in every cycle
  ordered,      ///< the sequences of valid values are equal; cycles may differ by at most the skew of the run
  set_valued,   ///< as ordered, but within the skew the order is free
};

/// One output to compare.
template <class Out>
struct Probe {
  const char* name;
  const char* stage;  ///< where it comes from, for the report
  ProbeKind kind;
  uint64_t (*value)(const Out&);
  bool (*valid)(const Out&) = nullptr;  ///< ordered and set-valued probes: whether there is a value in this cycle
};

/// One input pin of at most 512 bits, for traces, reports and shrinking.
template <class In>
struct Field {
  const char* name;
  int bits;
  std::string (*get)(const In&);             ///< lower-case hexadecimal, without leading zeros, "0" for zero
  bool (*set)(In&, const std::string& hex);  ///< false when the text is no such value
};

/// All words of an array of maps folded into one, so that a difference anywhere shows.
template <class Maps>
uint64_t fold(const Maps& maps) {
  uint64_t x = 0;
  for (const auto& map : maps) {
    for (uint64_t word : map.word) x = (x ^ word) * 0x9E3779B97F4A7C15ull + 1;
  }
  return x;
}

}  // namespace odonata::cosim
