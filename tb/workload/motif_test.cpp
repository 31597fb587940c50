// SPDX-License-Identifier: Apache-2.0
// Motifs against closed forms that do not come from the code that writes them (docs/workloads.md §3).
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "models/workload/motif.h"
#include "tb/common/error_text.h"

namespace odonata::workload {
namespace {

struct Expected {
  std::string text;
  uint64_t messages, bytes, least, most;
};

void expect(const Expected& e) {
  SCOPED_TRACE(e.text);
  const Job job = make_motif(e.text);
  const Totals t = totals(job);
  EXPECT_EQ(t.all.messages, e.messages);
  EXPECT_EQ(t.all.bytes, e.bytes);
  EXPECT_EQ(t.all.least, e.least);
  EXPECT_EQ(t.all.most, e.most);
  EXPECT_NO_THROW(check_order(job, match(job), ~uint64_t{0}));
}

TEST(Motif, TheFiguresOfThePublishedScripts) {
  expect({"lu", 909'000, 909'000ull * 15'000, 15'000, 15'000});
  // Half the spectrum, 201 x 400 x 400 values of 16 bytes, but for what stays where it is: in columns of 22 (parts of
  // 10 and 9 by 19 and 18), in rows of 24 (parts of 17 and 16).
  const uint64_t spectrum = 201 * 400 * 400, column = (3 * 10 * 19 + 9 * 19 + 18 * 9 * 18) * 400,
                 row = 201 * (16 * 17 * 17 + 8 * 16 * 16);
  expect({"fft3d:barrier=0", 371'712, 8ull * 2 * 16 * (2 * spectrum - column - row), 36'864, 51'680});
  expect({"halo3d", 82'920, 82'920ull * 576'000, 576'000, 576'000});
  expect({"stencil", 3'512, 3'512ull * 2'800'000, 2'800'000, 2'800'000});
  expect({"stencil:grid=3x3x3x3x3", 1'620, 1'620ull * 2'800'000, 2'800'000, 2'800'000});
  expect({"dl", 8'432, 8'432ull * 1'152'000, 1'152'000, 1'152'000});
  expect({"random", 7'200ull * 528, 7'200ull * 528 * 384, 384, 384});
  const Totals lulesh = totals(make_motif("lulesh"));
  const std::vector<std::pair<uint64_t, uint64_t>> phases{
      {6'132, 240}, {6'132, 240}, {121'632, 74'814}, {1'171'200, 7'457}};
  for (size_t i = 0; i < phases.size(); ++i) {
    EXPECT_EQ(lulesh.phases[i].messages, phases[i].first);
    EXPECT_EQ(lulesh.phases[i].bytes, phases[i].first * phases[i].second);
  }
}

TEST(Motif, LuAndSweepOfAnyGrid) {
  for (uint64_t px = 1; px < 5; ++px) {
    for (uint64_t py = 1; py < 5; ++py) {
      const uint64_t links = (px - 1) * py + px * (py - 1), across = (px - 1) * py, up = px * (py - 1);
      const std::string grid = "px=" + std::to_string(px) + ",py=" + std::to_string(py);
      const Totals lu = totals(make_motif("lu:nx=30,ny=70,nz=45,nzblock=10,it=5," + grid));
      EXPECT_EQ(lu.all.messages, 2 * 4 * 5 * links);
      EXPECT_EQ(lu.all.bytes, 2 * 4 * 5 * (across * 300 + up * 700));
      EXPECT_EQ(lu.calcs, 2 * 4 * 5 * px * py);
      const Totals sweep = totals(make_motif("sweep3d:nx=3,ny=5,nz=40,kba=10,fields=2,it=3," + grid));
      EXPECT_EQ(sweep.all.messages, 4 * 4 * 3 * links);
      EXPECT_EQ(sweep.all.bytes, 4 * 4 * 3 * (across * 3 * 10 * 8 * 2 + up * 5 * 10 * 8 * 2));
    }
  }
}

TEST(Motif, Fft3dMovesTheWholeHalfSpectrumWhateverTheGrid) {
  // Over all pairs, a member with itself included, a transpose moves every value once.
  for (const auto& [n, ranks, rows] :
       std::vector<std::array<uint64_t, 3>>{{8, 4, 2}, {12, 12, 3}, {10, 15, 5}, {6, 6, 1}}) {
    const Job job = make_motif("fft3d:it=1,barrier=0,n=" + std::to_string(n) + ",ranks=" + std::to_string(ranks) +
                               ",rows=" + std::to_string(rows));
    const uint64_t columns = ranks / rows, half = n / 2 + 1;
    const auto f = [](uint64_t t, uint64_t p, uint64_t i) { return t / p + (i < t % p ? 1 : 0); };
    uint64_t kept_column = 0, kept_row = 0;
    for (uint64_t r = 0; r < ranks; ++r) {
      const uint64_t row = r % rows, column = r / rows;
      kept_column += 16 * f(half, rows, row) * f(n, rows, row) * f(n, columns, column);
      kept_row += 16 * f(half, rows, row) * f(n, columns, column) * f(n, columns, column);
    }
    const Totals t = totals(job);
    EXPECT_EQ(t.phases[0].bytes + kept_column, 16 * half * n * n);
    EXPECT_EQ(t.phases[1].bytes + kept_row, 16 * half * n * n);
    EXPECT_EQ(t.phases[2].bytes, t.phases[1].bytes);
    EXPECT_EQ(t.phases[3].bytes, t.phases[0].bytes);
    EXPECT_EQ(t.all.messages, 2 * ranks * (rows - 1 + columns - 1));
  }
  const Totals with = totals(make_motif("fft3d:n=8,ranks=6,rows=3,it=2"));
  EXPECT_EQ(with.phases[4].messages, 2 * 2 * 2 * 5u);
  EXPECT_EQ(with.phases[4].bytes, 0u);
}

TEST(Motif, Fft3dSendsTheReceiversPartOfTheSpectrumForTheSendersRows) {
  // 6 rows of the half spectrum over 4 ranks are 2, 2, 1, 1; 10 rows are 3, 3, 2, 2.
  const Job job = make_motif("fft3d:it=1,barrier=0,n=10,ranks=4,rows=4");
  constexpr uint64_t kHalf[] = {2, 2, 1, 1}, kRows[] = {3, 3, 2, 2};
  size_t sends = 0;
  for (uint32_t r = 0; r < 4; ++r) {
    for (const Op& o : job.ranks[r].ops) {
      if (o.kind != OpKind::send || o.phase != 0) continue;
      EXPECT_EQ(o.amount, 16 * kHalf[o.peer] * kRows[r] * 10) << r << " to " << o.peer;
      ++sends;
    }
  }
  EXPECT_EQ(sends, 4u * 3);
}

/// Bytes between every two ranks, in one iteration.
std::map<std::pair<uint32_t, uint32_t>, uint64_t> flows(const Job& job) {
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> out;
  for (uint32_t r = 0; r < job.ranks.size(); ++r) {
    for (const Op& o : job.ranks[r].ops) {
      if (o.kind == OpKind::send) out[{r, o.peer}] += o.amount;
    }
  }
  return out;
}

TEST(Motif, StencilsReachTheirNeighboursAndNobodyElse) {
  const auto at = [](uint32_t rank, const std::vector<uint32_t>& grid) {
    std::vector<int> out;
    for (const uint32_t g : grid) out.push_back(static_cast<int>(rank % g)), rank /= g;
    return out;
  };
  const std::vector<uint32_t> grid{3, 2, 4};
  const auto faces = flows(make_motif("halo3d:grid=3x2x4,bytes=10,it=1"));
  const auto stencil = flows(make_motif("stencil:grid=3x2x4,bytes=10"));
  const auto all = flows(make_motif("halo3d26:grid=3x2x4,n=10,fields=3,word=2,it=1"));
  for (uint32_t a = 0; a < 24; ++a) {
    for (uint32_t b = 0; b < 24; ++b) {
      int away = 0, far = 0;
      for (size_t d = 0; d < 3; ++d) {
        const int step = std::abs(at(a, grid)[d] - at(b, grid)[d]);
        away += step != 0;
        far = std::max(far, step);
      }
      const auto flow = [&](const auto& of) { return of.count({a, b}) != 0 ? of.at({a, b}) : 0; };
      EXPECT_EQ(flow(faces), far == 1 && away == 1 ? 10u : 0u) << a << " to " << b;
      EXPECT_EQ(flow(stencil), far == 1 && away == 1 ? 10u : 0u) << a << " to " << b;
      EXPECT_EQ(flow(all), far != 1 ? 0u : away == 1 ? 600u : away == 2 ? 60u : 6u) << a << " to " << b;
    }
  }
}

TEST(Motif, GridsAsNearACubeAsCanBe) {
  EXPECT_EQ(flows(make_motif("halo3d:grid=528,it=1")), flows(make_motif("halo3d:grid=11x8x6,it=1")));
  EXPECT_EQ(flows(make_motif("halo3d:grid=64,it=1")), flows(make_motif("halo3d:grid=4x4x4,it=1")));
  EXPECT_EQ(flows(make_motif("halo3d:grid=360,it=1")), flows(make_motif("halo3d:grid=9x8x5,it=1")))
      << "10x6x6 has the same sum and is further from a cube";
  for (const size_t n : {7, 9, 10, 25, 50})
    EXPECT_EQ(make_motif("halo3d:grid=" + std::to_string(n) + ",it=1").ranks.size(), n);
}

/// The bytes of an allreduce, whose operations wait for each other in no circle. What each message holds:
/// AnAllreduceRoundARing.., AnAllreduceByHalving...
void reduces(const std::string& text, uint64_t parts_of_bytes) {
  SCOPED_TRACE(text);
  const Job job = make_motif(text);
  const uint64_t n = job.ranks.size();
  const Totals t = totals(job);
  EXPECT_EQ(t.all.bytes, 2 * (n - 1) * parts_of_bytes)
      << "every value goes to one rank and back over a tree of any form";
  check_order(job, match(job), 0);
}

TEST(Motif, AllreducesSendWhatTheyHaveTo) {
  for (const uint64_t n : {2, 4, 8, 16, 64}) {
    for (const char* algorithm : {"tree", "ring", "halving"}) {
      reduces("dl:it=1,bytes=1001,ranks=" + std::to_string(n) + ",algorithm=" + algorithm, 1001);
    }
  }
  reduces("dl:it=1,bytes=77,ranks=7,algorithm=ring", 77);
  reduces("dl:it=1,bytes=77,ranks=13,algorithm=tree", 77);
  EXPECT_EQ(totals(make_motif("dl:it=1,ranks=16,algorithm=ring")).all.messages, 2 * 15 * 16u);
  EXPECT_EQ(totals(make_motif("dl:it=1,ranks=16,algorithm=halving")).all.messages, 2 * 4 * 16u);
}

TEST(Motif, CriticalPathsByHand) {
  const auto path = [](const std::string& text) {
    const Job job = make_motif(text);
    return critical_path(job, match(job), ~uint64_t{0});
  };
  // A wavefront: px + py - 2 hops, then a block behind the other; there and back.
  const CriticalPath lu = path("lu:px=3,py=2,nz=40,nzblock=10,compute=7,it=1");
  EXPECT_EQ(lu.ns, 2 * (4 + 3) * 7u) << "four blocks behind each other, three hops to the far corner, twice";
  EXPECT_EQ(lu.messages, 2 * 3u) << "the chain with most messages crosses the grid once in each direction";
  EXPECT_EQ(path("dl:ranks=15,it=4,algorithm=tree").messages, 4 * 2 * 3u);
  EXPECT_EQ(path("dl:ranks=8,it=1,algorithm=ring").messages, 2 * 7u);
  EXPECT_EQ(path("dl:ranks=8,it=1,bytes=800,algorithm=halving").bytes, 2 * (400 + 200 + 100u));
  EXPECT_EQ(path("fft3d:ranks=6,rows=3,it=1,barrier=0,n=8").messages, 2 * (2 + 1u));
}

TEST(Motif, EveryRankComputesOnceAnIteration) {
  for (const char* text : {"halo3d:grid=2x2x2", "halo3d26:grid=2x2x2", "stencil:grid=2x2x2", "dl:ranks=8",
                           "dl:ranks=8,algorithm=ring", "lulesh:grid=2x2x2,sweep=2x4,line=0"}) {
    const Totals t = totals(make_motif(std::string(text) + ",it=3,compute=100")),
                 without = totals(make_motif(std::string(text) + ",it=3,compute=0"));
    EXPECT_EQ(t.calc_ns - without.calc_ns, 8u * 3 * 100) << text;
  }
  EXPECT_EQ(totals(make_motif("fft3d:n=8,ranks=4,rows=2,it=1")).calc_ns, 4u * 6 * 8 * 8 * 8 / 4);
}

TEST(Motif, MessagesAreCountedInTheirPhases) {
  const auto messages = [](const std::string& text) {
    const Job job = make_motif(text);
    const Totals t = totals(job);
    std::string out;
    for (size_t i = 0; i < job.phases.size(); ++i)
      out += job.phases[i] + " " + std::to_string(t.phases[i].messages) + " ";
    return out;
  };
  EXPECT_EQ(messages("lulesh:grid=2x2x2,sweep=2x4,kba=3,it=1"), "broadcast 7 reduce 7 halo 56 sweep 30 ");
  EXPECT_EQ(messages("stencil:grid=2x2,it=1"), "up 4 down 4 ");
  EXPECT_EQ(messages("dl:ranks=4,algorithm=ring,it=1"), "ring 24 ");
  EXPECT_EQ(messages("dl:ranks=4,algorithm=tree,it=1"), "tree 6 ");
  EXPECT_EQ(messages("fft3d:n=8,ranks=4,rows=2,it=1"), "column 4 row 4 row back 4 column back 4 barrier 12 ");
}

/// The sweep of two ranks: rank 0 sends when it has the halo of rank 1, which comes after the broadcast.
TEST(Motif, LuleshSweepsWhenTheHaloIsThere) {
  const Job job = make_motif("lulesh:grid=2x1x1,sweep=2x1,kba=1,small=1,halo=1000,line=100,it=1,compute=0");
  uint64_t line = 0;
  for (const Op& o : job.ranks[0].ops) line = o.kind == OpKind::send && o.phase == 3 ? o.amount : line;
  ASSERT_GE(line, 100u);
  EXPECT_EQ(critical_path(job, match(job), ~uint64_t{0}).bytes, 1 + 1000 + line);
}

TEST(Motif, RefusesWhatItCannotBe) {
  const auto why = [](const std::string& text) { return error_text([&] { make_motif(text); }); };
  EXPECT_EQ(why("nas"),
            "workload 'nas' is unknown, expected one of lu, sweep3d, fft3d, halo3d, halo3d26, stencil, dl, lulesh, "
            "random, or a file");
  EXPECT_EQ(why("lu:px=0"), "lu: px is '0', expected a number 1..1048576");
  EXPECT_NE(why("lu:pz=3").find("lu: 'pz=3', expected NAME=VALUE with one of px, py,"), std::string::npos);
  EXPECT_EQ(why("dl:ranks=6,algorithm=halving"), "dl: ranks is '6', expected a power of two for halving");
  EXPECT_EQ(why("dl:algorithm=magic"), "dl: algorithm is 'magic', expected tree, ring or halving");
  EXPECT_EQ(why("fft3d:ranks=7,rows=2"), "fft3d: rows is '2', expected a divisor of ranks");
  EXPECT_EQ(why("halo3d:grid=2x2"), "halo3d: grid is '2x2', expected XxYxZ, or a number of ranks");
  for (const std::string sweep : {"3x3", "2x3", "8", "2x2x2"}) {
    EXPECT_EQ(why("lulesh:grid=2x2x2,sweep=" + sweep),
              "lulesh: sweep is '" + sweep + "', expected PxQ with as many ranks as grid");
  }
  EXPECT_EQ(why("halo3d:bytes=9223372036854775807"), "bytes: more than 63 bits");
  EXPECT_EQ(why("stencil:bytes=9223372036854775808"),
            "stencil: bytes is '9223372036854775808', expected a number 0..9223372036854775807");
  EXPECT_EQ(why("lu:nx=9223372036854775807"), "lu: bytes of a message: more than 63 bits");
  EXPECT_EQ(why("stencil:grid=2000x2000"), "stencil: grid has more than 1048576 ranks");
  // of so many blocks that 10 or 20 operations each would be 4 modulo 2^64
  EXPECT_EQ(why("lu:nz=1844674407370955162,nzblock=1"), "lu: more than 268435456 operations an iteration");
  EXPECT_EQ(why("sweep3d:nz=922337203685477581,kba=1"), "sweep3d: more than 268435456 operations an iteration");
  EXPECT_EQ(why("random:ranks=1000000"), "random: more than 268435456 operations an iteration");
  EXPECT_EQ(why("fft3d:n=2,ranks=1048576,rows=1024"), "fft3d: more than 268435456 operations an iteration");
  EXPECT_EQ(why("dl:ranks=1000000,algorithm=ring"), "dl: more than 268435456 operations an iteration");
  EXPECT_EQ(why("dl:ranks=16384,algorithm=ring"), "dl: more than 268435456 operations an iteration");
  EXPECT_EQ(why("dl:ranks=16384,algorithm=tree"), "") << "a tree has few";
  EXPECT_EQ(why("lu:px=2,"), "lu: 'px=2,' ends with a comma");
}

/// A ring: in step k every rank r sends part r - k, as it has got it in the step before; the parts differ by a byte.
TEST(Motif, AnAllreduceRoundARingPassesOnWhatCameIn) {
  for (const uint64_t n : {3, 7}) {
    const Job job =
        make_motif("dl:it=1,bytes=" + std::to_string(10 * n + 1) + ",algorithm=ring,ranks=" + std::to_string(n));
    for (uint64_t r = 0; r < n; ++r) {
      std::vector<uint64_t> sent, expected;
      for (const Op& o : job.ranks[r].ops) {
        if (o.kind == OpKind::send) sent.push_back(o.amount);
      }
      for (uint64_t k = 0; k < 2 * (n - 1); ++k) expected.push_back((r + 2 * n - k) % n == 0 ? 11 : 10);
      EXPECT_EQ(sent, expected) << "rank " << r << " of " << n;
    }
  }
}

/// Halving: what a rank keeps and what it sends are what it has; doubling: it sends all that it has, and then has more.
TEST(Motif, AnAllreduceByHalvingKeepsAPartAndGathersTheOthers) {
  for (const uint64_t n : {2, 4, 16}) {
    const Job job = make_motif("dl:it=1,bytes=1001,algorithm=halving,ranks=" + std::to_string(n));
    for (uint64_t r = 0; r < n; ++r) {
      std::vector<uint64_t> sent, received;
      for (const Op& o : job.ranks[r].ops) {
        if (o.kind == OpKind::send) sent.push_back(o.amount);
        if (o.kind == OpKind::recv) received.push_back(o.amount);
      }
      ASSERT_EQ(sent.size(), received.size());
      uint64_t has = 1001;
      for (size_t k = 0; k < sent.size(); ++k) {
        if (k < sent.size() / 2) {
          EXPECT_EQ(sent[k] + received[k], has) << "rank " << r << " of " << n << ", step " << k;
          has = received[k];
        } else {
          EXPECT_EQ(sent[k], has) << "rank " << r << " of " << n << ", step " << k;
          has += received[k];
        }
      }
      EXPECT_EQ(has, 1001u);
    }
  }
}

}  // namespace
}  // namespace odonata::workload
