// SPDX-License-Identifier: Apache-2.0
#include "sim/network/policies/minimal.h"

#include "sim/network/make_engine.h"

namespace odonata::network {

std::vector<Routing> routings_minimal() {
  return {{.name = "min",
           .topology = "dragonfly",
           .text = "minimal path L-G-L",
           .vcs = Minimal::kVcs,
           .order = kDragonflyOrder,
           .ignores = of_hardware,
           .make = make_engine<Minimal, DragonflyTopology>}};
}

}  // namespace odonata::network
