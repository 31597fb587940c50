// SPDX-License-Identifier: Apache-2.0
// `odonata fault-study`: how long diagnosis and recovery take, over many faults and many routers.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <thread>

#include "models/common/error.h"
#include "sim/cluster/job_list.h"
#include "sim/commands.h"
#include "sim/common/arguments.h"
#include "sim/common/interrupt.h"
#include "sim/common/program.h"
#include "sim/fault_command/router_options.h"
#include "sim/fault_study/fabric_study.h"
#include "sim/fault_study/fault_study.h"
#include "sim/report/report.h"

namespace odonata::cli {

using namespace fault;

namespace {

struct StudyOptions {
  DragonflyOptions dragonfly;
  std::vector<std::string> classes{"local", "global", "node", "router"}, hardware, poll_width, ring_hop, banks,
      pipelined;
  std::string mode = "safe", poll = "drawn", require, store, json, html, trace;
  uint64_t samples = 200, faults = 1, seed = 1, threads = 0, local_latency = 10, global_latency = 100;
  double load = 0, least_load = 0;
  bool every = false, no_repair = false, load_is_fixed = true;
  FabricStudyOptions fabric;
  ClusterOptions cluster;
  std::string part, known;
};

std::vector<FaultClass> classes_of(const StudyOptions& o) {
  std::vector<FaultClass> classes;
  for (const std::string& name : o.classes) {
    const auto* found = std::find(kFaultClassNames.begin(), kFaultClassNames.end(), name);
    if (found == kFaultClassNames.end())
      throw Error(fmt::format("--class: '{}' is unknown, expected local, global, node, router", name));
    const auto c = static_cast<FaultClass>(found - kFaultClassNames.begin());
    if (std::find(classes.begin(), classes.end(), c) != classes.end())
      throw Error(fmt::format("--class: '{}' is given twice", name));
    classes.push_back(c);
  }
  return classes;
}

std::vector<uint64_t> numbers(const std::string& option, const std::vector<std::string>& texts, uint64_t low,
                              uint64_t high) {
  std::vector<uint64_t> out;
  for (const std::string& text : texts) {
    out.push_back(parse_number(option, text, low, high));
    if (std::count(out.begin(), out.end(), out.back()) > 1)
      throw Error(fmt::format("{}: '{}' is given twice", option, text));
  }
  return out.empty() ? std::vector<uint64_t>{1} : out;
}

std::vector<bool> switches(const std::vector<std::string>& texts) {
  std::vector<bool> out;
  for (const std::string& text : texts) {
    if (text != "true" && text != "false")
      throw Error(fmt::format("--pipelined: '{}' is unknown, expected true, false", text));
    out.push_back(text == "true");
    if (std::count(out.begin(), out.end(), out.back()) > 1)
      throw Error(fmt::format("--pipelined: '{}' is given twice", text));
  }
  return out.empty() ? std::vector<bool>{false} : out;
}

/// The product of all lists, the first combination first.
std::vector<StudyDesign> designs_of(const StudyOptions& o, const Dragonfly& d) {
  std::vector<StudyDesign> designs;
  const std::vector<std::string> hardware = o.hardware.empty() ? std::vector<std::string>{"full"} : o.hardware;
  for (const std::string& word : hardware) {
    for (uint64_t poll : numbers("--poll-width", o.poll_width, 1, 64)) {
      for (uint64_t hop : numbers("--ring-hop", o.ring_hop, 0, 64)) {
        for (uint64_t banks : numbers("--banks", o.banks, 1, 8)) {
          for (bool pipelined : switches(o.pipelined)) {
            StudyDesign design;
            design.parameters.mode = parse_mode(o.mode);
            design.parameters.timing = make_timing({word, poll, hop, banks, pipelined}, d, "full");
            design.parameters.timing.local_latency = static_cast<int>(o.local_latency);
            design.parameters.timing.global_latency = static_cast<int>(o.global_latency);
            const std::string router = to_string(design.parameters.timing);
            if (std::any_of(designs.begin(), designs.end(),
                            [&](const StudyDesign& other) { return to_string(other.parameters.timing) == router; }))
              throw Error(fmt::format("--hardware: '{}' gives a design that is there already: {}", word, router));
            designs.push_back(design);
          }
        }
      }
    }
  }
  return designs;
}

StudyPlan plan_of(const StudyOptions& o) {
  StudyPlan plan{o.dragonfly.make(), {}, classes_of(o), {}, 1, o.part.empty() ? o.store : ""};
  plan.settings.faults = static_cast<int>(o.faults);
  plan.settings.most_load = o.load;
  plan.settings.least_load = o.load_is_fixed ? o.load : o.least_load;
  if (plan.settings.least_load > o.load)
    throw Error(fmt::format("--least-load: '{}' is out of range, expected 0..{} (--load)", o.least_load, o.load));
  plan.settings.draw_poll = o.poll == "drawn";
  plan.settings.every = o.every;
  plan.settings.recovery = !o.no_repair;
  plan.settings.seed = o.seed;
  plan.threads = o.threads != 0 ? static_cast<int>(o.threads)
                                : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  for (FaultClass c : plan.classes) {
    const int64_t all = num_faults(plan.d, c);
    if (static_cast<int64_t>(o.faults) > all)
      throw Error(fmt::format("--faults: '{}' is out of range, {} has {} faults of class {}", o.faults, plan.d.name(),
                              all, kFaultClassNames[static_cast<size_t>(c)]));
    plan.samples.push_back(o.every ? all : static_cast<int64_t>(o.samples));
  }
  return plan;
}

/// "2/8": the third of eight parts.
std::pair<uint64_t, uint64_t> part_of(const std::string& text) {
  const size_t slash = std::min(text.find('/'), text.size());
  const uint64_t parts =
      parse_number("--part " + text, slash == text.size() ? "" : text.substr(slash + 1), 1, 1'000'000);
  return {parse_number("--part " + text, text.substr(0, slash), 0, parts - 1), parts};
}

/// What the jobs of a cluster found, by --part.
Json known_pieces(const std::string& path) {
  Json out = Json::array();
  if (path.empty()) return out;
  const Json found = parse_json(read_text(path));
  try {
    for (const Json& job : found) {
      for (const Json& piece : job.at("result").at("pieces")) out.push_back(piece);
    }
  } catch (const Json::exception&) {
    throw Error("--known " + path + ": not what jobs of a fault study have found");
  }
  return out;
}

/// The command line without the options that are about the cluster, and without `also`.
std::vector<std::string> words_without(std::vector<std::string> also) {
  also.insert(also.end(), {"--sbatch", "--array-max", "--task-time"});
  std::vector<std::string> out{"odonata"};
  const std::vector<std::string>& given = arguments();
  for (size_t i = 0; i < given.size(); ++i) {
    const std::string name = given[i].substr(0, given[i].find('='));
    if (name == "--slurm" || name == "--print-tasks") continue;
    if (std::find(also.begin(), also.end(), name) == also.end()) {
      out.push_back(given[i]);
    } else if (name == given[i]) {
      ++i;  // its value
    }
  }
  return out;
}

/// A job makes every n-th piece of the samples; the last one judges as this command would.
void hand_out_study(const StudyOptions& o, const StudyPlan& plan, size_t designs) {
  constexpr uint64_t kParts = 64;
  if (o.store.empty())
    throw Error("--slurm and --print-tasks: expected --store FILE, beside which the jobs keep what they find");
  const uint64_t parts = std::min({kParts, o.cluster.array_max, static_cast<uint64_t>(count_pieces(plan, designs))});
  JobList list{std::filesystem::path(o.store).replace_extension("").string() + "_jobs", {}, words_without({})};
  list.merge.insert(list.merge.end(), {"--known", "{results}"});
  for (uint64_t part = 0; part != parts; ++part) {
    Job job{fmt::format("part {} of {}", part, parts), 1,
            words_without({"--store", "--json", "--html", "--trace", "--threads"})};
    job.words.insert(job.words.end(),
                     {"--part", fmt::format("{}/{}", part, parts), "--threads", "1", "--json", "{result}"});
    list.jobs.push_back(std::move(job));
  }
  ClusterOptions options = o.cluster;
  options.task_time = 0;  // a part is a task
  run_jobs(list, options, 0);
}

void run_study(const StudyOptions& o) {
  // A task has the options of the study's file, too: it hands out no more, and keeps no store.
  const bool is_task = !o.part.empty() || !o.known.empty();
  const bool hands_out = (o.cluster.slurm || o.cluster.print_tasks) && !is_task;
  const JsonFile json(hands_out ? "" : o.json);
  const OutputFile html(hands_out ? "" : o.html), trace(hands_out ? "" : o.trace);
  StudyPlan plan = plan_of(o);
  const Requirement requirement = parse_requirement(o.require, plan.classes);
  std::vector<StudyDesign> designs = designs_of(o, plan.d);
  if (hands_out) return hand_out_study(o, plan, designs.size());
  if (!o.part.empty()) {
    const auto [part, parts] = part_of(o.part);
    if (o.json.empty()) throw Error("--part: what it finds goes into --json FILE, expected that");
    const InterruptGuard guard;
    Json out = result_head("fault-study");
    out["pieces"] = make_part(plan, designs, part, parts);
    return json.write(out);
  }
  plan.known = known_pieces(o.known);
  const InterruptGuard guard;
  const Stopwatch watch;
  if (!make_samples(plan, designs)) {
    Json out = result_head("fault-study", plan.d);
    mark_interrupted(out);
    json.write(out);
    html.write(report_page("odonata fault-study", {out}));
    fmt::print("Interrupted: {}.\n", o.store.empty() ? "--store FILE would have kept what was found"
                                                     : "what was found is kept, the same command goes on");
    finish_with(kInterrupted);
  }
  const StudyResult result = judge(plan, designs, requirement, watch.seconds());
  const Json out = to_json(result);
  json.write(out);
  if (html.wanted()) html.write(report_page("odonata fault-study", {out}));
  if (trace.wanted()) trace.write(study_trace(result));
  print(result);
  if (!result.good()) finish_with(kFailed);
}

constexpr const char* kExamples =
    "  odonata fault-study --size paper --class local,global --samples 1000 --html out/study.html\n"
    "  odonata fault-study --size paper --class local,global --every --no-repair --store out/every_link.jsonl\n"
    "  odonata fault-study --size paper --class local --samples 100 --poll-width 1,4,64 --banks 1,8 --pipelined "
    "false,true --require p99=500\n"
    "  odonata fault-study --config sim/scenarios/fault_study.toml\n"
    "  odonata fault-study --torus 10x10 --faults 5 --samples 1000         (rounds, walls, total over random sets)\n"
    "  odonata fault-study --fat-tree 16,16,16,16 --faults 3               (over the manager and without one)\n"
    "Lists of --hardware, --poll-width, --ring-hop, --banks and --pipelined make a product of designs; the first one "
    "is studied in detail.\n";

}  // namespace

void add_fault_study_command(CLI::App& app) {
  auto options = std::make_shared<StudyOptions>();
  StudyOptions& o = *options;
  o.dragonfly.size = "paper";
  Command command =
      add_command(app, "fault-study",
                  "Distribution, parts and bound of the cycles of a diagnosis; what a faster router costs", kExamples);
  add_dragonfly_options(command, o.dragonfly);
  add_fabric_study_options(command, o.fabric);
  command.add_option("--class", o.classes, "classes of faults: local, global, node, router; of a torus node, link")
      .type_name("N,N,..")
      .delimiter(',');
  add_number(command, "--samples", o.samples, "of each class and design", 1, 100'000'000);
  command.add_flag(
      "--every", o.every,
      "every fault of a class once, in the place of --samples; with --faults the others beside it are drawn");
  add_number(command, "--faults", o.faults, "faults of the class at once", 1, 1000);
  add_choice(command, "--poll", o.poll, {"drawn", "start"},
             "where the polls of the routers are when a fault happens: anywhere, or all at their start");
  add_fraction(command, "--load", o.load, "share of table cycles that route compute takes", 0, 0.99);
  add_fraction(command, "--least-load", o.least_load,
               "the load of a sample is drawn between this and --load; default: it is --load", 0, 0.99);
  add_choice(command, "--mode", o.mode, {"paper", "safe"}, "reading of Algorithm 2");
  command.add_flag("--no-repair", o.no_repair, "leave the recovery out");
  command.add_option("--hardware", o.hardware, "full, native or STATIONS,ROWS; may be repeated").type_name("WORD");
  command.add_option("--poll-width", o.poll_width, "input queues looked at in a cycle")
      .type_name("N,N,..")
      .delimiter(',');
  command.add_option("--ring-hop", o.ring_hop, "cycles from one port to the next on the command ring")
      .type_name("N,N,..")
      .delimiter(',');
  command.add_option("--banks", o.banks, "entries a step of a travel: 1, 2, 4, 8").type_name("N,N,..").delimiter(',');
  command.add_option("--pipelined", o.pipelined, "fetch the next command while the units work: true, false")
      .type_name("true|false,..")
      .delimiter(',');
  add_number(command, "--local-latency", o.local_latency, "cycles of a local link", 0, 100000);
  add_number(command, "--global-latency", o.global_latency, "cycles of a global link", 0, 100000);
  command
      .add_option("--require", o.require,
                  "find the cheapest design: [CLASS.]QUANTITY=CYCLES, such as p99=500 or local.bound=600")
      .type_name("TEXT");
  add_number(command, "--threads", o.threads, "the result does not depend on them; 0: all cores", 0, 256);
  command.add_option("--store", o.store, "keep finished samples here; started again, the study goes on")
      .type_name("FILE");
  add_cluster_options(command, o.cluster);
  command.add_option("--part", o.part, "of N parts of the samples the I-th, from 0, into --json and nothing else")
      .type_name("I/N")
      .group("Cluster");
  command.add_option("--known", o.known, "what the parts have found").type_name("FILE").group("Cluster");
  add_seed(command, o.seed);
  add_json(command, o.json);
  command.add_option("--html", o.html, "self-contained page: histograms, critical chain, design space")
      .type_name("FILE");
  command
      .add_option("--trace", o.trace,
                  "the slowest critical chain of every class as a trace for Perfetto or chrome://tracing")
      .type_name("FILE");
  command.callback([options, command] {
    options->load_is_fixed = !command.given("--least-load");
    if (command.given("--every") && command.given("--samples"))
      throw Error("--every and --samples: expected one of them");
    check_cluster_options(command, options->cluster);
    if (!options->fabric.given()) return run_study(*options);
    command.refuse({"--mode",           "--poll",        "--load",     "--least-load", "--every",     "--no-repair",
                    "--hardware",       "--poll-width",  "--ring-hop", "--banks",      "--pipelined", "--local-latency",
                    "--global-latency", "--require",     "--threads",  "--store",      "--html",      "--trace",
                    "--slurm",          "--print-tasks", "--part",     "--known"},
                   "of the study of a dragonfly, --torus and --fat-tree have no such option");
    if (command.given("--class")) {
      if (options->classes.size() != 1) throw Error("--class: one class of a torus or fat-tree, or none for all");
      options->fabric.fault_class = options->classes.front();
    }
    run_fabric_study(options->fabric, options->samples, options->faults, options->seed, options->json);
  });
}

}  // namespace odonata::cli
