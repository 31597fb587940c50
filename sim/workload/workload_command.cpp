// SPDX-License-Identifier: Apache-2.0
// `odonata workload`: what a program of an application holds, without a network; writes it in other formats.
#include <fmt/format.h>

#include <memory>

#include "models/common/error.h"
#include "models/workload/chakra.h"
#include "models/workload/goal.h"
#include "models/workload/motif.h"
#include "models/workload/netrace.h"
#include "sim/commands.h"
#include "sim/common/options.h"
#include "sim/common/output.h"
#include "sim/common/program.h"
#include "sim/workload/workload_file.h"

namespace odonata::cli {

namespace {

struct WorkloadOptions {
  std::string file, motif, goal, chakra, netrace, json;
  bool list = false;
  uint64_t eager_limit = 12'000, misses = 2000, nodes = 64, seed = 1;
};

void print_motifs() {
  for (const workload::Motif& m : workload::motifs()) {
    fmt::print("{}: {}\n", m.name, m.text);
    for (const workload::MotifParameter& p : m.parameters)
      fmt::print("  {}={}{}\n", p.name, p.value, p.text.empty() ? "" : "  " + p.text);
  }
}

Json to_json(const workload::Job& job, const workload::Totals& t, const workload::CriticalPath& path) {
  Json out;
  out["name"] = job.name;
  out["note"] = job.note;
  out["ranks"] = job.ranks.size();
  out["iterations"] = job.iterations;
  out["operations"] = t.ops;
  out["messages"] = t.all.messages;
  out["bytes"] = t.all.bytes;
  out["message_bytes"] = {{"min", t.all.least}, {"max", t.all.most}};
  out["calculations"] = t.calcs;
  out["calculation_ns"] = t.calc_ns;
  out["phases"] = Json::array();
  for (size_t i = 0; i < job.phases.size(); ++i) {
    const workload::PhaseTotals& p = t.phases[i];
    out["phases"].push_back(
        {{"name", job.phases[i]}, {"messages", p.messages}, {"bytes", p.bytes}, {"min", p.least}, {"max", p.most}});
  }
  out["critical_path"] = {{"ns", path.ns}, {"messages", path.messages}, {"bytes", path.bytes}};
  return out;
}

void print(const Json& j) {
  const auto text = [&j](const char* key) { return std::to_string(j[key].get<uint64_t>()); };
  Table table({"quantity", "value"});
  table.add({"ranks", text("ranks")});
  table.add({"iterations", text("iterations")});
  table.add({"operations", text("operations")});
  table.add({"messages", text("messages")});
  table.add({"bytes", text("bytes")});
  for (const Json& p : j["phases"]) {
    if (j["phases"].size() > 1) {
      table.add({fmt::format("  {}", p["name"].get<std::string>()),
                 fmt::format("{} x {}..{} = {}", p["messages"].get<uint64_t>(), p["min"].get<uint64_t>(),
                             p["max"].get<uint64_t>(), p["bytes"].get<uint64_t>())});
    }
  }
  table.add({"bytes of a message", fmt::format("{}..{}", j["message_bytes"]["min"].get<uint64_t>(),
                                               j["message_bytes"]["max"].get<uint64_t>())});
  table.add({"calculations", text("calculations")});
  table.add({"longest chain: ns of calculations", std::to_string(j["critical_path"]["ns"].get<uint64_t>())});
  table.add({"longest chain: messages", std::to_string(j["critical_path"]["messages"].get<uint64_t>())});
  table.add({"longest chain: bytes of messages", std::to_string(j["critical_path"]["bytes"].get<uint64_t>())});
  const std::string note = j["note"].get<std::string>();
  fmt::print("{}{}\n{}", j["name"].get<std::string>(), note.empty() ? "" : ": " + note, table.text());
}

void run_workload(const WorkloadOptions& o) {
  if (o.list) return print_motifs();
  if (!o.netrace.empty()) {
    const OutputFile file(o.netrace);
    const std::string bytes =
        workload::generate_netrace(static_cast<int>(o.nodes), static_cast<uint32_t>(o.misses), o.seed);
    file.write(o.netrace.ends_with(".bz2") ? pack_bz2(bytes) : bytes);
    fmt::print("{}: a trace that is generated, not recorded\n", o.netrace);
    return;
  }
  if (o.file.empty() == o.motif.empty()) throw Error("one of FILE, --motif, --motifs and --generate-netrace is needed");
  const JsonFile json(o.json);
  const OutputFile goal(o.goal);
  const workload::Job job = read_job(o.file.empty() ? o.motif : o.file);
  const workload::Partners partners = workload::match(job);
  const Json facts = to_json(job, workload::totals(job), workload::critical_path(job, partners, o.eager_limit));
  std::vector<std::string> traces;  // all of them before the first file is written
  const auto trace_name = [&o](size_t rank) { return fmt::format("{}.{}.et", o.chakra, rank); };
  for (uint32_t r = 0; !o.chakra.empty() && r < job.ranks.size(); ++r) {
    OutputFile check(trace_name(r));
    traces.push_back(workload::write_chakra(job, r));
  }
  if (!traces.empty() && may_exist(trace_name(traces.size())))
    throw Error(fmt::format("--chakra {}: {} is of a set of more ranks, expected another prefix", o.chakra,
                            trace_name(traces.size())));
  if (goal.wanted()) {
    goal.write_with(
        [&job](std::ostream& to) { workload::write_goal(job, [&to](std::string_view text) { to << text; }); });
  }
  for (size_t r = 0; r < traces.size(); ++r) OutputFile(trace_name(r)).write(traces[r]);
  Json out = result_head("workload");
  out.update(facts);
  json.write(out);
  print(facts);
}

constexpr const char* kExamples =
    "  odonata workload --motifs                                          (all of them with their parameters)\n"
    "  odonata workload --motif lu:px=22,py=24\n"
    "  odonata workload --motif dl:ranks=16,algorithm=ring,it=1 --goal out/ring.goal\n"
    "  odonata workload out/ring.goal --json out/ring.json\n"
    "  odonata workload --generate-netrace out/sample.tra.bz2; odonata workload out/sample.tra.bz2\n"
    "  odonata net --size tiny --workload lu:px=2,py=4,nz=50,it=1\n"
    "Formats and definitions: docs/workloads.md.\n";

}  // namespace

void add_workload_command(CLI::App& app) {
  Command command = add_command(
      app, "workload", "Show what the program of an application holds, and write it in other formats", kExamples);
  auto o = std::make_shared<WorkloadOptions>();
  command.add_option("file", o->file, "GOAL, netrace (also .bz2) or Chakra (PREFIX.0.et)").type_name("FILE");
  command.add_option("--motif", o->motif, "a motif, as lu:px=4,py=4").type_name("MOTIF");
  command.add_flag("--motifs", o->list, "list the motifs and stop");
  add_number(command, "--eager-limit", o->eager_limit, "bytes; larger messages need their receive posted");
  command.add_option("--goal", o->goal, "write it as GOAL").type_name("FILE");
  command.add_option("--chakra", o->chakra, "write it as Chakra traces PREFIX.0.et, PREFIX.1.et, ..")
      .type_name("PREFIX");
  command.add_option("--generate-netrace", o->netrace, "write a netrace file that is generated (it says so) and stop")
      .type_name("FILE");
  add_number(command, "--nodes", o->nodes, "of the generated trace", 4, 255);
  add_number(command, "--misses", o->misses, "of the generated trace", 1, 100'000'000);
  add_seed(command, o->seed);
  add_json(command, o->json);
  command.callback([o, command] {
    if (o->list) command.refuse_others({"--motifs", "--config"}, "--motifs lists them and does nothing else");
    if (!o->netrace.empty()) {
      command.refuse_others({"--generate-netrace", "--nodes", "--misses", "--seed", "--config"},
                            "--generate-netrace does nothing else");
    } else {
      command.refuse({"--nodes", "--misses", "--seed"}, "of --generate-netrace");
    }
    run_workload(*o);
  });
}

}  // namespace odonata::cli
