// SPDX-License-Identifier: Apache-2.0
// The benches of the fault plane: what `odonata cosim --block fault_port|fault_scheduler|fault_router|fault_link` and
// the suite run.
#pragma once

#include "tb/fault/fault_shared_port_block.h"
#include "tb/fault/link_block.h"
#include "tb/fault/port_block.h"
#include "tb/fault/router_block.h"
#include "tb/fault/scheduler_block.h"
#include "tb/harness/unit_bench.h"

namespace odonata::cosim {

/// The planted bugs of the fault plane's RTL.
std::span<const Plant> fault_plants();

/// The units. Stimuli are random commands, link events and messages on real tables, whatever the traffic. `--set
/// beyond=1` takes the parameters beyond the paper (port unit and router), `pipelined=1` one of them (router).
std::span<const Unit> fault_units();

// Each throws Error for bad input.
UnitBench<FaultPortBlock> fault_port_bench(const CampaignRequest& request);
UnitBench<FaultSchedulerBlock> fault_scheduler_bench(const CampaignRequest& request);
UnitBench<FaultLinkBlock> fault_link_bench(const CampaignRequest& request);
UnitBench<FaultRouterBlock> fault_router_bench(const CampaignRequest& request);
/// Its stimuli are not recorded: for the suite, not among the units.
UnitBench<FaultSharedBlock> fault_shared_port_bench(const CampaignRequest& request);

}  // namespace odonata::cosim
