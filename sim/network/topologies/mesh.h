// SPDX-License-Identifier: Apache-2.0
// The k-ary n-mesh (models/arb_request/mesh.h) as a topology of the engine (docs/mesh.md): one node a router whose
// address is the router's number (dimension 0 fastest). Ports: 2 * dimension + minus towards the neighbour in that
// direction, 2n the node; beyond the boundary nothing is cabled. Port classes "node" and "local", buffers in flits;
// traffic of models/traffic/mesh_pattern.h.
#pragma once

#include "models/arb_request/mesh.h"
#include "models/traffic/mesh_pattern.h"
#include "sim/network/topology.h"
#include "sim/network/traffic_source.h"

namespace odonata::network {

class MeshTopology final : public Topology {
 public:
  explicit MeshTopology(arb_request::Mesh mesh) : mesh_(std::move(mesh)) {}
  const arb_request::Mesh& mesh() const { return mesh_; }

  std::string kind() const override { return "mesh"; }
  std::string name() const override { return "mesh " + mesh_.name(); }
  int nodes() const override { return mesh_.routers(); }
  std::vector<LinkClass> link_classes() const override { return {{"node", 0, 8}, {"local", 1, 8}}; }
  int longest_way() const override;
  void set_defaults(Config& config) const override;
  void check(const Config& config) const override;
  void check_traffic(const Config& config) const override;
  bool has(ParameterGroup group) const override;
  Wiring wire(const Config& config) const override;

  static PatternSource<traffic::MeshPattern> source(const Config& config, const Wiring& wiring);

 private:
  arb_request::Mesh mesh_;
};

/// A run on a mesh with the defaults of D2RA §6.
Config on_mesh(const arb_request::Mesh& mesh);
/// The mesh of a run; throws Error when it is on something else.
const arb_request::Mesh& mesh_of(const Config& config);

}  // namespace odonata::network
