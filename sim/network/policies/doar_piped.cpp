// SPDX-License-Identifier: Apache-2.0
#include "sim/network/policies/doar_piped.h"

#include "sim/network/make_engine.h"

namespace odonata::network {

std::vector<Routing> routings_doar_piped() {
  return {{.name = "doar",
           .topology = "dragonfly",
           .text = kDoarText,
           .vcs = DoarPiped::kVcs,
           .order = kDragonflyOrder,
           .ignores = of_second_plane,
           .arrival = true,
           .pipeline = true,
           .faults = true,
           .make = make_engine<DoarPiped, DragonflyTopology>}};
}

}  // namespace odonata::network
