// SPDX-License-Identifier: Apache-2.0
// Lockstep of the torus RTL with the golden units: agreement, coverage, the netlist of yosys, every planted bug.
#include <gtest/gtest.h>

#include "models/common/error.h"
#include "tb/harness/test_request.h"
#include "tb/torus/campaign.h"

namespace odonata::cosim {
namespace {

/// `size` by the unit's parameter; empty: it has none.
CampaignRequest request(const std::string& size, uint64_t transactions, const std::string& parameter = "torus") {
  if (size.empty()) return test_request("corner", transactions);
  return test_request("corner", transactions, {{parameter, size}});
}
CampaignResult run_unit(const std::string& unit, const CampaignRequest& r) {
  return find_unit(torus_units(), unit).run(r);
}
CampaignResult run_route(const CampaignRequest& r) { return run_unit("torus_route", r); }
CampaignResult run_region(const CampaignRequest& r) { return run_unit("fault_region", r); }

/// The units with random pins alone, at every size that is built.
struct Built {
  const char *unit, *parameter, *size;
};
const Built kBuilt[] = {
    {"torus_walls", "torus", "tiny"},   {"torus_walls", "torus", "uneven"},  {"torus_walls", "torus", "big"},
    {"torus_sides", "torus", "tiny"},   {"torus_sides", "torus", "uneven"},  {"torus_sides", "torus", "big"},
    {"torus_output", "output", "tiny"}, {"torus_output", "output", "paper"}, {"torus_output", "output", "wide"},
    {"torus_box", "torus", "tiny"},     {"torus_box", "torus", "uneven"},    {"torus_box", "torus", "paper"},
    {"torus_box", "torus", "big"}};

class TorusRouteCosim : public testing::TestWithParam<const char*> {};
TEST_P(TorusRouteCosim, AgreesAndCoverageIsComplete) {
  const CampaignResult r = run_route(request(GetParam(), 400'000));
  EXPECT_TRUE(r.passed()) << report_text(r);
  EXPECT_GE(r.compared, 400'000u);
  EXPECT_EQ(r.coverage["percent"], 100.0) << r.coverage_text;
}
INSTANTIATE_TEST_SUITE_P(Sizes, TorusRouteCosim, testing::Values("tiny", "uneven", "wide", "paper", "big"));

/// What was declared unreachable and is reached is no pass, and no mismatch; a bench may leave it out.
TEST(FaultRegionCosim, ReachesNothingUnreachable) {
  struct Bins {
    Bins() {
      bins.declare("cycles", {number_axis("n", 1)}, [](std::span<const int>) { return std::string("none comes"); });
    }
    const Coverage& coverage() const { return bins; }
    Coverage bins;
  };
  const CampaignRequest request = test_request("corner", 1'000);
  UnitBench<FaultRegionBlock> bench = fault_region_bench(request);
  EXPECT_TRUE(cosim::run_unit(request, torus_plants(), bench).passed());
  bench.cover_with(std::make_shared<Bins>(),
                   [](auto& bins, const auto&, const auto&, const auto&) { bins.bins.hit(0); });
  const CampaignResult r = cosim::run_unit(request, torus_plants(), bench);
  EXPECT_TRUE(r.contradicted);
  EXPECT_FALSE(r.passed());
  EXPECT_EQ(r.mismatches, 0u);
  bench.strict = false;
  EXPECT_TRUE(cosim::run_unit(request, torus_plants(), bench).passed());
}

TEST_P(TorusRouteCosim, AgreesUnderTraffic) {
  CampaignRequest request = cosim::request(GetParam(), 50'000);
  request.traffic = "ur";
  const CampaignResult r = run_route(request);
  EXPECT_TRUE(r.passed()) << report_text(r);
  EXPECT_GT(r.coverage["percent"], 40.0);
}

TEST(FaultRegionCosim, AgreesAndCoverageIsComplete) {
  const CampaignResult r = run_region(request("", 100'000));
  EXPECT_TRUE(r.passed()) << report_text(r);
  EXPECT_EQ(r.coverage["percent"], 100.0) << r.coverage_text;
}

TEST(TorusUnitsCosim, AgreeAndCoverageIsComplete) {
  for (const Built& built : kBuilt) {
    const CampaignResult r = run_unit(built.unit, request(built.size, 200'000, built.parameter));
    EXPECT_TRUE(r.passed()) << built.unit << " " << built.size << ": " << report_text(r);
    EXPECT_GE(r.compared, 200'000u) << built.unit << " " << built.size;
    EXPECT_EQ(r.coverage["percent"], 100.0) << built.unit << " " << built.size << "\n" << r.coverage_text;
  }
}

// yosys 0.23 can miscompile silently: what it writes has to pass the same lockstep.
TEST(TorusNetlist, WhatYosysWritesAgrees) {
  CampaignRequest route = request("tiny", 50'000), region = request("", 20'000);
  route.device = region.device = "netlist";
  EXPECT_TRUE(run_route(route).passed());
  EXPECT_TRUE(run_region(region).passed());
  for (const Built& built : kBuilt) {
    if (std::string_view(built.size) != "tiny") continue;
    CampaignRequest r = request(built.size, 50'000, built.parameter);
    r.device = "netlist";
    EXPECT_TRUE(run_unit(built.unit, r).passed()) << built.unit;
  }
}

/// The benches in which a bug in this file can show.
std::vector<Built> benches_of(const std::string& file) {
  std::vector<Built> out;
  if (file.find("fault_region") != std::string::npos) return {{"fault_region", "", ""}};
  for (const Built& built : kBuilt)
    if (file.find(built.unit) != std::string::npos) out.push_back(built);
  if (out.empty()) {
    for (const char* size : {"tiny", "uneven", "wide", "paper", "big"}) out.push_back({"torus_route", "torus", size});
  }
  return out;
}

TEST(TorusPlants, EveryPlantedBugIsCaught) {
  int caught = 0;
  for (const Plant& plant : torus_plants()) {
    bool found = false;
    for (const Built& built : benches_of(std::string(plant.file))) {
      CampaignRequest r = request(built.size, 20'000, built.parameter);
      r.plant = plant.name;
      found = !run_unit(built.unit, r).passed();
      if (found) break;
    }
    EXPECT_TRUE(found) << plant.name << ": " << plant.what;
    caught += found;
  }
  EXPECT_GE(caught, 75);
}

TEST(TorusCosim, BadInputIsRefused) {
  EXPECT_THROW(run_route(request("huge", 10)), Error);
  EXPECT_THROW(run_region(request("tiny", 10)), Error);
  EXPECT_THROW(run_unit("torus_walls", request("paper", 10)), Error) << "not built";
  EXPECT_THROW(run_unit("torus_walls", request("4x4x4", 10)), Error);
  EXPECT_THROW(run_unit("torus_sides", request("2x9", 10)), Error);
  EXPECT_THROW(run_unit("torus_box", request("4x4", 10)), Error);
  EXPECT_THROW(run_unit("torus_output", request("tiny", 10)), Error) << "its parameter is `output`";
  EXPECT_THROW(run_unit("torus_output", request("4", 10, "output")), Error);
  CampaignRequest r = request("tiny", 10);
  r.traffic = "rp";
  EXPECT_THROW(run_route(r), Error);
}

}  // namespace
}  // namespace odonata::cosim
