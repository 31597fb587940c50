// SPDX-License-Identifier: Apache-2.0
// The congestion that a traffic pattern produces around one router: a small queue model of its group.
//
// Offered load. Every node offers `load` flits a cycle to the destinations of its pattern; every channel carries one
// flit a cycle. Minimal paths give each global channel s -> t its offered load. What exceeds one flit a cycle takes
// non-minimal paths, as DOAR sends it: evenly through all other groups, so it loads a global channel of the source
// group, a local hop and a global channel of the intermediate group, and a local hop of the destination group. A local
// channel above its capacity spills evenly over the other local channels (the detour).
//
// Queues. Each channel is a discrete-time queue, advanced by one interval of `interval` cycles (10: the longest packet
// and the time between two congestion broadcasts). In an interval two packets of `interval` flits may arrive, each with
// half the offered probability (Bernoulli); `interval` flits are served; what exceeds the capacity is lost. While a
// channel reads as congested its minimal traffic goes elsewhere and only spilled traffic arrives, so that an overloaded
// channel hovers around its threshold. Node ports (ejection) have no such way out. A channel is congested when its
// queue exceeds the threshold. Failed and uncabled ports always are. The model answers "what do the maps look like",
// not "what is the latency": the network engine does that.
#pragma once

#include <algorithm>

#include "models/route_compute/decide.h"
#include "models/traffic/pattern.h"

namespace odonata::traffic {

/// Load of a channel in flits a cycle.
struct ChannelLoad {
  double minimal = 0;
  double spilled = 0;
  double total() const { return minimal + spilled; }
};

/// What the channels of one router and the global channels of its group are offered.
struct RouterLoad {
  std::vector<ChannelLoad> port;    ///< by physical port; the global ones are repeated in `global`
  std::vector<ChannelLoad> global;  ///< by group-wide global port; uncabled ones carry nothing
};

/// Offered load of the channels of a whole network; knows the flows between all groups.
class NetworkLoad {
 public:
  /// `load` in flits a cycle and node; 0..1, else Error.
  NetworkLoad(const Pattern& pattern, double load);
  NetworkLoad(Pattern&& gone, double load) = delete;  ///< the pattern is kept by reference
  RouterLoad router(RouterId own) const;
  double load() const { return load_; }
  const Dragonfly& dragonfly() const { return d_; }

 private:
  double offered(int from, int to) const { return load_ * flow_[static_cast<size_t>(from) * d_.g() + to]; }
  double excess(int from, int to) const { return from == to ? 0 : std::max(0.0, offered(from, to) - 1); }
  double kept(int from, int to) const { return offered(from, to) <= 1 ? 1 : 1 / offered(from, to); }
  double per_detour(double load) const { return d_.g() > 2 ? load / (d_.g() - 2) : 0; }
  std::vector<int> groups_at(int gid, int bid) const;
  ChannelLoad global_channel(int gid, int to) const;
  ChannelLoad local_channel(RouterId own, int to) const;

  const Pattern* pattern_;
  Dragonfly d_;
  double load_;
  std::vector<float> flow_;
  std::vector<double> excess_from_, excess_to_;  // by group
};

struct CongestionOptions {
  int local_threshold = 10;   ///< flits; ports towards nodes and routers of the group
  int global_threshold = 30;  ///< flits
  int local_capacity = 32;    ///< flits
  int global_capacity = 64;   ///< flits
  int interval = 10;          ///< cycles of one step()
};

/// The queues of the model and the congestion maps that follow from them.
class CongestionModel {
 public:
  CongestionModel(const NetworkLoad& network, RouterId own, uint64_t seed, const CongestionOptions& options = {});
  /// One interval. About 0.2 us at full size.
  void step();
  const route_compute::Congestion& map() const { return map_; }
  /// Own ports and group-wide ports that read as congested whatever their queue. An own global port is marked in both
  /// maps.
  void set_failed(PortMap own_ports, const GroupMap& group_ports);

 private:
  static constexpr int kGlobal = 64;  // lanes 0..63: physical ports; from 64: group-wide ports
  static constexpr int kLanes = kGlobal + 64 * GroupMap::kWords;
  static constexpr int kPool = 8192;
  using Lanes = std::array<uint16_t, kLanes>;

  void set_lane(int lane, const ChannelLoad& load, int threshold, int capacity, bool elastic);
  void publish(const uint64_t* words);

  Dragonfly d_;
  RouterId own_;
  CongestionOptions options_;
  Random random_;
  int lanes_;  // in use, a multiple of 64
  alignas(64) Lanes queue_{}, threshold_{}, capacity_{}, rate_{},
      rate_congested_{};        // rates: probability of one arrival, times 65536
  std::vector<uint16_t> pool_;  // random numbers, used again with changing offset and mask
  route_compute::Congestion map_, always_, failed_;
};

}  // namespace odonata::traffic
