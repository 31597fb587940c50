// SPDX-License-Identifier: Apache-2.0
// Cycle model of the input-port unit (D2RA §3.1: packet-sized sub-queues, a rotating subset examined in each cycle) and
// of the switch output unit; docs/arb_request.md §4-7. One call of step() is one rising clock edge.
#pragma once

#include <array>
#include <cstdint>

#include "models/arb_request/arb_request_pins.h"
#include "models/arb_request/request.h"
#include "models/arb_request/select.h"

namespace odonata::arb_request {

inline constexpr int kMaxQueues = 16;

/// Parameters of an input port.
struct PortSize {
  int dimensions = 3;       ///< N, 1..8
  int coordinate_bits = 8;  ///< CW, 1..8
  int credit_bits = 8;      ///< KW, 1..8
  int queues = 4;           ///< V, sub-queues of one packet each, 1..16
  int subset = 2;           ///< S, sub-queues examined in a cycle, 1..V
};

/// Throws Error if a parameter is out of range; the message names it.
void validate(const PortSize& size);

/// What the last edge looked at: for explanations and coverage.
struct Examination {
  Query query;  ///< own coordinates and credits used; `dest` belongs to no sub-queue
  Scheme scheme = Scheme::kDor;
  Policy policy = Policy::kRoundRobin;
  Selector selector;       ///< before the edge
  uint8_t window = 0;      ///< first sub-queue
  uint32_t looked_at = 0;  ///< occupied sub-queues of the window, without the one whose request was visible
  uint32_t excluded = 0;   ///< that one, if the window held it
  uint32_t asking = 0;
  int picked = -1;                            ///< sub-queue that won, -1: none
  std::array<Requests, kMaxQueues> answer{};  ///< of the sub-queues looked at
};

/// One input port. No heap, trivially copyable (a snapshot is a copy).
class InputPort {
 public:
  /// Throws Error on a bad size. The state is that after a reset.
  explicit InputPort(const PortSize& size);
  /// One rising edge with these pins.
  void step(const PortInputs& pins);
  /// The pins after the last edge.
  const PortOutputs& out() const { return out_; }
  const PortSize& size() const { return size_; }
  /// Bit q = sub-queue q holds a packet.
  uint32_t occupied() const { return occupied_; }
  /// Destination held by a sub-queue.
  Lanes dest(int queue) const { return dest_[queue]; }
  const Examination& examination() const { return last_; }
  /// Start of the next window.
  int window() const { return window_; }

 private:
  void reset();
  void examine();
  void look();
  void load_request(int queue, const Requests& answer);

  PortSize size_;
  uint32_t occupied_ = 0;
  std::array<Lanes, kMaxQueues> dest_{};
  uint8_t window_ = 0;
  Selector selector_;
  Query query_;  // input registers; `dest` is filled in for each sub-queue
  Scheme scheme_ = Scheme::kDor;
  Policy policy_ = Policy::kRoundRobin;
  Examination last_;
  PortOutputs out_;
};

/// One output of the switch: credit counter and round-robin arbiter over the input ports (docs/arb_request.md §6).
class SwitchOutput {
 public:
  /// `inputs` 1..31 ports; `slots` packet slots behind the output; an ejection output ignores credits.
  SwitchOutput(int inputs, int slots, bool ejection);
  /// The input port that wins among `ask` (bit p = port p) with need[p] packets of credit, or -1. Changes nothing.
  int grant(uint32_t ask, const uint8_t* need) const;
  /// The edge: what was granted (-1: nothing) and whether a credit came back.
  void step(int granted, bool credit_returned);
  int credit() const { return credit_; }
  /// The input port at which the next pick begins.
  int pointer() const { return pointer_; }

 private:
  int inputs_, slots_;
  bool ejection_;
  int credit_;
  int pointer_ = 0;
};

}  // namespace odonata::arb_request
