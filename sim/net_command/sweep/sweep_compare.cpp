// SPDX-License-Identifier: Apache-2.0
#include "sim/net_command/sweep/sweep_compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace odonata::cli {

namespace {

Settings without_run(Settings settings) {
  for (const char* key : {"routing", "load", "seed"}) settings.erase(key);
  return settings;
}

Gain gain_of(size_t part, bool throughput, const std::pair<std::string, std::string>& pair, const Settings& settings,
             const std::map<std::string, std::map<double, const RunGroup*>>& runs) {
  Gain out{part, throughput, pair.first, pair.second, settings, {}};
  const auto from = runs.find(pair.first), to = runs.find(pair.second);
  if (from == runs.end() || to == runs.end()) return out;
  for (const auto& [load, group] : from->second) out.peak_from = std::max(out.peak_from, group->mean("accepted"));
  for (const auto& [load, group] : to->second) out.peak_to = std::max(out.peak_to, group->mean("accepted"));
  for (const auto& [load, group] : from->second) {
    const auto other = to->second.find(load);
    if (other == to->second.end()) continue;
    out.loads.push_back(
        {load, group->mean("latency"), other->second->mean("latency"), other->second->mean("saturated") > 0});
    out.last_from = group->mean("accepted");
    out.last_to = other->second->mean("accepted");
  }
  return out;
}

std::string percent(double value) { return fmt::format("{:+.1f} %", value); }

/// The parameters of a combination that tell panels apart, or (`panels` false) the other varied ones except routing:
/// "vcs 2".
std::string name_of(const SweepPart& part, const Settings& settings, bool panels) {
  std::string out;
  for (const auto& [key, values] : part.vary) {
    if (settings.count(key) == 0 || part.is_panel(key) != panels || (values.size() < 2 && !panels)) continue;
    const bool bare = key == "traffic" || key == "mesh";
    out += (out.empty() ? "" : ", ") + (bare ? settings.at(key) : key + " " + settings.at(key));
  }
  return out.empty() ? "all" : out;
}

/// Gains of a part that belong into one table: the same pair, and the same of everything but the panels.
std::vector<std::pair<std::string, std::vector<const Gain*>>> tables_of(const SweepFile& sweep, size_t part,
                                                                        const std::vector<Gain>& gains) {
  std::vector<std::pair<std::string, std::vector<const Gain*>>> out;
  for (const Gain& g : gains) {
    if (g.part != part || g.loads.empty()) continue;
    const std::string group = name_of(sweep.parts[part], g.settings, false);
    const std::string title = fmt::format("{} against {}{}", g.to, g.from, group == "all" ? "" : ", " + group);
    auto at = std::find_if(out.begin(), out.end(), [&](const auto& t) { return t.first == title; });
    if (at == out.end()) at = out.insert(out.end(), {title, {}});
    at->second.push_back(&g);
  }
  return out;
}

GainTable latency_table(const SweepPart& part, const std::string& title, const std::vector<const Gain*>& gains) {
  GainTable out{title, {"run", "largest reduction of latency", "at load", gains[0]->from, gains[0]->to}, {}};
  for (const Gain* g : gains) {
    const Gain::AtLoad* best = g->largest_reduction();
    std::vector<std::string> row{name_of(part, g->settings, true), "none", "", "", ""};
    if (best != nullptr) {
      row = {row[0], fmt::format("{:.0f} %", best->reduction()), fmt::format("{:.3f}", best->load),
             fmt::format("{:.1f}", best->from), fmt::format("{:.1f}", best->to)};
    }
    out.rows.push_back(row);
  }
  return out;
}

/// A routing that saturates is not run at the loads behind, so that the highest load of a pair may be another one in
/// each row, which then says it.
GainTable throughput_table(const SweepPart& part, const std::string& title, const std::vector<const Gain*>& gains) {
  const double load = gains[0]->loads.back().load;
  const bool alike =
      std::all_of(gains.begin(), gains.end(), [load](const Gain* g) { return g->loads.back().load == load; });
  const std::string last = alike ? fmt::format("at load {:.6g}: ", load) : "at the highest load of both: ";
  const auto accepted = [alike](const Gain& g, double value) {
    return alike ? fmt::format("{:.3f}", value) : fmt::format("{:.3f} at {:.6g}", value, g.loads.back().load);
  };
  GainTable out{title,
                {"run", "highest accepted: " + gains[0]->from, gains[0]->to, "change", last + gains[0]->from,
                 gains[0]->to, "change"},
                {}};
  double peaks = 0, lasts = 0;
  for (const Gain* g : gains) {
    peaks += g->peak_gain() / static_cast<double>(gains.size());
    lasts += g->last_gain() / static_cast<double>(gains.size());
    out.rows.push_back({name_of(part, g->settings, true), fmt::format("{:.3f}", g->peak_from),
                        fmt::format("{:.3f}", g->peak_to), percent(g->peak_gain()), accepted(*g, g->last_from),
                        fmt::format("{:.3f}", g->last_to), percent(g->last_gain())});
  }
  out.rows.push_back({"mean", "", "", percent(peaks), "", "", alike ? percent(lasts) : ""});
  return out;
}

/// Reduction of latency over load, a curve a panel; below 0 nothing is drawn.
Json reduction_chart(const SweepPart& part, const std::string& title, const std::vector<const Gain*>& gains) {
  Json series = Json::array();
  for (const Gain* g : gains) {
    Json points = Json::array();
    for (const Gain::AtLoad& at : g->loads) {
      if (!std::isnan(at.reduction())) points.push_back({at.load, std::max(0.0, at.reduction())});
    }
    if (!points.empty()) series.push_back({{"name", name_of(part, g->settings, true)}, {"points", points}});
  }
  return {{"type", "lines"},
          {"title", title + ": reduction of the latency"},
          {"text",
           "In percent of the latency of the first algorithm; an increase counts as 0. Beyond saturation it depends on "
           "the length of the run."},
          {"x_label", "offered load, flits a node and cycle"},
          {"y_label", "reduction, %"},
          {"y_max", 100},
          {"series", series}};
}

Json gain_bars(const SweepPart& part, const std::string& title, const std::vector<const Gain*>& gains) {
  Json bars = Json::array();
  for (const Gain* g : gains) {
    bars.push_back(
        {{"label", name_of(part, g->settings, true)}, {"value", g->peak_gain()}, {"text", percent(g->peak_gain())}});
  }
  return {{"type", "bars"},
          {"title", title + ": gain of throughput"},
          {"text", "Change of the highest accepted load."},
          {"bars", bars}};
}

}  // namespace

const Gain::AtLoad* Gain::largest_reduction() const {
  const AtLoad* out = nullptr;
  for (const AtLoad& at : loads) {
    if (!at.saturated && at.reduction() > 0 && (out == nullptr || at.reduction() > out->reduction())) out = &at;
  }
  return out;
}

std::vector<Gain> gains_of(const SweepFile& sweep, const std::vector<RunGroup>& groups) {
  std::vector<Gain> out;
  for (size_t part = 0; part < sweep.parts.size(); ++part) {
    if (sweep.parts[part].pairs.empty()) continue;
    std::vector<Settings> order;
    std::map<Settings, std::map<std::string, std::map<double, const RunGroup*>>> runs;
    for (const RunGroup& g : groups) {
      if (g.part != part) continue;
      const Settings settings = without_run(g.settings);
      if (runs.count(settings) == 0) order.push_back(settings);
      runs[settings][g.settings.at("routing")][g.load()] = &g;
    }
    for (const auto& pair : sweep.parts[part].pairs) {
      for (const Settings& settings : order)
        out.push_back(gain_of(part, sweep.parts[part].throughput, pair, settings, runs[settings]));
    }
  }
  return out;
}

bool is_gain(const std::string& quantity) {
  return quantity == "reduction" || quantity == "largest_reduction" || quantity == "gain" || quantity == "gain_at_last";
}

std::vector<double> gain_values(const std::vector<Gain>& gains, const std::string& quantity, const Settings& where) {
  Settings fixed = where;
  const double load = where.count("load") != 0 ? std::stod(where.at("load")) : -1;
  fixed.erase("load");
  const bool throughput = quantity.starts_with("gain");
  std::vector<double> out;
  for (const Gain& g : gains) {
    Settings settings = g.settings;
    settings["routing"] = g.to;
    if (g.loads.empty() || g.throughput != throughput || !matches(settings, fixed)) continue;
    if (quantity == "gain") out.push_back(g.peak_gain());
    if (quantity == "gain_at_last") out.push_back(g.last_gain());
    if (quantity == "largest_reduction")
      out.push_back(g.largest_reduction() != nullptr ? g.largest_reduction()->reduction() : NAN);
    if (quantity != "reduction") continue;
    for (const Gain::AtLoad& at : g.loads) {
      if (at.load == load) out.push_back(at.reduction());
    }
  }
  return out;
}

std::vector<GainTable> gain_tables(const SweepFile& sweep, size_t part, const std::vector<Gain>& gains) {
  std::vector<GainTable> out;
  const SweepPart& p = sweep.parts[part];
  for (const auto& [title, rows] : tables_of(sweep, part, gains)) {
    out.push_back(p.throughput ? throughput_table(p, title, rows) : latency_table(p, title, rows));
  }
  return out;
}

Json gain_charts(const SweepFile& sweep, size_t part, const std::vector<RunGroup>& groups,
                 const std::vector<Gain>& gains) {
  const SweepPart& p = sweep.parts[part];
  Json out = Json::array();
  for (const auto& [title, rows] : tables_of(sweep, part, gains)) {
    const std::string whole = title_of(sweep, part) + ": " + title;
    out.push_back(p.throughput ? gain_bars(p, whole, rows) : reduction_chart(p, whole, rows));
  }
  std::vector<std::pair<std::string, std::vector<const RunGroup*>>> panels;
  for (const RunGroup& g : groups) {
    if (g.part != part) continue;
    const std::string name = name_of(p, without_run(g.settings), true);
    auto at = std::find_if(panels.begin(), panels.end(), [&](const auto& panel) { return panel.first == name; });
    if (at == panels.end()) at = panels.insert(panels.end(), {name, {}});
    at->second.push_back(&g);
  }
  for (const auto& [name, members] : panels) {
    const std::string whole = title_of(sweep, part) + ": " + name;
    out.push_back(p.throughput ? accepted_chart(p, whole, members) : latency_chart(p, whole, members));
  }
  return out;
}

}  // namespace odonata::cli
