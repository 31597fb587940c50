// SPDX-License-Identifier: Apache-2.0
#include "hw/fault/block_device.h"

#include "hw/common/module_device.h"
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

/// A module that shows its pins in a waveform.
template <class Module>
struct Shown {
  template <class... Args>
  explicit Shown(Args&&... args) : module(std::forward<Args>(args)...) {}
  const auto& out() const { return module.out(); }
  void trace(sc_core::sc_trace_file* file) const { fault::trace(file, module.out()); }
  Module module;
};

/// The port unit with its table RAM.
struct PortCore {
  PortCore(hw::Tick& tick, hw::Drive<PortInputs> pins, const Dragonfly& d, int banks, int depth)
      : ram("port_ram", num_rows(d), banks), shown("fault_port", tick, d, ram, std::move(pins), banks, depth) {}
  const PortOutputs& out() const { return shown.out(); }
  void trace(sc_core::sc_trace_file* file) const { shown.trace(file); }
  OwnTableRam ram;
  Shown<FaultPortModule> shown;
};

}  // namespace

std::unique_ptr<CycleDevice<PortInputs, PortOutputs>> make_port_systemc(const Dragonfly& d, int banks,
                                                                        int command_depth) {
  return std::make_unique<hw::ModuleDevice<PortCore, PortInputs, PortOutputs>>(
      [&](hw::Tick& tick, hw::Drive<PortInputs> pins) {
        return std::make_unique<PortCore>(tick, std::move(pins), d, banks, command_depth);
      });
}
std::unique_ptr<CycleDevice<SchedulerInputs, SchedulerOutputs>> make_scheduler_systemc(const Dragonfly& d,
                                                                                       const SchedulerConfig& config) {
  using Core = Shown<FaultSchedulerModule>;
  return std::make_unique<hw::ModuleDevice<Core, SchedulerInputs, SchedulerOutputs>>(
      [&](hw::Tick& tick, hw::Drive<SchedulerInputs> pins) {
        return std::make_unique<Core>("scheduler", tick, d, config, std::move(pins));
      });
}
std::unique_ptr<CycleDevice<RouterInputs, RouterOutputs>> make_router_systemc(const Dragonfly& d,
                                                                              const FaultRouterConfig& config) {
  using Core = Shown<FaultRouterModule>;
  return std::make_unique<hw::ModuleDevice<Core, RouterInputs, RouterOutputs>>(
      [&](hw::Tick& tick, hw::Drive<RouterInputs> pins) {
        return std::make_unique<Core>("fault_router", tick, d, config, std::move(pins));
      });
}

}  // namespace odonata::fault
