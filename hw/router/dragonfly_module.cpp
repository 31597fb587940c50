// SPDX-License-Identifier: Apache-2.0
#include "hw/router/dragonfly_module.h"

#include <string>

namespace odonata::router {

namespace {

fault::Parameters fault_parameters(const Parameters& p) {
  fault::Parameters out;
  out.mode = p.mode;
  out.recovery = p.recovery;
  out.policy = p.tables;
  out.timing = fault::Timing::native(p.dragonfly);
  out.timing.pipelined = p.pipelined;
  out.timing.local_latency = p.local_latency + 1;  // the edge that would write a flit of the slot takes a message, too
  out.timing.global_latency = p.global_latency + 1;
  return out;
}

std::string numbered(const char* name, int i) { return name + std::to_string(i); }

}  // namespace

DragonflyModule::DragonflyModule(const sc_core::sc_module_name& name, hw::Tick& tick, const Parameters& parameters,
                                 Source& source, Observer& observer, const Makers& makers)
    : sc_module(name), p_(parameters), d_(p_.dragonfly), period_(tick.period()) {
  build_congestion(tick, makers.plane);
  build_faults(tick, makers.fault_part);
  build_routers(tick, source, observer, makers);
  build_links();
  SC_HAS_PROCESS(DragonflyModule);
  SC_METHOD(work);
  sensitive << work_;
  dont_initialize();
  SC_METHOD(load);
  sensitive << load_;
  dont_initialize();
  work_.notify(period_ * 1.25);  // the faults of a cycle happen in the middle of the one before
  load_.notify(period_ * 1.75);
}

void DragonflyModule::build_congestion(hw::Tick& tick, const MakePlane& replace) {
  congestion::PlaneConfig config = p_.plane;
  config.link = p_.local_latency;
  for (int g = 0; g < d_.g(); ++g) {
    const auto make = [&](const char* name, hw::Tick& t, const Dragonfly& d,
                          int r) -> std::unique_ptr<congestion::CongestionPlane> {
      std::unique_ptr<congestion::CongestionPlane> plane = replace ? replace(name, t, d, g * d.a() + r) : nullptr;
      modules_.push_back(nullptr);
      if (plane == nullptr) {
        auto modules = std::make_unique<congestion::StructuralPlane>(name, t, d);
        modules_.back() = modules.get();
        plane = std::move(modules);
      }
      planes_.push_back(plane.get());
      return plane;
    };
    groups_.push_back(
        std::make_unique<congestion::GroupCongestionPlane>(numbered("congestion_", g).c_str(), tick, d_, config, make));
  }
  for (congestion::CongestionPlane* plane : planes_) {
    sockets_.push_back(std::make_unique<Initiator>(numbered("socket_", static_cast<int>(sockets_.size())).c_str()));
    sockets_.back()->bind(plane->config_socket);
    plane->set_reset(true);
  }
}

void DragonflyModule::build_faults(hw::Tick& tick, const MakeFaultPart& make) {
  fault_routers_.resize(d_.num_routers());
  const auto make_plane = [&](const char* name, hw::Tick& t, const Dragonfly& d, const fault::FaultRouterConfig& config,
                              int router) -> std::unique_ptr<fault::FaultPlane> {
    FaultPart part = make ? make(name, t, d, config, router) : FaultPart{};
    if (part.plane != nullptr) {
      fault_routers_[router] = part.router;
      return std::move(part.plane);
    }
    auto plane = std::make_unique<fault::StructuralFaultPlane>(name, t, d, config);
    fault_routers_[router] = &plane->router();
    return plane;
  };
  faults_ =
      std::make_unique<fault::FaultPlaneNetworkModule>("faults", tick, d_, fault_parameters(p_), p_.faults, make_plane);
}

void DragonflyModule::build_routers(hw::Tick& tick, Source& source, Observer& observer, const Makers& makers) {
  for (int r = 0; r < d_.num_routers(); ++r) {
    const std::string name = numbered("router_", r);
    const auto make = [&](const auto& maker) {
      return maker(name.c_str(), tick, p_, r, source, observer, *planes_[r], faults_->plane(r), fault_routers_[r],
                   makers.pipeline);
    };
    routers_.push_back(makers.router ? make(makers.router) : make([](auto&&... arguments) {
      return std::make_unique<RouterModule>(arguments...);
    }));
  }
}

void DragonflyModule::build_links() {
  std::vector<std::vector<Link*>> out(d_.num_routers(), std::vector<Link*>(d_.num_ports()));
  for (int r = 0; r < d_.num_routers(); ++r) {
    for (int port = d_.first_local(); port < d_.num_ports(); ++port) {
      if (!d_.peer(d_.router(r), port).connected) continue;
      links_.push_back(std::make_unique<Link>(d_.is_local_port(port) ? p_.local_latency : p_.global_latency));
      out[r][port] = links_.back().get();
    }
  }
  for (int r = 0; r < d_.num_routers(); ++r) {
    for (int port = d_.first_local(); port < d_.num_ports(); ++port) {
      const Dragonfly::Peer peer = d_.peer(d_.router(r), port);
      if (peer.connected) routers_[r]->connect(port, out[d_.router_index(peer.router)][peer.port], out[r][port]);
    }
  }
}

/// The edge of cycle 0 is the last one of the reset; the planes start as configured with the next.
void DragonflyModule::start_planes() {
  for (int r = 0; r < d_.num_routers(); ++r) {
    planes_[r]->set_reset(false);
    if (modules_[r] != nullptr) modules_[r]->load(plane_config(p_), d_.router(r).bid);
  }
}

RouterModule::LinkState DragonflyModule::link_state(int router) const {
  RouterModule::LinkState state;
  state.alive = faults_->alive(router);
  for (int port = 0; port < d_.num_ports(); ++port) {
    const bool up = faults_->link_up(router, port) && (port >= d_.p() || state.alive);
    if (!up) state.up &= ~(1ull << port);
  }
  return state;
}

void DragonflyModule::work() {
  work_.notify(period_);
  const int64_t now = cycle();
  if (now < 0) return;
  if (now == 0) start_planes();
  for (int r = 0; r < d_.num_routers(); ++r) routers_[r]->work(now, link_state(r));
}

void DragonflyModule::load() {
  load_.notify(period_);
  const int64_t next = cycle() + 1;
  if (next <= 0) return;
  for (int r = 0; r < d_.num_routers(); ++r) routers_[r]->load(next, link_state(r));
}

uint64_t DragonflyModule::waiting() const {
  uint64_t n = 0;
  for (const auto& r : routers_) n += r->waiting();
  return n;
}

}  // namespace odonata::router
