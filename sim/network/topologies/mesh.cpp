// SPDX-License-Identifier: Apache-2.0
#include "sim/network/topologies/mesh.h"

#include <algorithm>

#include "models/common/error.h"
#include "sim/network/parameters.h"

namespace odonata::network {

using arb_request::Mesh;

namespace {

/// "ur", the word of the dragonfly, is understood as well.
traffic::MeshPattern pattern_of(const Config& config) {
  return traffic::MeshPattern::parse(mesh_of(config),
                                     config.trace || config.traffic == "ur" ? "uniform" : config.traffic, config.seed);
}

}  // namespace

int MeshTopology::longest_way() const {
  int links = 0;  // every routing is minimal
  for (int d = 0; d < mesh_.dimensions(); ++d) links += mesh_.radix(d) - 1;
  return std::max(links, Topology::longest_way());
}

void MeshTopology::set_defaults(Config& config) const {
  config.routing = "d2ra";
  config.traffic = "uniform";
  config.router.vcs = 3;
  config.router.phases = 1;
  config.router.switching = Switching::wormhole;
}

void MeshTopology::check(const Config& config) const {
  for (const LinkClass& l : config.links) check_range("mesh depth", l.buffer, 1, 32'768);
  check_range("local_latency", config.link("local").latency, 1, 255);
  check_whole_packets(config, config.link("local").buffer);
  if (config.requests.device)
    check_range("router of the device", config.requests.device_router, 0, mesh_.routers() - 1);
}

void MeshTopology::check_traffic(const Config& config) const { pattern_of(config); }

bool MeshTopology::has(ParameterGroup group) const { return group == ParameterGroup::requests; }

Wiring MeshTopology::wire(const Config& config) const {
  const int links = 2 * mesh_.dimensions();
  Wiring out{1, mesh_.routers(), links + 1, mesh_.routers(), {}};
  for (int r = 0; r < mesh_.routers(); ++r) {
    for (int port = 0; port <= links; ++port) {
      PortWire w;
      w.port_class = port < links ? 1 : 0;
      w.buffer = static_cast<uint16_t>(config.links[w.port_class].buffer);
      w.peer = w.address = static_cast<uint32_t>(r);
      w.kind = LinkKind::node;
      if (port < links) {
        const int peer = mesh_.neighbour(r, port / 2, (port & 1) != 0);
        w.kind = peer < 0 ? LinkKind::none : LinkKind::inside;
        w.peer = static_cast<uint32_t>(std::max(peer, 0));
        w.peer_port = static_cast<uint8_t>(port ^ 1);
        w.latency = static_cast<uint16_t>(config.links[w.port_class].latency);
      }
      out.wire.push_back(w);
    }
  }
  return config.domains > 1 ? cut(out, in_runs(out.routers, config.domains)) : out;
}

PatternSource<traffic::MeshPattern> MeshTopology::source(const Config& config, const Wiring& wiring) {
  return {config, wiring, pattern_of(config)};
}

Config on_mesh(const Mesh& mesh) { return Config(std::make_shared<MeshTopology>(mesh)); }

const Mesh& mesh_of(const Config& config) {
  const auto* found = dynamic_cast<const MeshTopology*>(config.topology.get());
  if (found == nullptr) throw Error("network: " + config.topology->name() + " is no mesh");
  return found->mesh();
}

TopologyKind topology_mesh() {
  return {"mesh", "KxK..", "routers in each of 1 to 8 dimensions, one node a router",
          [](const std::string& text) -> std::shared_ptr<const Topology> {
            return std::make_shared<MeshTopology>(Mesh::parse(text));
          }};
}

}  // namespace odonata::network
