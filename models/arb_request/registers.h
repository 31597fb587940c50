// SPDX-License-Identifier: Apache-2.0
// Configuration registers and counters of a D2RA mesh router: the memory map of docs/arb_request.md §9.
#pragma once

#include <array>
#include <cstdint>

#include "models/arb_request/input_port.h"

namespace odonata::arb_request {

/// Byte addresses of the 64-bit words.
namespace reg {
inline constexpr uint32_t kId = 0x000, kSize = 0x008, kAt = 0x010, kScheme = 0x018, kPolicy = 0x020;
inline constexpr uint32_t kCounters = 0x100;  ///< of input port p, counter k: + 0x40 * p + 8 * k
inline constexpr uint32_t kCounterBlock = 0x40;
inline constexpr uint32_t kCredits = 0x800;  ///< of output o: + 8 * o
inline constexpr uint32_t kEnd = 0x900;
inline constexpr uint64_t kIdWord = 0x1'4F44'4152;  ///< version 1, "ODAR"
/// Counters of an input port, 32 bits each, wrapping.
enum Counter : uint8_t {
  kTaken,        ///< packets taken into a sub-queue
  kRequests,     ///< cycles with a visible request
  kGrantedHigh,  ///< packets granted, by class of the request
  kGrantedLow,
  kEjected,
  kWaits,  ///< cycles in which a packet was offered and no sub-queue was free
  kNumCounters
};
}  // namespace reg

/// What can be configured while a router runs.
struct Settings {
  Lanes at = 0;  ///< own coordinates
  Scheme scheme = Scheme::kD2ra;
  Policy policy = Policy::kRoundRobin;
  bool operator==(const Settings&) const = default;
};

/// What an access to a word comes to. Only `ok` changes anything.
enum class Access : uint8_t { ok, no_such_word, read_only, bad_value };

class RouterRegisters {
 public:
  /// Registers of a router with 2n + 1 input ports of this size and `slots` packet slots behind each output; `reset` are the values after a reset.
  /// Throws Error if the size or a value does not fit.
  RouterRegisters(const PortSize& size, int slots, const Settings& reset);
  void reset();

  const Settings& settings() const { return settings_; }
  int inputs() const { return 2 * size_.dimensions + 1; }
  /// Counts an event of input port p; any number of events of different kinds a cycle.
  void count(int p, reg::Counter counter) { ++counter_[static_cast<size_t>(p)][counter]; }
  /// What the word of output o < 2n shows.
  void show_credit(int o, int credit) { credit_[static_cast<size_t>(o)] = static_cast<uint8_t>(credit); }

  /// Judges an access to a word (byte address / 8); `data` matters for a write only.
  Access check(bool write, uint32_t word, uint64_t data) const;
  /// An access that check() has allowed.
  uint64_t read(uint32_t word) const;
  void write(uint32_t word, uint64_t data);

 private:
  PortSize size_;
  int slots_;
  Settings reset_, settings_;
  std::array<std::array<uint32_t, reg::kNumCounters>, 2 * kMaxDimensions + 1> counter_{};
  std::array<uint8_t, 2 * kMaxDimensions> credit_{};
};

}  // namespace odonata::arb_request
