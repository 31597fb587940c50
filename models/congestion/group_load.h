// SPDX-License-Identifier: Apache-2.0
// Legal traffic for the congestion plane of a group: packets on every monitored port, queues in front of the links,
// credits that come back after a round trip and a queue.
#pragma once

#include <cstdint>
#include <vector>

#include "models/common/random.h"
#include "models/congestion/group_plane.h"

namespace odonata::congestion {

/// What a group carries.
struct LoadConfig {
  double load = 1.0;  ///< flits a cycle and port, 0..1
  /// The same for each port, at [router * num_ports + port], instead of `load`; empty: every port carries `load`.
  std::vector<double> port_load = {};
  int packet_flits = 1;  ///< flits of a packet, 1..10
  int burst =
      1;  ///< 1 to so many packets are granted two a cycle; those that the link cannot take yet wait in the output FIFO
  int local_round_trip = 22;  ///< cycles from a departure to the earliest credit
  int global_round_trip = 202;
  /// Share of the global ports that are hot at a time; a hot port gives credits back at `hot_rate` of its speed.
  double hot_share = 0.25;
  double local_hot_share = 0;  ///< the same for local ports
  double hot_rate = 0.5;
  int hot_cycles = 2000;  ///< how long the same ports stay hot
  uint64_t seed = 1;
};

/// Makes the events of all routers, cycle by cycle. Never sends without a credit.
class GroupLoad {
 public:
  GroupLoad(const Dragonfly& d, const PlaneConfig& plane, const LoadConfig& config);
  /// The events of the next cycle, one entry a router.
  const RouterEvents* next();

 private:
  /// Packets in the output FIFO, then credits that wait for their time: a FIFO a port, of (due time, virtual channel).
  struct Port {
    std::vector<uint32_t> due;  // time << 2 | vc, a power of two long
    uint32_t head = 0, departed = 0, tail = 0;
    uint16_t free[kNumVcs] = {};
    uint8_t flits_left = 0;
    uint16_t burst = 0;           // packets to be granted
    uint64_t send_threshold = 0;  // probability of a burst in a free cycle, times 2^32
    uint16_t credit_debt = 0;     // 1/256 of a credit that a hot port may give back
    bool hot = false;
  };
  void step_port(int r, int port, Port& p);
  void grant(RouterEvents& e, PortMap bit, int vc, Port& p) const;
  void step_link(RouterEvents& e, int port, Port& p) const;
  void step_credits(RouterEvents& e, PortMap bit, Port& p) const;
  void choose_hot_ports();

  Dragonfly dragonfly_;
  LoadConfig config_;
  int64_t now_ = 0;
  Random random_;
  std::vector<Port> ports_;
  std::vector<RouterEvents> events_;
};

}  // namespace odonata::congestion
