// SPDX-License-Identifier: Apache-2.0
// Makes the runs of a sweep, several at a time, and looks them up afterwards.
#pragma once

#include <functional>

#include "sim/net_command/sweep/sweep_store.h"

namespace odonata::cli {

/// A finished run.
struct SweepPoint {
  size_t part = 0;
  Settings settings;  ///< everything, load and seed included
  const Json* result = nullptr;
};

/// What a search found for one combination (seed included).
struct SaturationPoint {
  size_t part = 0;
  Settings settings;  ///< without load
  double load = 0;    ///< highest load that is not saturated; negative: even the lowest is
};

struct SweepResults {
  std::vector<SweepPoint> points;
  std::vector<SaturationPoint> saturation;
};

/// Makes every run that the store does not have, `jobs` at a time. Throws the first error of any of them. With `only_known` nothing is run: what the
/// store does not have is missing in the result; so is what Ctrl-C left out.
SweepResults run_sweep(const SweepFile& sweep, SweepStore& store, int jobs, bool only_known);

/// How much there is to do.
struct SweepEstimate {
  size_t runs = 0;     ///< that are not in the store; searches at their longest
  double seconds = 0;  ///< of processor time, from a few windows of the first run here and now
};
SweepEstimate estimate_sweep(const SweepFile& sweep, const SweepStore& store);

}  // namespace odonata::cli
