// SPDX-License-Identifier: Apache-2.0
// The bench of a unit: its family supplies golden unit, SystemC module, RTL, stimuli and coverage for what a request
// asks; campaigns, replays, waveforms and benchmarks follow from that. The units of a family stand in a list (Unit),
// those of the project in tb/units.h.
#pragma once

#include "tb/harness/campaign.h"
#include "tb/harness/coverage.h"
#include "tb/harness/own_device.h"
#include "tb/harness/plant.h"
#include "tb/harness/rtl_variant.h"
#include "tb/harness/word_bench.h"

namespace odonata::cosim {

/// What a family supplies of a unit. The functions may be called again and again.
template <class Block>
struct UnitBench {
  using Inputs = typename Block::Inputs;
  using Outputs = typename Block::Outputs;
  using Golden = typename Block::Reference;

  std::function<std::unique_ptr<Golden>()> golden;
  std::function<std::unique_ptr<DeviceOf<Block>>()> systemc;  ///< null: there is no SystemC module
  std::function<std::unique_ptr<DeviceOf<Block>>(RtlVariant variant, int plant)>
      rtl;                                                       ///< throws Error when this was not built
  std::function<std::unique_ptr<StimulusOf<Block>>()> stimulus;  ///< random, not recorded
  std::function<void(const Inputs& in, const Outputs& out, const Golden& golden)> cover;  ///< after every cycle
  std::shared_ptr<const Coverage> coverage;  ///< the bins that `cover` hits
  bool strict = true;                        ///< a hit of a bin declared unreachable fails the run
  std::map<std::string, std::string> meta;   ///< goes into recorded stimuli
  std::string size;                          ///< for the report; empty: the dragonfly of the request
  RtlParameters parameters;                  ///< of the RTL that is like the golden unit

  /// Coverage bins with coverage(), sampled by sample(bins, in, out, golden).
  template <class Bins, class Sample>
  void cover_with(std::shared_ptr<Bins> bins, Sample sample) {
    coverage = std::shared_ptr<const Coverage>(bins, &bins->coverage());
    cover = [bins, sample](const Inputs& in, const Outputs& out, const Golden& golden) {
      sample(*bins, in, out, golden);
    };
  }
};

/// For which network a recorded stimulus was made: "dragonfly" (p,a,h,g) and "arrangement".
std::map<std::string, std::string> dragonfly_meta(const Dragonfly& d);

/// Meta of a recorded stimulus, {} when the request has none. Throws Error when it cannot be read.
std::map<std::string, std::string> recorded_meta(const CampaignRequest& request);

/// A parameter as the request gives it, or else the recorded stimulus of the request. Throws Error as recorded_meta().
std::string parameter_of(const CampaignRequest& request, const std::string& parameter, const std::string& otherwise);

/// Throws Error when the request has a parameter that is not among those that the unit knows.
void check_parameters(const CampaignRequest& request, std::string_view unit,
                      const std::vector<std::string_view>& known);

/// Throws Error when somebody asked for a dragonfly of a unit that is no part of one, and says what its size is.
void check_size(const CampaignRequest& request, const UnitPins& pins);

/// Of a unit that knows no traffic patterns: "ur", which is what it gets when nobody asks for anything, and "corner".
/// Throws Error.
void check_traffic(const CampaignRequest& request, std::string_view unit);

/// Of a unit that knows traffic patterns: one of them, "corner" or "all". Throws Error.
void check_pattern(const CampaignRequest& request);

namespace detail {

/// What no unit can do. Throws Error.
void check_request(const CampaignRequest& request, std::string_view unit, bool has_systemc);

/// The golden unit as the reference, with the SystemC module beside it when that was asked for: the module's pins then
/// are what the device is compared with, and the golden unit still gives reasons, coverage and configuration. `late`:
/// as a device of other people shows it.
template <class Block>
class CampaignReference final : public DeviceOf<Block> {
 public:
  using Golden = typename Block::Reference;
  CampaignReference(std::unique_ptr<Golden> golden, std::unique_ptr<DeviceOf<Block>> systemc,
                    RequestFilter<Block> filter, std::unique_ptr<LateReference<Block>> late)
      : golden_(std::move(golden)), systemc_(std::move(systemc)), filter_(std::move(filter)), late_(std::move(late)) {}
  void step(const typename Block::Inputs& offered, typename Block::Outputs& out) override {
    const typename Block::Inputs& in = filter_(offered);
    golden_->step(in, out);
    if (systemc_) systemc_->step(in, out);
    if (!late_) return;
    in_time_ = out;
    late_->show(in, out);
  }
  std::vector<std::string> describe() const override {
    return late_ && late_->has_reasons() ? late_->describe() : golden_->describe();
  }
  const Golden& golden() const { return *golden_; }
  /// The outputs of this cycle in the golden unit's time; `out`: as the device is to show them.
  const typename Block::Outputs& in_time(const typename Block::Outputs& out) const { return late_ ? in_time_ : out; }

 private:
  typename Block::Outputs in_time_{};
  std::unique_ptr<Golden> golden_;
  std::unique_ptr<DeviceOf<Block>> systemc_;
  RequestFilter<Block> filter_;
  std::unique_ptr<LateReference<Block>> late_;
};

/// The number in --latency or --interval, what was measured for "auto". Throws Error.
int timing_number(const char* option, const std::string& text, int otherwise, int measured, int low);

/// Empty when they are equal.
std::string other_timing_words(const Timing& measured, const Timing& compared);

/// The device of other people that a request names, and what the lockstep has to know about it.
template <class Block>
struct OwnDevice {
  PinWords<Block> pins;
  std::optional<DeviceLibrary> library;  ///< empty: the request wants another device
  int delay = 0, interval = 1;           ///< its latency less that of the golden unit; see Timing

  OwnDevice(const CampaignRequest& request, const UnitBench<Block>& bench) : pins(bench.parameters) {
    check_size(request, pins);
    if (request.device_lib.empty()) {
      if (!request.latency.empty() || !request.interval.empty())
        throw Error("--latency, --interval: expected --device-lib");
      return;
    }
    library.emplace(request.device_lib, pins);
    if (request.latency.empty() && request.interval.empty()) return;
    if (pins.request < 0)
      throw Error("--latency, --interval: " + pins.unit +
                  " is no pipeline from requests to responses, expected neither");
    Timing measured{pins.latency, 1};
    if (request.latency == "auto" || request.interval == "auto") {
      LibraryDevice<Block> fresh(*library, pins);
      measured = measure_timing<Block>(request.device_lib, pins, fresh);
    }
    delay = timing_number("--latency", request.latency, pins.latency, measured.latency, 1) - pins.latency;
    interval = timing_number("--interval", request.interval, 1, measured.interval, 1);
  }
  std::unique_ptr<DeviceOf<Block>> make() const {
    return std::make_unique<LibraryDevice<Block>>(*library, pins, std::max(0, -delay), interval);
  }
  /// Behind a mismatch: the options with which the device's own timing is compared; empty when it is, or has none.
  std::string other_timing(const CampaignRequest& request) const {
    if (!library || pins.request < 0) return "";
    try {
      LibraryDevice<Block> fresh(*library, pins);
      return other_timing_words(measure_timing<Block>(request.device_lib, pins, fresh),
                                {pins.latency + delay, interval});
    } catch (const Error&) {
      return "";
    }
  }
  std::unique_ptr<CampaignReference<Block>> reference(const UnitBench<Block>& bench, bool systemc) const {
    std::unique_ptr<LateReference<Block>> late;
    if (library && (delay > 0 || !library->absent().empty())) {
      late = std::make_unique<LateReference<Block>>(pins, delay > 0 ? bench.golden() : nullptr, std::max(0, delay),
                                                    library->absent());
    }
    return std::make_unique<CampaignReference<Block>>(bench.golden(), systemc ? bench.systemc() : nullptr,
                                                      RequestFilter<Block>(pins, interval), std::move(late));
  }
};

/// The block with that reference.
template <class Block>
struct CampaignBlock : Block {
  using Reference = CampaignReference<Block>;
  static std::vector<typename Block::Inputs> preload(const Reference& r) { return Block::preload(r.golden()); }
};

}  // namespace detail

/// Runs one campaign on a bench. `plants` are those that may be planted in the unit. Throws Error for bad input.
template <class Block>
CampaignResult run_unit(const CampaignRequest& request, std::span<const Plant> plants, const UnitBench<Block>& bench) {
  using Type = detail::CampaignBlock<Block>;
  using Played = Recorded<typename Block::Inputs, typename Block::Outputs>;
  const int plant = plant_number(plants, request.plant);
  detail::check_request(request, Block::kName, bench.systemc != nullptr);
  CampaignParts<Type> parts;
  parts.meta = bench.meta;
  parts.bench.stimulus = bench.stimulus;
  if (request.one_reset) {
    parts.bench.stimulus = [&bench] {
      return std::make_unique<OneReset<typename Block::Inputs, typename Block::Outputs>>(bench.stimulus());
    };
  }
  if (!request.trace_in.empty()) {
    parts.bench.stimulus = [cycles = read_trace<Block>(request.trace_in, read_file(request.trace_in))] {
      return std::make_unique<Played>(cycles);
    };
  }
  const detail::OwnDevice<Block> own(request, bench);
  parts.bench.reference = [&] { return own.reference(bench, request.reference == "systemc"); };
  parts.bench.device = [&] {
    if (own.library) return own.make();
    if (request.device == "systemc") return bench.systemc();
    return bench.rtl(request.device == "netlist" ? RtlVariant::netlist
                     : plant != 0                ? RtlVariant::debug
                                                 : RtlVariant::fast,
                     plant);
  };
  if (own.library) {
    if (own.library->has_waveforms()) parts.tracing_device = [&] { return own.make(); };
  } else if (request.device == "systemc") {
    parts.tracing_device = bench.systemc;
  } else if (request.device == "rtl") {
    parts.tracing_device = [&] { return bench.rtl(RtlVariant::debug, plant); };
  }
  if (!request.trace.empty() && !parts.tracing_device)
    throw Error("--trace: " + request.device_lib + " writes no waveforms, expected one made by odonata wrap --waves");
  if (!request.trace.empty()) parts.tracing_device();  // not built: said before the run, not after it
  parts.cover = [&](const auto& in, const auto& out, const auto& reference) {
    bench.cover(in, reference.in_time(out), reference.golden());
  };
  CampaignResult result = run_campaign<Type>(request, parts);
  if (result.mismatches != 0) {
    if (const std::string other = own.other_timing(request); !other.empty()) result.report.push_back(other);
  }
  result.size = bench.size;
  result.coverage = bench.coverage->to_json();
  result.coverage_text = bench.coverage->to_text();
  result.contradicted = bench.strict && !bench.coverage->contradicted().empty();
  return result;
}

/// A unit as the program and the suite know it.
struct Unit {
  std::string name;    ///< as in `odonata cosim --block`
  std::string family;  ///< the folder in models/, hw/, rtl/, tb/
  std::span<const Plant> plants;
  CampaignResult (*runner)(const CampaignRequest& request,
                           std::span<const Plant> plants);  ///< null: it has no campaign (described_units())
  std::unique_ptr<WordBench> (*opener)(const CampaignRequest& request);
  /// Whether the traffic beside the corner cases looks at CampaignRequest::load; null: never.
  bool (*loaded)(const CampaignRequest& request) = nullptr;

  /// Whether the stimulus of this request changes with the load.
  bool uses_load(const CampaignRequest& r) const { return r.traffic != "corner" && loaded != nullptr && loaded(r); }
  CampaignResult run(const CampaignRequest& request) const { return runner(request, plants); }
  /// Golden model and stimulus by words. Throws Error for bad input.
  std::unique_ptr<WordBench> open(const CampaignRequest& request) const;
};

/// A bench by words.
template <class Block>
std::unique_ptr<WordBench> by_words(UnitBench<Block> bench) {
  return std::make_unique<WordBenchOf<Block, UnitBench<Block>>>(std::move(bench));
}

/// For Unit::loaded.
constexpr auto kLoaded = [](const CampaignRequest&) { return true; };

/// The unit whose bench `make_bench(request)` makes. `loaded`: see Unit.
template <auto make_bench>
Unit make_unit(std::string name, std::string family, std::span<const Plant> plants,
               bool (*loaded)(const CampaignRequest&) = nullptr) {
  return {std::move(name),
          std::move(family),
          plants,
          [](const CampaignRequest& request, std::span<const Plant> here) {
            return run_unit(request, here, make_bench(request));
          },
          [](const CampaignRequest& request) { return by_words(make_bench(request)); },
          loaded};
}

/// The unit whose bench has golden model and stimuli and no campaign.
template <auto make_bench>
Unit make_described_unit(std::string name, std::string family) {
  return {std::move(name), std::move(family), {}, nullptr, [](const CampaignRequest& request) {
            return by_words(make_bench(request));
          }};
}

/// Throws Error that lists the names.
const Unit& find_unit(std::span<const Unit> units, std::string_view name);

}  // namespace odonata::cosim
