// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "sim/fault_command/router_options.h"
#include "sim/fault_study/fault_study.h"

namespace odonata::cli {

using namespace fault;

Json distribution_json(const Distribution& d, bool histogram) {
  Json out = {{"samples", d.sorted.size()}};
  const bool any = !d.sorted.empty();
  out["min"] = any ? Json(d.sorted.front()) : Json();
  for (const char* p : {"p50", "p95", "p99"}) out[p] = any ? Json(d.percentile(std::atof(p + 1))) : Json();
  out["max"] = any ? Json(d.sorted.back()) : Json();
  out["mean"] = any ? Json(d.mean) : Json();
  out["ci95"] = d.sorted.size() > 1 ? Json(d.ci95) : Json();  // of one sample nobody knows
  if (histogram) out["histogram"] = {{"from", d.from}, {"width", d.width}, {"counts", d.counts}};
  return out;
}

std::string mean_text(const Json& d) {
  if (d["mean"].is_null()) return "";
  const std::string mean = fmt::format("{:.1f}", d["mean"].get<double>());
  return d["ci95"].is_null() ? mean : fmt::format("{} +- {:.1f}", mean, d["ci95"].get<double>());
}

namespace {

const std::vector<std::string> kQuantities{"min", "p50", "p95", "p99", "max", "mean", "bound"};

std::string name_of(FaultClass c) { return kFaultClassNames[static_cast<size_t>(c)]; }

/// The value of a quantity of a class; nothing: no sample, or no bound.
std::optional<double> value_of(const DesignResult& design, size_t c, const std::string& quantity) {
  if (quantity == "bound")
    return design.bound[c].cycles < 0 ? std::nullopt : std::optional<double>(design.bound[c].cycles);
  const Distribution& d = design.last_write[c];
  if (d.sorted.empty()) return std::nullopt;
  if (quantity == "mean") return d.mean;
  if (quantity == "min") return d.sorted.front();
  if (quantity == "max") return d.sorted.back();
  return d.percentile(std::stod(quantity.substr(1)));
}

bool meets(const StudyPlan& plan, const DesignResult& design, const Requirement& r) {
  for (size_t c = 0; c < plan.classes.size(); ++c) {
    if (!r.fault_class.empty() && r.fault_class != name_of(plan.classes[c])) continue;
    const std::optional<double> value = value_of(design, c, r.quantity);
    if (!value || *value > r.cycles) return false;
  }
  return true;
}

bool cheaper(const DesignResult& x, const DesignResult& y) {
  if (!x.cost || !y.cost) return x.cost.has_value() && !y.cost.has_value();
  return std::tuple(x.cost->cells, x.cost->flip_flops) < std::tuple(y.cost->cells, y.cost->flip_flops);
}

void mark_pareto(std::vector<DesignResult>& designs) {
  for (DesignResult& x : designs) {
    x.pareto = x.cost.has_value();
    for (const DesignResult& y : designs) {
      if (!x.cost || !y.cost) continue;
      const bool as_good = y.cost->cells <= x.cost->cells && y.slowest_p99() <= x.slowest_p99();
      if (as_good && (y.cost->cells < x.cost->cells || y.slowest_p99() < x.slowest_p99())) x.pareto = false;
    }
  }
}

/// A quantity of the samples of a class.
Distribution of(const std::vector<StudySample>& samples, int64_t StudySample::*what) {
  std::vector<int64_t> values;
  for (const StudySample& s : samples) values.push_back(s.*what);
  return Distribution(std::move(values));
}

struct Metric {
  const char* name;
  const char* words;
  int64_t StudySample::*what;
};
constexpr Metric kMetrics[] = {{"detection", "detection", &StudySample::detection},
                               {"local_travel", "local travel", &StudySample::local_travel},
                               {"last_fd", "last FD", &StudySample::last_fd},
                               {"last_write", "last table write", &StudySample::last_write},
                               {"diagnosis", "diagnosis done", &StudySample::diagnosis},
                               {"recovery", "recovery", &StudySample::recovery}};

using MeanShares = std::array<double, kShares>;

Json shares_json(const std::optional<MeanShares>& means) {
  Json out;
  for (size_t i = 0; means && i < means->size(); ++i) out[kShareNames[i]] = (*means)[i];
  return out;
}

/// Of the samples in which a table was written; nothing: of none.
std::optional<MeanShares> mean_chain(const std::vector<StudySample>& samples) {
  MeanShares sum{};
  size_t written = 0;
  for (const StudySample& s : samples) {
    if (s.last_write < 0) continue;
    ++written;
    for (size_t i = 0; i < sum.size(); ++i) sum[i] += static_cast<double>(s.chain[i]);
  }
  if (written == 0) return std::nullopt;
  for (double& x : sum) x /= static_cast<double>(written);
  return sum;
}

const StudySample& slowest(const std::vector<StudySample>& samples) {
  return *std::max_element(samples.begin(), samples.end(),
                           [](const auto& x, const auto& y) { return x.last_write < y.last_write; });
}

/// The chain of a sample, made once more.
Json chain_json(const StudyPlan& plan, const Parameters& parameters, size_t c, int64_t number) {
  const Dragonfly& d = plan.d;
  StudySettings settings = plan.settings;
  settings.recovery = false;
  Study study(d, parameters, settings);
  study.sample(plan.classes[c], number);
  Json steps = Json::array();
  for (const ChainStep& s : critical_chain(study.network()).steps) {
    const RouterId r = d.router(s.router);
    const bool event = s.kind == ServiceKind::link_down || s.kind == ServiceKind::link_up;
    Json step = {{"router", fmt::format("G{}.s{}", r.gid, r.bid)},
                 {"serves", event ? "link event, port " + std::to_string(s.port) : to_string(s.message)},
                 {"from", s.from},
                 {"to", s.to}};
    for (size_t i = 0; i < s.cycles.size(); ++i) step[kShareNames[i]] = s.cycles[i];
    steps.push_back(step);
  }
  return steps;
}

Json class_json(const StudyResult& r, size_t c) {
  const std::vector<StudySample>& samples = r.samples.front().samples[c];
  const WorstCase& bound = r.designs.front().bound[c];
  Json out = {{"samples", samples.size()}};
  for (const Metric& m : kMetrics) {
    const Distribution d = of(samples, m.what);
    out[m.name] = distribution_json(d, true);
  }
  out["chain"] = shares_json(mean_chain(samples));
  out["bound"] = bound.cycles < 0 ? Json() : Json(bound.cycles);
  if (!bound.why.empty()) out["bound_note"] = bound.why;
  const StudySample& worst = slowest(samples);
  out["slowest"] = {{"sample", &worst - samples.data()},
                    {"fault", to_string(r.plan.d, numbered_fault(r.plan.d, r.plan.classes[c], worst.fault))},
                    {"last_write", worst.last_write < 0 ? Json() : Json(worst.last_write)}};
  return out;
}

Json design_json(const StudyResult& r, const DesignResult& design) {
  Json out = {{"router", to_json(design.timing)}};
  for (size_t c = 0; c < r.plan.classes.size(); ++c) {
    const std::string name = name_of(r.plan.classes[c]);
    out["last_write"][name] = distribution_json(design.last_write[c]);
    out["bound"][name] = design.bound[c].cycles < 0 ? Json() : Json(design.bound[c].cycles);
  }
  out["cells"] = design.cost ? Json(design.cost->cells) : Json();
  out["flip_flops"] = design.cost ? Json(design.cost->flip_flops) : Json();
  out["ram_bits"] = design.cost ? Json(design.cost->ram_bits) : Json();
  out["cost_measured"] = design.cost && design.cost->measured;
  out["pareto"] = design.pareto;
  out["meets"] = design.meets;
  return out;
}

std::string whole(double value) { return fmt::format("{:.0f}", value); }

std::vector<std::vector<std::string>> class_rows(const StudyResult& r) {
  std::vector<std::vector<std::string>> rows;
  for (size_t c = 0; c < r.plan.classes.size(); ++c) {
    for (const Metric& m : kMetrics) {
      const Distribution d = of(r.samples.front().samples[c], m.what);
      if (d.sorted.empty()) continue;
      const bool written = m.what == &StudySample::last_write;
      const WorstCase& bound = r.designs.front().bound[c];
      rows.push_back({name_of(r.plan.classes[c]), m.words, std::to_string(d.sorted.size()),
                      std::to_string(d.sorted.front()), std::to_string(d.percentile(50)),
                      std::to_string(d.percentile(95)), std::to_string(d.percentile(99)),
                      std::to_string(d.sorted.back()), mean_text(distribution_json(d, false)),
                      !written           ? ""
                      : bound.cycles < 0 ? "none"
                      : bound.tight      ? std::to_string(bound.cycles)
                                         : std::to_string(bound.cycles) + " (coarse)"});
    }
  }
  return rows;
}

const std::vector<std::string> kClassHeader{"class", "cycles to", "samples", "min",  "p50",
                                            "p95",   "p99",       "max",     "mean", "bound"};

std::vector<std::vector<std::string>> design_rows(const StudyResult& r) {
  std::vector<std::vector<std::string>> rows;
  for (const DesignResult& design : r.designs) {
    std::vector<std::string> row{to_string(design.timing)};
    for (size_t c = 0; c < r.plan.classes.size(); ++c) {
      const auto p99 = value_of(design, c, "p99");
      const auto bound = value_of(design, c, "bound");
      row.push_back((p99 ? whole(*p99) : "-") + " / " + (bound ? whole(*bound) : "-"));
    }
    row.push_back(design.cost ? std::to_string(design.cost->cells) + (design.cost->measured ? "" : "*") : "-");
    row.push_back(design.cost ? std::to_string(design.cost->flip_flops) : "-");
    row.push_back(design.cost ? std::to_string(design.cost->ram_bits) : "-");
    row.push_back(design.pareto ? "yes" : "");
    rows.push_back(row);
  }
  return rows;
}

/// The router of the first design; of a load that is drawn, its least, too.
std::string first_router(const StudyResult& r) {
  const StudySettings& s = r.plan.settings;
  const std::string drawn =
      s.least_load < s.most_load ? fmt::format(" (a sample's is drawn from {} up)", s.least_load) : "";
  return to_string(r.designs.front().timing) + drawn;
}

std::vector<std::string> design_header(const StudyResult& r) {
  std::vector<std::string> header{"router"};
  for (FaultClass c : r.plan.classes) header.push_back(name_of(c) + " p99 / bound");
  for (const char* name : {"cells", "flip-flops", "RAM bits", "Pareto"}) header.push_back(name);
  return header;
}

Json histogram_section(const std::string& name, const Distribution& d) {
  Json bars = Json::array();
  for (size_t i = 0; i < d.counts.size(); ++i) {
    const int64_t first = d.from + static_cast<int64_t>(i) * d.width;
    bars.push_back({{"label", d.width == 1 ? std::to_string(first) : fmt::format("{}..{}", first, first + d.width - 1)},
                    {"value", d.counts[i]}});
  }
  return {{"type", "bars"}, {"title", "Cycles to the last table write: " + name}, {"bars", bars}};
}

Json chain_section(const StudyResult& r) {
  Json bars = Json::array();
  for (size_t c = 0; c < r.plan.classes.size(); ++c) {
    const auto means = mean_chain(r.samples.front().samples[c]);
    if (!means) continue;
    bars.push_back(
        {{"label", name_of(r.plan.classes[c])}, {"values", std::vector<double>(means->begin(), means->end())}});
  }
  return {{"type", "stacked"},
          {"title", "Where the cycles of the critical chain went (mean)"},
          {"text", "From the fault to the last table write; the parts add up to it."},
          {"parts", std::vector<std::string>(kShareNames.begin(), kShareNames.end())},
          {"bars", bars}};
}

Json path_section(const Json& chain, const std::string& of_what) {
  Json bars = Json::array();
  for (const Json& step : chain) {
    std::vector<int64_t> values;
    for (const char* name : kShareNames) values.push_back(step[name]);
    bars.push_back(
        {{"label", fmt::format("{}: {}", step["router"].get<std::string>(), step["serves"].get<std::string>())},
         {"start", step["from"]},
         {"values", values}});
  }
  return {{"type", "stacked"},
          {"title", "The slowest critical chain: " + of_what},
          {"text",
           "Router by router through the network; every bar begins where the one above it ended. A bar ends with the "
           "wire to the next router."},
          {"parts", std::vector<std::string>(kShareNames.begin(), kShareNames.end())},
          {"bars", bars}};
}

Json pareto_section(const StudyResult& r) {
  Json points = Json::array();
  for (const DesignResult& design : r.designs) {
    if (design.cost)
      points.push_back({{"x", design.cost->cells},
                        {"y", design.slowest_p99()},
                        {"name", to_string(design.timing)},
                        {"front", design.pareto}});
  }
  return {{"type", "scatter"},
          {"title", "Design space"},
          {"text", "Filled: no other design is as cheap and as fast."},
          {"x_label", "cells of a router's fault plane"},
          {"y_label", "p99 of the slowest class, cycles to the last table write"},
          {"points", points}};
}

Json sections(const StudyResult& r, const Json& chain) {
  const FaultClass first = r.plan.classes.front();
  Json list = Json::array();
  list.push_back({{"type", "table"},
                  {"title", "Fault study, " + r.plan.d.name()},
                  {"text", "Router: " + first_router(r)},
                  {"header", kClassHeader},
                  {"rows", class_rows(r)}});
  for (size_t c = 0; c < r.plan.classes.size(); ++c) {
    if (!r.designs.front().last_write[c].sorted.empty())
      list.push_back(histogram_section(name_of(r.plan.classes[c]), r.designs.front().last_write[c]));
  }
  if (Json shares = chain_section(r); !shares["bars"].empty()) list.push_back(std::move(shares));
  if (!chain.empty()) {
    const StudySample& worst = slowest(r.samples.front().samples.front());
    list.push_back(path_section(chain, to_string(r.plan.d, numbered_fault(r.plan.d, first, worst.fault))));
  }
  if (r.designs.size() > 1) {
    list.push_back({{"type", "table"},
                    {"title", "Designs"},
                    {"text", "Cells marked * lie between measured poll widths."},
                    {"header", design_header(r)},
                    {"rows", design_rows(r)}});
    list.push_back(pareto_section(r));
  }
  return list;
}

/// What is wrong with the samples of a design.
void find_problems(StudyResult& r, size_t design) {
  const DesignResult& result = r.designs[design];
  for (size_t c = 0; c < r.plan.classes.size(); ++c) {
    const std::vector<StudySample>& samples = r.samples[design].samples[c];
    for (size_t i = 0; i < samples.size(); ++i) {
      int64_t sum = 0;
      for (int64_t share : samples[i].chain) sum += share;
      const std::string which =
          fmt::format("{} sample {} of '{}'", name_of(r.plan.classes[c]), i, to_string(result.timing));
      if (samples[i].last_write >= 0 && sum != samples[i].last_write)
        r.problems.push_back(fmt::format("{}: the chain has {} cycles, the last write is in cycle {}", which, sum,
                                         samples[i].last_write));
      if (result.bound[c].cycles >= 0 && samples[i].last_write > result.bound[c].cycles)
        r.problems.push_back(fmt::format("{}: last write in cycle {}, above the bound {}", which, samples[i].last_write,
                                         result.bound[c].cycles));
    }
  }
}

}  // namespace

Requirement parse_requirement(const std::string& text, const std::vector<FaultClass>& classes) {
  Requirement r;
  r.text = text;
  if (text.empty()) return r;
  const size_t equals = text.find('='), dot = text.find('.');
  if (dot < equals) r.fault_class = text.substr(0, dot);
  const size_t begin = dot < equals ? dot + 1 : 0;
  if (equals != std::string::npos) r.quantity = text.substr(begin, equals - begin);
  const bool known_class = r.fault_class.empty() || std::any_of(classes.begin(), classes.end(), [&](FaultClass c) {
                             return name_of(c) == r.fault_class;
                           });
  if (!known_class || std::find(kQuantities.begin(), kQuantities.end(), r.quantity) == kQuantities.end())
    throw Error(
        fmt::format("--require: '{}' is unknown, expected [CLASS.]QUANTITY=CYCLES with a class of --class and min, "
                    "p50, p95, p99, max, mean or bound",
                    text));
  r.cycles = static_cast<double>(parse_number("--require " + text, text.substr(equals + 1), 0, 1ull << 40));
  return r;
}

int64_t DesignResult::slowest_p99() const {
  int64_t slowest = 0;
  for (const Distribution& d : last_write) {
    if (!d.sorted.empty()) slowest = std::max(slowest, d.percentile(99));
  }
  return slowest;
}

StudyResult judge(const StudyPlan& plan, const std::vector<StudyDesign>& designs, const Requirement& requirement,
                  double seconds) {
  StudyResult r{plan, designs, {}, requirement, {}, -1, seconds};
  for (const StudyDesign& design : designs) {
    DesignResult result;
    Parameters parameters = design.parameters;
    parameters.timing.load = plan.settings.most_load;
    result.timing = parameters.timing;
    for (size_t c = 0; c < plan.classes.size(); ++c) {
      result.last_write.push_back(of(design.samples[c], &StudySample::last_write));
      result.bound.push_back(plan.settings.faults == 1 ? worst_case(plan.d, parameters, plan.classes[c])
                                                       : WorstCase{-1, false, kNoBoundForSeveral});
    }
    result.cost = design_cost(plan.d, parameters.timing);
    result.meets = requirement.text.empty() || meets(plan, result, requirement);
    r.designs.push_back(std::move(result));
    find_problems(r, r.designs.size() - 1);
  }
  mark_pareto(r.designs);
  for (size_t i = 0; i < r.designs.size() && !requirement.text.empty(); ++i) {
    if (r.designs[i].meets && (r.cheapest < 0 || cheaper(r.designs[i], r.designs[static_cast<size_t>(r.cheapest)])))
      r.cheapest = static_cast<int>(i);
  }
  return r;
}

Json to_json(const StudyResult& r) {
  const StudySettings& s = r.plan.settings;
  Json out = result_head("fault-study", r.plan.d);
  out["mode"] = to_string(r.samples.front().parameters.mode);
  out["seed"] = s.seed;
  out["router"] = to_json(r.designs.front().timing);
  out["settings"] = {{"faults", s.faults},
                     {"least_load", s.least_load},
                     {"most_load", s.most_load},
                     {"poll", s.draw_poll ? "drawn" : "start"},
                     {"every", s.every}};
  std::vector<StudySample> all;
  for (size_t c = 0; c < r.plan.classes.size(); ++c) {
    const std::string name = name_of(r.plan.classes[c]);
    out["classes"][name] = class_json(r, c);
    out["bound"][name] = out["classes"][name]["bound"];
    const auto& samples = r.samples.front().samples[c];
    all.insert(all.end(), samples.begin(), samples.end());
  }
  out["chain"] = shares_json(mean_chain(all));
  const auto& first = r.samples.front().samples.front();
  out["critical_chain"] = chain_json(r.plan, r.samples.front().parameters, 0, &slowest(first) - first.data());
  out["designs"] = Json::array();
  for (const DesignResult& design : r.designs) out["designs"].push_back(design_json(r, design));
  if (!r.requirement.text.empty()) {
    out["require"] = r.requirement.text;
    out["cheapest"] = r.cheapest < 0 ? Json() : out["designs"][static_cast<size_t>(r.cheapest)];
  }
  out["seconds"] = r.seconds;
  out["problems"] = r.problems;
  out["verdict"] = r.good() ? "pass" : "fail";
  const Distribution& d = r.designs.front().last_write.front();
  out["headline"] = d.sorted.empty() ? std::string("nothing was written")
                                     : fmt::format("{}: last table write after {} cycles (p99 {}, max {})",
                                                   name_of(r.plan.classes.front()), d.percentile(50), d.percentile(99),
                                                   d.sorted.back());
  out["facts"] = {{"router", first_router(r)}, {"samples", all.size() * r.designs.size()}};
  out["report"] = sections(r, out["critical_chain"]);
  return out;
}

std::string study_trace(const StudyResult& r) {
  Json events = Json::array();
  const auto meta = [&events](const char* what, int process, int thread, const std::string& name) {
    events.push_back({{"ph", "M"}, {"name", what}, {"pid", process}, {"tid", thread}, {"args", {{"name", name}}}});
  };
  for (size_t c = 0; c < r.plan.classes.size(); ++c) {
    const std::vector<StudySample>& samples = r.samples.front().samples[c];
    if (samples.empty()) continue;
    const StudySample& worst = slowest(samples);
    const Json chain = chain_json(r.plan, r.samples.front().parameters, c, &worst - samples.data());
    if (chain.empty()) continue;
    const int process = static_cast<int>(c);
    const std::string fault = to_string(r.plan.d, numbered_fault(r.plan.d, r.plan.classes[c], worst.fault));
    meta("process_name", process, 0,
         fmt::format("{}: slowest of {}, {}", name_of(r.plan.classes[c]), samples.size(), fault));
    std::map<std::string, int> threads;
    const auto slice = [&](const std::string& name, const char* category, int thread, int64_t start, int64_t cycles) {
      events.push_back({{"ph", "X"},
                        {"name", name},
                        {"cat", category},
                        {"pid", process},
                        {"tid", thread},
                        {"ts", start},
                        {"dur", cycles}});
    };
    for (const Json& step : chain) {
      const std::string router = step["router"];
      const auto [at, first] = threads.try_emplace(router, static_cast<int>(threads.size()) + 1);
      if (first) meta("thread_name", process, at->second, router);
      const int64_t start = step["from"];
      int64_t now = start;
      for (const char* name : kShareNames) now += step[name].get<int64_t>();
      slice(step["serves"], "service", at->second, start, now - start);
      now = start;
      for (const char* name : kShareNames) {  // inside it, one after the other
        if (step[name] > 0) slice(name, "share", at->second, now, step[name]);
        now += step[name].get<int64_t>();
      }
    }
  }
  return Json{
      {"displayTimeUnit", "ns"}, {"otherData", {{"unit", "1 us of the trace is 1 cycle"}}}, {"traceEvents", events}}
      .dump();
}

void print(const StudyResult& r) {
  fmt::print("{}, router: {}\n\n", r.plan.d.name(), first_router(r));
  Table table(kClassHeader);
  for (const auto& row : class_rows(r)) table.add(row);
  fmt::print("{}\nwhere the cycles to the last table write went (mean):\n", table.text());
  std::vector<std::string> header{"class"};
  header.insert(header.end(), kShareNames.begin(), kShareNames.end());
  Table chain(header);
  for (size_t c = 0; c < r.plan.classes.size(); ++c) {
    std::vector<std::string> row{name_of(r.plan.classes[c])};
    const auto means = mean_chain(r.samples.front().samples[c]);
    for (size_t i = 0; i < kShares; ++i) row.push_back(means ? fmt::format("{:.1f}", (*means)[i]) : "-");
    chain.add(row);
  }
  fmt::print("{}", chain.text());
  if (r.designs.size() > 1) {
    Table designs(design_header(r));
    for (const auto& row : design_rows(r)) designs.add(row);
    fmt::print("\n{}* between measured poll widths\n", designs.text());
  }
  if (!r.requirement.text.empty()) {
    fmt::print(
        "\n{}: {}\n", r.requirement.text,
        r.cheapest < 0 ? "no design" : "cheapest: " + to_string(r.designs[static_cast<size_t>(r.cheapest)].timing));
  }
  for (const std::string& line : r.problems) fmt::print("{}\n", line);
  fmt::print("\n{:.1f} s\n", r.seconds);
}

}  // namespace odonata::cli
