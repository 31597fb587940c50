// SPDX-License-Identifier: Apache-2.0
// PREFIX.d/plan.json of `odonata jobs`.
#pragma once

#include "sim/cluster/job_list.h"

namespace odonata::cli {

struct JobPlan {
  std::string folder;  ///< absolute
  JobList list;
  std::vector<std::vector<size_t>> tasks;  ///< of jobs
  JobArray array() const;
};

void write_plan(const JobPlan& plan);
/// Throws Error when it is no plan, or one of another build.
JobPlan read_job_plan(const std::string& path);
/// Runs a task's jobs that neither its part file nor the store has; false: one has left no result.
bool run_task(const JobPlan& plan, uint64_t task);
/// Puts together what the tasks found, lists what is missing (exit code 1), and lets the list's merge judge.
void merge_jobs(const JobPlan& plan);

}  // namespace odonata::cli
