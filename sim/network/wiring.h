// SPDX-License-Identifier: Apache-2.0
// A topology as the engine sees it: routers with ports, what each port is cabled to, and which routers form a domain (docs/network.md §4).
#pragma once

#include <cstdint>
#include <vector>

#include "sim/network/config.h"

namespace odonata::network {

/// Where an output port leads.
enum class LinkKind : uint8_t {
  none,     ///< not cabled
  node,     ///< to a node
  inside,   ///< to a router of the same domain
  between,  ///< to a router of another domain
};

/// A port: its input buffer and its output link, which always come together.
struct PortWire {
  LinkKind kind = LinkKind::none;
  uint8_t port_class = 0;  ///< for statistics: 0 node, 1 local, 2 global
  uint8_t peer_port = 0;   ///< port of the router at the other end
  uint16_t latency = 0;    ///< cycles, both directions
  uint16_t buffer = 0;     ///< flits per VC of the input buffer at this port
  uint32_t peer = 0;       ///< router at the other end, over all domains; node ports: number of the node
  uint32_t address = 0;    ///< node ports: the node's packed address (Flit::source, Flit::dest)
};

/// Routers are numbered domain by domain.
struct Wiring {
  int domains = 0;
  int routers = 0;             ///< of a domain
  int ports = 0;               ///< of a router
  int nodes = 0;               ///< of a domain, node ports in the order of routers and ports
  std::vector<PortWire> wire;  ///< [router over all domains * ports + port]

  const PortWire& at(int router, int port) const { return wire[static_cast<size_t>(router) * ports + port]; }
  /// Cycles for which domains may run without hearing of each other; 0 when there is only one.
  int lookahead() const;
};

/// A dragonfly: a group is a domain, addresses are {gid[17:9], bid[8:4], nid[3:0]}.
Wiring wire_dragonfly(const Dragonfly& d, const RouterConfig& router);

/// A mesh: one domain, one node a router whose address is the router's number (dimension 0 fastest). Ports: 2 * dimension + minus towards the
/// neighbour in that direction, 2n the node; beyond the boundary nothing is cabled.
Wiring wire_mesh(const MeshConfig& mesh, const RouterConfig& router);

/// The packed address of a node of a dragonfly.
inline uint32_t pack(const Address& a) { return static_cast<uint32_t>(a.gid << 9 | a.bid << 4 | a.nid); }
inline int gid_of(uint32_t address) { return static_cast<int>(address >> 9 & 511); }
inline int bid_of(uint32_t address) { return static_cast<int>(address >> 4 & 31); }
inline int nid_of(uint32_t address) { return static_cast<int>(address & 15); }
inline Address unpack(uint32_t address) { return {gid_of(address), bid_of(address), nid_of(address)}; }

}  // namespace odonata::network
