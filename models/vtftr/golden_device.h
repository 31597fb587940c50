// SPDX-License-Identifier: Apache-2.0
// The golden VTFTR units behind the interface that all levels share.
#pragma once

#include "models/common/golden.h"
#include "models/vtftr/units.h"

namespace odonata::vtftr {

// Why the outputs are what they are, a line a statement.
std::vector<std::string> reasons(const LeafUnit& unit);
std::vector<std::string> reasons(const RootUnit& unit);
std::vector<std::string> reasons(const UpdateUnit& unit);
std::vector<std::string> reasons(const DetectUnit& unit);

struct GoldenLeaf final : Golden<LeafUnit, LeafInputs, LeafOutputs> {
  explicit GoldenLeaf(const UnitSize& size) : Golden(size) {}
};
struct GoldenRoot final : Golden<RootUnit, RootInputs, RootOutputs> {
  explicit GoldenRoot(const UnitSize& size, bool mask_form = false) : Golden(size, mask_form) {}
};
struct GoldenUpdate final : Golden<UpdateUnit, UpdateInputs, UpdateOutputs> {
  explicit GoldenUpdate(const UnitSize& size) : Golden(size) {}
};
struct GoldenDetect final : Golden<DetectUnit, DetectInputs, DetectOutputs> {
  explicit GoldenDetect(int ports) : Golden(ports) {}
};

}  // namespace odonata::vtftr
