// SPDX-License-Identifier: Apache-2.0
// The SystemC pipeline as a CycleDevice, for the lockstep harness.
#pragma once

#include <string>

#include "hw/route_compute/pipeline.h"
#include "models/common/cycle_device.h"

namespace odonata::route_compute {

/// Every step() runs the SystemC kernel for one clock period, so it must not be called from a SystemC process. SystemC has one
/// elaboration a process: make the device before any sc_start(), and only one (two would advance each other's clock).
/// `Pipeline` is RouteComputePipeline or, in tests, a subclass with a planted bug.
template <class Pipeline>
class BasicPipelineDevice final : public CycleDevice<UnitInputs, UnitOutputs>, private UnitPins {
 public:
  /// sc_start(period) runs what happens before its end, so the edges lie in the middle of the steps.
  explicit BasicPipelineDevice(const Dragonfly& d)
      : tick_("step_clock", {1, sc_core::SC_NS}, {500, sc_core::SC_PS}), core_("route_compute", tick_, d, *this) {}

  void step(const UnitInputs& in, UnitOutputs& out) override {
    in_ = &in;
    out_ = &out;
    sc_core::sc_start(tick_.period());
  }
  /// Time in the VCD file: the edge of step n (from 0) is at n + 1/2 ns.
  void open_trace(const std::string& path) override { core_.open_trace(path); }
  void close_trace() override { core_.close_trace(); }

 private:
  const UnitInputs& drive() override { return *in_; }
  void deliver(const UnitOutputs& out) override { *out_ = out; }

  const UnitInputs* in_ = nullptr;
  UnitOutputs* out_ = nullptr;
  hw::Tick tick_;
  Pipeline core_;
};

using PipelineDevice = BasicPipelineDevice<RouteComputePipeline>;

}  // namespace odonata::route_compute
