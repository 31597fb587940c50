// SPDX-License-Identifier: Apache-2.0
#include "sim/network/traffic_source.h"

#include <algorithm>
#include <map>

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

Outages::Outages(const Config& c) {
  const Dragonfly& d = c.dragonfly;
  std::map<uint32_t, std::map<uint64_t, int>> steps;  // by address: in this cycle so many faults more
  for (const TimedFault& e : c.faults.events) {
    if (!e.fault.is_router && e.fault.port >= d.p()) continue;
    const int first = e.fault.is_router ? 0 : e.fault.port, last = e.fault.is_router ? d.p() - 1 : e.fault.port;
    for (int n = first; n <= last; ++n) steps[pack({e.fault.router.gid, e.fault.router.bid, n})][e.cycle] += e.repair ? -1 : 1;
  }
  for (const auto& [address, changes] : steps) {
    Node node{address, {}};
    int faults = 0;
    for (const auto& [cycle, more] : changes) {
      const bool was_dead = faults > 0;
      faults += more;
      if (was_dead != (faults > 0)) node.changes.push_back(static_cast<uint32_t>(cycle));
    }
    nodes_.push_back(node);
  }
}

bool Outages::contains(uint32_t address, uint32_t cycle) const {
  const auto at = std::lower_bound(nodes_.begin(), nodes_.end(), address, [](const Node& n, uint32_t a) { return n.address < a; });
  if (at == nodes_.end() || at->address != address) return false;
  return (std::upper_bound(at->changes.begin(), at->changes.end(), cycle) - at->changes.begin()) % 2 == 1;
}

PatternSource::PatternSource(const Config& c)
    : pattern_(MixedPattern::parse(c.dragonfly, c.trace ? "ur" : c.traffic, c.seed)),
      gap_(c.load / c.router.packet_flits),
      flits_(static_cast<uint8_t>(c.router.packet_flits)),
      outages_(c.faults.live_traffic ? Outages(c) : Outages()),
      end_(c.warmup + c.sample + c.drain) {
  for (int n = 0; n < c.dragonfly.num_nodes(); ++n) addresses_.push_back(pack(c.dragonfly.node(n)));
  if (!c.trace) return;
  trace_.resize(addresses_.size());
  for (const traffic::TracePacket& p : c.trace->packets) trace_[p.source].push_back({p.cycle, addresses_[p.dest], p.flits});
}

Packet PatternSource::next_for_the_living(uint32_t node, uint32_t before, Random& random) const {
  Packet p = next_of_all(node, before, random);
  while (p.born <= end_ && outages_.contains(p.dest, p.born)) p = next_of_all(node, p.born, random);
  return p;
}

/// The first packet from cycle `from` on.
Packet PatternSource::next_of_trace(const std::vector<Packet>& list, uint32_t from) {
  const auto found = std::lower_bound(list.begin(), list.end(), from, [](const Packet& p, uint32_t cycle) { return p.born < cycle; });
  return found == list.end() ? Packet{kLast, 0, 1} : *found;
}

}  // namespace odonata::network
