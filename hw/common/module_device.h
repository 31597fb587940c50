// SPDX-License-Identifier: Apache-2.0
// A SystemC module as a CycleDevice: for the lockstep harness, and for platforms that step it themselves.
#pragma once

#include <memory>
#include <string>

#include "hw/common/clocked_module.h"
#include "hw/common/own_kernel.h"
#include "hw/common/vcd_file.h"
#include "models/common/cycle_device.h"

namespace odonata::hw {

/// Every step() runs the device's own SystemC kernel for one clock period. So devices can be made at any time and in
/// any number, also while another SystemC simulation runs. `Core` is the module, or holds it with what belongs to it;
/// it has out(), and for waveforms trace(file) or open_trace(path) and close_trace(). Time in the VCD file: the edge of
/// step n (from 0) is at n + 1/2 ns; open it before the first step().
template <class Core, class In, class Out>
class ModuleDevice : public CycleDevice<In, Out> {
 public:
  /// `make(tick, pins)` makes the core inside the device's kernel; pins() are what the present edge samples.
  template <class Make>
  explicit ModuleDevice(const Make& make) {
    const OwnKernel::Scope scope(kernel_);
    // sc_start(period) runs what happens before its end, so the edges lie in the middle of the steps.
    tick_ = std::make_unique<Tick>("clock", sc_core::sc_time(1, sc_core::SC_NS), sc_core::sc_time(500, sc_core::SC_PS));
    core_ = make(*tick_, Drive<In>([this]() -> const In& { return *in_; }));
  }
  ~ModuleDevice() override {
    ModuleDevice::close_trace();
    const OwnKernel::Scope scope(kernel_);
    core_.reset();
    tick_.reset();
  }
  void step(const In& in, Out& out) final {
    const OwnKernel::Scope scope(kernel_);
    in_ = &in;
    sc_core::sc_start(tick_->period());
    out = core_->out();
  }
  void open_trace(const std::string& path) final {
    const OwnKernel::Scope scope(kernel_);
    if constexpr (requires { core_->open_trace(path); }) {
      core_->open_trace(path);
    } else {
      file_ = open_vcd(path);
      core_->trace(file_);
    }
  }
  void close_trace() final {
    const OwnKernel::Scope scope(kernel_);
    if constexpr (requires { core_->close_trace(); }) core_->close_trace();
    if (file_ != nullptr) sc_core::sc_close_vcd_trace_file(file_);
    file_ = nullptr;
  }

 private:
  OwnKernel kernel_;
  const In* in_ = nullptr;
  std::unique_ptr<Tick> tick_;
  std::unique_ptr<Core> core_;
  sc_core::sc_trace_file* file_ = nullptr;
};

}  // namespace odonata::hw
