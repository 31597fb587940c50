// SPDX-License-Identifier: Apache-2.0
#include "models/arb_request/registers.h"

#include <gtest/gtest.h>

#include <map>

#include "models/common/error.h"

namespace odonata::arb_request {
namespace {

const PortSize kSize{3, 4, 3, 6, 2};

/// Every readable word.
std::map<uint32_t, uint64_t> all_words(const RouterRegisters& r) {
  std::map<uint32_t, uint64_t> words;
  for (uint32_t word = 0; word < reg::kEnd / 8; ++word)
    if (r.check(false, word, 0) == Access::ok) words[word] = r.read(word);
  return words;
}

TEST(ArbRegisters, MapIsWhatTheSpecificationSays) {
  RouterRegisters r(kSize, 5, {0x030201, Scheme::kDbra, Policy::kRandom});
  const auto words = all_words(r);
  EXPECT_EQ(words.size(), 5u + 7 * reg::kNumCounters + 6);
  EXPECT_EQ(words.at(reg::kId / 8), 0x1'4F44'4152u);
  EXPECT_EQ(words.at(reg::kSize / 8), 0x0502'0603'0403u);
  EXPECT_EQ(words.at(reg::kAt / 8), 0x030201u);
  EXPECT_EQ(words.at(reg::kScheme / 8), 1u);
  EXPECT_EQ(words.at(reg::kPolicy / 8), 1u);
  for (uint32_t o = 0; o < 6; ++o) EXPECT_EQ(words.at(reg::kCredits / 8 + o), 5u);
  EXPECT_EQ(r.check(false, reg::kEnd / 8, 0), Access::no_such_word);
  EXPECT_EQ(r.check(false, 1u << 20, 0), Access::no_such_word);
}

TEST(ArbRegisters, OnlyThreeWordsCanBeWrittenAndEachChangesOnlyItself) {
  const RouterRegisters fresh(kSize, 5, {});
  const auto before = all_words(fresh);
  for (uint32_t word = 0; word < reg::kEnd / 8; ++word) {
    RouterRegisters r = fresh;
    const bool writable = word == reg::kAt / 8 || word == reg::kScheme / 8 || word == reg::kPolicy / 8;
    const Access access = r.check(true, word, 1);
    EXPECT_EQ(access == Access::ok, writable) << word;
    if (!writable) {
      EXPECT_EQ(access, before.count(word) ? Access::read_only : Access::no_such_word) << word;
      continue;
    }
    r.write(word, 1);
    for (const auto& [w, data] : all_words(r)) EXPECT_EQ(data, w == word ? 1 : before.at(w));
    r.reset();
    EXPECT_EQ(all_words(r), before);
  }
}

TEST(ArbRegisters, ReservedEncodingsAreRefusedBitByBit) {
  const RouterRegisters r(kSize, 5, {});
  for (int bit = 0; bit < 64; ++bit) {
    const uint64_t data = uint64_t{1} << bit;
    const bool coordinate = bit < 24 && bit % 8 < 4;  // three dimensions of four bits
    EXPECT_EQ(r.check(true, reg::kAt / 8, data), coordinate ? Access::ok : Access::bad_value) << bit;
    EXPECT_EQ(r.check(true, reg::kScheme / 8, data), bit < 2 ? Access::ok : Access::bad_value) << bit;
    EXPECT_EQ(r.check(true, reg::kPolicy / 8, data), bit < 2 ? Access::ok : Access::bad_value) << bit;
  }
  for (const uint32_t word : {reg::kAt / 8, reg::kScheme / 8, reg::kPolicy / 8})
    EXPECT_EQ(r.check(false, word, ~uint64_t{0}), Access::ok) << "what is on the pins in a read is no matter";
  EXPECT_EQ(r.check(true, reg::kScheme / 8, 3), Access::bad_value);
  EXPECT_EQ(r.check(true, reg::kPolicy / 8, 3), Access::bad_value);
}

TEST(ArbRegisters, CountersAreSeparateAndCreditsShow) {
  RouterRegisters r(kSize, 5, {});
  for (int p = 0; p < r.inputs(); ++p)
    for (int k = 0; k < reg::kNumCounters; ++k)
      for (int i = 0; i <= p * reg::kNumCounters + k; ++i) r.count(p, static_cast<reg::Counter>(k));
  for (int o = 0; o < 6; ++o) r.show_credit(o, o);
  for (uint32_t p = 0; p < 7; ++p)
    for (uint32_t k = 0; k < reg::kNumCounters; ++k)
      EXPECT_EQ(r.read((reg::kCounters + p * reg::kCountersBlock) / 8 + k), p * reg::kNumCounters + k + 1);
  for (uint32_t o = 0; o < 6; ++o) EXPECT_EQ(r.read(reg::kCredits / 8 + o), o);
}

TEST(ArbRegisters, BadParametersAreRefused) {
  EXPECT_THROW(RouterRegisters(kSize, 0, {}), Error);
  EXPECT_THROW(RouterRegisters(kSize, 8, {}), Error) << "three credit bits";
  EXPECT_THROW(RouterRegisters(kSize, 5, {0x10, Scheme::kD2ra, Policy::kRoundRobin}), Error) << "four coordinate bits";
  EXPECT_THROW(RouterRegisters(kSize, 5, {0x01000000, Scheme::kD2ra, Policy::kRoundRobin}), Error)
      << "three dimensions";
  EXPECT_THROW(RouterRegisters({9, 8, 8, 4, 2}, 4, {}), Error);
}

}  // namespace
}  // namespace odonata::arb_request
