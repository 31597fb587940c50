// SPDX-License-Identifier: Apache-2.0
// What the tables promise: every choice that they allow leads to the destination, in at most six hops, with four
// virtual channels, over live links only, and the channel dependency graph has no cycle. Walks all options, not one
// path.
#pragma once

#include <string>
#include <vector>

#include "models/fault/plane_network.h"
#include "models/route_compute/dependency.h"

namespace odonata::fault {

/// What the tables of all routers do with packets, pair by pair of routers.
struct VerifyReport {
  uint64_t pairs = 0;              ///< ordered pairs of live routers looked at
  uint64_t lossy_pairs = 0;        ///< *lost on the way*: some choice that the tables allow never arrives
  uint64_t lost_pairs = 0;         ///< pairs whose source has no option: nothing is sent. Of these
  uint64_t refused_pairs = 0;      ///< *refused though reachable*: there is a live path of some shape
  uint64_t unreachable_pairs = 0;  ///< *unreachable*: there is none
  uint64_t broken_promises =
      0;                ///< mode safe: lost pairs although the condition holds and a path of the allowed shapes is live
  uint64_t states = 0;  ///< (router, input port, VC, side) that packets can be in
  uint64_t dead_ends = 0, stale_options = 0, vc_overflows = 0, long_paths = 0, loops = 0;
  int max_hops = 0, max_vc = 0;
  bool condition = true;           ///< any two live routers of every group are within two live local hops
  bool cyclic = false;             ///< channel dependency graph of the current tables
  std::vector<std::string> words;  ///< the first violations, a path each
  /// No violation: nothing is lost on the way. What is refused at the source is no violation unless mode safe has
  /// promised a way.
  bool ok() const { return lossy_pairs + dead_ends == 0 && keeps_promise(); }
  /// What mode safe promises (docs/fault.md §7.4): the same, but where the condition does not hold packets for a router
  /// that is out of reach of its mates may be lost in their group.
  bool keeps_promise() const {
    return (condition ? lossy_pairs + dead_ends : 0) + stale_options + vc_overflows + long_paths + loops +
                   broken_promises ==
               0 &&
           !cyclic;
  }
};

/// Walks every choice that the tables allow, from every source to every destination.
class Verifier {
 public:
  Verifier(const Dragonfly& d, Mode mode, const table::ConfigurationPolicy& policy = {});
  /// Looks at every destination router, or at every `stride`-th one (for big networks), and all sources.
  VerifyReport check(const FaultPlaneNetwork& network, int stride = 1);
  /// Another virtual-channel rule than the router's, for negative controls.
  void set_vc_rule(route_compute::VcRule rule) { vc_rule_ = std::move(rule); }
  /// Another configuration of an entry than the router's, for negative controls: what a wrong table would hold.
  void plant_row(int router, const RowConfig& config) {
    rows_[static_cast<size_t>(router) * num_rows(d_) + row_of_entry(d_, config.id)] = config;
  }

 private:
  struct State {
    int router, port, vc;
    bool transit;
  };
  int index_of(const State& s) const { return ((s.router * d_.num_ports() + s.port) * 4 + s.vc) * 2 + s.transit; }
  struct End {
    int router = -1, port = -1;
  };
  const End& peer(int router, int port) const { return peers_[static_cast<size_t>(router) * d_.num_ports() + port]; }
  int visit(const State& s);
  /// Returns whether every choice behind the option arrives.
  bool follow(const State& s, int out, int& longest);
  Options options(const State& s) const;
  void start(int source);
  void walk_longest(State s);
  State next_state(const State& s, int out) const;
  void complain(const std::string& what);
  void add_edge(const State& s, int out, int vc);
  void look_for_cycle();
  bool promised(int source) const;
  bool condition_holds() const;
  bool near(RouterId r, int bid, int hops) const;
  void find_parts();

  Dragonfly d_;
  Mode mode_;
  std::vector<RowConfig> rows_;
  std::vector<End> peers_;  ///< by router and port: the other end of a link
  const FaultPlaneNetwork* network_ = nullptr;
  VerifyReport report_;
  RouterId to_;
  route_compute::VcRule vc_rule_ = route_compute::next_vc;
  std::vector<int8_t> memo_;    ///< by state: longest way to go, -1 unknown, kOpen on the way
  std::vector<uint8_t> lossy_;  ///< by state: some choice from here on never arrives
  std::vector<int> part_;       ///< by router: connected part of the live network
  std::vector<int> touched_;    ///< states to clear
  std::vector<State> path_;
  std::vector<std::vector<int>> next_;  ///< edges of the channel dependency graph
  std::vector<uint64_t> seen_edge_;     ///< per channel: (output port, VC) already listed; 64 ports x 4 VCs
};

}  // namespace odonata::fault
