// SPDX-License-Identifier: Apache-2.0
// Co-simulation campaigns of route compute: what `odonata cosim --block route_compute` and the suite run.
#pragma once

#include <span>

#include "tb/harness/campaign.h"
#include "tb/harness/plant.h"

namespace odonata::cosim {

/// The planted bugs of the RTL.
std::span<const Plant> route_compute_plants();

/// Runs one campaign. Traffic: ur, adv+I, rp, "corner" for directed sequences and random corner cases, "all" for all of them. Throws Error for bad
/// input.
CampaignResult run_route_compute_campaign(const CampaignRequest& request);

}  // namespace odonata::cosim
