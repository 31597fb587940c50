// SPDX-License-Identifier: Apache-2.0
#include "sim/rtl_in_loop/fabric_device.h"

#include <algorithm>
#include <array>

#include "models/common/error.h"
#include "models/common/split.h"
#include "sim/common/options.h"
#include "sim/network/policies/torus.h"
#include "sim/network/device_wait.h"
#include "sim/network/route_hardware.h"
#include "sim/network/topologies/fat_tree.h"
#include "sim/network/topologies/torus.h"
#include "tb/harness/plant.h"
#include "tb/torus/campaign.h"
#include "tb/torus/torus_box_words.h"
#include "tb/torus/torus_route_words.h"
#include "tb/vtftr/campaign.h"
#include "tb/vtftr/vtftr_leaf_words.h"
#include "tb/vtftr/vtftr_root_words.h"

namespace odonata::cli {

using cosim::RtlParameters;
using network::Config;
using network::RouteHardware;

namespace {

/// "A,B" behind `prefix`, or three numbers, each below its limit.
template <size_t kCount>
std::array<int, kCount> numbers_of(const std::string& at, const std::string& prefix,
                                   const std::array<int, kCount>& limits) {
  const std::vector<std::string_view> words = split(std::string_view(at).substr(prefix.size()), ',');
  if (words.size() != kCount) throw Error("--at " + at + ": expected " + prefix + (kCount == 2 ? "A,B" : "A,B,C"));
  std::array<int, kCount> out{};
  for (size_t i = 0; i < kCount; ++i)
    out[i] =
        static_cast<int>(parse_number("--at " + at, std::string(words[i]), 0, static_cast<uint64_t>(limits[i] - 1)));
  return out;
}

RouteHardware at_boxes(const FabricDevice& device, const Config& config) {
  const Torus& t = network::torus_of(config);
  const std::array<int, 3> at = numbers_of<3>(device.at, "", {t.radix(0), t.radix(1), t.radix(2)});
  RouteHardware out;
  out.router = t.node({at[0], at[1], at[2]});
  out.box = device_maker<cosim::TorusBoxBlock>(device.library, cosim::torus_box_parameters(t),
                                               cosim::plant_number(cosim::torus_plants(), device.plant));
  out.box();  // what was not built is told now
  return out;
}

RouteHardware at_torus(const FabricDevice& device, const Config& config) {
  const Torus& t = network::torus_of(config);
  if (t.dimensions() != 2) return at_boxes(device, config);
  const RtlParameters size = cosim::torus_route_parameters(t, torus::variant_from_name(config.routing));
  const int plant = cosim::plant_number(cosim::torus_plants(), device.plant);
  const auto [x, y] = numbers_of<2>(device.at, "", {t.radix(0), t.radix(1)});
  RouteHardware out;
  out.router = y * t.radix(0) + x;
  out.torus = device_maker<cosim::TorusRouteBlock>(device.library, size, plant);
  out.torus();  // what was not built is told now
  return out;
}

RouteHardware at_fat_tree(const FabricDevice& device, const Config& config) {
  const std::string& at = device.at;
  const network::FatTreeTopology& topology = network::fat_tree_of(config);
  const FatTree& t = topology.tree();
  const int plant = cosim::plant_number(cosim::vtftr_plants(), device.plant);
  RouteHardware out;
  if (at.starts_with("leaf:")) {
    const auto [x, y] = numbers_of<2>(at, "leaf:", {t.columns(), t.rows()});
    const RtlParameters size{{"N", t.columns()}, {"M", t.rows()}, {"P", t.p()}, {"U", t.u()}};
    out.router = t.leaf(x, y);
    out.leaf = device_maker<cosim::VtftrLeafBlock>(device.library, size, plant);
    out.leaf();
    return out;
  }
  const bool row = at.starts_with("row:");
  if (!row && !at.starts_with("column:"))
    throw Error("--at " + at + ": expected leaf:X,Y, row:LINE,RAIL or column:LINE,RAIL");
  const auto [line, rail] = numbers_of<2>(at, row ? "row:" : "column:", {row ? t.rows() : t.columns(), t.u()});
  const RtlParameters size{
      {"N", t.columns()}, {"M", t.rows()}, {"S", std::max(t.columns(), t.rows())}, {"MaskForm", 0}};
  out.router = topology.root_router(row ? 0 : 1, line, rail);
  out.root = device_maker<cosim::VtftrRootBlock>(device.library, size, plant);
  out.root();
  return out;
}

}  // namespace

void check_latency(const std::string& library, int latency) {
  if (latency < network::kLongestAnswer) return;
  throw Error("--device-lib " + library + ": answers after " + std::to_string(latency) +
              " cycles; the running network waits less than " + std::to_string(network::kLongestAnswer) +
              " for an answer");
}

void apply_fabric_device(const FabricDevice& device, Config& config) {
  const std::string kind = config.topology->kind();
  if (kind != "torus" && kind != "fat_tree") return;
  if (!device.wanted()) {
    if (!device.at.empty() || !device.plant.empty()) throw Error("--at and --plant belong to --device rtl");
    return;
  }
  if (kind == "fat_tree" && config.routing != "vtftr")
    throw Error("routing '" + config.routing + "' has no hardware, expected vtftr");
  if (device.at.empty())
    throw Error(kind == "torus" ? "--device rtl or --device-lib needs --at X,Y (of three dimensions X,Y,Z): the router "
                                  "whose packets it routes"
                                : "--device rtl or --device-lib needs --at leaf:X,Y, row:LINE,RAIL or "
                                  "column:LINE,RAIL: the switch whose packets it routes");
  config.hardware =
      std::make_shared<const RouteHardware>(kind == "torus" ? at_torus(device, config) : at_fat_tree(device, config));
  config.route_compute = network::RouteCompute::arrival;
}

}  // namespace odonata::cli
