// SPDX-License-Identifier: Apache-2.0
#include "sim/network/topologies/ring.h"

#include <charconv>

#include "models/common/error.h"

namespace odonata::network {

void RingTopology::set_defaults(Config& config) const {
  config.routing = "dateline";
  config.traffic = "uniform";
  config.router.phases = 1;
}

void RingTopology::check(const Config& config) const {
  for (const LinkClass& l : config.links) check_range("depth of '" + l.name + "'", l.buffer, config.router.packet_flits(), 32'768);
  check_range("latency of 'link'", config.link("link").latency, 1, 1023);
}

Wiring RingTopology::wire(const Config& config) const {
  Wiring out{1, routers_, 3, routers_, {}};
  for (int r = 0; r < routers_; ++r) {
    for (int port = 0; port < 3; ++port) {
      PortWire w;
      w.port_class = port < 2 ? 1 : 0;
      const LinkClass& link = config.links[w.port_class];
      w.kind = port < 2 ? LinkKind::inside : LinkKind::node;
      w.buffer = static_cast<uint16_t>(link.buffer);
      w.latency = static_cast<uint16_t>(link.latency);
      w.peer = static_cast<uint32_t>(port == 0 ? (r + 1) % routers_ : port == 1 ? (r + routers_ - 1) % routers_ : r);
      w.peer_port = static_cast<uint8_t>(1 - port % 2);
      w.address = static_cast<uint32_t>(r);
      out.wire.push_back(w);
    }
  }
  return out;
}

PatternSource<traffic::NodePattern> RingTopology::source(const Config& config, const Wiring& wiring) {
  return {config, wiring, traffic::NodePattern::parse(config.topology->nodes(), config.trace ? "uniform" : config.traffic, config.seed)};
}

TopologyKind topology_ring() {
  return {"ring", "N", "routers in a ring", [](const std::string& text) -> std::shared_ptr<const Topology> {
            int routers = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), routers);
            if (error != std::errc{} || end != text.data() + text.size() || routers < 3 || routers > 65'536) {
              throw Error("ring '" + text + "': expected the number of routers, 3..65536");
            }
            return std::make_shared<RingTopology>(routers);
          }};
}

}  // namespace odonata::network
