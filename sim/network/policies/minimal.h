// SPDX-License-Identifier: Apache-2.0
// MIN: the only minimal path L-G-L of a dragonfly (DOAR §2.2; docs/readings.md §8). Two virtual channels by the rule of DOAR: L0, G1, L1 or G0, L0.
#pragma once

#include <vector>

#include "models/route_compute/decide.h"
#include "sim/network/topologies/dragonfly.h"

namespace odonata::network {

class Minimal {
 public:
  static constexpr int kVcs = 2;
  static constexpr int kMaxVcs = 4;
  static constexpr bool kAsks = false;
  static constexpr bool kMonitors = false;

  Minimal(const Context& context, int domain) : dragonfly_(dragonfly_of(context.config)), gid_(domain) {
    const Dragonfly& d = dragonfly_;
    for (int to = 0; to < d.g(); ++to) {
      const int j = to == gid_ ? 0 : d.port_to_group(gid_, to);
      exits_.push_back({static_cast<uint8_t>(j / d.h()), static_cast<uint8_t>(d.global_port(j % d.h()))});
    }
  }
  static bool order_kept(const Channel& in, const Channel& out) { return dragonfly_order_kept(in, out); }
  void begin_cycle(uint32_t) {}
  Route route(const Flit& flit, const Place& at) const {
    const int port = output(flit.dest, at.router);
    return {static_cast<uint8_t>(port),
            static_cast<uint8_t>(route_compute::next_vc(dragonfly_.port_class(at.port), dragonfly_.port_class(port), at.vc))};
  }
  template <class Visit>
  void visit_state(Visit&&) {}
  size_t bytes() const { return exits_.size() * sizeof(Exit); }

 private:
  struct Exit {
    uint8_t router, port;
  };
  int output(uint32_t dest, int router) const {
    if (gid_of(dest) != gid_) {
      const Exit exit = exits_[gid_of(dest)];
      return exit.router == router ? exit.port : dragonfly_.local_port(router, exit.router);
    }
    return bid_of(dest) == router ? nid_of(dest) : dragonfly_.local_port(router, bid_of(dest));
  }

  Dragonfly dragonfly_;
  int gid_;
  std::vector<Exit> exits_;  // by group: who of the own group is attached to it
};

}  // namespace odonata::network
