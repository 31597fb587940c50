// SPDX-License-Identifier: Apache-2.0
// Faults at run time as a user states them (docs/network.md §8).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/fault/fault_name.h"
#include "models/torus/types.h"
#include "sim/network/fault_tap.h"

namespace odonata::network {

/// A fault that happens, or ends, in a cycle.
struct TimedFault {
  fault::Fault fault;
  bool repair = false;
  uint64_t cycle = 0;
};

struct FaultPlan {
  std::vector<TimedFault> events;        ///< at run time; none: the network has no fault planes
  std::vector<fault::Fault> standing;    ///< torus: there from the start
  torus::Rule rule = torus::Rule::kAny;  ///< torus: when a healthy router is disabled
  fault::Mode mode = fault::Mode::safe;
  fault::Recovery recovery = fault::Recovery::per_entry;
  std::string hardware = "full";  ///< fault::Timing::of
  int poll_width = 1, ring_hop = 1, banks = 1;
  bool pipelined = false;     ///< fault::Timing::pipelined: the scheduler fetches the next command while the units work
                              ///< (beyond the paper)
  bool live_traffic = false;  ///< nodes create no packet for a node whose link or router is dead in that cycle
  FaultTap* tap = nullptr;    ///< who hears what the fault planes do; outlives the simulation
};

}  // namespace odonata::network
