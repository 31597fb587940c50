// SPDX-License-Identifier: Apache-2.0
// The SystemC input port as a CycleDevice: for the lockstep harness, and for a router.
#pragma once

#include "hw/arb_request/input_port_module.h"
#include "hw/common/module_device.h"
#include "models/arb_request/golden_device.h"

namespace odonata::arb_request {

/// `Module` is InputPortModule or, in tests, a subclass with a planted bug.
template <class Module>
struct BasicInputPortDevice final : hw::ModuleDevice<Module, PortInputs, PortOutputs> {
  /// Throws Error on a bad size.
  explicit BasicInputPortDevice(const PortSize& size)
      : hw::ModuleDevice<Module, PortInputs, PortOutputs>([&](hw::Tick& tick, hw::Drive<PortInputs> pins) {
          return std::make_unique<Module>("input_port", tick, size, std::move(pins));
        }) {}
};

using InputPortDevice = BasicInputPortDevice<InputPortModule>;

}  // namespace odonata::arb_request
