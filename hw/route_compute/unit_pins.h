// SPDX-License-Identifier: Apache-2.0
// Who stands at the pins of a clocked route-compute core.
#pragma once

#include "models/route_compute/unit.h"

namespace odonata::route_compute {

/// The environment of a core: the TLM target with its sockets, or a test bench.
class UnitPins {
 public:
  virtual ~UnitPins() = default;
  /// Called once at every rising edge: the input pins that the edge samples. The reference stays valid until deliver().
  virtual const UnitInputs& drive() = 0;
  /// Called once after every edge, at the same time: the output pins.
  virtual void deliver(const UnitOutputs& out) = 0;
};

}  // namespace odonata::route_compute
