// SPDX-License-Identifier: Apache-2.0
#include "tb/network/crosscheck_plants.h"

#include <map>
#include <utility>

#include "models/common/error.h"
#include "tb/network/crosscheck.h"

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

/// A credit can be used in the cycle of its arrival.
class EarlyCredit : public RouterModule {
 public:
  using RouterModule::RouterModule;

 protected:
  void take_credits(int64_t now) override {
    RouterModule::take_credits(now);
    for (Port& p : ports()) {
      for (size_t v = 0; v < p.credits.size(); ++v) p.credits[v] += std::exchange(p.landed[v], 0);
    }
  }
};

/// Ports have one slot less a virtual channel than said.
class MissingSlot : public RouterModule {
 public:
  using RouterModule::RouterModule;

 protected:
  void take_credits(int64_t now) override {
    RouterModule::take_credits(now);
    if (now != 0) return;
    for (Port& p : ports()) {
      for (int& credits : p.credits) --credits;
    }
  }
};

/// Ports have one slot more: no packet goes another way until a buffer is full.
class SpareSlot : public RouterModule {
 public:
  using RouterModule::RouterModule;

 protected:
  void take_credits(int64_t now) override {
    RouterModule::take_credits(now);
    if (now != 0) return;
    for (Port& p : ports()) {
      for (int& credits : p.credits) ++credits;
    }
  }
};

/// The switch tries the virtual channels of an input from 0 on, always.
class UnfairInput : public RouterModule {
 public:
  using RouterModule::RouterModule;

 protected:
  int first_choice(const Port&) const override { return 0; }
};

/// Packets without an option leave as soon as they are known, however many at once, and not when the switch picks them.
class EagerDrop : public RouterModule {
 public:
  using RouterModule::RouterModule;

 protected:
  bool drops_when_picked() const override { return false; }
};

/// What a fault has cut off is not closed.
class OpenEnd : public RouterModule {
 public:
  using RouterModule::RouterModule;

 protected:
  void close_cut_packet(Port&, int) override {}
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

const std::map<std::string, Makers (*)()>& plants() {
  static const std::map<std::string, Makers (*)()> list{
      {"late-stage", with_pipeline<LateStage>},   {"stale-congestion", with_pipeline<StaleCongestion>},
      {"stale-lfsr", with_pipeline<StaleLfsr>},   {"early-credit", with_router<EarlyCredit>},
      {"missing-slot", with_router<MissingSlot>}, {"unfair-input", with_router<UnfairInput>},
      {"spare-slot", with_router<SpareSlot>},     {"lost-message", with_forgetful_planes},
      {"eager-drop", with_router<EagerDrop>},     {"open-end", with_router<OpenEnd>},
  };
  return list;
}

}  // namespace

const std::vector<std::string>& crosscheck_plants() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (const auto& [name, maker] : plants()) out.push_back(name);
    return out;
  }();
  return names;
}

Makers makers_with(const std::string& plant) {
  if (plant.empty()) return {};
  const auto found = plants().find(plant);
  if (found != plants().end()) return found->second();
  std::string names;
  for (const std::string& n : crosscheck_plants()) names += (names.empty() ? "" : ", ") + n;
  throw Error("plant '" + plant + "' is unknown, expected one of " + names);
}

}  // namespace odonata::cosim
