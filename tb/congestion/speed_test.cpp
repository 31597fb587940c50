// SPDX-License-Identifier: Apache-2.0
// Speed of the golden plane of a whole paper-size group on one core (user time): the issue asks for 200,000 cycles a second when nothing changes
// and 50,000 under full traffic.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "models/congestion/group_load.h"

namespace odonata::congestion {
namespace {

double user_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) + static_cast<double>(usage.ru_utime.tv_usec) * 1e-6;
}

template <class Next>
double cycles_per_second(GroupPlane& plane, int cycles, Next&& next) {
  const double start = user_seconds();
  for (int i = 0; i < cycles; ++i) plane.step(next());
  return cycles / (user_seconds() - start);
}

TEST(Speed, PaperSizeGroup) {
  const Dragonfly d = Dragonfly::named("paper");
  GroupPlane idle(d, {}), busy(d, {});
  const std::vector<RouterEvents> nothing(d.a());
  const double idle_rate = cycles_per_second(idle, 100'000, [&] { return nothing.data(); });
  GroupLoad load(d, {}, {});
  const double busy_rate = cycles_per_second(busy, 30'000, [&] { return load.next(); });
  GroupLoad alone(d, {}, {});
  const double start = user_seconds();
  for (int i = 0; i < 30'000; ++i) alone.next();
  const double load_rate = 30'000 / (user_seconds() - start);
  std::printf("idle %.0f cycles/s; full traffic %.0f cycles/s, %.0f without the traffic generator\n", idle_rate, busy_rate,
              1 / (1 / busy_rate - 1 / load_rate));
  RecordProperty("idle_cycles_per_s", std::to_string(idle_rate));
  RecordProperty("full_cycles_per_s", std::to_string(busy_rate));
#if defined(NDEBUG) && !defined(ODONATA_CHECK)
  EXPECT_GT(idle_rate, 200'000);
  EXPECT_GT(busy_rate, 50'000) << "traffic generator included";
#endif
}

}  // namespace
}  // namespace odonata::congestion
