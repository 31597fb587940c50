// SPDX-License-Identifier: Apache-2.0
// The configuration registers and counters of a router's congestion plane (docs/congestion.md §6).
#pragma once

#include <array>
#include <cstdint>

#include "models/congestion/bitmap_collector.h"
#include "models/congestion/congestion_plane_registers.h"
#include "models/congestion/credit_monitor.h"
#include "models/topology/dragonfly.h"

namespace odonata::congestion {

/// The registers of one router.
class Registers {
 public:
  explicit Registers(const Dragonfly& d) : dragonfly_(d) { reset(); }
  void reset();
  /// Whether an operation on word address `word_address` (byte address / 8) is refused: no such word, read-only,
  /// undefined bit, out of range.
  bool refused(bool write, uint32_t word_address, uint64_t data) const;
  uint64_t read(uint32_t word_address) const;
  /// Performs a write that refused() allows.
  void write(uint32_t word_address, uint64_t data);

  int own_bid() const { return static_cast<int>(router_id_); }
  uint8_t interval() const { return static_cast<uint8_t>(interval_); }
  bool alternate() const { return interval_ >> 8 & 1; }
  bool stale_enable() const { return stale_ >> 8 & 1; }
  uint8_t stale_limit() const { return static_cast<uint8_t>(stale_); }
  const std::array<uint8_t, kMaxLocalPorts>& neighbours() const { return neighbour_; }
  uint32_t& counter(int k) { return counters_[k]; }
  uint32_t counter(int k) const { return counters_[k]; }
  /// The configuration pins of a local or a global port's monitor.
  void fill(MonitorInputs& in, bool global) const;

 private:
  Dragonfly dragonfly_;
  uint64_t router_id_ = 0, interval_ = 0, window_ = 0, threshold_ = 0, capacity_ = 0, stale_ = 0;
  std::array<uint8_t, kMaxLocalPorts> neighbour_{};
  std::array<uint32_t, reg::kNumCounters> counters_{};
};

}  // namespace odonata::congestion
