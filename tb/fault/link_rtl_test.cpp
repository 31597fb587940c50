// SPDX-License-Identifier: Apache-2.0
// The link level in RTL: in lockstep with the golden end, planted bugs, and two Verilated ends over a noisy wire that
// lose nothing.
#include <gtest/gtest.h>

#include "tb/fault/link_block.h"
#include "tb/fault/plant_tests.h"
#include "tb/fault/run_words.h"

namespace odonata::cosim {
namespace {

using namespace fault;

RunResult lockstep(FaultLinkDevice& device, uint64_t cycles, uint64_t seed,
                   const Dragonfly& d = Dragonfly::named("tiny")) {
  LinkStimulus stimulus(d, seed);
  LinkUnit reference(d);
  RunOptions options;
  options.max_cycles = cycles;
  return run_lockstep<FaultLinkBlock>(stimulus, reference, device, options);
}

TEST(FaultLinkRtl, RtlEqualsGolden) {
  const auto rtl = make_rtl<FaultLinkBlock>(Dragonfly::named("tiny"), RtlVariant::debug);
  const RunResult r = lockstep(*rtl, 1'200'000, 41);
  EXPECT_TRUE(r.passed()) << words(r);
  EXPECT_GT(r.compared, 10'000u);
}

/// Groups up to 511, of which none is malformed, routers up to 31, nodes up to 15.
TEST(FaultLinkRtl, RtlEqualsGoldenAtFullSize) {
  const Dragonfly d = Dragonfly::named("full");
  const RunResult r = lockstep(*make_rtl<FaultLinkBlock>(d), 1'000'000, 44, d);
  EXPECT_TRUE(r.passed()) << words(r);
  EXPECT_GT(r.compared, 10'000u);
}

TEST(FaultLinkRtl, CoverageIsComplete) {
  const Dragonfly d = Dragonfly::named("tiny");
  LinkCoverage coverage;
  LinkStimulus stimulus(d, 43);
  LinkUnit reference(d), device(d);
  RunOptions options;
  options.max_cycles = 600'000;
  const RunResult r = run_lockstep<FaultLinkBlock>(
      stimulus, reference, device, options,
      [&](const LinkInputs& in, const LinkOutputs& out) { coverage.sample(in, out, reference); });
  EXPECT_TRUE(r.passed());
  EXPECT_EQ(coverage.coverage().percent(), 100.0) << coverage.coverage().to_text(40);
  EXPECT_EQ(coverage.coverage().errors(), "");
}

TEST(FaultLinkRtl, EveryPlantedBugIsCaught) {
  int caught = 0;
  for (const Plant& plant : planted_fault::kPlants) {
    if (tried_by(plant) != TriedBy::link) continue;
    const auto rtl = make_rtl<FaultLinkBlock>(Dragonfly::named("tiny"), RtlVariant::debug, plant.number);
    EXPECT_TRUE(lockstep(*rtl, 1'000'000, 42).mismatch.has_value()) << plant.name << ": " << plant.what;
    ++caught;
  }
  EXPECT_GE(caught, 12);
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
