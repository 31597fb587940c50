// SPDX-License-Identifier: Apache-2.0
#include "sim/network/make_dragonfly.h"
#include "sim/network/policies/nonminimal.h"

namespace odonata::network {

std::unique_ptr<Simulation> make_progressive(const Config& config) { return make_on_dragonfly<Nonminimal<5>>(config); }

}  // namespace odonata::network
