// SPDX-License-Identifier: Apache-2.0
#include "sim/network/wiring.h"

#include <algorithm>

#include "models/arb_request/mesh.h"

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
    w.buffer = static_cast<uint16_t>(config.node_buffer * config.packet_flits);
    w.peer = static_cast<uint32_t>(d.node_index(node));
    w.address = pack(node);
    return w;
  }
  const Dragonfly::Peer peer = d.peer(router, port);
  if (!peer.connected) return w;
  const bool global = port_class == PortClass::global;
  w.kind = global ? LinkKind::between : LinkKind::inside;
  w.latency = static_cast<uint16_t>(global ? config.global_latency : config.local_latency);
  w.buffer = static_cast<uint16_t>((global ? config.global_buffer : config.local_buffer) * config.packet_flits);
  w.peer = static_cast<uint32_t>(d.router_index(peer.router));
  w.peer_port = static_cast<uint8_t>(peer.port);
  return w;
}

}  // namespace

Wiring wire_mesh(const MeshConfig& config, const RouterConfig& router) {
  const arb_request::Mesh mesh(config.radix);
  const int links = 2 * mesh.dimensions();
  Wiring out{1, mesh.routers(), links + 1, mesh.routers(), {}};
  for (int r = 0; r < mesh.routers(); ++r) {
    for (int port = 0; port <= links; ++port) {
      PortWire w;
      w.buffer = static_cast<uint16_t>(config.depth);
      w.peer = w.address = static_cast<uint32_t>(r);
      w.kind = LinkKind::node;
      if (port < links) {
        const int peer = mesh.neighbour(r, port / 2, (port & 1) != 0);
        w.kind = peer < 0 ? LinkKind::none : LinkKind::inside;
        w.port_class = 1;
        w.peer = static_cast<uint32_t>(std::max(peer, 0));
        w.peer_port = static_cast<uint8_t>(port ^ 1);
        w.latency = static_cast<uint16_t>(router.local_latency);
      }
      out.wire.push_back(w);
    }
  }
  return out;
}

Wiring wire_dragonfly(const Dragonfly& d, const RouterConfig& router) {
  Wiring out{d.g(), d.a(), d.num_ports(), d.a() * d.p(), {}};
  out.wire.reserve(static_cast<size_t>(d.num_routers()) * d.num_ports());
  for (int r = 0; r < d.num_routers(); ++r) {
    for (int port = 0; port < d.num_ports(); ++port) out.wire.push_back(wire_port(d, router, d.router(r), port));
  }
  return out;
}

}  // namespace odonata::network
