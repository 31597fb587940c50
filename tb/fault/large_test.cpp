// SPDX-License-Identifier: Apache-2.0
// The golden network at the sizes that it is made for: it converges, restores every table, and fits into the memory of
// one machine.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "tb/fault/network_helpers.h"

namespace odonata::fault::test {
namespace {

TEST(FaultLarge, FiftyLinksAtPaperSizeConvergeAndAreRestored) {
  const Dragonfly d = Dragonfly::named("paper");
  FaultPlaneNetwork n(d, {});
  Random random(7);
  const std::vector<Fault> faults = parse_faults(d, "random-links:50", random);
  for (const Fault& f : faults) apply(n, f, false, 0);
  ASSERT_TRUE(n.run());
  EXPECT_EQ(compare_with_closed_form(n), "");
  for (const Fault& f : faults) apply(n, f, true, n.now() + 1000);
  ASSERT_TRUE(n.run());
  EXPECT_TRUE(n.restored());
}

TEST(FaultLarge, FullSizeGlobalAndLocalLink) {
  const Dragonfly d = Dragonfly::named("full");
  for (const char* name : {"global:G0-G2", "local:G0.s1-G0.s3"}) {
    FaultPlaneNetwork n(d, {});
    const Fault f = fault(d, name);
    apply(n, f, false, 0);
    ASSERT_TRUE(n.run());
    EXPECT_GT(n.statistics().fd_total, 1000u);
    apply(n, f, true, n.now() + 1000);
    ASSERT_TRUE(n.run());
    EXPECT_TRUE(n.restored());
  }
  rusage u{};
  getrusage(RUSAGE_SELF, &u);
  EXPECT_LT(u.ru_maxrss / 1024 / 1024, 24) << "GB";
}

}  // namespace
}  // namespace odonata::fault::test
