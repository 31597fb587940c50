// SPDX-License-Identifier: Apache-2.0
// A ring of routers, one node each, as a topology of the engine: one domain, ports 0 to the next router, 1 to the one before, 2 to the node; port
// classes "node" and "link" with buffers in flits.
#pragma once

#include "models/traffic/node_pattern.h"
#include "sim/network/topology.h"
#include "sim/network/traffic_source.h"

namespace odonata::network {

class RingTopology final : public Topology {
 public:
  explicit RingTopology(int routers) : routers_(routers) {}

  std::string kind() const override { return "ring"; }
  std::string name() const override { return "ring of " + std::to_string(routers_); }
  int nodes() const override { return routers_; }
  std::vector<LinkClass> link_classes() const override { return {{"node", 0, 8}, {"link", 1, 8}}; }
  void set_defaults(Config& config) const override;
  void check(const Config& config) const override;
  void check_traffic(const Config& config) const override { traffic::NodePattern::parse(routers_, config.traffic, config.seed); }
  Wiring wire(const Config& config) const override;

  static PatternSource<traffic::NodePattern> source(const Config& config, const Wiring& wiring);

 private:
  int routers_;
};

}  // namespace odonata::network
