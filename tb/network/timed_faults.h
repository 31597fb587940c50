// SPDX-License-Identifier: Apache-2.0
// Faults of a network test by name.
#pragma once

#include <string>
#include <vector>

#include "sim/network/config.h"
#include "sim/network/topologies/dragonfly.h"

namespace odonata::network {

/// Faults by name in cycle `fail`, their repair in cycle `repair` (0: never). Random ones are drawn from the run's seed
/// and the cycle.
inline void add_faults(Config& c, const std::vector<std::string>& names, uint64_t fail, uint64_t repair) {
  Random random(c.seed + fail);
  for (const std::string& name : names) {
    for (const fault::Fault& f : fault::parse_faults(dragonfly_of(c), name, random)) {
      c.faults.events.push_back({f, false, fail});
      if (repair != 0) c.faults.events.push_back({f, true, repair});
    }
  }
}

}  // namespace odonata::network
