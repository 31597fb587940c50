// SPDX-License-Identifier: Apache-2.0
// Co-simulation campaigns of the fault plane: what `odonata cosim --block fault_port|fault_scheduler|fault_router|fault_link` runs.
#pragma once

#include <span>

#include "tb/harness/campaign.h"
#include "tb/harness/plant.h"

namespace odonata::cosim {

/// The planted bugs of the fault plane's RTL.
std::span<const Plant> fault_plants();
/// One campaign each, whatever the traffic: random commands, link events and messages on real tables. `--set beyond=1` takes the parameters beyond
/// the paper (port unit and router). All throw Error for bad input.
CampaignResult run_fault_port_campaign(const CampaignRequest& request);
CampaignResult run_fault_scheduler_campaign(const CampaignRequest& request);
CampaignResult run_fault_link_campaign(const CampaignRequest& request);
CampaignResult run_fault_router_campaign(const CampaignRequest& request);

}  // namespace odonata::cosim
