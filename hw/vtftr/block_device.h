// SPDX-License-Identifier: Apache-2.0
// The SystemC modules of the VTFTR units as CycleDevices, for the lockstep harness (hw/common/module_device.h).
#pragma once

#include <memory>

#include "models/common/cycle_device.h"
#include "models/vtftr/units.h"

namespace odonata::vtftr {

std::unique_ptr<CycleDevice<LeafInputs, LeafOutputs>> make_leaf_systemc(const UnitSize& size);
std::unique_ptr<CycleDevice<RootInputs, RootOutputs>> make_root_systemc(const UnitSize& size, bool mask_form);
std::unique_ptr<CycleDevice<UpdateInputs, UpdateOutputs>> make_update_systemc(const UnitSize& size);
std::unique_ptr<CycleDevice<DetectInputs, DetectOutputs>> make_detect_systemc(int ports);

}  // namespace odonata::vtftr
