// SPDX-License-Identifier: Apache-2.0
// `odonata vectors`: stimuli and expected outputs for any simulator.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "models/common/error.h"
#include "sim/commands.h"
#include "sim/common/options.h"
#include "sim/common/output.h"
#include "sim/common/program.h"
#include "sim/cosim/blocks.h"
#include "sim/vectors/vector_set.h"
#include "tb/units.h"

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

void check(const VectorsOptions& options) {
  const std::string beside = std::filesystem::path(options.check).parent_path().string();
  const VectorVerdict verdict = check_result(options.check, options.out.empty() ? (beside.empty() ? "." : beside) : options.out);
  for (const std::string& line : verdict.words) fmt::print("{}\n", line);
  fmt::print("{}: {} cycles compared, {}\n", options.check, verdict.cycles, verdict.words.empty() ? "pass" : "FAIL");
  if (!verdict.words.empty()) finish_with(kFailed);
}

void write(const VectorsOptions& options, const std::string& block, const Dragonfly& d, const std::string& traffic, const std::string& folder,
           const std::vector<std::string>& set) {
  VectorRequest request{block, request_of(d, set, options.dims), options.cycles};
  request.campaign.traffic = traffic;
  request.campaign.load = options.load;
  request.campaign.seed = options.seed;
  const auto bench = cosim::find_unit(cosim::units(), block).open(request.campaign);
  write_vector_set(*bench, request, folder);
  std::string size = bench->meta().count("dragonfly") != 0 ? d.name() : "";
  for (const auto& [name, value] : bench->pins().parameters) {
    if (bench->meta().count("dragonfly") == 0) size += fmt::format("{}{}={}", size.empty() ? "" : " ", name, value);
  }
  fmt::print("{}: {}, {}, traffic {}, seed {}\n", folder, block, size, traffic, options.seed);
}

/// What a set of the suite is made for: parts of a block are units of their own, and what is no part of a dragonfly has other sizes.
struct SuiteUnit {
  std::string folder;
  std::vector<std::string> set;
};
std::vector<SuiteUnit> suite_units(const std::string& block, bool full) {
  if (block == "arb_request") {
    const std::string dims = full ? "dims=4" : "dims=2";
    return {{block, {dims}}, {block + "_logic", {dims, "part=logic"}}, {block + "_switch", {dims, "part=switch"}}};
  }
  if (block == "torus_output") return {{block, {full ? "output=paper" : "output=tiny"}}};
  if (block.starts_with("torus_")) return {{block, {full ? "torus=big" : "torus=tiny"}}};
  if (block.starts_with("vtftr_")) return {{block, {full ? "tree=full" : "tree=tiny"}}};
  return {{block, {}}};
}

/// Whether the unit has a stimulus beside the corner cases.
bool knows_load(const std::string& block, const std::vector<std::string>& set) {
  try {
    cosim::CampaignRequest request = request_of(Dragonfly::named("tiny"), set, "");
    request.traffic = "ur";
    return cosim::find_unit(cosim::units(), block).open(request) != nullptr;
  } catch (const Error&) {
    return false;
  }
}

void write_suite_unit(const VectorsOptions& options, const std::string& block, const std::string& size, const SuiteUnit& unit) {
  for (const std::string traffic : {"corner", "ur"}) {
    if (traffic == "ur" && !knows_load(block, unit.set)) continue;
    write(options, block, Dragonfly::named(size), traffic, fmt::format("{}/{}/{}/{}", options.out, size, unit.folder, traffic), unit.set);
  }
}

void run_vectors(const VectorsOptions& options, const Command& command) {
  if (!options.check.empty()) return check(options);
  if (options.out.empty()) throw Error("vectors: expected --out DIR, or --check RESULT");
  for (const char* option : {"--block", "--size", "--dragonfly", "--arrangement", "--traffic", "--dims", "--set"}) {
    if (options.suite && command.given(option)) throw Error(std::string(option) + ": --suite has its own");
  }
  if (!options.suite) return write(options, options.block, options.dragonfly.make(), options.traffic, options.out, options.set);
  for (const std::string size : {"tiny", "full"}) {
    for (const std::string& block : block_names()) {
      for (const SuiteUnit& unit : suite_units(block, size == "full")) write_suite_unit(options, block, size, unit);
    }
  }
}

constexpr const char* kExamples =
    "  odonata vectors --block route_compute --size tiny --cycles 1000 --out out/vectors\n"
    "  odonata vectors --check out/vectors/result.hex\n"
    "  odonata vectors --suite --cycles 2000 --out out/conformance      every unit, tiny and full, directed and, where it has one, a load\n"
    "DIR gets stimulus.hex, expected.hex, vectors.json and replay.sv, a bench that any simulator plays (iverilog: see its head).\n"
    "Exit code 0: written, or the result is as expected; 1: it differs; 2: bad input.\n";

}  // namespace

void add_vectors_command(CLI::App& app) {
  Command command = add_command(app, "vectors", "Write stimuli and expected outputs of a unit for any simulator, or judge what it wrote", kExamples);
  auto options = std::make_shared<VectorsOptions>();
  add_choice(command, "--block", options->block, block_names(), "the unit");
  add_dragonfly_options(command, options->dragonfly);
  command.add_option("--traffic", options->traffic, "as of cosim: corner (directed, then random corner cases), ur, adv+I, rp");
  add_fraction(command, "--load", options->load, "requests a cycle");
  add_number(command, "--cycles", options->cycles, "cycles of a set", 1, 10'000'000);
  add_seed(command, options->seed);
  command.add_option("--out", options->out, "folder of the set; with --check: default is that of RESULT").type_name("DIR");
  command.add_flag("--suite", options->suite, "the conformance suite: a set for every unit, size tiny and full, directed and random");
  command.add_option("--check", options->check, "judge the file that a simulator wrote").type_name("RESULT");
  add_choice(command, "--dims", options->dims, {"", "2", "3", "4"}, "arb_request: dimensions of the mesh");
  command.add_option("--set", options->set, "a parameter that only this block knows, such as part=logic").type_name("KEY=VALUE");
  command.callback([options, command] { run_vectors(*options, command); });
}

}  // namespace odonata::cli
