// SPDX-License-Identifier: Apache-2.0
#include "hw/router/whole_router.h"

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace odonata::router {

namespace {

/// The device, and what its faces have to tell each other. An edge is made when both clocked faces have laid down what
/// they sample.
class Core {
 public:
  Core(std::unique_ptr<RouterDevice> device, const Parameters& p, int router)
      : words_(DataConfig(p.dragonfly).words),
        ports_(p.dragonfly.num_ports()),
        nodes_(p.dragonfly.p()),
        device_(std::move(device)) {
    quiet_ = quiet_pins(p, router);
    waits_ = fault::Timing::native(p.dragonfly).stations;
    configure(*device_, p, router);
  }
  void hear(const congestion::PlaneInputs& pins) {
    plane_ = &pins;
    edge();
  }
  void hear(const fault::RouterInputs& pins) {
    fault_ = &pins;
    edge();
  }
  /// What the data path samples at the next edge: asked then.
  std::function<const DataInputs&()> data;
  const RouterOutputs& out() const { return out_; }
  bool message(int port) const { return out_.out_kind[static_cast<size_t>(port)] == kSlotMessage; }
  int words() const { return words_; }

 private:
  void edge();
  RouterInputs pins() const;

  int words_, ports_, nodes_;
  int waits_;  ///< edges to that of cycle 0
  std::unique_ptr<RouterDevice> device_;
  RouterInputs quiet_;
  const congestion::PlaneInputs* plane_ = nullptr;
  const fault::RouterInputs* fault_ = nullptr;
  RouterOutputs out_;
};

void Core::edge() {
  if (plane_ == nullptr || fault_ == nullptr) return;
  if (waits_ == 0) {
    device_->step(pins(), out_);
  } else {
    --waits_;
  }
  plane_ = nullptr;
  fault_ = nullptr;
}

RouterInputs Core::pins() const {
  const DataInputs& flits = data();
  RouterInputs in = quiet_;
  in.alive = !fault_->reset;
  in.link_up = in.alive ? fault_->link_up : fault_->link_up & ~low_mask(nodes_);
  in.in_cut = flits.in_cut;
  in.in_flit = flits.in_flit;
  in.credit = flits.credit;
  for (int k = 0; k < ports_; ++k) {
    const bool flit = flits.in_valid >> k & 1, message = fault_->in_valid >> k & 1;
    if (flit && message)
      throw std::logic_error("router: a flit and a message come in the same slot of port " + std::to_string(k));
    in.in_kind[static_cast<size_t>(k)] = static_cast<uint8_t>(message ? kSlotMessage : flit ? kSlotFlit : kSlotIdle);
    if (message) in.in_flit[static_cast<size_t>(words_ * k)] = fault_->in_message[static_cast<size_t>(k)];
  }
  std::copy_n(plane_->rx.begin(), in.rx.size(), in.rx.begin());
  return in;
}

class PlaneFace final : public congestion::CongestionPlane {
 public:
  PlaneFace(const sc_core::sc_module_name& name, hw::Tick& tick, const Dragonfly& d, std::shared_ptr<Core> core)
      : CongestionPlane(name, d), core_(std::move(core)) {
    out_.cfg_ready = 1;
    SC_HAS_PROCESS(PlaneFace);
    SC_METHOD(clock);
    sensitive << tick.edge();
    dont_initialize();
    SC_METHOD(settle);
    sensitive << tick.settled();
    dont_initialize();
  }
  const congestion::PlaneOutputs& out() const override { return out_; }

 private:
  void clock() { core_->hear(drive()); }
  void settle() {
    const RouterOutputs& o = core_->out();
    out_.cong_local = o.cong_local;
    out_.sender.valid = o.frame_valid;
    out_.sender.idle = o.frame_idle;
    out_.sender.stolen = o.frame_stolen;
    out_.sender.bits = o.frame_bits;
    out_.sender.crc = o.frame_crc;
    out_.sender.phase = o.frame_phase;
    deliver();
  }
  /// The registers are only in the device.
  bool debug_read(uint32_t, uint64_t&) const override { return false; }

  std::shared_ptr<Core> core_;
  congestion::PlaneOutputs out_;
};

class FaultFace final : public fault::FaultPlane {
 public:
  FaultFace(const sc_core::sc_module_name& name, hw::Tick& tick, const Dragonfly& d, std::shared_ptr<Core> core)
      : FaultPlane(name, d), core_(std::move(core)) {
    out_.in_ready = ~PortMap{0};
    out_.unit.resize(static_cast<size_t>(d.num_ports()));
    SC_HAS_PROCESS(FaultFace);
    SC_METHOD(clock);
    sensitive << tick.edge();
    dont_initialize();
    SC_METHOD(settle);
    sensitive << tick.settled();
    dont_initialize();
  }
  const fault::RouterOutputs& out() const override { return out_; }

 private:
  void clock() { core_->hear(drive()); }
  void settle() {
    const RouterOutputs& o = core_->out();
    out_.out_valid = 0;
    for (int k = 0; k < dragonfly().num_ports(); ++k) {
      out_.unit[static_cast<size_t>(k)].unheard = o.unheard[static_cast<size_t>(k)];
      if (!core_->message(k)) continue;
      out_.out_valid |= PortMap{1} << k;
      out_.out_message[static_cast<size_t>(k)] =
          static_cast<uint32_t>(o.out_flit[static_cast<size_t>(core_->words() * k)]);
    }
    out_.serve = o.serve;
    out_.serve_kind = o.serve_kind;
    out_.serve_port = o.serve_port;
    out_.serve_message = o.serve_message;
    out_.serve_isolated = o.serve_isolated;
    out_.busy = o.busy;
    deliver();
  }
  /// The rows are in the tables of route compute.
  void debug_write(int, int, const fault::Options&) override {}

  std::shared_ptr<Core> core_;
  fault::RouterOutputs out_;
};

class WholeRouterModule final : public DeviceRouterModule {
 public:
  WholeRouterModule(const sc_core::sc_module_name& name, hw::Tick& tick, const Parameters& p, int router,
                    Source& source, Observer& observer, congestion::CongestionPlane& plane,
                    const fault::FaultPlane& fault_plane, std::shared_ptr<Core> core)
      : DeviceRouterModule(name, tick, p, router, source, observer, plane, fault_plane, nullptr, {}, nullptr),
        core_(std::move(core)) {
    core_->data = [this]() -> const DataInputs& { return next_pins(); };
  }

 protected:
  const DataOutputs& clock(const LinkState&) override {
    const RouterOutputs& o = core_->out();
    pins() = {};
    shown_.out_valid = 0;
    for (size_t k = 0; k < ports().size(); ++k) shown_.out_valid |= PortMap{o.out_kind[k] == kSlotFlit} << k;
    shown_.out_flit = o.out_flit;
    shown_.credit = o.credit;
    shown_.sent = o.sent;
    shown_.departed = o.departed;
    shown_.grant = o.grant;
    return shown_;
  }

 private:
  /// Credits that arrive in a cycle are sampled by the edge that ends it.
  const DataInputs& next_pins() {
    for (size_t k = 0; k < ports().size(); ++k) {
      for (size_t v = 0; v < ports()[k].landed.size(); ++v)
        pins().credit[kNumVcs * k + v] = static_cast<uint16_t>(ports()[k].landed[v]);
    }
    return pins();
  }
  std::shared_ptr<Core> core_;
  DataOutputs shown_;
};

}  // namespace

void put_whole_routers(Makers& makers, const Parameters& p, const std::function<bool(int)>& chosen,
                       const MakeRouterDevice& make) {
  check_router_device(p);
  const auto cores =
      std::make_shared<std::vector<std::shared_ptr<Core>>>(static_cast<size_t>(p.dragonfly.num_routers()));
  const auto core = [=](int router) { return (*cores)[static_cast<size_t>(router)]; };
  makers.plane = [=](const char* name, hw::Tick& tick, const Dragonfly& d,
                     int router) -> std::unique_ptr<congestion::CongestionPlane> {
    if (chosen && !chosen(router)) return nullptr;
    (*cores)[static_cast<size_t>(router)] = std::make_shared<Core>(make(router), p, router);
    return std::make_unique<PlaneFace>(name, tick, d, core(router));
  };
  makers.fault_part = [=](const char* name, hw::Tick& tick, const Dragonfly& d, const fault::FaultRouterConfig&,
                          int router) {
    FaultPart part;
    if (core(router) != nullptr) part.plane = std::make_unique<FaultFace>(name, tick, d, core(router));
    return part;
  };
  makers.router = [=](const char* name, hw::Tick& tick, const Parameters& parameters, int router, Source& source,
                      Observer& observer, congestion::CongestionPlane& plane, const fault::FaultPlane& fault_plane,
                      const fault::FaultRouterModule* fault_router,
                      const MakePipeline& pipeline) -> std::unique_ptr<RouterModule> {
    if (core(router) != nullptr)
      return std::make_unique<WholeRouterModule>(name, tick, parameters, router, source, observer, plane, fault_plane,
                                                 core(router));
    return std::make_unique<RouterModule>(name, tick, parameters, router, source, observer, plane, fault_plane,
                                          fault_router, pipeline);
  };
}

}  // namespace odonata::router
