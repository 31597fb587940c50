// SPDX-License-Identifier: Apache-2.0
#include "hw/torus/torus_sides.h"

#include <algorithm>
#include <string>

#include "hw/torus/torus_sides_signals.h"
#include "models/common/error.h"

namespace odonata::torus {

TorusSidesModule::TorusSidesModule(const sc_core::sc_module_name& name, hw::Tick& tick, const Torus& torus,
                                   hw::Drive<SideInputs> pins)
    : ClockedModule(name, tick), radix_{torus.radix(0), torus.radix(1)}, pins_(std::move(pins)) {
  if (torus.dimensions() != 2) throw Error("torus " + torus.name() + ": torus_sides has two dimensions");
  SC_HAS_PROCESS(TorusSidesModule);
  SC_METHOD(count);
  sensitive << edge();
  dont_initialize();
  SC_METHOD(compare);
  sensitive << edge();
  dont_initialize();
}

/// Runs of an x port go along y, those of a y port along x.
void TorusSidesModule::count() {
  const SideInputs& in = pins_();
  const bool counts = !in.reset && !in.clear;
  for (int port = 0; port < kLinkPorts; ++port) {
    const auto p = static_cast<size_t>(port);
    const bool goes_on = counts && (in.blocked >> port & 1) != 0;
    next().run[p] = goes_on ? static_cast<uint8_t>(std::min(in.peer_run[p] + 1, radix_[port < 2 ? 1 : 0])) : uint8_t{0};
  }
}

void TorusSidesModule::compare() {
  const SideInputs& in = pins_();
  unsigned plus = 0, minus = 0;
  for (unsigned p = 0; p < kLinkPorts; ++p) {
    plus |= (now().run[p] < in.run[p] ? 1u : 0u) << p;
    minus |= (in.run[p] < now().run[p] ? 1u : 0u) << p;
  }
  next().sides = in.reset || in.clear ? uint8_t{0} : static_cast<uint8_t>(minus << 4 | plus);
}

void TorusSidesModule::trace(sc_core::sc_trace_file* file) const { trace_pins(file, now(), std::string(name()) + "."); }

}  // namespace odonata::torus
