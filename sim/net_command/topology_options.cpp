// SPDX-License-Identifier: Apache-2.0
#include "sim/net_command/topology_options.h"

#include "models/arb_request/explain.h"
#include "models/common/error.h"
#include "sim/common/program.h"
#include "sim/net_command/graph_file.h"
#include "sim/network/topologies/dragonfly.h"
#include "sim/network/topologies/mesh.h"
#include "tb/arb_request/rtl_sizes.h"
#include "tb/harness/plant.h"

#include "arb_request_plants.h"

namespace odonata::cli {

using arb_request::Mesh;
using network::Config;

namespace {

int router_at(const Mesh& mesh, const std::string& text) {
  const std::vector<int> coordinates = parse_numbers("--at", text, 0, 254);
  if (static_cast<int>(coordinates.size()) != mesh.dimensions()) {
    throw Error("--at " + text + ": expected " + std::to_string(mesh.dimensions()) + " coordinates");
  }
  int router = 0, stride = 1;
  for (int d = 0; d < mesh.dimensions(); ++d) {
    const int c = coordinates[static_cast<size_t>(d)];
    if (c >= mesh.radix(d)) throw Error("--at " + text + ": coordinate " + std::to_string(c) + " is outside 0.." + std::to_string(mesh.radix(d) - 1));
    router += c * stride;
    stride *= mesh.radix(d);
  }
  return router;
}

void apply_device(const RequestOptions& o, const Mesh& mesh, network::RequestParameters& requests) {
  if (o.device == "none") {
    if (!o.at.empty() || !o.plant.empty()) throw Error("--at and --plant belong to --device rtl");
    return;
  }
  if (o.at.empty()) throw Error("--device rtl needs --at x,y,..: the router whose requests it decides");
  requests.device_router = router_at(mesh, o.at);
  const int plant = cosim::plant_number(cosim::planted_arb_request::kPlants, o.plant);
  const arb_request::PortSize size = cosim::arb_rtl_size(mesh.dimensions());
  requests.device = [size, plant] {
    return cosim::make_rtl<cosim::ArbLogicBlock>(cosim::rtl_parameters(size), plant != 0 ? cosim::RtlVariant::debug : cosim::RtlVariant::fast, plant);
  };
}

}  // namespace

std::vector<int> parse_numbers(const std::string& option, const std::string& text, uint64_t low, uint64_t high) {
  std::vector<int> out;
  for (size_t from = 0; from <= text.size();) {
    const size_t to = std::min(text.find(',', from), text.size());
    out.push_back(static_cast<int>(parse_number(option, text.substr(from, to - from), low, high)));
    from = to + 1;
  }
  return out;
}

std::shared_ptr<const network::Topology> TopologyOptions::make(const DragonflyOptions& dragonfly) const {
  if (!topology.empty() && !mesh.empty()) throw Error("--topology and --mesh: expected one of them");
  if (topology.ends_with(".json")) return read_graph(topology);
  if (!topology.empty()) return network::make_topology(topology);
  if (!mesh.empty()) return network::make_topology("mesh:" + mesh);
  return std::make_shared<network::DragonflyTopology>(dragonfly.make());
}

void RequestOptions::apply(Config& config) const {
  network::RequestParameters& r = config.requests;
  r.reuse = reuse == "empty" ? network::VcReuse::empty : reuse == "tail" ? network::VcReuse::tail : network::VcReuse::own;
  r.equal_escape = escape == "equal";
  r.selection = arb_request::policy_from_name(selection);
  if (const auto* mesh = dynamic_cast<const network::MeshTopology*>(config.topology.get())) apply_device(*this, mesh->mesh(), r);
}

void add_topology_options(CLI::App& command, TopologyOptions& o) {
  std::string kinds;
  for (const network::TopologyKind& k : network::known_topologies()) {
    kinds += (kinds.empty() ? "" : "; ") + (k.parse != nullptr ? k.name + ":" : "") + k.argument + " (" + k.text + ")";
  }
  command.add_option("--topology", o.topology, "the network: " + kinds + "; default the dragonfly of --size")->type_name("KIND:SIZE|FILE");
  command.add_option("--mesh", o.mesh, "the same as --topology mesh:KxK..")->type_name("KxK..");
}

void add_request_options(CLI::App& command, RequestOptions& o) {
  constexpr const char* kGroup = "Routings that ask in every cycle (docs/mesh.md)";
  add_choice(command, "--vc-reuse", o.reuse, {"own", "empty", "tail"},
             "a virtual channel takes the next packet when it is empty, or once the tail is in it; own: dbra and d2ra empty, others tail")
      ->group(kGroup);
  add_choice(command, "--escape", o.escape, {"last", "equal"},
             "duato, dyxy, footprint: the escape channel is a last resort, or drawn like any other channel")
      ->group(kGroup);
  add_choice(command, "--selection", o.selection, {"round-robin", "random", "most-credits"}, "among outputs that the algorithm treats alike")
      ->group(kGroup);
  constexpr const char* kLoop = "RTL in the loop";
  add_choice(command, "--device", o.device, {"none", "rtl"},
             "the Verilated request logic (dragonfly: route compute) decides at router --at, in lockstep")
      ->group(kLoop);
  command.add_option("--at", o.at, "coordinates of that router; dragonfly: GROUP.ROUTER or GROUP.ROUTER.PORT")->type_name("X,Y..")->group(kLoop);
  command.add_option("--plant", o.plant, "a planted bug in that RTL; the run has to stop")->type_name("NAME")->group(kLoop);
}

Json network_head(const Config& config) {
  Json out = {{"command", "net"}, {"command_line", command_line()}};
  out["topology"] = {{"kind", config.topology->kind()}, {"name", config.topology->name()}, {"nodes", config.topology->nodes()}};
  if (const auto* d = dynamic_cast<const network::DragonflyTopology*>(config.topology.get())) out["dragonfly"] = to_json(d->dragonfly());
  if (const auto* m = dynamic_cast<const network::MeshTopology*>(config.topology.get())) out["mesh"] = m->mesh().name();
  out["vcs"] = config.router.vcs;
  out["packet"] = config.router.lengths;
  for (const network::LinkClass& l : config.links) out["links"][l.name] = {{"latency", l.latency}, {"buffer", l.buffer}};
  return out;
}

}  // namespace odonata::cli
