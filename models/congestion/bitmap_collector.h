// SPDX-License-Identifier: Apache-2.0
// Bitmap collector of one router with its broadcast ring, cycle by cycle (docs/congestion.md §5; DOAR §3.1, Fig. 5).
#pragma once

#include <array>
#include <cstdint>

#include "models/common/bits.h"
#include "models/congestion/bitmap_collector_pins.h"
#include "models/congestion/frame.h"
#include "models/topology/dragonfly.h"

namespace odonata::congestion {

inline constexpr int kMaxRingStops = 64;
inline constexpr int kMaxLocalPorts = kMaxRoutersPerGroup - 1;

static_assert(std::tuple_size_v<decltype(CollectorOutputs::map)> == kMaxRingStops);

/// One collector: a routers in the group, h global ports a router, `ring_stops` maps.
class BitmapCollector {
 public:
  BitmapCollector(int a, int h, int ring_stops);
  /// One rising edge: samples `in`, afterwards out() shows the pins.
  void step(const CollectorInputs& in);
  const CollectorOutputs& out() const { return out_; }
  int slot() const { return slot_; }
  /// Bit k: the last edge has changed a map at ring stop k.
  uint64_t changed() const { return changed_; }

 private:
  /// What goes round the ring: a router's H congested and H busy bits.
  struct Word {
    bool valid = false;
    uint8_t bid = 0;
    uint16_t bits = 0, busy = 0;
  };
  void reset();
  void move_ring(const Word& word);
  Word slot_word() const;
  void store_frames();
  void refresh_stale();

  int a_, h_, ring_stops_;
  CollectorInputs r0_;
  std::array<uint16_t, kMaxLocalPorts> latest_{}, latest_busy_{};
  std::array<uint8_t, kMaxLocalPorts> silent_{};
  int count_ = 0, slot_ = 0;
  std::array<Word, kMaxRingStops> ring_{};  // ring_[k] is the input of stop k
  CollectorOutputs out_;
  uint64_t changed_ = 0;
};

}  // namespace odonata::congestion
