// SPDX-License-Identifier: Apache-2.0
// Negative controls: every checker finds the bug that is planted for it.
#include <gtest/gtest.h>

#include <array>
#include <set>

#include "tb/common/error_text.h"
#include "tb/fault/network_helpers.h"

namespace odonata::fault::test {
namespace {

class Checker : public ::testing::Test {
 protected:
  Checker() : verifier_(d_, Mode::safe) { parameters_.timing = Timing::native(d_); }
  int row(Zone zone, int index) const { return row_of_entry(d_, {zone, index}); }
  const Dragonfly d_ = Dragonfly::named("tiny");
  Parameters parameters_;
  Verifier verifier_;
};

TEST_F(Checker, CleanNetworkPasses) {
  const FaultPlaneNetwork n(d_, parameters_);
  EXPECT_EQ(compare_with_closed_form(n), "");
  const VerifyReport r = verifier_.check(n);
  EXPECT_TRUE(r.ok());
  EXPECT_EQ(r.pairs, 32u * 31u);
  EXPECT_EQ(r.lost_pairs, 0u);
  EXPECT_TRUE(n.restored());
}

TEST_F(Checker, ClosedFormFindsALostOptionThatShouldBeThere) {
  FaultPlaneNetwork n(d_, parameters_);
  Marks m;
  m.a = Level::lost;
  n.plant_marks(5, row(Zone::global, 3), 0, m);
  EXPECT_NE(compare_with_closed_form(n).find("closed form says full, the table has lost"), std::string::npos);
  EXPECT_FALSE(n.restored());
}

TEST_F(Checker, ClosedFormFindsAnOptionThatShouldBeLost) {
  FaultPlaneNetwork n(d_, parameters_);
  apply(n, fault(d_, "global:G0-G2"), false, 0);
  n.run();
  n.plant_marks(d_.router_index({0, 0}), row(Zone::global, 2), 0, Marks{});
  EXPECT_NE(compare_with_closed_form(n).find("closed form says lost, the table has full"), std::string::npos);
}

TEST_F(Checker, ClosedFormFindsAPartialOptionTakenForFull) {
  FaultPlaneNetwork n(d_, parameters_);
  apply(n, fault(d_, "local:G2.s0-G2.s2"), false, 0);
  n.run();
  n.plant_marks(d_.router_index({0, 1}), row(Zone::global, 2), 0, Marks{});
  EXPECT_NE(compare_with_closed_form(n).find("closed form says partial, the table has full"), std::string::npos);
}

TEST_F(Checker, ClosedFormNamesTheZone) {
  for (const auto& [zone, letter] : {std::pair{Zone::node, 'N'}, {Zone::group_local, 'B'}, {Zone::global, 'G'}}) {
    FaultPlaneNetwork n(d_, parameters_);
    Marks m;
    m.a = Level::lost;
    for (const int port : {0, d_.first_local(), d_.first_global()}) n.plant_marks(5, row(zone, 0), port, m);
    const std::string entry = std::string("zone ") + letter + " entry 0, table A";
    EXPECT_NE(compare_with_closed_form(n).find(entry), std::string::npos) << compare_with_closed_form(n);
  }
}

/// Every option of every entry at every port of two routers, the last of the network among them.
TEST_F(Checker, ClosedFormComparesEveryOption) {
  FaultPlaneNetwork n(d_, parameters_);
  int planted = 0;
  const auto expect_seen = [&](int router, int row, int port, const Marks& marks) {
    const Marks before = n.marks(router, row, port);
    n.plant_marks(router, row, port, marks);
    EXPECT_NE(compare_with_closed_form(n), "") << "router " << router << " row " << row << " port " << port;
    n.plant_marks(router, row, port, before);
    ++planted;
  };
  for (const int router : {d_.router_index({2, 1}), d_.num_routers() - 1}) {
    for (int row = 0; row < num_rows(d_); ++row) {
      for (int slot = 0; slot < n.num_slots(); ++slot) {
        const int port = n.port_of_slot(slot);
        const Options o = n.config(router, row).at(d_, port);
        if (o.a != 0) expect_seen(router, row, port, {.a = Level::lost});
        for (PortMap left = o.b; left != 0; left &= left - 1) {
          expect_seen(router, row, port, {.lost_b = left & -left});
          expect_seen(router, row, port, {.partial_b = left & -left});
        }
      }
    }
  }
  EXPECT_GT(planted, 200);
  EXPECT_EQ(compare_with_closed_form(n), "");
}

TEST_F(Checker, VerifierFindsAStaleGlobalOption) {
  FaultPlaneNetwork n(d_, parameters_);
  apply(n, fault(d_, "global:G0-G2"), false, 0);
  n.run();
  ASSERT_TRUE(verifier_.check(n).ok());
  const FaultPlaneNetwork good(d_, parameters_);
  for (int bid = 0; bid < d_.a(); ++bid) {
    const int router = d_.router_index({0, bid});
    for (int port = d_.first_global(); port < d_.num_ports(); ++port) {
      if (n.link_up(router, port) || !good.link_up(router, port)) continue;
      for (const int in : {0, d_.first_local()}) {
        const Marks before = n.marks(router, row(Zone::global, 2), in);
        n.plant_marks(router, row(Zone::global, 2), in, Marks{});
        const VerifyReport r = verifier_.check(n);
        EXPECT_GT(r.stale_options, 0u) << in;
        ASSERT_FALSE(r.words.empty());
        EXPECT_NE(r.words[0].find("to G2."), std::string::npos) << r.words[0];
        EXPECT_NE(r.words[0].find("then out of port " + std::to_string(port) + ", whose link is dead"),
                  std::string::npos)
            << r.words[0];
        n.plant_marks(router, row(Zone::global, 2), in, before);
      }
      return;
    }
  }
  FAIL() << "no global link is down";
}

TEST_F(Checker, VerifierFindsAStaleOption) {
  FaultPlaneNetwork n(d_, parameters_);
  apply(n, fault(d_, "local:G2.s0-G2.s2"), false, 0);
  n.run();
  const int router = d_.router_index({2, 0});
  n.plant_marks(router, row(Zone::group_local, 2), 0, Marks{});
  const VerifyReport r = verifier_.check(n);
  EXPECT_GT(r.stale_options, 0u);
  ASSERT_FALSE(r.words.empty());
  EXPECT_NE(r.words[0].find("whose link is dead"), std::string::npos) << r.words[0];
  EXPECT_NE(r.words[0].find("from G2.s0"), std::string::npos) << r.words[0];
}

TEST_F(Checker, VerifierFindsADeadEnd) {
  FaultPlaneNetwork n(d_, parameters_);
  Marks m;
  m.a = Level::lost;
  n.plant_marks(d_.router_index({3, 1}), row(Zone::group_local, 2), d_.local_port(1, 0), m);
  const VerifyReport r = verifier_.check(n);
  EXPECT_GT(r.dead_ends, 0u);
  EXPECT_GT(r.lossy_pairs, 0u);
  EXPECT_EQ(verifier_.check(FaultPlaneNetwork(d_, parameters_)).lossy_pairs, 0u) << "it forgets what it has found";
  ASSERT_FALSE(r.words.empty());
  EXPECT_NE(r.words[0].find("dead end"), std::string::npos);
}

TEST_F(Checker, VerifierFindsABrokenPromise) {
  FaultPlaneNetwork n(d_, parameters_);
  Marks m;
  m.a = Level::lost;
  m.lost_b = ~0ull;
  n.plant_marks(d_.router_index({3, 1}), row(Zone::global, 5), 0, m);
  const VerifyReport r = verifier_.check(n);
  EXPECT_EQ(r.lost_pairs, 4u);
  EXPECT_EQ(r.broken_promises, 4u);
  ASSERT_FALSE(r.words.empty());
  EXPECT_NE(r.words[0].find("no way although a path is live"), std::string::npos) << r.words[0];
}

/// Group 0 has only its link to group 3, which is entered at s0 and left for group 5 from s2. With the link between
/// these two down only LG-LL-GL is live, and only to routers of group 5 that are one hop from its s1. Group 0 refuses
/// all.
TEST_F(Checker, VerifierKnowsThePromiseOfADetourInTheIntermediateGroup) {
  const auto broken_promises = [this](const Dragonfly& d, int from, int to, std::vector<std::string> down) {
    Parameters p = parameters_;
    p.timing = Timing::native(d);
    FaultPlaneNetwork n(d, p);
    for (int group = 0; group < d.g(); ++group)
      if (group != from && group != 3) down.push_back("global:G" + std::to_string(from) + "-G" + std::to_string(group));
    for (const std::string& name : down) apply(n, fault(d, name), false, 0);
    n.run();
    Marks m;
    m.a = Level::lost;
    m.lost_b = ~0ull;
    for (int bid = 0; bid < d.a(); ++bid)
      n.plant_marks(d.router_index({from, bid}), row_of_entry(d, {Zone::global, to}), 0, m);
    const VerifyReport r = Verifier(d, Mode::safe).check(n);
    EXPECT_TRUE(r.condition);
    return r.broken_promises;
  };
  EXPECT_EQ(broken_promises(d_, 0, 5, {"local:G3.s0-G3.s2"}), 16u);
  EXPECT_EQ(broken_promises(d_, 0, 5, {"local:G3.s0-G3.s2", "local:G5.s1-G5.s3"}), 12u)
      << "two detours are promised to nobody";
  // With nine groups the way from group 6 enters group 3 at s2, leaves it from s1 and enters group 4 at s1.
  const Dragonfly nine = Dragonfly::parse("2,4,2,9");
  EXPECT_EQ(broken_promises(nine, 6, 4, {"local:G3.s1-G3.s2"}), 16u);
  EXPECT_EQ(broken_promises(nine, 6, 4, {"local:G3.s1-G3.s2", "local:G4.s1-G4.s3"}), 12u);
}

/// Routers that a packet can be at: `way` has an L or l for a local link, l may be left out, and G for a global one.
std::set<int> reached(const FaultPlaneNetwork& n, int from, std::string_view way) {
  const Dragonfly& d = n.dragonfly();
  std::set<int> at{from};
  for (const char letter : way) {
    std::set<int> next;
    for (const int r : at) {
      if (letter == 'l') next.insert(r);
      for (int port = d.p(); port < d.num_ports(); ++port) {
        if ((d.port_class(port) == PortClass::global) == (letter == 'G') && n.link_up(r, port))
          next.insert(d.router_index(d.peer(d.router(r), port).router));
      }
    }
    at = std::move(next);
  }
  return at;
}

/// Breaks every promise after random faults and counts them: {sets that keep the condition, promised, refused}.
std::array<uint64_t, 3> promises(const Dragonfly& d, Parameters p) {
  Random random(7);
  p.timing = Timing::native(d);
  uint64_t refused = 0, promised = 0, sets = 0;
  for (int k = 0; k < 60; ++k) {
    FaultPlaneNetwork n(d, p);
    const std::string links = "random-links:" + std::to_string(4 + random.below(40));
    std::vector<Fault> down = parse_faults(d, links, random);
    if (k % 3 == 0) down = parse_faults(d, "random-routers:" + std::to_string(1 + random.below(6)), random);
    for (const Fault& f : down) apply(n, f, false, 0);
    n.run();
    Marks m;
    m.a = Level::lost;
    m.lost_b = ~0ull;
    for (int r = 0; r < d.num_routers(); ++r) {
      for (int i = 0; i < d.a(); ++i) n.plant_marks(r, row_of_entry(d, {Zone::group_local, i}), 0, m);
      for (int i = 0; i < d.g(); ++i) n.plant_marks(r, row_of_entry(d, {Zone::global, i}), 0, m);
    }
    const VerifyReport r = Verifier(d, Mode::safe).check(n);
    EXPECT_EQ(r.lost_pairs, r.pairs);
    uint64_t expected = 0;
    for (int from = 0; from < d.num_routers() && r.condition; ++from) {
      std::set<int> near = reached(n, from, "ll"), far;
      for (const char* way : {"lGll", "lGlGll", "lGllGl"}) far.merge(reached(n, from, way));
      for (int to = 0; to < d.num_routers(); ++to) {
        const bool together = d.router(from).gid == d.router(to).gid;
        expected += from != to && n.alive(from) && n.alive(to) && (together ? near : far).count(to) != 0;
      }
    }
    EXPECT_EQ(r.broken_promises, expected) << k;
    sets += r.condition;
    promised += expected;
    refused += r.condition ? r.pairs - expected : 0;
  }
  return {sets, promised, refused};
}

/// docs/fault.md §7.4: where every source refuses everything the promises that are broken are the pairs that one of
/// the shapes L-L, LG-LL, LG-L-GLL, LG-LL-GL serves, found here by taking every live link of every way.
TEST_F(Checker, VerifierKnowsEveryPromise) {
  const auto [sets, promised, refused] = promises(d_, parameters_);
  EXPECT_GT(sets, 15u);
  EXPECT_GT(promised, 1000u);
  EXPECT_GT(refused, 100u);
  // With nine groups the router at the end of a link depends on both groups.
  EXPECT_GT(promises(Dragonfly::parse("2,4,2,9"), parameters_)[0], 15u);
}

/// Wrong tables send a packet for group 6 through three intermediate groups: G-L-G-L-G-L-G-L, eight hops in four
/// virtual channels.
TEST_F(Checker, VerifierFindsAPathThatIsTooLong) {
  const FaultPlaneNetwork n(d_, parameters_);
  const auto plant = [&](RouterId at, PortMap way) {
    RowConfig config = row_config(d_, at, {Zone::global, 6}, Mode::safe);
    config.node = config.local = config.global = Options{way, 0};
    verifier_.plant_row(d_.router_index(at), config);
  };
  plant({0, 0}, 1ull << d_.global_port(1));  // to G1.s0
  plant({1, 0}, 1ull << d_.local_port(0, 1));
  plant({1, 1}, 1ull << d_.global_port(0));  // to G2.s0
  plant({2, 0}, 1ull << d_.local_port(0, 2));
  plant({2, 2}, 1ull << d_.global_port(0));  // to G4.s1
  const VerifyReport r = verifier_.check(n);
  EXPECT_GT(r.long_paths, 0u);
  EXPECT_EQ(r.max_hops, 8);
  EXPECT_EQ(r.loops + r.stale_options, 0u);
  bool told = false;
  for (const std::string& w : r.words) {
    told |= w.find("from G0.s0") != std::string::npos && w.find("-> G1.s0") != std::string::npos &&
            w.find("-> G4.s3") != std::string::npos && w.find("a path of 8 hops") != std::string::npos;
  }
  EXPECT_TRUE(told) << (r.words.empty() ? "no words" : r.words[0]);
}

TEST_F(Checker, VerifierFindsACycleWhenTheVirtualChannelDoesNotRise) {
  const FaultPlaneNetwork n(d_, parameters_);
  verifier_.set_vc_rule([](PortClass, PortClass, int vc) { return vc; });
  const VerifyReport r = verifier_.check(n);
  EXPECT_TRUE(r.cyclic);
  bool told = false;
  for (const std::string& w : r.words) told |= w.find("has a cycle: [into G") != std::string::npos;
  EXPECT_TRUE(told);
}

TEST_F(Checker, VerifierFindsTooManyVirtualChannels) {
  const FaultPlaneNetwork n(d_, parameters_);
  verifier_.set_vc_rule([](PortClass, PortClass, int vc) { return vc + 1; });
  const VerifyReport r = verifier_.check(n);
  EXPECT_GT(r.vc_overflows, 0u);
  ASSERT_FALSE(r.words.empty());
  EXPECT_NE(r.words[0].find(" on virtual channel 4"), std::string::npos) << r.words[0];
}

/// Wrong tables in group 2: a packet for s2 that comes from outside goes s0 -> s1 -> s3 -> s0. The router's rule for
/// virtual channels cuts such a loop (the fifth channel does not exist); with a rule that does not rise it is one.
TEST_F(Checker, VerifierFindsALoop) {
  const FaultPlaneNetwork n(d_, parameters_);
  for (const auto& [from, to] : {std::pair{0, 1}, {1, 3}, {3, 0}}) {
    RowConfig config = row_config(d_, {2, from}, {Zone::group_local, 2}, Mode::safe);
    config.local.a = config.global.a = 1ull << d_.local_port(from, to);
    verifier_.plant_row(d_.router_index({2, from}), config);
  }
  const VerifyReport cut = verifier_.check(n);
  EXPECT_GT(cut.vc_overflows, 0u);
  EXPECT_EQ(cut.loops, 0u);
  verifier_.set_vc_rule([](PortClass, PortClass, int) { return 0; });
  const VerifyReport r = verifier_.check(n);
  EXPECT_GT(r.loops, 0u);
  EXPECT_FALSE(r.ok());
  EXPECT_EQ(r.lossy_pairs, 31u) << "all to G2.s2";
  ASSERT_FALSE(r.words.empty());
  EXPECT_NE(r.words[0].find("again: a loop"), std::string::npos) << r.words[0];
  EXPECT_NE(r.words[0].find("G2.s0"), std::string::npos) << r.words[0];
}

TEST_F(Checker, CleanNetworkHasNoLoopWhateverTheVirtualChannels) {
  const FaultPlaneNetwork n(d_, parameters_);
  verifier_.set_vc_rule([](PortClass, PortClass, int) { return 0; });
  EXPECT_EQ(verifier_.check(n).loops, 0u);
}

TEST(FaultNames, AreReadAndWritten) {
  const Dragonfly d = Dragonfly::named("tiny");
  for (const char* name : {"global:G0-G2", "local:G0.s1-G0.s3", "router:G2.s0", "node:G7.s3.n1"}) {
    EXPECT_EQ(to_string(d, fault(d, name)), name);
  }
  EXPECT_EQ(fault(d, "global:G2-G0"), fault(d, "global:G0-G2"));
  EXPECT_EQ(fault(d, "local:G5.s3-G5.s1"), fault(d, "local:G5.s1-G5.s3"));
  Random random(3);
  const std::vector<Fault> fifty = parse_faults(d, "random-links:50", random);
  EXPECT_EQ(fifty.size(), 50u);
  const std::vector<Fault> rest = parse_faults(d, "random-links:26", random, fifty);
  for (const Fault& f : rest) EXPECT_EQ(std::count(fifty.begin(), fifty.end(), f), 0);
}

TEST(FaultNames, BadOnesAreRefusedInOneLine) {
  const Dragonfly d = Dragonfly::named("tiny");
  for (const char* name : {"", "global", "global:", "global:G0", "global:G0-G8", "global:G0-G0", "global:G0-G2x",
                           "local:G0.s1-G1.s2", "local:G0.s1-G0.s1", "local:G0.s1-G0.s4", "router:G2", "router:G2.s9",
                           "node:G0.s0.n2", "random-links:77", "random-links:-1", "random-links:x", "random-routers:33",
                           "lokal:G0.s0-G0.s1", "global:G99999999999999999999-G1"}) {
    const std::string why = error_text([&] { fault(d, name); });
    EXPECT_NE(why.find(std::string("'") + name + "'"), std::string::npos) << name << ": " << why;
    EXPECT_EQ(why.find('\n'), std::string::npos);
  }
  EXPECT_NE(error_text([&] { fault(d, "router:G2.s9"); }).find(" 9 is out of range, expected 0..3"), std::string::npos);
}

TEST(FaultNames, AFaultTwiceInACycleIsAContradiction) {
  const Dragonfly d = Dragonfly::named("tiny");
  const Fault link = fault(d, "global:G0-G2");
  const auto refused = [&](std::vector<ScheduledFault> events) { return error_text([&] { check_order(d, events); }); };
  EXPECT_EQ(refused({{5, link, false}, {6, link, true}, {7, link, false}}), "");
  EXPECT_EQ(refused({{5, link, false}, {5, link, true}}),
            "fault 'global:G0-G2': repaired in cycle 5, but it fails in that cycle");
  EXPECT_EQ(refused({{5, link, false}, {6, link, true}, {6, link, false}}),
            "fault 'global:G0-G2': fails in cycle 6, but it is repaired in that cycle");
  EXPECT_EQ(refused({{5, link, false}, {5, link, false}}), "fault 'global:G0-G2': fails in cycle 5, twice");
  EXPECT_EQ(refused({{5, link, false}, {6, link, false}}),
            "fault 'global:G0-G2': fails in cycle 6, but it has failed in cycle 5");
  EXPECT_EQ(refused({{5, link, true}}), "fault 'global:G0-G2': repaired in cycle 5, but it has not failed before");
}

}  // namespace
}  // namespace odonata::fault::test
