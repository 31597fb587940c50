// SPDX-License-Identifier: Apache-2.0
// The Verilated blocks of the congestion plane as CycleDevices.
#pragma once

#include <memory>
#include <vector>

#include "models/common/cycle_device.h"
#include "models/congestion/pcs_transport.h"
#include "models/congestion/router_plane.h"
#include "tb/harness/rtl_variant.h"

namespace odonata::cosim {

using MonitorDevice = CycleDevice<congestion::MonitorInputs, congestion::MonitorOutputs>;
using SenderDevice = CycleDevice<congestion::SenderInputs, congestion::SenderOutputs>;
using CollectorDevice = CycleDevice<congestion::CollectorInputs, congestion::CollectorOutputs>;
using PcsDevice = CycleDevice<congestion::PcsInputs, congestion::Frame>;
using PlaneDevice = CycleDevice<congestion::PlaneInputs, congestion::PlaneOutputs>;

/// `plant` is the number of a planted bug (debug only), 0 = none. All throw Error when no such RTL was built for the size.
std::unique_ptr<MonitorDevice> make_monitor_rtl(RtlVariant variant = RtlVariant::fast, int plant = 0);
std::unique_ptr<SenderDevice> make_sender_rtl(const Dragonfly& d, RtlVariant variant = RtlVariant::fast, int plant = 0);
std::unique_ptr<CollectorDevice> make_collector_rtl(const Dragonfly& d, RtlVariant variant = RtlVariant::fast, int plant = 0);
std::unique_ptr<PcsDevice> make_pcs_rtl(RtlVariant variant = RtlVariant::fast, int plant = 0);
std::unique_ptr<PlaneDevice> make_plane_rtl(const Dragonfly& d, RtlVariant variant = RtlVariant::fast, int plant = 0);

}  // namespace odonata::cosim
