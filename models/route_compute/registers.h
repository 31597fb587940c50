// SPDX-License-Identifier: Apache-2.0
// The memory-mapped configuration of a unit: tables A, B, C and registers (docs/route_compute.md §4).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/route_compute/decide.h"
#include "models/table/configuration.h"

namespace odonata::route_compute {

/// Register map: byte addresses of 64-bit words. The RTL's package is checked against these numbers by a test.
namespace reg {
inline constexpr uint32_t kTableA = 0x0000;
inline constexpr uint32_t kTableB = 0x2000;
inline constexpr uint32_t kTableC = 0x4000;
inline constexpr uint32_t kId = 0x6000;
inline constexpr uint32_t kRouterId = 0x6008;   // [4:0] bid, [13:5] gid
inline constexpr uint32_t kPort = 0x6010;       // [1:0] class, [2] absolute
inline constexpr uint32_t kThreshold = 0x6018;  // [15:0] local, [31:16] global
inline constexpr uint32_t kLfsr = 0x6020;       // [15:0], not 0
inline constexpr uint32_t kSize = 0x6028;       // P, A, H, G, NB
inline constexpr uint32_t kCounters = 0x6040;
inline constexpr uint32_t kEnd = 0x8000;  ///< the map is 32 KB: 12 bits of word address
inline constexpr uint64_t kIdValue = 0x1'4F44'5243ull;
inline constexpr uint32_t kThresholdReset = 30u << 16 | 10;
inline constexpr int kCounterRequests = 0;  // counters 1..8: responses of hop class 0..7
inline constexpr int kCounterHopClass = 1;
inline constexpr int kCounterWrites = 9;
inline constexpr int kCounterWaits = 10;
inline constexpr int kNumCounters = 11;
}  // namespace reg

/// What a configuration operation addresses; decides which stage it has to wait for.
enum class Target { refused, table_a, table_b, table_c, router_id, port, threshold, lfsr, constant, counter };

/// All configurable state of a unit, with the checks of the register map.
class Registers {
 public:
  /// `absolute_at_reset` is taken from the dragonfly's arrangement.
  explicit Registers(const Dragonfly& d);
  /// Reset: registers and table C; tables A and B keep their content.
  void reset();

  /// The target of an operation, `refused` when it has to fail (docs §4). `word_address` is the byte address / 8, 12 bits.
  Target target(bool write, uint32_t word_address, uint64_t data) const;
  uint64_t read(Target target, uint32_t word_address) const;
  /// Performs a write that target() has not refused.
  void write(Target target, uint32_t word_address, uint64_t data);

  const UnitConfig& config() const { return config_; }
  const Dragonfly& dragonfly() const { return config_.dragonfly(); }
  Entries entries(const Decoded& decoded) const;

  uint16_t lfsr() const { return lfsr_; }
  void advance_lfsr() { lfsr_ = lfsr_next(lfsr_); }
  uint32_t threshold_word() const { return threshold_; }
  uint32_t& counter(int k) { return counters_[k]; }
  uint32_t counter(int k) const { return counters_[k]; }

 private:
  UnitConfig config_;
  bool absolute_at_reset_;
  std::vector<uint64_t> table_a_, table_b_;
  uint16_t lfsr_ = kLfsrReset;
  uint32_t threshold_ = reg::kThresholdReset;
  std::array<uint32_t, reg::kNumCounters> counters_{};
};

/// A write operation as a driver makes it.
struct RegisterWrite {
  uint32_t address = 0;  ///< byte address
  uint64_t data = 0;
  bool operator==(const RegisterWrite&) const = default;
};
/// The writes that configure a unit: identity, port, LFSR seed, then every entry of A, B and C.
std::vector<RegisterWrite> configuration_writes(const Dragonfly& d, RouterId own, int port, const table::PortTables& tables, uint16_t lfsr_seed);
/// A non-zero LFSR seed for a unit, different from port to port.
uint16_t lfsr_seed(uint64_t seed, const Dragonfly& d, RouterId own, int port);

}  // namespace odonata::route_compute
