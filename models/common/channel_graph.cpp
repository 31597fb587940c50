// SPDX-License-Identifier: Apache-2.0
#include "models/common/channel_graph.h"

#include <algorithm>

namespace odonata {

void ChannelGraph::add(int holds, int wants) {
  std::vector<int>& known = wants_[holds];
  if (std::find(known.begin(), known.end(), wants) != known.end()) return;
  known.push_back(wants);
  ++dependencies_;
}

/// Depth-first search with an explicit stack; an edge back into the stack closes a cycle.
std::vector<int> ChannelGraph::any_cycle() const {
  enum : char { kNew, kOnPath, kDone };
  struct Step {
    int channel;
    size_t next;
  };
  std::vector<char> state(wants_.size(), kNew);
  std::vector<Step> path;
  for (size_t root = 0; root < wants_.size(); ++root) {
    if (state[root] == kNew) path.push_back({static_cast<int>(root), 0});
    while (!path.empty()) {
      Step& at = path.back();
      state[at.channel] = kOnPath;
      if (at.next == wants_[at.channel].size()) {
        state[at.channel] = kDone;
        path.pop_back();
        continue;
      }
      const int to = wants_[at.channel][at.next++];
      if (state[to] == kNew) {
        path.push_back({to, 0});
      } else if (state[to] == kOnPath) {
        std::vector<int> cycle;
        for (const Step& step : path) {
          if (step.channel == to || !cycle.empty()) cycle.push_back(step.channel);
        }
        return cycle;
      }
    }
  }
  return {};
}

std::vector<int> ChannelGraph::shortest_cycle_through(int channel) const {
  std::vector<int> before(wants_.size(), -1), queue{channel};
  for (size_t at = 0; at < queue.size() && before[channel] < 0; ++at) {
    for (int to : wants_[queue[at]]) {
      if (before[to] >= 0) continue;
      before[to] = queue[at];
      queue.push_back(to);
    }
  }
  std::vector<int> cycle;
  if (before[channel] < 0) return cycle;
  for (int at = before[channel]; at != channel; at = before[at]) cycle.push_back(at);
  cycle.push_back(channel);
  std::reverse(cycle.begin(), cycle.end());
  return cycle;
}

std::vector<int> ChannelGraph::find_cycle() const {
  std::vector<int> best = any_cycle();
  for (int channel : std::vector<int>(best)) {
    const std::vector<int> shorter = shortest_cycle_through(channel);
    if (shorter.size() < best.size()) best = shorter;
  }
  return best;
}

}  // namespace odonata
