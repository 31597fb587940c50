// SPDX-License-Identifier: Apache-2.0
#include "sim/network/topologies/graph.h"

#include <algorithm>

#include <fmt/format.h>

#include "models/common/error.h"
#include "models/common/random.h"

namespace odonata::network {

GraphTopology::GraphTopology(Graph graph, int root, std::optional<GraphTables> given)
    : graph_(std::move(graph)),
      shortest_(GraphTables::shortest(graph_)),
      up_down_(GraphTables::up_down(graph_, root)),
      given_(std::move(given)),
      router_of_(static_cast<size_t>(graph_.switches())) {
  std::vector<int> routers;  // by domain
  for (int s = 0; s < graph_.switches(); ++s) {
    const auto domain = static_cast<size_t>(graph_.at(s).domain);
    if (routers.size() <= domain) routers.resize(domain + 1);
    router_of_[static_cast<size_t>(s)] = routers[domain]++;
  }
  domains_ = static_cast<int>(routers.size());
  if (static_cast<size_t>(domains_) * static_cast<size_t>(*std::max_element(routers.begin(), routers.end())) >
      8 * router_of_.size()) {
    throw Error("graph: the domains of the switches are too different in size: " + std::to_string(domains_) +
                " of up to " + std::to_string(*std::max_element(routers.begin(), routers.end())) + " switches hold " +
                std::to_string(graph_.switches()));
  }
  routers_ = *std::max_element(routers.begin(), routers.end());
  switch_of_.assign(static_cast<size_t>(domains_ * routers_), -1);
  for (int s = 0; s < graph_.switches(); ++s) {
    int& router = router_of_[static_cast<size_t>(s)];
    router += graph_.at(s).domain * routers_;
    switch_of_[static_cast<size_t>(router)] = s;
  }
}

const GraphTables& GraphTopology::tables(const std::string& routing) const {
  if (routing == "up_down") return up_down_;
  if (routing == "shortest") return shortest_;
  if (!given_) throw Error("routing '" + routing + "': " + name() + " comes without tables");
  return *given_;
}

void GraphTopology::set_defaults(Config& config) const {
  config.routing = given_ ? "tables" : "up_down";
  config.traffic = "uniform";
  config.router.phases = 1;
}

void GraphTopology::check(const Config& config) const {
  for (const LinkClass& l : config.links) check_range("depth of '" + l.name + "'", l.buffer, 1, 32'768);
  check_whole_packets(config, config.link("link").buffer);
}

void GraphTopology::check_traffic(const Config& config) const {
  traffic::NodePattern::parse(nodes(), config.traffic, config.seed);
  if (nodes() < 2 && config.load > 0) throw Error("network: traffic needs two nodes, " + name() + " has one");
}

PortWire GraphTopology::wire_port(const Config& config, int at, int port) const {
  PortWire w;
  if (at < 0 || port >= static_cast<int>(graph_.ports(at).size())) return w;
  const Graph::Port& p = graph_.ports(at)[static_cast<size_t>(port)];
  w.port_class = p.link < 0 ? 0 : 1;
  w.buffer = static_cast<uint16_t>(config.links[w.port_class].buffer);
  w.peer = static_cast<uint32_t>(p.peer);
  w.kind = LinkKind::node;
  if (p.link < 0) {
    w.address = graph_.node(p.peer).address;
    return w;
  }
  w.kind = graph_.at(at).domain == graph_.at(p.peer).domain ? LinkKind::inside : LinkKind::between;
  w.latency = static_cast<uint16_t>(graph_.links()[static_cast<size_t>(p.link)].latency);
  w.peer = static_cast<uint32_t>(router_of(p.peer));
  w.peer_port = static_cast<uint8_t>(p.peer_port);
  return w;
}

Wiring GraphTopology::wire(const Config& config) const {
  size_t ports = 0;
  for (int s = 0; s < graph_.switches(); ++s) ports = std::max(ports, graph_.ports(s).size());
  Wiring out{domains_, routers_, static_cast<int>(ports), graph_.nodes(), {}};
  for (int s : switch_of_) {
    for (int port = 0; port < out.ports; ++port) out.wire.push_back(wire_port(config, s, port));
  }
  return domains_ == 1 && config.domains > 1 ? cut(out, in_runs(out.routers, config.domains)) : out;
}

PatternSource<traffic::NodePattern> GraphTopology::source(const Config& config, const Wiring& wiring) {
  return {
      config, wiring,
      traffic::NodePattern::parse(config.topology->nodes(), config.trace ? "uniform" : config.traffic, config.seed)};
}

/// With a hash of switches, nodes, links and the tables of the routing: two files may have one name.
std::string GraphTopology::identity(const Config& config) const {
  uint64_t hash = 0;
  const auto add = [&hash](auto... values) { ((hash = mix_seed(hash, static_cast<uint64_t>(values))), ...); };
  const GraphTables& t = tables(config.routing);
  add(graph_.switches(), graph_.nodes(), graph_.address_width());
  for (const Graph::Link& link : graph_.links()) add(link.a, link.b, link.latency);
  for (int channel = 0; channel < graph_.channels(); ++channel) add(t.down(channel));
  for (int node = 0; node < graph_.nodes(); ++node) add(graph_.node(node).at, graph_.node(node).address);
  for (int s = 0; s < graph_.switches(); ++s) {
    add(graph_.at(s).domain);
    for (int node = 0; node < graph_.nodes(); ++node) {
      for (const bool came_down : {false, true}) {
        const GraphTables::Entry entry = t.at(s, node, came_down);
        add(entry.port << 8 | entry.vc);
      }
    }
  }
  return fmt::format("{}, graph {:016x}", name(), hash);
}

Config on_graph(Graph graph) { return Config(std::make_shared<GraphTopology>(std::move(graph))); }

const GraphTopology& graph_of(const Config& config) {
  const auto* found = dynamic_cast<const GraphTopology*>(config.topology.get());
  if (found == nullptr) throw Error("network: " + config.topology->name() + " is no graph");
  return *found;
}

TopologyKind topology_graph() {
  return {"graph", "FILE.json", "switches, nodes, links and tables of a file, docs/graph.md", nullptr};
}

}  // namespace odonata::network
