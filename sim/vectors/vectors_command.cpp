// SPDX-License-Identifier: Apache-2.0
// `odonata vectors`: stimuli and expected outputs for any simulator.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "models/common/error.h"
#include "sim/commands.h"
#include "sim/common/options.h"
#include "sim/common/output.h"
#include "sim/common/program.h"
#include "sim/cosim/blocks.h"
#include "sim/vectors/vector_set.h"

namespace odonata::cli {

namespace {

struct VectorsOptions {
  DragonflyOptions dragonfly;
  std::string block = "route_compute", traffic = "corner", out, check, dims;
  std::vector<std::string> set;
  double load = 0.8;
  uint64_t cycles = 1000, seed = 1;
  bool suite = false;
};

// What iverilog plays in about a minute: it needs 0.7 s a cycle for a full data path, 0.1 s for a full congestion
// plane.
constexpr uint64_t kMostOfFullDataPath = 100, kMostOfFullPlane = 500;
constexpr uint64_t kRouterConfiguration =
    1000;  // cycles until the first packets of a tiny router; 18,000 of the paper's

void check(const VectorsOptions& options) {
  const std::string beside = std::filesystem::path(options.check).parent_path().string();
  const VectorVerdict verdict =
      check_result(options.check, options.out.empty() ? (beside.empty() ? "." : beside) : options.out);
  for (const std::string& line : verdict.words) fmt::print("{}\n", line);
  fmt::print("{}: {} cycles compared, {}\n", options.check, verdict.cycles, verdict.words.empty() ? "pass" : "FAIL");
  if (!verdict.words.empty()) finish_with(kFailed);
}

VectorRequest vector_request(const VectorsOptions& options, const std::string& block, const Dragonfly& d,
                             const std::string& given, const std::vector<std::string>& set) {
  VectorRequest request{block, request_of(d, given, set, options.dims), options.cycles};
  request.campaign.load = options.load;
  request.campaign.seed = options.seed;
  return request;
}

std::unique_ptr<cosim::WordBench> open(const VectorRequest& request) {
  return cosim::find_unit(cosim::described_units(), request.block).open(request.campaign);
}

void write(const VectorRequest& request, const cosim::WordBench& bench, const VectorLines& lines,
           const std::string& folder) {
  write_vector_set(bench, request, lines, folder);
  const bool of_dragonfly = bench.meta().count("dragonfly") != 0;
  std::string size = of_dragonfly ? request.campaign.dragonfly.name() : "";
  for (const auto& [name, value] : bench.pins().parameters) {
    if (!of_dragonfly) size += fmt::format("{}{}={}", size.empty() ? "" : " ", name, value);
  }
  fmt::print("{}: {}, {}, traffic {}, seed {}, {} cycles\n", folder, request.block, size, request.campaign.traffic,
             request.campaign.seed, lines.cycles);
}

void write_one(const VectorsOptions& options, const Command& command) {
  VectorRequest request = vector_request(options, options.block, options.dragonfly.make(),
                                         given_dragonfly(command, options.dragonfly), options.set);
  request.campaign.traffic = options.traffic;
  check_load(command, cosim::find_unit(cosim::described_units(), options.block), request.campaign);
  const auto bench = open(request);
  write(request, *bench, vector_lines(*bench, request.cycles), options.out);
}

/// A unit of the suite at one of its two sizes: parts of a block are units of their own, and what is no part of a
/// dragonfly has other sizes.
struct SuiteUnit {
  std::string folder, block;
  std::vector<std::string> set;
  std::string dragonfly;
  uint64_t first_cycles,
      most_cycles;  ///< added to those that are asked for; what free simulators play in a minute or two
};

constexpr uint64_t kAnyCycles = 10'000'000;

std::vector<SuiteUnit> suite_units(const std::string& block, bool large) {
  const std::string size = large ? "full" : "tiny";
  const auto unit = [&](const std::string& name, const std::vector<std::string>& set) {
    return SuiteUnit{size + "/" + name, block, set, size, 0, kAnyCycles};
  };
  if (block == "arb_request") {
    const std::string dims = large ? "dims=4" : "dims=2";
    return {unit(block, {dims}), unit(block + "_logic", {dims, "part=logic"}),
            unit(block + "_switch", {dims, "part=switch"})};
  }
  if (block == "torus_output") return {unit(block, {large ? "output=paper" : "output=tiny"})};
  if (block.starts_with("torus_")) return {unit(block, {large ? "torus=big" : "torus=tiny"})};
  if (block.starts_with("vtftr_")) return {unit(block, {"tree=" + size})};
  SuiteUnit plain = unit(block, {});
  if (block == "router_data" && large) plain.most_cycles = kMostOfFullDataPath;
  if (block == "congestion_plane" && large) plain.most_cycles = kMostOfFullPlane;
  if (block == "router" && !large) plain.first_cycles = kRouterConfiguration;
  if (block == "router" && large) {  // a full one is configured for more than 60,000 cycles of 9 kB
    plain.folder = "paper/" + block;
    plain.dragonfly = "paper";
  }
  return {plain};
}

/// Corner cases and, where the unit has a stimulus beside them, that.
void write_suite_unit(const VectorsOptions& options, const SuiteUnit& unit) {
  VectorRequest request = vector_request(options, unit.block, Dragonfly::named(unit.dragonfly), "", unit.set);
  request.cycles = std::min(options.cycles + unit.first_cycles, unit.most_cycles);
  const auto corner = open(request);
  const VectorLines lines = vector_lines(*corner, request.cycles);
  const std::string folder = options.out + "/" + unit.folder;
  write(request, *corner, lines, folder + "/corner");
  request.campaign.traffic = "ur";
  const auto loaded = open(request);
  const VectorLines load = vector_lines(*loaded, request.cycles);
  if (load.stimulus != lines.stimulus) write(request, *loaded, load, folder + "/ur");
}

void write_suite(const VectorsOptions& options) {
  for (const bool large : {false, true}) {
    for (const std::string& block : block_names(cosim::described_units())) {
      for (const SuiteUnit& unit : suite_units(block, large)) write_suite_unit(options, unit);
    }
  }
}

/// Options that this use of the command would not look at.
void check_options(const VectorsOptions& options, const Command& command) {
  if (options.suite && !options.check.empty()) throw Error("--suite and --check: expected one of them");
  if (options.out.empty() && options.check.empty()) throw Error("vectors: expected --out DIR, or --check RESULT");
  if (options.suite)
    command.refuse({"--block", "--size", "--dragonfly", "--arrangement", "--traffic", "--dims", "--set"},
                   "--suite has its own");
  if (!options.check.empty())
    command.refuse({"--block", "--size", "--dragonfly", "--arrangement", "--traffic", "--load", "--cycles", "--seed",
                    "--dims", "--set"},
                   "--check has that of vectors.json");
}

void run_vectors(const VectorsOptions& options, const Command& command) {
  check_options(options, command);
  if (!options.check.empty()) return check(options);
  return options.suite ? write_suite(options) : write_one(options, command);
}

constexpr const char* kExamples =
    "  odonata vectors --block route_compute --size tiny --cycles 1000 --out out/vectors\n"
    "  odonata vectors --check out/vectors/result.hex\n"
    "  odonata vectors --suite --cycles 2000 --out out/conformance      every unit, tiny and full, directed and, where "
    "it has one, a load\n"
    "DIR gets stimulus.hex, expected.hex, vectors.json and replay.sv, a bench that any simulator plays (iverilog: see "
    "its head).\n"
    "Exit code 0: written, or the result is as expected; 1: it differs; 2: bad input.\n";

}  // namespace

void add_vectors_command(CLI::App& app) {
  Command command =
      add_command(app, "vectors",
                  "Write stimuli and expected outputs of a unit for any simulator, or judge what it wrote", kExamples);
  auto options = std::make_shared<VectorsOptions>();
  add_choice(command, "--block", options->block, block_names(cosim::described_units()), "the unit");
  add_dragonfly_options(command, options->dragonfly);
  command.add_option("--traffic", options->traffic,
                     "as of cosim: corner (directed, then random corner cases), ur, adv+I, rp");
  add_fraction(command, "--load", options->load, "requests a cycle");
  add_number(command, "--cycles", options->cycles, "cycles of a set", 1, 10'000'000);
  add_seed(command, options->seed);
  command.add_option("--out", options->out, "folder of the set; with --check: default is that of RESULT")
      .type_name("DIR");
  command.add_flag(
      "--suite", options->suite,
      "the conformance suite: a set for every unit, tiny and full (a whole router: paper), directed and random");
  command.add_option("--check", options->check, "judge the file that a simulator wrote").type_name("RESULT");
  add_choice(command, "--dims", options->dims, {"", "2", "3", "4"}, "arb_request: dimensions of the mesh");
  command.add_option("--set", options->set, "a parameter that only this block knows, such as part=logic")
      .type_name("KEY=VALUE");
  command.callback([options, command] { run_vectors(*options, command); });
}

}  // namespace odonata::cli
