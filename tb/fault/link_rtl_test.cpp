// SPDX-License-Identifier: Apache-2.0
// The link level in RTL: in lockstep with the golden end, planted bugs, and two Verilated ends over a noisy wire that
// lose nothing.
#include <gtest/gtest.h>

#include "tb/fault/link_block.h"
#include "tb/fault/lockstep_bench.h"

namespace odonata::cosim {
namespace {

using namespace fault;

using LinkBench = FaultBench<FaultLinkBlock, LinkUnit, LinkStimulus>;

TEST(FaultLinkRtl, RtlEqualsGolden) {
  const auto rtl = make_rtl<FaultLinkBlock>(Dragonfly::named("tiny"), RtlVariant::debug);
  LinkBench::expect_agrees(*rtl, 1'200'000, 41, 10'000);
}

/// Groups up to 511, of which none is malformed, routers up to 31, nodes up to 15.
TEST(FaultLinkRtl, RtlEqualsGoldenAtFullSize) {
  const Dragonfly d = Dragonfly::named("full");
  LinkBench::expect_agrees(*make_rtl<FaultLinkBlock>(d), 1'000'000, 44, 10'000, d);
}

TEST(FaultLinkRtl, CoverageIsComplete) {
  const Dragonfly d = Dragonfly::named("tiny");
  LinkCoverage coverage;
  LinkUnit device(d);
  const RunResult r = LinkBench::watched(
      device, 600'000, 43, d,
      [&](const LinkInputs& in, const LinkOutputs& out, const LinkUnit& u) { coverage.sample(in, out, u); });
  EXPECT_TRUE(r.passed());
  expect_complete(coverage.coverage());
}

TEST(FaultLinkRtl, EveryPlantedBugIsCaught) {
  expect_caught(12, TriedBy::link, [](const Plant& plant) {
    const auto rtl = make_rtl<FaultLinkBlock>(Dragonfly::named("tiny"), RtlVariant::debug, plant.number);
    return LinkBench::run(*rtl, 1'000'000, 42);
  });
}

/// Every message of one end arrives at the other once, in order, although a tenth of the frames is lost or broken and
/// the receiver is often full.
TEST(FaultLinkRtl, NothingIsLostOnANoisyWire) {
  const Dragonfly d = Dragonfly::named("tiny");
  const auto left = make_rtl<FaultLinkBlock>(d, RtlVariant::debug),
             right = make_rtl<FaultLinkBlock>(d, RtlVariant::debug);
  NoisyWire there(1, 0.1), back(2, 0.1);
  Random random(3);
  LinkInputs a, b;
  LinkOutputs from_a, from_b;
  a.reset = b.reset = 1;
  left->step(a, from_a);
  right->step(b, from_b);
  a.reset = b.reset = 0;
  constexpr uint32_t kMessages = 3000;
  uint32_t sent = 0, received = 0;
  bool ready = false;  // the copy that the port unit has
  const auto number = [&](uint32_t n) {
    return encode_message({Kind::diagnosis, MessageClass::d, 3, static_cast<uint16_t>(n & 7),
                           static_cast<uint8_t>(n >> 3 & 3), static_cast<uint8_t>(n >> 5 & 1)});
  };
  for (int cycle = 0; cycle < 2'000'000 && received < kMessages; ++cycle) {
    a.msg_valid = sent < kMessages;
    a.msg = number(sent);
    sent += ready && a.msg_valid;
    ready = from_a.ready;
    b.in_ready = random.chance(0.8);
    if (from_b.in_valid && b.in_ready) {
      ASSERT_EQ(from_b.in_message, number(received));
      ++received;
    }
    there.carry(from_a.frame_valid, from_a.frame, b.frame_valid, b.frame);
    back.carry(from_b.frame_valid, from_b.frame, a.frame_valid, a.frame);
    left->step(a, from_a);
    right->step(b, from_b);
  }
  EXPECT_EQ(received, kMessages);
  EXPECT_GT(from_b.dropped, 100);
  EXPECT_GT(from_a.again, 100);
}

}  // namespace
}  // namespace odonata::cosim
