// SPDX-License-Identifier: Apache-2.0
#include "sim/network/traffic_source.h"

#include <algorithm>
#include <map>

#include "sim/network/fault_feed.h"

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

Outages::Outages(const Config& c, const Wiring& wiring) {
  // By address: in this cycle so many faults more. A router that dies again before its neighbours have heard it has two
  // faults until then, and was never back.
  std::map<uint32_t, std::map<uint64_t, int>> steps;
  const std::vector<uint64_t> cycles = traffic_cycles(c);
  for (size_t i = 0; i < cycles.size(); ++i) {
    const TimedFault& e = c.faults.events[i];
    const int router = e.fault.router.gid * wiring.routers + e.fault.router.bid;
    const int first = e.fault.is_router ? 0 : e.fault.port, last = e.fault.is_router ? wiring.ports - 1 : e.fault.port;
    for (int port = first; port <= last; ++port) {
      const PortWire& wire = wiring.at(router, port);
      if (wire.kind == LinkKind::node) steps[wire.address][cycles[i]] += e.repair ? -1 : 1;
    }
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
  const auto at =
      std::lower_bound(nodes_.begin(), nodes_.end(), address, [](const Node& n, uint32_t a) { return n.address < a; });
  if (at == nodes_.end() || at->address != address) return false;
  return (std::upper_bound(at->changes.begin(), at->changes.end(), cycle) - at->changes.begin()) % 2 == 1;
}

std::vector<std::vector<Packet>> packets_by_node(const traffic::PacketTrace& trace,
                                                 const std::vector<uint32_t>& addresses) {
  std::vector<std::vector<Packet>> out(addresses.size());
  for (const traffic::TracePacket& p : trace.packets) out[p.source].push_back({p.cycle, addresses[p.dest], p.flits});
  return out;
}

}  // namespace odonata::network
