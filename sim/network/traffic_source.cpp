// SPDX-License-Identifier: Apache-2.0
#include "sim/network/traffic_source.h"

#include <algorithm>

namespace odonata::network {

GeometricGap::GeometricGap(double probability) : never_(probability <= 0) {
  double more = 1;
  for (uint64_t& m : more_) {
    m = static_cast<uint64_t>(more * 0x1.0p63);
    more *= 1 - probability;
  }
  for (size_t i = 0; i < least_.size(); ++i) {
    const uint64_t highest = ((i + 1) << kLeastShift) - 1;
    while (least_[i] + 1u < kSteps && highest < more_[least_[i] + 1u]) ++least_[i];
  }
}

PatternSource::PatternSource(const Config& c)
    : pattern_(MixedPattern::parse(c.dragonfly, c.trace ? "ur" : c.traffic, c.seed)),
      gap_(c.load / c.router.packet_flits),
      flits_(static_cast<uint8_t>(c.router.packet_flits)) {
  for (int n = 0; n < c.dragonfly.num_nodes(); ++n) addresses_.push_back(pack(c.dragonfly.node(n)));
  if (!c.trace) return;
  trace_.resize(addresses_.size());
  for (const traffic::TracePacket& p : c.trace->packets) trace_[p.source].push_back({p.cycle, addresses_[p.dest], p.flits});
}

/// The first packet from cycle `from` on.
Packet PatternSource::next_of_trace(const std::vector<Packet>& list, uint32_t from) {
  const auto found = std::lower_bound(list.begin(), list.end(), from, [](const Packet& p, uint32_t cycle) { return p.born < cycle; });
  return found == list.end() ? Packet{kLast, 0, 1} : *found;
}

}  // namespace odonata::network
