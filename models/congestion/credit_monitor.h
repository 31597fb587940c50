// SPDX-License-Identifier: Apache-2.0
// Credit monitor of one output port, cycle by cycle (docs/congestion.md §2; DOAR §3.1; history window: Won et al.,
// HPCA'15).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "models/congestion/credit_monitor_pins.h"

namespace odonata::congestion {

inline constexpr int kNumVcs = 4;         ///< virtual channels of a link
inline constexpr int kMaxCapacity = 256;  ///< packet slots of a virtual channel
inline constexpr int kMaxWindow = 512;    ///< cycles

/// Credits in use of a virtual channel.
inline int vc_in_use(const MonitorOutputs& out, int vc) { return static_cast<int>(out.in_use >> (9 * vc) & 511); }

/// Sizes that the hardware fixes when it is built; smaller ones make proofs and corner cases small.
struct MonitorLimits {
  int num_vcs = kNumVcs;
  int max_capacity = kMaxCapacity;
  int max_window = kMaxWindow;
  int per_cycle =
      1;  ///< packets and credits of a virtual channel in a cycle at most, 1 or 2: bits of a channel at the pins
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
  /// Slots of a virtual channel and cycles of the window that count: what the pins ask for, as far as it is there.
  int capacity() const { return std::min<int>(r0_.capacity, limits_.max_capacity); }
  int window() const { return std::min<int>(r0_.window, limits_.max_window); }

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
