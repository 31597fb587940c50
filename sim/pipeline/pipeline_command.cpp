// SPDX-License-Identifier: Apache-2.0
// `odonata pipeline`: the cycle-count validation of the route-compute pipeline at every level.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "models/common/error.h"
#include "sim/commands.h"
#include "sim/common/options.h"
#include "sim/common/output.h"
#include "sim/common/interrupt.h"
#include "sim/common/program.h"
#include "sim/pipeline/measure.h"
#include "sim/router/router_pipeline.h"
#include "sim/torus/torus_pipeline.h"
#include "sim/vtftr/vtftr_pipeline.h"
#include "tb/harness/device_library.h"

namespace odonata::cli {

namespace {

struct PipelineOptions {
  DragonflyOptions dragonfly;
  std::vector<std::string> levels;
  uint64_t requests = 100000, seed = 1, device_limit = 10;
  std::string json, device_lib, expect, plant, block = "route_compute", tree = "tiny", torus, routing = "safe6_ring";
};

constexpr const char* kStageWork[kStages] = {"zone, table index, unit", "tables A and B", "A1 A2 C1 N1 N2 B | S1 S2 F",
                                             "P1 M P2 | P3, virtual channel"};

Json stages_json(const StreamTimes& times) {
  Json out;
  for (int k = 0; k < kStages; ++k) out[kStageNames[k]] = times.stage[k].cycles();
  return out;
}

Json stream_json(const StreamTimes& times) {
  return {{"requests", times.requests},   {"responses", times.responses},      {"latency", times.latency.json()},
          {"stages", stages_json(times)}, {"interval", times.interval.json()}, {"throughput", times.throughput}};
}

Json contention_json(const ContentionTimes& c) {
  return {{"load", c.load},
          {"requests", c.stream.requests},
          {"responses", c.stream.responses},
          {"latency", c.stream.latency.json()},
          {"writes", c.writes},
          {"acknowledged", c.acknowledged},
          {"wait", c.wait.json()},
          {"late_writes", c.late_writes},
          {"lost_writes", c.lost_writes}};
}

Json timeline_json(const LevelTimes& level) {
  const auto cell = [](const char* letter, int number, const char* kind) -> Json {
    if (number < 0) return nullptr;
    const bool numbered = std::string_view(kind) != "ack";
    return {{"text", numbered ? fmt::format("{}{}", letter, number) : letter}, {"kind", kind}, {"number", number}};
  };
  Json lanes = Json::array();
  const auto lane = [&](const std::string& name, auto&& make) {
    Json cells = Json::array();
    for (const TimelineCycle& cycle : level.timeline) cells.push_back(make(cycle));
    lanes.push_back({{"name", name}, {"cells", cells}});
  };
  lane("request pins", [&](const TimelineCycle& c) { return cell("R", c.request, "pin"); });
  for (int k = 0; k < kStages; ++k) {
    std::string name = kStageNames[k];
    std::replace(name.begin(), name.end(), '_', ' ');
    lane(fmt::format("stage {} {}", k + 1, name),
         [&](const TimelineCycle& c) { return cell("R", c.stage[k], "stage"); });
  }
  lane("response pins", [&](const TimelineCycle& c) { return cell("R", c.response, "pin"); });
  lane("table write", [&](const TimelineCycle& c) {
    if (c.write_acknowledged >= 0) return cell("ack", c.write_acknowledged, "ack");
    if (c.write_executed >= 0) return cell("W", c.write_executed, "write");
    if (c.write_waiting >= 0) return cell("W", c.write_waiting, "wait");
    return cell("W", c.write_offered, "pin");
  });
  return lanes;
}

Json level_json(const LevelTimes& level) {
  return {{"latency_cycles", level.isolated.latency.cycles()},
          {"initiation_interval", level.back_to_back.interval.cycles()},
          {"stages", stages_json(level.isolated)},
          {"throughput", level.back_to_back.throughput},
          {"isolated", stream_json(level.isolated)},
          {"back_to_back", stream_json(level.back_to_back)},
          {"contention", contention_json(level.contention)},
          {"timeline", timeline_json(level)},
          {"cycles", level.cycles},
          {"cycles_per_s", level.seconds > 0 ? static_cast<double>(level.cycles) / level.seconds : 0},
          {"probed", level.probed},
          {"problems", level.problems},
          {"verdict", level.passed() ? "pass" : "fail"}};
}

Json specification_json(const Expectation& want) {
  Json stages;
  for (int k = 0; k < kStages; ++k) stages[kStageNames[k]] = want.stages[static_cast<size_t>(k)];
  return {{"latency_cycles", want.latency}, {"initiation_interval", want.interval}, {"stages", stages}};
}

/// The rows of the stage table: stages, total, interval, throughput, contention; a column a level.
std::vector<std::vector<std::string>> stage_rows(const std::vector<LevelTimes>& levels, const Expectation& want) {
  std::vector<std::vector<std::string>> rows;
  const auto row = [&](std::string name, std::string specification, auto&& value) {
    rows.push_back({std::move(name), std::move(specification)});
    for (const LevelTimes& level : levels) rows.back().push_back(value(level));
  };
  for (int k = 0; k < kStages; ++k) {
    row(fmt::format("stage {}: {}", k + 1, kStageWork[k]), std::to_string(want.stages[static_cast<size_t>(k)]),
        [k](const LevelTimes& l) { return l.isolated.stage[k].text(); });
  }
  row("latency, isolated requests", std::to_string(want.latency),
      [](const LevelTimes& l) { return l.isolated.latency.text(); });
  row("latency, back to back", std::to_string(want.latency),
      [](const LevelTimes& l) { return l.back_to_back.latency.text(); });
  row("latency, beside table writes", std::to_string(want.latency),
      [](const LevelTimes& l) { return l.contention.stream.latency.text(); });
  row("initiation interval", std::to_string(want.interval),
      [](const LevelTimes& l) { return l.back_to_back.interval.text(); });
  row("responses a cycle, back to back", fmt::format("{:.3f}", 1.0 / want.interval),
      [](const LevelTimes& l) { return fmt::format("{:.3f}", l.back_to_back.throughput); });
  row("table writes: cycles waited", want.writes == WriteRule::first_free ? "first free" : "any",
      [](const LevelTimes& l) { return l.contention.wait.text(); });
  row("table writes: executed late", "0", [](const LevelTimes& l) { return std::to_string(l.contention.late_writes); });
  row("table writes: lost", "0", [](const LevelTimes& l) {
    return std::to_string(l.contention.lost_writes + l.contention.writes -
                          std::min(l.contention.acknowledged, l.contention.writes));
  });
  row("verdict", "", [](const LevelTimes& l) { return l.passed() ? "pass" : "FAIL"; });
  return rows;
}

std::vector<std::string> header(const std::vector<LevelTimes>& levels) {
  std::vector<std::string> out{"cycles", "specification"};
  for (const LevelTimes& level : levels) out.push_back(level.level);
  return out;
}

Json report(const std::vector<LevelTimes>& levels, const Expectation& want) {
  Json sections = Json::array();
  sections.push_back({{"type", "table"},
                      {"title", "Cycle counts of the route-compute pipeline"},
                      {"text", "Measured at the pins and through the probe bits of each level, not assumed."},
                      {"header", header(levels)},
                      {"rows", stage_rows(levels, want)}});
  // Levels whose recordings are the same share one diagram.
  std::vector<std::pair<Json, std::string>> diagrams;
  for (const LevelTimes& level : levels) {
    const Json lanes = timeline_json(level);
    const auto same =
        std::find_if(diagrams.begin(), diagrams.end(), [&lanes](const auto& d) { return d.first == lanes; });
    if (same == diagrams.end()) {
      diagrams.emplace_back(lanes, level.level);
    } else {
      same->second += ", " + level.level;
    }
  }
  for (const auto& [lanes, names] : diagrams) {
    const bool several = names.find(',') != std::string::npos;
    sections.push_back(
        {{"type", "timing"},
         {"title", fmt::format("The pipeline at work: {}{}", names, several ? " (identical)" : "")},
         {"text",
          "Recorded cycle by cycle. R0 goes alone; R1 to R6 follow each other without a gap; the table write W0 waits "
          "(hatched) until stage 2 has a free cycle, then executes; requests never wait."},
         {"lanes", lanes}});
  }
  return sections;
}

Expectation expectation_of(const PipelineOptions& options) {
  return read_expectation(options.expect, route_compute_specification());
}

/// What is measured when nothing is said: the library, the level with the planted bug, else all.
std::vector<std::string> wanted_levels(const PipelineOptions& options, const std::vector<std::string>& built) {
  if (!options.levels.empty()) return options.levels;
  if (!options.plant.empty()) return {"rtl"};
  return options.device_lib.empty() ? built : std::vector<std::string>();
}

LevelTimes measure_one(const PipelineOptions& options, const Dragonfly& d, const std::string& level, bool own) {
  MeasureOptions settings{options.requests, options.seed, {}, expectation_of(options)};
  Progress progress(level, 3 * options.requests);
  settings.progress = [&progress](uint64_t done, uint64_t) {
    progress.at(done);
    stop_if_interrupted();
  };
  if (!own) {
    const std::unique_ptr<RouteComputeDevice> device = make_device(level, d, options.plant);
    return measure(level, *device, d, settings);
  }
  const OwnUnit unit = make_own_unit(options.device_lib, d);
  settings.probed = unit.probed;
  settings.search = true;
  return measure(level, *unit.device, d, settings);
}

std::vector<LevelTimes> measure_levels(const PipelineOptions& options, const Dragonfly& d) {
  const std::vector<std::string> built = available_levels(d);
  for (const std::string& level : options.levels) {
    if (std::find(built.begin(), built.end(), level) == built.end()) {
      throw Error(
          fmt::format("--levels: '{}' is not built for {}, expected {}", level, d.name(), fmt::join(built, ", ")));
    }
  }
  std::vector<LevelTimes> out;
  for (const std::string& level : wanted_levels(options, built)) out.push_back(measure_one(options, d, level, false));
  if (!options.device_lib.empty())
    out.push_back(measure_one(options, d, std::filesystem::path(options.device_lib).stem().string(), true));
  return out;
}

void run_pipeline(const PipelineOptions& options) {
  const Dragonfly d = options.dragonfly.make();
  const Expectation want = expectation_of(options);
  const JsonFile file(options.json);
  const InterruptGuard guard;
  std::vector<LevelTimes> levels;
  try {
    levels = measure_levels(options, d);
  } catch (const Interrupted&) {
    Json out = result_head("pipeline", d);
    mark_interrupted(out);
    file.write(out);
    throw;
  }
  const bool passed = std::all_of(levels.begin(), levels.end(), [](const LevelTimes& l) { return l.passed(); });
  Json out = result_head("pipeline", d);
  out["seed"] = options.seed;
  out["specification"] = specification_json(want);
  for (const LevelTimes& level : levels) out["levels"][level.level] = level_json(level);
  out["verdict"] = passed ? "pass" : "fail";
  out["headline"] = fmt::format("{} levels measured: {}", levels.size(),
                                passed ? "as the specification says" : "not as the specification says");
  out["report"] = report(levels, want);
  file.write(out);

  fmt::print("route compute, {}, seed {}\n\n", d.name(), options.seed);
  Table table(header(levels));
  for (const auto& row : stage_rows(levels, want)) table.add(row);
  fmt::print("{}", table.text());
  for (const LevelTimes& level : levels) {
    if (!level.probed)
      fmt::print("{}: no probe bits: measured at the pins only, stages and the waiting of writes are not judged\n",
                 level.level);
    for (const std::string& problem : level.problems) fmt::print("{}: {}\n", level.level, problem);
  }
  if (!passed) finish_with(kFailed);
}

constexpr const char* kExamples =
    "  odonata pipeline --size full\n"
    "  odonata pipeline --size tiny --levels golden,rtl --json out/pipeline.json\n"
    "  odonata pipeline --size tiny --device-lib ./my_rc.so --expect pipeline.toml     your own unit against your own "
    "specification\n"
    "  odonata pipeline --size tiny --plant ack-early                                  a planted bug: shows what a "
    "failing verdict looks like\n"
    "  odonata pipeline --config sim/scenarios/pipeline.toml\n"
    "  odonata pipeline --block router --size tiny                cycles of a packet through a router, alone and where "
    "many meet\n"
    "  odonata pipeline --block vtftr_root --tree full\n"
    "  odonata pipeline --block torus_route --torus 10x10         the route unit of a torus router: 2 cycles, a "
    "request a cycle\n"
    "  odonata pipeline --block torus_route --torus 10x10 --plant blocked-late     a planted bug\n"
    "Exit code 0: every level keeps the specification's cycle counts; 1: one does not; 2: bad input.\n";

}  // namespace

void add_pipeline_command(CLI::App& app) {
  Command command = add_command(app, "pipeline",
                                "Validate the cycle counts of the route-compute pipeline, a router, a torus route unit "
                                "or a fat-tree switch, at every level",
                                kExamples);
  auto options = std::make_shared<PipelineOptions>();
  add_dragonfly_options(command, options->dragonfly);
  add_choice(command, "--block", options->block, {"route_compute", "router", "torus_route", "vtftr_leaf", "vtftr_root"},
             "which unit");
  command
      .add_option("--tree", options->tree,
                  "vtftr: tiny, uneven, paper, full, or N,M,P,U (vtftr_root: also with mask); RTL where it was built")
      .type_name("SIZE");
  command
      .add_option("--levels", options->levels, "levels to measure: golden, systemc, rtl; default: all that are built")
      .type_name("LIST")
      .delimiter(',');
  command
      .add_option("--device-lib", options->device_lib,
                  "measure this library (odonata wrap, odonata_device.h), too; alone without --levels")
      .type_name("FILE");
  command
      .add_option("--expect", options->expect,
                  "TOML file with what the units have to keep, in the place of the specification: latency, "
                  "initiation_interval, stages, writes; of "
                  "a router its figures")
      .type_name("FILE");
  command
      .add_option("--plant", options->plant,
                  "plant a bug in the RTL; odonata cosim --block BLOCK --list-plants lists them")
      .type_name("NAME");
  add_number(command, "--device-limit", options->device_limit,
             "seconds after which a library that does not come back ends the program", 1, 3600);
  add_number(command, "--requests", options->requests, "requests a phase; --block router by default 10000", 10,
             100'000'000);
  add_seed(command, options->seed);
  add_json(command, options->json);
  command
      .add_option("--torus", options->torus,
                  "of torus_route; RTL: 4x4, 7x5, 10x10 (safe6_ring), 32x32 (safe6), 5x7 (safe4); default: 10x10")
      .type_name("KXxKY");
  command.add_option("--routing", options->routing, "of torus_route: safe6, safe6_ring, safe4 or safe4_ring");
  command.callback([options, command] {
    if (options->device_lib.empty()) command.refuse({"--device-limit"}, "belongs to --device-lib");
    if (!options->device_lib.empty()) cosim::guard_device_libraries(static_cast<int>(options->device_limit));
    for (auto level = options->levels.begin(); level != options->levels.end(); ++level)
      if (std::find(options->levels.begin(), level, *level) != level)
        throw Error(fmt::format("--levels: '{}' is given twice", *level));
    if (!options->block.starts_with("vtftr")) command.refuse({"--tree"}, "belongs to --block vtftr_leaf, vtftr_root");
    if (options->block.starts_with("vtftr") || options->block == "torus_route")
      command.refuse({"--size", "--dragonfly", "--arrangement"}, "belongs to --block route_compute, router");
    if (options->block == "torus_route") {
      return run_torus_pipeline({options->torus.empty() ? "10x10" : options->torus, options->routing, options->levels,
                                 options->requests, options->seed, options->json, options->device_lib, options->expect,
                                 options->plant});
    }
    command.refuse({"--torus", "--routing"}, "belongs to --block torus_route");
    if (options->block == "route_compute") return run_pipeline(*options);
    if (!options->plant.empty())
      throw Error("--plant: no planted bug of " + options->block + " changes its cycles (odonata cosim --plant)");
    if (options->block == "router" && !command.given("--size") && !command.given("--dragonfly"))
      options->dragonfly.size = "tiny";                                                          // built by all
    if (options->block == "router" && !command.given("--requests")) options->requests = 10'000;  // of many cycles each
    if (options->block == "router")
      return run_router_pipeline({options->dragonfly.make(), options->levels, options->requests, options->seed,
                                  options->json, options->device_lib, options->expect});
    run_vtftr_pipeline({options->block, options->tree, options->levels, options->requests, options->seed,
                        options->device_lib, options->expect},
                       options->json);
  });
}

}  // namespace odonata::cli
