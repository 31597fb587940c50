// SPDX-License-Identifier: Apache-2.0
#include "sim/pipeline/devices.h"

#include <fmt/format.h>

#include "hw/route_compute/pipeline_device.h"
#include "models/common/error.h"
#include "sim/pipeline/spread.h"
#include "models/route_compute/golden_device.h"
#include "tb/harness/own_device.h"
#include "tb/harness/plant.h"
#include "tb/route_compute/block.h"
#include "tb/route_compute/campaign.h"
#include "tb/route_compute/route_compute_words.h"

namespace odonata::cli {

namespace {

bool rtl_is_built([[maybe_unused]] const Dragonfly& d) {
  for (const Dragonfly& built : cosim::rtl_dragonflies<cosim::RouteComputeBlock>()) {
    if (built.size() == d.size() && built.arrangement() == d.arrangement()) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> available_levels(const Dragonfly& d) {
  std::vector<std::string> out{"golden"};
  out.push_back("systemc");
  if (rtl_is_built(d)) out.push_back("rtl");
  return out;
}

OwnUnit make_own_unit(const std::string& library, const Dragonfly& d) {
  const cosim::PinWords<cosim::RouteComputeBlock> pins(cosim::rtl_parameters(d));
  const cosim::DeviceLibrary loaded(library, pins);
  return {std::make_unique<cosim::LibraryDevice<cosim::RouteComputeBlock>>(loaded, pins), loaded.absent().empty()};
}

std::unique_ptr<RouteComputeDevice> make_device(std::string_view level, const Dragonfly& d, const std::string& plant) {
  if (!plant.empty() && level != "rtl")
    throw Error(fmt::format("--plant: bugs are planted in the RTL, expected --levels rtl, not {}", level));
  if (level == "golden") return std::make_unique<route_compute::GoldenDevice>(d);
  if (level == "systemc") return std::make_unique<route_compute::PipelineDevice>(d);
  if (level == "rtl") {
    const int number = cosim::plant_number(cosim::route_compute_plants(), plant);
    return cosim::make_rtl<cosim::RouteComputeBlock>(
        d, number == 0 ? cosim::RtlVariant::fast : cosim::RtlVariant::debug, number);
  }
  refuse_level(std::string(level));
}

}  // namespace odonata::cli
