// SPDX-License-Identifier: Apache-2.0
// The SystemC level: the torus modules in lockstep with the golden units and the RTL; units with a planted bug are
// caught.
#include <gtest/gtest.h>

#include "hw/torus/block_device.h"
#include "models/common/error.h"
#include "tb/harness/lockstep.h"
#include "tb/torus/campaign.h"
#include "tb/torus/stimulus.h"

namespace odonata::torus {
namespace {

using cosim::RunOptions;
using cosim::RunResult;

RunOptions options(uint64_t transactions) {
  RunOptions out;
  out.max_transactions = transactions;
  out.max_cycles = 100 * transactions;
  return out;
}

template <class Module>
RunResult route_lockstep(const std::string& name, Variant variant, uint64_t transactions) {
  const Torus torus = Torus::parse(name);
  cosim::TorusRoutePins stimulus(torus.radix(0), torus.radix(1), 3);
  GoldenRoute golden(torus, variant);
  BasicTorusRouteDevice<Module> module(torus, variant);
  return cosim::run_lockstep<cosim::TorusRouteBlock>(stimulus, golden, module, options(transactions));
}

template <class Module>
RunResult region_lockstep() {
  cosim::FaultRegionPins stimulus(3);
  GoldenRegion golden;
  BasicFaultRegionDevice<Module> module;
  return cosim::run_lockstep<cosim::FaultRegionBlock>(stimulus, golden, module, options(5'000));
}

std::string why(const RunResult& r) { return r.mismatch ? r.mismatch->differences.front().probe : "nothing compared"; }

TEST(TorusSystemC, RouteAgreesWithTheGoldenUnitForEveryVariantAndSize) {
  for (const char* name : {"3x3", "4x4", "5x7", "10x10", "17x6", "32x32", "64x64"}) {
    for (const Variant v : {Variant::kSafe6, Variant::kSafe6Ring, Variant::kSafe4, Variant::kSafe4Ring}) {
      const RunResult r = route_lockstep<TorusRouteModule>(name, v, 8'000);
      EXPECT_TRUE(r.passed()) << name << " " << name_of(v) << ": " << why(r);
    }
  }
}

TEST(TorusSystemC, RegionAgreesWithTheGoldenUnit) {
  const RunResult r = region_lockstep<FaultRegionModule>();
  EXPECT_TRUE(r.passed()) << why(r);
}

TEST(TorusSystemC, RouteHasOnlyTheVariantsOfTheHardware) {
  for (const Variant v :
       {Variant::kPrinted, Variant::kRing6, Variant::kSafe6Short, Variant::kAdaptive, Variant::kEcube})
    EXPECT_THROW(TorusRouteDevice(Torus::parse("4x4"), v), Error) << name_of(v);
  EXPECT_THROW(TorusRouteDevice(Torus::parse("4x4x4"), Variant::kSafe6), Error);
}

// The campaign with the module's pins as reference, and with the module as the device.
TEST(TorusSystemC, AgreesWithTheRtl) {
  for (const char* name : {"tiny", "uneven", "wide", "paper", "big"}) {
    cosim::CampaignRequest r;
    r.parameters = {{"torus", name}};
    r.traffic = "corner";
    r.transactions = 20'000;
    r.artifacts = ::testing::TempDir();
    r.reference = "systemc";
    EXPECT_TRUE(cosim::torus_units()[0].run(r).passed()) << name;
    r.reference = "golden";
    r.device = "systemc";
    EXPECT_TRUE(cosim::torus_units()[0].run(r).passed()) << name;
  }
  struct Built {
    const char *unit, *parameter, *size;
  };
  const Built all[] = {{"torus_walls", "torus", "tiny"},    {"torus_walls", "torus", "uneven"},
                       {"torus_sides", "torus", "tiny"},    {"torus_sides", "torus", "uneven"},
                       {"torus_output", "output", "paper"}, {"torus_output", "output", "wide"},
                       {"torus_box", "torus", "tiny"},      {"torus_box", "torus", "uneven"}};
  for (const auto& [unit, parameter, size] : all) {
    for (const char* reference : {"systemc", "golden"}) {
      cosim::CampaignRequest r;
      r.parameters = {{parameter, size}};
      r.traffic = "corner";
      r.transactions = 20'000;
      r.artifacts = ::testing::TempDir();
      r.reference = reference;
      if (r.reference == "golden") r.device = "systemc";
      EXPECT_TRUE(cosim::find_unit(cosim::torus_units(), unit).run(r).passed())
          << unit << " " << size << " " << reference;
    }
  }
  cosim::CampaignRequest r;
  r.traffic = "corner";
  r.transactions = 5'000;
  r.artifacts = ::testing::TempDir();
  r.reference = "systemc";
  EXPECT_TRUE(cosim::torus_units()[1].run(r).passed());
}

// Negative controls.
struct WallsUnseen : TorusRouteModule {
  using TorusRouteModule::TorusRouteModule;
  bool crosses(uint64_t, uint64_t) const override { return false; }
};
struct DetoursExchanged : TorusRouteModule {
  using TorusRouteModule::TorusRouteModule;
  unsigned detour(bool minus) const override { return minus ? 1 : 2; }
};
struct PortsComeLate : TorusRouteModule {
  using TorusRouteModule::TorusRouteModule;
  void aim() override {
    TorusRouteModule::aim();
    next().aim.blocked = now().aim.blocked;
  }
};
struct HoldsTheHeader : TorusRouteModule {
  using TorusRouteModule::TorusRouteModule;
  void turn() override {
    const uint8_t before = now().out.header;
    TorusRouteModule::turn();
    if (!next().out.valid) next().out.header = before;
  }
};
struct DimensionsOnly : FaultRegionModule {
  using FaultRegionModule::FaultRegionModule;
  bool marked(bool, uint8_t blocked) const override { return FaultRegionModule::marked(true, blocked); }
};
struct ForgetsMarks : FaultRegionModule {
  using FaultRegionModule::FaultRegionModule;
  void mark() override {
    FaultRegionModule::mark();
    if (next().blocked == 0) next().bad = 0;
  }
};

struct RunGoesOn : TorusWallsModule {
  using TorusWallsModule::TorusWallsModule;
  void count() override {
    const WallOutputs before = now();
    TorusWallsModule::count();
    for (size_t p = 0; p < kLinkPorts; ++p)
      if (next().run[p] == 0) next().run[p] = before.run[p];
  }
};
struct WallsForgotten : TorusWallsModule {
  using TorusWallsModule::TorusWallsModule;
  void flood() override {
    TorusWallsModule::flood();
    if (now().wall_x == next().wall_x) next().wall_x = 0;
  }
};
struct OneSide : TorusSidesModule {
  using TorusSidesModule::TorusSidesModule;
  void compare() override {
    TorusSidesModule::compare();
    next().sides &= 0x7F;
  }
};
struct OwnersUnseen : TorusOutputModule {
  using TorusOutputModule::TorusOutputModule;
  bool may(const OutputInputs& in, int input) const override {
    OutputInputs body = in;
    body.head = 0;
    return TorusOutputModule::may(body, input);
  }
};
struct PointerStays : TorusOutputModule {
  using TorusOutputModule::TorusOutputModule;
  void work() override {
    const uint8_t before = now().pointer;
    TorusOutputModule::work();
    next().pointer = before;
  }
};

struct OnePlaneLate : TorusBoxModule {
  using TorusBoxModule::TorusBoxModule;
  void choose() override {
    TorusBoxModule::choose();
    next().second[1] = next().second[0];
  }
};
struct SecondPlaneKeepsHeader : TorusBoxModule {
  using TorusBoxModule::TorusBoxModule;
  bool begins_second(const BoxInputs& in) const override { return in.fresh != 0; }
};

/// Whether the module with the bug agrees with the golden unit on the pins.
template <class Block, class Stimulus, class Golden, class Device>
bool agrees(Stimulus stimulus, Golden golden, Device& module) {
  return cosim::run_lockstep<Block>(stimulus, golden, module, options(5'000)).passed();
}
template <class Module>
bool walls_agree() {
  const Torus torus = Torus::parse("5x7");
  BasicTorusWallsDevice<Module> module(torus);
  return agrees<cosim::TorusWallsBlock>(cosim::TorusWallsPins(5, 7, 3), GoldenWalls(torus), module);
}
template <class Module>
bool sides_agree() {
  const Torus torus = Torus::parse("5x7");
  BasicTorusSidesDevice<Module> module(torus);
  return agrees<cosim::TorusSidesBlock>(cosim::TorusSidesPins(5, 7, 3), GoldenSides(torus), module);
}
template <class Module>
bool output_agrees() {
  BasicTorusOutputDevice<Module> module(3, 5);
  return agrees<cosim::TorusOutputBlock>(cosim::TorusOutputPins(3, 5, 3), GoldenOutput(3, 5), module);
}

template <class Module>
bool box_agrees(const char* size = "5x4x3") {
  const Torus torus = Torus::parse(size);
  BasicTorusBoxDevice<Module> module(torus);
  return agrees<cosim::TorusBoxBlock>(cosim::TorusBoxPins(torus, 3), GoldenBox(torus), module);
}

TEST(TorusSystemC, WallsHaveTwoDimensions) {
  hw::Tick tick("tick");
  const WallInputs quiet;
  const auto make = [&](const char* name, const char* size) {
    TorusWallsModule(name, tick, Torus::parse(size), [&]() -> const WallInputs& { return quiet; });
  };
  EXPECT_NO_THROW(make("flat", "4x4"));
  EXPECT_THROW(make("solid", "4x4x4"), Error);
}

TEST(TorusSystemC, BoxAgreesWithTheGoldenUnitForEverySize) {
  for (const char* size : {"3x3x3", "4x4x4", "5x7x3", "10x10x10", "64x3x17"})
    EXPECT_TRUE(box_agrees<TorusBoxModule>(size)) << size;
  EXPECT_THROW(TorusBoxDevice(Torus::parse("4x4")), Error);
  EXPECT_THROW(GoldenBox(Torus::parse("4x4")), Error);
}

TEST(TorusSystemC, PlantedBugsAreCaught) {
  EXPECT_FALSE(box_agrees<OnePlaneLate>());
  EXPECT_FALSE(box_agrees<SecondPlaneKeepsHeader>());
  EXPECT_TRUE(walls_agree<TorusWallsModule>());
  EXPECT_TRUE(sides_agree<TorusSidesModule>());
  EXPECT_TRUE(output_agrees<TorusOutputModule>());
  EXPECT_FALSE(walls_agree<RunGoesOn>());
  EXPECT_FALSE(walls_agree<WallsForgotten>());
  EXPECT_FALSE(sides_agree<OneSide>());
  EXPECT_FALSE(output_agrees<OwnersUnseen>());
  EXPECT_FALSE(output_agrees<PointerStays>());
  EXPECT_FALSE(route_lockstep<WallsUnseen>("10x10", Variant::kSafe6Ring, 5'000).passed());
  EXPECT_FALSE(route_lockstep<DetoursExchanged>("10x10", Variant::kSafe6Ring, 5'000).passed());
  EXPECT_FALSE(route_lockstep<PortsComeLate>("10x10", Variant::kSafe6Ring, 5'000).passed());
  EXPECT_FALSE(route_lockstep<HoldsTheHeader>("10x10", Variant::kSafe6Ring, 5'000).passed());
  EXPECT_FALSE(region_lockstep<DimensionsOnly>().passed());
  EXPECT_FALSE(region_lockstep<ForgetsMarks>().passed());
}

}  // namespace
}  // namespace odonata::torus
