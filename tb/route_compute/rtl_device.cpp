// SPDX-License-Identifier: Apache-2.0
#include "tb/route_compute/rtl_device.h"

namespace odonata::cosim {

// rtl_sizes.inc (from ODONATA_RTL_SIZES) has a line ODONATA_RTL(maker, variant, p, a, h, g, absolute) a Verilated library.
#define ODONATA_RTL(prefix, variant, p, a, h, g, at_reset) std::unique_ptr<RouteComputeDevice> make_##prefix(int plant);
#include "rtl_sizes.inc"
#undef ODONATA_RTL

namespace {

struct Built {
  DragonflySize size;
  Arrangement arrangement;
  RtlVariant variant;
  std::unique_ptr<RouteComputeDevice> (*make)(int plant);
};

#define ODONATA_RTL(prefix, variant, p, a, h, g, at_reset) \
  {{p, a, h, g}, at_reset ? Arrangement::absolute : Arrangement::direct, RtlVariant::variant, make_##prefix},
constexpr Built kBuilt[] = {
#include "rtl_sizes.inc"
};
#undef ODONATA_RTL

}  // namespace

std::vector<Dragonfly> route_compute_rtl_sizes() {
  std::vector<Dragonfly> sizes;
  for (const Built& b : kBuilt) {
    if (b.variant == RtlVariant::fast) sizes.emplace_back(b.size, b.arrangement);
  }
  return sizes;
}

std::unique_ptr<RouteComputeDevice> make_route_compute_rtl(const Dragonfly& d, RtlVariant variant, int plant) {
  for (const Built& b : kBuilt) {
    if (b.size == d.size() && b.arrangement == d.arrangement() && b.variant == variant) return b.make(plant);
  }
  std::string sizes;
  for (const Dragonfly& built : route_compute_rtl_sizes()) sizes += (sizes.empty() ? "" : ", ") + built.name();
  throw Error("no RTL was built for " + d.name() + ", expected one of " + sizes + " (CMake variable ODONATA_RTL_SIZES)");
}

}  // namespace odonata::cosim
