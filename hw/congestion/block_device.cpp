// SPDX-License-Identifier: Apache-2.0
#include "hw/congestion/block_device.h"

#include "hw/common/own_kernel.h"
#include "hw/common/vcd_file.h"
#include "hw/congestion/bitmap_collector.h"
#include "hw/congestion/bitmap_sender.h"
#include "hw/congestion/credit_monitor.h"
#include "hw/congestion/pcs_transport.h"

namespace odonata::congestion {

namespace {

/// A kernel, a clock and one module. sc_start(period) runs what happens before its end, so the edges lie in the middle of the steps.
template <class Module, class In, class Out>
class BlockDevice final : public CycleDevice<In, Out> {
 public:
  template <class... Args>
  explicit BlockDevice(const char* name, Args&&... args) {
    const hw::OwnKernel::Scope scope(kernel_);
    tick_ = std::make_unique<hw::Tick>("clock", sc_core::sc_time(1, sc_core::SC_NS), sc_core::sc_time(500, sc_core::SC_PS));
    module_ = std::make_unique<Module>(name, *tick_, std::forward<Args>(args)..., [this]() -> const In& { return *in_; });
  }
  ~BlockDevice() override {
    BlockDevice::close_trace();
    const hw::OwnKernel::Scope scope(kernel_);
    module_.reset();
    tick_.reset();
  }
  void step(const In& in, Out& out) override {
    const hw::OwnKernel::Scope scope(kernel_);
    in_ = &in;
    sc_core::sc_start(tick_->period());
    out = module_->out();
  }
  /// Time in the VCD file: the edge of step n (from 0) is at n + 1/2 ns.
  void open_trace(const std::string& path) override {
    const hw::OwnKernel::Scope scope(kernel_);
    trace_file_ = hw::open_vcd(path);
    module_->trace(trace_file_);
  }
  void close_trace() override {
    if (trace_file_ == nullptr) return;
    const hw::OwnKernel::Scope scope(kernel_);
    sc_core::sc_close_vcd_trace_file(trace_file_);
    trace_file_ = nullptr;
  }

 private:
  hw::OwnKernel kernel_;
  const In* in_ = nullptr;
  std::unique_ptr<hw::Tick> tick_;
  std::unique_ptr<Module> module_;
  sc_core::sc_trace_file* trace_file_ = nullptr;
};

}  // namespace

std::unique_ptr<CycleDevice<MonitorInputs, MonitorOutputs>> make_monitor_systemc() {
  return std::make_unique<BlockDevice<CreditMonitorModule, MonitorInputs, MonitorOutputs>>("credit_monitor");
}
std::unique_ptr<CycleDevice<SenderInputs, SenderOutputs>> make_sender_systemc(const Dragonfly& d) {
  return std::make_unique<BlockDevice<BitmapSenderModule, SenderInputs, SenderOutputs>>("bitmap_sender", d.a() - 1);
}
std::unique_ptr<CycleDevice<CollectorInputs, CollectorOutputs>> make_collector_systemc(const Dragonfly& d) {
  return std::make_unique<BlockDevice<BitmapCollectorModule, CollectorInputs, CollectorOutputs>>("bitmap_collector", d);
}
std::unique_ptr<CycleDevice<PcsInputs, Frame>> make_pcs_systemc() {
  return std::make_unique<BlockDevice<PcsTransportModule, PcsInputs, Frame>>("pcs_transport", kPcsLatency);
}

}  // namespace odonata::congestion
