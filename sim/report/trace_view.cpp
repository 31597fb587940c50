// SPDX-License-Identifier: Apache-2.0
#include "sim/report/trace_view.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "models/common/error.h"

namespace odonata::cli {

namespace {

constexpr double kMostCycles = 1e15;   ///< that a page can count
constexpr size_t kMostDrawn = 20'000;  ///< slices, and arrows; the trace's own viewer takes all

/// Numbers of names, in the order in which they came.
class Names {
 public:
  size_t number(const std::string& name) {
    const auto [at, fresh] = numbers_.try_emplace(name, list_.size());
    if (fresh) list_.push_back(name);
    return at->second;
  }
  const Json& list() const { return list_; }

 private:
  std::map<std::string, size_t> numbers_;
  Json list_ = Json::array();
};

class TraceView {
 public:
  explicit TraceView(const Json& events) {
    for (at_ = 0; at_ < events.size(); ++at_) {
      event_ = &events[at_];
      if (text("ph") == "M") name_track();
    }
    for (at_ = 0; at_ < events.size(); ++at_) {
      event_ = &events[at_];
      if (const std::string phase = text("ph"); phase == "X") {
        add_slice();
      } else if (phase == "C") {
        add_counter();
      } else if (phase == "s") {
        starts_[arrow()] = {track(), number("ts")};
      } else if (phase == "f") {
        add_arrow();
      }
    }
  }
  Json sections() const {
    Json out = Json::array();
    if (num_slices_ != 0) out.push_back(timeline());
    for (const auto& [name, unit_points] : counters_) {
      const auto& [unit, points] = unit_points;
      out.push_back({{"type", "lines"},
                     {"title", name},
                     {"x_label", "cycle from which a value holds"},
                     {"y_label", unit},
                     {"series", Json::array({{{"name", unit}, {"points", points}}})}});
    }
    return out;
  }

 private:
  const Json& member(const Json& object, const char* key, bool fits(const Json&)) const {
    if (!object.is_object() || !object.contains(key) || !fits(object[key]))
      throw Error(fmt::format("traceEvents[{}].{}: missing, or of another kind", at_, key));
    return object[key];
  }
  std::string text(const char* key) const {
    return member(*event_, key, [](const Json& v) { return v.is_string(); });
  }
  int64_t number(const char* key) const {
    return member(*event_, key, [](const Json& v) { return v.is_number() && std::abs(v.get<double>()) < kMostCycles; });
  }
  const Json& arguments() const {
    return member(*event_, "args", [](const Json& v) { return v.is_object() && !v.empty(); });
  }
  /// The name of a process or of a thread in it.
  void name_track() {
    const std::string kind = text("name");
    if (!arguments().contains("name") || !arguments()["name"].is_string()) return;
    const std::string name = arguments()["name"];
    if (kind == "process_name") {
      processes_[number("pid")] = name;
    } else {
      threads_[{number("pid"), number("tid")}] = name;
      ++carriers_[name];
    }
  }
  size_t track() {
    const std::pair<int64_t, int64_t> place{number("pid"), number("tid")};
    const std::string process = processes_[place.first], thread = threads_[place];
    if (thread.empty()) return tracks_.number(fmt::format("{}, {}", place.first, place.second));
    return tracks_.number(carriers_[thread] > 1 ? thread + ", " + process : thread);
  }
  std::string arrow() const {
    return text("cat") + text("name") + member(*event_, "id", [](const Json&) { return true; }).dump();
  }
  void spans(int64_t from, int64_t to) {
    first_ = std::min(first_, from);
    last_ = std::max(last_, to);
  }
  void add_slice() {
    const int64_t start = number("ts"), end = start + number("dur");
    if (++num_slices_ > kMostDrawn) return;
    spans(start, end);
    slices_.push_back(
        {track(), start, end, kinds_.number(event_->contains("cat") ? text("cat") : "slice"), text("name")});
  }
  void add_arrow() {
    const auto start = starts_.find(arrow());
    if (start == starts_.end() || arrows_.size() >= kMostDrawn) return;
    arrows_.push_back({start->second.first, track(), start->second.second, number("ts")});
  }
  void add_counter() {
    const auto [name, value] = *arguments().items().begin();
    if (!value.is_number()) throw Error(fmt::format("traceEvents[{}].args.{}: expected a number", at_, name));
    auto& [unit, points] = counters_[text("name")];
    unit = name;
    points.push_back({number("ts"), value});
  }
  Json timeline() const {
    const std::string cut =
        num_slices_ > kMostDrawn ? fmt::format(" The first {} of {} slices.", kMostDrawn, num_slices_) : "";
    return {{"type", "tracks"},
            {"title", "Who does what when"},
            {"text", "In cycles." + cut},
            {"tracks", tracks_.list()},
            {"kinds", kinds_.list()},
            {"slices", slices_},
            {"arrows", arrows_},
            {"first", first_},
            {"last", last_}};
  }

  size_t at_ = 0;
  const Json* event_ = nullptr;
  std::map<int64_t, std::string> processes_;
  std::map<std::pair<int64_t, int64_t>, std::string> threads_;
  std::map<std::string, int> carriers_;                       // threads of a name
  std::map<std::string, std::pair<size_t, int64_t>> starts_;  // of arrows: track and cycle
  std::map<std::string, std::pair<std::string, Json>> counters_;
  Names tracks_, kinds_;
  Json slices_ = Json::array(), arrows_ = Json::array();
  size_t num_slices_ = 0;
  int64_t first_ = INT64_MAX, last_ = INT64_MIN;
};

}  // namespace

Json trace_result(const Json& trace) {
  if (!trace["traceEvents"].is_array() || trace["traceEvents"].empty())
    throw Error("traceEvents: expected a list of events");
  const Json sections = TraceView(trace["traceEvents"]).sections();
  if (sections.empty()) throw Error("traceEvents: neither a slice nor a counter");
  return {{"command", "trace"}, {"facts", {{"events", trace["traceEvents"].size()}}}, {"report", sections}};
}

}  // namespace odonata::cli
