// SPDX-License-Identifier: Apache-2.0
// Two routing algorithms side by side in a sweep: latency over load, and throughput.
#pragma once

#include "sim/net_command/sweep/sweep_groups.h"

namespace odonata::cli {

/// What one algorithm gains over another under the same settings.
struct Gain {
  size_t part = 0;
  bool throughput = false;  ///< SweepPart::throughput
  std::string from, to;     ///< routing algorithms
  Settings settings;        ///< without routing, load and seed
  struct AtLoad {
    double load = 0, from = 0, to = 0;  ///< mean latencies of both at a load, NaN where none was measured
    bool saturated = false;             ///< both of them, with some seed
    double reduction() const { return 100 * (1 - to / from); }
  };
  std::vector<AtLoad> loads;          ///< rising; those that both were run at
  double peak_from = 0, peak_to = 0;  ///< highest accepted load, flits a node and cycle
  double last_from = 0, last_to = 0;  ///< accepted at the highest offered load that both were run at
  double peak_gain() const { return 100 * (peak_to / peak_from - 1); }
  double last_gain() const { return 100 * (last_to / last_from - 1); }
  /// The load with the largest reduction of latency at which the second algorithm is not saturated yet; null without
  /// any load.
  const AtLoad* largest_reduction() const;
};

/// For every pair of every part that compares, and every combination of its other parameters.
std::vector<Gain> gains_of(const SweepFile& sweep, const std::vector<RunGroup>& groups);

/// Quantities of a Gain that a PaperValue may name, in percent: "reduction" (its `where` names a load),
/// "largest_reduction", "gain" (of the highest accepted load), "gain_at_last" (of that at the highest offered load).
bool is_gain(const std::string& quantity);
/// The values of a gain quantity under `where`.
std::vector<double> gain_values(const std::vector<Gain>& gains, const std::string& quantity, const Settings& where);

/// The tables of a part: title, header, rows.
struct GainTable {
  std::string title;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};
std::vector<GainTable> gain_tables(const SweepFile& sweep, size_t part, const std::vector<Gain>& gains);
/// The pictures of a part: latency a panel and reductions over load, or accepted over offered load a panel and gains as
/// bars.
Json gain_charts(const SweepFile& sweep, size_t part, const std::vector<RunGroup>& groups,
                 const std::vector<Gain>& gains);

}  // namespace odonata::cli
