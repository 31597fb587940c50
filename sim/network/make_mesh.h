// SPDX-License-Identifier: Apache-2.0
// The engine of a policy on a mesh; included by make_mesh_*.cpp only.
#pragma once

#include "sim/network/engine.h"
#include "sim/network/factories.h"
#include "sim/network/mesh_source.h"

namespace odonata::network {

template <class Policy>
std::unique_ptr<Simulation> make_on_mesh(const Config& config) {
  const std::vector<int>& lengths = config.mesh.lengths;
  const bool packets = config.mesh.trace || std::any_of(lengths.begin(), lengths.end(), [](int n) { return n > 1; });
  if (packets) return std::make_unique<Engine<Policy, MeshSource, true>>(config, wire_mesh(config.mesh, config.router), MeshSource(config));
  return std::make_unique<Engine<Policy, MeshSource, false>>(config, wire_mesh(config.mesh, config.router), MeshSource(config));
}

}  // namespace odonata::network
