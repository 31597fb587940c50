// SPDX-License-Identifier: Apache-2.0
#include "sim/net_command/net_pages.h"

#include <fmt/format.h>

#include "sim/common/interrupt.h"

namespace odonata::cli {

namespace {

Json timeline_chart(const Json& timeline, const TimelineCounter& counter) {
  Json points = Json::array();
  for (const Json& i : timeline) points.push_back({i["last"], i[counter.key]});
  return {{"type", "lines"},
          {"title", fmt::format("{} over time", counter.name)},
          {"text", "A point an interval, at its last cycle."},
          {"x_label", "cycle"},
          {"y_label", counter.unit},
          {"tight", counter.tight},
          {"series", Json::array({{{"name", counter.name}, {"points", points}}})}};
}

Json hop_bars(const Json& hops) {
  Json bars = Json::array();
  for (size_t n = 0; n < hops.size(); ++n) {
    const double share = hops[n].get<double>();
    bars.push_back({{"label", fmt::format("{} links", n)}, {"value", share}, {"max", 1}, {"text", fmt::format("{:.2f} %", 100 * share)}});
  }
  return {{"type", "bars"}, {"title", "Links of a path"}, {"text", "Share of the packets of the sample."}, {"bars", bars}};
}

/// The phases of every job, and the time that its ranks communicate.
void add_program_sections(Json& sections, const Json& result) {
  const auto mean = [](const Json& value) { return value.is_null() ? std::string("-") : fmt::format("{:.2f}", value.get<double>()); };
  Json rows = Json::array();
  for (const Json& job : result["jobs"]) {
    for (const Json& p : job["phases"]) {
      rows.push_back({job["name"], p["name"], p["messages"], p["bytes"], p["packets"], mean(p["latency"]["nic"]), mean(p["latency"]["creation"]),
                      p["first"], p["last"]});
    }
  }
  sections.push_back(
      {{"type", "table"},
       {"title", "Phases"},
       {"text",
        "Latency of a packet from its entry into the network (NIC) and from the start of its send; cycles of the first and the last operation."},
       {"header", {"job", "phase", "messages", "bytes", "packets", "latency, NIC", "latency, creation", "first", "last"}},
       {"rows", rows}});
  Json points = Json::array();
  for (size_t r = 0; r < result["ranks"].size(); ++r) points.push_back({r, result["ranks"][r]["communication"]});
  sections.push_back({{"type", "lines"},
                      {"title", "Communication time of the ranks"},
                      {"text", "Cycles without a calculation, up to the rank's end."},
                      {"x_label", "rank"},
                      {"y_label", "cycles"},
                      {"series", Json::array({{{"name", "communication"}, {"points", points}}})}});
}

/// Use of the links from group 0, link by link: where the heat is.
Json link_bars(const Json& result) {
  Json bars = Json::array();
  for (const auto& [name, use] : result["channels"].items()) {
    if (name == "group0") continue;
    for (const char* what : {"mean", "max"}) {
      bars.push_back({{"label", fmt::format("{} links, {}", name, what)},
                      {"value", use[what]},
                      {"max", 1},
                      {"text", fmt::format("{:.2f} %", 100 * use[what].get<double>())}});
    }
  }
  return {{"type", "bars"}, {"title", "Use of the links"}, {"text", "Flits a cycle over the whole run."}, {"bars", bars}};
}

/// With a timeline: its counters, and the global links of a dragonfly window by window.
void add_timeline(Json& sections, const Json& result) {
  if (result["timeline"].empty()) return;
  for (const TimelineCounter& c : kTimelineCounters) sections.push_back(timeline_chart(result["timeline"], c));
  if (!result.contains("link_windows")) return;
  sections.push_back({{"type", "dragonfly"},
                      {"title", "Global links over time"},
                      {"text", "Every global link, coloured by its load in a window of the sample; move the slider."},
                      {"groups", result["dragonfly"]["g"]},
                      {"routers", result["dragonfly"]["a"]},
                      {"links", Json::array()},
                      {"windows", true},
                      {"unit", "flits a cycle"}});
}

/// What a run of programs shows in the place of the latency of a sample.
void add_program_report(Json& result, bool checks_hold) {
  const bool complete = result["unfinished_ranks"].get<uint32_t>() == 0;
  const bool good = checks_hold && complete && result["messages"] == result["received"] && result["conservation_ok"].get<bool>();
  result["verdict"] = good ? "pass" : "fail";
  result["headline"] =
      complete
          ? fmt::format("{}, {}: {} cycles, {} messages", result["routing"].get<std::string>(), result["parameters"]["workload"].get<std::string>(),
                        result["time_cycles"].get<uint64_t>(), result["messages"].get<uint64_t>())
          : fmt::format("{} ranks have not come to their end: {}", result["unfinished_ranks"].get<uint32_t>(), result["waits"].get<std::string>());
  if (result["interrupted"].get<bool>()) mark_interrupted(result);
  Json sections = Json::array();
  add_program_sections(sections, result);
  sections.push_back(link_bars(result));
  add_timeline(sections, result);
  result["report"] = sections;
}

}  // namespace

void add_net_report(Json& result, bool checks_hold) {
  if (result.contains("jobs")) return add_program_report(result, checks_hold && result["deadlock"].get<std::string>().empty());
  const bool measured = result["latency"]["packets"].get<uint64_t>() != 0;
  const bool good = checks_hold && measured && result["conservation_ok"].get<bool>() && result["deadlock"].get<std::string>().empty();
  result["verdict"] = good ? "pass" : "fail";
  result["headline"] =
      fmt::format("{}, {} at load {}: accepted {:.4f}, latency {:.2f}", result["routing"].get<std::string>(), result["traffic"].get<std::string>(),
                  result["load"].get<double>(), result["accepted"].get<double>(), result["latency"]["mean"].get<double>());
  if (!measured) result["headline"] = "no packet of the sample was delivered: nothing was measured";
  if (result["interrupted"].get<bool>()) mark_interrupted(result);
  Json sections = Json::array({hop_bars(result["hops"])});
  add_timeline(sections, result);
  result["report"] = sections;
}

std::string timeline_trace(const Json& result) {
  Json events = Json::array({{{"ph", "M"}, {"pid", 0}, {"name", "process_name"}, {"args", {{"name", "network"}}}}});
  for (const Json& i : result["timeline"]) {
    for (const TimelineCounter& c : kTimelineCounters) {
      events.push_back({{"ph", "C"}, {"pid", 0}, {"name", c.name}, {"ts", i["first"]}, {"args", {{c.unit, i[c.key]}}}});
    }
  }
  return Json{{"displayTimeUnit", "ns"}, {"otherData", {{"unit", "1 us of the trace is 1 cycle"}}}, {"traceEvents", events}}.dump();
}

}  // namespace odonata::cli
