// SPDX-License-Identifier: Apache-2.0
// The router in RTL against its golden parts, wired as the specification says; a wrong wire is seen.
#include <gtest/gtest.h>

#include <bit>

#include "tb/harness/lockstep.h"
#include "tb/harness/rtl_library.h"
#include "tb/router/campaign.h"
#include "tb/router/golden_router.h"
#include "tb/router/router_block.h"
#include "tb/router/router_data_block.h"

namespace odonata::cosim {
namespace {

struct Lockstep {
  RunResult result;
  uint64_t answers = 0, congested = 0, frames = 0, refused = 0;
};

Lockstep run(const DataDemand& demand, uint64_t cycles, uint64_t seed, WrongWire wrong = WrongWire::none) {
  const Dragonfly d = Dragonfly::named("tiny");
  const router::DataConfig config(d);
  RouterTraffic stimulus(d, config, demand, seed);
  GoldenRouter golden(d, config, wrong);
  const auto rtl = make_rtl<RouterBlock>(d);
  RunOptions options;
  options.max_cycles = cycles;
  Lockstep run;
  run.result = run_lockstep<RouterBlock>(stimulus, golden, *rtl, options, [&](const auto&, const router::RouterOutputs& out) {
    run.answers += static_cast<uint64_t>(std::popcount(out.answer));
    run.congested += out.cong_local != 0;
    run.frames += out.frame_valid != 0;
    run.refused += out.cfg_err;
  });
  return run;
}

std::string text(const RunResult& r) {
  std::string out;
  if (r.mismatch)
    for (const auto& d : r.mismatch->differences) out += "cycle " + std::to_string(r.mismatch->cycle) + ": " + d.probe + "\n";
  return out;
}

TEST(Router, RtlEqualsItsGoldenParts) {
  const auto demand = [](double load, int packet, int delay) {
    DataDemand d;
    d.load = load;
    d.packet = packet;
    d.all_long = false;
    d.credit_delay = delay;
    d.taken = 0.1;
    return d;
  };
  DataDemand dying = demand(0.6, 1, 30);
  dying.deaths = 0.002;
  dying.repairs = 0.1;
  dying.cuts = 0.05;
  uint64_t seed = 1;
  for (const DataDemand& d : {demand(0.2, 1, 10), demand(0.9, 1, 40), demand(0.7, 4, 20), dying}) {
    const Lockstep r = run(d, 12'000, seed++);
    EXPECT_FALSE(r.result.mismatch) << text(r.result);
    EXPECT_GT(r.answers, 4'000u);
    EXPECT_GT(r.congested, 100u);
    EXPECT_GT(r.frames, 100u);
    EXPECT_GT(r.refused, 0u);
  }
}

TEST(Router, AWrongWireIsSeen) {
  DataDemand demand;
  demand.load = 0.9;
  demand.credit_delay = 60;
  demand.cuts = 0.1;
  demand.deaths = 0.0005;
  demand.repairs = 0.1;
  demand.taken = 0.4;
  for (int wrong = 1; wrong < static_cast<int>(WrongWire::count); ++wrong)
    EXPECT_TRUE(run(demand, 30'000, 7, static_cast<WrongWire>(wrong)).result.mismatch) << wrong;
}

/// Cycles in which the data path of a router with three ports and shallow buffers agrees with the golden one.
uint64_t agrees(RtlVariant variant, uint64_t cycles) {
  router::DataConfig config(Dragonfly::named("tiny"));
  config.nodes = 1;
  config.routers = 2;
  config.globals = 1;
  config.node_depth = config.local_depth = 8;
  config.global_depth = 16;
  config.output_fifo = 4;
  DataTraffic stimulus(config, {}, true, 3);
  router::GoldenData golden(config);
  const auto device = make_rtl<RouterDataBlock>(rtl_parameters(config), variant);
  RunOptions options;
  options.max_cycles = cycles;
  return run_lockstep<RouterDataBlock>(stimulus, golden, *device, options).cycles;
}

// yosys 0.23 can miscompile silently: what it writes has to pass the same lockstep.
TEST(RouterOfThreePorts, TheNetlistOfYosysAgrees) {
  EXPECT_EQ(agrees(RtlVariant::fast, 60'000), 60'000u);
  EXPECT_EQ(agrees(RtlVariant::netlist, 60'000), 60'000u);
}

}  // namespace
}  // namespace odonata::cosim
