// SPDX-License-Identifier: Apache-2.0
#include "sim/fault_command/fault_hardware.h"

#include <memory>

#include "hw/common/report_text.h"
#include "tb/fault/router_block.h"

namespace odonata::cli {

using namespace fault;

namespace {

/// The Verilated router with its golden model beside it, compared at every edge.
class CheckedRouter final : public CycleDevice<RouterInputs, RouterOutputs> {
 public:
  CheckedRouter(const Dragonfly& d, const FaultRouterConfig& config, HardwareResult& result)
      : rtl_(cosim::make_fault_router_rtl(d)), golden_(d, config), result_(result) {}
  void step(const RouterInputs& in, RouterOutputs& out) override {
    rtl_->step(in, out);
    golden_.step(in, expected_);
    ++result_.rtl_cycles;
    result_.rtl_different += !(out == expected_);
  }

 private:
  std::unique_ptr<CycleDevice<RouterInputs, RouterOutputs>> rtl_;
  RouterUnit golden_;
  RouterOutputs expected_;
  HardwareResult& result_;
};

}  // namespace

HardwareResult run_in_systemc(const FaultPlaneNetwork& model, const std::vector<ScheduledFault>& faults,
                              int rtl_router) {
  const Dragonfly& d = model.dragonfly();
  const Timing& t = model.parameters().timing;
  HardwareResult result;
  result.rtl = rtl_router >= 0;
  const bool as_built = t.poll_width == 1 && t.ring_hop == 1 && t.banks == 1 && !t.pipelined;
  if (result.rtl && !as_built)
    throw Error(
        "--device rtl: the RTL router is built without --banks, --pipelined, --poll-width and --ring-hop; take "
        "--device systemc");
  hw::Tick tick("clock");
  FaultPlaneNetworkModule network("network", tick, d, model.parameters(), faults,
                                  [&](const char* name, hw::Tick& clock, const Dragonfly& size,
                                      const FaultRouterConfig& config, int router) -> std::unique_ptr<FaultPlane> {
                                    if (router != rtl_router)
                                      return std::make_unique<StructuralFaultPlane>(name, clock, size, config);
                                    return std::make_unique<DeviceFaultPlane>(
                                        name, clock, size, std::make_unique<CheckedRouter>(size, config, result));
                                  });
  const int64_t slack =
      t.global_latency + t.local_latency + t.stations + (model.parameters().link.enabled ? 2 * LinkEnd::kTimeout : 0);
  const int64_t patience = 2 * (model.now() + slack);  // wrong RTL may never be quiet
  const auto done = [&] {
    return network.faults_done() && network.quiet_cycles() >= slack && network.cycle() >= model.now();
  };
  try {
    do sc_core::sc_start(tick.period() * 100);
    while (!done() && network.cycle() < patience);
    if (!done()) result.difference = "the network is never quiet";
  } catch (const sc_core::sc_report& broken) {  // what the wires do not allow
    result.difference = hw::text_of(broken);
  }
  result.services = network.services().size();
  result.messages = network.transfers().size();
  result.cycles = network.cycle();
  if (result.difference.empty()) result.difference = compare_with_model(model, network);
  return result;
}

}  // namespace odonata::cli
