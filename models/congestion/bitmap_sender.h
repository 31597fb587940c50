// SPDX-License-Identifier: Apache-2.0
// Bitmap sender of one router, cycle by cycle (docs/congestion.md §3; DOAR §3.1).
#pragma once

#include <cstdint>

#include "models/congestion/bitmap_sender_pins.h"
#include "models/congestion/frame.h"

namespace odonata::congestion {

/// Whether an interval counter (8 bits) is in the last cycle of its interval; interval 0 never ends.
inline bool interval_ends(int count, int interval) { return interval != 0 && count + 1 >= interval; }

/// One sender of `local_ports` ports.
class BitmapSender {
 public:
  explicit BitmapSender(int local_ports) : all_((local_ports >= 32 ? 0 : 1u << local_ports) - 1) {}
  /// One rising edge: samples `in`, afterwards out() shows the pins.
  void step(const SenderInputs& in);
  const SenderOutputs& out() const { return out_; }
  int count() const { return count_; }
  uint32_t pending() const { return pending_; }
  bool phase() const { return phase_; }

 private:
  uint32_t all_;
  SenderInputs r0_;
  int count_ = 0;
  uint16_t latched_ = 0;
  bool phase_ = false;  // of what is latched
  uint8_t crc_ = 0;
  uint32_t pending_ = 0;
  SenderOutputs out_;
};

}  // namespace odonata::congestion
