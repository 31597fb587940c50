// SPDX-License-Identifier: Apache-2.0
#include "tb/congestion/campaign.h"

#include "congestion_plants.h"
#include "hw/congestion/block_device.h"
#include "models/traffic/pattern.h"
#include "tb/congestion/coverage.h"
#include "tb/congestion/directed.h"
#include "tb/congestion/stimulus.h"

namespace odonata::cosim {

using namespace congestion;

namespace {

/// Where the planted bugs of each block are.
struct OwnedFile {
  std::string_view block, file;
};
constexpr OwnedFile kFiles[] = {
    {CreditMonitorBlock::kName, "rtl/congestion/credit_monitor.sv"},     {CreditMonitorBlock::kName, "rtl/congestion/credit_history.sv"},
    {BitmapSenderBlock::kName, "rtl/congestion/bitmap_sender.sv"},       {BitmapSenderBlock::kName, "rtl/congestion/congestion_interval.sv"},
    {BitmapSenderBlock::kName, "rtl/congestion/congestion_pkg.sv"},      {BitmapCollectorBlock::kName, "rtl/congestion/bitmap_collector.sv"},
    {BitmapCollectorBlock::kName, "rtl/congestion/bitmap_ring_stop.sv"}, {PcsTransportBlock::kName, "rtl/congestion/pcs_transport.sv"},
};

std::vector<Plant> plants_of(std::string_view block) {
  std::vector<Plant> found;
  for (const Plant& plant : planted_congestion::kPlants) {
    const auto owned = [&](const OwnedFile& f) { return f.block == block && f.file == plant.file; };
    if (std::any_of(std::begin(kFiles), std::end(kFiles), owned)) found.push_back(plant);
  }
  return found;
}

/// The first cycles of an endless stimulus.
template <class Block>
class First final : public StimulusOf<Block> {
 public:
  First(std::unique_ptr<StimulusOf<Block>> inner, uint64_t cycles) : inner_(std::move(inner)), left_(cycles) {}
  bool next(const typename Block::Outputs& last, typename Block::Inputs& in) override { return left_ != 0 && (--left_, inner_->next(last, in)); }

 private:
  std::unique_ptr<StimulusOf<Block>> inner_;
  uint64_t left_;
};

/// Starts every stimulus with a reset cycle.
template <class Block>
class ResetFirst final : public StimulusOf<Block> {
 public:
  explicit ResetFirst(std::unique_ptr<StimulusOf<Block>> inner) : inner_(std::move(inner)) {}
  bool next(const typename Block::Outputs& last, typename Block::Inputs& in) override {
    if (started_) return inner_->next(last, in);
    in = {};
    in.reset = true;
    return started_ = true;
  }

 private:
  std::unique_ptr<StimulusOf<Block>> inner_;
  bool started_ = false;
};

/// The golden unit as the reference, with the SystemC module's pins in its place when that was asked for (null otherwise).
template <class Block>
class CampaignReference final : public DeviceOf<Block> {
 public:
  using Golden = typename Block::Reference;
  CampaignReference(std::unique_ptr<Golden> golden, std::unique_ptr<DeviceOf<Block>> systemc)
      : golden_(std::move(golden)), systemc_(std::move(systemc)) {}
  void step(const typename Block::Inputs& in, typename Block::Outputs& out) override {
    golden_->step(in, out);
    if (systemc_) systemc_->step(in, out);
  }
  std::vector<std::string> describe() const override { return golden_->describe(); }
  const Golden& golden() const { return *golden_; }

 private:
  std::unique_ptr<Golden> golden_;
  std::unique_ptr<DeviceOf<Block>> systemc_;
};

template <class Block>
struct Campaign : Block {
  using Reference = CampaignReference<Block>;
  static std::vector<typename Block::Inputs> preload(const Reference& r) { return Block::preload(r.golden()); }
};

/// What differs between the blocks.
template <class Block>
struct Makers {
  std::function<std::unique_ptr<typename Block::Reference>()> golden;
  std::function<std::unique_ptr<DeviceOf<Block>>()> systemc;
  std::function<std::unique_ptr<DeviceOf<Block>>(RtlVariant variant, int plant)> rtl;
  std::function<std::unique_ptr<StimulusOf<Block>>()> corner, load;
  std::vector<typename Block::Inputs> directed;  ///< before the corner cases
};

void check(const CampaignRequest& r, int plant) {
  if (!r.parameters.empty()) throw Error("parameter " + r.parameters.begin()->first + ": the congestion blocks have none");
  if (plant != 0 && r.device != "rtl") throw Error("--plant: bugs are planted in the RTL, expected --device rtl");
  if (r.reference == "systemc" && r.device == "systemc") throw Error("--reference systemc: expected --device rtl or netlist");
  if (!r.trace.empty() && r.device == "netlist")
    throw Error("--trace: waveforms come from RTL (FST) or SystemC (VCD), expected --device rtl or systemc");
  if (r.traffic != "corner" && r.traffic != "all") traffic::Pattern::parse(r.dragonfly, r.traffic, r.seed);
}

/// What the group carries; "all": uniform traffic after the corner cases.
GroupDemand demand(const CampaignRequest& r) { return {r.dragonfly, r.traffic == "all" ? "ur" : r.traffic, r.load, r.seed}; }

template <class Block>
std::unique_ptr<StimulusOf<Block>> make_stimulus(const CampaignRequest& r, const Makers<Block>& makers) {
  using Inputs = typename Block::Inputs;
  using Outputs = typename Block::Outputs;
  if (!r.trace_in.empty()) return std::make_unique<Recorded<Inputs, Outputs>>(read_trace<Block>(r.trace_in, read_file(r.trace_in)));
  if (r.traffic != "corner" && r.traffic != "all") return std::make_unique<ResetFirst<Block>>(makers.load());
  std::vector<std::unique_ptr<StimulusOf<Block>>> parts;
  parts.push_back(std::make_unique<Recorded<Inputs, Outputs>>(makers.directed));
  parts.push_back(std::make_unique<ResetFirst<Block>>(makers.corner()));
  if (r.traffic == "all") {
    parts.back() = std::make_unique<First<Block>>(std::move(parts.back()), 1'000'000);
    parts.push_back(std::make_unique<ResetFirst<Block>>(makers.load()));
  }
  return std::make_unique<Sequence<Inputs, Outputs>>(std::move(parts));
}

template <class Block, class Cover>
CampaignResult run(const CampaignRequest& request, const Makers<Block>& makers, Cover& coverage) {
  const int plant = plant_number(congestion_plants(Block::kName), request.plant);
  check(request, plant);
  using Type = Campaign<Block>;
  CampaignParts<Type> parts;
  parts.bench.stimulus = [&] { return make_stimulus(request, makers); };
  parts.bench.reference = [&] {
    return std::make_unique<CampaignReference<Block>>(makers.golden(), request.reference == "systemc" ? makers.systemc() : nullptr);
  };
  parts.bench.device = [&] {
    if (request.device == "systemc") return makers.systemc();
    return makers.rtl(request.device == "netlist" ? RtlVariant::netlist : plant != 0 ? RtlVariant::debug : RtlVariant::fast, plant);
  };
  if (request.device == "systemc") parts.tracing_device = makers.systemc;
  if (request.device == "rtl") parts.tracing_device = [&] { return makers.rtl(RtlVariant::debug, plant); };
  parts.cover = [&](const auto& in, const auto& out, const CampaignReference<Block>& r) {
    if constexpr (std::is_same_v<Block, CreditMonitorBlock>)
      coverage.sample(in, out);
    else
      coverage.sample(in, out, r.golden().unit());
  };
  const DragonflySize& s = request.dragonfly.size();
  parts.meta = {{"dragonfly", std::to_string(s.p) + "," + std::to_string(s.a) + "," + std::to_string(s.h) + "," + std::to_string(s.g)},
                {"arrangement", std::string(to_string(request.dragonfly.arrangement()))}};
  CampaignResult result = run_campaign<Type>(request, parts);
  result.coverage = coverage.coverage().to_json();
  result.coverage_text = coverage.coverage().to_text();
  return result;
}

}  // namespace

CampaignResult run_credit_monitor_campaign(const CampaignRequest& request) {
  const Dragonfly& d = request.dragonfly;
  Makers<CreditMonitorBlock> makers;
  makers.golden = [] { return std::make_unique<GoldenMonitor>(); };
  makers.systemc = [] { return make_monitor_systemc(); };
  makers.rtl = [](RtlVariant variant, int plant) { return make_rtl<CreditMonitorBlock>({}, variant, plant); };
  makers.corner = [&] { return std::make_unique<MonitorCorner>(request.seed); };
  makers.directed = directed_monitor();
  makers.load = [&] { return std::make_unique<MonitorLoad>(d, demand(request), request.seed); };
  MonitorCoverage coverage;
  return run(request, makers, coverage);
}

CampaignResult run_bitmap_sender_campaign(const CampaignRequest& request) {
  const Dragonfly& d = request.dragonfly;
  Makers<BitmapSenderBlock> makers;
  makers.golden = [&] { return std::make_unique<GoldenSender>(d); };
  makers.systemc = [&] { return make_sender_systemc(d); };
  makers.rtl = [&](RtlVariant variant, int plant) { return make_rtl<BitmapSenderBlock>(d, variant, plant); };
  makers.corner = [&] { return std::make_unique<SenderCorner>(d, request.seed); };
  makers.directed = directed_sender(d);
  makers.load = [&] { return std::make_unique<SenderLoad>(d, demand(request), request.seed); };
  SenderCoverage coverage(d);
  return run(request, makers, coverage);
}

CampaignResult run_bitmap_collector_campaign(const CampaignRequest& request) {
  const Dragonfly& d = request.dragonfly;
  Makers<BitmapCollectorBlock> makers;
  makers.golden = [&] { return std::make_unique<GoldenCollector>(d); };
  makers.systemc = [&] { return make_collector_systemc(d); };
  makers.rtl = [&](RtlVariant variant, int plant) { return make_rtl<BitmapCollectorBlock>(d, variant, plant); };
  makers.corner = [&] { return std::make_unique<CollectorCorner>(d, request.seed); };
  makers.directed = directed_collector(d);
  makers.load = [&] { return std::make_unique<CollectorLoad>(d, demand(request), request.seed); };
  CollectorCoverage coverage(d);
  return run(request, makers, coverage);
}

CampaignResult run_pcs_transport_campaign(const CampaignRequest& request) {
  const Dragonfly& d = request.dragonfly;
  Makers<PcsTransportBlock> makers;
  makers.golden = [] { return std::make_unique<GoldenPcs>(); };
  makers.systemc = [] { return make_pcs_systemc(); };
  makers.rtl = [](RtlVariant variant, int plant) { return make_rtl<PcsTransportBlock>({}, variant, plant); };
  makers.corner = [&] { return std::make_unique<PcsCorner>(request.seed); };
  makers.load = [&] { return std::make_unique<PcsLoad>(d, demand(request), request.seed); };
  PcsCoverage coverage;
  return run(request, makers, coverage);
}

std::span<const Plant> congestion_plants() { return planted_congestion::kPlants; }

std::span<const Plant> congestion_plants(std::string_view block) {
  static const std::vector<Plant> monitor = plants_of(CreditMonitorBlock::kName), sender = plants_of(BitmapSenderBlock::kName),
                                  collector = plants_of(BitmapCollectorBlock::kName), pcs = plants_of(PcsTransportBlock::kName);
  if (block == CreditMonitorBlock::kName) return monitor;
  if (block == BitmapSenderBlock::kName) return sender;
  return block == BitmapCollectorBlock::kName ? collector : pcs;
}

}  // namespace odonata::cosim
