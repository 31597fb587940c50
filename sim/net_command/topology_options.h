// SPDX-License-Identifier: Apache-2.0
// The options of `odonata net` that say what the network is and what only some topologies have, and what a result says of it.
#pragma once

#include <CLI/App.hpp>
#include <memory>
#include <string>
#include <vector>

#include "sim/common/options.h"
#include "sim/common/output.h"
#include "sim/network/topology.h"

namespace odonata::cli {

struct TopologyOptions {
  std::string topology;  ///< "mesh:4x4x4"; empty: --mesh, or else the dragonfly of --size
  std::string mesh;      ///< "4x4x4", the same as topology "mesh:4x4x4"

  /// Throws Error.
  std::shared_ptr<const network::Topology> make(const DragonflyOptions& dragonfly) const;
};
void add_topology_options(CLI::App& command, TopologyOptions& options);

/// Routings that ask in every phase, and RTL in the loop.
struct RequestOptions {
  std::string selection = "round-robin", reuse = "own", escape = "last", device = "none", at, plant;

  /// Fills in `requests`. Throws Error.
  void apply(network::Config& config) const;
};
void add_request_options(CLI::App& command, RequestOptions& options);

/// Head of a result: the command line and the network.
Json network_head(const network::Config& config);

/// The numbers of "1,5,8"; throws Error that names `option`.
std::vector<int> parse_numbers(const std::string& option, const std::string& text, uint64_t low, uint64_t high);

}  // namespace odonata::cli
