// SPDX-License-Identifier: Apache-2.0
// Route-compute units of somebody else (--device-lib) in the routers of the SystemC network: each gets the pins of its
// port's pipeline, edge by edge, and has to give the same answers in the same cycles (docs/crosscheck.md §2).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hw/router/dragonfly_module.h"
#include "tb/harness/own_device.h"
#include "tb/route_compute/block.h"

namespace odonata::cosim {

/// What the units of a run have answered.
struct OwnRouteAnswers {
  int64_t lead = 0;        ///< edges before cycle 0 of the network
  uint64_t compared = 0;   ///< answers
  uint64_t rewritten = 0;  ///< requests whose entries the fault plane had changed: a unit has no pins for that
  std::vector<std::string>
      difference;  ///< of the first one that differs: where, which pin, and why the right answer is right
};

/// Throws Error when a unit answers later or takes fewer requests than routers and engine have time for; `why` says why
/// they have no more.
void check_timing(const std::string& library, const Timing& unit, const Timing& most, const std::string& why);

class OwnRouteUnits {
 public:
  /// Loads and measures a library. Throws Error: it does not fit, or its latency or interval are more than the routers
  /// are built for.
  OwnRouteUnits(const std::string& library, const Dragonfly& d);
  const std::string& library() const { return path_; }
  /// Makes the pipelines of a network, with a unit beside each one in the chosen routers (empty: in all). `answers`
  /// must outlive them.
  router::MakePipeline maker(const router::Parameters& parameters, std::function<bool(int router)> chosen,
                             OwnRouteAnswers& answers) const;

 private:
  std::string path_;
  PinWords<RouteComputeBlock> pins_;
  DeviceLibrary library_;
  int delay_ = 0;  ///< edges by which a faster unit's answers are held back
};

}  // namespace odonata::cosim
