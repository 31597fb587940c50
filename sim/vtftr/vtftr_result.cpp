// SPDX-License-Identifier: Apache-2.0
#include "sim/vtftr/vtftr_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "models/common/error.h"
#include "models/common/random.h"
#include "models/common/split.h"
#include "models/vtftr/fault_sets.h"
#include "sim/common/options.h"
#include "sim/common/output.h"
#include "sim/common/program.h"
#include "sim/vtftr/tree_result.h"
#include "sim/vtftr/vtftr_pages.h"

namespace odonata::cli {

using namespace vtftr;

namespace {

/// The numbers of "1,2,3", exactly as many as there are; false: it is something else.
bool parse_numbers(std::string_view text, std::span<int> numbers) {
  const char* at = text.data();
  const char* const end = at + text.size();
  for (size_t i = 0; i < numbers.size(); ++i) {
    const auto [next, error] = std::from_chars(at, end, numbers[i]);
    if (error != std::errc{} || (i + 1 == numbers.size() ? next != end : next == end || *next != ',')) return false;
    at = next + 1;
  }
  return true;
}

struct NodeAt {
  LeafId leaf;
  int node = 0;
};

NodeAt parse_node(const FatTree& tree, const std::string& option, const std::string& text) {
  int value[3] = {};
  if (!parse_numbers(text, value))
    throw Error(option + ": '" + text + "' is no node, expected x,y,n (column, row, node) such as 0,1,0");
  constexpr const char* kNames[] = {"column", "row", "node"};
  const int limit[] = {tree.columns(), tree.rows(), tree.p()};
  for (int i = 0; i < 3; ++i) {
    if (value[i] < 0 || value[i] >= limit[i])
      throw Error(
          fmt::format("{}: {} {} is out of range 0..{} in {}", option, kNames[i], value[i], limit[i] - 1, tree.name()));
  }
  return {{value[0], value[1]}, value[2]};
}

std::string leaf_name(LeafId leaf) { return fmt::format("({},{})", leaf.x, leaf.y); }
const char* routing_name(int dimension) { return dimension == kRow ? "row" : "col"; }
Json leaf_json(LeafId leaf) { return Json::array({leaf.x, leaf.y}); }

Json faults_json(const FaultSet& faults) {
  Json list = Json::array();
  for (int y = 0; y < faults.rows(); ++y) faults.row(y).for_each([&](int x) { list.push_back(leaf_json({x, y})); });
  return list;
}

Json head_of(std::string_view command, const FatTreeOptions& o, const FatTreeScene& scene) {
  Json out = result_head(command);
  out.update({{"fat_tree", scene.tree.name()},
              {"mode", o.mode},
              {"pick", scene.mode.exclude ? "exclude" : "bounce"},
              {"fail", faults_json(scene.dead)},
              {"known", faults_json(scene.known)}});
  return out;
}

/// One line on stderr: no row and no column is left without a fault. Nothing when there is nobody left to lose any.
void warn_of_lost_pairs(const ExplorationReport& report) {
  if (report.pairs == 0) return;
  tell(fmt::format("odonata: warning: no row and no column is left without a fault: {} of {} pairs may lose packets\n",
                   report.lost_pairs, report.pairs));
}

std::vector<Knowledge> tables_of(const FatTreeScene& scene, const std::string& state) {
  if (state == "stable") return {Knowledge(scene.dead)};
  if (state == "fresh") return {Knowledge(scene.known)};
  return {Knowledge(scene.known), Knowledge(scene.dead)};
}

}  // namespace

std::vector<LeafId> parse_leaves(const FatTree& tree, const std::string& option, const std::string& text) {
  std::vector<LeafId> leaves;
  for (const std::string_view item : split(text, ';')) {
    int at[2] = {};
    if (!item.starts_with("leaf:") || !parse_numbers(item.substr(5), at))
      throw Error(option + ": '" + std::string(item) +
                  "' is no leaf switch, expected leaf:X,Y (column, row) such as leaf:2,0");
    try {
      FaultSet(tree).set({at[0], at[1]});
    } catch (const Error& error) {
      throw Error(option + ": " + error.what());
    }
    leaves.push_back({at[0], at[1]});
  }
  return leaves;
}

FatTreeScene fat_tree_scene(const FatTreeOptions& o) {
  const FatTree tree = FatTree::parse(o.tree);
  if (tree.dimensions() != 2) throw Error("--fat-tree: " + tree.name() + ", expected two dimensions, N,M,P,U");
  FatTreeScene scene{tree, FaultSet(tree), FaultSet(tree), {}};
  for (const std::string& text : o.fail)
    for (const LeafId leaf : parse_leaves(tree, "--fail", text)) {
      if (scene.dead.test(leaf.x, leaf.y)) throw Error(fmt::format("--fail: leaf:{},{} fails twice", leaf.x, leaf.y));
      scene.dead.set(leaf);
    }
  for (const std::string& text : o.known) {
    if (text == "none" && o.known.size() > 1) throw Error("--known: none beside dead leaf switches");
    if (text == "none") continue;
    for (const LeafId leaf : parse_leaves(tree, "--known", text)) {
      scene.known.set(leaf);
      scene.dead.set(leaf);
    }
  }
  if (o.known.empty()) scene.known = scene.dead;
  if (scene.dead.count() == tree.num_leaves()) throw Error("--fail: no leaf switch is left alive");
  scene.mode.safe = o.mode == "safe";
  scene.mode.exclude = o.pick.empty() ? scene.mode.safe : o.pick == "exclude";
  return scene;
}

Option add_fat_tree_options(Command& command, FatTreeOptions& o) {
  const Option tree =
      command
          .add_option(
              "--fat-tree", o.tree,
              "a fat-tree with fault-tolerant routing, such as 4,4,2,2 (docs/vtftr.md): columns, rows, nodes, rails")
          .type_name("N,M,P,U");
  command
      .add_option("--known", o.known,
                  "fat-tree: faults that all tables know, or none; those of --fail beside them are fresh")
      .type_name("FAULT")
      .needs(tree);
  add_choice(command, "--mode", o.mode, {"paper", "safe"},
             "fat-tree: the rules as printed, or with those that keep them free of deadlock")
      .needs(tree);
  add_choice(command, "--pick", o.pick, {"", "exclude", "bounce"},
             "fat-tree: may a misroute go back to where it came from? default: paper bounce, safe exclude")
      .needs(tree);
  return tree;
}

namespace {

Option add_vcs(Command& command, FatTreeOptions& o) {
  return add_number(command, "--vcs", o.vcs,
                    "fat-tree: virtual channels in three or more dimensions; 0: as many as dimensions", 0, 4);
}

}  // namespace

void add_fat_tree_route_options(Command& command, FatTreeOptions& o) {
  Option tree = add_fat_tree_options(command, o);
  for (const char* other : {"--size", "--dragonfly", "--arrangement", "--congested", "--failed", "--policy"})
    tree.excludes(command.get_option(other));
  command.add_flag("--all-paths", o.all_paths, "fat-tree: all ways over all picks, with their probabilities")
      .needs(tree);
  add_vcs(command, o).needs(tree);
}

void add_fat_tree_deadlock_options(Command& command, FatTreeOptions& o) {
  Option tree = add_fat_tree_options(command, o);
  for (const char* other : {"--scheme", "--mesh", "--torus"}) tree.excludes(command.get_option(other));
  add_choice(command, "--state", o.state, {"stable", "fresh", "mixed"},
             "fat-tree: all tables know all faults; only those of --known; or old and new tables side by side")
      .needs(tree);
  Option up_to =
      add_number(command, "--up-to", o.up_to, "fat-tree: every set of 1 to so many faults, in place of --fail", 0, 16)
          .needs(tree);
  add_choice(command, "--of", o.of, {"leaf", "root", "link"}, "fat-tree: what fails in the sets of --up-to")
      .needs(up_to);
  add_vcs(command, o).needs(tree);
}

// ---- route

void warn_of_covering(const FatTree& tree, const FaultSet& dead, const Mode& mode) {
  if (dead.covers_all()) warn_of_lost_pairs(explore({tree, dead, {Knowledge(dead)}, mode}));
}

Json path_json(const Path& path) {
  Json hops = Json::array();
  for (const Routing& r : path.hops) {
    hops.push_back({{"routing", routing_name(r.dimension)},
                    {"at", leaf_json(r.at)},
                    {"vc", r.vc},
                    {"leaf", to_string(r.leaf_kind)},
                    {"root", to_string(r.root_kind)}});
  }
  return {{"outcome", to_string(path.outcome)}, {"reason", to_string(path.reason)}, {"hops", std::move(hops)}};
}

namespace {

std::string way_text(LeafId from, const Path& path) {
  std::string text = leaf_name(from);
  for (const Routing& r : path.hops) text += fmt::format(" {} {}", r.dimension == kRow ? "R" : "C", leaf_name(r.at));
  return text;
}
std::string outcome_text(const Path& path) {
  return std::string(to_string(path.outcome)) +
         (path.reason == DropReason::none ? "" : fmt::format(" ({})", to_string(path.reason)));
}

/// The ways of --all-paths as JSON and as a table; returns how many do not arrive.
int add_all_paths(Json& result, const std::vector<Path>& paths, LeafId from) {
  Table table({"probability", "way", "outcome"});
  result["paths"] = Json::array();
  int lost = 0;
  for (const Path& p : paths) {
    Json json = path_json(p);
    json["probability"] = p.probability;
    result["paths"].push_back(std::move(json));
    table.add({fmt::format("{:.4f}", p.probability), way_text(from, p), outcome_text(p)});
    lost += p.outcome != Outcome::delivered;
  }
  fmt::print("{}\n", table.text());
  return lost;
}

}  // namespace

std::string missed_ways_text(int missed) {
  return missed == 0 ? "" : fmt::format("; {} of its ways {} not arrive", missed, missed == 1 ? "does" : "do");
}

void run_fat_tree_route(const FatTreeOptions& o, const std::string& from_text, const std::string& to_text,
                        uint64_t seed, const std::string& json) {
  if (beyond_leaves(o)) return run_tree_route(o, from_text, to_text, seed, json);
  const JsonFile file(json);
  const FatTreeScene s = fat_tree_scene(o);
  const NodeAt from = parse_node(s.tree, "--from", from_text), to = parse_node(s.tree, "--to", to_text);
  if (s.dead.test(from.leaf.x, from.leaf.y))
    throw Error("--from: the leaf switch " + leaf_name(from.leaf) + " is dead");
  const Scene scene{s.tree, s.dead, Knowledge(s.known), s.mode};
  if (s.dead.covers_all()) warn_of_lost_pairs(explore({s.tree, s.dead, {scene.known}, s.mode}));
  Random random(seed);
  const Path path = walk(scene, from.leaf, to.leaf, to.node, static_cast<uint16_t>(1 + random.below(0xFFFF)));
  Json result = {
      {"from", {from.leaf.x, from.leaf.y, from.node}}, {"to", {to.leaf.x, to.leaf.y, to.node}}, {"seed", seed}};
  result.update(path_json(path));
  Table table({"routing", "leaf decides", "root decides", "at", "vc"});
  for (const Routing& r : path.hops)
    table.add({routing_name(r.dimension), std::string(to_string(r.leaf_kind)), std::string(to_string(r.root_kind)),
               leaf_name(r.at), std::to_string(r.vc)});
  if (!path.hops.empty()) fmt::print("{}\n", table.text());
  const int lost = o.all_paths ? add_all_paths(result, all_paths(scene, from.leaf, to.leaf, to.node), from.leaf) : 0;
  Json head = head_of("route", o, s);
  head["report"] = fat_tree_route_sections(s.tree, head, result);
  finish_result(file, head, result,
                fmt::format("{} on {}, mode {}: {} after {}{}", way_text(from.leaf, path), s.tree.name(), o.mode,
                            outcome_text(path), counted(path.hops.size(), "dimension routing"), missed_ways_text(lost)),
                lost == 0 && path.outcome == Outcome::delivered);
}

// ---- deadlock

Json exploration_json(const ExplorationReport& r) {
  Json cycle = Json::array();
  for (const TreeChannel& c : r.cycle) {
    cycle.push_back({{"routing", routing_name(c.dimension)},
                     {"direction", c.down ? "down" : "up"},
                     {"at", leaf_json(c.leaf)},
                     {"vc", c.vc},
                     {"text", to_string(c)}});
  }
  return {{"channels", r.channels},
          {"dependencies", r.dependencies},
          {"acyclic", r.acyclic()},
          {"cycle", std::move(cycle)},
          {"pairs", r.pairs},
          {"lost_pairs", r.lost_pairs},
          {"endless_pairs", r.endless_pairs},
          {"max_routings", r.max_routings}};
}

namespace {

/// What is counted over all sets of k dead leaves.
struct SetCounts {
  int64_t sets = 0, clean = 0, cases = 0, full = 0, clean_full = 0, cyclic = 0, pairs = 0, lost = 0;
  int routings = 0;
  Json example;  // of a cycle

  void add(const ExplorationReport& r, bool covering, const FaultSet& dead) {
    ++cases;
    full += r.full();
    clean_full += r.full() && !covering;
    cyclic += !r.acyclic();
    pairs += r.pairs;
    lost += r.lost_pairs;
    routings = std::max(routings, r.max_routings);
    if (!r.acyclic() && example.is_null()) example = faults_json(dead);
  }
  Json json(int k, double closed_form) const {
    return {{"faults", k},
            {"sets", sets},
            {"with_clean_line", clean},
            {"share", static_cast<double>(clean) / static_cast<double>(sets)},
            {"closed_form", closed_form},
            {"cases", cases},
            {"full", full},
            {"full_with_clean_line", clean_full},
            {"cyclic", cyclic},
            {"pairs", pairs},
            {"lost_pairs", lost},
            {"max_routings", routings},
            {"cyclic_example", example}};
  }
};

/// All sets of k dead leaves. Mixed: each of them once as the fresh one, so k cases a set.
SetCounts count_sets(const FatTreeScene& s, const std::string& state, int k) {
  SetCounts counts;
  for_each_fault_set(s.tree, k, [&](const std::vector<LeafId>& set) {
    const FaultSet dead(s.tree, set);
    const bool covering = dead.covers_all();
    ++counts.sets;
    counts.clean += !covering;
    const auto add = [&](std::vector<Knowledge> tables) {
      counts.add(explore({s.tree, dead, std::move(tables), s.mode}), covering, dead);
    };
    if (state == "stable") return add({Knowledge(dead)});
    if (state == "fresh") return add({Knowledge(FaultSet(s.tree))});
    for (size_t i = 0; i < set.size(); ++i) add({Knowledge(FaultSet(s.tree, without(set, i))), Knowledge(dead)});
  });
  return counts;
}

void run_all_sets(const FatTreeOptions& o, const FatTreeScene& s, const JsonFile& file) {
  if (s.dead.count() > 0) throw Error("--up-to takes every set of dead leaf switches: no --fail or --known beside it");
  if (static_cast<int>(o.up_to) >= s.tree.num_leaves())
    throw Error(fmt::format("--up-to: {}, expected fewer than the leaf switches", o.up_to));
  Table table(
      {"dead", "sets", "with a clean line", "share", "closed form", "cases", "full", "cyclic", "most routings"});
  Json sets = Json::array();
  int64_t cyclic = 0, incomplete = 0;
  for (int k = 1; k <= static_cast<int>(o.up_to); ++k) {
    const SetCounts c = count_sets(s, o.state, k);
    const double share = tolerated_share(s.tree.columns(), s.tree.rows(), k);
    sets.push_back(c.json(k, share));
    table.add({std::to_string(k), std::to_string(c.sets), std::to_string(c.clean),
               fmt::format("{:.4f}", sets.back()["share"].get<double>()), fmt::format("{:.4f}", share),
               std::to_string(c.cases), std::to_string(c.full), std::to_string(c.cyclic), std::to_string(c.routings)});
    cyclic += c.cyclic;
    incomplete += o.state == "stable" ? c.clean - c.clean_full : 0;  // only then every pair is promised
  }
  fmt::print("{}, mode {}, state {}\n\n{}\n", s.tree.name(), o.mode, o.state, table.text());
  const Json result = {
      {"state", o.state}, {"sets", std::move(sets)}, {"cyclic_sets", cyclic}, {"incomplete_sets", incomplete}};
  Json head = head_of("deadlock", o, s);
  head["report"] = fat_tree_deadlock_sections(s.tree, head, result);
  finish_result(
      file, head, result,
      fmt::format("Mode {}, {} tables, every set of up to {} dead leaf switches: {} cases with a cyclic graph, {} "
                  "sets with a clean line that lose pairs",
                  o.mode, o.state, o.up_to, cyclic, incomplete),
      cyclic == 0 && incomplete == 0);
}

}  // namespace

void run_fat_tree_deadlock(const FatTreeOptions& o, const std::string& json) {
  if (beyond_leaves(o)) return run_tree_deadlock(o, json);
  const JsonFile file(json);
  FatTreeScene s = fat_tree_scene(o);
  if (o.known.empty() && o.state != "stable") s.known = FaultSet(s.tree);
  if (o.up_to > 0) return run_all_sets(o, s, file);
  const ExplorationReport r = explore({s.tree, s.dead, tables_of(s, o.state), s.mode});
  if (s.dead.covers_all()) warn_of_lost_pairs(r);
  Json result = {{"state", o.state}};
  result.update(exploration_json(r));
  Table table({"channels", "dependencies", "graph", "pairs", "lost", "without end", "most routings"});
  table.add({std::to_string(r.channels), std::to_string(r.dependencies), r.acyclic() ? "acyclic" : "cyclic",
             std::to_string(r.pairs), std::to_string(r.lost_pairs), std::to_string(r.endless_pairs),
             std::to_string(r.max_routings)});
  fmt::print("{}, mode {}, state {}, {}\n\n{}\n", s.tree.name(), o.mode, o.state,
             counted(s.dead.count(), "dead leaf switch", "dead leaf switches"), table.text());
  if (!r.acyclic()) fmt::print("A cycle of {} channels:\n", r.cycle.size());
  for (const TreeChannel& c : r.cycle) fmt::print("  {}\n", to_string(c));
  Json head = head_of("deadlock", o, s);
  head["report"] = fat_tree_deadlock_sections(s.tree, head, result);
  finish_result(file, head, result,
                fmt::format("VTFTR on {}, mode {}: {}, {} of {} pairs may lose packets", s.tree.name(), o.mode,
                            r.acyclic() ? "free of deadlock" : "deadlock", r.lost_pairs, r.pairs),
                r.acyclic() && r.full());
}

}  // namespace odonata::cli
