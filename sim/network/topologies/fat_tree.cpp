// SPDX-License-Identifier: Apache-2.0
#include "sim/network/topologies/fat_tree.h"

#include <algorithm>
#include <charconv>

#include "models/common/error.h"
#include "sim/network/parameters.h"

namespace odonata::network {

using vtftr::TreeFault;

namespace {

bool fails(const Config& config, int leaf) {
  return std::any_of(config.faults.events.begin(), config.faults.events.end(),
                     [&](const TimedFault& f) { return f.fault.is_router && f.fault.router.bid == leaf; });
}

/// What is a pattern of numbered nodes of the traffic.
traffic::NodePattern numbered(const Config& config, int nodes) {
  const bool uniform = config.trace || config.traffic == "ur" || config.traffic == "alive";
  try {
    return traffic::NodePattern::parse(nodes, uniform ? "uniform" : config.traffic, config.seed);
  } catch (const Error& e) {
    throw Error(std::string(e.what()) + ", or alive");
  }
}

}  // namespace

bool of_turn_leaf(const Parameter& parameter) { return parameter.name == "turn-leaf"; }

bool of_misroutes(const Parameter& parameter) { return parameter.name == "pick" || parameter.name == "mode"; }

bool of_tree_faults(const Parameter& parameter) {
  const bool of_manager = parameter.name == "reconfigure" || parameter.name == "detect" || parameter.name == "service";
  return of_turn_leaf(parameter) || of_misroutes(parameter) || of_manager;
}

FatTreePattern::FatTreePattern(const Config& config, const FatTree& tree)
    : numbered_(numbered(config, tree.num_nodes())) {
  if (config.trace || config.traffic != "alive") return;
  for (int leaf = 0; leaf < tree.num_leaves(); ++leaf) {
    if (fails(config, leaf)) continue;
    for (int i = 0; i < tree.p(); ++i) alive_.push_back(tree.node(leaf, i));
  }
  if (alive_.size() < 2) throw Error("network: traffic 'alive' needs two nodes whose leaves do not fail");
}

FatTreeTopology::FatTreeTopology(const FatTree& tree) : tree_(tree) {
  constexpr int kAddresses = 1 << 18;
  if (tree.num_nodes() > kAddresses)
    throw Error(tree.name() + ": " + std::to_string(tree.num_nodes()) + " nodes, the network has addresses for " +
                std::to_string(kAddresses));
  for (int node = 0; node < tree.num_nodes(); ++node) {
    const FatTree::Point at = tree.point(node / tree.p());
    where_.push_back({static_cast<uint8_t>(at[0]), static_cast<uint8_t>(at[1]), static_cast<uint8_t>(node % tree.p()),
                      static_cast<uint8_t>(tree.rail(node))});
  }
  first_root_[0] = tree.num_leaves();
  for (int d = 1; d < tree.dimensions(); ++d)
    first_root_[static_cast<size_t>(d)] = first_root_[static_cast<size_t>(d) - 1] + tree.num_lines(d - 1) * tree.u();
}

FatTreeTopology::Switch FatTreeTopology::at(int router) const {
  if (router < tree_.num_leaves()) {
    const FatTree::Point at = tree_.point(router);
    return {.leaf = true, .x = at[0], .y = at[1]};
  }
  int d = tree_.dimensions() - 1;
  while (router < first_root_[static_cast<size_t>(d)]) --d;
  const int root = router - first_root_[static_cast<size_t>(d)];
  return {.dimension = d, .line = root / tree_.u(), .rail = root % tree_.u()};
}

TreeFault FatTreeTopology::tree_fault(const fault::Fault& f) const {
  const int router = f.router.bid;
  if (!f.is_router) {
    const FatTree::LeafPort up = tree_.leaf_port(f.port);
    return {.kind = TreeFault::Kind::link, .leaf = router, .dimension = up.dimension, .rail = up.rail};
  }
  if (router < tree_.num_leaves()) return {.leaf = router};
  const Switch s = at(router);
  return {.kind = TreeFault::Kind::root, .dimension = s.dimension, .line = s.line, .rail = s.rail};
}

fault::Fault FatTreeTopology::engine_fault(const TreeFault& f) const {
  if (f.kind == TreeFault::Kind::link)
    return {.is_router = false, .router = {0, f.leaf}, .port = tree_.uplink(f.dimension, f.rail)};
  return {.is_router = true,
          .router = {0, f.kind == TreeFault::Kind::leaf ? f.leaf : root_router(f.dimension, f.line, f.rail)}};
}

void FatTreeTopology::set_defaults(Config& config) const {
  config.routing = tree_.dimensions() == 2 ? "vtftr" : "vtftr_k";
  config.traffic = "uniform";
}

void FatTreeTopology::check(const Config& config) const {
  for (const LinkClass& l : config.links) check_range("depth of '" + l.name + "'", l.buffer, 1, 32'768);
  check_range("local_latency", config.link("local").latency, 1, 255);
  check_whole_packets(config, config.link("local").buffer);
  std::vector<TimedFault> events = config.faults.events;
  std::stable_sort(events.begin(), events.end(),
                   [](const TimedFault& a, const TimedFault& b) { return a.cycle < b.cycle; });
  std::vector<TreeFault> dead;
  for (const TimedFault& e : events) {
    const TreeFault f = tree_fault(e.fault);
    const auto found = std::find(dead.begin(), dead.end(), f);
    const std::string name = vtftr::to_string(tree_, f);
    if ((found != dead.end()) != e.repair)
      throw Error(name + (e.repair ? " is repaired and has not failed" : " fails twice"));
    e.repair ? void(dead.erase(found)) : dead.push_back(f);
    if (std::count_if(dead.begin(), dead.end(), [](const TreeFault& d) { return d.kind == TreeFault::Kind::leaf; }) ==
        tree_.num_leaves())
      throw Error("--fail: no leaf switch is left alive");
  }
}

void FatTreeTopology::check_traffic(const Config& config) const { FatTreePattern(config, tree_); }

bool FatTreeTopology::has(ParameterGroup group) const {
  return group == ParameterGroup::faults || group == ParameterGroup::fat_tree;
}

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
    w.peer = w.address = static_cast<uint32_t>(tree_.node(router, port));
  } else if (s.leaf && port < tree_.leaf_ports()) {
    const FatTree::LeafPort up = tree_.leaf_port(port);
    const int leaf = router;
    set_link(root_router(up.dimension, tree_.line(leaf, up.dimension), up.rail),
             tree_.point(leaf)[static_cast<size_t>(up.dimension)]);
  } else if (s.dimension >= 0 && port < tree_.size(s.dimension)) {
    set_link(tree_.leaf_of_line(s.dimension, s.line, port), tree_.uplink(s.dimension, s.rail));
  }
  return w;
}

Wiring FatTreeTopology::wire(const Config& config) const {
  int ports = tree_.leaf_ports();
  for (int d = 0; d < tree_.dimensions(); ++d) ports = std::max(ports, tree_.size(d));
  Wiring out{1, routers(), ports, tree_.num_nodes(), {}};
  out.wire.reserve(static_cast<size_t>(out.domains) * static_cast<size_t>(out.routers) *
                   static_cast<size_t>(out.ports));
  for (int r = 0; r < out.domains * out.routers; ++r) {
    for (int port = 0; port < out.ports; ++port) out.wire.push_back(wire_port(config, r, port));
  }
  return config.domains > 1 ? cut(out, domains_of_switches(config.domains)) : out;
}

/// Beyond 65,536 ports (paper size: 36,864) pieces of about 2,300, which stay in the cache for a step of six cycles,
/// are 1.5 times as fast.
int FatTreeTopology::domains() const {
  int ports = tree_.leaf_ports();
  for (int d = 0; d < tree_.dimensions(); ++d) ports = std::max(ports, tree_.size(d));
  return routers() * ports > 65'536 ? routers() * ports / 2304 : 1;
}

std::vector<int> FatTreeTopology::domains_of_switches(int domains) const {
  std::vector<int> out = in_runs(tree_.num_leaves(), domains);
  for (int r = tree_.num_leaves(); r < routers(); ++r) {
    const Switch s = at(r);
    out.push_back(out[static_cast<size_t>(
        tree_.leaf_of_line(s.dimension, s.line, s.rail * tree_.size(s.dimension) / tree_.u()))]);
  }
  return out;
}

std::vector<fault::Fault> FatTreeTopology::parse_faults(std::string_view text, Random& random,
                                                        const std::vector<fault::Fault>& taken) const {
  const bool leaves = text.starts_with("random-leaves:"), links = text.starts_with("random-links:");
  std::vector<fault::Fault> out;
  if (!leaves && !links && text.starts_with("random-"))
    throw Error("fault '" + std::string(text) + "': expected random-leaves:N or random-links:N");
  if (!leaves && !links) {
    for (const TreeFault& f : vtftr::parse_tree_faults(tree_, text)) out.push_back(engine_fault(f));
    return out;
  }
  const std::string_view number = text.substr(text.find(':') + 1);
  const int uplinks = tree_.dimensions() * tree_.u(), all = tree_.num_leaves() * (leaves ? 1 : uplinks);
  const auto same_kind = [&](const fault::Fault& f) {
    return leaves ? f.is_router && f.router.bid < tree_.num_leaves() : !f.is_router;
  };
  const auto left = all - static_cast<int>(std::count_if(taken.begin(), taken.end(), same_kind));
  int wanted = 0;
  const auto [next, error] = std::from_chars(number.data(), number.data() + number.size(), wanted);
  if (error != std::errc{} || next != number.data() + number.size() || wanted < 1 || wanted >= left)
    throw Error("--fail '" + std::string(text) + "': expected a number, fewer than the " + std::to_string(left) +
                (leaves ? " leaf switches" : " links") + " that have not failed");
  while (static_cast<int>(out.size()) < wanted) {
    const int at = static_cast<int>(random.below(static_cast<uint32_t>(all)));
    const fault::Fault f =
        leaves ? fault::Fault{.is_router = true, .router = {0, at}}
               : fault::Fault{.is_router = false, .router = {0, at / uplinks}, .port = tree_.p() + at % uplinks};
    const auto has = [&f](const std::vector<fault::Fault>& list) {
      return std::find(list.begin(), list.end(), f) != list.end();
    };
    if (!has(taken) && !has(out)) out.push_back(f);
  }
  return out;
}

std::string FatTreeTopology::fault_name(const fault::Fault& fault) const {
  return vtftr::to_string(tree_, tree_fault(fault));
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
  return {"fat_tree", "NxMxPxU", "columns, rows, nodes a leaf, rails; more dimensions: more sizes in front",
          [](const std::string& text) -> std::shared_ptr<const Topology> {
            std::string numbers = text;
            if (text.find(',') == std::string::npos) std::replace(numbers.begin(), numbers.end(), 'x', ',');
            return std::make_shared<FatTreeTopology>(FatTree::parse(numbers));
          }};
}

}  // namespace odonata::network
