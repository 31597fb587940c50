// SPDX-License-Identifier: Apache-2.0
#include "models/topology/graph.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <map>

#include "models/common/error.h"

namespace odonata {

namespace {

void check_names(const Graph::Parts& parts) {
  std::map<std::string, int> seen;
  for (const Graph::Switch& s : parts.switches) ++seen[s.name];
  for (const Graph::Node& n : parts.nodes) ++seen[n.name];
  for (const auto& [name, times] : seen) {
    if (times > 1)
      throw Error("graph: the name '" + name + "' is given to " + std::to_string(times) + " switches or nodes");
  }
}

}  // namespace

Graph::Graph(Parts parts) : parts_(std::move(parts)) {
  if (parts_.switches.empty()) throw Error("graph: there is no switch");
  if (parts_.nodes.empty()) throw Error("graph: there is no node");
  check_names(parts_);
  check_addresses();
  add_ports();
  check_connected();
}

void Graph::check_addresses() {
  uint32_t most = 0;
  std::map<uint32_t, std::string> taken;
  for (const Node& n : parts_.nodes) {
    most = std::max(most, n.address);
    const auto [before, is_new] = taken.try_emplace(n.address, n.name);
    if (!is_new)
      throw Error("graph: nodes '" + before->second + "' and '" + n.name + "' have the same address " +
                  std::to_string(n.address));
  }
  const int needed = std::max(1, static_cast<int>(std::bit_width(most)));
  if (parts_.address_width == 0) parts_.address_width = needed;
  if (parts_.address_width < 1 || parts_.address_width > kMostAddressWidth) {
    throw Error("graph: address_width is " + std::to_string(parts_.address_width) + ", must be 1.." +
                std::to_string(kMostAddressWidth));
  }
  if (needed > parts_.address_width) {
    throw Error("graph: address " + std::to_string(most) + " does not fit into address_width " +
                std::to_string(parts_.address_width));
  }
}

void Graph::add_ports() {
  ports_.resize(parts_.switches.size());
  for (size_t l = 0; l < parts_.links.size(); ++l) {
    const Link& link = parts_.links[l];
    if (link.a == link.b)
      throw Error("graph: link " + std::to_string(l) + " leads from '" + at(link.a).name + "' to itself");
    if (link.latency < 1 || link.latency > kMostLatency) {
      throw Error("graph: link " + std::to_string(l) + " has latency " + std::to_string(link.latency) +
                  ", must be 1.." + std::to_string(kMostLatency));
    }
    auto &a = ports_[static_cast<size_t>(link.a)], &b = ports_[static_cast<size_t>(link.b)];
    const int port_a = static_cast<int>(a.size()), port_b = static_cast<int>(b.size());
    a.push_back({static_cast<int>(l), link.b, port_b});
    b.push_back({static_cast<int>(l), link.a, port_a});
  }
  for (int n = 0; n < nodes(); ++n) {
    auto& ports = ports_[static_cast<size_t>(node(n).at)];
    node_port_.push_back(static_cast<int>(ports.size()));
    ports.push_back({-1, n, 0});
  }
  for (int s = 0; s < switches(); ++s) {
    if (ports(s).size() > kMostPorts) {
      throw Error("graph: switch '" + at(s).name + "' has " + std::to_string(ports(s).size()) + " ports, at most " +
                  std::to_string(kMostPorts) + " are possible");
    }
  }
}

void Graph::check_connected() const {
  const std::vector<int> far = distances_to(0);
  for (int s = 0; s < switches(); ++s) {
    if (far[static_cast<size_t>(s)] < 0)
      throw Error("graph: no way leads from switch '" + at(s).name + "' to switch '" + at(0).name + "'");
  }
}

int Graph::port_towards(int from, int to) const {
  for (size_t p = 0; p < ports(from).size(); ++p) {
    if (ports(from)[p].link >= 0 && ports(from)[p].peer == to) return static_cast<int>(p);
  }
  return -1;
}

std::vector<int> Graph::distances_to(int to) const {
  std::vector<int> out(parts_.switches.size(), -1);
  std::deque<int> next{to};
  out[static_cast<size_t>(to)] = 0;
  while (!next.empty()) {
    const int here = next.front();
    next.pop_front();
    for (const Port& p : ports(here)) {
      if (p.link < 0 || out[static_cast<size_t>(p.peer)] >= 0) continue;
      out[static_cast<size_t>(p.peer)] = out[static_cast<size_t>(here)] + 1;
      next.push_back(p.peer);
    }
  }
  return out;
}

int Graph::channel(int from, int port) const {
  const int link = ports(from)[static_cast<size_t>(port)].link;
  return 2 * link + (links()[static_cast<size_t>(link)].a == from ? 0 : 1);
}

std::string Graph::channel_name(int channel) const {
  const Link& l = links()[static_cast<size_t>(channel / 2)];
  const auto same = [&](const Link& other) {
    return (other.a == l.a && other.b == l.b) || (other.a == l.b && other.b == l.a);
  };
  const bool several = std::count_if(links().begin(), links().end(), same) > 1;
  const auto [from, to] = channel % 2 == 0 ? std::pair(l.a, l.b) : std::pair(l.b, l.a);
  return at(from).name + " -> " + at(to).name + (several ? " (link " + std::to_string(channel / 2) + ")" : "");
}

namespace {

/// Of the ports that are as good, the one whose turn it is for a node.
int drawn(const std::vector<int>& ports, int node) { return ports[static_cast<size_t>(node) % ports.size()]; }

}  // namespace

GraphTables GraphTables::shortest(const Graph& graph) {
  GraphTables out(graph);
  for (int n = 0; n < graph.nodes(); ++n) {
    const std::vector<int> far = graph.distances_to(graph.node(n).at);
    for (int s = 0; s < graph.switches(); ++s) {
      std::vector<int> best;
      for (size_t p = 0; p < graph.ports(s).size(); ++p) {
        const Graph::Port& port = graph.ports(s)[p];
        if (port.link >= 0 && far[static_cast<size_t>(port.peer)] < far[static_cast<size_t>(s)])
          best.push_back(static_cast<int>(p));
      }
      out.set(s, n, {static_cast<uint8_t>(best.empty() ? graph.node_port(n) : drawn(best, n)), kNone});
    }
  }
  return out;
}

namespace {

int central_switch(const Graph& graph) {
  int best = 0, least = graph.switches() + 1;
  for (int s = 0; s < graph.switches(); ++s) {
    const std::vector<int> far = graph.distances_to(s);
    const int farthest = *std::max_element(far.begin(), far.end());
    if (farthest < least) best = s, least = farthest;
  }
  return best;
}

/// Links still to go to a switch, by switch and by whether only links down are left: backwards from the switch.
struct WaysLeft {
  std::vector<int> any, down;  // -1: none
};

WaysLeft ways_left(const Graph& graph, const std::vector<bool>& down, int to) {
  WaysLeft out{std::vector<int>(static_cast<size_t>(graph.switches()), -1),
               std::vector<int>(static_cast<size_t>(graph.switches()), -1)};
  std::deque<std::pair<int, bool>> next{{to, true}, {to, false}};
  out.any[static_cast<size_t>(to)] = out.down[static_cast<size_t>(to)] = 0;
  while (!next.empty()) {
    const auto [here, only_down] = next.front();
    next.pop_front();
    const int far = (only_down ? out.down : out.any)[static_cast<size_t>(here)] + 1;
    for (const Graph::Port& p : graph.ports(here)) {
      if (p.link < 0) continue;
      const auto from = static_cast<size_t>(p.peer);
      // A link up may be followed by anything, a link down only by links down.
      const bool goes_down = down[static_cast<size_t>(graph.channel(p.peer, p.peer_port))];
      if (goes_down != only_down) continue;
      if (goes_down && out.down[from] < 0) out.down[from] = far, next.emplace_back(p.peer, true);
      if (out.any[from] < 0) out.any[from] = far, next.emplace_back(p.peer, false);
    }
  }
  return out;
}

}  // namespace

GraphTables GraphTables::up_down(const Graph& graph, int root) {
  GraphTables out(graph);
  out.entries_[1] = out.entries_[0];
  const std::vector<int> level = graph.distances_to(root < 0 ? central_switch(graph) : root);
  const auto rank = [&](int s) { return std::pair(level[static_cast<size_t>(s)], s); };
  for (int c = 0; c < graph.channels(); ++c) {
    const Graph::Link& l = graph.links()[static_cast<size_t>(c / 2)];
    out.down_.push_back(c % 2 == 0 ? rank(l.a) < rank(l.b) : rank(l.b) < rank(l.a));
  }
  for (int n = 0; n < graph.nodes(); ++n) {
    const int to = graph.node(n).at;
    const WaysLeft left = ways_left(graph, out.down_, to);
    for (int s = 0; s < graph.switches(); ++s) {
      for (const bool came_down : {false, true}) {
        const int now = (came_down ? left.down : left.any)[static_cast<size_t>(s)];
        std::vector<int> best;
        for (size_t p = 0; p < graph.ports(s).size() && now > 0; ++p) {
          const Graph::Port& port = graph.ports(s)[p];
          if (port.link < 0) continue;
          const bool goes_down = out.down_[static_cast<size_t>(graph.channel(s, static_cast<int>(p)))];
          if (came_down && !goes_down) continue;
          if ((goes_down ? left.down : left.any)[static_cast<size_t>(port.peer)] == now - 1)
            best.push_back(static_cast<int>(p));
        }
        if (now < 0) continue;  // no packet comes here on its way to this node
        const int port = now == 0 ? graph.node_port(n) : drawn(best, n);
        out.entries_[came_down][out.index(s, n)] = {static_cast<uint8_t>(port), kNone};
      }
    }
  }
  return out;
}

namespace {

/// Follows the packets to one node from every switch with a node; what a packet does on a channel does not depend on
/// where it comes from.
class Walk {
 public:
  Walk(const Graph& graph, const GraphTables& tables, int vcs, ChannelGraph& waits, GraphCheck& out)
      : graph_(graph), tables_(tables), vcs_(vcs), waits_(waits), out_(out) {}

  void to(int dest) {
    walked_.assign(static_cast<size_t>(graph_.channels() * vcs_), 0);
    for (int source = 0; source < graph_.nodes(); ++source) {
      for (int vc = 0; vc < vcs_ && out_.wrong.empty(); ++vc) follow(source, dest, vc);
    }
  }

 private:
  void follow(int source, int dest, int vc) {
    ++walks_;
    for (int here = graph_.node(source).at, holds = -1;;) {
      const auto fail = [&](const std::string& why) {
        out_.wrong = "packets from '" + graph_.node(source).name + "' to '" + graph_.node(dest).name + "' " + why +
                     " at '" + graph_.at(here).name + "'";
      };
      const GraphTables::Entry e = tables_.at(here, dest, holds >= 0 && tables_.down(holds / vcs_));
      if (e.port == GraphTables::kNone) return fail("find no entry");
      if (e.port >= graph_.ports(here).size()) return fail("are sent to a port that is not there");
      const Graph::Port& port = graph_.ports(here)[e.port];
      if (port.link < 0 && port.peer != dest) return fail("are sent to node '" + graph_.node(port.peer).name + "'");
      if (port.link < 0) return;
      if (e.vc != GraphTables::kNone) vc = e.vc;
      if (vc >= vcs_) return fail("are sent to virtual channel " + std::to_string(vc) + " of " + std::to_string(vcs_));
      const int wants = graph_.channel(here, e.port) * vcs_ + vc;
      if (holds >= 0) waits_.add(holds, wants);
      uint64_t& walked = walked_[static_cast<size_t>(wants)];
      if (walked == walks_) return fail("go round in a circle");
      if (walked != 0) return;  // the rest is known
      walked = walks_;
      holds = wants;
      here = port.peer;
    }
  }

  const Graph& graph_;
  const GraphTables& tables_;
  int vcs_;
  ChannelGraph& waits_;
  GraphCheck& out_;
  std::vector<uint64_t> walked_;  // by channel: the walk that was there first
  uint64_t walks_ = 0;
};

}  // namespace

GraphCheck check_tables(const Graph& graph, const GraphTables& tables, int vcs) {
  GraphCheck out;
  ChannelGraph waits(graph.channels() * vcs);
  Walk walk(graph, tables, vcs, waits, out);
  for (int n = 0; n < graph.nodes() && out.wrong.empty(); ++n) walk.to(n);
  if (!out.wrong.empty()) return out;
  out.dependencies = waits.dependencies();
  for (int c : waits.find_cycle()) out.cycle.push_back(graph.channel_name(c / vcs) + " VC " + std::to_string(c % vcs));
  return out;
}

}  // namespace odonata
