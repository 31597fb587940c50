// SPDX-License-Identifier: Apache-2.0
// The bench of route compute: what `odonata cosim --block route_compute` and the suite run.
#pragma once

#include "tb/harness/unit_bench.h"
#include "tb/route_compute/block.h"

namespace odonata::cosim {

/// The planted bugs of the RTL.
std::span<const Plant> route_compute_plants();

/// The unit. Traffic: ur, adv+I, rp, "corner" for directed sequences and random corner cases, "all" for all of them.
/// Parameter: maps = drawn (default) or plane.
std::span<const Unit> route_compute_units();

/// Throws Error for bad input.
UnitBench<RouteComputeBlock> route_compute_bench(const CampaignRequest& request);

}  // namespace odonata::cosim
