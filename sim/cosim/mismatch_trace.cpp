// SPDX-License-Identifier: Apache-2.0
#include "sim/cosim/mismatch_trace.h"

namespace odonata::cli {

namespace {

enum Process : int { kInputs, kRight, kGot };
constexpr const char* kProcessNames[] = {"inputs", "outputs, right", "outputs, got"};

/// Cycles without a change are one slice. `right`: what the values should be.
void add_slices(Json& events, int process, int thread, uint64_t first, const Json& values, const Json& right) {
  for (size_t i = 0; i < values.size();) {
    size_t end = i + 1;
    while (end < values.size() && values[end] == values[i] && right[end] == right[i]) ++end;
    const bool wrong = values[i] != right[i];
    events.push_back(
        {{"ph", "X"},
         {"name", values[i].get<std::string>() + (wrong ? ", right is " + right[i].get<std::string>() : "")},
         {"cat", wrong ? "mismatch" : "value"},
         {"pid", process},
         {"tid", thread},
         {"ts", first + i},
         {"dur", end - i}});
    i = end;
  }
}

}  // namespace

std::string mismatch_trace(const std::string& block, const Json& waves) {
  Json events = Json::array();
  const uint64_t first = waves["first"];
  bool named[3] = {};
  int thread = 0;
  const auto add = [&](Process process, const Json& lane, const Json& values) {
    const auto meta = [&](const char* what, int tid, const std::string& name) {
      events.push_back(
          {{"ph", "M"}, {"name", what}, {"pid", static_cast<int>(process)}, {"tid", tid}, {"args", {{"name", name}}}});
    };
    if (!named[process]) meta("process_name", 0, block + ": " + kProcessNames[process]);
    named[process] = true;
    meta("thread_name", ++thread, lane["name"]);
    add_slices(events, process, thread, first, values, lane["values"]);
  };
  for (const Json& lane : waves["lanes"]) {
    add(lane.contains("bits") ? kInputs : kRight, lane, lane["values"]);
    if (lane.contains("got")) add(kGot, lane, lane["got"]);
  }
  return Json{
      {"displayTimeUnit", "ns"}, {"otherData", {{"unit", "1 us of the trace is 1 cycle"}}}, {"traceEvents", events}}
      .dump();
}

}  // namespace odonata::cli
