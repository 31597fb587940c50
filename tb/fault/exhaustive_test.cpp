// SPDX-License-Identifier: Apache-2.0
// dfly(2,4,2,8), all single links, single routers, two-link sets, router+link and two-router sets: closed form, every promise of
// the tables, and exact restoration.
#include <gtest/gtest.h>

#include "tb/fault/network_helpers.h"

namespace odonata::fault::test {
namespace {

struct Tally {
  int sets = 0, lossy = 0;
  uint64_t lost_pairs = 0;
  int max_hops = 0, max_vc = 0;
};

class Exhaustive : public ::testing::TestWithParam<Mode> {
 protected:
  Exhaustive() : verifier_(d_, GetParam()) {
    for (int r = 0; r < d_.num_routers(); ++r) routers_.push_back({true, d_.router(r), 0});
  }
  /// Fails the set, checks, repairs, checks. Returns false after a failure.
  void check(const std::vector<Fault>& set) {
    Parameters p;
    p.mode = GetParam();
    p.timing = Timing::native(d_);
    FaultPlaneNetwork n(d_, p);
    std::string names;
    for (const Fault& f : set) {
      apply(n, f, false, 0);
      names += to_string(d_, f) + " ";
    }
    ASSERT_TRUE(n.run());
    ASSERT_EQ(compare_with_closed_form(n), "") << names;
    const VerifyReport r = verifier_.check(n);
    ASSERT_TRUE(r.ok()) << names << (r.words.empty() ? "" : r.words[0]);
    ASSERT_TRUE(r.condition) << names;
    tally_.sets += 1;
    tally_.lossy += r.lost_pairs > 0;
    tally_.lost_pairs += r.lost_pairs;
    tally_.max_hops = std::max(tally_.max_hops, r.max_hops);
    tally_.max_vc = std::max(tally_.max_vc, r.max_vc);
    for (const Fault& f : set) apply(n, f, true, n.now() + 1);
    ASSERT_TRUE(n.run());
    ASSERT_TRUE(n.restored()) << names;
  }
  bool paper() const { return GetParam() == Mode::paper; }
  const Dragonfly d_ = Dragonfly::named("tiny");
  const std::vector<Fault> links_ = all_links(d_);
  std::vector<Fault> routers_;
  Verifier verifier_;
  Tally tally_;
};
INSTANTIATE_TEST_SUITE_P(Modes, Exhaustive, ::testing::Values(Mode::paper, Mode::safe),
                         [](const auto& info) { return std::string(to_string(info.param)); });

TEST_P(Exhaustive, SingleLinks) {
  for (const Fault& f : links_) ASSERT_NO_FATAL_FAILURE(check({f}));
  EXPECT_EQ(tally_.sets, 76);
  EXPECT_EQ(tally_.lossy, 0);
  EXPECT_EQ(tally_.max_hops, 6);
  EXPECT_EQ(tally_.max_vc, 3);
}

TEST_P(Exhaustive, SingleRouters) {
  for (const Fault& f : routers_) ASSERT_NO_FATAL_FAILURE(check({f}));
  EXPECT_EQ(tally_.sets, 32);
  EXPECT_EQ(tally_.lossy, paper() ? 32 : 0) << "mode paper: a dead router makes its group unreachable";
}

TEST_P(Exhaustive, TwoLinks) {
  for (size_t i = 0; i < links_.size(); ++i) {
    for (size_t j = i + 1; j < links_.size(); ++j) ASSERT_NO_FATAL_FAILURE(check({links_[i], links_[j]}));
  }
  EXPECT_EQ(tally_.sets, 2850);
  EXPECT_EQ(tally_.lossy, paper() ? 24 : 0);
  EXPECT_LE(tally_.max_hops, 6);
  EXPECT_LE(tally_.max_vc, 3);
}

TEST_P(Exhaustive, RouterAndLink) {
  for (const Fault& r : routers_) {
    for (const Fault& f : links_) ASSERT_NO_FATAL_FAILURE(check({r, f}));
  }
  EXPECT_EQ(tally_.sets, 32 * 76);
  if (!paper()) {
    EXPECT_EQ(tally_.lossy, 0);
  }
}

TEST_P(Exhaustive, TwoRouters) {
  for (size_t i = 0; i < routers_.size(); ++i) {
    for (size_t j = i + 1; j < routers_.size(); ++j) ASSERT_NO_FATAL_FAILURE(check({routers_[i], routers_[j]}));
  }
  EXPECT_EQ(tally_.sets, 496);
  if (!paper()) {
    EXPECT_EQ(tally_.lossy, 0);
  }
}

}  // namespace
}  // namespace odonata::fault::test
