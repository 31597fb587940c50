// SPDX-License-Identifier: Apache-2.0
#include "sim/network/dependency_cycle.h"

#include <algorithm>
#include <vector>

namespace odonata::network {

std::string DependencyGraph::describe_cycle() const {
  std::vector<uint64_t> starts;
  for (const auto& [from, edge] : edges_) starts.push_back(from);
  std::sort(starts.begin(), starts.end());  // the same circle on every machine
  std::unordered_map<uint64_t, uint64_t> seen_from;
  for (uint64_t start : starts) {
    uint64_t at = start;
    while (edges_.contains(at) && !seen_from.contains(at)) {
      seen_from[at] = start;
      at = edges_.at(at).to;
    }
    if (!edges_.contains(at) || seen_from[at] != start) continue;
    std::string out;
    const uint64_t first = at;
    do {
      out += edges_.at(at).text + "\n";
      at = edges_.at(at).to;
    } while (at != first);
    return out;
  }
  return {};
}

}  // namespace odonata::network
