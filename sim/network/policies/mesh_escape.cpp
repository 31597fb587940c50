// SPDX-License-Identifier: Apache-2.0
#include "sim/network/policies/mesh_escape.h"

#include "sim/network/make_engine.h"

namespace odonata::network {

std::vector<Routing> routings_mesh_escape() { return mesh_routings(true, make_engine<MeshEscape, MeshTopology>); }

}  // namespace odonata::network
