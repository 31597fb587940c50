// SPDX-License-Identifier: Apache-2.0
// The SystemC input port as a CycleDevice: for the lockstep harness, and for a router.
#pragma once

#include <memory>
#include <string>

#include "hw/arb_request/input_port_module.h"
#include "hw/common/own_kernel.h"
#include "models/arb_request/golden_device.h"

namespace odonata::arb_request {

/// Every step() runs the device's own SystemC kernel for one clock period, so devices can be made at any time and in any number, also while another
/// SystemC simulation runs. `Module` is InputPortModule or, in tests, a subclass with a planted bug.
template <class Module>
class BasicInputPortDevice final : public PortDevice {
 public:
  /// Throws Error on a bad size.
  explicit BasicInputPortDevice(const PortSize& size) {
    const hw::OwnKernel::Scope scope(kernel_);
    // sc_start(period) runs what happens before its end, so the edges lie in the middle of the steps.
    tick_ = std::make_unique<hw::Tick>("clock", sc_core::sc_time(1, sc_core::SC_NS), sc_core::sc_time(500, sc_core::SC_PS));
    core_ = std::make_unique<Module>("input_port", *tick_, size, [this]() -> const PortInputs& { return *in_; });
  }
  ~BasicInputPortDevice() override {
    const hw::OwnKernel::Scope scope(kernel_);
    core_.reset();
    tick_.reset();
  }

  void step(const PortInputs& in, PortOutputs& out) override {
    const hw::OwnKernel::Scope scope(kernel_);
    in_ = &in;
    sc_core::sc_start(tick_->period());
    out = core_->out();
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
  hw::OwnKernel kernel_;
  const PortInputs* in_ = nullptr;
  std::unique_ptr<hw::Tick> tick_;
  std::unique_ptr<Module> core_;
};

using InputPortDevice = BasicInputPortDevice<InputPortModule>;

}  // namespace odonata::arb_request
