// SPDX-License-Identifier: Apache-2.0
#include "sim/network/make_mesh.h"
#include "sim/network/policies/mesh_escape.h"

namespace odonata::network {

std::unique_ptr<Simulation> make_mesh_escape(const Config& config) { return make_on_mesh<MeshEscape>(config); }

}  // namespace odonata::network
