// SPDX-License-Identifier: Apache-2.0
// The SystemC modules of the torus as CycleDevices, for the lockstep harness.
#pragma once

#include "hw/common/module_device.h"
#include "hw/torus/fault_region.h"
#include "hw/torus/torus_route.h"

namespace odonata::torus {

/// `Module` is FaultRegionModule or, in tests, a subclass with a planted bug.
template <class Module>
struct BasicFaultRegionDevice final : hw::ModuleDevice<Module, RegionInputs, RegionOutputs> {
  BasicFaultRegionDevice()
      : hw::ModuleDevice<Module, RegionInputs, RegionOutputs>(
            [](hw::Tick& tick, hw::Drive<RegionInputs> pins) { return std::make_unique<Module>("fault_region", tick, std::move(pins)); }) {}
};

/// `Module` is TorusRouteModule or, in tests, a subclass with a planted bug.
template <class Module>
struct BasicTorusRouteDevice final : hw::ModuleDevice<Module, RouteInputs, RouteOutputs> {
  /// Throws Error when the variant has no hardware.
  BasicTorusRouteDevice(const Torus& torus, Variant variant)
      : hw::ModuleDevice<Module, RouteInputs, RouteOutputs>([&](hw::Tick& tick, hw::Drive<RouteInputs> pins) {
          return std::make_unique<Module>("torus_route", tick, torus, variant, std::move(pins));
        }) {}
};

using FaultRegionDevice = BasicFaultRegionDevice<FaultRegionModule>;
using TorusRouteDevice = BasicTorusRouteDevice<TorusRouteModule>;

}  // namespace odonata::torus
