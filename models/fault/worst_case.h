// SPDX-License-Identifier: Apache-2.0
// How long the diagnosis of one fault can take at most, in closed form (derivation: docs/fault.md §7.3).
#pragma once

#include <string>

#include "models/fault/study.h"

namespace odonata::fault {

/// A bound for the diagnosis of one fault.
struct WorstCase {
  int64_t cycles = -1;  ///< from the failure to the last table write, at most; -1: there is no bound
  bool tight =
      false;  ///< from the flows of messages that the class has; else every stage counts all that a router can get
  std::string why;  ///< no bound: why; not tight: why
};

/// The bound for one fault of a class, whatever the fault, and wherever the polls of all routers are.
WorstCase worst_case(const Dragonfly& d, const Parameters& parameters, FaultClass fault_class);
/// Why there is no bound for several faults at once.
inline constexpr const char* kNoBoundForSeveral =
    "several faults take away options together that none takes away alone: which messages follow depends on the set of "
    "faults";

}  // namespace odonata::fault
