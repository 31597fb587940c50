// SPDX-License-Identifier: Apache-2.0
// Bitmap collector of one router with its broadcast ring, cycle by cycle (docs/congestion.md §5; DOAR §3.1, Fig. 5).
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "models/common/bits.h"
#include "models/congestion/frame.h"
#include "models/topology/dragonfly.h"

namespace odonata::congestion {

inline constexpr int kMaxRingStops = 64;
inline constexpr int kMaxLocalPorts = kMaxRoutersPerGroup - 1;

/// The input pins of one cycle. `bits` and `crc` of local port k without a frame are don't care.
struct CollectorInputs {
  bool reset = false;  ///< rst_ni == 0
  bool stale_enable = false;
  uint8_t stale_limit = 0;  ///< intervals; 0 counts as 1
  uint8_t interval = 0;     ///< cycles; 0: never
  uint8_t own_bid = 0;      ///< 5 bits
  uint16_t own_bits = 0;    ///< H bits
  uint32_t valid = 0;       ///< A-1 bits: a frame arrives at local port k
  uint32_t failed = 0;      ///< A-1 bits: local port k has failed
  std::array<uint16_t, kMaxLocalPorts> bits{};
  std::array<uint8_t, kMaxLocalPorts> crc{};
  std::array<uint8_t, kMaxLocalPorts> neighbour{};  ///< 5 bits each: bid of the router at local port k
};

/// The output pins after an edge. No padding, so that two can be compared as memory; maps beyond the last stop stay 0.
struct CollectorOutputs {
  std::array<GroupMap, kMaxRingStops> map{};  ///< cong_global_i of the route-compute unit at port k
  uint32_t good = 0;                          ///< A-1 bits, pulses: frame taken
  uint32_t bad = 0;                           ///< A-1 bits, pulses: wrong CRC, dropped
  uint32_t stale = 0;                         ///< A-1 bits: silent neighbour treated as congested
  uint32_t spare[5] = {};
  bool operator==(const CollectorOutputs& o) const { return std::memcmp(this, &o, sizeof o) == 0; }
};
static_assert(sizeof(CollectorOutputs) == kMaxRingStops * 64 + 32);

/// One collector: a routers in the group, h global ports a router, `ring_stops` maps.
class BitmapCollector {
 public:
  BitmapCollector(int a, int h, int ring_stops);
  /// One rising edge: samples `in`, afterwards out() shows the pins.
  void step(const CollectorInputs& in);
  const CollectorOutputs& out() const { return out_; }
  int slot() const { return slot_; }

 private:
  /// What goes round the ring: a router's H bits.
  struct Word {
    bool valid = false;
    uint8_t bid = 0;
    uint16_t bits = 0;
  };
  void reset();
  void move_ring(const Word& word);
  Word slot_word() const;
  void store_frames();
  void refresh_stale();

  int a_, h_, ring_stops_;
  CollectorInputs r0_;
  std::array<uint16_t, kMaxLocalPorts> latest_{};
  std::array<uint8_t, kMaxLocalPorts> silent_{};
  int count_ = 0, slot_ = 0;
  std::array<Word, kMaxRingStops> ring_{};  // ring_[k] is the input of stop k
  CollectorOutputs out_;
};

}  // namespace odonata::congestion
