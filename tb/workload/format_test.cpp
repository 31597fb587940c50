// SPDX-License-Identifier: Apache-2.0
// Files of programs: round trips, what a damaged one says, and that no damage does anything but an Error.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/common/error.h"
#include "models/common/random.h"
#include "models/workload/chakra.h"
#include "models/workload/goal.h"
#include "models/workload/motif.h"
#include "models/workload/netrace.h"
#include "sim/workload/workload_file.h"
#include "tb/common/error_text.h"

namespace odonata::workload {
namespace {

std::string goal_of(const Job& job) {
  std::string out;
  write_goal(job, [&out](std::string_view text) { out += text; });
  return out;
}

/// What a format without phases keeps of a job.
Job plain(Job job) {
  for (Rank& r : job.ranks) {
    for (Op& o : r.ops) o.phase = 0;
  }
  return job;
}

const std::vector<std::string> kSmall{"lu:px=3,py=2,nz=30,it=1",
                                      "sweep3d:px=2,py=2,nz=20,it=1",
                                      "fft3d:n=8,ranks=6,rows=3,it=1",
                                      "halo3d:grid=2x2x2,it=1",
                                      "halo3d26:grid=3x2x2,it=1",
                                      "stencil:grid=2x2x2x2",
                                      "dl:ranks=8,it=1",
                                      "dl:ranks=5,algorithm=ring,it=1",
                                      "dl:ranks=8,algorithm=halving,it=1",
                                      "lulesh:grid=2x2x2,sweep=2x4,kba=3,it=1",
                                      "random:ranks=5,rounds=9"};

TEST(Goal, RoundTripOfEveryMotif) {
  for (const std::string& text : kSmall) {
    const Job job = make_motif(text), back = read_goal(goal_of(job));
    EXPECT_EQ(back.ranks, plain(job).ranks) << text;
  }
}

TEST(Goal, IterationsBecomeOneProgram) {
  for (const std::string& text : kSmall) {
    Job job = make_motif(text);
    job.iterations = 3;
    const Job back = read_goal(goal_of(job));
    EXPECT_EQ(totals(back).all.messages, totals(job).all.messages) << text;
    EXPECT_EQ(totals(back).all.bytes, totals(job).all.bytes) << text;
    const CriticalPath a = critical_path(job, match(job), 0), b = critical_path(back, match(back), 0);
    EXPECT_EQ(a.ns, b.ns) << text;
    EXPECT_EQ(a.messages, b.messages) << text;
    EXPECT_EQ(a.bytes, b.bytes) << text;
  }
}

/// The first operations of an iteration wait for the last ones of the iteration before it, and for no others.
TEST(Goal, AnIterationWaitsForTheOneBefore) {
  Job job = read_goal("num_ranks 1 rank 0 { a: calc 5 b: calc 6 b requires a }");
  job.iterations = 3;
  const Job back = read_goal(goal_of(job));
  ASSERT_EQ(back.ranks[0].ops.size(), 6u);
  EXPECT_EQ(back.ranks[0].needs, (std::vector<Need>{{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}}));
}

/// Also for the end of one whose start alone something waits for.
TEST(Goal, AnIterationWaitsForTheEndOfWhatHasStarted) {
  Job job = read_goal("num_ranks 1 rank 0 { a: calc 1000 b: calc 10 b irequires a }");
  job.iterations = 2;
  const Job back = read_goal(goal_of(job));
  EXPECT_EQ(critical_path(back, match(back), 0).ns, 2000u);
}

/// One for whose end something waits is no last one, whatever waits for its start besides.
TEST(Goal, AnIterationWaitsForTheLastOperationsOnly) {
  Job job = read_goal("num_ranks 1 rank 0 { a: calc 5 b: calc 6 c: calc 7 b requires a c irequires a }");
  job.iterations = 2;
  const Job back = read_goal(goal_of(job));
  EXPECT_EQ(back.ranks[0].needs, (std::vector<Need>{{0, 0}, {0, 1}, {1, 0}, {2, 0}, {3, 0}, {4, 0}, {4, 1}}));
}

TEST(Goal, LinesMayEndWithACarriageReturn) {
  EXPECT_EQ(read_goal("num_ranks 1\r\nrank 0 {\r\na: calc 5\r\nb: calc 6 # last\r\nb requires a\r\n}\r\n").ranks,
            read_goal("num_ranks 1 rank 0 { a: calc 5 b: calc 6 b requires a }").ranks);
}

TEST(Goal, ALongProgramIsWrittenInPieces) {
  std::string program = "num_ranks 1 rank 0 { ";
  for (int i = 0; i < 20'000; ++i) program += "calc 5 ";
  const Job job = read_goal(program + "}");
  size_t longest = 0;
  std::string all;
  write_goal(job, [&](std::string_view text) {
    longest = std::max(longest, text.size());
    all += text;
  });
  EXPECT_GT(all.size(), 200'000u);
  EXPECT_LT(longest, 66'000u);
  EXPECT_EQ(read_goal(all).ranks, job.ranks);
}

TEST(Goal, ReadsWhatOthersWrite) {
  const Job job = read_goal(R"(/* two
lines */ num_ranks 2
rank 0 {
  l1: calc 100 cpu 1
  l2: send 10b to 1 tag 5 cpu 0 nic 2   // to the other one
  l2 requires l1
  l3: recv 20b from 1 nic 1;
  l3 irequires l2
}
rank 1 { a: recv 10 from 0 tag 5
  # answers
  b: send 20b to 0
  b requires a }
)");
  ASSERT_EQ(job.ranks.size(), 2u);
  const Rank& r = job.ranks[0];
  ASSERT_EQ(r.ops.size(), 3u);
  EXPECT_EQ(r.ops[0].amount, 100u);
  EXPECT_EQ(r.ops[0].cpu, 1);
  EXPECT_EQ(r.ops[1].tag, 5u);
  EXPECT_EQ(r.ops[1].nic, 2);
  EXPECT_EQ(r.ops[2].nic, 1);
  EXPECT_EQ(r.needs, (std::vector<Need>{{0, 0}, {1, 1}}));
  EXPECT_EQ(read_goal(goal_of(job)).ranks, job.ranks);
  EXPECT_NO_THROW(match(job));
}

TEST(Goal, ErrorsNameTheLine) {
  const auto error = [](const std::string& text) { return error_text([&text] { read_goal(text); }); };
  EXPECT_EQ(error(""), "line 1: the end of the file, expected 'num_ranks'");
  EXPECT_EQ(error("num_ranks 0"), "line 1: num_ranks is 0");
  EXPECT_EQ(error("num_ranks 99999999999999999999"),
            "line 1: num_ranks is '99999999999999999999', expected a number 0..16777216");
  EXPECT_EQ(error("num_ranks x"), "line 1: num_ranks is 'x', expected a number 0..16777216");
  EXPECT_EQ(error("num_ranks 1\nrank 0 {\n a: jump 3\n}"), "line 3: 'jump', expected send, recv or calc");
  EXPECT_EQ(error("num_ranks 1\nrank 0 {\n a: calc -3\n}"),
            "line 3: ns is '-3', expected a number 0..9223372036854775807");
  EXPECT_EQ(error("/* of\nthree\nlines */\nnum_ranks 1 // and\n# two more\nrank 0 {\n a: jump 3\n}"),
            "line 7: 'jump', expected send, recv or calc");
  EXPECT_EQ(error("num_ranks 1\nrank 1 {\n}"), "line 2: rank is '1', expected a number 0..0");
  EXPECT_EQ(error("num_ranks 2\nrank 0 { send 8b to 2 }"), "line 2: rank is '2', expected a number 0..1");
  EXPECT_EQ(error("num_ranks 1\nrank 0 { a: calc 1\n a: calc 2 }"), "line 3: 'a' comes twice");
  EXPECT_EQ(error("num_ranks 1\nrank 0 { a: calc 1\n\n a requires b }"), "line 4: no operation is called 'b'");
  EXPECT_EQ(error("num_ranks 1\nrank 0 { a: calc 1\n b requires a }"), "line 3: no operation before it is called 'b'");
  EXPECT_EQ(error("num_ranks 1\nrank 0 { }\nrank 0 { }"), "line 3: rank 0 comes twice");
  EXPECT_EQ(error("num_ranks 5\nrank 0 { }\n"), "line 2: num_ranks is 5, the file is too short for so many");
  EXPECT_EQ(error("num_ranks 2\nrank 0 { }\n"), "line 3: the end of the file, rank 1 is missing");
  EXPECT_EQ(error("num_ranks 2 rank 0{}"), "line 1: the end of the file, rank 1 is missing") << "as long as two blocks";
  EXPECT_EQ(error("num_ranks 3 rank 0{}"), "line 1: num_ranks is 3, the file is too short for so many");
  EXPECT_EQ(error("num_ranks 1\nrank 0 { a: calc 1"), "line 2: the end of the file, expected '}'");
  EXPECT_EQ(error("num_ranks 1\nrank 0 { a calc 1 }"), "line 2: 'calc', expected ':', requires or irequires");
  EXPECT_EQ(error("num_ranks 1\nrank 0 { : calc 1 }"), "line 2: ':', expected an operation");
  EXPECT_EQ(error("num_ranks 1\nrank 0 { send 8b from 0 }"), "line 2: 'from', expected 'to'");
  EXPECT_EQ(error("num_ranks 1 /* open\n\n"), "line 1: a comment without an end");
}

TEST(Goal, MoreOperationsThanANumberCanCountAreNotWritten) {
  Job job;
  job.ranks.resize(1);
  job.iterations = 1u << 31;
  const auto written = [](std::string_view) { throw Error("is written"); };
  EXPECT_EQ(error_text([&] { write_goal(job, written); }), "GOAL: a rank would have more than 2147483647 operations");
  --job.iterations;
  EXPECT_EQ(error_text([&] { write_goal(job, written); }), "is written");
}

std::vector<std::string> chakra_of(const Job& job) {
  std::vector<std::string> out;
  for (uint32_t r = 0; r < job.ranks.size(); ++r) out.push_back(write_chakra(job, r));
  return out;
}

TEST(Chakra, RoundTripOfEveryMotif) {
  for (const std::string& text : kSmall) {
    const Job job = make_motif(text);
    EXPECT_EQ(read_chakra(chakra_of(job)).ranks, plain(job).ranks) << text;
  }
}

/// The format knows microseconds: for others a calculation is never shorter than it was, we keep its nanoseconds.
TEST(Chakra, CalculationsAreRoundedUp) {
  const Job job = read_goal("num_ranks 1 rank 0 { calc 1 calc 999 calc 1000 calc 1001 calc 0 }");
  const auto ns_of = [](const std::vector<std::string>& files) {
    std::vector<uint64_t> ns;
    const Job read = read_chakra(files);
    for (const Op& o : read.ranks[0].ops) ns.push_back(o.amount);
    return ns;
  };
  std::vector<std::string> files = chakra_of(job);
  EXPECT_EQ(ns_of(files), (std::vector<uint64_t>{1, 999, 1000, 1001, 0}));
  for (size_t at = 0; (at = files[0].find("odonata_ns", at)) != std::string::npos;) files[0][at] = 'x';
  EXPECT_EQ(ns_of(files), (std::vector<uint64_t>{1000, 1000, 1000, 2000, 0}));
}

/// Fields of protobuf, written here once more so that the reader is not tested with its own writer alone.
std::string varint(uint64_t value) {
  std::string out;
  do {
    out.push_back(static_cast<char>((value & 127) | (value > 127 ? 128 : 0)));
    value >>= 7;
  } while (value != 0);
  return out;
}
std::string field(uint64_t number, uint64_t value) { return varint(number << 3) + varint(value); }
std::string field(uint64_t number, const std::string& text) {
  return varint(number << 3 | 2) + varint(text.size()) + text;
}
std::string record(const std::string& message) { return varint(message.size()) + message; }
std::string attribute(const std::string& name, uint64_t kind, uint64_t value) {
  return field(10, field(1, name) + field(kind, value));
}

TEST(Chakra, CollectivesBecomeMessages) {
  const auto job_of = [](uint64_t kind, uint32_t ranks) {
    const std::string head = record(field(1, std::string("0.0.4")));
    const std::string comp =
        record(field(1, 7) + field(2, std::string("gemm")) + field(3, 4) + field(7, 5) + attribute("is_cpu_op", 27, 0));
    const std::string coll = record(field(1, 8) + field(3, 7) + field(5, 7) + attribute("comm_type", 9, kind) +
                                    attribute("comm_size", 13, 120));
    const std::string last = record(field(1, 9) + field(3, 4) + field(4, 8) + field(7, 2));
    return read_chakra(std::vector<std::string>(ranks, head + comp + coll + last));
  };
  const auto totals_of = [&](uint64_t kind, uint32_t ranks) {
    const Job job = job_of(kind, ranks);
    check_order(job, match(job), 0);
    EXPECT_EQ(critical_path(job, match(job), 0).ns, 7000u) << "comm_type " << kind;
    return std::pair(totals(job).all.messages, totals(job).all.bytes);
  };
  using Sent = std::pair<uint64_t, uint64_t>;
  EXPECT_EQ(totals_of(0, 5), (Sent{8, 8 * 120})) << "allreduce, tree";
  EXPECT_EQ(totals_of(1, 5), (Sent{4, 4 * 120})) << "reduce";
  EXPECT_EQ(totals_of(2, 5), (Sent{20, 20 * 120})) << "all-gather";
  EXPECT_EQ(totals_of(3, 5), (Sent{4, 4 * 120})) << "gather";
  EXPECT_EQ(totals_of(4, 5), (Sent{4, 4 * 24})) << "scatter";
  EXPECT_EQ(totals_of(5, 5), (Sent{4, 4 * 120})) << "broadcast";
  EXPECT_EQ(totals_of(6, 5), (Sent{20, 20 * 24})) << "all-to-all";
  EXPECT_EQ(totals_of(7, 5), (Sent{20, 4 * 120})) << "reduce-scatter";
  EXPECT_EQ(totals_of(8, 5), (Sent{20, 4 * 120})) << "reduce-scatter";
  EXPECT_EQ(totals_of(9, 5), (Sent{8, 0})) << "barrier";
  EXPECT_EQ(totals_of(0, 1), (Sent{0, 0}));
}

/// Of 13 bytes the ranks have 3, 3, 3 and 4, and rank 0 keeps its own.
TEST(Chakra, AScatterGivesEachRankItsOwnPart) {
  const std::string head = record(field(1, std::string("0.0.4")));
  const std::string coll =
      record(field(1, 8) + field(3, 7) + attribute("comm_type", 9, 4) + attribute("comm_size", 13, 13));
  const Job job = read_chakra(std::vector<std::string>(4, head + coll));
  match(job);  // what leaves is what is awaited
  for (uint32_t r = 1; r < 4; ++r) {
    for (const Op& o : job.ranks[r].ops) {
      if (o.kind == OpKind::recv) EXPECT_EQ(o.amount, part_of(13, 4, r)) << r;
    }
  }
  EXPECT_EQ(totals(job).all.bytes, 13 - part_of(13, 4, 0));
}

TEST(Chakra, TheLargestNumberHas63Bits) {
  const std::string head = record(field(1, std::string("0.0.4")));
  const auto job_of = [&head](uint64_t size) {
    const auto node = [&](uint64_t type, const std::string& peer) {
      return record(field(1, 1) + field(3, type) + attribute(peer, 11, peer == "comm_dst") +
                    attribute("comm_size", 11, size) + attribute("comm_tag", 11, 0));
    };
    return read_chakra({head + node(5, "comm_dst"), head + node(6, "comm_src")});
  };
  EXPECT_EQ(job_of(INT64_MAX).ranks[0].ops[0].amount, static_cast<uint64_t>(INT64_MAX));
  EXPECT_THROW(job_of(uint64_t{INT64_MAX} + 1), Error);
}

/// What the format has more than one word for.
TEST(Chakra, LoadsAreCalculationsAndTheGroupOfAllRanksHasNames) {
  const std::string head = record(field(1, std::string("0.0.4")));
  for (const uint64_t load_or_store : {2, 3}) {
    const Job job = read_chakra({head + record(field(1, 1) + field(3, load_or_store) + field(7, 5))});
    EXPECT_EQ(job.ranks[0].ops[0].kind, OpKind::calc);
    EXPECT_EQ(job.ranks[0].ops[0].amount, 5000u);
  }
  for (const char* group : {"", "0", "default_pg"}) {
    const Job job =
        read_chakra({head + record(field(1, 1) + field(3, 7) + attribute("comm_type", 9, 9) +
                                   field(10, field(1, std::string("pg_name")) + field(29, std::string(group))))});
    EXPECT_EQ(totals(job).all.messages, 0u) << group;
  }
}

/// A whole number may stand in any of the seven fields of numbers; two of them count 0, -1, 1, -2, 2, ..
TEST(Chakra, AWholeNumberStandsInAnyFieldOfNumbers) {
  for (const uint64_t kind : {7, 9, 11, 13, 15, 17, 27}) {
    const uint64_t written = kind == 15 || kind == 17 ? 2000 : 1000;
    const std::string head = record(field(1, std::string("0.0.4")));
    const std::string send = record(field(1, 1) + field(3, 5) + attribute("comm_dst", 11, 1) +
                                    attribute("comm_size", kind, written) + attribute("comm_tag", 11, 0));
    const std::string receive = record(field(1, 1) + field(3, 6) + attribute("comm_src", 11, 0) +
                                       attribute("comm_size", 11, 1000) + attribute("comm_tag", 11, 0));
    const Job job = read_chakra({head + send, head + receive});
    ASSERT_EQ(job.ranks[0].ops.size(), 1u) << kind;
    EXPECT_EQ(job.ranks[0].ops[0].amount, 1000u) << kind;
  }
}

TEST(Chakra, ErrorsNameRankAndRecord) {
  const std::string head = record(field(1, std::string("0.0.4")));
  const auto error = [&head](const std::string& rest) { return error_text([&] { read_chakra({head, head + rest}); }); };
  const auto node = [](uint64_t id, uint64_t type, const std::string& more = "") {
    return record(field(1, id) + field(3, type) + more);
  };
  EXPECT_NE(error(node(1, 4, field(7, 2) + attribute("odonata_ns", 9, 1000)))
                .find("odonata_ns is 1000, but duration_micros is 2"),
            std::string::npos);
  EXPECT_EQ(error_text([] { read_chakra({""}); }), "rank 0, record 0: the file is empty");
  EXPECT_EQ(error_text([] { read_chakra({record(field(1, 4))}); }), "rank 0, record 0: field 1 is no text or message");
  EXPECT_EQ(error("\x09\x08"), "rank 1, record 1: has 9 bytes, 1 are left");
  EXPECT_EQ(error("\x01\x08"), "rank 1, record 1: ends inside a number");
  EXPECT_EQ(error("\x02\x12\x05"), "rank 1, record 1: field 2 ends beyond its message");
  EXPECT_EQ(error("\x02\x0b\x01"), "rank 1, record 1: field 1 has wire type 3");
  EXPECT_EQ(error(node(1, 4) + node(1, 4)), "rank 1, record 2: node 1 comes twice");
  EXPECT_EQ(error(node(1, 4) + node(2, 4, field(5, 9))), "rank 1, record 2: waits for node 9, which does not exist");
  EXPECT_EQ(error(node(1, 4, field(5, 2)) + node(2, 4, field(4, 1))),
            "rank 1, record 1: node 1 waits in a circle of nodes");
  EXPECT_EQ(error(node(1, 11)), "rank 1, record 1: node type 11, expected 1 to 7");
  EXPECT_EQ(error(node(1, 5)), "rank 1, record 1: no attribute comm_dst");
  EXPECT_EQ(error(node(1, 5, attribute("comm_dst", 11, 0))), "rank 1, record 1: no attribute comm_size");
  EXPECT_EQ(error(node(1, 6, attribute("comm_src", 11, 2))), "rank 1, record 1: comm_src is 2, there are 2 ranks");
  EXPECT_EQ(error(node(1, 7, attribute("comm_type", 9, 12) + attribute("comm_size", 9, 8))),
            "rank 1, record 1: comm_type 12, expected 0 to 9");
  EXPECT_EQ(error(node(1, 7,
                       attribute("comm_type", 9, 0) +
                           field(10, field(1, std::string("pg_name")) + field(29, std::string("7"))))),
            "rank 1, record 1: a collective of group '7', expected one of all ranks");
  EXPECT_EQ(error(node(1, 7, attribute("comm_size", 9, 8))), "rank 1, record 1: no attribute comm_type");
  EXPECT_EQ(error(node(1, 5,
                       attribute("comm_dst", 11, 0) + attribute("comm_size", 11, 8) +
                           attribute("comm_tag", 11, uint64_t{1} << 31))),
            "rank 1, record 1: comm_tag is 2147483648, expected a number below 2147483648");
  EXPECT_EQ(error(record(std::string(1, '\x08') + std::string(10, '\xff') + '\x01')),
            "rank 1, record 1: a number of more than 64 bits");
  EXPECT_EQ(error(record(field(10, 1))), "rank 1, record 1: field 10 is no text or message");
  EXPECT_EQ(error(record(field(3, std::string("4")))), "rank 1, record 1: field 3 is no number");
  EXPECT_EQ(error(record(field(0, 1))), "rank 1, record 1: a field with number 0");
  EXPECT_EQ(error(record(varint(20 << 3 | 1) + "1234567")), "rank 1, record 1: field 20 ends beyond its message");
}

/// Whatever the order in the file: an operation is written after those that it waits for.
TEST(Chakra, ANodeMayStandBeforeThoseItWaitsFor) {
  const std::string head = record(field(1, std::string("0.0.4")));
  const auto node = [](uint64_t id, const std::string& waits) {
    return record(field(1, id) + field(3, 4) + waits + field(7, id));
  };
  const Job job = read_chakra({head + node(3, field(5, 2)) + node(1, "") + node(2, field(5, 1))});
  EXPECT_EQ(job.name, "chakra");
  EXPECT_EQ(job.note, "collectives: trees for broadcast, reduce, allreduce and barrier, rings for the others");
  std::vector<uint64_t> ns;
  for (const Op& o : job.ranks[0].ops) ns.push_back(o.amount);
  EXPECT_EQ(ns, (std::vector<uint64_t>{1000, 2000, 3000}));
  EXPECT_EQ(job.ranks[0].needs, (std::vector<Need>{{0, 0}, {1, 0}}));
}

/// Fields that this program does not know are passed over, whatever they hold.
TEST(Chakra, UnknownFieldsArePassedOver) {
  const std::string eight = varint(20 << 3 | 1) + std::string(8, '\xff'), four = varint(21 << 3 | 5) + "abcd";
  const Job job = read_chakra({record(field(1, std::string("0.0.4"))) +
                               record(eight + field(1, 1) + four + field(3, 4) + field(22, std::string("text")) +
                                      field(23, 5) + eight + four + field(7, 9) + eight)});
  ASSERT_EQ(job.ranks[0].ops.size(), 1u);
  EXPECT_EQ(job.ranks[0].ops[0].amount, 9000u);
}

/// The format keeps one processor of a rank apart from the first.
TEST(Chakra, CalculationsBesideTheFirstProcessorStayBesideIt) {
  const Job job = read_goal("num_ranks 1 rank 0 { calc 1000 calc 2000 cpu 1 calc 3000 cpu 1 }");
  std::vector<int> cpus;
  const Job read = read_chakra(chakra_of(job));
  for (const Op& o : read.ranks[0].ops) cpus.push_back(o.cpu);
  EXPECT_EQ(cpus, (std::vector<int>{0, 1, 1}));
}

TEST(Chakra, WhatTheFormatCannotSayIsNotWritten) {
  Job job = read_goal("num_ranks 2 rank 0 { } rank 1 { a: calc 1 b: calc 2 b irequires a }");
  EXPECT_EQ(error_text([&] { write_chakra(job, 1); }), "Chakra: rank 1 has an operation that waits for a start only");
  // Nodes are read in an order in which they can run; messages match in that of the list.
  const Job behind = read_goal(
      "num_ranks 2 rank 0 { a: send 8b to 1 b: send 16b to 1 a requires b } rank 1 { recv 8b from 0 recv 16b from 0 }");
  EXPECT_EQ(error_text([&] { write_chakra(behind, 0); }),
            "Chakra: rank 0 has an operation that waits for one behind it in the list");
  EXPECT_EQ(error_text([&] { write_chakra(behind, 1); }), "");
  for (const char* cpu : {"2", "65535"}) {
    const Job more = read_goal(std::string("num_ranks 1 rank 0 { calc 1000 calc 2000 cpu ") + cpu + " }");
    EXPECT_EQ(error_text([&] { write_chakra(more, 0); }),
              std::string("Chakra: rank 0 has a calculation on processor ") + cpu + ", expected 0 or 1");
  }
  const auto tagged = [](const char* tag) {
    return read_goal(std::string("num_ranks 2 rank 0 { send 8b to 1 tag ") + tag + " } rank 1 { recv 8b from 0 tag " +
                     tag + " }");
  };
  EXPECT_EQ(error_text([&] { write_chakra(tagged("2147483648"), 0); }),
            "Chakra: rank 0 has tag 2147483648, expected a number below 2147483648");
  EXPECT_EQ(chakra_of(tagged("2147483647")).size(), 2u);
  job.name = "mine";
  job.iterations = 2;
  EXPECT_EQ(error_text([&] { write_chakra(job, 0); }), "Chakra: mine has 2 iterations, expected it=1");
}

/// A netrace file by hand: three packets, the last one waits for the first two.
std::string small_netrace() {
  const auto number = [](uint64_t value, int bytes) {
    std::string out;
    for (int i = 0; i < bytes; ++i) out.push_back(static_cast<char>(value >> 8 * i));
    return out;
  };
  const auto packet = [&](uint64_t cycle, uint32_t id, int type, int source, int dest,
                          const std::vector<uint32_t>& dependents) {
    std::string out = number(cycle, 8) + number(id, 4) + number(0xABCD, 4);
    for (const int byte : {type, source, dest, 0, static_cast<int>(dependents.size())})
      out.push_back(static_cast<char>(byte));
    for (const uint32_t d : dependents) out += number(d, 4);
    return out;
  };
  std::string name = "blackscholes";
  name.resize(30);
  return number(0x484A5455, 4) + number(0x3F800000, 4) + name + number(4, 1) + number(0, 1) + number(500, 8) +
         number(3, 8) + number(5, 4) + number(1, 4) + number(0, 8) + std::string("note\0", 5) + std::string(24, '\0') +
         packet(100, 10, 1, 0, 1, {12}) + packet(110, 11, 16, 2, 1, {12}) + packet(150, 12, 2, 1, 0, {});
}

TEST(Netrace, PacketsWaitForThoseTheyDependOn) {
  const Job job = read_netrace(small_netrace());
  EXPECT_EQ(job.name, "blackscholes");
  EXPECT_EQ(job.note, "note");
  ASSERT_EQ(job.ranks.size(), 4u);
  const Rank& one = job.ranks[1];  // receives both, then answers 40 cycles after the later one
  ASSERT_EQ(one.ops.size(), 4u);
  EXPECT_EQ(one.ops[0].kind, OpKind::recv);
  EXPECT_EQ(one.ops[0].amount, 8u);
  EXPECT_EQ(one.ops[1].amount, 72u);
  EXPECT_EQ(one.ops[2].kind, OpKind::calc);
  EXPECT_EQ(one.ops[2].amount, 40u);
  EXPECT_EQ(one.ops[2].cpu, Op::kTimer);
  EXPECT_EQ(one.ops[3].kind, OpKind::send);
  EXPECT_EQ(one.needs, (std::vector<Need>{{0, 0}, {1, 0}, {2, 0}}));
  const CriticalPath path = critical_path(job, match(job), ~uint64_t{0});
  EXPECT_EQ(path.ns, 50u) << "10 cycles after the first packet, 40 after the second";
  EXPECT_EQ(path.messages, 2u);
}

/// Comments stand anywhere, also behind a word; a name that would end one does not.
TEST(Goal, CommentsEndWords) {
  const Job job = read_goal("num_ranks 1# one\nrank 0 { l1: calc 5// x\nl2: calc 6/* y */ l2 requires l1# z\n}");
  EXPECT_EQ(job.ranks[0].ops.size(), 2u);
  EXPECT_EQ(job.ranks[0].ops[1].amount, 6u);
  EXPECT_EQ(job.ranks[0].needs.size(), 1u);
  Job named = job;
  named.name = "na*/me", named.note = "a **/*/ b";
  EXPECT_EQ(read_goal(goal_of(named)).ranks[0].ops, job.ranks[0].ops);
}

/// A node knows only of its own packets: a packet does not wait for one between two others.
TEST(Netrace, DependenciesBetweenOtherNodesAreLeftOutAndCounted) {
  std::string bytes = small_netrace();
  constexpr size_t kThird = 72 + 5 + 24 + 2 * (21 + 4);
  bytes.at(kThird + 17) = 3;
  const Job job = read_netrace(bytes);
  EXPECT_EQ(job.note, "note; 2 dependencies between other nodes left out");
  ASSERT_EQ(job.ranks[3].ops.size(), 2u);
  EXPECT_EQ(job.ranks[3].ops[0].amount, 50u) << "cycles since the first packet of the trace";
  EXPECT_EQ(job.ranks[3].needs, (std::vector<Need>{{0, 0}}));
  for (size_t i = 72; i < 76; ++i) bytes.at(i) = '\0';
  EXPECT_EQ(read_netrace(bytes).note, "2 dependencies between other nodes left out");
}

/// Of a packet that the node has sent itself it waits for the send.
TEST(Netrace, APacketWaitsForThoseThatItsNodeHasSent) {
  std::string bytes = small_netrace();
  constexpr size_t kThird = 72 + 5 + 24 + 2 * (21 + 4);
  bytes.at(kThird + 17) = 0;
  bytes.at(kThird + 18) = 1;
  const Job job = read_netrace(bytes);
  EXPECT_EQ(job.ranks[0].needs, (std::vector<Need>{{0, 0}, {1, 0}, {2, 0}}));
}

/// docs/workloads.md: a type with a cache line has 72 bytes, the others 8.
TEST(Netrace, EveryTypeHasItsBytes) {
  constexpr size_t kType = 72 + 5 + 24 + 16;  // of the first record
  for (const int line : {2, 3, 4, 6, 16, 30}) {
    std::string bytes = small_netrace();
    bytes.at(kType) = static_cast<char>(line);
    EXPECT_EQ(totals(read_netrace(bytes)).all.bytes, 72u + 72 + 72) << line;
  }
  for (const int control : {1, 5, 13, 14, 15, 25, 27, 28, 29}) {
    std::string bytes = small_netrace();
    bytes.at(kType) = static_cast<char>(control);
    EXPECT_EQ(totals(read_netrace(bytes)).all.bytes, 8u + 72 + 72) << control;
  }
}

TEST(Netrace, ErrorsNameTheRecord) {
  const std::string good = small_netrace();
  const auto error = [](std::string bytes) { return error_text([&bytes] { read_netrace(bytes); }); };
  const auto with = [&good](size_t at, char byte) {
    std::string out = good;
    out.at(at) = byte;
    return out;
  };
  constexpr size_t kFirst = 72 + 5 + 24, kSecond = kFirst + 21 + 4;
  EXPECT_EQ(error("abcd"), "header: no netrace file");
  EXPECT_EQ(error(good.substr(0, 60)), "header: ends after 60 bytes");
  EXPECT_EQ(error(good.substr(0, good.size() - 1)),
            "record 3: ends after " + std::to_string(good.size() - 1) + " bytes");
  EXPECT_EQ(error(good + "x"), "record 3: 1 bytes after the last packet");
  EXPECT_EQ(error(with(kFirst + 16, 9)), "record 1: packet type 9 does not exist");
  EXPECT_EQ(error(with(kFirst + 18, 4)), "record 1: node 4 of 4");
  EXPECT_EQ(error(with(kFirst + 21, 77)), "record 1: packet 77 depends on it and does not exist");
  EXPECT_EQ(error(with(kSecond + 21, 10)), "record 2: packet 10 depends on it and comes before it");
  EXPECT_EQ(error(with(kFirst + 21, 10)), "record 1: packet 10 depends on it and comes before it") << "on itself";
  EXPECT_EQ(error(with(kSecond, 1)), "record 2: is earlier than the one before");
  std::string late = good.substr(0, good.size() - 21) + std::string(7, '\xff') + "\x7f" + good.substr(good.size() - 13);
  EXPECT_EQ(error(late), "") << "the last cycle of 63 bits";
  late.replace(late.size() - 21, 8, std::string(7, '\0') + "\x80");
  EXPECT_EQ(error(late), "record 3: a cycle of more than 63 bits");
  EXPECT_EQ(error(with(kSecond + 8, 10)), "record 2: packet 10 comes twice");
  EXPECT_EQ(error(with(38, 0)), "header: has no nodes");
}

TEST(Netrace, AGeneratedTraceSaysSoAndRuns) {
  const std::string bytes = generate_netrace(64, 500, 3);
  const Job job = read_netrace(bytes);
  EXPECT_NE(job.note.find("generated"), std::string::npos);
  EXPECT_EQ(job.note.find("left out"), std::string::npos) << "all dependencies are at one node";
  EXPECT_GE(totals(job).all.messages, 1000u);
  EXPECT_GE(critical_path(job, match(job), ~uint64_t{0}).messages, 4u);
  EXPECT_EQ(generate_netrace(64, 500, 3), bytes);
  const auto cycle = [&bytes](size_t at) {
    uint64_t value = 0;
    for (size_t i = 0; i < 8; ++i) value |= uint64_t{static_cast<uint8_t>(bytes.at(at + i))} << 8 * i;
    return value;
  };
  EXPECT_EQ(cycle(40), cycle(bytes.size() - 21) + 1) << "cycles of the header, and of the last packet";
  EXPECT_NE(generate_netrace(64, 500, 4), bytes);
  for (const int nodes : {4, 255}) {
    EXPECT_EQ(read_netrace(generate_netrace(nodes, 2, 1)).ranks.size(), static_cast<size_t>(nodes));
  }
  for (const int nodes : {3, 256}) EXPECT_THROW(generate_netrace(nodes, 2, 1), Error) << nodes;
}

/// Every request of a generated trace has its answer, not before a home has looked for 40 cycles, a memory for 150.
TEST(Netrace, RequestsOfAGeneratedTraceAreAnswered) {
  const Job job = read_netrace(generate_netrace(64, 500, 3));
  const PhaseTotals all = totals(job).all;
  EXPECT_EQ(2 * all.bytes, (8 + 72) * all.messages);
  int late = 0;
  for (const Rank& r : job.ranks) {
    for (const Op& o : r.ops) {
      if (o.kind != OpKind::send || o.amount != 72) continue;
      const uint64_t waited = r.ops[r.needs[o.first_need].op].amount;
      EXPECT_GE(waited, 40u);
      late += waited == 150;
    }
  }
  EXPECT_GT(late, 20);
}

TEST(Packed, RoundTripAndDamage) {
  const std::string bytes = generate_netrace(16, 3000, 1), packed = cli::pack_bz2(bytes);
  EXPECT_LT(packed.size(), bytes.size());
  EXPECT_EQ(cli::unpack_bz2(packed), bytes);
  EXPECT_EQ(cli::unpack_bz2(cli::pack_bz2("")), "");
  EXPECT_EQ(cli::unpack_bz2(packed + packed), bytes + bytes) << "pbzip2 and cat make such files";
  EXPECT_NE(error_text([&] { cli::unpack_bz2(packed + "junk"); }).find("bzip2: damaged"), std::string::npos);
  EXPECT_NE(error_text([&] { cli::unpack_bz2(packed.substr(0, packed.size() / 2)); }).find("bzip2: cut off after"),
            std::string::npos);
  std::string damaged = packed;
  damaged[packed.size() / 2] = static_cast<char>(damaged[packed.size() / 2] ^ 1);
  EXPECT_NE(error_text([&] { cli::unpack_bz2(damaged); }).find("bzip2: damaged"), std::string::npos);
}

/// Every prefix, and random changes, of a file: read, or an Error, nothing else. Returns how many were refused.
template <class Read>
int stress(const std::string& good, const Read& read) {
  int refused = 0;
  const auto attempt = [&](const std::string& bytes) { refused += !error_text([&] { read(bytes); }).empty(); };
  for (size_t size = 0; size < good.size(); ++size) attempt(good.substr(0, size));
  Random random(5);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes = good;
    for (uint32_t k = 0; k <= random.below(4); ++k)
      bytes[random.below(static_cast<uint32_t>(bytes.size()))] = static_cast<char>(random.below(256));
    attempt(bytes);
  }
  return refused;
}

TEST(Damage, IsRefusedAndDoesNothingElse) {
  const Job job = make_motif("lu:px=2,py=2,nz=20,it=1");
  const std::string goal = goal_of(job), et = write_chakra(job, 0), netrace = small_netrace();
  const auto complete = [](const Job& j) { check_order(j, match(j), 0); };
  EXPECT_GE(stress(goal, [&](const std::string& b) { complete(read_goal(b)); }), static_cast<int>(goal.size()) - 4)
      << "but for the last newline";
  const std::vector<std::string> others = chakra_of(job);
  stress(et, [&](const std::string& b) { complete(read_chakra({b, others[1], others[2], others[3]})); });
  EXPECT_GE(stress(netrace, [&](const std::string& b) { complete(read_netrace(b)); }),
            static_cast<int>(netrace.size()));
}

}  // namespace
}  // namespace odonata::workload
