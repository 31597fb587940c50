// SPDX-License-Identifier: Apache-2.0
// The Verilated blocks of the congestion plane as CycleDevices.
#pragma once

#include <memory>
#include <vector>

#include "models/common/cycle_device.h"
#include "models/congestion/router_plane.h"

namespace odonata::cosim {

using MonitorDevice = CycleDevice<congestion::MonitorInputs, congestion::MonitorOutputs>;
using SenderDevice = CycleDevice<congestion::SenderInputs, congestion::SenderOutputs>;
using CollectorDevice = CycleDevice<congestion::CollectorInputs, congestion::CollectorOutputs>;
using PlaneDevice = CycleDevice<congestion::PlaneInputs, congestion::PlaneOutputs>;

/// `debug` gives waveforms and planted bugs (number `plant`, 0 = none). All throw Error when no RTL was built for the size.
std::unique_ptr<MonitorDevice> make_monitor_rtl(bool debug = false, int plant = 0);
std::unique_ptr<SenderDevice> make_sender_rtl(const Dragonfly& d, bool debug = false, int plant = 0);
std::unique_ptr<CollectorDevice> make_collector_rtl(const Dragonfly& d, bool debug = false, int plant = 0);
std::unique_ptr<PlaneDevice> make_plane_rtl(const Dragonfly& d, bool debug = false, int plant = 0);

}  // namespace odonata::cosim
