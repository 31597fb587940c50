// SPDX-License-Identifier: Apache-2.0
// The whole router and its data path at full size, and what yosys writes of them: models that take minutes to make. Not
// part of the suite: `./dev full`.
#include <gtest/gtest.h>

#include <bit>
#include <cstdio>

#include "tb/harness/lockstep.h"
#include "tb/harness/rtl_library.h"
#include "tb/router/campaign.h"
#include "tb/router/golden_router.h"
#include "tb/router/router_traffic.h"

namespace odonata::cosim {
namespace {

/// At least so many cycles with traffic, after those of the configuration, and more commands of the fault plane.
void agree(const Dragonfly& d, RtlVariant variant, const FaultDemand& faults, uint64_t cycles, uint64_t commands,
           uint64_t seed) {
  const router::DataConfig config(d);
  DataDemand demand;
  demand.load = 0.5;
  demand.all_long = false;
  demand.credit_delay = 20;
  RouterTraffic stimulus(d, config, demand, faults, seed);
  GoldenRouter golden(d, config);
  const auto rtl = make_rtl<RouterBlock>(rtl_parameters(d), variant);
  uint64_t answers = 0, served = 0, working = 0;
  const auto observe = [&](const router::RouterInputs&, const router::RouterOutputs& out) {
    answers += static_cast<uint64_t>(std::popcount(out.answer));
    served += out.serve;
    working += answers != 0;
  };
  RunOptions options;
  options.progress = [&](uint64_t, uint64_t) { return working < cycles; };  // asked now and then
  const RunResult r = run_lockstep<RouterBlock>(stimulus, golden, *rtl, options, observe);
  ASSERT_FALSE(r.mismatch) << "cycle " << r.mismatch->cycle << ": " << r.mismatch->differences.front().probe;
  EXPECT_GE(working, cycles);
  EXPECT_GT(answers, cycles);
  EXPECT_GT(served, commands);
  std::printf(
      "%d ports: %llu cycles, %llu of them with traffic: %llu answers of route compute, %llu commands of the fault "
      "plane\n",
      d.num_ports(), static_cast<unsigned long long>(r.cycles), static_cast<unsigned long long>(working),
      static_cast<unsigned long long>(answers), static_cast<unsigned long long>(served));
}

TEST(WholeRouter, TheNetlistOfYosysAgrees) {
  agree(Dragonfly::named("tiny"), RtlVariant::netlist, trouble(1.0 / 200, 1.0 / 2000, 0.01, 0.2), 20'000, 100, 1);
}

/// Links fail so rarely that FDs and FRs get through between their travels, which take 1,120 cycles or twice that.
TEST(WholeRouter, RtlEqualsItsGoldenPartsAtFullSize) {
  agree(Dragonfly::named("full"), RtlVariant::fast, trouble(1.0 / 4000, 1.0 / 20'000, 0.01, 0.2), 100'000, 100, 2);
}

/// In so many cycles; more flits than that are sent.
void agree(const router::DataConfig& config, RtlVariant variant, uint64_t cycles, uint64_t flits) {
  DataTraffic stimulus(config, {}, true, 3);
  router::GoldenData golden(config);
  const auto rtl = make_rtl<RouterDataBlock>(rtl_parameters(config), variant);
  RunOptions options;
  options.max_cycles = cycles;
  uint64_t sent = 0;
  const auto observe = [&](const router::DataInputs&, const router::DataOutputs& out) {
    sent += static_cast<uint64_t>(std::popcount(out.out_valid));
  };
  const RunResult r = run_lockstep<RouterDataBlock>(stimulus, golden, *rtl, options, observe);
  ASSERT_FALSE(r.mismatch) << "cycle " << r.mismatch->cycle << ": " << r.mismatch->differences.front().probe;
  EXPECT_EQ(r.cycles, cycles);
  EXPECT_GT(sent, flits);
  std::printf("%d ports: %llu cycles, %llu flits sent\n", config.num_ports(), static_cast<unsigned long long>(r.cycles),
              static_cast<unsigned long long>(sent));
}

TEST(DataPath, RtlEqualsTheGoldenModelAtFullSize) {
  agree(data_config(Dragonfly::named("full"), false), RtlVariant::fast, 100'000, 100'000);
}

// yosys 0.23 can miscompile silently: what it writes has to pass the same lockstep.
TEST(DataPath, TheNetlistOfYosysAgrees) { agree(three_ports(0), RtlVariant::netlist, 60'000, 6'000); }

}  // namespace
}  // namespace odonata::cosim
