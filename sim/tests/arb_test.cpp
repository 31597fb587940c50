// SPDX-License-Identifier: Apache-2.0
// `odonata arb`, `arb-timing`, `deadlock` and the block arb_request of `cosim`: worked examples, keys, manners.
#include <fmt/format.h>

#include "sim/arb/port_observer.h"
#include "sim/tests/run_program.h"

namespace odonata::cli {
namespace {

using Arb = ProgramTest;

TEST_F(Arb, Figure3) {
  const Json r = run_json("arb --dims 2 --scheme d2ra --at 1,1 --to 2,2 --credits x+=1,y+=2");
  ASSERT_EQ(r["requests"].size(), 2u);
  EXPECT_EQ(r["requests"][0]["dimension"], 0);
  EXPECT_EQ(r["requests"][0]["direction"], "+");
  EXPECT_EQ(r["requests"][0]["priority"], "low");
  EXPECT_EQ(r["requests"][1]["dimension"], 1);
  EXPECT_EQ(r["requests"][1]["priority"], "high");
  EXPECT_EQ(r["selected"]["name"], "y+");
  EXPECT_EQ(r["z"], 2);
}

TEST_F(Arb, Figure3WithLessCreditTakesTheLowestDimension) {
  const Json r = run_json("arb --dims 2 --scheme d2ra --at 1,1 --to 2,2 --credits x+=1,y+=1");
  ASSERT_EQ(r["requests"].size(), 1u);
  EXPECT_EQ(r["selected"]["name"], "x+");
  EXPECT_EQ(r["selected"]["priority"], "low");
  EXPECT_EQ(run_json("arb --dims 2 --scheme dbra --at 1,1 --to 2,2 --credits x+=1,y+=1")["selected"], Json());
}

TEST_F(Arb, EveryPolicyAndTheEjection) {
  const std::string all_high = "arb --at 0,0,0 --to 1,1,1 --credits 3,4,3 --policy ";
  EXPECT_EQ(run_json(all_high + "round-robin --pointer 2")["selected"]["name"], "z+");
  expect_refused(run(all_high + "round-robin --pointer 3"), "--pointer: must be below the number of dimensions, 3");
  EXPECT_EQ(run_json(all_high + "most-credits")["selected"]["name"], "y+");
  EXPECT_EQ(run_json(all_high + "random --lfsr 255")["selected"]["name"], "z+");
  EXPECT_EQ(run_json(all_high + "random --lfsr 256")["selected"]["name"], "x+");
  const Json r = run_json("arb --at 4,2 --to 4,2 --credits 0,0");
  EXPECT_TRUE(r["eject"]);
  EXPECT_EQ(r["requests"], Json::array());
}

TEST_F(Arb, TimingHoldsAndLevelsAgree) {
  const Json r = run_json("arb-timing --dims 3 --queues 4 --packets 400");
  EXPECT_EQ(r["verdict"], "pass");
  ASSERT_EQ(r["rows"].size(), 4u);
  EXPECT_EQ(r["rows"][1]["levels"], "golden systemc rtl");
  EXPECT_EQ(r["rows"][0]["alone"]["request"]["max"], 4);
  EXPECT_EQ(r["rows"][0]["alone"]["grant"]["max"], 5);
  for (const Json& row : r["rows"]) EXPECT_TRUE(row["levels_agree"]);
  // The page shows what the JSON has, in the same order.
  for (size_t k = 0; k < 4; ++k) {
    const Json &row = r["rows"][k], &cells = r["report"][0]["rows"][k];
    const std::pair<size_t, const Json*> shown[] = {
        {3, &row["alone"]["request"]}, {4, &row["alone"]["grant"]}, {5, &row["loaded"]["grant"]}};
    for (const auto& [column, spread] : shown) {
      const std::string mean = fmt::format("(mean {:.2f})", (*spread)["mean"].get<double>());
      EXPECT_NE(cells[column].get<std::string>().find(mean), std::string::npos) << k << " " << cells << " " << *spread;
    }
    EXPECT_GT(row["loaded"]["grant"]["mean"], row["loaded"]["request"]["mean"]);
  }
}

TEST_F(Arb, DeadlockKeysAndVerdicts) {
  const Json good = run_json("deadlock --scheme d2ra --mesh 2x2 --slots 1 --packets 3");
  for (const char* key :
       {"states", "deadlocks", "example", "steps", "end", "complete", "unbounded", "lemma_1_pairs", "verdict"})
    EXPECT_TRUE(good.contains(key)) << key;
  EXPECT_EQ(good["deadlocks"], 0);
  EXPECT_EQ(good["verdict"], "pass");
  const Json bounded = run_json("deadlock --mesh 4x4 --slots 3 --packets 10 --time-limit 1 --memory-mb 8192", 1);
  EXPECT_EQ(bounded["end"], "time limit") << "of a search of hours";
  EXPECT_EQ(bounded["complete"], false);
  const Json figure_5 = run_json("deadlock --scheme mixed-dor --mesh 2x2 --slots 1 --packets 4", 1);
  EXPECT_EQ(figure_5["deadlocks"], 2);
  EXPECT_GE(figure_5["example"].size(), 4u);
  const Json lowered = run_json(
      "deadlock --scheme d2ra-lowered --mesh 2x2x2 --slots 1 --packets 4 --selection strict --stop-at-first", 1);
  EXPECT_GT(lowered["deadlocks"], 0);
}

TEST_F(Arb, CosimHasTheKeysOfRouteCompute) {
  const Json ours =
      run_json("cosim --block arb_request --dims 3 --traffic corner --transactions 20000 --artifacts " + path("a"));
  const Json theirs = run_json("cosim --size tiny --traffic corner --transactions 2000 --artifacts " + path("a"));
  for (const auto& [key, value] : theirs.items())
    EXPECT_EQ(ours.contains(key), key != "dragonfly") << key << ": its network is a mesh";
  EXPECT_EQ(ours["mismatches"], 0);
  EXPECT_EQ(ours["coverage"]["percent"], 100.0);
}

TEST_F(Arb, BadInputIsRefused) {
  expect_refused(run("arb --dims 2 --at 1,1 --to 2 --credits 1,1"), "--to: 1 coordinates, expected 2");
  expect_refused(run("arb --dims 2 --at 1,1 --to 2,256 --credits 1,1"), "--to");
  expect_refused(run("arb --dims 2 --at 1,1 --to 2,2 --credits q+=1"), "--credits: 'q+=1'");
  expect_refused(run("arb --dims 9 --at 1,1 --to 2,2 --credits 1,1"), "--dims");
  expect_refused(run("arb --at 1,1 --to 2,2 --credits 1,1 --scheme xy"), "--scheme");
  expect_refused(run("arb-timing --queues 17"), "--queues");
  expect_refused(run("deadlock --mesh 3by3"), "mesh");
  expect_refused(run("deadlock --mesh 3x3 --slots 0"), "--slots");
  expect_refused(run("cosim --block arb_request --dims 5"), "--dims");
  expect_refused(run("cosim --block arb_request --set part=all"), "part is 'all'");
  EXPECT_EQ(files(), 0);
}

/// A port of somebody else may do anything; each run has its end.
class WrongPort final : public arb_request::PortDevice {
 public:
  enum class Bug { never_ready, never_asks, asks_beyond };
  explicit WrongPort(Bug bug) : bug_(bug) {}
  void step(const arb_request::PortInputs&, arb_request::PortOutputs& out) override {
    out = {};
    out.in_ready = bug_ != Bug::never_ready;
    out.request.valid = bug_ == Bug::asks_beyond;
    out.request.queue = 4;
  }

 private:
  Bug bug_;
};

TEST(ArbTiming, AWrongPortEndsItsMeasurement) {
  const arb_request::PortSize size{.dimensions = 3, .queues = 4, .subset = 2};
  const std::pair<WrongPort::Bug, const char*> bugs[] = {
      {WrongPort::Bug::never_ready, "does not ask any more"},
      {WrongPort::Bug::never_asks, "takes a packet for which it has no room"},
      {WrongPort::Bug::asks_beyond, "asks for a sub-queue that is not there"}};
  for (const auto& [bug, broken] : bugs) {
    WrongPort port(bug);
    EXPECT_EQ(PortObserver(port, size, 1).under_load(1000, 0.7).broken, broken);
    const PortTimes alone = PortObserver(port, size, 1).alone(1000);
    EXPECT_EQ(alone.broken, bug == WrongPort::Bug::never_asks ? "does not ask any more" : broken);
    EXPECT_EQ(alone.grant.count, 0u);
  }
}

}  // namespace
}  // namespace odonata::cli
