// SPDX-License-Identifier: Apache-2.0
// The torus with faulty nodes and links as a topology of the engine (docs/torus.md §12): one node a router whose
// address is the router's number (x fastest). Ports 0 x+, 1 x-, 2 y+, 3 y-, 4 the node; of three dimensions 4 z+, 5 z-,
// 6 the node. Faults are fault::Fault with bid = router and gid = 0; a link is named by the router whose + port it is.
#pragma once

#include <algorithm>

#include "models/torus/fault_map.h"
#include "models/traffic/mesh_pattern.h"
#include "sim/network/topology.h"
#include "sim/network/traffic_source.h"

namespace odonata::network {

/// Who sends to whom among the routers that faults leave healthy from the start.
class TorusPattern {
 public:
  /// "uniform" (every other healthy node equally likely), or a permutation of traffic::MeshPattern over the same
  /// coordinates. Throws Error.
  TorusPattern(const torus::FaultMap& map, const std::string& text, uint64_t seed);
  int destination(int source, Random& random) const {
    if (base_.kind() != traffic::MeshPattern::Kind::uniform) return base_.destination(source, random);
    const int i = static_cast<int>(random.below(static_cast<uint32_t>(healthy_.size() - 1)));
    return healthy_[static_cast<size_t>(i + (i >= place_[static_cast<size_t>(source)]))];
  }
  /// False for a disabled node, and for one whose partner is disabled.
  bool sends(int node) const { return sends_[static_cast<size_t>(node)] != 0; }

 private:
  traffic::MeshPattern base_;
  std::vector<int> healthy_, place_;  // nodes; the place of each among them
  std::vector<uint8_t> sends_;
};

/// The nodes that send, at their load; of a trace the packets of all healthy nodes. With FaultPlan::live_traffic no
/// packet is for a node that is dead or marked in the cycle of its creation.
class TorusSource {
 public:
  TorusSource(const Config& config, const Wiring& wiring, const torus::FaultMap& map, const TorusPattern& pattern);
  [[gnu::always_inline]] Packet next(uint32_t node, uint32_t before, Random& random) const {
    if (!sends_[node]) [[unlikely]]
      return {PatternSource<TorusPattern>::kLast, 0, 1};
    Packet p = all_.next(node, before, random);
    if (!down_.empty()) [[unlikely]] {
      while (p.born <= end_ && p.born >= down_[p.dest]) p = all_.next(node, p.born, random);
    }
    return p;
  }
  const std::vector<uint32_t>& addresses() const { return all_.addresses(); }

 private:
  std::vector<uint8_t> sends_;
  std::vector<uint32_t> down_;  // by node: first cycle without it; empty: packets are for anybody
  uint64_t end_;                // of the run, at the latest
  PatternSource<TorusPattern> all_;
};

class TorusTopology final : public Topology {
 public:
  explicit TorusTopology(const Torus& torus);
  const Torus& torus() const { return torus_; }

  std::string kind() const override { return "torus"; }
  std::string name() const override { return "torus " + torus_.name(); }
  int nodes() const override { return torus_.nodes(); }
  std::vector<LinkClass> link_classes() const override { return {{"node", 1, 128}, {"local", 1, 128}}; }
  int longest_way() const override { return std::max(torus_.nodes(), Topology::longest_way()); }
  void set_defaults(Config& config) const override;
  void check(const Config& config) const override;
  void check_traffic(const Config& config) const override;
  bool has(ParameterGroup group) const override;
  bool faults_stand() const override { return true; }
  Wiring wire(const Config& config) const override;
  std::vector<fault::Fault> parse_faults(std::string_view text, Random& random,
                                         const std::vector<fault::Fault>& taken) const override;
  std::string fault_name(const fault::Fault& fault) const override;

  static TorusSource source(const Config& config, const Wiring& wiring);

 private:
  Torus torus_;
};

/// A run on a torus with the defaults of DWZ §4.
Config on_torus(const Torus& torus);
/// The torus of a run; throws Error when it is on something else.
const Torus& torus_of(const Config& config);
/// Throws Error unless the torus has two dimensions: for routings of the plane.
void check_plane(const Config& config);
/// The faults of a run as the models have them.
torus::Faults torus_faults(const std::vector<fault::Fault>& faults);
/// Regions of the faults that are there from the start.
torus::FaultMap standing_map(const Config& config);

}  // namespace odonata::network
