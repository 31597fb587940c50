// SPDX-License-Identifier: Apache-2.0
// A run that is saved on its way and goes on in another simulation.
#pragma once

#include <sstream>

#include "sim/network/simulation.h"

namespace odonata::network {

/// The result of a run of `config` that is saved in cycle `cycle` and loaded by one of `then`, which may have other
/// threads.
inline Result resumed(const Config& config, uint64_t cycle, const Config& then) {
  const auto first = make_simulation(config);
  while (first->now() < cycle && first->advance()) {
  }
  std::stringstream state;
  first->save(state);
  const auto second = make_simulation(then);
  second->load(state);
  return simulate(*second);
}
inline Result resumed(const Config& config, uint64_t cycle) { return resumed(config, cycle, config); }

}  // namespace odonata::network
