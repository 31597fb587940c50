// SPDX-License-Identifier: Apache-2.0
// The promised speed of the golden network, with wide margins in the suite; `odonata fault --json` prints the measured time.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdlib>

#include "tb/fault/network_helpers.h"

namespace odonata::fault::test {
namespace {

double cpu_seconds() {
  rusage u{};
  getrusage(RUSAGE_SELF, &u);
  return static_cast<double>(u.ru_utime.tv_sec) + 1e-6 * static_cast<double>(u.ru_utime.tv_usec);
}

TEST(FaultSpeed, FiftyLinksAtPaperSizeConvergeInUnderTwoSeconds) {
  const Dragonfly d = Dragonfly::named("paper");
  const double start = cpu_seconds();
  FaultPlaneNetwork n(d, {});
  Random random(7);
  const std::vector<Fault> faults = parse_faults(d, "random-links:50", random);
  for (const Fault& f : faults) apply(n, f, false, 0);
  ASSERT_TRUE(n.run());
  const double seconds = cpu_seconds() - start;
  RecordProperty("cpu_seconds", std::to_string(seconds));
#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__)
  EXPECT_LT(seconds, 2.0);
#endif
  EXPECT_EQ(compare_with_closed_form(n), "");
  for (const Fault& f : faults) apply(n, f, true, n.now() + 1000);
  ASSERT_TRUE(n.run());
  EXPECT_TRUE(n.restored());
}

TEST(FaultSpeed, FullSizeGlobalAndLocalLink) {
  const Dragonfly d = Dragonfly::named("full");
  const double start = cpu_seconds();
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
  EXPECT_LT(cpu_seconds() - start, 120.0);
  rusage u{};
  getrusage(RUSAGE_SELF, &u);
  EXPECT_LT(u.ru_maxrss / 1024 / 1024, 24) << "GB";
}

}  // namespace
}  // namespace odonata::fault::test
