// SPDX-License-Identifier: Apache-2.0
// Configuration registers and counters of a D2RA mesh router: the memory map of docs/arb_request.md §9.
#pragma once

#include <array>
#include <cstdint>

#include "models/arb_request/arb_request_registers.h"
#include "models/arb_request/input_port.h"

namespace odonata::arb_request {

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
  /// Registers of a router with 2n + 1 input ports of this size and `slots` packet slots behind each output; `reset`
  /// are the values after a reset. Throws Error if the size or a value does not fit.
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
