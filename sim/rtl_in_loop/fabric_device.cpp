// SPDX-License-Identifier: Apache-2.0
#include "sim/rtl_in_loop/fabric_device.h"

#include <array>

#include "models/common/error.h"
#include "sim/common/options.h"
#include "sim/network/policies/torus.h"
#include "sim/network/route_hardware.h"
#include "sim/network/topologies/fat_tree.h"
#include "sim/network/topologies/torus.h"
#include "tb/harness/plant.h"
#include "tb/torus/campaign.h"
#include "tb/vtftr/campaign.h"

namespace odonata::cli {

using cosim::RtlParameters;
using cosim::RtlVariant;
using network::Config;
using network::RouteHardware;

namespace {

/// "A,B" behind `prefix`, below two limits.
std::array<int, 2> two_numbers(const std::string& at, const std::string& prefix, int first, int second) {
  const size_t comma = at.find(',');
  if (!at.starts_with(prefix) || comma == std::string::npos) throw Error("--at " + at + ": expected " + prefix + "A,B");
  const auto number = [&](const std::string& text, int limit) {
    return static_cast<int>(parse_number("--at " + at, text, 0, static_cast<uint64_t>(limit - 1)));
  };
  return {number(at.substr(prefix.size(), comma - prefix.size()), first), number(at.substr(comma + 1), second)};
}

RtlVariant variant_of(int plant) { return plant != 0 ? RtlVariant::debug : RtlVariant::fast; }

RouteHardware at_torus(const std::string& at, const std::string& plant_name, const Config& config) {
  using torus::Variant;
  const Torus& t = network::torus_of(config);
  const Variant v = torus::variant_from_name(config.routing);
  const bool ring = v == Variant::kSafe6Ring || v == Variant::kSafe4Ring, four = v == Variant::kSafe4 || v == Variant::kSafe4Ring;
  if (!ring && !four && v != Variant::kSafe6)
    throw Error("routing '" + config.routing + "' has no hardware, expected torus_safe6_ring, torus_safe6, torus_safe4_ring or torus_safe4");
  const RtlParameters size{{"KX", t.radix(0)}, {"KY", t.radix(1)}, {"Ring", ring}, {"Detours", four ? 1 : 2}};
  const int plant = cosim::plant_number(cosim::torus_plants(), plant_name);
  const auto [x, y] = two_numbers(at, "", t.radix(0), t.radix(1));
  RouteHardware out;
  out.router = y * t.radix(0) + x;
  out.torus = [size, plant] { return cosim::make_rtl<cosim::TorusRouteBlock>(size, variant_of(plant), plant); };
  out.torus();  // what was not built is told now
  return out;
}

RouteHardware at_fat_tree(const std::string& at, const std::string& plant_name, const Config& config) {
  const network::FatTreeTopology& topology = network::fat_tree_of(config);
  const FatTree& t = topology.tree();
  const int plant = cosim::plant_number(cosim::vtftr_plants(), plant_name);
  RouteHardware out;
  if (at.starts_with("leaf:")) {
    const auto [x, y] = two_numbers(at, "leaf:", t.columns(), t.rows());
    const RtlParameters size{{"N", t.columns()}, {"M", t.rows()}, {"P", t.p()}, {"U", t.u()}};
    out.router = t.leaf(x, y);
    out.leaf = [size, plant] { return cosim::make_rtl<cosim::VtftrLeafBlock>(size, variant_of(plant), plant); };
    out.leaf();
    return out;
  }
  const bool row = at.starts_with("row:");
  if (!row && !at.starts_with("column:")) throw Error("--at " + at + ": expected leaf:X,Y, row:LINE,RAIL or column:LINE,RAIL");
  const auto [line, rail] = two_numbers(at, row ? "row:" : "column:", row ? t.rows() : t.columns(), t.u());
  const RtlParameters size{{"N", t.columns()}, {"M", t.rows()}, {"MaskForm", 0}};
  out.router = topology.root_router(row ? 0 : 1, line, rail);
  out.root = [size, plant] { return cosim::make_rtl<cosim::VtftrRootBlock>(size, variant_of(plant), plant); };
  out.root();
  return out;
}

}  // namespace

void apply_fabric_device(const std::string& device, const std::string& at, const std::string& plant, Config& config) {
  const std::string kind = config.topology->kind();
  if (kind != "torus" && kind != "fat_tree") return;
  if (device == "none") {
    if (!at.empty() || !plant.empty()) throw Error("--at and --plant belong to --device rtl");
    return;
  }
  if (kind == "fat_tree" && config.routing != "vtftr") throw Error("routing '" + config.routing + "' has no hardware, expected vtftr");
  if (at.empty())
    throw Error(kind == "torus" ? "--device rtl needs --at X,Y: the router whose packets it routes"
                                : "--device rtl needs --at leaf:X,Y, row:LINE,RAIL or column:LINE,RAIL: the switch whose packets it routes");
  config.hardware = std::make_shared<const RouteHardware>(kind == "torus" ? at_torus(at, plant, config) : at_fat_tree(at, plant, config));
  config.route_compute = network::RouteCompute::arrival;
}

}  // namespace odonata::cli
