// SPDX-License-Identifier: Apache-2.0
// A topology as the engine sees it: routers with ports, what each port is cabled to, and which routers form a domain (docs/network.md §4).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

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
  uint8_t port_class = 0;  ///< in Config::links; 0: node ports
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
  int nodes = 0;               ///< of the network
  std::vector<PortWire> wire;  ///< [router over all domains * ports + port]

  const PortWire& at(int router, int port) const { return wire[static_cast<std::size_t>(router) * ports + port]; }
  /// Cycles for which domains may run without hearing of each other; 0 when there is only one.
  int lookahead() const;
  /// The nodes' packed addresses, by number.
  std::vector<uint32_t> addresses() const;
};

}  // namespace odonata::network
