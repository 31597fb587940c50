// SPDX-License-Identifier: Apache-2.0
// Bitmap sender of one router, cycle by cycle (docs/congestion.md §3; DOAR §3.1).
#pragma once

#include <cstdint>
#include <cstring>

#include "models/congestion/frame.h"

namespace odonata::congestion {

/// The input pins of one cycle.
struct SenderInputs {
  bool reset = false;      ///< rst_ni == 0
  uint8_t interval = 0;    ///< broadcast interval, cycles; 0: never
  uint8_t own_bid = 0;     ///< 5 bits
  uint16_t congested = 0;  ///< H bits: own global port i is congested
  uint32_t flit = 0;       ///< A-1 bits: a flit is offered to local port k
  uint32_t tail = 0;       ///< A-1 bits: with flit, it is a tail
};

/// The output pins after an edge. No padding, so that two can be compared as memory.
struct SenderOutputs {
  uint32_t valid = 0;   ///< A-1 bits: a frame leaves on local port k
  uint32_t idle = 0;    ///< A-1 bits: with valid, as an idle frame
  uint32_t stolen = 0;  ///< A-1 bits: with idle, in the slot of an offered flit
  uint16_t bits = 0;    ///< H bits, shared by all frames of the cycle
  uint8_t crc = 0;
  uint8_t latch = 0;  ///< pulse: a new bitmap was latched
  bool operator==(const SenderOutputs& o) const { return std::memcmp(this, &o, sizeof o) == 0; }
};
static_assert(sizeof(SenderOutputs) == 16);

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

 private:
  uint32_t all_;
  SenderInputs r0_;
  int count_ = 0;
  uint16_t latched_ = 0;
  uint8_t crc_ = 0;
  uint32_t pending_ = 0;
  SenderOutputs out_;
};

}  // namespace odonata::congestion
