// SPDX-License-Identifier: Apache-2.0
// `odonata route`: what it says about well-understood packets.
#include "sim/tests/run_program.h"

namespace odonata::cli {
namespace {

using Route = ProgramTest;

TEST_F(Route, MinimalWhenNothingIsCongested) {
  const Json r = run_json("route --size tiny --from 0,1,0 --to 5,2,1");
  EXPECT_EQ(r["outcome"], "delivered");
  EXPECT_EQ(r["shape"], "L-G-L");
  EXPECT_EQ(r["minimal_shape"], "L-G-L");
  EXPECT_TRUE(r["minimal"]);
  EXPECT_EQ(r["hops"][0]["hop_class"], "GA");
}

TEST_F(Route, JsonTellsEveryHop) {
  const Json r = run_json("route --size tiny --from 0,1,0 --to 5,2,1 --congested global:G0-G5 --seed 3");
  for (const char* key : {"command", "command_line", "dragonfly", "from", "to", "seed", "policy", "congested", "failed",
                          "outcome", "shape", "links", "minimal", "minimal_path", "why", "hops", "report"}) {
    EXPECT_TRUE(r.contains(key)) << key;
  }
  ASSERT_EQ(r["hops"].size(), r["links"].get<size_t>() + 1);
  for (size_t i = 0; i < r["hops"].size(); ++i) {
    const Json& hop = r["hops"][i];
    for (const char* key :
         {"router", "in_port", "vc_in", "zone", "unit", "hop_class", "candidates", "winner", "why", "sentences"}) {
      EXPECT_TRUE(hop.contains(key)) << key;
    }
    if (i + 1 == r["hops"].size()) break;
    const Json& next = r["hops"][i + 1];
    EXPECT_EQ(hop["winner"]["to"]["gid"], next["router"]["gid"]);
    EXPECT_EQ(hop["winner"]["to"]["bid"], next["router"]["bid"]);
    EXPECT_EQ(hop["winner"]["to"]["port"], next["in_port"]["port"]);
    EXPECT_EQ(hop["winner"]["vc"], next["vc_in"]);
  }
  EXPECT_EQ(r["hops"][0]["candidates"]["GA"]["options"], Json::array({5}));
  EXPECT_EQ(r["hops"][0]["candidates"]["GA"]["free"], Json::array());
}

TEST_F(Route, CongestionOfTheMinimalPortIsTheReason) {
  const Ran ran = run("route --brief --size tiny --from 0,1,0 --to 5,2,1 --congested global:G0-G5");
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_NE(ran.out.find("The packet went non-minimal through group"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("the minimal global port 6 of router 2 (to group 5) is congested in the group's map"),
            std::string::npos)
      << ran.out;
}

TEST_F(Route, AMinimalPathCanBeASingleLink) {
  const Ran ran = run("route --brief --size tiny --from 0,0,0 --to 1,0,1 --congested global:G0-G1");
  EXPECT_NE(ran.out.find("LG-GL (4 links); the minimal path is G (1 link)."), std::string::npos) << ran.out;
}

TEST_F(Route, CongestionOfTheLocalPortIsTheReason) {
  const Ran ran = run("route --brief --size tiny --from 0,1,0 --to 5,2,1 --congested local:G0.s1-s2");
  EXPECT_NE(ran.out.find("cannot be reached because every local port to router 2 is congested"), std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find("went non-minimal"), std::string::npos) << ran.out;
}

TEST_F(Route, CongestionAtTheMinimalRouterTurnsThePacketThere) {
  // Only router 2 itself sees its own port as congested in its local map; here both maps show it, so close the other
  // ways first.
  const Json r = run_json("route --size tiny --from 0,2,0 --to 5,2,1 --congested g0.r2.p6");
  EXPECT_EQ(r["hops"][0]["unit"], "RTA");
  EXPECT_NE(r["hops"][0]["why"].get<std::string>().find("is congested here at this router"), std::string::npos);
  EXPECT_FALSE(r["minimal"]);
}

TEST_F(Route, EverythingCongestedFallsBack) {
  const Json r = run_json("route --size tiny --from 0,1,0 --to 5,2,1 --congested all");
  EXPECT_EQ(r["outcome"], "delivered");
  EXPECT_EQ(r["hops"][0]["hop_class"], "fallback");
  EXPECT_LE(r["links"], 6);
}

TEST_F(Route, FailedLinkIsNeverTaken) {
  for (int seed = 1; seed <= 20; ++seed) {
    const Json r =
        run_json("route --size tiny --from 0,1,0 --to 5,2,1 --failed global:G0-G5 --seed " + std::to_string(seed));
    EXPECT_EQ(r["outcome"], "delivered");
    for (const Json& hop : r["hops"]) {
      const bool crosses = hop["router"]["gid"] == 0 && hop["winner"].contains("to") && hop["winner"]["to"]["gid"] == 5;
      EXPECT_FALSE(crosses);
    }
  }
}

TEST_F(Route, NoWayOutIsReportedAndExitsWithOne) {
  const Json r = run_json("route --size tiny --from 0,1,0 --to 0,2,1 --failed g0.r1.local", 1);
  EXPECT_EQ(r["outcome"], "unroutable");
  EXPECT_EQ(r["hops"][0]["winner"], nullptr);
  EXPECT_NE(r["why"][0].get<std::string>().find("dropped at g0.r1"), std::string::npos);
}

TEST_F(Route, InsideARouterAndAGroup) {
  EXPECT_EQ(run_json("route --size tiny --from 3,1,0 --to 3,1,1")["links"], 0);
  const Json near = run_json("route --size tiny --from 3,1,0 --to 3,2,1");
  EXPECT_EQ(near["shape"], "L");
  EXPECT_TRUE(near["minimal"]);
  const Json around = run_json("route --size tiny --from 3,1,0 --to 3,2,1 --congested local:G3.s1-s2");
  EXPECT_EQ(around["shape"], "L-L");
  EXPECT_FALSE(around["minimal"]);
  EXPECT_EQ(around["hops"][0]["hop_class"], "LF");
}

TEST_F(Route, Figure4ClassesOfThePaper) {
  // dfly(2,3,2,6), router 1 of group 1 to router 2 of group 4: port 4 is minimal, 2 and 3 are case 2, 5 is case 3, 0 is
  // case 4.
  const Json c = run_json("route --dragonfly 2,3,2,6 --from 1,1,0 --to 4,2,0")["hops"][0]["candidates"];
  EXPECT_EQ(c["GA"]["options"], Json::array({4}));
  EXPECT_EQ(c["GB"]["options"], Json::array());
  EXPECT_EQ(c["GC"]["options"], Json::array({2, 3, 5}));
  EXPECT_EQ(c["GD"]["options"], Json::array({0}));
  // To router 1 of group 4: 2 and 3 are cases 2 and 3 at once.
  EXPECT_EQ(run_json("route --dragonfly 2,3,2,6 --from 1,1,0 --to 4,1,0")["hops"][0]["candidates"]["GB"]["options"],
            Json::array({2, 3}));
}

TEST_F(Route, PolicyPrintedDiffersFromTheExamples) {
  // Router 2 of group 0 is attached to group 5. As printed, table B does not list it for packets to group 5.
  const std::string to = "route --size tiny --from 0,1,0 --to 5,2,1";
  EXPECT_EQ(run_json(to)["hops"][0]["candidates"]["GC"]["options"], Json::array({2, 3, 4}));
  EXPECT_EQ(run_json(to + " --policy printed")["hops"][0]["candidates"]["GC"]["options"], Json::array({2, 3}));
}

TEST_F(Route, SameSeedSamePath) {
  const std::string arguments = "route --size full --from 0,1,2 --to 17,30,5 --congested random:0.4 --seed ";
  const Json first = run_json(arguments + "5"), again = run_json(arguments + "5");
  EXPECT_EQ(first, again);
  bool differs = false;
  for (int seed = 6; seed < 12; ++seed) differs |= run_json(arguments + std::to_string(seed))["hops"] != first["hops"];
  EXPECT_TRUE(differs);
}

}  // namespace
}  // namespace odonata::cli
