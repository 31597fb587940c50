// SPDX-License-Identifier: Apache-2.0
// The shorter way round a ring, on virtual channel 0 before the link between the last router and the first and on 1 behind it (Dally, Seitz 1987).
#include "sim/network/make_engine.h"
#include "sim/network/topologies/ring.h"

namespace odonata::network {

namespace {

class Dateline {
 public:
  static constexpr int kVcs = 2;
  static constexpr int kMaxVcs = 2;
  static constexpr bool kAsks = false;
  static constexpr bool kMonitors = false;

  Dateline(const Context& context, int) : routers_(context.wiring.routers) {}
  void begin_cycle(uint32_t) {}
  Route route(const Flit& flit, const Place& at) const {
    const int dest = static_cast<int>(flit.dest), ahead = (dest - at.router + routers_) % routers_;
    if (ahead == 0) return {2, 0};
    const bool next = at.port == 2 ? 2 * ahead <= routers_ : at.port == 1;  // whoever came from before goes on
    const int to_come = next ? dest < at.router : dest > at.router;         // the link between last and first
    return {static_cast<uint8_t>(next ? 0 : 1), static_cast<uint8_t>(to_come ? 0 : 1)};
  }
  /// Channel 1 after channel 0, and on both of them away from the dateline.
  bool order_kept(const Channel& in, const Channel& out) const { return in.port_class == 0 || out.port_class == 0 || in.vc <= out.vc; }
  template <class Visit>
  void visit_state(Visit&&) {}
  size_t bytes() const { return 0; }

 private:
  int routers_;
};

}  // namespace

std::vector<Routing> routings_ring_dateline() {
  return {{.name = "dateline",
           .topology = "ring",
           .text = "the shorter way round",
           .vcs = Dateline::kVcs,
           .order = "channel 0, dateline, channel 1",
           .make = make_engine<Dateline, RingTopology>}};
}

}  // namespace odonata::network
