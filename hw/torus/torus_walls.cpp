// SPDX-License-Identifier: Apache-2.0
#include "hw/torus/torus_walls.h"

#include <algorithm>
#include <string>

#include "hw/torus/torus_walls_signals.h"
#include "models/common/error.h"

namespace odonata::torus {

TorusWallsModule::TorusWallsModule(const sc_core::sc_module_name& name, hw::Tick& tick, const Torus& torus,
                                   hw::Drive<WallInputs> pins)
    : ClockedModule(name, tick), radix_{torus.radix(0), torus.radix(1)}, pins_(std::move(pins)) {
  if (torus.dimensions() != 2) throw Error("torus " + torus.name() + ": torus_walls has two dimensions");
  SC_HAS_PROCESS(TorusWallsModule);
  SC_METHOD(count);
  sensitive << edge();
  dont_initialize();
  SC_METHOD(flood);
  sensitive << edge();
  dont_initialize();
}

void TorusWallsModule::count() {
  const WallInputs& in = pins_();
  for (int port = 0; port < kLinkPorts; ++port) {
    const auto p = static_cast<size_t>(port);
    const bool counts = !in.reset && !in.clear && (in.blocked >> port & 1) != 0;
    next().run[p] = counts ? static_cast<uint8_t>(std::min(in.run[p] + 1, ring_beside(port))) : uint8_t{0};
  }
}

/// A full ring of blocked ports is a wall behind them; walls of neighbours at free ports are walls here, too.
void TorusWallsModule::flood() {
  const WallInputs& in = pins_();
  uint64_t wall[2] = {now().wall_x, now().wall_y};
  for (int port = 0; port < kLinkPorts; ++port) {
    const int dimension = port / 2, radix = radix_[dimension];
    const int at = dimension == 0 ? in.at_x : in.at_y, link = (port & 1) == 0 ? at : (at + radix - 1) % radix;
    if (now().run[static_cast<size_t>(port)] == ring_beside(port)) wall[dimension] |= uint64_t{1} << link;
    if ((in.blocked >> port & 1) != 0) continue;
    wall[0] |= in.peer_wall_x[static_cast<size_t>(port)];
    wall[1] |= in.peer_wall_y[static_cast<size_t>(port)];
  }
  const bool forget = in.reset || in.clear;
  next().wall_x = forget ? 0 : wall[0];
  next().wall_y = forget ? 0 : wall[1];
}

void TorusWallsModule::trace(sc_core::sc_trace_file* file) const { trace_pins(file, now(), std::string(name()) + "."); }

}  // namespace odonata::torus
