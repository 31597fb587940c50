// SPDX-License-Identifier: Apache-2.0
// A routing of your own on the network engine, outside its tree: dimension order with the highest dimension first,
// beside the engine's own.
#include <cstdio>

#include "sim/network/make_engine.h"
#include "sim/network/policy.h"
#include "sim/network/topologies/mesh.h"

using namespace odonata::network;

/// What a policy may have: sim/network/policy.h.
class HighestFirst {
 public:
  static constexpr int kVcs = 1, kMaxVcs = 8;
  static constexpr bool kAsks = false,
                        kMonitors = false;  // a route is decided once; it does not want to hear of credits

  HighestFirst(const Context& context, int) : mesh_(mesh_of(context.config)) {}
  void begin_cycle(uint32_t) {}
  Route route(const Flit& flit, const Place& at) const {
    const int dest = static_cast<int>(flit.dest);
    for (int d = mesh_.dimensions() - 1; d >= 0; --d) {
      const int way = mesh_.coordinate(dest, d) - mesh_.coordinate(at.router, d);
      if (way != 0) return {static_cast<uint8_t>(2 * d + (way < 0)), static_cast<uint8_t>(at.vc)};
    }
    return {static_cast<uint8_t>(2 * mesh_.dimensions()), 0};
  }
  template <class Visit>
  void visit_state(Visit&&) {}  // a checkpoint has nothing to keep
  size_t bytes() const { return 0; }

 private:
  const odonata::arb_request::Mesh& mesh_;
};

int main() {
  add_routing({.name = "yx",
               .topology = "mesh",
               .text = "dimension order, highest dimension first",
               .vcs = HighestFirst::kVcs,
               .order = "dimensions fall",
               .make = make_engine<HighestFirst, MeshTopology>});
  Config config = on_mesh(odonata::arb_request::Mesh::parse("8x8"));
  config.traffic = "transpose";
  config.load = 0.1;
  for (const char* routing : {"yx", "dor"}) {
    config.routing = routing;
    const Result result = simulate(config);
    std::printf("%s: accepted %.4f, latency %.2f, %s\n", routing, result.accepted, result.latency.mean(),
                result.conservation_ok ? "nothing lost" : "PACKETS LOST");
  }
}
