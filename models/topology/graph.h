// SPDX-License-Identifier: Apache-2.0
// Any network of switches, nodes and links, routing tables for it, and the check that they cannot deadlock: shortest
// paths, up*/down* (Schroeder et al., Autonet, IEEE JSAC 1991), or tables from outside. Untimed; the channels are those
// of Dally and Seitz (IEEE ToC 1987).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/common/channel_graph.h"

namespace odonata {

/// Switches with their links and nodes. Links lead both ways. Ports of a switch: its links in the order given, then its
/// nodes.
class Graph {
 public:
  static constexpr int kMostPorts = 62;         ///< of a switch
  static constexpr int kMostAddressWidth = 18;  ///< bits of a node's address
  static constexpr int kMostLatency = 1023;     ///< cycles of a link

  struct Switch {
    std::string name;
    int domain = 0;  ///< part of the network that is simulated as one; 0, 1, ..
  };
  struct Node {
    std::string name;
    int at = 0;            ///< switch
    uint32_t address = 0;  ///< different for all nodes, below 2^address_width
  };
  struct Link {
    int a = 0, b = 0;  ///< switches
    int latency = 1;   ///< cycles, both ways, 1..kMostLatency
  };
  struct Parts {
    std::string name;
    std::vector<Switch> switches;
    std::vector<Node> nodes;
    std::vector<Link> links;
    int address_width = 0;  ///< bits; 0: as many as the addresses need
  };
  /// What a port leads to.
  struct Port {
    int link = -1;      ///< -1: a node
    int peer = 0;       ///< switch at the other end, or the node
    int peer_port = 0;  ///< of that switch
  };

  /// Throws Error that names the part: no switch or node, more ports than a switch can have, a link from a switch to
  /// itself, an address twice or too wide, a name twice, not connected.
  explicit Graph(Parts parts);

  const std::string& name() const { return parts_.name; }
  int switches() const { return static_cast<int>(parts_.switches.size()); }
  int nodes() const { return static_cast<int>(parts_.nodes.size()); }
  int address_width() const { return parts_.address_width; }
  const Switch& at(int number) const { return parts_.switches[static_cast<size_t>(number)]; }
  const Node& node(int number) const { return parts_.nodes[static_cast<size_t>(number)]; }
  const std::vector<Link>& links() const { return parts_.links; }
  const std::vector<Port>& ports(int at) const { return ports_[static_cast<size_t>(at)]; }
  /// The port of a node at its switch.
  int node_port(int node) const { return node_port_[static_cast<size_t>(node)]; }
  /// The port from one switch to another (the first of several links), -1: none.
  int port_towards(int from, int to) const;
  /// Links on a shortest way between two switches, by the second.
  std::vector<int> distances_to(int to) const;

  /// Channels of links: 2 * link + (0: from a to b), of the link at a port of a switch outwards.
  int channels() const { return 2 * static_cast<int>(parts_.links.size()); }
  int channel(int from, int port) const;
  /// "s0 -> s1", with the number of the link where there are several.
  std::string channel_name(int channel) const;

 private:
  void add_ports();
  void check_addresses();
  void check_connected() const;

  Parts parts_;
  std::vector<std::vector<Port>> ports_;  // by switch
  std::vector<int> node_port_;            // by node
};

/// Where packets go: by switch and node, and by how they came.
class GraphTables {
 public:
  static constexpr uint8_t kNone = 255;
  struct Entry {
    uint8_t port = kNone;  ///< output, kNone: the table says nothing
    uint8_t vc = kNone;    ///< virtual channel on the link, kNone: the one that the packet has
    bool operator==(const Entry&) const = default;
  };

  /// Empty tables of one layer.
  explicit GraphTables(const Graph& graph)
      : nodes_(graph.nodes()), entries_{{static_cast<size_t>(graph.switches() * nodes_), Entry{}}, {}} {}
  /// Every packet on a shortest way; of several ports that are as good the nodes take turns.
  static GraphTables shortest(const Graph& graph);
  /// up*/down*: links towards the root (fewer links from it, or as many and the lower number) only before links away
  /// from it; the shortest such way, nodes take turns as above. `root` -1: the switch whose farthest switch is nearest.
  static GraphTables up_down(const Graph& graph, int root = -1);

  Entry at(int where, int node, bool came_down) const {
    return entries_[came_down && !entries_[1].empty()][index(where, node)];
  }
  void set(int where, int node, Entry entry) { entries_[0][index(where, node)] = entry; }
  /// Whether whoever comes over a channel (Graph::channel) came down; false in tables without that difference.
  bool down(int channel) const { return !down_.empty() && down_[static_cast<size_t>(channel)]; }

 private:
  size_t index(int where, int node) const {
    return static_cast<size_t>(where) * static_cast<size_t>(nodes_) + static_cast<size_t>(node);
  }
  int nodes_;
  std::vector<Entry> entries_[2];  // [came down][switch][node]; the second only with up*/down*
  std::vector<bool> down_;         // by channel
};

/// What the tables can do to packets that enter at any node's switch on any of `vcs` virtual channels.
struct GraphCheck {
  std::string wrong;               ///< empty, or the first pair of nodes that is not served, and why
  std::vector<std::string> cycle;  ///< channels that wait for each other in a circle, by name; empty: free of deadlock
  int64_t dependencies = 0;        ///< between channels (link and virtual channel)
};
GraphCheck check_tables(const Graph& graph, const GraphTables& tables, int vcs);

}  // namespace odonata
