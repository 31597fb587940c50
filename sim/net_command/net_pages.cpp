// SPDX-License-Identifier: Apache-2.0
#include "sim/net_command/net_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <sstream>
#include <utility>

#include "models/vtftr/tree_faults.h"
#include "sim/common/interrupt.h"
#include "sim/network/topologies/fat_tree.h"
#include "sim/network/topologies/graph.h"
#include "sim/network/topologies/mesh.h"
#include "sim/network/topologies/torus.h"

namespace odonata::cli {

namespace {

Json timeline_chart(const Json& timeline, const TimelineCounter& counter) {
  Json points = Json::array();
  for (const Json& i : timeline) {
    if (!i[counter.key].is_null()) points.push_back({i["last"], i[counter.key]});
  }
  return {{"type", "lines"},
          {"title", fmt::format("{} over time", counter.name)},
          {"text", "A point an interval, at its last cycle."},
          {"x_label", "cycle"},
          {"y_label", counter.unit},
          {"tight", counter.tight},
          {"series", Json::array({{{"name", counter.name}, {"points", points}}})}};
}

Json hop_bars(const Json& hops) {
  Json bars = Json::array();
  for (size_t n = 0; n < hops.size(); ++n) {
    const double share = hops[n].get<double>();
    if (share == 0 && bars.empty()) continue;  // of a large mesh the first are
    bars.push_back({{"label", counted(n, "link") + (n == network::kMaxHops ? " or more" : "")},
                    {"value", share},
                    {"max", 1},
                    {"text", fmt::format("{:.2f} %", 100 * share)}});
  }
  return {
      {"type", "bars"}, {"title", "Links of a path"}, {"text", "Share of the packets of the sample."}, {"bars", bars}};
}

/// The phases of every job, and the time that its ranks communicate.
void add_program_sections(Json& sections, const Json& result) {
  const auto mean = [](const Json& value) {
    return value.is_null() ? std::string("-") : fmt::format("{:.2f}", value.get<double>());
  };
  const auto cycle = [](const Json& value) { return value.is_null() ? Json("-") : value; };
  Json rows = Json::array();
  for (const Json& job : result["jobs"]) {
    for (const Json& p : job["phases"]) {
      rows.push_back({job["name"], p["name"], p["messages"], p["bytes"], p["packets"], mean(p["latency"]["nic"]),
                      mean(p["latency"]["creation"]), cycle(p["first"]), cycle(p["last"])});
    }
  }
  sections.push_back(
      {{"type", "table"},
       {"title", "Phases"},
       {"text",
        "Latency of a packet from its entry into the network (NIC) and from the start of its send; cycles of the first "
        "and the last operation."},
       {"header",
        {"job", "phase", "messages", "bytes", "packets", "latency, NIC", "latency, creation", "first", "last"}},
       {"rows", rows}});
  Json points = Json::array();
  for (size_t r = 0; r < result["ranks"].size(); ++r) {
    const Json& communication = result["ranks"][r]["communication"];
    if (!communication.is_null()) points.push_back({r, communication});
  }
  sections.push_back({{"type", "lines"},
                      {"title", "Communication time of the ranks"},
                      {"text", "Cycles without a calculation, up to the rank's end."},
                      {"x_label", "rank"},
                      {"y_label", "cycles"},
                      {"series", Json::array({{{"name", "communication"}, {"points", points}}})}});
}

/// Use of the links from group 0, link by link: where the heat is.
Json link_bars(const Json& result) {
  Json bars = Json::array();
  for (const auto& [name, use] : result["channels"].items()) {
    if (name == "group0" || use["mean"].is_null()) continue;  // null: nothing was measured
    for (const char* what : {"mean", "max"}) {
      bars.push_back({{"label", fmt::format("{} links, {}", name, what)},
                      {"value", use[what]},
                      {"max", 1},
                      {"text", fmt::format("{:.2f} %", 100 * use[what].get<double>())}});
    }
  }
  return {
      {"type", "bars"}, {"title", "Use of the links"}, {"text", "Flits a cycle over the whole run."}, {"bars", bars}};
}

Json link_picture(const Json& result, const Json& windows) {
  Json section = {
      {"type", "network"},
      {"title", "Links over time"},
      {"text", "Every link between routers, coloured by its load in a window of the sample; move the slider."},
      {"windows", true},
      {"unit", "flits a cycle"}};
  if (result["topology"].value("kind", "") == "fat_tree") {
    section["text"] =
        "Every link between switches, coloured by its load in a window of the sample; move the slider. The grid are "
        "the leaves; the roots of a column stand above it, those of a row at its right, of further dimensions beside "
        "their first leaf.";
  }
  if (windows.contains("places")) {
    section.update({{"places", windows["places"]}, {"names", windows["names"]}});
    return section;
  }
  section.update({{"type", "dragonfly"},
                  {"title", "Global links over time"},
                  {"text", "Every global link, coloured by its load in a window of the sample; move the slider."},
                  {"groups", result["dragonfly"]["g"]},
                  {"routers", result["dragonfly"]["a"]},
                  {"links", Json::array()}});
  return section;
}

/// With a timeline: its counters, and the links window by window.
void add_timeline(Json& sections, Json& result) {
  if (result["timeline"].empty()) return;
  for (const TimelineCounter& c : kTimelineCounters) {
    if (counted(result["timeline"], c)) sections.push_back(timeline_chart(result["timeline"], c));
  }
  if (!result.contains("link_windows")) return;
  Json& windows = result["link_windows"];
  sections.push_back(link_picture(result, windows));
  windows.erase("places");
  windows.erase("names");
}

/// Without a timeline: the mean load of the global channels of group 0 of a dragonfly, and the links that fail.
void add_group_zero(Json& sections, const Json& result) {
  if (!result.contains("dragonfly") || result.contains("link_windows") || result["channels"]["group0"].empty()) return;
  const Json& d = result["dragonfly"];
  const int routers = d["a"], ports = d["h"], groups = d["g"];
  const bool direct = d["arrangement"] == "direct";
  Json links = Json::array();
  size_t next = 0;
  for (int port = 0; port < routers * ports; ++port) {
    const int to = direct ? port : port + 1;
    if (to == 0 || to >= groups || next >= result["channels"]["group0"].size()) continue;
    const Json& load = result["channels"]["group0"][next++];
    links.push_back({{"from", {0, port / ports}},
                     {"to", {to, 0}},
                     {"value", load},
                     {"text", fmt::format("group 0 to group {}: {:.3f} flits a cycle", to, load.get<double>())}});
  }
  sections.push_back({{"type", "dragonfly"},
                      {"title", "Global channels of group 0"},
                      {"text",
                       "Groups as a ring, routers as dots; links coloured by their mean load in the sample. With "
                       "--timeline all links are drawn over time."},
                      {"groups", groups},
                      {"routers", routers},
                      {"links", links},
                      {"unit", "flits a cycle"}});
}

/// Faults that the end of the run came before, for a headline.
std::string late_words(const Json& result) {
  const auto late = result.value(Json::json_pointer("/faults/late"), 0);
  return late == 0
             ? ""
             : fmt::format("; {} did not come before the end", counted(late, "fault or repair", "faults or repairs"));
}

/// What a run of programs shows in the place of the latency of a sample.
void add_program_report(Json& result, bool checks_hold) {
  const bool complete = result["unfinished_ranks"].get<uint32_t>() == 0;
  const bool good =
      checks_hold && complete && result["messages"] == result["received"] && result["conservation_ok"].get<bool>();
  result["verdict"] = good ? "pass" : "fail";
  result["headline"] =
      complete ? fmt::format("{}, {}: {} cycles, {} messages", result["routing"].get<std::string>(),
                             result["parameters"]["workload"].get<std::string>(), result["time_cycles"].get<uint64_t>(),
                             result["messages"].get<uint64_t>())
               : fmt::format("{} ranks have not come to their end: {}", result["unfinished_ranks"].get<uint32_t>(),
                             result[result.contains("gave_up") ? "gave_up" : "waits"].get<std::string>());
  result["headline"] = result["headline"].get<std::string>() + late_words(result);
  if (!result["deadlock"].get<std::string>().empty())
    result["headline"] = "deadlock, nothing arrives any more; " + result["headline"].get<std::string>();
  if (result["interrupted"].get<bool>()) mark_interrupted(result);
  Json sections = Json::array();
  add_program_sections(sections, result);
  sections.push_back(link_bars(result));
  add_timeline(sections, result);
  result["report"] = sections;
}

}  // namespace

namespace {

/// A point of a grid in the plane: planes of x and y, whose points are `pitch` apart, side by side; of a fourth
/// dimension above each other, and so on in turn, with `gap` between planes. `at` and `size` of a dimension.
template <class At, class Size>
std::pair<double, double> in_planes(int dimensions, At at, Size size, double pitch, double gap) {
  int across = 0, above = 0;
  for (int d = dimensions - 1; d >= 2; --d) {
    int& place = d % 2 == 0 ? across : above;
    place = place * size(d) + at(d);
  }
  const auto along = [&](int d, int plane) {
    return d < dimensions ? at(d) * pitch + plane * (size(d) * pitch + gap) : 0.0;
  };
  return {along(0, across), along(1, above)};
}

/// Places and names of routers.
class Places {
 public:
  void put(std::pair<double, double> at, const std::string& name) {
    places_.push_back({at.first, at.second});
    names_.push_back(name);
  }
  template <class Grid>
  void put_grid(const Grid& grid, int router, const std::string& name) {
    const auto at = [&](int d) { return grid.coordinate(router, d); };
    put(in_planes(
            grid.dimensions(), at, [&grid](int d) { return grid.radix(d); }, 1, 1),
        name);
  }
  void put_tree(const network::FatTreeTopology& topology);
  Json json() const { return {{"places", places_}, {"names", names_}}; }

 private:
  Json places_ = Json::array(), names_ = Json::array();
};

/// Roots of a row are at its right, of a column above it, of further dimensions beside their first leaf.
void Places::put_tree(const network::FatTreeTopology& topology) {
  const FatTree& tree = topology.tree();
  const bool flat = tree.dimensions() == 2;
  const double pitch = flat ? 1 : 1 + 0.5 * tree.u(), gap = 1 + 0.7 * tree.u();
  const auto place_of = [&](int leaf) {
    const FatTree::Point point = tree.point(leaf);
    return in_planes(
        tree.dimensions(), [&point](int d) { return point[d]; }, [&tree](int d) { return tree.size(d); }, pitch, gap);
  };
  for (int r = 0; r < topology.routers(); ++r) {
    const network::FatTreeTopology::Switch s = topology.at(r);
    if (s.leaf) {
      put(place_of(r), "leaf " + vtftr::leaf_name(tree, r));
      continue;
    }
    auto at = place_of(tree.leaf_of_line(s.dimension, s.line, s.dimension < 2 ? tree.size(s.dimension) - 1 : 0));
    const double out = 0.7 * s.rail;
    if (s.dimension == 0) at.first += 1.4 + out;
    if (s.dimension == 1) at.second += 1.4 + out;
    if (s.dimension >= 2) at.first += 0.5 * (s.rail + 1), at.second += 0.5 * (s.dimension - 1);
    const std::string of = flat ? fmt::format("{} {}", vtftr::dimension_name(s.dimension), s.line)
                                : fmt::format("line {} of dimension {}", s.line, s.dimension);
    put(at, fmt::format("root {} of {}", s.rail, of));
  }
}

}  // namespace

Json router_places(const network::Config& config, const network::Wiring& wiring) {
  const std::string kind = config.topology->kind();
  Places places;
  if (kind == "mesh") {
    const arb_request::Mesh& mesh = network::mesh_of(config);
    for (int r = 0; r < mesh.routers(); ++r) places.put_grid(mesh, r, mesh.router_name(r));
  } else if (kind == "torus") {
    const Torus& torus = network::torus_of(config);
    for (int r = 0; r < torus.nodes(); ++r) places.put_grid(torus, r, torus.node_name(r));
  } else if (kind == "fat_tree") {
    places.put_tree(network::fat_tree_of(config));
  } else if (kind == "graph") {
    const network::GraphTopology& graph = network::graph_of(config);
    const int routers = wiring.domains * wiring.routers;
    const double radius = std::max(1.0, 0.2 * routers);
    for (int r = 0; r < routers; ++r) {
      const double angle = 2 * std::numbers::pi * r / routers;
      const int at = graph.switch_of(r);
      places.put({radius * std::sin(angle), radius * std::cos(angle)}, at < 0 ? "" : graph.graph().at(at).name);
    }
  } else {
    return {};
  }
  return places.json();
}

bool counted(const Json& timeline, const TimelineCounter& counter) {
  return std::any_of(timeline.begin(), timeline.end(), [&](const Json& i) {
    return !i[counter.key].is_null() && (counter.tight || i[counter.key] != 0);
  });
}

namespace {

/// What a run measured, and what else the reader of its page has to know of it.
std::string net_headline(const Json& result) {
  std::string out = "no packet of the sample was delivered: nothing was measured";
  if (result["latency"]["packets"].get<uint64_t>() != 0)
    out = fmt::format("{}, {}{}: accepted {:.4f}, latency {:.2f}", result["routing"].get<std::string>(),
                      result["traffic"].get<std::string>(),
                      result["load"].is_null() ? "" : fmt::format(" at load {}", result["load"].get<double>()),
                      result["accepted"].get<double>(), result["latency"]["mean"].get<double>());
  if (!result["deadlock"].get<std::string>().empty())
    out = "deadlock, nothing arrives any more; " + out;
  else if (result["saturated"].get<bool>())
    out += ", saturated";
  return out + late_words(result);
}

/// The packets of a deadlock, a line each.
Json deadlock_table(const std::string& words) {
  Json rows = Json::array();
  std::istringstream lines(words);
  for (std::string line; std::getline(lines, line);) rows.push_back({line});
  return {{"type", "table"}, {"title", "Deadlock"}, {"header", {"what the watchdog saw"}}, {"rows", rows}};
}

}  // namespace

void add_net_report(Json& result, bool checks_hold) {
  if (result.contains("jobs"))
    return add_program_report(result, checks_hold && result["deadlock"].get<std::string>().empty());
  const bool measured = result["latency"]["packets"].get<uint64_t>() != 0;
  const bool good =
      checks_hold && measured && result["conservation_ok"].get<bool>() && result["deadlock"].get<std::string>().empty();
  result["verdict"] = good ? "pass" : "fail";
  result["headline"] = net_headline(result);
  if (result["interrupted"].get<bool>()) mark_interrupted(result);
  Json sections = Json::array();
  if (const std::string deadlock = result["deadlock"]; !deadlock.empty()) sections.push_back(deadlock_table(deadlock));
  if (!result["hops"].empty()) sections.push_back(hop_bars(result["hops"]));
  add_timeline(sections, result);
  add_group_zero(sections, result);
  result["report"] = sections;
}

std::string timeline_trace(const Json& result) {
  Json events = Json::array({{{"ph", "M"}, {"pid", 0}, {"name", "process_name"}, {"args", {{"name", "network"}}}}});
  for (const Json& i : result["timeline"]) {
    for (const TimelineCounter& c : kTimelineCounters) {
      if (!counted(result["timeline"], c) || i[c.key].is_null()) continue;
      events.push_back({{"ph", "C"}, {"pid", 0}, {"name", c.name}, {"ts", i["first"]}, {"args", {{c.unit, i[c.key]}}}});
    }
  }
  return Json{
      {"displayTimeUnit", "ns"}, {"otherData", {{"unit", "1 us of the trace is 1 cycle"}}}, {"traceEvents", events}}
      .dump();
}

}  // namespace odonata::cli
