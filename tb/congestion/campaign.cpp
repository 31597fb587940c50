// SPDX-License-Identifier: Apache-2.0
#include "tb/congestion/campaign.h"

#include "congestion_plants.h"
#include "hw/congestion/block_device.h"
#include "tb/congestion/bitmap_collector_words.h"
#include "tb/congestion/bitmap_sender_words.h"
#include "tb/congestion/congestion_plane_words.h"
#include "tb/congestion/coverage.h"
#include "tb/congestion/credit_monitor_words.h"
#include "tb/congestion/directed.h"
#include "tb/congestion/pcs_transport_words.h"
#include "tb/congestion/stimulus.h"

namespace odonata::cosim {

using namespace congestion;

namespace {

/// Where the planted bugs of each block are.
struct OwnedFile {
  std::string_view block, file;
};
constexpr OwnedFile kFiles[] = {
    {CreditMonitorBlock::kName, "rtl/congestion/credit_monitor.sv"},
    {CreditMonitorBlock::kName, "rtl/congestion/credit_history.sv"},
    {BitmapSenderBlock::kName, "rtl/congestion/bitmap_sender.sv"},
    {BitmapSenderBlock::kName, "rtl/congestion/congestion_interval.sv"},
    {BitmapSenderBlock::kName, "rtl/congestion/congestion_pkg.sv"},
    {BitmapCollectorBlock::kName, "rtl/congestion/bitmap_collector.sv"},
    {BitmapCollectorBlock::kName, "rtl/congestion/bitmap_ring_stop.sv"},
    {PcsTransportBlock::kName, "rtl/congestion/pcs_transport.sv"},
};

std::vector<Plant> plants_of(std::string_view block) {
  std::vector<Plant> found;
  for (const Plant& plant : planted_congestion::kPlants) {
    const auto owned = [&](const OwnedFile& f) { return f.block == block && f.file == plant.file; };
    if (std::any_of(std::begin(kFiles), std::end(kFiles), owned)) found.push_back(plant);
  }
  return found;
}

constexpr auto kSampleUnit = [](auto& bins, const auto& in, const auto& out, const auto& golden) {
  bins.sample(in, out, golden.unit());
};

/// What the group carries; "all": uniform traffic after the corner cases.
GroupDemand demand(const CampaignRequest& r) {
  return {r.dragonfly, r.traffic == "all" ? "ur" : r.traffic, r.load, r.seed};
}

/// "corner": directed sequences, then corner cases; a pattern: the load of a group; "all": the one after the other.
/// Each part starts with a reset.
template <class Block, class Corner, class Load>
std::unique_ptr<StimulusOf<Block>> make_stimulus(const CampaignRequest& r,
                                                 const std::vector<typename Block::Inputs>& directed, Corner corner,
                                                 Load load) {
  using In = typename Block::Inputs;
  using Out = typename Block::Outputs;
  if (r.traffic != "corner" && r.traffic != "all") return std::make_unique<ResetFirst<In, Out>>(load());
  std::vector<std::unique_ptr<StimulusOf<Block>>> parts;
  parts.push_back(std::make_unique<Recorded<In, Out>>(directed));
  parts.push_back(std::make_unique<ResetFirst<In, Out>>(corner()));
  if (r.traffic == "all") {
    parts.back() = std::make_unique<First<In, Out>>(std::move(parts.back()), 1'000'000);
    parts.push_back(std::make_unique<ResetFirst<In, Out>>(load()));
  }
  return std::make_unique<Sequence<In, Out>>(std::move(parts));
}

/// What the benches of all units have in common; `corner` and `load` make stimuli.
template <class Block, class Corner, class Load>
UnitBench<Block> congestion_bench(const CampaignRequest& r, std::vector<typename Block::Inputs> directed, Corner corner,
                                  Load load) {
  check_parameters(r, Block::kName, {});
  check_pattern(r);
  UnitBench<Block> bench;
  bench.meta = dragonfly_meta(r.dragonfly);
  bench.stimulus = [=] { return make_stimulus<Block>(r, directed, corner, load); };
  return bench;
}

}  // namespace

UnitBench<CreditMonitorBlock> credit_monitor_bench(const CampaignRequest& r) {
  auto bench = congestion_bench<CreditMonitorBlock>(
      r, directed_monitor(), [=] { return std::make_unique<MonitorCorner>(r.seed); },
      [=] { return std::make_unique<MonitorLoad>(r.dragonfly, demand(r), r.seed); });
  bench.golden = [] { return std::make_unique<GoldenMonitor>(); };
  bench.systemc = [] { return make_monitor_systemc(); };
  bench.rtl = [](RtlVariant variant, int plant) { return make_rtl<CreditMonitorBlock>({}, variant, plant); };
  bench.cover_with(std::make_shared<MonitorCoverage>(),
                   [](auto& bins, const auto& in, const auto& out, const auto&) { bins.sample(in, out); });
  return bench;
}

UnitBench<BitmapSenderBlock> bitmap_sender_bench(const CampaignRequest& r) {
  const Dragonfly& d = r.dragonfly;
  auto bench = congestion_bench<BitmapSenderBlock>(
      r, directed_sender(d), [=] { return std::make_unique<SenderCorner>(d, r.seed); },
      [=] { return std::make_unique<SenderLoad>(d, demand(r), r.seed); });
  bench.parameters = rtl_parameters(d);
  bench.golden = [=] { return std::make_unique<GoldenSender>(d); };
  bench.systemc = [=] { return make_sender_systemc(d); };
  bench.rtl = [=](RtlVariant variant, int plant) { return make_rtl<BitmapSenderBlock>(d, variant, plant); };
  bench.cover_with(std::make_shared<SenderCoverage>(d), kSampleUnit);
  return bench;
}

UnitBench<BitmapCollectorBlock> bitmap_collector_bench(const CampaignRequest& r) {
  const Dragonfly& d = r.dragonfly;
  auto bench = congestion_bench<BitmapCollectorBlock>(
      r, directed_collector(d), [=] { return std::make_unique<CollectorCorner>(d, r.seed); },
      [=] { return std::make_unique<CollectorLoad>(d, demand(r), r.seed); });
  bench.parameters = rtl_parameters(d);
  bench.golden = [=] { return std::make_unique<GoldenCollector>(d); };
  bench.systemc = [=] { return make_collector_systemc(d); };
  bench.rtl = [=](RtlVariant variant, int plant) { return make_rtl<BitmapCollectorBlock>(d, variant, plant); };
  bench.cover_with(std::make_shared<CollectorCoverage>(d), kSampleUnit);
  return bench;
}

UnitBench<PcsTransportBlock> pcs_transport_bench(const CampaignRequest& r) {
  const Dragonfly& d = r.dragonfly;
  auto bench = congestion_bench<PcsTransportBlock>(
      r, {}, [=] { return std::make_unique<PcsCorner>(r.seed); },
      [=] { return std::make_unique<PcsLoad>(d, demand(r), r.seed); });
  bench.golden = [] { return std::make_unique<GoldenPcs>(); };
  bench.systemc = [] { return make_pcs_systemc(); };
  bench.rtl = [](RtlVariant variant, int plant) { return make_rtl<PcsTransportBlock>({}, variant, plant); };
  bench.cover_with(std::make_shared<PcsCoverage>(), kSampleUnit);
  return bench;
}

UnitBench<CongestionPlaneBlock> congestion_plane_bench(const CampaignRequest& r) {
  check_parameters(r, CongestionPlaneBlock::kName, {});
  check_traffic(r, CongestionPlaneBlock::kName);
  const Dragonfly& d = r.dragonfly;
  UnitBench<CongestionPlaneBlock> bench;
  bench.parameters = rtl_parameters(d);
  bench.meta = dragonfly_meta(d);
  bench.golden = [=] { return std::make_unique<GoldenPlane>(d); };
  bench.rtl = [=](RtlVariant variant, int plant) { return make_rtl<CongestionPlaneBlock>(d, variant, plant); };
  bench.stimulus = [=] {
    return std::make_unique<ResetFirst<PlaneInputs, PlaneOutputs>>(std::make_unique<PlaneCorner>(d, r.seed));
  };
  return bench;
}

std::span<const Plant> congestion_plants() { return planted_congestion::kPlants; }

std::span<const Unit> congestion_units() {
  static const std::vector<Plant> monitor = plants_of(CreditMonitorBlock::kName),
                                  sender = plants_of(BitmapSenderBlock::kName),
                                  collector = plants_of(BitmapCollectorBlock::kName),
                                  pcs = plants_of(PcsTransportBlock::kName);
  static const Unit kUnits[] = {
      make_unit<credit_monitor_bench>("credit_monitor", "congestion", monitor, kLoaded),
      make_unit<bitmap_sender_bench>("bitmap_sender", "congestion", sender, kLoaded),
      make_unit<bitmap_collector_bench>("bitmap_collector", "congestion", collector, kLoaded),
      make_unit<pcs_transport_bench>("pcs_transport", "congestion", pcs, kLoaded),
  };
  return kUnits;
}

}  // namespace odonata::cosim
