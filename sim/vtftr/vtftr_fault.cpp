// SPDX-License-Identifier: Apache-2.0
#include "sim/vtftr/vtftr_fault.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/common/error.h"
#include "sim/common/options.h"
#include "sim/vtftr/vtftr_pages.h"

namespace odonata::cli {

using namespace vtftr;

namespace {

Json cycle_json(int64_t cycle) { return cycle == kNever ? Json() : Json(cycle); }

std::string cycle_text(int64_t cycle) { return cycle == kNever ? "never" : std::to_string(cycle); }

}  // namespace

Json times_json(const FatTree& tree, const ReconfigurationTimes& t) {
  Json leaves = Json::array(), roots[2] = {Json::array(), Json::array()};
  for (int y = 0; y < tree.rows(); ++y) {
    Json row = Json::array();
    for (int x = 0; x < tree.columns(); ++x) row.push_back(cycle_json(t.leaf[static_cast<size_t>(tree.leaf(x, y))]));
    leaves.push_back(std::move(row));
  }
  for (int d : {kRow, kColumn})
    for (const int64_t cycle : t.line[d]) roots[d].push_back(cycle_json(cycle));
  const auto when_heard = [&t](int64_t n) { return t.heard() ? Json(n) : Json(); };
  return {{"detected", t.detected},
          {"reported", when_heard(t.reported)},
          {"served", when_heard(t.served)},
          {"report_hops", when_heard(t.report_hops)},
          {"root_hops", when_heard(t.root_hops)},
          {"leaf_hops", when_heard(t.leaf_hops)},
          {"roots", cycle_json(t.roots_done())},
          {"leaves", cycle_json(t.leaves_done())},
          {"total", cycle_json(t.done())},
          {"leaf", std::move(leaves)},
          {"row_roots", std::move(roots[kRow])},
          {"column_roots", std::move(roots[kColumn])}};
}

void add_fat_tree_fault_options(Command& command, FatTreeFaultOptions& o) {
  const Option tree = command
                          .add_option("--fat-tree", o.tree,
                                      "a fat-tree such as 16,16,16,16 (docs/vtftr.md): columns, rows, nodes, rails")
                          .type_name("N,M,P,U");
  for (const char* other : {"--size", "--dragonfly", "--torus"}) Option(tree).excludes(command.get_option(other));
  add_number(command, "--detect", o.detect, "fat-tree: cycles of a root's detector", 0, 255).needs(tree);
  add_number(command, "--service", o.service, "fat-tree: cycles that the manager works on a fault", 0, 100'000'000)
      .needs(tree);
  command.add_flag("--mask-form", o.mask_form, "fat-tree: roots keep a mask and no table: 2 cycles for an update")
      .needs(tree);
}

void run_fat_tree_fault(const FatTreeFaultOptions& o, const std::string& json) {
  const JsonFile file(json);
  const FatTree tree = FatTree::parse(o.tree);
  if (tree.dimensions() != 2) throw Error("--fat-tree: " + tree.name() + ", expected two dimensions, N,M,P,U");
  ManagerTiming timing;
  timing.detect = static_cast<int>(o.detect);
  timing.service = static_cast<int>(o.service);
  timing.mask_form = o.mask_form;
  FaultSet dead(tree);
  std::vector<LeafChange> changes;  // all in one moment
  for (const std::string& text : o.fail) {
    for (const LeafId leaf : parse_leaves(tree, "--fail", text)) {
      if (dead.test(leaf.x, leaf.y)) throw Error(fmt::format("--fail: leaf:{},{} fails twice", leaf.x, leaf.y));
      dead.set(leaf);
      changes.push_back({.ns = 0, .leaf = leaf, .dead = true});
      if (dead.count() == tree.num_leaves()) throw Error("--fail: no leaf switch is left alive");
    }
  }
  const std::vector<ReconfigurationTimes> managed = by_manager_in_time(tree, changes, timing);
  const LeafId manager = manager_leaf(tree, dead);
  Json faults = Json::array();
  Table table({"leaf", "", "detected", "reported", "served", "all roots know", "all leaves know", "total"});
  int64_t with = kNever, without = kNever;
  int unheard = 0, unheard_alone = 0;
  for (size_t i = 0; i < changes.size(); ++i) {
    const LeafId leaf = changes[i].leaf;
    const ReconfigurationTimes &by = managed[i], alone = by_neighbours(tree, dead, leaf, timing);
    const std::string name = fmt::format("({},{})", leaf.x, leaf.y);
    table.add({name, fmt::format("manager at ({},{})", manager.x, manager.y), cycle_text(by.detected),
               cycle_text(by.heard() ? by.reported : kNever), cycle_text(by.heard() ? by.served : kNever),
               cycle_text(by.roots_done()), cycle_text(by.leaves_done()), cycle_text(by.done())});
    table.add({name, "without one", cycle_text(alone.detected), "", "", cycle_text(alone.roots_done()),
               cycle_text(alone.leaves_done()), cycle_text(alone.done())});
    faults.push_back({{"leaf", {leaf.x, leaf.y}},
                      {"manager_at", {manager.x, manager.y}},
                      {"manager", times_json(tree, by)},
                      {"without_manager", times_json(tree, alone)}});
    unheard += !by.heard();
    unheard_alone += !alone.heard();
    with = std::max(with, by.roots_done());
    without = std::max(without, alone.roots_done());
  }
  warn_of_covering(tree, dead, Mode{});
  fmt::print("{}, cycles of 1 ns after the fault\n\n{}\n", tree.name(), table.text());
  const auto after = [](int64_t cycle) { return cycle == kNever ? "never" : fmt::format("after {} cycles", cycle); };
  std::string headline = fmt::format("All roots know {} over the manager, {} without one", after(with), after(without));
  if (unheard != 0) headline += fmt::format("; the manager never hears of {}", counted(unheard, "fault"));
  if (unheard_alone != 0) headline += fmt::format("; without it nobody hears of {}", counted(unheard_alone, "fault"));
  Json out = result_head("fault");
  const Json sections = fat_tree_fault_sections(tree, faults);
  out.update({{"fat_tree", tree.name()},
              {"timing",
               {{"detect", timing.detect},
                {"hop", timing.hop},
                {"nic", timing.nic},
                {"service", timing.service},
                {"leaf_update", timing.leaf_update},
                {"root_update", {timing.root_update(tree.columns()), timing.root_update(tree.rows())}}}},
              {"faults", std::move(faults)},
              {"roots", cycle_json(with)},
              {"roots_without_manager", cycle_json(without)},
              {"unheard", unheard},
              {"unheard_without_manager", unheard_alone},
              {"verdict", "pass"},
              {"headline", headline},
              {"report", sections}});
  file.write(out);
  fmt::print("{}\n", headline);
}

}  // namespace odonata::cli
