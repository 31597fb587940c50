// SPDX-License-Identifier: Apache-2.0
// `odonata deadlock --torus`, `odonata fault --torus`, and the result of a torus route: worked examples, keys, manners.
#include <gtest/gtest.h>

#include "models/common/error.h"
#include "sim/tests/run_program.h"
#include "sim/torus/torus_result.h"

namespace odonata::cli {
namespace {

using TorusDeadlock = ProgramTest;
using TorusFault = ProgramTest;
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
  EXPECT_EQ(r["hops"][1].dump(), R"({"at":[3,4],"out":"y-","vc":"y0,1","header":{"dim":"x","dir":"+","around":"-","back":false}})");
  EXPECT_EQ(r["end"], Json::array({6, 4}));
  const Json stuck = torus_route(map, torus::Variant::kPrinted, map.torus().node(4, 2), map.torus().node(4, 6));
  EXPECT_EQ(stuck["outcome"], "stuck");
  EXPECT_EQ(stuck["end"], Json::array({3, 6}));
  EXPECT_THROW(torus_route(map, torus::Variant::kSafe6, 0, 44), Error) << "a disabled destination";
  EXPECT_THROW(torus_route(map, torus::Variant::kSafe6, 44, 0), Error) << "a disabled source";
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
  const Json safe = run_json("deadlock --torus 5x5 --fail node:0,0 --fail node:3,1 --routing torus_safe6_ring --to-disabled");
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

TEST_F(TorusManners, BadInputIsRefusedInOneLine) {
  expect_refused(run("deadlock --torus 2x5"), "torus");
  expect_refused(run("deadlock --torus 5by5"), "torus");
  expect_refused(run("deadlock --torus 4x4x4"), "torus");
  expect_refused(run("deadlock --torus 5x5 --fail node:5,0"), "node");
  expect_refused(run("deadlock --torus 5x5 --fail link:0,0,z+"), "link");
  expect_refused(run("deadlock --torus 5x5 --routing torus_fast"), "routing");
  expect_refused(run("deadlock --torus 5x5 --rule both"), "--rule");
  expect_refused(run("deadlock --rule any"), "--torus");
  expect_refused(run("deadlock --torus 6x6 --all-sets"), "torus");
  expect_refused(run("fault --torus 4x4 --fail \"node:0,1;node:2,1;node:1,3\""), "disable every node");
  expect_refused(run("fault --torus 4x4 --fail router:G2.s0"), "fault");
}

}  // namespace
}  // namespace odonata::cli
