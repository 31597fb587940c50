// SPDX-License-Identifier: Apache-2.0
#include "tb/congestion/rtl_device.h"

namespace odonata::cosim {

// congestion_rtl.inc has a line ODONATA_RTL(block, maker, debug, p, a, h, g, absolute) a Verilated library.
#define ODONATA_RTL(block, prefix, debug, p, a, h, g, at_reset) std::unique_ptr<block##Device> make_##prefix(int plant);
#include "congestion_rtl.inc"
#undef ODONATA_RTL

namespace {

template <class Device>
struct Built {
  DragonflySize size;
  bool debug;
  std::unique_ptr<Device> (*make)(int plant);
};

// A table a block: of the lines of all blocks those that fit are kept.
template <class Device>
void add(std::vector<Built<Device>>& table, DragonflySize size, bool debug, std::unique_ptr<Device> (*make)(int)) {
  table.push_back({size, debug, make});
}
template <class Device, class Other>
void add(std::vector<Built<Device>>&, DragonflySize, bool, std::unique_ptr<Other> (*)(int)) {}

template <class Device>
const std::vector<Built<Device>>& built() {
  static const std::vector<Built<Device>> table = [] {
    std::vector<Built<Device>> t;
#define ODONATA_RTL(block, prefix, debug, p, a, h, g, at_reset) add(t, {p, a, h, g}, debug, make_##prefix);
#include "congestion_rtl.inc"
#undef ODONATA_RTL
    return t;
  }();
  return table;
}

template <class Device>
std::unique_ptr<Device> make(const Dragonfly& d, const char* block, bool debug, int plant) {
  std::string sizes;
  for (const Built<Device>& b : built<Device>()) {
    const DragonflySize& s = b.size;
    if (s.p == d.p() && s.a == d.a() && s.h == d.h() && b.debug == debug) return b.make(plant);
    if (b.debug == debug) sizes += (sizes.empty() ? "" : ", ") + std::to_string(s.p) + "," + std::to_string(s.a) + "," + std::to_string(s.h);
  }
  throw Error(std::string("no RTL of ") + block + " was built for " + d.name() + ", expected p,a,h to be one of " + sizes +
              " (CMake variable ODONATA_RTL_SIZES)");
}

}  // namespace

std::unique_ptr<MonitorDevice> make_monitor_rtl(bool debug, int plant) {
  return make<MonitorDevice>(Dragonfly({1, 2, 1, 2}, Arrangement::direct), "credit_monitor", debug, plant);
}
std::unique_ptr<SenderDevice> make_sender_rtl(const Dragonfly& d, bool debug, int plant) {
  return make<SenderDevice>(d, "bitmap_sender", debug, plant);
}
std::unique_ptr<CollectorDevice> make_collector_rtl(const Dragonfly& d, bool debug, int plant) {
  return make<CollectorDevice>(d, "bitmap_collector", debug, plant);
}
std::unique_ptr<PlaneDevice> make_plane_rtl(const Dragonfly& d, bool debug, int plant) {
  return make<PlaneDevice>(d, "congestion_plane", debug, plant);
}

}  // namespace odonata::cosim
