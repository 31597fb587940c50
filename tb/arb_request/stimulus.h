// SPDX-License-Identifier: Apache-2.0
// Stimuli of the arbitration requests: random corner cases, and the traffic of a mesh router with real credit counters.
#pragma once

#include <array>

#include "models/arb_request/golden_device.h"
#include "models/common/random.h"
#include "tb/harness/stimulus.h"

namespace odonata::cosim {

/// Random packets that make every relation of coordinates and credits likely.
class ArbCases {
 public:
  ArbCases(const arb_request::PortSize& size, uint64_t seed) : size_(size), random_(seed) {}
  Random& random() { return random_; }
  /// Coordinates anywhere.
  arb_request::Lanes coordinates();
  /// A destination that equals `at` in each dimension with the given probability, or lies one bit away.
  arb_request::Lanes dest(arb_request::Lanes at, double equal);
  /// Credits of all dimensions; mostly around the thresholds 0..N+1.
  arb_request::Lanes credits(double rich);

 private:
  int below(int n) { return static_cast<int>(random_.below(static_cast<uint32_t>(n))); }
  arb_request::PortSize size_;
  Random random_;
};

/// Pins of the input port in phases of 128 cycles: rates, richness of credits, scheme and policy change; sometimes a
/// reset.
class ArbCornerPins final : public Stimulus<arb_request::PortInputs, arb_request::PortOutputs> {
 public:
  ArbCornerPins(const arb_request::PortSize& size, uint64_t seed) : cases_(size, seed) {}
  bool next(const arb_request::PortOutputs& last, arb_request::PortInputs& in) override;

 private:
  void new_phase();
  ArbCases cases_;
  uint64_t cycle_ = 0;
  double arrivals_ = 1, grants_ = 1, equal_ = 0.3, rich_ = 0, moving_at_ = 0, resets_ = 0;
  arb_request::PortInputs kept_;
};

/// Pins of the input port of a router in a mesh of 8 routers a dimension under uniform traffic: `load` is the chance of
/// an arrival a cycle; credit counters of all outputs, grants that respect `need`, other input ports that take credits,
/// credits that return.
class ArbTrafficPins final : public Stimulus<arb_request::PortInputs, arb_request::PortOutputs> {
 public:
  ArbTrafficPins(const arb_request::PortSize& size, double load, uint64_t seed);
  bool next(const arb_request::PortOutputs& last, arb_request::PortInputs& in) override;

 private:
  arb_request::Lanes router();
  int slots() const { return std::min(size_.queues, (1 << size_.credit_bits) - 1); }
  void grant(const arb_request::PortOutputs& last, arb_request::PortInputs& in);
  void others();
  arb_request::PortSize size_;
  double load_;
  Random random_;
  int radix_;
  arb_request::Lanes at_;
  std::array<std::array<int, 2>, arb_request::kMaxDimensions> credit_{};
  uint64_t cycle_ = 0;
};

/// Pins of the request logic: one random case a cycle, sometimes none, sometimes a reset.
class ArbLogicPinsRandom final : public Stimulus<arb_request::LogicInputs, arb_request::LogicOutputs> {
 public:
  ArbLogicPinsRandom(const arb_request::PortSize& size, uint64_t seed) : cases_(size, seed) {}
  bool next(const arb_request::LogicOutputs& last, arb_request::LogicInputs& in) override;

 private:
  ArbCases cases_;
  uint64_t cycle_ = 0;
};

/// Pins of the switch in phases of 64 cycles: how many ask, how many for the same output, needs around the credits,
/// credits that come back (never more than are outstanding); sometimes a reset.
class ArbSwitchPinsRandom final : public Stimulus<arb_request::SwitchInputs, arb_request::SwitchOutputs> {
 public:
  ArbSwitchPinsRandom(const arb_request::PortSize& size, uint64_t seed) : size_(size), random_(seed) {}
  bool next(const arb_request::SwitchOutputs& last, arb_request::SwitchInputs& in) override;

 private:
  void new_phase();
  arb_request::PortRequest request();
  uint32_t returns(const arb_request::SwitchOutputs& last);
  int below(int n) { return static_cast<int>(random_.below(static_cast<uint32_t>(n))); }

  arb_request::PortSize size_;
  Random random_;
  uint64_t cycle_ = 0;
  double asks_ = 1, hot_ = 0, ejects_ = 0.1, high_ = 0.5, returns_ = 0.5, resets_ = 0;
  int hot_output_ = 0;
  uint32_t pending_ = 0;  // credits sent back at the last edge: the counters have not seen them yet
};

}  // namespace odonata::cosim
