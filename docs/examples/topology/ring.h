// SPDX-License-Identifier: Apache-2.0
// A ring of routers, one node each, as a topology of the engine (sim/network/topology.h). Ports of a router: 0 to the
// next one, 1 to the one before, 2 to the node.
#pragma once

#include "models/traffic/node_pattern.h"
#include "sim/network/topology.h"
#include "sim/network/traffic_source.h"

class Ring final : public odonata::network::Topology {
 public:
  using Config = odonata::network::Config;
  using Pattern = odonata::traffic::NodePattern;

  explicit Ring(int routers) : routers_(routers) {}
  std::string kind() const override { return "ring"; }
  std::string name() const override { return "ring of " + std::to_string(routers_); }
  int nodes() const override { return routers_; }
  std::vector<odonata::network::LinkClass> link_classes() const override { return {{"node", 0, 8}, {"link", 1, 8}}; }
  int longest_way() const override { return routers_ / 2; }
  void set_defaults(Config& config) const override {
    config.routing = "dateline";
    config.traffic = "uniform";
    config.router.phases = 1;
  }
  void check(const Config& config) const override;
  void check_traffic(const Config& config) const override { pattern(config); }
  odonata::network::Wiring wire(const Config& config) const override;
  /// Who sends to whom; the engine that make_engine() compiles asks for it.
  static odonata::network::PatternSource<Pattern> source(const Config& config, const odonata::network::Wiring& wiring) {
    return {config, wiring, pattern(config)};
  }

 private:
  static Pattern pattern(const Config& config) {
    return Pattern::parse(config.topology->nodes(), config.trace ? "uniform" : config.traffic, config.seed);
  }
  int routers_;
};

/// From "16". Throws Error.
std::shared_ptr<const odonata::network::Topology> parse_ring(const std::string& text);
