// SPDX-License-Identifier: Apache-2.0
// The congestion blocks in lockstep: golden against RTL and SystemC at all sizes, full coverage, every planted bug
// caught.
#include <gtest/gtest.h>

#include "tb/congestion/campaign.h"
#include "tb/congestion/stimulus.h"
#include "tb/harness/lockstep.h"
#include "tb/harness/test_request.h"

namespace odonata::cosim {
namespace {

constexpr size_t kPlants[] = {17, 8, 8, 4};  // at least so many, unit by unit

CampaignRequest request(const char* size, const char* traffic, uint64_t transactions) {
  return test_request(Dragonfly::named(size), traffic, transactions);
}
class CongestionCosim : public testing::TestWithParam<int> {
 protected:
  const Unit& unit() const { return congestion_units()[static_cast<size_t>(GetParam())]; }
};

TEST_P(CongestionCosim, RtlEqualsGoldenInEveryCornerAtEverySize) {
  for (const char* size : {"tiny", "paper", "full"}) {
    const uint64_t transactions = unit().name == "credit_monitor" ? 300'000
                                  : size == std::string("full")   ? 60'000
                                                                  : 150'000;
    const CampaignResult result = unit().run(request(size, "corner", transactions));
    EXPECT_TRUE(result.passed()) << size << "\n" << report_text(result);
    EXPECT_EQ(result.coverage["percent"], 100.0) << size << "\n" << result.coverage_text;
    EXPECT_TRUE(result.coverage["contradicted"].empty()) << result.coverage["contradicted"];
    std::printf("%s %s: %.0f cycles/s with coverage\n", unit().name.c_str(), size,
                static_cast<double>(result.cycles) / result.seconds);
  }
}

TEST_P(CongestionCosim, RtlEqualsGoldenUnderTheLoadOfAGroup) {
  for (const char* size : {"tiny", "paper"}) {
    for (const char* traffic : {"ur", "adv+1", "rp"}) {
      const CampaignResult result = unit().run(request(size, traffic, 5'000));
      EXPECT_TRUE(result.passed()) << size << " " << traffic << "\n" << report_text(result);
    }
  }
}

TEST_P(CongestionCosim, SystemcEqualsGolden) {
  CampaignRequest r = request("tiny", "corner", 20'000);
  r.device = "systemc";
  const CampaignResult result = unit().run(r);
  EXPECT_TRUE(result.passed()) << report_text(result);
}

TEST_P(CongestionCosim, SystemcAsReferenceOfTheRtl) {
  CampaignRequest r = request("paper", "corner", 5'000);
  r.reference = "systemc";
  const CampaignResult result = unit().run(r);
  EXPECT_TRUE(result.passed()) << report_text(result);
}

TEST_P(CongestionCosim, TheNetlistOfYosysEqualsGolden) {
  CampaignRequest r = request("tiny", "corner", 100'000);
  r.device = "netlist";
  const CampaignResult result = unit().run(r);
  EXPECT_TRUE(result.passed()) << report_text(result);
}

TEST_P(CongestionCosim, AllTrafficIsCornersThenLoad) {
  CampaignRequest r = request("tiny", "all", 1'000'000'000'000);
  uint64_t cycles = 0;
  r.progress = [&](uint64_t c, uint64_t) { return (cycles = c) < 1'130'000; };
  const CampaignResult result = unit().run(r);
  EXPECT_TRUE(result.interrupted) << "as this test asked for";
  EXPECT_EQ(result.mismatches, 0u) << report_text(result);
  EXPECT_GT(result.compared, 10'000u);
}

TEST_P(CongestionCosim, EveryPlantedBugIsCaught) {
  const auto plants = unit().plants;
  EXPECT_GE(plants.size(), kPlants[GetParam()]);
  for (const Plant& plant : plants) {
    if (plant.name.starts_with("second-")) continue;  // of two packets in a cycle: twice_test.cpp
    CampaignRequest r = request("tiny", "corner", 100'000);
    r.plant = plant.name;
    const CampaignResult result = unit().run(r);
    EXPECT_EQ(result.mismatches, 1u) << plant.name << ": " << plant.what;
    EXPECT_FALSE(result.mismatch.is_null() || !result.mismatch.contains("shrunk"))
        << plant.name << " cannot be shown again";
  }
}

TEST_P(CongestionCosim, PlantsOfOtherBlocksAreRefused) {
  for (const Unit& other : congestion_units()) {
    if (other.name == unit().name) continue;
    CampaignRequest r = request("tiny", "corner", 1000);
    r.plant = other.plants[0].name;
    EXPECT_THROW(unit().run(r), Error) << r.plant;
  }
}

TEST_P(CongestionCosim, SystemcWritesAWaveform) {
  CampaignRequest r = request("tiny", "corner", 500);
  r.device = "systemc";
  r.trace = testing::TempDir() + "congestion_" + unit().name + ".vcd";
  const CampaignResult result = unit().run(r);
  EXPECT_TRUE(result.passed()) << report_text(result);
  const std::string vcd = read_file(r.trace);
  EXPECT_NE(vcd.find("$var"), std::string::npos);
  EXPECT_NE(vcd.find(unit().name), std::string::npos) << "named after the module";
  EXPECT_GT(std::count(vcd.begin(), vcd.end(), '#'), 400) << "changes at many times";
  r.trace = "/nowhere/x.vcd";
  const CampaignResult unwritten = unit().run(r);
  EXPECT_EQ(unwritten.unwritten, "output '/nowhere/x.vcd' cannot be written: No such file or directory");
  EXPECT_FALSE(unwritten.drawn);
}

TEST_P(CongestionCosim, TheUnplantedDebugModelPasses) {
  CampaignRequest r = request("tiny", "corner", 20'000);
  r.trace = testing::TempDir() + "congestion_cosim.fst";  // drawn by the debug model
  const CampaignResult result = unit().run(r);
  EXPECT_TRUE(result.passed()) << report_text(result);
}

INSTANTIATE_TEST_SUITE_P(Blocks, CongestionCosim, testing::Values(0, 1, 2, 3),
                         [](const auto& info) { return congestion_units()[static_cast<size_t>(info.param)].name; });

TEST(CongestionPlants, AreAtLeastFifteenAndEachBelongsToOneBlock) {
  EXPECT_GE(congestion_plants().size(), 15u);
  size_t owned = 0;
  for (const Unit& unit : congestion_units()) owned += unit.plants.size();
  EXPECT_EQ(owned, congestion_plants().size());
}

TEST(CongestionPlaneCosim, RtlEqualsGoldenAtEverySize) {
  for (const char* size : {"tiny", "paper", "full"}) {
    const Dragonfly d = Dragonfly::named(size);
    PlaneCorner stimulus(d, 3);
    congestion::GoldenPlane golden(d);
    const auto device = make_rtl<CongestionPlaneBlock>(d);
    // Both start from a reset.
    congestion::PlaneInputs in;
    congestion::PlaneOutputs out, got;
    in.reset = true;
    golden.step(in, out);
    device->step(in, got);
    RunOptions options;
    options.max_cycles = size == std::string("full") ? 10'000 : 60'000;
    const RunResult result = run_lockstep<CongestionPlaneBlock>(stimulus, golden, *device, options);
    EXPECT_TRUE(result.passed()) << size << " cycle " << result.cycles
                                 << (result.mismatch ? ": " + result.mismatch->differences[0].probe : "");
  }
}

}  // namespace
}  // namespace odonata::cosim
