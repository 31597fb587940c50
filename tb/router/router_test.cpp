// SPDX-License-Identifier: Apache-2.0
// The router in RTL against its golden parts, wired as the specification says; a wrong wire is seen.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "tb/harness/lockstep.h"
#include "tb/harness/rtl_library.h"
#include "tb/router/campaign.h"
#include "tb/router/golden_router.h"
#include "tb/router/router_coverage.h"
#include "tb/router/router_traffic.h"
#include "tb/router/router_block.h"
#include "tb/router/router_data_block.h"

namespace odonata::cosim {
namespace {

struct Lockstep {
  RunResult result;
  uint64_t answers = 0, congested = 0, frames = 0, refused = 0, served = 0;
};

struct Demand {
  DataDemand data;
  FaultDemand faults;
};

constexpr int kNoPlant = -1;  ///< the model for planted bugs without one

/// A router of any size under one stimulus.
Lockstep run_sized(const Dragonfly& d, const router::DataConfig& config, CycleDevice<router::RouterInputs, router::RouterOutputs>& rtl,
                   const Demand& demand, uint64_t cycles, uint64_t seed) {
  RouterTraffic stimulus(d, config, demand.data, demand.faults, seed);
  GoldenRouter golden(d, config);
  RunOptions options;
  options.max_cycles = cycles;
  Lockstep run;
  run.result = run_lockstep<RouterBlock>(stimulus, golden, rtl, options, [&](const auto&, const router::RouterOutputs& out) {
    run.answers += static_cast<uint64_t>(std::popcount(out.answer));
    run.served += out.serve;
  });
  return run;
}

/// A router, with a planted bug when it is not 0, against golden parts with a wrong wire. `linked`: tables with one port, frames on the links, the
/// debug model.
Lockstep run(const Demand& demand, uint64_t cycles, uint64_t seed, WrongWire wrong = WrongWire::none, int plant = 0,
             RouterCoverage* coverage = nullptr, bool linked = false) {
  const Dragonfly d = Dragonfly::named("tiny");
  const router::DataConfig config(d);
  FaultDemand faults = demand.faults;
  faults.frames = linked;
  RouterTraffic stimulus(d, config, demand.data, faults, seed);
  GoldenRouter golden(d, config, wrong, {linked ? 1 : 2, linked});
  RtlParameters parameters = rtl_parameters(d);
  parameters["TablePorts"] = linked ? 1 : 2;
  const auto variant = plant == 0 && !linked ? RtlVariant::fast : RtlVariant::debug;
  const auto rtl = make_rtl<RouterBlock>(parameters, variant, std::max(plant, 0));
  RunOptions options;
  options.max_cycles = cycles;
  Lockstep run;
  run.result = run_lockstep<RouterBlock>(stimulus, golden, *rtl, options, [&](const router::RouterInputs& in, const router::RouterOutputs& out) {
    run.answers += static_cast<uint64_t>(std::popcount(out.answer));
    run.congested += out.cong_local != 0;
    run.frames += out.frame_valid != 0;
    run.refused += out.cfg_err;
    run.served += out.serve;
    if (coverage != nullptr) coverage->sample(in, out, golden);
  });
  return run;
}

std::string text(const RunResult& r) {
  std::string out;
  if (r.mismatch)
    for (const auto& d : r.mismatch->differences) out += "cycle " + std::to_string(r.mismatch->cycle) + ": " + d.probe + "\n";
  return out;
}

DataDemand traffic(double load, int packet, int delay) {
  DataDemand d;
  d.load = load;
  d.packet = packet;
  d.all_long = false;
  d.credit_delay = delay;
  return d;
}

DataDemand dying(double load, double deaths, double repairs) {
  DataDemand d = traffic(load, 1, 30);
  d.deaths = deaths;
  d.repairs = repairs;
  d.cuts = 0.05;
  return d;
}

FaultDemand faults(double falls, double repairs, double messages, double rewrites, bool safe = true, bool port_level = false) {
  return {falls, repairs, messages, rewrites, safe, port_level};
}

TEST(Router, RtlEqualsItsGoldenParts) {
  uint64_t seed = 1;
  for (const DataDemand& d : {traffic(0.2, 1, 10), traffic(0.9, 1, 40), traffic(0.7, 4, 20), dying(0.6, 0.002, 0.1)}) {
    const Lockstep r = run({d, faults(1.0 / 60, 1.0 / 300, 0, 0.02)}, 12'000, seed++);
    EXPECT_FALSE(r.result.mismatch) << text(r.result);
    EXPECT_GT(r.answers, 4'000u);
    EXPECT_GT(r.congested, 100u);
    EXPECT_GT(r.frames, 100u);
    EXPECT_GT(r.refused, 0u);
  }
}

/// Failing and repaired links, messages, configuration, deaths: rare and often, in both modes and recoveries.
std::vector<Demand> troubled() {
  return {{traffic(0.5, 1, 20), faults(1.0 / 200, 1.0 / 2000, 0.01, 0.2)},
          {traffic(0.3, 4, 20), faults(1.0 / 400, 1.0 / 800, 0.05, 0.05)},
          {traffic(0.9, 1, 40), faults(1.0 / 50, 1.0 / 500, 0.3, 0.5)},
          {traffic(0.2, 1, 10), faults(0.3, 1.0 / 50, 0.02, 0.5)},  // flapping
          {traffic(0.4, 1, 10), faults(1.0 / 300, 1.0 / 3000, 0.02, 0.1, false)},
          {traffic(0.4, 1, 10), faults(1.0 / 300, 1.0 / 1000, 0.02, 0.1, true, true)},
          {dying(0.5, 0.001, 0.02), faults(1.0 / 300, 1.0 / 1000, 0.02, 0.3)},
          {dying(0.3, 0.01, 0.1), faults(1.0 / 30, 1.0 / 300, 0.05, 0.3)},
          {dying(0.3, 0.002, 0.1), faults(1.0 / 200, 1.0 / 500, 0.05, 0.1, true, true)}};
}

TEST(Router, RtlEqualsItsGoldenPartsUnderFaultsAndCoverageIsComplete) {
  RouterCoverage coverage(Dragonfly::named("tiny"));
  uint64_t seed = 100;
  for (const Demand& demand : troubled()) {
    const Lockstep r = run(demand, 30'000, seed++, WrongWire::none, 0, &coverage);
    EXPECT_FALSE(r.result.mismatch) << text(r.result);
    EXPECT_EQ(r.result.cycles, 30'000u);
    EXPECT_GT(r.served, 100u);
  }
  EXPECT_EQ(coverage.coverage().percent(), 100.0) << coverage.coverage().to_text(100);
  EXPECT_EQ(coverage.coverage().errors(), "");
}

/// One port for look-ups, port unit and configuration: under load the unit waits for the look-ups. Messages in frames, some of which are lost.
TEST(Router, RtlEqualsItsGoldenPartsWithOneTablePortAndFrames) {
  uint64_t seed = 300;
  for (const Demand& demand : {troubled()[0], troubled()[1], troubled()[2], troubled()[5], troubled()[6]}) {
    const Lockstep r = run(demand, 15'000, seed++, WrongWire::none, kNoPlant, nullptr, true);
    EXPECT_FALSE(r.result.mismatch) << text(r.result);
    EXPECT_GT(r.served, 50u);
  }
}

/// Whether a wrong wire or a plant is of tables with one port, or of frames.
bool of_linked(WrongWire wrong) { return wrong >= WrongWire::unit_first && wrong != WrongWire::count; }
bool of_linked(int plant) {
  for (const Plant& p : router_plants())
    if (p.number == plant) return p.name.starts_with("linked-");
  return false;
}

/// Whether some stimulus sees the difference; in which cycle of which.
std::string seen(WrongWire wrong, int plant) {
  std::vector<Demand> demands = troubled();
  Demand busy{traffic(0.9, 1, 60), faults(1.0 / 60, 1.0 / 300, 0.01, 0.02)};
  busy.data.cuts = 0.1;
  busy.data.deaths = 0.0005;
  busy.data.repairs = 0.1;
  demands.push_back(busy);
  for (size_t n = 0; n < demands.size(); ++n) {
    const Lockstep r = run(demands[n], 30'000, 7, wrong, plant, nullptr, of_linked(wrong) || of_linked(plant));
    if (r.result.mismatch)
      return "stimulus " + std::to_string(n) + " cycle " + std::to_string(r.result.mismatch->cycle) + ": " +
             r.result.mismatch->differences.front().probe;
  }
  return {};
}

TEST(Router, AWrongWireIsSeen) {
  for (int wrong = 1; wrong < static_cast<int>(WrongWire::count); ++wrong) EXPECT_NE(seen(static_cast<WrongWire>(wrong), 0), "") << wrong;
}

TEST(Router, TheUnplantedDebugModelAgrees) {
  const Lockstep r = run(troubled()[0], 30'000, 7, WrongWire::none, kNoPlant);
  EXPECT_FALSE(r.result.mismatch) << text(r.result);
}

TEST(Router, EveryPlantedBugWhereTheBlocksMeetIsCaught) {
  int plants = 0;
  for (const Plant& plant : router_plants()) {
    if (!of_whole_router(plant)) continue;
    ++plants;
    const std::string how = seen(WrongWire::none, plant.number);
    EXPECT_NE(how, "") << plant.name << ": " << plant.what;
    std::printf("%-28s %s\n", std::string(plant.name).c_str(), how.c_str());
  }
  EXPECT_GE(plants, 20);
}

/// Cycles in which the data path of a router with three ports and shallow buffers agrees with the golden one.
uint64_t agrees(RtlVariant variant, uint64_t cycles) {
  const router::DataConfig config = three_ports(0);
  DataTraffic stimulus(config, {}, true, 3);
  router::GoldenData golden(config);
  const auto device = make_rtl<RouterDataBlock>(rtl_parameters(config), variant);
  RunOptions options;
  options.max_cycles = cycles;
  return run_lockstep<RouterDataBlock>(stimulus, golden, *device, options).cycles;
}

TEST(Router, RtlEqualsItsGoldenPartsAtPaperSize) {
  const Dragonfly d = Dragonfly::named("paper");
  for (const Demand& demand : {troubled()[0], troubled()[2], troubled()[6]}) {
    const auto rtl = make_rtl<RouterBlock>(d);
    const Lockstep r = run_sized(d, router::DataConfig(d), *rtl, demand, 40'000, 11);
    EXPECT_FALSE(r.result.mismatch) << text(r.result);
    EXPECT_GT(r.answers, 10'000u);
    EXPECT_GT(r.served, 30u);
  }
}

// yosys 0.23 can miscompile silently: what it writes has to pass the same lockstep.
TEST(RouterOfThreePorts, TheNetlistOfYosysAgrees) {
  EXPECT_EQ(agrees(RtlVariant::fast, 60'000), 60'000u);
  EXPECT_EQ(agrees(RtlVariant::netlist, 60'000), 60'000u);
}

}  // namespace
}  // namespace odonata::cosim
