// SPDX-License-Identifier: Apache-2.0
#include "sim/network/sweep/sweep_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "models/common/error.h"
#include "sim/common/program.h"

namespace odonata::cli {

namespace {

constexpr const char* kSaturation = "saturation";
constexpr double kLatencyShown = 500;  // above, the network is saturated

/// Quantities by name, with the place in the JSON of a run.
const std::vector<std::pair<std::string, std::string>>& quantities() {
  static const std::vector<std::pair<std::string, std::string>> list = [] {
    std::vector<std::pair<std::string, std::string>> out{{"offered", "/offered"},
                                                         {"accepted", "/accepted"},
                                                         {"latency", "/latency/mean"},
                                                         {"p50", "/latency/p50"},
                                                         {"p99", "/latency/p99"},
                                                         {"max", "/latency/max"},
                                                         {"local_use", "/channels/local/mean"},
                                                         {"local_most", "/channels/local/max"},
                                                         {"global_use", "/channels/global/mean"},
                                                         {"global_most", "/channels/global/max"},
                                                         {"lost", "/lost"},
                                                         {"saturated", "/saturated"},
                                                         {"conservation_ok", "/conservation_ok"}};
    for (int n = 0; n <= 7; ++n) out.emplace_back(fmt::format("hops{}", n), fmt::format("/hops/{}", n));
    return out;
  }();
  return list;
}

double value_of(const Json& result, const std::string& quantity) {
  for (const auto& [name, place] : quantities()) {
    if (name != quantity) continue;
    const Json value = result.value(Json::json_pointer(place), Json(0));
    return value.is_boolean() ? value.get<bool>() : value.get<double>();
  }
  throw Error("quantity '" + quantity + "' is unknown");
}

/// Runs that differ in nothing but the seed.
struct Group {
  size_t part = 0;
  Settings settings;  // without seed
  std::vector<const Json*> results;

  double mean(const std::string& quantity) const {
    double sum = 0;
    for (const Json* r : results) sum += value_of(*r, quantity);
    return sum / static_cast<double>(results.size());
  }
  double spread(const std::string& quantity) const {
    double low = INFINITY, high = -INFINITY;
    for (const Json* r : results) {
      low = std::min(low, value_of(*r, quantity));
      high = std::max(high, value_of(*r, quantity));
    }
    return high - low;
  }
  double load() const { return std::stod(settings.count("load") != 0 ? settings.at("load") : "0.4"); }
};

std::vector<Group> groups_of(const SweepResults& results) {
  std::vector<Group> out;
  for (const SweepPoint& p : results.points) {
    Settings settings = p.settings;
    settings.erase("seed");
    auto at = std::find_if(out.begin(), out.end(), [&](const Group& g) { return g.part == p.part && g.settings == settings; });
    if (at == out.end()) at = out.insert(out.end(), {p.part, settings, {}});
    at->results.push_back(p.result);
  }
  return out;
}

/// Saturation points of all seeds.
struct SaturationGroup {
  size_t part = 0;
  Settings settings;
  std::vector<double> loads;
  double mean() const { return std::accumulate(loads.begin(), loads.end(), 0.0) / static_cast<double>(loads.size()); }
  bool found() const {
    return std::all_of(loads.begin(), loads.end(), [](double load) { return load >= 0; });
  }
};

std::vector<SaturationGroup> saturation_of(const SweepResults& results) {
  std::vector<SaturationGroup> out;
  for (const SaturationPoint& p : results.saturation) {
    Settings settings = p.settings;
    settings.erase("seed");
    auto at = std::find_if(out.begin(), out.end(), [&](const SaturationGroup& g) { return g.part == p.part && g.settings == settings; });
    if (at == out.end()) at = out.insert(out.end(), {p.part, settings, {}});
    at->loads.push_back(p.load);
  }
  return out;
}

/// The varied settings, except load and seed: what a curve is called.
std::string label_of(const SweepPart& part, const Settings& settings) {
  std::string out;
  for (const auto& [key, values] : part.vary) {
    if (key == "load" || key == "seed" || values.size() < 2) continue;
    const bool bare = key == "routing" || key == "traffic";
    out += (out.empty() ? "" : ", ") + (bare ? settings.at(key) : key + " " + settings.at(key));
  }
  if (!out.empty()) return out;
  return settings.count("routing") != 0 ? settings.at("routing") : "all";
}

std::string title_of(const SweepFile& sweep, size_t part) {
  return sweep.parts[part].title.empty() ? fmt::format("{} {}", sweep.title, part + 1) : sweep.parts[part].title;
}

bool matches(const Settings& settings, const Settings& where) {
  return std::all_of(where.begin(), where.end(), [&](const auto& item) {
    const auto at = settings.find(item.first);
    return item.second.empty() ? at == settings.end() : at != settings.end() && at->second == item.second;
  });
}

Json latency_chart(const SweepFile& sweep, size_t part, const std::vector<Group>& groups) {
  Json series = Json::array();
  std::map<std::string, Json> lines;
  std::vector<std::string> order;
  for (const Group& g : groups) {
    if (g.part != part) continue;
    const std::string label = label_of(sweep.parts[part], g.settings);
    if (lines.count(label) == 0) order.push_back(label);
    lines[label].push_back({g.load(), g.mean("latency")});
  }
  for (const std::string& label : order) {
    std::sort(lines[label].begin(), lines[label].end(), [](const Json& a, const Json& b) { return a[0] < b[0]; });
    series.push_back({{"name", label}, {"points", lines[label]}});
  }
  return {{"type", "lines"},
          {"title", title_of(sweep, part) + ": latency"},
          {"text", "Mean over the seeds. A curve that leaves the picture is saturated (above 500 cycles)."},
          {"x_label", "offered load, flits a node and cycle"},
          {"y_label", "latency, cycles"},
          {"y_max", kLatencyShown},
          {"series", series}};
}

/// Of every curve the highest load that is not saturated.
std::vector<const Group*> highest_stable(const SweepFile& sweep, size_t part, const std::vector<Group>& groups) {
  std::vector<const Group*> out;
  std::vector<std::string> labels;
  for (const Group& g : groups) {
    if (g.part != part || g.mean("saturated") > 0) continue;
    const std::string label = label_of(sweep.parts[part], g.settings);
    const auto at = std::find(labels.begin(), labels.end(), label);
    if (at == labels.end()) {
      labels.push_back(label);
      out.push_back(&g);
    } else if (const Group*& known = out[static_cast<size_t>(at - labels.begin())]; g.load() > known->load()) {
      known = &g;
    }
  }
  return out;
}

Json hops_chart(const SweepFile& sweep, size_t part, const std::vector<const Group*>& stable) {
  Json series = Json::array();
  for (const Group* g : stable) {
    Json points = Json::array();
    for (int n = 0; n <= 7; ++n) points.push_back({n, 100 * g->mean(fmt::format("hops{}", n))});
    series.push_back(
        {{"name", fmt::format("{} at {}", label_of(sweep.parts[part], g->settings), fmt::format("{:.6g}", g->load()))}, {"points", points}});
  }
  return {{"type", "lines"},
          {"title", title_of(sweep, part) + ": links of a path"},
          {"text", "Share of the packets by the number of links that they took, at the highest load run that is not saturated."},
          {"x_label", "links"},
          {"y_label", "packets, %"},
          {"y_max", 100},
          {"series", series}};
}

Json use_bars(const SweepFile& sweep, size_t part, const std::vector<const Group*>& stable) {
  Json bars = Json::array();
  for (const Group* g : stable) {
    for (const char* level : {"local", "global"}) {
      const double mean = g->mean(fmt::format("{}_use", level)), most = g->mean(fmt::format("{}_most", level));
      bars.push_back({{"label", fmt::format("{} at {}, {}", label_of(sweep.parts[part], g->settings), fmt::format("{:.6g}", g->load()), level)},
                      {"value", mean},
                      {"max", 1},
                      {"text", fmt::format("mean {:.3f}, most used {:.3f}", mean, most)}});
    }
  }
  return {{"type", "bars"}, {"title", title_of(sweep, part) + ": use of the channels"}, {"text", "Flits a cycle."}, {"bars", bars}};
}

/// Use of every global channel of group 0, as a share of the most used one.
Json balance_chart(const SweepFile& sweep, size_t part, const std::vector<const Group*>& stable) {
  Json series = Json::array();
  for (const Group* g : stable) {
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
  for (const auto& [key, label] : {std::pair{"throughput", "flits a node and cycle"}, std::pair{"latency", "cycles"}, std::pair{"lost", "packets"}}) {
    Json series = Json::array();
    for (const SweepPoint& p : results.points) {
      const Json line = p.part == part ? p.result->value("timeline", Json::array()) : Json::array();
      Json points = Json::array();
      for (const Json& i : line) points.push_back({i["last"], i[key]});
      if (!points.empty())
        series.push_back({{"name", label_of(sweep.parts[part], p.settings) + (p.settings.count("seed") != 0 ? " seed " + p.settings.at("seed") : "")},
                          {"points", points}});
    }
    if (series.empty()) continue;
    sections.push_back({{"type", "lines"},
                        {"title", fmt::format("{}: {} over time", title_of(sweep, part), key)},
                        {"x_label", "cycle"},
                        {"y_label", label},
                        {"series", series}});
  }
}

std::vector<std::string> hop_header() {
  std::vector<std::string> out{"run", "load", "runs", "latency", "spread", "p99", "accepted", "saturated"};
  for (int n = 2; n <= 7; ++n) out.push_back(fmt::format("{} links %", n));
  return out;
}

std::vector<std::string> hop_row(const SweepFile& sweep, const Group& g) {
  std::vector<std::string> out{label_of(sweep.parts[g.part], g.settings),  fmt::format("{:.6g}", g.load()),
                               std::to_string(g.results.size()),           fmt::format("{:.2f}", g.mean("latency")),
                               fmt::format("{:.2f}", g.spread("latency")), fmt::format("{:.0f}", g.mean("p99")),
                               fmt::format("{:.4f}", g.mean("accepted")),  g.mean("saturated") > 0 ? "yes" : "no"};
  for (int n = 2; n <= 7; ++n) out.push_back(fmt::format("{:.2f}", 100 * g.mean(fmt::format("hops{}", n))));
  return out;
}

const std::vector<std::string> kSaturationHeader{"run", "seeds", "highest load not saturated", "lowest and highest seed"};
std::vector<std::string> saturation_row(const SweepFile& sweep, const SaturationGroup& s) {
  const auto [low, high] = std::minmax_element(s.loads.begin(), s.loads.end());
  const std::string none = fmt::format("below {}", sweep.parts[s.part].saturation->load(0));
  return {label_of(sweep.parts[s.part], s.settings), std::to_string(s.loads.size()), s.found() ? fmt::format("{:.3f}", s.mean()) : none,
          s.found() ? fmt::format("{:.3f} {:.3f}", *low, *high) : ""};
}

const std::vector<std::string> kPaperHeader{"quantity", "runs", "measured", "paper", "deviation", "source", "explanation"};

}  // namespace

bool is_quantity(const std::string& name) {
  return name == kSaturation || std::any_of(quantities().begin(), quantities().end(), [&](const auto& item) { return item.first == name; });
}

double Comparison::deviation() const {
  if (paper->quantity == kSaturation) return measured - paper->value;
  return paper->value == 0 ? 0 : 100 * (measured / paper->value - 1);
}
bool Comparison::close() const { return runs != 0 && std::abs(deviation()) <= (paper->quantity == kSaturation ? 0.0201 : 3); }

std::vector<Comparison> compare_with_paper(const SweepFile& sweep, const SweepResults& results) {
  std::vector<Comparison> out;
  for (const PaperValue& value : sweep.paper) {
    Comparison c{&value, 0, 0};
    const auto add = [&c](double measured) {
      ++c.runs;
      c.measured += measured;
    };
    if (value.quantity == kSaturation) {
      for (const SaturationPoint& p : results.saturation) {
        if (matches(p.settings, value.where) && p.load >= 0) add(p.load);
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
  if (c.runs == 0) return {name, "0", "not run", fmt::format("{}", c.paper->value), "", c.paper->source, ""};
  const std::string why = c.close() ? "" : c.paper->explanation.empty() ? "not explained" : c.paper->explanation;
  return {name,
          std::to_string(c.runs),
          load ? fmt::format("{:.3f}", c.measured) : fmt::format("{:.2f}", c.measured),
          fmt::format("{}", c.paper->value),
          load ? fmt::format("{:+.3f}", c.deviation()) : fmt::format("{:+.1f} %", c.deviation()),
          c.paper->source,
          why};
}

std::string sweep_csv(const SweepFile& sweep, const SweepResults& results) {
  std::set<std::string> keys{"routing", "traffic", "load", "seed"};
  for (const SweepPart& part : sweep.parts) {
    for (const auto& item : part.vary) keys.insert(item.first);
  }
  std::string out = "part";
  for (const std::string& key : keys) out += "," + key;
  for (const auto& item : quantities()) out += "," + item.first;
  out += "\n";
  for (const SweepPoint& p : results.points) {
    out += std::to_string(p.part + 1);
    for (const std::string& key : keys) out += "," + (p.settings.count(key) != 0 ? p.settings.at(key) : p.result->value(key, Json("")).dump());
    for (const auto& item : quantities()) out += fmt::format(",{:.8g}", value_of(*p.result, item.first));
    out += "\n";
  }
  return out;
}

Json sweep_json(const SweepFile& sweep, const SweepResults& results) {
  const std::vector<Group> groups = groups_of(results);
  const std::vector<SaturationGroup> saturation = saturation_of(results);
  const std::vector<Comparison> comparisons = compare_with_paper(sweep, results);
  Json out{{"command", "sweep"}, {"command_line", command_line()}, {"title", sweep.title}, {"quick", sweep.quick}};
  Json sections = Json::array();
  if (!sweep.text.empty() || !sweep.quick.empty()) {
    const std::string note = sweep.quick.empty() ? "" : " Quick run, not the lengths of the file: " + sweep.quick + ".";
    sections.push_back({{"type", "text"}, {"title", sweep.title}, {"text", sweep.text + note}});
  }
  if (!comparisons.empty()) {
    Json rows = Json::array();
    for (const Comparison& c : comparisons) rows.push_back(cells(c));
    sections.push_back({{"type", "table"}, {"title", "Beside the paper"}, {"header", kPaperHeader}, {"rows", rows}});
  }
  bool kept = true;
  out["points"] = Json::array();
  for (const Group& g : groups) {
    Json point{{"part", g.part + 1}, {"settings", g.settings}, {"runs", g.results.size()}};
    for (const auto& item : quantities()) point[item.first] = g.mean(item.first);
    out["points"].push_back(point);
    kept = kept && g.mean("conservation_ok") == 1;
  }
  out["saturation"] = Json::array();
  for (const SaturationGroup& s : saturation) out["saturation"].push_back({{"part", s.part + 1}, {"settings", s.settings}, {"loads", s.loads}});
  out["paper"] = Json::array();
  for (const Comparison& c : comparisons) {
    out["paper"].push_back({{"quantity", c.paper->quantity},
                            {"where", c.paper->where},
                            {"paper", c.paper->value},
                            {"measured", c.runs == 0 ? Json() : Json(c.measured)},
                            {"deviation", c.runs == 0 ? Json() : Json(c.deviation())},
                            {"close", c.close()}});
  }
  for (size_t part = 0; part < sweep.parts.size(); ++part) {
    if (sweep.parts[part].saturation) {
      Json rows = Json::array();
      for (const SaturationGroup& s : saturation) {
        if (s.part == part) rows.push_back(saturation_row(sweep, s));
      }
      sections.push_back({{"type", "table"}, {"title", title_of(sweep, part) + ": saturation"}, {"header", kSaturationHeader}, {"rows", rows}});
      continue;
    }
    if (std::none_of(groups.begin(), groups.end(), [part](const Group& g) { return g.part == part; })) continue;
    const auto stable = highest_stable(sweep, part, groups);
    sections.push_back(latency_chart(sweep, part, groups));
    if (!stable.empty()) {
      for (Json section : {hops_chart(sweep, part, stable), use_bars(sweep, part, stable), balance_chart(sweep, part, stable)})
        sections.push_back(section);
    }
    add_timelines(sections, sweep, part, results);
    Json rows = Json::array();
    for (const Group& g : groups) {
      if (g.part == part) rows.push_back(hop_row(sweep, g));
    }
    sections.push_back({{"type", "table"}, {"title", title_of(sweep, part) + ": all runs"}, {"header", hop_header()}, {"rows", rows}});
  }
  const auto close = std::count_if(comparisons.begin(), comparisons.end(), [](const Comparison& c) { return c.close(); });
  out["verdict"] = kept ? "pass" : "fail";
  out["headline"] =
      fmt::format("{} runs, nothing lost or duplicated{}", results.points.size(),
                  comparisons.empty() ? "" : fmt::format("; {} of {} published values within 3 % (saturation: 0.02)", close, comparisons.size()));
  if (!kept) out["headline"] = "a conservation check failed";
  out["report"] = sections;
  return out;
}

namespace {

std::string markdown_row(const std::vector<std::string>& row) {
  std::string out = "|";
  for (const std::string& cell : row) out += " " + cell + " |";
  return out + "\n";
}

std::string markdown_head(const std::vector<std::string>& header) {
  std::string out = markdown_row(header) + "|";
  for (size_t i = 0; i < header.size(); ++i) out += " --- |";
  return out + "\n";
}

}  // namespace

std::string sweep_markdown(const SweepFile& sweep, const SweepResults& results, const std::string& command) {
  std::string out =
      fmt::format("# {}\n\n{}{}Measured by `{}`; this page is generated.\n", sweep.title, sweep.text, sweep.text.empty() ? "" : "\n\n", command);
  if (!sweep.quick.empty()) out += fmt::format("\n**Quick run, not the lengths of the paper:** {}.\n", sweep.quick);
  const auto comparisons = compare_with_paper(sweep, results);
  if (!comparisons.empty()) {
    out += "\n## Beside the paper\n\nLatency in cycles, shares in percent; saturation as a difference.\n\n" + markdown_head(kPaperHeader);
    for (const Comparison& c : comparisons) out += markdown_row(cells(c));
  }
  const auto groups = groups_of(results);
  for (size_t part = 0; part < sweep.parts.size(); ++part) {
    out += fmt::format("\n## {}\n\n`{}`\n\n", title_of(sweep, part), to_text(sweep.parts[part].fixed));
    if (sweep.parts[part].saturation) {
      out += markdown_head(kSaturationHeader);
      for (const SaturationGroup& s : saturation_of(results)) {
        if (s.part == part) out += markdown_row(saturation_row(sweep, s));
      }
      continue;
    }
    out += markdown_head(hop_header());
    for (const Group& g : groups) {
      if (g.part == part) out += markdown_row(hop_row(sweep, g));
    }
  }
  return out;
}

}  // namespace odonata::cli
