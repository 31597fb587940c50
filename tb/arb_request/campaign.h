// SPDX-License-Identifier: Apache-2.0
// The benches of the arbitration requests: what `odonata cosim --block arb_request` and the suite run.
#pragma once

#include "tb/arb_request/rtl_sizes.h"
#include "tb/harness/unit_bench.h"

namespace odonata::cosim {

/// All planted bugs of the family.
std::span<const Plant> arb_request_plants();

/// One unit, of which the parameter `part` = port (default), logic or switch chooses the bench. Parameter `dims`
/// (default 3): which built size. Traffic: "corner", or "ur" (input port): a router of a mesh under uniform traffic
/// with `load` arrivals a cycle.
std::span<const Unit> arb_request_units();

// Each throws Error for bad input.
UnitBench<ArbPortBlock> arb_port_bench(const CampaignRequest& request);
UnitBench<ArbLogicBlock> arb_logic_bench(const CampaignRequest& request);
UnitBench<ArbSwitchBlock> arb_switch_bench(const CampaignRequest& request);

}  // namespace odonata::cosim
