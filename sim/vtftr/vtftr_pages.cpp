// SPDX-License-Identifier: Apache-2.0
#include "sim/vtftr/vtftr_pages.h"

#include <fmt/format.h>

namespace odonata::cli {

namespace {

Json dead_leaves(const Json& head) {
  Json cells = Json::array();
  for (const Json& leaf : head["fail"]) cells.push_back({{"at", leaf}, {"bad", true}, {"text", "failed"}});
  return cells;
}

Json grid_of(const FatTree& tree, const std::string& title, const std::string& text, Json cells, Json paths) {
  return {{"type", "grid"},      {"title", title}, {"text", text},   {"columns", tree.columns()},
          {"rows", tree.rows()}, {"wrap", false},  {"cells", cells}, {"paths", paths}};
}

/// The leaves coloured by the cycle in which they know, red the one that failed.
Json times_section(const FatTree& tree, const Json& fault, const char* how, const std::string& words) {
  Json cells = Json::array();
  const bool heard = !fault[how]["total"].is_null();
  for (int y = 0; y < tree.rows(); ++y) {
    for (int x = 0; x < tree.columns(); ++x) {
      const Json& cycle = fault[how]["leaf"][y][x];
      const bool failed = fault["leaf"] == Json::array({x, y});
      Json cell = {{"at", {x, y}},
                   {"bad", failed},
                   {"text", failed            ? "failed"
                            : !heard          ? "is never told"
                            : cycle.is_null() ? "need not know"
                                              : fmt::format("knows in cycle {}", cycle.dump())}};
      if (!cycle.is_null()) cell["value"] = cycle;
      cells.push_back(std::move(cell));
    }
  }
  Json grid = grid_of(
      tree, fmt::format("Leaf ({},{}) fails, {}", fault["leaf"][0].get<int>(), fault["leaf"][1].get<int>(), words),
      heard ? fmt::format("Cycles until the leaves know; all of it took {}.", fault[how]["total"].get<int64_t>())
            : "Nobody hears of it: what has seen it has no way to anybody.",
      cells, Json::array());
  grid["unit"] = "cycles";
  return grid;
}

}  // namespace

Json fat_tree_route_sections(const FatTree& tree, const Json& head, const Json& result) {
  Json way = Json::array({Json::array({result["from"][0], result["from"][1]})}), rows = Json::array();
  for (const Json& hop : result["hops"]) {
    way.push_back(hop["at"]);
    rows.push_back({hop["routing"], hop["leaf"], hop["root"],
                    fmt::format("({}, {})", hop["at"][0].get<int>(), hop["at"][1].get<int>()),
                    std::to_string(hop["vc"].get<int>())});
  }
  return Json::array({grid_of(tree, "One way through the leaves",
                              "Every step goes through a root of a row or a column; red leaves have failed.",
                              dead_leaves(head), Json::array({way})),
                      {{"type", "table"},
                       {"title", "Step by step"},
                       {"header", {"routing", "leaf decides", "root decides", "at", "channel"}},
                       {"rows", rows}}});
}

Json fat_tree_deadlock_sections(const FatTree& tree, const Json& head, const Json& result) {
  if (result.contains("sets")) {
    Json rows = Json::array();
    for (const Json& s : result["sets"])
      rows.push_back({s["faults"], s["sets"], s["with_clean_line"], s["share"], s["closed_form"], s["cases"], s["full"],
                      s["cyclic"], s["max_routings"]});
    return Json::array(
        {{{"type", "table"},
          {"title", "All sets of dead leaves"},
          {"header",
           {"dead", "sets", "with a clean line", "share", "closed form", "cases", "full", "cyclic", "most routings"}},
          {"rows", rows}}});
  }
  Json words = Json::array();
  for (const Json& channel : result["cycle"]) words.push_back(channel["text"]);
  Json sections = Json::array({grid_of(tree, words.empty() ? "No cycle of channels" : "A cycle of channels",
                                       "Red leaves have failed.", dead_leaves(head), Json::array())});
  if (!words.empty()) sections.push_back({{"type", "list"}, {"title", "The cycle in words"}, {"items", words}});
  return sections;
}

Json fat_tree_fault_sections(const FatTree& tree, const Json& faults) {
  constexpr size_t kMost = 3;  // faults that are drawn
  Json sections = Json::array();
  for (size_t i = 0; i < std::min(faults.size(), kMost); ++i) {
    sections.push_back(times_section(tree, faults[i], "manager", "over the manager"));
    sections.push_back(times_section(tree, faults[i], "without_manager", "without a manager"));
  }
  return sections;
}

}  // namespace odonata::cli
