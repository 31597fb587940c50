// SPDX-License-Identifier: Apache-2.0
// The engine of a policy on a topology: included by the files of policies/ only, so that the hot loops are compiled once for each pair.
#pragma once

#include "models/common/error.h"
#include "sim/network/engine.h"
#include "sim/network/routing.h"
#include "sim/network/topology.h"

namespace odonata::network {

/// `Part` is the topology's class with `static Source source(const Config&, const Wiring&)`. `kLongPackets`: also packets of several flits.
template <class Policy, class Part, bool kLongPackets = true>
std::unique_ptr<Simulation> make_engine(const Config& config) {
  if (config.router.vcs > Policy::kMaxVcs) {
    throw Error("routing '" + config.routing + "' is built for at most " + std::to_string(Policy::kMaxVcs) + " virtual channels");
  }
  Config whole = config;
  whole.domains = 1;
  const Config& own = kServesPieces<Policy> ? config : whole;
  Wiring wiring = own.topology->wire(own);
  auto source = wiring.is_cut() ? Part::source(whole, whole.topology->wire(whole)) : Part::source(own, wiring);
  using Source = decltype(source);
  if constexpr (kLongPackets) {
    if (config.router.packet_flits() > 1) return std::make_unique<Engine<Policy, Source, true>>(own, std::move(wiring), std::move(source));
  }
  return std::make_unique<Engine<Policy, Source, false>>(own, std::move(wiring), std::move(source));
}

}  // namespace odonata::network
