// SPDX-License-Identifier: Apache-2.0
#include "tb/network/crosscheck_plants.h"

#include <map>
#include <utility>

#include "tb/network/crosscheck.h"
#include "tb/network/data_path_plants.h"

namespace odonata::cosim {

namespace {

using route_compute::RouteComputePipeline;
using router::Makers;
using router::RouterModule;

/// Stage 4 takes two cycles.
class LateStage : public RouteComputePipeline {
 public:
  using RouteComputePipeline::RouteComputePipeline;

 protected:
  void stage4() override {
    RouteComputePipeline::stage4();
    std::swap(next().r4, late_);
  }

 private:
  ResponseRank late_;
};

/// The congestion registers load what the pins showed a cycle before.
class StaleCongestion : public RouteComputePipeline {
 public:
  using RouteComputePipeline::RouteComputePipeline;

 protected:
  void sample() override {
    RouteComputePipeline::sample();
    std::swap(next().congestion, stale_);
  }

 private:
  route_compute::Congestion stale_;
};

/// The LFSR value of the request before is used again.
class StaleLfsr : public RouteComputePipeline {
 public:
  using RouteComputePipeline::RouteComputePipeline;

 protected:
  void stage1() override {
    RouteComputePipeline::stage1();
    if (next().r1.valid) std::swap(next().r1.lfsr, lfsr_);
  }

 private:
  uint16_t lfsr_ = 1;
};

/// Packets without an option leave as soon as they are known, however many at once, and not when the switch picks them.
class EagerDrop : public RouterModule {
 public:
  using RouterModule::RouterModule;

 protected:
  bool drops_when_picked() const override { return false; }
};

/// A fault plane that loses the third message that arrives.
class ForgetfulFaultPlane final : public fault::FaultPlane {
 public:
  ForgetfulFaultPlane(const sc_core::sc_module_name& name, hw::Tick& tick, const Dragonfly& d,
                      const fault::FaultRouterConfig& config)
      : FaultPlane(name, d),
        router_("router", tick, d, config, [this]() -> const fault::RouterInputs& { return filtered(); }) {
    SC_HAS_PROCESS(ForgetfulFaultPlane);
    SC_METHOD(settle);
    sensitive << router_.published();
    dont_initialize();
  }
  const fault::RouterOutputs& out() const override { return router_.out(); }
  const fault::FaultRouterModule& router() const { return router_; }

 private:
  const fault::RouterInputs& filtered() {
    in_ = drive();
    if (in_.in_valid != 0 && seen_ == 2) in_.in_valid = 0;
    return in_;
  }
  void settle() {
    seen_ += inputs().in_valid != 0;
    deliver();
  }
  void debug_write(int port, int row, const fault::Options& options) override {
    router_.poke(port, row, {options, {}});
  }
  fault::RouterInputs in_;
  int seen_ = 0;
  fault::FaultRouterModule router_;
};

template <class Pipeline>
Makers with_pipeline() {
  Makers m;
  m.pipeline = [](const char* name, hw::Tick& tick, const Dragonfly& d, route_compute::UnitPins& pins, int,
                  int) -> std::unique_ptr<RouteComputePipeline> {
    return std::make_unique<Pipeline>(name, tick, d, pins);
  };
  return m;
}

template <class Router>
Makers with_router() {
  Makers m;
  m.router = [](auto&&... arguments) -> std::unique_ptr<RouterModule> {
    return std::make_unique<Router>(arguments...);
  };
  return m;
}

Makers with_forgetful_planes() {
  Makers m;
  m.fault_part = [](const char* name, hw::Tick& tick, const Dragonfly& d, const fault::FaultRouterConfig& config, int) {
    auto plane = std::make_unique<ForgetfulFaultPlane>(name, tick, d, config);
    const fault::FaultRouterModule* router = &plane->router();
    return router::FaultPart{std::move(plane), router};
  };
  return m;
}

const std::map<std::string, Makers>& plants() {
  static const std::map<std::string, Makers> list{
      {"late-stage", with_pipeline<LateStage>()},
      {"stale-congestion", with_pipeline<StaleCongestion>()},
      {"stale-lfsr", with_pipeline<StaleLfsr>()},
      {"early-credit", with_router<EarlyCredit<RouterModule>>()},
      {"missing-slot", with_router<OtherBuffer<RouterModule, -1>>()},
      {"unfair-input", with_router<UnfairInput<RouterModule>>()},
      {"spare-slot", with_router<OtherBuffer<RouterModule, 1>>()},
      {"lost-message", with_forgetful_planes()},
      {"eager-drop", with_router<EagerDrop>()},
      {"open-end", with_router<OpenEnd<RouterModule>>()},
  };
  return list;
}

}  // namespace

const std::vector<std::string>& crosscheck_plants() {
  static const std::vector<std::string> names = plant_names(plants());
  return names;
}

Makers makers_with(const std::string& plant) { return makers_with(plant, plants()); }

}  // namespace odonata::cosim
