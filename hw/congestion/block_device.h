// SPDX-License-Identifier: Apache-2.0
// The SystemC modules of the congestion blocks as CycleDevices, for the lockstep harness.
//
// Every step() runs the kernel for one clock period, so it must not be called from a SystemC process. SystemC has one elaboration a process: make
// the device before any sc_start(), and only one.
#pragma once

#include <memory>

#include "models/common/cycle_device.h"
#include "models/congestion/router_plane.h"
#include "models/topology/dragonfly.h"

namespace odonata::congestion {

std::unique_ptr<CycleDevice<MonitorInputs, MonitorOutputs>> make_monitor_systemc();
std::unique_ptr<CycleDevice<SenderInputs, SenderOutputs>> make_sender_systemc(const Dragonfly& d);
std::unique_ptr<CycleDevice<CollectorInputs, CollectorOutputs>> make_collector_systemc(const Dragonfly& d);

}  // namespace odonata::congestion
