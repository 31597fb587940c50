// SPDX-License-Identifier: Apache-2.0
#include "sim/network/policies/common/mesh_policy.h"

#include "models/common/error.h"
#include "sim/network/parameters.h"

namespace odonata::network {

namespace {

void check_mesh_routing(const Config& config) {
  const MeshRoutingInfo& routing = *find_mesh_routing(config.routing);
  const int dimensions = mesh_of(config).dimensions(), vcs = config.router.vcs;
  if (routing.vcs == 0 && vcs != 0 && vcs < dimensions) {
    throw Error("routing '" + config.routing + "' needs " + std::to_string(dimensions) +
                " virtual channels (a packet with every dimension left waits for as many free slots), --vcs gives " +
                std::to_string(vcs));
  }
  const int depth = config.link("local").buffer;
  if (routing.slots && config.router.packet_flits() > depth) {
    throw Error("routing '" + config.routing + "' keeps a packet in a slot: packets of " +
                std::to_string(config.router.packet_flits()) + " flits do not fit into a depth of " +
                std::to_string(depth));
  }
  if (config.requests.device && (routing.escape || routing.name == "dor" || !routing.safe)) {
    throw Error("routing '" + config.routing +
                "' does not ask the request logic of D2RA or DBRA, so no device can take its place");
  }
}

/// Routing::ignores, by whether it has an escape channel, and whether its choice among outputs is left open.
template <bool kEscape, bool kChoice>
bool ignored(const Parameter& p) {
  return (!kEscape && p.name == "escape") || (!kChoice && p.name == "selection");
}

}  // namespace

std::vector<Routing> mesh_routings(bool escape, std::unique_ptr<Simulation> (*make)(const Config&)) {
  std::vector<Routing> out;
  for (const MeshRoutingInfo& i : kMeshRoutings) {
    if (i.escape != escape) continue;
    const bool chooses = i.name != "dor" && !i.name.starts_with("dyxy") && !i.name.starts_with("footprint");
    out.push_back({.name = std::string(i.name),
                   .topology = "mesh",
                   .text = std::string(i.text),
                   .vcs = std::max(1, i.vcs),
                   .reason = escape ? "(one of them is the escape channel)" : "to be free of deadlock",
                   .order = i.name == "dor" || escape ? "dimension by dimension"
                            : i.safe                  ? "free packet slots (docs/arb_request.md)"
                                                      : "none",
                   .safe = i.safe,
                   .ignores = escape    ? (chooses ? nullptr : ignored<true, false>)
                              : chooses ? ignored<false, true>
                                        : ignored<false, false>,
                   .check = check_mesh_routing,
                   .make = make});
  }
  return out;
}

}  // namespace odonata::network
