// SPDX-License-Identifier: Apache-2.0
// `odonata route --fat-tree` and `odonata deadlock --fat-tree`: the paper's figures, the claims of docs/vtftr.md §3,
// keys, manners.
#include <tuple>

#include "sim/tests/run_program.h"

namespace odonata::cli {
namespace {

using FatTreeRoute = ProgramTest;
using FatTreeDeadlock = ProgramTest;
using FatTreeFault = ProgramTest;
using FatTreeNet = ProgramTest;
using FatTreePipeline = ProgramTest;
using FatTreeManners = ProgramTest;

std::string ways(const Json& paths) {
  std::string text;
  for (const Json& p : paths) {
    for (const Json& h : p["hops"]) text += h["routing"].get<std::string>() + h["at"].dump() + h["vc"].dump() + " ";
    text += p["outcome"].get<std::string>() + p["reason"].get<std::string>() + "; ";
  }
  return text;
}

TEST_F(FatTreeRoute, XyWithoutFaults) {
  const Json r = run_json("route --fat-tree 4,4,2,2 --from 0,0,0 --to 2,3,1");
  EXPECT_EQ(run_json("route --fat-tree tiny --from 0,0,0 --to 2,3,1")["fat_tree"], r["fat_tree"]);
  EXPECT_EQ(r["outcome"], "delivered");
  EXPECT_EQ(r["reason"], "");
  EXPECT_EQ(ways(Json::array({r})), "row[2,0]0 col[2,3]0 delivered; ");
}

TEST_F(FatTreeRoute, AKnownFaultTurnsXyIntoYx) {
  const Json r = run_json("route --fat-tree 4,4,2,2 --from 0,0,0 --to 2,3,1 --fail leaf:2,0 --all-paths");
  EXPECT_EQ(ways(r["paths"]), "col[0,3]0 row[2,3]1 delivered; ");
  EXPECT_EQ(r["paths"][0]["probability"], 1.0);
}

TEST_F(FatTreeRoute, Figure5BothWaysBlocked) {
  const Json r = run_json("route --fat-tree 4,4,2,2 --from 0,0,0 --to 2,2,0 --fail \"leaf:2,0;leaf:0,2\" --all-paths");
  EXPECT_EQ(ways(r["paths"]), "row[1,0]0 col[1,2]0 row[2,2]1 delivered; row[3,0]0 col[3,2]0 row[2,2]1 delivered; ");
  EXPECT_EQ(r["paths"][1]["probability"], 0.5);
  EXPECT_EQ(r["hops"].size(), 3u);
}

TEST_F(FatTreeRoute, Figure3AFreshFault) {
  const Json r = run_json("route --fat-tree 4,4,2,2 --from 0,0,0 --to 2,2,0 --fail leaf:2,0 --known none --all-paths");
  EXPECT_EQ(ways(r["paths"]), "row[1,0]0 col[1,2]0 row[2,2]1 delivered; row[3,0]0 col[3,2]0 row[2,2]1 delivered; ");
  EXPECT_EQ(r["paths"][0]["hops"][0]["root"], "misroute");
  // One known, one fresh: the pick avoids the known column only.
  const Json mixed =
      run_json("route --fat-tree 4,4,2,2 --from 0,0,0 --to 2,2,0 --fail leaf:2,0 --known leaf:1,3 --all-paths");
  EXPECT_EQ(ways(mixed["paths"]), "row[3,0]0 col[3,2]0 row[2,2]1 delivered; ");
  EXPECT_EQ(mixed["known"].dump(), "[[1,3]]");
  EXPECT_EQ(mixed["fail"].dump(), "[[2,0],[1,3]]");
}

TEST_F(FatTreeRoute, ADeadDestinationIsDroppedOrWalkedForEver) {
  const Json safe = run_json("route --fat-tree 4,4,2,2 --from 0,0,0 --to 2,2,0 --fail leaf:2,2", 1);
  EXPECT_EQ(safe["outcome"], "dropped");
  EXPECT_EQ(safe["reason"], "dead");
  const Json paper = run_json("route --fat-tree 4,4,2,2 --from 0,0,0 --to 2,2,0 --fail leaf:2,2 --mode paper", 1);
  EXPECT_EQ(paper["outcome"], "endless");
  EXPECT_EQ(paper["pick"], "bounce");
}

TEST_F(FatTreeDeadlock, TwoFreshFaultsOnADiagonal) {
  const std::string scene = "deadlock --fat-tree 4,4,2,2 --fail leaf:0,0 --fail leaf:1,1 --state fresh";
  const Json paper = run_json(scene + " --mode paper", 1), safe = run_json(scene);
  EXPECT_EQ(paper["acyclic"], false);
  EXPECT_EQ(paper["channels"], 100);
  EXPECT_EQ(paper["dependencies"], 164);
  EXPECT_EQ(paper["pairs"], 14 * 13);
  EXPECT_GT(paper["endless_pairs"], 0);
  ASSERT_EQ(paper["cycle"].size(), 4u);
  for (const Json& c : paper["cycle"]) EXPECT_EQ(c["vc"], 1) << c;
  EXPECT_EQ(safe["acyclic"], true);
  EXPECT_EQ(safe["channels"], 80);
  EXPECT_EQ(safe["dependencies"], 122);
  EXPECT_EQ(safe["lost_pairs"], 0);
  EXPECT_EQ(safe["verdict"], "pass");
  EXPECT_EQ(run_json(scene + " --mode paper --pick exclude")["acyclic"], true);
}

TEST_F(FatTreeDeadlock, EverySetInOneRun) {
  const Json stable = run_json("deadlock --fat-tree 4,4,2,2 --up-to 4");
  const int sets[] = {16, 120, 560, 1820}, clean[] = {16, 120, 560, 1796};
  for (size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(stable["sets"][k]["sets"], sets[k]);
    EXPECT_EQ(stable["sets"][k]["full_with_clean_line"], clean[k]);
    EXPECT_EQ(stable["sets"][k]["share"], stable["sets"][k]["closed_form"]);
  }
  EXPECT_EQ(run_json("deadlock --fat-tree 4,4,2,2 --up-to 2 --state mixed")["sets"][1]["full"], 240);
  const Json paper = run_json("deadlock --fat-tree 4,4,2,2 --up-to 2 --state fresh --mode paper", 1);
  EXPECT_EQ(paper["sets"][1]["cyclic"], 72);
  EXPECT_EQ(paper["sets"][1]["cyclic_example"].dump(), "[[0,0],[1,1]]");
}

TEST_F(FatTreeDeadlock, ASetThatCoversEveryLineIsWarnedOf) {
  const Ran ran = run("deadlock --fat-tree 4,4,2,2 --fail \"leaf:0,0;leaf:1,1;leaf:2,2;leaf:3,3\"");
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_EQ(ran.err,
            "odonata: warning: no row and no column is left without a fault: 0 of 132 pairs may lose packets\n");
  EXPECT_EQ(run("deadlock --fat-tree 4,4,2,2 --fail leaf:0,0").err, "");
  const std::string net = "net --load 0.1 --warmup 50 --cycles 100 --fat-tree 3,3,2,2 --fail \"leaf:0,0;leaf:1,1";
  EXPECT_EQ(run(net + ";leaf:2,2@5\"").err,
            "odonata: warning: no row and no column is left without a fault: 0 of 30 pairs may lose packets\n");
  EXPECT_EQ(run(net + "@5\"").err, "");
  EXPECT_EQ(
      run("net --load 0.1 --warmup 50 --cycles 100 --fat-tree 3,2,2,2 --fail \"leaf:0,0;leaf:1,1;leaf:2,0@5\"").err,
      "odonata: warning: no row and no column is left without a fault: 4 of 6 pairs may lose packets\n");
  const std::string set = "--fat-tree 4,4,2,2 --fail \"leaf:0,0;leaf:0,1;leaf:1,2;leaf:2,3;leaf:3,2\"";
  EXPECT_NE(run("fault " + set).err.find("4 of 110 pairs may lose packets"), std::string::npos);
  EXPECT_NE(run("net --load 0.1 --warmup 50 --cycles 100 " + set).err.find("4 of 110 pairs may lose packets"),
            std::string::npos);
}

// docs/vtftr.md §6: 16 + 3*35 + 48 + 1000 + 48 + 3*35 + 19 cycles until the last root knows.
TEST_F(FatTreeFault, CyclesOfTheManagerAndWithoutOne) {
  const Json r = run_json("fault --fat-tree 16,16,16,16 --fail leaf:5,7");
  EXPECT_EQ(r["roots"], 1341);
  const Json& by = r["faults"][0]["manager"];
  EXPECT_EQ(by["detected"], 16);
  EXPECT_EQ(by["reported"], 169);
  EXPECT_EQ(by["served"], 1169);
  EXPECT_EQ(by["total"], 1169 + 48 + 4 * 35 + 2);
  EXPECT_EQ(by["leaf"][7][5], nullptr) << "the dead one";
  EXPECT_EQ(by["leaf"][0][0], 1169 + 48 + 2) << "the manager's own";
  EXPECT_EQ(by["row_roots"].size(), 16u);
  EXPECT_EQ(r["roots_without_manager"], 16 + 70 + 19);
  const Json mask = run_json("fault --fat-tree 16,16,16,16 --fail leaf:5,7 --mask-form --service 100");
  EXPECT_EQ(mask["roots_without_manager"], 16 + 70 + 2);
  EXPECT_EQ(mask["roots"], 1341 - 900 - 17);
  const Json two = run_json("fault --fat-tree 4,4,2,2 --fail \"leaf:0,0;leaf:1,1\"");
  EXPECT_EQ(two["faults"][0]["manager_at"].dump(), "[1,0]") << "the first live leaf";
  EXPECT_EQ(two["faults"].size(), 2u);
}

// docs/vtftr.md §7: faults of one call come in one moment, as in `net` (5 ns a cycle), and wait for the manager.
TEST_F(FatTreeFault, TheManagerServesOneFaultAfterTheOther) {
  const Json four = run_json("fault --fat-tree 4,4,2,2 --fail \"leaf:1,1;leaf:2,2\" --fail \"leaf:3,3;leaf:0,1\"");
  std::vector<int> served;
  for (const Json& fault : four["faults"]) {
    EXPECT_EQ(fault["manager_at"].dump(), "[0,0]");
    EXPECT_EQ(fault["without_manager"]["total"], 16 + 70 + 7) << "nobody waits there";
    served.push_back(fault["manager"]["served"]);
  }
  std::sort(served.begin(), served.end());
  EXPECT_EQ(served, (std::vector<int>{1099, 2099, 3099, 4099})) << "16 + 35 + 48 until the first report is there";
  EXPECT_EQ(four["roots"], 4329);
  const Json net = run_json(
      "net --fat-tree 4,4,2,2 --fail \"leaf:1,1@100;leaf:2,2@100;leaf:3,3@100;leaf:0,1@100\" --load 0.1 --warmup 1000 "
      "--cycles 300");
  EXPECT_EQ(net["faults"]["phases"]["last_write"], 100 + (4329 + 4) / 5);
}

// docs/vtftr.md §6, §7: a report that has no way to the manager is lost; it is not known after 0 cycles.
TEST_F(FatTreeFault, WhatTheManagerNeverHearsOfHasNoTimes) {
  const Ran ran = run("fault --fat-tree 2,2,1,1 --fail \"leaf:0,1;leaf:1,0;leaf:1,1\" --json " + path("r.json"));
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_NE(ran.out.find("; the manager never hears of 1 fault; without it nobody hears of 1 fault\n"),
            std::string::npos)
      << ran.out;
  const Json r = Json::parse(read_text(path("r.json")));
  EXPECT_EQ(run("report --in " + path("r.json") + " --out " + path("r.html")).exit_code, 0);
  EXPECT_NE(read_text(path("r.html")).find("Nobody hears of it"), std::string::npos);
  EXPECT_EQ(r["unheard"], 1);
  EXPECT_EQ(r["unheard_without_manager"], 1);
  EXPECT_EQ(r["faults"][1]["manager"]["total"], 1169 + 18) << "16 + 35 + 48 + 1000 + 48 + 35 + 5";
  for (const char* key : {"reported", "served", "report_hops", "root_hops", "leaf_hops", "roots", "leaves", "total"})
    EXPECT_EQ(r["faults"][2]["manager"][key], nullptr) << key;
  EXPECT_EQ(r["faults"][2]["manager"]["detected"], 16) << "by the roots, which cannot tell";
  // The last of three leaves is the one across from the manager in a third of the sets: without a live neighbour.
  const Json study = run_json("fault-study --fat-tree 2,2,1,1 --faults 3 --samples 1000")["classes"]["leaf"];
  const Json& with = study["manager"];
  EXPECT_EQ(with["roots"]["samples"].get<int>() + with["unheard"].get<int>(), 1000);
  EXPECT_NEAR(with["unheard"].get<double>(), 333, 60);
  EXPECT_EQ(with["roots"]["min"], with["roots"]["max"]);
  for (const char* side : {"manager", "without_manager"}) {
    double sum = 0;
    for (const char* phase : {"detection", "report", "service", "broadcast", "update"}) {
      EXPECT_EQ(study[side][phase]["samples"], study[side]["roots"]["samples"]) << phase;
      sum += study[side][phase]["mean"].get<double>();
    }
    EXPECT_NEAR(sum, study[side]["roots"]["mean"].get<double>(), 1e-9) << side;
    EXPECT_GT(study[side]["roots"]["min"], 0) << side;
  }
}

// docs/vtftr.md §8
TEST_F(FatTreeRoute, HalfDeadAndOtherRails) {
  const std::string route = "route --fat-tree 4,4,2,2 --from 0,1,0 --to 1,1,0 --all-paths --fail link:1,1,row,0";
  const Json rail = run_json(route);
  ASSERT_EQ(rail["hops"].size(), 1u);
  EXPECT_EQ(rail["hops"][0]["rail"], 1);
  const Json half = run_json(route + " --fail link:1,1,row,1");
  ASSERT_EQ(half["hops"].size(), 3u);
  EXPECT_EQ(half["hops"][0]["around"], true);
  EXPECT_EQ(half["paths"].size(), 3u);
  EXPECT_EQ(half["fail"].dump(), "[\"link:1,1,row,0\",\"link:1,1,row,1\"]");
  EXPECT_EQ(
      run_json("route --fat-tree 3,3,3,2,1 --from 0,0,0,0 --to 2,2,2,1 --fail leaf:2,0,0 --all-paths")["hops"].size(),
      3u);
}

/// With one virtual channel in three dimensions pairs are lost, and one of them is named; who knows nothing is told.
TEST_F(FatTreeDeadlock, APairThatIsLostIsNamed) {
  const Json out =
      run_json("deadlock --fat-tree 3,3,3,1,1 --vcs 1 --state fresh --fail 'leaf:0,1,1;leaf:1,0,1;leaf:1,1,0'", 1);
  EXPECT_EQ(out["lost_pairs"], 76);
  EXPECT_EQ(out["lost_example"].dump(), R"({"from":[1,1,1],"to":[0,0,0]})");
  EXPECT_EQ(out["known"].dump(), "[]");
}

TEST_F(FatTreeDeadlock, RootsLinksAndThreeDimensions) {
  const Json root = run_json("deadlock --fat-tree 4,4,2,2 --fail root:row,1,0 --fail leaf:2,2");
  EXPECT_EQ(root["acyclic"], true);
  EXPECT_EQ(root["lost_pairs"], 0);
  EXPECT_EQ(root["pairs"], 15 * 14);
  const Json links = run_json("deadlock --fat-tree 3,3,2,2 --of link --up-to 2");
  EXPECT_EQ(links["sets"][1]["sets"], 36 * 35 / 2);
  EXPECT_EQ(links["sets"][1]["full"], 36 * 35 / 2);
  const Json two = run_json("deadlock --fat-tree 3,3,3,1,1 --up-to 3 --vcs 2", 1),
             three = run_json("deadlock --fat-tree 3,3,3,1,1 --up-to 3");
  EXPECT_EQ(two["sets"][1]["full"], 351);
  EXPECT_LT(two["sets"][2]["full"], 2925);
  EXPECT_EQ(two["sets"][2]["cyclic"], 0);
  EXPECT_EQ(three["sets"][2]["full"], 2925);
  EXPECT_EQ(three["vcs"], 3);
}

TEST_F(FatTreeNet, RootsLinksAndThreeDimensions) {
  const std::string net = " --load 0.3 --warmup 300 --cycles 1500 --traffic alive";
  const Json r = run_json("net --fat-tree 4,4,2,2 --fail root:row,1,0@1,link:2,2,column,1@5" + net);
  EXPECT_EQ(r["deadlock"], "");
  EXPECT_DOUBLE_EQ(r["accepted_healthy"], r["accepted"]) << "no leaf has failed";
  EXPECT_EQ(run_json("net --fat-tree 3,3,3,2,2 --fail leaf:1,1,1@1" + net)["parameters"]["routing"], "vtftr_k");
  const std::string four = "net --fat-tree 3,3,3,3,2,1 --load 0.1 --warmup 100 --cycles 500";
  EXPECT_EQ(run_json(four)["digest"], run_json(four + " --vcs 4")["digest"]) << "as many as the routing needs";
  const Json report =
      run_json("net --topology fat_tree:3x3x3x2x2 --load 0.1 --warmup 50 --cycles 100 --timeline 50")["report"];
  const auto drawn = std::find_if(report.begin(), report.end(), [](const Json& s) { return s.contains("places"); });
  ASSERT_NE(drawn, report.end());
  const Json& places = (*drawn)["places"];
  EXPECT_EQ(places.size(), 27u + 3 * 9 * 2);
  EXPECT_EQ(std::set<Json>(places.begin(), places.end()).size(), places.size()) << "nothing stands on something else";
  const Json& names = (*drawn)["names"];
  const auto place = [&](const std::string& name) {
    return places.at(static_cast<size_t>(std::find(names.begin(), names.end(), name) - names.begin()));
  };
  for (const int rail : {0, 1}) {  // to the right of the first leaf of their line
    EXPECT_EQ(place(fmt::format("root {} of line 0 of dimension 2", rail))[0], 0.5 * (rail + 1));
  }
  const std::string toml = file("three.toml",
                                "[net]\nload = 0.1\nwarmup = 50\ncycles = 100\n[[part]]\n[part.vary]\n"
                                "topology = [\"fat_tree:3x3x3x2x1\", \"fat_tree:3x3x3x3x2x1\"]\n");
  EXPECT_EQ(run("sweep " + toml + " --out " + path("o")).exit_code, 0) << "of a sweep, too";
  expect_refused(run(four + " --vcs 3"), "'vtftr_k' needs 4 virtual channels in 4 dimensions, --vcs gives 3");
}

/// Packets that walk for ever are no progress (docs/vtftr.md §6: mode paper stops). What was never sampled is null.
TEST_F(FatTreeNet, PacketsThatMoveAndNeverArriveAreADeadlock) {
  const std::string net =
      "net --fat-tree 4,4,2,2 --depth 1 --routing vtftr --mode paper --reconfigure never --live-traffic --load 1 "
      "--packet 1 --watchdog 300 --fail leaf:0,0@1,leaf:1,1@1 --json " +
      path("r.json");
  const Ran walks = run(net + " --seed 2 --warmup 0 --cycles 30000");
  EXPECT_EQ(walks.exit_code, 1);
  EXPECT_NE(walks.out.find("packets move, but since cycle "), std::string::npos) << walks.out;
  const Json r = Json::parse(read_text(path("r.json")));
  EXPECT_EQ(r["verdict"], "fail");
  EXPECT_TRUE(r["deadlock"].get<std::string>().starts_with("packets move, but since cycle ")) << r["deadlock"];
  const std::string checkpoint = path("c");
  EXPECT_EQ(
      run(net + " --seed 2 --warmup 0 --cycles 30000 --checkpoint " + checkpoint + " --checkpoint-every 200").exit_code,
      1);
  EXPECT_EQ(run(net + " --seed 2 --warmup 0 --cycles 30000 --resume " + checkpoint).exit_code, 1);
  EXPECT_EQ(Json::parse(read_text(path("r.json")))["deadlock"], r["deadlock"]) << "when the last one came is kept";
  const Ran never = run(net + " --seed 1 --warmup 30000 --cycles 1000 --page " + path("p.html"));
  EXPECT_EQ(never.exit_code, 1);
  const Json none = Json::parse(read_text(path("r.json")));
  for (const char* what : {"accepted", "accepted_healthy", "offered"}) EXPECT_TRUE(none[what].is_null()) << what;
  for (const auto& [name, use] : none["channels"].items()) {
    if (name != "group0") EXPECT_TRUE(use["mean"].is_null() && use["max"].is_null()) << name;
  }
  EXPECT_EQ(never.out.find("0.000 / 0.000"), std::string::npos) << never.out;
}

TEST_F(FatTreeNet, FaultsAtRunTime) {
  const Json r = run_json(
      "net --fat-tree 4,4,2,2 --load 0.2 --warmup 500 --cycles 2000 --traffic alive --fail leaf:2,0@1,leaf:1,1@700");
  EXPECT_EQ(r["faults"]["tables_ok"], true);
  EXPECT_EQ(r["drops"]["loop"], 0);
  EXPECT_TRUE(r["conservation_ok"]);
  EXPECT_DOUBLE_EQ(r["latency_ns"]["mean"], 92 + 5 * r["latency"]["mean"].get<double>());
  EXPECT_NEAR(r["accepted_healthy"].get<double>(), 0.2, 0.02);
  EXPECT_LT(r["accepted"], r["accepted_healthy"]);
  // A leaf that fails in the last cycle of the sample has taken as much as any other, and its nodes do not count.
  const std::string net = "net --fat-tree 4,4,2,2 --load 0.2 --warmup 500 --cycles 2000 --fail leaf:1,1@", end = "2499";
  for (const std::string& faults : {end, end + " --fail leaf:3,0@2499"}) {
    const Json late = run_json(net + faults);
    EXPECT_NEAR(late["accepted_healthy"].get<double>() / late["accepted"].get<double>(), 1, 0.01) << faults;
  }
  EXPECT_EQ(run_json("net --fat-tree tiny --routing xy --load 0.1 --cycles 500 --warmup 100")["lost"], 0);
  EXPECT_EQ(run_json("net --topology fat_tree:4x4x2x2 --routing xy --load 0.1 --cycles 500 --warmup 100")["lost"], 0);
}

/// The picture of a tree that is no square: roots of a row at its right, of a column above it.
TEST_F(FatTreeNet, RootsStandBesideTheirLines) {
  const Json r = run_json("net --topology fat_tree:5x2x2x2 --load 0.1 --warmup 0 --cycles 1000 --timeline 500");
  size_t roots = 0;
  for (const Json& section : r["report"]) {
    if (!section.contains("places")) continue;
    for (size_t i = 0; i < section["places"].size(); ++i) {
      const double x = section["places"][i][0], y = section["places"][i][1];
      const std::string name = section["names"][i];
      if (name.find("root") != 0) continue;
      ++roots;
      const double line = std::stod(name.substr(name.rfind(' ')));
      if (name.find("of row") != std::string::npos) {
        EXPECT_EQ(y, line) << name;
        EXPECT_GT(x, 4) << name << ": beyond the last column";
        EXPECT_LT(x, 7) << name;
      } else {
        EXPECT_EQ(x, line) << name;
        EXPECT_GT(y, 1) << name << ": beyond the last row";
        EXPECT_LT(y, 4) << name;
      }
    }
  }
  EXPECT_GT(roots, 0u);
}

// docs/vtftr.md §10: three dead leaves of a row slow no other leaf down, also not those beside them.
TEST_F(FatTreeNet, TheSlowestLeafKeepsUpBesideDeadOnes) {
  const Json r = run_json(
      "net --fat-tree 8,8,8,8 --load 0.9 --depth 32 --warmup 500 --cycles 1500 --traffic alive --fail-at 1 --fail "
      "\"leaf:0,2;leaf:1,2;leaf:2,2\"");
  const int x = r["slowest_leaf"]["at"][0], y = r["slowest_leaf"]["at"][1];
  EXPECT_FALSE(y == 2 && x <= 2) << "dead";
  EXPECT_GT(r["slowest_leaf"]["sent"], 0.88);
  EXPECT_LT(r["slowest_leaf"]["sent"], r["accepted_healthy"]);
}

TEST_F(FatTreePipeline, EveryLevelKeepsTheCycles) {
  for (const auto& [block, tree, latency] : {std::tuple{"vtftr_leaf", "full", 3}, std::tuple{"vtftr_root", "tiny", 4},
                                             std::tuple{"vtftr_root", "full", 5}}) {
    const Json r = run_json(std::string("pipeline --requests 500 --block ") + block + " --tree " + tree);
    EXPECT_EQ(r["verdict"], "pass") << r.dump();
    EXPECT_EQ(r["specification"]["latency_cycles"], latency);
    for (const char* level : {"golden", "systemc", "rtl"}) {
      EXPECT_EQ(r["levels"][level]["latency_cycles"], latency);
      EXPECT_EQ(r["levels"][level]["initiation_interval"], 1);
      for (const auto& [stage, cycles] : r["levels"][level]["stages"].items()) EXPECT_EQ(cycles, 1) << stage;
    }
  }
}

TEST_F(FatTreeManners, RtlOfALeafAndOfARootInTheNetwork) {
  const std::pair<const char*, const char*> all[] = {{"leaf:0,0", "leaf-vc-of-node"},
                                                     {"leaf:1,1", "leaf-vc-of-node"},
                                                     {"row:0,1", "root-dead-of-others"},
                                                     {"column:2,0", "root-target-of-row"}};
  for (const auto& [at, plant] : all) {
    const std::string net =
        std::string(
            "net --fat-tree 4,4,2,2 --fail leaf:1,0@400 --load 0.3 --warmup 300 --cycles 1200 --device rtl --at ") +
        at;
    const Json r = run_json(net);
    EXPECT_GT(r["compared"], 500) << at;
    EXPECT_EQ(r["verdict"], "pass") << at;
    const Ran planted = run(net + " --plant " + plant);
    EXPECT_EQ(planted.exit_code, 1) << planted.out;
    EXPECT_NE(planted.out.find("Mismatch after"), std::string::npos) << planted.out;
  }
}

/// A leaf that comes back for less time than the news of it takes.
TEST_F(FatTreeManners, AReturnIsKnownBeforeTheLeafFailsAgain) {
  const std::string lives =
      "net --fat-tree 3,3,3,3 --warmup 0 --cycles 3000 --fail leaf:1,2@100 --repair leaf:1,2@2101";
  for (const char* way : {" --reconfigure never", " --reconfigure manager"}) {
    expect_refused(run(lives + " --fail leaf:1,2@2103" + way),
                   "--fail: leaf:1,2 fails 2 cycles after its repair, expected ");
  }
  expect_refused(run(lives + " --fail leaf:1,2@2109"), "at least, until its return is known");
  EXPECT_EQ(run(lives + " --fail leaf:1,2@2109 --reconfigure never").exit_code, 0);
  const std::string told = lives + " --reconfigure broadcast --fail leaf:1,2@";
  expect_refused(run(told + "2104"), "fails 3 cycles after its repair, expected 4 at least");
  EXPECT_EQ(run(told + "2105").exit_code, 0) << "just long enough";
  EXPECT_EQ(run(lives + " --fail leaf:1,2@2103 --reconfigure at-once").exit_code, 0);
  EXPECT_EQ(run_json("crosscheck --fat-tree 3,3,3,3 --cycles 3000 --fail leaf:1,2@100 --repair leaf:1,2@2101 --fail "
                     "leaf:1,2@2150")["verdict"],
            "pass");
}

TEST_F(FatTreeManners, CrossCheckAndAPlant) {
  const std::string check = "crosscheck --fat-tree 4,4,2,2 --load 0.4 --cycles 500 --fail leaf:1,0@100";
  const Json r = run_json(check);
  EXPECT_EQ(r["verdict"], "pass");
  EXPECT_EQ(r["runs"][0]["services"], 1);
  EXPECT_EQ(run(check + " --plant no-flood").exit_code, 1);
}

TEST_F(FatTreeManners, StudyOfRandomLeaves) {
  const Json r = run_json("fault-study --fat-tree 16,16,16,16 --samples 40");
  const Json &with = r["classes"]["leaf"]["manager"], &without = r["classes"]["leaf"]["without_manager"];
  EXPECT_EQ(with["roots"]["p50"], 1341);  // docs/vtftr.md §6
  EXPECT_EQ(with["detection"]["max"], 16);
  EXPECT_EQ(with["service"]["mean"], 1000);
  EXPECT_EQ(without["broadcast"]["max"], 70);
  for (const Json* t : {&with, &without}) {
    double sum = 0;
    for (const char* phase : {"detection", "report", "service", "broadcast", "update"})
      sum += (*t)[phase]["mean"].get<double>();
    EXPECT_DOUBLE_EQ(sum, (*t)["roots"]["mean"].get<double>());
  }
}

TEST_F(FatTreeManners, BadInputIsRefusedInOneLine) {
  expect_refused(run("net --fat-tree 4,4,2,2 --traffic hotspot"), "or alive");
  expect_refused(run("net --fat-tree 4,4,2,2 --device rtl"), "--at leaf:X,Y");
  expect_refused(run("net --fat-tree 4,4,2,2 --device rtl --at 1,1"), "--at 1,1");
  expect_refused(run("net --fat-tree 4,4,2,2 --device rtl --at row:0,2"), "--at");
  expect_refused(run("net --fat-tree 4,4,2,2 --routing xy --device rtl --at leaf:0,0"), "no hardware");
  expect_refused(run("net --fat-tree 5,4,2,2 --device rtl --at leaf:0,0"), "no RTL of vtftr_leaf was built for");
  expect_refused(run("crosscheck --fat-tree 4,4,2,2 --reconfigure broadcast"), "--reconfigure");
  expect_refused(run("fault-study --fat-tree 4,4,2,2 --faults 16"), "--faults");
  expect_refused(run("fault-study --fat-tree 4,4,2,2 --torus 4x4"), "--torus");
  const std::string route = "route --from 0,0,0 --to 2,2,0 ";
  expect_refused(run(route + "--fat-tree 4,4,2"), "columns,rows,nodes,rails");
  expect_refused(run(route + "--fat-tree 4,4,3,2"), "rails");
  expect_refused(run(route + "--fat-tree 4,4,4,2,2"), "expected 3 coordinates");
  expect_refused(run(route + "--fat-tree 4,4,2,2 --fail root:row,4,0"), "line 4 is out of range, expected 0..3");
  expect_refused(run(route + "--fat-tree 4,4,2,2 --fail link:1,1,row,2"), "rail 2 is out of range, expected 0..1");
  expect_refused(run(route + "--fat-tree 4,4,2,2 --fail root:row,0,0 --mode paper"), "mode safe");
  expect_refused(run(route + "--fat-tree 4,4,2,2 --vcs 3"), "--vcs");
  expect_refused(run("deadlock --fat-tree 4,4,2,2 --of link --fail leaf:0,0 --up-to 2"), "--up-to");
  expect_refused(run("deadlock --vcs 2"), "--fat-tree");
  expect_refused(run("net --fat-tree 4,4,4,2,2 --routing vtftr"), "vtftr_k");
  expect_refused(run("net --fat-tree 4,4,2,2 --routing ft_a --fail root:row,0,0"), "vtftr_k");
  expect_refused(run("net --fat-tree 4,4,2,2 --fail root:row,0,0 --reconfigure broadcast"), "--reconfigure");
  expect_refused(run(route + "--fat-tree 4,4,2,2 --fail leaf:4,0"), "outside the grid");
  expect_refused(run(route + "--fat-tree 4,4,2,2 --fail node:1,0"), "leaf:X,Y");
  expect_refused(run(route + "--fat-tree 4,4,2,2 --fail leaf:0,0"), "dead");
  expect_refused(run(route + "--fat-tree 4,4,2,2 --known leaf:1"), "--known");
  expect_refused(run(route + "--fat-tree 4,4,2,2 --mode printed"), "--mode");
  expect_refused(run(route + "--fat-tree 4,4,2,2 --size tiny"), "--size");
  expect_refused(run(route + "--fail leaf:1,0"), "--fat-tree");
  expect_refused(run(route + "--all-paths"), "--fat-tree");
  expect_refused(run("route --fat-tree 4,4,2,2 --from 0,0,2 --to 2,2,0"), "node 2 is out of range 0..1");
  expect_refused(run("route --fat-tree 4,4,2,2 --from 0,0 --to 2,2,0"), "x,y,n");
  expect_refused(run("deadlock --fat-tree 4,4,2,2 --fail leaf:0,4"), "outside the grid");
  expect_refused(run("deadlock --fat-tree 4,4,2,2 --state old"), "--state");
  expect_refused(run("deadlock --fat-tree 4,4,2,2 --fail leaf:0,0 --up-to 2"), "--up-to");
  expect_refused(run("deadlock --fat-tree 4,4,2,2 --torus 5x5"), "--torus");
  expect_refused(run("deadlock --fail leaf:0,0"), "--fat-tree");
  expect_refused(run("fault --fat-tree 4,4,2,2 --fail leaf:4,0"), "outside the grid");
  expect_refused(run("fault --fat-tree 4,4,2,2 --fail leaf:0,0 --fail leaf:0,0"), "fails twice");
  expect_refused(run("fault --fat-tree 4,4,2,2 --fail router:G0.s0"), "leaf:X,Y");
  expect_refused(run("fault --size tiny --fail router:G0.s0 --mask-form"), "--fat-tree");
  expect_refused(run("net --fat-tree 4,4,2,2 --fail leaf:4,0"), "outside the grid");
  expect_refused(run("net --fat-tree 4,4,2,2 --recovery port_level"), "no such parameter");
  expect_refused(run("net --fat-tree 4,4,2,2 --vcs 1"), "2 virtual channels");
  expect_refused(run("net --size tiny --reconfigure never"), "no such parameter");
  expect_refused(run("pipeline --block vtftr_leaf --tree huge"), "tree");
}

}  // namespace
}  // namespace odonata::cli
