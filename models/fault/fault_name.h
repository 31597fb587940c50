// SPDX-License-Identifier: Apache-2.0
// Faults by name: global:G0-G2, local:G0.s1-G0.s3, router:G2.s0, node:G0.s1.n0, random-links:50, random-routers:10.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/common/random.h"
#include "models/fault/plane_network.h"

namespace odonata::fault {

/// One thing that can fail: a router, or the link at a port (the lower end of a global or local link, or a node link).
struct Fault {
  bool is_router = false;
  RouterId router;
  int port = 0;
  bool operator==(const Fault&) const = default;
};

/// The faults that a name means; random ones are drawn from `random`, all different from each other and from `taken`.
/// Throws Error that names the text and what is wrong with it.
std::vector<Fault> parse_faults(const Dragonfly& d, std::string_view text, Random& random,
                                const std::vector<Fault>& taken = {});
/// The name of a fault, as parse_faults reads it.
std::string to_string(const Dragonfly& d, const Fault& fault);
/// All local and global links, each once, in order of its lower end.
std::vector<Fault> all_links(const Dragonfly& d);

/// A fault that happens, or ends, in a cycle.
struct ScheduledFault {
  int64_t cycle = 0;
  Fault fault;
  bool repair = false;
};

/// Throws Error for a contradiction: what fails has to be whole, what is repaired has to have failed, and not in the
/// same cycle.
void check_order(const Dragonfly& d, std::vector<ScheduledFault> events);

/// Lets a fault happen, or ends it, at a cycle; returns the number of the incident.
int apply(FaultPlaneNetwork& network, const Fault& fault, bool repair, int64_t cycle);

}  // namespace odonata::fault
