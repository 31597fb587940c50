// SPDX-License-Identifier: Apache-2.0
// What an input port asks the switch for (docs/arb_request.md §4).
#pragma once

#include <cstdint>

namespace odonata::arb_request {

/// A request to the switch, as visible on the pins; all zero when not valid.
struct PortRequest {
  bool valid = false;
  uint8_t queue = 0;      ///< sub-queue that asks
  bool eject = false;     ///< for the ejection port
  uint8_t dimension = 0;  ///< output asked for
  bool minus = false;     ///< its direction
  bool high = false;      ///< class
  uint8_t need = 0;       ///< credit needed at the grant
  bool operator==(const PortRequest&) const = default;
};

}  // namespace odonata::arb_request
