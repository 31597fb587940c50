// SPDX-License-Identifier: Apache-2.0
// Lockstep of the router's RTL with the golden data path: agreement, coverage, and every planted bug.
#include <gtest/gtest.h>

#include <filesystem>

#include "models/common/error.h"
#include "tb/harness/test_request.h"
#include "tb/router/campaign.h"
#include "tb/router/stimulus.h"

namespace odonata::cosim {
namespace {

constexpr int kTurn = 3;  ///< cycles, of the RTL that has turns

CampaignRequest request(const char* size, const char* buffers, uint64_t transactions, const char* traffic = "corner",
                        uint64_t seed = 1) {
  return test_request(Dragonfly::named(size), traffic, transactions, {{"buffers", buffers}}, seed);
}

CampaignResult run(const CampaignRequest& r) { return router_units()[0].run(r); }

TEST(RouterCosim, RtlAgreesInShallowBuffersAndCoverageIsComplete) {
  const CampaignResult r = run(request("tiny", "shallow", 500'000));
  EXPECT_TRUE(r.passed()) << report_text(r);
  EXPECT_GE(r.compared, 500'000u);
  EXPECT_EQ(r.coverage["percent"], 100.0) << r.coverage_text;
}

TEST(RouterCosim, RtlAgreesAtHardwareDepths) {
  const CampaignResult tiny = run(request("tiny", "hardware", 300'000));
  EXPECT_TRUE(tiny.passed()) << report_text(tiny);
  const CampaignResult paper = run(request("paper", "hardware", 20'000));
  EXPECT_TRUE(paper.passed()) << report_text(paper);
}

TEST(RouterCosim, RtlAgreesUnderSteadyLoad) {
  for (const double load : {0.3, 1.0}) {
    CampaignRequest q = request("tiny", "hardware", 50'000, "ur", 3);
    q.load = load;
    const CampaignResult r = run(q);
    EXPECT_TRUE(r.passed()) << load << "\n" << report_text(r);
  }
}

TEST(RouterCosim, RtlAgreesWithTurns) {
  const router::DataConfig config = three_ports(kTurn);
  DataTraffic stimulus(config, {}, true, 4);
  router::GoldenData golden(config);
  const auto rtl = make_rtl<RouterDataBlock>(rtl_parameters(config));
  RunOptions options;
  options.max_cycles = 200'000;
  const RunResult r = run_lockstep<RouterDataBlock>(stimulus, golden, *rtl, options);
  EXPECT_FALSE(r.mismatch);
  EXPECT_EQ(r.cycles, 200'000u);
}

/// Packets that are cut in every cycle of their lives, in buffers of all depths.
TEST(RouterCosim, RtlAgreesWhateverIsCut) {
  const Dragonfly tiny = Dragonfly::named("tiny");
  for (const router::DataConfig& config :
       {data_config(tiny, true), data_config(tiny, false), three_ports(0), three_ports(kTurn)}) {
    CutScenes scenes(config);
    router::GoldenData golden(config);
    const auto rtl = make_rtl<RouterDataBlock>(rtl_parameters(config));
    RunOptions options;
    options.max_cycles = scenes.cycles();
    const RunResult r = run_lockstep<RouterDataBlock>(scenes, golden, *rtl, options);
    EXPECT_FALSE(r.mismatch) << config.num_ports();
    EXPECT_EQ(r.cycles, scenes.cycles());
  }
}

/// Packets of up to 64 flits are cut, in buffers that hold fewer.
TEST(RouterCosim, RtlAgreesWhereLongPacketsAreCut) {
  const Dragonfly tiny = Dragonfly::named("tiny");
  for (const router::DataConfig& config : {data_config(tiny, true), data_config(tiny, false), three_ports(kTurn)}) {
    for (const DataDemand& demand : longest_packets_cut()) {
      DataTraffic stimulus(config, demand, false, 32);
      router::GoldenData golden(config);
      const auto rtl = make_rtl<RouterDataBlock>(rtl_parameters(config));
      RunOptions options;
      options.max_cycles = 20'000;
      EXPECT_FALSE(run_lockstep<RouterDataBlock>(stimulus, golden, *rtl, options).mismatch) << config.num_ports();
    }
  }
}

TEST(RouterCosim, RtlAgreesWithTheSystemcModule) {
  CampaignRequest q = request("tiny", "shallow", 20'000, "corner", 5);
  q.reference = "systemc";
  const CampaignResult r = run(q);
  EXPECT_TRUE(r.passed()) << report_text(r);
}

/// The cycle and probe in which a planted bug shows, in shallow buffers, in those of the hardware, with turns, where
/// packets are cut, or long ones are; empty: it does not.
std::string caught_by(int plant) {
  const Dragonfly tiny = Dragonfly::named("tiny");
  const std::pair<const char*, router::DataConfig> all[] = {
      {"shallow", data_config(tiny, true)}, {"hardware", data_config(tiny, false)}, {"turns", three_ports(kTurn)}};
  const auto try_out = [&](const char* name, const router::DataConfig& config, auto& stimulus, uint64_t cycles) {
    router::GoldenData golden(config);
    const auto device = make_rtl<RouterDataBlock>(rtl_parameters(config), RtlVariant::debug, plant);
    RunOptions options;
    options.max_cycles = cycles;
    const RunResult r =
        run_lockstep<RouterDataBlock>(stimulus, golden, *device, options, [](const auto&, const auto&) {});
    if (!r.mismatch) return std::string();
    return std::string(name) + " cycle " + std::to_string(r.mismatch->cycle) + ": " +
           r.mismatch->differences.front().probe;
  };
  for (const auto& [name, config] : all) {
    DataTraffic stimulus(config, {}, true, 1);
    if (std::string how = try_out(name, config, stimulus, 40'000); !how.empty()) return how;
  }
  CutScenes scenes(all[0].second);
  if (std::string how = try_out("scenes", all[0].second, scenes, scenes.cycles()); !how.empty()) return how;
  for (const DataDemand& demand : longest_packets_cut()) {
    DataTraffic stimulus(all[0].second, demand, false, 1);
    if (std::string how = try_out("long", all[0].second, stimulus, 20'000); !how.empty()) return how;
  }
  return {};
}

TEST(RouterPlants, EveryPlantedBugIsCaught) {
  for (const Plant& plant : router_plants()) {
    if (of_whole_router(plant)) continue;
    const std::string how = caught_by(plant.number);
    EXPECT_FALSE(how.empty()) << plant.name << ": " << plant.what;
    std::printf("%-28s %s\n", std::string(plant.name).c_str(), how.c_str());
  }
  EXPECT_GE(router_plants().size(), 20u);
}

TEST(RouterPlants, TheUnplantedDebugModelAgrees) { EXPECT_EQ(caught_by(0), ""); }

// In deep buffers, which a stimulus with cycles left out does not overfill.
TEST(RouterPlants, AMismatchIsShrunkAndToldInWords) {
  CampaignRequest q = request("tiny", "hardware", 50'000);
  q.plant = "output-pointer-stays";
  const CampaignResult r = run(q);
  EXPECT_EQ(r.mismatches, 1u);
  ASSERT_FALSE(r.report.empty());
  EXPECT_NE(r.report[0].find("Mismatch in cycle"), std::string::npos);
  ASSERT_TRUE(r.mismatch.contains("shrunk")) << report_text(r);
  EXPECT_TRUE(std::filesystem::exists(r.mismatch["shrunk"]["waveform"].get<std::string>()));
  CampaignRequest again = request("tiny", "hardware", 50'000);
  again.trace_in = r.mismatch["shrunk"]["file"];
  again.plant = q.plant;
  EXPECT_EQ(run(again).mismatches, 1u) << "the recorded stimulus shows it again";
}

CampaignRequest whole(const char* size, uint64_t transactions, const char* traffic = "corner") {
  CampaignRequest r = request(size, "", transactions, traffic, 2);
  r.parameters.clear();
  return r;
}

CampaignResult run_whole(const CampaignRequest& r) { return find_unit(router_units(), "router").run(r); }

TEST(WholeRouterCosim, EveryLevelAgrees) {
  const CampaignResult corner = run_whole(whole("tiny", 60'000));
  EXPECT_TRUE(corner.passed()) << report_text(corner);
  EXPECT_GT(corner.coverage["percent"], 60.0) << corner.coverage_text;
  const CampaignResult paper = run_whole(whole("paper", 8'000, "ur"));
  EXPECT_TRUE(paper.passed()) << report_text(paper);
  CampaignRequest q = whole("tiny", 4'000);
  q.device = "systemc";
  EXPECT_TRUE(run_whole(q).passed());
  q.device = "rtl";
  q.reference = "systemc";
  EXPECT_TRUE(run_whole(q).passed());
  q.reference = "golden";
  q.parameters["fault"] = "pipelined";
  EXPECT_TRUE(run_whole(q).passed());
}

TEST(WholeRouterCosim, AMismatchIsShrunkAndShownAgain) {
  CampaignRequest q = whole("tiny", 50'000);
  q.plant = "slot-not-taken";
  const CampaignResult r = run_whole(q);
  EXPECT_EQ(r.mismatches, 1u);
  ASSERT_TRUE(r.mismatch.contains("shrunk")) << report_text(r);
  q.trace_in = r.mismatch["shrunk"]["file"];
  EXPECT_EQ(run_whole(q).mismatches, 1u);
  q.plant = "";
  EXPECT_EQ(run_whole(q).mismatches, 0u) << "without the bug there is none";
}

TEST(RouterCampaign, BadRequestsAreRefused) {
  const auto refused = [](auto change) {
    CampaignRequest q = request("tiny", "shallow", 10);
    change(q);
    EXPECT_THROW(run(q), Error);
  };
  refused([](CampaignRequest& q) { q.parameters["buffers"] = "deep"; });
  refused([](CampaignRequest& q) { q.parameters["vcs"] = "3"; });
  refused([](CampaignRequest& q) { q.traffic = "adv+1"; });
  refused([](CampaignRequest& q) { q.plant = "no-such-bug"; });
  refused([](CampaignRequest& q) { q.trace_in = "/nowhere.trace"; });
}

}  // namespace
}  // namespace odonata::cosim
