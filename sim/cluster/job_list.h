// SPDX-License-Identifier: Apache-2.0
// Commands that know nothing of each other and leave a result each: a list of them as tasks on many machines, and what
// they found put together. The results are lines of a store as those of a sweep (sweep_store.h), in a part file a task.
#pragma once

#include <string>
#include <vector>

#include "sim/cluster/job_array.h"
#include "sim/common/output.h"

namespace odonata::cli {

/// A command; the word `odonata` is this program, `{result}` the JSON file where it leaves what it found. Whatever its
/// exit code, it is done when that file is there.
struct Job {
  std::string name;
  double work = 1;  ///< seconds, about
  std::vector<std::string> words;
};

/// What a FILE of `odonata jobs` says.
struct JobList {
  std::string out;        ///< PREFIX of .jsonl, .json and .d
  std::vector<Job> jobs;  ///< names are different
  std::vector<std::string>
      merge;  ///< judges the results; `{results}`: PREFIX.json, a list of {name, exit, result} in the order of the jobs

  /// Throws Error that names what is wrong.
  static JobList parse(const Json& document, const std::string& path);
  Json to_json() const;
};

/// Hands out what the store lacks (options.slurm or print_tasks), or makes it here and merges. Throws finish_with() as
/// the merge says.
void run_jobs(const JobList& list, const ClusterOptions& options, uint64_t at_once);

}  // namespace odonata::cli
