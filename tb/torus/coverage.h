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

/// torus_box: what was answered in which plane, on which port and channel, with which header.
class TorusBoxCoverage {
 public:
  TorusBoxCoverage();
  /// One answer and what it answers.
  void sample(const torus::BoxInputs& asked, const torus::BoxOutputs& answer);
  const Coverage& coverage() const { return bins_; }

 private:
  Coverage bins_;
  int answer_ = 0, channel_ = 0, walls_ = 0, header_ = 0;
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

/// torus_walls: runs that begin, go on and close a ring at every port, walls found and told, forgotten.
class TorusWallsCoverage {
 public:
  explicit TorusWallsCoverage(const Torus& torus);
  void sample(const torus::WallInputs& in, const torus::WallOutputs& out);
  const Coverage& coverage() const { return bins_; }

 private:
  Torus torus_;
  Coverage bins_;
  torus::WallOutputs before_;
  int run_ = 0, found_ = 0, told_ = 0, forget_ = 0;
};

/// torus_sides: the same runs, and every port with each side shorter and none.
class TorusSidesCoverage {
 public:
  explicit TorusSidesCoverage(const Torus& torus);
  void sample(const torus::SideInputs& in, const torus::SideOutputs& out);
  const Coverage& coverage() const { return bins_; }

 private:
  Torus torus_;
  Coverage bins_;
  int run_ = 0, side_ = 0, forget_ = 0;
};

/// torus_output: every input with every kind of flit on every channel, and why others wait.
class TorusOutputCoverage {
 public:
  explicit TorusOutputCoverage(int inputs);
  void sample(const torus::OutputInputs& in, const torus::OutputOutputs& out);
  const Coverage& coverage() const { return bins_; }

 private:
  const int inputs_;
  Coverage bins_;
  int grant_ = 0, waits_ = 0, others_ = 0, reset_ = 0;
};

}  // namespace odonata::cosim
