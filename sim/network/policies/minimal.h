// SPDX-License-Identifier: Apache-2.0
// MIN: the only minimal path L-G-L of a dragonfly (DOAR §2.2; docs/readings.md §8). Two virtual channels by the rule of
// DOAR: L0, G1, L1 or G0, L0.
#pragma once

#include <array>
#include <vector>

#include "models/route_compute/shortcuts.h"
#include "sim/network/policies/common/dragonfly_way.h"
#include "sim/network/topologies/dragonfly.h"

namespace odonata::network {

/// `kRoom`: virtual channels that there is room for. With two, which is all that the paths need, an input port is half
/// a cache line.
template <int kRoom>
class Minimal {
 public:
  static constexpr int kVcs = 2;
  static constexpr int kMaxVcs = kRoom;
  static constexpr bool kAsks = false;
  static constexpr bool kMonitors = false;
  static constexpr bool kOrderFree = true;

  Minimal(const Context& context, int domain)
      : d_(dragonfly_of(context.config)),
        gid_(static_cast<uint32_t>(domain)),
        to_local_(static_cast<uint32_t>(d_.p())),
        to_group_(to_local_ + d_.a()) {
    for (int router = 0; router < d_.a(); ++router) {
      for (int node = 0; node < d_.p(); ++node) outputs_.push_back(static_cast<uint8_t>(node));
      for (int to = 0; to < d_.a(); ++to)
        outputs_.push_back(static_cast<uint8_t>(to == router ? kNoPort : d_.local_port(router, to)));
      for (int to = 0; to < d_.g(); ++to)
        outputs_.push_back(static_cast<uint8_t>(to == domain ? kNoPort : port_to_group(router, to)));
    }
  }
  static bool order_kept(const Channel& in, const Channel& out) { return dragonfly_order_kept(in, out); }
  void begin_cycle(uint32_t) {}
  Route route(const Flit& flit, const Place& at) const { return route_from(d_.port_class(at.port), flit, at); }
  /// The decisions of one cycle.
  class Batch {
   public:
    using Of = Minimal;
    explicit Batch(const Minimal& minimal) : minimal_(minimal) {}
    template <LinkKind kFrom>
    [[gnu::always_inline]] Route route(const Flit& flit, const Place& at) const {
      return minimal_.route_from(port_class_of(kFrom), flit, at);
    }
    void finish() {}

   private:
    const Minimal& minimal_;
  };
  Batch batch() const { return Batch(*this); }
  template <class Visit>
  void visit_state(Visit&&) {}
  /// Whether the channels of a packet's way from here on are there.
  bool knows(const Flit& flit, const Place& at) const {
    return at.port < d_.p() || goes_on(flit, {own(at), d_.port_class(at.port), at.vc});
  }
  bool takes(const Flit& flit, const Place& at, const Route& to) const {
    return goes_on(flit, behind(d_, own(at), to.port, to.vc));
  }
  size_t bytes() const { return outputs_.size(); }

 private:
  RouterId own(const Place& at) const { return {static_cast<int>(gid_), at.router}; }
  bool goes_on(const Flit& flit, const WayPoint& from) const {
    return after_minimal_way(d_, from, {gid_of(flit.dest), bid_of(flit.dest)}).vc < kVcs;
  }
  int port_to_group(int router, int to) const {
    const int j = d_.port_to_group(static_cast<int>(gid_), to), exit = j / d_.h();
    return exit == router ? d_.global_port(j % d_.h()) : d_.local_port(router, exit);
  }
  [[gnu::always_inline]] Route route_from(PortClass from, const Flit& flit, const Place& at) const {
    const auto router = static_cast<uint32_t>(at.router);
    const uint8_t port = outputs_[router * row_ + table_row(flit.dest, gid_, router, to_local_, to_group_)];
    return {port, static_cast<uint8_t>(next_vc_[static_cast<size_t>(from)](port, at.vc))};
  }

  Dragonfly d_;
  uint32_t gid_, to_local_, to_group_;  // where routers and groups begin in a row
  size_t row_ = to_group_ + static_cast<size_t>(d_.g());
  std::array<route_compute::NextVc, 3> next_vc_{
      route_compute::NextVc(d_, PortClass::node), route_compute::NextVc(d_, PortClass::local),
      route_compute::NextVc(d_, PortClass::global)};  // by class of the input port
  std::vector<uint8_t> outputs_;  // by router: a row of its nodes, of the routers of the group, of the groups
};

}  // namespace odonata::network
