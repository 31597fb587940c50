// SPDX-License-Identifier: Apache-2.0
// Commands that measure or compare Verilated RTL say so when it is wrong: exit code 1, and their results say fail.
#include <fmt/format.h>

#include <span>

#include "sim/tests/run_program.h"
#include "tb/arb_request/campaign.h"
#include "tb/fault/campaign.h"
#include "tb/harness/plant.h"
#include "tb/router/campaign.h"

namespace odonata::cli {
namespace {

namespace fs = std::filesystem;

class PlantedRtl : public ProgramTest {
 protected:
  /// From now on `module` is RTL with this planted bug; all others are as they were built.
  void plant(const std::string& module, std::span<const cosim::Plant> plants, const char* bug) const {
    fs::create_directory(path("rtl"));
    for (const auto& built : fs::directory_iterator(RTL_BUILT))
      fs::create_symlink(built.path(), path("rtl/" + built.path().filename().string()));
    const std::string file = path("rtl/" + module + ".so");
    fs::remove(file);
    ASSERT_EQ(std::system(("cc -shared -fPIC sim/tests/planted_rtl.c -o " + file).c_str()), 0);
    setenv("RTL_BUILT", RTL_BUILT, 1);
    setenv("RTL_PLANT", std::to_string(cosim::plant_number(plants, bug)).c_str(), 1);
    setenv("ODONATA_RTL_DIR", path("rtl").c_str(), 1);
  }
  void TearDown() override {
    for (const char* name : {"RTL_BUILT", "RTL_PLANT", "ODONATA_RTL_DIR"}) unsetenv(name);
    ProgramTest::TearDown();
  }
  /// Runs a command that finds what is wrong; its text holds `words`.
  Json fails(const std::string& command, const std::string& words) const {
    const std::string json = path("result.json");
    const Ran ran = run(command + " --json " + json);
    EXPECT_EQ(ran.exit_code, 1) << ran.err;
    EXPECT_EQ(ran.err, "");
    EXPECT_NE(ran.out.find(words), std::string::npos) << ran.out;
    Json out = Json::parse(read_text(json));
    EXPECT_EQ(out["verdict"], "fail");
    return out;
  }
};

TEST_F(PlantedRtl, WithoutABugItIsWhatItIs) {
  plant("arb_request_n3", {}, "");
  const Json out = run_json("arb-timing --dims 3 --queues 4");
  EXPECT_EQ(out["verdict"], "pass");
  EXPECT_EQ(out["rows"][1]["levels"], "golden systemc rtl");
}

TEST_F(PlantedRtl, APortThatAsksLate) {
  plant("arb_request_n3", cosim::arb_request_plants(), "window-by-one");
  const Json out = fails("arb-timing --dims 3 --queues 4", "subset 2: rtl does not do what golden does");
  EXPECT_EQ(out["problems"], Json({"subset 2: rtl does not do what golden does"}));
  for (const Json& row : out["rows"]) {
    const bool built = row["subset"] == 2;
    EXPECT_EQ(row["levels_agree"], !built);
    EXPECT_EQ(row["verdict"], built ? "fail" : "pass");
  }
}

/// A port that stops to ask ends a measurement, which would wait for its grants for ever.
TEST_F(PlantedRtl, APortThatGetsStuck) {
  plant("arb_request_n3", cosim::arb_request_plants(), "lane-overrun");
  fails("arb-timing --dims 3 --queues 4 --packets 200",
        "subset 2: rtl (does not ask any more) does not do what golden does");
}

TEST_F(PlantedRtl, AFaultRouterWithOtherCycles) {
  plant("fault_router_tiny", cosim::fault_plants(), "travel-one-short");
  const Json out = fails("fault-timing --size tiny", "rtl: not the cycles of golden\n");
  EXPECT_EQ(out["problems"], Json({"rtl: not the cycles of the specification", "rtl: not the cycles of golden"}));
  EXPECT_EQ(out["levels"]["rtl"]["t_ld"], 34) << "it is shown with its own cycles: two steps less";
  EXPECT_EQ(out["report"][0]["rows"][0], Json({"t_ld: link down", "about 1300", "36", "36", "36", "34"}));
}

TEST_F(PlantedRtl, AFaultRouterThatServesForEver) {
  plant("fault_router_tiny", cosim::fault_plants(), "travel-skips-row");
  const Json out = fails("fault-timing --size tiny", "rtl: a command of the router does not end\n");
  EXPECT_FALSE(out["levels"].contains("rtl"));
  EXPECT_TRUE(out["levels"].contains("systemc"));
}

/// The cycles of the network are those of the model; only what the router has beside its golden model differs.
TEST_F(PlantedRtl, AFaultRouterThatDiffersInside) {
  plant("fault_router_tiny", cosim::fault_plants(), "poll-no-wrap");
  const Json out = fails("fault --size tiny --fail global:G0-G2 --device rtl",
                         " cycles compared with its golden model, 115 different");
  EXPECT_EQ(out["hardware"]["difference"], "");
  EXPECT_EQ(out["hardware"]["rtl_different"], 115);
}

/// What its neighbours cannot take stops the kernel: a difference, no error of the program.
TEST_F(PlantedRtl, AFaultRouterThatFloodsALink) {
  plant("fault_router_tiny", cosim::fault_plants(), "queue-overwrites");
  fails("fault --size tiny --fail global:G0-G2 --device rtl", "DIFFERENT. network.link_0_2: an input FIFO has no room");
}

/// A router that tells something for ever ends the comparison; a right one that is soon quiet is not taken for one.
TEST_F(PlantedRtl, AFaultRouterThatIsNeverQuiet) {
  plant("fault_router_tiny", cosim::fault_plants(), "fifo-pop-uncounted");
  fails("fault --size tiny --fail local:G0.s0-G0.s1@50 --repair all@3000 --device rtl --device-at G0.s1",
        "DIFFERENT. the network is never quiet");
  for (const char* network : {"--size tiny", "--dragonfly 1,2,1,3", "--dragonfly 1,2,1,2"}) {
    for (const char* fault : {"global:G0-G1", "node:G0.s0.n0"}) {
      for (const int latency : {1, 20, 40, 60, 80, 95}) {
        const Ran ran =
            run(fmt::format("fault {} --hardware native --local-latency 1 --global-latency {} --fail {} "
                            "--device systemc",
                            network, latency, fault));
        EXPECT_EQ(ran.exit_code, 0) << network << " " << fault << " " << latency << ran.out << ran.err;
      }
    }
  }
}

TEST_F(PlantedRtl, ADataPathThatIsLate) {
  plant("router_data_tiny", cosim::router_plants(), "answer-a-cycle-late");
  const Json out = fails("pipeline --block router --size tiny --requests 100",
                         "arrival to grant: route compute                   4       4        4      5\n");
  EXPECT_EQ(out["levels"]["systemc"]["grant"]["max"], 4);
  EXPECT_EQ(out["levels"]["rtl"]["grant"]["max"], 5);
}

TEST_F(PlantedRtl, ADataPathThatSendsWhatWasNotGranted) {
  plant("router_data_tiny", cosim::router_plants(), "pick-never-wraps");
  fails("crosscheck --size tiny --cycles 500 --load 0.4 --route-compute arrival --fifo 64 --device rtl --at 1.1",
        "The SystemC network stops\n  SystemC: network.router_5: the data path sends a flit that was not granted");
}

}  // namespace
}  // namespace odonata::cli
