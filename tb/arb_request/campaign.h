// SPDX-License-Identifier: Apache-2.0
// Co-simulation campaigns of the arbitration requests, as `odonata cosim --block arb_request` asks for them.
#pragma once

#include <span>

#include "tb/arb_request/rtl_sizes.h"
#include "tb/harness/campaign.h"
#include "tb/harness/plant.h"

namespace odonata::cosim {

/// All planted bugs of the block.
std::span<const Plant> arb_request_plants();

/// Parameters: `dims` (default 3: which built size), `part` = port (default), logic or switch. Traffic: "corner", or anything that route compute
/// knows as "ur": a router of a mesh under uniform traffic with `load` arrivals a cycle. Throws Error on anything it does not know.
CampaignResult run_arb_request_campaign(const CampaignRequest& request);

}  // namespace odonata::cosim
