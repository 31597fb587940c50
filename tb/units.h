// SPDX-License-Identifier: Apache-2.0
// The registry of units: what `odonata cosim --block` offers. A family lists its own (tb/<family>/campaign.h).
#pragma once

#include "tb/harness/unit_bench.h"

namespace odonata::cosim {

/// All units of this build.
std::span<const Unit> units();

}  // namespace odonata::cosim
