// SPDX-License-Identifier: Apache-2.0
// What the cross-checks of all networks have in common: the two sides, their traffic, and the run (docs/crosscheck.md
// §2).
#pragma once

#include <functional>
#include <systemc>
#include <utility>
#include <vector>

#include "hw/fabric/traffic.h"
#include "sim/network/config.h"
#include "sim/network/packet_watch.h"
#include "sim/network/topology.h"
#include "sim/network/traffic_source.h"
#include "tb/network/own_route_units.h"
#include "tb/network/packet_ways.h"

namespace odonata::cosim {

/// The steps of the SystemC network.
class SystemcSide final : public fabric::Observer {
 public:
  explicit SystemcSide(uint32_t end) : ways(end) {}
  void granted(const fabric::Flit& f, int64_t cycle, int router, int in_port, int in_vc, int out_port, int out_vc,
               int credits) override;
  void delivered(const fabric::Flit& f, int64_t cycle) override;
  void lost(const fabric::Flit& f, int64_t cycle) override;
  Ways ways;
};

/// The packets of the engine's traffic: only the processes of the nodes are shared with it.
template <class EngineSource>
class SharedTraffic final : public fabric::Source {
 public:
  SharedTraffic(const network::Config& c, EngineSource source)
      : source_(std::move(source)), vcs_(static_cast<uint32_t>(c.router.vcs)) {
    for (int n = 0; n < c.topology->nodes(); ++n)
      random_.push_back(network::random_of_node(c.seed, static_cast<uint64_t>(n)));
  }
  Packet next(int node, uint32_t before) override {
    const network::Packet p = source_.next(static_cast<uint32_t>(node), before, random_[static_cast<size_t>(node)]);
    return {p.born, p.dest, p.flits};
  }
  int first_vc(int node) override { return static_cast<int>(random_[static_cast<size_t>(node)].below(vcs_)); }

 private:
  EngineSource source_;
  uint32_t vcs_;
  std::vector<Random> random_;
};

/// What draws the random faults of a run.
inline Random random_of_faults(const network::Config& c) { return Random(mix_seed(c.seed, 0x6661756C74)); }

/// Runs a SystemC network for so many cycles, or to the first wrong answer of somebody else's units; true: `go_on` has
/// interrupted it.
template <class Network>
bool run_cycles(const Network& network, const sc_core::sc_time& period, uint64_t cycles,
                const std::function<bool(double)>& go_on, const OwnRouteAnswers& answers) {
  while (network.cycle() < static_cast<int64_t>(cycles) && answers.difference.empty()) {
    sc_core::sc_start(period * 100);
    if (!go_on(static_cast<double>(network.cycle()) / static_cast<double>(cycles))) return true;
  }
  return false;
}

/// Runs the engine and then the SystemC network that `run` makes and runs: run(observer, go_on) returns whether it was
/// interrupted. What units of somebody else have answered then is in `answers`; a wrong answer is the only difference
/// that is told.
using SystemcRun = std::function<bool(SystemcSide& observer, const std::function<bool(double)>& go_on)>;
CrossCheckResult crosscheck_ways(network::Config& config, uint64_t cycles, const WayNames& names,
                                 const std::function<bool(double)>& go_on, const SystemcRun& run,
                                 const OwnRouteAnswers& answers);

}  // namespace odonata::cosim
