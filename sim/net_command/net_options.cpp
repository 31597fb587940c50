// SPDX-License-Identifier: Apache-2.0
#include "sim/net_command/net_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "models/common/error.h"
#include "models/common/split.h"
#include "sim/common/options.h"
#include "sim/net_command/graph_file.h"
#include "sim/network/fault_feed.h"
#include "sim/network/routing.h"
#include "sim/network/topologies/dragonfly.h"
#include "sim/network/topologies/mesh.h"
#include "sim/network/topologies/torus.h"
#include "sim/rtl_in_loop/fabric_device.h"
#include "sim/workload/workload_file.h"
#include "tb/arb_request/arb_request_logic_words.h"
#include "tb/arb_request/rtl_sizes.h"
#include "tb/harness/plant.h"

#include "arb_request_plants.h"

namespace odonata::cli {

using arb_request::Mesh;
using network::Config;
using network::Parameter;
using network::Settings;

namespace {

/// Traffic "trace:FILE": the whole trace is the sample.
void apply_trace(Config& c) {
  if (!c.traffic.starts_with("trace:")) return;
  const std::string path = c.traffic.substr(6);
  const auto trace = std::make_shared<traffic::PacketTrace>();
  try {
    *trace = traffic::decode(read_text(path));
  } catch (const Error& e) {
    throw Error("--traffic trace:" + path + ": " + e.what());
  }
  c.warmup = 0;
  constexpr uint32_t kMostCycles = 1'000'000'000;  // of a run
  if (trace->cycles() > kMostCycles)
    throw Error(fmt::format("--traffic trace:{}: {} cycles, a run has {} at most", path, trace->cycles(), kMostCycles));
  c.sample = std::max(1u, trace->cycles());
  c.router.lengths = {1};
  for (const traffic::TracePacket& p : trace->packets)
    c.router.lengths = {std::max<int>(c.router.packet_flits(), p.flits)};
  c.trace = trace;
}

/// Programs: the run is as long as they take; other nodes are silent unless --load is given.
void apply_workload(Config& c, const Settings& settings) {
  if (c.programs.workload.empty()) return;
  if (c.trace) throw Error("--workload and --traffic trace: expected one of them");
  c.workload = std::make_shared<const workload::Workload>(read_workload(c.programs.workload));
  if (c.programs.mapping.starts_with("file:")) c.programs.placed = read_places(c.programs.mapping.substr(5));
  if (settings.count("load") == 0) c.load = 0;
  if (settings.count("warmup") == 0) c.warmup = 0;
  if (settings.count("cycles") == 0) c.sample = 1'000'000'000;
}

/// What would fail after the end of the run, never fails.
void check_fault_cycles(const Config& c) {
  const uint64_t end = c.warmup + c.sample + (c.workload ? 0 : c.drain);
  for (const network::TimedFault& f : c.faults.events) {
    if (f.cycle >= end)
      throw Error(fmt::format("--{}: cycle {} is not before the end of the run ({}: {})", f.repair ? "repair" : "fail",
                              f.cycle, c.workload ? "--warmup and --cycles" : "--warmup, --cycles and --drain", end));
  }
}

Config make(const Settings& settings) {
  network::Setup setup = network::make_setup(settings, [](const std::string& text) {
    return text.ends_with(".json") ? read_graph(text) : network::make_topology(text);
  });
  apply_trace(*setup.config);
  apply_workload(*setup.config, settings);
  Config config = network::finish(std::move(setup), settings);
  if (config.topology->kind() == "dragonfly")
    network::fault_timing(config);  // refuses planes that cannot be, also where nothing fails
  check_fault_cycles(config);
  return config;
}

/// The router of a mesh that "x,y,.." names.
int router_at(const Mesh& mesh, const std::string& text) {
  std::vector<int> coordinates;
  for (const std::string_view part : split(text, ','))
    coordinates.push_back(static_cast<int>(parse_number("--at", std::string(part), 0, 254)));
  if (static_cast<int>(coordinates.size()) != mesh.dimensions()) {
    throw Error("--at " + text + ": expected " + std::to_string(mesh.dimensions()) + " coordinates");
  }
  int router = 0, stride = 1;
  for (int d = 0; d < mesh.dimensions(); ++d) {
    const int c = coordinates[static_cast<size_t>(d)];
    if (c >= mesh.radix(d))
      throw Error("--at " + text + ": coordinate " + std::to_string(c) + " is outside 0.." +
                  std::to_string(mesh.radix(d) - 1));
    router += c * stride;
    stride *= mesh.radix(d);
  }
  return router;
}

/// The request logic of a mesh; what is Verilated elsewhere, sim/rtl_in_loop knows.
void apply_device(const DeviceOptions& o, Config& config) {
  const auto* topology = dynamic_cast<const network::MeshTopology*>(config.topology.get());
  if (topology == nullptr) return;
  if (o.device == "none" && o.device_lib.empty()) {
    if (!o.at.empty() || !o.plant.empty()) throw Error("--at and --plant belong to --device rtl");
    return;
  }
  if (o.at.empty()) throw Error("--device rtl or --device-lib needs --at x,y,..: the router whose requests it decides");
  const Mesh& mesh = topology->mesh();
  config.requests.device_router = router_at(mesh, o.at);
  const int plant = cosim::plant_number(cosim::planted_arb_request::kPlants, o.plant);
  const arb_request::PortSize size = cosim::arb_rtl_size(mesh.dimensions());
  config.requests.device = device_maker<cosim::ArbLogicBlock>(o.device_lib, cosim::rtl_parameters(size), plant);
}

/// The torus of a run and its faults: those of the start by name, those at run time with their cycle.
Json torus_json(const Config& config) {
  const network::Topology& t = *config.topology;
  Json failed = Json::array();
  for (const fault::Fault& f : config.faults.standing) failed.push_back(t.fault_name(f));
  for (const network::TimedFault& f : config.faults.events)
    failed.push_back(fmt::format("{}@{}", t.fault_name(f.fault), f.cycle));
  return {{"name", network::torus_of(config).name()},
          {"fail", failed},
          {"healthy", network::standing_map(config).num_healthy()}};
}

/// What --help adds for parameters whose values are names of registered parts.
std::string names_for(const Parameter& p) {
  std::string out;
  for (const network::TopologyKind& k : network::known_topologies()) {
    if (p.name == "routing") out += fmt::format("; {}: {}", k.name, fmt::join(network::routing_names(k.name), ", "));
    if (p.name == "topology")
      out += fmt::format("; {}{} ({})", k.parse != nullptr ? k.name + ":" : "", k.argument, k.text);
  }
  return out;
}

std::string type_name(const Parameter& p) {
  if (p.is_number()) return p.low < 0 ? "INT" : "UINT";
  if (p.is_fraction()) return "FLOAT";
  return p.unit.find(',') == std::string::npos ? p.range() : "N,N,..";
}

Option add_parameter(Command& command, const Parameter& p, Settings& given) {
  const std::string option = "--" + p.name;
  const std::string unit = p.unit.empty() || p.range() == p.unit ? "" : " (" + p.unit + ")";
  const std::string text = p.text + unit + names_for(p);
  if (p.is_flag())
    return command.add_flag(
        option, [&given, &p] { given[p.name] = "true"; }, text);
  const auto take = [&given, &p, option](const std::string& word) {
    network::check_value(p, word);
    if (word.empty()) throw Error(option + ": the value is empty");
    std::string& value = given[p.name];
    value = p.is_list() && !value.empty() ? value + "," + word : word;
  };
  return (p.is_list() ? command.add_options(option, take, text) : command.add_option(option, take, text))
      .type_name(type_name(p));
}

}  // namespace

Config make_config(const Settings& settings) {
  Config config = make(settings);
  config.check();
  network::check_parts(config);
  return config;
}

Config NetOptions::make() const {
  if (given.contains("packet") && given.contains("packet-mix"))
    throw Error("--packet and --packet-mix: expected one of them");
  Settings all = given;
  for (const auto& [name, value] : defaults) {
    const size_t named = given.count("dragonfly") + given.count("topology") + given.count("mesh") +
                         given.count("torus") + given.count("fat-tree");
    if (!(name == "size" && named != 0)) all.try_emplace(name, value);
  }
  Config config = cli::make(all);
  network::check_unused(config, given, own_faults);
  if (!rtl.device_lib.empty() && (rtl.device != "none" || !rtl.plant.empty()))
    throw Error("--device-lib " + rtl.device_lib + ": expected neither --device nor --plant");
  if ((rtl.device != "none" || !rtl.device_lib.empty()) && config.topology->kind() == "graph")
    throw Error("--device, --device-lib: " + config.topology->name() +
                " has no routing in hardware, expected a dragonfly, mesh, torus or fat-tree");
  apply_device(rtl, config);
  apply_fabric_device({rtl.device, rtl.at, rtl.plant, rtl.device_lib}, config);
  return config;
}

void add_net_options(Command& command, NetOptions& o) {
  Settings defaults = o.defaults;
  const network::Setup setup = network::make_setup(defaults);
  for (const Parameter& p : network::parameters()) {
    Option option = add_parameter(command, p, o.given).group(network::title_of(p.group));
    const std::string value = network::value_of(p, setup).value_or("");
    if (!p.is_flag() && !p.is_list() && !value.empty() && value != "0") option.default_str(value);
  }
  command.get_option("--dragonfly").excludes(command.get_option("--size"));
  constexpr const char* kLoop = "RTL in the loop";
  add_choice(command, "--device", o.rtl.device, {"none", "rtl"},
             "the Verilated request logic (dragonfly: route compute; torus, fat-tree: route units) decides at router "
             "--at, in lockstep")
      .group(kLoop);
  command
      .add_option("--at", o.rtl.at,
                  "coordinates of that router; dragonfly: GROUP.ROUTER, GROUP.ROUTER.PORT or all; fat-tree: leaf:X,Y, "
                  "row:LINE,RAIL or column:LINE,RAIL")
      .type_name("X,Y..")
      .group(kLoop);
  command
      .add_option("--device-lib", o.rtl.device_lib,
                  "a unit of your own (odonata wrap) in the place of --device: what --device would be there")
      .type_name("FILE")
      .group(kLoop);
  command.add_option("--plant", o.rtl.plant, "a planted bug in that RTL; the run has to stop")
      .type_name("NAME")
      .group(kLoop);
}

Json net_head(const Config& config, std::string_view command) {
  Json out = result_head(command);
  out["topology"] = {
      {"kind", config.topology->kind()}, {"name", config.topology->name()}, {"nodes", config.topology->nodes()}};
  if (const auto* d = dynamic_cast<const network::DragonflyTopology*>(config.topology.get()))
    out["dragonfly"] = to_json(d->dragonfly());
  if (const auto* m = dynamic_cast<const network::MeshTopology*>(config.topology.get())) out["mesh"] = m->mesh().name();
  if (config.topology->kind() == "torus") out["torus"] = torus_json(config);
  for (const network::LinkClass& l : config.links)
    out["links"][l.name] = {{"latency", l.latency}, {"buffer", l.buffer}};
  if (config.topology->kind() == "graph") out["links"]["link"]["latency"] = Json();  // each has its own
  network::Setup setup;
  setup.config = config;
  for (const Parameter& p : network::parameters()) {
    const auto value = network::value_of(p, setup);
    if (p.group == network::ParameterGroup::network || !value || value->empty()) continue;
    const bool plain = p.is_number() || p.is_fraction() || p.is_flag();
    out["parameters"][p.name] = plain ? Json::parse(*value) : Json(*value);
  }
  return out;
}

}  // namespace odonata::cli
