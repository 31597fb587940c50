// SPDX-License-Identifier: Apache-2.0
// Route compute's look-ups and the fault plane on one single-port RAM: in lockstep with the golden, look-ups in every
// cycle if they come, nothing lost.
#include <gtest/gtest.h>

#include "tb/fault/fault_shared_port_block.h"
#include "tb/fault/lockstep_bench.h"
#include "tb/fault/shared_block.h"

namespace odonata::cosim {
namespace {

using namespace fault;

using SharedBench = FaultBench<FaultSharedBlock, GoldenSharedPort, SharedStimulus>;

TEST(FaultShared, RtlEqualsGolden) {
  const auto rtl = make_rtl<FaultSharedBlock>(Dragonfly::named("tiny"), RtlVariant::debug);
  SharedBench::expect_agrees(*rtl, 1'000'000, 51, 200'000);
}

/// Rows up to 559, ports up to 62, groups up to 511.
TEST(FaultShared, RtlEqualsGoldenAtFullSize) {
  const Dragonfly d = Dragonfly::named("full");
  SharedBench::expect_agrees(*make_rtl<FaultSharedBlock>(d), 400'000, 54, 100'000, d);
}

/// A and B of a look-up in every state: A partial beside full and beside partial options of B, lost, masked, ...
TEST(FaultShared, CoverageIsComplete) {
  const Dragonfly d = Dragonfly::named("tiny");
  SharedCoverage coverage(d);
  GoldenSharedPort device(d);
  const RunResult r = SharedBench::watched(
      device, 16'000'000, 53, d,
      [&](const SharedInputs& in, const SharedOutputs&, const GoldenSharedPort& g) { coverage.sample(in, g); });
  EXPECT_TRUE(r.passed());
  expect_complete(coverage.coverage());
}

TEST(FaultShared, EveryPlantedBugIsCaught) {
  expect_caught(20, TriedBy::shared, [](const Plant& plant) {
    const auto rtl = make_rtl<FaultSharedBlock>(Dragonfly::named("tiny"), RtlVariant::debug, plant.number);
    return SharedBench::run(*rtl, 1'000'000, 52);
  });
}

/// Marks and messages of a travel, with look-ups in `load` of the cycles.
struct Diagnosis {
  std::vector<std::pair<int, uint64_t>> writes;
  std::vector<uint32_t> messages;
  int busy = 0, answered = 0;
};
Diagnosis diagnose(double load) {
  const Dragonfly d = Dragonfly::named("tiny");
  const RouterId own{0, 1};
  const auto rtl = make_rtl<FaultSharedBlock>(d, RtlVariant::debug);
  SharedInputs base;
  base.port.own_bid = 1;
  base.port.own_port = static_cast<uint8_t>(d.local_port(1, 0));
  base.port.port_class = 1;
  base.port.out_ready = 1;
  SharedInputs in = base;
  SharedOutputs out;
  in.port.reset = 1;
  rtl->step(in, out);
  for (int row = 0; row < num_rows(d); ++row) {
    const Options o = row_config(d, own, entry_of_row(d, row), Mode::safe).at(d, base.port.own_port);
    in = base;
    in.port.cfg_valid = 1;
    in.port.cfg_row = static_cast<uint16_t>(row);
    in.port.cfg_has_a = o.a != 0;
    in.port.cfg_a = static_cast<uint8_t>(o.a != 0 ? std::countr_zero(o.a) : 0);
    in.port.cfg_b = o.b;
    rtl->step(in, out);
  }
  rtl->step(base, out);
  Diagnosis result;
  Random random(7);
  for (int cycle = 0; cycle < 5000 && (cycle < 4 || out.port.busy || out.port.msg_valid); ++cycle) {
    in = base;
    in.port.cmd_valid = cycle == 0;
    in.port.cmd_port = static_cast<uint8_t>(d.global_port(0));
    in.req_valid = random.chance(load);
    in.dest = (2 + random.below(6)) << 9;
    rtl->step(in, out);
    if (out.port.write) result.writes.emplace_back(out.port.write_row, out.port.write_lost[0]);
    if (out.port.msg_valid) result.messages.push_back(out.port.msg);
    result.busy += out.port.busy;
    result.answered += out.resp_valid;
  }
  return result;
}

TEST(FaultShared, NothingIsLostUnderLoad) {
  const Diagnosis idle = diagnose(0), loaded = diagnose(0.8);
  EXPECT_GT(idle.messages.size(), 0u);
  EXPECT_EQ(idle.writes, loaded.writes);
  EXPECT_EQ(idle.messages, loaded.messages);
  EXPECT_EQ(idle.busy, 2 * 14);
  EXPECT_GT(loaded.busy, 2 * idle.busy) << "the action uses only the cycles that route compute leaves";
  EXPECT_GT(loaded.answered, loaded.busy / 2);
}

}  // namespace
}  // namespace odonata::cosim
