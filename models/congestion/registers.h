// SPDX-License-Identifier: Apache-2.0
// The configuration registers and counters of a router's congestion plane (docs/congestion.md §6).
#pragma once

#include <array>
#include <cstdint>

#include "models/congestion/bitmap_collector.h"
#include "models/congestion/credit_monitor.h"
#include "models/topology/dragonfly.h"

namespace odonata::congestion {

/// Register map: byte addresses of 64-bit words. The RTL's package is checked against these numbers by a test.
namespace reg {
inline constexpr uint32_t kId = 0x000;
inline constexpr uint32_t kRouterId = 0x008;   // [4:0] bid
inline constexpr uint32_t kInterval = 0x010;   // [7:0] cycles
inline constexpr uint32_t kWindow = 0x018;     // [9:0] local, [16] enable; [41:32] global, [48] enable
inline constexpr uint32_t kThreshold = 0x020;  // [15:0] local, [31:16] global
inline constexpr uint32_t kCapacity = 0x028;   // [8:0] local, [24:16] global
inline constexpr uint32_t kStale = 0x030;      // [7:0] limit, [8] enable
inline constexpr uint32_t kSize = 0x038;       // P, A, H, RingStops
inline constexpr uint32_t kCounters = 0x040;
inline constexpr uint32_t kNeighbour = 0x100;  // + 8k, [4:0] bid
inline constexpr uint32_t kEnd = 0x8000;       ///< 12 bits of word address, as in route compute
inline constexpr uint64_t kIdValue = 0x1'4F44'4347ull;
inline constexpr uint64_t kIntervalReset = 10;
inline constexpr uint64_t kWindowReset = 1ull << 48 | 200ull << 32 | 1ull << 16 | 20;
inline constexpr uint64_t kThresholdReset = 30ull << 16 | 10;
inline constexpr uint64_t kCapacityReset = 256ull << 16 | 32;
inline constexpr uint64_t kStaleReset = 1ull << 8 | 8;
/// Counters of 32 bits.
enum Counter { kFramesInTails, kIdleFrames, kStolenSlots, kGoodFrames, kBadFrames, kUnderflows, kOverflows, kNumCounters };
}  // namespace reg

/// The registers of one router.
class Registers {
 public:
  explicit Registers(const Dragonfly& d) : dragonfly_(d) { reset(); }
  void reset();
  /// Whether an operation on word address `word_address` (byte address / 8) is refused: no such word, read-only, undefined bit, out of range.
  bool refused(bool write, uint32_t word_address, uint64_t data) const;
  uint64_t read(uint32_t word_address) const;
  /// Performs a write that refused() allows.
  void write(uint32_t word_address, uint64_t data);

  int own_bid() const { return static_cast<int>(router_id_); }
  uint8_t interval() const { return static_cast<uint8_t>(interval_); }
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
