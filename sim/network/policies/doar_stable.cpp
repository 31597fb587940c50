// SPDX-License-Identifier: Apache-2.0
#include "sim/network/make_engine.h"
#include "sim/network/policies/doar_stable.h"

namespace odonata::network {

std::vector<Routing> routings_doar_stable() {
  return {{.name = kDoarStable,
           .topology = "dragonfly",
           .text = kDoarStableText,
           .vcs = Doar::kVcs,
           .order = kDragonflyOrder,
           .make = make_engine<Stable<Doar>, DragonflyTopology>}};
}

}  // namespace odonata::network
