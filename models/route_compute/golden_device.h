// SPDX-License-Identifier: Apache-2.0
// The golden unit behind the interface that all levels share.
#pragma once

#include "models/common/cycle_device.h"
#include "models/route_compute/explain.h"
#include "models/route_compute/unit.h"

namespace odonata::route_compute {

/// models' Unit as a CycleDevice; knows the reasons of its last decision.
class GoldenDevice final : public CycleDevice<UnitInputs, UnitOutputs> {
 public:
  explicit GoldenDevice(const Dragonfly& d) : unit_(d) {}
  void step(const UnitInputs& in, UnitOutputs& out) override {
    unit_.step(in);
    out = unit_.out();
  }
  std::vector<std::string> describe() const override {
    if (!unit_.out().resp_valid) return {"no response is due in this cycle"};
    const Unit::Record& r = unit_.response_record();
    const UnitConfig& config = unit_.registers().config();
    return in_words(config, explain(config, r.request, r.entries, r.congestion, r.lfsr));
  }
  const Unit& unit() const { return unit_; }

 private:
  Unit unit_;
};

}  // namespace odonata::route_compute
