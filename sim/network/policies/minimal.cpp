// SPDX-License-Identifier: Apache-2.0
#include "sim/network/policies/minimal.h"

#include "sim/network/make_engine.h"

namespace odonata::network {

namespace {

std::unique_ptr<Simulation> make_minimal(const Config& config) {
  return config.router.vcs <= 2 ? make_engine<Minimal<2>, DragonflyTopology>(config)
                                : make_engine<Minimal<4>, DragonflyTopology>(config);
}

}  // namespace

std::vector<Routing> routings_minimal() {
  return {{.name = "min",
           .topology = "dragonfly",
           .text = "minimal path L-G-L",
           .vcs = Minimal<2>::kVcs,
           .order = kDragonflyOrder,
           .ignores = of_hardware,
           .make = make_minimal}};
}

}  // namespace odonata::network
