// SPDX-License-Identifier: Apache-2.0
#include "sim/net_command/sweep/sweep_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <string_view>

#include "models/common/error.h"
#include "sim/net_command/sweep/sweep_timeline.h"

namespace odonata::cli {

namespace {

constexpr double kLatencyShown = 500;  // above, the network is saturated

}  // namespace

const std::vector<std::pair<std::string, std::string>>& quantities() {
  static const std::vector<std::pair<std::string, std::string>> list = [] {
    std::vector<std::pair<std::string, std::string>> out{{"offered", "/offered"},
                                                         {"accepted", "/accepted"},
                                                         {"slowest_router", "/slowest_router/sent"},
                                                         {"latency", "/latency/mean"},
                                                         {"latency_with_unfinished", "/latency/with_unfinished"},
                                                         {"p50", "/latency/p50"},
                                                         {"p99", "/latency/p99"},
                                                         {"max", "/latency/max"}};
    for (const char* channels : kChannels) {
      out.emplace_back(fmt::format("{}_use", channels), fmt::format("/channels/{}/mean", channels));
      out.emplace_back(fmt::format("{}_most", channels), fmt::format("/channels/{}/max", channels));
    }
    for (const char* name : {"lost", "saturated", "conservation_ok"}) out.emplace_back(name, fmt::format("/{}", name));
    return out;
  }();
  return list;
}

const std::vector<std::pair<std::string, std::string>>& program_quantities() {
  static const std::vector<std::pair<std::string, std::string>> list{{"time_cycles", "/time_cycles"},
                                                                     {"latency_nic", "/latency/nic/mean"},
                                                                     {"latency_creation", "/latency/creation/mean"}};
  return list;
}

std::optional<int> hops_quantity(const std::string& name) {
  constexpr std::string_view kHops = "hops";
  if (!name.starts_with(kHops) || name.size() > kHops.size() + 4) return {};
  int links = 0;
  const auto [end, error] = std::from_chars(name.data() + kHops.size(), name.data() + name.size(), links);
  if (error != std::errc{} || end != name.data() + name.size() || links < 0) return {};
  return name == fmt::format("hops{}", links) ? std::optional(links) : std::nullopt;
}

namespace {

size_t longest(const std::vector<const Json*>& results) {
  size_t out = kLinksShown;
  for (const Json* r : results) out = std::max(out, std::max<size_t>(r->value("hops", Json::array()).size(), 1) - 1);
  return out;
}

}  // namespace

std::vector<std::string> columns_of(const SweepResults& results) {
  std::vector<const Json*> all;
  for (const SweepPoint& p : results.points) all.push_back(p.result);
  const auto any_has = [&all](const std::string& place) {
    return std::any_of(all.begin(), all.end(), [&](const Json* r) { return r->contains(Json::json_pointer(place)); });
  };
  std::vector<std::string> out;
  for (const auto& [name, place] : quantities()) {
    if (!place.starts_with("/channels/") || any_has(place)) out.push_back(name);
  }
  for (size_t n = 0; n <= longest(all); ++n) out.push_back(fmt::format("hops{}", n));
  if (any_has("/time_cycles")) {
    for (const auto& item : program_quantities()) out.push_back(item.first);
  }
  return out;
}

int RunGroup::longest_path() const { return static_cast<int>(longest(results)); }

double value_of(const Json& result, const std::string& quantity) {
  for (const auto* list : {&quantities(), &program_quantities()}) {
    for (const auto& [name, place] : *list) {
      if (name != quantity) continue;
      const Json value = result.value(Json::json_pointer(place), Json());
      return value.is_boolean() ? value.get<bool>() : value.is_number() ? value.get<double>() : NAN;
    }
  }
  if (const auto links = hops_quantity(quantity)) {
    const Json hops = result.value("hops", Json::array());
    if (hops.empty()) return NAN;
    return static_cast<size_t>(*links) < hops.size() ? hops[static_cast<size_t>(*links)].get<double>() : 0;
  }
  if (const auto timed = timeline_quantity(quantity)) return value_of(result.value("timeline", Json::array()), *timed);
  throw Error("quantity '" + quantity + "' is unknown");
}

std::string measured_text(double value, int digits) {
  return std::isnan(value) ? "" : fmt::format("{:.{}f}", value, digits);
}

double RunGroup::mean(const std::string& quantity) const {
  double sum = 0;
  for (const Json* r : results) sum += value_of(*r, quantity);
  return sum / static_cast<double>(results.size());
}

double RunGroup::spread(const std::string& quantity) const {
  if (results.size() < 2) return NAN;
  double low = INFINITY, high = -INFINITY;
  for (const Json* r : results) {
    const double value = value_of(*r, quantity);
    if (std::isnan(value)) return NAN;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  return high - low;
}

std::vector<RunGroup> groups_of(const SweepResults& results) {
  std::vector<RunGroup> out;
  std::map<std::pair<size_t, Settings>, size_t> known;
  for (const SweepPoint& p : results.points) {
    Settings settings = p.settings;
    settings.erase("seed");
    const auto [at, fresh] = known.try_emplace({p.part, settings}, out.size());
    if (fresh) out.push_back({p.part, settings, {}});
    out[at->second].results.push_back(p.result);
  }
  return out;
}

double SaturationGroup::mean() const {
  return std::accumulate(loads.begin(), loads.end(), 0.0) / static_cast<double>(loads.size());
}

bool SaturationGroup::found() const {
  return std::all_of(loads.begin(), loads.end(), [](double load) { return load >= 0; });
}

std::vector<SaturationGroup> saturation_of(const SweepResults& results) {
  std::vector<SaturationGroup> out;
  for (const SaturationPoint& p : results.saturation) {
    Settings settings = p.settings;
    settings.erase("seed");
    auto at = std::find_if(out.begin(), out.end(),
                           [&](const SaturationGroup& g) { return g.part == p.part && g.settings == settings; });
    if (at == out.end()) at = out.insert(out.end(), {p.part, settings, {}});
    at->loads.push_back(p.load);
  }
  return out;
}

std::string label_of(const SweepPart& part, const Settings& settings) {
  std::string out;
  for (const auto& [key, values] : part.vary) {
    if (key == "load" || key == "seed" || part.is_panel(key) || values.size() < 2) continue;
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

namespace {

/// A quantity over the load, a line a curve.
Json lines_over_load(const SweepPart& part, const std::vector<const RunGroup*>& groups, const std::string& quantity) {
  Json series = Json::array();
  std::map<std::string, Json> lines;
  std::vector<std::string> order;
  for (const RunGroup* g : groups) {
    const std::string label = label_of(part, g->settings);
    if (lines.count(label) == 0) order.push_back(label);
    if (const double mean = g->mean(quantity); !std::isnan(mean)) lines[label].push_back({g->load(), mean});
  }
  for (const std::string& label : order) {
    if (lines.count(label) == 0) continue;
    std::sort(lines[label].begin(), lines[label].end(), [](const Json& a, const Json& b) { return a[0] < b[0]; });
    series.push_back({{"name", label}, {"points", lines[label]}});
  }
  return series;
}

}  // namespace

Json latency_chart(const SweepPart& part, const std::string& title, const std::vector<const RunGroup*>& groups) {
  return {{"type", "lines"},
          {"title", title + ": latency"},
          {"text", "Mean over the seeds. A curve that leaves the picture is saturated (above 500 cycles)."},
          {"x_label", "offered load, flits a node and cycle"},
          {"y_label", "latency, cycles"},
          {"y_max", kLatencyShown},
          {"log", part.log},
          {"series", lines_over_load(part, groups, "latency")}};
}

Json accepted_chart(const SweepPart& part, const std::string& title, const std::vector<const RunGroup*>& groups) {
  return {{"type", "lines"},
          {"title", title + ": throughput"},
          {"text", "Mean over the seeds."},
          {"x_label", "offered load, flits a node and cycle"},
          {"y_label", "accepted, flits a node and cycle"},
          {"series", lines_over_load(part, groups, "accepted")}};
}

std::vector<Json> saturation_charts(const SweepPart& part, const std::string& title,
                                    const std::vector<const RunGroup*>& groups) {
  const auto any = [&groups](const char* quantity) {
    return std::any_of(groups.begin(), groups.end(), [quantity](const RunGroup* g) { return g->mean(quantity) > 0; });
  };
  if (!any("saturated")) return {};
  std::vector<Json> out{accepted_chart(part, title, groups)};
  if (!any("slowest_router")) return out;
  out.push_back({{"type", "lines"},
                 {"title", title + ": slowest router"},
                 {"text", "Of all routers the one whose nodes send the least. Mean over the seeds."},
                 {"x_label", "offered load, flits a node and cycle"},
                 {"y_label", "sent, flits a node and cycle"},
                 {"series", lines_over_load(part, groups, "slowest_router")}});
  return out;
}

std::string markdown_row(const std::vector<std::string>& row) {
  std::string out = "|";
  for (const std::string& cell : row) {
    out += " ";
    for (const char c : cell) out += c == '|' ? "\\|" : c == '\n' ? " " : std::string(1, c);
    out += " |";
  }
  return out + "\n";
}

std::string markdown_head(const std::vector<std::string>& header) {
  std::string out = markdown_row(header) + "|";
  for (size_t i = 0; i < header.size(); ++i) out += " --- |";
  return out + "\n";
}

}  // namespace odonata::cli
