// SPDX-License-Identifier: Apache-2.0
#include "models/arb_request/request.h"

#include <gtest/gtest.h>

#include <vector>

#include "models/arb_request/explain.h"
#include "models/arb_request/select.h"
#include "models/common/error.h"
#include "models/common/random.h"
#include "tb/arb_request/algorithm1.h"
#include "tb/common/property.h"

namespace odonata::arb_request {
namespace {

using tests::Algorithm1Result;

struct Case {
  std::vector<int> u, v;
  std::vector<std::vector<int>> credit;
};

Query to_query(const Case& c) {
  Query q;
  for (size_t i = 0; i < c.u.size(); ++i) {
    set_lane(q.at, i, c.u[i]);
    set_lane(q.dest, i, c.v[i]);
    set_lane(q.credit_plus, i, c.credit[i][0]);
    set_lane(q.credit_minus, i, c.credit[i][1]);
  }
  return q;
}

/// The golden answer in the words of Algorithm 1.
Algorithm1Result in_words(const Requests& a, int n) {
  Algorithm1Result r;
  r.z = a.z;
  r.absorbed = a.eject();
  for (int i = 0; i < n; ++i)
    if (a.request() >> i & 1) r.e.push_back({i, (a.plus >> i & 1) ? 1 : -1, static_cast<bool>(a.high >> i & 1)});
  return r;
}

Case random_case(Random& random, int n, int coordinates, int credits) {
  Case c;
  for (int i = 0; i < n; ++i) {
    c.u.push_back(random.below(coordinates));
    c.v.push_back(random.chance(0.35) ? c.u.back() : static_cast<int>(random.below(coordinates)));
    c.credit.push_back({static_cast<int>(random.below(credits)), static_cast<int>(random.below(credits))});
  }
  return c;
}

// Fig. 3: z = 2, the credit of x+ is 1 and that of y+ is 2: y+ is high, x+ is low, y+ is chosen.
TEST(WorkedExample, Figure3) {
  const Case c{{1, 1}, {2, 2}, {{1, 0}, {2, 0}}};
  const Requests a = evaluate(to_query(c), Scheme::kD2ra);
  EXPECT_EQ(a.z, 2);
  EXPECT_EQ(a.high, 0b10);
  EXPECT_EQ(a.low, 0b01);
  EXPECT_EQ(a.plus, 0b11);
  for (const Policy p : {Policy::kRoundRobin, Policy::kRandom, Policy::kMostCredits}) {
    const Explanation e = explain(to_query(c), Scheme::kD2ra, p, 2);
    EXPECT_EQ(e.selected, 1) << e.summary;
    EXPECT_EQ(e.summary, "asks for y+ (high)");
    EXPECT_EQ(e.dimensions[0].reason, "x+: low, credit 1 >= 1 and lowest remaining dimension, but credit 1 < z = 2");
  }
}

// Fig. 3, second half: with the credit of y+ below 2 the packet takes x+.
TEST(WorkedExample, Figure3WithLessCreditTakesTheLowestDimension) {
  for (int y_credit : {0, 1}) {
    const Case c{{1, 1}, {2, 2}, {{1, 0}, {y_credit, 0}}};
    const Requests a = evaluate(to_query(c), Scheme::kD2ra);
    EXPECT_EQ(a.high, 0);
    EXPECT_EQ(a.low, 0b01);
    EXPECT_EQ(explain(to_query(c), Scheme::kD2ra, Policy::kRoundRobin, 2).selected, 0);
    EXPECT_EQ(evaluate(to_query(c), Scheme::kDbra).request(), 0) << "DBRA has nothing to ask for";
  }
}

// Fig. 6: the last slot of the boundary queue in direction x+. Under DBRA a packet that goes on in y (z = 2) leaves it
// free for packets with only x+ left; under D2RA a packet that arrives by dimension order may take it.
TEST(WorkedExample, Figure6BoundaryQueue) {
  const int k = 4;  // 4-ary 2-mesh, the boundary router in x+ has x = 3
  const Case turning{{k - 2, 1}, {k - 1, 3}, {{1, 0}, {0, 0}}};
  EXPECT_EQ(evaluate(to_query(turning), Scheme::kDbra).request(), 0);
  const Requests d2ra = evaluate(to_query(turning), Scheme::kD2ra);
  EXPECT_EQ(d2ra.low, 0b01);
  EXPECT_EQ(d2ra.high, 0);
  const Case only_x{{k - 2, 1}, {k - 1, 1}, {{1, 0}, {0, 0}}};
  EXPECT_EQ(evaluate(to_query(only_x), Scheme::kDbra).high, 0b01);
  EXPECT_EQ(evaluate(to_query(only_x), Scheme::kD2ra).high, 0b01);
}

TEST(Request, EjectsWhereNothingRemains) {
  const Case c{{3, 0, 255}, {3, 0, 255}, {{9, 9}, {9, 9}, {9, 9}}};
  for (const Scheme s : {Scheme::kDor, Scheme::kDbra, Scheme::kD2ra}) {
    const Requests a = evaluate(to_query(c), s);
    EXPECT_TRUE(a.eject());
    EXPECT_EQ(a.request(), 0);
  }
}

TEST(Request, AgreesWithAlgorithm1OnRandomCases) {
  test::check_property(2000, [] {
    const int n = test::uniform(1, 8);
    Case c;
    for (int i = 0; i < n; ++i) {
      c.u.push_back(test::uniform(0, 255));
      c.v.push_back(test::uniform(0, 2) == 0 ? c.u.back() : test::uniform(0, 255));
      const int most = test::uniform(0, 3) == 0 ? 255 : n + 1;
      c.credit.push_back({test::uniform(0, most), test::uniform(0, most)});
    }
    for (int scheme = 0; scheme < 3; ++scheme)
      RC_ASSERT(in_words(evaluate(to_query(c), static_cast<Scheme>(scheme)), n) ==
                tests::algorithm_1(c.u, c.v, c.credit, scheme));
  });
}

TEST(Request, AgreesWithAlgorithm1OnAMillionCases) {
  Random random(1);
  int64_t compared = 0;
  for (int i = 0; i < 300'000; ++i) {
    const int n = 1 + static_cast<int>(random.below(8));
    const Case c = random_case(random, n, 256, random.chance(0.8) ? n + 2 : 256);
    for (int scheme = 0; scheme < 3; ++scheme, ++compared)
      ASSERT_EQ(in_words(evaluate(to_query(c), static_cast<Scheme>(scheme)), n),
                tests::algorithm_1(c.u, c.v, c.credit, scheme));
  }
  EXPECT_EQ(compared, 900'000);
}

// Every input of three dimensions at reduced widths: coordinates of 2 bits, credits of 2 bits (0..3, so that every
// relation to the thresholds 1, 2 and 3 occurs). The specification is stated here once more, on integers.
TEST(Request, ExhaustiveForThreeDimensionsAtReducedWidths) {
  int64_t compared = 0, requests = 0;
  for (uint32_t bits = 0; bits < (1u << 24); ++bits) {
    Query q;
    int u[3], v[3], credit[3], z = 0, lowest = -1;
    for (int i = 0; i < 3; ++i) {
      const uint32_t part = bits >> (8 * i);
      u[i] = part & 3;
      v[i] = part >> 2 & 3;
      const int plus = part >> 4 & 3, minus = part >> 6 & 3;
      credit[i] = v[i] > u[i] ? plus : minus;
      if (u[i] != v[i]) lowest = z++ == 0 ? i : lowest;
      q.at |= static_cast<Lanes>(u[i]) << 8 * i;
      q.dest |= static_cast<Lanes>(v[i]) << 8 * i;
      q.credit_plus |= static_cast<Lanes>(plus) << 8 * i;
      q.credit_minus |= static_cast<Lanes>(minus) << 8 * i;
    }
    int high[3] = {}, low[3] = {}, plus = 0, remaining = 0;
    for (int i = 0; i < 3; ++i) {
      if (u[i] == v[i]) continue;
      const int bit = 1 << i;
      remaining |= bit;
      if (v[i] > u[i]) plus |= bit;
      const bool dbra = credit[i] >= z, dor = i == lowest && credit[i] >= 1;
      if (dor) (dbra ? high : low)[0] |= bit;
      if (dbra) high[1] |= bit;
      if (dbra) high[2] |= bit;
      if (dor && !dbra) low[2] |= bit;
    }
    for (int s = 0; s < 3; ++s, ++compared) {
      const Requests a = evaluate(q, static_cast<Scheme>(s));
      requests += a.request() != 0;
      if (a.high != high[s] || a.low != low[s] || a.remaining != remaining || a.plus != plus || a.z != z) {
        FAIL() << "scheme " << s << " input " << std::hex << bits;
      }
    }
  }
  EXPECT_EQ(compared, int64_t{3} << 24);
  EXPECT_GT(requests, compared / 2);
}

TEST(Request, PropertiesOfTheSchemes) {
  Random random(2);
  for (int i = 0; i < 200'000; ++i) {
    const int n = 1 + static_cast<int>(random.below(8));
    const Query q = to_query(random_case(random, n, 4, n + 2));
    const Requests dor = evaluate(q, Scheme::kDor), dbra = evaluate(q, Scheme::kDbra),
                   d2ra = evaluate(q, Scheme::kD2ra);
    EXPECT_EQ(dbra.request() & ~d2ra.request(), 0) << "a D2RA request is a superset of a DBRA request";
    EXPECT_EQ(dor.request() & ~d2ra.request(), 0);
    EXPECT_EQ(dbra.request() | dor.request(), d2ra.request());
    EXPECT_EQ(d2ra.low & ~d2ra.lowest(), 0) << "low only for the lowest remaining dimension";
    EXPECT_EQ(d2ra.high & d2ra.low, 0);
    EXPECT_EQ(dbra.low, 0);
    Query rich = q;
    for (int d = 0; d < n; ++d) {
      set_lane(rich.credit_plus, d, n + random.below(256 - n));
      set_lane(rich.credit_minus, d, n + random.below(256 - n));
    }
    EXPECT_EQ(evaluate(rich, Scheme::kDbra), evaluate(rich, Scheme::kD2ra)) << "they agree when every credit is >= n";
  }
}

TEST(Request, ManyAtOnceAreTheSame) {
  Random random(3);
  std::vector<Query> queries;
  for (int i = 0; i < 1003; ++i) queries.push_back(to_query(random_case(random, 3, 8, 5)));
  std::vector<Requests> answers(queries.size());
  for (const Scheme s : {Scheme::kDor, Scheme::kDbra, Scheme::kD2ra}) {
    evaluate_all(queries.data(), answers.data(), queries.size(), s);
    for (size_t i = 0; i < queries.size(); ++i) ASSERT_EQ(answers[i], evaluate(queries[i], s));
  }
}

// The negative control of the comparisons above: a golden model with a threshold off by one would be noticed.
TEST(Request, AComparisonThatIsOffByOneIsNoticed) {
  Random random(4);
  int noticed = 0;
  for (int i = 0; i < 1000; ++i) {
    Case c = random_case(random, 3, 4, 5);
    const auto expected = tests::algorithm_1(c.u, c.v, c.credit, 2);
    for (auto& of_dimension : c.credit)
      for (int& credit : of_dimension) ++credit;  // as if the comparator were credit + 1 >= threshold
    noticed += in_words(evaluate(to_query(c), Scheme::kD2ra), 3) != expected;
  }
  EXPECT_GT(noticed, 300);
}

TEST(Selection, HighBeforeLow) {
  Requests a;
  a.high = 0b0100;
  a.low = 0b0001;
  EXPECT_EQ(a.candidates(), 0b0100);
  a.high = 0;
  EXPECT_EQ(a.candidates(), 0b0001);
}

TEST(Selection, RoundRobinServesEveryCandidateInTurn) {
  Selector s;
  std::vector<int> served;
  for (int i = 0; i < 6; ++i) {
    const int d = s.choose(0b1011, 0, Policy::kRoundRobin, 4);
    served.push_back(d);
    s.advance(d, 4);
  }
  EXPECT_EQ(served, (std::vector<int>{0, 1, 3, 0, 1, 3}));
}

TEST(Selection, MostCreditsTakesTheLargestAndBreaksTiesInTurn) {
  Selector s;
  Lanes credit = 0;
  set_lane(credit, 0, 5);
  set_lane(credit, 1, 9);
  set_lane(credit, 2, 9);
  set_lane(credit, 3, 200);
  EXPECT_EQ(s.choose(0b1111, credit, Policy::kMostCredits, 4), 3);
  EXPECT_EQ(s.choose(0b0111, credit, Policy::kMostCredits, 4), 1);
  s.advance(1, 4);
  EXPECT_EQ(s.choose(0b0111, credit, Policy::kMostCredits, 4), 2);
  EXPECT_EQ(s.choose(0b0001, credit, Policy::kMostCredits, 4), 0);
}

TEST(Selection, RandomIsEvenOverAllCandidates) {
  Selector s;
  int count[3] = {};
  for (int i = 0; i < 65535; ++i) {
    const int d = s.choose(0b111, 0, Policy::kRandom, 3);
    ++count[d];
    s.advance(d, 3);
  }
  for (int c : count) EXPECT_NEAR(c, 21845, 300);
}

TEST(Selection, TheLfsrHasFullPeriod) {
  uint16_t x = kLfsrReset;
  int period = 0;
  do x = lfsr_next(x), ++period;
  while (x != kLfsrReset && period < 70000);
  EXPECT_EQ(period, 65535);
}

TEST(Names, WrongWordsAreRefused) {
  EXPECT_EQ(scheme_from_name("dbra"), Scheme::kDbra);
  EXPECT_EQ(policy_from_name("most-credits"), Policy::kMostCredits);
  EXPECT_THROW(scheme_from_name("d3ra"), Error);
  EXPECT_THROW(policy_from_name(""), Error);
}

TEST(Explain, SaysWhyNothingIsAskedFor) {
  const Case c{{0, 5, 1}, {4, 2, 1}, {{0, 9}, {9, 1}, {9, 9}}};
  const Explanation e = explain(to_query(c), Scheme::kD2ra, Policy::kRoundRobin, 3);
  EXPECT_EQ(e.selected, -1);
  EXPECT_EQ(e.summary, "nothing may be asked for: the packet waits");
  EXPECT_EQ(e.dimensions[0].reason, "x+: no request, the next queue is full");
  EXPECT_EQ(e.dimensions[1].reason, "y-: no request, credit 1 < z = 2");
  EXPECT_EQ(e.dimensions[2].reason, "z: no hop left");
}

}  // namespace
}  // namespace odonata::arb_request
