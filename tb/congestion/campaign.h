// SPDX-License-Identifier: Apache-2.0
// Co-simulation campaigns of the congestion blocks: what `odonata cosim --block credit_monitor|bitmap_sender|bitmap_collector|pcs_transport` and the
// suite run.
#pragma once

#include <span>

#include "tb/harness/campaign.h"
#include "tb/harness/plant.h"

namespace odonata::cosim {

/// The planted bugs of all congestion RTL, or of one block (a name as in `odonata cosim --block`): those of its own files.
std::span<const Plant> congestion_plants();
std::span<const Plant> congestion_plants(std::string_view block);

/// Run one campaign. Traffic: "corner" for directed sequences and random corner cases, "ur" for a loaded group (all that a single router's block can
/// tell apart), "all" for the one after the other. Throw Error for bad input.
CampaignResult run_credit_monitor_campaign(const CampaignRequest& request);
CampaignResult run_bitmap_sender_campaign(const CampaignRequest& request);
CampaignResult run_bitmap_collector_campaign(const CampaignRequest& request);
CampaignResult run_pcs_transport_campaign(const CampaignRequest& request);

}  // namespace odonata::cosim
