// SPDX-License-Identifier: Apache-2.0
#include "sim/torus/torus_pipeline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <utility>

#include "hw/torus/block_device.h"
#include "models/common/error.h"
#include "models/common/random.h"
#include "models/torus/golden_device.h"
#include "sim/common/program.h"
#include "tb/harness/own_device.h"
#include "tb/torus/campaign.h"
#include "tb/torus/torus_route_words.h"

namespace odonata::cli {

using torus::Action;
using torus::RouteInputs;
using torus::RouteOutputs;
using torus::Variant;

namespace {

constexpr uint64_t kIdle = 8,
                   kLongIdle =
                       64;  // cycles after which nothing may be under way in a unit of this project, of somebody else

/// What the unit has to answer.
RouteOutputs expected_answer(Variant variant, const Torus& t, const RouteInputs& in) {
  const torus::Ground ground{{in.wall_x, in.wall_y},
                             {static_cast<uint8_t>(t.radix(0)), static_cast<uint8_t>(t.radix(1))}};
  const torus::Answer a = route(variant, ground, in.ask);
  RouteOutputs out;
  out.valid = 1;
  out.eject = a.action == Action::kEject;
  out.drop = a.action == Action::kDrop || a.action == Action::kUnreachable;
  out.port = a.port;
  out.vc = static_cast<uint8_t>(a.vc / 3 * 4 + a.vc % 3);
  out.header = a.header;
  return out;
}

/// Drives one device and notes at which edges things happen.
class Stream {
 public:
  Stream(TorusRouteLevel& device, const Torus& torus, Variant variant, uint64_t seed, uint64_t idle)
      : device_(device), torus_(torus), variant_(variant), random_(seed), idle_(idle) {}

  /// Requests far apart, now and then a cycle more; the pins beside valid_i change in every cycle.
  TorusStreamTimes isolated(uint64_t requests) {
    return run(requests, [this] { return idle_ + random_.below(4); });
  }
  /// Requests with so many cycles from one to the next.
  TorusStreamTimes dense(uint64_t requests, uint64_t interval) {
    return run(requests, [interval] { return interval - 1; });
  }
  /// The smallest interval at which every request is answered, and how many of those answers were wrong.
  std::pair<uint64_t, uint64_t> find_interval() {
    for (uint64_t interval = 1; interval < kLongestInterval; ++interval) {
      if (const TorusStreamTimes t = dense(kIntervalTries, interval); t.answers == kIntervalTries)
        return {interval, t.wrong};
    }
    return {kLongestInterval, 0};
  }
  void reset() {
    RouteInputs in;
    in.reset = true;
    for (int i = 0; i < 2; ++i) device_.step(in, out_);
    cycle_ += 2;
  }
  uint64_t cycles() const { return cycle_; }

 private:
  template <class Gap>
  TorusStreamTimes run(uint64_t requests, Gap gap) {
    times_ = {};
    sent_.clear();
    last_answer_ = -1;
    for (uint64_t i = 0; i < requests; ++i) {
      step(true);
      idle(gap());
    }
    idle(idle_);
    return times_;
  }
  void idle(uint64_t cycles) {
    for (; cycles > 0; --cycles) step(false);
  }
  uint8_t below(int n) { return static_cast<uint8_t>(random_.below(static_cast<uint32_t>(n))); }
  RouteInputs pins(bool valid) {
    RouteInputs in;
    in.valid = valid;
    for (int d = 0; d < 2; ++d) in.ask.at[d] = below(torus_.radix(d)), in.ask.dest[d] = below(torus_.radix(d));
    in.ask.fresh = random_.chance(0.3);
    in.ask.header = below(16);
    in.ask.blocked = random_.chance(0.5) ? uint8_t{0} : static_cast<uint8_t>(1 << below(4));
    if (random_.chance(0.1)) in.wall_x = 1ull << below(torus_.radix(0));
    if (random_.chance(0.1)) in.wall_y = 1ull << below(torus_.radix(1));
    return in;
  }
  void step(bool valid) {
    const RouteInputs in = pins(valid);
    device_.step(in, out_);
    ++cycle_;
    if (valid) {
      ++times_.requests;
      sent_.push_back({cycle_, expected_answer(variant_, torus_, in)});
    }
    if (!out_.valid) {
      times_.unruly += !(out_ == RouteOutputs{});
      return;
    }
    ++times_.answers;
    if (last_answer_ >= 0) times_.interval.add(static_cast<int64_t>(cycle_) - last_answer_);
    last_answer_ = static_cast<int64_t>(cycle_);
    if (sent_.empty()) return;
    times_.latency.add(static_cast<int64_t>(cycle_ - sent_.front().cycle) +
                       1);  // the edge that samples and the one that answers count
    times_.wrong += !(out_ == sent_.front().answer);
    sent_.pop_front();
  }

  struct Sent {
    uint64_t cycle = 0;
    RouteOutputs answer;
  };
  TorusRouteLevel& device_;
  const Torus torus_;
  const Variant variant_;
  Random random_;
  const uint64_t idle_;
  RouteOutputs out_;
  std::deque<Sent> sent_;
  TorusStreamTimes times_;
  uint64_t cycle_ = 0;
  int64_t last_answer_ = -1;
};

void judge(TorusLevelTimes& level, const char* phase, const TorusStreamTimes& t, const Expectation& want) {
  const auto problem = [&](std::string text) { level.problems.push_back(fmt::format("{}: {}", phase, text)); };
  if (t.answers != t.requests) problem(fmt::format("{} answers to {} requests", t.answers, t.requests));
  if (t.latency.count > 0 && !t.latency.always(want.latency))
    problem(fmt::format("latency {}..{} cycles, {} {}", t.latency.min, t.latency.max, want.says, want.latency));
  if (t.wrong != 0) problem(fmt::format("{} answers are not the route of their request", t.wrong));
  if (t.unruly != 0) problem(fmt::format("{} cycles without an answer and with pins that are not 0", t.unruly));
}

Json stream_json(const TorusStreamTimes& t) {
  return {{"requests", t.requests},
          {"responses", t.answers},
          {"latency", t.latency.json()},
          {"wrong", t.wrong},
          {"interval", t.interval.json()}};
}
Json level_json(const TorusLevelTimes& l) {
  return {{"latency_cycles", l.isolated.latency.cycles()},
          {"initiation_interval", l.back_to_back.interval.cycles()},
          {"isolated", stream_json(l.isolated)},
          {"back_to_back", stream_json(l.back_to_back)},
          {"cycles", l.cycles},
          {"cycles_per_s", l.seconds > 0 ? static_cast<double>(l.cycles) / l.seconds : 0},
          {"problems", l.problems},
          {"verdict", l.problems.empty() ? "pass" : "fail"}};
}

/// Of the RTL: the parameters that this torus and variant need, if they are built.
const cosim::RtlLibrary<cosim::TorusRouteBlock>* built(const Torus& t, Variant v, cosim::RtlVariant variant) {
  for (const auto& library : cosim::rtl_libraries<cosim::TorusRouteBlock>()) {
    const cosim::RtlParameters& p = library.parameters;
    const bool six = v == Variant::kSafe6 || v == Variant::kSafe6Ring,
               ring = v == Variant::kSafe6Ring || v == Variant::kSafe4Ring;
    if (library.variant == variant && p.at("KX") == t.radix(0) && p.at("KY") == t.radix(1) && p.at("Ring") == ring &&
        p.at("Detours") == (six ? 2 : 1))
      return &library;
  }
  return nullptr;
}

}  // namespace

TorusLevelTimes measure_torus_route(const std::string& level, TorusRouteLevel& device, const Torus& t, Variant variant,
                                    uint64_t requests, uint64_t seed, const Expectation& want, bool search) {
  const Stopwatch clock;
  TorusLevelTimes out;
  out.level = level;
  Stream stream(device, t, variant, seed, search ? kLongIdle : kIdle);
  stream.reset();
  const auto [interval, wrong] = search ? stream.find_interval() : std::pair<uint64_t, uint64_t>(1, 0);
  if (wrong != 0)
    out.problems.push_back(
        fmt::format("requests at interval {}: {} answers are not the route of their request", interval, wrong));
  out.isolated = stream.isolated(std::max<uint64_t>(requests / 10, 10));
  out.back_to_back = stream.dense(requests, interval);
  judge(out, "isolated requests", out.isolated, want);
  judge(out, "back-to-back requests", out.back_to_back, want);
  if (!out.back_to_back.interval.always(want.interval))
    out.problems.push_back(fmt::format("back-to-back requests: initiation interval {} cycles, {} {}",
                                       out.back_to_back.interval.text(), want.says, want.interval));
  out.cycles = stream.cycles();
  out.seconds = clock.seconds();
  return out;
}

std::unique_ptr<TorusRouteLevel> make_torus_route(const std::string& level, const Torus& t, Variant variant,
                                                  const std::string& plant) {
  if (!plant.empty() && level != "rtl")
    throw Error(fmt::format("--plant: bugs are planted in the RTL, expected --levels rtl, not {}", level));
  if (level == "golden") return std::make_unique<torus::GoldenRoute>(t, variant);
  if (level == "systemc") return std::make_unique<torus::TorusRouteDevice>(t, variant);
  if (level != "rtl") refuse_level(level);
  const int number = cosim::plant_number(cosim::find_unit(cosim::torus_units(), "torus_route").plants, plant);
  const cosim::RtlVariant build = number == 0 ? cosim::RtlVariant::fast : cosim::RtlVariant::debug;
  const auto* library = built(t, variant, build);
  return library == nullptr ? nullptr : cosim::make_rtl<cosim::TorusRouteBlock>(library->parameters, build, number);
}

namespace {

/// A unit of somebody else.
std::unique_ptr<TorusRouteLevel> make_own(const std::string& path, const Torus& t, Variant variant) {
  const cosim::PinWords<cosim::TorusRouteBlock> pins(cosim::torus_route_parameters(t, variant));
  return std::make_unique<cosim::LibraryDevice<cosim::TorusRouteBlock>>(cosim::DeviceLibrary(path, pins), pins);
}

}  // namespace

void run_torus_pipeline(const TorusPipelineOptions& o) {
  const JsonFile file(o.json);
  const Torus t = Torus::parse(o.torus);
  const Variant variant = torus::variant_from_name(o.routing);
  std::vector<TorusLevelTimes> levels;
  make_torus_route("systemc", t, variant);  // variants without hardware are refused
  const Expectation want = read_expectation(o.expect, torus_route_specification());
  std::vector<std::string> wanted = o.levels;
  if (wanted.empty() && !o.plant.empty()) wanted = {"rtl"};
  if (wanted.empty() && o.device_lib.empty()) wanted = {"golden", "systemc", "rtl"};
  for (const std::string& name : wanted) {
    const auto device = make_torus_route(name, t, variant, o.plant);
    if (device != nullptr) {
      levels.push_back(measure_torus_route(name, *device, t, variant, o.requests, o.seed, want));
    } else if (!(o.levels.empty() && o.plant.empty())) {
      throw Error(fmt::format("--levels: rtl is not built for torus {} and {}", t.name(), torus::name_of(variant)));
    }
  }
  if (!o.device_lib.empty()) {
    const auto device = make_own(o.device_lib, t, variant);
    levels.push_back(measure_torus_route(std::filesystem::path(o.device_lib).stem().string(), *device, t, variant,
                                         o.requests, o.seed, want, true));
  }
  Json out = result_head("pipeline");
  out.update({{"block", "torus_route"}, {"torus", t.name()}, {"routing", torus::name_of(variant)}, {"seed", o.seed}});
  out["specification"] = {{"latency_cycles", want.latency}, {"initiation_interval", want.interval}};
  bool passed = true;
  Table table({"cycles", "specification", "latency, isolated", "latency, back to back", "interval", "wrong answers",
               "verdict"});
  for (const TorusLevelTimes& l : levels) {
    passed = passed && l.problems.empty();
    out["levels"][l.level] = level_json(l);
    table.add({l.level, fmt::format("{}, {}", want.latency, want.interval), l.isolated.latency.text(),
               l.back_to_back.latency.text(), l.back_to_back.interval.text(),
               std::to_string(l.isolated.wrong + l.back_to_back.wrong), l.problems.empty() ? "pass" : "FAIL"});
  }
  out["verdict"] = passed ? "pass" : "fail";
  file.write(out);
  fmt::print("torus_route, torus {}, {}, seed {}\n\n{}", t.name(), torus::name_of(variant), o.seed, table.text());
  for (const TorusLevelTimes& l : levels)
    for (const std::string& problem : l.problems) fmt::print("{}: {}\n", l.level, problem);
  if (!passed) finish_with(kFailed);
}

}  // namespace odonata::cli
