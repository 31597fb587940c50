// SPDX-License-Identifier: Apache-2.0
// Any network (models/topology/graph.h) as a topology of the engine: a switch is a router, the links have latencies of
// their own, port classes "node" and "link" with buffers in flits, traffic of models/traffic/node_pattern.h.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>

#include "models/topology/graph.h"
#include "models/traffic/node_pattern.h"
#include "sim/network/topology.h"
#include "sim/network/traffic_source.h"

namespace odonata::network {

class GraphTopology final : public Topology {
 public:
  /// `root` of up*/down* (GraphTables::up_down); `given`: tables for routing "tables".
  explicit GraphTopology(Graph graph, int root = -1, std::optional<GraphTables> given = {});
  const Graph& graph() const { return graph_; }
  /// The tables of a routing; throws Error when it is "tables" and none are given.
  const GraphTables& tables(const std::string& routing) const;
  /// The engine's number of a switch, and the other way round (-1: a router that only fills up its domain).
  int router_of(int at) const { return router_of_[static_cast<size_t>(at)]; }
  int switch_of(int router) const { return switch_of_[static_cast<size_t>(router)]; }

  std::string kind() const override { return "graph"; }
  std::string name() const override { return graph_.name(); }
  std::string identity(const Config& config) const override;
  int nodes() const override { return graph_.nodes(); }
  std::vector<LinkClass> link_classes() const override { return {{"node", 0, 8}, {"link", 1, 8}}; }
  int longest_way() const override { return std::max(graph_.switches(), Topology::longest_way()); }
  void set_defaults(Config& config) const override;
  void check(const Config& config) const override;
  void check_traffic(const Config& config) const override;
  Wiring wire(const Config& config) const override;

  static PatternSource<traffic::NodePattern> source(const Config& config, const Wiring& wiring);

 private:
  PortWire wire_port(const Config& config, int at, int port) const;

  Graph graph_;
  GraphTables shortest_, up_down_;
  std::optional<GraphTables> given_;
  int domains_ = 0, routers_ = 0;  // routers of a domain
  std::vector<int> router_of_, switch_of_;
};

/// A run on a graph with up*/down* tables.
Config on_graph(Graph graph);
/// The graph of a run; throws Error when it is on something else.
const GraphTopology& graph_of(const Config& config);

}  // namespace odonata::network
