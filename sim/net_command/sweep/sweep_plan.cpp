// SPDX-License-Identifier: Apache-2.0
#include "sim/net_command/sweep/sweep_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "models/common/error.h"
#include "sim/common/interrupt.h"
#include "sim/common/program.h"
#include "sim/net_command/join.h"

namespace odonata::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* kFormat = "odonata sweep plan 1";

Json to_json(const SweepTask& task) { return {{"curves", task.curves}, {"ranks", task.ranks}, {"work", task.work}}; }

}  // namespace

std::string SweepPlan::part(size_t task) const { return fmt::format("{}/task-{}.jsonl", folder, task); }

std::vector<SweepTask> pack(const SweepFile& sweep, const std::vector<CurveLeft>& curves, double work, size_t most) {
  const std::vector<SweepCurve> all = curves_of(sweep);
  std::map<int, std::vector<CurveLeft>> by_ranks;
  double total = 0;
  for (const CurveLeft& c : curves) {
    by_ranks[sweep.parts[all[c.curve].part].ranks].push_back(c);
    total += c.work;
  }
  if (most < by_ranks.size())
    throw Error(fmt::format("--array-max {}: runs of {} numbers of ranks need as many tasks", most, by_ranks.size()));
  const double aim = std::max(work, total / static_cast<double>(most - by_ranks.size() + 1));
  std::vector<SweepTask> out;
  for (auto& [ranks, list] : by_ranks) {
    double sum = 0;
    for (const CurveLeft& c : list) sum += c.work;
    const auto wanted = static_cast<size_t>(aim > 0 ? std::ceil(sum / aim) : static_cast<double>(list.size()));
    std::vector<SweepTask> tasks(std::clamp<size_t>(wanted, 1, list.size()));
    std::stable_sort(list.begin(), list.end(), [](const CurveLeft& a, const CurveLeft& b) { return a.work > b.work; });
    for (const CurveLeft& c : list) {
      SweepTask& least = *std::min_element(tasks.begin(), tasks.end(), [](const SweepTask& a, const SweepTask& b) {
        return std::pair(a.work, a.curves.size()) < std::pair(b.work, b.curves.size());
      });
      least.curves.push_back(c.curve);
      least.work += c.work;
      least.ranks = ranks;
    }
    std::stable_sort(tasks.begin(), tasks.end(),
                     [](const SweepTask& a, const SweepTask& b) { return a.work > b.work; });
    out.insert(out.end(), tasks.begin(), tasks.end());
  }
  return out;
}

JobArray SweepPlan::array() const {
  JobArray out{folder, "sweep", this->out, {}};
  for (const SweepTask& task : tasks) out.ranks.push_back(task.ranks);
  return out;
}

void write_plan(const SweepPlan& plan) {
  write_scripts(plan.array());
  Json tasks = Json::array();
  for (const SweepTask& task : plan.tasks) tasks.push_back(to_json(task));
  JsonFile(plan.folder + "/plan.json")
      .write({{"format", kFormat},
              {"build", plan.build},
              {"out", plan.out},
              {"file", plan.file},
              {"quick", plan.quick},
              {"text", plan.text},
              {"tasks", tasks}});
}

SweepPlan read_plan(const std::string& path) {
  SweepPlan out;
  const Json plan = parse_json(read_text(path));
  try {
    if (plan.at("format") != kFormat) throw Error("'" + path + "': not a plan of this program's format");
    plan.at("build").get_to(out.build);
    plan.at("out").get_to(out.out);
    plan.at("file").get_to(out.file);
    plan.at("quick").get_to(out.quick);
    plan.at("text").get_to(out.text);
    for (const Json& task : plan.at("tasks")) {
      out.tasks.push_back(
          {task.at("curves").get<std::vector<size_t>>(), task.at("ranks").get<int>(), task.at("work").get<double>()});
    }
  } catch (const Json::exception&) {
    throw Error("'" + path + "': not a plan of 'odonata sweep'");
  }
  if (out.build != build_id())
    throw Error(
        fmt::format("'{}': made for another program, '{}', this is '{}'; plan again", path, out.build, build_id()));
  out.folder = fs::absolute(path).parent_path().string();
  const size_t curves = curves_of(out.sweep()).size();
  for (const SweepTask& task : out.tasks) {
    for (const size_t c : task.curves) {
      if (c >= curves) throw Error(fmt::format("'{}': curve {}, but the sweep has {}", path, c, curves));
    }
  }
  return out;
}

void run_task(const SweepPlan& plan, uint64_t task) {
  if (plan.tasks.empty()) throw Error(fmt::format("--task {}: the plan has no task", task));
  if (task >= plan.tasks.size())
    throw Error(fmt::format("--task {}: the plan has tasks 0..{}", task, plan.tasks.size() - 1));
  const std::unique_ptr<network::Exchange> ranks = join_command();
  const bool writes = !ranks || ranks->own() == 0;
  SweepStore part(plan.part(task), writes ? SweepStore::Use::append : SweepStore::Use::read, plan.build);
  part.take(SweepStore(plan.store(), SweepStore::Use::read), false);
  any(ranks.get(), false);  // all have read before the first one writes
  const InterruptGuard guard;
  run_sweep(plan.sweep(), part, 1, false, plan.tasks[task].curves, ranks.get());
  if (interrupted()) throw Interrupted();
}

PartsTaken take_parts(const std::string& folder, SweepStore& store) {
  PartsTaken out;
  SweepStore all("", SweepStore::Use::read);
  all.take(store, false);
  for (const std::string& path : files_of(folder, "task-", ".jsonl")) {
    const SweepStore part(path, SweepStore::Use::read, build_id());
    all.take(part, false);
    ++out.files;
    out.damaged += part.damaged();
  }
  store.take(all, true);
  return out;
}

std::vector<std::string> tasks_missing(const SweepPlan& plan, SweepStore& store) {
  std::vector<size_t> left;
  for (const CurveLeft& c : curves_left(plan.sweep(), store)) left.push_back(c.curve);
  std::vector<std::string> out;
  for (size_t t = 0; t < plan.tasks.size(); ++t) {
    const std::vector<size_t>& curves = plan.tasks[t].curves;
    const auto missing = std::count_if(curves.begin(), curves.end(), [&left](size_t c) {
      return std::find(left.begin(), left.end(), c) != left.end();
    });
    if (missing == 0) continue;
    out.push_back(fmt::format("task {}: {} of {} curves without a result; {}", t, missing, curves.size(),
                              end_of_task(plan.folder, t)));
  }
  return out;
}

}  // namespace odonata::cli
