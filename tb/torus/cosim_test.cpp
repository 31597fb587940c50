// SPDX-License-Identifier: Apache-2.0
// Lockstep of the torus RTL with the golden units: agreement, coverage, the netlist of yosys, every planted bug.
#include <gtest/gtest.h>

#include "models/common/error.h"
#include "tb/torus/campaign.h"

namespace odonata::cosim {
namespace {

CampaignRequest request(const std::string& torus, uint64_t transactions) {
  CampaignRequest r;
  if (!torus.empty()) r.parameters = {{"torus", torus}};
  r.traffic = "corner";
  r.transactions = transactions;
  r.artifacts = ::testing::TempDir();
  return r;
}
CampaignResult run_route(const CampaignRequest& r) { return torus_units()[0].run(r); }
CampaignResult run_region(const CampaignRequest& r) { return torus_units()[1].run(r); }
std::string told(const CampaignResult& r) { return r.report.empty() ? "" : r.report.front(); }

class TorusRouteCosim : public testing::TestWithParam<const char*> {};
TEST_P(TorusRouteCosim, AgreesAndCoverageIsComplete) {
  const CampaignResult r = run_route(request(GetParam(), 400'000));
  EXPECT_TRUE(r.passed()) << told(r);
  EXPECT_GE(r.compared, 400'000u);
  EXPECT_EQ(r.coverage["percent"], 100.0) << r.coverage_text;
}
INSTANTIATE_TEST_SUITE_P(Sizes, TorusRouteCosim, testing::Values("tiny", "uneven", "paper", "big"));

TEST_P(TorusRouteCosim, AgreesUnderTraffic) {
  CampaignRequest request = cosim::request(GetParam(), 50'000);
  request.traffic = "ur";
  const CampaignResult r = run_route(request);
  EXPECT_TRUE(r.passed()) << told(r);
  EXPECT_GT(r.coverage["percent"], 40.0);
}

TEST(FaultRegionCosim, AgreesAndCoverageIsComplete) {
  const CampaignResult r = run_region(request("", 100'000));
  EXPECT_TRUE(r.passed()) << told(r);
  EXPECT_EQ(r.coverage["percent"], 100.0) << r.coverage_text;
}

// yosys 0.23 can miscompile silently: what it writes has to pass the same lockstep.
TEST(TorusNetlist, WhatYosysWritesAgrees) {
  CampaignRequest route = request("tiny", 50'000), region = request("", 20'000);
  route.device = region.device = "netlist";
  EXPECT_TRUE(run_route(route).passed());
  EXPECT_TRUE(run_region(region).passed());
}

TEST(TorusPlants, EveryPlantedBugOfTheseUnitsIsCaught) {
  int caught = 0;
  for (const Plant& plant : torus_plants()) {
    const std::string file(plant.file);
    if (file.find("torus_output") != std::string::npos || file.find("torus_walls") != std::string::npos) continue;  // no bench: proofs
    const bool region = file.find("fault_region") != std::string::npos;
    bool found = false;
    for (const char* torus : {"tiny", "uneven", "paper", "big"}) {
      CampaignRequest r = request(region ? "" : torus, 20'000);
      r.plant = plant.name;
      found |= !(region ? run_region(r) : run_route(r)).passed();
      if (found) break;
    }
    EXPECT_TRUE(found) << plant.name << ": " << plant.what;
    caught += found;
  }
  EXPECT_GE(caught, 35);
}

TEST(TorusCosim, BadInputIsRefused) {
  EXPECT_THROW(run_route(request("huge", 10)), Error);
  EXPECT_THROW(run_region(request("tiny", 10)), Error);
  CampaignRequest r = request("tiny", 10);
  r.traffic = "rp";
  EXPECT_THROW(run_route(r), Error);
}

}  // namespace
}  // namespace odonata::cosim
