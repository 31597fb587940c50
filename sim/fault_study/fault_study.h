// SPDX-License-Identifier: Apache-2.0
// What a fault study hands out: JSON with the sections of its page, and the tables on stdout.
#pragma once

#include <optional>

#include "models/fault/worst_case.h"
#include "sim/common/output.h"
#include "sim/fault_study/design_cost.h"
#include "sim/fault_study/study_run.h"

namespace odonata::cli {

/// "p99=500", "local.bound=600": a design is good enough when the last table write of every class (or of that one) is
/// not later.
struct Requirement {
  std::string text;         ///< as it was typed; empty: none
  std::string fault_class;  ///< empty: every class
  std::string quantity;     ///< min, p50, p95, p99, max, mean, bound
  double cycles = 0;
};
/// Throws Error "--require ...".
Requirement parse_requirement(const std::string& text, const std::vector<fault::FaultClass>& classes);

/// A design with everything that is said about it.
struct DesignResult {
  fault::Timing timing;
  std::vector<Distribution> last_write;  ///< by class
  std::vector<fault::WorstCase> bound;   ///< by class; without cycles: why not
  std::optional<DesignCost> cost;
  bool pareto =
      false;          ///< no other design is as cheap and as fast (p99 of the slowest class), and better in one of them
  bool meets = true;  ///< the requirement
  int64_t slowest_p99() const;
};

struct StudyResult {
  const StudyPlan& plan;
  const std::vector<StudyDesign>& samples;
  std::vector<DesignResult> designs;
  Requirement requirement;
  std::vector<std::string> problems;  ///< a sample beyond its bound, a chain that does not add up
  int cheapest = -1;                  ///< of the designs that meet the requirement
  double seconds = 0;
  bool good() const { return problems.empty() && (requirement.text.empty() || cheapest >= 0); }
};

/// Judges the samples.
StudyResult judge(const StudyPlan& plan, const std::vector<StudyDesign>& designs, const Requirement& requirement,
                  double seconds);
Json to_json(const StudyResult& result);
/// `samples`, `min`, percentiles, `max`, `mean`, `ci95`, and if wanted `histogram`.
Json distribution_json(const Distribution& distribution, bool histogram = false);
/// "318.0 +- 2.1" of such a distribution; of one sample the mean, of none nothing.
std::string mean_text(const Json& distribution);
/// The slowest critical chain of every class as a trace for Perfetto: a process a class, a thread a router, a slice a
/// service with its shares inside; 1 us of the trace is 1 cycle.
std::string study_trace(const StudyResult& result);
void print(const StudyResult& result);

}  // namespace odonata::cli
