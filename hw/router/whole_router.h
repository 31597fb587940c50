// SPDX-License-Identifier: Apache-2.0
// SystemC: a whole router as a device behind the pins of docs/router.md §3.1 in the place of a router of modules. The
// network around it stays: it has three faces, one for each of the network's parts, and one edge.
#pragma once

#include "hw/router/dragonfly_module.h"
#include "hw/router/device_router.h"
#include "hw/router/router_device.h"

namespace odonata::router {

/// Puts devices into the places of the `chosen` routers (empty: all), in the congestion plane, the fault planes and the
/// data path. They are configured when they are made and see the edges from that of cycle 0 on. Throws Error when the
/// parameters are not the hardware's.
void put_whole_routers(Makers& makers, const Parameters& parameters, const std::function<bool(int)>& chosen,
                       const MakeRouterDevice& make);

}  // namespace odonata::router
