// SPDX-License-Identifier: Apache-2.0
// Makes the runs of a sweep, several at a time, and looks them up afterwards.
#pragma once

#include <functional>

#include "sim/net_command/sweep/sweep_store.h"
#include "sim/network/exchange.h"

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
  std::string fault;  ///< fault_of() of a run that it looked at
};

/// What is wrong with a run, for which `odonata net` would fail, too; empty: nothing.
std::string fault_of(const Json& run);

struct SweepResults {
  std::vector<SweepPoint> points;
  std::vector<SaturationPoint> saturation;
};

/// What is run one after the other: with SweepPart::saturated_runs the loads of a curve, rising; of a saturation search
/// all seeds; else a single run.
struct SweepCurve {
  size_t part = 0;
  std::vector<Settings> runs;
};
/// In the order of the file.
std::vector<SweepCurve> curves_of(const SweepFile& sweep);

/// A curve that lacks runs, and about how much work they are, in the units of SweepEstimate::work.
struct CurveLeft {
  size_t curve = 0;  ///< of curves_of()
  double work = 0;
};
std::vector<CurveLeft> curves_left(const SweepFile& sweep, SweepStore& store);

/// Makes every run that the store does not have, `jobs` at a time; only those of `curves` when it lists any. Throws the
/// first error of any of them. With `only_known` nothing is run: what the store does not have is missing in the result;
/// so is what Ctrl-C left out. With an `exchange` (and one job) its ranks share every run.
SweepResults run_sweep(const SweepFile& sweep, SweepStore& store, int jobs, bool only_known,
                       const std::vector<size_t>& curves = {}, network::Exchange* exchange = nullptr);

/// How much there is to do.
struct SweepEstimate {
  size_t runs = 0;     ///< that are not in the store; searches at their longest
  double work = 0;     ///< of them: flits, and cycles of idle nodes; of programs at least as long as one rank by itself
  double seconds = 0;  ///< of processor time, from a few windows of the first run here and now
};
SweepEstimate estimate_sweep(const SweepFile& sweep, const SweepStore& store);

}  // namespace odonata::cli
