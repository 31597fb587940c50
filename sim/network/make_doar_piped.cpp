// SPDX-License-Identifier: Apache-2.0
#include "sim/network/make_dragonfly.h"
#include "sim/network/policies/doar_piped.h"

namespace odonata::network {

std::unique_ptr<Simulation> make_doar_piped(const Config& config) {
  PatternSource source(config);
  return std::make_unique<Engine<DoarPiped, PatternSource, false>>(config, wire_dragonfly(config.dragonfly, config.router), std::move(source));
}

}  // namespace odonata::network
