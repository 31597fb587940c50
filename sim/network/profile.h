// SPDX-License-Identifier: Apache-2.0
// Where the time of a domain goes, for benchmarks. A policy with a static member `profile` makes the engine tell it
// what it does next; without one nothing is compiled (docs/network.md §10).
#pragma once

#include <array>
#include <chrono>
#include <cstdint>

namespace odonata::network {

/// What a domain does, one thing after the other.
enum class Part : uint8_t {
  injection,  ///< creates packets, puts them into the node ports, decides their first route
  arrival,    ///< writes flits into buffers, decides the routes of heads
  requests,   ///< switch: every input port chooses a VC
  grants,     ///< switch: every output port chooses an input, flits go onto their links, the next head is routed
  credits,    ///< credits arrive and are sent
  plane,      ///< the cycle of the congestion plane (counting sends and departures belongs to the grants)
  window,     ///< messages between domains, prefetching, everything between the cycles
};
inline constexpr int kParts = 7;
inline constexpr std::array<const char*, kParts> kPartNames{
    "injection with route", "arrival with route", "requests", "grants", "credits",
    "congestion plane",     "windows and mail"};

/// Ticks by part, of one thread. A reading of the clock takes some 20 cycles, a tenth of a flit-hop.
class Profile {
 public:
  [[gnu::always_inline]] void enter(Part part) {
    const uint64_t now = clock();
    ticks_[static_cast<size_t>(part_)] += now - since_;
    part_ = part;
    since_ = now;
  }
  /// Starts anew, in `window`.
  void clear() {
    ticks_ = {};
    part_ = Part::window;
    since_ = clock();
  }
  /// The part's share of all ticks, 0..1.
  double share(int part) const {
    uint64_t sum = 0;
    for (uint64_t t : ticks_) sum += t;
    return sum == 0 ? 0 : static_cast<double>(ticks_[static_cast<size_t>(part)]) / static_cast<double>(sum);
  }

 private:
  static uint64_t clock() {
#ifdef __x86_64__
    return __builtin_ia32_rdtsc();
#else
    return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
  }
  std::array<uint64_t, kParts> ticks_{};
  Part part_ = Part::window;
  uint64_t since_ = clock();
};

}  // namespace odonata::network
