// SPDX-License-Identifier: Apache-2.0
// dfly(2,4,2,8), all single links, single routers, two-link sets, router+link and two-router sets: closed form, every
// promise of the tables, and exact restoration.
#include <gtest/gtest.h>

#include <bit>
#include <functional>

#include "models/route_compute/decide.h"
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

/// Which pairs of routers lose packets when the marks are read in one of three ways.
enum class Reading {
  now,          ///< effective(): gateway only hides behind full and partial
  beside_full,  ///< partial and gateway only are the same and hide behind nothing
  behind_full   ///< they are the same and hide behind full options
};

class Walker {
 public:
  explicit Walker(const Dragonfly& d) : d_(d), bad_(static_cast<size_t>(d.num_routers()) * d.num_ports() * 8) {
    for (int r = 0; r < d.num_routers(); ++r) {
      for (int row = 0; row < num_rows(d); ++row)
        rows_.push_back(row_config(d, d.router(r), entry_of_row(d, row), Mode::safe));
    }
  }
  /// By destination * routers + source: 0 nothing is sent, 1 every choice arrives, 2 some choice does not.
  std::vector<int> pairs(const FaultPlaneNetwork& n, Reading reading) {
    network_ = &n;
    reading_ = reading;
    std::vector<int> out;
    for (int t = 0; t < d_.num_routers(); ++t) {
      to_ = d_.router(t);
      std::fill(bad_.begin(), bad_.end(), -1);
      for (int s = 0; s < d_.num_routers(); ++s) {
        const bool asked = s != t && n.alive(s) && n.alive(t);
        const Options o = asked ? options(s, 0, 0, false) : Options{};
        out.push_back((o.a | o.b) == 0 ? 0 : loses(s, 0, 0, false) ? 2 : 1);
      }
    }
    return out;
  }

 private:
  Options options(int router, int port, int vc, bool transit) const {
    const RouterId own = d_.router(router);
    const EntryId id = to_.gid != own.gid ? EntryId{Zone::global, to_.gid} : EntryId{Zone::group_local, to_.bid};
    const int row = row_of_entry(d_, id);
    const RowConfig& config = rows_[static_cast<size_t>(router) * num_rows(d_) + row];
    const PortClass at = d_.port_class(port);
    Marks m = network_->marks(router, row, port);
    if (reading_ != Reading::now) {  // as if there were no gateway only
      if (m.a == Level::gateway) m.a = Level::partial;
      m.lost_b &= ~m.partial_b;
    }
    Options o = effective(config, at, config.at(d_, port), m, transit, vc);
    const Options full{m.a == Level::full ? o.a : 0, o.b & ~m.partial_b};
    return reading_ == Reading::behind_full && id.zone == Zone::global && (full.a | full.b) != 0 ? full : o;
  }
  bool loses(int router, int port, int vc, bool transit) {
    if (d_.router(router) == to_) return false;
    if (vc >= route_compute::kNumVcs) return true;
    int& known = bad_[((static_cast<size_t>(router) * d_.num_ports() + port) * 4 + vc) * 2 + transit];
    if (known >= 0) return known != 0;
    known = 1;  // a loop does not arrive
    const Options o = options(router, port, vc, transit);
    bool bad = (o.a | o.b) == 0;
    for (PortMap left = o.a | o.b; left != 0 && !bad; left &= left - 1) {
      const int out = std::countr_zero(left);
      if (!network_->link_up(router, out)) return true;
      const Dragonfly::Peer peer = d_.peer(d_.router(router), out);
      const int next = route_compute::next_vc(d_.port_class(port), d_.port_class(out), vc);
      bad = loses(d_.router_index(peer.router), peer.port, next, transit || d_.port_class(out) == PortClass::global);
    }
    known = bad;
    return bad;
  }
  Dragonfly d_;
  std::vector<RowConfig> rows_;
  std::vector<int> bad_;
  const FaultPlaneNetwork* network_ = nullptr;
  Reading reading_ = Reading::now;
  RouterId to_;
};

class Gateway : public ::testing::Test {
 protected:
  /// No pair loses packets that would lose none under one of the two other readings. Returns the pairs that lose
  /// packets, now and when nothing hides.
  std::pair<int, int> check(const std::vector<Fault>& set) {
    Parameters p;
    p.timing = Timing::native(d_);
    FaultPlaneNetwork n(d_, p);
    std::string names;
    for (const Fault& f : set) {
      apply(n, f, false, 0);
      names += to_string(d_, f) + " ";
    }
    EXPECT_TRUE(n.run());
    EXPECT_EQ(compare_with_closed_form(n), "") << names;
    const std::vector<int> now = walker_.pairs(n, Reading::now), beside = walker_.pairs(n, Reading::beside_full),
                           behind = walker_.pairs(n, Reading::behind_full);
    std::pair<int, int> lossy;
    for (size_t i = 0; i < now.size(); ++i) {
      const int from = static_cast<int>(i) % d_.num_routers(), to = static_cast<int>(i) / d_.num_routers();
      EXPECT_FALSE(now[i] == 2 && (beside[i] == 1 || behind[i] == 1))
          << names << ": router " << from << " to router " << to;
      lossy.first += now[i] == 2;
      lossy.second += beside[i] == 2;
    }
    for (const Fault& f : set) apply(n, f, true, n.now() + 1);
    EXPECT_TRUE(n.run());
    EXPECT_TRUE(n.restored()) << names;
    return lossy;
  }
  const Dragonfly d_ = Dragonfly::named("tiny");
  Walker walker_{d_};
};

TEST_F(Gateway, DeadLocalLinksOfAGroup) {
  int isolated = 0;
  for (int g = 0; g < d_.g(); ++g) {
    std::vector<Fault> links;
    for (const Fault& f : all_links(d_)) {
      if (f.router.gid == g && d_.is_local_port(f.port)) links.push_back(f);
    }
    ASSERT_EQ(links.size(), 6u);
    for (uint32_t set = 1; set < 64; ++set) {
      if (std::popcount(set) > 3) continue;
      std::vector<Fault> faults;
      for (size_t i = 0; i < links.size(); ++i) {
        if (set >> i & 1) faults.push_back(links[i]);
      }
      const auto [now, before] = check(faults);
      isolated += before > now;
    }
  }
  EXPECT_GE(isolated, d_.g()) << "sets in which gateway only saves pairs";
}

/// G2.s3 without local links: 84 pairs would go through its global ports and be lost.
TEST_F(Gateway, ARouterWithoutLocalLinks) {
  const auto [now, before] =
      check({fault(d_, "local:G2.s0-G2.s3"), fault(d_, "local:G2.s1-G2.s3"), fault(d_, "local:G2.s2-G2.s3")});
  EXPECT_GE(before - now, 84);
}

/// The example of docs/fault.md §7.4: six links reach three of the four routers of G5, so G0 has no option for it.
TEST_F(Gateway, AGroupOfWhichSixLinksReachOnlyAPartIsRefused) {
  for (const bool whole : {true, false}) {
    Parameters p;
    p.timing = Timing::native(d_);
    FaultPlaneNetwork n(d_, p);
    for (const int g : {1, 2, 4, 5, 6, 7}) apply(n, fault(d_, "global:G0-G" + std::to_string(g)), false, 0);
    apply(n, fault(d_, "local:G3.s0-G3.s2"), false, 0);
    if (!whole) apply(n, fault(d_, "local:G5.s1-G5.s3"), false, 0);
    EXPECT_TRUE(n.run());
    const std::vector<int> now = walker_.pairs(n, Reading::now);
    for (int from = 0; from < d_.a(); ++from) {
      for (int to = 0; to < d_.a(); ++to) {
        const int pair = d_.router_index({5, to}) * d_.num_routers() + d_.router_index({0, from});
        EXPECT_EQ(now[static_cast<size_t>(pair)], whole ? 1 : 0) << from << " to " << to;
      }
    }
  }
}

TEST_F(Gateway, RandomSetsOfThree) {
  Random random(18);
  std::vector<Fault> all = all_links(d_);
  for (int r = 0; r < d_.num_routers(); ++r) all.push_back({true, d_.router(r), 0});
  for (int i = 0; i < 3000 && !HasFailure(); ++i) {
    std::vector<Fault> set;
    while (set.size() < 3) {
      const Fault& f = all[random.below(static_cast<uint32_t>(all.size()))];
      if (std::find(set.begin(), set.end(), f) == set.end()) set.push_back(f);
    }
    check(set);
  }
}

}  // namespace
}  // namespace odonata::fault::test
