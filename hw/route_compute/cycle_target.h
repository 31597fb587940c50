// SPDX-License-Identifier: Apache-2.0
// Any cycle device - the golden unit, the Verilated RTL - behind the same TLM sockets as the SystemC pipeline.
#pragma once

#include <memory>

#include "hw/common/tick.h"
#include "hw/route_compute/target.h"
#include "models/route_compute/golden_device.h"

namespace odonata::route_compute {

using UnitDevice = CycleDevice<UnitInputs, UnitOutputs>;

/// transport_dbg of the configuration reads a shadow of the registers (kept by watching the pins) and does not write.
class CycleTarget : public RouteComputeTarget {
 public:
  CycleTarget(const sc_core::sc_module_name& name, hw::Tick& tick, const Dragonfly& d,
              std::unique_ptr<UnitDevice> device)
      : RouteComputeTarget(name, d), device_(std::move(device)) {
    SC_HAS_PROCESS(CycleTarget);
    SC_METHOD(clock);
    sensitive << tick.edge();
    dont_initialize();
  }

  UnitDevice& device() { return *device_; }

 private:
  void clock() {
    device_->step(drive(), pins_out_);
    deliver(pins_out_);
  }

  std::unique_ptr<UnitDevice> device_;
  UnitOutputs pins_out_;
};

}  // namespace odonata::route_compute
