// SPDX-License-Identifier: Apache-2.0
#include "tb/network/own_route_units.h"

#include <utility>

#include "models/common/error.h"
#include "models/route_compute/explain.h"
#include "models/route_compute/registers.h"
#include "tb/harness/own_device.h"
#include "tb/route_compute/route_compute_words.h"

namespace odonata::cosim {

namespace {

using route_compute::RouteComputePipeline;
using route_compute::UnitInputs;
using route_compute::UnitOutputs;
using Device = LibraryDevice<RouteComputeBlock>;

constexpr int kDrain = 8;  // idle cycles after the configuration

/// A pipeline with a unit beside it that gets the same pins at the same edges. As long as their answers are the same it
/// is the unit that routes.
class OwnPipeline final : public RouteComputePipeline {
 public:
  OwnPipeline(const char* name, hw::Tick& tick, const Dragonfly& d, route_compute::UnitPins& pins, RouterId own,
              int port, std::unique_ptr<Device> device, const router::Parameters& p, OwnRouteAnswers& answers)
      : RouteComputePipeline(name, tick, d, pins),
        pins_(pins),
        own_(own),
        port_(port),
        device_(std::move(device)),
        tables_(table::configure(d, own, port, p.tables)),
        answers_(answers) {
    auto writes =
        route_compute::configuration_writes(d, own, port, tables_, route_compute::lfsr_seed(p.seed, d, own, port));
    writes.push_back({route_compute::reg::kRule, p.rule.word()});
    for (const UnitInputs& in : configuration_cycles(writes)) device_->step(in, shown_);
    for (int i = 0; i < kDrain; ++i) device_->step({}, shown_);
  }

 protected:
  /// The unit's edge is that of stage 4, whose next rank is the response.
  void stage4() override {
    RouteComputePipeline::stage4();
    device_->step(pins_.drive(), shown_);
    compare(next().r4);
    asked_ = now().r2;
    congestion_ = now().congestion;
    ++edge_;
  }

 private:
  void compare(const ResponseRank& response) {
    if (response.valid != (shown_.resp_valid != 0)) return differs("response valid", response.valid, shown_.resp_valid);
    if (!response.valid) return;
    if (!has_own_entries()) {
      ++answers_.rewritten;
      return;
    }
    ++answers_.compared;
    const route_compute::Decision& decision = response.decision;
    const auto hop_class = static_cast<unsigned>(decision.hop_class);
    if (shown_.resp_port != decision.port) {
      differs("output port", decision.port, shown_.resp_port);
    } else if (shown_.resp_vc != decision.vc) {
      differs("virtual channel", decision.vc, shown_.resp_vc);
    } else if (shown_.resp_hop_class != hop_class) {
      differs("hop class", hop_class, shown_.resp_hop_class);
    } else if (shown_.resp_router != decision.router) {
      differs("router", decision.router, shown_.resp_router);
    }
  }
  /// Whether the unit's tables hold what stage 2 has read: the marks of the fault plane act behind the tables
  /// (docs/fault.md §6.1).
  bool has_own_entries() const {
    const table::Zone zone = asked_.decoded.zone;
    if (zone == table::Zone::invalid) return true;
    const uint64_t b = zone == table::Zone::node ? 0 : tables_.b[static_cast<size_t>(asked_.decoded.index_b)];
    return asked_.entries.a == tables_.a[static_cast<size_t>(asked_.decoded.index_a)] && asked_.entries.b == b;
  }
  void differs(const char* pin, unsigned expected, unsigned got) {
    if (!answers_.difference.empty()) return;
    answers_.difference.push_back("Route compute of g" + std::to_string(own_.gid) + ".r" + std::to_string(own_.bid) +
                                  ", port " + std::to_string(port_) + ", cycle " +
                                  std::to_string(edge_ - answers_.lead) + ": " + pin + ": expected " +
                                  std::to_string(expected) + ", got " + std::to_string(got));
    if (!now().r3.valid) return;
    for (const std::string& line :
         in_words(config(), explain(config(), asked_.request, asked_.entries, congestion_, asked_.lfsr)))
      answers_.difference.push_back("  " + line);
  }

  route_compute::UnitPins& pins_;
  const RouterId own_;
  const int port_;
  std::unique_ptr<Device> device_;
  const table::PortTables tables_;
  OwnRouteAnswers& answers_;
  UnitOutputs shown_;
  FilterRank asked_;  ///< the request that is in stage 4 now, as stage 3 had it
  route_compute::Congestion congestion_;
  int64_t edge_ = 0;
};

}  // namespace

void check_timing(const std::string& library, const Timing& unit, const Timing& most, const std::string& why) {
  if (unit.latency <= most.latency && unit.interval <= most.interval) return;
  throw Error("--device-lib " + library + ": answers after " + std::to_string(unit.latency) +
              " cycles and takes a request every " + std::to_string(unit.interval) +
              "; routers and engine are built for " + std::to_string(most.latency) + " and " +
              std::to_string(most.interval) + ": " + why + " (odonata net --device-lib takes it)");
}

OwnRouteUnits::OwnRouteUnits(const std::string& library, const Dragonfly& d)
    : path_(library), pins_(rtl_parameters(d)), library_(library, pins_) {
  Device fresh(library_, pins_);
  const Timing timing = measure_timing<RouteComputeBlock>(library, pins_, fresh);
  check_timing(library, timing, {pins_.latency, 1},
               "with more every packet would leave in another cycle than in the engine, and ports ask in any cycle");
  delay_ = pins_.latency - timing.latency;
}

router::MakePipeline OwnRouteUnits::maker(const router::Parameters& parameters, std::function<bool(int)> chosen,
                                          OwnRouteAnswers& answers) const {
  return [library = library_, words = pins_, delay = delay_, parameters, chosen = std::move(chosen), &answers](
             const char* name, hw::Tick& tick, const Dragonfly& d, route_compute::UnitPins& pins, int router,
             int port) -> std::unique_ptr<RouteComputePipeline> {
    if (chosen && !chosen(router)) return std::make_unique<RouteComputePipeline>(name, tick, d, pins);
    return std::make_unique<OwnPipeline>(name, tick, d, pins, d.router(router), port,
                                         std::make_unique<Device>(library, words, delay), parameters, answers);
  };
}

}  // namespace odonata::cosim
