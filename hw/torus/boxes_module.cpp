// SPDX-License-Identifier: Apache-2.0
#include "hw/torus/boxes_module.h"

#include <string>

namespace odonata::torus {

namespace {

constexpr double kWork = 0.25, kAsk = 0.75;  // ns after the edge of a cycle

/// The channel that the pins name (docs/torus.md §13): {detour of phase x, r, j}.
int channel_of(int vc) {
  const int r = vc >> 2 & 1, j = vc & 3;
  return (vc & 8) != 0 ? 6 + 2 * r + j - 1 : 3 * r + j;
}

}  // namespace

// ---- an input port's route unit

class BoxesModule::Port : public fabric::RouteUnit {
 public:
  Port(BoxesModule& network, int node, int port, const BoxesMakers& makers)
      : network_(network), fresh_(port == network.p_.torus.ports()) {
    const Torus& t = network.p_.torus;
    const std::string name = "route_" + std::to_string(port) + "_" + std::to_string(node);
    const hw::Drive<BoxInputs> pins = [this]() -> const BoxInputs& {
      return sc_core::sc_time_stamp() == sampled_ ? in_ : idle_;
    };
    unit_ = makers.route ? makers.route(name.c_str(), network.units_, t, pins)
                         : std::make_unique<TorusBoxModule>(name.c_str(), network.units_, t, pins);
    const BoxMap::View view = network.map_.view(node);
    in_.valid = true;
    in_.fresh = fresh_;
    in_.at_x = coordinate(node, 0), in_.at_y = coordinate(node, 1), in_.at_z = coordinate(node, 2);
    in_.blocked = view.blocked;
    in_.wall_x = view.wall_x, in_.wall_y = view.wall_yz[0], in_.wall_z = view.wall_yz[1];
  }

  void ask(const fabric::Flit* head) override {
    if (head == nullptr) return;
    sampled_ = sc_core::sc_time_stamp() + sc_core::sc_time(1 - kAsk, sc_core::SC_NS);
    const int dest = static_cast<int>(head->dest);
    in_.dest_x = coordinate(dest, 0), in_.dest_y = coordinate(dest, 1), in_.dest_z = coordinate(dest, 2);
    in_.header = fresh_ ? uint8_t{0} : head->header;
  }

  fabric::Route answer() override {
    const BoxOutputs out = unit_->out();
    if (out.valid == 0 || out.drop != 0) return {};
    if (out.eject != 0) return {network_.p_.torus.ports(), 0, 0};
    return {out.port, channel_of(out.vc), out.header};
  }

 private:
  uint8_t coordinate(int node, int d) const { return static_cast<uint8_t>(network_.p_.torus.coordinate(node, d)); }

  BoxesModule& network_;
  const bool fresh_;
  BoxInputs in_, idle_;
  sc_core::sc_time sampled_;  // the edge at which in_ stands at the pins
  std::unique_ptr<TorusBoxModule> unit_;
};

// ---- the network

BoxesModule::BoxesModule(const sc_core::sc_module_name& name, const TorusParameters& parameters, fabric::Source& source,
                         fabric::Observer& observer, const BoxesMakers& makers)
    : sc_module(name),
      p_(parameters),
      map_(p_.torus, p_.standing),
      units_("unit_clock", sc_core::sc_time(1, sc_core::SC_NS)),
      cycles_("cycle_clock", sc_core::sc_time(TorusModule::kEdges, sc_core::SC_NS)) {
  find_links();
  build_routers(source, observer, makers);
  SC_HAS_PROCESS(BoxesModule);
  SC_METHOD(work);
  sensitive << work_;
  dont_initialize();
  SC_METHOD(ask);
  sensitive << ask_;
  dont_initialize();
  work_.notify(sc_core::sc_time(TorusModule::kEdges + kWork, sc_core::SC_NS));
  ask_.notify(sc_core::sc_time(TorusModule::kEdges + kAsk, sc_core::SC_NS));
}

void BoxesModule::build_routers(fabric::Source& source, fabric::Observer& observer, const BoxesMakers& makers) {
  const Torus& t = p_.torus;
  const int ports = t.ports();
  for (int i = 0; i < ports * t.nodes(); ++i) links_.push_back(std::make_unique<fabric::Link>(p_.link_latency));
  for (int n = 0; n < t.nodes(); ++n) {
    std::vector<fabric::SwitchModule::PortSetup> setups(static_cast<size_t>(ports) + 1);
    for (int port = 0; port <= ports; ++port) {
      fabric::SwitchModule::PortSetup& setup = setups[static_cast<size_t>(port)];
      setup.unit = std::make_unique<Port>(*this, n, port, makers);
      setup.buffer = port == ports ? p_.node_buffer : p_.link_buffer;
      if (port == ports) {
        setup.node = n;
        continue;
      }
      setup.out = links_[static_cast<size_t>(ports * n + port)].get();
      setup.in = links_[static_cast<size_t>(ports * t.neighbour(n, port) + Torus::opposite(port))].get();
    }
    const std::string name = "router_" + std::to_string(n);
    routers_.push_back(makers.data_path
                           ? makers.data_path(name.c_str(), p_.data_path, n, std::move(setups), source, observer)
                           : std::make_unique<fabric::SwitchModule>(name.c_str(), p_.data_path, n, std::move(setups),
                                                                    source, observer));
  }
}

/// A disabled router's node is cut off; its links go on.
void BoxesModule::find_links() {
  const Torus& t = p_.torus;
  states_.resize(static_cast<size_t>(t.nodes()));
  for (fabric::LinkState& s : states_) s.up.assign(static_cast<size_t>(t.ports()) + 1, true);
  const auto down = [&](int node, int port) {
    states_[static_cast<size_t>(node)].up[static_cast<size_t>(port)] = false;
    states_[static_cast<size_t>(t.neighbour(node, port))].up[static_cast<size_t>(Torus::opposite(port))] = false;
  };
  for (const torus::Link& l : p_.standing.links) down(l.node, 2 * l.dimension);
  for (const int n : p_.standing.nodes) {
    states_[static_cast<size_t>(n)].alive = false;
    for (int port = 0; port < t.ports(); ++port) down(n, port);
  }
  for (int n = 0; n < t.nodes(); ++n) states_[static_cast<size_t>(n)].up.back() = map_.healthy(n);
}

void BoxesModule::work() {
  work_.notify(period());
  if (cycle() < 0) return;
  for (size_t n = 0; n < routers_.size(); ++n) routers_[n]->work(cycle(), states_[n]);
}

void BoxesModule::ask() {
  ask_.notify(period());
  if (cycle() < 0) return;
  for (const auto& router : routers_) router->ask(cycle());
}

}  // namespace odonata::torus
