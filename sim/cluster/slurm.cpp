// SPDX-License-Identifier: Apache-2.0
// Tasks as jobs of Slurm.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <sstream>

#include "models/common/error.h"
#include "sim/cluster/job_array.h"
#include "sim/common/output.h"
#include "sim/wrap/run_tool.h"

namespace odonata::cli {

namespace {

void check_tool(const std::string& name) {
  if (!has_tool(name))
    throw Error(name + ": Slurm is not installed here; --print-tasks writes the tasks for another scheduler");
}

/// What a tool of Slurm printed. Throws Error with its first line when it fails.
std::string slurm(const std::vector<std::string>& words, const std::string& folder) {
  check_tool(words.front());
  const std::string log = folder + "/" + words.front() + ".log";
  std::filesystem::remove(log);
  const int code = run_tool(words, std::filesystem::current_path().string(), log);
  std::string text = std::filesystem::exists(log) ? read_text(log) : "";
  if (code != 0)
    throw Error(fmt::format("{}: exit code {}: {}", words.front(), code,
                            text.empty() ? "no message" : text.substr(0, text.find('\n'))));
  return text;
}

/// Submits a script; the job's number. `--parsable` prints it, and after a semicolon the cluster.
std::string submitted(std::vector<std::string> words, const std::vector<std::string>& options, const JobArray& array,
                      const std::string& script) {
  words.insert(words.begin(), {"sbatch", "--parsable"});
  words.insert(words.end(), options.begin(), options.end());
  words.push_back(array.folder + "/" + script);
  std::istringstream lines(slurm(words, array.folder));
  std::string id, line;
  while (std::getline(lines, line)) id = line.substr(0, line.find(';'));  // the last line; warnings come before
  if (id.empty() || id.find_first_not_of("0123456789") != std::string::npos)
    throw Error("sbatch: a job's number was expected, not '" + id + "'");
  return id;
}

}  // namespace

std::vector<std::string> submit(const JobArray& array, const std::vector<std::string>& options, uint64_t at_once) {
  std::vector<std::string> ids;
  const std::string name = "--job-name=" + std::filesystem::path(array.out).filename().string();
  for (size_t first = 0, last = 0; first != array.ranks.size();
       first = last + 1) {  // an array for each number of ranks
    for (last = first; last + 1 != array.ranks.size() && array.ranks[last + 1] == array.ranks[first];) ++last;
    const std::string limit = at_once == 0 ? "" : fmt::format("%{}", at_once);
    ids.push_back(
        submitted({fmt::format("--array={}-{}{}", first, last, limit), fmt::format("--ntasks={}", array.ranks[first]),
                   "--requeue", "--open-mode=append", name, "--output=" + array.folder + "/task-%a.log"},
                  options, array, "task.sh"));
  }
  ids.push_back(submitted({fmt::format("--dependency=afterany:{}", fmt::join(ids, ":")), name + "-merge",
                           "--output=" + array.folder + "/merge.log"},
                          options, array, "merge.sh"));
  OutputFile(array.folder + "/jobs").write(fmt::format("{}\n", fmt::join(ids, ",")));
  return ids;
}

void check_queue(const std::string& folder) {
  check_tool("sbatch");
  if (!std::filesystem::exists(folder + "/jobs")) return;
  std::string ids = read_text(folder + "/jobs");
  ids.erase(ids.find_last_not_of(" \n") + 1);
  std::string queue;
  try {
    queue = slurm({"squeue", "--noheader", "--format=%A", "--jobs=" + ids}, folder);
  } catch (const Error& e) {
    if (std::string(e.what()).find("Invalid job id") == std::string::npos) throw;
  }
  if (queue.find_first_of("0123456789") != std::string::npos) {
    throw Error(fmt::format("{}: jobs {} of the last submission are still in the queue; wait for them, or scancel {}",
                            folder, ids, ids));
  }
}

}  // namespace odonata::cli
