// SPDX-License-Identifier: Apache-2.0
// A sweep in many places (docs/cluster.md): the runs that its store lacks as tasks, each of which writes a part file of
// its own, and what they found put together again.
#pragma once

#include <string>
#include <vector>

#include "sim/cluster/job_array.h"
#include "sim/net_command/sweep/sweep_run.h"

namespace odonata::cli {

/// Curves that a process makes one after the other.
struct SweepTask {
  std::vector<size_t> curves;  ///< of curves_of()
  int ranks = 1;               ///< processes that share each of its runs
  double work = 0;
};

/// PREFIX.d/plan.json and the files beside it.
struct SweepPlan {
  std::string folder;  ///< absolute
  std::string file, text;
  bool quick = false;
  std::string out;    ///< PREFIX, absolute
  std::string build;  ///< of the program that makes the runs
  std::vector<SweepTask> tasks;

  SweepFile sweep() const { return parse_sweep(text, file, quick); }
  std::string store() const { return out + ".jsonl"; }
  std::string part(size_t task) const;
  JobArray array() const;
};

/// The curves, longest first, in tasks of about `work` each, at most `most` of them; those of more ranks come last and
/// share no task with others.
std::vector<SweepTask> pack(const SweepFile& sweep, const std::vector<CurveLeft>& curves, double work, size_t most);

/// Writes the scripts and plan.json.
void write_plan(const SweepPlan& plan);
/// Throws Error when it is no plan, or one of another build.
SweepPlan read_plan(const std::string& path);

/// Makes a task's runs, with what its part file and the store have already. Throws Error when there is no such task.
void run_task(const SweepPlan& plan, uint64_t task);

/// Adds what the part files of a folder have to the store. Throws Error, and adds nothing, when runs of the same
/// settings have different results or a file is of another build.
struct PartsTaken {
  size_t files = 0, damaged = 0;
};
PartsTaken take_parts(const std::string& folder, SweepStore& store);

/// "task 3: 2 of 5 curves without a result; exit code 7", a line each; empty when nothing is missing.
std::vector<std::string> tasks_missing(const SweepPlan& plan, SweepStore& store);

}  // namespace odonata::cli
