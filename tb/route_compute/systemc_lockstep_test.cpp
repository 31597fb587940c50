// SPDX-License-Identifier: Apache-2.0
// Lockstep of the SystemC pipeline with the golden unit, pin by pin and cycle by cycle; and the lockstep under the
// SystemC kernel.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>

#include "hw/common/lockstep_module.h"
#include "hw/route_compute/pipeline_device.h"
#include "hw/route_compute/shadow.h"
#include "models/common/error.h"
#include "models/route_compute/golden_device.h"
#include "tb/harness/lockstep.h"
#include "tb/harness/vcd_values.h"
#include "tb/route_compute/block.h"
#include "tb/route_compute/random_pins.h"

namespace odonata::route_compute {
namespace {

using cosim::RandomPins;
using cosim::RouteComputeBlock;

constexpr uint64_t kCycles = 300'000;

template <class Pipeline>
cosim::RunResult run(const Dragonfly& d, uint64_t cycles, uint64_t seed = 1) {
  RandomPins pins(d, seed);
  GoldenDevice golden(d);
  BasicPipelineDevice<Pipeline> device(d);
  return cosim::run_lockstep<RouteComputeBlock>(pins, golden, device, {.max_cycles = cycles});
}

std::string text(const cosim::RunResult& result) {
  if (!result.mismatch) return "no mismatch";
  std::ostringstream out;
  out << "cycle " << result.mismatch->cycle;
  for (const cosim::Difference& d : result.mismatch->differences) {
    out << "\n" << d.probe << ": expected " << std::hex << d.expected << ", got " << d.got << " at " << d.stage;
  }
  for (const std::string& reason : result.mismatch->reasons) out << "\n  " << reason;
  return out.str();
}

class PipelineLockstep : public ::testing::TestWithParam<const char*> {};

TEST_P(PipelineLockstep, EqualsTheGoldenUnitOnEveryPinInEveryCycle) {
  const cosim::RunResult result = run<RouteComputePipeline>(Dragonfly::named(GetParam()), kCycles);
  EXPECT_TRUE(result.passed()) << text(result);
  EXPECT_EQ(result.cycles, kCycles);
  EXPECT_GT(result.compared, kCycles / 4);
}
INSTANTIATE_TEST_SUITE_P(Sizes, PipelineLockstep, ::testing::Values("tiny", "paper", "full"));

TEST(PipelineLockstepSeeds, OddSizesAgreeToo) {
  const Dragonfly d = Dragonfly::parse("3,5,2,11");
  const cosim::RunResult result = run<RouteComputePipeline>(d, 40'000, 7);
  EXPECT_TRUE(result.passed()) << text(result);
}

TEST(RandomPinsTest, ReachEverythingThatTheLockstepIsAbout) {
  const Dragonfly d = Dragonfly::named("tiny");
  RandomPins pins(d, 1);
  GoldenDevice golden(d);
  UnitInputs in;
  UnitOutputs out;
  std::map<std::string, int> seen;
  for (uint64_t k = 0; k < kCycles && pins.next(out, in); ++k) {
    golden.step(in, out);
    seen["reset"] += in.reset;
    seen["reset in mid-flight"] += in.reset && k > 10;
    seen["request"] += in.req_valid;
    seen["operation waits"] += !out.cfg_ready;
    seen["refused"] += out.cfg_err;
    seen["executed"] += out.cfg_ack && !out.cfg_err;
    if (out.resp_valid) ++seen[to_string(static_cast<HopClass>(out.resp_hop_class))];
  }
  for (const char* what : {"reset", "reset in mid-flight", "request", "operation waits", "refused", "executed",
                           "unroutable", "GA", "GB", "GC", "GD", "LE", "LF", "fallback"}) {
    EXPECT_GT(seen[what], 5) << what;
  }
}

TEST(PipelineDeviceTest, ManyDevicesInOneProcess) {
  const Dragonfly tiny = Dragonfly::named("tiny"), paper = Dragonfly::named("paper");
  PipelineDevice stays(paper);
  RandomPins pins(paper, 3);
  GoldenDevice golden(paper);
  UnitInputs in;
  UnitOutputs expected, got;
  for (uint64_t round = 0; round < 4; ++round) {
    const cosim::RunResult result = run<RouteComputePipeline>(tiny, 3000, round);
    EXPECT_TRUE(result.passed()) << text(result);
    for (int k = 0; k < 2000 && pins.next(expected, in); ++k) {
      golden.step(in, expected);
      stays.step(in, got);
      ASSERT_EQ(expected, got);
    }
  }
}

// Planted bugs: the lockstep has to catch each.

/// P1 takes the highest hop class first.
class WrongPriority : public RouteComputePipeline {
 public:
  using RouteComputePipeline::RouteComputePipeline;
  void stage4() override {
    RouteComputePipeline::stage4();
    const SelectRank& r3 = now().r3;
    if (!r3.valid || !r3.rta) return;
    GlobalRequests swapped = r3.global;
    std::swap(swapped.ga, swapped.gb);
    next().r4.decision = stage4_rta(config(), swapped, r3.cong_local, r3.vc, r3.lfsr);
  }
};

/// Stage 3 uses a congestion snapshot that is a cycle late.
class LateSnapshot : public RouteComputePipeline {
 public:
  using RouteComputePipeline::RouteComputePipeline;
  void sample() override {
    RouteComputePipeline::sample();
    next().congestion = now().congestion;
  }
};

/// Stage 2 needs two cycles.
class SlowTable : public RouteComputePipeline {
 public:
  using RouteComputePipeline::RouteComputePipeline;
  void stage3() override {
    FilterRank r2 = held_;
    held_ = now().r2;
    next().r3.valid = r2.valid;
  }

 private:
  FilterRank held_;
};

/// Stage 2 reads the tables a second time: the single-port RAM itself complains.
class SecondRead : public RouteComputePipeline {
 public:
  using RouteComputePipeline::RouteComputePipeline;
  void stage2() override {
    RouteComputePipeline::stage2();
    if (now().r0.valid) RouteComputePipeline::stage2();
  }
};

TEST(PlantedBugs, WrongPriorityIsCaught) {
  const cosim::RunResult result = run<WrongPriority>(Dragonfly::named("tiny"), kCycles);
  ASSERT_TRUE(result.mismatch);
  EXPECT_NE(text(result).find("stage 4"), std::string::npos) << text(result);
}
TEST(PlantedBugs, LateSnapshotIsCaught) { EXPECT_TRUE(run<LateSnapshot>(Dragonfly::named("tiny"), kCycles).mismatch); }
TEST(PlantedBugs, SlowTableIsCaught) { EXPECT_TRUE(run<SlowTable>(Dragonfly::named("tiny"), kCycles).mismatch); }
TEST(PlantedBugs, SecondAccessToTheTableIsCaught) {
  try {
    run<SecondRead>(Dragonfly::named("tiny"), kCycles);
    FAIL() << "the RAM did not complain";
  } catch (const sc_core::sc_report& report) {
    EXPECT_NE(std::string(report.what()).find("second access to a single-port RAM"), std::string::npos)
        << report.what();
  }
}

// The shadow of the registers.

TEST(Shadow, FollowsEveryRegisterOfTheUnit) {
  const Dragonfly d = Dragonfly::named("tiny");
  RandomPins pins(d, 3);
  GoldenDevice golden(d);
  ShadowRegisters shadow(d);
  UnitInputs in;
  UnitOutputs before = golden.unit().out(), out = before;
  for (int k = 0; k < 20'000 && pins.next(out, in); ++k) {
    before = out;
    golden.step(in, out);
    shadow.step(in, before, out);
    if (k % 7 != 0) continue;
    const Registers &expected = golden.unit().registers(), &got = shadow.registers();
    for (uint32_t word = 0; word < reg::kEnd / 8; ++word) {
      const Target target = expected.target(false, word, 0);
      ASSERT_EQ(got.read(target, word), expected.read(target, word)) << "word " << word << " cycle " << k;
    }
  }
}

// Waveform.

TEST(Waveform, ShowsAllStages) {
  const std::string path = ::testing::TempDir() + "odonata_pipeline_" + std::to_string(getpid()) + ".vcd";
  const Dragonfly d = Dragonfly::named("tiny");
  PipelineDevice device(d);
  RandomPins pins(d, 5);
  UnitInputs in;
  UnitOutputs out;
  const auto steps = [&](int n) {
    for (int k = 0; k < n && pins.next(out, in); ++k) device.step(in, out);
  };
  steps(300);
  device.open_trace(path);
  steps(600);
  device.close_trace();
  steps(10);
  std::ifstream file(path);
  const std::string vcd((std::istreambuf_iterator<char>(file)), {});
  for (const char* signal :
       {"stage1", "stage2", "zone", "index_a", "stage3", "stage4", "GA", "winner", "port", "vc", "waits"}) {
    EXPECT_NE(vcd.find(signal), std::string::npos) << signal;
  }
  EXPECT_GT(std::count(vcd.begin(), vcd.end(), '#'), 500) << "time steps";
  std::remove(path.c_str());
  EXPECT_THROW(device.open_trace("/nowhere/at/all.vcd"), Error);
}

/// The places in tables A and B are those of the golden decoding.
TEST(Waveform, ShowsWhereTheTablesAreRead) {
  const Dragonfly d = Dragonfly::named("tiny");
  UnitInputs in;
  in.req_valid = true;
  in.req_dest = 5u << 9 | 1u << 4;
  const Decoded decoded = decode(UnitConfig(d), {unpack_address(in.req_dest), 0, 0});
  ASSERT_NE(decoded.index_a, decoded.index_b);
  PipelineDevice device(d);
  const std::string path = ::testing::TempDir() + "odonata_index_" + std::to_string(getpid()) + ".vcd";
  device.open_trace(path);
  UnitOutputs out;
  for (int k = 0; k < 12; ++k) {
    in.reset = k < 2;
    device.step(in, out);
  }
  device.close_trace();
  ASSERT_FALSE(cosim::vcd_values(path, "stage2.index_a").empty());
  ASSERT_FALSE(cosim::vcd_values(path, "stage2.index_b").empty());
  EXPECT_EQ(cosim::vcd_values(path, "stage2.index_a").back(), static_cast<uint64_t>(decoded.index_a));
  EXPECT_EQ(cosim::vcd_values(path, "stage2.index_b").back(), static_cast<uint64_t>(decoded.index_b));
  std::remove(path.c_str());
}

// Lockstep under the SystemC kernel.

bool responds(const UnitOutputs& out) { return out.resp_valid != 0; }

using Lockstep = hw::LockstepModule<UnitInputs, UnitOutputs, cosim::Stimulus<UnitInputs, UnitOutputs>>;

/// Golden, with a wrong answer from a certain cycle on.
class Faulty : public CycleDevice<UnitInputs, UnitOutputs> {
 public:
  Faulty(const Dragonfly& d, uint64_t cycle) : golden_(d), cycle_(cycle) {}
  void step(const UnitInputs& in, UnitOutputs& out) override {
    golden_.step(in, out);
    if (count_++ >= cycle_ && out.resp_valid) out.resp_port ^= 1;
  }

 private:
  GoldenDevice golden_;
  uint64_t cycle_, count_ = 0;
};

TEST(LockstepModuleTest, StopsAtTheFirstMismatch) {
  const Dragonfly d = Dragonfly::named("tiny");
  RandomPins pins(d, 1);
  GoldenDevice golden(d);
  Faulty faulty(d, 20'000);
  Lockstep lockstep("lockstep", pins, golden, faulty, {.transaction = responds});
  sc_core::sc_start();
  ASSERT_TRUE(lockstep.mismatch());
  EXPECT_FALSE(lockstep.passed());
  EXPECT_GE(lockstep.mismatch()->cycle, 20'000u);
  EXPECT_LT(lockstep.mismatch()->cycle, 30'000u);
  EXPECT_EQ(lockstep.mismatch()->got.resp_port, lockstep.mismatch()->expected.resp_port ^ 1);
}

TEST(LockstepModuleTest, AQuantumChangesNothingButTheSpeed) {
  const Dragonfly d = Dragonfly::named("tiny");
  RandomPins pins(d, 1), same_pins(d, 1);
  GoldenDevice golden(d), same_golden(d);
  Faulty faulty(d, 20'000), same_faulty(d, 20'000);
  Lockstep one("one", pins, golden, faulty, {.transaction = responds});
  sc_core::sc_start();
  hw::OwnKernel kernel;
  const hw::OwnKernel::Scope scope(kernel);
  Lockstep many("many", same_pins, same_golden, same_faulty, {.quantum = 8, .transaction = responds});
  sc_core::sc_start();
  ASSERT_TRUE(one.mismatch() && many.mismatch());
  EXPECT_EQ(one.mismatch()->cycle, many.mismatch()->cycle);
  EXPECT_EQ(one.compared(), many.compared());
}

TEST(LockstepModuleTest, ARunThatComparesNothingFails) {
  const Dragonfly d = Dragonfly::named("tiny");
  cosim::Recorded<UnitInputs, UnitOutputs> nothing({});
  GoldenDevice reference(d), device(d);
  Lockstep lockstep("lockstep", nothing, reference, device, {.transaction = responds});
  sc_core::sc_start();
  EXPECT_FALSE(lockstep.passed());
}

TEST(LockstepModuleTest, GoldenAndSystemcAgree) {
  const Dragonfly d = Dragonfly::named("paper");
  RandomPins pins(d, 12);
  GoldenDevice golden(d);
  PipelineDevice pipeline(d);
  Lockstep lockstep("lockstep", pins, golden, pipeline, {.max_cycles = 10'000, .transaction = responds});
  sc_core::sc_start();
  EXPECT_TRUE(lockstep.passed()) << "cycle " << lockstep.cycles();
  EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::sc_time(10'001, sc_core::SC_NS));
}

TEST(LockstepModuleTest, GoldenAndRtlAgreeAtFullSize) {
  const Dragonfly d = Dragonfly::named("full");
  const std::vector<Dragonfly> built = cosim::rtl_dragonflies<cosim::RouteComputeBlock>();
  if (std::none_of(built.begin(), built.end(), [&](const Dragonfly& b) { return b.name() == d.name(); })) {
    GTEST_SKIP() << "no RTL of this size in this build";
  }
  RandomPins pins(d, 11);
  GoldenDevice golden(d);
  const auto rtl = cosim::make_rtl<cosim::RouteComputeBlock>(d);
  Lockstep lockstep("lockstep", pins, golden, *rtl, {.max_cycles = 50'000, .transaction = responds});
  sc_core::sc_start();
  EXPECT_TRUE(lockstep.passed()) << "cycle " << lockstep.cycles();
  EXPECT_EQ(lockstep.cycles(), 50'000u);
}

}  // namespace
}  // namespace odonata::route_compute
