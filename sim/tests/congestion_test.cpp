// SPDX-License-Identifier: Apache-2.0
// `odonata congestion`, and `odonata cosim` of the congestion blocks, as a person runs them.
#include <regex>

#include "sim/tests/run_program.h"

namespace odonata::cli {
namespace {

using Congestion = ProgramTest;

TEST_F(Congestion, MeasuresTheAgeBesideItsClosedForm) {
  const Json r = run_json("congestion --size tiny --cycles 20000");
  EXPECT_EQ(r["verdict"], "pass");
  for (const char* key : {"min", "mean", "max"}) EXPECT_TRUE(r["age_cycles"][key].is_number()) << key;
  EXPECT_EQ(r["age_cycles"]["min"], r["closed_form"]["min"]);
  EXPECT_EQ(r["age_cycles"]["max"], r["closed_form"]["max"]);
  EXPECT_DOUBLE_EQ(r["overhead_fraction"], 2.0 / 256);
  EXPECT_GT(r["overhead"]["frames_in_tails"], 0);
  for (const char* traffic : {"idle", "tails", "mixed"}) {
    const Json& stages = r["traffic"][traffic]["stages"];
    EXPECT_EQ(stages.size(), 6u) << "wait, PCS, link, multiplex, ring, total";
    for (const auto& [name, stage] : stages.items()) {
      EXPECT_GT(stage["samples"], 0) << name;
      EXPECT_EQ(stage["min"], stage["closed_form"]["min"]) << traffic << " " << name;
      EXPECT_EQ(stage["max"], stage["closed_form"]["max"]) << traffic << " " << name;
      EXPECT_FALSE(stage["histogram"].empty()) << name;
      if (stage["closed_form"].contains("mean")) {
        EXPECT_NEAR(stage["mean"], stage["closed_form"]["mean"], 1e-9) << traffic << " " << name;
      }
    }
  }
}

TEST_F(Congestion, OptionsReachTheModel) {
  const Json base = run_json("congestion --size tiny --cycles 20000"),
             longer = run_json("congestion --size tiny --cycles 20000 --pcs 41 --link 20");
  EXPECT_EQ(longer["closed_form"]["min"].get<int>(), base["closed_form"]["min"].get<int>() + 11 + 10);
  EXPECT_EQ(longer["age_cycles"]["min"].get<int>(), base["age_cycles"]["min"].get<int>() + 11 + 10);
  const Json rarer = run_json("congestion --size tiny --cycles 20000 --interval 20");
  EXPECT_EQ(rarer["closed_form"]["max"].get<int>(), base["closed_form"]["max"].get<int>() + 2 * 10);
  const Json lossy = run_json("congestion --size tiny --cycles 20000 --loss 0.1");
  EXPECT_GT(lossy["faults"]["lost_frames"], 0);
  EXPECT_GT(lossy["age_cycles"]["max"], base["age_cycles"]["max"]);
  EXPECT_LE(lossy["age_cycles"]["max"], lossy["closed_form"]["staleness_bound"]);
  EXPECT_EQ(lossy["verdict"], "pass");
}

TEST_F(Congestion, SameSeedSameResult) {
  EXPECT_EQ(run_json("congestion --size tiny --cycles 5000 --seed 7 --loss 0.05"),
            run_json("congestion --size tiny --cycles 5000 --seed 7 --loss 0.05"));
}

TEST_F(Congestion, ThePageIsThatOfItsResult) {
  ASSERT_EQ(
      run("congestion --size tiny --cycles 20000 --page " + path("page.html") + " --json " + path("r.json")).exit_code,
      0);
  const Json result = Json::parse(read_text(path("r.json")));
  ASSERT_EQ(result["report"].size(), 7u) << "ages, and for each traffic the stages and a bit's way";
  for (const Json& way : result["report"]) {
    if (way["type"] != "stacked") continue;
    EXPECT_EQ(way["bars"].size(), result["dragonfly"]["a"].get<size_t>() - 1);
    for (const Json& bar : way["bars"]) {
      int64_t sum = 0;
      for (const Json& cycles : bar["values"]) sum += cycles.get<int64_t>();
      EXPECT_GE(sum, result["closed_form"]["min"].get<int64_t>());
      EXPECT_LE(sum, result["closed_form"]["staleness_bound"].get<int64_t>());
    }
  }
  EXPECT_NE(read_text(path("page.html")).find("One bit's way"), std::string::npos);
  EXPECT_EQ(files(), 2);
}

/// What no sample was taken of is null, and a blank.
TEST_F(Congestion, WithoutSamplesThereAreNoAges) {
  const Ran ran = run("congestion --size tiny --loss 1 --cycles 2000 --json " + path("r.json"));
  EXPECT_EQ(ran.exit_code, 1);
  const Json r = Json::parse(read_text(path("r.json")));
  for (const char* what : {"min", "mean", "max"}) {
    EXPECT_TRUE(r["age_cycles"][what].is_null()) << what;
    EXPECT_TRUE(r["traffic"]["mixed"]["stages"]["total"][what].is_null()) << what << r["traffic"]["mixed"].dump();
  }
  EXPECT_NE(ran.out.find("nothing was measured"), std::string::npos);
}

/// At a long interval the ends of the closed form are too rare for drawn traffic: that is no age outside of it.
TEST_F(Congestion, MissedEndsAreSaid) {
  const Ran ran = run("congestion --size tiny --interval 100 --cycles 20000 --json " + path("r.json"));
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.out.find("has not met both ends of the closed form, and is nowhere outside"), std::string::npos);
  const Json r = Json::parse(read_text(path("r.json")));
  EXPECT_EQ(r["verdict"], "fail");
  EXPECT_NE(r["headline"].get<std::string>().find("has not met both ends"), std::string::npos) << r["headline"];
  EXPECT_EQ(run("congestion --size tiny --cycles 20000").out.find("both ends"), std::string::npos);
}

TEST_F(Congestion, AsManyFramesLostAsBadAreSaid) {
  EXPECT_NE(run("congestion --size tiny --cycles 500 --loss 0.02 --corruption 0.02").out.find("13 frames lost, 13 bad"),
            std::string::npos);
}

TEST_F(Congestion, BadInputIsRefused) {
  const std::string out = " --json " + path("x.json");
  expect_refused(run("congestion --size tiny --interval 0" + out), "--interval");
  expect_refused(run("congestion --size tiny --interval 256" + out), "--interval");
  expect_refused(run("congestion --size tiny --pcs 0" + out), "--pcs");
  expect_refused(run("congestion --size tiny --link 256" + out), "--link");
  expect_refused(run("congestion --size tiny --loss 1.5" + out), "--loss");
  expect_refused(run("congestion --size tiny --loss x" + out), "--loss");
  expect_refused(run("congestion --size tiny --page " + path("no/x.html") + out), "x.html");
  EXPECT_EQ(files(), 0);
}

class CongestionCosim : public ProgramTest, public testing::WithParamInterface<const char*> {
 protected:
  std::string block() const {
    return std::string("cosim --block ") + GetParam() + " --size tiny --artifacts " + path("artifacts");
  }
  std::string cosim() const { return block() + " --traffic corner"; }
};

TEST_P(CongestionCosim, EveryDeviceAgrees) {
  for (const char* device : {"rtl", "systemc", "netlist"}) {
    const Json r = run_json(cosim() + " --transactions 5000 --device " + device);
    EXPECT_EQ(r["block"], GetParam());
    EXPECT_GE(r["compared"], 5000);
    EXPECT_EQ(r["mismatches"], 0);
    EXPECT_GT(r["coverage"]["percent"], 50);
    EXPECT_GT(r["rate_transactions_per_s"], 0);
    EXPECT_EQ(r["verdict"], "pass");
  }
  EXPECT_EQ(run(cosim() + " --transactions 1000 --reference systemc").exit_code, 0);
  EXPECT_EQ(run(std::string("cosim --size tiny --traffic ur --transactions 500 --block ") + GetParam()).exit_code, 0);
}

TEST_P(CongestionCosim, APlantedBugIsFoundAndReplayed) {
  const Ran list = run("cosim --list-plants --block " + std::string(GetParam()));
  std::smatch m;
  ASSERT_TRUE(std::regex_search(list.out, m, std::regex("\n([a-z0-9-]*[a-z][a-z0-9-]*) ")));
  const std::string plant = " --plant " + m[1].str();
  const Json r = run_json(cosim() + " --transactions 100000" + plant, 1);
  EXPECT_EQ(r["mismatches"], 1);
  const std::string file = r["mismatch"]["shrunk"]["file"];
  EXPECT_EQ(run_json(block() + plant + " --trace-in " + file, 1)["mismatches"], 1);
  const Ran clean = run(block() + " --trace-in " + file);
  EXPECT_NE(clean.exit_code, 2) << clean.err;  // 1: what was recorded ends before the first transaction
  EXPECT_EQ(clean.out.find("Mismatch"), std::string::npos) << "without the bug the recorded cycles agree";
  EXPECT_TRUE(std::filesystem::exists(r["mismatch"]["shrunk"]["waveform"]));
}

TEST_P(CongestionCosim, BadInputIsRefused) {
  expect_refused(run(cosim() + " --plant gb-gc-swap"), "gb-gc-swap");
  expect_refused(run(std::string("cosim --size tiny --traffic adv+8 --block ") + GetParam()), "adv+8");
  expect_refused(run(cosim() + " --maps plane"), "maps");
  expect_refused(run(cosim() + " --device systemc --reference systemc"), "--reference systemc");
  expect_refused(run(cosim() + " --device netlist --trace " + path("x.fst")), "--trace");
}

INSTANTIATE_TEST_SUITE_P(Blocks, CongestionCosim,
                         testing::Values("credit_monitor", "bitmap_sender", "bitmap_collector", "pcs_transport"),
                         [](const auto& info) { return std::string(info.param); });

TEST_F(Congestion, RouteComputeTakesItsMapsFromThePlane) {
  const Json plane = run_json("cosim --block route_compute --size tiny --maps plane --transactions 20000");
  EXPECT_EQ(plane["parameters"]["maps"], "plane");
  EXPECT_GE(plane["compared"], 20000);
  EXPECT_EQ(plane["mismatches"], 0);
  expect_refused(run("cosim --block route_compute --size tiny --traffic corner --maps plane"), "--maps plane");
  expect_refused(run("cosim --block route_compute --size tiny --maps painted"), "painted");
}

}  // namespace
}  // namespace odonata::cli
