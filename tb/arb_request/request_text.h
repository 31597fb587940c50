// SPDX-License-Identifier: Apache-2.0
// Requests to the switch in traces and probes.
#pragma once

#include "models/arb_request/port_request.h"
#include "tb/harness/input_field.h"

namespace odonata::cosim {

/// Ten bits, from the lowest: need, dimension, minus, eject, valid.
template <>
struct detail::PinText<arb_request::PortRequest> {
  static std::string get(const arb_request::PortRequest& r, int) {
    return to_hex(static_cast<uint64_t>(r.need | r.dimension << 4 | r.minus << 7 | r.eject << 8 | r.valid << 9));
  }
  static bool set(arb_request::PortRequest& r, int bits, const std::string& hex) {
    uint64_t word = 0;
    if (!from_hex(hex, bits, word)) return false;
    r = {};
    r.need = word & 15;
    r.dimension = word >> 4 & 7;
    r.minus = word >> 7 & 1;
    r.eject = word >> 8 & 1;
    r.valid = word >> 9 & 1;
    return true;
  }
};

/// Eight elements from `first` on as one word.
template <class Elements>
uint64_t bytes_of(const Elements& elements, size_t first) {
  uint64_t word = 0;
  for (size_t k = 0; k < 8; ++k) word |= static_cast<uint64_t>(elements[first + k]) << (8 * k);
  return word;
}

}  // namespace odonata::cosim
