// SPDX-License-Identifier: Apache-2.0
// What a sweep hands out: a CSV line a run, JSON with means over seeds and sections for the report page, and a table
// beside the paper's values.
#pragma once

#include <set>
#include <string>

#include "sim/net_command/sweep/sweep_run.h"

namespace odonata::cli {

/// Whether a PaperValue may name it: a column of the CSV, or "saturation".
bool is_quantity(const std::string& name);

/// The parameters that every table of runs has, given or not.
const std::set<std::string>& always_told();
/// A parameter of a run, given or not, as text or as in its JSON; null for one that its network does not have.
Json setting_of(const SweepPoint& p, const std::string& key);
/// A run a line; columns: part, every setting that differs between runs, then the quantities.
std::string sweep_csv(const SweepFile& sweep, const SweepResults& results);
/// Means over the seeds, saturation points, the paper's values beside the measured ones, and the sections of the page.
Json sweep_json(const SweepFile& sweep, const SweepResults& results);
/// The same for docs/results: one table a part and the comparison with the paper. `command`: how to reproduce it.
std::string sweep_markdown(const SweepFile& sweep, const SweepResults& results, const std::string& command);

/// A published value beside what was measured.
struct Comparison {
  const PaperValue* paper = nullptr;
  size_t runs = 0;        ///< runs (saturation: searches) that it is about and that have measured it
  double measured = 0;    ///< mean over `runs`
  size_t unmeasured = 0;  ///< those that have not; saturation: the lowest load of the range is saturated
  bool at_least = false;  ///< saturation: of a search that found nothing above its range
  /// Deviation in percent; saturation: difference.
  double deviation() const;
  /// Within 3 %, saturation within 0.02.
  bool close() const;
};
std::vector<Comparison> compare_with_paper(const SweepFile& sweep, const SweepResults& results);
/// Measured, paper, deviation of a comparison as cells of a table; the last one explains.
std::vector<std::string> cells(const Comparison& c);

}  // namespace odonata::cli
