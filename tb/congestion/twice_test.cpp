// SPDX-License-Identifier: Apache-2.0
// The credit monitor with two packets and two credits of a virtual channel in a cycle (docs/congestion.md section 2):
// golden model and RTL.
#include <gtest/gtest.h>

#include "models/congestion/golden_device.h"
#include "tb/congestion/campaign.h"
#include "tb/congestion/credit_monitor_block.h"
#include "tb/congestion/stimulus.h"
#include "tb/harness/lockstep.h"
#include "tb/harness/rtl_library.h"

namespace odonata::cosim {
namespace {

using namespace congestion;

constexpr MonitorLimits kTwice{kNumVcs, kMaxCapacity, kMaxWindow, 2};

TEST(CreditMonitorTwice, CountsBothAndRefusesWhatDoesNotFit) {
  CreditMonitor m(kTwice);
  MonitorInputs in;
  in.capacity = 3;
  const auto after = [&](int sent, int credit) {
    in.sent = static_cast<uint8_t>(sent << 2);  // VC 1
    in.credit = static_cast<uint8_t>(credit << 2);
    m.step(in);
    in.sent = in.credit = 0;
    m.step(in);
    return m.out();
  };
  m.step(in);
  EXPECT_EQ(vc_in_use(after(2, 0), 1), 2);
  EXPECT_EQ(m.out().underflow, 0);
  EXPECT_EQ(vc_in_use(after(2, 0), 1), 3) << "one of two had a slot";
  EXPECT_EQ(m.out().underflow, 2);
  EXPECT_EQ(vc_in_use(after(0, 2), 1), 1);
  EXPECT_EQ(m.out().overflow, 0);
  EXPECT_EQ(vc_in_use(after(0, 2), 1), 0);
  EXPECT_EQ(m.out().overflow, 2);
  EXPECT_EQ(vc_in_use(after(0, 0), 0), 0) << "nor does another VC see it";
}

/// Cycles in which golden model and RTL, with a planted bug when it is not 0, agree; `twist` may damage what the golden
/// model sees.
template <class Twist>
uint64_t agree(uint64_t cycles, Twist&& twist, int plant = 0) {
  struct Twisted {
    GoldenMonitor golden{kTwice};
    Twist& twist;
    void step(MonitorInputs in, MonitorOutputs& out) { golden.step(twist(in), out); }
    std::vector<std::string> describe() { return {}; }
  } golden{GoldenMonitor{kTwice}, twist};
  const auto rtl = make_rtl<CreditMonitorBlock>({{"PerCycle", 2}}, RtlVariant::debug, plant);
  MonitorCorner stimulus(5, kTwice);
  RunOptions options;
  options.max_cycles = cycles;
  return run_lockstep<CreditMonitorBlock>(stimulus, golden, *rtl, options).cycles;
}

TEST(CreditMonitorTwice, RtlEqualsGolden) {
  EXPECT_EQ(agree(100'000, [](const MonitorInputs& in) { return in; }), 100'000u);
  EXPECT_LT(agree(10'000,
                  [](MonitorInputs in) {
                    in.sent = static_cast<uint8_t>((in.sent | in.sent >> 1) & 0x55);
                    return in;
                  }),
            10'000u)
      << "two packets as one";
}

TEST(CreditMonitorTwice, PlantedBugsOfTheSecondAreCaught) {
  int caught = 0;
  for (const Plant& plant : congestion_plants()) {
    if (!plant.name.starts_with("second-")) continue;
    EXPECT_LT(agree(
                  100'000, [](const MonitorInputs& in) { return in; }, plant.number),
              100'000u)
        << plant.name << ": " << plant.what;
    ++caught;
  }
  EXPECT_GE(caught, 1);
}

}  // namespace
}  // namespace odonata::cosim
