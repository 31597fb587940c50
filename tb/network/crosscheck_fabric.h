// SPDX-License-Identifier: Apache-2.0
// The cross-check of tori and fat-trees: what the two have in common, and each of them (docs/crosscheck.md §5).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "hw/fabric/switch_module.h"
#include "sim/network/config.h"
#include "sim/network/packet_watch.h"
#include "sim/network/simulation.h"
#include "sim/network/topology.h"
#include "sim/network/traffic_source.h"
#include "tb/network/crosscheck.h"
#include "tb/network/own_fabric_units.h"
#include "tb/network/packet_ways.h"

namespace odonata::network {
class FatTreeTopology;
}

namespace odonata::cosim {

/// `own`: route units of somebody else; null: none.
CrossCheckResult crosscheck_torus(const network::Config& config, uint64_t cycles, const std::string& plant,
                                  const std::function<bool(double)>& go_on, const OwnFabricUnits* own = nullptr);
CrossCheckResult crosscheck_fat_tree(const network::Config& config, uint64_t cycles, const std::string& plant,
                                     const std::function<bool(double)>& go_on, const OwnFabricUnits* own = nullptr);
/// add_random_faults() for them.
void add_torus_faults(network::Config& config, uint64_t cycles);
void add_fat_tree_faults(network::Config& config, uint64_t cycles);
/// Names of their planted bugs; a torus has others in three dimensions.
const std::vector<std::string>& torus_crosscheck_plants(int dimensions = 2);
const std::vector<std::string>& fat_tree_crosscheck_plants();

// ---- what the two share

/// The engine's steps; addresses are numbers of nodes.
class FabricEngineSide final : public network::PacketWatch {
 public:
  explicit FabricEngineSide(uint32_t end) : ways(end) {}
  void granted(const network::Flit& f, uint32_t cycle, uint32_t router, int in_port, int in_vc, int out_port,
               int out_vc, int credits) override;
  void delivered(const network::Flit& f, uint32_t cycle) override;
  void lost(const network::Flit& f, uint32_t cycle) override;
  Ways ways;
};

class FabricSide final : public fabric::Observer {
 public:
  explicit FabricSide(uint32_t end) : ways(end) {}
  void granted(const fabric::Flit& f, int64_t cycle, int router, int in_port, int in_vc, int out_port, int out_vc,
               int credits) override;
  void delivered(const fabric::Flit& f, int64_t cycle) override;
  void lost(const fabric::Flit& f, int64_t cycle) override;
  Ways ways;
};

/// The packets of the engine's traffic: only the processes of the nodes are shared with it.
template <class EngineSource>
class FabricTraffic final : public fabric::Source {
 public:
  FabricTraffic(const network::Config& c, EngineSource source)
      : source_(std::move(source)), vcs_(static_cast<uint32_t>(c.router.vcs)) {
    for (int n = 0; n < c.topology->nodes(); ++n)
      random_.emplace_back(mix_seed(c.seed, 0x6E6F6465, static_cast<uint64_t>(n)));
  }
  Packet next(int node, uint32_t before) override {
    const network::Packet p = source_.next(static_cast<uint32_t>(node), before, random_[static_cast<size_t>(node)]);
    return {p.born, p.dest, p.flits};
  }
  int first_vc(int node) override { return static_cast<int>(random_[static_cast<size_t>(node)].below(vcs_)); }

 private:
  EngineSource source_;
  uint32_t vcs_;
  std::vector<Random> random_;
};

/// Of a fat-tree, by number: "leaf (1,2)", "row 1 root 0".
std::string switch_name(const network::FatTreeTopology& topology, int number);
/// When switches of a tree know of a fault: ns, number of the switch.
using Updates = std::set<std::pair<int64_t, int>>;
/// Every switch has to know of every fault in the cycle that the golden manager says (`should`). The first before `end`
/// (ns) that does not, in words; empty: they all do.
std::string first_other_update(Updates should, Updates is, int64_t end);

/// The engine's configuration for the comparison; throws Error when it is of no use.
network::Config fabric_config(const network::Config& config, uint64_t cycles);
fabric::SwitchParameters data_path_of(const network::Config& config);

/// Runs the engine and then the SystemC network that `run` makes and runs: run(observer, go_on) returns whether it was
/// interrupted. What units of somebody else have answered then is in `answers`; a wrong answer is the only difference
/// that is told.
using FabricRun = std::function<bool(FabricSide& observer, const std::function<bool(double)>& go_on)>;
CrossCheckResult crosscheck_fabric(network::Config& config, uint64_t cycles, const WayNames& names,
                                   const std::function<bool(double)>& go_on, const FabricRun& run,
                                   const OwnRouteAnswers& answers);

/// Planted bugs of the data path, by name; null: no such.
using MakeSwitch = std::function<std::unique_ptr<fabric::SwitchModule>(
    const char* name, const fabric::SwitchParameters& parameters, int number,
    std::vector<fabric::SwitchModule::PortSetup> ports, fabric::Source& source, fabric::Observer& observer)>;
const std::map<std::string, MakeSwitch>& data_path_plants();
/// Throws Error: no such plant among `known`.
[[noreturn]] void refuse_plant(const std::string& plant, const std::vector<std::string>& known);

}  // namespace odonata::cosim
