// SPDX-License-Identifier: Apache-2.0
// The engine of a policy on a dragonfly with a traffic pattern; included by make_*.cpp only.
#pragma once

#include "models/common/error.h"
#include "sim/network/engine.h"
#include "sim/network/factories.h"

namespace odonata::network {

template <class Policy>
std::unique_ptr<Simulation> make_on_dragonfly(const Config& config) {
  if (config.router.vcs > Policy::kMaxVcs) {
    throw Error("routing '" + config.routing + "' is built for at most " + std::to_string(Policy::kMaxVcs) + " virtual channels");
  }
  Wiring wiring = wire_dragonfly(config.dragonfly, config.router);
  PatternSource source(config);
  if (config.router.packet_flits == 1) return std::make_unique<Engine<Policy, PatternSource, false>>(config, std::move(wiring), std::move(source));
  return std::make_unique<Engine<Policy, PatternSource, true>>(config, std::move(wiring), std::move(source));
}

}  // namespace odonata::network
