// SPDX-License-Identifier: Apache-2.0
// Encodings of the routing-table entries (DOAR §2.3, §3.2, Fig. 6) and the calculation of their indices.
// docs/route_compute.md §4 is the specification.
#pragma once

#include <array>
#include <cstdint>

#include "models/common/bits.h"
#include "models/topology/dragonfly.h"

namespace odonata::table {

/// Zone of a look-up; `invalid` for an address outside the network. The values are those of the hardware.
enum class Zone { node = 0, group_local = 1, global = 2, invalid = 3 };  // N, B, G

inline constexpr int kNeighboursB = 8;  ///< neighbour ports lpc1..lpc8 in a global entry of table B
inline constexpr int kPortsC = 6;       ///< ports in an entry of table C

/// The zone of destination `to` seen from router `own`: G when the group differs, B when only the router differs, else
/// N.
inline Zone zone_of(const Dragonfly& d, RouterId own, const Address& to) {
  if (!d.contains(to)) return Zone::invalid;
  if (to.gid != own.gid) return Zone::global;
  return to.bid != own.bid ? Zone::group_local : Zone::node;
}

/// Number of entries: table A p+a+g, table B a+g.
inline int size_a(const Dragonfly& d) { return d.p() + d.a() + d.g(); }
inline int size_b(const Dragonfly& d) { return d.a() + d.g(); }

/// Index of a destination in table A (zones N, B, G in this order) or -1 in the invalid zone.
inline int index_a(const Dragonfly& d, Zone zone, const Address& to) {
  switch (zone) {
    case Zone::node:
      return to.nid;
    case Zone::group_local:
      return d.p() + to.bid;
    case Zone::global:
      return d.p() + d.a() + to.gid;
    default:
      return -1;
  }
}
/// Index of a destination in table B (zones B, G) or -1 where table B has no entry.
inline int index_b(const Dragonfly& d, Zone zone, const Address& to) {
  switch (zone) {
    case Zone::group_local:
      return to.bid;
    case Zone::global:
      return d.a() + to.gid;
    default:
      return -1;
  }
}

/// Global entry of table A, used at node ports in zone G: next router and the map of its global ports.
struct GlobalEntryA {
  int port = kNoPort;  ///< lpc0: local port of the next router, 63 = none (or own_router)
  bool own_router = false;
  uint32_t global_ports = 0;  ///< GP: h bits, the global ports of that router that lead to the target group

  uint64_t encode() const {
    return global_ports | static_cast<uint64_t>(port) << 16 | static_cast<uint64_t>(own_router) << 22;
  }
  static GlobalEntryA decode(uint64_t word) {
    return {static_cast<int>(word >> 16 & 63), (word >> 22 & 1) != 0, static_cast<uint32_t>(word & 0xFFFF)};
  }
};

/// Global entry of table B, used at node ports in zone G: neighbours that stand for all their global ports, and own
/// global ports.
struct GlobalEntryB {
  std::array<int, kNeighboursB> port{kNoPort, kNoPort, kNoPort, kNoPort,
                                     kNoPort, kNoPort, kNoPort, kNoPort};  ///< lpc1..lpc8
  uint32_t own_global_ports = 0;                                           ///< h bits

  uint64_t encode() const {
    uint64_t word = static_cast<uint64_t>(own_global_ports) << 48;
    for (int k = 0; k < kNeighboursB; ++k) word |= static_cast<uint64_t>(port[k]) << (6 * k);
    return word;
  }
  static GlobalEntryB decode(uint64_t word) {
    GlobalEntryB e;
    for (int k = 0; k < kNeighboursB; ++k) e.port[k] = static_cast<int>(word >> (6 * k) & 63);
    e.own_global_ports = static_cast<uint32_t>(word >> 48);
    return e;
  }
};

/// Entry of table C: up to six local ports that lead to one router of the group; -1 = not valid.
struct EntryC {
  std::array<int, kPortsC> port{-1, -1, -1, -1, -1, -1};

  uint64_t encode() const {
    uint64_t word = 0;
    for (int k = 0; k < kPortsC; ++k) {
      if (port[k] >= 0) word |= static_cast<uint64_t>(0x80 | port[k]) << (8 * k);
    }
    return word;
  }
  static EntryC decode(uint64_t word) {
    EntryC e;
    for (int k = 0; k < kPortsC; ++k) {
      const int byte = static_cast<int>(word >> (8 * k) & 0xFF);
      e.port[k] = byte & 0x80 ? byte & 63 : -1;
    }
    return e;
  }
};

/// Whether a word may be written to an entry: no undefined bit, no reserved encoding (docs/route_compute.md §4,
/// "Refused").
bool valid_default_entry(const Dragonfly& d, uint64_t word);
bool valid_global_a(const Dragonfly& d, uint64_t word);
bool valid_global_b(const Dragonfly& d, uint64_t word);
bool valid_c(const Dragonfly& d, uint64_t word);

}  // namespace odonata::table
