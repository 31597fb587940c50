// SPDX-License-Identifier: Apache-2.0
// The routings of a torus as their hardware times them (RouteCompute::arrival): a head is routed when it arrives, by
// what its router knew a cycle before. For the cross-check with the SystemC torus and for RTL in the loop
// (docs/crosscheck.md §5).
#include "models/common/error.h"
#include "sim/network/make_engine.h"
#include "sim/network/policies/torus_live.h"
#include "sim/network/route_hardware.h"

namespace odonata::network {

namespace {

class TorusObserved final : public TorusLive {
 public:
  static constexpr bool kAtArrival = true;

  TorusObserved(const Context& context, int domain) : TorusLive(context, domain) {
    if (!context.config.hardware || !is_here(context.config.hardware->router)) return;
    router_ = context.config.hardware->router - first_;
    units_ = std::make_unique<TorusLockstep>(*context.config.hardware, kNodePort + 1);
  }
  Route route(Flit& flit, const Place& at) {
    if (at.router == router_) [[unlikely]]
      compare(flit, at);
    return TorusLive::route(flit, at);
  }
  uint64_t compared() const { return units_ ? units_->compared() : 0; }

 private:
  void compare(const Flit& flit, const Place& at) {
    const TorusView& view = views_[static_cast<size_t>(at.router)];
    const bool fresh = at.port == kNodePort;
    torus::RouteInputs asked;
    asked.valid = true;
    asked.wall_x = view.wall[0];
    asked.wall_y = view.wall[1];
    for (size_t d = 0; d < 2; ++d) asked.ask.at[d] = view.at[d], asked.ask.dest[d] = points_[flit.dest][d];
    asked.ask.header = static_cast<uint8_t>(flit.state);
    asked.ask.blocked = view.blocked;
    asked.ask.fresh = fresh;
    units_->decide(at.port, asked, answer(view, flit.dest, fresh, static_cast<uint8_t>(flit.state)));
  }
  int router_ = -1;
  std::unique_ptr<TorusLockstep> units_;
};

void check_observed(const Config& config) {
  check_plane(config);
  if (!torus_routing(config).changing && config.faults.rule != torus::Rule::kAny)
    throw Error("routing '" + config.routing + "' is free of deadlock under rule any only (docs/torus.md §7)");
}

}  // namespace

std::vector<Routing> routings_torus_observed() {
  std::vector<Routing> out = torus_routings(false, make_engine<TorusObserved, TorusTopology, PacketLengths::any>);
  for (Routing& r : out) {
    r.arrival = true;
    r.faults = false;
    r.check = check_observed;
  }
  for (Routing r : torus_routings(true, make_engine<TorusObserved, TorusTopology, PacketLengths::any>)) {
    r.arrival = true;
    r.check = check_observed;
    out.push_back(r);
  }
  return out;
}

}  // namespace odonata::network
