// SPDX-License-Identifier: Apache-2.0
#include "sim/net_command/sweep/sweep_timeline.h"

#include <cmath>
#include <regex>

#include "models/common/error.h"

namespace odonata::cli {

namespace {

constexpr const char* kPattern =
    "(throughput|latency|lost|fd|fr|last_lost|last_fd|last_fr)@([0-9]{1,9})-([0-9]{1,9})(?:/"
    "([0-9]{1,9})-([0-9]{1,9}))?";

/// What an interval counts for in a mean: throughput by its cycles (the last may be shorter), latency by its packets.
double weight_of(const Json& interval, const std::string& key) {
  if (key == "latency" && !interval.contains("packets"))
    throw Error("a run in the store has no packets in its timeline, expected one of this version: delete its line");
  if (key == "latency") return interval["packets"].get<double>();
  return interval["last"].get<double>() - interval["first"].get<double>();
}

double over(const Json& timeline, const std::string& name, CycleRange range) {
  const bool last = name.starts_with("last_"), mean = name == "throughput" || name == "latency";
  const std::string key = last ? name.substr(5) : name;
  double sum = 0, weights = 0, at = 0;
  for (const Json& i : timeline) {
    if (i["first"].get<uint32_t>() < range.first || i["last"].get<uint32_t>() > range.last) continue;
    const double weight = mean ? weight_of(i, key) : 1;
    if (weight == 0) continue;  // no packet has no latency
    const double value = i[key].get<double>();
    sum += weight * value;
    weights += weight;
    if (value != 0) at = i["last"].get<double>() - range.first;
  }
  if (weights == 0) return NAN;
  return last ? at : mean ? sum / weights : sum;
}

}  // namespace

std::optional<TimelineQuantity> timeline_quantity(const std::string& text) {
  std::smatch found;
  if (!std::regex_match(text, found, std::regex(kPattern))) return {};
  const auto range = [&found](size_t at) {
    return CycleRange{static_cast<uint32_t>(std::stoul(found[at])), static_cast<uint32_t>(std::stoul(found[at + 1]))};
  };
  TimelineQuantity out{found[1], range(2), {}};
  if (found[4].matched) out.base = range(4);
  if (out.range.first >= out.range.last || (out.base && out.base->first >= out.base->last)) return {};
  return out;
}

double value_of(const Json& timeline, const TimelineQuantity& q) {
  const double value = over(timeline, q.name, q.range);
  if (!q.base) return value;
  const double base = over(timeline, q.name, *q.base);
  return base == 0 ? NAN : 100 * (value / base - 1);  // no change against nothing
}

}  // namespace odonata::cli
