// SPDX-License-Identifier: Apache-2.0
// What has to be seen of the torus units before a lockstep counts as complete (docs/torus.md §3 to §5).
#pragma once

#include "models/torus/golden_device.h"
#include "tb/harness/coverage.h"

namespace odonata::cosim {

/// torus_route: what was answered, from which phase, direction and class, with which header.
class TorusRouteCoverage {
 public:
  explicit TorusRouteCoverage(const Torus& torus);
  /// One answer and what it answers.
  void sample(const torus::RouteInputs& asked, const torus::RouteOutputs& answer);
  const Coverage& coverage() const { return bins_; }

 private:
  Torus torus_;
  Coverage bins_;
  int answer_ = 0, channel_ = 0, walls_ = 0, header_ = 0, distance_ = 0;
};

/// fault_region: every pattern of blocked ports by rule, marks, repairs.
class FaultRegionCoverage {
 public:
  FaultRegionCoverage();
  /// Once a cycle, with the outputs after the edge.
  void sample(const torus::RegionInputs& in, const torus::RegionOutputs& out);
  const Coverage& coverage() const { return bins_; }

 private:
  Coverage bins_;
  torus::RegionOutputs before_;
  int pattern_ = 0, clear_ = 0, reset_ = 0;
};

}  // namespace odonata::cosim
