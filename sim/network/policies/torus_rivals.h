// SPDX-License-Identifier: Apache-2.0
// What the fault-tolerant routings of a torus are compared with (docs/torus.md §12): minimal adaptive routing over an
// e-cube escape (Duato 1993), and up*/down* (Autonet) on the routers that live. Faults of the start.
#pragma once

#include <array>
#include <bit>
#include <string>
#include <vector>

#include "models/topology/graph.h"
#include "models/torus/route.h"
#include "sim/network/policy.h"
#include "sim/network/topologies/torus.h"

namespace odonata::network {

/// Any productive port on virtual channel 2, else e-cube on 0 and 1 (its dateline classes), which may be left again. A
/// packet that has no productive port left is dropped. With faults a blocked escape breaks the guarantee.
class TorusDuato {
 public:
  static constexpr int kVcs = 3;
  static constexpr int kMaxVcs = 4;
  static constexpr bool kAsks = true;
  static constexpr bool kMonitors = false;
  static constexpr bool kDrops = true;
  static constexpr bool kPieces = true;

  TorusDuato(const Context& context, int domain);
  void begin_cycle(uint32_t) {}
  template <class Outputs>
  Ask ask(const Flit& flit, const Place& at, const Outputs& outputs) const {
    const Ways ways = ways_of(first_ + at.router, static_cast<int>(flit.dest));
    if (ways.arrived) return {kNodePort, 0};
    if (ways.productive == 0) return {Ask::kDrop, 0};
    const int need = cut_through_ ? flit.length : 1;
    Ask best;
    int most = need - 1;
    for (uint32_t left = ways.productive; left != 0; left &= left - 1) {
      const int port = std::countr_zero(left);
      if (outputs.held(port, kAdaptive) || outputs.credits(port, kAdaptive) <= most) continue;
      most = outputs.credits(port, kAdaptive);
      best = {static_cast<uint8_t>(port), kAdaptive};
    }
    if (best.port != Ask::kNothing || ways.escape_port > 3) return best;
    if (outputs.held(ways.escape_port, ways.escape_vc) || outputs.credits(ways.escape_port, ways.escape_vc) < need)
      return {};
    return {ways.escape_port, ways.escape_vc};
  }
  void granted(const Flit&, int, int, int, int) {}
  void idle(int, int, int) {}
  uint64_t possible(int router, uint32_t dest) const {
    return ways_of(first_ + router, static_cast<int>(dest)).productive;
  }
  std::string describe_wait(int router, int port, int vc, uint32_t dest, int out_port) const;
  template <class Visit>
  void visit_state(Visit&&) {}
  size_t bytes() const { return blocked_.size() + points_.size() * 2; }

 private:
  static constexpr int kNodePort = 4;
  static constexpr uint8_t kAdaptive = 2;
  struct Ways {
    bool arrived = false;
    uint8_t productive = 0;                    // bit p: port p is free and leads nearer
    uint8_t escape_port = 255, escape_vc = 0;  // 255: blocked
  };
  Ways ways_of(int node, int dest) const;

  Torus torus_;
  int first_;             // router of the domain
  torus::Ground ground_;  // without walls
  bool cut_through_;
  std::vector<std::array<uint8_t, 2>> points_;  // coordinates, by node
  std::vector<uint8_t> blocked_;                // ports, by node
};

/// The live routers of a torus, links as far as both ends and the link itself live, as a graph whose nodes are the
/// routers. Throws Error when they do not hang together.
Graph live_graph(const Config& config);

/// One virtual channel, or several as many networks on the same links.
class TorusUpDown {
 public:
  static constexpr int kVcs = 1;
  static constexpr int kMaxVcs = 8;
  static constexpr bool kAsks = false;
  static constexpr bool kMonitors = false;
  static constexpr bool kPieces = true;

  TorusUpDown(const Context& context, int domain);
  void begin_cycle(uint32_t) {}
  Route route(const Flit& flit, const Place& at) const {
    const auto input = static_cast<size_t>(first_ * (kNodePort + 1)) + at.input;
    const uint8_t port = ports_[came_down_[input]][static_cast<size_t>(at.router) * nodes_ + flit.dest];
    return {port, port == kNodePort ? uint8_t{0} : static_cast<uint8_t>(at.vc)};
  }
  /// No link up after a link down.
  bool order_kept(const Channel& in, const Channel& out) const;
  std::string describe_wait(int router, int port, int vc, uint32_t dest, int out_port) const;
  template <class Visit>
  void visit_state(Visit&&) {}
  size_t bytes() const { return ports_[0].size() * 2 + came_down_.size(); }

 private:
  static constexpr int kNodePort = 4;
  size_t index(int router, int port) const { return static_cast<size_t>(router * (kNodePort + 1) + port); }

  Torus torus_;
  int first_, routers_;  // of the domain
  size_t nodes_;
  std::vector<uint8_t> ports_[2];   // [came down][router][destination]
  std::vector<uint8_t> came_down_;  // by input port of the torus
};

}  // namespace odonata::network
