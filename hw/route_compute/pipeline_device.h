// SPDX-License-Identifier: Apache-2.0
// The SystemC pipeline as a CycleDevice, for the lockstep harness.
#pragma once

#include <memory>
#include <string>

#include "hw/common/own_kernel.h"
#include "hw/route_compute/pipeline.h"
#include "models/common/cycle_device.h"

namespace odonata::route_compute {

/// Every step() runs the device's own SystemC kernel for one clock period. So devices can be made at any time and in
/// any number, also while another SystemC simulation runs. `Pipeline` is RouteComputePipeline or, in tests, a subclass
/// with a planted bug.
template <class Pipeline>
class BasicPipelineDevice final : public CycleDevice<UnitInputs, UnitOutputs>, private UnitPins {
 public:
  explicit BasicPipelineDevice(const Dragonfly& d) {
    const hw::OwnKernel::Scope scope(kernel_);
    // sc_start(period) runs what happens before its end, so the edges lie in the middle of the steps.
    tick_ = std::make_unique<hw::Tick>("clock", sc_core::sc_time(1, sc_core::SC_NS), sc_core::sc_time(500, sc_core::SC_PS));
    UnitPins& pins = *this;
    core_ = std::make_unique<Pipeline>("route_compute", *tick_, d, pins);
  }
  ~BasicPipelineDevice() override {
    const hw::OwnKernel::Scope scope(kernel_);
    core_.reset();
    tick_.reset();
  }

  void step(const UnitInputs& in, UnitOutputs& out) override {
    const hw::OwnKernel::Scope scope(kernel_);
    in_ = &in;
    out_ = &out;
    sc_core::sc_start(tick_->period());
  }
  /// Time in the VCD file: the edge of step n (from 0) is at n + 1/2 ns.
  void open_trace(const std::string& path) override {
    const hw::OwnKernel::Scope scope(kernel_);
    core_->open_trace(path);
  }
  void close_trace() override {
    const hw::OwnKernel::Scope scope(kernel_);
    core_->close_trace();
  }

 private:
  const UnitInputs& drive() override { return *in_; }
  void deliver(const UnitOutputs& out) override { *out_ = out; }

  hw::OwnKernel kernel_;
  const UnitInputs* in_ = nullptr;
  UnitOutputs* out_ = nullptr;
  std::unique_ptr<hw::Tick> tick_;
  std::unique_ptr<Pipeline> core_;
};

using PipelineDevice = BasicPipelineDevice<RouteComputePipeline>;

}  // namespace odonata::route_compute
