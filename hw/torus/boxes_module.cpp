// SPDX-License-Identifier: Apache-2.0
#include "hw/torus/boxes_module.h"

#include <string>

namespace odonata::torus {

namespace {

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
    : NetworkModule(name, TorusModule::kEdges, kLead), p_(parameters), map_(p_.torus, p_.standing) {
  find_links();
  const auto make_unit = [&](int node, int port) { return std::make_unique<Port>(*this, node, port, makers); };
  data_paths_ = build_routers(p_, make_unit, makers.data_path, source, observer);
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

void BoxesModule::work_in(int64_t now) {
  for (size_t n = 0; n < states_.size(); ++n) data_paths_.routers[n]->work(now, states_[n]);
}

void BoxesModule::ask_in(int64_t now) {
  for (const auto& router : data_paths_.routers) router->ask(now);
}

}  // namespace odonata::torus
