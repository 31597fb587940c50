// SPDX-License-Identifier: Apache-2.0
// Lockstep of the Verilated RTL with the golden models, n = 2, 3, 4: agreement, coverage, and every planted bug.
#include <gtest/gtest.h>

#include <filesystem>

#include "hw/arb_request/input_port_device.h"
#include "models/common/error.h"
#include "tb/arb_request/campaign.h"
#include "tb/arb_request/coverage.h"
#include "tb/arb_request/stimulus.h"
#include "tb/harness/lockstep.h"
#include "tb/harness/test_request.h"

namespace odonata::cosim {
namespace {

CampaignRequest request(int dims, const char* part, const char* traffic, uint64_t transactions, uint64_t seed = 1) {
  return test_request(traffic, transactions, {{"dims", std::to_string(dims)}, {"part", part}}, seed);
}

CampaignResult run(const CampaignRequest& r) { return arb_request_units()[0].run(r); }

class ArbCosim : public ::testing::TestWithParam<int> {};

TEST_P(ArbCosim, LogicAgreesAndCoverageIsComplete) {
  const CampaignResult r = run(request(GetParam(), "logic", "corner", 300'000));
  EXPECT_TRUE(r.passed()) << report_text(r);
  EXPECT_GE(r.compared, 300'000u);
  EXPECT_EQ(r.coverage["percent"], 100.0) << r.coverage_text;
}

TEST_P(ArbCosim, PortAgreesOnCornerCasesAndCoverageIsComplete) {
  const CampaignResult r = run(request(GetParam(), "port", "corner", 300'000));
  EXPECT_TRUE(r.passed()) << report_text(r);
  EXPECT_GE(r.compared, 300'000u);
  EXPECT_EQ(r.coverage["percent"], 100.0) << r.coverage_text;
}

TEST_P(ArbCosim, SwitchAgreesAndCoverageIsComplete) {
  const CampaignResult r = run(request(GetParam(), "switch", "corner", 200'000));
  EXPECT_TRUE(r.passed()) << report_text(r);
  EXPECT_GE(r.compared, 200'000u);
  EXPECT_EQ(r.coverage["percent"], 100.0) << r.coverage_text;
}

TEST_P(ArbCosim, PortAgreesUnderTraffic) {
  for (const double load : {0.2, 0.8}) {
    CampaignRequest q = request(GetParam(), "port", "ur", 100'000, 3);
    q.load = load;
    const CampaignResult r = run(q);
    EXPECT_TRUE(r.passed()) << report_text(r);
  }
}

// yosys 0.23 can miscompile silently: what it writes has to pass the same lockstep.
TEST(ArbNetlist, TheNetlistOfYosysEqualsGolden) {
  for (const char* traffic : {"corner", "ur"}) {
    CampaignRequest q = request(2, "port", traffic, 50'000);
    q.device = "netlist";
    const CampaignResult r = run(q);
    EXPECT_TRUE(r.passed()) << report_text(r);
    EXPECT_GE(r.compared, 50'000u);
  }
}

INSTANTIATE_TEST_SUITE_P(Dimensions, ArbCosim, ::testing::Values(2, 3, 4));

/// Which run finds the plant: parts and sizes one after the other.
std::string caught_by(const Plant& plant) {
  for (const char* part : {"logic", "port", "switch"}) {
    for (const int dims : {3, 2, 4}) {
      const auto size = arb_rtl_size(dims);
      RunOptions options;
      options.max_transactions = 20'000;
      RunResult result;
      if (part == std::string("logic")) {
        ArbLogicPinsRandom stimulus(size, 1);
        arb_request::GoldenLogic golden(size);
        const auto device = make_rtl<ArbLogicBlock>(rtl_parameters(size), RtlVariant::debug, plant.number);
        result = run_lockstep<ArbLogicBlock>(stimulus, golden, *device, options);
      } else if (part == std::string("switch")) {
        ArbSwitchPinsRandom stimulus(size, 1);
        arb_request::GoldenSwitch golden(size.dimensions, size.queues);
        const auto device = make_rtl<ArbSwitchBlock>(rtl_parameters(size), RtlVariant::debug, plant.number);
        result = run_lockstep<ArbSwitchBlock>(stimulus, golden, *device, options);
      } else {
        ArbCornerPins stimulus(size, 1);
        arb_request::GoldenPort golden(size);
        const auto device = make_rtl<ArbPortBlock>(rtl_parameters(size), RtlVariant::debug, plant.number);
        result = run_lockstep<ArbPortBlock>(stimulus, golden, *device, options);
      }
      if (result.mismatch)
        return std::string(part) + " n=" + std::to_string(dims) + " cycle " + std::to_string(result.mismatch->cycle) +
               ": " + result.mismatch->differences.front().probe;
    }
  }
  return {};
}

TEST(ArbPlants, EveryPlantedBugIsCaught) {
  int caught = 0;
  for (const Plant& plant : arb_request_plants()) {
    const std::string how = caught_by(plant);
    EXPECT_FALSE(how.empty()) << plant.name << ": " << plant.what;
    caught += !how.empty();
    std::printf("%-26s %s\n", std::string(plant.name).c_str(), how.c_str());
  }
  EXPECT_GE(caught, 15);
}

TEST(ArbPlants, TheUnplantedDebugModelAgrees) {
  Plant none{0, "none", "", ""};
  EXPECT_EQ(caught_by(none), "");
}

// The bugs of the input port must be caught in the input port too, through its probe, not only in the logic alone.
TEST(ArbPlants, AMismatchIsShrunkAndToldInWords) {
  CampaignRequest q = request(3, "port", "corner", 50'000);
  q.plant = "threshold-lowered";
  const CampaignResult r = run(q);
  EXPECT_EQ(r.mismatches, 1u);
  EXPECT_FALSE(r.passed());
  ASSERT_FALSE(r.report.empty());
  EXPECT_NE(r.report[0].find("Mismatch in cycle"), std::string::npos);
  ASSERT_TRUE(r.mismatch.contains("shrunk"));
  EXPECT_LE(r.mismatch["shrunk"]["cycles"].get<int>(), 8);
  EXPECT_TRUE(std::filesystem::exists(r.mismatch["shrunk"]["waveform"].get<std::string>()));
  CampaignRequest again = request(3, "port", "corner", 50'000);
  again.trace_in = r.mismatch["shrunk"]["file"];
  again.plant = q.plant;
  EXPECT_EQ(run(again).mismatches, 1u) << "the recorded stimulus shows it again";
  again.plant.clear();
  EXPECT_EQ(run(again).mismatches, 0u);
}

/// The first request of a packet from (1,1) to (2,2) in two dimensions under D2RA.
arb_request::PortRequest request_of(arb_request::PortDevice& port, int credit_x, int credit_y,
                                    arb_request::Policy policy) {
  arb_request::PortInputs in;
  arb_request::PortOutputs out;
  in.reset_n = false;
  port.step(in, out);
  in = {};
  in.at = 0x0101;
  in.policy = policy;
  in.credit_plus = static_cast<arb_request::Lanes>(credit_x | credit_y << 8);
  in.in_valid = true;
  in.in_dest = 0x0202;
  port.step(in, out);
  in.in_valid = false;
  for (int i = 0; i < 8 && !out.request.valid; ++i) port.step(in, out);
  return out.request;
}

// Fig. 3 at the pins of all three levels, whatever the selection policy.
TEST(ArbWorkedExample, Figure3AtEveryLevel) {
  const arb_request::PortSize size = arb_rtl_size(2);
  arb_request::GoldenPort golden(size);
  arb_request::InputPortDevice systemc(size);
  const auto rtl = make_rtl<ArbPortBlock>(rtl_parameters(size));
  for (arb_request::PortDevice* level :
       {static_cast<arb_request::PortDevice*>(&golden), static_cast<arb_request::PortDevice*>(&systemc), rtl.get()}) {
    for (const auto policy :
         {arb_request::Policy::kRoundRobin, arb_request::Policy::kRandom, arb_request::Policy::kMostCredits}) {
      using R = arb_request::PortRequest;
      EXPECT_EQ(request_of(*level, 1, 2, policy), (R{true, 0, false, 1, false, true, 2}))
          << "y+ high is chosen, not x+ low";
      EXPECT_EQ(request_of(*level, 1, 1, policy), (R{true, 0, false, 0, false, false, 1}))
          << "credit of y+ below 2: x+";
      EXPECT_EQ(request_of(*level, 0, 1, policy), R{}) << "x+ is full: nothing may be asked for";
    }
  }
}

// Fig. 6: circuits (a) and (b) side by side in the RTL, at the last slot of a boundary queue in direction x+.
TEST(ArbWorkedExample, Figure6InTheCircuits) {
  const auto rtl = make_rtl<ArbLogicBlock>(rtl_parameters(arb_rtl_size(2)));
  const auto answer = [&](arb_request::Lanes dest) {
    arb_request::LogicInputs in;
    arb_request::LogicOutputs out;
    in.valid = true;
    in.query = {0x0102, dest, 0x0001, 0};  // at (2,1), credit x+ = 1, y+ = 0
    for (int i = 0; i < 2; ++i) rtl->step(in, out);
    return out;
  };
  const auto turning = answer(0x0303), only_x = answer(0x0103);
  EXPECT_EQ(turning.dbra, 0) << "DBRA leaves the slot to packets with only x+ left";
  EXPECT_EQ(turning.low, 0b01) << "D2RA lets dimension order have it";
  EXPECT_EQ(turning.high, 0);
  EXPECT_EQ(only_x.dbra, 0b01);
  EXPECT_EQ(only_x.high, 0b01);
}

TEST(ArbCampaign, ComparingNothingIsNoPass) {
  CampaignRequest q = request(2, "port", "ur", 10);
  q.load = 0;
  q.progress = [](uint64_t, uint64_t) { return false; };
  const CampaignResult r = run(q);
  EXPECT_EQ(r.compared, 0u);
  EXPECT_FALSE(r.passed());
}

TEST(ArbCampaign, BadRequestsAreRefused) {
  const auto refused = [](auto change) {
    CampaignRequest q = request(3, "port", "corner", 10);
    change(q);
    EXPECT_THROW(run(q), Error);
  };
  refused([](CampaignRequest& q) { q.parameters["dims"] = "9"; });
  refused([](CampaignRequest& q) { q.parameters["dims"] = "8"; });
  refused([](CampaignRequest& q) { q.parameters["dims"] = ""; });
  refused([](CampaignRequest& q) { q.parameters["part"] = "all"; });
  refused([](CampaignRequest& q) { q.parameters["vcs"] = "3"; });
  refused([](CampaignRequest& q) { q.traffic = "adv+1"; });
  refused([](CampaignRequest& q) { q.plant = "no-such-bug"; });
  refused([](CampaignRequest& q) { q.device = "netlist"; });  // only of the first size
  refused([](CampaignRequest& q) { q.trace_in = "/nowhere.trace"; });
}

}  // namespace
}  // namespace odonata::cosim
