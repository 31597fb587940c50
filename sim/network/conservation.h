// SPDX-License-Identifier: Apache-2.0
// What entered the network has left it or is in it: the sums of a run, and when they agree (docs/network.md §6).
#pragma once

#include <cstdint>

namespace odonata::network {

/// Sums over domains and ranks that only a result needs. Checksums are over the names of packets.
struct Tally {
  uint64_t injected_flits = 0, gone_flits = 0, sums = 0, misdelivered = 0, injected = 0;
  uint64_t poison = 0;                 ///< poisoned tails made and not gone
  uint64_t age = 0;                    ///< latencies and ages of the packets of the sample
  uint64_t offered = 0, accepted = 0;  ///< flits
  uint64_t bad_channels = 0, cpu_ns = 0;
};

/// What lies inside the network: packets count where their tail is.
struct Inside {
  uint64_t flits = 0, packets = 0, sum = 0;
  uint64_t poison = 0;  ///< poisoned tails, which are no flits
  uint64_t age = 0;     ///< of the packets of the sample, cycles since their creation
};

/// Nothing is lost without being counted, nothing is twice, nothing stands where it may not; `slots_kept`: behind every
/// output free slots, flits and credits under way are the buffer.
inline bool conserved(const Tally& t, const Inside& in, uint64_t delivered, uint64_t lost, bool slots_kept) {
  const bool packets = t.injected == delivered + lost + in.packets && t.sums == in.sum && t.misdelivered == 0;
  const bool flits = t.injected_flits == t.gone_flits + in.flits && t.poison == in.poison;
  return packets && flits && slots_kept && t.bad_channels == 0;
}

}  // namespace odonata::network
