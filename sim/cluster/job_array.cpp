// SPDX-License-Identifier: Apache-2.0
#include "sim/cluster/job_array.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <sstream>

#include "models/common/error.h"
#include "models/common/shell_word.h"
#include "sim/common/options.h"
#include "sim/common/output.h"
#include "sim/common/program.h"

namespace odonata::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* kCluster = "Cluster";  // the options' group

/// Runs a task, here or in a job array; its exit code stays beside its part file. Runs of several ranks are started by
/// srun in a job, elsewhere they are made by one process.
std::string task_script(const JobArray& array) {
  return fmt::format(
      R"(#!/bin/sh
# A task of 'odonata {1}': task.sh NUMBER, or in a Slurm job array.
cd {0} || exit 2
task=${{1:-$SLURM_ARRAY_TASK_ID}}
[ -n "$task" ] || {{ echo "task.sh: which task?" >&2; exit 2; }}
rm -f {2}/task-"$task".exit
launch=
[ "${{SLURM_NTASKS:-1}}" -le 1 ] || launch=${{ODONATA_LAUNCH:-srun --mpi=pmix}}
$launch {3} {1} --plan {4} --task "$task"
code=$?
echo $code >{2}/task-"$task".exit
exit $code
)",
      quoted(fs::current_path().string()), array.command, quoted(array.folder), quoted(program_path()),
      quoted(array.folder + "/plan.json"));
}

std::string merge_script(const JobArray& array) {
  return fmt::format("#!/bin/sh\n# Puts the tasks' results together.\ncd {} || exit 2\nexec {} {} --plan {} --merge\n",
                     quoted(fs::current_path().string()), quoted(program_path()), array.command,
                     quoted(array.folder + "/plan.json"));
}

}  // namespace

void add_cluster_options(Command& command, ClusterOptions& o) {
  command.add_flag("--slurm", o.slurm, "make the missing runs as job arrays of Slurm, then merge (docs/cluster.md)")
      .group(kCluster);
  command
      .add_flag("--print-tasks", o.print_tasks,
                "plan the same, and print a command a task for GNU parallel or another scheduler")
      .group(kCluster);
  add_number(command, "--array-max", o.array_max, "at most so many tasks", 1, 1'000'000).group(kCluster);
  add_number(command, "--task-time", o.task_time, "seconds of processor time that a task is packed to", 0, 1'000'000)
      .group(kCluster);
  command.add_option("--sbatch", o.sbatch, "options for sbatch, such as \"--partition=long --time=2:00:00\"")
      .type_name("WORDS")
      .group(kCluster);
}

void add_plan_options(Command& command, PlanOptions& o) {
  command.add_option("--plan", o.plan, "a plan that --slurm or --print-tasks wrote: run one --task, or --merge")
      .type_name("FILE")
      .group(kCluster);
  command.add_option("--task", o.task, "of the --plan").type_name("N").group(kCluster);
  command.add_flag("--merge", o.merge, "put together what the tasks of the --plan have found").group(kCluster);
}

void check_cluster_options(const Command& command, const ClusterOptions& o) {
  if (o.slurm && o.print_tasks) throw Error("--slurm: not with --print-tasks");
  if (!o.slurm) command.refuse({"--sbatch"}, "words for --slurm");
  if (!o.slurm && !o.print_tasks)
    command.refuse({"--array-max", "--task-time"}, "of tasks, expected --slurm or --print-tasks");
}

void check_plan_options(const Command& command, const PlanOptions& o, const std::string& file) {
  if (o.plan.empty() && file.empty() && (o.merge || !o.task.empty()))
    throw Error(std::string(o.merge ? "--merge" : "--task") + ": of which --plan?");
  if (o.plan.empty() == file.empty())
    throw Error(o.plan.empty() ? "FILE is missing: what to run" : "--plan: the plan knows its file");
  if (o.plan.empty()) return command.refuse({"--merge", "--task"}, "of which --plan?");
  command.refuse({"--slurm", "--print-tasks", "--jobs"}, "not with --plan");
  if (o.merge == !o.task.empty()) throw Error("--plan: expected --task N or --merge");
}

std::vector<std::string> files_of(const std::string& folder, const std::string& begin, const std::string& end) {
  std::vector<std::string> out;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(begin) && name.ends_with(end)) out.push_back(entry.path().string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

void write_scripts(const JobArray& array) {
  std::error_code error;
  fs::create_directories(array.folder, error);
  if (error) throw Error(array.folder + ": the folder cannot be made: " + error.message());
  for (const std::string& old : files_of(array.folder, "task-", ".exit")) fs::remove(old);
  OutputFile(array.folder + "/task.sh").write(task_script(array));
  OutputFile(array.folder + "/merge.sh").write(merge_script(array));
}

void hand_out(const JobArray& array, const ClusterOptions& o, uint64_t at_once) {
  if (o.print_tasks) {
    for (size_t t = 0; t < array.ranks.size(); ++t) fmt::print("sh {} {}\n", quoted(array.folder + "/task.sh"), t);
    return tell(fmt::format("when all have run: odonata {} --plan {} --merge\n", array.command,
                            quoted(array.folder + "/plan.json")));
  }
  std::istringstream words(o.sbatch);
  const std::vector<std::string> jobs = submit(array, {std::istream_iterator<std::string>(words), {}}, at_once);
  fmt::print("submitted: tasks 0..{} as {}, then the merge {}; ", array.ranks.size() - 1,
             fmt::join(jobs.begin(), jobs.end() - 1, ", "), jobs.back());
}

std::string end_of_task(const std::string& folder, size_t task) {
  const std::string exit = fmt::format("{}/task-{}.exit", folder, task);
  std::string code = fs::exists(exit) ? read_text(exit) : "";
  code.erase(code.find_last_not_of(" \n") + 1);
  return code.empty() ? "it did not end" : "exit code " + code;
}

}  // namespace odonata::cli
