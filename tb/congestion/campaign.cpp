// SPDX-License-Identifier: Apache-2.0
#include "tb/congestion/campaign.h"

#include "congestion_plants.h"
#include "hw/congestion/block_device.h"
#include "tb/congestion/coverage.h"
#include "tb/congestion/rtl_device.h"
#include "tb/congestion/stimulus.h"

namespace odonata::cosim {

using namespace congestion;

std::span<const Plant> congestion_plants() { return planted_congestion::kPlants; }

namespace {

/// The one SystemC module of the process behind a device that may be made again and again: every run starts with a reset.
template <class Block>
class Shared final : public DeviceOf<Block> {
 public:
  explicit Shared(std::shared_ptr<DeviceOf<Block>> device) : device_(std::move(device)) {}
  void step(const typename Block::Inputs& in, typename Block::Outputs& out) override { device_->step(in, out); }

 private:
  std::shared_ptr<DeviceOf<Block>> device_;
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

/// The golden unit as the reference, with the SystemC module's pins in its place when that was asked for.
template <class Block>
class CampaignReference final : public DeviceOf<Block> {
 public:
  using Golden = typename Block::Reference;
  CampaignReference(std::unique_ptr<Golden> golden, std::shared_ptr<DeviceOf<Block>> systemc)
      : golden_(std::move(golden)), systemc_(std::move(systemc)) {}
  void step(const typename Block::Inputs& in, typename Block::Outputs& out) override {
    golden_->step(in, out);
    if (systemc_) systemc_->step(in, out);
  }
  std::vector<std::string> describe() const override { return golden_->describe(); }
  const Golden& golden() const { return *golden_; }

 private:
  std::unique_ptr<Golden> golden_;
  std::shared_ptr<DeviceOf<Block>> systemc_;
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
  std::function<std::shared_ptr<DeviceOf<Block>>()> systemc;
  std::function<std::unique_ptr<DeviceOf<Block>>(bool debug, int plant)> rtl;
  std::function<std::unique_ptr<StimulusOf<Block>>()> corner, load;
};

void check(const CampaignRequest& r, int plant) {
  if (plant != 0 && r.device != "rtl") throw Error("--plant: bugs are planted in the RTL, expected --device rtl");
  if (r.device == "netlist") throw Error("--device netlist: there is none of this block, expected rtl or systemc");
  if (r.reference == "systemc" && r.device == "systemc") throw Error("--reference systemc: expected --device rtl");
  if (!r.trace.empty() && r.device != "rtl") throw Error("--trace: waveforms come from the RTL, expected --device rtl");
  if (r.traffic != "corner" && r.traffic != "ur") throw Error("--traffic " + r.traffic + ": this block knows ur (a loaded group) and corner");
}

template <class Block, class Cover>
CampaignResult run(const CampaignRequest& request, const Makers<Block>& makers, Cover& coverage) {
  const int plant = plant_number(planted_congestion::kPlants, request.plant);
  check(request, plant);
  using Type = Campaign<Block>;
  std::shared_ptr<DeviceOf<Block>> systemc;
  if (request.reference == "systemc" || request.device == "systemc") systemc = makers.systemc();
  CampaignParts<Type> parts;
  parts.bench.stimulus = [&]() -> std::unique_ptr<StimulusOf<Block>> {
    if (!request.trace_in.empty()) {
      return std::make_unique<Recorded<typename Block::Inputs, typename Block::Outputs>>(
          read_trace<Block>(request.trace_in, read_file(request.trace_in)));
    }
    return std::make_unique<ResetFirst<Block>>(request.traffic == "corner" ? makers.corner() : makers.load());
  };
  parts.bench.reference = [&] {
    return std::make_unique<CampaignReference<Block>>(makers.golden(), request.reference == "systemc" ? systemc : nullptr);
  };
  parts.bench.device = [&]() -> std::unique_ptr<DeviceOf<Block>> {
    if (request.device == "systemc") return std::make_unique<Shared<Block>>(systemc);
    return makers.rtl(plant != 0, plant);
  };
  if (request.device == "rtl") parts.tracing_device = [&] { return makers.rtl(true, plant); };
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
  makers.rtl = [](bool debug, int plant) { return make_monitor_rtl(debug, plant); };
  makers.corner = [&] { return std::make_unique<MonitorCorner>(request.seed); };
  makers.load = [&] { return std::make_unique<MonitorLoad>(d, request.load, request.seed); };
  MonitorCoverage coverage;
  return run(request, makers, coverage);
}

CampaignResult run_bitmap_sender_campaign(const CampaignRequest& request) {
  const Dragonfly& d = request.dragonfly;
  Makers<BitmapSenderBlock> makers;
  makers.golden = [&] { return std::make_unique<GoldenSender>(d); };
  makers.systemc = [&] { return make_sender_systemc(d); };
  makers.rtl = [&](bool debug, int plant) { return make_sender_rtl(d, debug, plant); };
  makers.corner = [&] { return std::make_unique<SenderCorner>(d, request.seed); };
  makers.load = [&] { return std::make_unique<SenderLoad>(d, request.load, request.seed); };
  SenderCoverage coverage(d);
  return run(request, makers, coverage);
}

CampaignResult run_bitmap_collector_campaign(const CampaignRequest& request) {
  const Dragonfly& d = request.dragonfly;
  Makers<BitmapCollectorBlock> makers;
  makers.golden = [&] { return std::make_unique<GoldenCollector>(d); };
  makers.systemc = [&] { return make_collector_systemc(d); };
  makers.rtl = [&](bool debug, int plant) { return make_collector_rtl(d, debug, plant); };
  makers.corner = [&] { return std::make_unique<CollectorCorner>(d, request.seed); };
  makers.load = [&] { return std::make_unique<CollectorLoad>(d, request.load, request.seed); };
  CollectorCoverage coverage(d);
  return run(request, makers, coverage);
}

}  // namespace odonata::cosim
