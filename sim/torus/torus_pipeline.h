// SPDX-License-Identifier: Apache-2.0
// `odonata pipeline --block torus_route`: cycle counts of the route unit of a torus router, measured at its pins
// (docs/torus.md §5).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/common/cycle_device.h"
#include "models/torus/units.h"
#include "sim/common/output.h"
#include "sim/pipeline/expectation.h"
#include "sim/pipeline/spread.h"

namespace odonata::cli {

/// What the specification promises; the edge that samples a request and the one that shows its answer both count.
inline Expectation torus_route_specification() { return {.latency = 2}; }

using TorusRouteLevel = CycleDevice<torus::RouteInputs, torus::RouteOutputs>;

/// What one stream of requests showed.
struct TorusStreamTimes {
  uint64_t requests = 0, answers = 0;
  uint64_t wrong =
      0;  ///< answers that are not the route of their request, with the ports and walls of the edge that took it
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

/// Measures one device, `requests` of them back to back and a tenth of them far apart. The n-th answer belongs to the
/// n-th request. `search`: requests go as close together as it answers all of them.
TorusLevelTimes measure_torus_route(const std::string& level, TorusRouteLevel& device, const Torus& torus,
                                    torus::Variant variant, uint64_t requests, uint64_t seed,
                                    const Expectation& want = torus_route_specification(), bool search = false);

/// A fresh device of a level: "golden", "systemc", "rtl"; null when the RTL of this torus and variant is not built.
/// `plant`: a planted bug by name, RTL only.
std::unique_ptr<TorusRouteLevel> make_torus_route(const std::string& level, const Torus& torus, torus::Variant variant,
                                                  const std::string& plant = "");

struct TorusPipelineOptions {
  std::string torus, routing = "safe6_ring";
  std::vector<std::string> levels;
  uint64_t requests = 0, seed = 1;
  std::string json;
  std::string device_lib;  ///< a unit of somebody else, measured, too; without `levels` alone
  std::string expect;      ///< file in the place of the specification
  std::string plant;       ///< a planted bug; without `levels` the RTL alone
};
/// Measures, prints and writes the result. Throws Error.
void run_torus_pipeline(const TorusPipelineOptions& options);

}  // namespace odonata::cli
