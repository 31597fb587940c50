// SPDX-License-Identifier: Apache-2.0
#include "sim/network/policies/torus_adaptive.h"

#include "models/common/error.h"
#include "sim/network/make_engine.h"

namespace odonata::network {

TorusAdaptive::TorusAdaptive(const Context& context, int domain)
    : torus_(torus_of(context.config)),
      first_(context.wiring.routers_of(domain).front()),
      cut_through_(context.config.router.switching == Switching::cut_through) {
  const torus::FaultMap map = standing_map(context.config);
  ground_ = ground_of(map);
  for (int n = 0; n < torus_.nodes(); ++n) {
    points_.push_back({static_cast<uint8_t>(torus_.coordinate(n, 0)), static_cast<uint8_t>(torus_.coordinate(n, 1))});
    blocked_.push_back(map.blocked(n));
  }
}

std::string TorusAdaptive::describe_wait(int router, int port, int vc, uint32_t dest, int out_port) const {
  const int node = first_ + router;
  std::string out = "a packet to " + torus_.node_name(static_cast<int>(dest)) + " in ";
  out += port == kNodePort ? "the injection queue of " + torus_.node_name(node)
                           : torus::directed_channel_name(Torus::opposite(port), vc) + " of " +
                                 torus_.node_name(torus_.neighbour(node, port));
  return out + " waits for a channel " + Torus::port_name(out_port) + " of " + torus_.node_name(node);
}

namespace {

void check_adaptive(const Config& config) {
  check_plane(config);
  if (config.faults.rule != torus::Rule::kAny)
    throw Error("routing 'torus_adaptive' is free of deadlock under rule any only (docs/torus.md §7)");
  const torus::FaultMap map = standing_map(config);
  for (int a = 0; a < map.torus().nodes(); ++a)
    for (int b = 0; b < map.torus().nodes(); ++b)
      if (map.healthy(a) && map.healthy(b) && map.parted(a, b))
        throw Error("routing 'torus_adaptive' drops no packet: walls part " + map.torus().node_name(a) + " from " +
                    map.torus().node_name(b));
}

}  // namespace

std::vector<Routing> routings_torus_adaptive() {
  return {{.name = "torus_adaptive",
           .topology = "torus",
           .text = "any productive port on two adaptive channels, over torus_safe4",
           .vcs = TorusAdaptive::kVcs,
           .reason = "(2 adaptive ones over the 4 of torus_safe4)",
           .order = "torus_safe4 is never left (docs/torus.md §5)",
           .check = check_adaptive,
           .make = make_engine<TorusAdaptive, TorusTopology, PacketLengths::any>}};
}

}  // namespace odonata::network
