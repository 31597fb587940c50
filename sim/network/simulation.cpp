// SPDX-License-Identifier: Apache-2.0
#include "sim/network/simulation.h"

#include <algorithm>
#include <functional>

#include "sim/network/routing.h"

namespace odonata::network {

std::unique_ptr<Simulation> make_simulation(const Config& config) {
  const Routing& routing = find_routing(config);
  Config full = config;
  if (full.router.vcs == 0) full.router.vcs = routing.vcs;
  if (full.trace) {
    for (const traffic::TracePacket& p : full.trace->packets) full.router.lengths = {std::max<int>(full.router.packet_flits(), p.flits)};
  }
  check_parts(full);
  full.check();
  return routing.make(full);
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
