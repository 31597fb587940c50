// SPDX-License-Identifier: Apache-2.0
// What was interrupted, and what measured nothing, is never a pass.
#include "sim/tests/run_program.h"

namespace odonata::cli {
namespace {

struct Long {
  const char* name;
  const char* arguments;  ///< runs for minutes
  bool page = false;      ///< with --page
};
void PrintTo(const Long& l, std::ostream* out) { *out << l.arguments; }

class InterruptTest : public ProgramTest, public testing::WithParamInterface<Long> {};

constexpr Long kLong[] = {
    {"Net", "net --size tiny --cycles 1000000000", true},
    {"NetMesh", "net --mesh 4x4 --cycles 1000000000", true},
    {"NetRtlMesh", "net --mesh 4x4 --packet 5 --cycles 1000000000 --device rtl --at 1,1", true},
    {"NetRtlPort", "net --size tiny --cycles 1000000000 --device rtl --at 1.2", true},
    {"NetFaults", "net --size tiny --warmup 0 --cycles 1000000000 --fail global:G0-G1@100", true},
    {"Crosscheck", "crosscheck --cycles 1000000"},
    {"CrosscheckCampaign", "crosscheck --packets 1000000000"},
    {"Cosim", "cosim --size tiny --transactions 1000000000000"},
    {"CosimSystemc", "cosim --block arb_request --device systemc --transactions 1000000000000"},
    {"Pipeline", "pipeline --size tiny --requests 100000000"},
    {"Fault", "fault --size full --fail random-routers:200"},
    {"Deadlock", "deadlock --mesh 4x4 --slots 3 --packets 10 --time-limit 0 --memory-mb 8192"},
};

TEST_P(InterruptTest, IsNeverAPass) {
  const std::string json = path("result.json"), page = path("page.html");
  const Ran ran =
      interrupt(std::string(GetParam().arguments) + " --json " + json + (GetParam().page ? " --page " + page : ""));
  EXPECT_EQ(ran.exit_code, 130) << ran.out << ran.err;
  EXPECT_NE((ran.out + ran.err).find("nterrupted"), std::string::npos) << ran.out << ran.err;
  ASSERT_TRUE(std::filesystem::exists(json));
  const Json result = Json::parse(read_text(json));
  EXPECT_EQ(result["verdict"], "interrupted");
  EXPECT_EQ(result["headline"].get<std::string>().rfind("interrupted", 0), 0u);
  if (GetParam().page) {
    EXPECT_NE(read_text(page).find("\"verdict\":\"interrupted\""), std::string::npos);
    EXPECT_EQ(read_text(page).find("\"verdict\":\"pass\""), std::string::npos);
  }
}

INSTANTIATE_TEST_SUITE_P(Commands, InterruptTest, testing::ValuesIn(kLong),
                         [](const auto& info) { return info.param.name; });

using Interrupt = ProgramTest;

/// What was not looked at yet is null, and no deadlock.
TEST_F(Interrupt, ASearchForDeadlocksHasNotFoundOne) {
  const std::string json = path("d.json");
  EXPECT_EQ(
      interrupt("deadlock --mesh 4x4 --slots 3 --packets 10 --time-limit 0 --memory-mb 8192 --json " + json).exit_code,
      130);
  const Json result = Json::parse(read_text(json));
  EXPECT_NE(result["headline"].get<std::string>().find("4x4 mesh: interrupted"), std::string::npos);
  EXPECT_EQ(result["deadlocks"], 0);
  for (const char* key : {"unbounded", "starved", "lemma_1_pairs"}) EXPECT_TRUE(result[key].is_null()) << key;
}

TEST_F(Interrupt, ASweepKeepsWhatIsFinishedAndSaysSo) {
  const std::string toml = file("s.toml",
                                "title = \"interrupted\"\n[net]\nsize = \"tiny\"\nwarmup = 100\n"
                                "[[part]]\nvary = { load = [0.1], cycles = [200, 1000000000] }\n");
  const std::string prefix = path("s");
  const Ran ran = interrupt("sweep " + toml + " --out " + prefix + " --markdown " + path("s.md"));
  EXPECT_EQ(ran.exit_code, 130) << ran.err;
  EXPECT_TRUE(ran.out == "Interrupted after 0 runs: the same command goes on with the rest.\n" ||
              ran.out == "Interrupted after 1 run: the same command goes on with the rest.\n")
      << ran.out;
  EXPECT_EQ(Json::parse(read_text(prefix + ".json"))["verdict"], "interrupted");
  EXPECT_NE(read_text(prefix + ".html").find("\"verdict\":\"interrupted\""), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(path("s.md"))) << "tables of half a sweep replace nothing";
  const std::string store = read_text(prefix + ".jsonl");
  EXPECT_EQ(store.find("1000000000"), std::string::npos) << "a run that was cut off is not kept";
}

TEST_F(Interrupt, AFaultPageSaysSo) {
  EXPECT_EQ(interrupt("fault --size full --fail random-routers:200 --html " + path("f.html")).exit_code, 130);
  EXPECT_NE(read_text(path("f.html")).find("\"verdict\":\"interrupted\""), std::string::npos);
}

TEST_F(Interrupt, ANetworkThatGoesOnLeavesACheckpoint) {
  const std::string state = path("state");
  EXPECT_EQ(interrupt("net --size tiny --cycles 1000000000 --checkpoint " + state).exit_code, 130);
  EXPECT_EQ(read_text(state).rfind("ODCHECK5", 0), 0u);
  std::fstream(state) << "ODCHECK4";  // what the version before wrote
  const Ran older = run("net --size tiny --resume " + state);
  EXPECT_EQ(older.exit_code, 2);
  EXPECT_NE(older.err.find("checkpoint: of version 4 of the format, expected 5\n"), std::string::npos) << older.err;
}

TEST_F(Interrupt, ACommandThatKeepsNothingEndsWithTheSameCode) {
  const Ran ran = interrupt("congestion --size tiny --cycles 100000000", SIGTERM);
  EXPECT_EQ(ran.exit_code, 130);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.err, "odonata: interrupted\n");
}

TEST_F(Interrupt, NothingMeasuredIsNoPass) {
  const Json idle = run_json("net --size tiny --load 0 --warmup 0 --cycles 100", 1);
  EXPECT_EQ(idle["verdict"], "fail");
  EXPECT_EQ(idle["headline"], "no packet of the sample was delivered: nothing was measured");
  for (const char* none : {"mean", "p50", "p99", "max", "with_unfinished"})
    EXPECT_TRUE(idle["latency"].at(none).is_null()) << none;
  const Json cut = run_json("net --size tiny --load 0.1 --warmup 0 --cycles 5 --drain 0", 1);
  EXPECT_EQ(cut["verdict"], "fail");
  const std::string told = run("net --size tiny --load 0 --warmup 0 --cycles 100").out;
  EXPECT_NE(told.find("nothing was measured"), std::string::npos) << told;
  EXPECT_NE(told.find("latency                            not measured"), std::string::npos) << told;
  const Json deaf = run_json("congestion --size tiny --cycles 200 --loss 1", 1);
  EXPECT_EQ(deaf["verdict"], "fail");
  EXPECT_EQ(deaf["headline"], "dfly(2,4,2,8) direct: nothing was measured");
}

TEST_F(Interrupt, AFaultThatDidNotComeIsNoPass) {
  const Ran ran =
      run("net --size tiny --warmup 0 --cycles 100 --fail global:G0-G2@50 --repair all --repair-at 9000 --json " +
          path("x.json"));
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  EXPECT_NE(ran.out.find("1 of 2 faults and repairs did not come: the run ended in cycle "), std::string::npos)
      << ran.out;
  EXPECT_EQ(Json::parse(read_text(path("x.json")))["verdict"], "fail");
}

}  // namespace
}  // namespace odonata::cli
