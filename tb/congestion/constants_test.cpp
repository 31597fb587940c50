// SPDX-License-Identifier: Apache-2.0
// Widths, addresses and reset values are written down once in models/congestion; the RTL's package has its own copy,
// which is checked here, constant by constant.
#include <gtest/gtest.h>

#include <array>
#include <map>

#include "models/congestion/group_plane.h"
#include "models/congestion/registers.h"
#include "tb/common/sv_package.h"

namespace odonata::congestion {
namespace {

TEST(CongestionConstants, PackageEqualsModels) {
  test::Package rtl("rtl/congestion/congestion_pkg.sv");

  // Pins: the greatest value of each configuration and output pin fits its width, exactly where the width follows from
  // it.
  const auto width = [](uint64_t greatest) { return static_cast<uint64_t>(std::bit_width(greatest)); };
  EXPECT_EQ(rtl["BidWidth"], width(kMaxRoutersPerGroup - 1));
  EXPECT_EQ(rtl["CapacityWidth"], width(kMaxCapacity));
  EXPECT_EQ(rtl["InUseWidth"], width(kMaxCapacity));
  EXPECT_EQ(rtl["LengthWidth"], width(kMaxWindow));
  EXPECT_EQ(rtl["OccupancyWidth"], width(kNumVcs * kMaxCapacity));
  EXPECT_EQ(rtl["WindowWidth"], width(kMaxWindow));
  EXPECT_EQ(rtl["ThresholdWidth"], 8 * sizeof(MonitorInputs::threshold));
  EXPECT_EQ(rtl["IntervalWidth"], 8 * sizeof(CollectorInputs::interval));
  EXPECT_EQ(rtl["LimitWidth"], 8 * sizeof(CollectorInputs::stale_limit));
  EXPECT_EQ(rtl["CrcWidth"], static_cast<uint64_t>(kCrcBits));

  // Register map: the RTL has word addresses.
  EXPECT_EQ(8u << rtl["CfgAddrWidth"], reg::kEnd);
  const std::map<std::string, uint32_t> addresses = {{"RegId", reg::kId},
                                                     {"RegRouterId", reg::kRouterId},
                                                     {"RegInterval", reg::kInterval},
                                                     {"RegWindow", reg::kWindow},
                                                     {"RegThreshold", reg::kThreshold},
                                                     {"RegCapacity", reg::kCapacity},
                                                     {"RegStale", reg::kStale},
                                                     {"RegSize", reg::kSize},
                                                     {"RegCounter", reg::kCounters},
                                                     {"RegNeighbour", reg::kNeighbour}};
  for (const auto& [name, address] : addresses) EXPECT_EQ(8 * rtl[name], address) << name;
  EXPECT_EQ(rtl["NumCounters"], static_cast<uint64_t>(reg::kNumCounters));
  EXPECT_EQ(rtl["CounterWidth"], 8 * sizeof(Registers(Dragonfly::named("tiny")).counter(0)));
  EXPECT_EQ(rtl["IdValue"], reg::kIdValue);

  // Bits of a word that are defined: those that some write is allowed to set.
  const Registers registers(Dragonfly::named("full"));
  const auto settable = [&](uint32_t address, uint64_t reset) {
    uint64_t bits = 0;
    for (int n = 0; n < 64; ++n) {
      const uint64_t bit = uint64_t{1} << n;
      for (uint64_t word : {bit, bit | reset, bit | uint64_t{1} << (n ^ 16)}) {
        if (!registers.refused(true, address / 8, word)) bits |= bit;
      }
    }
    return bits;
  };
  EXPECT_EQ(rtl["RouterIdBits"], settable(reg::kRouterId, 0));
  EXPECT_EQ(rtl["IntervalBits"], settable(reg::kInterval, reg::kIntervalReset));
  EXPECT_EQ(rtl["WindowBits"], settable(reg::kWindow, reg::kWindowReset));
  EXPECT_EQ(rtl["ThresholdBits"], settable(reg::kThreshold, reg::kThresholdReset));
  EXPECT_EQ(rtl["CapacityBits"], settable(reg::kCapacity, reg::kCapacityReset));
  EXPECT_EQ(rtl["StaleBits"], settable(reg::kStale, reg::kStaleReset));

  EXPECT_EQ(rtl["CounterTails"], static_cast<uint64_t>(reg::kFramesInTails));
  EXPECT_EQ(rtl["CounterIdles"], static_cast<uint64_t>(reg::kIdleFrames));
  EXPECT_EQ(rtl["CounterStolen"], static_cast<uint64_t>(reg::kStolenSlots));
  EXPECT_EQ(rtl["CounterGood"], static_cast<uint64_t>(reg::kGoodFrames));
  EXPECT_EQ(rtl["CounterBad"], static_cast<uint64_t>(reg::kBadFrames));
  EXPECT_EQ(rtl["CounterUnderflows"], static_cast<uint64_t>(reg::kUnderflows));
  EXPECT_EQ(rtl["CounterOverflows"], static_cast<uint64_t>(reg::kOverflows));

  // Reset values: of the register map, and of the group plane's configuration.
  const auto bit = [&rtl](const char* field) { return uint64_t{1} << rtl[field]; };
  EXPECT_EQ(rtl["IntervalCyclesReset"] << rtl["IntervalCyclesLsb"], reg::kIntervalReset);
  EXPECT_EQ(bit("WindowGlobalEnableLsb") | rtl["GlobalWindowReset"] << rtl["WindowGlobalLsb"] |
                bit("WindowLocalEnableLsb") | rtl["LocalWindowReset"] << rtl["WindowLocalLsb"],
            reg::kWindowReset);
  EXPECT_EQ(rtl["GlobalBusyThresholdReset"] << rtl["ThresholdGlobalBusyLsb"] |
                rtl["LocalBusyThresholdReset"] << rtl["ThresholdLocalBusyLsb"] |
                rtl["GlobalThresholdReset"] << rtl["ThresholdGlobalLsb"] |
                rtl["LocalThresholdReset"] << rtl["ThresholdLocalLsb"],
            reg::kThresholdReset);
  EXPECT_EQ(
      rtl["GlobalCapacityReset"] << rtl["CapacityGlobalLsb"] | rtl["LocalCapacityReset"] << rtl["CapacityLocalLsb"],
      reg::kCapacityReset);
  EXPECT_EQ(bit("StaleEnableLsb") | rtl["StaleLimitReset"] << rtl["StaleLimitLsb"], reg::kStaleReset);
  Registers alternates(Dragonfly::named("full"));
  alternates.write(reg::kInterval / 8, reg::kIntervalReset | bit("IntervalAlternateLsb"));
  EXPECT_TRUE(alternates.alternate());
  const PlaneConfig c;
  EXPECT_EQ(rtl["IntervalCyclesReset"], static_cast<uint64_t>(c.interval));
  EXPECT_FALSE(c.alternate);
  EXPECT_EQ(rtl["LocalWindowReset"], static_cast<uint64_t>(c.local_window));
  EXPECT_EQ(rtl["GlobalWindowReset"], static_cast<uint64_t>(c.global_window));
  EXPECT_EQ(rtl["LocalThresholdReset"], static_cast<uint64_t>(c.local_threshold));
  EXPECT_EQ(rtl["GlobalThresholdReset"], static_cast<uint64_t>(c.global_threshold));
  EXPECT_EQ(rtl["LocalBusyThresholdReset"], static_cast<uint64_t>(c.local_busy_threshold));
  EXPECT_EQ(rtl["GlobalBusyThresholdReset"], static_cast<uint64_t>(c.global_busy_threshold));
  EXPECT_EQ(rtl["LocalCapacityReset"], static_cast<uint64_t>(c.local_capacity));
  EXPECT_EQ(rtl["GlobalCapacityReset"], static_cast<uint64_t>(c.global_capacity));
  EXPECT_EQ(rtl["StaleLimitReset"], static_cast<uint64_t>(c.stale_limit));

  EXPECT_EQ(rtl.unused(), std::vector<std::string>{}) << "constants of the package that are compared with nothing";
}

/// The default parameters of a module: `parameter int NAME = VALUE`.
int parameter(const std::string& text, const std::string& name) {
  std::smatch m;
  EXPECT_TRUE(std::regex_search(text, m, std::regex("parameter\\s+int\\s+" + name + "\\s*=\\s*(\\d+)"))) << name;
  return m.empty() ? -1 : std::stoi(m[1]);
}

TEST(CongestionConstants, LimitsOfTheModules) {
  const std::string monitor = test::text_of("rtl/congestion/credit_monitor.sv"),
                    pcs = test::text_of("rtl/congestion/pcs_transport.sv");
  EXPECT_EQ(parameter(monitor, "NumVcs"), kNumVcs);
  EXPECT_EQ(parameter(monitor, "MaxCapacity"), kMaxCapacity);
  EXPECT_EQ(parameter(monitor, "MaxWindow"), kMaxWindow);
  EXPECT_EQ(parameter(pcs, "Latency"), kPcsLatency);
}

/// The thin tops of the three sizes have the sizes that the build verilates under their names.
TEST(CongestionConstants, SizesOfTheTops) {
  for (const char* name : {"tiny", "paper", "full"}) {
    const std::string text = test::text_of("rtl/congestion/congestion_plane_" + std::string(name) + ".sv");
    std::smatch m;
    ASSERT_TRUE(std::regex_search(text, m,
                                  std::regex(R"(\.P\((\d+)\), \.A\((\d+)\), \.H\((\d+)\), \.NumVcs\((\d+)\), )"
                                             R"(\.MaxCapacity\((\d+)\), \.MaxWindow\((\d+)\))")))
        << name;
    const Dragonfly d = Dragonfly::named(name);
    EXPECT_EQ((std::array{std::stoi(m[1]), std::stoi(m[2]), std::stoi(m[3])}), (std::array{d.p(), d.a(), d.h()}))
        << name;
    EXPECT_EQ((std::array{std::stoi(m[4]), std::stoi(m[5]), std::stoi(m[6])}),
              (std::array{kNumVcs, kMaxCapacity, kMaxWindow}))
        << name;
  }
}

}  // namespace
}  // namespace odonata::congestion
