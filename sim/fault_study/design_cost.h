// SPDX-License-Identifier: Apache-2.0
// What the structure of a router's fault plane costs, from the figures of `./dev area fault` (docs/area.md).
#pragma once

#include <optional>

#include "models/fault/plane_parameters.h"

namespace odonata::cli {

/// Port units, scheduler and ring of one router.
struct DesignCost {
  int64_t cells = 0, flip_flops = 0, ram_bits = 0;
  bool measured =
      true;  ///< false: the scheduler's cells lie between those of the poll widths 1 and 64 that were measured
};

/// Nothing where docs/area.md has no figure: another size than tiny, paper and full, or so many banks at that size.
std::optional<DesignCost> design_cost(const Dragonfly& d, const fault::Timing& timing);

}  // namespace odonata::cli
