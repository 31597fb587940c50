// SPDX-License-Identifier: Apache-2.0
// `odonata sweep`: many runs of the network engine from one file.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "models/common/error.h"
#include "sim/commands.h"
#include "sim/common/output.h"
#include "sim/common/interrupt.h"
#include "sim/network/mpi/launch.h"
#include "sim/common/options.h"
#include "sim/common/program.h"
#include "sim/net_command/sweep/sweep_plan.h"
#include "sim/net_command/sweep/sweep_report.h"
#include "sim/net_command/sweep/sweep_sqlite.h"
#include "sim/report/report.h"

namespace odonata::cli {

namespace {

struct SweepOptions : PlanOptions {
  std::string file, out, markdown, json, sqlite;
  uint64_t jobs = 1;
  bool quick = false, estimate = false, only_known = false;
  bool jobs_given = false;
  ClusterOptions cluster;
};

std::string duration(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  return seconds < 5400 ? fmt::format("{:.0f} min", seconds / 60) : fmt::format("{:.1f} h", seconds / 3600);
}

void print(const SweepFile& sweep, const SweepResults& results, const std::string& prefix) {
  fmt::print("{}{}\n\n", sweep.title,
             sweep.quick.empty() ? "" : " (quick, not the lengths of the file: " + sweep.quick + ")");
  Table table({"quantity", "runs", "measured", "paper", "deviation"});
  const auto comparisons = compare_with_paper(sweep, results);
  for (const Comparison& c : comparisons) {
    std::vector<std::string> row = cells(c);
    row.resize(5);
    table.add(row);
  }
  if (!comparisons.empty()) fmt::print("{}\n", table.text());
  fmt::print("{}, {}: {}.html, .csv, .json\n", counted(results.points.size(), "run"),
             counted(results.saturation.size(), "search", "searches"), prefix);
}

/// The files that show a sweep's results.
class Outputs {
 public:
  Outputs(const SweepOptions& o, const std::string& prefix)
      : prefix_(prefix),
        csv_(prefix + ".csv"),
        page_(prefix + ".html"),
        markdown_(o.markdown),
        sqlite_(o.sqlite),
        json_(prefix + ".json"),
        copy_(o.json) {}
  /// Throws finish_with() when a check failed, or it was interrupted; what is `missing` fails it as well.
  void write(const SweepFile& sweep, const SweepResults& results, const std::string& command,
             const std::vector<std::string>& missing) const {
    Json document = sweep_json(sweep, results);
    if (interrupted()) mark_interrupted(document);
    if (!missing.empty()) document["verdict"] = "fail";
    csv_.write(sweep_csv(sweep, results));
    json_.write(document);
    copy_.write(document);
    page_.write(report_page(sweep.title, {document}));
    if (sqlite_.wanted()) sqlite_.write(sweep_sqlite(sweep, results));
    if (interrupted()) {
      fmt::print("Interrupted after {}: the same command goes on with the rest.\n",
                 counted(results.points.size(), "run"));
      finish_with(kInterrupted);
    }
    markdown_.write(sweep_markdown(sweep, results, command));
    print(sweep, results, prefix_);
    for (const std::string& line : missing) fmt::print("{}\n", line);
    if (missing.empty() && document["verdict"] != "pass")
      fmt::print("Failed: {}\n", document["headline"].get<std::string>());
    if (document["verdict"] != "pass") finish_with(kFailed);
  }

 private:
  std::string prefix_;
  OutputFile csv_, page_, markdown_, sqlite_;
  JsonFile json_, copy_;
};

std::string command_of(const std::string& file, bool quick) {
  return fmt::format("odonata sweep {}{}", file, quick ? " --quick" : "");
}

/// --plan: a task, or the merge.
void run_plan(const SweepOptions& o) {
  const SweepPlan plan = read_plan(o.plan);
  if (!o.task.empty()) return run_task(plan, parse_number("--task", o.task, 0, UINT32_MAX));
  const Outputs outputs(o, plan.out);
  SweepStore store(plan.store(), SweepStore::Use::append);
  tell_damaged(plan.folder, take_parts(plan.folder, store).damaged, "runs");
  const SweepFile sweep = plan.sweep();
  outputs.write(sweep, run_sweep(sweep, store, 1, true), command_of(plan.file, plan.quick), tasks_missing(plan, store));
}

/// --slurm and --print-tasks: what the store and the part files lack, as tasks.
void plan_sweep(const SweepOptions& o, const SweepFile& sweep, const std::string& prefix) {
  SweepPlan plan;
  plan.out = std::filesystem::absolute(prefix).string();
  plan.folder = plan.out + ".d";
  plan.file = o.file;
  plan.text = read_text(o.file);
  plan.quick = o.quick;
  plan.build = build_id();
  if (o.cluster.slurm) check_queue(plan.folder);
  {
    SweepStore store(plan.store(), SweepStore::Use::append);
    tell_damaged(prefix + ".jsonl", store.damaged(), "runs");
    tell_damaged(plan.folder, take_parts(plan.folder, store).damaged, "runs");
  }
  SweepStore store(plan.store(),
                   SweepStore::Use::read);  // not locked: the merge may come before this process has ended
  const SweepEstimate estimate = estimate_sweep(sweep, store);
  const double second = estimate.seconds > 0 ? estimate.work / estimate.seconds : 1;
  plan.tasks =
      pack(sweep, curves_left(sweep, store), second * static_cast<double>(o.cluster.task_time), o.cluster.array_max);
  tell(fmt::format("{}: {} there, at most {} to make in {}, about {} of processor time\n", sweep.name,
                   counted(store.found(), "run"), estimate.runs, counted(plan.tasks.size(), "task"),
                   duration(estimate.seconds)));
  if (plan.tasks.empty())
    return tell(fmt::format("nothing is left to run: odonata sweep {} writes the results\n", o.file));
  write_plan(plan);
  hand_out(plan.array(), o.cluster, o.jobs_given ? o.jobs : 0);
  if (o.cluster.slurm) fmt::print("results: {}.csv, .html, .json; logs: {}\n", prefix, plan.folder);
}

void check_options(const Command& command, const SweepOptions& o) {
  if (launched_ranks() > 1 && o.task.empty())
    throw Error("several ranks share the runs of a --task only; a sweep of its own uses --jobs");
  check_cluster_options(command, o.cluster);
  check_plan_options(command, o, o.file);
  if (!o.plan.empty()) command.refuse({"--out", "--quick", "--estimate", "--no-run"}, "not with --plan");
  const bool tasks = o.cluster.slurm || o.cluster.print_tasks;
  if (o.cluster.print_tasks) command.refuse({"--jobs"}, "of whoever runs the tasks that are printed");
  if (tasks) command.refuse({"--estimate", "--no-run"}, "not with --slurm and --print-tasks");
  if (o.estimate) command.refuse({"--json", "--sqlite", "--markdown", "--no-run"}, "--estimate runs nothing");
  if (tasks || !o.task.empty())
    command.refuse({"--json", "--sqlite", "--markdown"}, "results are written with --merge, or without tasks");
}

void run_sweep_command(const SweepOptions& o) {
  if (!o.plan.empty()) return run_plan(o);
  const SweepFile sweep = read_sweep(o.file, o.quick);
  const std::string prefix = !o.out.empty() ? o.out : "out/" + sweep.name + (o.quick ? "_quick" : "");
  if (const auto folder = std::filesystem::path(prefix).parent_path(); !folder.empty()) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw Error("--out " + prefix + ": the folder cannot be made: " + error.message());
  }
  if (o.cluster.slurm || o.cluster.print_tasks) return plan_sweep(o, sweep, prefix);
  const Outputs outputs(o, prefix);
  SweepStore store(prefix + ".jsonl", o.estimate || o.only_known ? SweepStore::Use::read : SweepStore::Use::append);
  tell_damaged(prefix + ".jsonl", store.damaged(), "runs");
  const SweepEstimate estimate = estimate_sweep(sweep, store);
  tell(fmt::format("{}: {} there, at most {} to make, about {} with {} at a time on idle cores\n", sweep.name,
                   counted(store.found(), "run"), estimate.runs,
                   duration(estimate.seconds / static_cast<double>(o.jobs)), o.jobs));
  if (o.estimate) return;
  const InterruptGuard guard;
  const SweepResults results = run_sweep(sweep, store, static_cast<int>(o.jobs), o.only_known);
  outputs.write(sweep, results, command_of(o.file, o.quick), {});
}

constexpr const char* kExamples =
    "  odonata sweep sim/scenarios/sweep_tiny.toml\n"
    "  odonata sweep sim/scenarios/reproduce/fig10.toml --estimate\n"
    "  odonata sweep sim/scenarios/reproduce/fig10.toml --quick --jobs 2 --out out/fig10\n"
    "  odonata sweep sim/scenarios/reproduce/fig10.toml --slurm --sbatch \"--partition=long\"   (on a cluster: "
    "docs/cluster.md)\n"
    "Every finished run is kept in OUT.jsonl: started again, the sweep goes on where it was. Delete that file to begin "
    "anew.\n";

}  // namespace

void add_sweep_command(CLI::App& app) {
  Command command =
      add_command(app, "sweep", "Run a network for products of parameters and find saturation points", kExamples);
  auto options = std::make_shared<SweepOptions>();
  command.add_option("file", options->file, "what to run (docs/cli.md, sweep)").type_name("FILE.toml");
  command.add_option("--out", options->out, "prefix of .jsonl, .csv, .json and .html; default out/NAME of the file")
      .type_name("PREFIX");
  command.add_option("--sqlite", options->sqlite, "also a database: tables runs, hops and saturation")
      .type_name("FILE.db");
  command.add_option("--markdown", options->markdown, "also tables, beside the paper's values").type_name("FILE.md");
  add_number(command, "--jobs", options->jobs, "runs at a time; with --slurm tasks at a time (default there: all)", 1,
             256);
  command.add_flag("--quick", options->quick,
                   "with the shorter lengths of the file's table [quick]; said so in every output");
  command.add_flag("--estimate", options->estimate, "only say how many runs there are and how long they take");
  command.add_flag("--no-run", options->only_known,
                   "report what an unfinished sweep has so far; missing runs are left out");
  add_cluster_options(command, options->cluster);
  add_plan_options(command, *options);
  add_json(command, options->json);
  command.callback([options, command] {
    check_options(command, *options);
    options->jobs_given = command.given("--jobs");
    run_sweep_command(*options);
  });
}

}  // namespace odonata::cli
