// SPDX-License-Identifier: Apache-2.0
#include "sim/network/make_dragonfly.h"
#include "sim/network/policies/minimal.h"

namespace odonata::network {

std::unique_ptr<Simulation> make_minimal(const Config& config) { return make_on_dragonfly<Minimal>(config); }

}  // namespace odonata::network
