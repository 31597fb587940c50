// SPDX-License-Identifier: Apache-2.0
// Route compute in the lockstep harness: the cycles that configure a unit.
#pragma once

#include "tb/route_compute/route_compute_block.h"

namespace odonata::cosim {

using RouteComputeDevice = RtlDevice<RouteComputeBlock>;

/// One configuration operation as the pins of a cycle.
route_compute::UnitInputs configuration_cycle(uint32_t byte_address, uint64_t data);
/// Writes that bring a unit after its reset, or with whatever tables, to this configuration.
std::vector<route_compute::RegisterWrite> configuration_of(const route_compute::Registers& registers);
/// Reset and the whole configuration of a unit as cycles, one operation a cycle (no request is in flight, so none
/// waits).
std::vector<route_compute::UnitInputs> configuration_cycles(const std::vector<route_compute::RegisterWrite>& writes);

}  // namespace odonata::cosim
