// SPDX-License-Identifier: Apache-2.0
#include "sim/torus/torus_pages.h"

#include <fmt/format.h>

namespace odonata::cli {

namespace {

using torus::FaultMap;

Json place(const Torus& t, int node) { return Json::array({t.coordinate(node, 0), t.coordinate(node, 1)}); }

std::string state_text(const FaultMap& map, int node) {
  const int round = map.marked_in_round(node);
  if (round < 0) return map.blocked(node) != 0 ? "healthy, a port blocked" : "healthy";
  return round == 0 ? "failed" : fmt::format("healthy, but in a region since round {}", round);
}

/// A node: red when it has failed, with a red ring when it is disabled with others.
Json cell_of(const FaultMap& map, int node) {
  const int round = map.marked_in_round(node);
  return {{"at", place(map.torus(), node)}, {"bad", round == 0}, {"ring", round > 0}, {"text", state_text(map, node)}};
}

/// The nodes that are not healthy.
Json disabled(const FaultMap& map) {
  Json cells = Json::array();
  for (int n = 0; n < map.torus().nodes(); ++n) {
    if (!map.healthy(n)) cells.push_back(cell_of(map, n));
  }
  return cells;
}

Json grid_of(const Torus& t, const std::string& title, const std::string& text, Json cells, Json paths) {
  return {{"type", "grid"},     {"title", title}, {"text", text},   {"columns", t.radix(0)},
          {"rows", t.radix(1)}, {"wrap", true},   {"cells", cells}, {"paths", paths}};
}

/// Where a channel of a result leads.
Json end_of(const Torus& t, const Json& channel) {
  const int from = t.node(channel["at"][0].get<int>(), channel["at"][1].get<int>());
  for (int port = 0; port < 2 * t.dimensions(); ++port) {
    if (Torus::port_name(port) == channel["out"].get<std::string>()) return place(t, t.neighbour(from, port));
  }
  return place(t, from);
}

}  // namespace

Json torus_route_sections(const FaultMap& map, const Json& result) {
  Json way = Json::array(), rows = Json::array();
  for (const Json& hop : result["hops"]) {
    const Json& h = hop["header"];
    way.push_back(hop["at"]);
    rows.push_back({fmt::format("({}, {})", hop["at"][0].get<int>(), hop["at"][1].get<int>()), hop["out"], hop["vc"],
                    fmt::format("{}{}, around {}{}", h["dim"].get<std::string>(), h["dir"].get<std::string>(),
                                h["around"].get<std::string>(), h["back"].get<bool>() ? ", back" : "")});
  }
  way.push_back(result["end"]);
  return Json::array(
      {grid_of(map.torus(), "One way", "The way of a packet, node by node.", disabled(map), Json::array({way})),
       {{"type", "table"}, {"title", "Link by link"}, {"header", {"at", "out", "channel", "header"}}, {"rows", rows}}});
}

Json torus_deadlock_sections(const FaultMap& map, const Json& result) {
  Json ways = Json::array(), words = Json::array();
  for (const Json& wait : result["cycle"]) {
    ways.push_back(Json::array({wait["holds"]["at"], end_of(map.torus(), wait["holds"])}));
    words.push_back(wait["text"]);
  }
  const bool free = ways.empty();
  Json sections = Json::array({grid_of(
      map.torus(), free ? "No cycle of channels" : "A cycle of channels",
      free ? "The nodes that are disabled." : "Each arrow is a channel that is held while the next one is waited for.",
      disabled(map), ways)});
  if (!free) sections.push_back({{"type", "list"}, {"title", "The cycle in words"}, {"items", words}});
  return sections;
}

Json torus_fault_sections(const FaultMap& map, const Json& result) {
  const Torus& t = map.torus();
  Json cells = Json::array();
  for (int n = 0; n < t.nodes(); ++n) {
    const int64_t change = result["last_change"][t.coordinate(n, 1)][t.coordinate(n, 0)];
    Json cell = cell_of(map, n);
    cell["value"] = change;
    cell["text"] = fmt::format("{}; last change in cycle {}", state_text(map, n), change);
    cells.push_back(std::move(cell));
  }
  Json grid = grid_of(t, "Fault regions",
                      "What a node knows of the walls around a region, coloured by the cycle of its last change.",
                      cells, Json::array());
  grid["unit"] = "cycles until a node knows";
  return Json::array({grid});
}

}  // namespace odonata::cli
