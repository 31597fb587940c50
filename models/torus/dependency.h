// SPDX-License-Identifier: Apache-2.0
// Which channel can wait for which (Dally, Seitz 1987), over the routes of all pairs of a torus with faults; and which
// pairs are served at all (docs/torus.md §7).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/torus/path.h"

namespace odonata::torus {

/// Channel vc of the link that leaves `node` through `port`, as a number.
constexpr int channel_number(int node, int port, int vc) { return node << 5 | port << 3 | vc; }
constexpr int channel_node(int channel) { return channel >> 5; }
constexpr int channel_port(int channel) { return channel >> 3 & 3; }
constexpr int channel_vc(int channel) { return channel & 7; }

/// The channel dependency graph of a torus of two dimensions: the channels that a channel waits for all leave the node
/// at its end, so they are bits of one word.
class WaitGraph {
 public:
  explicit WaitGraph(const Torus& torus);
  void clear();
  /// A packet that holds the first can wait for the second, which leaves the node where the first ends.
  void add(int holds, int wants) {
    use(wants);
    wants_[static_cast<size_t>(holds)] |= 1u << (wants & 31);
  }
  /// The channel is taken by some packet.
  void use(int channel) { used_[static_cast<size_t>(channel_node(channel))] |= 1u << (channel & 31); }
  int channels() const;          ///< taken by some packet
  int64_t dependencies() const;  ///< edges
  bool acyclic() const;
  /// A short cycle (each channel waits for the next, the last for the first), or empty.
  std::vector<int> find_cycle() const;

 private:
  int end_of(int channel) const { return end_[static_cast<size_t>(channel >> 3)]; }
  std::vector<int> end_;                // of a link, by channel / 8
  std::vector<uint32_t> wants_;         // by channel
  std::vector<uint32_t> used_;          // by node
  mutable std::vector<uint8_t> state_;  // of the search
  mutable std::vector<int> path_;
};

/// What becomes of the pairs of healthy nodes, and the graph of their routes.
struct Service {
  int64_t pairs = 0;
  int64_t delivered = 0;
  int64_t unreachable = 0;                         ///< walls part the two
  int64_t dropped = 0, stuck = 0, livelocked = 0;  ///< of those that walls do not part
  int64_t links = 0;                               ///< of all delivered packets
  int max_links = 0;
  int64_t lost() const { return dropped + stuck + livelocked; }
};

/// For whom packets are in the network.
enum class Destinations : uint8_t {
  kHealthy,  ///< healthy nodes: assumption 3 of the paper
  kAll,      ///< disabled nodes too: their packets hold channels until they are dropped
};

/// Routes a packet from every healthy node to every destination and adds what they can wait for to `graph`; the service
/// counts pairs of healthy nodes only. The adaptive variant adds its escape channels: a packet enters them as from a
/// source and never leaves them.
Service add_routes(const FaultMap& map, Variant variant, WaitGraph& graph,
                   Destinations destinations = Destinations::kHealthy);

/// A dependency of a cycle with a packet that has it.
struct Wait {
  Hop holds, wants;
  int from = 0, to = 0;  ///< the packet
};
/// The cycle as dependencies, each with a packet of the routes of this map; one for a healthy node, if there is one.
std::vector<Wait> explain_cycle(const FaultMap& map, Variant variant, const std::vector<int>& cycle);
/// "y0,2+ of (1,0) waits for x0,0- of (1,1): packet (1,0) -> (4,1)".
std::string in_words(const Torus& torus, const Wait& wait);

}  // namespace odonata::torus
