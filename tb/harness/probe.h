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

}  // namespace odonata::cosim
