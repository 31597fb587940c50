// SPDX-License-Identifier: Apache-2.0
#include "models/torus/dependency.h"

#include <algorithm>
#include <bit>

#include "models/common/channel_graph.h"

namespace odonata::torus {

WaitGraph::WaitGraph(const Torus& torus)
    : end_(static_cast<size_t>(torus.nodes()) * 4),
      wants_(end_.size() * 8),
      used_(static_cast<size_t>(torus.nodes())),
      state_(wants_.size()) {
  for (int node = 0; node < torus.nodes(); ++node)
    for (int port = 0; port < 4; ++port) end_[static_cast<size_t>(4 * node + port)] = torus.neighbour(node, port);
}

void WaitGraph::clear() {
  std::fill(wants_.begin(), wants_.end(), 0);
  std::fill(used_.begin(), used_.end(), 0);
}

int WaitGraph::channels() const {
  int n = 0;
  for (const uint32_t word : used_) n += std::popcount(word);
  return n;
}

int64_t WaitGraph::dependencies() const {
  int64_t n = 0;
  for (const uint32_t word : wants_) n += std::popcount(word);
  return n;
}

/// Depth-first search. A channel on the path stays on the stack below its successors, marked as such.
bool WaitGraph::acyclic() const {
  enum : uint8_t { kNew, kOnPath, kDone };
  std::fill(state_.begin(), state_.end(), kNew);
  for (size_t node = 0; node < used_.size(); ++node) {
    for (uint32_t roots = used_[node]; roots != 0; roots &= roots - 1) {
      path_.assign(1, static_cast<int>(node) << 5 | std::countr_zero(roots));
      while (!path_.empty()) {
        const int at = path_.back();
        uint8_t& state = state_[static_cast<size_t>(at)];
        if (state != kNew) {
          state = kDone;
          path_.pop_back();
          continue;
        }
        state = kOnPath;
        for (uint32_t next = wants_[static_cast<size_t>(at)]; next != 0; next &= next - 1) {
          const int to = end_of(at) << 5 | std::countr_zero(next);
          if (state_[static_cast<size_t>(to)] == kOnPath) return false;
          if (state_[static_cast<size_t>(to)] == kNew) path_.push_back(to);
        }
      }
    }
  }
  return true;
}

std::vector<int> WaitGraph::find_cycle() const {
  ChannelGraph graph(static_cast<int>(wants_.size()));
  for (size_t at = 0; at < wants_.size(); ++at)
    for (uint32_t next = wants_[at]; next != 0; next &= next - 1)
      graph.add(static_cast<int>(at), end_of(static_cast<int>(at)) << 5 | std::countr_zero(next));
  return graph.find_cycle();
}

namespace {

/// The variant whose channels can be waited for in a circle.
constexpr Variant escape_of(Variant v) { return v == Variant::kAdaptive ? Variant::kSafe4 : v; }

/// Routes every pair: begin(from, to), each(Hop), end(outcome).
template <Variant V, class Begin, class Each, class End>
void walk_all(const FaultMap& map, Destinations destinations, Begin&& begin, Each&& each, End&& end) {
  const Ground ground = ground_of(map);
  int last = 0;
  for (int from = 0; from < map.torus().nodes(); ++from) {
    if (!map.healthy(from)) continue;
    for (int to = 0; to < map.torus().nodes(); ++to) {
      if (to == from || (destinations == Destinations::kHealthy && !map.healthy(to))) continue;
      begin(from, to);
      end(walk<V>(map, ground, from, to, last, each));
    }
  }
}

}  // namespace

Service add_routes(const FaultMap& map, Variant variant, WaitGraph& graph, Destinations destinations) {
  Service s;
  int from = 0, to = 0, links = 0, held = -1;
  const auto begin = [&](int a, int b) { from = a, to = b, links = 0, held = -1; };
  const auto each = [&](const Hop& hop) {
    const int wants = channel_number(hop.node, hop.port, hop.vc);
    if (held < 0) {
      graph.use(wants);
    } else {
      graph.add(held, wants);
    }
    held = wants;
    ++links;
  };
  const auto end = [&](Outcome outcome) {
    if (!map.healthy(to)) return;
    ++s.pairs;
    if (outcome == Outcome::kDelivered) {
      ++s.delivered;
      s.links += links;
      s.max_links = std::max(s.max_links, links);
    } else if (outcome == Outcome::kUnreachable || map.parted(from, to)) {
      ++s.unreachable;
    } else {
      ++(outcome == Outcome::kDropped ? s.dropped : outcome == Outcome::kStuck ? s.stuck : s.livelocked);
    }
  };
  with_variant(escape_of(variant), [&]<Variant V>() { walk_all<V>(map, destinations, begin, each, end); });
  return s;
}

std::vector<Wait> explain_cycle(const FaultMap& map, Variant variant, const std::vector<int>& cycle) {
  std::vector<Wait> waits(cycle.size());
  std::vector<bool> found(cycle.size());
  int from = 0, to = 0;
  Hop held;
  bool holds = false;
  const auto begin = [&](int a, int b) { from = a, to = b, holds = false; };
  const auto each = [&](const Hop& hop) {
    for (size_t i = 0; i < cycle.size() && holds; ++i) {
      const int next = cycle[(i + 1) % cycle.size()];
      const bool better =
          !found[i] || (!map.healthy(waits[i].to) && map.healthy(to));  // a packet for a healthy node, if there is one
      if (!better || cycle[i] != channel_number(held.node, held.port, held.vc) ||
          next != channel_number(hop.node, hop.port, hop.vc))
        continue;
      found[i] = true;
      waits[i] = {held, hop, from, to};
    }
    held = hop;
    holds = true;
  };
  with_variant(escape_of(variant),
               [&]<Variant V>() { walk_all<V>(map, Destinations::kAll, begin, each, [](Outcome) {}); });
  return waits;
}

std::string in_words(const Torus& torus, const Wait& wait) {
  const auto channel = [&](const Hop& h) {
    return directed_channel_name(h.port, h.vc) + " of " + torus.node_name(h.node);
  };
  return channel(wait.holds) + " waits for " + channel(wait.wants) + ": packet " + torus.node_name(wait.from) + " -> " +
         torus.node_name(wait.to);
}

}  // namespace odonata::torus
