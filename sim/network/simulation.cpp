// SPDX-License-Identifier: Apache-2.0
#include "sim/network/simulation.h"

#include <algorithm>
#include <functional>

#include "models/common/error.h"
#include "sim/network/factories.h"

namespace odonata::network {

namespace {

struct Routing {
  RoutingInfo info;
  std::unique_ptr<Simulation> (*make)(const Config&);
};

const std::vector<Routing>& routings() {
  static const std::vector<Routing> list{
      {{"min", 2, "minimal path L-G-L"}, make_minimal},
      {{"doar", 4, "DOAR: golden route compute on tables A, B, C and the maps of the congestion plane"}, make_doar},
      {{"val", 4, "minimal to a random router outside both groups, then minimal"}, make_nonminimal},
      {{"ugal_l", 4, "minimal or such a detour, by the queues at the source"}, make_nonminimal},
      {{"ugal_g", 4, "the same by the queues along both paths (an oracle)"}, make_nonminimal},
      {{"par", 5, "ugal_l, and while minimal once more at the second router"}, make_progressive},
      {{"par_ph", 5, "par with the history window taken off the queues"}, make_progressive},
  };
  return list;
}

const Routing& find_routing(const std::string& name) {
  std::string names;
  for (const Routing& r : routings()) {
    if (r.info.name == name) return r;
    names += (names.empty() ? "" : ", ") + r.info.name;
  }
  throw Error("routing '" + name + "' is unknown, expected one of " + names);
}

}  // namespace

const std::vector<RoutingInfo>& known_routings() {
  static const std::vector<RoutingInfo> list = [] {
    std::vector<RoutingInfo> out;
    for (const Routing& r : routings()) out.push_back(r.info);
    return out;
  }();
  return list;
}

std::unique_ptr<Simulation> make_simulation(const Config& config) {
  if (!config.mesh.radix.empty() && config.piped()) throw Error("network: a mesh has no route-compute pipeline");
  if (!config.mesh.radix.empty()) return make_mesh_simulation(config);
  const Routing& routing = find_routing(config.routing);
  Config full = config;
  if (full.router.vcs == 0) full.router.vcs = routing.info.vcs;
  if (full.router.vcs < routing.info.vcs) {
    throw Error("routing '" + config.routing + "' needs " + std::to_string(routing.info.vcs) +
                " virtual channels to be free of deadlock, --vcs gives " + std::to_string(full.router.vcs));
  }
  full.check();
  if (full.piped()) {
    if (full.routing != "doar") throw Error("routing '" + config.routing + "' has no route-compute pipeline, expected doar");
    return make_doar_piped(full);
  }
  if (full.faults.events.empty() && full.taps.empty()) return routing.make(full);
  if (full.routing != "doar") throw Error("routing '" + config.routing + "' has no tables that faults change or taps watch, expected doar");
  return make_doar_live(full);
}

Result simulate(Simulation& simulation, const std::function<bool(uint64_t)>& go_on) {
  bool interrupted = false;
  while (!interrupted && simulation.advance()) interrupted = go_on && !go_on(simulation.now());
  Result out = simulation.result();
  out.interrupted = interrupted;
  return out;
}

Result simulate(const Config& config) { return simulate(*make_simulation(config)); }

}  // namespace odonata::network
