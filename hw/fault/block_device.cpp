// SPDX-License-Identifier: Apache-2.0
#include "hw/fault/block_device.h"

#include "hw/common/own_kernel.h"
#include "hw/common/vcd_file.h"
#include "hw/fault/fault_port_signals.h"
#include "hw/fault/fault_router_signals.h"
#include "hw/fault/fault_scheduler_signals.h"
#include "hw/fault/router_module.h"

namespace odonata::fault {

namespace {

/// Adds the output pins to a waveform, those of a router's port units, too.
template <class Out>
void trace(sc_core::sc_trace_file* file, const Out& o) {
  trace_pins(file, o, "");
  if constexpr (std::is_same_v<Out, RouterOutputs>) {
    for (size_t k = 0; k < o.unit.size(); ++k) trace_pins(file, o.unit[k], "port_" + std::to_string(k) + ".");
  }
}

/// A module with what belongs to it, made inside the device's kernel.
struct PortCore {
  PortCore(hw::Tick& tick, hw::Drive<PortInputs> pins, const Dragonfly& d, int banks, int depth)
      : ram("port_ram", num_rows(d), banks), module("fault_port", tick, d, ram, std::move(pins), banks, depth) {}
  OwnTableRam ram;
  FaultPortModule module;
};
struct SchedulerCore {
  SchedulerCore(hw::Tick& tick, hw::Drive<SchedulerInputs> pins, const Dragonfly& d, const SchedulerConfig& c)
      : module("scheduler", tick, d, c, std::move(pins)) {}
  FaultSchedulerModule module;
};
struct RouterCore {
  RouterCore(hw::Tick& tick, hw::Drive<RouterInputs> pins, const Dragonfly& d, const FaultRouterConfig& c)
      : module("fault_router", tick, d, c, std::move(pins)) {}
  FaultRouterModule module;
};

/// A kernel with a clock and one module. sc_start(period) runs what happens before its end, so the edges lie in the middle of the steps.
template <class Core, class In, class Out>
class BlockDevice final : public CycleDevice<In, Out> {
 public:
  template <class... Args>
  explicit BlockDevice(const Args&... args) {
    const hw::OwnKernel::Scope scope(kernel_);
    tick_ = std::make_unique<hw::Tick>("clock", sc_core::sc_time(1, sc_core::SC_NS), sc_core::sc_time(500, sc_core::SC_PS));
    core_ = std::make_unique<Core>(
        *tick_, [this]() -> const In& { return *in_; }, args...);
  }
  ~BlockDevice() override {
    const hw::OwnKernel::Scope scope(kernel_);
    close();
    core_.reset();
    tick_.reset();
  }
  void step(const In& in, Out& out) override {
    const hw::OwnKernel::Scope scope(kernel_);
    in_ = &in;
    sc_core::sc_start(tick_->period());
    out = core_->module.out();
  }
  void open_trace(const std::string& path) override {
    const hw::OwnKernel::Scope scope(kernel_);
    file_ = hw::open_vcd(path);
    trace(file_, core_->module.out());
  }
  void close_trace() override {
    const hw::OwnKernel::Scope scope(kernel_);
    close();
  }

 private:
  void close() {
    if (file_ != nullptr) sc_core::sc_close_vcd_trace_file(file_);
    file_ = nullptr;
  }
  hw::OwnKernel kernel_;
  const In* in_ = nullptr;
  std::unique_ptr<hw::Tick> tick_;
  std::unique_ptr<Core> core_;
  sc_core::sc_trace_file* file_ = nullptr;
};

}  // namespace

std::unique_ptr<CycleDevice<PortInputs, PortOutputs>> make_port_systemc(const Dragonfly& d, int banks, int command_depth) {
  return std::make_unique<BlockDevice<PortCore, PortInputs, PortOutputs>>(d, banks, command_depth);
}
std::unique_ptr<CycleDevice<SchedulerInputs, SchedulerOutputs>> make_scheduler_systemc(const Dragonfly& d, const SchedulerConfig& config) {
  return std::make_unique<BlockDevice<SchedulerCore, SchedulerInputs, SchedulerOutputs>>(d, config);
}
std::unique_ptr<CycleDevice<RouterInputs, RouterOutputs>> make_router_systemc(const Dragonfly& d, const FaultRouterConfig& config) {
  return std::make_unique<BlockDevice<RouterCore, RouterInputs, RouterOutputs>>(d, config);
}

}  // namespace odonata::fault
