// SPDX-License-Identifier: Apache-2.0
#include "sim/network/make_mesh.h"
#include "sim/network/policies/mesh_requests.h"

namespace odonata::network {

std::unique_ptr<Simulation> make_mesh_requests(const Config& config) { return make_on_mesh<MeshRequests>(config); }

}  // namespace odonata::network
