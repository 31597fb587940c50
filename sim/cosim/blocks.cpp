// SPDX-License-Identifier: Apache-2.0
#include "sim/cosim/blocks.h"

#include "tb/route_compute/campaign.h"

namespace odonata::cosim {

std::span<const CampaignBlock> campaign_blocks() {
  static const CampaignBlock kBlocks[] = {
      {"route_compute", route_compute_plants(), run_route_compute_campaign},
  };
  return kBlocks;
}

}  // namespace odonata::cosim
