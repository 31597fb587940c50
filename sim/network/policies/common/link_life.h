// SPDX-License-Identifier: Apache-2.0
// When a link that can die was last up and down: what policies with faults at run time keep of each.
#pragma once

#include <cstdint>

namespace odonata::network {

struct LinkLife {
  uint32_t down_since = 0, up_since = 0;  ///< cycles
  bool up = true;

  /// The link changes, or is told again what it is.
  void set(bool is_up, uint32_t cycle) {
    up = is_up;
    (up ? up_since : down_since) = cycle;
  }
  /// A flit that left in cycle `departure` has not arrived: the link was dead in between.
  bool cuts_off(uint32_t departure, uint32_t now) const { return up_since > departure || (!up && down_since < now); }
};

}  // namespace odonata::network
