// SPDX-License-Identifier: Apache-2.0
#include "sim/network/policies/mesh_requests.h"

#include "sim/network/make_engine.h"

namespace odonata::network {

std::vector<Routing> routings_mesh_requests() { return mesh_routings(false, make_engine<MeshRequests, MeshTopology>); }

}  // namespace odonata::network
