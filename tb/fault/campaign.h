// SPDX-License-Identifier: Apache-2.0
// Co-simulation campaign of the port unit: what `odonata cosim --block fault_port` runs.
#pragma once

#include <span>

#include "tb/harness/campaign.h"
#include "tb/harness/plant.h"

namespace odonata::cosim {

/// The planted bugs of the fault plane's RTL.
std::span<const Plant> fault_plants();
/// Runs one campaign (random commands on real tables, whatever the traffic). Throws Error for bad input.
CampaignResult run_fault_port_campaign(const CampaignRequest& request);

}  // namespace odonata::cosim
