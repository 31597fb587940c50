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
#include "sim/network/topology.h"

namespace odonata::network {

/// A run and the cycle in which it is saved.
struct SavedRun {
  std::string name;
  Config config;
  uint64_t cycle = 300;
};

/// Every policy that keeps a state, packets of one and of several flits, faults at run time, programs that send again.
inline std::vector<SavedRun> saved_runs() {
  std::vector<SavedRun> out;
  const auto add = [&out](const char* topology, const char* routing, int vcs, int flits, const char* fail) -> Config& {
    Config c(make_topology(topology));
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
    if (*fail != 0) {
      for (const fault::Fault& f : c.topology->parse_faults(fail, random, {}))
        c.faults.events.push_back({f, false, 200});
    }
    out.push_back({std::string(topology) + " " + routing, c});
    return out.back().config;
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
