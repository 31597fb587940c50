// SPDX-License-Identifier: Apache-2.0
// The runs of a sweep that differ in nothing but the seed, and means over them; for the pages and tables of a sweep
// only.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/net_command/sweep/sweep_run.h"

namespace odonata::cli {

inline constexpr const char* kSaturation = "saturation";
inline constexpr const char* kChannels[] = {"local", "global", "link"};  ///< classes of links between routers
inline constexpr int kLinksShown = 7;  ///< of a path, those of a dragonfly: they have columns of their own everywhere

/// Quantities of a run by name (columns of the CSV), with their place in its JSON; beside them there are "hops0",
/// "hops1", ..: the share of the packets that took so many links.
const std::vector<std::pair<std::string, std::string>>& quantities();
/// The same of runs of programs (docs/workloads.md §4): columns of the CSV when there are any.
const std::vector<std::pair<std::string, std::string>>& program_quantities();
/// N of "hopsN"; nothing for another name.
std::optional<int> hops_quantity(const std::string& name);
/// The quantities of a sweep's runs: of channels that a run has; "hops0" up to the longest path, at least 7; those of
/// programs when a run has them.
std::vector<std::string> columns_of(const SweepResults& results);
/// A quantity of a run; NaN where its JSON has none or null: not measured. Throws Error for a name that is none.
double value_of(const Json& result, const std::string& quantity);
/// A number with so many digits behind the point; empty for NaN.
std::string measured_text(double value, int digits);

/// Runs that differ in nothing but the seed.
struct RunGroup {
  size_t part = 0;
  Settings settings;  ///< without seed
  std::vector<const Json*> results;

  /// NaN when a run has not measured the quantity.
  double mean(const std::string& quantity) const;
  /// Greatest minus least; NaN as the mean, and of a single run.
  double spread(const std::string& quantity) const;
  /// Links of the longest path that a packet took, at least kLinksShown.
  int longest_path() const;
  double load() const { return std::stod(settings.count("load") != 0 ? settings.at("load") : "0.4"); }
};
/// In the order of the file.
std::vector<RunGroup> groups_of(const SweepResults& results);

/// Saturation points of all seeds.
struct SaturationGroup {
  size_t part = 0;
  Settings settings;
  std::vector<double> loads;
  double mean() const;
  bool found() const;
};
std::vector<SaturationGroup> saturation_of(const SweepResults& results);

/// What a curve is called: the varied settings, except load, seed and what tells the panels of the part apart.
std::string label_of(const SweepPart& part, const Settings& settings);
std::string title_of(const SweepFile& sweep, size_t part);
/// Whether settings have what `where` wants ("": must not have it).
bool matches(const Settings& settings, const Settings& where);
/// A latency chart of the groups, a curve a label, with the loads rising.
Json latency_chart(const SweepPart& part, const std::string& title, const std::vector<const RunGroup*>& groups);
/// Accepted over offered load.
Json accepted_chart(const SweepPart& part, const std::string& title, const std::vector<const RunGroup*>& groups);
/// When any run is saturated: the accepted load, and what the slowest router's nodes send.
std::vector<Json> saturation_charts(const SweepPart& part, const std::string& title,
                                    const std::vector<const RunGroup*>& groups);

/// A line of a table in Markdown, and its head.
std::string markdown_row(const std::vector<std::string>& row);
std::string markdown_head(const std::vector<std::string>& header);

}  // namespace odonata::cli
