// SPDX-License-Identifier: Apache-2.0
// The age of congestion information: closed forms and exact statistics, stage by stage (docs/congestion.md §7).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace odonata::congestion {

/// Stages on the way of a bit from a global port to a route-compute input, and the whole way.
enum class Stage { wait, pcs, link, multiplex, ring, total };
inline constexpr int kNumStages = 6;
std::string_view to_string(Stage stage);

/// An exact histogram of non-negative cycle counts.
class Histogram {
 public:
  void add(int64_t cycles, uint64_t weight = 1) {
    if (static_cast<size_t>(cycles) >= counts_.size()) counts_.resize(cycles + 1);
    counts_[cycles] += weight;
  }
  uint64_t samples() const;
  int min() const;  ///< 0 when there is no sample
  int max() const;  ///< 0 when there is no sample
  double mean() const;
  /// counts()[x] = samples of x cycles.
  const std::vector<uint64_t>& counts() const { return counts_; }
  bool operator==(const Histogram& other) const;

 private:
  std::vector<uint64_t> counts_;
};

/// The parameters on which ages depend, in cycles or counts.
struct AgeParameters {
  int interval = 10;  ///< N
  int period = 10;    ///< cycles between two frames with the same map: N, or 2N when the frames alternate
  int pcs = 30;
  int link = 10;
  int routers = 12;     ///< A
  int ring_stops = 23;  ///< RingStops
  /// Cycles from the latch to the frame: N to N without packets, 1 to 1 with a tail every cycle, 1 to N in general.
  int frame_wait_min = 1;
  int frame_wait_max = 10;
};

/// Cycles, both ends included.
struct Range {
  int min = 0;
  int max = 0;
  bool operator==(const Range&) const = default;
};

/// Least and greatest cycles of a stage.
Range closed_form(const AgeParameters& p, Stage stage);
/// Mean cycles of a stage for a constant frame wait (min = max) and changes that come equally often at every cycle of
/// lcm(period, A).
double closed_form_mean(const AgeParameters& p, Stage stage);
/// Cycles after the last change of a bit by which every route-compute input shows it, when at most `lost` consecutive
/// frames of a link with this map fail.
inline int staleness_bound(const AgeParameters& p, int lost) {
  return closed_form(p, Stage::total).max + lost * p.period;
}
/// Cycles after the last good frame was stored by which a silent neighbour reads congested (policy congested).
inline int silence_bound(const AgeParameters& p, int stale_limit) {
  return stale_limit * p.interval + p.routers + p.ring_stops;
}

}  // namespace odonata::congestion
