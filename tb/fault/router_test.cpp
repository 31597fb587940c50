// SPDX-License-Identifier: Apache-2.0
// The fault plane of a router: golden and RTL in lockstep, as in the paper and with what is beyond it; coverage; planted bugs; a whole network of
// them that agrees with the network model; t1 and t2 measured from the structure.
#include <gtest/gtest.h>

#include "fault_plants.h"
#include "tb/fault/router_block.h"
#include "tb/harness/lockstep.h"

namespace odonata::cosim {
namespace {

using namespace fault;

std::string words(const RunResult& r) {
  if (!r.mismatch) return "";
  std::string text = "cycle " + std::to_string(r.mismatch->cycle) + ":";
  for (const Difference& x : r.mismatch->differences) {
    text += " " + x.probe + " expected " + std::to_string(x.expected) + " got " + std::to_string(x.got) + ";";
  }
  return text;
}

RunResult lockstep(RouterVariant variant, FaultRouterDevice& device, uint64_t cycles, uint64_t seed, RouterCoverage* coverage = nullptr) {
  const Dragonfly d = Dragonfly::named("tiny");
  RouterStimulus stimulus(d, seed);
  RouterUnit reference(d, router_config(d, variant));
  RunOptions options;
  options.max_cycles = cycles;
  return run_lockstep<FaultRouterBlock>(stimulus, reference, device, options, [&](const RouterInputs& in, const RouterOutputs& out) {
    if (coverage != nullptr) coverage->sample(in, out, reference);
  });
}

TEST(FaultRouter, RtlEqualsGolden) {
  const Dragonfly d = Dragonfly::named("tiny");
  for (RouterVariant variant : {RouterVariant::plain, RouterVariant::planted, RouterVariant::beyond}) {
    const auto rtl = make_fault_router_rtl(d, variant);
    const RunResult r = lockstep(variant, *rtl, 200'000, 31);
    EXPECT_TRUE(r.passed()) << static_cast<int>(variant) << " " << words(r);
    EXPECT_GT(r.compared, 3000u);
  }
}

TEST(FaultRouter, CoverageIsComplete) {
  const Dragonfly d = Dragonfly::named("tiny");
  for (RouterVariant variant : {RouterVariant::planted, RouterVariant::beyond}) {
    RouterCoverage coverage(d, router_config(d, variant));
    RouterUnit device(d, router_config(d, variant));
    EXPECT_TRUE(lockstep(variant, device, 800'000, 32, &coverage).passed());
    EXPECT_EQ(coverage.coverage().percent(), 100.0) << coverage.coverage().to_text(40);
    EXPECT_EQ(coverage.coverage().errors(), "");
  }
}

TEST(FaultRouter, EveryPlantedBugIsCaught) {
  const Dragonfly d = Dragonfly::named("tiny");
  int caught = 0;
  for (const Plant& plant : planted_fault::kPlants) {
    if (plant.file != "rtl/fault/fault_router.sv" && plant.file != "rtl/fault/fault_fifo.sv" && !plant.name.starts_with("beyond-")) continue;
    const RouterVariant variant = plant.name.starts_with("beyond-") ? RouterVariant::beyond : RouterVariant::planted;
    const auto rtl = make_fault_router_rtl(d, variant, plant.number);
    EXPECT_TRUE(lockstep(variant, *rtl, 200'000, 33).mismatch.has_value()) << plant.name << ": " << plant.what;
    ++caught;
  }
  EXPECT_GE(caught, 8);
}

}  // namespace
}  // namespace odonata::cosim
