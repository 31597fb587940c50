// SPDX-License-Identifier: Apache-2.0
// Why a decision is what it is: the candidates of every hop class, what was congested, what won; and the same in words.
#pragma once

#include <string>
#include <vector>

#include "models/route_compute/units.h"

namespace odonata::route_compute {

/// Everything that went into one decision.
struct DecisionRecord {
  Request request;
  Decoded decoded;
  Congestion congestion;
  GlobalRequests global_options;  ///< RTA: valid options split by hop class, whatever their congestion
  GlobalRequests global_free;     ///< RTA: the free ones of them
  LocalRequests local_free;       ///< RTB
  PortMap local_options_a = 0, local_options_b = 0;  ///< RTB: valid options of tables A and B (after filter F)
  Decision decision;
};

DecisionRecord explain(const UnitConfig& config, const Request& request, const Entries& entries,
                       const Congestion& congestion, uint16_t lfsr);

/// The record in English, a line a statement.
std::vector<std::string> in_words(const UnitConfig& config, const DecisionRecord& record);

/// "node port 3", "local port 17 to router 1", "global port 48 to group 17" of router `own`.
std::string port_name(const Dragonfly& d, RouterId own, int port);

}  // namespace odonata::route_compute
