// SPDX-License-Identifier: Apache-2.0
// The fat-tree (models/topology/fat_tree.h) as a topology of the engine (docs/vtftr.md §6). Routers: leaves by number,
// row roots, column roots, ... Addresses are numbers of nodes; port classes "node" and "local", buffers in flits; a
// cycle is 5 ns.
#pragma once

#include "models/topology/fat_tree.h"
#include "models/traffic/node_pattern.h"
#include "models/vtftr/tree_faults.h"
#include "sim/network/topology.h"
#include "sim/network/traffic_source.h"

namespace odonata::network {

struct Parameter;

/// A pattern of models/traffic/node_pattern.h, or "alive": every other node equally likely whose leaf does not fail in
/// this run.
class FatTreePattern {
 public:
  FatTreePattern(const Config& config, const FatTree& tree);
  int destination(int source, Random& random) const {
    if (alive_.empty()) return numbered_.destination(source, random);
    for (;;) {
      const int to = alive_[random.below(static_cast<uint32_t>(alive_.size()))];
      if (to != source) return to;
    }
  }

 private:
  traffic::NodePattern numbered_;
  std::vector<int> alive_;  // empty: the other pattern
};

class FatTreeTopology final : public Topology {
 public:
  /// Throws Error when addresses have not room for its nodes.
  explicit FatTreeTopology(const FatTree& tree);
  const FatTree& tree() const { return tree_; }

  /// Where a node is; x and y of two dimensions.
  struct Where {
    uint8_t x = 0, y = 0, node = 0, rail = 0;
  };
  const Where& where(uint32_t node) const { return where_[node]; }
  /// A router of the engine: a leaf or a root.
  struct Switch {
    bool leaf = false;
    int x = 0, y = 0;                        ///< of a leaf
    int dimension = -1, line = 0, rail = 0;  ///< of a root
  };
  Switch at(int router) const;
  int root_router(int dimension, int line, int rail) const {
    return first_root_[static_cast<size_t>(dimension)] + line * tree_.u() + rail;
  }
  /// The LFSR of a root's port at the start, of the ports of all roots (docs/network.md §5).
  static uint16_t first_lfsr(uint64_t seed, uint64_t root_port) {
    return static_cast<uint16_t>(1 + mix_seed(seed, 0x726F6F74, root_port) % 0xFFFF);
  }
  /// What a fault of the engine means: a router is a leaf or a root, a link is named by its leaf.
  vtftr::TreeFault tree_fault(const fault::Fault& fault) const;
  int routers() const { return tree_.num_leaves() + tree_.num_roots(); }

  std::string kind() const override { return "fat_tree"; }
  std::string name() const override { return tree_.name(); }
  int nodes() const override { return tree_.num_nodes(); }
  std::vector<LinkClass> link_classes() const override { return {{"node", 0, 32}, {"local", 5, 32}}; }
  void set_defaults(Config& config) const override;
  void check(const Config& config) const override;
  void check_traffic(const Config& config) const override;
  bool has(ParameterGroup group) const override;
  Wiring wire(const Config& config) const override;
  int domains() const override;
  /// vtftr::parse_tree_faults(); "random-leaves:N", "random-links:N".
  std::vector<fault::Fault> parse_faults(std::string_view text, Random& random,
                                         const std::vector<fault::Fault>& taken) const override;
  std::string fault_name(const fault::Fault& fault) const override;

  static PatternSource<FatTreePattern> source(const Config& config, const Wiring& wiring);

 private:
  PortWire wire_port(const Config& config, int router, int port) const;
  fault::Fault engine_fault(const vtftr::TreeFault& fault) const;
  /// Leaves in runs; a root is where one of its leaves is, the roots of a line spread over all of them.
  std::vector<int> domains_of_switches(int domains) const;

  FatTree tree_;
  std::array<int, FatTree::kMaxDimensions> first_root_{};
  std::vector<Where> where_;
};

/// A run on a fat-tree.
Config on_fat_tree(const FatTree& tree);
/// The fat-tree of a run; throws Error when it is on something else.
const FatTreeTopology& fat_tree_of(const Config& config);

/// Routing::ignores of those that have no turn leaf.
bool of_turn_leaf(const Parameter& parameter);
/// .. of FT-A, which misroutes by its turn leaf alone.
bool of_misroutes(const Parameter& parameter);
/// .. of dimension order, which knows no fault.
bool of_tree_faults(const Parameter& parameter);

}  // namespace odonata::network
