// SPDX-License-Identifier: Apache-2.0
// `odonata net`: the options of a run as a network::Config, and a result as JSON; `odonata sweep` uses both.
#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/common/options.h"
#include "sim/common/output.h"
#include "sim/net_command/topology_options.h"
#include "sim/network/simulation.h"

namespace odonata::cli {

/// The options that determine a run.
struct NetOptions {
  DragonflyOptions dragonfly{.size = "paper", .parameters = "", .arrangement = ""};
  std::string routing, route_compute = "ideal", traffic = "ur", switching, neighbours = "spread", minimal_router = "printed";
  double load = 0.4;
  std::optional<int> bias;  // empty: the routing's own
  uint64_t seed = 1, warmup = 30'000, cycles = 10'000, drain = 10'000, threads = 1, watchdog = 20'000, timeline = 0;
  uint64_t vcs = 0, phases = 0, fifo = 0, packet = 1, depth = 8;
  std::string mix;  ///< "1,5,8" in the place of packet
  uint64_t node_buffer = 32, local_buffer = 32, global_buffer = 256, local_latency = 0, global_latency = 100;
  uint64_t interval = 10, pcs = 30, local_threshold = 10, global_threshold = 30, local_window = 0, global_window = 0;
  TopologyOptions topology;
  RequestOptions requests;
  std::vector<std::string> fail, repair;
  std::string mode = "safe", recovery = "per_entry";
  uint64_t fail_at = 0, repair_at = 0;
  bool pipelined = false, live_traffic = false;
  bool no_local_window = false, no_global_window = false, allow_cycles = false;

  /// Throws Error.
  network::Config make() const;

 private:
  void set_links(network::Config& config) const;
};
void add_net_options(CLI::App& command, NetOptions& options);

/// The numbers of a result with the keys of docs/network.md §6.
Json to_json(const network::Config& config, const network::Result& result);

}  // namespace odonata::cli
