// SPDX-License-Identifier: Apache-2.0
#include "sim/vtftr/tree_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "models/common/error.h"
#include "models/common/random.h"
#include "sim/common/program.h"

namespace odonata::cli {

using namespace vtftr;

namespace {

struct Scene {
  FatTree tree;
  std::vector<TreeFault> fail;   // all that has failed
  std::vector<TreeFault> known;  // of these: the tables know
  int vcs = 2;
};

std::vector<TreeFault> faults_of(const FatTree& tree, const std::string& option,
                                 const std::vector<std::string>& texts) {
  std::vector<TreeFault> out;
  for (const std::string& text : texts) {
    if (text == "none") continue;
    try {
      for (const TreeFault& f : parse_tree_faults(tree, text)) {
        if (std::find(out.begin(), out.end(), f) != out.end()) throw Error(to_string(tree, f) + " is named twice");
        out.push_back(f);
      }
    } catch (const Error& error) {
      throw Error(option + ": " + error.what());
    }
  }
  return out;
}

Scene scene_of(const FatTreeOptions& o) {
  const FatTree tree = FatTree::parse(o.tree);
  if (o.mode != "safe" || o.pick == "bounce")
    throw Error(
        "--mode and --pick: with dead roots or links, --vcs, or in three dimensions mode safe without bounces only");
  Scene s{tree, faults_of(tree, "--fail", o.fail), faults_of(tree, "--known", o.known),
          o.vcs == 0 ? tree.dimensions() : static_cast<int>(o.vcs)};
  for (const TreeFault& f : s.known) {
    if (std::find(s.fail.begin(), s.fail.end(), f) == s.fail.end()) s.fail.push_back(f);
  }
  if (o.known.empty()) s.known = s.fail;
  if (tree.dimensions() == 2 && s.vcs != 2) throw Error(fmt::format("--vcs: {}, expected 2 in two dimensions", s.vcs));
  if (TreeFaults(tree, s.fail).dead_leaves() == tree.num_leaves()) throw Error("--fail: no leaf switch is left alive");
  return s;
}

struct NodeAt {
  int leaf = 0, node = 0;
};

/// "x,y,..,n"
NodeAt parse_node(const FatTree& tree, const std::string& option, const std::string& text) {
  const Error bad(fmt::format("{}: '{}' is no node, expected {} coordinates and the number of the node, such as 0,1,0",
                              option, text, tree.dimensions()));
  std::vector<int> numbers;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data();;) {
    int value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc{} || (next != end && *next != ',')) throw bad;
    numbers.push_back(value);
    if (next == end) break;
    at = next + 1;
  }
  if (numbers.size() != static_cast<size_t>(tree.dimensions()) + 1) throw bad;
  FatTree::Point at{};
  for (size_t i = 0; i < numbers.size(); ++i) {
    const bool node = i + 1 == numbers.size();
    const int limit = node ? tree.p() : tree.size(static_cast<int>(i));
    if (numbers[i] < 0 || numbers[i] >= limit) {
      throw Error(fmt::format("{}: {} {} is out of range 0..{} in {}", option, node ? "node" : "coordinate", numbers[i],
                              limit - 1, tree.name()));
    }
    if (!node) at[i] = numbers[i];
  }
  return {tree.leaf(at), numbers.back()};
}

Json leaf_json(const FatTree& tree, int leaf) {
  Json out = Json::array();
  for (int d = 0; d < tree.dimensions(); ++d) out.push_back(tree.point(leaf)[static_cast<size_t>(d)]);
  return out;
}

Json names_json(const FatTree& tree, const std::vector<TreeFault>& faults) {
  Json out = Json::array();
  for (const TreeFault& f : faults) out.push_back(to_string(tree, f));
  return out;
}

std::string routing_name(int dimension) { return dimension == kColumn ? "col" : dimension_name(dimension); }

Json head_of(std::string_view command, const Scene& s) {
  Json out = result_head(command);
  out.update({{"fat_tree", s.tree.name()},
              {"mode", "safe"},
              {"pick", "exclude"},
              {"vcs", s.vcs},
              {"fail", names_json(s.tree, s.fail)},
              {"known", names_json(s.tree, s.known)}});
  return out;
}

Json path_json(const FatTree& tree, const TreePath& path) {
  Json hops = Json::array();
  for (const TreeHop& h : path.hops) {
    hops.push_back({{"routing", routing_name(h.dimension)},
                    {"at", leaf_json(tree, h.leaf)},
                    {"vc", h.vc},
                    {"rail", h.rail},
                    {"around", h.around},
                    {"root", to_string(h.root_kind)}});
  }
  return {{"outcome", to_string(path.outcome)}, {"reason", to_string(path.reason)}, {"hops", std::move(hops)}};
}

std::string way_text(const FatTree& tree, int from, const TreePath& path) {
  std::string text = leaf_name(tree, from);
  for (const TreeHop& h : path.hops) text += fmt::format(" {} {}", routing_name(h.dimension), leaf_name(tree, h.leaf));
  return text;
}

std::string outcome_text(const TreePath& path) {
  return std::string(to_string(path.outcome)) +
         (path.reason == DropReason::none ? "" : fmt::format(" ({})", to_string(path.reason)));
}

/// One of the ways, by their probabilities.
const TreePath& drawn(const std::vector<TreePath>& paths, uint64_t seed) {
  Random random(seed);
  double left = random.below(1u << 20) / static_cast<double>(1u << 20);
  for (const TreePath& p : paths) {
    left -= p.probability;
    if (left < 0) return p;
  }
  return paths.back();
}

/// What can fail of one kind.
std::vector<TreeFault> all_of(const FatTree& tree, const std::string& kind) {
  std::vector<TreeFault> out;
  if (kind == "leaf") {
    for (int leaf = 0; leaf < tree.num_leaves(); ++leaf) out.push_back({.leaf = leaf});
  }
  for (int d = 0; d < tree.dimensions(); ++d) {
    for (int rail = 0; rail < tree.u(); ++rail) {
      for (int line = 0; line < tree.num_lines(d) && kind == "root"; ++line)
        out.push_back({.kind = TreeFault::Kind::root, .dimension = d, .line = line, .rail = rail});
      for (int leaf = 0; leaf < tree.num_leaves() && kind == "link"; ++leaf)
        out.push_back({.kind = TreeFault::Kind::link, .leaf = leaf, .dimension = d, .rail = rail});
    }
  }
  return out;
}

/// Calls visit(set) for every set of `size` of them.
template <class Visit>
void for_each_set(const std::vector<TreeFault>& all, size_t size, Visit visit) {
  std::vector<size_t> at(size);
  for (size_t i = 0; i < size; ++i) at[i] = i;
  std::vector<TreeFault> set(size);
  for (;;) {
    for (size_t i = 0; i < size; ++i) set[i] = all[at[i]];
    visit(set);
    size_t i = size;
    while (i > 0 && at[i - 1] == all.size() - size + i - 1) --i;
    if (i == 0) return;
    ++at[i - 1];
    for (size_t j = i; j < size; ++j) at[j] = at[j - 1] + 1;
  }
}

std::vector<TreeKnowledge> tables_of(const FatTree& tree, const std::string& state, const std::vector<TreeFault>& fail,
                                     const std::vector<TreeFault>& known) {
  const TreeKnowledge all(TreeFaults(tree, fail)), old(TreeFaults(tree, known));
  if (state == "stable") return {all};
  if (state == "fresh") return {old};
  return {old, all};
}

/// What is counted over all sets of one size.
struct Counts {
  int64_t sets = 0, cases = 0, full = 0, cyclic = 0, pairs = 0, lost = 0;
  int routings = 0;
  Json lost_example, cyclic_example;
  void add(const TreeReport& r, const FatTree& tree, const std::vector<TreeFault>& set) {
    ++cases;
    full += r.lost_pairs == 0;
    cyclic += !r.cycle.empty();
    pairs += r.pairs;
    lost += r.lost_pairs;
    routings = std::max(routings, r.max_routings);
    if (r.lost_pairs != 0 && lost_example.is_null())
      lost_example = {
          {"fail", names_json(tree, set)}, {"from", leaf_json(tree, r.lost_from)}, {"to", leaf_json(tree, r.lost_to)}};
    if (!r.cycle.empty() && cyclic_example.is_null()) cyclic_example = names_json(tree, set);
  }
};

Counts count_sets(const Scene& s, const FatTreeOptions& o, const std::vector<TreeFault>& all, size_t size) {
  Counts counts;
  for_each_set(all, size, [&](const std::vector<TreeFault>& set) {
    ++counts.sets;
    const auto add = [&](std::vector<TreeKnowledge> tables) {
      counts.add(explore_tree({TreeFaults(s.tree, set), std::move(tables), s.vcs}), s.tree, set);
    };
    if (o.state != "mixed") return add(tables_of(s.tree, o.state, set, {}));
    for (size_t i = 0; i < set.size(); ++i) {
      std::vector<TreeFault> old = set;
      old.erase(old.begin() + static_cast<std::ptrdiff_t>(i));
      add(tables_of(s.tree, o.state, set, old));
    }
  });
  return counts;
}

void run_all_sets(const FatTreeOptions& o, const Scene& s, const JsonFile& file) {
  if (!s.fail.empty()) throw Error("--up-to takes every set of faults: no --fail or --known beside it");
  const std::vector<TreeFault> all = all_of(s.tree, o.of);
  if (o.up_to >= all.size()) throw Error(fmt::format("--up-to: {}, expected fewer than there are", o.up_to));
  Table table({"faults", "sets", "cases", "full", "cyclic", "pairs", "lost", "most routings"});
  Json sets = Json::array();
  int64_t cyclic = 0, lost = 0;
  for (size_t k = 1; k <= o.up_to; ++k) {
    const Counts c = count_sets(s, o, all, k);
    sets.push_back({{"faults", k},
                    {"sets", c.sets},
                    {"cases", c.cases},
                    {"full", c.full},
                    {"cyclic", c.cyclic},
                    {"pairs", c.pairs},
                    {"lost_pairs", c.lost},
                    {"max_routings", c.routings},
                    {"lost_example", c.lost_example},
                    {"cyclic_example", c.cyclic_example}});
    table.add({std::to_string(k), std::to_string(c.sets), std::to_string(c.cases), std::to_string(c.full),
               std::to_string(c.cyclic), std::to_string(c.pairs), std::to_string(c.lost), std::to_string(c.routings)});
    cyclic += c.cyclic;
    lost += c.lost;
  }
  fmt::print("{}, {} virtual channels, state {}, faults of {} switches or links\n\n{}\n", s.tree.name(), s.vcs, o.state,
             o.of, table.text());
  Json out = head_of("deadlock", s);
  out.update(
      {{"state", o.state}, {"of", o.of}, {"sets", std::move(sets)}, {"cyclic_sets", cyclic}, {"lost_pairs", lost}});
  finish_result(
      file, std::move(out), Json::object(),
      fmt::format(
          "Every set of up to {} faults of kind {} on {}: {} cases with a cyclic graph, {} pairs may lose packets",
          o.up_to, o.of, s.tree.name(), cyclic, lost),
      cyclic == 0 && lost == 0);
}

}  // namespace

bool beyond_leaves(const FatTreeOptions& o) {
  const auto names = [](const std::vector<std::string>& texts) {
    return std::any_of(texts.begin(), texts.end(), [](const std::string& t) {
      return t.find("root:") != std::string::npos || t.find("link:") != std::string::npos;
    });
  };
  return names(o.fail) || names(o.known) || o.vcs != 0 || o.of != "leaf" || FatTree::parse(o.tree).dimensions() != 2;
}

void run_tree_route(const FatTreeOptions& o, const std::string& from_text, const std::string& to_text, uint64_t seed,
                    const std::string& json) {
  const JsonFile file(json);
  const Scene s = scene_of(o);
  const NodeAt from = parse_node(s.tree, "--from", from_text), to = parse_node(s.tree, "--to", to_text);
  const TreeScene scene{TreeFaults(s.tree, s.fail), {TreeKnowledge(TreeFaults(s.tree, s.known))}, s.vcs};
  if (scene.dead.leaf_dead(from.leaf))
    throw Error("--from: the leaf switch " + leaf_name(s.tree, from.leaf) + " is dead");
  const std::vector<TreePath> paths = all_tree_paths(scene, from.leaf, to.leaf, s.tree.rail(to.node));
  const TreePath& path = drawn(paths, seed);
  Json out = head_of("route", s);
  Json ends[] = {leaf_json(s.tree, from.leaf), leaf_json(s.tree, to.leaf)};
  ends[0].push_back(from.node), ends[1].push_back(to.node);
  out.update({{"from", ends[0]}, {"to", ends[1]}, {"seed", seed}});
  out.update(path_json(s.tree, path));
  Table table({"routing", "root decides", "at", "vc", "rail"});
  for (const TreeHop& h : path.hops) {
    table.add({routing_name(h.dimension), std::string(to_string(h.root_kind)), leaf_name(s.tree, h.leaf),
               std::to_string(h.vc), std::to_string(h.rail)});
  }
  if (!path.hops.empty()) fmt::print("{}\n", table.text());
  int lost = 0;
  if (o.all_paths) {
    Table ways({"probability", "way", "outcome"});
    out["paths"] = Json::array();
    for (const TreePath& p : paths) {
      out["paths"].push_back(path_json(s.tree, p));
      out["paths"].back()["probability"] = p.probability;
      ways.add({fmt::format("{:.4f}", p.probability), way_text(s.tree, from.leaf, p), outcome_text(p)});
      lost += p.outcome != Outcome::delivered;
    }
    fmt::print("{}\n", ways.text());
  }
  finish_result(file, std::move(out), Json::object(),
                fmt::format("{} on {}: {} after {}{}", way_text(s.tree, from.leaf, path), s.tree.name(),
                            outcome_text(path), counted(path.hops.size(), "dimension routing"), missed_ways_text(lost)),
                lost == 0 && path.outcome == Outcome::delivered);
}

void run_tree_deadlock(const FatTreeOptions& o, const std::string& json) {
  const JsonFile file(json);
  Scene s = scene_of(o);
  if (o.known.empty() && o.state != "stable") s.known.clear();
  if (o.up_to > 0) return run_all_sets(o, s, file);
  const TreeReport r = explore_tree({TreeFaults(s.tree, s.fail), tables_of(s.tree, o.state, s.fail, s.known), s.vcs});
  Json cycle = Json::array();
  for (const std::string& channel : r.cycle) cycle.push_back({{"text", channel}});
  Json out = head_of("deadlock", s);
  out.update({{"state", o.state},
              {"channels", r.channels},
              {"dependencies", r.dependencies},
              {"acyclic", r.cycle.empty()},
              {"cycle", std::move(cycle)},
              {"pairs", r.pairs},
              {"lost_pairs", r.lost_pairs},
              {"max_routings", r.max_routings}});
  if (r.lost_pairs != 0)
    out["lost_example"] = {{"from", leaf_json(s.tree, r.lost_from)}, {"to", leaf_json(s.tree, r.lost_to)}};
  Table table({"channels", "dependencies", "graph", "pairs", "lost", "most routings"});
  table.add({std::to_string(r.channels), std::to_string(r.dependencies), r.cycle.empty() ? "acyclic" : "cyclic",
             std::to_string(r.pairs), std::to_string(r.lost_pairs), std::to_string(r.max_routings)});
  fmt::print("{}, {}, state {}, {}\n\n{}\n", s.tree.name(), counted(s.vcs, "virtual channel"), o.state,
             counted(s.fail.size(), "fault"), table.text());
  finish_result(file, std::move(out), Json::object(),
                fmt::format("VTFTR on {}: {}, {} of {} pairs may lose packets", s.tree.name(),
                            r.cycle.empty() ? "free of deadlock" : "deadlock", r.lost_pairs, r.pairs),
                r.cycle.empty() && r.lost_pairs == 0);
}

}  // namespace odonata::cli
