// SPDX-License-Identifier: Apache-2.0
// `odonata jobs`: a list of commands as tasks on many machines.
#include <memory>

#include "models/common/error.h"
#include "sim/cluster/job_plan.h"
#include "sim/commands.h"
#include "sim/common/options.h"
#include "sim/common/program.h"

namespace odonata::cli {

namespace {

struct JobsOptions : PlanOptions {
  std::string file;
  uint64_t jobs = 0;
  ClusterOptions cluster;
};

void run_jobs_command(const JobsOptions& o) {
  if (o.merge) return merge_jobs(read_job_plan(o.plan));
  if (!o.plan.empty()) {
    if (!run_task(read_job_plan(o.plan), parse_number("--task", o.task, 0, UINT32_MAX))) finish_with(kFailed);
    return;
  }
  const Json document = parse_json(read_text(o.file));
  run_jobs(JobList::parse(document, o.file), o.cluster, o.jobs);
}

constexpr const char* kExamples =
    "  odonata jobs out/soak/7.jobs.json --slurm --sbatch \"--partition=long\"   (./dev soak --slurm writes such a "
    "list and does this)\n"
    "  odonata jobs out/soak/7.jobs.json --print-tasks >tasks; parallel --joblog tasks.log --resume <tasks\n"
    "What a list holds: docs/cluster.md. Jobs that have left a result are not run again.\n";

}  // namespace

void add_jobs_command(CLI::App& app) {
  Command command = add_command(app, "jobs", "Run a list of commands as tasks on many machines", kExamples);
  auto options = std::make_shared<JobsOptions>();
  command.add_option("file", options->file, "the list (docs/cluster.md)").type_name("FILE.json");
  add_number(command, "--jobs", options->jobs, "with --slurm: tasks at a time; 0: as Slurm has it", 0, 1'000'000)
      .group("Cluster");
  add_cluster_options(command, options->cluster);
  add_plan_options(command, *options);
  command.callback([options, command] {
    check_cluster_options(command, options->cluster);
    if (!options->cluster.slurm && options->plan.empty()) command.refuse({"--jobs"}, "tasks at a time of --slurm");
    check_plan_options(command, *options, options->file);
    run_jobs_command(*options);
  });
}

}  // namespace odonata::cli
