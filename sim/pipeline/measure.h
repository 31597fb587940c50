// SPDX-License-Identifier: Apache-2.0
// Cycle counts of a route-compute unit, measured from outside: at its pins and through its probe bits, never assumed.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "sim/pipeline/devices.h"
#include "sim/pipeline/expectation.h"
#include "sim/pipeline/spread.h"

namespace odonata::cli {

inline constexpr int kStages = 4;
inline constexpr std::array<const char*, kStages> kStageNames{"decode", "table_read", "filter", "select"};

/// What the specification promises (docs/route_compute.md §3); cycles are counted from the edge that samples a request.
inline Expectation route_compute_specification() {
  return {.latency = 4, .stages = {1, 1, 1, 1}, .writes = WriteRule::first_free};
}

/// What one stream of requests showed.
struct StreamTimes {
  uint64_t requests = 0, responses = 0;
  std::array<Spread, kStages> stage;  ///< cycles a request spends in each stage
  Spread latency;                     ///< request to response
  Spread interval;                    ///< between consecutive responses
  double throughput = 0;              ///< responses a cycle, from the first response to the last
};

/// Table writes beside requests.
struct ContentionTimes {
  StreamTimes stream;  ///< the requests: they must not notice
  double load = 0;     ///< requests a cycle that were offered
  uint64_t writes = 0, acknowledged = 0, errors = 0;
  Spread wait;               ///< cycles that a write waited for a free cycle of the table
  uint64_t late_writes = 0;  ///< writes not executed in exactly the first free cycle
  uint64_t lost_writes = 0;  ///< entries that read back differently
};

/// One clock cycle of the pipeline diagram; numbers count requests and writes, -1 = nothing.
struct TimelineCycle {
  int request = -1;                                ///< at the input pins
  std::array<int, kStages> stage{-1, -1, -1, -1};  ///< in the stages
  int response = -1;                               ///< at the output pins
  int write_offered = -1, write_waiting = -1, write_executed = -1, write_acknowledged = -1;
};

/// Everything measured about one level.
struct LevelTimes {
  std::string level;
  StreamTimes isolated;      ///< requests far apart
  StreamTimes back_to_back;  ///< a request in every cycle
  ContentionTimes contention;
  std::vector<TimelineCycle> timeline;
  uint64_t cycles = 0;
  double seconds = 0;
  bool probed = true;                 ///< false: it has no probe bits, all was seen at the pins
  std::vector<std::string> problems;  ///< every deviation from what is expected; empty = pass
  bool passed() const { return problems.empty(); }
};

struct MeasureOptions {
  uint64_t requests = 20000;  ///< back to back; isolated ones are a tenth
  uint64_t seed = 1;
  std::function<void(uint64_t done, uint64_t total)> progress;
  Expectation expected = route_compute_specification();
  bool probed = true;   ///< the device has probe bits
  bool search = false;  ///< its interval is looked for: requests go as close together as it answers all of them
};

/// Measures one device. It is reset and configured first, as a node port of router 1 in group 1.
LevelTimes measure(const std::string& level, RouteComputeDevice& device, const Dragonfly& d,
                   const MeasureOptions& options);

}  // namespace odonata::cli
