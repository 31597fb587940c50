// SPDX-License-Identifier: Apache-2.0
// The SystemC fault plane: port unit, scheduler and router in lockstep with the golden ones, and a network of planes
// that agrees with the network model service by service and message by message, in the same cycles.
#include <gtest/gtest.h>

#include "hw/fault/block_device.h"
#include "hw/fault/plane_network_module.h"
#include "tb/fault/network_helpers.h"
#include "tb/fault/port_block.h"
#include "tb/fault/router_block.h"
#include "tb/fault/scheduler_block.h"
#include "tb/fault/run_words.h"

namespace odonata::cosim {
namespace {

using namespace fault;

// ---- units

struct UnitCase {
  const char* size;
  int banks, depth;
  uint64_t cycles;
};

class FaultPortSystemC : public ::testing::TestWithParam<UnitCase> {};

TEST_P(FaultPortSystemC, EqualsGolden) {
  const UnitCase& c = GetParam();
  const Dragonfly d = Dragonfly::named(c.size);
  PortUnit golden(d, c.banks, c.depth);
  const auto systemc = make_port_systemc(d, c.banks, c.depth);
  PortStimulus stimulus(d, 11);
  RunOptions options;
  options.max_cycles = c.cycles;
  const RunResult r = run_lockstep<FaultPortBlock>(stimulus, golden, *systemc, options);
  EXPECT_TRUE(r.passed()) << words(r);
  EXPECT_GT(r.compared, c.cycles / 200);
}

INSTANTIATE_TEST_SUITE_P(Sizes, FaultPortSystemC,
                         ::testing::Values(UnitCase{"tiny", 1, 0, 100'000}, UnitCase{"tiny", 4, 0, 60'000},
                                           UnitCase{"tiny", 2, 3, 60'000}, UnitCase{"tiny", 8, 3, 60'000},
                                           UnitCase{"paper", 1, 0, 40'000}, UnitCase{"full", 8, 17, 20'000}),
                         [](const auto& info) {
                           return std::string(info.param.size) + "_banks" + std::to_string(info.param.banks) +
                                  "_depth" + std::to_string(info.param.depth);
                         });

/// A unit whose action forgets to write, as a bug that the lockstep has to find.
TEST(FaultPortSystemC, LockstepFindsAPlantedBug) {
  const Dragonfly d = Dragonfly::named("tiny");
  PortUnit golden(d, 2);
  const auto systemc = make_port_systemc(d, 1);  // another number of banks
  PortStimulus stimulus(d, 11);
  RunOptions options;
  options.max_cycles = 20'000;
  EXPECT_TRUE((run_lockstep<FaultPortBlock>(stimulus, golden, *systemc, options).mismatch.has_value()));
}

TEST(FaultSchedulerSystemC, EqualsGolden) {
  const Dragonfly tiny = Dragonfly::named("tiny"), full = Dragonfly::named("full");
  for (const auto& [d, config] : {std::pair<const Dragonfly&, SchedulerConfig>{tiny, {.stations = 7}},
                                  {tiny, {.stations = 7, .pipelined = true, .immediate_mask = true}},
                                  {full, {.poll_width = 4}},
                                  {full, {.poll_width = 4, .pipelined = true}}}) {
    SchedulerUnit golden(d, config);
    const auto systemc = make_scheduler_systemc(d, config);
    SchedulerStimulus stimulus(d, 3);
    RunOptions options;
    options.max_cycles = 50'000;
    const RunResult r = run_lockstep<FaultSchedulerBlock>(stimulus, golden, *systemc, options);
    EXPECT_TRUE(r.passed());
    EXPECT_GT(r.compared, 200u);
  }
}

TEST(FaultRouterSystemC, EqualsGolden) {
  const Dragonfly d = Dragonfly::named("tiny");
  for (RouterVariant variant : {RouterVariant::plain, RouterVariant::planted, RouterVariant::beyond}) {
    RouterUnit golden(d, router_config(d, variant));
    const auto systemc = make_router_systemc(d, router_config(d, variant));
    RouterStimulus stimulus(d, 31);
    RunOptions options;
    options.max_cycles = 30'000;
    const RunResult r = run_lockstep<FaultRouterBlock>(stimulus, golden, *systemc, options);
    EXPECT_TRUE(r.passed()) << static_cast<int>(variant) << " " << words(r);
    EXPECT_GT(r.compared, 400u);
  }
}

// ---- the network

/// Both sides of a comparison in every cycle; the first difference is kept.
class CheckedRouter final : public CycleDevice<RouterInputs, RouterOutputs> {
 public:
  CheckedRouter(std::unique_ptr<CycleDevice<RouterInputs, RouterOutputs>> reference,
                std::unique_ptr<CycleDevice<RouterInputs, RouterOutputs>> device, uint64_t& compared,
                uint64_t& different)
      : reference_(std::move(reference)), device_(std::move(device)), compared_(compared), different_(different) {}
  void step(const RouterInputs& in, RouterOutputs& out) override {
    reference_->step(in, out);
    device_->step(in, other_);
    ++compared_;
    different_ += !(out == other_);
  }

 private:
  std::unique_ptr<CycleDevice<RouterInputs, RouterOutputs>> reference_, device_;
  RouterOutputs other_;
  uint64_t &compared_, &different_;
};

struct FaultScript {
  std::vector<ScheduledFault> faults;
  Parameters parameters;
};

/// What the network model does with the same faults.
std::unique_ptr<FaultPlaneNetwork> golden(const Dragonfly& d, const FaultScript& run) {
  Parameters p = run.parameters;
  p.record = true;
  auto network = std::make_unique<FaultPlaneNetwork>(d, p);
  for (const ScheduledFault& f : run.faults) apply(*network, f.fault, f.repair, f.cycle);
  network->run();
  return network;
}

/// Runs the SystemC network with the faults and compares it with the model. Returns services and messages compared.
uint64_t compare(const Dragonfly& d, const FaultScript& run, const FaultPlaneNetworkModule::MakePlane& make = {}) {
  const auto want = golden(d, run);
  hw::Tick tick("clock");
  FaultPlaneNetworkModule network("network", tick, d, run.parameters, run.faults, make);
  const int64_t quiet = run.parameters.link.enabled ? 1500 : 150;
  int64_t limit = 2'000'000;
  do sc_core::sc_start(tick.period() * 100);
  while ((!network.faults_done() || network.quiet_cycles() < quiet) && network.cycle() < limit);
  EXPECT_LT(network.cycle(), limit);
  EXPECT_EQ(compare_with_model(*want, network), "");
  return want->services().size() + want->transfers().size();
}

Parameters native(const Dragonfly& d, Mode mode) {
  Parameters p;
  p.mode = mode;
  p.timing = Timing::native(d);
  return p;
}

Fault named(const Dragonfly& d, std::string_view name) {
  Random random(1);
  return parse_faults(d, name, random).front();
}

std::vector<Fault> parse_all(const Dragonfly& d, const std::vector<std::string_view>& names) {
  std::vector<Fault> all;
  for (const std::string_view name : names) all.push_back(named(d, name));
  return all;
}

/// One service and one message of each side that agree, then one thing at a time that differs.
TEST(FaultNetworkRecords, EveryFieldIsComparedUpToTheEnd) {
  const Dragonfly d = Dragonfly::named("tiny");
  PlaneRecord good;
  Service look;
  look.start = 40, look.router = 5, look.kind = ServiceKind::link_down, look.port = 3;
  Service hears;
  hears.start = 60, hears.router = 6, hears.kind = ServiceKind::diagnosis, hears.port = 2;
  hears.message.gid = 2;
  good.services = {look, hears};
  Transfer sent;
  sent.sent = 50, sent.arrived = 57, sent.from = 5, sent.from_port = 3, sent.to = 6, sent.to_port = 2;
  sent.message = hears.message;
  good.transfers = {sent, sent};
  good.transfers[1].sent = 58, good.transfers[1].arrived = 70;
  ASSERT_EQ(compare_records(d, good, good), "");
  EXPECT_EQ(compare_records(d, {}, good), "the model has recorded no service");
  const auto differ = [&](auto change) {
    PlaneRecord other = good;
    change(other);
    EXPECT_NE(compare_records(d, good, other), "");
    EXPECT_NE(compare_records(d, other, good), "");
  };
  for (const size_t k : {0u, 1u}) {
    differ([k](PlaneRecord& r) { ++r.services[k].start; });
    differ([k](PlaneRecord& r) { ++r.services[k].router; });
    differ([k](PlaneRecord& r) { r.services[k].kind = ServiceKind::link_up; });
    differ([k](PlaneRecord& r) { ++r.services[k].port; });
    differ([k](PlaneRecord& r) { r.services[k].isolated = true; });
    differ([k](PlaneRecord& r) { ++r.transfers[k].sent; });
    differ([k](PlaneRecord& r) { ++r.transfers[k].arrived; });
    differ([k](PlaneRecord& r) { ++r.transfers[k].from; });
    differ([k](PlaneRecord& r) { --r.transfers[k].from_port; });
    differ([k](PlaneRecord& r) { ++r.transfers[k].to; });
    differ([k](PlaneRecord& r) { ++r.transfers[k].to_port; });
    differ([k](PlaneRecord& r) { ++r.transfers[k].message.gid; });
  }
  differ([](PlaneRecord& r) { ++r.services[1].message.gid; });
  differ([](PlaneRecord& r) { r.services.pop_back(); });
  differ([](PlaneRecord& r) { r.transfers.pop_back(); });
  PlaneRecord late = good;
  late.services[1].port = 1, ++late.transfers[1].sent;
  EXPECT_NE(compare_records(d, good, late, 61), "");
  EXPECT_EQ(compare_records(d, good, late, 60), "");  // what begins in the last cycle does not count
}

class FaultNetworkSystemC : public ::testing::TestWithParam<Mode> {
 protected:
  const Dragonfly d_ = Dragonfly::named("tiny");
};

TEST_P(FaultNetworkSystemC, OneLinkAndItsRepair) {
  FaultScript run{{}, native(d_, GetParam())};
  run.faults = {{10, named(d_, "global:G0-G2"), false}, {2000, named(d_, "global:G0-G2"), true}};
  EXPECT_GT(compare(d_, run), 100u);
}

TEST_P(FaultNetworkSystemC, TwoLinksARouterAndTheirRepairs) {
  FaultScript run{{}, native(d_, GetParam())};
  run.faults = {{10, named(d_, "local:G0.s1-G0.s3"), false}, {17, named(d_, "global:G2-G5"), false},
                {900, named(d_, "router:G3.s1"), false},     {4000, named(d_, "global:G2-G5"), true},
                {4003, named(d_, "router:G3.s1"), true},     {6000, named(d_, "local:G0.s1-G0.s3"), true}};
  EXPECT_GT(compare(d_, run), 500u);
}

/// Links and routers fail, flap and come back at random.
FaultScript random_script(const Dragonfly& d, const Parameters& parameters, uint64_t seed, int steps) {
  FaultScript run{{}, parameters};
  const std::vector<Fault> links = all_links(d);
  Random random(seed);
  std::vector<std::pair<Fault, bool>> state;
  for (int i = 0; i < 6; ++i) state.emplace_back(links[random.below(static_cast<uint32_t>(links.size()))], false);
  state.emplace_back(Fault{true, d.router(static_cast<int>(random.below(static_cast<uint32_t>(d.num_routers())))), 0},
                     false);
  int64_t cycle = 5;
  for (int i = 0; i < steps; ++i) {
    auto& [fault, failed] = state[random.below(static_cast<uint32_t>(state.size()))];
    run.faults.push_back({cycle, fault, failed});
    failed = !failed;
    cycle += 2 + random.below(random.below(3) == 0 ? 10 : 400);
  }
  for (auto& [fault, failed] : state) {
    if (failed) run.faults.push_back({cycle += 3, fault, true});
  }
  return run;
}

TEST_P(FaultNetworkSystemC, RandomSequence) {
  EXPECT_GT(compare(d_, random_script(d_, native(d_, GetParam()), 5, 14)), 800u);
}

TEST_P(FaultNetworkSystemC, PortLevelRecovery) {
  Parameters p = native(d_, GetParam());
  p.recovery = Recovery::port_level;
  EXPECT_GT(compare(d_, random_script(d_, p, 6, 8)), 200u);
}

/// Several links and routers change in the same cycle, in any order: hardware sees only what is so at the clock edge.
FaultScript bursts(const Dragonfly& d, const Parameters& parameters, uint64_t seed) {
  FaultScript run{{}, parameters};
  const std::vector<Fault> all = parse_all(d, {"router:G0.s0", "router:G0.s1", "router:G1.s0", "local:G0.s0-G0.s1",
                                               "local:G0.s1-G0.s2", "global:G0-G1", "global:G1-G2"});
  Random random(seed);
  std::vector<uint8_t> failed(all.size(), 0);
  int64_t cycle = 5;
  for (int burst = 0; burst < 24; ++burst) {
    for (size_t i = 0; i < all.size(); ++i) {
      const size_t k = (i + static_cast<size_t>(burst)) % all.size();  // in another order each time
      if (random.below(2) == 0) continue;
      run.faults.push_back({cycle, all[k], failed[k] != 0});
      failed[k] ^= 1;
    }
    cycle += 1 + random.below(random.below(2) == 0 ? 4 : 900);
  }
  return run;
}

TEST_P(FaultNetworkSystemC, ChangesOfTheSameCycle) {
  EXPECT_GT(compare(d_, bursts(d_, native(d_, GetParam()), 1)), 2000u);
}

TEST_P(FaultNetworkSystemC, ChangesOfTheSameCycleInPortLevelRecovery) {
  Parameters p = native(d_, GetParam());
  p.recovery = Recovery::port_level;
  EXPECT_GT(compare(d_, bursts(d_, p, 2)), 2000u);
}

TEST_P(FaultNetworkSystemC, BeyondThePaper) {
  Parameters p = native(d_, GetParam());
  p.timing.banks = 4;
  p.timing.pipelined = true;
  p.timing.ring_hop = 2;
  p.timing.poll_width = 3;
  EXPECT_GT(compare(d_, random_script(d_, p, 7, 14)), 800u);
}

TEST_P(FaultNetworkSystemC, UnderRouteTraffic) {
  Parameters p = native(d_, GetParam());
  p.timing.load = 0.6;
  EXPECT_GT(compare(d_, random_script(d_, p, 8, 8)), 300u);
}

TEST_P(FaultNetworkSystemC, PipelinedUnderRouteTraffic) {
  Parameters p = native(d_, GetParam());
  p.timing.load = 0.8;
  p.timing.pipelined = true;
  EXPECT_GT(compare(d_, random_script(d_, p, 9, 8)), 300u);
}

/// A tenth of all frames arrives damaged: nothing wrong is applied, everything arrives in the end, in the same cycles
/// at both levels.
TEST_P(FaultNetworkSystemC, DamagedFrames) {
  Parameters p = native(d_, GetParam());
  p.link = {true, 0.1, 3};
  EXPECT_GT(compare(d_, random_script(d_, p, 10, 8)), 300u);
}

/// Router `rtl` of the network is Verilated RTL, checked against its golden model in every cycle.
void expect_same_with_rtl(const Dragonfly& d, const FaultScript& run, RouterId rtl) {
  uint64_t compared = 0, different = 0;
  EXPECT_GT(compare(d, run,
                    [&](const char* name, hw::Tick& tick, const Dragonfly& size, const FaultRouterConfig& config,
                        int router) -> std::unique_ptr<FaultPlane> {
                      if (router != d.router_index(rtl))
                        return std::make_unique<StructuralFaultPlane>(name, tick, size, config);
                      auto pair = std::make_unique<CheckedRouter>(
                          make_fault_router_rtl(size), std::make_unique<RouterUnit>(size, config), compared, different);
                      return std::make_unique<DeviceFaultPlane>(name, tick, size, std::move(pair));
                    }),
            300u);
  EXPECT_GT(compared, 1000u);
  EXPECT_EQ(different, 0u);
}

TEST_P(FaultNetworkSystemC, OneRouterIsRtl) {
  expect_same_with_rtl(d_, random_script(d_, native(d_, GetParam()), 11, 10), {0, 0});
}

/// It dies while its units work: nothing of that gets into the tables with which it comes back.
TEST_P(FaultNetworkSystemC, ARouterOfRtlDiesAndComesBack) {
  Parameters p = native(d_, GetParam());
  p.recovery = Recovery::port_level;
  FaultScript run{{}, p};
  const Fault link = named(d_, "global:G0-G2"), router = named(d_, "router:G0.s1");
  run.faults = {{0, link, false}, {0, named(d_, "router:G1.s0"), false}, {100, router, false}, {110, router, true}};
  expect_same_with_rtl(d_, run, {0, 1});
}

INSTANTIATE_TEST_SUITE_P(Modes, FaultNetworkSystemC, ::testing::Values(Mode::paper, Mode::safe),
                         [](const auto& info) { return std::string(to_string(info.param)); });

}  // namespace
}  // namespace odonata::cosim
