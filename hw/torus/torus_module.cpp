// SPDX-License-Identifier: Apache-2.0
#include "hw/torus/torus_module.h"

#include <string>

namespace odonata::torus {

namespace {

constexpr int kNodePort = kLinkPorts;

std::string numbered(const char* name, int i) { return name + std::to_string(i); }

int channels_of(Variant v) { return v == Variant::kSafe4 || v == Variant::kSafe4Ring ? 2 : 3; }  // of a class

int lead_of(const Torus& t) { return 2 * t.nodes() + 4 * (t.radix(0) + t.radix(1)); }

}  // namespace

// ---- an input port's route unit

class TorusModule::Port : public fabric::RouteUnit {
 public:
  Port(TorusModule& network, int node, int port, const TorusMakers& makers)
      : network_(network), node_(node), fresh_(port == kNodePort), js_(channels_of(network.p_.variant)) {
    const Torus& t = network.p_.torus;
    const std::string name = numbered(("route_" + std::to_string(port) + "_").c_str(), node);
    const hw::Drive<RouteInputs> pins = [this]() -> const RouteInputs& {
      return sc_core::sc_time_stamp() == sampled_ ? in_ : idle_;
    };
    unit_ = makers.route
                ? makers.route(name.c_str(), network.units_, t, network.p_.variant, pins, node, port)
                : std::make_unique<TorusRouteModule>(name.c_str(), network.units_, t, network.p_.variant, pins);
    for (int d = 0; d < 2; ++d) in_.ask.at[d] = static_cast<uint8_t>(t.coordinate(node, d));
    in_.valid = true;
    in_.ask.fresh = fresh_;
  }

  void ask(const fabric::Flit* head) override {
    if (head == nullptr) return;
    sampled_ = sc_core::sc_time_stamp() + sc_core::sc_time(1 - kAsk, sc_core::SC_NS);
    const Torus& t = network_.p_.torus;
    const Router& router = network_.routers_[static_cast<size_t>(node_)];
    in_.wall_x = router.walls->out().wall_x;
    in_.wall_y = router.walls->out().wall_y;
    for (int d = 0; d < 2; ++d) in_.ask.dest[d] = static_cast<uint8_t>(t.coordinate(static_cast<int>(head->dest), d));
    in_.ask.header = fresh_ ? uint8_t{0} : head->header;
    in_.ask.blocked = router.region->out().blocked;
  }

  fabric::Route answer() override {
    const RouteOutputs& out = unit_->out();
    if (out.valid == 0 || out.drop != 0 || heads_for_wall(out)) return {};
    if (out.eject != 0) return {kNodePort, 0, 0};
    return {out.port, (out.vc >> 2) * js_ + (out.vc & 3), out.header};
  }

 private:
  /// A new wall may cross the way of a packet that has its direction already: it would go round the ring for ever.
  bool heads_for_wall(const RouteOutputs& out) const {
    if (out.eject != 0) return false;
    const int d = (out.header & header::kDim) != 0 ? 1 : 0, radix = network_.p_.torus.radix(d), at = in_.ask.at[d];
    const int link = (out.header & header::kDir) == 0 ? at : (at + radix - 1) % radix;
    return ((d == 0 ? in_.wall_x : in_.wall_y) >> link & 1) != 0;
  }

  TorusModule& network_;
  const int node_;
  const bool fresh_;
  const int js_;
  RouteInputs in_, idle_;
  sc_core::sc_time sampled_;  // the edge at which in_ stands at the pins
  std::unique_ptr<TorusRouteModule> unit_;
};

// ---- the network

TorusModule::TorusModule(const sc_core::sc_module_name& name, const TorusParameters& parameters, fabric::Source& source,
                         fabric::Observer& observer, const TorusMakers& makers)
    : NetworkModule(name, kEdges, lead_of(parameters.torus)), p_(parameters) {
  routers_.resize(static_cast<size_t>(p_.torus.nodes()));
  fail(p_.standing);
  build_faults(makers);
  const auto make_unit = [&](int node, int port) { return std::make_unique<Port>(*this, node, port, makers); };
  data_paths_ = build_routers(p_, make_unit, makers.data_path, source, observer);
}

void TorusModule::build_faults(const TorusMakers& makers) {
  for (int n = 0; n < p_.torus.nodes(); ++n) {
    Router& r = routers_[static_cast<size_t>(n)];
    const std::string region = numbered("region_", n), walls = numbered("walls_", n);
    const hw::Drive<RegionInputs> pins = [this, n]() -> const RegionInputs& { return region_pins(n); };
    r.region = makers.region ? makers.region(region.c_str(), cycles_, pins)
                             : std::make_unique<FaultRegionModule>(region.c_str(), cycles_, pins);
    r.walls = std::make_unique<TorusWallsModule>(walls.c_str(), cycles_, p_.torus,
                                                 [this, n]() -> const WallInputs& { return wall_pins(n); });
  }
}

DataPaths build_routers(const TorusParameters& p,
                        const std::function<std::unique_ptr<fabric::RouteUnit>(int node, int port)>& make_unit,
                        const fabric::MakeSwitch& make, fabric::Source& source, fabric::Observer& observer) {
  const Torus& t = p.torus;
  const int node_port = t.ports();
  DataPaths out;
  const auto link = [&](int node, int port) { return out.links[static_cast<size_t>(node_port * node + port)].get(); };
  for (int i = 0; i < node_port * t.nodes(); ++i) out.links.push_back(std::make_unique<fabric::Link>(p.link_latency));
  for (int n = 0; n < t.nodes(); ++n) {
    std::vector<fabric::SwitchModule::PortSetup> ports(static_cast<size_t>(node_port) + 1);
    for (int port = 0; port <= node_port; ++port) {
      fabric::SwitchModule::PortSetup& setup = ports[static_cast<size_t>(port)];
      setup.unit = make_unit(n, port);
      setup.buffer = port == node_port ? p.node_buffer : p.link_buffer;
      if (port == node_port) {
        setup.node = n;
        continue;
      }
      setup.out = link(n, port);
      setup.in = link(t.neighbour(n, port), Torus::opposite(port));
    }
    const std::string name = numbered("router_", n);
    out.routers.push_back(make ? make(name.c_str(), p.data_path, n, std::move(ports), source, observer)
                               : std::make_unique<fabric::SwitchModule>(name.c_str(), p.data_path, n, std::move(ports),
                                                                        source, observer));
  }
  return out;
}

void TorusModule::fail(const Faults& faults) {
  for (const int n : faults.nodes) routers_[static_cast<size_t>(n)].dead = true;
  for (const torus::Link& l : faults.links) {
    const int plus = 2 * l.dimension, beyond = p_.torus.neighbour(l.node, plus);
    routers_[static_cast<size_t>(l.node)].fail_link |= static_cast<uint8_t>(1 << plus);
    routers_[static_cast<size_t>(beyond)].fail_link |= static_cast<uint8_t>(2 << plus);
  }
}

/// A dead neighbour reads as bad; the units of a dead router are in reset.
const RegionInputs& TorusModule::region_pins(int node) {
  Router& r = routers_[static_cast<size_t>(node)];
  RegionInputs& in = r.region_pins;
  in = {};
  in.reset = r.dead;
  in.rule = p_.rule == Rule::kDim;
  in.fail_link = r.fail_link;
  for (int port = 0; port < kLinkPorts; ++port) {
    const Router& peer = routers_[static_cast<size_t>(p_.torus.neighbour(node, port))];
    if (peer.dead || peer.region->out().bad != 0) in.peer_bad |= static_cast<uint8_t>(1 << port);
  }
  return in;
}

const WallInputs& TorusModule::wall_pins(int node) {
  Router& r = routers_[static_cast<size_t>(node)];
  WallInputs& in = r.wall_pins;
  in = {};
  in.reset = r.dead;
  in.at_x = static_cast<uint8_t>(p_.torus.coordinate(node, 0));
  in.at_y = static_cast<uint8_t>(p_.torus.coordinate(node, 1));
  in.blocked = r.region->out().blocked;
  for (int port = 0; port < kLinkPorts; ++port) {
    const auto p = static_cast<size_t>(port);
    const Router& ahead = routers_[static_cast<size_t>(p_.torus.neighbour(node, port))];
    if (!ahead.dead) in.peer_wall_x[p] = ahead.walls->out().wall_x, in.peer_wall_y[p] = ahead.walls->out().wall_y;
    const Router& beside = routers_[static_cast<size_t>(p_.torus.neighbour(node, port < 2 ? 3 : 1))];
    if (!beside.dead) in.run[p] = beside.walls->out().run[p];
  }
  return in;
}

/// A disabled router's node is cut off; its links go on.
fabric::LinkState TorusModule::link_state(int node) const {
  const Router& r = routers_[static_cast<size_t>(node)];
  fabric::LinkState state;
  state.alive = !r.dead;
  for (int port = 0; port < kLinkPorts; ++port)
    state.up.push_back(!r.dead && (r.fail_link >> port & 1) == 0 &&
                       !routers_[static_cast<size_t>(p_.torus.neighbour(node, port))].dead);
  state.up.push_back(!r.dead && r.region->out().bad == 0);
  return state;
}

void TorusModule::work_in(int64_t now) {
  for (; next_event_ != p_.events.size() && p_.events[next_event_].cycle == now; ++next_event_)
    fail(p_.events[next_event_].faults);
  for (int n = 0; n < p_.torus.nodes(); ++n) data_paths_.routers[static_cast<size_t>(n)]->work(now, link_state(n));
}

void TorusModule::ask_in(int64_t now) {
  for (const auto& router : data_paths_.routers) router->ask(now);
}

}  // namespace odonata::torus
