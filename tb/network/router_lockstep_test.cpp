// SPDX-License-Identifier: Apache-2.0
// The fault plane of a router in RTL in the loop of a running network: it agrees with the planes behind the engine's
// tables, whatever fails, and a planted bug stops the run.
#include <gtest/gtest.h>

#include "models/common/error.h"
#include "sim/rtl_in_loop/router_lockstep.h"
#include "sim/network/simulation.h"
#include "sim/network/topologies/dragonfly.h"
#include "tb/fault/campaign.h"
#include "tb/network/configs.h"

namespace odonata::network {
namespace {

/// Tiny network whose named faults happen from cycle 500 on, and are repaired in the same order 2,500 cycles later.
Config faulty(const std::vector<std::string>& names, fault::Mode mode) {
  Config c = run_on_tiny("doar", "ur", 0.3, 0, 7000);
  c.faults.mode = mode;
  c.faults.hardware = "native";
  Random random(1);
  uint64_t cycle = 500;
  for (bool repair : {false, true}) {
    for (const std::string& name : names) {
      for (const fault::Fault& f : fault::parse_faults(dragonfly_of(c), name, random, {}))
        c.faults.events.push_back({f, repair, cycle});
      cycle += 2500 / names.size();
    }
  }
  return c;
}

RouterLockstep::Options at(const Config& c, RouterId router, const std::string& plant = "",
                           cosim::RouterVariant variant = cosim::RouterVariant::plain) {
  return {dragonfly_of(c), router, c.faults.mode, c.faults.recovery, c.tables, variant, plant};
}

Result run(Config c, RouterLockstep& watch) {
  c.faults.tap = &watch;
  return simulate(*make_simulation(c), [&](uint64_t) { return !watch.failed(); });
}

std::string words(const RouterLockstep& watch) {
  std::string text;
  for (const std::string& line : watch.failed() ? watch.report(::testing::TempDir()) : std::vector<std::string>{})
    text += line + "\n";
  return text;
}

TEST(RouterLockstep, TheRtlAgreesWhateverFails) {
  const std::vector<std::vector<std::string>> scenes = {
      {"global:G0-G2"}, {"local:G0.s0-G0.s3", "global:G0-G2"}, {"router:G0.s1"}, {"router:G0.s0", "local:G0.s1-G0.s2"}};
  for (const auto& names : scenes) {
    for (const fault::Mode mode : {fault::Mode::safe, fault::Mode::paper}) {
      const Config c = faulty(names, mode);
      RouterLockstep watch(at(c, {0, 0}));
      const Result r = run(c, watch);
      EXPECT_FALSE(watch.failed()) << names.front() << "\n" << words(watch);
      EXPECT_GT(watch.compared(), 20u) << names.front();
      EXPECT_TRUE(r.conservation_ok);
      EXPECT_EQ(r.digest, simulate(c).digest) << "watching changes nothing";
    }
  }
}

/// 23 ports, 91 rows: a local link of the watched router fails, then a neighbour's, then the first is repaired.
Config paper_scene() {
  Config c = on_dragonfly(Dragonfly::named("paper"));
  c.load = 0.02;
  c.warmup = 0;
  c.sample = 1500;
  c.faults.hardware = "native";
  Random random(1);
  const auto add = [&](const std::string& name, bool repair, uint64_t cycle) {
    for (const fault::Fault& f : fault::parse_faults(dragonfly_of(c), name, random, {}))
      c.faults.events.push_back({f, repair, cycle});
  };
  add("local:G0.s0-G0.s3", false, 50);
  add("local:G0.s1-G0.s3", false, 400);
  add("local:G0.s0-G0.s3", true, 900);
  return c;
}

TEST(RouterLockstep, TheRtlAgreesAtThePapersSize) {
  for (const bool pipelined : {false, true}) {
    Config c = paper_scene();
    c.faults.pipelined = pipelined;
    RouterLockstep watch(at(c, {0, 0}, "", pipelined ? cosim::RouterVariant::pipelined : cosim::RouterVariant::plain));
    const Result r = run(c, watch);
    EXPECT_FALSE(watch.failed()) << words(watch);
    EXPECT_GT(watch.compared(), 1000u);
    EXPECT_TRUE(r.conservation_ok);
  }
}

TEST(RouterLockstep, APlantedBugIsCaughtAtThePapersSize) {
  const Config c = paper_scene();
  for (const char* plant : {"ring-skips", "message-of-port-0", "d-takes-s"}) {
    RouterLockstep watch(at(c, {0, 0}, plant, cosim::RouterVariant::planted));
    run(c, watch);
    EXPECT_TRUE(watch.failed()) << plant;
    if (plant != std::string("ring-skips")) continue;  // the others take seconds to shrink
    EXPECT_NE(words(watch).find("Replay: odonata cosim --block fault_router"), std::string::npos) << words(watch);
  }
}

TEST(RouterLockstep, TheRecordReplays) {
  const Config c = faulty({"local:G0.s0-G0.s3", "global:G0-G2"}, fault::Mode::safe);
  RouterLockstep::Options options = at(c, {0, 0});
  options.keep = true;
  RouterLockstep watch(options);
  run(c, watch);
  cosim::CampaignRequest request;
  request.dragonfly = dragonfly_of(c);
  request.trace_in = ::testing::TempDir() + "/fault_router.trace";
  cosim::write_file(request.trace_in, watch.record());
  EXPECT_EQ(cosim::parse_trace_header("it", watch.record()).meta.at("arrangement"), "direct");
  const cosim::CampaignResult replay = cosim::find_unit(cosim::fault_units(), "fault_router").run(request);
  EXPECT_TRUE(replay.passed()) << "the recorded pins through golden and RTL again";
  EXPECT_GT(replay.compared, 5u);
}

TEST(RouterLockstep, APlantedBugStopsTheRun) {
  const Config c = faulty({"global:G0-G2", "local:G0.s0-G0.s3"}, fault::Mode::safe);
  RouterLockstep clean(at(c, {0, 0}, "", cosim::RouterVariant::planted));
  run(c, clean);
  EXPECT_FALSE(clean.failed()) << words(clean);
  RouterLockstep watch(at(c, {0, 0}, "ring-skips", cosim::RouterVariant::planted));
  const Result r = run(c, watch);
  EXPECT_TRUE(watch.failed());
  EXPECT_LT(r.cycles, c.sample);
  EXPECT_NE(words(watch).find("Replay: odonata cosim --block fault_router"), std::string::npos) << words(watch);
}

TEST(RouterLockstep, AModelThatIsNotTheEnginesIsNoticed) {
  Config c = faulty({"global:G0-G2"}, fault::Mode::safe);
  RouterLockstep watch(at(c, {0, 0}));
  c.faults.mode = fault::Mode::paper;
  c.faults.hardware = "full";  // 64 stations and 560 entries: not what this RTL has
  run(c, watch);
  ASSERT_TRUE(watch.failed());
  EXPECT_NE(words(watch).find("fault planes of the engine"), std::string::npos) << words(watch);
}

TEST(RouterLockstep, RefusesWhatDoesNotExist) {
  const Config c = faulty({"global:G0-G2"}, fault::Mode::safe);
  EXPECT_THROW(RouterLockstep(at(c, {0, 0}, "no-such", cosim::RouterVariant::planted)), Error);
  RouterLockstep::Options other = at(c, {0, 0});
  other.dragonfly =
      Dragonfly({3, 6, 3, 19}, Arrangement::absolute);  // of which nobody builds RTL, `./dev full` neither
  EXPECT_THROW(RouterLockstep{other}, Error);
}

}  // namespace
}  // namespace odonata::network
