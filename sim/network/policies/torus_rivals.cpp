// SPDX-License-Identifier: Apache-2.0
#include "sim/network/policies/torus_rivals.h"

#include "models/common/error.h"
#include "sim/network/make_engine.h"

namespace odonata::network {

// ---- minimal adaptive routing over e-cube

TorusDuato::TorusDuato(const Context& context, int domain)
    : torus_(torus_of(context.config)),
      first_(context.wiring.routers_of(domain).front()),
      cut_through_(context.config.router.switching == Switching::cut_through) {
  const torus::FaultMap map = standing_map(context.config);
  for (int d = 0; d < 2; ++d) ground_.radix[d] = static_cast<uint8_t>(torus_.radix(d));
  for (int n = 0; n < torus_.nodes(); ++n) {
    points_.push_back({static_cast<uint8_t>(torus_.coordinate(n, 0)), static_cast<uint8_t>(torus_.coordinate(n, 1))});
    blocked_.push_back(map.blocked(n));
  }
}

TorusDuato::Ways TorusDuato::ways_of(int node, int dest) const {
  torus::Ask ask;
  for (size_t d = 0; d < 2; ++d)
    ask.at[d] = points_[static_cast<size_t>(node)][d], ask.dest[d] = points_[static_cast<size_t>(dest)][d];
  ask.blocked = blocked_[static_cast<size_t>(node)];
  ask.fresh = true;
  const torus::Answer escape = torus::route<torus::Variant::kEcube>(ground_, ask);
  Ways out;
  out.arrived = escape.action == torus::Action::kEject;
  for (size_t d = 0; d < 2; ++d) {
    if (ask.at[d] == ask.dest[d]) continue;
    const auto port =
        static_cast<unsigned>(2 * d + torus::detail::shorter_minus(ask.at[d], ask.dest[d], ground_.radix[d]));
    if ((ask.blocked >> port & 1) == 0) out.productive |= static_cast<uint8_t>(1u << port);
  }
  if (escape.action == torus::Action::kForward)
    out.escape_port = escape.port, out.escape_vc = static_cast<uint8_t>(escape.vc / 3);
  return out;
}

std::string TorusDuato::describe_wait(int router, int port, int, uint32_t dest, int out_port) const {
  return "a packet to " + torus_.node_name(static_cast<int>(dest)) + " at port " + Torus::port_name(port) + " of " +
         torus_.node_name(first_ + router) + " waits for a channel " + Torus::port_name(out_port);
}

// ---- up*/down*

Graph live_graph(const Config& config) {
  const Torus& t = torus_of(config);
  const torus::Faults faults = torus_faults(config.faults.standing);
  std::vector<bool> dead(static_cast<size_t>(t.nodes()));
  std::vector<uint8_t> failed(static_cast<size_t>(t.nodes()));  // bit d: the link towards + of dimension d
  for (const int n : faults.nodes) dead[static_cast<size_t>(n)] = true;
  for (const torus::Link& l : faults.links)
    failed[static_cast<size_t>(l.node)] |= static_cast<uint8_t>(1 << l.dimension);
  Graph::Parts parts;
  parts.name = "live routers of torus " + t.name();
  std::vector<int> place(static_cast<size_t>(t.nodes()), -1);
  for (int n = 0; n < t.nodes(); ++n) {
    if (dead[static_cast<size_t>(n)]) continue;
    place[static_cast<size_t>(n)] = static_cast<int>(parts.switches.size());
    parts.nodes.push_back({t.node_name(n), static_cast<int>(parts.switches.size()), static_cast<uint32_t>(n)});
    parts.switches.push_back({"router " + t.node_name(n), 0});
  }
  for (int n = 0; n < t.nodes(); ++n) {
    for (int d = 0; d < 2; ++d) {
      const int a = place[static_cast<size_t>(n)], b = place[static_cast<size_t>(t.neighbour(n, 2 * d))];
      if (a >= 0 && b >= 0 && (failed[static_cast<size_t>(n)] >> d & 1) == 0) parts.links.push_back({a, b, 1});
    }
  }
  return Graph(std::move(parts));
}

TorusUpDown::TorusUpDown(const Context& context, int domain)
    : torus_(torus_of(context.config)), nodes_(static_cast<size_t>(torus_.nodes())) {
  const std::vector<int> routers = context.wiring.routers_of(domain);
  first_ = routers.front();
  routers_ = static_cast<int>(routers.size());
  const Graph graph = live_graph(context.config);
  const GraphTables tables = GraphTables::up_down(graph);
  came_down_.assign(nodes_ * (kNodePort + 1), 0);
  for (auto& ports : ports_) ports.assign(routers.size() * nodes_, Route::kDrop);
  std::vector<std::vector<int>> torus_port(static_cast<size_t>(graph.switches()));  // by switch and port of the graph
  const auto router_of = [&graph](int at) {
    return static_cast<int>(graph.node(at).address);
  };  // node i sits at switch i
  for (int s = 0; s < graph.switches(); ++s) {
    for (int p = 0; p < static_cast<int>(graph.ports(s).size()); ++p) {
      const Graph::Port& port = graph.ports(s)[static_cast<size_t>(p)];
      int found = kNodePort;
      for (int q = 0; q < kNodePort && port.link >= 0; ++q)
        if (torus_.neighbour(router_of(s), q) == router_of(port.peer)) found = q;
      torus_port[static_cast<size_t>(s)].push_back(found);
      if (port.link >= 0)
        came_down_[index(router_of(s), found)] = tables.down(graph.channel(port.peer, port.peer_port));
    }
  }
  for (int s = 0; s < graph.switches(); ++s) {
    const int router = router_of(s) - first_;
    for (int n = 0; n < graph.nodes() && router >= 0 && router < routers_; ++n) {
      for (const bool down : {false, true}) {
        const GraphTables::Entry e = tables.at(s, n, down);
        if (e.port == GraphTables::kNone) continue;
        ports_[down][static_cast<size_t>(router) * nodes_ + graph.node(n).address] =
            static_cast<uint8_t>(torus_port[static_cast<size_t>(s)][e.port]);
      }
    }
  }
}

bool TorusUpDown::order_kept(const Channel& in, const Channel& out) const {
  if (in.port_class == 0 || out.port_class == 0) return true;
  const bool goes_down = came_down_[index(torus_.neighbour(out.router, out.port), Torus::opposite(out.port))] != 0;
  return came_down_[index(in.router, in.port)] == 0 || goes_down;
}

std::string TorusUpDown::describe_wait(int router, int port, int, uint32_t dest, int out_port) const {
  return "a packet to " + torus_.node_name(static_cast<int>(dest)) + " at port " + Torus::port_name(port) + " of " +
         torus_.node_name(first_ + router) + " waits for the link " + Torus::port_name(out_port);
}

namespace {

void check_up_down(const Config& config) {
  check_plane(config);
  live_graph(config);
}

}  // namespace

std::vector<Routing> routings_torus_rivals() {
  return {{.name = "torus_duato",
           .topology = "torus",
           .text = "UNSAFE with faults: any productive port on one adaptive channel, over e-cube; without a free one a "
                   "packet is dropped",
           .vcs = TorusDuato::kVcs,
           .reason = "(1 adaptive one over the 2 of ecube)",
           .order = "ecube is acyclic and always there (Duato 1993); with faults none",
           .safe = false,
           .check = check_plane,
           .make = make_engine<TorusDuato, TorusTopology, PacketLengths::any>},
          {.name = "torus_up_down",
           .topology = "torus",
           .text = "up*/down* on the live routers",
           .vcs = TorusUpDown::kVcs,
           .order = "links up, then links down",
           .check = check_up_down,
           .make = make_engine<TorusUpDown, TorusTopology, PacketLengths::any>}};
}

}  // namespace odonata::network
