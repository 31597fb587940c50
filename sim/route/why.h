// SPDX-License-Identifier: Apache-2.0
// The story of a path: why it left the minimal one, or did not.
#pragma once

#include <string>
#include <vector>

#include "models/route_compute/path.h"

namespace odonata::cli {

/// "g3.r1"
std::string router_name(RouterId router);
/// The routers of the minimal path between two nodes, in order.
std::vector<RouterId> minimal_routers(const Dragonfly& d, const Address& from, const Address& to);
/// A minimal path's shape as Path::shape() writes it, such as "L-G-L"; empty inside one router.
std::string minimal_shape(const Dragonfly& d, const Address& from, const Address& to);
/// Whether the packet took as many links as a minimal path has, and arrived.
bool is_minimal(const Dragonfly& d, const route_compute::Path& path, const Address& from, const Address& to);

/// Why this hop was decided as it was, in a sentence.
std::string why_hop(const route_compute::UnitConfig& config, const route_compute::Hop& hop);
/// Why the path is what it is: first what came out, then a sentence for each decision that bent it.
std::vector<std::string> why_path(route_compute::NetworkTables& network, const route_compute::Path& path,
                                  const Address& from, const Address& to);

const char* to_string(route_compute::Outcome outcome);

}  // namespace odonata::cli
