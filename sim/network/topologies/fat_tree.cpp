// SPDX-License-Identifier: Apache-2.0
#include "sim/network/topologies/fat_tree.h"

#include <algorithm>
#include <charconv>

#include "models/common/error.h"
#include "models/vtftr/knowledge.h"
#include "sim/network/parameters.h"

namespace odonata::network {

namespace {

bool fails(const Config& config, int leaf) {
  return std::any_of(config.faults.events.begin(), config.faults.events.end(), [&](const TimedFault& f) { return f.fault.router.bid == leaf; });
}

std::string numbered(const Config& config) {
  return config.trace || config.traffic == "ur" || config.traffic == "alive" ? "uniform" : config.traffic;
}

}  // namespace

FatTreePattern::FatTreePattern(const Config& config, const FatTree& tree)
    : numbered_(traffic::NodePattern::parse(tree.num_nodes(), numbered(config), config.seed)) {
  if (config.trace || config.traffic != "alive") return;
  for (int leaf = 0; leaf < tree.num_leaves(); ++leaf) {
    if (fails(config, leaf)) continue;
    for (int i = 0; i < tree.p(); ++i) alive_.push_back(tree.node(leaf, i));
  }
  if (alive_.size() < 2) throw Error("network: traffic 'alive' needs two nodes whose leaves do not fail");
}

FatTreeTopology::FatTreeTopology(const FatTree& tree) : tree_(tree) {
  if (tree.dimensions() != 2) throw Error(tree.name() + ": the network has fat-trees of two dimensions only");
  for (int node = 0; node < tree.num_nodes(); ++node) {
    const int leaf = node / tree.p();
    where_.push_back({static_cast<uint8_t>(leaf % tree.columns()), static_cast<uint8_t>(leaf / tree.columns()), static_cast<uint8_t>(node % tree.p()),
                      static_cast<uint8_t>(tree.rail(node))});
  }
}

FatTreeTopology::Switch FatTreeTopology::at(int router) const {
  if (router < tree_.num_leaves()) return {.leaf = true, .x = router % tree_.columns(), .y = router / tree_.columns()};
  const int root = router - tree_.num_leaves(), line = root / tree_.u();
  const bool row = line < tree_.rows();
  return {.dimension = row ? 0 : 1, .line = row ? line : line - tree_.rows(), .rail = root % tree_.u()};
}

void FatTreeTopology::set_defaults(Config& config) const {
  config.routing = "vtftr";
  config.traffic = "uniform";
}

void FatTreeTopology::check(const Config& config) const {
  for (const LinkClass& l : config.links) check_range("depth of '" + l.name + "'", l.buffer, 1, 32'768);
  check_range("local_latency", config.link("local").latency, 1, 255);
  if (config.router.switching == Switching::cut_through && config.router.packet_flits() > config.link("local").buffer) {
    throw Error("network: a packet of " + std::to_string(config.router.packet_flits()) + " flits does not fit into a buffer of " +
                std::to_string(config.link("local").buffer));
  }
  std::vector<TimedFault> events = config.faults.events;
  std::stable_sort(events.begin(), events.end(), [](const TimedFault& a, const TimedFault& b) { return a.cycle < b.cycle; });
  vtftr::FaultSet dead(tree_);
  for (const TimedFault& e : events) {
    const int x = e.fault.router.bid % tree_.columns(), y = e.fault.router.bid / tree_.columns();
    const std::string leaf = "leaf:" + std::to_string(x) + "," + std::to_string(y);
    if (dead.test(x, y) != e.repair) throw Error(leaf + (e.repair ? " is repaired and has not failed" : " fails twice"));
    dead.set({x, y}, !e.repair);
    if (dead.count() == tree_.num_leaves()) throw Error("--fail: no leaf switch is left alive");
  }
}

void FatTreeTopology::check_traffic(const Config& config) const { FatTreePattern(config, tree_); }

bool FatTreeTopology::has(ParameterGroup group) const { return group == ParameterGroup::faults || group == ParameterGroup::fat_tree; }

PortWire FatTreeTopology::wire_port(const Config& config, int router, int port) const {
  PortWire w;
  const Switch s = at(router);
  const auto set_link = [&](int peer, int peer_port) {
    w.kind = LinkKind::inside;
    w.port_class = 1;
    w.peer = static_cast<uint32_t>(peer);
    w.peer_port = static_cast<uint8_t>(peer_port);
    w.latency = static_cast<uint16_t>(config.links[1].latency);
    w.buffer = static_cast<uint16_t>(config.links[1].buffer);
  };
  if (s.leaf && port < tree_.p()) {
    w.kind = LinkKind::node;
    w.buffer = static_cast<uint16_t>(config.links[0].buffer);
    w.peer = w.address = static_cast<uint32_t>(tree_.node(tree_.leaf(s.x, s.y), port));
  } else if (s.leaf && port < tree_.leaf_ports()) {
    const FatTree::LeafPort up = tree_.leaf_port(port);
    set_link(root_router(up.dimension, up.dimension == 0 ? s.y : s.x, up.rail), up.dimension == 0 ? s.x : s.y);
  } else if (s.dimension >= 0 && port < tree_.size(s.dimension)) {
    set_link(s.dimension == 0 ? tree_.leaf(port, s.line) : tree_.leaf(s.line, port), tree_.uplink(s.dimension, s.rail));
  }
  return w;
}

Wiring FatTreeTopology::wire(const Config& config) const {
  Wiring out{1, routers(), std::max({tree_.leaf_ports(), tree_.columns(), tree_.rows()}), tree_.num_nodes(), {}};
  out.wire.reserve(static_cast<size_t>(out.domains) * static_cast<size_t>(out.routers) * static_cast<size_t>(out.ports));
  for (int r = 0; r < out.domains * out.routers; ++r) {
    for (int port = 0; port < out.ports; ++port) out.wire.push_back(wire_port(config, r, port));
  }
  return out;
}

std::vector<fault::Fault> FatTreeTopology::parse_faults(std::string_view text, Random& random, const std::vector<fault::Fault>& taken) const {
  const auto number = [](std::string_view word, int& value) {
    const auto [next, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error == std::errc{} && next == word.data() + word.size();
  };
  std::vector<fault::Fault> out;
  constexpr std::string_view kRandom = "random-leaves:", kLeaf = "leaf:";
  if (text.starts_with(kRandom)) {
    int wanted = 0;
    if (!number(text.substr(kRandom.size()), wanted) || wanted < 1 || wanted + static_cast<int>(taken.size()) >= tree_.num_leaves())
      throw Error("--fail '" + std::string(text) + "': expected random-leaves:N with fewer than the leaf switches");
    while (static_cast<int>(out.size()) < wanted) {
      const fault::Fault f{.is_router = true, .router = {0, static_cast<int>(random.below(static_cast<uint32_t>(tree_.num_leaves())))}};
      const auto has = [&f](const std::vector<fault::Fault>& list) { return std::find(list.begin(), list.end(), f) != list.end(); };
      if (!has(taken) && !has(out)) out.push_back(f);
    }
    return out;
  }
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(';', begin), text.size());
    const std::string_view item = text.substr(begin, end - begin);
    const size_t comma = item.find(',');
    int x = 0, y = 0;
    if (!item.starts_with(kLeaf) || comma == std::string_view::npos || !number(item.substr(kLeaf.size(), comma - kLeaf.size()), x) ||
        !number(item.substr(comma + 1), y))
      throw Error("fault '" + std::string(item) + "' is unknown on a fat-tree, expected leaf:X,Y or random-leaves:N");
    vtftr::FaultSet(tree_).set({x, y});  // inside the grid
    out.push_back({.is_router = true, .router = {0, tree_.leaf(x, y)}});
    begin = end + 1;
  }
  return out;
}

PatternSource<FatTreePattern> FatTreeTopology::source(const Config& config, const Wiring& wiring) {
  return {config, wiring, FatTreePattern(config, fat_tree_of(config).tree())};
}

Config on_fat_tree(const FatTree& tree) { return Config(std::make_shared<FatTreeTopology>(tree)); }

const FatTreeTopology& fat_tree_of(const Config& config) {
  const auto* found = dynamic_cast<const FatTreeTopology*>(config.topology.get());
  if (found == nullptr) throw Error("network: " + config.topology->name() + " is no fat-tree");
  return *found;
}

TopologyKind topology_fat_tree() {
  return {"fat_tree", "NxMxPxU", "columns, rows, nodes a leaf, rails", [](const std::string& text) -> std::shared_ptr<const Topology> {
            std::string numbers = text;
            std::replace(numbers.begin(), numbers.end(), 'x', ',');
            return std::make_shared<FatTreeTopology>(
                text == "tiny" || text == "small" || text == "paper" || text == "full" ? FatTree::named(text) : FatTree::parse(numbers));
          }};
}

}  // namespace odonata::network
