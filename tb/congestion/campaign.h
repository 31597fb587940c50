// SPDX-License-Identifier: Apache-2.0
// Co-simulation campaigns of the congestion blocks: what `odonata cosim --block credit_monitor|bitmap_sender|bitmap_collector` and the suite run.
#pragma once

#include <span>

#include "tb/harness/campaign.h"
#include "tb/harness/plant.h"

namespace odonata::cosim {

/// The planted bugs of the congestion RTL; each names the block that shows it by its file.
std::span<const Plant> congestion_plants();

/// Run one campaign. Traffic: "corner" for random corner cases, "ur" for a loaded group (all that a single router's block can tell apart).
/// Throw Error for bad input.
CampaignResult run_credit_monitor_campaign(const CampaignRequest& request);
CampaignResult run_bitmap_sender_campaign(const CampaignRequest& request);
CampaignResult run_bitmap_collector_campaign(const CampaignRequest& request);

}  // namespace odonata::cosim
