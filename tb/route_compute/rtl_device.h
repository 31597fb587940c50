// SPDX-License-Identifier: Apache-2.0
// The Verilated route-compute RTL as a CycleDevice.
#pragma once

#include <memory>
#include <vector>

#include "models/common/cycle_device.h"
#include "models/route_compute/unit.h"
#include "tb/harness/rtl_variant.h"

namespace odonata::cosim {

using RouteComputeDevice = CycleDevice<route_compute::UnitInputs, route_compute::UnitOutputs>;

/// The Verilated unit for a dragonfly. `plant` is the number of a planted bug (debug only), 0 = none.
/// Throws Error when no RTL was built for this size or arrangement.
std::unique_ptr<RouteComputeDevice> make_route_compute_rtl(const Dragonfly& d, RtlVariant variant = RtlVariant::fast, int plant = 0);

/// The dragonflies for which RTL was built.
std::vector<Dragonfly> route_compute_rtl_sizes();

}  // namespace odonata::cosim
