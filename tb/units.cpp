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
    for (const auto family :
         {route_compute_units(), congestion_units(), fault_units(), arb_request_units(), router_units(), torus_units(), vtftr_units()}) {
      found.insert(found.end(), family.begin(), family.end());
    }
    return found;
  }();
  return all;
}

}  // namespace odonata::cosim
