// SPDX-License-Identifier: Apache-2.0
#include "tb/fault/port_block.h"

namespace odonata::cosim {

// fault_rtl.inc has a line ODONATA_RTL(prefix, debug, p, a, h, g) a Verilated library.
#define ODONATA_RTL(prefix, debug, p, a, h, g) std::unique_ptr<FaultPortDevice> make_##prefix(int plant);
#include "fault_rtl.inc"
#undef ODONATA_RTL

namespace {

struct Built {
  DragonflySize size;
  bool debug;
  std::unique_ptr<FaultPortDevice> (*make)(int plant);
};

#define ODONATA_RTL(prefix, debug, p, a, h, g) {{p, a, h, g}, debug != 0, make_##prefix},
constexpr Built kBuilt[] = {
#include "fault_rtl.inc"
};
#undef ODONATA_RTL

}  // namespace

std::unique_ptr<FaultPortDevice> make_fault_port_rtl(const Dragonfly& d, bool debug, int plant) {
  for (const Built& b : kBuilt) {
    if (b.size == d.size() && b.debug == debug) return b.make(plant);
  }
  throw Error("no RTL of the fault plane was built for " + d.name() + (debug ? " with planted bugs" : "") + " (CMake variable ODONATA_RTL_SIZES)");
}

}  // namespace odonata::cosim
