// SPDX-License-Identifier: Apache-2.0
// Credit monitor of one output port, cycle by cycle (docs/congestion.md §2; DOAR §3.1; history window: Won et al., HPCA'15).
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

namespace odonata::congestion {

inline constexpr int kNumVcs = 4;         ///< virtual channels of a link
inline constexpr int kMaxCapacity = 256;  ///< packet slots of a virtual channel
inline constexpr int kMaxWindow = 512;    ///< cycles

/// The input pins of one cycle.
struct MonitorInputs {
  bool reset = false;          ///< rst_ni == 0
  bool failed = false;         ///< the port has failed
  bool window_enable = false;  ///< take the window off
  bool departed = false;       ///< a packet leaves the output FIFO for the link
  uint8_t sent = 0;            ///< 4 bits: a packet is granted for VC v
  uint8_t credit = 0;          ///< 4 bits: a credit of VC v comes back
  uint16_t capacity = 0;       ///< 9 bits: slots of each VC, packets
  uint16_t window = 0;         ///< 10 bits: length of the history window, cycles
  uint16_t threshold = 0;      ///< 16 bits: packets
};

/// The output pins after an edge. No padding, so that two can be compared as memory.
struct MonitorOutputs {
  uint64_t in_use = 0;     ///< 4 x 9 bits, VC v at 9v
  uint16_t occupancy = 0;  ///< 11 bits, packets
  uint16_t window = 0;     ///< 10 bits, packets that departed inside the window
  uint16_t corrected = 0;  ///< 11 bits, packets
  uint8_t congested = 0;
  uint8_t underflow = 0;  ///< 4 bits: sent without a free slot
  uint8_t overflow = 0;   ///< 4 bits: credit although none in use
  uint8_t spare[7] = {};
  bool operator==(const MonitorOutputs& o) const { return std::memcmp(this, &o, sizeof o) == 0; }
  int vc_in_use(int vc) const { return static_cast<int>(in_use >> (9 * vc) & 511); }
};
static_assert(sizeof(MonitorOutputs) == 24);

/// Sizes that the hardware fixes when it is built; smaller ones make proofs and corner cases small.
struct MonitorLimits {
  int num_vcs = kNumVcs;
  int max_capacity = kMaxCapacity;
  int max_window = kMaxWindow;
};

/// One monitor.
class CreditMonitor {
 public:
  explicit CreditMonitor(MonitorLimits limits = {}) : limits_(limits) {}
  /// One rising edge: samples `in`, afterwards out() shows the pins.
  void step(const MonitorInputs& in);
  const MonitorOutputs& out() const { return out_; }
  /// The pins as the last edge sampled them (r0).
  const MonitorInputs& sampled() const { return r0_; }

 private:
  void rank2();
  void count_credits();
  void move_window();

  MonitorLimits limits_;
  MonitorInputs r0_;
  std::array<bool, kMaxWindow> history_{};  // departures
  int length_ = 0, pointer_ = 0, fill_ = 0;
  MonitorOutputs out_;
};

}  // namespace odonata::congestion
