// SPDX-License-Identifier: Apache-2.0
// `odonata pipeline --block torus_route`: cycle counts of the route unit of a torus router, measured at its pins (docs/torus.md §5).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/common/cycle_device.h"
#include "models/torus/units.h"
#include "sim/common/output.h"
#include "sim/pipeline/measure.h"

namespace odonata::cli {

inline constexpr int kTorusRouteLatency = 2;   ///< edges from the one that samples a request to its answer
inline constexpr int kTorusRouteInterval = 1;  ///< cycles between two requests

using TorusRouteLevel = CycleDevice<torus::RouteInputs, torus::RouteOutputs>;

/// What one stream of requests showed.
struct TorusStreamTimes {
  uint64_t requests = 0, answers = 0;
  uint64_t wrong = 0;   ///< answers that are not the route of their request, with the ports and walls of the edge that took it
  uint64_t unruly = 0;  ///< cycles without an answer in which a pin is not 0
  Spread latency;       ///< request to answer
  Spread interval;      ///< between consecutive answers
};
struct TorusLevelTimes {
  std::string level;
  TorusStreamTimes isolated, back_to_back;
  uint64_t cycles = 0;
  double seconds = 0;
  std::vector<std::string> problems;  ///< every deviation from the specification
};

/// Measures one device, `requests` of them back to back and a tenth of them far apart. The n-th answer belongs to the n-th request.
TorusLevelTimes measure_torus_route(const std::string& level, TorusRouteLevel& device, const Torus& torus, torus::Variant variant, uint64_t requests,
                                    uint64_t seed);

/// A fresh device of a level: "golden", "systemc", "rtl"; null when the RTL of this torus and variant is not built.
std::unique_ptr<TorusRouteLevel> make_torus_route(const std::string& level, const Torus& torus, torus::Variant variant);

struct TorusPipelineOptions {
  std::string torus, routing = "safe6_ring";
  std::vector<std::string> levels;
  uint64_t requests = 0, seed = 1;
  std::string json;
  std::string device_lib;  ///< a unit of somebody else, measured, too; without `levels` alone
};
/// Measures, prints and writes the result. Throws Error.
void run_torus_pipeline(const TorusPipelineOptions& options);

}  // namespace odonata::cli
