// SPDX-License-Identifier: Apache-2.0
// The pictures of one run of `odonata net`: sections for the report page, and a trace of its timeline for Perfetto.
#pragma once

#include <array>
#include <string>

#include "sim/common/output.h"
#include "sim/network/config.h"
#include "sim/network/wiring.h"

namespace odonata::cli {

/// What a timeline has an interval: a chart each.
struct TimelineCounter {
  const char* key;  ///< in an entry of the timeline
  const char* name;
  const char* unit;
  bool tight;  ///< the axis spans the values and does not begin at 0
};
inline constexpr std::array<TimelineCounter, 5> kTimelineCounters{
    {{"throughput", "Throughput", "flits a node and cycle", true},
     {"latency", "Latency", "cycles, mean of the packets delivered", true},
     {"lost", "Losses", "packets", false},
     {"fd", "Fault diagnosis (FD)", "messages received", false},
     {"fr", "Fault recovery (FR)", "messages received", false}}};

/// Whether a counter is worth a picture: what no interval has measured is not, and losses and messages of fault planes
/// are 0 where nothing fails, and in networks that have no fault planes.
bool counted(const Json& timeline, const TimelineCounter& counter);

/// Where the routers of a mesh, torus, fat-tree or graph are drawn: {"places": [[x, y], ..], "names": [..]}, y upwards;
/// an empty name: no router is there; null: a dragonfly, a ring.
Json router_places(const network::Config& config, const network::Wiring& wiring);

/// Adds verdict, headline and report sections (hops, channels, timeline when there is one) to a result of `odonata
/// net`. `checks_hold`: what the result itself does not tell, such as the comparison with RTL.
void add_net_report(Json& result, bool checks_hold);

/// The timeline as counters in the trace format of Chrome and Perfetto; 1 us of the trace is 1 cycle.
std::string timeline_trace(const Json& result);

}  // namespace odonata::cli
