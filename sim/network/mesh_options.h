// SPDX-License-Identifier: Apache-2.0
// The options of `odonata net` that make the network a mesh.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "sim/common/output.h"
#include "sim/network/config.h"

namespace odonata::cli {

struct MeshOptions {
  std::string mesh;  ///< "4x4x4"; empty: a dragonfly
  std::string mix, selection = "round-robin", reuse = "own", escape = "last", device = "none", at, plant;
  uint64_t depth = 8;

  bool wanted() const { return !mesh.empty(); }
  /// Fills in the mesh; `packet`: flits of a packet when there is no mix. What the command line left to the topology gets the values of a mesh.
  /// Throws Error.
  void apply(network::Config& config, int packet) const;
};
void add_mesh_options(CLI::App& command, MeshOptions& options);

/// Head of a result: the command line and the mesh.
Json mesh_head(const network::Config& config);
/// "dfly(2,4,2,8) direct" or "mesh 4x4x4".
std::string network_name(const network::Config& config);
int network_nodes(const network::Config& config);

}  // namespace odonata::cli
