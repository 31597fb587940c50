// SPDX-License-Identifier: Apache-2.0
// The benches of the congestion units: what `odonata cosim --block
// credit_monitor|bitmap_sender|bitmap_collector|pcs_transport` and the suite run.
#pragma once

#include "tb/congestion/bitmap_collector_block.h"
#include "tb/congestion/bitmap_sender_block.h"
#include "tb/congestion/congestion_plane_block.h"
#include "tb/congestion/credit_monitor_block.h"
#include "tb/congestion/pcs_transport_block.h"
#include "tb/harness/unit_bench.h"

namespace odonata::cosim {

/// The planted bugs of all congestion RTL; a unit has those of its own files.
std::span<const Plant> congestion_plants();

/// The units. Traffic: "corner" for directed sequences and random corner cases, "ur" for a loaded group (all that a
/// single router's unit can tell apart), "all" for the one after the other.
std::span<const Unit> congestion_units();

// Each throws Error for bad input.
UnitBench<CreditMonitorBlock> credit_monitor_bench(const CampaignRequest& request);
UnitBench<BitmapSenderBlock> bitmap_sender_bench(const CampaignRequest& request);
UnitBench<BitmapCollectorBlock> bitmap_collector_bench(const CampaignRequest& request);
UnitBench<PcsTransportBlock> pcs_transport_bench(const CampaignRequest& request);
/// The whole plane of a router: golden unit, RTL and corner cases, no campaigns.
UnitBench<CongestionPlaneBlock> congestion_plane_bench(const CampaignRequest& request);

}  // namespace odonata::cosim
