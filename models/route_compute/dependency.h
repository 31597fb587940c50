// SPDX-License-Identifier: Apache-2.0
// Freedom from deadlock, computed: the channel dependency graph of a whole network (Dally, Seitz 1987) from all valid
// options of its tables, not only from those that some congestion would choose (docs/route_compute.md §6).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/common/channel_graph.h"
#include "models/route_compute/path.h"

namespace odonata::route_compute {

/// Virtual channel `vc` of the link that leaves `router` through `port`.
struct Channel {
  RouterId router;
  int port = 0;
  int vc = 0;
};

/// Virtual channel at the output; next_vc() unless a study or a negative control replaces it.
using VcRule = std::function<int(PortClass in, PortClass out, int vc)>;

struct DependencyOptions {
  VcRule vc_rule = next_vc;
  std::vector<RouterId> destinations;  ///< empty: every router of the network
  int link_limit = 12;                 ///< paths are followed up to this length, longer ones are a problem
};

/// What the exploration found.
struct DependencyReport {
  int64_t states = 0;  ///< (router, input port, VC, in source group) reached, summed over destinations and path lengths
  int64_t dependencies = 0;           ///< edges of the graph
  int max_vc = 0;                     ///< highest virtual channel that any option takes
  int max_links = 0;                  ///< longest path that the options allow
  std::vector<Channel> cycle;         ///< empty when the graph is acyclic
  int64_t num_problems = 0;           ///< dead ends, too many channels, overlong or misdirected paths
  std::vector<std::string> problems;  ///< the first few of them in words
  bool acyclic() const { return cycle.empty(); }
  bool good() const { return acyclic() && num_problems == 0; }
};

/// Output ports that a request may take whatever the congestion is: all valid options of its entries.
PortMap valid_options(const UnitConfig& config, const Decoded& decoded, const Entries& entries);

/// Follows every valid option from every node to every destination.
DependencyReport explore_dependencies(NetworkTables& network, const DependencyOptions& options = {});

/// "acyclic: ..." or the cycle, a line a channel.
std::vector<std::string> in_words(const Dragonfly& d, const DependencyReport& report);

}  // namespace odonata::route_compute
