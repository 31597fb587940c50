// SPDX-License-Identifier: Apache-2.0
// The co-simulation of the VTFTR units.
#pragma once

#include "tb/harness/unit_bench.h"
#include "tb/vtftr/vtftr_detect_block.h"
#include "tb/vtftr/vtftr_leaf_block.h"
#include "tb/vtftr/vtftr_root_block.h"
#include "tb/vtftr/vtftr_update_block.h"

namespace odonata::cosim {

std::span<const Plant> vtftr_plants();

/// vtftr_leaf, vtftr_root, vtftr_update, vtftr_detect; parameter `tree`: the name of a size that was built. Traffic:
/// any word, the pins are random.
std::span<const Unit> vtftr_units();

/// A size for which a unit was built.
struct VtftrSize {
  std::string name;
  vtftr::UnitSize size;
  bool mask_form = false;
  RtlParameters parameters;
};
/// Those of vtftr_leaf and vtftr_root.
VtftrSize vtftr_leaf_size(const std::string& name);
VtftrSize vtftr_root_size(const std::string& name);

// Each throws Error for bad input.
UnitBench<VtftrLeafBlock> vtftr_leaf_bench(const CampaignRequest& request);
UnitBench<VtftrRootBlock> vtftr_root_bench(const CampaignRequest& request);
UnitBench<VtftrUpdateBlock> vtftr_update_bench(const CampaignRequest& request);
UnitBench<VtftrDetectBlock> vtftr_detect_bench(const CampaignRequest& request);

}  // namespace odonata::cosim
