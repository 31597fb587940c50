// SPDX-License-Identifier: Apache-2.0
// The critical chain of a diagnosis or recovery: the messages from the event to the last table write, and where each of
// its cycles was spent (docs/fault.md §7.1).
#pragma once

#include <array>
#include <vector>

#include "models/fault/plane_network.h"

namespace odonata::fault {

/// Where a cycle goes. Every cycle of a chain belongs to exactly one.
enum class Share : uint8_t {
  wire,        ///< on a link
  fifo_wait,   ///< in the input FIFO (or as a pending link event) while the scheduler works or may not look
  poll,        ///< the scheduler looks round, the look that finds it included
  ring,        ///< from station to station to the unit
  unit,        ///< the unit works
  ram_wait,    ///< the unit waits for route compute
  queue_wait,  ///< in the unit's command queue (pipelined scheduler)
};
inline constexpr int kShares = 7;
inline constexpr std::array<const char*, kShares> kShareNames{"wire", "fifo_wait", "poll",      "ring",
                                                              "unit", "ram_wait",  "queue_wait"};
using Shares = std::array<int64_t, kShares>;

/// A service on the chain, from the cycle in which its command begins to wait to the cycle in which its message is at
/// the next router, or, at the end of the chain, to the table write.
struct ChainStep {
  int router = 0;
  ServiceKind kind = ServiceKind::link_down;
  int port = 0;     ///< that the command is about: the message came in here
  Message message;  ///< of an FD or FR
  int64_t from = 0, to = 0;
  Shares cycles{};
  int64_t sum() const;
};

/// The steps follow each other without a gap, so that the shares of all add up to the last write minus the event.
struct CriticalChain {
  std::vector<ChainStep> steps;  ///< in order of time; empty: nothing was written
  Shares total() const;
  int64_t cycles() const { return steps.empty() ? 0 : steps.back().to - steps.front().from; }
};

/// The chain to the last table write of the diagnosis, or of the recovery. The network has been run with `record`,
/// without link level and without ideal timing.
CriticalChain critical_chain(const FaultPlaneNetwork& network, bool recovery = false);

}  // namespace odonata::fault
