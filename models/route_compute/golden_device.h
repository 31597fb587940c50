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
    std::vector<std::string> out;
    if (unit_.out().resp_valid) add_reasons("Response: ", unit_.response_record(), out);
    if (unit_.stage4_record()) add_reasons("Request in stage 4: ", *unit_.stage4_record(), out);
    if (out.empty()) out.push_back("No request is in stage 4 and no response is due in this cycle.");
    return out;
  }
  const Unit& unit() const { return unit_; }

 private:
  void add_reasons(const char* title, const Unit::Record& r, std::vector<std::string>& out) const {
    const UnitConfig& config = unit_.registers().config();
    const size_t first = out.size();
    for (std::string& line : in_words(config, explain(config, r.request, r.entries, r.congestion, r.lfsr))) out.push_back(std::move(line));
    out[first] = title + out[first];
  }
  Unit unit_;
};

}  // namespace odonata::route_compute
