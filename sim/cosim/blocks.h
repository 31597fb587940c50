// SPDX-License-Identifier: Apache-2.0
// The blocks that `odonata cosim` knows.
#pragma once

#include <span>
#include <string>

#include "tb/harness/campaign.h"
#include "tb/harness/plant.h"

namespace odonata::cosim {

struct CampaignBlock {
  std::string name;
  std::span<const Plant> plants;
  CampaignResult (*run)(const CampaignRequest&);
};

/// All blocks of this build.
std::span<const CampaignBlock> campaign_blocks();

}  // namespace odonata::cosim
