// SPDX-License-Identifier: Apache-2.0
#include "hw/vtftr/block_device.h"

#include "hw/common/module_device.h"
#include "hw/vtftr/detect_module.h"
#include "hw/vtftr/leaf_module.h"
#include "hw/vtftr/root_module.h"
#include "hw/vtftr/update_module.h"

namespace odonata::vtftr {

namespace {

/// A module made from its name, the clock, what is its own and the pins.
template <class Module, class In, class Out, class... Args>
std::unique_ptr<CycleDevice<In, Out>> make_device(const char* name, const Args&... args) {
  return std::make_unique<hw::ModuleDevice<Module, In, Out>>([&](hw::Tick& tick, hw::Drive<In> pins) {
    return std::make_unique<Module>(name, tick, args..., std::move(pins));
  });
}

}  // namespace

std::unique_ptr<CycleDevice<LeafInputs, LeafOutputs>> make_leaf_systemc(const UnitSize& size) {
  return make_device<LeafModule, LeafInputs, LeafOutputs>("vtftr_leaf", size);
}
std::unique_ptr<CycleDevice<RootInputs, RootOutputs>> make_root_systemc(const UnitSize& size, bool mask_form) {
  return make_device<RootModule, RootInputs, RootOutputs>("vtftr_root", size, mask_form);
}
std::unique_ptr<CycleDevice<UpdateInputs, UpdateOutputs>> make_update_systemc(const UnitSize& size) {
  return make_device<UpdateModule, UpdateInputs, UpdateOutputs>("vtftr_update", size);
}
std::unique_ptr<CycleDevice<DetectInputs, DetectOutputs>> make_detect_systemc(int ports) {
  return make_device<DetectModule, DetectInputs, DetectOutputs>("vtftr_detect", ports);
}

}  // namespace odonata::vtftr
