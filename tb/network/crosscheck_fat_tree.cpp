// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "hw/common/own_kernel.h"
#include "hw/vtftr/fat_tree_module.h"
#include "models/common/error.h"
#include "sim/network/topologies/fat_tree.h"
#include "tb/network/crosscheck_fabric.h"
#include "tb/network/crosscheck_sides.h"
#include "tb/network/data_path_plants.h"

namespace odonata::cosim {

using network::Config;
using network::Reconfigure;
using vtftr::FatTreeMakers;
using vtftr::LeafId;

namespace {

vtftr::FatTreeNetworkParameters parameters_of(const Config& c) {
  const network::FatTreeTopology& topology = network::fat_tree_of(c);
  vtftr::FatTreeNetworkParameters p(topology.tree());
  p.mode.safe = c.faults.mode == fault::Mode::safe;
  p.mode.exclude = c.fat_tree.pick == network::Pick::by_mode ? p.mode.safe : c.fat_tree.pick == network::Pick::exclude;
  p.data_path = data_path_of(c);
  p.data_path.node_latency = c.link("node").latency;
  p.node_buffer = c.link("node").buffer;
  p.link_buffer = c.link("local").buffer;
  p.link_latency = c.link("local").latency;
  p.edges = static_cast<int>(c.fat_tree.ns_per_cycle);
  p.detect = c.fat_tree.detect;
  p.reports = c.fat_tree.reconfigure == Reconfigure::manager;
  p.manager.service = sc_core::sc_time(c.fat_tree.service, sc_core::SC_NS);
  for (const network::TimedFault& f : c.faults.events) {
    p.events.push_back({static_cast<int64_t>(f.cycle), f.fault.router.bid, !f.repair});
  }
  std::stable_sort(p.events.begin(), p.events.end(), [](const auto& a, const auto& b) { return a.cycle < b.cycle; });
  p.lfsr_seed = [seed = c.seed, ports = topology.wire(c).ports](int root, int port) {  // the engine's
    return network::FatTreeTopology::first_lfsr(seed, static_cast<uint64_t>(root * ports + port));
  };
  return p;
}

void check(const Config& c) {
  if (c.routing != "vtftr") throw Error("routing '" + c.routing + "' has no hardware, expected vtftr");
  constexpr int kLeastEdges = 5;  // of a root above 32 ports
  const int edges = static_cast<int>(c.fat_tree.ns_per_cycle);
  if (edges != c.fat_tree.ns_per_cycle || edges < kLeastEdges)
    throw Error("cross-check: ns_per_cycle is " + std::to_string(c.fat_tree.ns_per_cycle) +
                ", expected a whole number, 5 at least");
  if (c.fat_tree.detect < 2)
    throw Error("cross-check: detect is " + std::to_string(c.fat_tree.detect) + ", expected 2 at least");
  if (c.fat_tree.reconfigure != Reconfigure::manager && c.fat_tree.reconfigure != Reconfigure::never)
    throw Error("cross-check: --reconfigure manager or never");
}

// ---- planted bugs

/// The update unit does not pass messages on.
class NoFlood : public vtftr::UpdateModule {
 public:
  using UpdateModule::UpdateModule;

 protected:
  void take() override {
    UpdateModule::take();
    next().forward = false;
  }
};

/// A detector that does not debounce.
class HastyDetector : public vtftr::DetectModule {
 public:
  using DetectModule::DetectModule;

 protected:
  void sample() override {
    DetectModule::sample();
    next().detect = 0;
  }
};

/// The manager serves the reports of every root.
class NoFilter : public vtftr::ManagerModule {
 public:
  using ManagerModule::ManagerModule;

 protected:
  bool known(LeafId, bool) const override { return false; }
};

template <class Module>
auto make_module() {
  return [](auto&&... arguments) { return std::make_unique<Module>(std::forward<decltype(arguments)>(arguments)...); };
}

std::map<std::string, FatTreeMakers> make_plants() {
  std::map<std::string, FatTreeMakers> out;
  for (const auto& [name, make] : data_path_plants()) out[name].data_path = make;
  out["no-flood"].update = make_module<NoFlood>();
  out["hasty-detector"].detect = make_module<HastyDetector>();
  out["no-filter"].manager = make_module<NoFilter>();
  out["slow-manager"].manager = [](const char* name, const FatTree& tree, vtftr::ManagerModule::Timing timing) {
    timing.service += sc_core::sc_time(1, sc_core::SC_NS);
    return std::make_unique<vtftr::ManagerModule>(name, tree, timing);
  };
  out["deaf-leaf"].spoil_leaf = [](vtftr::LeafInputs& pins) { pins.fr = {}; };
  out["deaf-to-rails"].spoil_leaf = [](vtftr::LeafInputs& pins) { pins.row_down = pins.column_down = 0; };
  out["other-class"].spoil_leaf = [](vtftr::LeafInputs& pins) {
    pins.port_class = pins.port_class == 0 ? 0 : static_cast<uint8_t>(3 - pins.port_class);
  };
  out["no-mask"].spoil_root = [](vtftr::RootInputs& pins) { pins.mask = {}; };
  out["bounces"].spoil_root = [](vtftr::RootInputs& pins) { pins.exclude = !pins.exclude; };
  return out;
}

const std::map<std::string, FatTreeMakers>& plants() {
  static const std::map<std::string, FatTreeMakers> list = make_plants();
  return list;
}

// ---- the reconfigurations

/// Messages must not overtake each other: the epochs would drop the older one, which the golden model does not know.
void check_order(const std::map<int, std::vector<int64_t>>& by_switch) {
  constexpr int64_t kApart = 40;  // ns: more than a hop
  for (const auto& [number, times] : by_switch) {
    std::vector<int64_t> sorted = times;
    std::sort(sorted.begin(), sorted.end());
    for (size_t i = 1; i < sorted.size(); ++i)
      if (sorted[i] - sorted[i - 1] < kApart)
        throw Error("cross-check: the manager's messages come to switch " + std::to_string(number) + " within " +
                    std::to_string(kApart) + " ns, a longer --service keeps them apart");
  }
}

/// When which switch knows of which fault, by the golden manager's cycle model: (ns, switch).
Updates expected_updates(const Config& c, const vtftr::FatTreeNetworkParameters& p) {
  std::set<std::pair<int64_t, int>> out;
  if (!p.reports) return out;
  vtftr::ManagerTiming timing;
  timing.detect = c.fat_tree.detect;
  timing.service = c.fat_tree.service;
  timing.mask_form = true;
  std::vector<vtftr::LeafChange> story;
  std::map<int, int64_t> dead_roots;  // since when
  for (const auto& e : p.events) {
    if (e.number >= p.tree.num_leaves()) {
      dead_roots[e.number] = e.cycle * p.edges;
    } else {
      story.push_back({e.cycle * p.edges, {e.number % p.tree.columns(), e.number / p.tree.columns()}, e.dies});
    }
  }
  const std::vector<vtftr::ReconfigurationTimes> times = vtftr::by_manager_in_time(p.tree, story, timing);
  std::map<int, std::vector<int64_t>> by_switch;
  for (size_t i = 0; i < story.size(); ++i) {
    const auto add = [&](int64_t when, int number) {
      if (when == vtftr::kNever) return;
      const int64_t ns = story[i].ns + when;
      if (const auto dead = dead_roots.find(number); dead != dead_roots.end() && dead->second < ns) return;
      out.insert({ns, number});
      by_switch[number].push_back(ns);
    };
    const auto add_all = [&](const vtftr::Reach& t) {
      for (int leaf = 0; leaf < p.tree.num_leaves(); ++leaf) add(t.leaf[static_cast<size_t>(leaf)], leaf);
      for (int d : {vtftr::kRow, vtftr::kColumn}) {
        for (size_t line = 0; line < t.line[d].size(); ++line)
          for (int rail = 0; rail < p.tree.u(); ++rail)
            add(t.line[d][line], network::fat_tree_of(c).root_router(d, static_cast<int>(line), rail));
      }
    };
    add_all(times[i]);
    for (const vtftr::Reach& t : times[i].again) add_all(t);
  }
  check_order(by_switch);
  return out;
}

}  // namespace

std::string first_other_update(Updates should, Updates is, int64_t end) {
  should.erase(should.lower_bound({end, 0}), should.end());
  is.erase(is.lower_bound({end, 0}), is.end());
  if (should == is) return {};
  const auto first = [](const auto& a, const auto& b) {
    const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    (void)y;
    return x == a.end() ? std::string("nothing more")
                        : "switch " + std::to_string(x->second) + " at " + std::to_string(x->first) + " ns";
  };
  return "Reconfiguration: the golden manager has " + first(should, is) + ", SystemC: " + first(is, should);
}

std::string switch_name(const network::FatTreeTopology& topology, int number) {
  const auto s = topology.at(number);
  if (s.leaf) return "leaf " + vtftr::leaf_name(topology.tree(), number);
  return vtftr::dimension_name(s.dimension) + " " + std::to_string(s.line) + " root " + std::to_string(s.rail);
}

const std::vector<std::string>& fat_tree_crosscheck_plants() {
  static const std::vector<std::string> names = plant_names(plants());
  return names;
}

/// Up to three leaves, one after the other, far enough apart for a reconfiguration of small trees; with more than one
/// rail a root beside them; and in a long run the first leaf comes back.
void add_fat_tree_faults(Config& config, uint64_t cycles) {
  constexpr uint64_t kApart = 320;
  Random random = random_of_faults(config);
  std::vector<fault::Fault> taken;
  uint64_t cycle = std::max<uint64_t>(cycles / 8, 1);
  for (int k = 0; k < 3 && cycle < cycles; ++k) {
    taken.push_back(config.topology->parse_faults("random-leaves:1", random, taken).front());
    config.faults.events.push_back({taken.back(), false, cycle});
    cycle += std::max(cycles / 4, kApart) + random.below(16);
  }
  const network::FatTreeTopology& topology = network::fat_tree_of(config);
  const FatTree& tree = topology.tree();
  const auto below = [&random](int n) { return static_cast<int>(random.below(static_cast<uint32_t>(n))); };
  if (tree.u() > 1) {
    const int d = below(2), line = below(tree.num_lines(d)), rail = below(tree.u());
    const int root = topology.root_router(d, line, rail);
    config.faults.events.push_back(
        {{.is_router = true, .router = {0, root}}, false, 1 + random.below(static_cast<uint32_t>(cycles))});
  }
  const uint64_t back = cycles / 8 + fabric_config(config, cycles).least_dead_time() + random.below(64);
  if (!taken.empty() && back + kApart < cycles) config.faults.events.push_back({taken.front(), true, back});
}

CrossCheckResult crosscheck_fat_tree(const Config& config, uint64_t cycles, const std::string& plant,
                                     const std::function<bool(double)>& go_on, const OwnFabricUnits* own) {
  check(config);
  Config c = fabric_config(config, cycles);
  FatTreeMakers makers = makers_with(plant, plants());
  OwnRouteAnswers answers;
  if (own != nullptr) own->put_into(makers, answers);
  const network::FatTreeTopology& topology = network::fat_tree_of(c);
  const vtftr::FatTreeNetworkParameters parameters = parameters_of(c);
  const WayNames names{[&](uint32_t n) { return switch_name(topology, static_cast<int>(n)); },
                       [](uint32_t n) { return std::to_string(n); }};
  const Updates updates = expected_updates(c, parameters);
  std::string reconfiguration;
  uint64_t services = 0, messages = 0;
  const SystemcRun run = [&](SystemcSide& observer, const std::function<bool(double)>& ask) {
    SharedTraffic traffic(c, network::FatTreeTopology::source(c, c.topology->wire(c)));
    hw::OwnKernel kernel;
    const hw::OwnKernel::Scope scope(kernel);
    vtftr::FatTreeModule network("network", parameters, traffic, observer, makers);
    if (run_cycles(network, network.period(), cycles, ask, answers)) return true;
    if (!answers.difference.empty()) return false;
    services = network.manager().served();
    messages = network.updated().size();
    if (!parameters.reports) return false;
    Updates is;
    for (const auto& u : network.updated()) is.insert({u.ns, u.number});
    reconfiguration = first_other_update(updates, is, static_cast<int64_t>(cycles) * parameters.edges);
    return false;
  };
  CrossCheckResult out = crosscheck_ways(c, cycles, names, go_on, run, answers);
  if (!reconfiguration.empty()) out.difference.push_back(reconfiguration);
  out.services = services;
  out.messages = messages;
  return out;
}

}  // namespace odonata::cosim
