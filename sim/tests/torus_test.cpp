// SPDX-License-Identifier: Apache-2.0
// `odonata route --torus`, `odonata deadlock --torus`, `odonata fault --torus`: worked examples, keys, manners.
#include <gtest/gtest.h>

#include "models/common/error.h"
#include "sim/tests/run_program.h"
#include "sim/torus/torus_result.h"

namespace odonata::cli {
namespace {

using TorusRoute = ProgramTest;
using TorusDeadlock = ProgramTest;
using TorusFault = ProgramTest;
using TorusNet = ProgramTest;
using TorusManners = ProgramTest;

torus::FaultMap map_of(const std::string& torus, const std::string& fail) {
  TorusOptions o;
  o.torus = torus;
  o.fail = {fail};
  return o.map();
}

TEST(TorusResult, RouteTellsEveryHop) {
  const torus::FaultMap map = map_of("10x10", "node:4,4");
  const Json r = torus_route(map, torus::Variant::kSafe6, map.torus().node(2, 4), map.torus().node(6, 4));
  EXPECT_EQ(r["outcome"], "delivered");
  EXPECT_EQ(r["links"], 6);
  EXPECT_EQ(r["hops"].size(), 6u);
  EXPECT_EQ(r["hops"][1].dump(),
            R"({"at":[3,4],"out":"y-","vc":"y0,1","header":{"dim":"x","dir":"+","around":"-","back":false}})");
  EXPECT_EQ(r["end"], Json::array({6, 4}));
  const Json stuck = torus_route(map, torus::Variant::kPrinted, map.torus().node(4, 2), map.torus().node(4, 6));
  EXPECT_EQ(stuck["outcome"], "stuck");
  EXPECT_EQ(stuck["end"], Json::array({3, 6}));
  EXPECT_THROW(torus_route(map, torus::Variant::kSafe6, 0, 44), Error) << "a disabled destination";
  EXPECT_THROW(torus_route(map, torus::Variant::kSafe6, 44, 0), Error) << "a disabled source";
}

// docs/torus.md §6, hop by hop, with every key of the JSON.
TEST_F(TorusRoute, WorkedExamples) {
  const Json r = run_json("route --torus 10x10 --fail node:4,4 --from 4,2 --to 4,6 --routing torus_safe6");
  EXPECT_EQ(r["outcome"], "delivered");
  EXPECT_EQ(r["verdict"], "pass");
  EXPECT_EQ(r["links"], 6);
  EXPECT_EQ(r["from"], Json::array({4, 2}));
  EXPECT_EQ(r["to"], Json::array({4, 6}));
  EXPECT_EQ(r["end"], Json::array({4, 6}));
  EXPECT_EQ(r["routing"], "safe6");
  EXPECT_EQ(r["torus"], "10x10");
  EXPECT_EQ(r["rule"], "any");
  EXPECT_EQ(r["healthy"], 99);
  ASSERT_EQ(r["hops"].size(), 6u);
  const Json& first = r["hops"][0];
  EXPECT_EQ(first.dump(),
            R"({"at":[4,2],"out":"y+","vc":"y0,0","header":{"dim":"y","dir":"+","around":"-","back":false}})");
  std::string way;
  for (const Json& h : r["hops"])
    way += h["out"].get<std::string>() + " " + h["vc"].get<std::string>() + (h["header"]["back"] ? "b " : " ");
  EXPECT_EQ(way, "y+ y0,0 x- x0,1 y+ y0,0b y+ y0,0b x+ x0,1b y+ y0,0 ");
  EXPECT_EQ(r["headline"], "(4,2) to (4,6) on torus 10x10, torus_safe6: delivered after 6 links");

  const Json across = run_json("route --torus 10x10 --fail node:4,4 --from 2,4 --to 6,4 --routing torus_safe6");
  EXPECT_EQ(across["links"], 6);
  EXPECT_EQ(across["hops"][1]["vc"], "y0,1");
  EXPECT_EQ(run_json("route --torus 10x10 --from 2,4 --to 6,4")["routing"], "safe6_ring") << "the default";
  expect_refused(run("route --torus 5x5 --from 1,1 --to 1,1"), "--to: '1,1' is the node that --from names");
}

TEST_F(TorusRoute, EveryOutcome) {
  const Json stuck = run_json("route --torus 10x10 --fail node:4,4 --from 4,2 --to 4,6 --routing torus_printed", 1);
  EXPECT_EQ(stuck["outcome"], "stuck");
  EXPECT_EQ(stuck["end"], Json::array({3, 6}));
  EXPECT_EQ(stuck["verdict"], "fail");
  EXPECT_EQ(run_json("route --torus 4x4 --fail node:0,1 --fail node:2,1 --from 0,0 --to 0,2 --routing torus_printed",
                     1)["outcome"],
            "livelock");
  EXPECT_EQ(run_json("route --torus 10x10 --fail node:4,4 --from 2,4 --to 6,4 --routing ecube", 1)["outcome"],
            "dropped");
  const std::string two_walls = "--fail \"link:0,0,x+;link:0,1,x+;link:0,2,x+;link:2,0,x+;link:2,1,x+;link:2,2,x+\"";
  EXPECT_EQ(run_json("route --torus 4x3 " + two_walls + " --from 0,0 --to 1,0")["outcome"], "unreachable");
  EXPECT_EQ(run_json("route --torus 4x3 " + two_walls + " --from 0,0 --to 3,0")["outcome"], "delivered");
}

TEST_F(TorusDeadlock, TheMinimalCycle) {
  const Json r = run_json("deadlock --torus 5x5 --fail \"node:0,0;node:3,1\" --routing torus_ring6", 1);
  EXPECT_EQ(r["acyclic"], false);
  EXPECT_EQ(r["cycle"].size(), 7u);
  EXPECT_EQ(r["cycle"][0]["holds"].size(), 3u);
  EXPECT_EQ(r["pairs"], 23 * 22);
  EXPECT_EQ(r["lost_pairs"], 0);
  EXPECT_EQ(r["unreachable_pairs"], 0);
  EXPECT_GT(r["channels"], 100);
  EXPECT_GT(r["dependencies"], r["channels"]);
  const Json safe =
      run_json("deadlock --torus 5x5 --fail node:0,0 --fail node:3,1 --routing torus_safe6_ring --to-disabled");
  EXPECT_EQ(safe["acyclic"], true);
  EXPECT_EQ(safe["verdict"], "pass");
  const Json printed = run_json("deadlock --torus 10x10 --fail node:4,4 --routing printed", 1);
  EXPECT_GT(printed["lost_pairs"], 100);
  EXPECT_EQ(printed["lost_pairs"], printed["stuck"]);
}

TEST_F(TorusDeadlock, EverySetOfFaultyNodes) {
  const Json r = run_json("deadlock --torus 4x4 --all-sets --to-disabled --rule dim");
  EXPECT_EQ(r["sets"], 1041);
  EXPECT_EQ(r["cyclic_sets"], 0);
  EXPECT_EQ(r["incomplete_sets"], 0);
  EXPECT_EQ(r["unreachable_pairs"], 128);
  const Json ring6 = run_json("deadlock --torus 5x4 --all-sets --routing ring6", 1);
  EXPECT_GT(ring6["cyclic_sets"], 0);
  EXPECT_FALSE(ring6["example"].empty());
  const Json first = run_json("deadlock --torus 4x4 --routing printed --all-sets", 1);
  EXPECT_EQ(first["example"].dump(), "[[0,1]]") << "of the first set that loses a pair";
}

TEST_F(TorusFault, RegionsRoundsAndCycles) {
  const Json r = run_json("fault --torus 10x10 --fail \"node:3,5;node:5,5\"");
  EXPECT_EQ(r["rounds"], 1);
  EXPECT_EQ(r["healthy"], 97);
  EXPECT_EQ(r["marked_in_round"][5].dump(), "[-1,-1,-1,0,1,0,-1,-1,-1,-1]");
  EXPECT_EQ(r["regions"].dump(), R"([{"first":[3,5],"extent":[3,1],"nodes":3}])");
  EXPECT_EQ(r["walls"].dump(), R"({"x":[],"y":[]})");
  EXPECT_EQ(r["cycles"]["blocked_ports"], 2) << "a round, and an edge for the ports";
  EXPECT_GE(r["cycles"]["total"], r["cycles"]["blocked_ports"]);
  const Json wall = run_json("fault --torus 4x4 --fail node:0,1 --fail node:2,1");
  EXPECT_EQ(wall["walls"]["y"].dump(), "[0,1]");
  EXPECT_EQ(run_json("fault --torus 4x4 --fail node:0,1 --fail node:2,1 --rule dim")["walls"]["y"].dump(), "[]");
}

TEST_F(TorusNet, RunsAndNamesWhatItRan) {
  const std::string run = " --load 0.01 --warmup 200 --cycles 20000 --seed 2";
  const Json r = run_json("net --torus 10x10" + run);
  EXPECT_EQ(r["topology"].dump(), R"({"kind":"torus","name":"torus 10x10","nodes":100})");
  EXPECT_EQ(r["routing"], "torus_safe6_ring");
  EXPECT_EQ(r["parameters"]["packet"], "32") << "DWZ §4";
  EXPECT_EQ(r["parameters"]["depth"], 128) << "DWZ §4";
  EXPECT_EQ(r["parameters"]["rule"], "any");
  EXPECT_EQ(r["verdict"], "pass");
  EXPECT_EQ(r["lost"], 0);
  EXPECT_GT(r["latency"]["mean"].get<double>(), 48.0);
  EXPECT_LT(r["latency"]["mean"].get<double>(), 52.0) << "49.15 at zero load";
  EXPECT_EQ(run_json("net --topology torus:10x10" + run)["digest"], r["digest"]);
  const Json faulty = run_json("net --torus 10x10 --fail \"node:3,5;node:5,5\" --fail link:8,8,x+" + run);
  EXPECT_EQ(faulty["torus"].dump(), R"({"name":"10x10","fail":["node:3,5","node:5,5","link:8,8,x+"],"healthy":97})");
  EXPECT_NE(faulty["digest"], r["digest"]);
  EXPECT_EQ(faulty["lost"], 0);
  EXPECT_EQ(run_json("net --torus 10x10 --fail node:3,5,node:5,5 --fail link:8,8,x+" + run)["digest"], faulty["digest"])
      << "commas between names";
  EXPECT_NE(run_json("net --torus 10x10 --rule dim --fail node:3,5 --fail node:5,5 --fail link:8,8,x+" + run)["digest"],
            faulty["digest"]);
}

TEST_F(TorusNet, FaultsAtRunTime) {
  const Json r = run_json(
      "net --torus 10x10 --fail node:4,4@600,link:1,1,y+@700 --load 0.2 --warmup 500 --cycles 2000 --timeline 100");
  EXPECT_EQ(r["faults"]["phases"]["detected"], 600);
  EXPECT_EQ(r["faults"]["quiet"], true);
  EXPECT_EQ(r["faults"]["tables_ok"], true);
  EXPECT_EQ(r["conservation_ok"], true);
  EXPECT_GT(r["lost"], 0);
  EXPECT_EQ(r["deadlock"], "");
  const Json later = run_json("net --torus 10x10 --fail node:4,4 --fail-at 600 --load 0.2 --warmup 500 --cycles 2000");
  EXPECT_EQ(later["faults"]["phases"]["detected"], 600);
}

TEST_F(TorusNet, TheRouterOfRtlAgreesAndAPlantIsFound) {
  const std::string net =
      "net --torus 4x4 --fail node:1,1 --fail link:3,2,y+@700 --load 0.2 --packet 4 --warmup 300 --cycles 1500 "
      "--device rtl --at 2,1";
  const Json r = run_json(net);
  EXPECT_GT(r["compared"], 100);
  EXPECT_EQ(r["verdict"], "pass");
  EXPECT_EQ(r["parameters"]["route-compute"], "arrival");
  const Ran planted = run(net + " --plant side-swap");
  EXPECT_EQ(planted.exit_code, 1) << planted.out;
  EXPECT_NE(planted.out.find("Mismatch after"), std::string::npos) << planted.out;
}

/// A wall between two columns or rows is an input of the RTL, too: packets go the other way round their ring.
TEST_F(TorusNet, TheRouterOfRtlKnowsWalls) {
  const auto links = [](const Json& r) {
    double out = 0;
    for (size_t n = 0; n < r["hops"].size(); ++n) out += static_cast<double>(n) * r["hops"][n].get<double>();
    return out;
  };
  const double without = links(run_json("net --torus 4x4 --load 0.2 --warmup 300 --cycles 8000"));
  for (const char* wall :
       {"\"link:0,0,x+;link:0,1,x+;link:0,2,x+;link:0,3,x+\"", "\"link:0,0,y+;link:1,0,y+;link:2,0,y+;link:3,0,y+\""}) {
    const std::string net = "net --torus 4x4 --load 0.2 --warmup 300 --cycles 8000 --device rtl --at 2,2 --fail ";
    const Json r = run_json(net + wall);
    EXPECT_GT(r["compared"], 100) << wall;
    EXPECT_EQ(r["verdict"], "pass") << wall;
    EXPECT_GT(links(r), without) << wall;
  }
}

TEST_F(TorusNet, ARouterOfThreeDimensionsInRtl) {
  const std::string net =
      "net --torus 4x4x4 --rule dim --fail \"node:1,1,1;link:3,2,0,z+\" --load 0.2 --packet 4 --warmup 300 --cycles "
      "1500 --device rtl --at 2,1,1";
  const Json r = run_json(net);
  EXPECT_GT(r["compared"], 100);
  EXPECT_EQ(r["verdict"], "pass");
  EXPECT_EQ(r["parameters"]["route-compute"], "arrival");
  const Ran planted = run(net + " --plant box-port-of-first");
  EXPECT_EQ(planted.exit_code, 1) << planted.out;
  EXPECT_NE(planted.out.find("Mismatch after"), std::string::npos) << planted.out;
}

TEST_F(TorusNet, CrossCheckAndAPlant) {
  const std::string check =
      "crosscheck --torus 4x4 --packet 6 --load 0.4 --cycles 500 --fail node:1,1 --fail link:3,2,y+@200";
  const Json r = run_json(check);
  EXPECT_EQ(r["verdict"], "pass");
  EXPECT_GT(r["packets"], 200);
  EXPECT_EQ(run(check + " --plant late-route").exit_code, 1);
  EXPECT_EQ(
      run_json("crosscheck --torus 4x3x3 --rule dim --packet 4 --load 0.3 --cycles 300 --random-faults")["verdict"],
      "pass");
  const std::string help = run("crosscheck --help").out;  // in lines of any length
  for (const char* plant : {"late-route", "always-fresh", "other-plane", "early-credit"})
    EXPECT_NE(help.find(plant), std::string::npos) << plant;
}

/// Runs of walls go on changing when every router decides as it will: that is not what `net` calls diagnosed.
TEST_F(TorusFault, EveryRouterKnowsWhenTheNetworkSaysSo) {
  int at_rest_later = 0;
  for (const char* rule : {"any", "dim"}) {
    for (const char* name : {"node:2,2", "node:0,0", "link:1,1,x+", "link:5,3,y+"}) {
      const std::string common = std::string(" --torus 6x6 --rule ") + rule + " --fail " + name;
      const Json cycles = run_json("fault" + common)["cycles"];
      const Json net = run_json("net" + common + "@1000 --load 0.1 --warmup 500 --cycles 1000");
      EXPECT_EQ(net["faults"]["phases"]["diagnosis_done"], 1000 + cycles["known"].get<int>()) << common;
      EXPECT_EQ(run_json("fault-study" + std::string(" --torus 6x6 --faults 1 --samples 5 --class ") +
                         (name[0] == 'n' ? "node" : "link") + " --rule " +
                         rule)["classes"][name[0] == 'n' ? "node" : "link"]["known"]["max"],
                cycles["known"])
          << common << ": all alike";
      at_rest_later += cycles["total"] > cycles["known"];
    }
  }
  EXPECT_GT(at_rest_later, 0);
  // Two nodes beside each other part no ring and mark nobody; their neighbours see them after an edge. Which side is
  // the shorter one takes longer, and one routing asks.
  const Json cycles = run_json("fault --torus 6x6 --fail 'node:2,2;node:2,3'")["cycles"];
  EXPECT_EQ(cycles["known"], 1);
  EXPECT_EQ(cycles["sides"], 4);
  for (const char* routing : {"torus_safe6_ring", "torus_safe6", "ecube", "torus_safe6_short"}) {
    const Json net = run_json(
        "net --torus 6x6 --load 0.05 --packet 4 --warmup 100 --cycles 1000 --fail 'node:2,2@500;node:2,3@500' "
        "--routing " +
        std::string(routing));
    EXPECT_EQ(net["faults"]["phases"]["diagnosis_done"], std::string(routing) == "torus_safe6_short" ? 504 : 501)
        << routing;
  }
}

/// Nodes that are dead from the start share no load, also not over time.
TEST_F(TorusFault, ThroughputOverTimeIsThatOfHealthyNodes) {
  const Json r = run_json(
      "net --torus 4x4 --fail node:1,1 --fail node:2,2 --load 0.2 --warmup 1000 --cycles 3000 "
      "--timeline 100");
  double flits = 0, cycles = 0;
  for (const Json& i : r["timeline"]) {
    const double length = i["last"].get<double>() - i["first"].get<double>();
    if (i["first"] < 1000 || i["last"] > 4000) continue;
    flits += i["throughput"].get<double>() * length, cycles += length;
  }
  ASSERT_EQ(cycles, 3000);
  EXPECT_NEAR(flits / cycles, r["accepted"].get<double>(), 1.0 / 3000) << "the ends differ by a cycle";
}

TEST_F(TorusFault, StudyOfRandomSets) {
  const Json r = run_json("fault-study --torus 10x10 --faults 5 --samples 300 --class node");
  const Json& node = r["classes"]["node"];
  EXPECT_EQ(node["samples"], 300);
  EXPECT_EQ(node["rounds"]["p50"], 1);  // docs/notes/2026-11-23-torus.md: 1.9 nodes disabled in the mean
  EXPECT_NEAR(node["disabled"]["mean"].get<double>(), 1.9, 0.6);
  EXPECT_GE(node["total"]["min"], node["rounds"]["min"]);
  EXPECT_FALSE(r["classes"].contains("link"));
  EXPECT_EQ(run_json("fault-study --torus 10x10 --faults 5 --samples 300 --class node")["classes"], r["classes"]);
  const Json one = run_json("fault-study --torus 6x5 --samples 20");
  EXPECT_EQ(one["classes"]["link"]["rounds"]["max"], 0);
  EXPECT_EQ(one["classes"]["node"]["total"]["min"], one["classes"]["node"]["total"]["max"])
      << "a torus looks the same from everywhere";
}

/// Marks and walls each have their last edge; the later one is the end. A link has walls though no node is marked.
TEST_F(TorusFault, StudyTellsMarksFromWalls) {
  const Json r = run_json("fault-study --torus 6x5 --faults 1 --samples 20");
  const Json &node = r["classes"]["node"], &link = r["classes"]["link"];
  EXPECT_GT(link["walls"]["min"], link["marks"]["max"]);
  for (const Json* of : {&node, &link})
    EXPECT_EQ((*of)["total"]["max"], std::max((*of)["marks"]["max"].get<int>(), (*of)["walls"]["max"].get<int>()));
}

/// Links over time name the faults that stand from the start, too.
TEST_F(TorusNet, APictureOfTheLinksShowsStandingFaults) {
  const Json r = run_json(
      "net --torus 5x4 --load 0.1 --warmup 0 --cycles 2000 --timeline 500 --fail node:1,1 --fail \"link:3,2,x+@900\"");
  const Json& faults = r["link_windows"]["faults"];
  ASSERT_EQ(faults.size(), 2u);
  EXPECT_EQ(faults[0]["cycle"], 0);
  EXPECT_EQ(faults[0]["from"], 1 + 5 * 1);
  EXPECT_FALSE(faults[0].contains("to"));
  EXPECT_EQ(faults[1]["cycle"], 900);
  EXPECT_EQ(faults[1]["from"], 3 + 5 * 2);
  EXPECT_EQ(faults[1]["to"], 4 + 5 * 2);
}

// docs/torus.md §13
TEST_F(TorusDeadlock, ThreeDimensions) {
  const std::string scene = " --torus 4x4x4 --rule dim --fail \"node:1,1,1;node:2,2,1;link:0,3,2,z+\"";
  const Json r = run_json("deadlock" + scene + " --to-disabled");
  EXPECT_EQ(r["acyclic"], true);
  EXPECT_EQ(r["lost_pairs"], 0);
  EXPECT_EQ(r["unreachable_pairs"], 0);
  EXPECT_EQ(r["pairs"], r["healthy"].get<int>() * (r["healthy"].get<int>() - 1));
  const Json way = run_json("route" + scene + " --from 0,1,1 --to 3,1,2");
  EXPECT_EQ(way["outcome"], "delivered");
  EXPECT_EQ(way["hops"].size(), way["links"]);
  const Json net = run_json("net" + scene + " --load 0.1 --warmup 300 --cycles 1500");
  EXPECT_EQ(net["deadlock"], "");
  EXPECT_TRUE(net["conservation_ok"]);
}

// docs/torus.md §3 in three dimensions: a node between two faults of different dimensions is marked; regions are boxes.
TEST_F(TorusFault, ThreeDimensions) {
  const Json r = run_json("fault --torus 5x4x3 --rule dim --fail \"node:1,1,1;node:2,2,1;link:4,3,2,z+\"");
  EXPECT_EQ(r["rounds"], 1);
  EXPECT_EQ(r["regions"].dump(), R"([{"first":[1,1,1],"extent":[2,2,1],"nodes":4}])");
  EXPECT_EQ(r["healthy"], 56);
  EXPECT_EQ(r["marked_in_round"].size(), 3u) << "[z][y][x]";
  EXPECT_EQ(r["marked_in_round"][1].dump(), "[[-1,-1,-1,-1,-1],[-1,0,1,-1,-1],[-1,1,0,-1,-1],[-1,-1,-1,-1,-1]]");
  EXPECT_EQ(r["walls"].dump(), R"({"x":[],"y":[],"z":[]})");
  EXPECT_FALSE(r.contains("cycles")) << "three dimensions have no units";
  const std::string text = run("fault --torus 5x4x3 --rule dim --fail \"node:1,1,1;node:2,2,1\"").out;
  EXPECT_NE(text.find("  z = 1\n  . . . . .\n  . 1 # . .\n  . # 1 . .\n  . . . . .\n"), std::string::npos) << text;
  EXPECT_NE(text.find("Region at (1,1,1), 2 x 2 x 1"), std::string::npos) << text;
  // A corner of three faults fills the box in two rounds, over the wrap links.
  const Json box = run_json("fault --torus 4x4x4 --rule dim --fail node:3,0,0 --fail node:0,3,0 --fail node:0,0,3");
  EXPECT_EQ(box["regions"].dump(), R"([{"first":[3,3,3],"extent":[2,2,2],"nodes":8}])");
  EXPECT_EQ(box["rounds"], 2);
}

TEST_F(TorusManners, BadInputIsRefusedInOneLine) {
  expect_refused(run("net --torus 4x4 --device rtl"), "--at X,Y");
  expect_refused(run("net --torus 4x4 --device rtl --at 4,0"), "--at");
  expect_refused(run("net --torus 4x4 --at 1,0"), "--device rtl");
  expect_refused(run("net --torus 6x6 --device rtl --at 1,0"), "no RTL of torus_route was built for");
  expect_refused(run("net --torus 4x4 --device rtl --at 1,0 --routing ecube"), "has no hardware");
  expect_refused(run("net --torus 4x4 --route-compute pipeline"), "a torus knows ideal and arrival");
  expect_refused(run("net --fat-tree 4,4,2,2 --route-compute pipeline"), "a fat_tree knows ideal and arrival");
  expect_refused(run("net --fat-tree 4,4,2,2 --routing xy --route-compute arrival"),
                 "routing 'xy' has no route-compute pipeline, expected vtftr");
  expect_refused(run("crosscheck --torus 4x4 --routing ecube"), "no hardware");
  expect_refused(run("crosscheck --torus 4x4x4 --load 0.1 --cycles 100 --plant unmarked"), "unmarked");
  expect_refused(run("fault --torus 4x4x4 --fail node:0,0,0"), "--rule dim");
  expect_refused(run("fault --torus 4x4x4 --rule dim --fail node:0,0"), "expected 3 coordinates");
  expect_refused(
      run("fault --torus 3x3x3 --rule dim --fail \"node:0,0,0;node:1,1,0;node:2,2,0;node:0,0,1;node:1,1,2\""),
      "disable every node");
  expect_refused(run("net --torus 5x5 --traffic bitcomp"), "torus 5x5 has 25");
  expect_refused(run("net --torus 4x8 --traffic transpose"), "torus 4x8 has 32");
  expect_refused(run("net --torus 4x4 --traffic hotspot"), "unknown on a torus");
  expect_refused(run("net --torus 64x64x64"), "262144 nodes");
  expect_refused(run("net --torus 4x4x4 --device rtl --at 0,0"), "expected A,B,C");
  expect_refused(run("net --torus 4x4x4 --device rtl --at 0,0,4"), "--at");
  expect_refused(run("net --torus 4x4x3 --device rtl --at 0,0,0"), "no RTL of torus_box was built for");
  expect_refused(run("fault-study --torus 4x4 --faults 17"), "--faults");
  expect_refused(run("fault-study --torus 4x4x4"), "two dimensions");
  expect_refused(run("fault-study --torus 4x4 --class router"), "expected node, link");
  expect_refused(run("fault-study --torus 4x4 --banks 2"), "--banks");
  expect_refused(run("deadlock --torus 2x5"), "torus");
  expect_refused(run("deadlock --torus 5by5"), "torus");
  expect_refused(run("deadlock --torus 4x4x4"), "--rule dim");
  expect_refused(run("deadlock --torus 4x4x4 --rule dim --routing torus_safe4"), "torus_boxes only");
  expect_refused(run("route --torus 4x4x4 --rule dim --fail node:1,1,1 --from 0,0,0 --to 1,1,1"), "disabled");
  expect_refused(run("net --torus 4x4x4 --rule any --fail node:0,0,0"), "--rule any");
  expect_refused(run("deadlock --torus 5x5 --fail node:5,0"), "node");
  expect_refused(run("deadlock --torus 5x5 --fail link:0,0,z+"), "link");
  expect_refused(run("deadlock --torus 5x5 --routing torus_fast"), "routing");
  expect_refused(run("deadlock --torus 5x5 --rule both"), "--rule");
  expect_refused(run("deadlock --rule any"), "--torus");
  expect_refused(run("deadlock --torus 6x6 --all-sets"), "torus");
  expect_refused(run("fault --torus 4x4 --fail \"node:0,1;node:2,1;node:1,3\""), "disable every node");
  expect_refused(run("fault --torus 4x4 --fail router:G2.s0"), "fault");
  expect_refused(run("net --torus 2x4"), "outside 3..64");
  expect_refused(run("net --torus 4x4 --mesh 4x4"), "--mesh and --torus");
  expect_refused(run("net --torus 4x4 --fail node:4,0"), "4,0");
  expect_refused(run("net --torus 4x4 --fail global:G0-G1"), "node:3,5");
  expect_refused(run("net --torus 4x4 --fail node:0,1 --fail node:2,1 --fail node:1,3"), "leave 0 nodes");
  expect_refused(run("net --torus 4x4 --vcs 4"), "virtual channels");
  expect_refused(run("net --torus 4x4 --mode paper"), "--mode");
  expect_refused(run("net --mesh 4x4 --rule dim"), "--rule");
  expect_refused(run("net --torus 4x4 --routing torus_safe4 --rule dim --fail node:1,1"), "rule any only");
  expect_refused(run("net --torus 4x4 --fail node:1,1@600 --repair all --repair-at 900"), "marks of a torus only grow");
  expect_refused(run("net --torus 4x4 --routing torus_fast"), "unknown on a torus");
  expect_refused(run("route --torus 10x10 --from 2,4"), "--to");
  expect_refused(run("route --torus 10x10 --from 2,4 --to 10,4"), "10,4");
  expect_refused(run("route --torus 10x10 --from 0,1,0 --to 6,4"), "0,1,0");
  expect_refused(run("route --torus 10x10 --fail node:4,4 --from 4,4 --to 6,4"), "source (4,4) is disabled");
  expect_refused(run("route --torus 10x10 --fail \"node:3,5;node:5,5\" --from 0,0 --to 4,5"),
                 "destination (4,5) is disabled");
  expect_refused(run("route --torus 4x4 --fail \"node:0,1;node:2,1;node:1,3\" --from 0,0 --to 1,0"),
                 "disable every node");
  expect_refused(run("route --torus 2x4 --from 0,0 --to 1,0"), "torus");
  expect_refused(run("route --torus 10x10 --from 0,0 --to 1,0 --routing torus_fast"), "routing");
  expect_refused(run("route --torus 10x10 --size tiny --from 0,0 --to 1,0"), "--size");
  expect_refused(run("route --torus 10x10 --failed global:G0-G1 --from 0,0 --to 1,0"), "--failed");
  expect_refused(run("route --from 0,0 --to 1,0 --rule dim"), "--torus");
}

}  // namespace
}  // namespace odonata::cli
