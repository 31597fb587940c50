// SPDX-License-Identifier: Apache-2.0
#include "sim/cluster/job_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <set>

#include "models/common/error.h"
#include "models/common/joined.h"
#include "models/common/shell_word.h"
#include "sim/cluster/job_plan.h"
#include "sim/common/interrupt.h"
#include "sim/common/program.h"
#include "sim/net_command/sweep/sweep_plan.h"
#include "sim/wrap/run_tool.h"

namespace odonata::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* kFormat = "odonata jobs plan 1";

/// What a job's result depends on.
Settings key_of(const Job& job) { return {{"job", job.name}, {"command", joined(job.words, quoted, " ")}}; }

std::vector<std::string> filled(std::vector<std::string> words, const std::string& name, const std::string& path) {
  for (std::string& word : words) {
    if (const size_t at = word.find(name); at != std::string::npos) word.replace(at, name.size(), path);
  }
  if (words.front() == "odonata") words.front() = program_path();
  return words;
}

/// How a job ended that left no result.
std::string end_file(const std::string& folder, size_t number) { return fmt::format("{}/job-{}.end", folder, number); }

/// Runs a job; null: it left no result.
Json run_job(const std::string& folder, size_t number, const Job& job) {
  const std::string result = fmt::format("{}/job-{}.json", folder, number),
                    log = fmt::format("{}/job-{}.log", folder, number), end = end_file(folder, number);
  fs::remove(result);
  fs::remove(end);
  const int code = run_tool(filled(job.words, "{result}", result), fs::current_path().string(), log);
  // What was interrupted, or ended by a signal (also as shells tell it), has no result, whatever it has written.
  const bool killed = code == kInterrupted || code == 128 + SIGKILL || code == 128 + SIGTERM;
  const bool ended = !killed && (code == 0 || !interrupted());
  const Json found = ended && fs::exists(result) ? parse_json(read_text(result)) : Json();
  fmt::print("{}: exit code {}{}\n", job.name, code,
             found.is_null() || found.is_discarded() ? "; no result, see " + log : "");
  std::fflush(stdout);
  if (found.is_null() || found.is_discarded()) {
    OutputFile(end).write(fmt::format("exit code {}, see {}", code, log));
    return {};
  }
  fs::remove(result);
  return {{"exit", code}, {"result", found}};
}

/// The missing jobs, longest first, in at most `most` tasks of about `work`.
std::vector<std::vector<size_t>> pack_jobs(const JobList& list, std::vector<size_t> left, double work, size_t most) {
  double sum = 0;
  for (const size_t j : left) sum += list.jobs[j].work;
  const auto wanted = static_cast<size_t>(work > 0 ? sum / work + 1 : static_cast<double>(left.size()));
  std::vector<std::vector<size_t>> tasks(std::clamp<size_t>(wanted, 1, std::min(most, left.size())));
  std::vector<double> load(tasks.size());
  std::stable_sort(left.begin(), left.end(), [&](size_t a, size_t b) { return list.jobs[a].work > list.jobs[b].work; });
  for (const size_t j : left) {
    const auto least = static_cast<size_t>(std::min_element(load.begin(), load.end()) - load.begin());
    tasks[least].push_back(j);
    load[least] += list.jobs[j].work;
  }
  return tasks;
}

}  // namespace

JobList JobList::parse(const Json& document, const std::string& path) {
  JobList out;
  const auto check_keys = [&path](const Json& object, const std::vector<std::string>& known) {
    for (const auto& [key, value] : object.items()) {
      if (std::find(known.begin(), known.end(), key) == known.end())
        throw Error(fmt::format("'{}': key '{}' is unknown, expected one of {}", path, key, fmt::join(known, ", ")));
    }
  };
  try {
    if (document.is_object()) check_keys(document, {"out", "jobs", "merge"});
    for (const char* key : {"out", "jobs", "merge"}) {
      if (!document.contains(key))
        throw Error(
            fmt::format("'{}': not a list of jobs: there is no '{}', expected out, jobs (name, work, command) and "
                        "merge",
                        path, key));
    }
    document.at("out").get_to(out.out);
    document.at("merge").get_to(out.merge);
    for (const Json& job : document.at("jobs")) {
      out.jobs.push_back({job.at("name").get<std::string>(), job.value("work", 1.0),
                          job.at("command").get<std::vector<std::string>>()});
      check_keys(job, {"name", "work", "command"});
    }
  } catch (const Json::exception&) {
    throw Error("'" + path + "': not a list of jobs, expected out, jobs (name, work, command) and merge");
  }
  std::set<std::string> names;
  for (const Job& job : out.jobs) {
    if (job.name.empty()) throw Error(fmt::format("'{}': a job has an empty name", path));
    if (!(job.work >= 0)) throw Error(fmt::format("'{}': job '{}' has a work of less than 0", path, job.name));
    if (job.words.empty()) throw Error(fmt::format("'{}': job '{}' has no command", path, job.name));
    if (!names.insert(job.name).second) throw Error(fmt::format("'{}': two jobs are named '{}'", path, job.name));
  }
  if (out.jobs.empty() || out.out.empty() || out.merge.empty())
    throw Error("'" + path + "': out, jobs or merge is empty");
  return out;
}

Json JobList::to_json() const {
  Json list = Json::array();
  for (const Job& job : jobs) list.push_back({{"name", job.name}, {"work", job.work}, {"command", job.words}});
  return {{"out", out}, {"jobs", list}, {"merge", merge}};
}

void write_plan(const JobPlan& plan) {
  write_scripts(plan.array());
  for (const std::string& old : files_of(plan.folder, "job-", ".end")) fs::remove(old);
  JsonFile(plan.folder + "/plan.json")
      .write({{"format", kFormat}, {"build", build_id()}, {"list", plan.list.to_json()}, {"tasks", plan.tasks}});
}

JobArray JobPlan::array() const {
  return {folder, "jobs", fs::absolute(list.out).string(), std::vector<int>(tasks.size(), 1)};
}

JobPlan read_job_plan(const std::string& path) {
  const Json plan = parse_json(read_text(path));
  try {
    if (plan.at("format") != kFormat) throw Error("'" + path + "': not a plan of this program's format");
    const std::string build = plan.at("build");
    if (build != build_id())
      throw Error(
          fmt::format("'{}': made for another program, '{}', this is '{}'; plan again", path, build, build_id()));
    JobPlan out{fs::absolute(path).parent_path().string(), JobList::parse(plan.at("list"), path),
                plan.at("tasks").get<decltype(JobPlan::tasks)>()};
    for (const auto& task : out.tasks) {
      for (const size_t j : task) {
        if (j >= out.list.jobs.size())
          throw Error(fmt::format("'{}': job {}, but there are {}", path, j, out.list.jobs.size()));
      }
    }
    return out;
  } catch (const Json::exception&) {
    throw Error("'" + path + "': not a plan of 'odonata jobs'");
  }
}

bool run_task(const JobPlan& plan, uint64_t task) {
  if (plan.tasks.empty()) throw Error(fmt::format("--task {}: the plan has no task", task));
  if (task >= plan.tasks.size())
    throw Error(fmt::format("--task {}: the plan has tasks 0..{}", task, plan.tasks.size() - 1));
  SweepStore part(fmt::format("{}/task-{}.jsonl", plan.folder, task), SweepStore::Use::append, build_id());
  part.take(SweepStore(plan.list.out + ".jsonl", SweepStore::Use::read), false);
  bool all = true;
  const InterruptGuard guard;
  for (const size_t j : plan.tasks[task]) {
    const Settings key = key_of(plan.list.jobs[j]);
    if (part.find(key) != nullptr) continue;
    const Json found = run_job(plan.folder, j, plan.list.jobs[j]);
    if (!found.is_null()) part.add(key, found);
    all &= !found.is_null();
    stop_if_interrupted();
  }
  return all;
}

void merge_jobs(const JobPlan& plan) {
  SweepStore store(plan.list.out + ".jsonl", SweepStore::Use::append);
  tell_damaged(plan.folder, take_parts(plan.folder, store).damaged, "jobs");
  Json results = Json::array();
  bool missing = false;
  for (size_t j = 0; j < plan.list.jobs.size(); ++j) {
    const Job& job = plan.list.jobs[j];
    if (const Json* found = store.find(key_of(job)); found != nullptr) {
      results.push_back({{"name", job.name}, {"exit", found->at("exit")}, {"result", found->at("result")}});
      continue;
    }
    missing = true;
    const auto of = std::find_if(plan.tasks.begin(), plan.tasks.end(),
                                 [j](const auto& t) { return std::find(t.begin(), t.end(), j) != t.end(); });
    const std::string end = end_file(plan.folder, j);
    fmt::print("job {}: no result; {}\n", job.name,
               fs::exists(end)          ? read_text(end)
               : of == plan.tasks.end() ? "it is in no task"
                                        : end_of_task(plan.folder, static_cast<size_t>(of - plan.tasks.begin())));
  }
  const std::string path = plan.list.out + ".json";
  JsonFile(path).write(results);
  if (missing) finish_with(kFailed);
  const std::string log = plan.folder + "/judge.log";
  fs::remove(log);
  const int code = run_tool(filled(plan.list.merge, "{results}", path), fs::current_path().string(), log);
  fmt::print("{}", read_text(log));
  if (code != 0) finish_with(code);
}

void run_jobs(const JobList& list, const ClusterOptions& o, uint64_t at_once) {
  JobPlan plan{fs::absolute(list.out).string() + ".d", list, {}};
  if (const auto folder = fs::path(list.out).parent_path(); !folder.empty()) fs::create_directories(folder);
  if (o.slurm) check_queue(plan.folder);
  std::vector<size_t> left;
  {
    SweepStore store(list.out + ".jsonl", SweepStore::Use::append);
    take_parts(plan.folder, store);
    for (size_t j = 0; j < list.jobs.size(); ++j) {
      if (store.find(key_of(list.jobs[j])) == nullptr) left.push_back(j);
    }
  }
  if (!left.empty()) {
    plan.tasks = pack_jobs(list, left, static_cast<double>(o.task_time), o.array_max);
  } else if (o.slurm || o.print_tasks) {
    return tell("nothing is left to run: without --slurm and --print-tasks the results are judged\n");
  }
  write_plan(plan);
  tell(fmt::format("{}: {} of {} jobs to run, in {}\n", list.out, left.size(), list.jobs.size(),
                   counted(plan.tasks.size(), "task")));
  if (o.slurm || o.print_tasks) {
    hand_out(plan.array(), o, at_once);
    if (o.slurm) fmt::print("results: {}.json, {}/merge.log\n", list.out, plan.folder);
    return;
  }
  for (size_t t = 0; t < plan.tasks.size(); ++t) run_task(plan, t);  // the merge says what is missing
  merge_jobs(plan);
}

}  // namespace odonata::cli
