// SPDX-License-Identifier: Apache-2.0
#include "sim/network/topologies/torus.h"

#include <algorithm>
#include <charconv>

#include "models/common/error.h"
#include "sim/network/parameters.h"
#include "sim/network/topologies/common/torus_history.h"

namespace odonata::network {

using torus::FaultMap;
using torus::Faults;
using torus::Link;

namespace {

constexpr int kMaxNodes = 65'536;

fault::Fault node_fault(int node) { return {true, {0, node}, 0}; }
fault::Fault link_fault(const Link& link) { return {false, {0, link.node}, 2 * link.dimension}; }

traffic::MeshPattern base_pattern(const Torus& t, const std::string& text, uint64_t seed) {
  return traffic::MeshPattern::parse(arb_request::Mesh::parse(t.name()), text == "ur" ? "uniform" : text, seed,
                                     "torus");
}

TorusPattern pattern_of(const Config& config, const FaultMap& map) {
  return {map, config.trace ? "uniform" : config.traffic, config.seed};
}

/// N of "random-nodes:N".
int count_of(std::string_view text, size_t prefix, int most) {
  if (most == 0) throw Error("fault '" + std::string(text) + "': none is left that could fail");
  int count = 0;
  const auto [end, error] = std::from_chars(text.data() + prefix, text.data() + text.size(), count);
  if (error != std::errc{} || end != text.data() + text.size() || count < 1 || count > most)
    throw Error("fault '" + std::string(text) + "': expected a number 1.." + std::to_string(most));
  return count;
}

}  // namespace

TorusPattern::TorusPattern(const FaultMap& map, const std::string& text, uint64_t seed)
    : base_(base_pattern(map.torus(), text, seed)),
      place_(static_cast<size_t>(map.torus().nodes())),
      sends_(place_.size()) {
  for (int n = 0; n < map.torus().nodes(); ++n) {
    place_[static_cast<size_t>(n)] = static_cast<int>(healthy_.size());
    if (map.healthy(n)) healthy_.push_back(n);
  }
  Random none(0);  // a permutation draws nothing
  const bool uniform = base_.kind() == traffic::MeshPattern::Kind::uniform;
  for (const int n : healthy_)
    sends_[static_cast<size_t>(n)] = uniform ? healthy_.size() > 1 : map.healthy(base_.destination(n, none));
}

TorusSource::TorusSource(const Config& config, const Wiring& wiring, const FaultMap& map, const TorusPattern& pattern)
    : end_(config.warmup + config.sample + config.drain), all_(config, wiring, pattern) {
  for (int n = 0; n < map.torus().nodes(); ++n) sends_.push_back(config.trace ? map.healthy(n) : pattern.sends(n));
  if (!config.faults.live_traffic || config.faults.events.empty()) return;
  const TorusHistory history(config);
  const int node_port = map.torus().ports();
  for (int n = 0; n < map.torus().nodes(); ++n)
    down_.push_back(history.link_down[static_cast<size_t>(n * (node_port + 1) + node_port)]);
}

TorusTopology::TorusTopology(const Torus& torus) : torus_(torus) {
  if (torus.nodes() > kMaxNodes)
    throw Error("torus " + torus.name() + " has " + std::to_string(torus.nodes()) + " nodes, a network at most " +
                std::to_string(kMaxNodes));
}

void TorusTopology::set_defaults(Config& config) const {
  config.routing = torus_.dimensions() == 2 ? "torus_safe6_ring" : "torus_boxes";
  if (torus_.dimensions() == 3) config.faults.rule = torus::Rule::kDim;
  config.traffic = "uniform";
  config.router.lengths = {32};
  config.router.phases = 1;
  config.router.switching = Switching::wormhole;
}

void TorusTopology::check(const Config& config) const {
  for (const LinkClass& l : config.links) check_range("torus depth", l.buffer, 1, 16'384);
  check_range("local_latency", config.link("local").latency, 1, 255);
  check_whole_packets(config, config.link("local").buffer);
  if (config.faults.mode != fault::Mode::safe) throw Error("--mode: torus " + torus_.name() + " has no such parameter");
  for (const TimedFault& f : config.faults.events)
    if (f.repair) throw Error("--repair: marks of a torus only grow, they are not taken back (docs/torus.md §12)");
  std::vector<fault::Fault> ever = config.faults.standing;
  for (const TimedFault& f : config.faults.events) ever.push_back(f.fault);
  for (auto f = ever.begin(); f != ever.end(); ++f)
    if (std::find(ever.begin(), f, *f) != f) throw Error("--fail: " + fault_name(*f) + " fails twice");
  const FaultMap map = standing_map(config);
  if (map.num_healthy() < 2) {
    throw Error("torus " + torus_.name() + ": the faults leave " + std::to_string(map.num_healthy()) +
                " nodes by rule " + std::string(torus::name_of(config.faults.rule)) + ", expected 2 at least");
  }
  if (config.workload && map.num_healthy() != torus_.nodes())
    throw Error("--workload: the faults disable nodes of torus " + torus_.name() +
                " from the start, expected faults at run time, as node:X,Y@CYCLE");
  if (!config.trace) return;
  for (const traffic::TracePacket& p : config.trace->packets) {
    for (const uint32_t end : {p.source, p.dest})
      if (!map.healthy(static_cast<int>(end)))
        throw Error("the trace has a packet of or for " + torus_.node_name(static_cast<int>(end)) +
                    ", which is disabled");
  }
}

void TorusTopology::check_traffic(const Config& config) const { base_pattern(torus_, config.traffic, config.seed); }

bool TorusTopology::has(ParameterGroup group) const {
  return group == ParameterGroup::faults || group == ParameterGroup::fault_regions;
}

Wiring TorusTopology::wire(const Config& config) const {
  Wiring out{1, torus_.nodes(), torus_.ports() + 1, standing_map(config).num_healthy(), {}};
  const int node_port = torus_.ports();
  for (int r = 0; r < torus_.nodes(); ++r) {
    for (int port = 0; port <= node_port; ++port) {
      PortWire w;
      w.port_class = port < node_port ? 1 : 0;
      const LinkClass& link = config.links[w.port_class];
      w.buffer = static_cast<uint16_t>(link.buffer);
      w.peer = w.address = static_cast<uint32_t>(r);
      w.kind = LinkKind::node;
      w.latency = static_cast<uint16_t>(2 * link.latency);  // into the router and out of it: both count at delivery
      if (port < node_port) {
        w.kind = LinkKind::inside;
        w.peer = static_cast<uint32_t>(torus_.neighbour(r, port));
        w.peer_port = static_cast<uint8_t>(Torus::opposite(port));
        w.latency = static_cast<uint16_t>(link.latency);
      }
      out.wire.push_back(w);
    }
  }
  return config.domains > 1 ? cut(out, in_runs(out.routers, config.domains)) : out;
}

std::vector<fault::Fault> TorusTopology::parse_faults(std::string_view text, Random& random,
                                                      const std::vector<fault::Fault>& taken) const {
  std::vector<fault::Fault> out;
  const bool nodes = text.starts_with("random-nodes:"), links = text.starts_with("random-links:");
  if (!nodes && !links) {
    const Faults named = torus::parse_faults(torus_, text);
    for (const int n : named.nodes) out.push_back(node_fault(n));
    for (const Link& l : named.links) out.push_back(link_fault(l));
    return out;
  }
  std::vector<fault::Fault> left;
  for (int n = 0; n < torus_.nodes(); ++n) {
    if (nodes) left.push_back(node_fault(n));
    for (int d = 0; d < torus_.dimensions() && links; ++d) left.push_back(link_fault({n, d}));
  }
  std::erase_if(left, [&](const fault::Fault& f) { return std::find(taken.begin(), taken.end(), f) != taken.end(); });
  for (int count = count_of(text, 13, static_cast<int>(left.size())); count > 0; --count) {
    const size_t at = random.below(static_cast<uint32_t>(left.size()));
    out.push_back(left[at]);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return out;
}

std::string TorusTopology::fault_name(const fault::Fault& fault) const {
  const std::string name = torus_.node_name(fault.router.bid), at = name.substr(1, name.size() - 2);
  return fault.is_router ? "node:" + at : "link:" + at + "," + Torus::port_name(fault.port);
}

TorusSource TorusTopology::source(const Config& config, const Wiring& wiring) {
  const FaultMap map = standing_map(config);
  return {config, wiring, map, pattern_of(config, map)};
}

void check_plane(const Config& config) {
  if (torus_of(config).dimensions() != 2)
    throw Error("routing '" + config.routing + "' has two dimensions; " + config.topology->name() + ": torus_boxes");
}

Config on_torus(const Torus& torus) { return Config(std::make_shared<TorusTopology>(torus)); }

const Torus& torus_of(const Config& config) {
  const auto* found = dynamic_cast<const TorusTopology*>(config.topology.get());
  if (found == nullptr) throw Error("network: " + config.topology->name() + " is no torus");
  return found->torus();
}

Faults torus_faults(const std::vector<fault::Fault>& faults) {
  Faults out;
  for (const fault::Fault& f : faults) {
    if (f.is_router) {
      out.nodes.push_back(f.router.bid);
    } else {
      out.links.push_back({f.router.bid, f.port / 2});
    }
  }
  return out;
}

FaultMap standing_map(const Config& config) {
  return {torus_of(config), config.faults.rule, torus_faults(config.faults.standing)};
}

TopologyKind topology_torus() {
  return {"torus", "KXxKY", "routers in each of 2 or 3 dimensions, 3 to 64, one node a router, any of which may fail",
          [](const std::string& text) -> std::shared_ptr<const Topology> {
            return std::make_shared<TorusTopology>(Torus::parse(text));
          }};
}

}  // namespace odonata::network
