// SPDX-License-Identifier: Apache-2.0
#include "sim/network/make_engine.h"
#include "sim/network/policies/doar_live.h"
#include "sim/network/policies/doar_stable.h"

namespace odonata::network {

std::vector<Routing> routings_doar_stable_live() {
  return {{.name = kDoarStable,
           .topology = "dragonfly",
           .text = kDoarStableText,
           .vcs = DoarLive::kVcs,
           .order = kDragonflyOrder,
           .faults = true,
           .make = make_engine<Stable<DoarLive>, DragonflyTopology>}};
}

}  // namespace odonata::network
