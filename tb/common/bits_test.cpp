// SPDX-License-Identifier: Apache-2.0
// Bit maps on machine words against std::set.
#include "models/common/bits.h"

#include <gtest/gtest.h>

#include <iterator>
#include <map>
#include <set>

#include "tb/common/property.h"

namespace odonata {
namespace {

using test::check_property;

GroupMap from_set(const std::set<int>& bits) {
  GroupMap map;
  for (int bit : bits) map.set(bit);
  return map;
}

std::set<int> to_set(const GroupMap& map) {
  std::set<int> bits;
  for (int bit = 0; bit < 512; ++bit) {
    if (map.test(bit)) bits.insert(bit);
  }
  return bits;
}

std::set<int> any_bits() { return *rc::gen::container<std::set<int>>(rc::gen::inRange(0, 512)); }

TEST(Bits, LowMask) {
  EXPECT_EQ(low_mask(0), 0u);
  EXPECT_EQ(low_mask(1), 1u);
  EXPECT_EQ(low_mask(63), ~0ull >> 1);
  EXPECT_EQ(low_mask(64), ~0ull);
}

TEST(GroupMap, BitsAreThoseThatWereSet) {
  check_property(300, [] {
    const std::set<int> bits = any_bits();
    const GroupMap map = from_set(bits);
    RC_ASSERT(to_set(map) == bits);
    RC_ASSERT(map.any() == !bits.empty());
    RC_ASSERT(map.count() == static_cast<int>(bits.size()));
  });
}

TEST(GroupMap, LowSetsExactlyTheLowestBits) {
  for (int n = 0; n <= 512; ++n) {
    const GroupMap map = GroupMap::low(n);
    ASSERT_EQ(map.count(), n);
    if (n > 0) {
      ASSERT_TRUE(map.test(n - 1));
    }
  }
}

TEST(GroupMap, FieldAndPutAcrossWordBorders) {
  check_property(2000, [] {
    const int n = *rc::gen::inRange(1, 33), at = *rc::gen::inRange(0, 512 - n + 1);
    const uint32_t value = static_cast<uint32_t>(*rc::gen::arbitrary<uint32_t>() & low_mask(n));
    GroupMap map;
    map.put(at, n, value);
    RC_ASSERT(map.field(at, n) == value);
    RC_ASSERT(map.count() == std::popcount(value));
  });
}

TEST(GroupMap, Operators) {
  check_property(300, [] {
    const std::set<int> x = any_bits(), y = any_bits();
    const GroupMap a = from_set(x), b = from_set(y);
    for (int bit = 0; bit < 512; ++bit) {
      const bool in_a = x.count(bit) > 0, in_b = y.count(bit) > 0;
      RC_ASSERT((a & b).test(bit) == (in_a && in_b));
      RC_ASSERT((a | b).test(bit) == (in_a || in_b));
      RC_ASSERT((a ^ b).test(bit) == (in_a != in_b));
      RC_ASSERT((~a).test(bit) == !in_a);
    }
  });
}

TEST(EvenPick, TakesTheSetBitOfTheFractionsRank) {
  check_property(2000, [] {
    const auto bits = *rc::gen::nonEmpty(rc::gen::container<std::set<int>>(rc::gen::inRange(0, 64)));
    const int width = *rc::gen::element(8, 16);
    const int fraction = *rc::gen::inRange(0, 1 << width);
    uint64_t word = 0;
    for (int bit : bits) word |= 1ull << bit;
    const auto rank = fraction * static_cast<int>(bits.size()) / (1 << width);
    RC_ASSERT(even_pick(word, static_cast<uint32_t>(fraction), width) == *std::next(bits.begin(), rank));
  });
}

TEST(EvenPick, GivesEverySetBitTheSameShare) {
  for (uint64_t word : {1ull, 0x8000000000000001ull, 0x3F000000ull, 0x5ull << 40, ~0ull >> 1}) {
    std::map<int, int> share;
    for (uint32_t fraction = 0; fraction < 65536; ++fraction) ++share[even_pick(word, fraction, 16)];
    EXPECT_EQ(share.size(), static_cast<size_t>(std::popcount(word)));
    for (const auto& [bit, n] : share)
      EXPECT_NEAR(n, 65536.0 / std::popcount(word), 1.0) << "bit " << bit << " of " << word;
  }
}

TEST(RotatingPick, TakesTheLowestAtOrAboveTheStartElseTheLowest) {
  check_property(2000, [] {
    const auto bits = *rc::gen::nonEmpty(rc::gen::container<std::set<int>>(rc::gen::inRange(0, 64)));
    const int start = *rc::gen::inRange(0, 64);
    uint64_t word = 0;
    for (int bit : bits) word |= 1ull << bit;
    const auto at = bits.lower_bound(start);
    RC_ASSERT(rotating_pick(word, start) == (at == bits.end() ? *bits.begin() : *at));
  });
}

}  // namespace
}  // namespace odonata
