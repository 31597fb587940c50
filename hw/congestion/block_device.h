// SPDX-License-Identifier: Apache-2.0
// The SystemC modules of the congestion blocks as CycleDevices, for the lockstep harness.
//
// Every step() runs the device's own SystemC kernel for one clock period. So devices can be made at any time and in any
// number, also while another SystemC simulation runs. open_trace() writes a VCD file; call it before the first step().
#pragma once

#include <memory>

#include "models/common/cycle_device.h"
#include "models/congestion/pcs_transport.h"
#include "models/congestion/router_plane.h"
#include "models/topology/dragonfly.h"

namespace odonata::congestion {

std::unique_ptr<CycleDevice<MonitorInputs, MonitorOutputs>> make_monitor_systemc();
std::unique_ptr<CycleDevice<SenderInputs, SenderOutputs>> make_sender_systemc(const Dragonfly& d);
std::unique_ptr<CycleDevice<CollectorInputs, CollectorOutputs>> make_collector_systemc(const Dragonfly& d);
std::unique_ptr<CycleDevice<PcsInputs, Frame>> make_pcs_systemc();

}  // namespace odonata::congestion
