// SPDX-License-Identifier: Apache-2.0
#include "tb/units.h"

#include "tb/arb_request/campaign.h"
#include "tb/congestion/campaign.h"
#include "tb/fault/campaign.h"
#include "tb/route_compute/campaign.h"
#include "tb/router/campaign.h"
#include "tb/torus/campaign.h"
#include "tb/vtftr/campaign.h"

namespace odonata::cosim {

std::span<const Unit> units() {
  static const std::vector<Unit> all = [] {
    std::vector<Unit> found;
    for (const auto family : {route_compute_units(), congestion_units(), fault_units(), arb_request_units(),
                              router_units(), torus_units(), vtftr_units()}) {
      found.insert(found.end(), family.begin(), family.end());
    }
    return found;
  }();
  return all;
}

std::span<const Unit> described_units() {
  static const std::vector<Unit> all = [] {
    std::vector<Unit> found(units().begin(), units().end());
    found.push_back(make_described_unit<congestion_plane_bench>("congestion_plane", "congestion"));
    found.push_back(make_described_unit<fault_shared_port_bench>("fault_shared_port", "fault"));
    return found;
  }();
  return all;
}

std::vector<SmallUnit> every_small_unit() {
  CampaignRequest request;
  request.dragonfly = Dragonfly::named("tiny");
  request.traffic = "corner";
  std::vector<SmallUnit> out;
  for (const Unit& unit : described_units()) {
    CampaignRequest smallest = request;
    if (unit.name == "arb_request") smallest.parameters["dims"] = "2";
    if (unit.name == "router") smallest.parameters["fault"] = "pipelined";  // as it is built
    out.push_back({unit.name, unit.name, smallest});
  }
  request.parameters["dims"] = "2";
  for (const std::string part : {"logic", "switch"}) {
    request.parameters["part"] = part;
    out.push_back({"arb_request_" + part, "arb_request", request});
  }
  return out;
}

}  // namespace odonata::cosim
