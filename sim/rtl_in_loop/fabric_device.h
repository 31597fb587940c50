// SPDX-License-Identifier: Apache-2.0
// `odonata net --device rtl --at PLACE` and `--device-lib FILE` on a torus and a fat-tree: route units of one router as
// devices in the running network (docs/network.md §9).
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "sim/network/config.h"
#include "tb/harness/own_device.h"

namespace odonata::cli {

/// What stands at the router: Verilated RTL, perhaps with a planted bug, or the library of somebody else (odonata
/// wrap).
struct FabricDevice {
  std::string device = "none", at, plant, library;
  bool wanted() const { return device != "none" || !library.empty(); }
};

/// Puts route units at the router that `at` names: "X,Y" of a torus; "leaf:X,Y", "row:LINE,RAIL", "column:LINE,RAIL" of
/// a fat-tree. The run gets RouteCompute::arrival. Nothing on other topologies. Throws Error for bad options, where no
/// RTL of the size was built, and for a library that does not fit.
void apply_fabric_device(const FabricDevice& device, network::Config& config);

/// Throws Error when answers come later than the running network waits for them; any interval will do, because it asks
/// one question at a time.
void check_latency(const std::string& library, int latency);

/// What makes devices of a block: of a library, or Verilated (plant 0: none). Throws Error when the library does not
/// fit or the RTL is not built.
template <class Block>
std::function<std::unique_ptr<cosim::DeviceOf<Block>>()> device_maker(const std::string& library,
                                                                      const cosim::RtlParameters& size, int plant) {
  if (library.empty()) {
    const cosim::RtlVariant variant = plant != 0 ? cosim::RtlVariant::debug : cosim::RtlVariant::fast;
    return [size, variant, plant] { return cosim::make_rtl<Block>(size, variant, plant); };
  }
  const cosim::PinWords<Block> pins(size);
  const cosim::DeviceLibrary loaded(library, pins);
  cosim::LibraryDevice<Block> fresh(loaded, pins);
  check_latency(library, cosim::measure_timing<Block>(library, pins, fresh).latency);
  return [pins, loaded] { return std::make_unique<cosim::LibraryDevice<Block>>(loaded, pins); };
}

}  // namespace odonata::cli
