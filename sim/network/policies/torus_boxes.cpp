// SPDX-License-Identifier: Apache-2.0
// Round boxes of faults in a torus of three dimensions (docs/torus.md §13): what models/torus/box_route.h decides.
// Faults of the start, rule dim.
#include "models/common/error.h"
#include "models/torus/box_route.h"
#include "sim/network/make_engine.h"
#include "sim/network/route_hardware.h"
#include "sim/network/topologies/torus.h"

namespace odonata::network {

namespace {

class TorusBoxes {
 public:
  static constexpr int kVcs = torus::kBoxVcs;
  static constexpr int kMaxVcs = 16;
  static constexpr bool kAsks = false;
  static constexpr bool kMonitors = false;
  static constexpr bool kOrderFree = true;
  static constexpr bool kPieces = true;

  TorusBoxes(const Context& context, int domain)
      : torus_(torus_of(context.config)), first_(context.wiring.routers_of(domain).front()) {
    const torus::BoxMap map(torus_, torus_faults(context.config.faults.standing));
    for (int n = 0; n < torus_.nodes(); ++n) {
      views_.push_back(map.view(n));
      points_.push_back(torus_.coordinates(n));
    }
  }
  void begin_cycle(uint32_t) {}
  Route route(Flit& flit, const Place& at) const {
    const auto router = static_cast<size_t>(first_ + at.router);
    const torus::BoxAnswer a = torus::route_box(torus_, views_[router], ask(flit, at));
    if (a.action == torus::Action::kEject) return {static_cast<uint8_t>(torus_.ports()), 0};
    if (a.action != torus::Action::kForward) return {};  // dropped
    flit.state = a.header;
    return {a.port, a.vc};
  }
  std::string describe_wait(int router, int port, int vc, uint32_t dest, int out_port) const {
    const int node = first_ + router;
    const std::string where = port == torus_.ports() ? "the injection queue of " + torus_.node_name(node)
                                                     : torus::box_channel_name(torus_, torus_.neighbour(node, port),
                                                                               Torus::opposite(port), vc);
    return "a packet to " + torus_.node_name(static_cast<int>(dest)) + " in " + where + " waits for a channel " +
           Torus::port_name(out_port) + " of " + torus_.node_name(node);
  }
  template <class Visit>
  void visit_state(Visit&&) {}
  size_t bytes() const { return views_.size() * sizeof(views_[0]) + points_.size() * sizeof(points_[0]); }

 protected:
  torus::BoxAsk ask(const Flit& flit, const Place& at) const {
    const auto router = static_cast<size_t>(first_ + at.router);
    return {points_[router], points_[flit.dest], static_cast<uint8_t>(flit.state), at.port == torus_.ports()};
  }

  Torus torus_;
  int first_;                               // router of the domain
  std::vector<torus::BoxMap::View> views_;  // by node
  std::vector<Torus::Coordinates> points_;  // by address
};

/// The same as the hardware times it, with RTL in one router: a head is routed when it arrives.
class TorusBoxesObserved final : public TorusBoxes {
 public:
  static constexpr bool kAtArrival = true;

  TorusBoxesObserved(const Context& context, int domain) : TorusBoxes(context, domain) {
    const std::vector<int> routers = context.wiring.routers_of(domain);
    const auto& hardware = context.config.hardware;
    if (!hardware || hardware->router < first_ || hardware->router >= first_ + static_cast<int>(routers.size())) return;
    router_ = hardware->router - first_;
    units_ = std::make_unique<BoxLockstep>(*hardware, torus_.ports() + 1);
  }
  Route route(Flit& flit, const Place& at) {
    if (at.router == router_) [[unlikely]]
      compare(flit, at);
    return TorusBoxes::route(flit, at);
  }
  uint64_t compared() const { return units_ ? units_->compared() : 0; }

 private:
  void compare(const Flit& flit, const Place& at) {
    const torus::BoxMap::View& view = views_[static_cast<size_t>(first_ + at.router)];
    const torus::BoxAsk q = ask(flit, at);
    const auto place = [](int coordinate) { return static_cast<uint8_t>(coordinate); };
    torus::BoxInputs in;
    in.valid = true;
    in.fresh = q.fresh;
    in.at_x = place(q.at[0]), in.at_y = place(q.at[1]), in.at_z = place(q.at[2]);
    in.dest_x = place(q.dest[0]), in.dest_y = place(q.dest[1]), in.dest_z = place(q.dest[2]);
    in.header = q.header;
    in.blocked = view.blocked;
    in.wall_x = view.wall_x, in.wall_y = view.wall_yz[0], in.wall_z = view.wall_yz[1];
    units_->decide(at.port, in, torus::route_box(torus_, view, q));
  }
  int router_ = -1;
  std::unique_ptr<BoxLockstep> units_;
};

void check_boxes(const Config& config) {
  if (torus_of(config).dimensions() != 3)
    throw Error("routing 'torus_boxes': " + config.topology->name() + ", expected three dimensions");
  if (config.faults.rule != torus::Rule::kDim)
    throw Error("--rule any: routing 'torus_boxes' goes round boxes, expected dim");
}

}  // namespace

std::vector<Routing> routings_torus_boxes() {
  const Routing boxes{.name = "torus_boxes",
                      .topology = "torus",
                      .text = "three dimensions: round boxes of faults, one plane after the other",
                      .vcs = TorusBoxes::kVcs,
                      .reason = "(2 on x links, 10 on y links, 6 on z links)",
                      .order = "phase x, then the plane of y and z (docs/torus.md §13)",
                      .check = check_boxes,
                      .make = make_engine<TorusBoxes, TorusTopology, PacketLengths::any>};
  Routing observed = boxes;
  observed.arrival = true;
  observed.make = make_engine<TorusBoxesObserved, TorusTopology, PacketLengths::any>;
  return {boxes, observed};
}

}  // namespace odonata::network
