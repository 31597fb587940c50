// SPDX-License-Identifier: Apache-2.0
// The congestion maps that a decision looks at (docs/route_compute.md §2).
#pragma once

#include "models/common/bits.h"

namespace odonata::route_compute {

/// The congestion snapshot. A failed port reads as congested in both maps.
struct Congestion {
  PortMap local = 0;  ///< bit k: physical port k of this router
  GroupMap global;    ///< bit j: group-wide global port j
};

}  // namespace odonata::route_compute
