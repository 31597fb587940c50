// SPDX-License-Identifier: Apache-2.0
#include "sim/network/policies/graph_tables.h"

#include "models/common/error.h"
#include "sim/network/make_engine.h"
#include "sim/network/parameters.h"

namespace odonata::network {

TableRouting::TableRouting(const Context& context, int domain)
    : topology_(graph_of(context.config)),
      tables_(topology_.tables(context.config.routing)),
      nodes_(static_cast<size_t>(topology_.nodes())),
      came_down_(static_cast<size_t>(context.wiring.routers * context.wiring.ports)),
      node_of_(size_t{1} << topology_.graph().address_width()) {
  const Graph& graph = topology_.graph();
  for (size_t n = 0; n < nodes_; ++n) node_of_[graph.node(static_cast<int>(n)).address] = static_cast<uint32_t>(n);
  for (int r = 0; r < context.wiring.routers; ++r) {
    const int name = context.wiring.name(domain * context.wiring.routers + r);
    const int at = name < 0 ? -1 : topology_.switch_of(name);
    switches_.push_back(at);
    for (size_t n = 0; n < nodes_; ++n) {
      for (const bool came_down : {false, true}) {
        entries_[came_down].push_back(at < 0 ? GraphTables::Entry{} : tables_.at(at, static_cast<int>(n), came_down));
      }
    }
    if (at < 0) continue;
    for (size_t p = 0; p < graph.ports(at).size(); ++p) {
      const Graph::Port& port = graph.ports(at)[p];
      if (port.link < 0) continue;
      const int arriving = graph.channel(port.peer, port.peer_port);
      came_down_[static_cast<size_t>(r * context.wiring.ports) + p] = tables_.down(arriving);
    }
  }
}

bool TableRouting::order_kept(const Channel& in, const Channel& out) const {
  if (in.port_class == 0 || out.port_class == 0) return true;
  const Graph& graph = topology_.graph();
  const int at = topology_.switch_of(in.router);
  const Graph::Port& from = graph.ports(at)[static_cast<size_t>(in.port)];
  return !tables_.down(graph.channel(from.peer, from.peer_port)) || tables_.down(graph.channel(at, out.port));
}

std::string TableRouting::describe_wait(int router, int port, int vc, uint32_t dest, int out_port) const {
  const Graph& graph = topology_.graph();
  const int at = switches_[static_cast<size_t>(router)];
  const Graph::Port& in = graph.ports(at)[static_cast<size_t>(port)];
  const std::string from = in.link < 0 ? "the injection queue of " + graph.node(in.peer).name
                                       : "channel " + graph.channel_name(graph.channel(in.peer, in.peer_port));
  return "a packet to " + graph.node(node_of_[dest]).name + " in VC " + std::to_string(vc) + " of " + from +
         " waits for channel " + graph.channel_name(graph.channel(at, out_port));
}

namespace {

/// The tables serve every pair of nodes, and their channels cannot wait for each other in a circle.
void check_graph_tables(const Config& config) {
  const GraphTopology& topology = graph_of(config);
  const int vcs = config.router.vcs == 0 ? TableRouting::kVcs : config.router.vcs;
  const GraphCheck found = check_tables(topology.graph(), topology.tables(config.routing), vcs);
  if (!found.wrong.empty()) throw Error("routing '" + config.routing + "' on " + topology.name() + ": " + found.wrong);
  if (found.cycle.empty() || config.allow_cycles) return;
  std::string circle;
  for (const std::string& channel : found.cycle) circle += channel + ", ";
  throw Error("routing '" + config.routing + "' on " + topology.name() + " can deadlock: " + circle + "and again " +
              found.cycle.front() + " wait for each other; --allow-cycles runs it anyway");
}

bool of_cycles(const Parameter& p) { return p.name == "allow-cycles"; }

Routing by_tables(const char* name, const char* text, const char* order, bool checked = true) {
  return {.name = name,
          .topology = "graph",
          .text = text,
          .vcs = TableRouting::kVcs,
          .order = order,
          .ignores = checked ? nullptr : of_cycles,
          .check = check_graph_tables,
          .make = make_engine<TableRouting, GraphTopology, PacketLengths::any>};
}

}  // namespace

std::vector<Routing> routings_graph_tables() {
  return {by_tables("up_down", "up*/down*: links towards a root only before links away from it, the shortest such way",
                    "links up, then links down", false),
          by_tables("shortest", "shortest ways; refused where they can deadlock", "checked before the run"),
          by_tables("tables", "the tables of the file; refused where they can deadlock", "checked before the run")};
}

}  // namespace odonata::network
