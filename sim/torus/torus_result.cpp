// SPDX-License-Identifier: Apache-2.0
#include "sim/torus/torus_result.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "models/common/error.h"
#include "models/torus/box_route.h"
#include "models/torus/fault_plane.h"
#include "sim/common/options.h"
#include "sim/common/program.h"
#include "sim/torus/torus_pages.h"

namespace odonata::cli {

namespace {

using namespace torus;

/// Appends what is not there yet; `text` names it.
template <class Item>
void add_once(std::vector<Item>& all, const std::vector<Item>& some, const std::string& text) {
  for (const Item& item : some) {
    if (std::find(all.begin(), all.end(), item) != all.end())
      throw Error("--fail: '" + text + "' names what fails already");
    all.push_back(item);
  }
}

Faults faults_of(const Torus& torus, const TorusOptions& options) {
  Faults all;
  for (const std::string& text : options.fail) {
    const Faults some = parse_faults(torus, text);
    add_once(all.nodes, some.nodes, text);
    add_once(all.links, some.links, text);
  }
  return all;
}

Json at_json(const Torus& torus, int node) {
  Json at = Json::array();
  for (int d = 0; d < torus.dimensions(); ++d) at.push_back(torus.coordinate(node, d));
  return at;
}

Json channel_json(const Torus& torus, const Hop& hop) {
  return {
      {"at", at_json(torus, hop.node)}, {"out", Torus::port_name(hop.port)}, {"vc", channel_name(hop.port, hop.vc)}};
}

Json header_json(uint8_t bits) {
  const auto sign = [&](uint8_t mask) { return bits & mask ? "-" : "+"; };
  return {{"dim", bits & header::kDim ? "y" : "x"},
          {"dir", sign(header::kDir)},
          {"around", sign(header::kAround)},
          {"back", (bits & header::kBack) != 0}};
}

/// [y][x] of a value a node, of three dimensions [z][y][x].
template <class Value>
Json grid(const Torus& torus, Value&& value) {
  const auto plane = [&](int z) {
    Json rows = Json::array();
    for (int y = 0; y < torus.radix(1); ++y) {
      Json row = Json::array();
      for (int x = 0; x < torus.radix(0); ++x) row.push_back(value(torus.node(x, y, z)));
      rows.push_back(std::move(row));
    }
    return rows;
  };
  if (torus.dimensions() == 2) return plane(0);
  Json planes = Json::array();
  for (int z = 0; z < torus.radix(2); ++z) planes.push_back(plane(z));
  return planes;
}

Json bits_json(uint64_t bits) {
  Json list = Json::array();
  for (; bits != 0; bits &= bits - 1) list.push_back(std::countr_zero(bits));
  return list;
}

/// A picture of the torus, of three dimensions one of the plane z; y upwards: "." healthy, "#" failed, a digit or "+"
/// the round in which a node was marked.
std::string picture(const FaultMap& map, int z = 0) {
  const Torus& t = map.torus();
  std::string s;
  for (int y = t.radix(1) - 1; y >= 0; --y) {
    s += "  ";
    for (int x = 0; x < t.radix(0); ++x) {
      const int round = map.marked_in_round(t.node(x, y, z));
      s += round < 0 ? '.' : round == 0 ? '#' : round > 9 ? '+' : static_cast<char>('0' + round);
      s += x + 1 < t.radix(0) ? " " : "\n";
    }
  }
  return s;
}

}  // namespace

namespace {

/// Three dimensions: the graph of all ways, or of one packet (docs/torus.md §13).
BoxMap boxes_of(const TorusOptions& o) {
  const Torus t = Torus::parse(o.torus);
  if (o.rule != "dim") throw Error("--rule any: boxes of three dimensions are marked by rule dim, --rule dim");
  if (o.routing != "safe6_ring" && o.routing != "torus_boxes")
    throw Error("--routing " + o.routing + ": three dimensions have torus_boxes only");
  if (o.all_sets) throw Error("--all-sets: two dimensions only");
  BoxMap boxes(t, faults_of(t, o));
  if (boxes.map().num_healthy() == 0) throw Error("torus " + t.name() + ": the faults disable every node by rule dim");
  return boxes;
}

Json box_channel_json(const Torus& torus, const Hop& hop) {
  return {{"at", at_json(torus, hop.node)}, {"out", Torus::port_name(hop.port)}, {"vc", hop.vc}};
}

}  // namespace

FaultMap TorusOptions::map() const {
  const Torus t = Torus::parse(torus);
  FaultMap map(t, rule_from_name(rule), faults_of(t, *this));
  ground_of(map);  // two dimensions
  if (map.num_healthy() == 0) throw Error("torus " + t.name() + ": the faults disable every node by rule " + rule);
  return map;
}

Option add_torus_options(Command& command, TorusOptions& o) {
  const Option torus =
      command
          .add_option("--torus", o.torus, "a torus such as 10x10 or 4x4x4 with fault-tolerant routing (docs/torus.md)")
          .type_name("KXxKY");
  add_choice(command, "--rule", o.rule, {"any", "dim"},
             "torus: a healthy node is disabled with two blocked ports, or with one in each dimension")
      .needs(torus);
  return torus;
}

Option add_torus_route_options(Command& command, TorusOptions& o) {
  const Option torus = add_torus_options(command, o);
  command
      .add_option("--routing", o.routing,
                  "torus: printed, ring6, safe6, safe6_ring, safe6_short, safe4, safe4_ring, adaptive or ecube; of "
                  "three dimensions: torus_boxes")
      .needs(torus);
  return torus;
}

void add_torus_deadlock_options(Command& command, TorusOptions& o) {
  const Option torus = add_torus_route_options(command, o);
  command
      .add_flag("--all-sets", o.all_sets, "torus of at most 30 nodes: every set of faulty nodes, through its closure")
      .needs(torus);
  command
      .add_flag("--to-disabled", o.to_disabled,
                "torus: packets for disabled nodes, too, which hold channels until they are dropped")
      .needs(torus);
}

Json torus_head(std::string_view command, const TorusOptions& o, const FaultMap& map) {
  Json out = result_head(command);
  out.update({{"torus", map.torus().name()}, {"rule", o.rule}, {"fail", o.fail}, {"healthy", map.num_healthy()}});
  return out;
}

// ---- route

Json torus_route(const FaultMap& map, Variant variant, int from, int to) {
  const Torus& t = map.torus();
  if (!map.healthy(to)) throw Error("destination " + t.node_name(to) + " is disabled");
  const Path path = find_path(map, variant, from, to);
  Json hops = Json::array();
  for (const Hop& h : path.hops) {
    Json hop = channel_json(t, h);
    hop["header"] = header_json(h.header);
    hops.push_back(std::move(hop));
  }
  return {{"routing", name_of(variant)},      {"from", at_json(t, from)},  {"to", at_json(t, to)},
          {"outcome", name_of(path.outcome)}, {"links", path.hops.size()}, {"hops", std::move(hops)},
          {"end", at_json(t, path.end)}};
}

namespace {

void run_box_route(const TorusOptions& o, const std::string& from, const std::string& to, const std::string& json) {
  const JsonFile file(json);
  const BoxMap map = boxes_of(o);
  const Torus& t = map.torus();
  const int source = t.parse_node(from), dest = t.parse_node(to);
  if (!map.healthy(dest)) throw Error("destination " + t.node_name(dest) + " is disabled");
  const Path path = find_box_path(map, source, dest);
  Table table({"at", "out", "vc"});
  Json hops = Json::array();
  for (const Hop& h : path.hops) {
    hops.push_back(box_channel_json(t, h));
    table.add({t.node_name(h.node), Torus::port_name(h.port), std::to_string(h.vc)});
  }
  if (!path.hops.empty()) fmt::print("{}\n", table.text());
  finish_result(file, torus_head("route", o, map.map()),
                {{"routing", "torus_boxes"},
                 {"from", at_json(t, source)},
                 {"to", at_json(t, dest)},
                 {"outcome", name_of(path.outcome)},
                 {"links", path.hops.size()},
                 {"hops", std::move(hops)},
                 {"end", at_json(t, path.end)}},
                fmt::format("{} to {} on torus {}, torus_boxes: {} after {}", t.node_name(source), t.node_name(dest),
                            t.name(), name_of(path.outcome), counted(path.hops.size(), "link")),
                path.outcome == Outcome::kDelivered || path.outcome == Outcome::kUnreachable);
}

}  // namespace

void run_torus_route(const TorusOptions& o, const std::string& from, const std::string& to, const std::string& json) {
  if (Torus::parse(o.torus).dimensions() == 3) return run_box_route(o, from, to, json);
  const JsonFile file(json);
  const FaultMap map = o.map();
  const Torus& t = map.torus();
  const Json result = torus_route(map, variant_from_name(o.routing), t.parse_node(from), t.parse_node(to));
  Table table({"at", "out", "channel", "dim", "dir", "around", "back"});
  for (const Json& h : result["hops"]) {
    const Json& bits = h["header"];
    table.add({fmt::format("({},{})", h["at"][0].get<int>(), h["at"][1].get<int>()), h["out"], h["vc"], bits["dim"],
               bits["dir"], bits["around"], bits["back"] ? "yes" : ""});
  }
  if (!result["hops"].empty()) fmt::print("{}\n", table.text());
  const std::string outcome = result["outcome"];
  finish_result(file, torus_head("route", o, map), result,
                fmt::format("{} to {} on torus {}, {}: {} after {}", t.node_name(t.parse_node(from)),
                            t.node_name(t.parse_node(to)), t.name(), o.routing, outcome,
                            counted(result["links"].get<size_t>(), "link")),
                outcome == "delivered" || outcome == "unreachable", torus_route_sections(map, result));
}

// ---- deadlock

namespace {

Json service_json(const Service& s) {
  return {{"pairs", s.pairs},        {"served_pairs", s.delivered},
          {"lost_pairs", s.lost()},  {"unreachable_pairs", s.unreachable},
          {"dropped", s.dropped},    {"stuck", s.stuck},
          {"livelock", s.livelocked}};
}

void print_deadlock(const Json& r, const std::string& what) {
  Table table({"channels", "dependencies", "graph", "pairs", "served", "lost", "unreachable"});
  const auto number = [&](const char* key) { return std::to_string(r[key].get<int64_t>()); };
  table.add({number("channels"), number("dependencies"), r["acyclic"] ? "acyclic" : "cyclic", number("pairs"),
             number("served_pairs"), number("lost_pairs"), number("unreachable_pairs")});
  fmt::print("{}\n\n{}\n", what, table.text());
  if (!r["cycle"].empty()) fmt::print("A cycle of {} channels:\n", r["cycle"].size());
  for (const Json& w : r["cycle"]) fmt::print("  {}\n", w["text"].get<std::string>());
}

}  // namespace

Json torus_deadlock(const FaultMap& map, Variant variant, Destinations destinations) {
  const Torus& t = map.torus();
  WaitGraph graph(t);
  const Service service = add_routes(map, variant, graph, destinations);
  Json cycle = Json::array();
  for (const Wait& w : explain_cycle(map, variant, graph.find_cycle()))
    cycle.push_back({{"holds", channel_json(t, w.holds)},
                     {"waits_for", channel_json(t, w.wants)},
                     {"packet", {{"from", at_json(t, w.from)}, {"to", at_json(t, w.to)}}},
                     {"text", in_words(t, w)}});
  Json result = {
      {"routing", name_of(variant)},  {"destinations", destinations == Destinations::kAll ? "all" : "healthy"},
      {"channels", graph.channels()}, {"dependencies", graph.dependencies()},
      {"acyclic", graph.acyclic()},   {"cycle", std::move(cycle)}};
  result.update(service_json(service));
  return result;
}

Json torus_deadlock_all_sets(const Torus& torus, Rule rule, Variant variant, Destinations destinations) {
  WaitGraph graph(torus);
  Service sum;
  int64_t sets = 0, cyclic = 0, incomplete = 0;
  Json example;  // nodes of the first set that is not as it should be
  for_each_closed_set(torus, rule, [&](uint32_t set) {
    const FaultMap map(torus, rule, node_faults(set));
    if (map.num_healthy() == 0) return;
    graph.clear();
    const Service s = add_routes(map, variant, graph, destinations);
    const bool bad = !graph.acyclic();
    ++sets;
    cyclic += bad;
    incomplete += s.lost() > 0;
    for (int64_t Service::*each : {&Service::pairs, &Service::delivered, &Service::unreachable, &Service::dropped,
                                   &Service::stuck, &Service::livelocked})
      sum.*each += s.*each;
    if (!(bad || s.lost() > 0) || !example.is_null()) return;
    example = Json::array();
    for (const int n : node_faults(set).nodes) example.push_back(at_json(torus, n));
  });
  Json result = {{"routing", name_of(variant)},
                 {"destinations", destinations == Destinations::kAll ? "all" : "healthy"},
                 {"sets", sets},
                 {"cyclic_sets", cyclic},
                 {"incomplete_sets", incomplete},
                 {"acyclic", cyclic == 0},
                 {"example", example}};
  result.update(service_json(sum));
  return result;
}

namespace {

void run_box_deadlock(const TorusOptions& o, const std::string& json) {
  const JsonFile file(json);
  const BoxMap map = boxes_of(o);
  const Torus& t = map.torus();
  const BoxReport report = explore_boxes(map, o.to_disabled ? Destinations::kAll : Destinations::kHealthy);
  Json cycle = Json::array();
  for (const std::string& channel : report.cycle) cycle.push_back({{"text", channel}});
  Json r = {{"routing", "torus_boxes"},        {"destinations", o.to_disabled ? "all" : "healthy"},
            {"channels", report.channels},     {"dependencies", report.dependencies},
            {"acyclic", report.cycle.empty()}, {"cycle", std::move(cycle)}};
  r.update(service_json(report.service));
  print_deadlock(r, fmt::format("torus_boxes on torus {}, rule dim, {} of {} nodes healthy", t.name(),
                                map.map().num_healthy(), t.nodes()));
  finish_result(
      file, torus_head("deadlock", o, map.map()), r,
      fmt::format("torus_boxes on torus {}: {}, {} of {} pairs lost", t.name(),
                  report.cycle.empty() ? "deadlock-free" : "deadlock", report.service.lost(), report.service.pairs),
      report.cycle.empty() && report.service.lost() == 0);
}

}  // namespace

void run_torus_deadlock(const TorusOptions& o, const std::string& json) {
  if (Torus::parse(o.torus).dimensions() == 3) return run_box_deadlock(o, json);
  const JsonFile file(json);
  if (o.all_sets && !o.fail.empty()) throw Error("--all-sets takes every set of faulty nodes: no --fail beside it");
  const FaultMap map = o.map();
  const Torus& t = map.torus();
  const Variant variant = variant_from_name(o.routing);
  const Destinations destinations = o.to_disabled ? Destinations::kAll : Destinations::kHealthy;
  const Json head = torus_head("deadlock", o, map);
  if (o.all_sets) {
    const Json r = torus_deadlock_all_sets(t, map.rule(), variant, destinations);
    const int64_t sets = r["sets"], cyclic = r["cyclic_sets"], lost = r["incomplete_sets"];
    finish_result(
        file, head, r,
        fmt::format(
            "{} on torus {}, rule {}: of {} closed sets of disabled nodes {} have a cyclic graph, {} lose pairs",
            o.routing, t.name(), o.rule, sets, cyclic, lost),
        cyclic == 0 && lost == 0);
    return;
  }
  const Json r = torus_deadlock(map, variant, destinations);
  print_deadlock(r, fmt::format("{} on torus {}, rule {}, {} of {} nodes healthy", o.routing, t.name(), o.rule,
                                map.num_healthy(), t.nodes()));
  const bool acyclic = r["acyclic"];
  const int64_t lost = r["lost_pairs"];
  finish_result(file, head, r,
                fmt::format("{} on torus {}: {}, {} of {} pairs lost", o.routing, t.name(),
                            acyclic ? "deadlock-free" : "deadlock", lost, r["pairs"].get<int64_t>()),
                acyclic && lost == 0, torus_deadlock_sections(map, r));
}

// ---- fault

namespace {

/// The numbers of an array of coordinates that this torus has.
Json first_numbers(const Torus& torus, const Torus::Coordinates& numbers) {
  return Json(std::vector<int>(numbers.begin(), numbers.begin() + torus.dimensions()));
}

/// What the map itself says, in two or three dimensions.
Json regions_json(const FaultMap& map) {
  const Torus& t = map.torus();
  Json regions = Json::array(), walls = Json::object();
  for (const Region& r : map.regions())
    regions.push_back(
        {{"first", first_numbers(t, r.first)}, {"extent", first_numbers(t, r.extent)}, {"nodes", r.nodes}});
  for (int d = 0; d < t.dimensions(); ++d) walls[std::string(1, "xyz"[d])] = bits_json(map.wall(d));
  return {{"rounds", map.rounds()},
          {"marked_in_round", grid(t, [&](int n) { return map.marked_in_round(n); })},
          {"regions", std::move(regions)},
          {"walls", std::move(walls)},
          {"healthy", map.num_healthy()}};
}

void print_regions(const Json& regions) {
  for (const Json& region : regions) {
    const auto joined = [&](const char* key, const char* between) {
      return fmt::format("{}", fmt::join(region[key].get<std::vector<int>>(), between));
    };
    fmt::print("Region at ({}), {}\n", joined("first", ","), joined("extent", " x "));
  }
}

/// Links that fail are not in the picture.
void print_failed_links(const Torus& torus, const Faults& faults) {
  for (const Link& l : faults.links)
    fmt::print("Failed link of {}, {}\n", torus.node_name(l.node), Torus::port_name(2 * l.dimension));
}

/// Three dimensions have no units, and so no cycles.
void run_box_fault(const TorusOptions& o, const std::string& json) {
  const JsonFile file(json);
  const BoxMap boxes = boxes_of(o);
  const FaultMap& map = boxes.map();
  const Torus& t = map.torus();
  const Json r = regions_json(map);
  fmt::print("Torus {}, rule {}; y upwards, # failed, a digit the round of a mark\n", t.name(), o.rule);
  for (int z = 0; z < t.radix(2); ++z) fmt::print("\n  z = {}\n{}", z, picture(map, z));
  fmt::print("\n");
  print_failed_links(t, faults_of(t, o));
  print_regions(r["regions"]);
  finish_result(file, torus_head("fault", o, map), r,
                fmt::format("{}, {} of {} nodes healthy", counted(map.rounds(), "round"), map.num_healthy(), t.nodes()),
                true);
}

}  // namespace

Json torus_fault(const FaultMap& map, const Faults& faults) {
  const Torus& t = map.torus();
  FaultPlane plane(t, map.rule());
  plane.fail(faults);
  const int64_t total = plane.settle();
  int64_t marks = 0, walls = 0, known = 0, sides = 0;
  for (int n = 0; n < t.nodes(); ++n) {
    known = std::max(known, plane.last_view(n));
    sides = std::max(sides, plane.last_side_view(n));
    marks = std::max(marks, plane.last_mark(n));
    walls = std::max(walls, plane.last_wall(n));
  }
  Json result = regions_json(map);
  result.update(
      {{"cycles", {{"blocked_ports", marks}, {"walls", walls}, {"known", known}, {"sides", sides}, {"total", total}}},
       {"last_change", grid(t, [&](int n) {
          return std::max({plane.last_mark(n), plane.last_wall(n), plane.last_side(n)});
        })}});
  return result;
}

void run_torus_fault(const TorusOptions& o, const std::string& json) {
  if (Torus::parse(o.torus).dimensions() == 3) return run_box_fault(o, json);
  const JsonFile file(json);
  const FaultMap map = o.map();
  const Torus& t = map.torus();
  const Json r = torus_fault(map, faults_of(t, o));
  fmt::print("Torus {}, rule {}; y upwards, # failed, a digit the round of a mark\n\n{}\n", t.name(), o.rule,
             picture(map));
  print_failed_links(t, faults_of(t, o));
  print_regions(r["regions"]);
  finish_result(file, torus_head("fault", o, map), r,
                fmt::format("{}, {} of {} nodes healthy; every router knows after {}", counted(map.rounds(), "round"),
                            map.num_healthy(), t.nodes(), counted(r["cycles"]["known"].get<uint64_t>(), "cycle")),
                true, torus_fault_sections(map, r));
}

}  // namespace odonata::cli
