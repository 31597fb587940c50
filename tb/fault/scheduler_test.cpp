// SPDX-License-Identifier: Apache-2.0
// The global scheduler: golden and RTL in lockstep, nothing lost, link events first, t1 and t2 as docs/fault.md §6 says, planted bugs.
#include <gtest/gtest.h>

#include "fault_plants.h"
#include "tb/fault/scheduler_block.h"
#include "tb/harness/lockstep.h"

namespace odonata::cosim {
namespace {

using namespace fault;

RunResult lockstep(SchedulerUnit& reference, FaultSchedulerDevice& device, uint64_t cycles, SchedulerStimulus& stimulus) {
  RunOptions options;
  options.max_cycles = cycles;
  return run_lockstep<FaultSchedulerBlock>(stimulus, reference, device, options);
}

TEST(FaultScheduler, RtlEqualsGolden) {
  const Dragonfly tiny = Dragonfly::named("tiny"), full = Dragonfly::named("full");
  SchedulerUnit small(tiny, scheduler_config(tiny)), large(full, scheduler_config(full));
  SchedulerStimulus a(tiny, 3), b(full, 4);
  const auto rtl_small = make_fault_scheduler_rtl(tiny), rtl_large = make_fault_scheduler_rtl(full);
  const RunResult x = lockstep(small, *rtl_small, 1'000'000, a), y = lockstep(large, *rtl_large, 300'000, b);
  EXPECT_TRUE(x.passed());
  EXPECT_TRUE(y.passed());
  EXPECT_GT(x.compared, 10'000u);
  EXPECT_GT(y.compared, 1'000u);
  EXPECT_EQ(a.offered(), a.popped() + a.flushed() + a.waiting()) << "no message is lost or served twice";
}

TEST(FaultScheduler, CoverageIsComplete) {
  for (const char* size : {"tiny", "full"}) {
    const Dragonfly d = Dragonfly::named(size);
    SchedulerUnit reference(d, scheduler_config(d)), device(d, scheduler_config(d));
    SchedulerStimulus stimulus(d, 6);
    SchedulerCoverage coverage(d, scheduler_config(d));
    RunOptions options;
    options.max_cycles = 2'000'000;
    const RunResult r = run_lockstep<FaultSchedulerBlock>(
        stimulus, reference, device, options, [&](const SchedulerInputs& in, const SchedulerOutputs& out) { coverage.sample(in, out, reference); });
    EXPECT_TRUE(r.passed());
    EXPECT_EQ(coverage.coverage().percent(), 100.0) << size << "\n" << coverage.coverage().to_text(40);
    EXPECT_EQ(coverage.coverage().errors(), "") << size;
  }
}

TEST(FaultScheduler, EveryPlantedBugIsCaught) {
  const Dragonfly d = Dragonfly::named("tiny");
  int plants = 0;
  for (const Plant& plant : planted_fault::kPlants) {
    if (plant.file != "rtl/fault/fault_scheduler.sv" || plant.name.starts_with("beyond-")) continue;
    SchedulerUnit reference(d, scheduler_config(d));
    SchedulerStimulus stimulus(d, 5);
    const auto rtl = make_fault_scheduler_rtl(d, true, plant.number);
    EXPECT_TRUE(lockstep(reference, *rtl, 500'000, stimulus).mismatch.has_value()) << plant.name << ": " << plant.what;
    ++plants;
  }
  EXPECT_GE(plants, 8);
}

/// With 64 stations: t1 is 1 for a link event and 1..64 for a message; the next look is at the earliest 66 cycles after the hit.
TEST(FaultScheduler, CyclesOfTheSpecification) {
  const Dragonfly d = Dragonfly::named("full");
  SchedulerUnit unit(d);
  SchedulerInputs in;
  SchedulerOutputs out;
  in.reset = 1;
  unit.step(in, out);
  in.reset = 0;
  in.link_up &= ~(1ull << 20);
  unit.step(in, out);
  EXPECT_TRUE(out.cmd_valid) << "a link event is served in the cycle in which its register shows it";
  EXPECT_EQ(out.cmd_port, 20);
  EXPECT_EQ(out.pop, 0);
  in.queue_valid = 1ull << 19;
  int cycles = 0;
  do {
    unit.step(in, out);
    ++cycles;
  } while (out.working);
  EXPECT_EQ(cycles, 3 + 63);
  while (!out.cmd_valid) {
    unit.step(in, out);
    ++cycles;
  }
  EXPECT_EQ(out.cmd_port, 19);
  EXPECT_EQ(out.pop, 1);
  EXPECT_EQ(cycles, 3 + 63 + 18) << "the pointer moved to 1 in the look after reset and stood there while the event was served";
}

}  // namespace
}  // namespace odonata::cosim
