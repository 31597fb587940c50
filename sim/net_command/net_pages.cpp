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

}  // namespace

void add_net_report(Json& result, bool checks_hold) {
  const bool measured = result["latency"]["packets"].get<uint64_t>() != 0;
  const bool good = checks_hold && measured && result["conservation_ok"].get<bool>() && result["deadlock"].get<std::string>().empty();
  result["verdict"] = good ? "pass" : "fail";
  result["headline"] =
      fmt::format("{}, {} at load {}: accepted {:.4f}, latency {:.2f}", result["routing"].get<std::string>(), result["traffic"].get<std::string>(),
                  result["load"].get<double>(), result["accepted"].get<double>(), result["latency"]["mean"].get<double>());
  if (!measured) result["headline"] = "no packet of the sample was delivered: nothing was measured";
  if (result["interrupted"].get<bool>()) mark_interrupted(result);
  Json sections = Json::array({hop_bars(result["hops"])});
  if (!result["timeline"].empty()) {
    for (const TimelineCounter& c : kTimelineCounters) sections.push_back(timeline_chart(result["timeline"], c));
  }
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
