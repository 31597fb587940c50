// SPDX-License-Identifier: Apache-2.0
// The samples of a fault study, on all cores, kept in a file if wanted.
#pragma once

#include <string>
#include <vector>

#include "models/fault/study.h"
#include "sim/common/output.h"

namespace odonata::cli {

/// A router under test and its samples, by class.
struct StudyDesign {
  fault::Parameters parameters;
  std::vector<std::vector<fault::StudySample>> samples;  ///< by class as in StudyPlan::classes
};

struct StudyPlan {
  Dragonfly d;
  fault::StudySettings settings;
  std::vector<fault::FaultClass> classes;
  std::vector<int64_t> samples;  ///< of each class
  int threads = 1;
  std::string store;           ///< file of finished samples; empty: none
  Json known = Json::array();  ///< pieces of the samples that other machines have made
};

/// Pieces of the samples: what one thread makes in one go.
size_t count_pieces(const StudyPlan& plan, size_t designs);
/// Makes every piece whose number leaves `part` when divided by `parts`; what StudyPlan::known takes. Throws
/// Interrupted.
Json make_part(const StudyPlan& plan, std::vector<StudyDesign>& designs, uint64_t part, uint64_t parts);

/// Makes all samples of all designs; the result does not depend on the threads, nor on what the store had already.
/// Returns false when Ctrl-C stopped it. Throws Error.
bool make_samples(const StudyPlan& plan, std::vector<StudyDesign>& designs);

/// Nearest-rank percentiles, mean with the half width of its 95 % confidence interval, and a histogram.
struct Distribution {
  explicit Distribution(std::vector<int64_t> values);  ///< values below 0 (it did not happen) are left out
  std::vector<int64_t> sorted;
  double mean = 0, ci95 = 0;
  int64_t percentile(double percent) const;  ///< needs a sample
  int64_t from = 0, width = 1;               ///< of the histogram
  std::vector<uint64_t> counts;
};

}  // namespace odonata::cli
