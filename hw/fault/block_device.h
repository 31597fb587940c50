// SPDX-License-Identifier: Apache-2.0
// The SystemC modules of the fault plane as CycleDevices, for the lockstep harness. Each brings its own kernel, so they
// can be made at any time and in any number; open_trace() writes a VCD of the pins.
#pragma once

#include <memory>

#include "models/fault/router_unit.h"

namespace odonata::fault {

std::unique_ptr<CycleDevice<PortInputs, PortOutputs>> make_port_systemc(const Dragonfly& d, int banks = 1,
                                                                        int command_depth = 0);
std::unique_ptr<CycleDevice<SchedulerInputs, SchedulerOutputs>> make_scheduler_systemc(const Dragonfly& d,
                                                                                       const SchedulerConfig& config);
std::unique_ptr<CycleDevice<RouterInputs, RouterOutputs>> make_router_systemc(const Dragonfly& d,
                                                                              const FaultRouterConfig& config);

}  // namespace odonata::fault
