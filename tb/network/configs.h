// SPDX-License-Identifier: Apache-2.0
// The runs of short tests.
#pragma once

#include <string>
#include <utility>

#include "sim/network/topologies/dragonfly.h"

namespace odonata::network {

/// A run on the topology of `c` with so many cycles before the sample and in it.
inline Config run_of(Config c, const std::string& routing, const std::string& traffic, double load, uint64_t warmup,
                     uint64_t sample) {
  c.routing = routing;
  c.traffic = traffic;
  c.load = load;
  c.warmup = warmup;
  c.sample = sample;
  return c;
}

/// The same on the dragonfly `tiny`.
inline Config run_on_tiny(const std::string& routing, const std::string& traffic, double load, uint64_t warmup,
                          uint64_t sample) {
  return run_of(on_dragonfly(Dragonfly::named("tiny")), routing, traffic, load, warmup, sample);
}

}  // namespace odonata::network
