// SPDX-License-Identifier: Apache-2.0
// The Verilated RTL of a unit as CycleDevices: a table of libraries a block, made from the unit's description
// (docs/units.md).
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/common/cycle_device.h"
#include "models/common/error.h"
#include "models/topology/dragonfly.h"
#include "tb/harness/rtl_loader.h"
#include "tb/harness/rtl_variant.h"

namespace odonata::cosim {

template <class Block>
using RtlDevice = CycleDevice<typename Block::Inputs, typename Block::Outputs>;

/// Parameters of the RTL by name.
using RtlParameters = std::map<std::string, int>;

/// One Verilated library.
template <class Block>
struct RtlLibrary {
  std::string size;  ///< its name in the description
  RtlVariant variant;
  RtlParameters parameters;  ///< that are set; the others are those of the module
  std::string name;          ///< of the module, rtl/<name>.so

  /// A new device; loads the module first. `plant` as in make_rtl().
  std::unique_ptr<RtlDevice<Block>> make(int plant) const {
    return std::unique_ptr<RtlDevice<Block>>(static_cast<RtlDevice<Block>*>(load_rtl(name)(plant)));
  }
};

/// All libraries of a block; generated.
template <class Block>
const std::vector<RtlLibrary<Block>>& rtl_libraries();

/// The parameters that follow from a dragonfly.
inline RtlParameters rtl_parameters(const Dragonfly& d) {
  return {{"P", d.p()},
          {"A", d.a()},
          {"H", d.h()},
          {"G", d.g()},
          {"AbsoluteAtReset", d.arrangement() == Arrangement::absolute}};
}

/// The dragonflies for which a block's RTL was built.
template <class Block>
std::vector<Dragonfly> rtl_dragonflies() {
  std::vector<Dragonfly> out;
  for (const RtlLibrary<Block>& library : rtl_libraries<Block>()) {
    if (library.variant != RtlVariant::fast) continue;
    const auto value = [&](const char* name) { return library.parameters.at(name); };
    const DragonflySize size{value("P"), value("A"), value("H"), value("G")};
    out.emplace_back(size, value("AbsoluteAtReset") ? Arrangement::absolute : Arrangement::direct);
  }
  return out;
}

inline std::string to_string(const RtlParameters& parameters) {
  std::string out;
  for (const auto& [name, value] : parameters) out += (out.empty() ? "" : " ") + name + "=" + std::to_string(value);
  return out;
}

/// A new device of the first library of this variant that has the wanted parameters; a wanted one that the library does
/// not set does not matter. `plant` is the number of a planted bug (debug only), 0 = none. Throws Error when there is
/// no such library.
template <class Block>
std::unique_ptr<RtlDevice<Block>> make_rtl(const RtlParameters& wanted, RtlVariant variant = RtlVariant::fast,
                                           int plant = 0) {
  std::string sizes;
  for (const RtlLibrary<Block>& library : rtl_libraries<Block>()) {
    if (library.variant != variant) continue;
    const auto fits = [&](const auto& p) { return wanted.count(p.first) == 0 || wanted.at(p.first) == p.second; };
    if (std::all_of(library.parameters.begin(), library.parameters.end(), fits)) return library.make(plant);
    sizes += (sizes.empty() ? "" : "; ") + to_string(library.parameters);
  }
  const std::string what =
      std::string(variant == RtlVariant::netlist ? "no netlist of " : "no RTL of ") + std::string(Block::kName);
  if (sizes.empty()) throw Error(what + " was built, for any size");
  throw Error(what + " was built for " + to_string(wanted) + ", expected one of " + sizes +
              " (CMake variable ODONATA_RTL_SIZES)");
}
template <class Block>
std::unique_ptr<RtlDevice<Block>> make_rtl(const Dragonfly& d, RtlVariant variant = RtlVariant::fast, int plant = 0) {
  return make_rtl<Block>(rtl_parameters(d), variant, plant);
}

}  // namespace odonata::cosim
