// SPDX-License-Identifier: Apache-2.0
#include "sim/fault_study/fabric_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "models/common/error.h"
#include "models/common/random.h"
#include "models/torus/fault_map.h"
#include "models/torus/fault_plane.h"
#include "models/vtftr/manager.h"
#include "sim/common/options.h"
#include "sim/fault_study/fault_study.h"

namespace odonata::cli {

namespace {

/// Values by the name of what they measure.
using Values = std::map<std::string, std::vector<int64_t>>;

Json distributions(Values& values) {
  Json out;
  for (auto& [name, list] : values) out[name] = distribution_json(Distribution(std::move(list)), true);
  return out;
}

/// `count` different numbers below `all`.
std::vector<int> draw(Random& random, uint64_t count, int all) {
  std::vector<int> out;
  while (out.size() < count) {
    const int n = static_cast<int>(random.below(static_cast<uint32_t>(all)));
    if (std::find(out.begin(), out.end(), n) == out.end()) out.push_back(n);
  }
  return out;
}

void check_count(const std::string& network, const char* what, uint64_t faults, int all) {
  if (faults > static_cast<uint64_t>(all))
    throw Error(fmt::format("--faults: '{}' is out of range, {} has {} {}", faults, network, all, what));
}

// ---- torus

/// One set: rounds, the last edge at which what a live router decides by changed, and the last one at which its units
/// did.
void measure_torus(const Torus& t, torus::Rule rule, const torus::Faults& faults, Values& out, Json& extremes) {
  const torus::FaultMap map(t, rule, faults);
  torus::FaultPlane plane(t, rule);
  plane.fail(faults);
  out["total"].push_back(plane.settle());
  int64_t marks = 0, walls = 0, known = 0, sides = 0;
  for (int n = 0; n < t.nodes(); ++n) {
    known = std::max(known, plane.last_view(n));
    sides = std::max(sides, plane.last_side_view(n));
    marks = std::max(marks, plane.last_mark(n));
    walls = std::max(walls, plane.last_wall(n));
  }
  out["rounds"].push_back(map.rounds());
  out["marks"].push_back(marks);
  out["walls"].push_back(walls);
  out["known"].push_back(known);
  out["sides"].push_back(sides);
  out["disabled"].push_back(t.nodes() - static_cast<int>(faults.nodes.size()) - map.num_healthy());
  extremes["all_disabled"] = extremes.value("all_disabled", 0) + (map.num_healthy() == 0);
  extremes["walled"] = extremes.value("walled", 0) + (map.num_healthy() != 0 && (map.wall(0) != 0 || map.wall(1) != 0));
}

torus::Faults draw_torus(const Torus& t, const std::string& fault_class, uint64_t faults, Random& random) {
  torus::Faults out;
  if (fault_class == "node") {
    out.nodes = draw(random, faults, t.nodes());
  } else {
    for (const int n : draw(random, faults, t.nodes() * t.dimensions()))
      out.links.push_back({n / t.dimensions(), n % t.dimensions()});
  }
  return out;
}

// ---- fat-tree

/// The phases of one reconfiguration: they add up to `roots`, when the last root knows. Whether anybody hears of it.
bool add_times(const vtftr::ReconfigurationTimes& t, int64_t broadcast, Values& out) {
  if (!t.heard()) return false;
  out["detection"].push_back(t.detected);
  out["report"].push_back(t.reported - t.detected);
  out["service"].push_back(t.served - t.reported);
  out["broadcast"].push_back(broadcast);
  out["update"].push_back(t.roots_done() - t.served - broadcast);
  out["roots"].push_back(t.roots_done());
  out["leaves"].push_back(t.leaves_done());
  out["total"].push_back(t.done());
  return true;
}

std::vector<std::string> row_of(const std::string& of, const std::string& what, const Json& d) {
  const auto text = [&d](const char* key) {
    return d[key].is_null() ? std::string() : fmt::format("{}", d[key].get<int64_t>());
  };
  return {of, what, text("min"), text("p50"), text("p95"), text("p99"), text("max"), mean_text(d)};
}

void add_rows(Table& table, const std::string& of, const Json& all, const std::vector<std::string>& order) {
  for (const std::string& what : order) table.add(row_of(of, what, all.at(what)));
}

/// "after 1187 cycles": the p99 of the sets of which somebody hears.
std::string after(const Json& times) {
  const Json& last = times["roots"]["p99"];
  return last.is_null() ? "never" : fmt::format("after {} cycles", last.get<int64_t>());
}

const std::vector<std::string> kTorusOrder{"rounds", "marks", "walls", "known", "sides", "total", "disabled"},
    kTreeOrder{"detection", "report", "service", "broadcast", "update", "roots", "leaves", "total"};

}  // namespace

void add_fabric_study_options(Command& command, FabricStudyOptions& o) {
  const Option torus =
      command.add_option("--torus", o.torus, "a torus such as 10x10 (docs/torus.md): cycles until every router knows")
          .type_name("KXxKY");
  const Option tree = command
                          .add_option("--fat-tree", o.fat_tree,
                                      "a fat-tree such as 16,16,16,16 (docs/vtftr.md): with a manager and without")
                          .type_name("N,M,P,U");
  for (const char* other : {"--size", "--dragonfly"})
    Option(torus).excludes(command.get_option(other)), Option(tree).excludes(command.get_option(other));
  Option(tree).excludes(torus);
  add_choice(command, "--rule", o.rule, {"any", "dim"},
             "torus: a healthy node is disabled with two blocked ports, or with one in each dimension")
      .needs(torus);
  add_number(command, "--detect", o.detect, "fat-tree: cycles of a root's detector", 0, 255).needs(tree);
  add_number(command, "--service", o.service, "fat-tree: cycles that the manager works on a fault", 0, 100'000'000)
      .needs(tree);
  command.add_flag("--mask-form", o.mask_form, "fat-tree: roots keep a mask and no table: 2 cycles for an update")
      .needs(tree);
}

Json torus_study(const FabricStudyOptions& o, uint64_t samples, uint64_t faults, uint64_t seed) {
  const Torus t = Torus::parse(o.torus);
  if (t.dimensions() != 2) throw Error("--torus " + t.name() + ": the units of a torus router have two dimensions");
  const torus::Rule rule = torus::rule_from_name(o.rule);
  Json out = result_head("fault-study");
  out.update({{"torus", t.name()}, {"rule", o.rule}, {"faults", faults}, {"seed", seed}});
  for (const std::string& c :
       o.fault_class.empty() ? std::vector<std::string>{"node", "link"} : std::vector<std::string>{o.fault_class}) {
    if (c != "node" && c != "link") throw Error("--class: '" + c + "' is unknown on a torus, expected node, link");
    check_count("torus " + t.name(), c == "node" ? "nodes" : "links", faults,
                c == "node" ? t.nodes() : t.nodes() * t.dimensions());
    Random random(mix_seed(seed, 0x7374756479, c == "node"));
    Values values;
    Json extremes = Json::object();
    for (uint64_t i = 0; i < samples; ++i) measure_torus(t, rule, draw_torus(t, c, faults, random), values, extremes);
    out["classes"][c] = distributions(values);
    out["classes"][c].update(extremes);
    out["classes"][c]["samples"] = samples;
  }
  return out;
}

Json fat_tree_study(const FabricStudyOptions& o, uint64_t samples, uint64_t faults, uint64_t seed) {
  const FatTree tree = FatTree::parse(o.fat_tree);
  if (tree.dimensions() != 2) throw Error("--fat-tree: " + tree.name() + ", expected two dimensions, N,M,P,U");
  if (!o.fault_class.empty() && o.fault_class != "leaf")
    throw Error("--class: '" + o.fault_class + "' is unknown on a fat-tree, expected leaf");
  if (faults >= static_cast<uint64_t>(tree.num_leaves()))
    throw Error(fmt::format("--faults: '{}' is out of range, {} has {} leaf switches, of which one has to live", faults,
                            tree.name(), tree.num_leaves()));
  vtftr::ManagerTiming timing;
  timing.detect = static_cast<int>(o.detect);
  timing.service = static_cast<int>(o.service);
  timing.mask_form = o.mask_form;
  Random random(mix_seed(seed, 0x7374756479));
  Values with, without;
  for (const std::string& what : kTreeOrder) with[what], without[what];
  uint64_t unheard = 0, unheard_alone = 0;
  for (uint64_t i = 0; i < samples; ++i) {
    vtftr::FaultSet dead(tree);
    vtftr::LeafId last;
    for (const int leaf : draw(random, faults, tree.num_leaves()))
      dead.set(last = {leaf % tree.columns(), leaf / tree.columns()});
    const vtftr::ReconfigurationTimes by = vtftr::by_manager(tree, dead, last, timing),
                                      alone = vtftr::by_neighbours(tree, dead, last, timing);
    unheard += !add_times(by, timing.nic + int64_t{timing.hop} * by.root_hops, with);
    unheard_alone += !add_times(alone, int64_t{timing.hop} * alone.root_hops, without);
  }
  Json out = result_head("fault-study");
  out.update({{"fat_tree", tree.name()}, {"faults", faults}, {"seed", seed}});
  out["classes"]["leaf"] = {
      {"samples", samples}, {"manager", distributions(with)}, {"without_manager", distributions(without)}};
  out["classes"]["leaf"]["manager"]["unheard"] = unheard;
  out["classes"]["leaf"]["without_manager"]["unheard"] = unheard_alone;
  return out;
}

void run_fabric_study(const FabricStudyOptions& o, uint64_t samples, uint64_t faults, uint64_t seed,
                      const std::string& json) {
  const JsonFile file(json);
  const bool torus = !o.torus.empty();
  Json out = torus ? torus_study(o, samples, faults, seed) : fat_tree_study(o, samples, faults, seed);
  Table table(
      {torus ? "class" : "", torus ? "cycles (nodes)" : "cycles of 1 ns", "min", "p50", "p95", "p99", "max", "mean"});
  std::string headline;
  for (const auto& [name, all] : out["classes"].items()) {
    if (torus) {
      add_rows(table, name, all, kTorusOrder);
      headline +=
          fmt::format("{}{} of class {}: every router knows after {} (p99), {} of {} sets disable all",
                      headline.empty() ? "" : "; ", counted(faults, "fault"), name,
                      counted(all["known"]["p99"].get<uint64_t>(), "cycle"), all["all_disabled"].get<int>(), samples);
      continue;
    }
    add_rows(table, "manager", all["manager"], kTreeOrder);
    add_rows(table, "without one", all["without_manager"], kTreeOrder);
    const Json &with = all["manager"], &without = all["without_manager"];
    headline = fmt::format("All roots know {} over the manager, {} without one (p99 of {} sets", after(with),
                           after(without), samples);
    const uint64_t unheard = with["unheard"], alone = without["unheard"];
    if (unheard + alone != 0)
      headline += fmt::format("; the manager never hears of {} of them, without it nobody of {}", unheard, alone);
    headline += ")";
  }
  out["verdict"] = "pass";
  out["headline"] = headline;
  file.write(out);
  fmt::print(
      "{}, {} random sets of {}, seed {}\n\n{}\n{}\n",
      torus ? "Torus " + out["torus"].get<std::string>() + ", rule " + o.rule : out["fat_tree"].get<std::string>(),
      samples, counted(faults, "fault"), seed, table.text(), headline);
}

}  // namespace odonata::cli
