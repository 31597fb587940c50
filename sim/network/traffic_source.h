// SPDX-License-Identifier: Apache-2.0
// Who creates packets, when and where to. A source queue takes no memory: a node's process depends on nothing but its
// own random numbers, so the packets that wait in it are made when they are injected (docs/network.md §3, which says
// what tries to inject have to do with it).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "models/common/random.h"
#include "sim/network/config.h"
#include "sim/network/wiring.h"

namespace odonata::network {

/// Cycles from one packet to the next of a Bernoulli process with probability q a cycle: k with probability (1-q)^(k-1)
/// q. No floating-point logarithm, so that every machine draws the same numbers.
class GeometricGap {
 public:
  explicit GeometricGap(double probability);
  /// At least 1; kNever when the probability is 0.
  [[gnu::always_inline]] uint32_t draw(Random& random) const {
    if (never_) return kNever;
    uint32_t gap = 1;
    uint64_t u = random.next() >> 1;
    while (u < more_[kSteps]) {  // more than kSteps cycles: what follows is the same process again
      gap += kSteps;
      if (gap > kNever / 2) return kNever;
      u = random.next() >> 1;
    }
    uint32_t below = least_[u >> kLeastShift];  // more_ falls; the gap is the number of steps that u is below
    while (u < more_[below + 1]) ++below;
    return gap + below;
  }
  static constexpr uint32_t kNever = std::numeric_limits<uint32_t>::max() / 2;

 private:
  static constexpr uint32_t kSteps = 64;
  static constexpr int kLeastShift = 63 - 8;
  bool never_;
  std::array<uint64_t, kSteps + 1> more_{};  // (1-q)^i in units of 2^-63
  std::array<uint8_t, 256> least_{};  // by the upper 8 of u's 63 bits: steps that any such u is below, beside more_[0]
};

/// The random numbers of a node's process.
inline Random random_of_node(uint64_t seed, uint64_t node) { return Random(mix_seed(seed, 0x6E6F6465, node)); }

/// A packet that a node has created.
struct Packet {
  uint32_t born = 0;  ///< cycle of creation; kNever: the node creates no more
  uint32_t dest = 0;  ///< packed address
  uint8_t flits = 1;
};

/// When the nodes are behind a dead link or router.
class Outages {
 public:
  Outages() = default;
  Outages(const Config& config, const Wiring& wiring);
  bool none() const { return nodes_.empty(); }
  bool contains(uint32_t address, uint32_t cycle) const;

 private:
  struct Node {
    uint32_t address = 0;
    std::vector<uint32_t> changes;  // dead from the first to the second, from the third to the fourth ..
  };
  std::vector<Node> nodes_;  // in order of the address
};

/// The packets of a trace, by node number, in order.
std::vector<std::vector<Packet>> packets_by_node(const traffic::PacketTrace& trace,
                                                 const std::vector<uint32_t>& addresses);

/// Bernoulli processes on all nodes with the destinations of a pattern, or a trace. Read-only and shared; the state of
/// a node is its Random and its last packet. A Pattern has `int destination(int node, Random&) const`, on numbers of
/// nodes.
template <class Pattern>
class PatternSource {
 public:
  PatternSource(const Config& config, const Wiring& wiring, Pattern pattern)
      : pattern_(std::move(pattern)),
        gap_(config.load / mean(config.router.lengths)),
        flits_(static_cast<uint8_t>(config.router.lengths.front())),
        mixed_(config.router.lengths.size() > 1),
        lengths_(config.router.lengths.begin(), config.router.lengths.end()),
        outages_(config.faults.live_traffic ? Outages(config, wiring) : Outages()),
        end_(config.warmup + config.sample + config.drain),
        addresses_(wiring.addresses()) {
    if (config.trace) trace_ = packets_by_node(*config.trace, addresses_);
    plain_ = outages_.none() && trace_.empty() && !mixed_;
  }
  /// The packet after one that was created in cycle `before`; `before` = -1 cast to unsigned for the first.
  [[gnu::always_inline]] Packet next(uint32_t node, uint32_t before, Random& random) const {
    if (plain_) [[likely]]
      return next_of_pattern(node, before, random);
    Random copy = random;  // only its address leaves the caller's registers
    const Packet out = outages_.none() ? next_of_all(node, before, copy) : next_for_the_living(node, before, copy);
    random = copy;
    return out;
  }
  /// The nodes' packed addresses, by number.
  const std::vector<uint32_t>& addresses() const { return addresses_; }
  static constexpr uint32_t kLast =
      std::numeric_limits<uint32_t>::max() / 2;  ///< no packet is created in this cycle or later

 private:
  static double mean(const std::vector<int>& lengths) {
    return std::accumulate(lengths.begin(), lengths.end(), 0.0) / static_cast<double>(lengths.size());
  }
  [[gnu::always_inline]] Packet next_of_pattern(uint32_t node, uint32_t before, Random& random) const {
    const uint32_t gap = gap_.draw(random);
    if (before + 1 + gap >= kLast) [[unlikely]]  // also GeometricGap::kNever
      return {kLast, 0, 1};
    return {before + gap, addresses_[static_cast<size_t>(pattern_.destination(static_cast<int>(node), random))],
            flits_};
  }
  [[gnu::noinline]] Packet next_of_all(uint32_t node, uint32_t before, Random& random) const {
    if (!trace_.empty()) return next_of_trace(trace_[node], before + 1);
    Packet out = next_of_pattern(node, before, random);
    if (mixed_ && out.born != kLast) out.flits = lengths_[random.below(static_cast<uint32_t>(lengths_.size()))];
    return out;
  }
  [[gnu::noinline]] Packet next_for_the_living(uint32_t node, uint32_t before, Random& random) const {
    Packet p = next_of_all(node, before, random);
    while (p.born <= end_ && outages_.contains(p.dest, p.born)) p = next_of_all(node, p.born, random);
    return p;
  }
  /// The first packet from cycle `from` on.
  [[gnu::noinline]] static Packet next_of_trace(const std::vector<Packet>& list, uint32_t from) {
    const auto found = std::lower_bound(list.begin(), list.end(), from,
                                        [](const Packet& p, uint32_t cycle) { return p.born < cycle; });
    return found == list.end() ? Packet{kLast, 0, 1} : *found;
  }

  Pattern pattern_;
  GeometricGap gap_;
  uint8_t flits_;
  bool mixed_;  // packets have one of `lengths_`
  bool plain_;  // packets of one length by the pattern, to whomever it says
  std::vector<uint8_t> lengths_;
  Outages outages_;                         // without Config::faults.live_traffic none
  uint64_t end_;                            // of the run, at the latest
  std::vector<uint32_t> addresses_;         // by node number
  std::vector<std::vector<Packet>> trace_;  // by node number, in order; empty: the pattern
};

}  // namespace odonata::network
