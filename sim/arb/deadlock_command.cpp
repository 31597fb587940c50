// SPDX-License-Identifier: Apache-2.0
// `odonata deadlock`: is a flow-control rule free of deadlock on a small mesh? Explicit search and exact check.
#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "models/arb_request/deadlock.h"
#include "models/common/error.h"
#include "sim/arb/arb_command.h"
#include "sim/common/interrupt.h"
#include "sim/common/options.h"
#include "sim/common/output.h"
#include "sim/common/program.h"
#include "sim/torus/torus_result.h"
#include "sim/vtftr/vtftr_result.h"

namespace odonata::cli {

namespace {

using arb_request::Mesh;
using arb_request::Packet;
using arb_request::Rule;
using arb_request::SearchEnd;
using arb_request::SearchOptions;
using arb_request::SearchResult;
using arb_request::UnboundedResult;

struct DeadlockOptions {
  std::string scheme = "d2ra", mesh = "3x3", selection = "any", json;
  uint64_t slots = 2, packets = 4, memory_mb = 1024;
  double time_limit = 60;
  bool stop_at_first = false;
  std::vector<std::string> fail;
  TorusOptions torus;
  FatTreeOptions fat_tree;
};

const char* end_word(SearchEnd end) {
  constexpr const char* kWords[] = {"complete", "stopped at the first deadlock", "time limit", "memory limit",
                                    "interrupted"};
  return kWords[static_cast<int>(end)];
}

struct Findings {
  SearchResult search;
  UnboundedResult exact;
  std::string starved;
  int64_t lemma_1 = 0;
  std::vector<std::string> cycle;  // in words

  bool deadlock() const { return search.deadlocks > 0 || (!interrupted() && !exact.deadlock_free); }
  bool complete() const { return search.end == SearchEnd::kComplete; }
  bool interrupted() const { return search.end == SearchEnd::kInterrupted; }
  const char* verdict() const {
    if (deadlock()) return "deadlock";
    if (interrupted()) return "interrupted";
    if (!starved.empty()) return "starvation";
    return complete() ? "deadlock-free" : "incomplete";
  }
};

/// Progress as a line on stderr, on a terminal only. Returns whether the search goes on.
bool show_progress(const arb_request::SearchProgress& p) {
  if (interrupted()) return false;
  if (!isatty(STDERR_FILENO)) return true;
  tell(fmt::format("\rdeadlock: {:.1f} M configurations, {:.1f} M waiting, {:.0f} s, {} deadlocks ",
                   static_cast<double>(p.states) * 1e-6, static_cast<double>(p.waiting) * 1e-6, p.seconds,
                   p.deadlocks));
  return true;
}

Findings find(const DeadlockOptions& o, const Mesh& mesh) {
  SearchOptions options;
  options.rule = arb_request::rule_from_name(o.scheme);
  options.selection = o.selection == "strict" ? arb_request::Selection::kStrict : arb_request::Selection::kAny;
  options.slots = static_cast<int>(o.slots);
  options.packets = static_cast<int>(o.packets);
  options.time_limit_s = o.time_limit;
  options.memory_limit = o.memory_mb << 20;
  options.stop_at_first = o.stop_at_first;
  options.progress = show_progress;
  Findings f;
  const InterruptGuard guard;
  f.search = arb_request::search(mesh, options);
  if (isatty(STDERR_FILENO)) tell(fmt::format("\r{:78}\r", ""));
  if (f.interrupted()) return f;
  f.exact = arb_request::check_unbounded(mesh, options.rule, options.slots);
  f.starved = arb_request::never_injected(mesh, options.rule, options.slots);
  f.lemma_1 = arb_request::check_lemma_1(mesh);
  const std::vector<Packet>& example = f.search.deadlocks > 0 ? f.search.example : f.exact.example;
  if (!example.empty()) f.cycle = arb_request::describe_cycle(mesh, options.rule, options.slots, example);
  return f;
}

Json result_json(const DeadlockOptions& o, const Mesh& mesh, const Findings& f) {
  const SearchResult& s = f.search;
  Json out = result_head("deadlock");
  out.update({{"scheme", o.scheme},
              {"mesh", mesh.name()},
              {"slots", o.slots},
              {"packets", o.packets},
              {"selection", o.selection}});
  out["states"] = s.states;
  out["steps"] = s.steps;
  out["deadlocks"] = s.deadlocks;
  out["end"] = end_word(s.end);
  out["complete"] = f.complete();
  out["seconds"] = s.seconds;
  out["states_per_s"] = s.seconds > 0 ? static_cast<double>(s.states) / s.seconds : 0;
  out["memory_bytes"] = s.memory;
  out["example"] = f.cycle;
  const bool looked_at = !f.interrupted();
  out["unbounded"] = looked_at ? Json{{"deadlock_free", f.exact.deadlock_free},
                                      {"kinds", f.exact.kinds},
                                      {"stuck", f.exact.stuck},
                                      {"rounds", f.exact.rounds}}
                               : Json();
  out["starved"] = looked_at ? Json(f.starved) : Json();
  out["lemma_1_pairs"] = looked_at ? Json(f.lemma_1) : Json();
  out["verdict"] = std::string_view(f.verdict()) == "deadlock-free" ? "pass" : "fail";
  out["headline"] = fmt::format("{} on a {} mesh: {}", o.scheme, mesh.name(), f.verdict());
  out["report"] =
      Json::array({{{"type", "table"},
                    {"title", fmt::format("Deadlock check of {} on a {} mesh", o.scheme, mesh.name())},
                    {"text", fmt::format("{} packet slots a queue, at most {} packets in flight", o.slots, o.packets)},
                    {"header", {"configurations", "deadlocks", "search", "any number of packets", "verdict"}},
                    {"rows",
                     {{std::to_string(s.states), std::to_string(s.deadlocks), end_word(s.end),
                       f.interrupted()         ? "not looked at"
                       : f.exact.deadlock_free ? "free"
                                               : "deadlock",
                       f.verdict()}}}}});
  if (f.interrupted()) mark_interrupted(out);
  return out;
}

void print_result(const DeadlockOptions& o, const Mesh& mesh, const Findings& f) {
  const SearchResult& s = f.search;
  fmt::print("{} on a {} mesh, {} a queue, at most {} packets in flight, selection {}\n\n", o.scheme, mesh.name(),
             counted(o.slots, "packet slot"), o.packets, o.selection);
  Table table({"configurations", "steps", "deadlocks", "search", "seconds", "million/s", "MB"});
  table.add({std::to_string(s.states), std::to_string(s.steps), std::to_string(s.deadlocks), end_word(s.end),
             fmt::format("{:.2f}", s.seconds),
             fmt::format("{:.2f}", s.seconds > 0 ? static_cast<double>(s.states) / s.seconds * 1e-6 : 0.0),
             std::to_string(s.memory >> 20)});
  fmt::print("{}\n", table.text());
  if (f.interrupted()) return fmt::print("Verdict: interrupted\n");
  fmt::print("Any number of packets: {} ({} kinds of packets looked at, {} can be stuck).\n",
             f.exact.deadlock_free ? "free of deadlock" : "a deadlock exists", f.exact.kinds, f.exact.stuck);
  fmt::print("Lemma 1: holds for {} pairs of boundary and destination.\n", f.lemma_1);
  if (!f.starved.empty()) fmt::print("Starvation: {}.\n", f.starved);
  if (!f.cycle.empty()) fmt::print("\nA deadlock:\n");
  for (const std::string& line : f.cycle) fmt::print("  {}\n", line);
  fmt::print("Verdict: {}\n", f.verdict());
}

void run_deadlock(const DeadlockOptions& o) {
  if (o.torus.given()) return run_torus_deadlock(o.torus, o.json);
  if (o.fat_tree.given()) return run_fat_tree_deadlock(o.fat_tree, o.json);
  if (!o.fail.empty()) throw Error("--fail: needs --torus or --fat-tree");
  const Mesh mesh = Mesh::parse(o.mesh);
  const JsonFile json(o.json);
  const Findings f = find(o, mesh);
  json.write(result_json(o, mesh, f));
  print_result(o, mesh, f);
  if (f.interrupted()) finish_with(kInterrupted);
  if (std::string(f.verdict()) != "deadlock-free") finish_with(kFailed);
}

constexpr const char* kExamples =
    "  odonata deadlock --scheme d2ra --mesh 3x3 --slots 2 --packets 4\n"
    "  odonata deadlock --scheme mixed-dor --mesh 2x2 --slots 1 --packets 4       Fig. 5 of the paper: a deadlock, in "
    "words\n"
    "  odonata deadlock --scheme d2ra-lowered --mesh 2x2x2 --slots 1 --packets 4  a threshold one too low: a deadlock\n"
    "  odonata deadlock --torus 5x5 --fail \"node:0,0;node:3,1\" --routing torus_ring6  dependency graph of a torus "
    "with "
    "faults: a cycle, in words\n"
    "  odonata deadlock --fat-tree 4,4,2,2 --fail \"leaf:0,0;leaf:1,1\" --state fresh --mode paper  the same of a "
    "fat-tree\n"
    "Exit code 0: free of deadlock; 1: a deadlock, starvation, or the search did not end within its limits; 2: bad "
    "input.\n";

}  // namespace

void add_deadlock_command(CLI::App& app) {
  Command command = add_command(
      app, "deadlock", "Search a small mesh, or the dependency graph of a torus or fat-tree, for deadlocks", kExamples);
  auto o = std::make_shared<DeadlockOptions>();
  add_choice(command, "--scheme", o->scheme, {"dor", "dbra", "d2ra", "mixed-dor", "d2ra-lowered", "dbra-lowered"},
             "flow-control rule");
  command.add_option("--mesh", o->mesh, "routers in each dimension, such as 3x3 or 2x2x2");
  add_number(command, "--slots", o->slots, "packet slots of an input queue", 1, 15);
  add_number(command, "--packets", o->packets, "packets in flight at once, in the search", 1, 32);
  add_choice(command, "--selection", o->selection, {"any", "strict"},
             "which raised request may win: any; strict: eq. 13, high before low");
  add_fraction(command, "--time-limit", o->time_limit, "seconds for the search, 0: none", 0, 1e6);
  add_number(command, "--memory-mb", o->memory_mb, "memory for the search", 1, 1 << 20);
  command.add_flag("--stop-at-first", o->stop_at_first, "end the search at the first deadlock");
  command
      .add_option("--fail", o->fail,
                  "torus: node:X,Y or link:X,Y,x+; fat-tree: leaf:X,Y; several options, or ';' between")
      .type_name("FAULT");
  add_torus_deadlock_options(command, o->torus);
  add_fat_tree_deadlock_options(command, o->fat_tree);
  add_json(command, o->json);
  command.callback([o, command] {
    const bool mesh = o->torus.torus.empty() && o->fat_tree.tree.empty();
    if (!mesh)
      command.refuse({"--scheme", "--mesh", "--slots", "--packets", "--selection", "--time-limit", "--memory-mb",
                      "--stop-at-first"},
                     "of a mesh, --torus and --fat-tree have no such option");
    o->torus.fail = o->fat_tree.fail = o->fail;
    run_deadlock(*o);
  });
}

}  // namespace odonata::cli
