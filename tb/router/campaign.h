// SPDX-License-Identifier: Apache-2.0
// The benches of a router and of its data path: what `odonata cosim --block router_data|router` and the suite run.
#pragma once

#include "tb/harness/unit_bench.h"
#include "tb/router/router_block.h"
#include "tb/router/router_data_block.h"

namespace odonata::cosim {

/// The data path's parameters for a dragonfly. `shallow`: buffers of 8 and 16 flits and FIFOs of 4, so that they fill
/// and credits run out.
router::DataConfig data_config(const Dragonfly& d, bool shallow);
/// A router of three ports in shallow buffers.
router::DataConfig three_ports(int turn_cycles);
/// Those of the RTL.
RtlParameters rtl_parameters(const router::DataConfig& config);

/// A whole router. The one with a pipelined fault plane is the build whose registers may start with random values
/// (random_start()); it has no planted bugs of the debug build. Throws Error when it was not built.
std::unique_ptr<RtlDevice<RouterBlock>> make_router_rtl(const Dragonfly& d, bool pipelined, int plant = 0);

/// All planted bugs of the family.
std::span<const Plant> router_plants();
/// It is where the blocks of a router meet: only the lockstep of the whole router sees it, the others that of the data
/// path.
bool of_whole_router(const Plant& plant);
/// Parameter `buffers` = hardware (default) or shallow. Traffic: "corner": a new demand every some hundred cycles, else
/// "ur": `load` flits a cycle and link, packets of one flit.
std::span<const Unit> router_units();

/// Throws Error for bad input.
UnitBench<RouterDataBlock> router_data_bench(const CampaignRequest& request);
/// A whole router; parameter `fault` = plain (default) or pipelined: its scheduler. Traffic: "corner": failing links,
/// messages, configuration, deaths, in episodes of their own; else "ur": `load`, packets of one flit, nothing else.
UnitBench<RouterBlock> router_bench(const CampaignRequest& request);

}  // namespace odonata::cosim
