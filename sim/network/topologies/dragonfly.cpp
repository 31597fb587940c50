// SPDX-License-Identifier: Apache-2.0
#include "sim/network/topologies/dragonfly.h"

#include "models/common/error.h"
#include "sim/network/parameters.h"

namespace odonata::network {

namespace {

/// Flits of a virtual channel: of so many packets, or with the hardware's timing as the hardware counts.
uint16_t buffer_of(const Config& config, const LinkClass& link) {
  return static_cast<uint16_t>(link.buffer * (config.has_hardware_buffers() ? 1 : config.router.packet_flits()));
}

PortWire wire_port(const Dragonfly& d, const Config& config, RouterId router, int port) {
  PortWire w;
  const PortClass port_class = d.port_class(port);
  w.port_class = static_cast<uint8_t>(port_class);
  const LinkClass& link = config.links[w.port_class];
  if (port_class == PortClass::node) {
    const Address node{router.gid, router.bid, port};
    w.kind = LinkKind::node;
    w.buffer = buffer_of(config, link);
    w.peer = static_cast<uint32_t>(d.node_index(node));
    w.address = pack(node);
    return w;
  }
  const Dragonfly::Peer peer = d.peer(router, port);
  if (!peer.connected) return w;
  w.kind = port_class == PortClass::global ? LinkKind::between : LinkKind::inside;
  w.latency = static_cast<uint16_t>(link.latency);
  w.buffer = buffer_of(config, link);
  w.peer = static_cast<uint32_t>(d.router_index(peer.router));
  w.peer_port = static_cast<uint8_t>(peer.port);
  return w;
}

}  // namespace

bool of_hardware(const Parameter& parameter) {
  return parameter.group == ParameterGroup::congestion_plane || parameter.group == ParameterGroup::tables;
}

std::vector<LinkClass> DragonflyTopology::link_classes() const {
  return {{"node", 0, 32, true}, {"local", 10, 32, true}, {"global", 100, 256, true}};
}

void DragonflyTopology::set_defaults(Config& config) const {
  config.routing = "doar";
  config.traffic = "ur";
}

void DragonflyTopology::check(const Config& config) const {
  const int longest = config.router.packet_flits();
  const int least = config.piped() && config.router.switching == Switching::cut_through ? longest : 1;
  const int most = 32'768 / longest;  // positions in a ring have 16 bits
  for (const LinkClass& l : config.links) check_range(l.name + "_buffer", l.buffer, least, most);
  check_range("local_latency", config.link("local").latency, 1, 255);
  check_range("global_latency", config.link("global").latency, 1, 1023);
  std::vector<fault::ScheduledFault> events;
  for (const TimedFault& f : config.faults.events) events.push_back({static_cast<int64_t>(f.cycle), f.fault, f.repair});
  fault::check_order(dragonfly_, std::move(events));
}

void DragonflyTopology::check_traffic(const Config& config) const {
  MixedPattern::parse(dragonfly_, config.traffic, config.seed);
}

bool DragonflyTopology::has(ParameterGroup group) const {
  return group == ParameterGroup::congestion_plane || group == ParameterGroup::faults ||
         group == ParameterGroup::fault_planes || group == ParameterGroup::tables;
}

Wiring DragonflyTopology::wire(const Config& config) const {
  const Dragonfly& d = dragonfly_;
  Wiring out{d.g(), d.a(), d.num_ports(), d.num_nodes(), {}};
  out.wire.reserve(static_cast<size_t>(d.num_routers()) * d.num_ports());
  for (int r = 0; r < d.num_routers(); ++r) {
    for (int port = 0; port < d.num_ports(); ++port) out.wire.push_back(wire_port(d, config, d.router(r), port));
  }
  return out;
}

std::vector<fault::Fault> DragonflyTopology::parse_faults(std::string_view text, Random& random,
                                                          const std::vector<fault::Fault>& taken) const {
  return fault::parse_faults(dragonfly_, text, random, taken);
}

std::string DragonflyTopology::fault_name(const fault::Fault& fault) const { return to_string(dragonfly_, fault); }

DragonflySource DragonflyTopology::source(const Config& config, const Wiring& wiring) {
  return {config, wiring, MixedPattern::parse(dragonfly_of(config), config.trace ? "ur" : config.traffic, config.seed)};
}

Config on_dragonfly(const Dragonfly& dragonfly) { return Config(std::make_shared<DragonflyTopology>(dragonfly)); }

const Dragonfly& dragonfly_of(const Config& config) {
  const auto* found = dynamic_cast<const DragonflyTopology*>(config.topology.get());
  if (found == nullptr) throw Error("network: " + config.topology->name() + " is no dragonfly");
  return found->dragonfly();
}

namespace {

/// "P,A,H,G" or the name of a size, and after a slash the arrangement.
Dragonfly from_text(const std::string& text) {
  const size_t slash = text.find('/');
  const std::string size = text.substr(0, slash),
                    arrangement = slash == std::string::npos ? "" : text.substr(slash + 1);
  const Dragonfly d = size.find(',') == std::string::npos ? Dragonfly::named(size) : Dragonfly::parse(size);
  if (arrangement.empty()) return d;
  if (arrangement != "direct" && arrangement != "absolute")
    throw Error("arrangement '" + arrangement + "' is unknown, expected direct, absolute");
  return {d.size(), arrangement == "direct" ? Arrangement::direct : Arrangement::absolute};
}

}  // namespace

TopologyKind topology_dragonfly() {
  return {"dragonfly", "SIZE|P,A,H,G[/ARRANGEMENT]", "nodes a router, routers a group, global ports a router, groups",
          [](const std::string& text) -> std::shared_ptr<const Topology> {
            return std::make_shared<DragonflyTopology>(from_text(text));
          }};
}

}  // namespace odonata::network
