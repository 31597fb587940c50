// SPDX-License-Identifier: Apache-2.0
#include "sim/network/make_dragonfly.h"
#include "sim/network/policies/doar.h"

namespace odonata::network {

std::unique_ptr<Simulation> make_doar(const Config& config) { return make_on_dragonfly<Doar>(config); }

}  // namespace odonata::network
