// SPDX-License-Identifier: Apache-2.0
// Programs: what does not fit together is refused and named.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/common/error.h"
#include "models/workload/goal.h"
#include "models/workload/program.h"
#include "models/workload/script.h"

namespace odonata::workload {
namespace {

std::string why(const std::string& goal, uint64_t eager_limit = ~uint64_t{0}) {
  try {
    const Job job = read_goal(goal);
    check_order(job, match(job), eager_limit);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(Program, UnmatchedMessagesAreNamed) {
  EXPECT_EQ(why("num_ranks 2 rank 0 { send 8b to 1 tag 3 } rank 1 { }"),
            "rank 0 op 0 (send 8 bytes to rank 1, tag 3) has no receive");
  EXPECT_EQ(why("num_ranks 2 rank 0 { } rank 1 { calc 5 recv 8b from 0 }"),
            "rank 1 op 1 (recv 8 bytes from rank 0, tag 0) has no send");
  EXPECT_EQ(why("num_ranks 2 rank 0 { send 8b to 1 tag 3 } rank 1 { recv 8b from 0 tag 4 }"),
            "rank 0 op 0 (send 8 bytes to rank 1, tag 3) has no receive");
  EXPECT_EQ(why("num_ranks 2 rank 0 { send 8b to 1 tag 4 } rank 1 { recv 8b from 0 tag 3 }"),
            "rank 1 op 0 (recv 8 bytes from rank 0, tag 3) has no send");
  EXPECT_EQ(why("num_ranks 2 rank 0 { send 8b to 1 send 9b to 1 } rank 1 { recv 8b from 0 }"),
            "rank 0 op 1 (send 9 bytes to rank 1, tag 0) has no receive");
  EXPECT_EQ(why("num_ranks 2 rank 0 { send 8b to 1 } rank 1 { recv 9b from 0 }"),
            "rank 1 op 0 (recv 9 bytes from rank 0, tag 0): the message sent to it has 8 bytes");
}

TEST(Program, WhatDoesNotExistIsNamed) {
  const auto why_of = [](const auto& change) -> std::string {
    Job job = read_goal("num_ranks 2 rank 0 { send 8b to 1 } rank 1 { calc 5 recv 8b from 0 }");
    change(job.ranks[1]);
    try {
      match(job);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(why_of([](Rank&) {}), "");
  EXPECT_EQ(why_of([](Rank& r) { r.ops[1].peer = 2; }),
            "rank 1 op 1 (recv 8 bytes from rank 2, tag 0): there are 2 ranks");
  for (const uint8_t phase : {1, 7})
    EXPECT_EQ(why_of([phase](Rank& r) { r.ops[1].phase = phase; }),
              "rank 1 op 1 (recv 8 bytes from rank 0, tag 0): phase " + std::to_string(phase) + " does not exist");
  EXPECT_EQ(why_of([](Rank& r) {
              r.add(Op{}, {{0, 0}, {3, 0}});
            }),
            "rank 1 op 2 (calc 0 ns): waits for op 3, which does not exist");
}

TEST(Program, AnOperationWaitsFor65535OthersAndNoMore) {
  Rank rank;
  std::vector<Need> needs(65'535);
  rank.add(Op{}, {});
  EXPECT_EQ(rank.add(Op{}, needs), 1u);
  EXPECT_EQ(rank.ops[1].needs, 65'535u);
  needs.emplace_back();
  EXPECT_THROW(rank.add(Op{}, needs), Error);
}

TEST(Program, RanksAndOperationsOfAllAreCounted) {
  const Job job = read_goal("num_ranks 2 rank 0 { calc 1 calc 2 } rank 1 { calc 3 }");
  EXPECT_EQ(job.ops(), 3u);
  Workload workload;
  workload.jobs = {job, read_goal("num_ranks 1 rank 0 { }")};
  EXPECT_EQ(workload.ranks(), 3u);
}

TEST(Program, TotalsAreOfAllIterations) {
  Job job = read_goal(
      "num_ranks 2 rank 0 { send 30b to 1 send 8b to 1 send 20b to 1 calc 5 calc 0 }"
      "rank 1 { recv 30b from 0 recv 8b from 0 recv 20b from 0 }");
  job.phases = {"first", "second", "none"};
  job.ranks[0].ops[1].phase = job.ranks[0].ops[2].phase = 1;
  job.iterations = 10;
  const Totals t = totals(job);
  EXPECT_EQ(t.ops, 80u);
  EXPECT_EQ(t.calcs, 10u);
  EXPECT_EQ(t.calc_ns, 50u);
  const auto is = [](const PhaseTotals& p, uint64_t messages, uint64_t bytes, uint64_t least, uint64_t most) {
    return p.messages == messages && p.bytes == bytes && p.least == least && p.most == most;
  };
  EXPECT_TRUE(is(t.all, 30, 580, 8, 30));
  ASSERT_EQ(t.phases.size(), 3u);
  EXPECT_TRUE(is(t.phases[0], 10, 300, 30, 30));
  EXPECT_TRUE(is(t.phases[1], 20, 280, 8, 20));
  EXPECT_TRUE(is(t.phases[2], 0, 0, 0, 0));
}

TEST(Program, AnEmptyMessageIsTheSmallest) {
  const Totals t =
      totals(read_goal("num_ranks 2 rank 0 { send 0b to 1 send 7b to 1 } rank 1 { recv 0b from 0 recv 7b from 0 }"));
  EXPECT_EQ(t.all.least, 0u);
  EXPECT_EQ(t.all.most, 7u);
  EXPECT_EQ(t.phases.at(0).least, 0u);
}

TEST(Script, AWaitIsForWhatWasCalledSinceTheLastOne) {
  Rank rank;
  Script script(rank);
  script.irecv(1, 8);
  script.wait();
  script.send(1, 8);
  script.irecv(2, 8);
  script.wait();
  script.send(2, 8);
  EXPECT_EQ(rank.needs, (std::vector<Need>{{0, 0}, {1, 0}, {1, 0}, {2, 0}}));
}

TEST(Script, TheEndIsAfterAllThatWasCalled) {
  Rank rank;
  Script script(rank, {{0, 1}});
  script.irecv(1, 8);
  script.irecv(2, 8);
  EXPECT_EQ(script.end(), 2u);
  ASSERT_EQ(rank.ops.size(), 3u);
  EXPECT_EQ(rank.needs, (std::vector<Need>{{0, 1}, {0, 1}, {0, 1}, {0, 0}, {1, 0}}));
}

TEST(Script, HalvingNeedsAPowerOfTwo) {
  Rank rank;
  Script script(rank);
  EXPECT_THROW(allreduce_halving(script, {0, 1, 2}, 0, 8), Error);
}

TEST(Program, CirclesAreNamed) {
  EXPECT_EQ(why("num_ranks 1 rank 0 { a: calc 1 b: calc 2 a requires b b requires a }"),
            "operations wait for each other in a circle: rank 0 op 0 (calc 1 ns) waits for rank 0 op 1 (calc 2 ns) "
            "waits for the first");
  EXPECT_EQ(
      why("num_ranks 1 rank 0 { a: calc 1 b: calc 2 c: calc 3 d: calc 4 e: calc 5 f: calc 6 g: calc 7 h: calc 8 "
          "a requires b b requires c c requires d d requires e e requires f f requires g g requires h h requires a }")
          .substr(0, 44),
      "operations wait for each other in a circle: ");
  EXPECT_NE(
      why("num_ranks 1 rank 0 { a: calc 1 b: calc 2 c: calc 3 d: calc 4 e: calc 5 f: calc 6 g: calc 7 h: calc 8 "
          "a requires b b requires c c requires d d requires e e requires f f requires g g requires h h requires a }")
          .find(" ns) waits for 2 more waits for the first"),
      std::string::npos);
  const std::string six =
      why("num_ranks 1 rank 0 { a: calc 1 b: calc 2 c: calc 3 d: calc 4 e: calc 5 f: calc 6 "
          "a requires b b requires c c requires d d requires e e requires f f requires a }");
  EXPECT_NE(six.find("(calc 6 ns)"), std::string::npos) << six;
  EXPECT_EQ(six.find("more"), std::string::npos) << six << ": all six are there";
  const std::string exchange =
      "num_ranks 2 rank 0 { a: recv 9b from 1 b: send 9b to 1 b requires a } rank 1 { a: recv 9b from 0 b: send 9b to "
      "0 b requires a }";
  EXPECT_NE(why(exchange).find("in a circle"), std::string::npos) << "both receive first";
  const std::string sends =
      "num_ranks 2 rank 0 { a: send 9b to 1 b: recv 9b from 1 b requires a } rank 1 { a: send 9b to 0 b: recv 9b from "
      "0 b requires a }";
  EXPECT_EQ(why(sends), "") << "eager sends need nobody";
  EXPECT_NE(why(sends, 8).find("rank 1 op 1 (recv 9 bytes from rank 0, tag 0)"), std::string::npos)
      << "by rendezvous both wait for the receive of the other";
  EXPECT_EQ(why(sends, 9), "");
}

TEST(Program, MatchesInTheOrderOfTheProgram) {
  const Job job = read_goal(
      "num_ranks 3 rank 0 { send 1b to 1 send 2b to 1 tag 7 send 3b to 1 } rank 2 { send 3b to 1 }"
      "rank 1 { recv 3b from 2 recv 2b from 0 tag 7 recv 1b from 0 recv 3b from 0 }");
  EXPECT_EQ(match(job), (Partners{{2, 1, 3}, {0, 1, 0, 2}, {0}}));
}

TEST(Program, AStartIsEnoughForIrequires) {
  const auto ns = [](const char* word) {
    const Job job = read_goal(std::string("num_ranks 1 rank 0 { a: calc 100 b: calc 30 cpu 1 b ") + word + " a }");
    return critical_path(job, match(job), 0).ns;
  };
  EXPECT_EQ(ns("requires"), 130u);
  EXPECT_EQ(ns("irequires"), 100u);
}

/// docs/workloads.md §5: what a rank sends to itself is on no link, and bounds no run.
TEST(Program, BytesToOneselfAreInNoChain) {
  const Job job = read_goal(
      "num_ranks 2 rank 0 { a: send 100000b to 0 tag 1 b: recv 100000b from 0 tag 1 c: send 64b to 1 c requires b }"
      "rank 1 { recv 64b from 0 }");
  const CriticalPath path = critical_path(job, match(job), ~uint64_t{0});
  EXPECT_EQ(path.bytes, 64u);
  EXPECT_EQ(path.messages, 2u);
}

/// docs/workloads.md §2: a message of a rank to itself never reaches its network interface and arrives at once, however
/// long it is. Its send waits for no receive.
TEST(Program, ASendToOneselfWaitsForNobody) {
  const std::string self = "num_ranks 1 rank 0 { s: send 64000b to 0 r: recv 64000b from 0 ";
  EXPECT_EQ(why(self + "r requires s }", 12'000), "") << "no circle";
  const Job job = read_goal(self + "c: calc 100 d: calc 1 cpu 1 r requires c d requires s }");
  EXPECT_EQ(critical_path(job, match(job), 12'000).ns, 100u) << "d need not wait for c";
}

/// docs/workloads.md §2: the data of a rendezvous leave when send and receive are there; both end when they have come.
TEST(Program, DataOfARendezvousFollowEachOther) {
  const Job late = read_goal(
      "num_ranks 3 rank 0 { send 20000b to 1 } rank 2 { send 20000b to 1 }"
      "rank 1 { e: recv 20000b from 2 r: recv 20000b from 0 r requires e }");
  const Job twice = read_goal(
      "num_ranks 2 rank 0 { a: send 20000b to 1 b: send 20000b to 1 b requires a }"
      "rank 1 { recv 20000b from 0 recv 20000b from 0 }");
  for (const Job* job : {&late, &twice}) {
    const CriticalPath path = critical_path(*job, match(*job), 12'000),
                       eager = critical_path(*job, match(*job), 20'000);
    EXPECT_EQ(path.messages, 2u);
    EXPECT_EQ(path.bytes, 40'000u);
    EXPECT_EQ(eager.messages, 1u);
    EXPECT_EQ(eager.bytes, 20'000u);
  }
}

TEST(Program, SumsOfMoreThan63BitsAreRefused) {
  const std::string large = "9223372036854775807b";
  EXPECT_EQ(why("num_ranks 2 rank 0 { send " + large + " to 1 } rank 1 { recv " + large + " from 0 }"), "");
  EXPECT_EQ(why("num_ranks 2 rank 0 { send " + large + " to 1 send 1b to 1 } rank 1 { recv " + large +
                " from 0 recv 1b from 0 }"),
            "bytes: more than 63 bits");
  EXPECT_EQ(why("num_ranks 1 rank 0 { calc 9223372036854775808 }"),
            "line 1: ns is '9223372036854775808', expected a number 0..9223372036854775807");
  Job job = read_goal("num_ranks 1 rank 0 { calc 9223372036854775807 }");
  job.iterations = 2;
  EXPECT_THROW(totals(job), Error);
  EXPECT_THROW(critical_path(job, match(job), 0), Error);
}

}  // namespace
}  // namespace odonata::workload
