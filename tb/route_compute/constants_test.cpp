// SPDX-License-Identifier: Apache-2.0
// Widths and encodings are written down once in models/; the RTL's package has its own copy, which is checked here,
// constant by constant.
#include <gtest/gtest.h>

#include <map>
#include <regex>

#include "models/route_compute/unit.h"
#include "tb/common/sv_package.h"

namespace odonata::route_compute {
namespace {

using test::Package;
using test::text_of;

template <class Enum>
uint64_t number(Enum value) {
  return static_cast<uint64_t>(value);
}

TEST(RouteComputeConstants, PackageEqualsModels) {
  Package rtl("rtl/route_compute/route_compute_pkg.sv");

  // Address: the highest value of each field and where it stands.
  EXPECT_EQ(rtl["DestWidth"], 18u);
  EXPECT_EQ(pack_address({(1 << rtl["GidWidth"]) - 1, 0, 0}), ((1u << rtl["GidWidth"]) - 1)
                                                                  << (rtl["BidWidth"] + rtl["NidWidth"]));
  EXPECT_EQ(pack_address({0, (1 << rtl["BidWidth"]) - 1, 0}), ((1u << rtl["BidWidth"]) - 1) << rtl["NidWidth"]);
  EXPECT_EQ(pack_address({0, 0, (1 << rtl["NidWidth"]) - 1}), (1u << rtl["NidWidth"]) - 1);
  EXPECT_EQ(unpack_address(~0u).gid, (1 << rtl["GidWidth"]) - 1);
  EXPECT_EQ(unpack_address(~0u).bid, (1 << rtl["BidWidth"]) - 1);
  EXPECT_EQ(unpack_address(~0u).nid, (1 << rtl["NidWidth"]) - 1);
  EXPECT_EQ(1u << rtl["BidWidth"], static_cast<unsigned>(kMaxRoutersPerGroup));
  EXPECT_EQ(rtl["PortNone"], static_cast<uint64_t>(kNoPort));
  EXPECT_EQ(1ull << rtl["PortWidth"], static_cast<uint64_t>(kNoPort) + 1);

  // Tables.
  const Dragonfly full({16, 32, 16, 512}, Arrangement::direct);
  EXPECT_GE(1 << rtl["IndexWidth"], table::size_a(full));
  EXPECT_EQ(rtl["LocalPortsPerRouter"], static_cast<uint64_t>(table::kPortsC));
  EXPECT_EQ(rtl["EntryCWidth"], 8u * table::kPortsC);
  EXPECT_EQ(rtl["WayWidth"], 8u);
  EXPECT_EQ(rtl["NeighboursB"], static_cast<uint64_t>(table::kNeighboursB));
  const table::GlobalEntryB nothing, one_global{.own_global_ports = 1};
  EXPECT_EQ(one_global.encode() ^ nothing.encode(), uint64_t{1} << rtl["EntryBMapLsb"]);
  const auto greatest = [](uint64_t width) { return (uint64_t{1} << width) - 1; };
  const table::GlobalEntryA ports{.port = 0, .global_ports = static_cast<uint32_t>(greatest(rtl["MapWidth"]))};
  EXPECT_EQ(ports.encode(), greatest(rtl["MapWidth"]));
  const table::GlobalEntryA everything{
      .port = static_cast<int>(greatest(rtl["PortWidth"])), .own_router = true, .global_ports = ports.global_ports};
  EXPECT_EQ(everything.encode(), greatest(rtl["EntryAWidth"]));

  EXPECT_EQ(rtl["ZoneN"], number(table::Zone::node));
  EXPECT_EQ(rtl["ZoneB"], number(table::Zone::group_local));
  EXPECT_EQ(rtl["ZoneG"], number(table::Zone::global));
  EXPECT_EQ(rtl["ZoneInvalid"], number(table::Zone::invalid));
  EXPECT_EQ(rtl["PortClassNode"], number(PortClass::node));
  EXPECT_EQ(rtl["PortClassLocal"], number(PortClass::local));
  EXPECT_EQ(rtl["PortClassGlobal"], number(PortClass::global));
  EXPECT_EQ(rtl["PortClassReserved"], 3u);
  EXPECT_EQ(rtl["HopUnroutable"], number(HopClass::unroutable));
  EXPECT_EQ(rtl["HopGA"], number(HopClass::ga));
  EXPECT_EQ(rtl["HopGB"], number(HopClass::gb));
  EXPECT_EQ(rtl["HopGC"], number(HopClass::gc));
  EXPECT_EQ(rtl["HopGD"], number(HopClass::gd));
  EXPECT_EQ(rtl["HopLE"], number(HopClass::le));
  EXPECT_EQ(rtl["HopLF"], number(HopClass::lf));
  EXPECT_EQ(rtl["HopFallback"], number(HopClass::fallback));

  // Register map: a word address is {page, offset}, a byte address eight times that.
  EXPECT_EQ(8u << rtl["CfgAddrWidth"], reg::kEnd);
  const auto page = [](uint64_t number) { return number << 13; };
  const auto word = [&](uint64_t offset) { return page(rtl["PageRegister"]) + 8 * offset; };
  EXPECT_EQ(page(rtl["PageTableA"]), reg::kTableA);
  EXPECT_EQ(page(rtl["PageTableB"]), reg::kTableB);
  EXPECT_EQ(page(rtl["PageTableC"]), reg::kTableC);
  EXPECT_EQ(word(rtl["RegId"]), reg::kId);
  EXPECT_EQ(word(rtl["RegRouterId"]), reg::kRouterId);
  EXPECT_EQ(word(rtl["RegPort"]), reg::kPort);
  EXPECT_EQ(word(rtl["RegThreshold"]), reg::kThreshold);
  EXPECT_EQ(word(rtl["RegLfsr"]), reg::kLfsr);
  EXPECT_EQ(word(rtl["RegSize"]), reg::kSize);
  EXPECT_EQ(word(rtl["RegRule"]), reg::kRule);
  EXPECT_EQ(word(rtl["RegCounter"]), reg::kCounters);
  // Bits of a word that are defined: those that some write is allowed to set.
  const Registers registers(full);
  const auto settable = [&](uint32_t address) {
    uint64_t bits = 0;
    for (int n = 0; n < 64; ++n) {
      if (registers.target(true, address / 8, uint64_t{1} << n) != Target::refused) bits |= uint64_t{1} << n;
    }
    return bits;
  };
  EXPECT_EQ(rtl["RouterIdBits"], settable(reg::kRouterId));
  EXPECT_EQ(rtl["PortBits"], settable(reg::kPort));
  EXPECT_EQ(rtl["ThresholdBits"], settable(reg::kThreshold));
  EXPECT_EQ(rtl["LfsrBits"], settable(reg::kLfsr));
  EXPECT_EQ(rtl["RuleBits"], settable(reg::kRule));
  EXPECT_EQ(rtl["NumCounters"], static_cast<uint64_t>(reg::kNumCounters));
  EXPECT_EQ(rtl["CounterWidth"], 8 * sizeof(Registers(full).counter(0)));
  EXPECT_EQ(rtl["IdValue"], reg::kIdValue);
  EXPECT_EQ(rtl["LfsrReset"], kLfsrReset);
  EXPECT_EQ(
      rtl["GlobalThresholdReset"] << rtl["ThresholdGlobalLsb"] | rtl["LocalThresholdReset"] << rtl["ThresholdLocalLsb"],
      reg::kThresholdReset);
  // Where fields stand: what the model makes of a word with them.
  const auto bit = [&rtl](const char* field) { return uint64_t{1} << rtl[field]; };
  Registers written(full);
  const auto write = [&written](uint32_t address, uint64_t data) {
    written.write(written.target(true, address / 8, data), address / 8, data);
  };
  write(reg::kRouterId, 5 << rtl["RouterIdGidLsb"] | 3 << rtl["RouterIdBidLsb"]);
  EXPECT_EQ(written.config().own(), (RouterId{5, 3}));
  write(reg::kPort, number(PortClass::global) << rtl["PortClassLsb"] | bit("PortAbsoluteLsb"));
  EXPECT_EQ(written.config().port_class(), PortClass::global);
  EXPECT_TRUE(written.config().absolute());
  EXPECT_EQ((Rule{true, false, false}.word()), bit("RuleSecondLsb"));
  EXPECT_EQ((Rule{false, true, false}.word()), bit("RuleMinimalGlobalLsb"));
  EXPECT_EQ((Rule{false, false, true}.word()), bit("RuleMinimalLocalLsb"));

  EXPECT_EQ(rtl.unused(), std::vector<std::string>{}) << "constants of the package that are compared with nothing";
}

TEST(RouteComputeConstants, Lfsr) {
  const std::string text = text_of("rtl/common/lfsr16.sv");
  std::smatch m;
  ASSERT_TRUE(std::regex_search(text, m, std::regex(R"(state_q\[0\] \? 16'h([0-9A-F]{4}))")));
  EXPECT_EQ(std::stoul(m[1], nullptr, 16), lfsr_next(1));
}

/// The thin tops of the three sizes have the sizes that the build verilates under their names.
TEST(RouteComputeConstants, SizesOfTheTops) {
  const std::map<std::string, std::array<int, 5>> sizes = {
      {"tiny", {2, 4, 2, 8, 0}}, {"paper", {6, 12, 6, 73, 1}}, {"full", {16, 32, 16, 512, 0}}};
  for (const auto& [name, size] : sizes) {
    const std::string text = text_of("rtl/route_compute/route_compute_" + name + ".sv");
    std::smatch m;
    ASSERT_TRUE(std::regex_search(
        text, m,
        std::regex(
            R"(\.P\((\d+)\), \.A\((\d+)\), \.H\((\d+)\), \.G\((\d+)\), \.NB\((\d+)\), \.AbsoluteAtReset\((\d)\))")))
        << name;
    EXPECT_EQ((std::array{std::stoi(m[1]), std::stoi(m[2]), std::stoi(m[3]), std::stoi(m[4]), std::stoi(m[6])}), size)
        << name;
    EXPECT_EQ(std::stoi(m[5]), table::kNeighboursB) << name;
  }
}

}  // namespace
}  // namespace odonata::route_compute
