// SPDX-License-Identifier: Apache-2.0
// `odonata sweep`: many runs of the network engine from one file.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "models/common/error.h"
#include "sim/commands.h"
#include "sim/common/interrupt.h"
#include "sim/common/options.h"
#include "sim/common/program.h"
#include "sim/net_command/sweep/sweep_report.h"
#include "sim/report/report.h"

namespace odonata::cli {

namespace {

struct SweepOptions {
  std::string file, out, markdown, json;
  uint64_t jobs = 1;
  bool quick = false, estimate = false, only_known = false;
};

std::string duration(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  return seconds < 5400 ? fmt::format("{:.0f} min", seconds / 60) : fmt::format("{:.1f} h", seconds / 3600);
}

void print(const SweepFile& sweep, const SweepResults& results, const std::string& prefix) {
  fmt::print("{}{}\n\n", sweep.title, sweep.quick.empty() ? "" : " (quick, not the lengths of the file: " + sweep.quick + ")");
  Table table({"quantity", "runs", "measured", "paper", "deviation"});
  const auto comparisons = compare_with_paper(sweep, results);
  for (const Comparison& c : comparisons) {
    std::vector<std::string> row = cells(c);
    row.resize(5);
    table.add(row);
  }
  if (!comparisons.empty()) fmt::print("{}\n", table.text());
  fmt::print("{} runs, {} searches: {}.html, .csv, .json\n", results.points.size(), results.saturation.size(), prefix);
}

void run_sweep_command(const SweepOptions& o) {
  const SweepFile sweep = read_sweep(o.file, o.quick);
  const std::string prefix = !o.out.empty() ? o.out : "out/" + sweep.name + (o.quick ? "_quick" : "");
  if (const auto folder = std::filesystem::path(prefix).parent_path(); !folder.empty()) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw Error("--out " + prefix + ": the folder cannot be made: " + error.message());
  }
  const OutputFile csv(prefix + ".csv"), page(prefix + ".html"), markdown(o.markdown);
  const JsonFile json(o.json.empty() ? prefix + ".json" : o.json);
  SweepStore store(prefix + ".jsonl", o.estimate || o.only_known ? SweepStore::Use::read : SweepStore::Use::append);
  if (store.damaged() != 0) fmt::print(stderr, "{}.jsonl: {} damaged lines passed over, these runs are made again\n", prefix, store.damaged());
  const SweepEstimate estimate = estimate_sweep(sweep, store);
  fmt::print(stderr, "{}: {} runs there, at most {} to make, about {} with {} at a time on idle cores\n", sweep.name, store.found(), estimate.runs,
             duration(estimate.seconds / static_cast<double>(o.jobs)), o.jobs);
  if (o.estimate) return;
  const InterruptGuard guard;
  const SweepResults results = run_sweep(sweep, store, static_cast<int>(o.jobs), o.only_known);
  Json document = sweep_json(sweep, results);
  if (interrupted()) mark_interrupted(document);
  csv.write(sweep_csv(sweep, results));
  json.write(document);
  page.write(report_page(sweep.title, {document}));
  if (interrupted()) finish_with(kInterrupted);
  markdown.write(sweep_markdown(sweep, results, fmt::format("odonata sweep {}{}", o.file, o.quick ? " --quick" : "")));
  print(sweep, results, prefix);
  if (document["verdict"] != "pass") finish_with(kFailed);
}

constexpr const char* kExamples =
    "  odonata sweep sim/scenarios/sweep_tiny.toml\n"
    "  odonata sweep sim/scenarios/reproduce/fig10.toml --estimate\n"
    "  odonata sweep sim/scenarios/reproduce/fig10.toml --quick --jobs 2 --out out/fig10\n"
    "Every finished run is kept in OUT.jsonl: started again, the sweep goes on where it was. Delete that file to begin anew.\n";

}  // namespace

void add_sweep_command(CLI::App& app) {
  Command command = add_command(app, "sweep", "Run a network for products of parameters and find saturation points", kExamples);
  auto options = std::make_shared<SweepOptions>();
  command.add_option("file", options->file, "what to run (docs/cli.md, sweep)").type_name("FILE.toml").required();
  command.add_option("--out", options->out, "prefix of .jsonl, .csv, .json and .html; default out/NAME of the file").type_name("PREFIX");
  command.add_option("--markdown", options->markdown, "also tables, beside the paper's values").type_name("FILE.md");
  add_number(command, "--jobs", options->jobs, "runs at a time", 1, 256);
  command.add_flag("--quick", options->quick, "with the shorter lengths of the file's table [quick]; said so in every output");
  command.add_flag("--estimate", options->estimate, "only say how many runs there are and how long they take");
  command.add_flag("--no-run", options->only_known, "report what an unfinished sweep has so far; missing runs are left out");
  add_json(command, options->json);
  command.callback([options] { run_sweep_command(*options); });
}

}  // namespace odonata::cli
