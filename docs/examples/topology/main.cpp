// SPDX-License-Identifier: Apache-2.0
// A topology of your own (ring.h) on the network engine, outside its tree, and a routing for it.
#include <cstdio>
#include <exception>

#include "ring.h"
#include "sim/network/make_engine.h"
#include "sim/network/policy.h"

using namespace odonata::network;

/// The shorter way round, on virtual channel 0 before the link between the last router and the first and on 1 behind
/// it, or where that link is not on the way (Dally, Seitz: no circle of channels).
class Dateline {
 public:
  static constexpr int kVcs = 2, kMaxVcs = 2;
  static constexpr bool kAsks = false, kMonitors = false;

  Dateline(const Context& context, int) : routers_(context.wiring.routers) {}
  void begin_cycle(uint32_t) {}
  Route route(const Flit& flit, const Place& at) const {
    const int dest = static_cast<int>(flit.dest), ahead = (dest - at.router + routers_) % routers_;
    if (ahead == 0) return {2, 0};
    const bool next = at.port == 2 ? 2 * ahead <= routers_ : at.port == 1;  // whoever came from before goes on
    const bool to_come = next ? dest < at.router : dest > at.router;
    return {static_cast<uint8_t>(next ? 0 : 1), static_cast<uint8_t>(to_come ? 0 : 1)};
  }
  template <class Visit>
  void visit_state(Visit&&) {}
  size_t bytes() const { return 0; }

 private:
  int routers_;
};

int main(int argc, char** argv) try {
  add_topology({.name = "ring", .argument = "N", .text = "routers in a ring", .parse = parse_ring});
  add_routing({.name = "dateline",
               .topology = "ring",
               .text = "the shorter way round",
               .vcs = Dateline::kVcs,
               .order = "channel 0, dateline, channel 1",
               .make = make_engine<Dateline, Ring>});
  Config config(make_topology(argc > 1 ? argv[1] : "ring:16"));
  for (const double load : {0.02, 0.1, 0.2}) {
    config.load = load;
    const Result result = simulate(config);
    std::printf("%s at load %.2f: accepted %.4f, latency %.2f, %s\n", config.topology->name().c_str(), load,
                result.accepted, result.latency.mean(), result.conservation_ok ? "nothing lost" : "PACKETS LOST");
  }
} catch (const std::exception& e) {
  std::fprintf(stderr, "ring: %s\n", e.what());
  return 2;
}
