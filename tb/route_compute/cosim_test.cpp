// SPDX-License-Identifier: Apache-2.0
// The co-simulation of route compute as the suite runs it: no difference at three sizes, full coverage, every planted
// bug caught.
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tb/common/error_text.h"
#include "tb/harness/test_request.h"
#include "tb/route_compute/block.h"
#include "tb/route_compute/campaign.h"
#include "tb/route_compute/corner_stimulus.h"
#include "tb/route_compute/coverage.h"
#include "tb/route_compute/stimulus.h"

namespace odonata::cosim {
namespace {

/// A folder of its own for a test's files, removed at the end.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("odonata_cosim_test_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

CampaignRequest request(const std::string& size, const std::string& traffic, uint64_t transactions) {
  return test_request(Dragonfly::named(size), traffic, transactions);
}

CampaignResult run(const CampaignRequest& r) { return route_compute_units()[0].run(r); }

// ---- No difference ----

struct Case {
  const char *size, *traffic, *device, *reference;
  uint64_t transactions;
};
class RouteComputeCosim : public testing::TestWithParam<Case> {};

TEST_P(RouteComputeCosim, NoDifference) {
  const Case& c = GetParam();
  CampaignRequest r = request(c.size, c.traffic, c.transactions);
  r.device = c.device;
  r.reference = c.reference;
  const CampaignResult result = run(r);
  EXPECT_TRUE(result.passed()) << report_text(result);
  EXPECT_GE(result.compared, c.transactions);
}

INSTANTIATE_TEST_SUITE_P(
    Matrix, RouteComputeCosim,
    testing::Values(Case{"tiny", "ur", "rtl", "golden", 500'000}, Case{"tiny", "corner", "rtl", "golden", 500'000},
                    Case{"paper", "adv+1", "rtl", "golden", 500'000}, Case{"paper", "corner", "rtl", "golden", 500'000},
                    Case{"full", "rp", "rtl", "golden", 500'000}, Case{"full", "corner", "rtl", "golden", 500'000},
                    Case{"tiny", "corner", "systemc", "golden", 200'000},
                    Case{"full", "ur", "systemc", "golden", 50'000}, Case{"paper", "corner", "rtl", "systemc", 100'000},
                    Case{"full", "corner", "rtl", "systemc", 50'000},
                    Case{"tiny", "corner", "netlist", "golden", 200'000},
                    Case{"tiny", "ur", "netlist", "golden", 200'000}),
    [](const testing::TestParamInfo<Case>& info) {
      std::string name = std::string(info.param.size) + "_" + info.param.traffic + "_" + info.param.device + "_vs_" +
                         info.param.reference;
      for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
      return name;
    });

TEST(RouteComputeCosimRun, MapsOfTheCongestionPlane) {
  for (const Case& c :
       {Case{"tiny", "ur", "rtl", "golden", 200'000}, Case{"paper", "adv+1", "rtl", "golden", 40'000},
        Case{"tiny", "rp", "systemc", "golden", 10'000}, Case{"tiny", "ur", "netlist", "systemc", 10'000}}) {
    CampaignRequest r = request(c.size, c.traffic, c.transactions);
    r.device = c.device;
    r.reference = c.reference;
    const CampaignResult drawn = run(r);
    r.parameters["maps"] = "plane";
    const CampaignResult result = run(r);
    EXPECT_TRUE(result.passed()) << report_text(result);
    EXPECT_GE(result.compared, c.transactions);
    EXPECT_NE(result.coverage, drawn.coverage) << "other maps, other decisions";
  }
}

TEST(RouteComputeCosimRun, MapsOfThePlaneFindAPlantedBug) {
  CampaignRequest r = request("tiny", "ur", 1'000'000);
  r.parameters["maps"] = "plane";
  r.plant = "gb-gc-swap";
  EXPECT_EQ(run(r).mismatches, 1u);
}

TEST(RouteComputeCosimRun, MapsThatDoNotFitAreRefused) {
  CampaignRequest r = request("tiny", "corner", 1000);
  r.parameters["maps"] = "plane";
  EXPECT_THROW(run(r), Error) << "corner cases make their own maps";
  r.traffic = "ur";
  r.parameters["maps"] = "painted";
  EXPECT_THROW(run(r), Error);
  r.parameters = {{"mops", "plane"}};
  EXPECT_THROW(run(r), Error);
}

TEST(RouteComputeCosimRun, NothingComparedIsAFailure) {
  CampaignRequest r = request("tiny", "ur", 10);
  r.load = 0;
  const CampaignResult result = run(r);
  EXPECT_EQ(result.compared, 0u);
  EXPECT_EQ(result.mismatches, 0u);
  EXPECT_FALSE(result.passed());
}

TEST(RouteComputeCosimRun, SameSeedSameResult) {
  CampaignRequest r = request("tiny", "rp", 20'000);
  r.seed = 77;
  const CampaignResult a = run(r), b = run(r);
  EXPECT_EQ(a.cycles, b.cycles);
  EXPECT_EQ(a.coverage, b.coverage);
}

// ---- Coverage ----

class RouteComputeCoverageGoal : public testing::TestWithParam<const char*> {};

/// Directed tests, corner cases and traffic together reach every declared bin, with the RTL in lockstep.
TEST_P(RouteComputeCoverageGoal, IsReached) {
  const Dragonfly d = Dragonfly::named(GetParam());
  using In = route_compute::UnitInputs;
  using Out = route_compute::UnitOutputs;
  std::vector<std::unique_ptr<Stimulus<In, Out>>> parts;
  parts.push_back(std::make_unique<Recorded<In, Out>>(all_directed_tests(d)));
  CornerOptions corner;
  corner.cycles = 1'500'000;
  parts.push_back(std::make_unique<CornerStimulus>(d, corner));
  for (const char* pattern : {"ur", "adv+1", "rp"}) {
    TrafficOptions traffic;
    traffic.pattern = pattern;
    traffic.cycles = 100'000;
    parts.push_back(std::make_unique<TrafficStimulus>(d, traffic));
  }
  Sequence<In, Out> stimulus(std::move(parts));
  route_compute::GoldenDevice golden(d);
  const auto rtl = make_rtl<RouteComputeBlock>(d);
  RouteComputeCoverage coverage(d);
  const RunResult result = run_lockstep<RouteComputeBlock>(
      stimulus, golden, *rtl, {}, [&](const In& in, const Out&) { coverage.sample(in, golden.unit()); });
  EXPECT_TRUE(result.passed());
  EXPECT_EQ(coverage.coverage().errors(), "");
  EXPECT_EQ(coverage.coverage().percent(), 100.0) << coverage.coverage().to_text();
}

INSTANTIATE_TEST_SUITE_P(Sizes, RouteComputeCoverageGoal, testing::Values("tiny", "paper", "full"),
                         [](const testing::TestParamInfo<const char*>& info) { return std::string(info.param); });

/// Requests after a reset, before any register is written again.
RunResult run_bare(RtlVariant variant, int plant = 0) {
  const Dragonfly d = Dragonfly::named("tiny");
  CornerStimulus stimulus(d, {.seed = 5, .bare = true});
  route_compute::GoldenDevice golden(d);
  const auto rtl = make_rtl<RouteComputeBlock>(d, variant, plant);
  RunOptions options;
  options.max_cycles = 300'000;
  return run_lockstep<RouteComputeBlock>(stimulus, golden, *rtl, options);
}

TEST(RouteComputeReset, RequestsMeetTheResetValues) { EXPECT_TRUE(run_bare(RtlVariant::fast).passed()); }

// ---- Planted bugs ----

class RouteComputePlant : public testing::TestWithParam<Plant> {};

/// At the smallest size at which the bug can be seen (some need the absolute arrangement or a large group).
TEST_P(RouteComputePlant, IsCaught) {
  Folder folder;
  for (const char* size : {"tiny", "paper", "full"}) {
    CampaignRequest r = request(size, "corner", 100'000);
    r.plant = GetParam().name;
    r.artifacts = folder.path();
    const CampaignResult result = run(r);
    if (result.mismatches == 0) continue;
    EXPECT_FALSE(result.passed());
    EXPECT_FALSE(result.report.empty());
    RecordProperty("caught_at", size);
    return;
  }
  if (run_bare(RtlVariant::debug, GetParam().number).mismatch) return RecordProperty("caught_at", "reset values");
  FAIL() << "the planted bug '" << GetParam().name << "' (" << GetParam().what << ") was not caught";
}

INSTANTIATE_TEST_SUITE_P(All, RouteComputePlant,
                         testing::ValuesIn(route_compute_plants().begin(), route_compute_plants().end()),
                         [](const testing::TestParamInfo<Plant>& info) {
                           std::string name(info.param.name);
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

TEST(RouteComputePlants, AreAtLeastTwentyFive) { EXPECT_GE(route_compute_plants().size(), 25u); }

TEST(RouteComputePlants, UnknownNameIsRefusedWithTheList) {
  CampaignRequest r = request("tiny", "ur", 10);
  r.plant = "no-such-plant";
  EXPECT_NE(error_text([&] { run(r); }).find("gb-gc-swap"), std::string::npos);
}

// ---- The report of a mismatch ----

TEST(RouteComputeMismatch, IsShrunkRecordedDrawnAndReplayed) {
  Folder folder;
  CampaignRequest r = request("tiny", "ur", 1'000'000);
  r.plant = "gb-gc-swap";
  r.artifacts = folder.path();
  const CampaignResult result = run(r);
  ASSERT_EQ(result.mismatches, 1u);
  const auto& shrunk = result.mismatch.at("shrunk");
  EXPECT_LE(shrunk.at("cycles").get<int>(), 8);
  EXPECT_NE(report_text(result).find("Request in stage 4"), std::string::npos);
  EXPECT_NE(report_text(result).find("Replay: odonata cosim"), std::string::npos);
  const std::string trace = shrunk.at("file");
  EXPECT_GT(std::filesystem::file_size(shrunk.at("waveform").get<std::string>()), 100u);

  // The recorded stimulus shows the bug again, and only with the bug.
  CampaignRequest again = request("tiny", "ur", 1'000'000);
  again.trace_in = trace;
  again.artifacts = folder.path();
  EXPECT_NE(run(again).mismatches, 1u);
  again.plant = r.plant;
  EXPECT_EQ(run(again).mismatches, 1u);
}

TEST(RouteComputeMismatch, WaveformOfARunWithoutMismatch) {
  Folder folder;
  CampaignRequest r = request("tiny", "ur", 500);
  r.trace = folder.file("run.fst");
  r.trace_out = folder.file("run.trace");
  EXPECT_TRUE(run(r).passed());
  EXPECT_GT(std::filesystem::file_size(r.trace), 1000u);
  CampaignRequest again = request("tiny", "ur", 1'000'000);
  again.trace_in = r.trace_out;
  const CampaignResult replayed = run(again);
  EXPECT_TRUE(replayed.passed());
  EXPECT_EQ(replayed.compared, 500u);
}

TEST(RouteComputeMismatch, BadRequestsAreRefused) {
  CampaignRequest r = request("tiny", "no-such-traffic", 10);
  EXPECT_THROW(run(r), Error);
  r = request("tiny", "ur", 10);
  r.dragonfly = Dragonfly::parse("2,3,2,6");
  EXPECT_THROW(run(r), Error);
  r = request("tiny", "ur", 10);
  r.plant = "gb-gc-swap";
  r.device = "systemc";
  EXPECT_THROW(run(r), Error);
  r = request("tiny", "ur", 10);
  r.trace_in = "/nowhere/at/all";
  EXPECT_THROW(run(r), Error);
}

}  // namespace
}  // namespace odonata::cosim
