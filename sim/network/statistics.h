// SPDX-License-Identifier: Apache-2.0
// What one domain counts; sums over the domains make the result.
#pragma once

#include <cstdint>

#include "sim/network/flit.h"
#include "sim/network/result.h"

namespace odonata::network {

/// A number that identifies a flit, for sums that find losses, duplicates and exchanges.
inline uint64_t hash_of(const Flit& f) {
  uint64_t x =
      (static_cast<uint64_t>(f.source) << 40 | static_cast<uint64_t>(f.dest) << 20 | f.index) * 0x9E3779B97F4A7C15ull;
  x = (x ^ x >> 31) + f.born;  // number and addresses do not fall together
  x = (x ^ x >> 29) * 0xBF58476D1CE4E5B9ull;
  return x ^ x >> 32;
}

static_assert(kMaxHops == Flit::kManyHops);

/// Of a delivery. Cycle and hops count as often as the hash says: a packet a cycle earlier and another one a cycle
/// later do not make up for each other in a sum.
inline uint64_t digest_of(uint64_t hash, uint32_t cycle, uint8_t hops) {
  return hash * ((uint64_t{cycle} << 8) + hops + 1);
}

struct Statistics {
  LatencyHistogram latency;
  std::array<uint64_t, kMaxHops + 1> hops{};
  uint64_t injected = 0, delivered = 0, lost = 0, unroutable = 0, lost_in_routers = 0, misdelivered = 0;  // packets
  uint64_t poison_made = 0, poison_gone = 0;  // poisoned tails
  uint64_t injected_flits = 0, delivered_flits = 0, lost_flits = 0;
  uint64_t injected_sum = 0, delivered_sum = 0, lost_sum = 0;  // hashes of flits
  uint64_t sample_injected = 0, sample_finished = 0;           // packets created in the sample
  uint64_t sample_flits = 0;                                   // of those that were injected
  uint64_t accepted_flits = 0;                                 // delivered in the sample
  uint64_t digest = 0;
  uint64_t flit_hops = 0;
  uint64_t latency_sum =
      0;  // of all delivered packets; less the cycles in which the packets of programs below have entered
  uint64_t program_packets = 0;  // of programs, inside the network

  /// `hash`: hash_of(f).
  [[gnu::always_inline]] void delivered_packet(const Flit& f, uint64_t hash, uint32_t cycle, bool sampled) {
    const uint32_t latency_now = cycle - f.born - kUncountedCycles;
    ++delivered;
    latency_sum += latency_now;
    digest += digest_of(hash, cycle, f.hops);
    if (!sampled) return;
    ++sample_finished;
    latency.add(latency_now);
    ++hops[f.hops < kMaxHops ? f.hops : kMaxHops];
  }
  template <class Visit>
  void visit_state(Visit&& visit) {
    latency.visit_state(visit);
    for (uint64_t& h : hops) visit(h);
    for (uint64_t* n : {&injected,        &delivered,      &lost,           &unroutable,     &lost_in_routers,
                        &misdelivered,    &poison_made,    &poison_gone,    &injected_flits, &delivered_flits,
                        &lost_flits,      &injected_sum,   &delivered_sum,  &lost_sum,       &sample_injected,
                        &sample_finished, &sample_flits,   &accepted_flits, &digest,         &flit_hops,
                        &latency_sum,     &program_packets}) {
      visit(*n);
    }
  }
};

}  // namespace odonata::network
