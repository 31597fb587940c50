// SPDX-License-Identifier: Apache-2.0
// Digests of diverse runs of the network engine, one a line. A change that only makes the engine faster must not change
// them (docs/network.md §10).
//   network_digests [FILE]
// With FILE, what it printed once: prints the lines that differ and ends with 1 when there are any.
#include <fmt/format.h>

#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "models/common/random.h"
#include "sim/network/simulation.h"
#include "sim/network/topologies/dragonfly.h"
#include "sim/network/topologies/fat_tree.h"
#include "sim/network/topologies/mesh.h"
#include "sim/network/topologies/torus.h"

using namespace odonata;

namespace {

std::vector<std::string> lines{"# SPDX-License-Identifier: Apache-2.0"};

void show(const std::string& name, network::Config c, const std::function<void(network::Config&)>& change) {
  c.warmup = 500;
  c.sample = 1500;
  c.drain = 500;
  c.load = 0.5;
  change(c);
  const network::Result r = network::simulate(c);
  uint64_t decisions = 0;
  for (size_t i = 0; i < r.decisions.size(); ++i) decisions = decisions * 0x9E3779B97F4A7C15ull + r.decisions[i];
  lines.push_back(fmt::format(
      "{:34} digest {:016x} hops {:9} decisions {:016x} latency {:.6f} channels {:.6f} {:.6f} lost {} waiting {} {}",
      name, r.digest, r.flit_hops, decisions, r.latency.mean(), r.channel("local").max, r.channel("global").max, r.lost,
      r.waiting, r.conservation_ok ? "ok" : "NOT CONSERVED"));
}

network::Config tiny() { return network::on_dragonfly(Dragonfly::named("tiny")); }
network::Config paper() { return network::on_dragonfly(Dragonfly::named("paper")); }

void dragonflies() {
  for (const char* routing : {"min", "doar", "val", "ugal_l", "ugal_g", "par", "par_ph"}) {
    for (const char* traffic : {"ur", "adv+1"}) {
      show(fmt::format("tiny {} {}", routing, traffic), tiny(), [&](network::Config& c) {
        c.routing = routing;
        c.traffic = traffic;
        c.sample = 8000;
        c.load = 0.4;
      });
    }
    show(fmt::format("tiny {} 4 flits cut-through", routing), tiny(), [&](network::Config& c) {
      c.routing = routing;
      c.router.lengths = {4};
      c.sample = 8000;
    });
    show(fmt::format("tiny {} 5 flits wormhole", routing), tiny(), [&](network::Config& c) {
      c.routing = routing;
      c.router.lengths = {5};
      c.router.switching = network::Switching::wormhole;
      c.sample = 8000;
    });
  }
  for (const char* traffic : {"ur", "adv+1", "rp", "r_mixed_ua:0.3", "p_mixed_ur:0.5"}) {
    show(fmt::format("paper doar {}", traffic), paper(), [&](network::Config& c) { c.traffic = traffic; });
  }
  show("paper min overload, fifo 16", paper(), [](network::Config& c) {
    c.routing = "min";
    c.load = 1.0;
    c.router.output_fifo = 16;
  });
  show("paper doar 3 phases, shallow", paper(), [](network::Config& c) {
    c.load = 0.9;
    c.router.phases = 3;
    c.link("local").buffer = c.link("node").buffer = 5;
    c.link("global").buffer = 130;
  });
  show("paper doar 1 phase, 2 threads", paper(), [](network::Config& c) {
    c.router.phases = 1;
    c.threads = 2;
  });
  show("paper doar load 0.01", paper(), [](network::Config& c) { c.load = 0.01; });
  show("paper doar faults", paper(), [](network::Config& c) {
    c.load = 0.3;
    Random random(c.seed);
    for (const char* names : {"random-links:20", "random-routers:3"}) {
      for (const fault::Fault& f : c.topology->parse_faults(names, random, {}))
        c.faults.events.push_back({f, false, 600});
    }
  });
}

void meshes() {
  for (const char* routing : {"dor", "dbra", "d2ra", "dyxy_d2ra", "footprint_d2ra", "duato", "dyxy", "footprint",
                              "dbra_lowered", "mixed_dor"}) {
    for (int flits : {1, 5}) {
      for (double load : {0.3, 0.6}) {
        show(fmt::format("mesh 8x8 {} {} flits {}", routing, flits, load), network::on_mesh(arb_request::Mesh({8, 8})),
             [&](network::Config& c) {
               c.router.lengths = {flits};
               c.routing = routing;
               c.load = load;
               c.sample = 4000;
             });
      }
    }
  }
}

/// A network without domains of its own with faults from the start (cycle 0) or at run time, on one thread and on two:
/// one result.
void show_fabric(const network::Config& base, const char* routing, int flits, const char* fail, uint64_t cycle) {
  const auto change = [&](network::Config& c) {
    c.routing = routing;
    c.router.lengths = {flits};
    c.load = 0.3;
    c.sample = 4000;
    Random random(c.seed);
    for (const fault::Fault& f : c.topology->parse_faults(fail, random, {})) {
      if (cycle == 0) c.faults.standing.push_back(f);
      if (cycle != 0) c.faults.events.push_back({f, false, cycle});
    }
  };
  const std::string name = fmt::format("{} {} flits {}", base.topology->name(), routing, flits);
  show(name, base, change);
  const std::string one = lines.back();
  lines.pop_back();
  show(name, base, [&](network::Config& c) {
    change(c);
    c.threads = 2;
  });
  if (lines.back() != one) lines.back() += " AND NOT THE SAME ON ONE THREAD";
}

void fabrics() {
  const network::Config plane = network::on_torus(Torus::parse("8x8")),
                        space = network::on_torus(Torus::parse("4x4x4"));
  const network::Config tree = network::on_fat_tree(FatTree::parse("4,4,2,2"));
  for (const char* routing : {"torus_safe6", "torus_safe6_short", "ecube"})
    show_fabric(plane, routing, 8, "random-nodes:3", 1000);
  for (const int flits : {1, 8}) show_fabric(plane, "torus_adaptive", flits, "node:2,3", 0);
  for (const int flits : {1, 8}) show_fabric(space, "torus_boxes", flits, "node:1,1,1", 0);
  for (const char* routing : {"vtftr", "ft_a"}) show_fabric(tree, routing, 8, "leaf:1,2", 1000);
  for (const int flits : {1, 8}) show_fabric(tree, "vtftr_adaptive", flits, "random-links:4", 1000);
}

/// Prints the lines of now that are not those of the file; the exit code.
int compare(const std::string& path) {
  std::ifstream file(path);
  int others = 0;
  std::string before;
  for (const std::string& now : lines) {
    if (std::getline(file, before) && before == now) continue;
    fmt::print("{}\n", now);
    ++others;
  }
  while (std::getline(file, before)) ++others;
  fmt::print("{} of {} runs differ from {}\n", others, lines.size() - 1, path);
  return others == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  dragonflies();
  meshes();
  fabrics();
  if (argc > 1) return compare(argv[1]);
  for (const std::string& line : lines) fmt::print("{}\n", line);
  return 0;
}
