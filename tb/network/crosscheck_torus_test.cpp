// SPDX-License-Identifier: Apache-2.0
// The network engine agrees with the torus of SystemC routers flit by flit, with faults from the start and at run time;
// and the comparison finds planted bugs (docs/crosscheck.md §5).
#include <gtest/gtest.h>

#include "models/common/error.h"
#include "sim/network/topologies/torus.h"
#include "tb/network/crosscheck_fabric.h"
#include "tb/network/difference_text.h"

namespace odonata::cosim {
namespace {

using network::Config;

Config on(const std::string& size, const std::string& routing, double load, int flits) {
  Config c = network::on_torus(Torus::parse(size));
  c.routing = routing;
  c.load = load;
  c.router.lengths = {flits};
  return c;
}

/// "node:1,1" from the start; "node:1,1@300" at run time.
void fail(Config& c, const std::vector<std::string>& names) {
  Random none(1);
  for (const std::string& name : names) {
    const size_t at = name.find('@');
    for (const fault::Fault& f : c.topology->parse_faults(name.substr(0, at), none, {})) {
      if (at == std::string::npos) {
        c.faults.standing.push_back(f);
      } else {
        c.faults.events.push_back({f, false, std::stoull(name.substr(at + 1))});
      }
    }
  }
}

void expect_same(const char* what, const Config& c, uint64_t cycles, uint64_t packets) {
  const CrossCheckResult r = crosscheck(c, cycles);
  EXPECT_TRUE(r.passed()) << what << "\n" << text(r);
  EXPECT_GT(r.packets, packets) << what;
}

TEST(TorusCrossCheck, LongPacketsRoundFaults) {
  Config c = on("5x7", "torus_safe6_ring", 0.3, 32);
  fail(c, {"node:1,1", "node:2,2", "link:4,5,x+"});
  expect_same("standing faults", c, 1500, 300);
  fail(c, {"link:0,3,y+@400", "node:3,5@600", "link:4,0,x+@601"});
  c.faults.live_traffic = true;
  const CrossCheckResult r = crosscheck(c, 1500);
  EXPECT_TRUE(r.passed()) << text(r);
  EXPECT_GT(r.lost, 5u);
}

/// Three dimensions: boxes from the start.
Config on_boxes(const std::string& size, double load, int flits, const std::vector<std::string>& faults) {
  Config c = on(size, "torus_boxes", load, flits);
  c.faults.rule = torus::Rule::kDim;
  fail(c, faults);
  return c;
}

TEST(TorusCrossCheck, ThreeDimensions) {
  expect_same("without faults", on_boxes("4x4x4", 0.3, 4, {}), 400, 1'000);
  expect_same("boxes", on_boxes("5x4x3", 0.3, 8, {"node:1,1,1", "node:2,2,1", "link:4,3,2,z+", "link:0,0,0,x+"}), 600,
              500);
  Config c = on_boxes("4x3x5", 0.5, 3, {"node:3,0,0", "node:0,2,0", "node:0,0,4"});  // a box over every wrap link
  c.link("local").buffer = c.link("node").buffer = 4;
  expect_same("small buffers", c, 500, 500);
  for (const char* plant : {"always-fresh", "other-plane", "early-credit"}) {
    const std::vector<std::string>& known = torus_crosscheck_plants(3);
    EXPECT_NE(std::find(known.begin(), known.end(), plant), known.end()) << plant;
    const CrossCheckResult r = crosscheck(on_boxes("4x4x4", 0.4, 4, {"node:1,1,1", "node:2,2,1"}), 400, plant);
    EXPECT_FALSE(r.passed()) << plant;
    EXPECT_FALSE(r.difference.empty()) << plant;
  }
  EXPECT_THROW(crosscheck(on_boxes("4x4x4", 0.1, 1, {}), 100, "unmarked"), Error) << "of two dimensions";
}

TEST(TorusCrossCheck, RandomFaultsOnEveryRoutingWithHardware) {
  uint64_t seed = 3;
  for (const char* routing : {"torus_safe6_ring", "torus_safe6"}) {
    for (const int flits : {1, 5}) {
      Config c = on("6x6", routing, 0.5, flits);
      c.seed = ++seed;
      c.link("local").buffer = c.link("node").buffer = 6;
      add_random_faults(c, 800);
      const CrossCheckResult r = crosscheck(c, 800);
      EXPECT_TRUE(r.passed()) << routing << " " << flits << "\n" << text(r);
      EXPECT_GT(r.lost, 0u);
    }
  }
  for (const char* routing : {"torus_safe4", "torus_safe4_ring"}) {
    Config c = on("7x5", routing, 0.3, 8);
    fail(c, {"node:3,2", "link:6,4,y+"});
    expect_same(routing, c, 600, 500);
  }
}

TEST(TorusCrossCheck, OtherDataPaths) {
  Config c = on("4x4", "torus_safe6", 0.4, 4);
  fail(c, {"node:2,2", "link:0,0,x+@200"});
  c.router.switching = network::Switching::cut_through;
  c.link("local").buffer = 9;
  expect_same("cut-through", c, 700, 500);
  c.router.phases = 2;
  c.link("local").latency = 3;
  c.router.output_fifo = 2;
  c.router.lengths = {1, 4, 7};
  expect_same("two phases, longer links, short output FIFOs, lengths of three kinds", c, 700, 300);
  c.faults.rule = torus::Rule::kDim;
  fail(c, {"node:0,2@300"});
  expect_same("rule dim", c, 700, 300);
}

/// Two columns of dead links part the ring of x: every other way is walled.
std::vector<std::string> wall(int x, const std::string& cycle) {
  std::vector<std::string> out;
  for (int y = 0; y < 4; ++y) out.push_back("link:" + std::to_string(x) + "," + std::to_string(y) + ",x+" + cycle);
  return out;
}

/// The scene in which a planted bug shows.
Config scene_of(const std::string& plant) {
  Config c = on("5x4", "torus_safe6_ring", 0.5, 6);
  c.link("local").buffer = c.link("node").buffer = 4;
  if (plant == "blind-to-walls") {
    fail(c, wall(1, ""));
  } else if (plant == "spare-slot") {
    c.load = 0.02;  // credit counters are compared themselves
  } else if (plant == "unmarked") {
    fail(c, {"node:1,0", "node:2,1"});
  } else {
    fail(c, {"node:1,1", "link:3,2,x+@200", "node:3,3@250"});
  }
  return c;
}

TEST(TorusCrossCheck, FindsPlantedBugs) {
  ASSERT_GE(torus_crosscheck_plants().size(), 10u);
  for (const std::string& plant : torus_crosscheck_plants()) {
    expect_same(plant.c_str(), scene_of(plant), 500, 10);
    const CrossCheckResult r = crosscheck(scene_of(plant), 500, plant);
    EXPECT_FALSE(r.passed()) << plant;
    EXPECT_NE(text(r).find("SystemC:"), std::string::npos) << plant << "\n" << text(r);
  }
}

/// A sender that counts one slot too many: the switch behind it says so with the first flit for which there is no room.
TEST(TorusCrossCheck, ABufferWithOneFlitTooManyStopsTheRun) {
  Config c = on("5x4", "torus_safe6_ring", 0.9, 6);
  c.link("local").buffer = c.link("node").buffer = 4;
  EXPECT_EQ(text(crosscheck(c, 500, "spare-slot")),
            "The SystemC network stops\n  SystemC: a buffer holds more flits than it has slots\n");
}

TEST(TorusCrossCheck, WallsAtRunTime) {
  Config c = on("5x4", "torus_safe6_ring", 0.2, 4);
  fail(c, wall(1, "@150"));
  expect_same("a wall that comes", c, 700, 300);
}

TEST(TorusCrossCheck, WhatItCannotCompareIsRefused) {
  EXPECT_THROW(crosscheck(on("4x4", "torus_safe6", 0.1, 1), 100, "no-such-bug"), Error);
  EXPECT_THROW(crosscheck(on("4x4", "ecube", 0.1, 1), 100), Error);
  EXPECT_THROW(crosscheck(on("4x4", "torus_safe6_short", 0.1, 1), 100), Error);
  Config boxes = on("4x4x4", "torus_boxes", 0.1, 1);  // whose regions do not grow at run time
  fail(boxes, {"node:1,1,1@50"});
  EXPECT_THROW(crosscheck(boxes, 100), Error);
}

}  // namespace
}  // namespace odonata::cosim
