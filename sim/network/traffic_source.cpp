// SPDX-License-Identifier: Apache-2.0
#include "sim/network/traffic_source.h"

namespace odonata::network {

GeometricGap::GeometricGap(double probability) : never_(probability <= 0) {
  double more = 1;
  for (uint64_t& m : more_) {
    m = static_cast<uint64_t>(more * 0x1.0p63);
    more *= 1 - probability;
  }
}

PatternSource::PatternSource(const Dragonfly& d, const std::string& pattern, double packets_per_cycle, int packet_flits, uint64_t seed)
    : pattern_(traffic::Pattern::parse(d, pattern, seed)), gap_(packets_per_cycle), flits_(static_cast<uint8_t>(packet_flits)) {
  for (int n = 0; n < d.num_nodes(); ++n) addresses_.push_back(pack(d.node(n)));
}

}  // namespace odonata::network
