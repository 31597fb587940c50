// SPDX-License-Identifier: Apache-2.0
// The global scheduler: golden and RTL in lockstep, nothing lost, link events first, t1 and t2 as docs/fault.md §6
// says, planted bugs.
#include <gtest/gtest.h>

#include "tb/fault/lockstep_bench.h"
#include "tb/fault/port_block.h"
#include "tb/fault/scheduler_block.h"
#include "tb/harness/lockstep.h"

namespace odonata::cosim {
namespace {

using namespace fault;

TEST(FaultScheduler, RtlEqualsGolden) {
  const Dragonfly tiny = Dragonfly::named("tiny"), full = Dragonfly::named("full");
  SchedulerUnit small(tiny, scheduler_config(tiny)), large(full, scheduler_config(full));
  SchedulerStimulus a(tiny, 3), b(full, 4);
  const auto rtl_small = make_rtl<FaultSchedulerBlock>(tiny), rtl_large = make_rtl<FaultSchedulerBlock>(full);
  const RunResult x = run_lockstep<FaultSchedulerBlock>(a, small, *rtl_small, {.max_cycles = 1'000'000}),
                  y = run_lockstep<FaultSchedulerBlock>(b, large, *rtl_large, {.max_cycles = 300'000});
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
        stimulus, reference, device, options,
        [&](const SchedulerInputs& in, const SchedulerOutputs& out) { coverage.sample(in, out, reference); });
    EXPECT_TRUE(r.passed());
    expect_complete(coverage.coverage(), size);
  }
}

TEST(FaultScheduler, EveryPlantedBugIsCaught) {
  const Dragonfly d = Dragonfly::named("tiny");
  expect_caught(8, TriedBy::scheduler, [&d](const Plant& plant) {
    SchedulerUnit reference(d, scheduler_config(d));
    SchedulerStimulus stimulus(d, 5);
    const auto rtl = make_rtl<FaultSchedulerBlock>(d, RtlVariant::debug, plant.number);
    return run_lockstep<FaultSchedulerBlock>(stimulus, reference, *rtl, {.max_cycles = 500'000});
  });
}

/// An idle scheduler looks at `poll_width` stations further in every cycle, also when that is several times round.
TEST(FaultScheduler, APollThatIsWiderThanTheRingGoesRound) {
  const Dragonfly d = Dragonfly::named("tiny");
  SchedulerConfig c = scheduler_config(d);
  for (c.poll_width = 1; c.poll_width <= 64; ++c.poll_width) {
    SchedulerRegisters r;
    r.link = ~0ull;
    for (int looks = 1; looks <= 20; ++looks) {
      finish_look(c, scheduler_look(d, c, r), r);
      ASSERT_EQ(r.pointer, looks * c.poll_width % c.stations) << "poll width " << c.poll_width;
    }
  }
}

/// With 64 stations: t1 is 1 for a link event and 1..64 for a message; the next look is at the earliest 66 cycles after
/// the hit.
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
  EXPECT_EQ(cycles, 3 + 63 + 18)
      << "the pointer moved to 1 in the look after reset and stood there while the event was served";
}

/// Cycles from the look that serves a command to the scheduler's next look, at full size in RTL: the scheduler with 64
/// stations and the unit of the last port, 62 hops down the ring.
int service_cycles(CommandKind kind) {
  const Dragonfly d = Dragonfly::named("full");
  const int last = d.num_ports() - 1;
  const auto scheduler = make_rtl<FaultSchedulerBlock>(d);
  const auto unit = make_rtl<FaultPortBlock>(d);
  SchedulerInputs s;
  SchedulerOutputs look;
  PortInputs base;
  PortOutputs port;
  base.own_port = static_cast<uint8_t>(last);
  base.port_class = 2;
  base.out_ready = 1;
  PortInputs in = base;
  s.reset = in.reset = 1;
  scheduler->step(s, look);
  unit->step(in, port);
  s.reset = 0;
  for (int row = 0; row < num_rows(d); ++row) {
    in = base;
    in.cfg_valid = 1;
    in.cfg_row = static_cast<uint16_t>(row);
    in.cfg_b = 2;
    unit->step(in, port);
  }
  if (kind == CommandKind::link_up) s.link_up &= ~2ull;  // it goes down first
  std::vector<PortInputs> ring(static_cast<size_t>(last), base);
  int served = 0, start = 0;
  for (int cycle = 0; cycle < 20000; ++cycle) {
    if (cycle == 5000) s.link_up = kind == CommandKind::link_down ? ~2ull : ~0ull;
    if (cycle == 5000 && kind >= CommandKind::diagnosis) s.queue_valid = 2;
    PortInputs station = ring.back();
    PortInputs enters = base;
    if (look.cmd_valid) {
      if (cycle >= 5000) {
        served = 1;
        start = cycle;
        s.queue_valid = 0;
      }
      enters.cmd_valid = 1;
      enters.cmd_kind = static_cast<uint8_t>(look.pop ? static_cast<int>(kind) : look.cmd_kind);
      enters.cmd_port = look.cmd_port;
      enters.cmd_message = encode_message(
          {kind == CommandKind::recovery ? Kind::recovery : Kind::diagnosis, MessageClass::d, 1, 300, 0, 0});
    }
    if (served && cycle > start && !look.working) return cycle - start;
    ring.insert(ring.begin(), enters);
    ring.pop_back();
    s.unit_busy = port.busy ? 1ull << last : 0;
    unit->step(station, port);
    scheduler->step(s, look);
  }
  return -1;
}

/// DOAR §4.2 with t2 = 63 and t1 = 1 of the look itself: t_gd = 1 + 63 + 2, t_ld = 1 + 63 + 1120, t_r = 1 + 63 + 1680.
/// An FR needs a cycle more than an FD.
TEST(FaultScheduler, ServiceTimesOfTheRtlAtFullSize) {
  const int t_gd = service_cycles(CommandKind::diagnosis), t_ld = service_cycles(CommandKind::link_down),
            t_r = service_cycles(CommandKind::link_up);
  EXPECT_EQ(t_gd, 66);
  EXPECT_EQ(t_ld, 1184);
  EXPECT_EQ(t_r, 1744);
  EXPECT_EQ(service_cycles(CommandKind::recovery), 67);
  RecordProperty("t_gd", t_gd);
  RecordProperty("t_ld", t_ld);
  RecordProperty("t_r", t_r);
}

}  // namespace
}  // namespace odonata::cosim
