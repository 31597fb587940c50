// SPDX-License-Identifier: Apache-2.0
// The registry of units: what `odonata cosim --block` offers, and `odonata vectors`. A family lists its own
// (tb/<family>/campaign.h).
#pragma once

#include <string>
#include <vector>

#include "tb/harness/unit_bench.h"

namespace odonata::cosim {

/// All units of this build that have campaigns.
std::span<const Unit> units();
/// Those, and the units that have golden model and stimuli only (their stimuli are not recorded): what `odonata
/// vectors`, DPI and Python offer.
std::span<const Unit> described_units();

/// A unit by words at its smallest size, under corner cases.
struct SmallUnit {
  std::string name;   ///< of its description
  std::string block;  ///< in described_units()
  CampaignRequest request;
  std::unique_ptr<WordBench> open() const { return find_unit(described_units(), block).open(request); }
};
/// Every unit that has a description (models/*/*.toml).
std::vector<SmallUnit> every_small_unit();

}  // namespace odonata::cosim
