// SPDX-License-Identifier: Apache-2.0
// The random numbers are fixed for ever: every recorded seed depends on them.
#include "models/common/random.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace odonata {
namespace {

TEST(Random, SplitMixGivesThePublishedNumbers) {
  uint64_t state = 1234567;  // the reference sequence of Vigna's splitmix64.c for this seed
  EXPECT_EQ(split_mix(state), 6457827717110365317ull);
  EXPECT_EQ(split_mix(state), 3203168211198807973ull);
  EXPECT_EQ(split_mix(state), 9817491932198370423ull);
}

TEST(Random, SameSeedSameStreamOtherSeedOtherStream) {
  Random a(7), b(7), c(8);
  int equal = 0;
  for (int k = 0; k < 1000; ++k) {
    const uint64_t x = a.next();
    ASSERT_EQ(x, b.next());
    equal += x == c.next();
  }
  EXPECT_EQ(equal, 0);
}

TEST(Random, BelowIsUniform) {
  Random random(1);
  std::array<int, 10> count{};
  for (int k = 0; k < 100000; ++k) ++count[random.below(10)];
  for (int n : count) EXPECT_NEAR(n, 10000, 500);
}

TEST(Random, ChanceAndUnit) {
  Random random(2);
  int hits = 0;
  for (int k = 0; k < 100000; ++k) hits += random.chance(0.25);
  EXPECT_NEAR(hits, 25000, 800);
  EXPECT_FALSE(random.chance(0.0));
  EXPECT_TRUE(random.chance(1.0));
}

TEST(Random, MixedSeedsDiffer) {
  std::set<uint64_t> seeds;
  for (uint64_t a = 0; a < 50; ++a) {
    for (uint64_t b = 0; b < 50; ++b) seeds.insert(mix_seed(1, a, b));
  }
  EXPECT_EQ(seeds.size(), 2500u);
}

}  // namespace
}  // namespace odonata
