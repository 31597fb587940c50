// SPDX-License-Identifier: Apache-2.0
#include "sim/net_command/sweep/sweep_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "models/common/error.h"
#include "sim/common/program.h"
#include "sim/net_command/net_pages.h"
#include "sim/net_command/sweep/sweep_compare.h"
#include "sim/net_command/sweep/sweep_timeline.h"

namespace odonata::cli {

const std::set<std::string>& always_told() {
  static const std::set<std::string> names{"routing", "traffic", "load", "seed"};
  return names;
}

namespace {

/// Of every curve the highest load that is not saturated.
std::vector<const RunGroup*> highest_stable(const SweepFile& sweep, size_t part, const std::vector<RunGroup>& groups) {
  std::vector<const RunGroup*> out;
  std::vector<std::string> labels;
  for (const RunGroup& g : groups) {
    if (g.part != part || g.mean("saturated") > 0) continue;
    const std::string label = label_of(sweep.parts[part], g.settings);
    const auto at = std::find(labels.begin(), labels.end(), label);
    if (at == labels.end()) {
      labels.push_back(label);
      out.push_back(&g);
    } else if (const RunGroup*& known = out[static_cast<size_t>(at - labels.begin())]; g.load() > known->load()) {
      known = &g;
    }
  }
  return out;
}

bool runs_programs(const RunGroup& g) { return g.results.front()->contains("time_cycles"); }

/// The load as text; programs alone and traces have none.
std::string load_text(const RunGroup& g) {
  const bool none =
      g.settings.count("load") == 0 && (runs_programs(g) || g.results.front()->value("load", Json()).is_null());
  return none ? "" : fmt::format("{:.6g}", g.load());
}
/// The name of a curve and the load.
std::string name_at_load(const SweepFile& sweep, const RunGroup& g) {
  const std::string name = label_of(sweep.parts[g.part], g.settings), load = load_text(g);
  return load.empty() ? name : name + " at " + load;
}

Json hops_chart(const SweepFile& sweep, size_t part, const std::vector<const RunGroup*>& stable) {
  Json series = Json::array();
  int longest = 0;
  for (const RunGroup* g : stable) longest = std::max(longest, g->longest_path());
  for (const RunGroup* g : stable) {
    Json points = Json::array();
    for (int n = 0; n <= longest; ++n) {
      if (const double share = g->mean(fmt::format("hops{}", n)); !std::isnan(share))
        points.push_back({n, 100 * share});
    }
    if (points.empty()) continue;
    series.push_back({{"name", name_at_load(sweep, *g)}, {"points", points}});
  }
  return {
      {"type", "lines"},
      {"title", title_of(sweep, part) + ": links of a path"},
      {"text",
       "Share of the packets by the number of links that they took, at the highest load run that is not saturated."},
      {"x_label", "links"},
      {"y_label", "packets, %"},
      {"y_max", 100},
      {"series", series}};
}

Json use_bars(const SweepFile& sweep, size_t part, const std::vector<const RunGroup*>& stable) {
  Json bars = Json::array();
  for (const RunGroup* g : stable) {
    for (const char* level : kChannels) {
      const double mean = g->mean(fmt::format("{}_use", level)), most = g->mean(fmt::format("{}_most", level));
      if (std::isnan(mean)) continue;
      bars.push_back({{"label", fmt::format("{}, {}", name_at_load(sweep, *g), level)},
                      {"value", mean},
                      {"max", 1},
                      {"text", fmt::format("mean {:.3f}, most used {:.3f}", mean, most)}});
    }
  }
  return {{"type", "bars"},
          {"title", title_of(sweep, part) + ": use of the channels"},
          {"text", "Flits a cycle."},
          {"bars", bars}};
}

/// Use of every global channel of group 0, as a share of the most used one.
Json balance_chart(const SweepFile& sweep, size_t part, const std::vector<const RunGroup*>& stable) {
  Json series = Json::array();
  for (const RunGroup* g : stable) {
    const Json use = g->results.front()->value(Json::json_pointer("/channels/group0"), Json::array());
    double most = 0;
    for (const Json& u : use) most = std::max(most, u.get<double>());
    Json points = Json::array();
    for (size_t i = 0; i < use.size() && most > 0; ++i) points.push_back({i, use[i].get<double>() / most});
    if (!points.empty()) series.push_back({{"name", label_of(sweep.parts[part], g->settings)}, {"points", points}});
  }
  return {{"type", "lines"},
          {"title", title_of(sweep, part) + ": global channels of group 0"},
          {"text", "Flits of each global channel in the sample, divided by those of the most used one (first seed)."},
          {"x_label", "global channel"},
          {"y_label", "use"},
          {"y_max", 1},
          {"series", series}};
}

void add_timelines(Json& sections, const SweepFile& sweep, size_t part, const SweepResults& results) {
  for (const TimelineCounter& c : kTimelineCounters) {
    Json series = Json::array();
    bool any = false;
    for (const SweepPoint& p : results.points) {
      const Json line = p.part == part ? p.result->value("timeline", Json::array()) : Json::array();
      Json points = Json::array();
      any = any || (!line.empty() && counted(line, c));
      for (const Json& i : line) {
        if (!i[c.key].is_null()) points.push_back({i["last"], i[c.key]});
      }
      if (!points.empty())
        series.push_back({{"name", label_of(sweep.parts[part], p.settings) +
                                       (p.settings.count("seed") != 0 ? " seed " + p.settings.at("seed") : "")},
                          {"points", points}});
    }
    if (!any) continue;
    sections.push_back({{"type", "lines"},
                        {"title", fmt::format("{}: {} over time", title_of(sweep, part), c.name)},
                        {"x_label", "cycle"},
                        {"y_label", c.unit},
                        {"tight", c.tight},
                        {"series", series}});
  }
}

/// Paths that are longer have one column together.
std::vector<std::string> hop_header(bool longer) {
  std::vector<std::string> out{"run", "load",     "runs",           "latency",  "spread",
                               "p99", "accepted", "slowest router", "saturated"};
  for (int n = 2; n <= kLinksShown; ++n) out.push_back(fmt::format("{} links %", n));
  if (longer) out.push_back("more links %");
  return out;
}

std::vector<std::string> hop_row(const SweepFile& sweep, const RunGroup& g, bool longer) {
  const auto share = [&g](int links) { return 100 * g.mean(fmt::format("hops{}", links)); };
  std::vector<std::string> out{label_of(sweep.parts[g.part], g.settings), load_text(g),
                               std::to_string(g.results.size()),          measured_text(g.mean("latency"), 2),
                               measured_text(g.spread("latency"), 2),     measured_text(g.mean("p99"), 0),
                               measured_text(g.mean("accepted"), 4),      measured_text(g.mean("slowest_router"), 3),
                               g.mean("saturated") > 0 ? "yes" : "no"};
  for (int n = 2; n <= kLinksShown; ++n) out.push_back(measured_text(share(n), 2));
  if (!longer) return out;
  double more = 0;
  for (int n = kLinksShown + 1; n <= g.longest_path(); ++n) more += share(n);
  out.push_back(measured_text(more, 2));
  return out;
}

/// Runs of programs; the last three columns hold a run against the first one of its part that differs in the routing
/// alone. Where the routing does not vary they are empty.
const std::vector<std::string> kProgramHeader{"run",
                                              "runs",
                                              "latency from NIC: mean",
                                              "spread",
                                              "latency from creation: mean",
                                              "run time: mean",
                                              "run time: spread",
                                              "against the first: from NIC",
                                              "from creation",
                                              "run time"};
std::vector<std::string> program_row(const SweepFile& sweep, const RunGroup& g, const std::vector<RunGroup>& groups) {
  const auto but_routing = [](Settings settings) {
    settings.erase("routing");
    return settings;
  };
  const auto alike = [&](const RunGroup& other) {
    return other.part == g.part && but_routing(other.settings) == but_routing(g.settings);
  };
  const RunGroup& first = *std::find_if(groups.begin(), groups.end(), alike);
  const auto& vary = sweep.parts[g.part].vary;
  const auto varies = [&vary](const char* name) {
    return std::any_of(vary.begin(), vary.end(),
                       [name](const auto& item) { return item.first == name && item.second.size() > 1; });
  };
  const bool by_load = varies("load"), by_routing = varies("routing");
  const auto change = [&](const char* quantity) {
    const double change = 100 * (g.mean(quantity) / first.mean(quantity) - 1);
    return by_routing && std::isfinite(change) && g.mean(quantity) != 0 ? fmt::format("{:+.1f} %", change) : "";
  };
  return {label_of(sweep.parts[g.part], g.settings) + (by_load ? ", load " + g.settings.at("load") : ""),
          std::to_string(g.results.size()),
          measured_text(g.mean("latency_nic"), 2),
          measured_text(g.spread("latency_nic"), 2),
          measured_text(g.mean("latency_creation"), 2),
          measured_text(g.mean("time_cycles"), 0),
          measured_text(g.spread("time_cycles"), 0),
          change("latency_nic"),
          change("latency_creation"),
          change("time_cycles")};
}

struct RunTable {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};
/// All runs of a part.
RunTable run_table(const SweepFile& sweep, size_t part, const std::vector<RunGroup>& groups) {
  const bool longer = std::any_of(groups.begin(), groups.end(), [part](const RunGroup& g) {
    return g.part == part && g.longest_path() > kLinksShown;
  });
  RunTable out{hop_header(longer), {}};
  for (const RunGroup& g : groups) {
    if (g.part != part) continue;
    if (runs_programs(g)) out.header = kProgramHeader;
    out.rows.push_back(runs_programs(g) ? program_row(sweep, g, groups) : hop_row(sweep, g, longer));
  }
  return out;
}

const std::vector<std::string> kSaturationHeader{"run", "seeds", "highest load not saturated",
                                                 "lowest and highest seed"};
std::vector<std::string> saturation_row(const SweepFile& sweep, const SaturationGroup& s) {
  const auto [low, high] = std::minmax_element(s.loads.begin(), s.loads.end());
  const SaturationSearch& search = *sweep.parts[s.part].saturation;
  const bool top = search.is_top(*low);
  return {
      label_of(sweep.parts[s.part], s.settings), std::to_string(s.loads.size()),
      s.found() ? fmt::format("{}{:.3f}", top ? "at least " : "", s.mean()) : fmt::format("below {}", search.load(0)),
      s.found() ? fmt::format("{:.3f} {:.3f}", *low, *high) : ""};
}

const std::vector<std::string> kPaperHeader{"quantity",  "runs",   "measured",   "paper",
                                            "deviation", "source", "explanation"};

}  // namespace

bool is_quantity(const std::string& name) {
  const auto in = [&name](const auto& list) {
    return std::any_of(list.begin(), list.end(), [&](const auto& item) { return item.first == name; });
  };
  return name == kSaturation || is_gain(name) || timeline_quantity(name) || hops_quantity(name) || in(quantities()) ||
         in(program_quantities());
}

namespace {

bool is_change(const std::string& quantity) {
  const auto timed = timeline_quantity(quantity);
  return timed && timed->base;
}

/// The deviation is the difference in percentage points.
bool in_points(const std::string& quantity) { return is_gain(quantity) || is_change(quantity); }

}  // namespace

double Comparison::deviation() const {
  if (paper->quantity == kSaturation || in_points(paper->quantity)) return measured - paper->value;
  if (paper->value == 0) return measured;  // no percentage of nothing
  return 100 * (measured / paper->value - 1);
}
bool Comparison::close() const {
  const double most = paper->quantity == kSaturation ? 0.0201
                      : is_gain(paper->quantity)     ? 5
                      : is_change(paper->quantity)   ? 1
                      : paper->value == 0            ? 0
                                                     : 3;
  return runs != 0 && std::abs(deviation()) <= most;
}

std::vector<Comparison> compare_with_paper(const SweepFile& sweep, const SweepResults& results) {
  std::vector<Comparison> out;
  const std::vector<RunGroup> groups = groups_of(results);
  const std::vector<Gain> gains = gains_of(sweep, groups);
  for (const PaperValue& value : sweep.paper) {
    Comparison c{.paper = &value};
    const auto add = [&c](double measured) {
      if (std::isnan(measured)) return void(++c.unmeasured);
      ++c.runs;
      c.measured += measured;
    };
    if (is_gain(value.quantity)) {
      for (double gain : gain_values(gains, value.quantity, value.where)) add(gain);
    } else if (value.quantity == kSaturation) {
      for (const SaturationPoint& p : results.saturation) {
        if (!matches(p.settings, value.where)) continue;
        add(p.load >= 0 ? p.load : NAN);
        c.at_least |= sweep.parts[p.part].saturation->is_top(p.load);
      }
    } else {
      const double scale = value.quantity.starts_with("hops") ? 100 : 1;  // shares in percent, as the paper has them
      for (const SweepPoint& p : results.points) {
        if (matches(p.settings, value.where)) add(scale * value_of(*p.result, value.quantity));
      }
    }
    if (c.runs != 0) c.measured /= static_cast<double>(c.runs);
    out.push_back(c);
  }
  return out;
}

std::vector<std::string> cells(const Comparison& c) {
  const bool load = c.paper->quantity == kSaturation;
  const std::string name = fmt::format("{}: {}", c.paper->quantity, to_text(c.paper->where));
  if (c.runs == 0) {
    const char* none = c.unmeasured == 0 ? "not run" : load ? "below the range" : "not measured";
    return {name, std::to_string(c.unmeasured), none, fmt::format("{}", c.paper->value), "", c.paper->source, ""};
  }
  const std::string why = c.close() ? "" : c.paper->explanation.empty() ? "not explained" : c.paper->explanation;
  return {name,
          std::to_string(c.runs),
          load ? fmt::format("{}{:.3f}", c.at_least ? "at least " : "", c.measured) : fmt::format("{:.2f}", c.measured),
          fmt::format("{}", c.paper->value),
          load                           ? fmt::format("{:+.3f}", c.deviation())
          : in_points(c.paper->quantity) ? fmt::format("{:+.1f} points", c.deviation())
          : c.paper->value == 0          ? fmt::format("{:+.2f}", c.deviation())
                                         : fmt::format("{:+.1f} %", c.deviation()),
          c.paper->source,
          why};
}

namespace {

/// A cell of a CSV file (RFC 4180): in quotes when it has a comma or quotes.
std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

/// A setting of a run: of its part, else what its result says under the parameters, or as one of the four that all runs
/// have; empty where it has none.
std::string setting_cell(const SweepPoint& p, const std::string& key) {
  const Json value = setting_of(p, key);
  return value.is_null() ? "" : csv_cell(value.is_string() ? value.get<std::string>() : value.dump());
}

}  // namespace

Json setting_of(const SweepPoint& p, const std::string& key) {
  if (const auto given = p.settings.find(key); given != p.settings.end()) return given->second;
  const Json value = p.result->value("parameters", Json::object()).value(key, Json());
  return value.is_null() && always_told().count(key) != 0 ? p.result->value(key, Json()) : value;
}

std::string sweep_csv(const SweepFile& sweep, const SweepResults& results) {
  std::set<std::string> keys = always_told();
  for (const SweepPart& part : sweep.parts) {
    for (const auto& item : part.vary) keys.insert(item.first);
  }
  std::string out = "part";
  for (const std::string& key : keys) out += "," + key;
  const std::vector<std::string> columns = columns_of(results);
  for (const std::string& name : columns) out += "," + name;
  out += "\n";
  for (const SweepPoint& p : results.points) {
    out += std::to_string(p.part + 1);
    for (const std::string& key : keys) out += "," + setting_cell(p, key);
    for (const std::string& name : columns) {
      const double value = value_of(*p.result, name);
      const bool whole = value == std::floor(value);  // cycles and counts, to the last digit
      out += std::isnan(value) ? "," : whole ? fmt::format(",{:.0f}", value) : fmt::format(",{:.8g}", value);
    }
    out += "\n";
  }
  return out;
}

namespace {

/// How many runs are faulty, by what is wrong with them.
std::map<std::string, size_t> faults_of(const SweepResults& results) {
  std::map<std::string, size_t> failed;
  for (const SweepPoint& p : results.points) {
    if (const std::string fault = fault_of(*p.result); !fault.empty()) ++failed[fault];
  }
  for (const SaturationPoint& s : results.saturation) {
    if (!s.fault.empty()) ++failed[s.fault];
  }
  return failed;
}

Json points_json(const SweepResults& results, const std::vector<RunGroup>& groups) {
  Json out = Json::array();
  for (const RunGroup& g : groups) {
    Json point{{"part", g.part + 1}, {"settings", g.settings}, {"runs", g.results.size()}};
    for (const std::string& name : columns_of(results)) point[name] = g.mean(name);
    out.push_back(point);
  }
  return out;
}

Json saturation_json(const SweepFile& sweep, const std::vector<SaturationGroup>& groups) {
  Json out = Json::array();
  for (const SaturationGroup& s : groups) {
    const SaturationSearch& search = *sweep.parts[s.part].saturation;
    Json loads = Json::array();
    for (double load : s.loads) loads.push_back(load >= 0 ? Json(load) : Json());  // below the range
    out.push_back({{"part", s.part + 1},
                   {"settings", s.settings},
                   {"loads", loads},
                   {"range", {search.low, std::stod(search.load(search.loads() - 1))}}});
  }
  return out;
}

Json paper_json(const std::vector<Comparison>& comparisons) {
  Json out = Json::array();
  for (const Comparison& c : comparisons) {
    out.push_back({{"quantity", c.paper->quantity},
                   {"where", c.paper->where},
                   {"paper", c.paper->value},
                   {"measured", c.runs == 0 ? Json() : Json(c.measured)},
                   {"deviation", c.runs == 0 ? Json() : Json(c.deviation())},
                   {"close", c.close()}});
    if (c.at_least) out.back()["at_least"] = true;
  }
  return out;
}

template <class Header, class Rows>
Json table_section(const std::string& title, const Header& header, const Rows& rows) {
  return {{"type", "table"}, {"title", title}, {"header", header}, {"rows", rows}};
}

/// What the report says before the parts.
void add_head(Json& sections, const SweepFile& sweep, const std::vector<Comparison>& comparisons) {
  if (!sweep.text.empty() || !sweep.quick.empty()) {
    const std::string note = sweep.quick.empty() ? "" : " Quick run, not the lengths of the file: " + sweep.quick + ".";
    sections.push_back({{"type", "text"}, {"title", sweep.title}, {"text", sweep.text + note}});
  }
  if (comparisons.empty()) return;
  Json rows = Json::array();
  for (const Comparison& c : comparisons) rows.push_back(cells(c));
  sections.push_back(table_section("Beside the paper", kPaperHeader, rows));
}

/// Charts and the table of a part's runs.
void add_runs(Json& sections, const SweepFile& sweep, size_t part, const SweepResults& results,
              const std::vector<RunGroup>& groups) {
  std::vector<const RunGroup*> of_part;
  for (const RunGroup& g : groups) {
    if (g.part == part) of_part.push_back(&g);
  }
  if (of_part.empty()) return;
  const std::string title = title_of(sweep, part);
  const bool curve = std::any_of(of_part.begin(), of_part.end(),
                                 [&](const RunGroup* g) { return g->load() != of_part.front()->load(); });
  if (curve) {
    sections.push_back(latency_chart(sweep.parts[part], title, of_part));
    for (const Json& chart : saturation_charts(sweep.parts[part], title, of_part)) sections.push_back(chart);
  }
  if (const auto stable = highest_stable(sweep, part, groups); !stable.empty()) {
    for (const Json& section :
         {hops_chart(sweep, part, stable), use_bars(sweep, part, stable), balance_chart(sweep, part, stable)})
      sections.push_back(section);
  }
  add_timelines(sections, sweep, part, results);
  const RunTable runs = run_table(sweep, part, groups);
  sections.push_back(table_section(title + ": all runs", runs.header, runs.rows));
}

std::string headline_of(const SweepResults& results, const std::vector<Comparison>& comparisons,
                        const std::map<std::string, size_t>& failed) {
  if (!failed.empty()) {
    std::string all;
    for (const auto& [fault, runs] : failed)
      all += fmt::format("{}{} {}", all.empty() ? "" : "; ", counted(runs, "run"), fault);
    return all;
  }
  if (results.points.empty() && results.saturation.empty()) return "nothing was run";
  std::string out = counted(results.points.size(), "run");
  if (!results.saturation.empty()) out += ", " + counted(results.saturation.size(), "search", "searches");
  uint64_t lost = 0, unroutable = 0;
  for (const SweepPoint& p : results.points) {
    lost += p.result->value("lost", uint64_t{0});
    unroutable += p.result->value("unroutable", uint64_t{0});
  }
  out += lost == 0 ? results.saturation.empty() ? ", no deadlock, nothing lost or duplicated"
                                                : ", no deadlock, nothing duplicated"  // of searches no losses are kept
                   : fmt::format(", no deadlock, nothing duplicated; {} lost to faults, of these {} without a way",
                                 counted(lost, "packet"), unroutable);
  if (comparisons.empty()) return out;
  const auto close =
      std::count_if(comparisons.begin(), comparisons.end(), [](const Comparison& c) { return c.close(); });
  const auto run =
      std::count_if(comparisons.begin(), comparisons.end(), [](const Comparison& c) { return c.runs != 0; });
  out += fmt::format("; {} of {} published values within 3 % (saturation: 0.02, gains: 5 points, changes: 1 point)",
                     close, run);
  if (const auto total = static_cast<std::ptrdiff_t>(comparisons.size()); run != total)
    out += fmt::format(", {} more without a measured one", total - run);
  return out;
}

}  // namespace

Json sweep_json(const SweepFile& sweep, const SweepResults& results) {
  const std::vector<RunGroup> groups = groups_of(results);
  const std::vector<SaturationGroup> saturation = saturation_of(results);
  const std::vector<Comparison> comparisons = compare_with_paper(sweep, results);
  const std::vector<Gain> gains = gains_of(sweep, groups);
  const std::map<std::string, size_t> failed = faults_of(results);
  Json sections = Json::array();
  add_head(sections, sweep, comparisons);
  for (size_t part = 0; part < sweep.parts.size(); ++part) {
    const std::string title = title_of(sweep, part);
    if (sweep.parts[part].saturation) {
      Json rows = Json::array();
      for (const SaturationGroup& s : saturation) {
        if (s.part == part) rows.push_back(saturation_row(sweep, s));
      }
      sections.push_back(table_section(title + ": saturation", kSaturationHeader, rows));
    } else if (!sweep.parts[part].pairs.empty()) {
      for (const GainTable& t : gain_tables(sweep, part, gains))
        sections.push_back(table_section(title + ": " + t.title, t.header, t.rows));
      for (const Json& chart : gain_charts(sweep, part, groups, gains)) sections.push_back(chart);
    } else {
      add_runs(sections, sweep, part, results, groups);
    }
  }
  Json out = result_head("sweep");
  out.update({{"title", sweep.title}, {"quick", sweep.quick}});
  out["points"] = points_json(results, groups);
  out["saturation"] = saturation_json(sweep, saturation);
  out["paper"] = paper_json(comparisons);
  const bool empty = results.points.empty() && results.saturation.empty();
  out["verdict"] = failed.empty() && !empty ? "pass" : "fail";
  out["headline"] = headline_of(results, comparisons, failed);
  out["report"] = Json::array();
  for (Json& section : sections) {  // of what nothing was measured there is no picture
    if (section["type"] != "lines" || !section["series"].empty()) out["report"].push_back(std::move(section));
  }
  return out;
}

std::string sweep_markdown(const SweepFile& sweep, const SweepResults& results, const std::string& command) {
  std::string out = fmt::format(
      "<!-- SPDX-License-Identifier: Apache-2.0 -->\n# {}\n\n{}{}Measured by `{}`; this page is generated.\n",
      sweep.title, sweep.text, sweep.text.empty() ? "" : "\n\n", command);
  if (!sweep.quick.empty()) out += fmt::format("\n**Quick run, not the lengths of the paper:** {}.\n", sweep.quick);
  const auto comparisons = compare_with_paper(sweep, results);
  if (!comparisons.empty()) {
    out += "\n## Beside the paper\n\nLatency in cycles, shares in percent; saturation and gains as a difference.\n\n" +
           markdown_head(kPaperHeader);
    for (const Comparison& c : comparisons) out += markdown_row(cells(c));
  }
  const auto groups = groups_of(results);
  const auto gains = gains_of(sweep, groups);
  for (size_t part = 0; part < sweep.parts.size(); ++part) {
    out += fmt::format("\n## {}\n\n`{}`\n\n", title_of(sweep, part), to_text(sweep.parts[part].fixed));
    if (sweep.parts[part].saturation) {
      out += markdown_head(kSaturationHeader);
      for (const SaturationGroup& s : saturation_of(results)) {
        if (s.part == part) out += markdown_row(saturation_row(sweep, s));
      }
      continue;
    }
    if (!sweep.parts[part].pairs.empty()) {
      for (const GainTable& t : gain_tables(sweep, part, gains)) {
        out += fmt::format("{}\n\n{}", t.title, markdown_head(t.header));
        for (const auto& row : t.rows) out += markdown_row(row);
        out += "\n";
      }
      continue;
    }
    const RunTable runs = run_table(sweep, part, groups);
    out += markdown_head(runs.header);
    for (const auto& row : runs.rows) out += markdown_row(row);
  }
  return out;
}

}  // namespace odonata::cli
