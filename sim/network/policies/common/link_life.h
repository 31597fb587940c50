// SPDX-License-Identifier: Apache-2.0
// When a link that can die was last up and down: what policies with faults at run time keep of each.
#pragma once

#include <cstdint>
#include <vector>

#include "models/common/state_check.h"

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

/// Saves or restores the lives of links. `more(link)`: whether what else is kept of it can be.
template <class Visit, class Link, class More>
void visit_lives(Visit&& visit, std::vector<Link>& links, More more) {
  visit_sized(visit, links, "links that can die");
  if constexpr (kReadsState<Visit>) {
    for (const Link& l : links) expect_state(is_flag(l.up) && more(l), "whether a link is up");
  }
}
template <class Visit, class Link>
void visit_lives(Visit&& visit, std::vector<Link>& links) {
  visit_lives(visit, links, [](const Link&) { return true; });
}

}  // namespace odonata::network
