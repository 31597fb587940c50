// SPDX-License-Identifier: Apache-2.0
// Freedom from deadlock as a graph: which channel of a network can wait for which (Dally, Seitz 1987).
#pragma once

#include <cstdint>
#include <vector>

namespace odonata {

/// Which channel can wait for which: a graph over numbered channels of any network.
class ChannelGraph {
 public:
  explicit ChannelGraph(int channels) : wants_(channels) {}
  /// A packet that holds channel `holds` can wait for channel `wants`.
  void add(int holds, int wants);
  int64_t dependencies() const { return dependencies_; }
  /// A short cycle (each channel waits for the next, the last for the first), or empty: the graph is acyclic.
  std::vector<int> find_cycle() const;

 private:
  std::vector<int> any_cycle() const;
  std::vector<int> shortest_cycle_through(int channel) const;
  std::vector<std::vector<int>> wants_;
  int64_t dependencies_ = 0;
};

}  // namespace odonata
