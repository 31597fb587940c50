// SPDX-License-Identifier: Apache-2.0
#include "sim/network/simulation.h"

#include <algorithm>
#include <functional>

#include "models/common/error.h"
#include "sim/network/exchange.h"
#include "sim/network/parameters.h"
#include "sim/network/routing.h"

namespace odonata::network {

namespace {

/// Throws Error on every rank when they do not run the same, or something that watches one process is asked for.
void check_ranks(const Config& config) {
  if (config.exchange == nullptr) return;
  check_equal(*config.exchange, "settings",
              describe_text(config) + "balance=" + std::to_string(config.balance) +
                  "\nwatched ports=" + std::to_string(config.taps.size()));
  if (config.watch != nullptr) {
    throw Error("a watch on every packet: only in a run of one process, this one has " +
                std::to_string(config.exchange->ranks()) + " ranks");
  }
}

/// One domain a thread of all ranks at least; a watch sees the packets in the order of a single one.
int domains_of(const Config& config) {
  if (config.watch != nullptr) return 1;
  auto threads = static_cast<uint64_t>(config.threads);
  if (config.exchange != nullptr) {
    config.exchange->largest({&threads, 1});
    threads *= static_cast<uint64_t>(config.exchange->ranks());
  }
  return std::max({config.domains, config.topology->domains(), static_cast<int>(threads)});
}

}  // namespace

std::unique_ptr<Simulation> make_simulation(const Config& config) {
  const Routing& routing = find_routing(config);
  Config full = config;
  full.router.vcs = virtual_channels(config);
  if (full.trace) {
    for (const traffic::TracePacket& p : full.trace->packets)
      full.router.lengths = {std::max<int>(full.router.packet_flits(), p.flits)};
  }
  check_parts(full);
  full.check();
  check_ranks(full);
  full.domains = domains_of(full);
  return routing.make(full);
}

Result simulate(Simulation& simulation, const std::function<bool(uint64_t)>& go_on) {
  bool interrupted = false;
  while (!interrupted && simulation.advance()) interrupted = go_on && !go_on(simulation.now());
  Result out = simulation.result();
  out.interrupted = interrupted;
  return out;
}

Result simulate(const Config& config) { return simulate(*make_simulation(config)); }

}  // namespace odonata::network
