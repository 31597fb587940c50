// SPDX-License-Identifier: Apache-2.0
// Checkpoints with right checksums whose states are wrong: small networks of all kinds in the middle of a run, their
// states piece by piece, and files made of what has become of them.
#pragma once

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "models/workload/motif.h"
#include "sim/network/parameters.h"
#include "sim/network/simulation.h"
#include "sim/network/state_file.h"
#include "sim/network/topologies/graph.h"
#include "sim/network/topology.h"

namespace odonata::network {

/// A run and the cycle in which it is saved.
struct SavedRun {
  std::string name;
  Config config;
  uint64_t cycle = 300;
  size_t changes = 1200;  ///< bytes that the test of wrong states changes, about
};

/// Policies of every topology, packets of one and of several flits, faults and repairs at run time, programs that
/// send again, networks in pieces.
inline std::vector<SavedRun> saved_runs() {
  std::vector<SavedRun> out;
  const auto add_on = [&out](const std::string& name, Config c, const char* routing, int vcs, int flits,
                             const char* fail) -> Config& {
    c.routing = routing;
    c.router.vcs = vcs;
    c.router.lengths = {flits};
    for (LinkClass& l : c.links)
      l.buffer = l.in_packets ? 2 : 2 * flits, l.latency = std::min(l.latency, l.name == "global" ? 10 : 2);
    c.load = 0.4;
    c.warmup = 100;
    c.sample = 1'000'000;
    c.watchdog = 0;
    Random random(1);
    std::istringstream faults(fail);
    for (std::string one; std::getline(faults, one, ';');) {
      for (const fault::Fault& f : c.topology->parse_faults(one, random, {}))
        c.faults.events.push_back({f, false, 200});
    }
    out.push_back({name + " " + routing, c});
    return out.back().config;
  };
  const auto add = [&](const char* topology, const char* routing, int vcs, int flits, const char* fail) -> Config& {
    return add_on(topology, Config(make_topology(topology)), routing, vcs, flits, fail);
  };
  add("dragonfly:1,2,1,3", "min", 2, 1, "");
  add("dragonfly:1,2,1,3", "doar", 4, 1, "");
  add("dragonfly:1,2,1,3", "doar_stable", 4, 3, "local:G0.s0-G0.s1");
  add("dragonfly:1,2,1,3", "doar", 4, 1, "router:G1.s0").route_compute = RouteCompute::pipeline;
  add("dragonfly:1,2,1,3", "doar", 4, 1, "").route_compute = RouteCompute::arrival;
  Config& hardware = add("dragonfly:1,2,1,3", "doar", 4, 3, "local:G0.s0-G0.s1");
  hardware.route_compute = RouteCompute::arrival;
  for (LinkClass& l : hardware.links) l.buffer = 6;  // flits
  add("dragonfly:1,2,1,3", "par_ph", 5, 1, "");
  add("dragonfly:1,2,1,3", "tpr", 4, 2, "").interval = 10;
  add("mesh:3x3", "d2ra", 2, 2, "");
  add("mesh:3x3", "footprint", 2, 1, "");
  add("torus:4x4", "torus_safe6", 6, 2, "node:1,1");
  add("torus:4x4", "torus_adaptive", 6, 2, "");
  add("fat_tree:3x3x2x2", "vtftr", 2, 2, "leaf:1,1");
  add("fat_tree:3x3x2x2", "vtftr_adaptive", 2, 1, "random-links:1");
  Config& programs = add("dragonfly:1,2,1,3", "min", 2, 4, "");
  workload::Workload all;
  all.jobs = {workload::make_motif("halo3d:grid=3x2x1,bytes=2048,it=50")};
  programs.workload = std::make_shared<const workload::Workload>(std::move(all));
  programs.programs.resend = 60;
  programs.programs.eager_limit = 256;
  out.back().name += " programs";
  const auto motif = programs.workload;
  const size_t first = out.size();  // of those that are many
  const auto named = [&out](const char* name) { out.back().name += std::string(" ") + name; };
  const auto standing = [](Config& c, const char* faults) {
    Random random(1);
    c.faults.standing = c.topology->parse_faults(faults, random, {});
  };
  // Rivals of the dragonfly.
  for (const char* routing : {"val", "ugal_l", "ugal_g"}) add("dragonfly:1,2,1,3", routing, 4, 2, "");
  add("dragonfly:1,2,1,3", "par", 5, 2, "").interval = 20;
  add("dragonfly:1,2,1,3", "tpr", 4, 1, "");
  // Cabling with unused ports, recoveries, live traffic, faster fault planes.
  Config& back = add("dragonfly:2,3,2,4", "doar", 4, 2, "global:G0-G1;local:G1.s0-G1.s1");
  back.faults.live_traffic = true, back.faults.pipelined = true, back.faults.banks = 2, back.faults.poll_width = 3;
  back.faults.events.push_back({back.faults.events[0].fault, true, 260});
  named("back");
  Config& doar_programs = add("dragonfly:1,2,1,3", "doar", 4, 4, "local:G0.s0-G0.s1");
  doar_programs.workload = motif, doar_programs.programs.resend = 60, doar_programs.programs.eager_limit = 256;
  named("programs");
  // Meshes, whole and in pieces.
  for (const char* routing : {"dor", "dbra", "duato", "dyxy", "dyxy_d2ra", "footprint_d2ra"})
    add("mesh:3x3", routing, 2, 2, "").interval = 20;
  add("mesh:4x4", "d2ra", 2, 2, "").domains = 3;
  add("mesh:3x3", "duato", 3, 3, "").router.switching = Switching::wormhole;
  named("wormhole");
  // Tori.
  for (const char* routing : {"torus_safe6_ring", "torus_printed", "torus_up_down"})
    standing(add("torus:4x4", routing, 6, 2, ""), "link:1,1,x+");
  for (const char* routing : {"ecube", "torus_duato"}) standing(add("torus:4x4", routing, 3, 2, ""), "link:1,1,x+");
  standing(add("torus:4x4", "torus_safe4", 4, 2, ""), "node:1,1");
  add("torus:3x3x3", "torus_boxes", 10, 2, "");
  Config& live = add("torus:4x4", "torus_safe6", 6, 1, "node:1,1");
  live.route_compute = RouteCompute::arrival, live.domains = 2;
  named("arrival");
  // A graph.
  Graph::Parts ring;
  ring.name = "ring";
  for (int s = 0; s < 5; ++s) {
    ring.switches.push_back({"s" + std::to_string(s), 0});
    ring.nodes.push_back({"n" + std::to_string(s), s, static_cast<uint32_t>(s)});
    ring.links.push_back({s, (s + 1) % 5, 2});
  }
  add_on("ring", on_graph(Graph(ring)), "up_down", 2, 2, "");
  // Fat-trees.
  for (const char* routing : {"ft_a", "xy"}) add("fat_tree:3x3x2x2", routing, 2, 2, "leaf:1,1");
  add("fat_tree:3x3x2x2", "vtftr", 2, 1, "root:row,1,0").route_compute = RouteCompute::arrival;
  add("fat_tree:3x2x2x2x2", "vtftr_k", 3, 2, "leaf:1,1,1").domains = 2;
  add("fat_tree:3x3x2x2", "vtftr", 2, 4, "").workload = motif;
  named("programs");
  for (size_t i = first; i != out.size(); ++i) out[i].changes = 400;
  return out;
}

/// The states of a run as it is saved, a piece each: what all domains share, then domain by domain.
inline std::vector<std::string> states_of(const SavedRun& run) {
  const auto simulation = make_simulation(run.config);
  while (simulation->now() < run.cycle && simulation->advance()) {
  }
  std::stringstream file;
  simulation->save(file);
  CheckpointReader reader(file, describe_text(run.config));
  std::vector<std::string> out;
  for (uint64_t i = 0; i != reader.pieces(); ++i) out.push_back(reader.read(i).bytes());
  return out;
}

/// Makes files with right checksums of the states of a run; what has not changed is packed once.
class StatePacker {
 public:
  StatePacker(const SavedRun& run, const std::vector<std::string>& good)
      : description_(describe_text(run.config)), good_(good) {
    for (uint64_t i = 0; i != good_.size(); ++i) pieces_.push_back(pack(i, good_[i]));
  }
  std::string operator()(const std::vector<std::string>& states) const {
    std::ostringstream to;
    CheckpointWriter writer(to, description_, states.size());
    for (uint64_t i = 0; i != states.size(); ++i) writer.add({states[i] == good_[i] ? pieces_[i] : pack(i, states[i])});
    writer.finish();
    return to.str();
  }

 private:
  static Piece pack(uint64_t number, const std::string& bytes) {
    StateWriter state;
    state.raw(bytes);
    return pack_piece(number, state);
  }
  std::string description_;
  std::vector<std::string> good_;
  std::vector<Piece> pieces_;
};

}  // namespace odonata::network
