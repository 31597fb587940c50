// SPDX-License-Identifier: Apache-2.0
#include "sim/congestion/congestion_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "sim/commands.h"
#include "sim/common/options.h"
#include "sim/common/output.h"
#include "sim/common/program.h"
#include "sim/congestion/measure.h"
#include "sim/report/report.h"

namespace odonata::cli {

using namespace congestion;

namespace {

struct CongestionOptions {
  DragonflyOptions dragonfly{.size = "paper", .parameters = "", .arrangement = ""};
  uint64_t interval = 10, pcs = 30, link = 10, cycles = 200'000, seed = 1, packet = 10;
  double loss = 0, corruption = 0, load = 0.8;
  std::string json, page;
};

Json summary(const Histogram& h) {
  if (h.samples() == 0) return {{"min", nullptr}, {"mean", nullptr}, {"max", nullptr}};
  return {{"min", h.min()}, {"mean", h.mean()}, {"max", h.max()}};
}

Json stage_json(const AgeMeasurement& m, Stage s) {
  const Range range = closed_form(m.parameters, s);
  Json out = summary(m.stage(s));
  out["samples"] = m.stage(s).samples();
  out["closed_form"] = {{"min", range.min}, {"max", range.max}};
  if (m.exact_mean()) out["closed_form"]["mean"] = closed_form_mean(m.parameters, s);
  out["histogram"] = Json::object();
  const auto& counts = m.stage(s).counts();
  for (size_t x = 0; x < counts.size(); ++x) {
    if (counts[x] != 0) out["histogram"][std::to_string(x)] = counts[x];
  }
  return out;
}

/// `perfect`: no frame is lost or corrupted. Mixed traffic with faulty links has no closed form: it is held against a
/// bound.
bool judged(const AgeMeasurement& m, bool perfect) { return perfect || m.exact_mean(); }

Json measurement_json(const AgeMeasurement& m, bool perfect) {
  Json out;
  out["cycles"] = m.cycles;
  out["changes"] = m.statistics.changes;
  out["missed"] = m.statistics.missed;
  for (int i = 0; i < kNumStages; ++i)
    out["stages"][std::string(congestion::to_string(static_cast<Stage>(i)))] = stage_json(m, static_cast<Stage>(i));
  out["information_age"] = summary(m.statistics.information);
  out["agrees"] = judged(m, perfect) ? Json(m.agrees()) : Json();
  return out;
}

/// Mean, least and most cycles of every stage beside the closed form.
Json stages_section(const AgeMeasurement& m, bool perfect) {
  Json bars = Json::array();
  for (int i = 0; i < kNumStages; ++i) {
    const auto s = static_cast<Stage>(i);
    const Range range = closed_form(m.parameters, s);
    const Histogram& h = m.stage(s);
    bars.push_back({{"label", congestion::to_string(s)},
                    {"value", h.mean()},
                    {"max", m.stage(Stage::total).max()},
                    {"text", fmt::format("{:.2f} ({} to {})", h.mean(), h.min(), h.max())}});
    if (!judged(m, perfect)) continue;
    bars.back().update({{"note", fmt::format("closed form: {} to {}", range.min, range.max)},
                        {"bad", h.min() < range.min || h.max() > range.max}});
  }
  return {{"type", "bars"},
          {"title", fmt::format("Age by stage, {}", to_string(m.traffic))},
          {"text", "Cycles from a change to where it is read: mean, least and most."},
          {"bars", bars}};
}

/// The way of the first change to each other router: a bar of stages for each.
Json way_section(const AgeMeasurement& m) {
  constexpr int kParts = kNumStages - 1;  // all but the sum
  Json parts = Json::array(), bars = Json::array();
  for (int i = 0; i < kParts; ++i) parts.push_back(congestion::to_string(static_cast<Stage>(i)));
  std::vector<AgeSample> first = m.first;
  std::sort(first.begin(), first.end(),
            [](const AgeSample& x, const AgeSample& y) { return x.destination < y.destination; });
  for (const AgeSample& s : first) {
    std::array<int64_t, kParts> cycles{};
    const auto set = [&cycles](Stage stage, int64_t value) { cycles[static_cast<size_t>(stage)] = value; };
    set(Stage::wait, s.sent - s.changed);
    set(Stage::pcs, m.parameters.pcs);
    set(Stage::link, s.arrived - s.sent - m.parameters.pcs);
    set(Stage::multiplex, s.loaded - s.arrived);
    set(Stage::ring, m.parameters.ring_stops);
    bars.push_back({{"label", fmt::format("to router {}", s.destination)}, {"values", cycles}});
  }
  return {{"type", "stacked"},
          {"title", fmt::format("One bit's way, {}", to_string(m.traffic))},
          {"text",
           "Global port 0 of router 0 changes: cycles until each other router reads it at the last stop of its ring, "
           "stage by stage."},
          {"parts", parts},
          {"bars", bars}};
}

Json ages_section(const std::vector<AgeMeasurement>& ages) {
  Json series = Json::array();
  for (const AgeMeasurement& m : ages) {
    const Histogram& h = m.stage(Stage::total);
    Json points = Json::array();
    for (size_t age = 0; age < h.counts().size(); ++age) {
      if (h.counts()[age] != 0)
        points.push_back({age, 100.0 * static_cast<double>(h.counts()[age]) / static_cast<double>(h.samples())});
    }
    series.push_back({{"name", to_string(m.traffic)}, {"points", points}});
  }
  return {{"type", "lines"},
          {"title", "Age of the information"},
          {"text", "How often a bit was so old when another router read it."},
          {"x_label", "age, cycles"},
          {"y_label", "share, %"},
          {"series", series}};
}

Json sections(const std::vector<AgeMeasurement>& ages, bool perfect) {
  Json list = Json::array({ages_section(ages)});
  for (const AgeMeasurement& m : ages) {
    list.push_back(stages_section(m, perfect));
    if (!m.first.empty()) list.push_back(way_section(m));
  }
  return list;
}

Json overhead_json(const GroupCounters& n, const Dragonfly& d) {
  const uint64_t frames = n.frames_in_tails + n.idle_frames;
  const auto share = [](double part, double whole) { return whole == 0 ? 0 : part / whole; };
  return {{"bitmap_bits", d.h()},
          {"crc_bits", kCrcBits},
          {"slice_bits", kSliceBits},
          {"frames_in_tails", n.frames_in_tails},
          {"idle_frames", n.idle_frames},
          {"stolen_slots", n.stolen_slots},
          {"flit_slots", n.flit_slots},
          {"bits_sent", frames * static_cast<uint64_t>(d.h() + kCrcBits)},
          {"stolen_fraction", share(static_cast<double>(n.stolen_slots), static_cast<double>(n.flit_slots))}};
}

/// Drawn traffic that stays within the closed form, but not up to both ends.
bool misses_ends(const AgeMeasurement& m) { return m.within() && !m.agrees(); }
constexpr const char* kMissesEnds =
    "Mixed traffic has not met both ends of the closed form, and is nowhere outside: more --cycles, or a "
    "shorter --interval (at long ones the ends are rare).";

/// `bound`: of the mixed traffic with faulty links, which has no closed form; else -1.
void print(const Dragonfly& d, const std::vector<AgeMeasurement>& ages, const GroupCounters& overhead, double fraction,
           int bound) {
  fmt::print("Age of congestion information, {} (cycles)\n\n", d.name());
  Table table({"traffic", "stage", "min", "mean", "max", "closed form", "mean", "agrees"});
  for (const AgeMeasurement& m : ages) {
    for (int i = 0; i < kNumStages; ++i) {
      const auto s = static_cast<Stage>(i);
      const Range range = closed_form(m.parameters, s);
      const bool total = s == Stage::total, bounded = !judged(m, bound < 0);
      const bool agrees = bounded ? m.stage(s).samples() != 0 && m.stage(s).max() <= bound : m.agrees();
      const bool any = m.stage(s).samples() != 0;
      table.add({i == 0 ? std::string(to_string(m.traffic)) : "", std::string(congestion::to_string(s)),
                 any ? std::to_string(m.stage(s).min()) : "", any ? fmt::format("{:.3f}", m.stage(s).mean()) : "",
                 any ? std::to_string(m.stage(s).max()) : "",
                 !bounded ? fmt::format("{}..{}", range.min, range.max)
                 : total  ? fmt::format("at most {}", bound)
                          : "",
                 m.exact_mean() ? fmt::format("{:.3f}", closed_form_mean(m.parameters, s)) : "",
                 total ? (agrees ? "yes" : "no") : ""});
    }
  }
  fmt::print("{}\n", table.text());
  if (bound < 0 && misses_ends(ages.back())) fmt::print("{}\n\n", kMissesEnds);
  const GroupCounters& n = ages.back().counters;
  const Histogram& information = ages.back().statistics.information;
  if (information.samples() == 0) {
    fmt::print("Mixed traffic: nothing was measured.\n");
  } else {
    fmt::print(
        "What a route-compute input shows, over all cycles: {} to {} cycles old, {:.3f} on average (mixed "
        "traffic).\n",
        information.min(), information.max(), information.mean());
  }
  fmt::print("Overhead: {:.2f} % of a tail slice; {} frames in tails, {} idle frames, {} stolen slots of {} flits.\n",
             100 * fraction, overhead.frames_in_tails, overhead.idle_frames, overhead.stolen_slots,
             overhead.flit_slots);
  if (n.lost_frames + n.bad_frames != 0) {
    fmt::print("Faulty links (mixed traffic): {} frames lost, {} bad, at most {} in a row.\n", n.lost_frames,
               n.bad_frames, n.longest_gap);
  }
}

void run_congestion(const CongestionOptions& o) {
  const JsonFile file(o.json);
  const OutputFile page(o.page);
  const Dragonfly d = o.dragonfly.make();
  PlaneConfig config;
  config.interval = static_cast<int>(o.interval);
  config.pcs = static_cast<int>(o.pcs);
  config.link = static_cast<int>(o.link);
  config.faults = {o.loss, o.corruption};
  config.seed = o.seed;
  config.check();
  std::vector<AgeMeasurement> ages;
  for (LinkTraffic t : {LinkTraffic::idle, LinkTraffic::tails, LinkTraffic::mixed})
    ages.push_back(measure_age(d, config, t, static_cast<int64_t>(o.cycles), o.seed));
  LoadConfig load;
  load.load = o.load;
  load.packet_flits = static_cast<int>(o.packet);
  load.seed = o.seed;
  const GroupCounters overhead = measure_overhead(d, config, load, static_cast<int64_t>(o.cycles));

  const bool perfect = o.loss == 0 && o.corruption == 0;
  bool agrees =
      true;  // lost frames lengthen the mixed case: it is then held against the bound of docs/congestion.md §7
  for (const AgeMeasurement& m : ages) agrees &= !judged(m, perfect) || m.agrees();
  const AgeMeasurement& mixed = ages.back();
  const int bound = staleness_bound(mixed.parameters, static_cast<int>(mixed.counters.longest_gap));
  agrees &= mixed.stage(Stage::total).samples() != 0 && mixed.stage(Stage::total).max() <= bound;

  const double fraction = static_cast<double>(d.h()) / kSliceBits;
  Json out = result_head("congestion", d);
  out["interval"] = o.interval;
  out["pcs"] = o.pcs;
  out["link"] = o.link;
  out["loss"] = o.loss;
  out["corruption"] = o.corruption;
  out["seed"] = o.seed;
  out["age_cycles"] = summary(mixed.stage(Stage::total));
  const Range range = closed_form(mixed.parameters, Stage::total);
  out["closed_form"] = {{"min", range.min}, {"max", range.max}, {"staleness_bound", bound}};
  out["overhead_fraction"] = fraction;
  out["overhead"] = overhead_json(overhead, d);
  out["faults"] = {{"lost_frames", mixed.counters.lost_frames},
                   {"bad_frames", mixed.counters.bad_frames},
                   {"undetected_frames", mixed.counters.undetected_frames},
                   {"longest_gap", mixed.counters.longest_gap}};
  for (const AgeMeasurement& m : ages) out["traffic"][std::string(to_string(m.traffic))] = measurement_json(m, perfect);
  out["verdict"] = agrees ? "pass" : "fail";
  const Histogram& age = mixed.stage(Stage::total);
  out["headline"] = age.samples() == 0 ? d.name() + ": nothing was measured"
                                       : fmt::format("{}: age {} to {} cycles, mean {:.2f}", d.name(), age.min(),
                                                     age.max(), age.mean());
  if (perfect && misses_ends(mixed)) out["headline"] = out["headline"].get<std::string>() + ". " + kMissesEnds;
  out["report"] = sections(ages, perfect);
  file.write(out);
  if (page.wanted()) page.write(report_page("odonata congestion", {out}));
  print(d, ages, overhead, fraction, perfect ? -1 : bound);
  if (!agrees) finish_with(kFailed);
}

constexpr const char* kExamples =
    "  odonata congestion --size paper\n"
    "  odonata congestion --size paper --interval 20 --pcs 40 --link 10 --json out/congestion.json --page "
    "out/congestion.html\n"
    "  odonata congestion --size tiny --loss 0.05\n"
    "Exit code 0: measurement and closed form agree exactly (with faulty links: ages keep their bound); 1: they do "
    "not, or nothing was measured; 2: "
    "bad input.\n";

}  // namespace

void add_congestion_command(CLI::App& app) {
  Command command =
      add_command(app, "congestion",
                  "Measure the age of congestion information, stage by stage, beside its closed form", kExamples);
  auto options = std::make_shared<CongestionOptions>();
  add_dragonfly_options(command, options->dragonfly);
  add_number(command, "--interval", options->interval, "broadcast interval in cycles", 1, 255);
  add_number(command, "--pcs", options->pcs, "latency of the physical coding sublayer in cycles", 1, 255);
  add_number(command, "--link", options->link, "latency of a local link in cycles", 0, 255);
  add_fraction(command, "--loss", options->loss, "probability that a frame is lost");
  add_fraction(command, "--corruption", options->corruption, "probability that 1 to 3 bits of a frame are flipped");
  add_fraction(command, "--load", options->load, "load for the overhead, flits a cycle and port");
  add_number(command, "--packet", options->packet, "flits of a packet for the overhead", 1, 10);
  add_number(command, "--cycles", options->cycles, "cycles of the random measurements", 1, 100'000'000);
  add_seed(command, options->seed);
  add_json(command, options->json);
  command.add_option("--page", options->page, "write a self-contained page: ages by stage, the way of one bit")
      .type_name("FILE");
  command.callback([options] { run_congestion(*options); });
}

}  // namespace odonata::cli
