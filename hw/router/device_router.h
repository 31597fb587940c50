// SPDX-License-Identifier: Apache-2.0
// SystemC: a router whose data path is a device behind the pins of docs/router.md §2.1: golden model, SystemC module or
// Verilated RTL. Route compute and the planes are those of RouterModule; whatever leaves the router is what the device
// says.
#pragma once

#include "hw/router/router.h"
#include "models/common/cycle_device.h"
#include "models/router/data_config.h"
#include "models/router/router_data_pins.h"

namespace odonata::router {

using DataDevice = CycleDevice<DataInputs, DataOutputs>;

/// The data path's parameters in this network.
DataConfig data_config(const Parameters& parameters);

/// Asked at arrival, output FIFOs bounded (Parameters::ask_at_arrival, output_fifo), two phases; otherwise the
/// constructor throws Error. What waits inside is kept here a second time, by flits, to tell the observer of them; a
/// device that gives up what it has not got ends the run. A subclass that has its data path somewhere else gives no
/// device and says in clock() what it shows.
class DeviceRouterModule : public RouterModule {
 public:
  DeviceRouterModule(const sc_core::sc_module_name& name, hw::Tick& tick, const Parameters& parameters, int router,
                     Source& source, Observer& observer, congestion::CongestionPlane& plane,
                     const fault::FaultPlane& fault_plane, const fault::FaultRouterModule* fault_router,
                     const MakePipeline& make, std::unique_ptr<DataDevice> device);

 protected:
  void take_credits(int64_t now) override;
  void move_flits(int64_t now, const LinkState& state) override;
  void pay_credits(int64_t now) override;
  void arrived(int port, const Flit& flit, bool cut) override;
  void died() override { in_.alive = false; }

  /// The edge of cycle `now` and what the data path shows after it; its pins are empty again.
  virtual const DataOutputs& clock(const LinkState& state);
  DataInputs& pins() { return in_; }

 private:
  void take_answers();
  void leave_links(int64_t now, const LinkState& state);
  void give_up(int port, int phase, int64_t now);
  [[noreturn]] void fail(const std::string& what) const;

  const Dragonfly d_;
  DataConfig config_;
  std::unique_ptr<DataDevice> device_;
  DataInputs in_;  ///< of the next edge
  DataOutputs out_;
  const DataOutputs* shown_ = nullptr;  ///< of the present cycle
};

}  // namespace odonata::router
