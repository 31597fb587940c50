// SPDX-License-Identifier: Apache-2.0
#include "hw/torus/torus_route.h"

#include <cstdlib>

#include "hw/torus/torus_route_signals.h"
#include "models/common/error.h"

namespace odonata::torus {

TorusRouteModule::TorusRouteModule(const sc_core::sc_module_name& name, hw::Tick& tick, const Torus& torus,
                                   Variant variant, hw::Drive<RouteInputs> pins)
    : ClockedModule(name, tick),
      radix_{torus.radix(0), torus.radix(1)},
      ring_(variant == Variant::kSafe6Ring || variant == Variant::kSafe4Ring),
      one_detour_(variant == Variant::kSafe4 || variant == Variant::kSafe4Ring),
      pins_(std::move(pins)) {
  if (torus.dimensions() != 2)
    throw Error("torus " + torus.name() + ": the units of a torus router have two dimensions");
  if (!ring_ && !one_detour_ && variant != Variant::kSafe6) {
    throw Error("routing '" + std::string(name_of(variant)) +
                "' has no hardware, expected safe6, safe6_ring, safe4, safe4_ring");
  }
  SC_HAS_PROCESS(TorusRouteModule);
  SC_METHOD(aim);
  sensitive << edge();
  dont_initialize();
  SC_METHOD(turn);
  sensitive << edge();
  dont_initialize();
}

// ---- stage 1

void TorusRouteModule::aim() {
  const RouteInputs& in = pins_();
  next().aim = in.valid && !in.reset ? aim_of(in) : Aim{};
}

Aim TorusRouteModule::aim_of(const RouteInputs& in) const {
  const Ask& q = in.ask;
  Aim a;
  a.valid = true;
  a.blocked = q.blocked;
  a.in_column = q.at[0] == q.dest[0];
  a.in_row = q.at[1] == q.dest[1];
  const bool was_y = !q.fresh && (q.header & header::kDim) != 0;
  a.phase_y = was_y || a.in_column;
  const int d = a.phase_y ? 1 : 0, at = q.at[d], dest = q.dest[d];
  const bool begins = q.fresh || a.phase_y != was_y;
  if (begins) {
    steer(a, at, dest, d, d == 1 ? in.wall_y : in.wall_x);
  } else {
    a.minus = (q.header & header::kDir) != 0;
  }
  a.upper = a.minus ? dest <= at : dest < at;
  a.side_minus = ring_ ? around_the_ring(q.at[1], q.dest[1]) : q.dest[1] <= q.at[1];
  a.around_minus = q.fresh ? a.side_minus : (q.header & header::kAround) != 0;
  a.back = !begins && (q.header & header::kBack) != 0;
  return a;
}

/// The shorter way (§4), the other one where it crosses a wall.
void TorusRouteModule::steer(Aim& aim, int at, int dest, int dimension, uint64_t wall) const {
  const int off = dest - at;
  const bool near = std::abs(off) <= radix_[dimension] / 2, plus = (off > 0) == near;
  const uint64_t plus_way = plus_way_of(static_cast<uint64_t>(at), static_cast<uint64_t>(dest));
  const bool plus_walled = crosses(wall, plus_way), minus_walled = crosses(wall, ~plus_way);
  aim.minus = plus ? plus_walled : !minus_walled;
  aim.walled = plus_walled && minus_walled;
}

/// Whether direction - is the shorter way round the ring of y; a tie goes to +.
bool TorusRouteModule::around_the_ring(int at, int dest) const {
  const int up = (dest - at + radix_[1]) % radix_[1];
  return up == 0 || up > radix_[1] / 2;
}

// ---- stage 2

void TorusRouteModule::turn() {
  const Aim& a = now().aim;
  RouteOutputs& out = next().out;
  out = {};
  if (!a.valid || pins_().reset) return;
  out.valid = 1;
  if (a.in_column && a.in_row) {
    out.eject = 1;
    return;
  }
  const auto free = [&](unsigned port) { return (a.blocked >> port & 1) == 0; };
  const unsigned main = (a.phase_y ? 2u : 0u) + a.minus;
  const bool ahead = free(main);
  bool around = a.around_minus, back = false, aside = !ahead, lost = false;
  unsigned side = 2u + around;
  if (!a.phase_y) {
    if (ahead) around = a.side_minus;
  } else {
    around = around || a.in_column;
    const bool returning = a.back && !a.in_column;
    const unsigned home = around ? 0u : 1u;
    side = returning ? home : around;
    if (returning) aside = free(home);
    lost = returning && a.in_row && !free(home);
    back = returning || (ahead && !a.in_column);
  }
  const unsigned port = aside ? side : main;
  if (a.walled || lost || !free(port)) {
    out.drop = 1;
    return;
  }
  out.port = static_cast<uint8_t>(port);
  out.vc = static_cast<uint8_t>((a.upper ? 4u : 0u) | (aside ? detour(a.minus) : 0u));
  out.header = static_cast<uint8_t>((a.phase_y ? header::kDim : 0) | (a.minus ? header::kDir : 0) |
                                    (around ? header::kAround : 0) | (back ? header::kBack : 0));
}

void TorusRouteModule::trace(sc_core::sc_trace_file* file) const {
  const Aim& a = now().aim;
  trace_signal(file, a.valid, "aim.valid", 1);
  trace_signal(file, a.in_column, "aim.in_column", 1);
  trace_signal(file, a.in_row, "aim.in_row", 1);
  trace_signal(file, a.phase_y, "aim.phase_y", 1);
  trace_signal(file, a.minus, "aim.minus", 1);
  trace_signal(file, a.walled, "aim.walled", 1);
  trace_signal(file, a.upper, "aim.class", 1);
  trace_signal(file, a.side_minus, "aim.side", 1);
  trace_signal(file, a.around_minus, "aim.around", 1);
  trace_signal(file, a.back, "aim.back", 1);
  trace_signal(file, a.blocked, "aim.blocked", 4);
  trace_pins(file, now().out, std::string(name()) + ".");
}

}  // namespace odonata::torus
