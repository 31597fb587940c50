// SPDX-License-Identifier: Apache-2.0
// `odonata crosscheck`: the network engine against a network of SystemC routers, packet by packet (docs/crosscheck.md).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <utility>

#include "models/common/error.h"
#include "models/common/split.h"
#include "sim/commands.h"
#include "sim/common/interrupt.h"
#include "sim/common/options.h"
#include "sim/common/program.h"
#include "sim/net_command/net_options.h"
#include "sim/network/topologies/dragonfly.h"
#include "sim/network/topology.h"
#include "tb/network/crosscheck.h"
#include "tb/harness/device_library.h"
#include "tb/network/crosscheck_fabric.h"
#include "tb/network/own_fabric_units.h"
#include "tb/network/own_route_units.h"

namespace odonata::cli {

namespace {

using cosim::CrossCheckResult;
using network::Config;

/// Parameters of a run that a comparison from the first to the last cycle has no use for.
constexpr const char* kUnused[] = {"warmup", "drain", "watchdog", "timeline", "balance"};

struct CrossCheckOptions {
  CrossCheckOptions() { net.defaults = {{"size", "tiny"}, {"cycles", "3000"}}; }
  NetOptions net;
  bool random_faults = false;
  uint64_t packets = 0;
  std::string block = "router_data", around = "systemc";
  std::string json;
};

/// What has been compared so far, as a table and as JSON.
class Report {
 public:
  Report(const CrossCheckOptions& o, const Config& config) : options_(o), json_(net_head(config, "crosscheck")) {
    for (const char* name : kUnused) json_["parameters"].erase(name);
    if (o.packets != 0) {  // a campaign has its own
      for (const char* name : {"load", "traffic", "cycles"}) json_["parameters"].erase(name);
    }
    json_["runs"] = Json::array();
  }
  void add(const Config& c, uint64_t cycles, const CrossCheckResult& r) {
    table_.add({c.traffic, fmt::format("{:.2f}", c.load), std::to_string(c.seed), std::to_string(cycles),
                std::to_string(r.packets), std::to_string(r.lost), std::to_string(r.events), std::to_string(r.messages),
                r.interrupted           ? "interrupted"
                : !r.difference.empty() ? "DIFFERENT"
                : r.packets != 0        ? "same"
                                        : "nothing compared"});
    json_["runs"].push_back({{"traffic", c.traffic},
                             {"load", c.load},
                             {"seed", c.seed},
                             {"cycles", cycles},
                             {"packets", r.packets},
                             {"lost", r.lost},
                             {"cut", r.cut},
                             {"events", r.events},
                             {"services", r.services},
                             {"messages", r.messages},
                             {"difference", r.difference}});
    if (r.routers != 0) add_speed(r);
    packets_ += r.packets;
    answers_ += r.answers;
    rewritten_ += r.rewritten;
    passed_ = passed_ && r.passed();
    interrupted_ = interrupted_ || r.interrupted;
    if (!r.difference.empty()) words_ = r.difference;
  }
  uint64_t packets() const { return packets_; }
  bool passed() const { return passed_ && packets_ != 0 && (library.empty() || answers_ != 0); }
  bool interrupted() const { return interrupted_; }
  cosim::RouterDevices devices;
  std::string library;  ///< of somebody else, in the routers
  void print(const std::string& network) {
    fmt::print("{}: engine and {}, packet by packet\n\n{}\n", network,
               speed_.empty() ? "SystemC routers" : "routers behind their pins", table_.text());
    if (!speed_.empty()) fmt::print("{}\n", speed_);
    if (!words_.empty()) fmt::print("{}\n", fmt::join(words_, "\n"));
    if (!library.empty()) {
      fmt::print("{} answers of {} compared{}.\n", answers_, library,
                 rewritten_ == 0 ? ""
                                 : fmt::format("; {} not: the fault plane had changed their entries, behind the tables",
                                               rewritten_));
    }
    fmt::print("{} packets compared: {}.\n", packets_,
               passed()       ? "every grant, port, virtual channel and cycle is the same"
               : interrupted_ ? "interrupted, this is no pass"
                              : "this is no pass");
  }
  const Json& finish() {
    json_["plant"] = options_.net.rtl.plant;
    json_["packets"] = packets_;
    if (!library.empty()) json_["device"] = {{"library", library}, {"answers", answers_}, {"rewritten", rewritten_}};
    json_["passed"] = passed();
    json_["verdict"] = passed() ? "pass" : "fail";
    json_["headline"] = fmt::format("{} packets compared", packets_);
    if (interrupted_) mark_interrupted(json_);
    return json_;
  }

 private:
  void add_speed(const CrossCheckResult& r) {
    const auto speed = [&](double seconds) { return seconds > 0 ? static_cast<double>(r.cycles) / seconds : 0; };
    speed_ = fmt::format(
        "{} routers beside the engine: {:.0f} cycles/s, {:.0f} a second of processor time; configured in {} cycles",
        r.routers, speed(r.seconds), speed(r.processor_seconds), r.configuration_edges);
    json_["runs"].back()["wires"] = {{"routers", r.routers},
                                     {"seconds", r.seconds},
                                     {"processor_seconds", r.processor_seconds},
                                     {"cycles_per_second", speed(r.seconds)},
                                     {"configuration_cycles", r.configuration_edges}};
  }

  const CrossCheckOptions& options_;
  Table table_{{"traffic", "load", "seed", "cycles", "packets", "lost", "steps", "messages", "verdict"}};
  Json json_;
  uint64_t packets_ = 0, answers_ = 0, rewritten_ = 0;
  bool passed_ = true, interrupted_ = false;
  std::vector<std::string> words_;
  std::string speed_;
};

void run_once(const CrossCheckOptions& o, Config config, uint64_t cycles, bool random_faults, Report& report) {
  if (random_faults) cosim::add_random_faults(config, cycles);
  Progress progress("cycles in both networks", cycles);
  const auto go_on = [&](double share) {
    progress.at(static_cast<uint64_t>(share * static_cast<double>(cycles)),
                fmt::format("{} packets compared before", report.packets()));
    return !interrupted();
  };
  report.add(
      config, cycles,
      cosim::crosscheck(config, cycles, report.devices.plant.empty() ? o.net.rtl.plant : "", go_on, report.devices));
}

/// The routers that --at names: "all", or GROUP.ROUTER with commas between them.
cosim::RouterDevices devices_of(const Config& config, const CrossCheckOptions& o, const std::string& device,
                                const cosim::OwnRouteUnits* own, const std::string& at) {
  const bool whole = o.block == "router";
  if (device == "none") {
    if (!at.empty() && own == nullptr) throw Error("--at belongs to --device rtl or --device-lib");
    if (whole) throw Error("--block router belongs to --device rtl");
  }
  if (!whole && o.around == "engine") throw Error("--around engine belongs to --block router");
  if (device == "none" && own == nullptr) return {};
  if (config.topology->kind() != "dragonfly") throw Error("--device: expected a dragonfly");
  cosim::RouterDevices out{device, nullptr, o.block, o.around, whole ? o.net.rtl.plant : "", config.threads, own};
  if (own != nullptr) out.level.clear();
  if (at == "all") return out;
  const Dragonfly& d = network::dragonfly_of(config);
  std::vector<bool> chosen(static_cast<size_t>(d.num_routers()));
  for (const std::string_view part : split(at, ',')) {
    int group = -1, router = -1, end = 0;
    const std::string name(part);
    if (std::sscanf(name.c_str(), "%d.%d%n", &group, &router, &end) != 2 || end != static_cast<int>(name.size()) ||
        group < 0 || group >= d.g() || router < 0 || router >= d.a())
      throw Error(
          fmt::format("--at '{}': expected all or GROUP.ROUTER with commas between them, groups 0..{}, routers 0..{}",
                      at, d.g() - 1, d.a() - 1));
    chosen[static_cast<size_t>(d.router_index({group, router}))] = true;
  }
  out.chosen = [chosen](int router) { return chosen[static_cast<size_t>(router)]; };
  return out;
}

/// The patterns of a campaign.
std::vector<std::string> patterns_of(const Config& config) {
  const std::string kind = config.topology->kind();
  if (kind == "dragonfly") return {"ur", "adv+1", "rp"};
  if (kind == "torus") return {"uniform", "tornado", "randperm"};
  return {"uniform", "alive", "uniform"};
}

/// Loads 0.1 to 0.5 under three patterns, with random faults in each run: all five loads, and again until so many
/// packets have been compared.
void run_campaign(const CrossCheckOptions& o, const Config& config, Report& report) {
  Config c = config;
  for (int run = 0; report.passed() || run == 0; ++run) {
    c.seed = config.seed + static_cast<uint64_t>(run);
    c.load = 0.1 * (1 + run % 5);
    c.faults = config.faults;
    c.traffic = patterns_of(config)[static_cast<size_t>(run % 3)];
    run_once(o, c, config.sample, true, report);
    if (run % 5 == 4 && report.packets() >= o.packets) return;
  }
}

void run_crosscheck(const CrossCheckOptions& o) {
  if (!o.net.rtl.device_lib.empty()) cosim::guard_device_libraries(kDeviceSeconds);
  const JsonFile file(o.json);
  NetOptions net = o.net;
  const std::string device = std::exchange(net.rtl.device, "none"), at = std::exchange(net.rtl.at, ""),
                    library = std::exchange(net.rtl.device_lib, "");
  if (!library.empty() && (device != "none" || !net.rtl.plant.empty()))
    throw Error("--device-lib " + library + ": expected neither --device nor --plant");
  net.rtl.plant.clear();  // of the SystemC side
  for (const char* name : kUnused) {
    if (net.given.count(name) != 0)
      throw Error(fmt::format("--{}: both networks are compared from the first cycle on, in all of --cycles", name));
  }
  net.given["warmup"] = "1";  // the cycle of faults that name none (on a torus they are there from the start)
  net.own_faults = o.random_faults || o.packets != 0;
  const Config config = net.make();
  for (const network::TimedFault& f : config.faults.events) {
    if (f.cycle >= config.sample)
      throw Error(fmt::format("--{}: cycle {} is not before the end of the run (--cycles: {})",
                              f.repair ? "repair" : "fail", f.cycle, config.sample));
  }
  const bool dragonfly = config.topology->kind() == "dragonfly";
  const std::string places = at.empty() && !library.empty() ? "all" : at;
  std::optional<cosim::OwnRouteUnits> own;
  std::optional<cosim::OwnFabricUnits> fabric;
  if (!library.empty() && dragonfly) own.emplace(library, network::dragonfly_of(config));
  if (!library.empty() && !dragonfly) fabric.emplace(library, places, config);
  Report report(o, config);
  report.library = library;
  report.devices = devices_of(config, o, device, own ? &*own : nullptr, fabric ? "" : places);
  report.devices.own_fabric = fabric ? &*fabric : nullptr;
  const InterruptGuard guard;
  if (o.packets != 0) {
    run_campaign(o, config, report);
  } else {
    run_once(o, config, config.sample, o.random_faults, report);
  }
  report.print(config.topology->name());
  file.write(report.finish());
  if (report.interrupted()) finish_with(kInterrupted);
  if (!report.passed()) finish_with(kFailed);
}

constexpr const char* kExamples =
    "  odonata crosscheck --packets 100000                  loads 0.1 to 0.5, three patterns, links and a router that "
    "fail and recover\n"
    "  odonata crosscheck --load 0.4 --traffic adv+1 --cycles 1500 --fail global:G0-G2@200 --repair all --repair-at "
    "900\n"
    "  odonata crosscheck --load 0.3 --random-faults --seed 7\n"
    "  odonata crosscheck --route-compute arrival --fifo 64 --device rtl --at all --load 0.3   every router's data "
    "path is RTL\n"
    "  odonata crosscheck --route-compute arrival --fifo 64 --device rtl --block router --at all --load 0.3 "
    "--random-faults   whole routers\n"
    "  odonata crosscheck --route-compute arrival --fifo 64 --packet 3 --load 0.3 --random-faults   packets that "
    "faults cut in two\n"
    "  odonata crosscheck --size paper --route-compute arrival --fifo 64 --device rtl --block router --at 7.2 --around "
    "engine --cycles 500\n"
    "  odonata crosscheck --load 0.3 --random-faults --device-lib ./my_rc.so --at 1.2,4.0   your own route compute in "
    "two routers\n"
    "  odonata crosscheck --torus 6x6 --load 0.3 --packet 8 --random-faults --device-lib ./my_route.so --at "
    "\"1,1;2,3\"\n"
    "  odonata crosscheck --load 0.3 --plant early-credit   a bug of the SystemC side that has to be found\n"
    "  odonata crosscheck --torus 6x6 --load 0.3 --packet 8 --fail node:2,2 --fail \"link:4,1,x+@700\"\n"
    "  odonata crosscheck --fat-tree 4,4,2,2 --load 0.5 --fail leaf:1,0@200\n"
    "Exit code 0: the same; 1: a difference, or nothing was compared; 2: bad input.\n"
    "What is compared and what both sides agree on: docs/network.md.\n";

}  // namespace

void add_crosscheck_command(CLI::App& app) {
  Command command = add_command(
      app, "crosscheck", "Compare the network engine with a network of SystemC routers, packet by packet", kExamples);
  auto options = std::make_shared<CrossCheckOptions>();
  add_net_options(command, options->net);
  for (const char* name : kUnused) command.get_option(std::string("--") + name).group("");  // not in the help
  add_json(command, options->json);
  add_number(command, "--packets", options->packets, "a campaign until so many packets have been compared; 0: one run",
             0, 1'000'000'000);
  add_choice(command, "--block", options->block, {"router_data", "router"},
             "what --device rtl is: the data path of a router, or a whole router");
  add_choice(command, "--around", options->around, {"systemc", "engine"},
             "what whole routers stand in: the network of SystemC routers, or nothing but wires between the routers of "
             "a group, and the engine's "
             "other groups");
  command.add_flag("--random-faults", options->random_faults,
                   "links, a node and a router that fail and recover, drawn from the seed");
  command.get_option("--at").description(
      "routers with --device or --device-lib: all, or GROUP.ROUTER with commas between them; torus: X,Y, fat-tree: "
      "leaf:X,Y, row:LINE,RAIL, "
      "column:LINE,RAIL, with ; between them");
  command.get_option("--plant").description(fmt::format(
      "plant a bug in the SystemC side: {}; of a torus: {}; of one of three dimensions: {}; of a fat-tree: {}; with "
      "--block router one of its RTL",
      fmt::join(cosim::crosscheck_plants(), ", "), fmt::join(cosim::torus_crosscheck_plants(), ", "),
      fmt::join(cosim::torus_crosscheck_plants(3), ", "), fmt::join(cosim::fat_tree_crosscheck_plants(), ", ")));
  command.callback([options, command] {
    if (options->packets != 0)
      command.refuse({"--load", "--traffic", "--fail", "--random-faults"}, "a campaign (--packets) has its own");
    run_crosscheck(*options);
  });
}

}  // namespace odonata::cli
