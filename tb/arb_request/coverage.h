// SPDX-License-Identifier: Apache-2.0
// What has to be seen of the arbitration requests before a campaign counts as complete (docs/arb_request.md §2, §3,
// §5).
#pragma once

#include "models/arb_request/golden_device.h"
#include "tb/harness/coverage.h"

namespace odonata::cosim {

/// The bins of one evaluation: z, lowest dimension, credits relative to both thresholds, classes, ejection.
class ArbLogicCoverage {
 public:
  ArbLogicCoverage(Coverage& bins, int dimensions);
  /// One evaluated packet.
  void sample(const arb_request::Query& query, arb_request::Scheme scheme, const arb_request::Requests& answer);

 private:
  Coverage& bins_;
  int n_;
  int z_ = 0, lowest_ = 0, credit_ = 0, classes_ = 0, direction_ = 0;
};

/// The input-port unit: the bins of every sub-queue looked at, and those of window, arbitration, selection, grants,
/// resets.
class ArbPortCoverage {
 public:
  explicit ArbPortCoverage(const arb_request::PortSize& size);
  /// Call once a cycle, after the golden port has stepped with `in`.
  void sample(const arb_request::PortInputs& in, const arb_request::InputPort& port);
  const Coverage& coverage() const { return bins_; }
  Coverage& coverage() { return bins_; }

 private:
  void sample_selection(const arb_request::Examination& e, const arb_request::PortRequest& r);
  void sample_queues(const arb_request::PortInputs& in);

  arb_request::PortSize size_;
  Coverage bins_;
  ArbLogicCoverage logic_;
  arb_request::PortOutputs before_;  // pins before the edge
  uint32_t occupied_before_ = 0;
  int window_ = 0, lane_ = 0, excluded_ = 0, policy_ = 0, output_ = 0, need_ = 0, grant_ = 0, arrive_ = 0, slot_ = 0,
      reset_ = 0;
};

/// The switch: who asks, who wins, credits against needs, credit counters, resets.
class ArbSwitchCoverage {
 public:
  ArbSwitchCoverage(Coverage& bins, const arb_request::PortSize& size);
  /// Call once a cycle, after the golden switch has stepped with `in`.
  void sample(const arb_request::SwitchInputs& in, const arb_request::GoldenSwitch& golden);

 private:
  void sample_output(int o, const arb_request::Switch& before, const arb_request::SwitchInputs& answered);

  Coverage& bins_;
  int ports_, slots_;
  int contention_ = 0, pair_ = 0, pick_ = 0, need_ = 0, counter_ = 0, reset_ = 0;
};

}  // namespace odonata::cosim
