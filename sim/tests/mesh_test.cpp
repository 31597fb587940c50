// SPDX-License-Identifier: Apache-2.0
// `odonata net --mesh`, `sweep` on meshes and `mesh-trace` as a person runs them.
#include "sim/tests/run_program.h"

namespace odonata::cli {
namespace {

class MeshCommands : public ProgramTest {};

TEST_F(MeshCommands, TheExampleOfTheHelp) {
  const Json out = run_json(
      "net --mesh 4x4x4 --routing d2ra --vcs 3 --depth 8 --packet 5 --traffic tornado --load 0.5 --warmup 500 --cycles "
      "1000");
  EXPECT_EQ(out["mesh"], "4x4x4");
  EXPECT_NEAR(out["accepted"].get<double>(), 0.5, 0.05);
  EXPECT_TRUE(out["conservation_ok"].get<bool>());
  for (const char* key : {"latency", "hops", "lost", "cycles_per_s", "digest"}) EXPECT_TRUE(out.contains(key)) << key;
}

TEST_F(MeshCommands, RtlInTheLoopAgreesAndAPlantedBugStopsTheRun) {
  const std::string command =
      "net --mesh 4x4 --routing d2ra --packet 5 --load 0.3 --warmup 0 --cycles 1000 --device rtl --at 1,2";
  const Json out = run_json(command);
  EXPECT_GT(out["compared"].get<int>(), 100);
  EXPECT_EQ(out["digest"],
            run_json("net --mesh 4x4 --routing d2ra --packet 5 --load 0.3 --warmup 0 --cycles 1000")["digest"]);
  const Ran planted = run(command + " --plant threshold-lowered");
  EXPECT_EQ(planted.exit_code, 1);
  EXPECT_NE(planted.out.find("Mismatch after"), std::string::npos) << planted.out;
  EXPECT_NE(planted.out.find("Router (1,2)"), std::string::npos) << planted.out;
  const Ran odd =
      run("net --mesh 4x3x2 --routing d2ra --packet 5 --load 0.3 --warmup 0 --cycles 1000 --device rtl --at "
          "1,2,1 --plant threshold-lowered");
  EXPECT_NE(odd.out.find("Router (1,2,1)"), std::string::npos) << odd.out;
}

/// In each network with RTL in the loop: a router that no packet comes to.
TEST_F(MeshCommands, ADeviceThatDecidesNothingIsNoPass) {
  const std::string pair = " --load 0 --cycles 3000 --warmup 0 --workload stencil:grid=2,bytes=500 --device rtl --at ";
  for (const std::string& network : {"--mesh 4x4 --routing d2ra" + pair + "3,3", "--torus 4x4" + pair + "2,2",
                                     "--fat-tree 4,4,2,2" + pair + "leaf:3,3", "--size tiny" + pair + "5.2"}) {
    EXPECT_EQ(run_json("net " + network, 1)["verdict"], "fail") << network;
    const Ran ran = run("net " + network);
    EXPECT_NE(ran.out.find("Nothing was compared: this is no pass."), std::string::npos) << ran.out;
  }
}

TEST_F(MeshCommands, AnUnsafeVariantEndsWithACircle) {
  const Ran ran = run("net --mesh 4x4 --routing dbra_lowered --vcs 2 --load 1 --watchdog 1000 --cycles 100000");
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.out.find("waits for queue"), std::string::npos);
}

TEST_F(MeshCommands, TracesAreMadeShownAndRun) {
  const std::string text = file("a.txt", "0 0 5 5\n3 1 2 1\nID:1 CYC:4 SRC:3 DST:0 TYP:ReadResp NDEP:0\n"),
                    trace = path("a.odtrace");
  EXPECT_EQ(run("mesh-trace --from-text " + text + " --mesh 4x4 --out " + trace).exit_code, 0);
  EXPECT_NE(run("mesh-trace --show " + trace).out.find("converted from"), std::string::npos);
  EXPECT_EQ(run_json("net --mesh 4x4 --traffic trace:" + trace)["delivered"], 3);
  const std::string longest_first = file("b.txt", "0 0 5 5\n3 1 2 1\n");
  EXPECT_EQ(run("mesh-trace --from-text " + longest_first + " --mesh 4x4 --out " + path("b.odtrace")).exit_code, 0);
  EXPECT_EQ(run_json("net --mesh 4x4 --traffic trace:" + path("b.odtrace"))["parameters"]["packet"], "5");
  expect_refused(run("net --mesh 8x8 --traffic trace:" + trace), "the trace is for 16 nodes");
  expect_refused(run("mesh-trace --from-text " + text + " --mesh 2x2 --out " + path("b")), "line 1: dest is '5'");
  expect_refused(run("net --mesh 4x4 --traffic trace:" + text), "ODTRACE2");
  const std::string late = path("late.odtrace");
  EXPECT_EQ(
      run("mesh-trace --from-text " + file("late.txt", "1500000000 0 5 5\n") + " --mesh 4x4 --out " + late).exit_code,
      0);
  expect_refused(run("net --mesh 4x4 --traffic trace:" + late),
                 "--traffic trace:" + late + ": 1500000001 cycles, a run has 1000000000 at most");
  EXPECT_NE(run("mesh-trace --generate --mesh 4x4 --cycles 1000 --out " + trace).out.find("note: generated"),
            std::string::npos);
}

TEST_F(MeshCommands, ASweepComparesTwoAlgorithms) {
  const std::string toml = file("s.toml", R"(title = "test"
[net]
mesh = "4x4"
vcs = 2
packet = 5
warmup = 300
cycles = 800
drain = 800
[[part]]
title = "latencies"
panels = ["traffic"]
log = true
saturated_runs = 1
compare = { measure = "latency", pairs = [["dbra", "d2ra"]] }
[part.vary]
traffic = ["uniform", "tornado"]
routing = ["dbra", "d2ra"]
load = [0.9, 0.1, 1.0, 0.3]
[[part]]
panels = ["traffic"]
compare = { measure = "throughput", pairs = [["duato", "d2ra"]] }
[part.net]
vc-reuse = "empty"
[part.vary]
traffic = ["tornado"]
routing = ["duato", "d2ra"]
load = [0.3, 1.0]
seed = [1, 2]
[[paper]]
quantity = "gain"
where = { traffic = "tornado" }
value = 50
[[paper]]
quantity = "reduction"
where = { traffic = "uniform", load = 0.3 }
value = 1
)");
  const Ran ran = run("sweep " + toml + " --out " + path("o") + " --markdown " + path("o.md"));
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const Json out = Json::parse(read_text(path("o.json")));
  const auto at_full_load = std::count_if(out["points"].begin(), out["points"].end(), [](const Json& p) {
    return p["part"] == 1 && p["settings"]["traffic"] == "uniform" && p["settings"]["load"] == "1";
  });
  EXPECT_EQ(at_full_load, 0);  // saturated at 0.9 already
  EXPECT_GE(out["points"].size(), 2u * 2 * 3 + 4);
  const auto accepted = [this](const std::string& routing, int seed) {
    return run_json(
               "net --mesh 4x4 --vcs 2 --packet 5 --warmup 300 --cycles 800 --drain 800 --vc-reuse empty --traffic "
               "tornado --load 1 --routing " +
               routing + " --seed " + std::to_string(seed))["accepted"]
        .get<double>();
  };
  const double gain =
      100 * ((accepted("d2ra", 1) + accepted("d2ra", 2)) / (accepted("duato", 1) + accepted("duato", 2)) - 1);
  EXPECT_NEAR(out["paper"][0]["measured"].get<double>(), gain, 1e-6);
  EXPECT_EQ(out["paper"][1]["where"]["load"], "0.3");
  EXPECT_NE(read_text(path("o.md")).find("d2ra against duato"), std::string::npos);
  for (const char* words :
       {"latencies: uniform: latency", "reduction of the latency", "gain of throughput", "tornado: throughput"}) {
    EXPECT_NE(read_text(path("o.html")).find(words), std::string::npos) << words;
  }
}

TEST_F(MeshCommands, ASweepFailsOnADeadlock) {
  const std::string toml = file("s.toml", R"(title = "test"
[net]
mesh = "4x4"
vcs = 2
load = 1
warmup = 0
cycles = 50000
drain = 0
watchdog = 500
[[part]]
[part.vary]
routing = ["d2ra", "dbra_lowered"]
)");
  const Ran ran = run("sweep " + toml + " --out " + path("o"));
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(read_text(path("o.json")).find("1 run ended in a deadlock"), std::string::npos);
}

TEST_F(MeshCommands, TheDeepestBuffersAreTaken) {
  EXPECT_TRUE(run_json("net --mesh 2x2 --depth 32768 --cycles 200")["conservation_ok"].get<bool>());
  expect_refused(run("net --mesh 2x2 --depth 32769 --cycles 200"), "'32769' is not a number 1..32768");
}

TEST_F(MeshCommands, BadInputIsNamed) {
  expect_refused(run("net --mesh 4x"), "4x");
  expect_refused(run("net --mesh 4x4 --packet-mix 1,,5"), "--packet-mix");
  expect_refused(run("net --mesh 4x4 --device rtl"), "--at");
  expect_refused(run("net --mesh 4x4 --device rtl --at 1,4"), "coordinate 4");
  expect_refused(run("net --mesh 4x4 --device rtl --at 1,1 --plant no-such"), "no-such");
  expect_refused(run("net --mesh 4x4x4 --routing dbra --vcs 2"), "needs 3 virtual channels");
  expect_refused(run("net --mesh 4x4 --vc-reuse never"), "--vc-reuse");
}

}  // namespace
}  // namespace odonata::cli
