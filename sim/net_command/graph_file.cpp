// SPDX-License-Identifier: Apache-2.0
#include "sim/net_command/graph_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "models/common/error.h"
#include "sim/common/output.h"
#include "sim/common/program.h"
#include "sim/network/topologies/graph.h"

namespace odonata::cli {

namespace {

class GraphReader {
 public:
  explicit GraphReader(std::string path) : path_(std::move(path)) {}

  std::shared_ptr<const network::Topology> read(const Json& file) {
    check_keys(file, "the file", {"name", "switches", "nodes", "links", "address_width", "root", "tables"});
    Graph::Parts parts;
    parts.name = file.contains("name") ? text(file["name"], "name") : std::filesystem::path(path_).filename().string();
    if (file.contains("address_width"))
      parts.address_width = number(file["address_width"], "address_width", 1, Graph::kMostAddressWidth);
    read_switches(list(file, "switches"), parts);
    read_nodes(list(file, "nodes"), parts);
    read_links(list(file, "links"), parts);
    const int root = file.contains("root") ? switch_of(file["root"], "root") : -1;
    const Graph graph = built(std::move(parts));
    std::optional<GraphTables> tables;
    if (file.contains("tables")) tables = read_tables(file["tables"], graph);
    return std::make_shared<network::GraphTopology>(graph, root, std::move(tables));
  }

 private:
  [[noreturn]] void fail(const std::string& where, const std::string& expected) const {
    throw Error(fmt::format("{}: {}: expected {}", path_, where, expected));
  }
  void check_keys(const Json& object, const std::string& where, const std::vector<std::string>& known) const {
    if (!object.is_object()) fail(where, "an object");
    for (const auto& [key, value] : object.items()) {
      if (std::find(known.begin(), known.end(), key) == known.end()) {
        throw Error(
            fmt::format("{}: {}: key '{}' is unknown, expected one of {}", path_, where, key, fmt::join(known, ", ")));
      }
    }
  }
  const Json& list(const Json& object, const std::string& key) const {
    if (!object.contains(key) || !object[key].is_array() || object[key].empty()) fail(key, "a list that is not empty");
    return object[key];
  }
  std::string text(const Json& value, const std::string& where) const {
    if (!value.is_string() || value.get<std::string>().empty()) fail(where, "a name");
    return value.get<std::string>();
  }
  int number(const Json& value, const std::string& where, int64_t low, int64_t high) const {
    const bool fits = value.is_number_integer() && value.get<int64_t>() >= low && value.get<int64_t>() <= high;
    if (!fits) fail(where, fmt::format("a number {}..{}", low, high));
    return static_cast<int>(value.get<int64_t>());
  }
  int switch_of(const Json& value, const std::string& where) const {
    const auto found = switches_.find(text(value, where));
    if (found == switches_.end())
      throw Error(fmt::format("{}: {}: there is no switch '{}'", path_, where, value.get<std::string>()));
    return found->second;
  }
  Graph built(Graph::Parts parts) const {
    try {
      return Graph(std::move(parts));
    } catch (const Error& e) {
      throw Error(path_ + ": " + e.what());
    }
  }

  /// "s0" or { "name": "s0", "domain": 1 }
  void read_switches(const Json& all, Graph::Parts& parts) {
    constexpr int kMost = 65'536;
    if (all.size() > kMost) fail("switches", fmt::format("at most {}", kMost));
    for (size_t i = 0; i < all.size(); ++i) {
      const std::string where = fmt::format("switches[{}]", i);
      Graph::Switch s;
      if (all[i].is_object()) {
        check_keys(all[i], where, {"name", "domain"});
        s.name = text(all[i].value("name", Json()), where + ".name");
        if (all[i].contains("domain"))
          s.domain = number(all[i]["domain"], where + ".domain", 0, static_cast<int64_t>(all.size()) - 1);
      } else {
        s.name = text(all[i], where);
      }
      if (!switches_.try_emplace(s.name, static_cast<int>(i)).second)
        fail(where, "a name that no other switch has, it is '" + s.name + "'");
      parts.switches.push_back(s);
    }
  }
  /// { "name": "n0", "switch": "s0", "address": 7 }
  void read_nodes(const Json& all, Graph::Parts& parts) {
    for (size_t i = 0; i < all.size(); ++i) {
      const std::string where = fmt::format("nodes[{}]", i);
      check_keys(all[i], where, {"name", "switch", "address"});
      Graph::Node n;
      n.name = text(all[i].value("name", Json()), where + ".name");
      n.at = switch_of(all[i].value("switch", Json()), where + ".switch");
      n.address = static_cast<uint32_t>(all[i].contains("address") ? number(all[i]["address"], where + ".address", 0,
                                                                            (1 << Graph::kMostAddressWidth) - 1)
                                                                   : static_cast<int>(i));
      if (!nodes_.try_emplace(n.name, static_cast<int>(i)).second)
        fail(where, "a name that no other node has, it is '" + n.name + "'");
      parts.nodes.push_back(n);
    }
  }
  /// { "between": ["s0", "s1"], "latency": 3 }
  void read_links(const Json& all, Graph::Parts& parts) const {
    for (size_t i = 0; i < all.size(); ++i) {
      const std::string where = fmt::format("links[{}]", i);
      check_keys(all[i], where, {"between", "latency"});
      const Json& ends = all[i].value("between", Json());
      if (!ends.is_array() || ends.size() != 2) fail(where + ".between", "two switches");
      Graph::Link l;
      l.a = switch_of(ends[0], where + ".between[0]");
      l.b = switch_of(ends[1], where + ".between[1]");
      if (all[i].contains("latency")) l.latency = number(all[i]["latency"], where + ".latency", 1, Graph::kMostLatency);
      parts.links.push_back(l);
    }
  }
  /// { "s0": { "n3": "s1", "n4": { "to": "s1", "link": 2, "vc": 1 } } }; nodes of the switch itself need no entry.
  GraphTables read_tables(const Json& all, const Graph& graph) const {
    if (!all.is_object()) fail("tables", "an object of switches");
    GraphTables out(graph);
    for (int n = 0; n < graph.nodes(); ++n) out.set(graph.node(n).at, n, {static_cast<uint8_t>(graph.node_port(n))});
    for (const auto& [name, entries] : all.items()) {
      const std::string where = "tables." + name;
      const int at = switch_of(name, where);
      if (!entries.is_object()) fail(where, "an object of nodes");
      for (const auto& [node, entry] : entries.items()) {
        const auto found = nodes_.find(node);
        if (found == nodes_.end()) throw Error(fmt::format("{}: {}: there is no node '{}'", path_, where, node));
        out.set(at, found->second, entry_of(entry, where + "." + node, graph, at));
      }
    }
    return out;
  }
  GraphTables::Entry entry_of(const Json& entry, const std::string& where, const Graph& graph, int at) const {
    const bool plain = !entry.is_object();
    if (!plain) check_keys(entry, where, {"to", "link", "vc"});
    const int to = switch_of(plain ? entry : entry.value("to", Json()), plain ? where : where + ".to");
    int port = graph.port_towards(at, to);
    const auto& ports = graph.ports(at);
    if (plain || !entry.contains("link")) {
      if (std::count_if(ports.begin(), ports.end(),
                        [to](const Graph::Port& p) { return p.link >= 0 && p.peer == to; }) > 1)
        fail(where, fmt::format("a link, several lead from '{}' to '{}'", graph.at(at).name, graph.at(to).name));
    } else {
      port = port_of_link(graph, at, number(entry["link"], where + ".link", 0, graph.channels() / 2 - 1));
    }
    if (port < 0 || ports[static_cast<size_t>(port)].peer != to) {
      throw Error(fmt::format("{}: {}: no such link leads from '{}' to '{}'", path_, where, graph.at(at).name,
                              graph.at(to).name));
    }
    GraphTables::Entry out{static_cast<uint8_t>(port)};
    if (!plain && entry.contains("vc")) out.vc = static_cast<uint8_t>(number(entry["vc"], where + ".vc", 0, 15));
    return out;
  }
  static int port_of_link(const Graph& graph, int at, int link) {
    const auto& ports = graph.ports(at);
    const auto found = std::find_if(ports.begin(), ports.end(), [&](const Graph::Port& p) { return p.link == link; });
    return found == ports.end() ? -1 : static_cast<int>(found - ports.begin());
  }

  std::string path_;
  std::map<std::string, int> switches_, nodes_;
};

}  // namespace

std::shared_ptr<const network::Topology> read_graph(const std::string& path) {
  const std::string text = read_text(path);
  Json file;
  std::vector<std::set<std::string>> open;  // the keys of the objects around the place
  const auto see = [&](int, Json::parse_event_t event, const Json& value) {
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event == Json::parse_event_t::key && !open.back().insert(value.get<std::string>()).second)
      throw Error(path + ": key '" + value.get<std::string>() + "' is in its object twice");
    return true;
  };
  try {
    file = Json::parse(text, see);
  } catch (const Json::parse_error& e) {
    throw Error(path + ": no valid JSON: " + e.what());
  }
  return GraphReader(path).read(file);
}

}  // namespace odonata::cli
