// SPDX-License-Identifier: Apache-2.0
#include "sim/network/wiring.h"

#include <algorithm>

namespace odonata::network {

int Wiring::lookahead() const {
  int least = 0;
  for (const PortWire& w : wire) {
    if (w.kind == LinkKind::between && (least == 0 || w.latency < least)) least = w.latency;
  }
  return least;
}

namespace {

PortWire wire_port(const Dragonfly& d, const RouterConfig& config, RouterId router, int port) {
  PortWire w;
  const PortClass port_class = d.port_class(port);
  w.port_class = static_cast<uint8_t>(port_class);
  if (port_class == PortClass::node) {
    const Address node{router.gid, router.bid, port};
    w.kind = LinkKind::node;
    w.buffer = static_cast<uint16_t>(config.node_buffer);
    w.peer = static_cast<uint32_t>(d.node_index(node));
    w.address = pack(node);
    return w;
  }
  const Dragonfly::Peer peer = d.peer(router, port);
  if (!peer.connected) return w;
  const bool global = port_class == PortClass::global;
  w.kind = global ? LinkKind::between : LinkKind::inside;
  w.latency = static_cast<uint16_t>(global ? config.global_latency : config.local_latency);
  w.buffer = static_cast<uint16_t>(global ? config.global_buffer : config.local_buffer);
  w.peer = static_cast<uint32_t>(d.router_index(peer.router));
  w.peer_port = static_cast<uint8_t>(peer.port);
  return w;
}

}  // namespace

Wiring wire_dragonfly(const Dragonfly& d, const RouterConfig& router) {
  Wiring out{d.g(), d.a(), d.num_ports(), d.a() * d.p(), {}};
  out.wire.reserve(static_cast<size_t>(d.num_routers()) * d.num_ports());
  for (int r = 0; r < d.num_routers(); ++r) {
    for (int port = 0; port < d.num_ports(); ++port) out.wire.push_back(wire_port(d, router, d.router(r), port));
  }
  return out;
}

}  // namespace odonata::network
