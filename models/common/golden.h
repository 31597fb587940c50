// SPDX-License-Identifier: Apache-2.0
// A golden unit behind the interface that all levels share.
#pragma once

#include <utility>

#include "models/common/cycle_device.h"

namespace odonata {

/// A unit with step(in) and out() as a CycleDevice. reasons(unit), found beside the unit's type, says why its outputs
/// are what they are; a unit without it gives none.
template <class Unit, class In, class Out>
class Golden : public CycleDevice<In, Out> {
 public:
  template <class... Args>
  explicit Golden(Args&&... args) : unit_(std::forward<Args>(args)...) {}

  void step(const In& in, Out& out) final {
    unit_.step(in);
    out = unit_.out();
  }
  std::vector<std::string> describe() const final {
    if constexpr (requires(const Unit& unit) { reasons(unit); }) {
      return reasons(unit_);
    } else {
      return {};
    }
  }
  const Unit& unit() const { return unit_; }

 private:
  Unit unit_;
};

}  // namespace odonata
