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

/// Links, drawn from the configuration's seed, that go down and come back again and again: what is arriving is cut.
inline void add_flapping_links(Config& c, int links, uint64_t cycles) {
  constexpr uint32_t kPeriod = 160;
  Random random(mix_seed(c.seed, 0x666C6170));
  for (const fault::Fault& f : fault::parse_faults(dragonfly_of(c), "random-links:" + std::to_string(links), random)) {
    for (uint64_t start = 40; start + kPeriod < cycles; start += kPeriod) {
      const uint64_t down = start + random.below(kPeriod / 2);
      c.faults.events.push_back({f, false, down});
      c.faults.events.push_back({f, true, down + 1 + random.below(random.chance(0.5) ? 4 : kPeriod / 2 - 2)});
    }
  }
}

}  // namespace odonata::network
