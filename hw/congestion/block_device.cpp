// SPDX-License-Identifier: Apache-2.0
#include "hw/congestion/block_device.h"

#include "hw/congestion/bitmap_collector.h"
#include "hw/congestion/bitmap_sender.h"
#include "hw/congestion/credit_monitor.h"

namespace odonata::congestion {

namespace {

/// A clock and one module. sc_start(period) runs what happens before its end, so the edges lie in the middle of the steps.
template <class Module, class In, class Out>
class BlockDevice final : public CycleDevice<In, Out> {
 public:
  template <class... Args>
  explicit BlockDevice(const char* name, Args&&... args)
      : tick_("step_clock", {1, sc_core::SC_NS}, {500, sc_core::SC_PS}),
        module_(name, tick_, std::forward<Args>(args)..., [this]() -> const In& { return *in_; }) {}
  void step(const In& in, Out& out) override {
    in_ = &in;
    sc_core::sc_start(tick_.period());
    out = module_.out();
  }

 private:
  const In* in_ = nullptr;
  hw::Tick tick_;
  Module module_;
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

}  // namespace odonata::congestion
