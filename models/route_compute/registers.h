// SPDX-License-Identifier: Apache-2.0
// The memory-mapped configuration of a unit: tables A, B, C and registers (docs/route_compute.md §4).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/route_compute/decide.h"
#include "models/route_compute/route_compute_registers.h"
#include "models/table/configuration.h"

namespace odonata::route_compute {

/// What a configuration operation addresses; decides which stage it has to wait for.
enum class Target { refused, table_a, table_b, table_c, router_id, port, threshold, lfsr, rule, constant, counter };

/// All configurable state of a unit, with the checks of the register map.
class Registers {
 public:
  /// `absolute_at_reset` is taken from the dragonfly's arrangement.
  explicit Registers(const Dragonfly& d);
  /// Reset: registers and table C; tables A and B keep their content.
  void reset();

  /// The target of an operation, `refused` when it has to fail (docs §4). `word_address` is the byte address / 8, 12
  /// bits.
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
std::vector<RegisterWrite> configuration_writes(const Dragonfly& d, RouterId own, int port,
                                                const table::PortTables& tables, uint16_t lfsr_seed);
/// A non-zero LFSR seed for a unit, different from port to port.
uint16_t lfsr_seed(uint64_t seed, const Dragonfly& d, RouterId own, int port);

}  // namespace odonata::route_compute
