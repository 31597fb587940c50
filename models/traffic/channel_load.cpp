// SPDX-License-Identifier: Apache-2.0
#include "models/traffic/channel_load.h"

#include <algorithm>
#include <cstring>

namespace odonata::traffic {

NetworkLoad::NetworkLoad(const Pattern& pattern, double load)
    : pattern_(&pattern), d_(pattern.dragonfly()), load_(load), excess_from_(d_.g()), excess_to_(d_.g()) {
  if (!(load >= 0 && load <= 1))
    throw Error("load " + std::to_string(load) + " is out of range, expected 0..1 flits a cycle and node");
  flow_ = pattern.group_flows();
  for (int s = 0; s < d_.g(); ++s) {
    for (int t = 0; t < d_.g(); ++t) {
      const double more = excess(s, t);
      excess_from_[s] += more;
      excess_to_[t] += more;
    }
  }
}

std::vector<int> NetworkLoad::groups_at(int gid, int bid) const {
  std::vector<int> out;
  for (int i = 0; i < d_.h(); ++i) {
    const int group = d_.group_of_port(gid, bid * d_.h() + i);
    if (group >= 0) out.push_back(group);
  }
  return out;
}

ChannelLoad NetworkLoad::global_channel(int gid, int to) const {
  const double own = excess(gid, to);
  return {offered(gid, to), per_detour(excess_from_[gid] - own) + per_detour(excess_to_[to] - own)};
}

/// Local channel from `own` to router `to`, before its own spill.
ChannelLoad NetworkLoad::local_channel(RouterId own, int to) const {
  const int gid = own.gid;
  const NodeRange here = nodes_of(d_, own), there = nodes_of(d_, {gid, to});
  const std::vector<int> behind_here = groups_at(gid, own.bid), behind_there = groups_at(gid, to);
  ChannelLoad out{load_ * pattern_->flow(here, there), 0};
  for (int t : behind_there) out.minimal += load_ * pattern_->flow(here, nodes_of_group(d_, t)) * kept(gid, t);
  for (int u : behind_here) {
    out.minimal += load_ * pattern_->flow(nodes_of_group(d_, u), there) * kept(u, gid);
    out.spilled += per_detour(excess_to_[gid] - excess(u, gid)) / d_.a();
    for (int t : behind_there) out.spilled += t == u ? 0 : per_detour(excess(u, t));
  }
  // The own nodes' share of the group's excess leaves through every other router alike.
  out.spilled += per_detour(excess_from_[gid]) / d_.a() * static_cast<double>(behind_there.size());
  return out;
}

RouterLoad NetworkLoad::router(RouterId own) const {
  RouterLoad out;
  out.port.resize(d_.num_ports());
  out.global.resize(d_.group_ports());
  for (int n = 0; n < d_.p(); ++n) {
    const int node = d_.node_index({own.gid, own.bid, n});
    out.port[n].minimal = load_ * pattern_->flow(all_nodes(d_), {node, node + 1});
  }
  double spill = 0;
  for (int port = d_.first_local(); port < d_.first_global(); ++port) {
    out.port[port] = local_channel(own, d_.neighbour(own.bid, port));
    const double over = std::max(0.0, out.port[port].total() - 1);
    if (d_.a() > 2) {
      spill += over / (d_.a() - 2);
      out.port[port].spilled -= over / (d_.a() - 2);  // not to itself
    }
  }
  for (int port = d_.first_local(); port < d_.first_global(); ++port) {
    out.port[port].spilled = std::max(0.0, out.port[port].spilled + spill);
  }
  for (int j = 0; j < d_.group_ports(); ++j) {
    const int to = d_.group_of_port(own.gid, j);
    if (to >= 0) out.global[j] = global_channel(own.gid, to);
  }
  for (int i = 0; i < d_.h(); ++i) out.port[d_.global_port(i)] = out.global[own.bid * d_.h() + i];
  return out;
}

CongestionModel::CongestionModel(const NetworkLoad& network, RouterId own, uint64_t seed,
                                 const CongestionOptions& options)
    : d_(network.dragonfly()),
      own_(own),
      options_(options),
      random_(seed),
      lanes_(kGlobal + (d_.group_ports() + 63) / 64 * 64),
      pool_(kPool) {
  const RouterLoad load = network.router(own);
  for (int port = 0; port < d_.first_global(); ++port) {
    set_lane(port, load.port[port], options.local_threshold, options.local_capacity, port >= d_.first_local());
  }
  for (int j = 0; j < d_.group_ports(); ++j) {
    set_lane(kGlobal + j, load.global[j], options.global_threshold, options.global_capacity, true);
    if (d_.group_of_port(own.gid, j) < 0) always_.global.set(j);
  }
  for (size_t i = 0; i < pool_.size(); i += 4) {
    const uint64_t word = random_.next();
    for (int k = 0; k < 4; ++k) pool_[i + k] = static_cast<uint16_t>(word >> (16 * k));
  }
  for (int k = 0; k < 64; ++k) step();  // into its steady state
}

void CongestionModel::set_lane(int lane, const ChannelLoad& load, int threshold, int capacity, bool elastic) {
  const auto probability = [](double rate) { return static_cast<uint16_t>(std::clamp(rate / 2, 0.0, 1.0) * 65535); };
  rate_[lane] = probability(load.total());
  rate_congested_[lane] = probability(elastic ? load.spilled : load.total());
  threshold_[lane] = static_cast<uint16_t>(threshold);
  capacity_[lane] = static_cast<uint16_t>(capacity);
}

void CongestionModel::set_failed(PortMap own_ports, const GroupMap& group_ports) {
  failed_.local = own_ports;
  failed_.global = group_ports;
  failed_.global.put(own_.bid * d_.h(), d_.h(),
                     static_cast<uint32_t>(own_ports >> d_.first_global() & low_mask(d_.h())));
  map_.local |= failed_.local;
  map_.global = map_.global | failed_.global;
}

namespace {

/// The queues of n lanes (a multiple of 64) over one interval; plain restricted pointers, so that the compiler makes
/// vector code of it.
void advance_queues(int n, const uint16_t* __restrict first, const uint16_t* __restrict second, uint16_t mask,
                    uint16_t burst, const uint16_t* __restrict rate_free, const uint16_t* __restrict rate_congested,
                    const uint16_t* __restrict threshold, const uint16_t* __restrict capacity,
                    uint16_t* __restrict queue, uint8_t* __restrict congested) {
  for (int i = 0; i < n; ++i) {
    // Both rates are loaded before the choice: a choice between two loads would become one gathered load.
    const uint16_t q = queue[i], free = rate_free[i], spilled = rate_congested[i], keep = q > threshold[i] ? 0xFFFF : 0;
    const uint16_t rate = static_cast<uint16_t>((spilled & keep) | (free & ~keep));
    const uint16_t one = static_cast<uint16_t>(first[i] ^ mask) < rate ? burst : uint16_t{0};
    const uint16_t two = static_cast<uint16_t>(second[i] ^ mask) < rate ? burst : uint16_t{0};
    const uint16_t filled = std::min(static_cast<uint16_t>(q + one + two), capacity[i]);
    const uint16_t left = static_cast<uint16_t>(std::max(filled, burst) - burst);
    queue[i] = left;
    congested[i] = left > threshold[i] ? 1 : 0;
  }
}

}  // namespace

void CongestionModel::step() {
  const uint64_t draw = random_.next();
  const uint16_t* first = &pool_[(draw >> 16) % (kPool - kLanes)];
  const uint16_t* second = &pool_[(draw >> 40) % (kPool - kLanes)];
  alignas(64) std::array<uint8_t, kLanes> congested;
  advance_queues(lanes_, first, second, static_cast<uint16_t>(draw), static_cast<uint16_t>(options_.interval),
                 rate_.data(), rate_congested_.data(), threshold_.data(), capacity_.data(), queue_.data(),
                 congested.data());
  std::array<uint64_t, kLanes / 64> words{};
  for (int i = 0; i < lanes_; i += 8) {
    uint64_t bytes = 0;
    std::memcpy(&bytes, &congested[i], sizeof(bytes));
    words[i / 64] |= (bytes * 0x0102040810204080ull >> 56) << (i % 64);
  }
  publish(words.data());
}

void CongestionModel::publish(const uint64_t* words) {
  for (int w = 0; w < GroupMap::kWords; ++w) {
    map_.global.word[w] = words[1 + w] | always_.global.word[w] | failed_.global.word[w];
  }
  const uint64_t own_global = map_.global.field(own_.bid * d_.h(), d_.h());
  map_.local = words[0] | own_global << d_.first_global() | failed_.local;
}

}  // namespace odonata::traffic
