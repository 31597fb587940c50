// SPDX-License-Identifier: Apache-2.0
// The levels of the route-compute unit that this build contains, each behind the same pins.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/common/cycle_device.h"
#include "models/route_compute/unit.h"

namespace odonata::cli {

using RouteComputeDevice = CycleDevice<route_compute::UnitInputs, route_compute::UnitOutputs>;

/// The names of the levels that can be made for this dragonfly: "golden", "systemc", "rtl".
std::vector<std::string> available_levels(const Dragonfly& d);

/// A fresh device of a level. Throws Error when the level is unknown, or not built for this dragonfly.
/// `plant`: a planted bug by name, RTL only.
std::unique_ptr<RouteComputeDevice> make_device(std::string_view level, const Dragonfly& d,
                                                const std::string& plant = "");

/// A unit of somebody else, from a library (tb/harness/odonata_device.h).
struct OwnUnit {
  std::unique_ptr<RouteComputeDevice> device;
  bool probed = false;  ///< it has the probe bits
};
/// Throws Error when the library does not fit.
OwnUnit make_own_unit(const std::string& library, const Dragonfly& d);

}  // namespace odonata::cli
