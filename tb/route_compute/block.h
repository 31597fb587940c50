// SPDX-License-Identifier: Apache-2.0
// How route compute plugs into the lockstep harness: its probes, its input fields, its preload.
#pragma once

#include <span>

#include "models/route_compute/golden_device.h"
#include "tb/harness/probe.h"

namespace odonata::cosim {

struct RouteComputeBlock {
  using Inputs = route_compute::UnitInputs;
  using Outputs = route_compute::UnitOutputs;
  using Reference = route_compute::GoldenDevice;
  static constexpr std::string_view kName = "route_compute";
  static std::span<const Probe<Outputs>> probes();
  static std::span<const Field<Inputs>> fields();
  static Inputs idle(const Inputs& in);
  static bool transaction(const Outputs& out) { return out.resp_valid != 0; }
  static std::vector<Inputs> preload(const Reference& reference);
};

/// One configuration operation as the pins of a cycle.
route_compute::UnitInputs configuration_cycle(uint32_t byte_address, uint64_t data);
/// Reset and the whole configuration of a unit as cycles, one operation a cycle (no request is in flight, so none waits).
std::vector<route_compute::UnitInputs> configuration_cycles(const std::vector<route_compute::RegisterWrite>& writes);

}  // namespace odonata::cosim
