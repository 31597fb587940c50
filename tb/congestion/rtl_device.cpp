// SPDX-License-Identifier: Apache-2.0
#include "tb/congestion/rtl_device.h"

namespace odonata::cosim {

// congestion_rtl.inc has a line ODONATA_RTL(block, prefix, variant, p, a, h, g, absolute) a Verilated library.
#define ODONATA_RTL(block, prefix, variant, p, a, h, g, at_reset) std::unique_ptr<block##Device> make_##prefix(int plant);
#include "congestion_rtl.inc"
#undef ODONATA_RTL

namespace {

template <class Device>
struct Built {
  DragonflySize size;
  RtlVariant variant;
  std::unique_ptr<Device> (*make)(int plant);
};

// A table a block: of the lines of all blocks those that fit are kept.
template <class Device>
void add(std::vector<Built<Device>>& table, DragonflySize size, RtlVariant variant, std::unique_ptr<Device> (*make)(int)) {
  table.push_back({size, variant, make});
}
template <class Device, class Other>
void add(std::vector<Built<Device>>&, DragonflySize, RtlVariant, std::unique_ptr<Other> (*)(int)) {}

template <class Device>
const std::vector<Built<Device>>& built() {
  static const std::vector<Built<Device>> table = [] {
    std::vector<Built<Device>> t;
#define ODONATA_RTL(block, prefix, variant, p, a, h, g, at_reset) add(t, {p, a, h, g}, RtlVariant::variant, make_##prefix);
#include "congestion_rtl.inc"
#undef ODONATA_RTL
    return t;
  }();
  return table;
}

template <class Device>
std::unique_ptr<Device> make(const Dragonfly& d, const char* block, RtlVariant variant, int plant) {
  std::string sizes;
  for (const Built<Device>& b : built<Device>()) {
    const DragonflySize& s = b.size;
    if (s.p == d.p() && s.a == d.a() && s.h == d.h() && b.variant == variant) return b.make(plant);
    if (b.variant == variant) sizes += (sizes.empty() ? "" : ", ") + std::to_string(s.p) + "," + std::to_string(s.a) + "," + std::to_string(s.h);
  }
  throw Error(std::string(variant == RtlVariant::netlist ? "no netlist of " : "no RTL of ") + block + " was built for " + d.name() +
              ", expected p,a,h to be one of " + sizes + " (CMake variable ODONATA_RTL_SIZES)");
}

}  // namespace

std::unique_ptr<MonitorDevice> make_monitor_rtl(RtlVariant variant, int plant) {
  return make<MonitorDevice>(Dragonfly({1, 2, 1, 2}, Arrangement::direct), "credit_monitor", variant, plant);
}
std::unique_ptr<SenderDevice> make_sender_rtl(const Dragonfly& d, RtlVariant variant, int plant) {
  return make<SenderDevice>(d, "bitmap_sender", variant, plant);
}
std::unique_ptr<CollectorDevice> make_collector_rtl(const Dragonfly& d, RtlVariant variant, int plant) {
  return make<CollectorDevice>(d, "bitmap_collector", variant, plant);
}
std::unique_ptr<PcsDevice> make_pcs_rtl(RtlVariant variant, int plant) {
  return make<PcsDevice>(Dragonfly({1, 2, 1, 2}, Arrangement::direct), "pcs_transport", variant, plant);
}
std::unique_ptr<PlaneDevice> make_plane_rtl(const Dragonfly& d, RtlVariant variant, int plant) {
  return make<PlaneDevice>(d, "congestion_plane", variant, plant);
}

}  // namespace odonata::cosim
