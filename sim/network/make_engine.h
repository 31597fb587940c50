// SPDX-License-Identifier: Apache-2.0
// The engine with the domains of a policy on a topology: included by the files of policies/ only, so that the hot loops
// are compiled once for each pair.
#pragma once

#include "models/common/error.h"
#include "sim/network/domain.h"
#include "sim/network/engine.h"
#include "sim/network/routing.h"
#include "sim/network/topology.h"

namespace odonata::network {

/// The packets that a routing is compiled for. Domains for packets of one flit have faster loops; those for any length
/// do the same with them.
enum class PacketLengths : uint8_t {
  each,  ///< domains for packets of one flit, and for longer ones
  any,   ///< the same for all: half the compile time, where packets of one flit are rare
};

/// `Part` is the topology's class with `static Source source(const Config&, const Wiring&)`.
template <class Policy, class Part, PacketLengths kLengths = PacketLengths::each>
std::unique_ptr<Simulation> make_engine(const Config& config) {
  if (config.router.vcs > Policy::kMaxVcs) {
    throw Error("routing '" + config.routing + "' is built for at most " + std::to_string(Policy::kMaxVcs) +
                " virtual channels, --vcs is " + std::to_string(config.router.vcs));
  }
  Config whole = config;
  whole.domains = 1;
  const Config& own = kServesPieces<Policy> ? config : whole;
  Wiring wiring = own.topology->wire(own);
  auto source = wiring.is_cut() ? Part::source(whole, whole.topology->wire(whole)) : Part::source(own, wiring);
  using Source = decltype(source);
  const auto build = [&]<bool kLong>(std::bool_constant<kLong>) -> std::unique_ptr<Simulation> {
    return std::make_unique<Engine>(own, std::move(wiring), domain_kind<Policy, Source, kLong>(std::move(source)));
  };
  if constexpr (kLengths == PacketLengths::any) {
    return build(std::true_type{});
  } else {
    if (config.router.packet_flits() > 1) return build(std::true_type{});
    return build(std::false_type{});
  }
}

}  // namespace odonata::network
