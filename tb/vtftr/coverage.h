// SPDX-License-Identifier: Apache-2.0
// What has to be seen of the VTFTR units before a lockstep counts as complete (docs/vtftr.md §9).
#pragma once

#include "models/vtftr/golden_device.h"
#include "tb/harness/coverage.h"

namespace odonata::cosim {

/// vtftr_leaf: every rule from every class on every channel; what the tables said; edges of the grid; rails and the
/// spare ones.
class LeafCoverage {
 public:
  explicit LeafCoverage(const vtftr::UnitSize& size);
  /// One answer and what it answers.
  void sample(const vtftr::LeafInputs& asked, const vtftr::LeafOutputs& answer);
  const Coverage& coverage() const { return bins_; }

 private:
  vtftr::UnitSize size_;
  Coverage bins_;
  int rule_ = 0, tables_ = 0, place_ = 0, rail_ = 0, spare_ = 0;
};

/// vtftr_root: every kind by dimension and channel, how many could be picked and which was, writes of the table beside
/// requests.
class RootCoverage {
 public:
  RootCoverage(const vtftr::UnitSize& size, bool mask_form);
  /// Once a cycle, with the outputs after the edge.
  void sample(const vtftr::RootInputs& in, const vtftr::RootOutputs& out, const vtftr::RootUnit& unit);
  const Coverage& coverage() const { return bins_; }

 private:
  vtftr::UnitSize size_;
  bool mask_form_;
  Coverage bins_;
  int kind_ = 0, count_ = 0, pick_ = 0, neighbour_ = 0, dead_change_ = 0, write_ = 0, load_ = 0;
  vtftr::RootInputs last_;
  int waited_ = 0;
  bool offered_ = false;
};

/// vtftr_update: messages by role, op and outcome, epochs, the FIFO, walks.
class UpdateCoverage {
 public:
  explicit UpdateCoverage(const vtftr::UnitSize& size);
  void sample(const vtftr::UpdateInputs& in, const vtftr::UpdateOutputs& out);
  const Coverage& coverage() const { return bins_; }

 private:
  vtftr::UnitSize size_;
  Coverage bins_;
  int outcome_ = 0, change_ = 0, full_ = 0, walk_ = 0, row_ = 0, cf_ = 0;
  vtftr::UpdateOutputs before_;
};

/// vtftr_detect: reports both ways, how many waited, debounce times, changes that were undone.
class DetectCoverage {
 public:
  explicit DetectCoverage(int ports);
  void sample(const vtftr::DetectInputs& in, const vtftr::DetectOutputs& out);
  const Coverage& coverage() const { return bins_; }

 private:
  int ports_;
  Coverage bins_;
  int report_ = 0, leaf_ = 0, stall_ = 0, change_ = 0, glitch_ = 0;
  vtftr::DetectInputs last_in_;
  vtftr::DetectOutputs before_;
};

}  // namespace odonata::cosim
