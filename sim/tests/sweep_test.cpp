// SPDX-License-Identifier: Apache-2.0
// odonata sweep: products of parameters, bisection, resuming after a kill, bad files.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fmt/format.h>
#include <sqlite3.h>

#include <cmath>
#include <csignal>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <sstream>

#include "sim/net_command/sweep/sweep_compare.h"
#include "sim/net_command/sweep/sweep_timeline.h"
#include "sim/net_command/sweep/sweep_report.h"
#include "sim/net_command/sweep/sweep_run.h"
#include "sim/tests/run_program.h"
#include "tb/common/error_text.h"

namespace odonata::cli {
namespace {

using SweepTest = ProgramTest;

constexpr const char* kSweep = R"(title = "test"
[net]
size = "tiny"
warmup = 3000
cycles = 3000
traffic = "adv+1"
[quick]
cycles = 300
[[part]]
[part.vary]
routing = ["min", "val"]
load = [0.05, 0.1]
seed = [1, 2]
[[part]]
saturation = { low = 0.05, high = 0.3, step = 0.05 }
[part.vary]
routing = ["min"]
[[paper]]
quantity = "latency"
where = { routing = "min", load = 0.1 }
value = 100
[[paper]]
quantity = "saturation"
where = { routing = "min" }
value = 0.125
)";

/// The last load is within the range, however the steps divide it, and the top when they do.
TEST(SaturationSearch, LoadsAreWithinTheRange) {
  EXPECT_EQ((SaturationSearch{0.1, 0.55, 0.1}.loads()), 5);
  EXPECT_EQ((SaturationSearch{0, 1, 0.15}.loads()), 7);
  EXPECT_EQ((SaturationSearch{0.1, 0.15, 0.1}.loads()), 1);
  for (int steps = 1; steps <= 900; ++steps) {
    const SaturationSearch search{0.1, 0.1 + 0.001 * steps, 0.001};
    EXPECT_EQ(search.loads(), steps + 1);
    EXPECT_NEAR(std::stod(search.load(search.loads() - 1)), search.high, 1e-6);
  }
}

TEST_F(SweepTest, MakesEveryCombinationAndFindsTheSaturation) {
  const std::string toml = file("s.toml", kSweep);
  const Ran ran = run("sweep " + toml + " --jobs 2 --out " + path("o") + " --markdown " + path("o.md"));
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const Json result = Json::parse(read_text(path("o.json")));
  EXPECT_EQ(result["points"].size(), 4u);
  EXPECT_EQ(result["points"][0]["runs"], 2);
  EXPECT_NEAR(result["saturation"][0]["loads"][0].get<double>(), 0.1,
              1e-9);  // the only minimal link of a group carries 1/8 a node
  EXPECT_EQ(result["verdict"], "pass");
  const Json one =
      run_json("net --size tiny --warmup 3000 --cycles 3000 --traffic adv+1 --routing min --load 0.1 --seed 1");
  const Json two =
      run_json("net --size tiny --warmup 3000 --cycles 3000 --traffic adv+1 --routing min --load 0.1 --seed 2");
  const double mean = (one["latency"]["mean"].get<double>() + two["latency"]["mean"].get<double>()) / 2;
  EXPECT_NEAR(result["points"][2]["latency"].get<double>(), mean, 1e-9);
  EXPECT_NEAR(result["paper"][0]["deviation"].get<double>(), mean - 100, 1e-6);
  EXPECT_EQ(result["paper"][1]["close"], false);
  EXPECT_NE(read_text(path("o.md")).find("not explained"), std::string::npos);
  EXPECT_NE(read_text(path("o.html")).find("latency, cycles"), std::string::npos);
}

/// A curve with saturated runs also shows what is accepted and what the slowest router's nodes send; one without them
/// does not.
TEST_F(SweepTest, CurvesBeyondSaturation) {
  const auto charts = [this](const std::string& loads) {
    const std::string toml = file("s.toml",
                                  "[[part]]\ntitle = \"ADV\"\n[part.net]\nsize = \"tiny\"\nwarmup = 2000\ncycles = "
                                  "1000\ndrain = 500\ntraffic = \"adv+1\"\n"
                                  "routing = \"min\"\n[part.vary]\nload = " +
                                      loads + "\n");
    EXPECT_EQ(run("sweep " + toml + " --out " + path("o") + " --markdown " + path("o.md")).exit_code, 0);
    std::map<std::string, Json> out;
    const Json result = Json::parse(read_text(path("o.json")));
    for (const Json& section : result["report"])
      if (section["type"] == "lines") out[section["title"]] = section["series"][0]["points"];
    return out;
  };
  std::map<std::string, Json> beyond = charts("[0.05, 0.5, 1]");
  const Json throughput = beyond["ADV: throughput"], slowest = beyond["ADV: slowest router"];
  ASSERT_EQ(throughput.size(), 3u);
  EXPECT_NEAR(throughput[0][1].get<double>(), 0.05, 0.005);
  EXPECT_NEAR(throughput[2][1].get<double>(), 1.0 / 8, 0.005) << "the only minimal link of a group carries 1/8 a node";
  ASSERT_EQ(slowest.size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_GT(slowest[i][1], 0);
    EXPECT_LT(slowest[i][1], throughput[i][1]) << "not all are alike";
  }
  const Json one =
      run_json("net --size tiny --warmup 2000 --cycles 1000 --drain 500 --traffic adv+1 --routing min --load 1",
               1);  // of its sample nothing arrives
  EXPECT_EQ(slowest[2][1], one["slowest_router"]["sent"]);
  EXPECT_NE(
      read_text(path("o.md"))
          .find(fmt::format("| {:.4f} | {:.3f} | yes |", throughput[2][1].get<double>(), slowest[2][1].get<double>())),
      std::string::npos);
  EXPECT_EQ(charts("[0.02, 0.05]").count("ADV: throughput"), 0u);
}

/// After the first seed a search starts where the last one ended, and usually takes two runs.
TEST_F(SweepTest, TheSearchOfASeedStartsAtTheLoadOfTheLastOne) {
  const std::string toml = file(
      "s.toml",
      "[[part]]\nsaturation = { low = 0.05, high = 0.5, step = 0.01, latency = 500 }\n[part.net]\nsize = \"tiny\"\n"
      "warmup = 9000\ncycles = 3000\ntraffic = \"adv+1\"\nrouting = \"min\"\n[part.vary]\nseed = [1, 2, 3]\n");
  const Ran ran = run("sweep " + toml + " --jobs 2 --out " + path("o"));
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const Json found = Json::parse(read_text(path("o.json")))["saturation"][0]["loads"];
  ASSERT_EQ(found.size(), 3u);
  for (const Json& load : found) EXPECT_NEAR(load.get<double>(), 0.12, 1e-9);
  std::map<std::string, int> runs;
  std::istringstream lines(read_text(path("o.jsonl")));
  for (std::string line; std::getline(lines, line);) ++runs[Json::parse(line)["settings"]["seed"].get<std::string>()];
  EXPECT_GE(runs["1"], 5);
  EXPECT_EQ(runs["2"], 2);
  EXPECT_EQ(runs["3"], 2);
}

/// Loads are taken from the lowest on, whatever their order in the file: behind a saturated one there is nothing to
/// run.
TEST_F(SweepTest, LoadsAreTakenFromTheLowestOn) {
  const std::string toml = file("s.toml",
                                "[[part]]\nsaturated_runs = 1\n[part.net]\nsize = \"tiny\"\nwarmup = 2000\n"
                                "cycles = 1000\ntraffic = \"adv+1\"\nrouting = \"min\"\n"
                                "[part.vary]\nload = [0.5, 1, 0.02]\n");
  const Ran ran = run("sweep " + toml + " --out " + path("o"));
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  std::set<std::string> loads;
  std::istringstream lines(read_text(path("o.jsonl")));
  for (std::string line; std::getline(lines, line);)
    loads.insert(Json::parse(line)["settings"]["load"].get<std::string>());
  EXPECT_EQ(loads, (std::set<std::string>{"0.02", "0.5"}));
}

/// From a published load, right or wrong, and by the mean latency, the search ends where the bisection does.
TEST_F(SweepTest, SearchesFindTheSameFromAnyPublishedLoad) {
  const std::string text =
      "[[part]]\nsaturation = { low = 0.05, high = 0.5, step = 0.01, latency = 500 }\n[part.net]\nsize = "
      "\"tiny\"\nwarmup = 9000\n"
      "cycles = 3000\ntraffic = \"adv+1\"\nrouting = \"min\"\n[[paper]]\nquantity = \"saturation\"\nvalue = ";
  for (const char* published : {"0", "0.12", "0.13", "0.2", "1"}) {
    const std::string toml = file("s.toml", text + published + "\n"), out = path(std::string("o") + published);
    const Ran ran = run("sweep " + toml + " --out " + out);
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_NEAR(Json::parse(read_text(out + ".json"))["saturation"][0]["loads"][0].get<double>(), 0.12, 1e-9)
        << published;
    EXPECT_EQ(run("sweep " + toml + " --no-run --out " + out).exit_code, 0) << "what was stopped is there, too";
  }
}

TEST_F(SweepTest, GoesOnAfterAKillWithTheSameResult) {
  const std::string toml = file("s.toml", kSweep);
  ASSERT_EQ(run("sweep " + toml + " --out " + path("o")).exit_code, 0);
  const std::string csv = read_text(path("o.csv")), lines = read_text(path("o.jsonl"));
  std::string damaged = lines.substr(0, lines.size() - 40);                   // killed while it wrote the last line
  damaged.replace(damaged.find("\"accepted\":0.0"), 14, "\"accepted\":0.9");  // and a line that somebody touched
  file("o.jsonl", damaged);
  std::filesystem::remove(path("o.csv"));
  const Ran again = run("sweep " + toml + " --out " + path("o"));
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_NE(again.err.find("2 damaged lines passed over"), std::string::npos) << again.err;
  EXPECT_EQ(read_text(path("o.csv")), csv);
  EXPECT_EQ(run("sweep " + toml + " --out " + path("o")).err.find(" 0 runs there"), std::string::npos);
}

/// What `odonata net` fails a sweep does not pass.
TEST_F(SweepTest, RunsThatFailAloneFailIt) {
  struct Case {
    std::string words, load, headline;
  };
  for (const Case& c : {
           Case{"cycles = 50\n", "0.0", "1 run measured nothing"},
           Case{"workload = \"lu:px=2,py=2\"\ncycles = 10\n", "0.0", "1 run left programs unfinished"},
           Case{"fail = \"global:G0-G1@900\"\ncycles = 100\ndrain = 1000\n", "0.2",
                "1 run ended before a fault or a repair"},
       }) {
    const std::string text = "title = \"t\"\n[net]\nsize = \"tiny\"\nwarmup = 0\n" + c.words +
                             "[[part]]\n[part.vary]\nload = [" + c.load + "]\n";
    const Ran ran = run("sweep " + file("s.toml", text) + " --out " + path("o"));
    EXPECT_EQ(ran.exit_code, 1) << c.words << ran.err;
    const Json result = Json::parse(read_text(path("o.json")));
    EXPECT_EQ(result["verdict"], "fail") << c.words;
    EXPECT_EQ(result["headline"], c.headline) << c.words;
    std::filesystem::remove(path("o.jsonl"));
  }
  const Ran search = run("sweep " +
                         file("s.toml",
                              "title = \"t\"\n[net]\nsize = \"tiny\"\nwarmup = 0\ncycles = 2\ndrain = 0\n"
                              "[[part]]\nsaturation = { low = 0.1, high = 0.3, step = 0.1, latency = 100 }\n") +
                         " --out " + path("o"));
  EXPECT_EQ(search.exit_code, 1) << search.err;
  EXPECT_EQ(Json::parse(read_text(path("o.json")))["headline"], "1 run measured nothing");
}

/// Nothing arrives within a sample of one cycle, and its packets have latencies; a program that only computes has none.
TEST_F(SweepTest, RunsThatMeasureSomethingElsePass) {
  for (const std::string& words : {std::string("load = 0.4\ntraffic = \"adv+1\"\ncycles = 1\n"),
                                   "workload = \"" + file("calc.goal", "num_ranks 1 rank 0 { calc 100 }\n") + "\"\n"}) {
    const Ran ran =
        run("sweep " +
            file("s.toml", "[net]\nsize = \"tiny\"\nwarmup = 0\n" + words + "[[part]]\n[part.vary]\nseed = [1]\n") +
            " --out " + path("o"));
    EXPECT_EQ(ran.exit_code, 0) << words << ran.err;
    EXPECT_EQ(Json::parse(read_text(path("o.json")))["points"][0]["accepted"], 0.0);
    std::filesystem::remove(path("o.jsonl"));
  }
}

/// What programs are to a sweep: the flits that they send, and a twentieth of what the busiest rank needs for its own
/// on every node. Two ranks exchange 6,400 bytes: 200 flits each, at half of the rate; one computes for 300 ns of two
/// cycles.
TEST_F(SweepTest, WorkOfProgramsIsWhatTheySend) {
  const std::string goal = file("two.goal",
                                "num_ranks 2\nrank 0 {\na: send 6400b to 1 tag 1\nb: recv 6400b from 1 tag 2\n"
                                "c: calc 300\n}\nrank 1 {\na: recv 6400b from 0 tag 1\nb: send 6400b to 0 tag 2\n}\n");
  const std::string toml = file(
      "s.toml", "title = \"t\"\n[net]\nsize = \"tiny\"\nnic-rate = 0.5\nflit-bytes = 32\nclock = 2\nworkload = \"" +
                    goal + "\"\n[[part]]\n[part.vary]\nseed = [1, 2]\n");
  const SweepEstimate estimate =
      estimate_sweep(read_sweep(toml, false), SweepStore(path("o.jsonl"), SweepStore::Use::read));
  EXPECT_EQ(estimate.runs, 2u);
  EXPECT_DOUBLE_EQ(estimate.work, 2 * (2 * 200 + 0.05 * (400 + 300 * 2) * 64));
  EXPECT_GT(estimate.seconds, 0);
  const auto work_of_iterations = [this](const std::string& iterations) {
    const std::string again =
        file("again.toml", "title = \"t\"\n[net]\nsize = \"tiny\"\nworkload = \"dl:ranks=4,it=" + iterations +
                               ",bytes=6400\"\n[[part]]\n[part.vary]\nseed = [1]\n");
    return estimate_sweep(read_sweep(again, false), SweepStore(path("o.jsonl"), SweepStore::Use::read)).work;
  };
  EXPECT_DOUBLE_EQ(work_of_iterations("5"), 5 * work_of_iterations("1"));
}

/// Looking at the store of a running sweep leaves it alone, and a second sweep does not write to it.
TEST_F(SweepTest, AStoreHasOneWriter) {
  const std::string toml = file("s.toml", kSweep), begin = "{\"sum\": a damaged line", store = file("o.jsonl", begin);
  const int writer = ::open(store.c_str(), O_WRONLY | O_APPEND);
  ASSERT_EQ(::flock(writer, LOCK_EX), 0);
  EXPECT_EQ(run("sweep " + toml + " --estimate --out " + path("o")).exit_code, 0);
  const Ran nothing = run("sweep " + toml + " --no-run --out " + path("o"));
  EXPECT_EQ(nothing.exit_code, 1);
  EXPECT_NE(nothing.out.find("Failed: nothing was run"), std::string::npos) << nothing.out;
  const Ran second = run("sweep " + toml + " --out " + path("o"));
  EXPECT_EQ(second.exit_code, 2);
  EXPECT_NE(second.err.find("another run is writing to it"), std::string::npos) << second.err;
  EXPECT_EQ(read_text(store), begin);
  ::close(writer);
  EXPECT_EQ(run("sweep " + toml + " --quick --out " + path("o")).exit_code, 0);
  EXPECT_EQ(read_text(store).find(begin + "\n{"), 0u);
}

/// Lines with other contents than a result are damaged, however they are.
TEST_F(SweepTest, AStorePassesOverLinesThatAreNoResult) {
  SweepStore(path("s.jsonl"), SweepStore::Use::append).add({{"load", "0.1"}}, Json::object({{"latency", 5}}));
  const std::string good = read_text(path("s.jsonl"));
  for (const char* line : {"5", "[]", "{}", R"({"settings":{"load":"0.1"}})", R"({"result":{"latency":5}})",
                           R"({"settings":5,"result":{}})", R"({"settings":null,"result":{}})",
                           R"({"settings":["0.1"],"result":{}})", R"({"settings":{"load":0.1},"result":{}})"}) {
    const SweepStore store(file("s.jsonl", line + ("\n" + good)), SweepStore::Use::read);
    EXPECT_EQ(store.damaged(), 1u) << line;
    EXPECT_EQ(store.found(), 1u) << line;
    EXPECT_NE(store.find({{"load", "0.1"}}), nullptr) << line;
  }
}

/// The parts of a plan are those of one program.
TEST_F(SweepTest, AStoreOfAnotherProgramIsRefused) {
  using enum SweepStore::Use;
  SweepStore(path("s.jsonl"), append, "mine").add({{"load", "0.1"}}, 1);
  EXPECT_EQ(SweepStore(path("s.jsonl"), append, "mine").found(), 1u);
  EXPECT_EQ(SweepStore(path("s.jsonl"), read).found(), 1u) << "who does not ask takes it";
  EXPECT_EQ(
      error_text([&] { SweepStore(path("s.jsonl"), append, "other"); }),
      "'" + path("s.jsonl") + "': made by another program, 'mine', this is 'other'; remove the folder to begin anew");
}

TEST_F(SweepTest, AStoreThatCannotBeWrittenSaysWhy) {
  using enum SweepStore::Use;
  EXPECT_EQ(error_text([&] { SweepStore(path("none/s.jsonl"), append); }),
            "'" + path("none/s.jsonl") + "': cannot be written: No such file or directory");
  // The least descriptor of all is a file like any other.
  const int input = ::dup(STDIN_FILENO);
  ::close(STDIN_FILENO);
  const std::string least = error_text([&] { SweepStore(path("s.jsonl"), append).add({{"load", "0.1"}}, 1); });
  ::dup2(input, STDIN_FILENO);
  ::close(input);
  EXPECT_EQ(least, "");
  // Room for a part of a line, then for nothing.
  SweepStore store(path("s.jsonl"), append);
  const auto size = std::filesystem::file_size(path("s.jsonl"));
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit little{size + 10, before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &little), 0);
  const std::string part = error_text([&] {
    store.add({{"load", "0.2"}}, 2);
  }),
                    none = error_text([&] {
                      store.add({{"load", "0.3"}}, 3);
                    });
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  for (const std::string& why : {part, none})
    EXPECT_EQ(why, "'" + path("s.jsonl") + "': cannot be written: File too large");
  EXPECT_EQ(store.find({{"load", "0.2"}}), nullptr);
  EXPECT_EQ(SweepStore(path("s.jsonl"), read).found(), 1u);
  store.add({{"load", "0.4"}}, 4);  // there is room again: not behind the part of another line
  const SweepStore again(path("s.jsonl"), read);
  EXPECT_EQ(again.found(), 2u);
  EXPECT_EQ(again.damaged(), 1u);
}

/// A result that cannot be kept ends the sweep, though there is room for the next one.
TEST_F(SweepTest, NoRunIsMadeBehindOneThatCannotBeKept) {
  using enum SweepStore::Use;
  const SweepFile sweep = read_sweep(file("s.toml", kSweep), true);
  SweepStore store(path("s.jsonl"), append);
  static rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit little{std::filesystem::file_size(path("s.jsonl")) + 10, before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, [](int) { ::setrlimit(RLIMIT_FSIZE, &before); });
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &little), 0);
  const std::string why = error_text([&] { run_sweep(sweep, store, 1, false); });
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(why, "'" + path("s.jsonl") + "': cannot be written: File too large");
  EXPECT_EQ(SweepStore(path("s.jsonl"), read).found(), 0u);
}

/// What stands in the tools' place says: no number, nothing, and that the last submission is still in the queue.
TEST_F(SweepTest, WhatSlurmSaysIsLookedAt) {
  const std::string toml = file("s.toml", kSweep), path_before = std::getenv("PATH");
  std::filesystem::create_directories(path("bin"));
  const auto tool = [&](const std::string& name, const std::string& script) {
    std::filesystem::permissions(file("bin/" + name, "#!/bin/sh\n" + script + "\n"), std::filesystem::perms::owner_all);
  };
  const auto submit = [&] {
    setenv("PATH", path("bin").c_str(), 1);
    Ran ran = run("sweep " + toml + " --slurm --out " + path("o"));
    setenv("PATH", path_before.c_str(), 1);
    return ran;
  };
  tool("squeue", "");
  for (const char* says : {"abc", "12b", ""}) {
    tool("sbatch", std::string("echo ") + says);
    const Ran ran = submit();
    EXPECT_EQ(ran.exit_code, 2) << says;
    EXPECT_NE(ran.err.find(std::string("sbatch: a job's number was expected, not '") + says + "'"), std::string::npos)
        << ran.err;
  }
  tool("sbatch", "echo '12;here'");
  EXPECT_EQ(submit().exit_code, 0);
  EXPECT_EQ(submit().exit_code, 0) << "the queue is empty again";
  tool("squeue", "echo 12");
  EXPECT_NE(submit().err.find("jobs 12,12 of the last submission are still in the queue"), std::string::npos);
}

/// Ranks that a launcher has started share a task, and a task of each number of ranks is the least.
TEST_F(SweepTest, RanksAreOfTasks) {
  const std::string one = file("one.toml", kSweep), two = file("two.toml", R"(title = "two"
[net]
size = "tiny"
[[part]]
[part.slurm]
ranks = 2
[[part]]
)");
  setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
  const Ran launched = run("sweep " + one + " --out " + path("o"));
  unsetenv("OMPI_COMM_WORLD_SIZE");
  expect_refused(launched, "several ranks share the runs of a --task only; a sweep of its own uses --jobs");
  const Ran few = run("sweep " + two + " --print-tasks --array-max 1 --out " + path("o"));
  EXPECT_EQ(few.exit_code, 2);
  EXPECT_NE(few.err.find("--array-max 1: runs of 2 numbers of ranks need as many tasks"), std::string::npos) << few.err;
  EXPECT_EQ(run("sweep " + two + " --print-tasks --array-max 2 --out " + path("o")).exit_code, 0);
  const Json tasks = Json::parse(read_text(path("o.d/plan.json")))["tasks"];
  ASSERT_EQ(tasks.size(), 2u);
  EXPECT_EQ(tasks[0]["ranks"], 1);
  EXPECT_EQ(tasks[1]["ranks"], 2);
}

/// What the tasks of an array have run before it is planned again is not run again.
TEST_F(SweepTest, APlanMadeAgainHasWhatIsLeft) {
  const std::string plan =
      "sweep " +
      file("left.toml",
           "title = \"left\"\n[net]\nsize = \"tiny\"\nwarmup = 0\ncycles = 100\n[[part]]\n[part.vary]\n"
           "load = [0.1, 0.2]\n") +
      " --print-tasks --task-time 0 --out " + path("o");
  EXPECT_EQ(run(plan).exit_code, 0);
  EXPECT_EQ(Json::parse(read_text(path("o.d/plan.json")))["tasks"].size(), 2u);
  EXPECT_EQ(run("sweep --plan " + path("o.d/plan.json") + " --task 0").exit_code, 0);
  const Ran again = run(plan);
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_NE((again.out + again.err).find("left: 1 run there, at most 1 to make"), std::string::npos)
      << again.out << again.err;
  EXPECT_EQ(Json::parse(read_text(path("o.d/plan.json")))["tasks"].size(), 1u);
  EXPECT_EQ(run("sweep --plan " + path("o.d/plan.json") + " --merge").exit_code, 1) << "a task is missing";
  EXPECT_EQ(Json::parse(read_text(path("o.json")))["verdict"], "fail");
  EXPECT_EQ(run("sweep --plan " + path("o.d/plan.json") + " --task 0").exit_code, 0);
  EXPECT_EQ(run("sweep --plan " + path("o.d/plan.json") + " --merge").exit_code, 0);
  EXPECT_EQ(Json::parse(read_text(path("o.json")))["verdict"], "pass") << "where the plan says";
}

/// Of every kind that a run can name, of Chakra those of all ranks.
TEST_F(SweepTest, TheStoreKnowsWhatIsInTheFilesOfARun) {
  for (const char* name : {"g.json", "t.trace", "a.goal", "c.0.et", "c.1.et", "c.2.et", "places"}) file(name, "1");
  const network::Settings run{{"topology", path("g.json")},
                              {"traffic", "trace:" + path("t.trace")},
                              {"workload", path("a.goal") + "; " + path("c.0.et") + ";dl:ranks=2"},
                              {"mapping", "file:" + path("places")}};
  SweepStore(path("s.jsonl"), SweepStore::Use::append).add(run, 1);
  const auto known = [&] { return SweepStore(path("s.jsonl"), SweepStore::Use::read).find(run) != nullptr; };
  EXPECT_TRUE(known());
  for (const char* name : {"g.json", "t.trace", "a.goal", "c.0.et", "c.1.et", "c.2.et", "places"}) {
    file(name, "2");
    EXPECT_FALSE(known()) << name;
    file(name, "1");
    EXPECT_TRUE(known()) << name;
  }
  std::filesystem::remove(path("c.2.et"));
  EXPECT_FALSE(known()) << "a rank less";
}

/// The store knows what is in the files that a run names.
TEST_F(SweepTest, ARunIsMadeAgainWhenItsFileIsAnother) {
  const auto latency = [&](const std::string& settings) {
    EXPECT_EQ(
        run("sweep " + file("s.toml", "title = \"files\"\n[net]\nwarmup = 0\n[[part]]\n[part.vary]\n" + settings) +
            " --out " + path("files"))
            .exit_code,
        0);
    return Json::parse(read_text(path("files.json")))["points"][0]["latency"].get<double>();
  };
  const auto graph = [&](int cycles) {
    file("g.json", R"({"switches": ["a", "b"], "nodes": [{"name": "x", "switch": "a"}, {"name": "y", "switch": "b"}],
                       "links": [{"between": ["a", "b"], "latency": )" +
                       std::to_string(cycles) + "}]}");
    return latency("cycles = [500]\nload = [0.1]\ntopology = [\"" + path("g.json") + "\"]\n");
  };
  const double near = graph(1);
  EXPECT_GT(graph(31), near + 25);
  EXPECT_EQ(graph(1), near);
  const std::string runs = read_text(path("files.jsonl"));
  EXPECT_EQ(std::count(runs.begin(), runs.end(), '\n'), 2) << "what is there is not run again";
}

TEST_F(SweepTest, TheEndsOfRangesAreTaken) {
  const auto taken = [&](const std::string& part) {
    return error_text([&] { read_sweep(file("ends.toml", "[net]\nsize = \"tiny\"\n[[part]]\n" + part), false); });
  };
  EXPECT_EQ(taken("saturated_runs = 1000\n[part.vary]\nload = [0.1]\n"), "");
  EXPECT_EQ(taken("saturated_runs = 0\n[part.vary]\nload = [0.1]\n"), "");
  EXPECT_EQ(taken("[part.slurm]\nranks = 4096\n"), "");
  EXPECT_EQ(taken("saturation = { low = 0, high = 1, step = 0.001 }\n"), "");
}

/// What is no store stays as it is.
TEST_F(SweepTest, NothingIsAppendedToAFileOfSomethingElse) {
  const std::string toml = file("s.toml", kSweep), notes = file("o.jsonl", "my notes\n");
  const Ran ran = run("sweep " + toml + " --out " + path("o"));
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_NE(ran.err.find("this is no store of results"), std::string::npos) << ran.err;
  const Ran study = run("fault-study --size tiny --class local --samples 1 --store " + notes);
  EXPECT_EQ(study.exit_code, 2);
  EXPECT_NE(study.err.find("this is no store of results"), std::string::npos) << study.err;
  EXPECT_EQ(read_text(notes), "my notes\n");
}

TEST_F(SweepTest, AQuickRunSaysSo) {
  const std::string toml = file("s.toml", kSweep);
  const Ran ran = run("sweep " + toml + " --quick --out " + path("o"));
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find("quick, not the lengths of the file: cycles=300"), std::string::npos) << ran.out;
  const std::string slow = file("slow.toml", "[[part]]\n[part.vary]\nload = [0.1]\n");
  expect_refused(run("sweep " + slow + " --quick --out " + path("x")), "slow.toml: no [quick]");
}

TEST_F(SweepTest, BadFilesAreRefusedByNameAndLine) {
  const auto refused = [&](const std::string& text, const std::string& words) {
    const std::string toml = file("bad.toml", text);
    const int before = files();
    const Ran ran = run("sweep " + toml + " --out " + path("x"));
    EXPECT_EQ(ran.exit_code, 2) << text;
    EXPECT_NE(ran.err.find(words), std::string::npos) << ran.err;
    EXPECT_EQ(files(), before) << text;
  };
  refused("", "no [[part]]");
  refused("tilte = 1\n[[part]]\n", "bad.toml:1: unknown key 'tilte'");
  refused("[[part]]\n[part.vary]\nlaod = [1]\n", "laod");
  refused("command = \"net\"\n[[part]]\n", "bad.toml:1: the file is not for 'odonata sweep'");
  refused("[[part]]\n[part.net]\nrouting = 1979-05-27\n", "bad.toml:3: expected a string, a number, true or false");
  refused("[[part]]\nslurm = 3\n", "bad.toml:2: expected a table: ranks");
  refused("[[part]]\n[part.slurm]\nrank = 3\n", "bad.toml:3: unknown key 'rank'");
  refused("[[part]]\n[part.slurm]\nranks = 0\n", "bad.toml:3: key 'ranks': expected a number 1..4096");
  refused("[[part]]\n[part.net]\nlive-traffic = true\n", "--live-traffic: nothing fails, expected --fail");
  refused("[[part]]\n[part.vary]\nload = 0.1\n", "bad.toml:3: expected a list");
  for (const char* own : {"[part.net]\nload = 0.1\n", "[part.vary]\nload = [0.1, 0.2]\n"})
    refused(std::string("[[part]]\nsaturation = { low = 0.1, high = 0.2, step = 0.1 }\n") + own,
            "bad.toml:4: 'load' beside 'saturation'");
  refused("[[part]]\nsaturation = { low = 0.5, high = 0.2, step = 0.1 }\n", "bad.toml:2: expected 0 <= low < high");
  refused("[[part]]\n[part.net]\nrouting = \"par\"\nvcs = 4\n", "needs 5 virtual channels");
  refused("[[part]]\ncompare = { measure = \"size\" }\n", "measure 'size'");
  refused("[[part]]\ncompare = { pairs = [[\"min\", \"val\"]] }\n[part.vary]\nrouting = [\"min\"]\n",
          "'val' is not among those that vary");
  refused("[[part]]\n[[paper]]\nquantity = \"nonsense\"\nvalue = 1\n", "nonsense");
  refused("[[part]]\n[[paper]]\nquantity = \"hops-1\"\nvalue = 1\n", "quantity 'hops-1' is unknown");
  refused("[[part]]\n[[paper]]\nvalue = nan\n", "bad.toml:3: key 'value': expected a number");
  refused("[[part]]\n[[paper]]\nvalue = 1\nwhere = { lode = 0.1 }\n", "bad.toml:4: 'lode' is no parameter of a run");
  refused("[[part]]\nlog = \"yes\"\n", "bad.toml:2: key 'log': expected true or false");
  refused("[[part]]\nsaturated_runs = -1\n", "bad.toml:2: key 'saturated_runs': expected a number 0..1000");
  refused("[[part]]\nsaturated_runs = 1.5\n", "bad.toml:2: key 'saturated_runs': expected a number 0..1000");
  refused("[[part]]\n[part.vary]\nload = [0.1, 0.2, 0.1]\n", "bad.toml:3: '0.1' is in the list twice");
  refused("[[part]]\n[part.vary]\nload = [0.1, \"0.10\"]\n", "bad.toml:3: '0.10' is in the list twice");
  refused("[quick]\ncycls = 5\n[[part]]\n", "bad.toml:2: --cycls: there is no such parameter");
  refused("[quick]\ncycles = -1\n[[part]]\n", "bad.toml:2: --cycles: ");
  refused("[[part]]\npanels = [\"traffic\"]\n", "bad.toml:2: 'panels' without 'compare'");
  refused(
      "[[part]]\npanels = [\"trafic\"]\ncompare = { pairs = [[\"min\", \"val\"]] }\n[part.vary]\n"
      "routing = [\"min\", \"val\"]\n",
      "bad.toml:2: 'trafic' is not among the parameters that vary");
  refused("[[part]]\nsaturated_runs = 1\n", "bad.toml:2: 'saturated_runs' counts loads");
  refused("[[part]]\n[part.net]\nload = 0.2\n[part.vary]\nload = [0.1, 0.3]\n", "bad.toml:5: 'load' is in [part.net]");
  refused("[net]\nload = 0.2\n[[part]]\n[part.vary]\nload = [0.1, 0.3]\n",
          "bad.toml:2: 'load': every part has another");
  // Of another kind than the key.
  refused("title = 3\n[[part]]\n", "bad.toml:1: key 'title': expected a string");
  refused("net = 3\n[[part]]\n", "bad.toml:1: expected a table");
  refused("part = 3\n", "bad.toml:1: expected [[part]]");
  refused("[[part]]\nvary = 3\n", "bad.toml:2: expected a table of lists");
  refused("[[part]]\n[part.vary]\nload = []\n", "bad.toml:3: expected a list of values");
  refused("[[part]]\nsaturation = 3\n", "bad.toml:2: expected a table: low, high, step, latency");
  refused("[[part]]\ncompare = 3\n", "bad.toml:2: expected a table: measure, pairs");
  refused("[[part]]\ncompare = { pairs = [[\"min\"]] }\n[part.vary]\nrouting = [\"min\", \"val\"]\n",
          "bad.toml:2: expected two routings");
  refused("[[part]]\n[[paper]]\nwhere = 3\nvalue = 1\n", "bad.toml:3: expected a table");
  refused("[[part]]\n[[paper]]\nwhere = { load = 0.1 }\n", "key 'value': expected a number");
  refused("[net]\nno-global-window = \"maybe\"\n[[part]]\n",
          "--no-global-window: 'maybe' is unknown, expected true, false");
  refused("[[part]]\nsaturated_runs = 1001\n[part.vary]\nload = [0.1]\n",
          "bad.toml:2: key 'saturated_runs': expected a number 0..1000");
  for (const char* search : {"low = -0.1, high = 0.2, step = 0.1", "low = 0.2, high = 0.2, step = 0.1",
                             "low = 0.1, high = 1.1, step = 0.1", "low = 0.1, high = 0.2, step = 0.0009"})
    refused(std::string("[[part]]\nsaturation = { ") + search + " }\n",
            "bad.toml:2: expected 0 <= low < high <= 1, step >= 0.001 and latency >= 0");
  for (const char* pairs : {"", "pairs = 3", "pairs = []"})
    refused(std::string("[[part]]\ncompare = { ") + pairs + " }\n[part.vary]\nrouting = [\"min\", \"val\"]\n",
            "bad.toml:2: key 'pairs': expected a list of pairs of routings");
  refused("[[part]]\ncompare = { pairs = [[\"min\", \"val\"]] }\n", "'min' is not among those that vary");
  refused("[net]\nsize = \"tiny\"\ndragonfly = \"2,4,2,8\"\n[[part]]\n",
          "--size and --dragonfly: expected one of them");
  refused("[net]\nlive-traffic = \"yes\"\n[[part]]\n", "--live-traffic: 'yes' is unknown, expected true, false");
  const std::string trace = path("t.trace"), text = file("t.txt", "10 0 3 1\n");
  ASSERT_EQ(run("mesh-trace --mesh 2x2 --from-text " + text + " --out " + trace).exit_code, 0);
  refused("[net]\ntopology = \"mesh:2x2\"\nrouting = \"dor\"\ntraffic = \"trace:" + trace +
              "\"\n[[part]]\nsaturation = { low = 0.1, high = 0.2, step = 0.1, latency = 5 }\n",
          "a trace has its own load, expected no 'saturation'");
  // What no run makes use of, where all say it or a part alone.
  refused("[net]\nbias = 5\n[[part]]\n", "bad.toml: [net]: --bias: doar weighs no paths");
  refused("[net]\nfail-at = 5\n[[part]]\n", "bad.toml: [net]: --fail-at: nothing is to fail");
  refused("[[part]]\n[part.net]\nrouting = \"ugal_l\"\nbias = 5\n[[part]]\n[part.vary]\nbias = [4, 5]\n",
          "bad.toml:5: --bias: doar weighs no paths");
  for (const char* latency : {"-1", "nan", "inf"})
    refused(std::string("[[part]]\nsaturation = { low = 0.1, high = 0.2, step = 0.1, latency = ") + latency + " }\n",
            "bad.toml:2: ");
}

TEST_F(SweepTest, AListOfJobsThatCannotBeIsRefused) {
  const auto list = [this](const std::string& jobs, const std::string& out, const std::string& merge) {
    return file("jobs.json", "{\"out\": \"" + out + "\", \"jobs\": [" + jobs + "], \"merge\": [" + merge + "]}");
  };
  const std::string one = "{\"name\": \"a\", \"work\": 0, \"command\": [\"true\"]}", out = path("o"),
                    merge = "\"true\"";
  expect_refused(run("jobs " + list(one + ", " + one, out, merge)), "two jobs are named 'a'");
  expect_refused(run("jobs " + list("", out, merge)), "out, jobs or merge is empty");
  expect_refused(run("jobs " + list(one, "", merge)), "out, jobs or merge is empty");
  expect_refused(run("jobs " + list(one, out, "")), "out, jobs or merge is empty");
  EXPECT_EQ(files(), 1);
  EXPECT_EQ(run("jobs " + list(one, out, merge) + " --print-tasks").exit_code, 0) << "a work of 0 is one";
}

/// The longest first, each to the task that has the least work so far.
TEST_F(SweepTest, JobsArePackedByTheirWork) {
  std::string jobs;
  for (const int work : {1, 6, 1, 1, 2, 1})
    jobs += fmt::format("{}{{\"name\": \"{}\", \"work\": {}, \"command\": [\"true\"]}}", jobs.empty() ? "" : ", ",
                        jobs.size(), work);
  const std::string list =
      file("jobs.json", "{\"out\": \"" + path("o") + "\", \"jobs\": [" + jobs + "], \"merge\": [\"true\"]}");
  const auto tasks = [&](const std::string& most) {
    EXPECT_EQ(run("jobs " + list + " --print-tasks " + most).exit_code, 0);
    return Json::parse(read_text(path("o.d/plan.json")))["tasks"].dump();
  };
  EXPECT_EQ(tasks("--task-time 0 --array-max 2"), "[[1],[4,0,2,3,5]]");
  EXPECT_EQ(tasks("--task-time 5"), "[[1],[4,3],[0,2,5]]") << "12 in tasks of 5";
}

/// Curves are shared out by what their runs are estimated to take, in no more tasks than wanted.
TEST_F(SweepTest, CurvesArePackedByTheirWork) {
  const std::string sweep = file("packed.toml", R"(title = "packed"
[net]
size = "tiny"
[[part]]
[part.vary]
load = [0.1, 0.2, 0.3, 0.4]
)");
  EXPECT_EQ(run("sweep " + sweep + " --print-tasks --task-time 0 --array-max 2 --out " + path("o")).exit_code, 0);
  const Json tasks = Json::parse(read_text(path("o.d/plan.json")))["tasks"];
  ASSERT_EQ(tasks.size(), 2u);
  EXPECT_EQ(tasks[0]["curves"].dump() + tasks[1]["curves"].dump(), "[3,0][2,1]");
  EXPECT_GT(tasks[1]["work"].get<double>(), 0);
}

TEST_F(SweepTest, AnEstimateHasTheUnitOfItsLength) {
  const auto estimate = [&](const std::string& cycles) {
    const Ran made =
        run("sweep " +
            file("long.toml", "title = \"long\"\n[net]\nsize = \"tiny\"\ncycles = " + cycles +
                                  "\n[[part]]\n[part.vary]\nload = [0.1, 0.2, 0.3, 0.4]\nseed = [1, 2, 3]\n") +
            " --estimate --out " + path("o"));
    std::smatch word;
    const std::string text = made.out + made.err;
    return std::regex_search(text, word, std::regex(R"(about [0-9.]+ (\w+))")) ? word[1].str() : text;
  };
  EXPECT_EQ(estimate("1000"), "s");
  EXPECT_EQ(estimate("10000000"), "min");
  EXPECT_EQ(estimate("1000000000"), "h");
}

/// Of what a plan says, what another file or program could have said.
TEST_F(SweepTest, APlanThatCannotBeIsRefused) {
  const std::string list = file("jobs.json", "{\"out\": \"" + path("jobs") +
                                                 "\", \"jobs\": [{\"name\": \"a\", \"command\": [\"true\"]}], "
                                                 "\"merge\": [\"true\"]}");
  ASSERT_EQ(run("jobs " + list + " --print-tasks").exit_code, 0);
  ASSERT_EQ(run("sweep sim/scenarios/sweep_tiny.toml --print-tasks --out " + path("sweep")).exit_code, 0);
  for (const std::string command : {"jobs", "sweep"}) {
    const Json plan = Json::parse(read_text(path(command + ".d/plan.json")));
    const std::string of_plan = command + " --plan " + path(command + ".d/bad.json") + " --task ";
    const auto write = [&](const char* key, const Json& value) {
      Json bad = plan;
      bad[key] = value;
      file(command + ".d/bad.json", bad.dump());
    };
    write("format", "another");
    expect_refused(run(of_plan + "0"), "not a plan of this program's format");
    write("build", "another");
    expect_refused(run(of_plan + "0"), "made for another program, 'another', this is '");
    write("tasks", Json::array());
    expect_refused(run(of_plan + "0"), "--task 0: the plan has no task");
    const size_t tasks = plan["tasks"].size();
    write("tasks", plan["tasks"]);
    expect_refused(run(of_plan + std::to_string(tasks)),
                   fmt::format("--task {0}: the plan has tasks 0..{1}", tasks, tasks - 1));
  }
  Json jobs = Json::parse(read_text(path("jobs.d/plan.json"))),
       sweep = Json::parse(read_text(path("sweep.d/plan.json")));
  jobs["tasks"][0][0] = 1;
  expect_refused(run("jobs --plan " + file("jobs.d/bad.json", jobs.dump()) + " --task 0"), "job 1, but there are 1");
  size_t curves = 0;
  for (const Json& task : sweep["tasks"]) curves += task["curves"].size();
  sweep["tasks"][0]["curves"][0] = curves;
  expect_refused(run("sweep --plan " + file("sweep.d/bad.json", sweep.dump()) + " --task 0"),
                 fmt::format("curve {0}, but the sweep has {0}", curves));
}

TEST_F(SweepTest, WhatSomeRunsMakeUseOfAllMayBeTold) {
  EXPECT_NO_THROW(
      parse_sweep("[net]\nbias = 5\nfail-at = 9\n[[part]]\n[part.vary]\nrouting = [\"doar\", \"ugal_l\"]\n"
                  "[[part]]\n[part.net]\nfail = \"random-links:1\"\n",
                  "some.toml", false));
}

/// docs/cli.md: quantities of a timeline, computed here from the intervals of odonata net.
TEST_F(SweepTest, PublishedValuesCanBeAboutPartsOfATimeline) {
  const std::string head =
      "[net]\nsize = \"tiny\"\nload = 0.3\nwarmup = 0\ncycles = 6000\ndrain = 0\ntimeline = 100\nfail = "
      "\"local:G0.s0-G0.s1\"\nfail-at = 3000\n"
      "[[part]]\n[part.vary]\nseed = [1]\n";
  const std::string toml =
      file("s.toml", head + "[[paper]]\nquantity = \"throughput@3000-5000/1000-3000\"\nvalue = 0\n" +
                         "[[paper]]\nquantity = \"lost@3000-5000\"\nvalue = 0\n[[paper]]\nquantity = "
                         "\"last_fd@3000-6000\"\nvalue = 0\n[[paper]]\nquantity = \"latency@0-3000\"\nvalue = 0\n");
  const Ran ran = run("sweep " + toml + " --out " + path("o"));
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const Json net = run_json(
      "net --size tiny --load 0.3 --warmup 0 --cycles 6000 --drain 0 --timeline 100 --fail local:G0.s0-G0.s1 --fail-at "
      "3000 --seed 1");
  double before = 0, after = 0, lost = 0, last = 0, latencies = 0, packets = 0, plain = 0;
  for (const Json& i : net["timeline"]) {
    const int first = i["first"];
    const double latency = i["latency"], delivered = i["packets"];
    if (first < 3000) latencies += latency * delivered, packets += delivered, plain += latency / 30;
    if (first >= 1000 && first < 3000) before += i["throughput"].get<double>();
    if (first >= 3000 && first < 5000) after += i["throughput"].get<double>(), lost += i["lost"].get<double>();
    if (first >= 3000 && i["fd"].get<double>() > 0) last = i["last"].get<double>() - 3000;
  }
  const Json paper = Json::parse(read_text(path("o.json")))["paper"];
  EXPECT_NEAR(paper[0]["measured"].get<double>(), 100 * (after / before - 1), 1e-9);
  EXPECT_EQ(paper[1]["measured"].get<double>(), lost);
  EXPECT_EQ(paper[1]["close"], false);  // published: none
  EXPECT_EQ(paper[2]["measured"].get<double>(), last);
  EXPECT_GT(lost, 0);
  EXPECT_GT(last, 500);
  const double mean = paper[3]["measured"];  // of packets, not of intervals: the first of which have few
  EXPECT_NEAR(mean, latencies / packets, 1e-9);
  EXPECT_GT(std::abs(mean - plain), 0.1);
  for (const char* wrong : {"throughput@5-5", "throughput@1-", "latency@1-2/3", "p99@1-2", "latency@0-100/200-100"}) {
    const std::string bad = file("bad.toml", head + "[[paper]]\nquantity = \"" + wrong + "\"\nvalue = 0\n");
    EXPECT_EQ(run("sweep " + bad + " --out " + path("x")).exit_code, 2) << wrong;
  }
}

/// Intervals that lie in the range as a whole; a mean counts throughput by cycles, latency by packets.
TEST(SweepTimeline, OnlyWholeIntervalsOfTheRangeCount) {
  Json timeline = Json::array();
  const double rows[][6] = {{0, 100, 0.5, 10, 1, 1}, {100, 200, 0.4, 20, 3, 0}, {200, 250, 0.1, 40, 6, 4}};
  for (const auto& r : rows)
    timeline.push_back({{"first", static_cast<int>(r[0])},
                        {"last", static_cast<int>(r[1])},
                        {"throughput", r[2]},
                        {"latency", r[3]},
                        {"packets", r[4]},
                        {"lost", r[5]},
                        {"fd", 0},
                        {"fr", 0}});
  const auto value = [&](const char* text) { return value_of(timeline, *timeline_quantity(text)); };
  EXPECT_DOUBLE_EQ(value("lost@0-250"), 5);
  EXPECT_DOUBLE_EQ(value("lost@0-249"), 1);
  EXPECT_DOUBLE_EQ(value("lost@1-250"), 4);
  EXPECT_DOUBLE_EQ(value("lost@100-200"), 0);
  EXPECT_DOUBLE_EQ(value("last_lost@0-250"), 250);
  EXPECT_DOUBLE_EQ(value("last_lost@50-249"), 0);
  EXPECT_DOUBLE_EQ(value("throughput@0-250"), (0.5 * 100 + 0.4 * 100 + 0.1 * 50) / 250);
  EXPECT_DOUBLE_EQ(value("latency@0-250"), (10 + 3 * 20 + 6 * 40) / 10.0);
  EXPECT_DOUBLE_EQ(value("latency@100-200/0-100"), 100);
  Json idle = timeline[0];  // an interval without a packet has no latency
  idle.update({{"first", 250}, {"last", 350}, {"latency", nullptr}, {"packets", 0}});
  timeline.push_back(idle);
  EXPECT_DOUBLE_EQ(value("latency@0-350"), (10 + 3 * 20 + 6 * 40) / 10.0);
  for (const char* nothing :
       {"latency@250-350", "latency@0-99", "throughput@0-99", "lost@0-99", "last_lost@0-99", "latency@250-350/0-100",
        "latency@0-100/250-350", "lost@0-100/100-200", "lost@100-200/100-200"})
    EXPECT_TRUE(std::isnan(value(nothing))) << nothing;
  for (Json& i : timeline) i.erase("packets");  // a store of an older version
  EXPECT_THROW(value("latency@0-250"), Error);
  EXPECT_DOUBLE_EQ(value("lost@0-250"), 5);
}

TEST_F(SweepTest, ATimelineOfOneRunAddsUpToItsDeliveries) {
  const std::string words = "net --size tiny --load 0.2 --warmup 0 --cycles 2000 --drain 0 --timeline 100 --page " +
                            path("p.html") + " --trace " + path("t.json");
  const Json result = run_json(words);
  ASSERT_EQ(result["timeline"].size(), 20u);
  const Json trace = Json::parse(read_text(path("t.json")));
  std::set<std::string>
      counters;  // what only faults or a congested network give is left out where it is 0 all the time
  for (const Json& event : trace["traceEvents"])
    if (event["ph"] == "C") counters.insert(event["name"]);
  EXPECT_EQ(counters.size(), 2u);
  EXPECT_EQ(trace["traceEvents"].size(), 1 + counters.size() * result["timeline"].size());
  double flits = 0;
  uint64_t packets = 0;
  for (const Json& i : result["timeline"]) packets += i["packets"].get<uint64_t>();
  EXPECT_EQ(packets, result["delivered"].get<uint64_t>());
  for (const Json& i : result["timeline"])
    flits += i["throughput"].get<double>() * 64 * (i["last"].get<double>() - i["first"].get<double>());
  EXPECT_NEAR(flits, result["delivered"].get<double>(), 0.5);
  EXPECT_NE(read_text(path("p.html")).find("Throughput over time"), std::string::npos);
  EXPECT_EQ(run("net --size tiny --trace " + path("x.json")).exit_code, 2);
}

/// The rows of a query, each value as text.
std::vector<std::vector<std::string>> query_database(const std::string& path, const std::string& words) {
  std::vector<std::vector<std::string>> rows;
  sqlite3* db = nullptr;
  EXPECT_EQ(sqlite3_open_v2(path.c_str(), &db, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
  const auto add = [](void* to, int count, char** values, char**) {
    std::vector<std::string> row;
    for (int i = 0; i < count; ++i) row.emplace_back(values[i] == nullptr ? "NULL" : values[i]);
    static_cast<std::vector<std::vector<std::string>>*>(to)->push_back(row);
    return 0;
  };
  EXPECT_EQ(sqlite3_exec(db, words.c_str(), add, &rows, nullptr), SQLITE_OK) << words << ": " << sqlite3_errmsg(db);
  sqlite3_close(db);
  return rows;
}

/// Beyond saturation all packets of the sample may still wait: what is accepted is measured, a latency is not. It is
/// not 0 either: nothing stands in its place, and a mean over seeds, curves and gains have none.
TEST_F(SweepTest, ARunWithoutALatencyHasNoneAnywhere) {
  const std::string toml =
      file("s.toml",
           "title = \"t\"\n[net]\nsize = \"tiny\"\ntraffic = \"adv+1\"\nwarmup = 2000\ncycles = 60\n"
           "drain = 0\ntimeline = 10\n[[part]]\n[part.vary]\nrouting = [\"min\"]\nload = [0.4, 0.5]\n"
           "[[part]]\ncompare = { measure = \"latency\", pairs = [[\"min\", \"val\"]] }\n"
           "[part.vary]\nrouting = [\"min\", \"val\"]\nload = [0.4]\n"
           "[[paper]]\nquantity = \"latency\"\nwhere = { load = 0.5 }\nvalue = 100\n");
  const Ran ran =
      run("sweep " + toml + " --sqlite " + path("o.db") + " --markdown " + path("o.md") + " --out " + path("o"));
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const std::string csv = read_text(path("o.csv"));
  const Json result = Json::parse(read_text(path("o.json")));
  for (const Json& point : result["points"]) {
    EXPECT_GT(point["accepted"].get<double>(), 0);
    for (const char* none : {"latency", "p50", "p99", "max"}) EXPECT_TRUE(point[none].is_null()) << none << point;
    EXPECT_GT(point["latency_with_unfinished"].get<double>(), 0) << "their age is";
  }
  EXPECT_NE(csv.find(",,"), std::string::npos) << csv;
  EXPECT_EQ(csv.find("nan"), std::string::npos) << csv;
  EXPECT_TRUE(result["paper"][0]["measured"].is_null());
  const auto ends = [](const std::string& title, const char* with) { return title.ends_with(with); };
  bool timeline = false;
  for (const Json& section : result["report"]) {
    const std::string title = section.value("title", "");
    EXPECT_FALSE(ends(title, ": latency") || ends(title, ": reduction of the latency")) << section;
    if (!ends(title, "Latency over time")) continue;
    timeline = true;
    EXPECT_EQ(section["series"][0]["points"][0][0], 200) << "in the first 100 cycles no packet arrives";
  }
  EXPECT_TRUE(timeline);
  EXPECT_EQ(read_text(path("o.md")).find("nan"), std::string::npos);
  EXPECT_EQ(query_database(path("o.db"), "SELECT DISTINCT latency, p99 FROM runs"),
            (std::vector<std::vector<std::string>>{{"NULL", "NULL"}}));
}

/// A CSV has the cycles of a run to the last one.
TEST(SweepGroups, ACsvHasEveryDigitOfCycles) {
  const SweepFile sweep =
      parse_sweep("[[part]]\n[part.net]\nsize = \"tiny\"\n[part.vary]\nrouting = [\"min\"]\n", "s.toml", false);
  const Json run = {{"time_cycles", 1234567893}, {"accepted", 0.123456789123}};
  SweepResults results;
  results.points = {{0, {{"routing", "min"}}, &run}};
  const std::string csv = sweep_csv(sweep, results);
  EXPECT_NE(csv.find(",1234567893"), std::string::npos) << csv;
  EXPECT_NE(csv.find(",0.12345679,"), std::string::npos) << csv;
}

/// Numbers are numbers there, not words, and a search that finds nothing has none; words with quotes stay whole.
TEST_F(SweepTest, TheDatabaseHoldsNumbersAndNothingForNone) {
  const std::string
      list = file("of \"two\".txt", "7\n3\n"),
      toml = file("s.toml",
                  "[net]\nsize = \"tiny\"\nwarmup = 200\ncycles = 300\n[[part]]\n[part.vary]\n"
                  "load = [0.05, 0.1]\nseed = [2, 10]\n[[part]]\n"
                  "saturation = { low = 0.5, high = 0.6, step = 0.1 }\n[part.net]\nrouting = \"min\"\n"
                  "traffic = \"adv+1\"\n[[part]]\n[part.net]\n"
                  "workload = \"dl:ranks=2,it=1,bytes=64\"\nload = 0\n[part.vary]\nmapping = [\"linear\", 'file:" +
                      list + "']\n");
  const std::string db = path("o.db");
  const Ran ran = run("sweep " + toml + " --out " + path("o") + " --sqlite " + db);
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  using Rows = std::vector<std::vector<std::string>>;
  EXPECT_EQ(query_database(db, "SELECT load, seed FROM runs WHERE seed > 5 AND part = 1 ORDER BY load"),
            (Rows{{"0.05", "10"}, {"0.1", "10"}}));
  EXPECT_EQ(query_database(db, "SELECT DISTINCT typeof(seed), typeof(cycles), typeof(size) FROM runs WHERE part = 1"),
            (Rows{{"integer", "integer", "text"}}));
  EXPECT_EQ(query_database(db, "SELECT part, load, at_least FROM saturation"), (Rows{{"2", "NULL", "0"}}));
  EXPECT_NE(read_text(path("o.csv")).find("of \"\"two\"\".txt\","), std::string::npos) << read_text(path("o.csv"));
}

/// Integers of SQLite have a sign; a seed of 64 bits keeps its digits as a text, and is found as one.
TEST_F(SweepTest, TheDatabaseKeepsEveryDigitOfASeed) {
  const std::string db = path("o.db"),
                    toml = file("s.toml",
                                "[net]\nsize = \"tiny\"\nwarmup = 50\ncycles = 100\n[[part]]\n[part.vary]\nseed = "
                                "[\"7\", \"18446744073709551615\"]\n");
  const Ran ran = run("sweep " + toml + " --out " + path("o") + " --sqlite " + db);
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  using Rows = std::vector<std::vector<std::string>>;
  EXPECT_EQ(query_database(db, "SELECT seed FROM runs ORDER BY id"), (Rows{{"7"}, {"18446744073709551615"}}));
  EXPECT_EQ(query_database(db, "SELECT count(*) FROM runs WHERE seed = 7"), (Rows{{"1"}}));
}

/// A parameter that another part sets has its value in every row, as in the CSV; --json is one more file.
TEST_F(SweepTest, DatabaseAndCopiesSayTheSame) {
  const std::string toml =
                        file("s.toml",
                             "[net]\nwarmup = 100\ncycles = 200\n[[part]]\n[part.net]\ntorus = \"4x4\"\n[part.vary]\n"
                             "load = [0.1]\nseed = [2, 3]\n[[part]]\n[part.net]\nsize = \"tiny\"\n[part.vary]\n"
                             "routing = [\"min\", \"val\"]\n"),
                    db = path("o.db");
  ASSERT_EQ(run("sweep " + toml + " --out " + path("o") + " --sqlite " + db + " --json " + path("copy.json")).exit_code,
            0);
  EXPECT_EQ(read_text(path("copy.json")), read_text(path("o.json")));
  const auto rows = query_database(db, "SELECT part, routing, seed FROM runs ORDER BY id");
  using Rows = std::vector<std::vector<std::string>>;
  EXPECT_EQ(
      rows,
      (Rows{{"1", "torus_safe6_ring", "2"}, {"1", "torus_safe6_ring", "3"}, {"2", "min", "1"}, {"2", "val", "1"}}));
  EXPECT_EQ(query_database(db, "SELECT DISTINCT traffic, load FROM runs ORDER BY part"),
            (Rows{{"uniform", "0.1"}, {"ur", "0.4"}}));
  const std::string csv = read_text(path("o.csv"));
  EXPECT_NE(csv.find("\n1,0.1,torus_safe6_ring,3,uniform,"), std::string::npos) << csv;
  EXPECT_NE(csv.find("\n2,0.4,val,1,ur,"), std::string::npos) << csv;
}

/// Where every node has a rank, a load sends nothing: the latency is that of messages, as without one.
TEST_F(SweepTest, ALoadWithoutNodesToSendItChangesNothing) {
  const std::string toml = file("s.toml",
                                "[net]\nmesh = \"4x4\"\nworkload = \"lu:px=4,py=4,nz=20,it=1\"\n[[part]]\n[part.vary]\n"
                                "load = [0, 0.1]\n");
  ASSERT_EQ(run("sweep " + toml + " --out " + path("o")).exit_code, 0);
  const Json points = Json::parse(read_text(path("o.json")))["points"];
  ASSERT_EQ(points.size(), 2u);
  EXPECT_GT(points[0]["latency"].get<double>(), 0);
  EXPECT_EQ(points[1]["latency"], points[0]["latency"]);
}

/// A run is held against the first routing; without a second one against nothing.
TEST_F(SweepTest, ProgramsAreHeldAgainstAnotherRoutingOnly) {
  const auto rows = [&](const std::string& vary) {
    const std::string toml = file("s.toml",
                                  "[net]\nsize = \"tiny\"\nworkload = \"lu:px=2,py=4,nz=50,it=1\"\n[[part]]\n"
                                  "[part.vary]\n" +
                                      vary);
    EXPECT_EQ(run("sweep " + toml + " --out " + path("o") + " --markdown " + path("o.md")).exit_code, 0);
    const std::string text = read_text(path("o.md"));
    return std::count(text.begin(), text.end(), '%');
  };
  EXPECT_EQ(rows("mapping = [\"linear\", \"random\"]\n"), 0);
  EXPECT_GE(rows("routing = [\"min\", \"val\"]\n"), 6);
}

/// Quantities of programs have columns as well.
TEST_F(SweepTest, TheDatabaseHoldsWhatProgramsMeasure) {
  const std::string toml = file("s.toml",
                                "[net]\nsize = \"tiny\"\nworkload = \"lu:px=2,py=4,nz=50,it=1\"\n[[part]]\n"
                                "[part.vary]\nrouting = [\"min\", \"doar\"]\n"),
                    db = path("o.db");
  ASSERT_EQ(run("sweep " + toml + " --out " + path("o") + " --sqlite " + db).exit_code, 0);
  const auto rows = query_database(db, "SELECT routing, time_cycles, latency_nic FROM runs ORDER BY id");
  const Json points = Json::parse(read_text(path("o.json")))["points"];
  ASSERT_EQ(rows.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(rows[i][0], points[i]["settings"]["routing"].get<std::string>());
    EXPECT_GT(std::stod(rows[i][1]), 0);
    EXPECT_NEAR(std::stod(rows[i][1]), points[i]["time_cycles"].get<double>(), 1e-9);
    EXPECT_NEAR(std::stod(rows[i][2]), points[i]["latency_nic"].get<double>(), 1e-6);
  }
}

/// docs/cli.md: the tables runs, hops and saturation; numbers are those of `odonata net` and of the JSON.
TEST_F(SweepTest, TheDatabaseHoldsWhatTheJsonHolds) {
  const std::string toml = file("s.toml", kSweep), db = path("o.db");
  ASSERT_EQ(run("sweep " + toml + " --out " + path("o") + " --sqlite " + db).exit_code, 0);
  const Json out = Json::parse(read_text(path("o.json")));
  const Json one =
      run_json("net --size tiny --warmup 3000 --cycles 3000 --traffic adv+1 --routing val --load 0.1 --seed 2");
  EXPECT_EQ(query_database(db, "SELECT count(*) FROM runs")[0][0], "8");
  const auto found =
      query_database(db,
                     "SELECT id, part, digest, latency, accepted FROM runs WHERE routing = 'val' AND seed = '2' "
                     "AND load = '0.1'");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0][1], "1");
  EXPECT_EQ(found[0][2], one["digest"].get<std::string>());
  EXPECT_NEAR(std::stod(found[0][3]), one["latency"]["mean"].get<double>(), 1e-9);
  EXPECT_NEAR(std::stod(found[0][4]), one["accepted"].get<double>(), 1e-9);
  const auto hops = query_database(db, "SELECT links, share FROM hops WHERE run = " + found[0][0] + " ORDER BY links");
  ASSERT_EQ(hops.size(), one["hops"].size());
  for (size_t n = 0; n < hops.size(); ++n) {
    EXPECT_EQ(hops[n][0], std::to_string(n));
    EXPECT_NEAR(std::stod(hops[n][1]), one["hops"][n].get<double>(), 1e-9);
  }
  const auto saturation = query_database(db, "SELECT part, load FROM saturation");
  ASSERT_EQ(saturation.size(), 1u);
  EXPECT_EQ(saturation[0][0], out["saturation"][0]["part"].dump());
  EXPECT_NEAR(std::stod(saturation[0][1]), out["saturation"][0]["loads"][0].get<double>(), 1e-9);
}

/// A part that does not say a setting has NULL there, no empty text; a value with a comma is one cell of the CSV file.
TEST_F(SweepTest, SettingsOfOnePartAndValuesWithCommas) {
  const std::string toml = file("s.toml",
                                "[net]\nwarmup = 100\ncycles = 300\nload = 0.1\n[[part]]\n[part.net]\nsize = \"tiny\"\n"
                                "[part.vary]\nrouting = [\"min\"]\n[[part]]\n[part.vary]\ndragonfly = "
                                "[\"2,4,2,8\"]\n"),
                    db = path("o.db");
  ASSERT_EQ(run("sweep " + toml + " --out " + path("o") + " --sqlite " + db).exit_code, 0);
  EXPECT_EQ(query_database(db, "SELECT count(*) FROM runs WHERE dragonfly IS NULL")[0][0], "1");
  const std::string csv = read_text(path("o.csv"));
  EXPECT_NE(csv.find(",\"2,4,2,8\","), std::string::npos) << csv;
}

/// The lengths of a quick run are those of the whole file, whatever a part says.
TEST_F(SweepTest, AQuickRunIsQuickInEveryPart) {
  const std::string toml = file("s.toml",
                                "[net]\nsize = \"tiny\"\nwarmup = 100\ncycles = 3000\n[quick]\ncycles = 300\n[[part]]\n"
                                "[part.net]\ncycles = 2000\n[part.vary]\nload = [0.1]\n"),
                    db = path("o.db");
  ASSERT_EQ(run("sweep " + toml + " --quick --out " + path("o") + " --sqlite " + db).exit_code, 0);
  EXPECT_EQ(query_database(db, "SELECT cycles FROM runs")[0][0], "300");
  const std::string varied = file("v.toml",
                                  "[net]\nsize = \"tiny\"\nwarmup = 100\n[quick]\ncycles = 100\nload = 0.1\n[[part]]\n"
                                  "[part.vary]\nload = [0.2, 0.3]\n");
  EXPECT_NE(run("sweep " + varied + " --quick --estimate").err.find("at most 1 to make"), std::string::npos);
}

/// Saturation loads are near to 0.02, that included, whichever way the difference is rounded.
TEST(SweepPaper, ASaturationIsCloseToTwoHundredths) {
  const PaperValue paper{kSaturation, {}, 0.17, "", ""};
  for (const double measured : {0.15, 0.16, 0.17, 0.19})
    EXPECT_TRUE((Comparison{&paper, 1, measured}.close())) << measured;
  for (const double measured : {0.14, 0.1495, 0.1905, 0.2})
    EXPECT_FALSE((Comparison{&paper, 1, measured}.close())) << measured;
  EXPECT_FALSE((Comparison{&paper, 0, 0.17}.close())) << "not run";
}

/// Gains are in percent already: 5 points; all else is near within 3 %.
TEST(SweepPaper, AGainIsCloseToFivePoints) {
  const PaperValue gain{"gain", {}, 20, "", ""}, latency{"latency", {}, 100, "", ""};
  EXPECT_TRUE((Comparison{&gain, 1, 25}.close()));
  EXPECT_FALSE((Comparison{&gain, 1, 14.9}.close()));
  EXPECT_TRUE((Comparison{&latency, 1, 97.1}.close()));
  EXPECT_FALSE((Comparison{&latency, 1, 104}.close()));
}

/// A seed whose lowest load is saturated has no saturation load: neither has the mean.
TEST(SweepGroups, ASearchThatFoundNothingSpoilsTheMean) {
  EXPECT_TRUE((SaturationGroup{0, {}, {0.1, 0.2}}.found()));
  EXPECT_FALSE((SaturationGroup{0, {}, {0.1, -1}}.found()));
  EXPECT_FALSE((SaturationGroup{0, {}, {-1, -1}}.found()));
}

/// Of a seed that has not measured something there is neither a mean nor a spread.
TEST(SweepGroups, WhatOneSeedHasNotMeasuredHasNoSpread) {
  const Json good = {{"latency", {{"mean", 120.5}}}}, other = {{"latency", {{"mean", 130.0}}}},
             none = {{"latency", {{"mean", nullptr}}}};
  RunGroup group;
  group.results = {&good, &other};
  EXPECT_DOUBLE_EQ(group.spread("latency"), 9.5);
  EXPECT_DOUBLE_EQ(group.mean("latency"), 125.25);
  for (const auto& results : {std::vector{&good, &none}, std::vector{&none, &good}, std::vector{&none, &none}}) {
    group.results = results;
    EXPECT_TRUE(std::isnan(group.spread("latency")));
    EXPECT_TRUE(std::isnan(group.mean("latency")));
  }
}

/// Also of seeds behind the first.
TEST(SweepGroups, EveryRunThatFailedIsCounted) {
  const SweepFile sweep =
      parse_sweep("[[part]]\n[part.net]\nsize = \"tiny\"\n[part.vary]\nseed = [1, 2, 3]\n", "s.toml", false);
  const Json good = {{"accepted", 0.1}, {"deadlock", ""}}, bad = {{"accepted", 0.1}, {"deadlock", "a circle"}};
  SweepResults results;
  for (const auto& [seed, result] : {std::pair{"1", &good}, {"2", &bad}, {"3", &bad}})
    results.points.push_back({0, {{"seed", seed}}, result});
  const Json out = sweep_json(sweep, results);
  EXPECT_EQ(out["verdict"], "fail");
  EXPECT_EQ(out["headline"], "2 runs ended in a deadlock");
}

/// A run of two routings at two loads, by hand.
struct PairByHand {
  explicit PairByHand(const std::string& measure)
      : sweep(parse_sweep("[[part]]\npanels = [\"traffic\"]\ncompare = { measure = \"" + measure +
                              "\", pairs = [[\"min\", \"val\"]] }\n[part.net]\nsize = \"tiny\"\n[part.vary]\n"
                              "routing = [\"min\", \"val\"]\ntraffic = [\"ur\", \"adv+1\"]\nload = [0.2, 0.4]\n",
                          "s.toml", false)) {}
  void add(const std::string& routing, const std::string& traffic, const std::string& load, double accepted,
           double latency, bool saturated) {
    made.push_back(std::make_unique<Json>(
        Json{{"accepted", accepted}, {"latency", {{"mean", latency}}}, {"saturated", saturated}}));
    results.points.push_back({0, {{"routing", routing}, {"traffic", traffic}, {"load", load}}, made.back().get()});
  }
  std::vector<GainTable> tables() const { return gain_tables(sweep, 0, gains_of(sweep, groups_of(results))); }
  SweepFile sweep;
  SweepResults results;
  std::vector<std::unique_ptr<Json>> made;
};

TEST(SweepGains, ThroughputByHand) {
  PairByHand p("throughput");
  p.add("min", "ur", "0.2", 0.2, 10, false), p.add("min", "ur", "0.4", 0.1, 10, true);
  p.add("val", "ur", "0.2", 0.2, 10, false), p.add("val", "ur", "0.4", 0.3, 10, true);
  p.add("min", "adv+1", "0.2", 0.1, 10, false), p.add("min", "adv+1", "0.4", 0.1, 10, true);
  p.add("val", "adv+1", "0.2", 0.2, 10, false), p.add("val", "adv+1", "0.4", 0.15, 10, true);
  const auto tables = p.tables();
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_EQ(tables[0].rows,
            (std::vector<std::vector<std::string>>{{"ur", "0.200", "0.300", "+50.0 %", "0.100", "0.300", "+200.0 %"},
                                                   {"adv+1", "0.100", "0.200", "+100.0 %", "0.100", "0.150", "+50.0 %"},
                                                   {"mean", "", "", "+75.0 %", "", "", "+125.0 %"}}));
  EXPECT_EQ(tables[0].header[4], "at load 0.4: min");
}

/// Where a routing was not run at the highest load, a row says at which one both were; nothing is a mean of several.
TEST(SweepGains, ThroughputAtTheHighestLoadOfBoth) {
  PairByHand p("throughput");
  p.add("min", "ur", "0.2", 0.2, 10, false), p.add("min", "ur", "0.4", 0.1, 10, true);
  p.add("val", "ur", "0.2", 0.2, 10, false), p.add("val", "ur", "0.4", 0.3, 10, true);
  p.add("min", "adv+1", "0.2", 0.1, 10, true);
  p.add("val", "adv+1", "0.2", 0.2, 10, false), p.add("val", "adv+1", "0.4", 0.15, 10, true);
  const auto tables = p.tables();
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_EQ(tables[0].header[4], "at the highest load of both: min");
  EXPECT_EQ(tables[0].rows, (std::vector<std::vector<std::string>>{
                                {"ur", "0.200", "0.300", "+50.0 %", "0.100 at 0.4", "0.300", "+200.0 %"},
                                {"adv+1", "0.100", "0.200", "+100.0 %", "0.100 at 0.2", "0.200", "+100.0 %"},
                                {"mean", "", "", "+75.0 %", "", "", ""}}));
}

/// Saturated with one seed of two is saturated.
TEST(SweepGains, OneSaturatedSeedIsEnough) {
  PairByHand p("latency");
  for (const char* routing : {"min", "val"}) {
    p.add(routing, "ur", "0.2", 0.2, routing[0] == 'm' ? 100 : 90, false);
    for (const bool saturated : {false, true}) {
      p.add(routing, "ur", "0.4", 0.4, routing[0] == 'm' ? 400 : 100, saturated && routing[0] == 'v');
      p.results.points.back().settings["seed"] = saturated ? "2" : "1";
    }
  }
  const auto tables = p.tables();
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_EQ(tables[0].rows, (std::vector<std::vector<std::string>>{{"ur", "10 %", "0.200", "100.0", "90.0"}}));
}

/// The largest reduction is where the second routing is not saturated; whether the first one is does not matter.
TEST(SweepGains, LatencyByHand) {
  PairByHand p("latency");
  p.add("min", "ur", "0.2", 0.2, 100, false), p.add("min", "ur", "0.4", 0.3, 400, true);
  p.add("val", "ur", "0.2", 0.2, 90, false), p.add("val", "ur", "0.4", 0.4, 100, false);
  p.add("min", "adv+1", "0.2", 0.2, 100, false), p.add("min", "adv+1", "0.4", 0.3, 400, false);
  p.add("val", "adv+1", "0.2", 0.2, 80, false), p.add("val", "adv+1", "0.4", 0.4, 100, true);
  const auto tables = p.tables();
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_EQ(tables[0].rows, (std::vector<std::vector<std::string>>{{"ur", "75 %", "0.400", "400.0", "100.0"},
                                                                   {"adv+1", "20 %", "0.200", "100.0", "80.0"}}));
}

TEST(SweepGroups, WhereNothingIsReducedNoReductionIsMeasured) {
  Gain gain;
  gain.from = "min", gain.to = "val";
  gain.loads = {{.load = 0.1, .from = 40, .to = 50}, {.load = 0.2, .from = 40, .to = 60}};
  const std::vector<double> found = gain_values({gain}, "largest_reduction", {{"routing", "val"}});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(std::isnan(found[0]));
}

TEST(SweepGroups, ACellOfMarkdownEndsNoCell) { EXPECT_EQ(markdown_row({"a|b", "c\nd"}), "| a\\|b | c d |\n"); }

TEST(SaturationSearch, OnlyTheHighestLoadIsTheTop) {
  const SaturationSearch search{0.1, 0.3, 0.1, 0};
  EXPECT_TRUE(search.is_top(0.3));
  EXPECT_FALSE(search.is_top(0.2));
  EXPECT_FALSE(search.is_top(-1));
}

/// Of equal reductions the first is told, at the lowest load.
TEST(SweepGroups, OfEqualReductionsThatOfTheLowestLoad) {
  Gain gain;
  gain.loads = {
      {.load = 0.1, .from = 40, .to = 30}, {.load = 0.2, .from = 80, .to = 60}, {.load = 0.3, .from = 9, .to = 8}};
  EXPECT_EQ(gain.largest_reduction(), &gain.loads[0]);
  gain.loads[0].saturated = true;
  EXPECT_EQ(gain.largest_reduction(), &gain.loads[1]);
  gain.loads = {{.load = 0.1, .from = 40, .to = 40}, {.load = 0.2, .from = 40, .to = 41}};
  EXPECT_EQ(gain.largest_reduction(), nullptr);
}

/// Programs: each run against the first one that differs in the routing alone.
TEST(SweepGroups, ProgramsAgainstTheFirstByHand) {
  const SweepFile sweep = parse_sweep(
      "[[part]]\n[part.net]\nsize = \"tiny\"\n[part.vary]\nrouting = [\"min\", \"val\"]\n", "s.toml", false);
  const auto result = [](double cycles, double nic, double creation) {
    return Json{{"time_cycles", cycles}, {"latency", {{"nic", {{"mean", nic}}}, {"creation", {{"mean", creation}}}}}};
  };
  const Json first = result(1000, 50, 100), second = result(1500, 40, 300);
  SweepResults results;
  results.points = {{0, {{"routing", "min"}}, &first}, {0, {{"routing", "val"}}, &second}};
  const std::string page = sweep_markdown(sweep, results, "command");
  EXPECT_NE(page.find("| val | 1 | 40.00 |  | 300.00 | 1500 |  | -20.0 % | +200.0 % | +50.0 % |"), std::string::npos)
      << page;
}

/// A page's chart has a point at the end of each interval.
TEST_F(SweepTest, APointOfATimelineIsAtTheEndOfItsInterval) {
  const Json out =
      run_json("net --size tiny --load 0.2 --warmup 0 --cycles 1000 --drain 0 --timeline 100 --page " + path("p.html"));
  size_t seen = 0;
  for (const Json& section : out["report"]) {
    if (section["title"] != "Throughput over time") continue;
    const Json& points = section["series"][0]["points"];
    ASSERT_EQ(points.size(), out["timeline"].size());
    for (size_t i = 0; i < points.size(); ++i) {
      EXPECT_EQ(points[i][0], out["timeline"][i]["last"]);
      EXPECT_EQ(points[i][1], out["timeline"][i]["throughput"]);
    }
    ++seen;
  }
  EXPECT_EQ(seen, 1u);
}

}  // namespace
}  // namespace odonata::cli
