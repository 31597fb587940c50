// SPDX-License-Identifier: Apache-2.0
// `odonata workload` and `odonata net --workload`, as a person runs them.
#include "sim/tests/run_program.h"

namespace odonata::cli {
namespace {

class WorkloadCommand : public ProgramTest {};

TEST_F(WorkloadCommand, ShowsAMotifAndWritesItInOtherFormats) {
  const std::string goal = path("lu.goal"), et = path("lu");
  const Json motif = run_json("workload --motif lu:px=2,py=3,nz=40,it=1 --goal " + goal + " --chakra " + et);
  EXPECT_EQ(motif["messages"], 2 * 4 * 7);
  EXPECT_EQ(motif["bytes"], 2 * 4 * 7 * 15000);
  EXPECT_EQ(motif["phases"].size(), 2u);
  for (const std::string& file : {goal, et + ".0.et"}) {
    const Json read = run_json("workload " + file);
    for (const char* key : {"ranks", "operations", "messages", "bytes"})
      EXPECT_EQ(read[key], motif[key]) << file << " " << key;
  }
  EXPECT_NE(run("workload --motifs").out.find("lulesh: "), std::string::npos);
}

TEST_F(WorkloadCommand, TheLargestMessageIsThatOfAllPhases) {
  const Json motif = run_json("workload --motif lulesh");
  ASSERT_GT(motif["phases"].size(), 1u);
  uint64_t least = UINT64_MAX, most = 0;
  for (const Json& p : motif["phases"]) {
    least = std::min(least, p["min"].get<uint64_t>());
    most = std::max(most, p["max"].get<uint64_t>());
  }
  EXPECT_GT(most, motif["phases"][0]["max"].get<uint64_t>());
  EXPECT_EQ(motif["message_bytes"], Json({{"min", least}, {"max", most}}));
}

TEST_F(WorkloadCommand, OfSeveralJobsTheWrongOneIsNamed) {
  const std::string good = file("good.goal", "num_ranks 1\nrank 0 { calc 5 }\n"),
                    bad = file("bad.goal", "num_ranks 2\nrank 0 { send 8b to 1 }\nrank 1 { }\n");
  const Json jobs = run_json("net --size tiny --workload '" + good + "; dl:ranks=2,it=1,bytes=64'")["jobs"];
  ASSERT_EQ(jobs.size(), 2u);
  EXPECT_EQ(jobs[1]["name"], "dl");
  expect_refused(run("net --size tiny --workload '" + good + ";" + bad + "'"), "workload bad.goal: rank 0 op 0 (send ");
}

TEST_F(WorkloadCommand, AGeneratedTraceSaysSo) {
  const std::string trace = path("sample.tra.bz2");
  EXPECT_EQ(run("workload --generate-netrace " + trace + " --nodes 16 --misses 100").exit_code, 0);
  const Json read = run_json("workload " + trace);
  EXPECT_NE(read["note"].get<std::string>().find("generated"), std::string::npos);
  const Json net = run_json("net --mesh 4x4 --routing d2ra --flit-bytes 16 --packet 5 --workload " + trace);
  EXPECT_EQ(net["verdict"], "pass");
  EXPECT_EQ(net["messages"], read["messages"]);
  EXPECT_NE(net["jobs"][0]["note"].get<std::string>().find("generated"), std::string::npos);
}

TEST_F(WorkloadCommand, NetRunsPrograms) {
  const Json net = run_json(
      "net --size tiny --workload 'lu:px=4,py=4,nz=30,it=2;dl:ranks=8,bytes=4000,it=2' --mapping random --timeline "
      "1000 --page " +
      path("net.html"));
  EXPECT_EQ(net["verdict"], "pass");
  EXPECT_EQ(net["messages"], 2 * 3 * 2 * 24 + 2 * 2 * 7);
  EXPECT_EQ(net["received"], net["messages"]);
  EXPECT_EQ(net["bytes"], 2 * 3 * 2 * 24 * 15000 + 2 * 2 * 7 * 4000);
  EXPECT_EQ(net["packets"], 2 * 3 * 2 * 24 * 469 + 2 * 2 * 7 * 125)
      << "messages of 15,000 and 4,000 bytes in flits of 32";
  EXPECT_EQ(net["ranks"].size(), 24u);
  for (const Json& rank : net["ranks"])
    EXPECT_EQ(rank["communication"].get<int64_t>() + rank["calculation"].get<int64_t>(),
              rank["finished"].get<int64_t>());
  EXPECT_EQ(net["jobs"].size(), 2u);
  EXPECT_GT(net["latency"]["creation"]["mean"].get<double>(), net["latency"]["nic"]["mean"].get<double>());
  EXPECT_EQ(net["latency"]["mean"], net["latency"]["nic"]["mean"]);
  EXPECT_GE(net["cycles"].get<uint64_t>(), net["time_cycles"].get<uint64_t>());
  EXPECT_FALSE(net["timeline"].empty());
}

/// A job has a time when all its ranks have come to their end, not the last one alone.
TEST_F(WorkloadCommand, AJobWithAnUnfinishedRankHasNoTime) {
  const std::string goal = file("p.goal",
                                "num_ranks 2\nrank 0 {\na: recv 10b from 1 tag 7\n}\nrank 1 {\nb: send 10b to 0 tag "
                                "7\n}\n");
  const std::string net =
      "net --size tiny --workload " + goal + " --warmup 0 --cycles 3000 --watchdog 1000 --json " + path("p.json");
  const auto job = [&] { return Json::parse(read_text(path("p.json")))["jobs"][0]; };
  EXPECT_EQ(run(net).exit_code, 0);
  EXPECT_TRUE(job()["time_cycles"].is_number());
  EXPECT_EQ(run(net + " --fail node:G0.s0.n0@1").exit_code, 1);
  EXPECT_TRUE(job()["time_cycles"].is_null()) << job();
}

/// The mean latency stands in for that of messages where there is no open traffic, not where none of it was sampled.
TEST_F(WorkloadCommand, TheLatencyOfMessagesIsNotThatOfOpenTraffic) {
  const std::string net = "net --size tiny --workload lu:px=2,py=4,nz=30,it=1 --warmup 100000";
  const Json alone = run_json(net), beside = run_json(net + " --load 0.2");
  EXPECT_EQ(alone["latency"]["mean"], alone["latency"]["nic"]["mean"]);
  EXPECT_TRUE(beside["latency"]["mean"].is_null()) << beside["latency"];
  EXPECT_TRUE(beside["latency"]["nic"]["mean"].is_number());
}

/// Nothing is written where a part of it cannot be; a set of traces is no part of a larger one.
TEST_F(WorkloadCommand, TracesAreWrittenAltogether) {
  const std::string goal = path("q.goal"), set = path("set");
  expect_refused(run("workload --motif dl:ranks=4,it=2 --goal " + goal + " --chakra " + set),
                 "Chakra: dl has 2 iterations");
  EXPECT_FALSE(std::filesystem::exists(goal));
  expect_refused(run("workload --motif dl:ranks=4,it=1 --goal " + goal + " --chakra " + path("none/set")),
                 "none/set.0.et");
  EXPECT_FALSE(std::filesystem::exists(goal));
  for (const std::string& no_prefix : {path("none/"), path("."), path(".."), std::string("/dev/null")})
    expect_refused(run("workload --motif dl:ranks=4,it=1 --chakra " + no_prefix),
                   "--chakra " + no_prefix + ": expected a prefix of file names, for example out/name");
  EXPECT_EQ(run("workload --motif dl:ranks=8,it=1 --chakra " + set).exit_code, 0);
  const std::string eighth = read_text(set + ".7.et");
  expect_refused(run("workload --motif dl:ranks=4,it=1 --chakra " + set),
                 "set.4.et is of a set of more ranks, expected another prefix");
  EXPECT_EQ(run("workload --motif dl:ranks=8,it=1 --goal " + goal + " --chakra " + set).exit_code, 0)
      << "the same again";
  EXPECT_EQ(read_text(set + ".7.et"), eighth);
  EXPECT_EQ(run("workload " + set + ".0.et").exit_code, 0);
}

/// Files that only look like those of a rank are none.
TEST_F(WorkloadCommand, AMissingTraceBetweenOthersIsNamed) {
  const std::string set = path("set");
  ASSERT_EQ(run("workload --motif dl:ranks=12,it=1 --chakra " + set).exit_code, 0);
  for (const char* other : {"set.12.et.bak", "set.x.et", "set.13et", "settle.20.et"}) file(other, "");
  EXPECT_EQ(run("workload " + set + ".0.et").exit_code, 0);
  std::filesystem::remove(set + ".3.et");
  std::filesystem::remove(set + ".4.et");
  for (const std::string command : {"workload ", "net --size tiny --workload "})
    expect_refused(run(command + set + ".0.et"), "set.3.et is missing, and " + set + ".5.et is there");
  for (int rank = 5; rank < 11; ++rank) std::filesystem::remove(set + "." + std::to_string(rank) + ".et");
  const std::string beside = "cd " + path("") + "; " ODONATA_PROGRAM " workload set.0.et 2>beside";
  EXPECT_NE(std::system(beside.c_str()), 0);
  EXPECT_EQ(read_text(path("beside")), "odonata: error: set.0.et: set.3.et is missing, and set.11.et is there\n");
}

TEST_F(WorkloadCommand, ARunThatIsTooShortFails) {
  const Json net = run_json("net --size tiny --workload lu:px=4,py=4,nz=30,it=2 --cycles 1000", 1);
  EXPECT_EQ(net["cycles"], 1000);
  expect_refused(run("net --size tiny --workload lu:px=4,py=4 --drain 0"),
                 "--drain: --cycles bounds a run of programs");
  EXPECT_EQ(net["verdict"], "fail");
  EXPECT_EQ(net["unfinished_ranks"], 16);
  EXPECT_TRUE(net["jobs"][0]["time_cycles"].is_null());
  EXPECT_TRUE(net["time_cycles"].is_null());
  const std::string alone = file("alone.goal",
                                 "num_ranks 2\nrank 0 {\na: calc 5000\nb: send 64b to 1\nb requires a\n}\n"
                                 "rank 1 { recv 64b from 0 }\n");
  const Json silent = run_json("net --size tiny --workload " + alone + " --cycles 200", 1);  // nothing is on its way
  EXPECT_EQ(silent["messages"], silent["received"]);
  EXPECT_EQ(silent["verdict"], "fail");
  const std::string one =
      file("one.goal", "num_ranks 2\nrank 0 { send 800000b to 1 }\nrank 1 { recv 800000b from 0 }\n");
  const Json phase = run_json("net --size tiny --workload " + one + " --cycles 50", 1)["jobs"][0]["phases"][0];
  EXPECT_EQ(phase["first"], 0);
  EXPECT_TRUE(phase["last"].is_null()) << "nothing has ended";
  EXPECT_NE(net["waits"].get<std::string>().find("rank 0 op "), std::string::npos);
}

/// Files of places come with either end of a line, comments and empty lines.
TEST_F(WorkloadCommand, PlacesHaveAnyEndOfALine) {
  const std::string net = "net --size tiny --workload dl:ranks=4 --mapping file:";
  const Json unix_ends = run_json(net + file("unix", "3\n1\n9\n4\n"));
  const Json others = run_json(net + file("others", "3\r\n 1 # one\r\n\r\n\t9\t\r\n4"));
  EXPECT_EQ(unix_ends["ranks"], others["ranks"]);
  EXPECT_EQ(others["ranks"][2]["node"], 9);
}

/// Where the ranks are belongs to a checkpoint: a file of places with another content is another run.
TEST_F(WorkloadCommand, ACheckpointHasItsPlaces) {
  const std::string net = "net --size tiny --workload dl:ranks=4,bytes=400000 --cycles 300 --mapping file:",
                    state = path("state");
  file("places", "3\n1\n9\n4\n");
  ASSERT_NE(run(net + path("places") + " --checkpoint-every 100 --checkpoint " + state).exit_code, 2);
  EXPECT_NE(run(net + path("places") + " --resume " + state).exit_code, 2);
  file("places", "3\n1\n9\n5\n");
  expect_refused(run(net + path("places") + " --resume " + state),
                 "another --mapping: 'node 4', this run has 'node 5'");
}

TEST_F(WorkloadCommand, BadInputIsOneLine) {
  expect_refused(run("net --size tiny --workload dl:ranks=65"), "65 ranks");
  expect_refused(run("net --size tiny --workload nosuch"), "'nosuch' is unknown");
  expect_refused(run("net --size tiny --workload dl:ranks=4 --mapping file:" + path("none")), "cannot be read");
  expect_refused(run("net --size tiny --workload dl:ranks=4 --mapping file:" + file("places", "0\n1\nx\n")),
                 "line 3: 'x'");
  for (const auto& [places, words] : {std::pair{"0\n1x\n", "line 2: '1x'"}, {"\n# none\n", "places: no node"}})
    expect_refused(run("net --size tiny --workload dl:ranks=4 --mapping file:" + file("places", places)), words);
  expect_refused(run("workload " + file("a.goal", "num_ranks 1\nrank 0 { jump }\n")), "a.goal: line 2: ");
  std::filesystem::create_symlink("loop", path("loop"));
  expect_refused(run("workload " + path("loop")), "cannot be read: Too many levels of symbolic links");
  expect_refused(run("workload " + path(std::string(300, 'x'))), "cannot be read: File name too long");
  EXPECT_EQ(run_json("workload " + file("one.goal", "num_ranks 1\nrank 0 { calc 5 }\n"))["name"], "one.goal");
  const std::string circle = file("circle.goal",
                                  "num_ranks 2\nrank 0 { a: recv 9b from 1 b: send 9b to 1 b requires a }\nrank 1 { a: "
                                  "recv 9b from 0 b: send 9b to 0 b requires a }\n");
  const std::string large = file("large_first.goal",
                                 "num_ranks 2\nrank 0 { a: send 9000b to 1 b: recv 9000b from 1 b requires a }\nrank "
                                 "1 { a: send 9000b to 0 b: recv 9000b from 0 b requires a }\n");
  EXPECT_EQ(run("workload " + large).exit_code, 0) << "eager";
  expect_refused(run("workload " + file("twice.goal", "num_ranks 1\nrank 0 { calc 5 cpu 1 cpu 2 }\n")), "'cpu' twice");
  for (const char* twice : {"tag 1 tag 2", "nic 0 tag 1 nic 1"}) {
    const std::string text =
        std::string("num_ranks 2\nrank 0 { send 8b to 1 ") + twice + " }\nrank 1 { recv 8b from 0 tag 1 }\n";
    expect_refused(run("workload " + file("twice.goal", text)), "'" + std::string(twice, 3) + "' twice");
  }
  expect_refused(run("workload " + file("x.1.et", "")), "x.1.et: expected the trace of the first rank, PREFIX.0.et");
  expect_refused(run("workload --motif lu:px=2,py=2,nz=5,nzblock=10"), "lu: nz: 5, expected nzblock = 10 at least");
  expect_refused(run("workload --motif sweep3d:px=2,py=2,nz=5,kba=6"), "sweep3d: nz: 5, expected kba = 6 at least");
  EXPECT_EQ(run("workload --motif lu:px=2,py=2,nz=10,nzblock=10").exit_code, 0);
  expect_refused(run("workload " + large + " --eager-limit 100"), "operations wait for each other in a circle: rank ");
  for (const char* command : {"workload ", "net --size tiny --workload "}) {
    expect_refused(run(command + circle), "operations wait for each other in a circle: rank ");
    expect_refused(run(command + file("b.goal", "num_ranks 2\nrank 0 { send 8b to 1 }\nrank 1 { }\n")),
                   "rank 0 op 0 (send 8 bytes to rank 1, tag 0) has no receive");
    expect_refused(
        run(command + file("large.goal", "num_ranks 2\nrank 0 { send 9223372036854775808b to 1 }\nrank 1 { }\n")),
        "large.goal: line 2: size is '9223372036854775808b', expected a number 0..9223372036854775807");
  }
  expect_refused(run("workload " + file("c.0.et", "xyz")), "c.0.et: rank 0, record 0: ");
  expect_refused(run("workload " + file("d.tra", "UTJH")), "d.tra: header: ");
  expect_refused(run("workload " + file("e.bz2", "BZh9junk")), "e.bz2: bzip2: damaged");
  expect_refused(run("workload"), "one of FILE, --motif");
  expect_refused(run("workload --motif stencil:bytes=9223372036854775808"), "bytes is '9223372036854775808'");
}

}  // namespace
}  // namespace odonata::cli
