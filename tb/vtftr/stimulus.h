// SPDX-License-Identifier: Apache-2.0
// Random pins for the VTFTR units, in phases that make the rare things frequent.
#pragma once

#include "models/common/random.h"
#include "models/vtftr/units.h"
#include "tb/harness/stimulus.h"

namespace odonata::cosim {

/// What all of them draw.
class VtftrDraws {
 protected:
  VtftrDraws(const vtftr::UnitSize& size, uint64_t seed) : size_(size), random_(seed) {}
  int below(int n) { return static_cast<int>(random_.below(static_cast<uint32_t>(n))); }
  bool chance(double p) { return random_.chance(p); }
  /// 0..n-1, the ends often.
  int coordinate(int n) { return chance(0.2) ? 0 : chance(0.25) ? n - 1 : below(n); }
  /// n bits: none, few, half, nearly all, or all.
  vtftr::LineMap map(int n);

  vtftr::UnitSize size_;
  Random random_;
  uint64_t cycle_ = 0;
};

/// Requests of vtftr_leaf: destinations in the own column or row, elsewhere, now and then outside; tables from empty to
/// full, uplinks from all up to all down; the static pins change every 32 cycles.
class LeafPins final : public Stimulus<vtftr::LeafInputs, vtftr::LeafOutputs>, VtftrDraws {
 public:
  LeafPins(const vtftr::UnitSize& size, uint64_t seed) : VtftrDraws(size, seed) {}
  bool next(const vtftr::LeafOutputs& last, vtftr::LeafInputs& in) override;

 private:
  vtftr::LeafInputs now_;
};

/// Requests of vtftr_root beside writes of its table; at first, and after 1,000 cycles again, every row is written in
/// order.
class RootPins final : public Stimulus<vtftr::RootInputs, vtftr::RootOutputs>, VtftrDraws {
 public:
  RootPins(const vtftr::UnitSize& size, uint64_t seed) : VtftrDraws(size, seed) {}
  bool next(const vtftr::RootOutputs& last, vtftr::RootInputs& in) override;

 private:
  void draw_static();
  void draw_request(vtftr::RootInputs& in);

  vtftr::RootInputs now_;
  int row_ = 0;  // to be written next, in order
  double rate_ = 0.9;
};

/// Messages of vtftr_update: mostly the next epoch, in bursts; tables that take a row now and then; the role changes
/// with a reset.
class UpdatePins final : public Stimulus<vtftr::UpdateInputs, vtftr::UpdateOutputs>, VtftrDraws {
 public:
  UpdatePins(const vtftr::UnitSize& size, uint64_t seed) : VtftrDraws(size, seed) {}
  bool next(const vtftr::UpdateOutputs& last, vtftr::UpdateInputs& in) override;

 private:
  vtftr::UpdateInputs now_;
  int epoch_ = 0;
  double messages_ = 0.3, rows_ = 0.9;
};

/// Links that go down and come back, some for less than the debounce time.
class DetectPins final : public Stimulus<vtftr::DetectInputs, vtftr::DetectOutputs>, VtftrDraws {
 public:
  DetectPins(int ports, uint64_t seed) : VtftrDraws({ports, ports, 1, 1}, seed) {}
  bool next(const vtftr::DetectOutputs& last, vtftr::DetectInputs& in) override;

 private:
  vtftr::DetectInputs now_;
  double flips_ = 0.1, takes_ = 0.5;
};

}  // namespace odonata::cosim
