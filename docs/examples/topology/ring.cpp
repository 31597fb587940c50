// SPDX-License-Identifier: Apache-2.0
#include "ring.h"

#include <charconv>

#include "models/common/error.h"

using namespace odonata::network;

void Ring::check(const Config& config) const {
  for (const LinkClass& l : config.links)
    check_range("depth of '" + l.name + "'", l.buffer, config.router.packet_flits(), 32'768);
  check_range("latency of 'link'", config.link("link").latency, 1, 1023);
}

Wiring Ring::wire(const Config& config) const {
  Wiring out{1, routers_, 3, routers_, {}};
  for (int r = 0; r < routers_; ++r) {
    const int peers[] = {(r + 1) % routers_, (r + routers_ - 1) % routers_, r};
    for (int port = 0; port < 3; ++port) {
      PortWire w;
      w.kind = port < 2 ? LinkKind::inside : LinkKind::node;
      w.port_class = port < 2 ? 1 : 0;
      w.buffer = static_cast<uint16_t>(config.links[w.port_class].buffer);
      w.latency = static_cast<uint16_t>(config.links[w.port_class].latency);
      w.peer = static_cast<uint32_t>(peers[port]);
      w.peer_port = static_cast<uint8_t>(1 - port % 2);
      w.address = static_cast<uint32_t>(r);
      out.wire.push_back(w);
    }
  }
  return out;
}

std::shared_ptr<const Topology> parse_ring(const std::string& text) {
  int routers = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, routers);
  if (error != std::errc{} || end != last || routers < 3 || routers > 65'536)
    throw odonata::Error("ring '" + text + "': expected the number of routers, 3..65536");
  return std::make_shared<Ring>(routers);
}
