// SPDX-License-Identifier: Apache-2.0
// What a run of the network engine reports, and the exact meaning of every number (docs/network.md §6).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/common/state_check.h"
#include "sim/network/link_windows.h"

namespace odonata::network {

/// Latency = cycle of delivery - cycle of creation - this: the cycle of creation does not count (docs/network.md §6).
inline constexpr uint32_t kUncountedCycles = 1;

/// Latencies: exact to 8,191 cycles, then in steps of 64 cycles to 532,479, then of 1/128 to 1/256 of the latency.
class LatencyHistogram {
 public:
  void add(uint32_t latency) {
    const uint32_t slot = latency < kExact ? latency : kExact + (latency - kExact) / kStep;
    ++counts_[slot < kLong ? slot : slot_of_long(latency)];
    ++samples_;
    sum_ += latency;
    if (latency > max_) max_ = latency;
  }
  void merge(const LatencyHistogram& other);
  uint64_t samples() const { return samples_; }
  uint64_t sum() const { return sum_; }
  double mean() const { return samples_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(samples_); }
  uint32_t max() const { return max_; }
  /// The least latency that at least `share` (0..1) of the samples do not exceed; above 8,191 cycles the lower end of
  /// its step.
  uint32_t percentile(double share) const;
  template <class Visit>
  void visit_state(Visit&& visit) {
    std::vector<uint32_t> counts;  // up to the last one that is not 0
    if constexpr (!kReadsState<Visit>)
      counts.assign(counts_.begin(),
                    std::find_if(counts_.rbegin(), counts_.rend(), [](auto n) { return n != 0; }).base());
    visit(counts), visit(samples_), visit(sum_), visit(max_);
    if constexpr (kReadsState<Visit>) {
      expect_state(counts.size() <= kSlots && std::accumulate(counts.begin(), counts.end(), uint64_t{0}) == samples_,
                   "a histogram of latencies");
      counts.resize(kSlots);
      counts_ = std::move(counts);
    }
  }
  /// For a sum over ranks (RankSums).
  template <class Sums>
  void visit_ranks(Sums& sums) {
    sums(counts_), sums(samples_), sums(sum_), sums.largest(max_);
  }

 private:
  static uint32_t slot_of_long(uint32_t latency);
  static uint32_t latency_of(uint32_t slot);

  // Slots by latency, by step, and 128 for each power of two from that on in which the steps end.
  static constexpr uint32_t kExact = 8192, kStep = 64, kLong = 2 * kExact, kLongPower = 19,
                            kSlots = kLong + 128 * (32 - kLongPower);
  static_assert((kExact + kExact * kStep) >> kLongPower == 1);
  std::vector<uint32_t> counts_ = std::vector<uint32_t>(kSlots);
  uint64_t samples_ = 0, sum_ = 0;
  uint32_t max_ = 0;
};

inline constexpr int kMaxHops = 254;  ///< longer paths count as this many (Flit::kManyHops)

/// Flits that the channels of a port class carried in the sample, as shares of its length.
struct ChannelUse {
  std::string name;  ///< of the class (Config::links)
  double mean = 0;
  double max = 0;
};

/// What happened between two cycles; a timeline is a list of these, from cycle 0 to the end of the run. A flit counts
/// in the cycle in which its last switch grants it, some cycles before it reaches its node.
struct Interval {
  uint64_t first = 0, last = 0;  ///< cycles first..last-1
  uint64_t delivered_flits = 0;
  uint64_t delivered = 0, lost = 0;
  uint64_t fd = 0, fr = 0;  ///< messages of the fault planes that arrived
  double latency = 0;       ///< mean of the packets delivered in it
};

/// A packet that stands in the network when the watchdog has found a deadlock.
struct Stalled {
  uint32_t router = 0;  ///< over all domains
  uint8_t port = 0;     ///< input port
  uint8_t vc = 0;
  uint32_t dest = 0;  ///< packed address
};

/// What the fault planes did up to the end; cycles are absolute, -1: it did not happen.
struct FaultResult {
  uint64_t fd_total = 0, fr_total = 0;  ///< messages that arrived over live links
  int64_t detected = -1, local_done = -1, last_fd = -1, diagnosis_done = -1, last_write = -1, recovery_done = -1,
          recovery_write = -1;
  bool quiet = false;       ///< nothing is on its way any more; what follows is known only then
  bool restored = false;    ///< no mark is left: every table as configured
  bool tables_ok = false;   ///< the tables that decide in the engine are what the fault planes' marks say
  std::string closed_form;  ///< empty: the marks agree with the closed form; else the first difference
};

struct LoopResult;

struct Result {
  int nodes = 0;  ///< that load is shared among: all but those of a torus that are dead from the start
  // Load. Flits a node and cycle over the sample.
  double offered = 0;   ///< created
  double accepted = 0;  ///< delivered
  // Packets created in the sample.
  uint64_t unfinished = 0;   ///< still in the network or in a source queue at the end
  LatencyHistogram latency;  ///< cycle of delivery - cycle of creation - kUncountedCycles, of those delivered
  /// Mean latency without the lost packets, with the unfinished ones counted by their age at the end: BookSim2's
  /// criterion for saturation (above 500 cycles).
  double mean_with_unfinished = 0;
  std::array<uint64_t, kMaxHops + 1> hops{};  ///< of those delivered: by number of links taken
  /// Decisions in the sample by hop class 0..7 (route_compute::HopClass); all 0 for policies without hop classes.
  std::array<uint64_t, 8> decisions{};
  std::vector<ChannelUse> channels;  ///< by port class, without the node ports
  /// The use of a class by name; zeros when there is none.
  ChannelUse channel(std::string_view name) const;
  std::vector<double> sent;  ///< by router: flits of a node and cycle that entered in the sample; -1: it has no nodes
  std::vector<uint32_t> taken;      ///< by router: flits that its switch passed on to its nodes in the sample
  std::vector<double> domain_zero;  ///< the same for each channel from domain 0 to others, router by router

  // The whole run.
  uint64_t created = 0;             ///< packets created
  uint64_t delivered = 0;           ///< packets
  uint64_t lost = 0;                ///< packets lost on failed links and in failed routers
  uint64_t unroutable = 0;          ///< of these: dropped because no valid option was left
  std::array<uint64_t, 8> drops{};  ///< of these on a fat-tree, by vtftr::DropReason
  uint64_t lost_in_routers = 0;     ///< of these: waiting in a router that died
  uint64_t cut =
      0;  ///< poisoned tails made: packets of several flits that a fault cut in two when their head had gone on
  FaultResult faults;
  uint64_t waiting = 0;          ///< packets in source queues at the end
  uint64_t in_flight = 0;        ///< packets inside the network at the end, found by looking at every buffer and link
  uint64_t in_flight_flits = 0;  ///< flits there, and poisoned tails; flits of packets that are lost already included
  bool conservation_ok = false;  ///< created = delivered + lost + waiting + in_flight, by number and by checksum
  uint64_t digest = 0;     ///< over every delivery: source, destination, creation, delivery, hops; independent of order
  uint64_t cycles = 0;     ///< simulated
  uint64_t flit_hops = 0;  ///< flits granted by switches
  bool saturated = false;  ///< mean latency above 500 cycles, or packets of the sample unfinished (without programs)
  bool interrupted = false;  ///< Ctrl-C: the numbers are those up to then
  std::string deadlock;      ///< empty, or what the watchdog found: a dependency cycle, a buffer a line; in front of it
                             ///< since when none has arrived, if packets still move
  std::vector<Stalled> stalled;                ///< at a deadlock: every packet whose head is in the buffer of a link
  uint64_t compared = 0;                       ///< decisions of a device in the loop that were equal to the golden ones
  std::vector<Interval> timeline;              ///< when asked for
  LinkWindows link_windows;                    ///< with the timeline: over the sample
  std::shared_ptr<const LoopResult> programs;  ///< with Config::workload

  // Speed (the only values that differ from run to run).
  double seconds = 0;           ///< wall clock, of `timed_cycles`
  double cpu_seconds = 0;       ///< of all threads
  uint64_t timed_cycles = 0;    ///< simulated by this process (fewer than `cycles` after a resume)
  uint64_t memory_bytes = 0;    ///< state of the engine
  int ranks = 1;                ///< processes that shared it
  uint64_t exchange_bytes = 0;  ///< that this rank sent to others at the ends of windows
  double exchange_seconds = 0;  ///< of this rank, packing and waiting included
  double packing_seconds = 0;   ///< of these: processor time of packing and unpacking
  uint32_t moved_domains = 0;   ///< that changed their rank (Config::balance)
  /// What the busiest rank had to do over the mean, by the processor time measured before that; with the old owners,
  /// with the new; 0: not measured.
  std::array<double, 2> imbalance{};
  double cycles_per_second() const { return seconds > 0 ? static_cast<double>(timed_cycles) / seconds : 0; }
};

}  // namespace odonata::network
