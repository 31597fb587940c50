// SPDX-License-Identifier: Apache-2.0
#include "sim/network/make_dragonfly.h"
#include "sim/network/policies/doar_live.h"

namespace odonata::network {

std::unique_ptr<Simulation> make_doar_live(const Config& config) { return make_on_dragonfly<DoarLive>(config); }

}  // namespace odonata::network
