// SPDX-License-Identifier: Apache-2.0
// SystemC: the route unit of an input port of a torus router of three dimensions: a route unit a plane, and which of
// the two answers (docs/torus.md §13).
//
//   pins -> torus_route of (x, y) -> registers -> registers --> the one of the packet's plane
//        -> torus_route of (y, z) -> registers -> registers -/
//        -> which plane           -> registers -> registers -/
#pragma once

#include "hw/common/clocked_module.h"
#include "hw/torus/torus_route.h"

namespace odonata::torus {

struct TorusBoxRegisters {
  bool second[2] = {};  ///< behind either stage: the packet is in the plane (y, z)
};

class TorusBoxModule : public hw::ClockedModule<TorusBoxRegisters> {
 public:
  /// Throws Error unless the torus has three dimensions.
  TorusBoxModule(const sc_core::sc_module_name& name, hw::Tick& tick, const Torus& torus, hw::Drive<BoxInputs> pins);
  /// The pins since the last edge settled.
  BoxOutputs out() const;
  void trace(sc_core::sc_trace_file* file) const override;

 protected:
  // The clocked method, and what is inside it. Virtual, so that a test can plant a bug.
  virtual void choose();
  virtual bool in_second(const BoxInputs& in) const { return in.at_x == in.dest_x; }
  virtual bool begins_second(const BoxInputs& in) const { return in.fresh || (in.header & kSecondPlane) == 0; }

 private:
  static constexpr uint8_t kSecondPlane = 16;
  const RouteInputs& pins_of_first() const;
  const RouteInputs& pins_of_second() const;

  hw::Drive<BoxInputs> pins_;
  mutable RouteInputs first_pins_, second_pins_;  // of the present edge
  TorusRouteModule first_, second_;
};

}  // namespace odonata::torus
