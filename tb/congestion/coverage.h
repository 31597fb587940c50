// SPDX-License-Identifier: Apache-2.0
// What has to be seen of the congestion blocks before a campaign counts as complete. Bins follow docs/congestion.md §2,
// §3, §5.
#pragma once

#include "tb/congestion/bitmap_collector_block.h"
#include "tb/congestion/bitmap_sender_block.h"
#include "tb/congestion/congestion_plane_block.h"
#include "tb/congestion/credit_monitor_block.h"
#include "tb/congestion/pcs_transport_block.h"
#include "tb/harness/coverage.h"

namespace odonata::cosim {

class MonitorCoverage {
 public:
  MonitorCoverage();
  /// Call once a cycle, after the reference has stepped with `in` and shows `out`.
  void sample(const congestion::MonitorInputs& in, const congestion::MonitorOutputs& out);
  const Coverage& coverage() const { return bins_; }

 private:
  Coverage bins_;
  congestion::MonitorInputs r0_;       // what the present edge worked on
  congestion::MonitorOutputs before_;  // pins before it
  int length_ = 0, age_ = 0;           // of the window
  int queue_ = 0;                      // packets sent and not departed, before the edge
  struct {
    int vc, accepted, queue, length, correction, compare, busy, failed, capacity, restart, reset, filled;
  } at_;
};

class SenderCoverage {
 public:
  explicit SenderCoverage(const Dragonfly& d);
  void sample(const congestion::SenderInputs& in, const congestion::SenderOutputs& out,
              const congestion::BitmapSender& unit);
  const Coverage& coverage() const { return bins_; }

 private:
  int ports_;
  Coverage bins_;
  congestion::SenderInputs r0_;
  int count_ = 0;
  uint32_t pending_ = 0;
  struct {
    int frame, interval, change, phase, reset, all;
  } at_;
};

class CollectorCoverage {
 public:
  explicit CollectorCoverage(const Dragonfly& d);
  void sample(const congestion::CollectorInputs& in, const congestion::CollectorOutputs& out,
              const congestion::BitmapCollector& unit);
  const Coverage& coverage() const { return bins_; }

 private:
  int a_;
  Coverage bins_;
  congestion::CollectorInputs r0_;
  uint32_t stale_ = 0;
  int slot_ = 0, silence_ = 0;
  bool filled_ = false;
  struct {
    int frame, phase, second, stale, slot, bid, policy, limit, all, reset, saturated;
  } at_;
};

class PcsCoverage {
 public:
  PcsCoverage();
  void sample(const congestion::PcsInputs& in, const congestion::Frame& out, const congestion::PcsTransport& unit);
  const Coverage& coverage() const { return bins_; }

 private:
  Coverage bins_;
  int before_ = 0;  // frames in flight before the edge
  int gap_ = 0;     // cycles since the last frame that entered
  struct {
    int flight, gap, bits, phase, reset, ignored;
  } at_;
};

}  // namespace odonata::cosim
