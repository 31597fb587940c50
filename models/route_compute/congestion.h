// SPDX-License-Identifier: Apache-2.0
// The congestion maps that a decision looks at (docs/route_compute.md §2).
#pragma once

#include "models/common/bits.h"

namespace odonata::route_compute {

/// The congestion snapshot. A failed port reads as congested in all maps.
struct Congestion {
  PortMap local = 0;  ///< bit k: physical port k of this router is congested
  GroupMap global;    ///< bit j: group-wide global port j is congested
  PortMap busy_local =
      0;  ///< the same ports against the monitors' second threshold; only looked at when Rule::second_maps is set
  GroupMap busy_global{};
};

}  // namespace odonata::route_compute
