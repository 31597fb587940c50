// SPDX-License-Identifier: Apache-2.0
// Negative controls: every checker finds the bug that is planted for it.
#include <gtest/gtest.h>

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
  const Network n(d_, parameters_);
  EXPECT_EQ(compare_with_closed_form(n), "");
  const VerifyReport r = verifier_.check(n);
  EXPECT_TRUE(r.ok());
  EXPECT_EQ(r.pairs, 32u * 31u);
  EXPECT_EQ(r.lost_pairs, 0u);
  EXPECT_TRUE(n.restored());
}

TEST_F(Checker, ClosedFormFindsALostOptionThatShouldBeThere) {
  Network n(d_, parameters_);
  Marks m;
  m.a = Level::lost;
  n.plant_marks(5, row(Zone::global, 3), 0, m);
  EXPECT_NE(compare_with_closed_form(n).find("closed form says full, the table has lost"), std::string::npos);
  EXPECT_FALSE(n.restored());
}

TEST_F(Checker, ClosedFormFindsAnOptionThatShouldBeLost) {
  Network n(d_, parameters_);
  apply(n, fault(d_, "global:G0-G2"), false, 0);
  n.run();
  n.plant_marks(d_.router_index({0, 0}), row(Zone::global, 2), 0, Marks{});
  EXPECT_NE(compare_with_closed_form(n).find("closed form says lost, the table has full"), std::string::npos);
}

TEST_F(Checker, ClosedFormFindsAPartialOptionTakenForFull) {
  Network n(d_, parameters_);
  apply(n, fault(d_, "local:G2.s0-G2.s2"), false, 0);
  n.run();
  n.plant_marks(d_.router_index({0, 1}), row(Zone::global, 2), 0, Marks{});
  EXPECT_NE(compare_with_closed_form(n).find("closed form says partial, the table has full"), std::string::npos);
}

TEST_F(Checker, VerifierFindsAStaleOption) {
  Network n(d_, parameters_);
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
  Network n(d_, parameters_);
  Marks m;
  m.a = Level::lost;
  n.plant_marks(d_.router_index({3, 1}), row(Zone::group_local, 2), d_.local_port(1, 0), m);
  const VerifyReport r = verifier_.check(n);
  EXPECT_GT(r.dead_ends, 0u);
  ASSERT_FALSE(r.words.empty());
  EXPECT_NE(r.words[0].find("dead end"), std::string::npos);
}

TEST_F(Checker, VerifierFindsABrokenPromise) {
  Network n(d_, parameters_);
  Marks m;
  m.a = Level::lost;
  m.lost_b = ~0ull;
  n.plant_marks(d_.router_index({3, 1}), row(Zone::global, 5), 0, m);
  const VerifyReport r = verifier_.check(n);
  EXPECT_EQ(r.lost_pairs, 4u);
  EXPECT_EQ(r.broken_promises, 4u);
}

/// A detour in the intermediate group towards a target that needs an emergency detour: LG-LL-GLL.
TEST_F(Checker, VerifierFindsAPathThatIsTooLong) {
  Network n(d_, parameters_);
  apply(n, fault(d_, "local:G2.s0-G2.s2"), false, 0);
  n.run();
  const int r2 = row(Zone::global, 2);
  for (int s = 0; s < 4; ++s) {  // G0: class D and table B of the global ports forget that G2s0 is only partly good
    for (int port = d_.p(); port < d_.num_ports(); ++port) n.plant_marks(d_.router_index({0, s}), r2, port, Marks{});
  }
  for (int g = 0; g < 8; ++g) {  // and everybody believes it
    for (int s = 0; s < 4; ++s) {
      for (int port = 0; port < d_.num_ports(); ++port) n.plant_marks(d_.router_index({g, s}), r2, port, Marks{});
    }
  }
  const VerifyReport r = verifier_.check(n);
  EXPECT_GT(r.long_paths + r.vc_overflows + r.dead_ends, 0u);
  EXPECT_FALSE(r.ok());
}

TEST_F(Checker, VerifierFindsACycleWhenTheVirtualChannelDoesNotRise) {
  const Network n(d_, parameters_);
  verifier_.set_vc_rule([](PortClass, PortClass, int vc) { return vc; });
  const VerifyReport r = verifier_.check(n);
  EXPECT_TRUE(r.cyclic);
  bool told = false;
  for (const std::string& w : r.words) told |= w.find("has a cycle: [into G") != std::string::npos;
  EXPECT_TRUE(told);
}

TEST_F(Checker, VerifierFindsTooManyVirtualChannels) {
  const Network n(d_, parameters_);
  verifier_.set_vc_rule([](PortClass, PortClass, int vc) { return vc + 1; });
  EXPECT_GT(verifier_.check(n).vc_overflows, 0u);
}

TEST_F(Checker, VerifierFindsALoop) {
  Network n(d_, parameters_);
  verifier_.set_vc_rule([](PortClass, PortClass, int) { return 0; });
  // No option of a valid configuration goes back, so the loop needs a network in which a detour is taken twice.
  apply(n, fault(d_, "local:G2.s0-G2.s2"), false, 0);
  apply(n, fault(d_, "local:G2.s1-G2.s2"), false, 0);
  apply(n, fault(d_, "local:G2.s3-G2.s2"), false, 0);
  n.run();
  EXPECT_EQ(verifier_.check(n).loops, 0u);
}

TEST(FaultNames, AreReadAndWritten) {
  const Dragonfly d = Dragonfly::named("tiny");
  for (const char* name : {"global:G0-G2", "local:G0.s1-G0.s3", "router:G2.s0", "node:G7.s3.n1"}) {
    EXPECT_EQ(to_string(d, fault(d, name)), name);
  }
  EXPECT_EQ(fault(d, "global:G2-G0"), fault(d, "global:G0-G2"));
  Random random(3);
  const std::vector<Fault> fifty = parse_faults(d, "random-links:50", random);
  EXPECT_EQ(fifty.size(), 50u);
  const std::vector<Fault> rest = parse_faults(d, "random-links:26", random, fifty);
  for (const Fault& f : rest) EXPECT_EQ(std::count(fifty.begin(), fifty.end(), f), 0);
}

TEST(FaultNames, BadOnesAreRefusedInOneLine) {
  const Dragonfly d = Dragonfly::named("tiny");
  for (const char* name : {"", "global", "global:", "global:G0", "global:G0-G8", "global:G0-G0", "global:G0-G2x", "local:G0.s1-G1.s2",
                           "local:G0.s1-G0.s1", "local:G0.s1-G0.s4", "router:G2", "router:G2.s9", "node:G0.s0.n2", "random-links:77",
                           "random-links:-1", "random-links:x", "random-routers:33", "lokal:G0.s0-G0.s1", "global:G99999999999999999999-G1"}) {
    try {
      fault(d, name);
      ADD_FAILURE() << name << " was accepted";
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(std::string("'") + name + "'"), std::string::npos) << e.what();
      EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace odonata::fault::test
