// SPDX-License-Identifier: Apache-2.0
// `odonata net` with faults and with RTL in the loop of a dragonfly, and `odonata crosscheck`, as a person runs them.
#include <set>

#include "sim/tests/run_program.h"

namespace odonata::cli {
namespace {

class NetCommand : public ProgramTest {};

constexpr const char* kShort = "net --size tiny --load 0.3 --warmup 500 --cycles 3000 ";

TEST_F(NetCommand, ALinkFailsAndRecovers) {
  const Json out =
      run_json(std::string(kShort) +
               "--fail global:G0-G2@700 --repair all --repair-at 2500 --hardware native --timeline 100 --drain 2000");
  EXPECT_TRUE(out["conservation_ok"].get<bool>());
  EXPECT_GT(out["lost"].get<int>(), 0);
  EXPECT_GT(out["fd_total"].get<int>(), 0);
  EXPECT_GT(out["fr_total"].get<int>(), 0);
  EXPECT_EQ(out["faults"]["phases"]["detected"], 700);
  EXPECT_LT(out["faults"]["phases"]["recovery_write"], out["faults"]["phases"]["recovery_done"]);
  EXPECT_FALSE(out["timeline"].empty());
}

/// What failed, between which routers, in the windows of link loads: the same with checkpoints, which cut the network.
TEST_F(NetCommand, FaultsOfLinkWindows) {
  const auto faults = [&](const std::string& words) { return run_json("net " + words)["link_windows"]["faults"]; };
  const std::string torus = "--torus 5x5 --load 0.1 --warmup 0 --cycles 900 --timeline 100 --fail ";
  const Json link{{"name", "link:1,1,x+"}, {"cycle", 300}, {"repair", false}, {"from", 6}, {"to", 7}};
  EXPECT_EQ(faults(torus + "link:1,1,x+@300"), Json::array({link}));
  EXPECT_EQ(faults(torus + "link:1,1,x+@300 --checkpoint " + path("c") + " --checkpoint-every 400"),
            Json::array({link}));
  EXPECT_EQ(faults(torus + "node:1,1@300")[0]["name"], "node:1,1");
  const Json repaired = faults(
      "--size tiny --load 0.1 --warmup 500 --cycles 3000 --fail global:G0-G2@700 --repair all "
      "--repair-at 2500 --timeline 100");
  ASSERT_EQ(repaired.size(), 2U);
  EXPECT_EQ(repaired[0], (Json{{"name", "global:G0-G2"}, {"cycle", 700}, {"repair", false}, {"from", 1}, {"to", 8}}));
  EXPECT_EQ(repaired[1], (Json{{"name", "global:G0-G2"}, {"cycle", 2500}, {"repair", true}, {"from", 1}, {"to", 8}}));
}

/// No two routers of the picture of link loads lie on each other, whatever the dimensions.
TEST_F(NetCommand, PlacesOfRoutersDiffer) {
  for (const char* fabric :
       {"--mesh 2x3x2x2", "--mesh 4x3x2", "--mesh 2x3x2x2x2x2", "--mesh 12", "--torus 3x4x5", "--torus 5x4",
        "--fat-tree 4,3,2,2", "--fat-tree 3,2,2,2,2", "--fat-tree 2,2,3,2,2,2 --vcs 4"}) {
    const Json out = run_json(std::string("net ") + fabric + " --load 0.05 --warmup 0 --cycles 300 --timeline 100");
    size_t pictures = 0;
    for (const Json& section : out["report"]) {
      if (!section.contains("places")) continue;
      const Json& places = section["places"];
      EXPECT_GT(places.size(), 10U) << fabric;
      EXPECT_EQ(std::set<Json>(places.begin(), places.end()).size(), places.size()) << fabric;
      const Json& names = section["names"];
      EXPECT_EQ(std::set<Json>(names.begin(), names.end()).size(), places.size()) << fabric;
      ++pictures;
    }
    EXPECT_EQ(pictures, 1U) << fabric;
  }
}

/// Packets for nodes that nothing leads to are refused at their sources: they are lost in no router.
TEST_F(NetCommand, WhatIsUnroutableIsLostInNoRouter) {
  const Json out = run_json(std::string(kShort) + "--fail router:G1.s1@1000");
  EXPECT_GT(out["unroutable"].get<int>(), 1000);
  EXPECT_EQ(out["lost_in_routers"], 0);
}

TEST_F(NetCommand, FaultsThatCannotBeAreRefused) {
  const std::string net = kShort;
  expect_refused(run(net + "--fail global:G0-G9"), "G9");
  expect_refused(run(net + "--fail nonsense"), "nonsense");
  expect_refused(run(net + "--fail global:G0-G2@x"), "--fail global:G0-G2@x");
  expect_refused(run(net + "--fail global:G0-G2 --repair all"), "--repair all: no cycle");
  expect_refused(run(net + "--fail router:G1.s1@600 --repair all --repair-at 700"), "repair of a router");
  expect_refused(run(net + "--fail global:G0-G2 --routing min"), "routing 'min' has no tables");
  expect_refused(run(net + "--fail global:G0-G2 --packet 2 --route-compute pipeline"), "packet_flits is 2");
  expect_refused(run(net + "--fail router:G1.s1@600 --repair all --repair-at 2800 --packet 4"), "must be 5072");
  expect_refused(run("net --mesh 4x4 --fail global:G0-G2"), "--fail: mesh 4x4 has no such parameter");
  expect_refused(run(net + "--mode brave"), "--mode");
}

TEST_F(NetCommand, TheRtlOfAPortDecidesInTheRunningNetwork) {
  const std::string command = std::string(kShort) + "--traffic adv+1 --device rtl --at 1.2.0";
  const Ran ran = run(command);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find("decisions compared at 1.2.0: RTL, golden unit and engine agree"), std::string::npos)
      << ran.out;
  const Ran nothing = run("net --size tiny --load 0 --warmup 0 --cycles 200 --device rtl --at 1.2.0");
  EXPECT_EQ(nothing.exit_code, 1);
  EXPECT_NE(nothing.out.find("Nothing was compared"), std::string::npos) << nothing.out;
}

TEST_F(NetCommand, RtlThatCannotBeIsRefused) {
  const std::string net = kShort;
  expect_refused(run(net + "--device rtl"), "need --at");
  expect_refused(run(net + "--device rtl --at 1"), "--at 1");
  expect_refused(run(net + "--device rtl --at 1.9"), "--at 1.9");
  expect_refused(run(net + "--device rtl --at 1.2.77"), "--at 1.2.77");
  expect_refused(run(net + "--device rtl --at 1.2 --plant no-such-bug"), "no-such-bug");
  expect_refused(run(net + "--device rtl --at 1.2 --routing min"), "routing 'min' has no tables");
  expect_refused(run(net + "--at 1.2"), "--at and --plant belong to");
  expect_refused(run(net + "--plant gb-gc-swap"), "--at and --plant belong to");
  expect_refused(run(net + "--record " + path("r") + " --at 1.2"), "records one port");
}

TEST_F(NetCommand, RoutesOfThePipelineComeFourCyclesLater) {
  const std::string net = "net --size tiny --load 0.01 --warmup 500 --cycles 2000 --route-compute ";
  const Json ideal = run_json(net + "ideal"), pipeline = run_json(net + "pipeline"),
             arrival = run_json(net + "arrival");
  double hops = 0;
  for (size_t n = 0; n < ideal["hops"].size(); ++n) hops += static_cast<double>(n) * ideal["hops"][n].get<double>();
  EXPECT_NEAR(pipeline["latency"]["mean"].get<double>() - ideal["latency"]["mean"].get<double>(), 4 * (hops + 1), 0.3);
  EXPECT_NEAR(arrival["latency"]["mean"].get<double>() - ideal["latency"]["mean"].get<double>(), 4 * (hops + 1), 0.3);
  const std::string busy =
      "net --size tiny --traffic adv+1 --load 0.4 --warmup 2000 --cycles 2000 --route-compute ";  // two VCs of a port
                                                                                                  // carry nearly all
  EXPECT_LT(run_json(busy + "pipeline")["accepted"].get<double>(), 0.3);
  EXPECT_GT(run_json(busy + "arrival")["accepted"].get<double>(), 0.35);
  EXPECT_EQ(run_json(net + "arrival --packet 2")["verdict"], "pass");
  expect_refused(run(net + "pipeline --routing min"), "has no route-compute pipeline");
  expect_refused(run(net + "pipeline --packet 2"), "packet_flits is 2");
  expect_refused(run("net --mesh 4x4 --route-compute pipeline"), "a mesh has no route-compute pipeline");
}

TEST_F(NetCommand, ParPhHasABiasOfItsOwn) {
  const auto digest = [this](const std::string& options) { return run_json(kShort + options)["digest"]; };
  EXPECT_EQ(digest("--routing par_ph"), digest("--routing par_ph --bias 10"));
  EXPECT_NE(digest("--routing par_ph"), digest("--routing par_ph --bias 0"));
  EXPECT_NE(digest("--routing par_ph"), digest("--routing par_ph --local-window 200 --global-window 400"))
      << "it corrects its queues by what has left";
  EXPECT_EQ(digest("--routing ugal_l"), digest("--routing ugal_l --bias 0"));
  EXPECT_NE(digest("--routing ugal_l"), digest("--routing ugal_l --bias 30"));
}

TEST_F(NetCommand, CrossCheckAgreesAndFindsAPlantedBug) {
  const Json out = run_json("crosscheck --load 0.3 --cycles 400 --random-faults");
  EXPECT_TRUE(out["passed"].get<bool>());
  EXPECT_GT(out["packets"].get<int>(), 1000);
  const Ran planted = run("crosscheck --load 0.3 --cycles 400 --plant early-credit --local-buffer 2 --traffic adv+1");
  EXPECT_EQ(planted.exit_code, 1);
  EXPECT_NE(planted.out.find("The first packet that differs"), std::string::npos) << planted.out;
  const Ran nothing = run("crosscheck --load 0 --cycles 100");
  EXPECT_EQ(nothing.exit_code, 1);
  EXPECT_NE(nothing.out.find("this is no pass"), std::string::npos) << nothing.out;
  expect_refused(run("crosscheck --plant no-such-bug"), "no-such-bug");
  expect_refused(run("crosscheck --packets 1000 --random-faults"), "--packets");
  expect_refused(run("crosscheck --routing min --cycles 100"), "has no route-compute pipeline");
  expect_refused(run("crosscheck --torus 4x4x4 --rule dim --cycles 200 --fail node:1,1,1@50"),
                 "routing 'torus_boxes' has no tables that faults change");
}

/// Whole RTL routers, alone beside the engine; and a bug planted in them.
TEST_F(NetCommand, CrosscheckOfWholeRouters) {
  const std::string hardware = "crosscheck --route-compute arrival --fifo 64 --load 0.3 --cycles 300 ";
  const std::string whole = hardware + "--device rtl --block router --around engine ";
  const Json out = run_json(whole + "--at 2.1,2.3 --fail local:G2.s1-G2.s3@100");
  EXPECT_EQ(out["verdict"], "pass");
  EXPECT_EQ(out["runs"][0]["wires"]["routers"], 4);
  EXPECT_GT(out["runs"][0]["messages"], 0);
  const Ran planted = run(whole + "--at all --fail local:G2.s1-G2.s3@100 --plant message-not-shown");
  EXPECT_EQ(planted.exit_code, 1);
  EXPECT_NE(planted.out.find("The first cycle that differs"), std::string::npos) << planted.out;
  expect_refused(run(hardware + "--block router"), "--device rtl");
  expect_refused(run(hardware + "--device rtl --at all --around engine"), "--block router");
  expect_refused(run("crosscheck --fifo 64 --device rtl --block router --at all"), "--route-compute arrival");
  expect_refused(run(hardware + "--device rtl --block router --at all --local-buffer 16"),
                 "buffer of a local port is 16, expected 32");
}

/// Of every kind of parameter one: what --help says that it takes, in which unit, and which names there are.
TEST_F(NetCommand, HelpSaysWhatAParameterTakes) {
  std::string help = run("net --help").out;  // in lines of any length
  for (size_t at = 0; (at = help.find("\n      ", at)) != std::string::npos;)
    help.replace(at, help.find_first_not_of(" \n", at) - at, " ");
  for (const char* words :
       {"--size tiny|paper|full  [paper]", "--dragonfly N,N,..", "groups\n  --arrangement direct|absolute",
        "--load FLOAT  [0.4]", "offered load (flits a node and cycle)", "--seed UINT", "--bias INT",
        "dragonfly:SIZE|P,A,H,G[/ARRANGEMENT] (nodes a router, routers a group, global ports a router, groups); ",
        "; FILE.json (", "; mesh: duato, "})
    EXPECT_NE(help.find(words), std::string::npos) << words << "\n" << help;
}

/// An interval in which nothing was measured has no point.
TEST_F(NetCommand, AChartOfATimelineHasMeasuredPoints) {
  ASSERT_EQ(run("net --size tiny --load 0.01 --warmup 0 --cycles 40 --timeline 5 --page " + path("p.html")).exit_code,
            0);
  const std::string page = read_text(path("p.html"));
  const size_t data = page.find("id=\"data\">") + 10;
  const Json sections = Json::parse(page.substr(data, page.find("</script>", data) - data))["results"][0]["report"];
  size_t points = 0, charts = 0;
  for (const Json& section : sections) {
    if (section["type"] != "lines") continue;
    ++charts;
    for (const Json& point : section["series"][0]["points"]) {
      ++points;
      EXPECT_TRUE(point[1].is_number()) << section;
    }
  }
  EXPECT_LT(points, 8 * charts);
}

/// A fault in the cycle in which the run ends, because all packets have arrived, has not come.
TEST_F(NetCommand, AFaultAtTheEndIsLate) {
  const std::string net = "net --size tiny --load 0.2 --warmup 0 --cycles 1000 --drain 5000 --fail global:G0-G1@";
  const int end = run_json(net + "5999", 1)["cycles"];
  ASSERT_LT(end, 5999);
  const Json late = run_json(net + std::to_string(end), 1);
  EXPECT_EQ(late["cycles"], end);
  EXPECT_EQ(late["faults"]["late"], 1);
  EXPECT_NE(run(net + std::to_string(end)).out.find("1 of 1 faults and repairs did not come"), std::string::npos);
  EXPECT_EQ(run_json(net + std::to_string(end - 1))["faults"]["late"], 0);
}

/// The picture of group 0: a global channel begins at the router that has its port.
TEST_F(NetCommand, GlobalChannelsOfGroupZeroBeginAtTheirRouters) {
  for (const char* arrangement : {"direct", "absolute"}) {
    const std::string net =
        std::string("net --dragonfly 2,4,3,8 --load 0.2 --cycles 500 --warmup 100 --arrangement ") + arrangement;
    const Json out = run_json(net);
    size_t links = 0;
    for (const Json& section : out["report"]) {
      if (section["title"] != "Global channels of group 0") continue;
      for (const Json& link : section["links"]) {
        const int to = link["to"][0], port = arrangement == std::string("direct") ? to : to - 1;
        EXPECT_EQ(link["from"][1], port / 3) << arrangement << ", group " << to;
        EXPECT_NEAR(link["value"].get<double>(), out["channels"]["group0"][links++].get<double>(), 1e-9);
      }
    }
    EXPECT_EQ(links, 7u) << arrangement;
  }
}

}  // namespace
}  // namespace odonata::cli
