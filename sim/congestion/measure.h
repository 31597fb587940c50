// SPDX-License-Identifier: Apache-2.0
// Measurements of the congestion plane of one group (docs/congestion.md §7, §8).
#pragma once

#include <string>
#include <vector>

#include "models/congestion/group_load.h"
#include "models/congestion/group_plane.h"

namespace odonata::cli {

/// What the local links carry while ages are measured. idle: no packets; tails: a tail flit every cycle; mixed: flits
/// and tails at random.
enum class LinkTraffic { idle, tails, mixed };
std::string_view to_string(LinkTraffic traffic);

/// Ages under one kind of traffic beside their closed form.
struct AgeMeasurement {
  LinkTraffic traffic = LinkTraffic::mixed;
  congestion::AgeParameters parameters;
  congestion::AgeStatistics statistics;
  congestion::GroupCounters counters;
  std::vector<congestion::AgeSample> first;  ///< the samples of the first change
  int64_t cycles = 0;

  const congestion::Histogram& stage(congestion::Stage s) const { return statistics.stage[static_cast<int>(s)]; }
  /// idle and tails: changes come at every phase exactly once, so the mean has a closed form too.
  bool exact_mean() const { return traffic != LinkTraffic::mixed; }
  /// Minimum, maximum (and mean, where there is one) of every stage equal the closed form. Not asked when frames were
  /// lost or damaged.
  bool agrees() const;
  /// No age is outside its closed form; it need not have met both ends.
  bool within() const;
};

/// idle, tails: every router's first global port changes once at every phase of interval and multiplexer, on perfect
/// links. mixed: random changes and traffic for `cycles` cycles, with the link faults of the configuration.
AgeMeasurement measure_age(const Dragonfly& d, congestion::PlaneConfig config, LinkTraffic traffic, int64_t cycles,
                           uint64_t seed);

/// Frames and stolen slots of a loaded group.
congestion::GroupCounters measure_overhead(const Dragonfly& d, const congestion::PlaneConfig& config,
                                           const congestion::LoadConfig& load, int64_t cycles);

}  // namespace odonata::cli
