// SPDX-License-Identifier: Apache-2.0
// SystemC: the route unit of an input port of the torus router, a clocked method a stage (docs/torus.md §5).
//
//   pins -> aim: phase, direction, class, sides -> registers
//        -> turn: on, along or back; port, channel, header -> registers
#pragma once

#include "hw/common/clocked_module.h"
#include "models/torus/units.h"

namespace odonata::torus {

/// What the first stage finds out of a packet (rules 1 to 3), and the ports of its edge.
struct Aim {
  bool valid = false;
  bool in_column = false, in_row = false;
  bool phase_y = false;
  bool minus = false;         ///< direction of the phase
  bool walled = false;        ///< the phase begins, and walls part the packet from its destination
  bool upper = false;         ///< r
  bool side_minus = false;    ///< phase x: `around` behind a step
  bool around_minus = false;  ///< as the packet has it
  bool back = false;
  uint8_t blocked = 0;
};

struct TorusRouteRegisters {
  Aim aim;
  RouteOutputs out;
};

class TorusRouteModule : public hw::ClockedModule<TorusRouteRegisters> {
 public:
  /// safe6, safe6_ring, safe4, safe4_ring on a torus of two dimensions; throws Error otherwise.
  TorusRouteModule(const sc_core::sc_module_name& name, hw::Tick& tick, const Torus& torus, Variant variant,
                   hw::Drive<RouteInputs> pins);
  /// The pins since the last edge settled.
  const RouteOutputs& out() const { return now().out; }
  /// The first stage's registers and the output pins.
  void trace(sc_core::sc_trace_file* file) const override;

 protected:
  // The clocked methods and what is inside them. Virtual, so that a test can plant a bug.
  virtual void aim();
  virtual void turn();
  virtual bool crosses(uint64_t wall, uint64_t way) const { return (wall & way) != 0; }
  virtual unsigned detour(bool minus) const { return one_detour_ || !minus ? 1 : 2; }  ///< j

  int radix(int dimension) const { return radix_[dimension]; }

 private:
  Aim aim_of(const RouteInputs& in) const;
  void steer(Aim& aim, int at, int dest, int dimension, uint64_t wall) const;
  bool around_the_ring(int at, int dest) const;

  int radix_[2];
  bool ring_, one_detour_;
  hw::Drive<RouteInputs> pins_;
};

}  // namespace odonata::torus
