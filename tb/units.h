// SPDX-License-Identifier: Apache-2.0
// The registry of units: what `odonata cosim --block` offers. A family lists its own (tb/<family>/campaign.h).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tb/harness/unit_bench.h"

namespace odonata::cosim {

/// All units of this build.
std::span<const Unit> units();

/// A unit by words at its smallest size, under corner cases.
struct SmallUnit {
  std::string name;
  bool is_part = false;  ///< not in units(): a part of one, or one whose stimuli are not recorded
  std::function<std::unique_ptr<WordBench>()> open;
};
/// Every unit that has a description (models/*/*.toml).
std::vector<SmallUnit> every_small_unit();

}  // namespace odonata::cosim
