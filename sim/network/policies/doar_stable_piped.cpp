// SPDX-License-Identifier: Apache-2.0
#include "sim/network/make_engine.h"
#include "sim/network/policies/doar_piped.h"
#include "sim/network/policies/doar_stable.h"

namespace odonata::network {

std::vector<Routing> routings_doar_stable_piped() {
  return {{.name = kDoarStable,
           .topology = "dragonfly",
           .text = kDoarStableText,
           .vcs = DoarPiped::kVcs,
           .order = kDragonflyOrder,
           .arrival = true,
           .pipeline = true,
           .faults = true,
           .make = make_engine<Stable<DoarPiped>, DragonflyTopology>}};
}

}  // namespace odonata::network
