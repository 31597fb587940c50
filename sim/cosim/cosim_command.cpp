// SPDX-License-Identifier: Apache-2.0
// `odonata cosim`: lockstep of a block's RTL or SystemC model with its reference, at full speed, with coverage.
#include <fmt/format.h>

#include <memory>

#include "sim/commands.h"
#include "sim/common/interrupt.h"
#include "sim/common/options.h"
#include "sim/common/output.h"
#include "sim/common/program.h"
#include "sim/cosim/blocks.h"
#include "sim/cosim/mismatch_trace.h"
#include "sim/cosim/wave_texts.h"
#include "tb/harness/device_library.h"

namespace odonata::cli {

namespace {

struct CosimOptions {
  DragonflyOptions dragonfly;
  std::string block = "route_compute", json, mismatch_trace;
  std::string dims, maps;
  bool list_plants = false;
  std::vector<std::string> set;
  uint64_t device_limit = 10;
  cosim::CampaignRequest request;
};

void list_plants(const cosim::Unit& unit) {
  Table table({"plant", "what is wrong", "file"});
  for (const cosim::Plant& p : unit.plants) table.add({std::string(p.name), std::string(p.what), std::string(p.file)});
  fmt::print("{}", table.text());
}

/// A stimulus file says for which network it was made; the command line may leave that out, but not say otherwise.
Dragonfly dragonfly_of(const CosimOptions& options, const Command& command) {
  if (options.request.trace_in.empty()) return options.dragonfly.make();
  const auto header = cosim::parse_trace_header(options.request.trace_in, read_text(options.request.trace_in));
  const auto size = header.meta.find("dragonfly");
  if (size == header.meta.end()) return options.dragonfly.make();
  DragonflyOptions from_file;
  from_file.parameters = size->second;
  if (const auto arrangement = header.meta.find("arrangement"); arrangement != header.meta.end())
    from_file.arrangement = arrangement->second;
  const auto recorded = [&] {
    try {
      return from_file.make();
    } catch (const Error& e) {
      throw Error(options.request.trace_in + ": meta dragonfly: " + e.what());
    }
  }();
  const bool size_given = command.given("--size") || command.given("--dragonfly");
  if (!size_given && !command.given("--arrangement")) return recorded;
  DragonflyOptions asked = options.dragonfly;
  if (!size_given) asked.parameters = size->second;
  if (const Dragonfly wanted = asked.make(); wanted.name() != recorded.name())
    throw Error(
        fmt::format("{}: recorded for {}, not for {}", options.request.trace_in, recorded.name(), wanted.name()));
  return recorded;
}

Json coverage_report(const cosim::CampaignResult& r) {
  return {{"type", "coverage"}, {"title", "Functional coverage"}, {"coverage", Json::parse(r.coverage.dump())}};
}

/// The last cycles of the shortest run that shows the mismatch, and why the right answer is right.
Json mismatch_waves(const Json& mismatch) {
  if (mismatch.is_null() || !mismatch.contains("shrunk")) return {};
  const Json& shrunk = mismatch["shrunk"];
  return {{"type", "waves"},
          {"title", "The mismatch"},
          {"text", fmt::format("Shrunk to {} cycles after reset and configuration, of which these are the last. {}",
                               shrunk["cycles"].get<uint64_t>(),
                               shrunk.contains("replay") ? "Replay: " + shrunk["replay"].get<std::string>() : "")},
          {"first", shrunk["waves"]["first"]},
          {"lanes", shrunk["waves"]["lanes"]},
          {"reasons", shrunk["mismatch"]["reasons"]}};
}

std::string size_of(const cosim::CampaignRequest& request, const cosim::CampaignResult& r) {
  return r.size.empty() ? request.dragonfly.name() : r.size;
}

std::string device_name(const cosim::CampaignRequest& request) {
  return request.device_lib.empty() ? request.device : request.device_lib;
}

bool load_matters(const CosimOptions& options) {
  const cosim::CampaignRequest& r = options.request;
  return r.trace_in.empty() && cosim::find_unit(cosim::units(), options.block).uses_load(r);
}

std::string traffic_text(const CosimOptions& options) {
  const cosim::CampaignRequest& r = options.request;
  if (!r.trace_in.empty()) return "stimulus " + r.trace_in;
  return fmt::format("traffic {}{}, seed {}", r.traffic,
                     load_matters(options) ? fmt::format(" at load {}", r.load) : "", r.seed);
}

Json result_json(const CosimOptions& options, const cosim::CampaignRequest& request, const cosim::CampaignResult& r) {
  Json out = r.size.empty() ? result_head("cosim", request.dragonfly) : result_head("cosim");
  out["block"] = options.block;
  out["size"] = size_of(request, r);
  out["reference"] = request.reference;
  out["device"] = device_name(request);
  if (!request.device_lib.empty()) {
    out["latency"] = request.latency;
    out["interval"] = request.interval;
  }
  out["traffic"] = request.trace_in.empty() ? request.traffic : "file " + request.trace_in;
  out["load"] = load_matters(options) ? Json(request.load) : Json();
  out["parameters"] = request.parameters;
  out["seed"] = request.trace_in.empty() ? Json(request.seed) : Json();
  out["plant"] = request.plant;
  out["compared"] = r.compared;
  out["wanted"] = r.wanted == 0 ? Json() : Json(r.wanted);
  out["cycles"] = r.cycles;
  out["mismatches"] = r.mismatches;
  out["interrupted"] = r.interrupted;
  out["coverage"] = Json::parse(r.coverage.dump());
  out["seconds"] = r.seconds;
  out["rate_transactions_per_s"] = r.seconds > 0 ? static_cast<double>(r.compared) / r.seconds : 0;
  out["rate_cycles_per_s"] = r.seconds > 0 ? static_cast<double>(r.cycles) / r.seconds : 0;
  out["mismatch"] = Json::parse(r.mismatch.dump());
  out["verdict"] = r.passed() ? "pass" : "fail";
  out["headline"] = fmt::format("{} {} transactions compared, {} mismatches{}", r.compared, options.block, r.mismatches,
                                r.contradicted ? ", bins reached that were declared unreachable" : "");
  out["report"] = Json::array(
      {{{"type", "table"},
        {"title",
         fmt::format("Co-simulation of {}: {} against {}", options.block, device_name(request), request.reference)},
        {"text", fmt::format("{}, {}", size_of(request, r), traffic_text(options))},
        {"header", {"compared", "cycles", "mismatches", "coverage", "transactions a second", "verdict"}},
        {"rows",
         {{std::to_string(r.compared), std::to_string(r.cycles), std::to_string(r.mismatches),
           fmt::format("{:.1f} %", r.coverage.value("percent", 0.0)),
           fmt::format("{:.0f}", out["rate_transactions_per_s"].get<double>()), r.passed() ? "pass" : "FAIL"}}}},
       coverage_report(r)});
  if (const Json waves = mismatch_waves(out["mismatch"]); !waves.is_null())
    out["report"].insert(out["report"].begin() + 1, waves);
  if (r.interrupted) mark_interrupted(out);
  return out;
}

bool has_shrunk(const Json& out) { return !out["mismatch"].is_null() && out["mismatch"].contains("shrunk"); }

/// The waveform that the run has written; empty: none.
std::string waveform_of(const cosim::CampaignRequest& request, const cosim::CampaignResult& result, const Json& out) {
  if (out["mismatch"].is_null()) return result.drawn ? request.trace : "";
  return has_shrunk(out) ? out["mismatch"]["shrunk"].value("waveform", "") : "";
}

void print_result(const CosimOptions& options, const cosim::CampaignRequest& request, const cosim::CampaignResult& r) {
  fmt::print("{}, {}, {} in lockstep with {}, {}\n\n", options.block, size_of(request, r), device_name(request),
             request.reference, traffic_text(options));
  Table table({"compared", "cycles", "mismatches", "coverage", "transactions/s"});
  table.add({std::to_string(r.compared), std::to_string(r.cycles), std::to_string(r.mismatches),
             fmt::format("{:.1f} %", r.coverage.value("percent", 0.0)),
             fmt::format("{:.0f}", r.seconds > 0 ? r.compared / r.seconds : 0)});
  fmt::print("{}\n{}", table.text(), r.coverage_text);
  for (const std::string& line : r.report) fmt::print("{}\n", line);
  if (r.interrupted) fmt::print("Interrupted: this is no pass.\n");
  if (r.contradicted) fmt::print("What was declared unreachable was reached: this is no pass.\n");
  if (r.compared == 0 && r.mismatches == 0) {
    const bool ended = r.cycles != 0 && !options.request.trace_in.empty();
    fmt::print("{}: this is no pass.\n",
               ended ? "The stimulus ends before a transaction, and all pins agree so far" : "Nothing was compared");
  } else if (r.compared < r.wanted && r.mismatches == 0 && !r.interrupted) {
    fmt::print("{} of {} transactions came in {} cycles: this is no pass.\n", r.compared, r.wanted, r.cycles);
  }
}

/// The files of a result; those that find no room are told behind what was found.
void write_files(const CosimOptions& options, const Json& out, const std::string& waveform, const JsonFile& json,
                 const OutputFile& trace, cosim::CampaignResult& result) {
  const auto attempt = [&](const auto& write) {
    try {
      write();
    } catch (const Error& e) {
      result.miss(e.what());
    }
  };
  attempt([&] { add_texts(waveform, options.block); });
  attempt([&] { json.write(out); });
  if (!trace.wanted() || !has_shrunk(out)) return;
  attempt([&] { trace.write(mismatch_trace(options.block, out["mismatch"]["shrunk"]["waves"])); });
}

/// What a recorded stimulus or the device of this run has no use for.
void check_options(const CosimOptions& options, const Command& command) {
  if (options.list_plants)
    command.refuse_others({"--block", "--list-plants", "--config"}, "--list-plants lists them and does nothing else");
  const std::string& recorded = options.request.trace_in;
  if (!recorded.empty())
    command.refuse({"--traffic", "--load", "--seed", "--one-reset", "--maps"},
                   "--trace-in " + recorded + " is the stimulus, expected one of them");
  if (options.request.device_lib.empty()) {
    command.refuse({"--device-limit"}, "belongs to --device-lib");
  } else {
    command.refuse({"--device", "--plant"}, "the device is the library, expected neither --device nor --plant");
  }
  const bool vcd = options.request.device == "systemc";
  if (options.request.trace.ends_with(vcd ? ".fst" : ".vcd"))
    throw Error(fmt::format("--trace {}: the waveform of {} is written as {}, expected a name with {}",
                            options.request.trace, options.request.device, vcd ? "VCD" : "FST", vcd ? ".vcd" : ".fst"));
}

void run_cosim(CosimOptions options, const Command& command) {
  check_options(options, command);
  const cosim::Unit& unit = cosim::find_unit(cosim::units(), options.block);
  if (options.list_plants) return list_plants(unit);
  cosim::CampaignRequest& request = options.request;
  request.dragonfly_given = given_dragonfly(command, options.dragonfly);
  request.dragonfly = dragonfly_of(options, command);
  request.parameters = parse_parameters(options.set, {{"dims", options.dims}, {"maps", options.maps}});
  if (request.trace_in.empty()) check_load(command, unit, request);
  if (!request.device_lib.empty()) cosim::guard_device_libraries(static_cast<int>(options.device_limit));
  const JsonFile json(options.json);
  const OutputFile trace(options.mismatch_trace);
  for (const std::string& path : {request.trace, request.trace_out}) OutputFile check(path);
  Progress progress("cosim", request.transactions);
  const InterruptGuard guard;
  request.progress = [&](uint64_t, uint64_t transactions) {
    progress.at(transactions);
    return !interrupted();
  };
  cosim::CampaignResult result = unit.run(request);
  const Json out = result_json(options, request, result);
  write_files(options, out, waveform_of(request, result, out), json, trace, result);
  print_result(options, request, result);
  if (result.interrupted && !request.trace.empty() && !result.drawn) fmt::print("No waveform: interrupted\n");
  if (!result.unwritten.empty()) throw Error(result.unwritten);
  if (result.interrupted && result.mismatches == 0) finish_with(kInterrupted);
  if (!result.passed()) finish_with(kFailed);
}

constexpr const char* kExamples =
    "  odonata cosim --block route_compute --size full --traffic ur --load 0.8 --transactions 1000000 --seed 1\n"
    "  odonata cosim --size tiny --traffic corner --device systemc\n"
    "  odonata cosim --size tiny --plant gb-gc-swap          a planted bug: shows what a mismatch looks like\n"
    "  odonata cosim --size tiny --plant gb-gc-swap --mismatch-trace out/mismatch.json      its last cycles for "
    "Perfetto\n"
    "  odonata cosim --size tiny --device-lib ./my_rc.so --latency auto   your own RTL, made a library by odonata "
    "wrap\n"
    "  odonata cosim --trace-in out/mismatch_route_compute.trace --trace out/mismatch.fst\n"
    "Exit code 0: something was compared and nothing differed; 1: a mismatch, nothing compared, or fewer than asked "
    "for; 2: bad input.\n";

}  // namespace

void add_cosim_command(CLI::App& app) {
  Command command =
      add_command(app, "cosim", "Run a block's RTL or SystemC model in lockstep with its reference", kExamples);
  auto options = std::make_shared<CosimOptions>();
  cosim::CampaignRequest& r = options->request;
  add_choice(command, "--block", options->block, block_names(cosim::units()), "the block");
  add_dragonfly_options(command, options->dragonfly);
  command.add_option("--traffic", r.traffic,
                     "ur, adv+I, rp: packets of a network under this traffic; corner: random corner cases; all: both");
  add_fraction(command, "--load", r.load, "requests a cycle");
  add_number(command, "--transactions", r.transactions, "compared transactions at which the run ends", 1);
  add_seed(command, r.seed);
  command.add_flag("--one-reset", r.one_reset,
                   "reset only at the start, whatever the traffic does: counters run into their wrap");
  add_choice(command, "--reference", r.reference, {"golden", "systemc"}, "what is right");
  add_choice(command, "--device", r.device, {"rtl", "systemc", "netlist"},
             "what is checked; netlist: written by yosys, tiny only");
  command
      .add_option("--device-lib", r.device_lib,
                  "check this library (odonata wrap, odonata_device.h) in the place of --device")
      .type_name("FILE");
  command
      .add_option("--latency", r.latency,
                  "edges from request to response of that library: a number, or auto (measured first)")
      .type_name("N|auto");
  command
      .add_option("--interval", r.interval,
                  "cycles from a request to the next that it can take: requests that come sooner are left out")
      .type_name("N|auto");
  add_number(command, "--device-limit", options->device_limit,
             "seconds after which a library that does not come back ends the program", 1, 3600);
  command.add_option("--plant", r.plant, "plant a bug in the RTL that the run has to catch; see --list-plants")
      .type_name("NAME");
  command.add_flag("--list-plants", options->list_plants, "list the planted bugs of the block and stop");
  command
      .add_option("--trace", r.trace,
                  "write a waveform of the run, or of the shrunk mismatch: FST from RTL, VCD from SystemC")
      .type_name("FILE");
  command
      .add_option("--mismatch-trace", options->mismatch_trace,
                  "of a mismatch: its last cycles as a trace for Perfetto or chrome://tracing")
      .type_name("FILE.json");
  command.add_option("--trace-in", r.trace_in, "play a recorded stimulus instead of traffic").type_name("FILE");
  command.add_option("--record", r.trace_out, "record the stimulus").type_name("FILE");
  command.add_option("--artifacts", r.artifacts, "folder for the shrunk stimulus of a mismatch");
  add_choice(command, "--dims", options->dims, {"", "2", "3", "4"}, "arb_request: dimensions of the mesh");
  add_choice(
      command, "--maps", options->maps, {"", "drawn", "plane"},
      "route_compute: congestion maps drawn by a queue model, or carried by the congestion plane of a loaded group");
  command.add_option("--set", options->set, "a parameter that only this block knows, such as part=logic")
      .type_name("KEY=VALUE");
  add_json(command, options->json);
  command.callback([options, command] { run_cosim(*options, command); });
}

}  // namespace odonata::cli
