// SPDX-License-Identifier: Apache-2.0
#include "tb/network/crosscheck_fabric.h"

#include <utility>

#include "models/common/error.h"
#include "sim/network/routing.h"
#include "sim/network/topology.h"

namespace odonata::cosim {

using network::Config;

namespace {

Step step_of(const network::Flit& f, uint32_t cycle, Step::Kind kind) {
  return {cycle, f.poisoned() ? Step::kPoisoned : f.index, kind};
}
Step step_of(const fabric::Flit& f, int64_t cycle, Step::Kind kind) {
  return {static_cast<uint32_t>(cycle), f.poisoned() ? Step::kPoisoned : f.index, kind};
}

Step granted_step(Step s, uint32_t router, int in_port, int in_vc, int out_port, int out_vc, int credits) {
  s.router = router;
  s.in_port = static_cast<uint8_t>(in_port);
  s.in_vc = static_cast<uint8_t>(in_vc);
  s.out_port = static_cast<uint8_t>(out_port);
  s.out_vc = static_cast<uint8_t>(out_vc);
  s.credits = credits;
  return s;
}

}  // namespace

void FabricEngineSide::granted(const network::Flit& f, uint32_t cycle, uint32_t router, int in_port, int in_vc,
                               int out_port, int out_vc, int credits) {
  ways.add(f.source, f.born,
           granted_step(step_of(f, cycle, Step::Kind::granted), router, in_port, in_vc, out_port, out_vc, credits));
}
void FabricEngineSide::delivered(const network::Flit& f, uint32_t cycle) {
  ways.add(f.source, f.born, step_of(f, cycle, Step::Kind::delivered));
}
void FabricEngineSide::lost(const network::Flit& f, uint32_t cycle) {
  ways.add(f.source, f.born, step_of(f, cycle, Step::Kind::lost));
}

void FabricSide::granted(const fabric::Flit& f, int64_t cycle, int router, int in_port, int in_vc, int out_port,
                         int out_vc, int credits) {
  ways.add(f.source, f.born,
           granted_step(step_of(f, cycle, Step::Kind::granted), static_cast<uint32_t>(router), in_port, in_vc, out_port,
                        out_vc, credits));
}
void FabricSide::delivered(const fabric::Flit& f, int64_t cycle) {
  ways.add(f.source, f.born, step_of(f, cycle, Step::Kind::delivered));
}
void FabricSide::lost(const fabric::Flit& f, int64_t cycle) {
  ways.add(f.source, f.born, step_of(f, cycle, Step::Kind::lost));
}

Config fabric_config(const Config& config, uint64_t cycles) {
  Config c = config;
  if (c.trace) throw Error("cross-check: a traffic pattern is compared, no trace");
  c.route_compute = network::RouteCompute::arrival;
  c.hardware.reset();
  c.threads = 1;
  c.taps.clear();
  c.warmup = c.drain = 0;
  c.sample = cycles;
  network::check_parts(c);
  if (c.router.vcs == 0) c.router.vcs = network::find_routing(c).vcs;
  return c;
}

fabric::SwitchParameters data_path_of(const Config& c) {
  fabric::SwitchParameters p;
  p.vcs = c.router.vcs;
  p.phases = c.router.phases;
  p.output_fifo = c.router.output_fifo;
  p.cut_through = c.router.switching == network::Switching::cut_through;
  return p;
}

CrossCheckResult crosscheck_fabric(Config& c, uint64_t cycles, const WayNames& names,
                                   const std::function<bool(double)>& go_on, const FabricRun& run,
                                   const OwnRouteAnswers& answers) {
  constexpr double kEngineShare = 0.05;  // of the time
  const auto asked = [&](double share) { return !go_on || go_on(share); };
  const auto end = static_cast<uint32_t>(cycles);
  FabricEngineSide engine(end);
  c.watch = &engine;
  const auto engine_run = network::make_simulation(c);
  const network::Result result = network::simulate(*engine_run, [&](uint64_t now) {
    return asked(kEngineShare * static_cast<double>(now) / static_cast<double>(cycles));
  });
  CrossCheckResult out;
  out.interrupted = result.interrupted;
  if (out.interrupted) return out;
  if (!result.conservation_ok) throw Error("cross-check: the engine has lost or duplicated a packet");
  FabricSide systemc(end);
  out.interrupted = run(systemc, [&](double share) { return asked(kEngineShare + (1 - kEngineShare) * share); });
  out.answers = answers.compared;
  out.difference = answers.difference;
  if (!out.interrupted && out.difference.empty()) compare_ways(names, engine.ways, systemc.ways, out);
  return out;
}

// ---- planted bugs of the data path

namespace {

using fabric::SwitchModule;

/// A credit can be used in the cycle of its arrival.
class EarlyCredit : public SwitchModule {
 public:
  using SwitchModule::SwitchModule;

 protected:
  void take_credits(int64_t now) override {
    SwitchModule::take_credits(now);
    for (Port& p : ports()) {
      for (size_t v = 0; v < p.credits.size(); ++v) p.credits[v] += std::exchange(p.landed[v], 0);
    }
  }
};

/// Ports have `kSlots` slots a virtual channel more than said.
template <int kSlots>
class OtherBuffer : public SwitchModule {
 public:
  using SwitchModule::SwitchModule;

 protected:
  void take_credits(int64_t now) override {
    SwitchModule::take_credits(now);
    if (now != 0) return;
    for (Port& p : ports()) {
      for (int& credits : p.credits) credits += kSlots;
    }
  }
};

/// The switch tries the virtual channels of an input from 0 on, always.
class UnfairInput : public SwitchModule {
 public:
  using SwitchModule::SwitchModule;

 protected:
  int first_choice(const Port&) const override { return 0; }
};

/// A head enters a virtual channel through which a packet is still on its way.
class SharedChannel : public SwitchModule {
 public:
  using SwitchModule::SwitchModule;

 protected:
  bool may_enter(const Port&, int) const override { return true; }
};

/// What a fault has cut off is not closed.
class OpenEnd : public SwitchModule {
 public:
  using SwitchModule::SwitchModule;

 protected:
  void close_cut_packet(Port&, int) override {}
};

template <class Switch>
MakeSwitch make_switch() {
  return [](auto&&... arguments) { return std::make_unique<Switch>(std::forward<decltype(arguments)>(arguments)...); };
}

}  // namespace

const std::map<std::string, MakeSwitch>& data_path_plants() {
  static const std::map<std::string, MakeSwitch> list{
      {"early-credit", make_switch<EarlyCredit>()},     {"missing-slot", make_switch<OtherBuffer<-1>>()},
      {"spare-slot", make_switch<OtherBuffer<1>>()},    {"unfair-input", make_switch<UnfairInput>()},
      {"shared-channel", make_switch<SharedChannel>()}, {"open-end", make_switch<OpenEnd>()},
  };
  return list;
}

void refuse_plant(const std::string& plant, const std::vector<std::string>& known) {
  std::string names;
  for (const std::string& n : known) names += (names.empty() ? "" : ", ") + n;
  throw Error("plant '" + plant + "' is unknown here, expected one of " + names);
}

}  // namespace odonata::cosim
