// SPDX-License-Identifier: Apache-2.0
// The SystemC modules of the torus as CycleDevices, for the lockstep harness.
#pragma once

#include "hw/common/module_device.h"
#include "hw/torus/fault_region.h"
#include "hw/torus/torus_box.h"
#include "hw/torus/torus_output.h"
#include "hw/torus/torus_route.h"
#include "hw/torus/torus_sides.h"
#include "hw/torus/torus_walls.h"

namespace odonata::torus {

/// `Module` is FaultRegionModule or, in tests, a subclass with a planted bug.
template <class Module>
struct BasicFaultRegionDevice final : hw::ModuleDevice<Module, RegionInputs, RegionOutputs> {
  BasicFaultRegionDevice()
      : hw::ModuleDevice<Module, RegionInputs, RegionOutputs>([](hw::Tick& tick, hw::Drive<RegionInputs> pins) {
          return std::make_unique<Module>("fault_region", tick, std::move(pins));
        }) {}
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

/// `Module` is TorusBoxModule or, in tests, a subclass with a planted bug.
template <class Module>
struct BasicTorusBoxDevice final : hw::ModuleDevice<Module, BoxInputs, BoxOutputs> {
  explicit BasicTorusBoxDevice(const Torus& torus)
      : hw::ModuleDevice<Module, BoxInputs, BoxOutputs>([&](hw::Tick& tick, hw::Drive<BoxInputs> pins) {
          return std::make_unique<Module>("torus_box", tick, torus, std::move(pins));
        }) {}
};

/// `Module` is TorusWallsModule or, in tests, a subclass with a planted bug.
template <class Module>
struct BasicTorusWallsDevice final : hw::ModuleDevice<Module, WallInputs, WallOutputs> {
  explicit BasicTorusWallsDevice(const Torus& torus)
      : hw::ModuleDevice<Module, WallInputs, WallOutputs>([&](hw::Tick& tick, hw::Drive<WallInputs> pins) {
          return std::make_unique<Module>("torus_walls", tick, torus, std::move(pins));
        }) {}
};

/// `Module` is TorusSidesModule or, in tests, a subclass with a planted bug.
template <class Module>
struct BasicTorusSidesDevice final : hw::ModuleDevice<Module, SideInputs, SideOutputs> {
  explicit BasicTorusSidesDevice(const Torus& torus)
      : hw::ModuleDevice<Module, SideInputs, SideOutputs>([&](hw::Tick& tick, hw::Drive<SideInputs> pins) {
          return std::make_unique<Module>("torus_sides", tick, torus, std::move(pins));
        }) {}
};

/// `Module` is TorusOutputModule or, in tests, a subclass with a planted bug.
template <class Module>
struct BasicTorusOutputDevice final : hw::ModuleDevice<Module, OutputInputs, OutputOutputs> {
  BasicTorusOutputDevice(int slots, int inputs)
      : hw::ModuleDevice<Module, OutputInputs, OutputOutputs>([&](hw::Tick& tick, hw::Drive<OutputInputs> pins) {
          return std::make_unique<Module>("torus_output", tick, slots, inputs, std::move(pins));
        }) {}
};

using FaultRegionDevice = BasicFaultRegionDevice<FaultRegionModule>;
using TorusBoxDevice = BasicTorusBoxDevice<TorusBoxModule>;
using TorusOutputDevice = BasicTorusOutputDevice<TorusOutputModule>;
using TorusRouteDevice = BasicTorusRouteDevice<TorusRouteModule>;
using TorusSidesDevice = BasicTorusSidesDevice<TorusSidesModule>;
using TorusWallsDevice = BasicTorusWallsDevice<TorusWallsModule>;

}  // namespace odonata::torus
