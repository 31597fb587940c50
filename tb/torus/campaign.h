// SPDX-License-Identifier: Apache-2.0
// The benches of the torus units: what `odonata cosim --block torus_route` and the suite run.
#pragma once

#include "tb/harness/unit_bench.h"
#include "tb/torus/fault_region_block.h"
#include "tb/torus/torus_box_block.h"
#include "tb/torus/torus_output_block.h"
#include "tb/torus/torus_route_block.h"
#include "tb/torus/torus_sides_block.h"
#include "tb/torus/torus_walls_block.h"

namespace odonata::cosim {

/// All planted bugs of the family.
std::span<const Plant> torus_plants();

/// torus_route (parameter `torus`: tiny, uneven, paper or big; traffic "ur": packets under random fault maps, "corner":
/// random pins); fault_region, torus_walls and torus_sides (parameter `torus`: tiny, uneven or big), torus_box
/// (parameter `torus`: tiny, uneven, paper or big, three dimensions), torus_output (parameter `output`: tiny, paper or
/// wide): random pins with either.
std::span<const Unit> torus_units();

// Each throws Error for bad input.
UnitBench<TorusRouteBlock> torus_route_bench(const CampaignRequest& request);
UnitBench<TorusBoxBlock> torus_box_bench(const CampaignRequest& request);
UnitBench<FaultRegionBlock> fault_region_bench(const CampaignRequest& request);
UnitBench<TorusWallsBlock> torus_walls_bench(const CampaignRequest& request);
UnitBench<TorusSidesBlock> torus_sides_bench(const CampaignRequest& request);
UnitBench<TorusOutputBlock> torus_output_bench(const CampaignRequest& request);

/// The parameters of the route unit of a torus. Throws Error for variants without hardware.
RtlParameters torus_route_parameters(const Torus& t, torus::Variant variant);

/// The same of torus_box.
RtlParameters torus_box_parameters(const Torus& t);

}  // namespace odonata::cosim
