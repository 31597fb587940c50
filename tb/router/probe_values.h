// SPDX-License-Identifier: Apache-2.0
// Values of probes that take the pins of all ports together.
#pragma once

#include <cstdint>

namespace odonata::cosim {

/// One number for all elements; 0 when all are 0.
template <class Elements>
uint64_t digest(const Elements& elements) {
  uint64_t hash = 0;
  for (const uint64_t e : elements) hash = (hash ^ e) * 0x9E3779B97F4A7C15ull;
  return hash;
}

}  // namespace odonata::cosim
