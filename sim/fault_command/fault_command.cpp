// SPDX-License-Identifier: Apache-2.0
#include "sim/fault_command/fault_command.h"

#include <fmt/format.h>

#include <memory>

#include "sim/commands.h"
#include "sim/common/interrupt.h"
#include "sim/common/program.h"
#include "sim/fault_command/fault_run.h"
#include "sim/report/report.h"
#include "sim/torus/torus_result.h"
#include "sim/vtftr/vtftr_fault.h"

namespace odonata::cli {

namespace {

void run_fault(const FaultOptions& options) {
  const JsonFile json(options.json);
  const OutputFile html(options.html), trace(options.trace);
  FaultRun run(options);
  try {
    run.run();
  } catch (const Interrupted&) {
    Json out = result_head("fault", options.dragonfly.make());
    mark_interrupted(out);
    json.write(out);
    if (html.wanted()) html.write(report_page("odonata fault", {out}));
    throw;
  }
  run.print();
  const Json out = run.json();
  json.write(out);
  if (html.wanted()) html.write(report_page("odonata fault", {out}));
  if (trace.wanted()) trace.write(run.chrome_trace());
  if (!run.good()) finish_with(1);
}

void add_timing_options(Command& command, FaultOptions& o) {
  add_structure_options(command, o.router, "full; with --device native");
  add_pipelined_option(command, o.router);
  command.add_flag("--immediate-mask", o.immediate_mask,
                   "mask a dead port at look-up in the same cycle (beyond the paper)");
  add_number(command, "--local-latency", o.local_latency, "cycles of a local link", 0, 100000);
  add_number(command, "--global-latency", o.global_latency, "cycles of a global link", 0, 100000);
  add_fraction(command, "--load", o.load, "share of table cycles that route compute takes", 0, 0.99);
  command.add_flag("--ideal", o.ideal, "constant service times, messages leave at the end of a service (DOAR 4.2)");
  add_number(command, "--ideal-t-ld", o.ideal_local, "t_ld of --ideal", 1, 1000000);
  add_number(command, "--ideal-t-gd", o.ideal_message, "t_gd of --ideal", 1, 1000000);
  add_number(command, "--ideal-t-r", o.ideal_recovery, "t_r of --ideal", 1, 1000000);
}

void refuse_options_of_a_dragonfly(const Command& command) {
  command.refuse(
      {"--size",          "--dragonfly",      "--arrangement", "--at",         "--repair",    "--mode",
       "--recovery",      "--hardware",       "--poll-width",  "--ring-hop",   "--banks",     "--pipelined",
       "--load",          "--ideal",          "--ideal-t-ld",  "--ideal-t-gd", "--ideal-t-r", "--immediate-mask",
       "--local-latency", "--global-latency", "--link-level",  "--corrupt",    "--device",    "--device-at",
       "--verify",        "--clock-ghz",      "--seed",        "--html",       "--trace"},
      "of a dragonfly, --torus and --fat-tree have no such option");
}

constexpr const char* kExamples =
    "  odonata fault --size tiny --fail global:G0-G2 --verify\n"
    "  odonata fault --size tiny --fail local:G0.s1-G0.s3 --repair all --mode paper --json out/fault.json\n"
    "  odonata fault --size tiny --fail global:G0-G2 --fail router:G3.s1 --repair all --corrupt 0.1 --device rtl "
    "--device-at G0.s1\n"
    "  odonata fault --size paper --fail random-links:50 --seed 7 --clock-ghz 1\n"
    "  odonata fault --size tiny --fail router:G2.s0 --html out/fault.html --trace out/fault_trace.json\n"
    "  odonata fault --torus 10x10 --fail \"node:3,5;node:5,5\"     fault regions of a torus: rounds, walls, cycles "
    "until every router knows\n"
    "  odonata fault --fat-tree 16,16,16,16 --fail leaf:5,7       cycles until every switch of a fat-tree knows, with "
    "a manager and without\n";

}  // namespace

void add_fault_command(CLI::App& app) {
  auto options = std::make_shared<FaultOptions>();
  FaultOptions& o = *options;
  Command command = add_command(app, "fault", "Diagnosis and recovery of faults: cycles, messages, tables", kExamples);
  add_dragonfly_options(command, o.dragonfly);
  command
      .add_option("--fail", o.fail,
                  "global:Gx-Gy, local:Gx.sa-sb, router:Gx.sa, node:Gx.sa.nk, random-links:N, random-routers:N; @CYCLE "
                  "may follow; torus: node:X,Y or "
                  "link:X,Y,x+; fat-tree: leaf:X,Y; several with ';' between, or the option again")
      .type_name("FAULT")
      .required();
  add_number(command, "--at", o.at, "cycle of the faults that name none", 0, 1ull << 40);
  command.add_option("--repair", o.repair, "as --fail, or all; without @CYCLE once the network is quiet")
      .type_name("FAULT");
  add_choice(command, "--mode", o.mode, {"paper", "safe"}, "reading of Algorithm 2");
  add_choice(command, "--recovery", o.recovery, {"per_entry", "port_level"}, "reading of Algorithm 3");
  add_timing_options(command, o);
  command.add_flag("--link-level", o.link_level,
                   "messages in frames with CRC, numbers and acknowledgements (docs/fault.md 2)");
  add_fraction(command, "--corrupt", o.corrupt,
               "share of frames that are damaged on the wire; switches --link-level on", 0, 0.5);
  add_choice(command, "--device", o.device, {"golden", "systemc", "rtl"},
             "systemc: the same in a SystemC network, compared cycle by cycle; rtl: one of its routers is Verilated "
             "RTL (tiny, paper)");
  command.add_option("--device-at", o.device_at, "the router that is RTL, by default the one of the first fault")
      .type_name("Gx.sa");
  command.add_flag("--verify", o.verify,
                   "check closed form, reachability, loops, hops, virtual channels, dependency graph");
  add_fraction(command, "--clock-ghz", o.clock_ghz, "also print nanoseconds", 0, 100);
  add_seed(command, o.seed);
  add_json(command, o.json);
  command.add_option("--html", o.html, "self-contained page: timeline, network map, path counts").type_name("FILE");
  command.add_option("--trace", o.trace, "trace for Perfetto or chrome://tracing").type_name("FILE");
  auto torus = std::make_shared<TorusOptions>();
  add_torus_options(command, *torus);
  auto tree = std::make_shared<FatTreeFaultOptions>();
  add_fat_tree_fault_options(command, *tree);
  command.callback([options, torus, tree, command] {
    if (tree->given() || torus->given()) refuse_options_of_a_dragonfly(command);
    if (!options->ideal) command.refuse({"--ideal-t-ld", "--ideal-t-gd", "--ideal-t-r"}, "belongs to --ideal");
    if (options->ideal)
      command.refuse(
          {"--hardware", "--poll-width", "--ring-hop", "--banks", "--pipelined", "--load", "--link-level", "--corrupt"},
          "--ideal has constant service times, whatever the router and its links are");
    if (options->device != "golden")
      command.refuse({"--ideal"}, "no hardware has these times, expected --device golden");
    if (options->device != "rtl") command.refuse({"--device-at"}, "belongs to --device rtl");
    if (tree->given()) {
      tree->fail = options->fail;
      return run_fat_tree_fault(*tree, options->json);
    }
    if (!torus->given()) return run_fault(*options);
    torus->fail = options->fail;
    run_torus_fault(*torus, options->json);
  });
}

}  // namespace odonata::cli
