// SPDX-License-Identifier: Apache-2.0
#include "sim/network/mesh_options.h"

#include "models/arb_request/explain.h"
#include "models/common/error.h"
#include "sim/common/options.h"
#include "sim/common/program.h"
#include "sim/network/policies/mesh_common.h"
#include "tb/arb_request/rtl_device.h"
#include "tb/harness/plant.h"

#include "arb_request_plants.h"

namespace odonata::cli {

using arb_request::Mesh;
using network::Config;

namespace {

/// The numbers of "1,5,8".
std::vector<int> numbers(const std::string& option, const std::string& text, uint64_t low, uint64_t high) {
  std::vector<int> out;
  for (size_t from = 0; from <= text.size();) {
    const size_t to = std::min(text.find(',', from), text.size());
    out.push_back(static_cast<int>(parse_number(option, text.substr(from, to - from), low, high)));
    from = to + 1;
  }
  return out;
}

int router_at(const Mesh& mesh, const std::string& text) {
  const std::vector<int> coordinates = numbers("--at", text, 0, 254);
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

void apply_device(const MeshOptions& o, const Mesh& mesh, network::MeshConfig& config) {
  if (o.device == "none") {
    if (!o.at.empty() || !o.plant.empty()) throw Error("--at and --plant belong to --device rtl");
    return;
  }
  if (o.at.empty()) throw Error("--device rtl needs --at x,y,..: the router whose requests it decides");
  config.device_router = router_at(mesh, o.at);
  const int plant = cosim::plant_number(cosim::planted_arb_request::kPlants, o.plant);
  const arb_request::PortSize size = cosim::arb_rtl_size(mesh.dimensions());
  config.device = [size, plant] { return cosim::make_arb_logic_rtl(size, plant != 0 ? cosim::RtlVariant::debug : cosim::RtlVariant::fast, plant); };
}

}  // namespace

void MeshOptions::apply(Config& config, int packet) const {
  const Mesh built = Mesh::parse(mesh);
  network::MeshConfig& m = config.mesh;
  for (int d = 0; d < built.dimensions(); ++d) m.radix.push_back(built.radix(d));
  m.depth = static_cast<int>(depth);
  m.lengths = mix.empty() ? std::vector<int>{packet} : numbers("--packet-mix", mix, 1, 64);
  m.reuse = reuse == "empty" ? network::VcReuse::empty : reuse == "tail" ? network::VcReuse::tail : network::VcReuse::own;
  m.equal_escape = escape == "equal";
  m.selection = arb_request::policy_from_name(selection);
  if (config.traffic == "ur") config.traffic = "uniform";
  if (config.traffic.starts_with("trace:")) {
    m.trace = std::make_shared<traffic::PacketTrace>(traffic::decode(read_text(config.traffic.substr(6))));
    config.warmup = 0;
    config.sample = std::max(1u, m.trace->cycles());
  }
  apply_device(*this, built, m);
}

void add_mesh_options(CLI::App& command, MeshOptions& o) {
  std::string names;
  for (const network::MeshRoutingInfo& i : network::kMeshRoutings) names += (names.empty() ? "" : "|") + std::string(i.name);
  constexpr const char* kGroup = "Mesh (docs/mesh.md)";
  command
      .add_option("--mesh", o.mesh,
                  "a mesh in the place of the dragonfly, such as 8x8 or 4x4x4; --routing is one of " + names +
                      "; --traffic uniform|transpose|shuffle|tornado|neighbor|randperm|bitcomp|bitrev|trace:FILE")
      ->type_name("KxK..")
      ->group(kGroup);
  add_number(command, "--depth", o.depth, "flits of a virtual channel's buffer", 1, 32'768)->group(kGroup);
  command.add_option("--packet-mix", o.mix, "lengths of packets, each equally likely, such as 1,5,8; else --packet")
      ->type_name("N,N..")
      ->group(kGroup);
  add_choice(command, "--vc-reuse", o.reuse, {"own", "empty", "tail"},
             "a virtual channel takes the next packet when it is empty, or once the tail is in it; own: dbra and d2ra empty, others tail")
      ->group(kGroup);
  add_choice(command, "--escape", o.escape, {"last", "equal"},
             "duato, dyxy, footprint: the escape channel is a last resort, or drawn like any other channel")
      ->group(kGroup);
  add_choice(command, "--selection", o.selection, {"round-robin", "random", "most-credits"}, "among outputs that the algorithm treats alike")
      ->group(kGroup);
  add_choice(command, "--device", o.device, {"none", "rtl"},
             "the Verilated request logic (dragonfly: route compute) decides at router --at, in lockstep")
      ->group(kGroup);
  command.add_option("--at", o.at, "coordinates of that router; dragonfly: GROUP.ROUTER or GROUP.ROUTER.PORT")->type_name("X,Y..")->group(kGroup);
  command.add_option("--plant", o.plant, "a planted bug in that RTL; the run has to stop")->type_name("NAME")->group(kGroup);
}

Json mesh_head(const Config& config) {
  return {{"command", "net"},         {"command_line", command_line()}, {"mesh", Mesh(config.mesh.radix).name()},
          {"vcs", config.router.vcs}, {"depth", config.mesh.depth},     {"packet", config.mesh.lengths}};
}

std::string network_name(const Config& config) {
  return config.mesh.radix.empty() ? config.dragonfly.name() : "mesh " + Mesh(config.mesh.radix).name();
}

int network_nodes(const Config& config) { return config.mesh.radix.empty() ? config.dragonfly.num_nodes() : Mesh(config.mesh.radix).routers(); }

}  // namespace odonata::cli
