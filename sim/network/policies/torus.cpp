// SPDX-License-Identifier: Apache-2.0
#include "sim/network/policies/torus.h"

#include "sim/network/make_engine.h"

namespace odonata::network {

std::vector<Routing> routings_torus() {
  return torus_routings(false, make_engine<TorusRouting, TorusTopology, PacketLengths::any>);
}

}  // namespace odonata::network
