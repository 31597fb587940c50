// SPDX-License-Identifier: Apache-2.0
#include "hw/congestion/block_device.h"

#include "hw/common/module_device.h"
#include "hw/congestion/bitmap_collector.h"
#include "hw/congestion/bitmap_sender.h"
#include "hw/congestion/credit_monitor.h"
#include "hw/congestion/pcs_transport.h"

namespace odonata::congestion {

namespace {

/// A module made from its name, the clock, what is its own and the pins.
template <class Module, class In, class Out, class... Args>
std::unique_ptr<CycleDevice<In, Out>> make_device(const char* name, const Args&... args) {
  return std::make_unique<hw::ModuleDevice<Module, In, Out>>([&](hw::Tick& tick, hw::Drive<In> pins) {
    return std::make_unique<Module>(name, tick, args..., std::move(pins));
  });
}

}  // namespace

std::unique_ptr<CycleDevice<MonitorInputs, MonitorOutputs>> make_monitor_systemc() {
  return make_device<CreditMonitorModule, MonitorInputs, MonitorOutputs>("credit_monitor");
}
std::unique_ptr<CycleDevice<SenderInputs, SenderOutputs>> make_sender_systemc(const Dragonfly& d) {
  return make_device<BitmapSenderModule, SenderInputs, SenderOutputs>("bitmap_sender", d.a() - 1);
}
std::unique_ptr<CycleDevice<CollectorInputs, CollectorOutputs>> make_collector_systemc(const Dragonfly& d) {
  return make_device<BitmapCollectorModule, CollectorInputs, CollectorOutputs>("bitmap_collector", d);
}
std::unique_ptr<CycleDevice<PcsInputs, Frame>> make_pcs_systemc() {
  return make_device<PcsTransportModule, PcsInputs, Frame>("pcs_transport", kPcsLatency);
}

}  // namespace odonata::congestion
