// SPDX-License-Identifier: Apache-2.0
// Random situations for RapidCheck (they shrink), and the same situation as the golden model's arguments.
#pragma once

#include <rapidcheck.h>

#include "models/route_compute/units.h"
#include "tb/route_compute/oracle.h"

namespace odonata::route_compute::oracle {

/// Any situation that a unit can be in: any size, arrangement, port, entries (valid, plausible, garbage), congestion
/// from none to all, addresses in and out of range.
rc::Gen<Situation> any_situation();
/// Only situations in which RTA decides (node port, zone G).
rc::Gen<Situation> any_rta_situation();

/// The situation as arguments of decide() and of the units.
struct Arguments {
  explicit Arguments(const Situation& situation);
  UnitConfig config;
  Request request;
  Decoded decoded;
  Entries entries;
  Congestion congestion;
  uint16_t lfsr;
  Decision decide() const { return route_compute::decide(config, request, decoded, entries, congestion, lfsr); }
};

/// In words where two decisions differ; empty when they are equal.
std::string difference(const Decision& expected, const Decision& got);

Ports to_ports(const GroupMap& map);
Ports to_ports(PortMap map);

}  // namespace odonata::route_compute::oracle
