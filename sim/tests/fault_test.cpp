// SPDX-License-Identifier: Apache-2.0
// `odonata fault`, `fault-timing`, `fault-study`: numbers that say what they are.
#include <algorithm>
#include <cmath>

#include "models/fault/router_unit.h"
#include "sim/fault_command/service_time.h"
#include "sim/fault_study/fault_study.h"
#include "sim/fault_study/study_run.h"
#include "sim/tests/run_program.h"

namespace odonata::cli {
namespace {

class Fault : public ProgramTest {};
class FaultStudy : public ProgramTest {};

/// A study of one class whose samples are these.
Json judged(const std::vector<fault::StudySample>& samples) {
  const StudyPlan plan{.d = Dragonfly::named("tiny"),
                       .settings = {},
                       .classes = {fault::FaultClass::local},
                       .samples = {static_cast<int64_t>(samples.size())},
                       .store = {}};
  std::vector<StudyDesign> designs(1);
  designs[0].samples = {samples};
  designs[0].parameters.timing = fault::Timing::of(plan.d, "full");
  return to_json(judge(plan, designs, {}, 0));
}

fault::StudySample sample_with(int64_t last_write, int64_t of_chain) {
  fault::StudySample sample;
  sample.diagnosis = 900;
  sample.last_write = last_write;
  sample.chain[static_cast<size_t>(fault::Share::unit)] = of_chain;
  return sample;
}

/// A critical chain ends with the last write, and no write is beyond its bound.
TEST(FaultStudyResult, SamplesThatCannotBeAreProblems) {
  const auto problems = [](const fault::StudySample& sample) { return judged({sample})["problems"].size(); };
  EXPECT_EQ(problems(sample_with(500, 500)), 0u);
  EXPECT_EQ(problems(sample_with(500, 499)), 1u);
  EXPECT_EQ(problems(sample_with(90'000, 90'000)), 1u);
  EXPECT_EQ(problems(sample_with(-1, 0)), 0u);
}

/// Shares are of samples in which something was written.
TEST(FaultStudyResult, ASampleWithoutAWriteHasNoChain) {
  const std::string both = judged({sample_with(500, 500), sample_with(-1, 0)}).at("chain").dump();
  EXPECT_EQ(both, judged({sample_with(500, 500)}).at("chain").dump());
}

/// A load alone is that of every sample; with a least one it is drawn between both.
TEST_F(FaultStudy, ALoadAloneIsFixed) {
  const std::string study = "fault-study --size tiny --class local --samples 2 --load 0.3";
  EXPECT_EQ(run_json(study)["settings"]["least_load"], 0.3);
  EXPECT_EQ(run_json(study + " --least-load 0.1")["settings"]["least_load"], 0.1);
}

/// Frames that nobody has acknowledged yet, at one end of a link; not the services on the critical path (13).
TEST_F(Fault, TheLongestQueueOfALinkEndIsSaid) {
  EXPECT_NE(run("fault --size tiny --fail router:G1.s1 --link-level").out.find("longest queue of a link end 2\n"),
            std::string::npos);
}

/// Three of four leaves fail: where the manager's is one of them nobody ever hears of it.
TEST_F(FaultStudy, RootsThatNeverKnowSaySo) {
  const std::string never = run_json("fault-study --fat-tree 2,2,1,1 --faults 3 --samples 1 --seed 1")["headline"];
  EXPECT_EQ(never.find("All roots know never over the manager, never without one (p99 of 1 sets"), 0u) << never;
}

TEST_F(Fault, EveryFaultHasItsRecord) {
  const std::string fails = "fault --size tiny --fail global:G0-G2 --fail local:G5.s0-G5.s1@10000";
  const Json whole = run_json(fails), out = run_json(fails + " --repair global:G0-G2@20000");
  const Json &first = out["faults"][0], &second = out["faults"][1];
  EXPECT_EQ(first["exposure"], 1128);
  EXPECT_EQ(second["exposure"], 1128);
  EXPECT_EQ(out["dead_port_exposure_cycles"], 1128);
  EXPECT_EQ(second["cycle"], 10000);
  EXPECT_EQ(second["detected"], 0);
  EXPECT_LT(first["last_write"].get<int>(), 10000);
  EXPECT_EQ(first["repaired"], 20000);
  EXPECT_GT(first["recovery_done"].get<int>(), 1600);
  EXPECT_TRUE(second["recovery_done"].is_null());
  EXPECT_EQ(out["phases"]["recovery_done"], first["recovery_done"]);
  EXPECT_EQ(out["phases"]["last_write"], whole["phases"]["last_write"])
      << "table writes of the recovery do not count as diagnosis";
  EXPECT_TRUE(whole["phases"]["recovery_done"].is_null());
  const Ran ran = run(fails + " --repair global:G0-G2@20000");
  EXPECT_NE(ran.out.find("recovery done, after the first repair"), std::string::npos) << ran.out;
}

TEST_F(Fault, ARepairedLinkIsExposedNoLonger) {
  const Json out = run_json("fault --size tiny --fail global:G0-G2 --repair global:G0-G2@300");
  EXPECT_EQ(out["faults"][0]["exposure"], 300);
}

TEST_F(Fault, TheKeysOfNetMeanTheSame) {
  const Json fault = run_json("fault --size tiny --fail local:G2.s0-G2.s2@500 --repair local:G2.s0-G2.s2@5500");
  const Json net = run_json(
      "net --size tiny --minimal-router examples --load 0.1 --warmup 0 --cycles 9000 --fail local:G2.s0-G2.s2@500 "
      "--repair all --repair-at 5500");
  for (const char* key : {"detected", "local_done", "last_fd", "diagnosis_done", "last_write"})
    EXPECT_EQ(net["faults"]["phases"][key].get<int>() - 500, fault["phases"][key].get<int>()) << key;
  for (const char* key : {"recovery_done", "recovery_write"})
    EXPECT_EQ(net["faults"]["phases"][key].get<int>() - 5500, fault["phases"][key].get<int>()) << key;
  EXPECT_EQ(net["faults"]["router"], fault["router"]);
  EXPECT_GE(fault["phases"]["diagnosis_done"].get<int>(), fault["phases"]["last_fd"].get<int>());
}

/// The chain goes back to one of several failures; `last_write` counts from the first.
TEST_F(Fault, TheChainSaysWhereItBegins) {
  const Json out = run_json("fault --size tiny --mode paper --fail 'node:G2.s0.n1@100;local:G4.s3-G4.s2@20000'");
  int64_t sum = out["chain_from"];
  EXPECT_EQ(sum, 19'900);
  for (const auto& [name, cycles] : out["chain"].items()) sum += cycles.get<int64_t>();
  EXPECT_EQ(out["phases"]["last_write"], sum);
  EXPECT_EQ(run_json("fault --size tiny --fail global:G0-G2")["chain_from"], 0);
}

/// Of one sample nobody knows the error of the mean; of none there is no chain.
TEST_F(FaultStudy, OfOneSampleAndOfNone) {
  const Json one = run_json("fault-study --size tiny --class local --samples 1")["classes"]["local"];
  EXPECT_TRUE(one["last_write"]["mean"].is_number());
  EXPECT_TRUE(one["last_write"]["ci95"].is_null());
  EXPECT_EQ(run("fault-study --size tiny --class local --samples 1").out.find("+-"), std::string::npos);
  const Ran all = run("fault-study --size tiny --class router --faults 32 --samples 3 --json " + path("all.json"));
  const Json none = Json::parse(read_text(path("all.json")))["classes"]["router"];
  EXPECT_EQ(none["last_write"]["samples"], 0);
  EXPECT_TRUE(none["chain"].is_null());
  EXPECT_TRUE(none["slowest"]["last_write"].is_null());
  EXPECT_NE(all.out.find("router     -          -"), std::string::npos) << all.out;
  run("fault-study --size tiny --class router --faults 32 --samples 3 --html " + path("all.html"));
  const std::string page = read_text(path("all.html"));
  EXPECT_NE(page.find("Fault study, "), std::string::npos);
  EXPECT_EQ(page.find("Where the cycles of the critical chain went"), std::string::npos) << "there is no chain";
}

/// The service times of the estimate are those of the specification, which every level keeps: when the last unit ends
/// what it does, and when the ring does.
TEST_F(Fault, ServiceTimesAreThoseThatAreMeasured) {
  struct Case {
    const char* words;
    bool waits = false;  ///< its units wait for the places of their messages
  };
  const Case cases[] = {{"--size tiny --hardware native"},
                        {"--size tiny --hardware 22,14"},
                        {"--size tiny --hardware 36,14"},
                        {"--size tiny --hardware 64,14"},
                        {"--size tiny --hardware 64,14 --banks 8"},
                        {"--size tiny --hardware 64,14 --ring-hop 3 --poll-width 7"},
                        {"--size tiny --hardware native --ring-hop 0"},
                        {"--size tiny --hardware native --poll-width 4 --ring-hop 2 --banks 2"},
                        {"--dragonfly 1,2,1,3 --hardware native"},
                        {"--dragonfly 1,4,1,5 --hardware native"},
                        {"--dragonfly 1,4,1,5 --hardware native --ring-hop 0", true},
                        {"--dragonfly 2,2,1,3 --hardware native --banks 8", true}};
  for (const auto& [words, waits] : cases) {
    const Json out = run_json(std::string("fault-timing ") + words), times = out["levels"]["golden"],
               fault = run_json(std::string("fault --fail global:G0-G1 ") + words)["service_cycles"];
    EXPECT_EQ(out["verdict"], "pass") << words;
    EXPECT_EQ(fault["t_ld"] < times["t_ld"], waits) << words << fault << times;
    EXPECT_FALSE(waits && out["specification"]["exact"]) << words;
    EXPECT_EQ(out["specification"]["t_ld"], fault["t_ld"]) << words;
    EXPECT_LE(fault["t_ld"], times["t_ld"]) << words;
    EXPECT_NEAR(fault["t_gd_mean_idle"].get<double>(), times["t_gd_mean"].get<double>(), 1e-9) << words;
  }
}

TEST_F(Fault, OneDescriptionOfTheRouter) {
  const std::string structure = " --hardware 9,20 --poll-width 2 --banks 2 --ring-hop 2";
  const std::string words = "9 stations, 20 rows, poll width 2, ring hop 2, 2 banks, one command at a time, load 0";
  const Json fault = run_json("fault --size tiny --fail global:G0-G2" + structure);
  EXPECT_EQ(fault["router"]["text"], words);
  EXPECT_EQ(run_json("net --size tiny --load 0.1 --warmup 0 --cycles 2000 --fail global:G0-G2@500" +
                     structure)["faults"]["router"],
            fault["router"]);
  EXPECT_EQ(run_json("fault-study --size tiny --samples 2" + structure)["router"], fault["router"]);
  EXPECT_EQ(
      run_json("fault-timing --size tiny --hardware 9,14 --poll-width 2 --banks 2 --ring-hop 2")["router"]["stations"],
      9);
  EXPECT_NE(run("fault --size tiny --fail global:G0-G2").out.find("router: 64 stations, 560 rows"), std::string::npos);
  EXPECT_NE(run("fault --size tiny --fail global:G0-G2 --hardware 64,600").out.find("router: 64 stations, 600 rows"),
            std::string::npos);
  const Json hop = run_json("fault-timing --size tiny --ring-hop 2");  // RTL is built for a hop of one cycle
  EXPECT_EQ(hop["verdict"], "pass");
  run("fault --size tiny --fail global:G0-G2 --html " + path("f.html"));
  EXPECT_NE(read_text(path("f.html")).find("64 stations, 560 rows"), std::string::npos);
  expect_refused(run("fault --size tiny --fail global:G0-G2 --hardware big"),
                 "expected full, native or STATIONS,ROWS with 7..64 stations");
  expect_refused(run("fault --size tiny --fail global:G0-G2 --hardware full --device systemc"), "expected native");
  expect_refused(run("fault-timing --size tiny --hardware full"), "expected native or STATIONS,14");
  expect_refused(run("net --size tiny --cycles 100 --fail global:G0-G2@5 --hardware 3,3"),
                 "--hardware '3,3' is out of range");
}

TEST_F(Fault, IdlePollOfAWideScheduler) {
  const std::string fail = "fault --size tiny --fail global:G0-G2 --local-latency 0 --global-latency 0";
  EXPECT_DOUBLE_EQ(run_json(fail)["service_cycles"]["t_gd_mean_idle"], 32.5 + 63 + 2);
  EXPECT_DOUBLE_EQ(run_json(fail + " --poll-width 64")["service_cycles"]["t_gd_mean_idle"], 1.0 + 63 + 2);
}

/// Several faults in one option are those of several options.
TEST_F(Fault, SeveralWithSemicolons) {
  const auto plain = [](Json out) {
    for (const char* part : {"diagnosis", "recovered"}) out[part].erase("seconds");
    out.erase("command_line");
    return out;
  };
  const Json one = run_json(
      "fault --size tiny --fail 'global:G0-G2;local:G3.s0-G3.s1@500' --repair 'global:G0-G2@9000;local:G3.s0-G3.s1'");
  const Json two = run_json(
      "fault --size tiny --fail global:G0-G2 --fail local:G3.s0-G3.s1@500 --repair global:G0-G2@9000 --repair "
      "local:G3.s0-G3.s1");
  EXPECT_EQ(plain(one), plain(two));
  EXPECT_EQ(one["faults"].size(), 2);
  const std::string brief =
      "fault --size tiny --fail 'global:G0-G2;local:G3.s0-s1@500' --repair 'global:G0-G2@9000;local:G3.s0-s1'";
  EXPECT_EQ(plain(run_json(brief)), plain(one)) << "the group of a local link once";
  const std::string apart =
      "fault --size tiny --fail 'global:G0-G2 ; local:G3.s0-s1@500' --repair 'global:G0-G2@9000;  local:G3.s0-s1'";
  EXPECT_EQ(plain(run_json(apart)), plain(one)) << "blanks between";
  expect_refused(run("fault --size tiny --fail 'global:G0-G2;'"), "fault ''");
}

TEST_F(Fault, TheReasonIsThatOfTheChain) {
  const auto reasons = [&](const std::string& fail) {
    return run_json("fault --size paper --fail " + fail)["estimate_differs_because"].dump();
  };
  const std::string global = reasons("global:G0-G2"), local = reasons("local:G0.s1-G0.s3");
  EXPECT_NE(global.find("the travel of the dead port ends last"), std::string::npos) << global;
  EXPECT_EQ(global.find("few usable"), std::string::npos) << global;
  EXPECT_NE(local.find("few usable"), std::string::npos) << local;
  const std::string router = reasons("router:G3.s4");
  EXPECT_NE(router.find("row by row"), std::string::npos) << router;
  EXPECT_EQ(router.find("few usable"), std::string::npos) << router;
  const std::string wide = reasons("local:G0.s1-G0.s3 --poll-width 64");
  EXPECT_EQ(wide.find("(t1)"), std::string::npos) << "1.0 is 1.0: " << wide;
  const Json equal =
      run_json("fault --size tiny --fail local:G0.s1-G0.s3 --ideal --local-latency 0 --global-latency 0");
  EXPECT_EQ(equal["estimate_differs_because"].dump(), "[]") << "Fig. 8(c): it does not";
}

TEST_F(Fault, MessagesListEveryService) {
  for (const char* size : {"tiny", "paper"}) {
    const Json out = run_json(std::string("fault --size ") + size + " --fail local:G0.s1-G0.s3 --repair all");
    for (const char* part : {"diagnosis", "recovered"}) {
      uint64_t services = 0;
      for (const Json& router : out[part]["messages"]) services += router["services"].get<uint64_t>();
      EXPECT_EQ(services, out[part]["services"].get<uint64_t>()) << size << " " << part;
    }
  }
}

TEST_F(Fault, APageShowsTheEndOfALongRun) {
  const Json out = run_json("fault --size paper --fail router:G3.s4 --html " + path("long.html"));
  EXPECT_LT(read_text(path("long.html")).size(), 1'500'000u);
  Json spread;
  for (const Json& section : out["report"]) {
    if (section.contains("spread")) spread = section["spread"];
  }
  EXPECT_GT(out["diagnosis"]["services"].get<uint64_t>(), spread["services"].size()) << "some are left out";
  int64_t first = INT64_MAX, last = 0;
  for (const Json& s : spread["services"])
    first = std::min(first, s[1].get<int64_t>()), last = std::max(last, s[2].get<int64_t>());
  EXPECT_EQ(first, 0);
  EXPECT_EQ(last, out["phases"]["diagnosis_done"].get<int64_t>());
  for (const Json& s : spread["services"]) ASSERT_LT(s[4].get<size_t>(), spread["texts"].size());
}

TEST_F(Fault, TheChainAddsUp) {
  const Json out = run_json("fault --size paper --fail local:G0.s1-G0.s3 --load 0.3");
  int64_t sum = 0;
  for (const auto& [name, cycles] : out["chain"].items()) sum += cycles.get<int64_t>();
  EXPECT_EQ(sum, out["phases"]["last_write"].get<int64_t>());
}

/// A router without local links: 6 pairs of its group are refused; packets from outside that enter elsewhere never
/// reach it, and that is a failure.
TEST_F(Fault, VerifyTellsThreeKindsApart) {
  const std::string fails =
      "fault --size tiny --verify --fail local:G2.s0-G2.s3 --fail local:G2.s1-G2.s3 --fail local:G2.s2-G2.s3";
  const Json alone = run_json(fails, 1);
  EXPECT_EQ(alone["verdict"], "fail");
  EXPECT_GE(alone["verify"]["lost_on_the_way"], 28);
  EXPECT_EQ(alone["verify"]["refused_though_reachable"], 6);
  EXPECT_EQ(alone["verify"]["unreachable"], 0);
  const Json good = run_json("fault --size tiny --verify --fail router:G2.s0 --fail global:G1-G3");
  EXPECT_EQ(good["verdict"], "pass");
  EXPECT_EQ(good["verify"]["lost_on_the_way"], 0);
}

TEST_F(FaultStudy, TheSameForAnyThreadsAndAfterAnInterruption) {
  const std::string study = "fault-study --size tiny --samples 70 --load 0.5 --least-load 0";
  const auto plain = [](Json out) {
    for (const char* key : {"seconds", "facts", "command_line"}) out.erase(key);
    return out;
  };
  const Json one = plain(run_json(study + " --threads 1"));
  EXPECT_EQ(one, plain(run_json(study + " --threads 3")));
  const std::string store = path("study.jsonl");
  EXPECT_EQ(one, plain(run_json(study + " --store " + store)));
  const std::string whole = read_text(store);
  file("study.jsonl", whole.substr(0, whole.size() / 2));  // killed in the middle of a line
  EXPECT_EQ(one, plain(run_json(study + " --store " + store)));
  const std::string endless = "fault-study --size paper --class router --samples 100000";
  for (const auto& [more, words] :
       {std::pair{"", "Interrupted: --store FILE would have kept what was found.\n"},
        {" --store ", "Interrupted: what was found is kept, the same command goes on.\n"}}) {
    const Ran ran = interrupt(endless + more + (*more == 0 ? "" : path("long.jsonl")));
    EXPECT_EQ(ran.exit_code, 130);
    EXPECT_EQ(ran.out, words);
  }
}

TEST_F(FaultStudy, Keys) {
  const Json out = run_json("fault-study --size tiny --samples 30 --html " + path("study.html"));
  for (const char* name : {"local", "global", "node", "router"}) {
    const Json& of = out["classes"][name];
    for (const char* metric : {"last_fd", "last_write", "recovery"}) {
      for (const char* key : {"samples", "min", "p50", "p95", "p99", "max", "mean", "ci95"})
        EXPECT_TRUE(of[metric].contains(key)) << metric << key;
    }
    EXPECT_EQ(of["last_write"]["samples"], 30);
    EXPECT_LE(of["last_write"]["min"], of["last_write"]["p50"]);
    EXPECT_LE(of["last_write"]["p99"], of["last_write"]["max"]);
    EXPECT_LE(of["last_write"]["max"], out["bound"][name]);
    uint64_t counted = 0;
    for (const Json& n : of["last_write"]["histogram"]["counts"]) counted += n.get<uint64_t>();
    EXPECT_EQ(counted, 30u);
    double sum = 0;
    for (const auto& [part, mean] : of["chain"].items()) sum += mean.get<double>();
    EXPECT_NEAR(sum, of["last_write"]["mean"].get<double>(), 1e-6);
  }
  EXPECT_EQ(out["classes"]["node"]["last_fd"]["samples"], 0);
  for (const char* part : {"wire", "fifo_wait", "poll", "ring", "unit", "ram_wait", "queue_wait"})
    EXPECT_TRUE(out["chain"].contains(part));
  EXPECT_EQ(out["designs"].size(), 1u);
  EXPECT_NE(read_text(path("study.html")).find("\"type\":\"stacked\""), std::string::npos);
}

/// Cells and flip-flops are those of docs/area.md; the cheapest design that is fast enough is found.
TEST_F(FaultStudy, DesignSpace) {
  const std::string study =
      "fault-study --size tiny --class local --samples 20 --no-repair --poll-width 1,64 --banks 1,8 --pipelined "
      "false,true";
  const Json out = run_json(study + " --require p99=100000");
  ASSERT_EQ(out["designs"].size(), 8u);
  EXPECT_EQ(out["designs"][0]["cells"], 7 * 2980 + 155);
  EXPECT_EQ(out["designs"][0]["flip_flops"], 7 * 553 + 45 + 7 * 32);
  EXPECT_EQ(out["designs"][3]["cells"], 7 * (9447 + 3120 - 2980) + 136);
  EXPECT_EQ(out["cheapest"]["cells"], out["designs"][0]["cells"]) << "the cheapest of all is fast enough";
  const int fastest = out["designs"][7]["last_write"]["local"]["p99"];
  const Json fast = run_json(study + " --require local.p99=" + std::to_string(fastest));
  EXPECT_LE(fast["cheapest"]["last_write"]["local"]["p99"].get<int>(), fastest);
  for (const Json& design : fast["designs"]) {
    if (design["meets"].get<bool>()) {
      EXPECT_GE(design["cells"], fast["cheapest"]["cells"]);
    }
  }
  EXPECT_TRUE(run_json(study + " --require p99=3", 1)["cheapest"].is_null());
}

TEST(StudyDistribution, ByHand) {
  const Distribution d({4, -1, 1, 3, 2});
  EXPECT_EQ(d.sorted, (std::vector<int64_t>{1, 2, 3, 4})) << "what did not happen does not count";
  EXPECT_DOUBLE_EQ(d.mean, 2.5);
  EXPECT_DOUBLE_EQ(d.ci95, 1.96 * std::sqrt(5.0 / 3 / 4)) << "variance of a sample: 5 / (4 - 1)";
  EXPECT_EQ(d.percentile(50), 2);
  EXPECT_EQ(d.percentile(51), 3);
  EXPECT_EQ(Distribution({7}).ci95, 0);
}

/// `fault-timing` compares what it prints: units that say they work a cycle longer differ, though no service ends
/// later.
TEST(ServiceTimes, AreTheSameOnlyWhenAllAre) {
  using namespace fault;
  struct WorksLonger : CycleDevice<RouterInputs, RouterOutputs> {
    WorksLonger(const Dragonfly& d, const FaultRouterConfig& config) : router(d, config) {}
    void step(const RouterInputs& in, RouterOutputs& out) override {
      router.step(in, out);
      const auto busy = out.busy;
      out.busy |= before;
      before = busy;
    }
    RouterUnit router;
    decltype(RouterOutputs::busy) before = 0;
  };
  const Dragonfly d = Dragonfly::named("tiny");
  const FaultRouterConfig config = FaultRouterConfig::of(Timing::of(d, "native"));
  RouterUnit golden(d, config), again(d, config);
  WorksLonger longer(d, config);
  const ServiceTimes right = measure_service_times(golden, d, d.num_ports()),
                     same = measure_service_times(again, d, d.num_ports()),
                     wrong = measure_service_times(longer, d, d.num_ports());
  EXPECT_TRUE(right == same);
  EXPECT_EQ(wrong.link_down, right.link_down);
  EXPECT_EQ(wrong.link_up, right.link_up);
  EXPECT_EQ(wrong.message_mean, right.message_mean);
  EXPECT_FALSE(wrong == right);
}

/// A store keeps the samples of each setting that decides anything apart.
TEST_F(FaultStudy, AStoreIsOfItsSettings) {
  const std::string study = "fault-study --samples 10 ", small = "--dragonfly 1,3,1,4 --class router ",
                    store = path("s.jsonl");
  const Json first = run_json(study + small + "--no-repair --store " + store);
  for (const std::string& other :
       {small, small + "--no-repair --mode paper", small + "--no-repair --faults 2", small + "--no-repair --load 0.5",
        small + "--no-repair --load 0.5 --least-load 0.2", small + "--no-repair --seed 2",
        small + "--no-repair --ring-hop 3", small + "--no-repair --global-latency 50",
        small + "--no-repair --local-latency 50", small + "--no-repair --poll start",
        std::string("--dragonfly 1,3,1,4 --class local --no-repair"),
        std::string("--dragonfly 1,3,1,3 --class router --no-repair")}) {
    const Json alone = run_json(study + other);
    EXPECT_NE(alone["classes"], first["classes"]) << other;
    EXPECT_EQ(run_json(study + other + " --store " + store)["classes"], alone["classes"]) << other;
  }
}

/// What others have found is judged as well, of every class.
TEST_F(FaultStudy, WhatTheJobsHaveFoundIsJudged) {
  const std::string study = "fault-study --size tiny --class local,node --samples 3 --no-repair";
  const Json pieces = run_json(study + " --part 0/1")["pieces"];
  const auto problems = [&](size_t piece, int64_t later) {
    Json wrong = pieces;
    Json& last_write = wrong[piece]["samples"][1][4];
    last_write = last_write.get<int64_t>() + later;
    const Json found = Json::array({{{"result", {{"pieces", wrong}}}}});
    return run_json(study + " --known " + file("known.json", found.dump()), later == 0 ? 0 : 1)["problems"];
  };
  EXPECT_TRUE(problems(0, 0).empty());
  for (const size_t piece : {0, 1}) {
    const std::string all = problems(piece, 10'000).dump(),
                      sample = (piece == 0 ? "local" : "node") + std::string(" sample 1 of '64 stations");
    EXPECT_NE(all.find(sample), std::string::npos) << all;
    EXPECT_NE(all.find("the chain has"), std::string::npos) << all;
    EXPECT_NE(all.find("above the bound"), std::string::npos) << all;
  }
  const std::string node = problems(1, 100).dump();  // below the bound of local faults
  EXPECT_NE(node.find("above the bound"), std::string::npos) << node;
}

/// Of the designs with a price: none is on the front that another one beats, and every other is. A ring's registers
/// are flip-flops, not cells, so that two designs of one price differ in their cycles. The slowest class counts, of two
/// the first.
TEST_F(FaultStudy, TheParetoFrontIsWhatNoDesignBeats) {
  const Json out = run_json(
      "fault-study --size tiny --class local,node --samples 20 --no-repair --poll-width 1,64 --ring-hop 0,1,4 --banks "
      "1,8");
  ASSERT_EQ(out["designs"].size(), 12u);
  const auto cells = [](const Json& d) { return d["cells"].get<int64_t>(); };
  const auto cycles = [](const Json& d) {
    const Json& all = d["last_write"];
    return std::max(all["local"]["p99"].get<int64_t>(), all["node"]["p99"].get<int64_t>());
  };
  EXPECT_GT(cycles(out["designs"][0]), out["designs"][0]["last_write"]["node"]["p99"].get<int64_t>());
  for (const Json& x : out["designs"]) {
    const bool beaten = std::any_of(out["designs"].begin(), out["designs"].end(), [&](const Json& y) {
      return cells(y) <= cells(x) && cycles(y) <= cycles(x) && (cells(y) < cells(x) || cycles(y) < cycles(x));
    });
    EXPECT_EQ(x["pareto"].get<bool>(), !beaten) << x["router"];
  }
}

TEST_F(FaultStudy, TheSlowestFaultIsOfItsClass) {
  const Json out = run_json("fault-study --size tiny --samples 10 --no-repair");
  for (const auto& [name, of] : out["classes"].items())
    EXPECT_EQ(of["slowest"]["fault"].get<std::string>().find(name + ":"), 0u) << of["slowest"];
}

TEST_F(FaultStudy, BadInput) {
  expect_refused(run("fault-study --class links"), "--class: 'links' is unknown");
  expect_refused(run("fault-study --class local,local"), "given twice");
  expect_refused(run("fault-study --size tiny --class global --faults 100"), "has 28 faults of class global");
  expect_refused(run("fault-study --require p98=500"), "--require: 'p98=500' is unknown");
  expect_refused(run("fault-study --class local --require node.p99=500"), "--require");
  expect_refused(run("fault-study --pipelined maybe"), "--pipelined: 'maybe' is unknown");
  expect_refused(run("fault-study --banks 3"), "--banks: '3' is unknown");
  expect_refused(run("fault-study --load 0.2 --least-load 0.5"), "--least-load");
}

}  // namespace
}  // namespace odonata::cli
