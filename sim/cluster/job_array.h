// SPDX-License-Identifier: Apache-2.0
// Tasks in a folder of scripts, for Slurm or any other scheduler (docs/cluster.md). What a task is, the command knows
// that made the plan: sweep, jobs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/common/command.h"

namespace odonata::cli {

/// How tasks are handed out.
struct ClusterOptions {
  bool slurm = false, print_tasks = false;
  uint64_t array_max = 1000, task_time = 1800;
  std::string sbatch;
};
/// What the tasks and the merge of a plan are started with.
struct PlanOptions {
  std::string plan, task;  ///< a file; a number
  bool merge = false;
};
/// --plan, --task, --merge.
void add_plan_options(Command& command, PlanOptions& options);
/// --slurm, --print-tasks, --array-max, --task-time, --sbatch.
void add_cluster_options(Command& command, ClusterOptions& options);
/// Throws Error when the options contradict each other, or one is given that belongs to another that is not.
void check_cluster_options(const Command& command, const ClusterOptions& options);
/// The same for those of a plan and `file`, which says what to run and to plan.
void check_plan_options(const Command& command, const PlanOptions& options, const std::string& file);

/// PREFIX.d: task.sh runs `odonata COMMAND --plan PREFIX.d/plan.json --task N`, merge.sh `.. --merge`.
struct JobArray {
  std::string folder;      ///< absolute
  std::string command;     ///< of odonata
  std::string out;         ///< PREFIX, absolute
  std::vector<int> ranks;  ///< processes of every task
};

/// Files of a folder with this beginning and end, by name.
std::vector<std::string> files_of(const std::string& folder, const std::string& begin, const std::string& end);
/// Makes the folder and the two scripts, and removes the exit codes of an earlier plan.
void write_scripts(const JobArray& array);
/// Prints the tasks, or submits them and begins the line that says so; `at_once` tasks run at a time (0: as the
/// scheduler has it). Throws Error.
void hand_out(const JobArray& array, const ClusterOptions& options, uint64_t at_once);
/// "exit code 7" or "it did not end".
std::string end_of_task(const std::string& folder, size_t task);

/// Submits the tasks as job arrays, and the merge behind them; `options` are words for sbatch. Returns the numbers of
/// the arrays and of the merge. Throws Error when Slurm refuses.
std::vector<std::string> submit(const JobArray& array, const std::vector<std::string>& options, uint64_t at_once);
/// Throws Error when there is no Slurm, or jobs of the last submission are still in the queue.
void check_queue(const std::string& folder);

}  // namespace odonata::cli
