// SPDX-License-Identifier: Apache-2.0
// Which policy a routing algorithm on a mesh is, and what it needs.
#include <algorithm>

#include "models/common/error.h"
#include "sim/network/factories.h"
#include "sim/network/policies/mesh_common.h"

namespace odonata::network {

namespace {

const MeshRoutingInfo& find_routing(const std::string& name) {
  if (const MeshRoutingInfo* found = find_mesh_routing(name)) return *found;
  std::string names;
  for (const MeshRoutingInfo& i : kMeshRoutings) names += (names.empty() ? "" : ", ") + std::string(i.name);
  throw Error("routing '" + name + "' is unknown on a mesh, expected one of " + names);
}

/// Least virtual channels and why.
void check_vcs(const MeshRoutingInfo& routing, const Config& config) {
  const int dimensions = static_cast<int>(config.mesh.radix.size()), vcs = config.router.vcs;
  const auto refuse = [&](int needed, const char* why) {
    throw Error("routing '" + config.routing + "' needs " + std::to_string(needed) + " virtual channels " + why + ", --vcs gives " +
                std::to_string(vcs));
  };
  if (routing.vcs == 0 && vcs < dimensions) refuse(dimensions, "(a packet with every dimension left waits for as many free slots)");
  if (vcs < routing.vcs) refuse(routing.vcs, "(one of them is the escape channel)");
  if (vcs > MeshState::kMaxVcs) throw Error("meshes are built for at most " + std::to_string(MeshState::kMaxVcs) + " virtual channels");
}

void check_slots(const MeshRoutingInfo& routing, const MeshConfig& mesh) {
  if (!routing.slots) return;
  int longest = *std::max_element(mesh.lengths.begin(), mesh.lengths.end());
  if (mesh.trace) {
    longest = 1;
    for (const traffic::TracePacket& p : mesh.trace->packets) longest = std::max<int>(longest, p.flits);
  }
  if (longest > mesh.depth) {
    throw Error("routing '" + std::string(routing.name) + "' keeps a packet in a slot: packets of " + std::to_string(longest) +
                " flits do not fit into a depth of " + std::to_string(mesh.depth));
  }
}

}  // namespace

std::unique_ptr<Simulation> make_mesh_simulation(const Config& config) {
  const MeshRoutingInfo& routing = find_routing(config.routing);
  Config full = config;
  if (full.router.vcs == 0) full.router.vcs = 3;
  check_vcs(routing, full);
  full.check();
  check_slots(routing, full.mesh);
  if (full.mesh.device && (routing.escape || routing.name == "dor" || !routing.safe)) {
    throw Error("routing '" + config.routing + "' does not ask the request logic of D2RA or DBRA, so no device can take its place");
  }
  return routing.escape ? make_mesh_escape(full) : make_mesh_requests(full);
}

}  // namespace odonata::network
