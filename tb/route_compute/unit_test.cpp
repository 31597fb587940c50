// SPDX-License-Identifier: Apache-2.0
// The unit cycle by cycle: every rule of docs/route_compute.md §3, §4 and §7 as a test of its name.
#include "models/route_compute/unit.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "models/common/random.h"
#include "tb/common/random_bits.h"
#include "tb/route_compute/unit_bench.h"
#include "tb/route_compute/unit_oracle.h"

namespace odonata::route_compute {
namespace {

using test::UnitBench;

const Dragonfly kTiny = Dragonfly::named("tiny");
constexpr RouterId kOwn{1, 1};

UnitInputs request(const Address& to, int src_gid = 1, int vc = 0) { return UnitBench::request(to, src_gid, vc); }
UnitInputs both(UnitInputs request, const UnitInputs& operation) {
  request.cfg_valid = operation.cfg_valid;
  request.cfg_write = operation.cfg_write;
  request.cfg_addr = operation.cfg_addr;
  request.cfg_wdata = operation.cfg_wdata;
  return request;
}

/// A configured unit of the tiny network: router 1 of group 1, a node port unless said otherwise.
class UnitTest : public ::testing::Test {
 protected:
  UnitTest() { bench.configure(kOwn, 0); }
  UnitBench bench{kTiny};
};

// ---- timing

TEST_F(UnitTest, LatencyIsExactlyFour) {
  bench.step(request({1, 1, 1}));
  for (int k = 1; k <= 3; ++k) EXPECT_EQ(bench.step().resp_valid, 0) << "edge t+" << k;
  EXPECT_EQ(bench.step().resp_valid, 1) << "edge t+4";
  EXPECT_EQ(bench.out().resp_port, 1);
  EXPECT_EQ(bench.out().resp_hop_class, static_cast<int>(HopClass::le));
  EXPECT_EQ(bench.step().resp_valid, 0) << "one cycle long";
}

TEST_F(UnitTest, InitiationIntervalIsOne) {
  Random random(1);
  std::vector<int> offered, answered;
  for (int k = 0; k < 5000; ++k) {
    const bool valid = k < 1000 || random.chance(0.5);
    offered.push_back(valid);
    answered.push_back(
        bench.step(valid ? request({static_cast<int>(random.below(8)), 0, 0}) : UnitInputs{}).resp_valid);
  }
  for (size_t k = 4; k < offered.size(); ++k) ASSERT_EQ(answered[k], offered[k - 4]) << k;
}

TEST_F(UnitTest, RequestsAreAnsweredInOrder) {
  for (int k = 0; k < 16; ++k) {
    bench.step(request({1, 1, k % 2}));
    if (k >= 4) {
      EXPECT_EQ(bench.out().resp_port, (k - 4) % 2);
    }
  }
}

TEST_F(UnitTest, TheCongestionOfEdgeTPlus2Decides) {
  const int direct = kTiny.local_port(1, 0);
  for (int congested_edge = 0; congested_edge <= 4; ++congested_edge) {
    UnitInputs in = request({1, 0, 0});
    for (int edge = 0; edge <= 4; ++edge) {
      in.congestion.local = edge == congested_edge ? 1ull << direct : 0;
      bench.step(in);
      in = {};
    }
    ASSERT_EQ(bench.out().resp_valid, 1);
    EXPECT_EQ(bench.out().resp_hop_class, static_cast<int>(congested_edge == 2 ? HopClass::lf : HopClass::le))
        << "edge t+" << congested_edge;
    EXPECT_EQ(bench.out().resp_port == direct, congested_edge != 2);
  }
}

TEST_F(UnitTest, GlobalCongestionOfEdgeTPlus2Decides) {
  const Address to{4, 2, 0};  // group-wide port 4 is minimal
  for (int congested_edge = 0; congested_edge <= 4; ++congested_edge) {
    UnitInputs in = request(to);
    for (int edge = 0; edge <= 4; ++edge) {
      in.congestion.global = {};
      if (edge == congested_edge) in.congestion.global.set(4);
      bench.step(in);
      in = {};
    }
    EXPECT_EQ(bench.out().resp_hop_class == static_cast<int>(HopClass::ga), congested_edge != 2)
        << "edge t+" << congested_edge;
  }
}

TEST_F(UnitTest, ResponsePinsAreZeroWithoutAResponse) {
  bench.step(request({8, 0, 0}));
  bench.idle(4);
  EXPECT_EQ(bench.out().resp_port, 63) << "unroutable";
  bench.idle(1);
  const UnitOutputs& out = bench.out();
  EXPECT_EQ(out.resp_valid + out.resp_hop_class + out.resp_port + out.resp_vc + out.resp_router, 0);
}

TEST_F(UnitTest, UnroutableHasPort63AndZeroElse) {
  bench.step(request({8, 0, 0}, 1, 3));
  bench.idle(4);
  const UnitOutputs& out = bench.out();
  EXPECT_EQ(out.resp_valid, 1);
  EXPECT_EQ(out.resp_port, 63);
  EXPECT_EQ(out.resp_hop_class + out.resp_vc + out.resp_router, 0);
}

// ---- the LFSR

TEST(Lfsr, HasPeriod65535AndNeverReachesZero) {
  uint16_t x = 1;
  int period = 0;
  do {
    x = lfsr_next(x);
    ASSERT_NE(x, 0);
    ++period;
  } while (x != 1);
  EXPECT_EQ(period, 65535);
}

TEST(Lfsr, PicksAreEven) {
  for (int n : {1, 2, 4, 6, 12, 16, 32, 63}) {
    std::vector<int> lo(n), hi(n), word(n);
    for (int x = 0; x < 65536; ++x) {
      ++lo.at(pick_lo(low_mask(n), static_cast<uint16_t>(x)));
      ++hi.at(pick_hi(low_mask(n), static_cast<uint16_t>(x)));
      ++word.at(pick_word(low_mask(n), static_cast<uint16_t>(x)));
    }
    for (int k = 0; k < n; ++k) {
      EXPECT_NEAR(lo[k], 65536.0 / n, 256) << n;
      EXPECT_NEAR(hi[k], 65536.0 / n, 256) << n;
      EXPECT_NEAR(word[k], 65536.0 / n, 1) << n;
    }
  }
}

TEST_F(UnitTest, LfsrAdvancesOncePerRequestWhateverItsZone) {
  uint16_t expected = bench.unit().registers().lfsr();
  for (const Address& to : {Address{1, 1, 0}, {1, 0, 0}, {5, 0, 0}, {9, 9, 9}}) {
    bench.step(request(to));
    EXPECT_EQ(bench.unit().registers().lfsr(), expected) << "not yet at the edge that samples the request";
    bench.step();
    expected = lfsr_next(expected);
    EXPECT_EQ(bench.unit().registers().lfsr(), expected);
    bench.idle(5);
    EXPECT_EQ(bench.unit().registers().lfsr(), expected) << "an idle cycle does not advance it";
  }
}

TEST_F(UnitTest, TheRequestUsesTheLfsrValueOfItsStage1) {
  ASSERT_TRUE(bench.write(reg::kLfsr, 0x1234));
  bench.step(request({5, 0, 0}));
  bench.step(request({5, 0, 0}));
  bench.idle(3);
  ASSERT_EQ(bench.out().resp_valid, 1);
  EXPECT_EQ(bench.unit().response_record().lfsr, 0x1234);
  bench.idle(1);
  EXPECT_EQ(bench.unit().response_record().lfsr, lfsr_next(0x1234));
}

// ---- configuration operations: waiting

/// An operation and the stages that it waits for.
struct Waiting {
  const char* label;
  bool write;
  uint32_t address;
  uint64_t data;
  std::set<int> stages;
};
std::ostream& operator<<(std::ostream& out, const Waiting& w) { return out << w.label; }

class Waits : public ::testing::TestWithParam<Waiting> {
 protected:
  Waits() { bench.configure(kOwn, 0); }
  UnitBench bench{kTiny};
};

/// One request at edge 0, the operation taken at edge k: it meets the request in stage k+1 and waits while that stage
/// blocks it.
TEST_P(Waits, WhileAndOnlyWhileItsStagesAreBusy) {
  const Waiting& w = GetParam();
  for (int taken = 0; taken <= 5; ++taken) {
    int executed = taken;  // number of the cycle after that edge
    while (w.stages.count(executed + 1)) ++executed;
    const uint32_t waits_before = bench.unit().registers().counter(reg::kCounterWaits);
    for (int edge = 0; edge <= executed + 3; ++edge) {
      UnitInputs in = edge == 0 ? request({5, 2, 0}) : UnitInputs{};
      if (edge == taken) in = both(in, UnitBench::operation(w.write, w.address, w.data));
      bench.step(in);
      EXPECT_EQ(bench.out().cfg_ready, edge < taken || edge >= executed)
          << "taken " << taken << ", after edge " << edge;
      EXPECT_EQ(bench.out().cfg_ack, edge == executed + 2) << "taken " << taken << ", after edge " << edge;
      if (bench.out().cfg_ack) {
        EXPECT_EQ(bench.out().cfg_err, 0);
      }
    }
    EXPECT_EQ(bench.unit().registers().counter(reg::kCounterWaits) - waits_before,
              static_cast<uint32_t>(executed - taken));
    bench.idle(6);
  }
}

/// Under requests in every cycle: it waits for ever if a stage blocks it, and is executed in the first gap; nothing is
/// lost.
TEST_P(Waits, UnderRequestsInEveryCycleUntilTheFirstGap) {
  const Waiting& w = GetParam();
  for (int k = 0; k < 5; ++k) bench.step(request({5, 2, 0}));
  bench.step(both(request({5, 2, 0}), UnitBench::operation(w.write, w.address, w.data)));
  int acknowledged = 0;
  for (int k = 0; k < 50; ++k) acknowledged += bench.step(request({5, 2, 0})).cfg_ack;
  EXPECT_EQ(acknowledged, w.stages.empty() ? 1 : 0);
  for (int k = 0; k < 8; ++k) acknowledged += bench.step().cfg_ack;
  EXPECT_EQ(acknowledged, 1);
}

const uint64_t kEntryA = 0x3;  // a default entry
INSTANTIATE_TEST_SUITE_P(
    Operations, Waits,
    ::testing::Values(
        Waiting{"WriteTableA", true, reg::kTableA, kEntryA, {2}}, Waiting{"ReadTableA", false, reg::kTableA, 0, {2}},
        Waiting{"WriteTableB", true, reg::kTableB, kEntryA, {2}}, Waiting{"ReadTableB", false, reg::kTableB, 0, {2}},
        Waiting{"WriteTableC", true, reg::kTableC, 0, {3}}, Waiting{"ReadTableC", false, reg::kTableC, 0, {}},
        Waiting{"WriteRouterId", true, reg::kRouterId, 0x21, {1, 2, 3}},
        Waiting{"ReadRouterId", false, reg::kRouterId, 0, {}}, Waiting{"WritePort", true, reg::kPort, 0, {1, 2, 3}},
        Waiting{"ReadPort", false, reg::kPort, 0, {}}, Waiting{"WriteLfsr", true, reg::kLfsr, 77, {1}},
        Waiting{"ReadLfsr", false, reg::kLfsr, 0, {}}, Waiting{"WriteThreshold", true, reg::kThreshold, 5, {}},
        Waiting{"ReadThreshold", false, reg::kThreshold, 0, {}}, Waiting{"ReadId", false, reg::kId, 0, {}},
        Waiting{"ReadSize", false, reg::kSize, 0, {}}, Waiting{"ReadCounter", false, reg::kCounters, 0, {}}),
    [](const auto& info) { return std::string(info.param.label); });

TEST_F(UnitTest, ARefusedOperationNeverWaits) {
  for (const UnitInputs& bad :
       {UnitBench::operation(true, reg::kTableA, ~0ull), UnitBench::operation(true, reg::kTableB, ~0ull),
        UnitBench::operation(true, reg::kTableC, ~0ull), UnitBench::operation(true, reg::kRouterId, ~0ull),
        UnitBench::operation(true, reg::kPort, 3), UnitBench::operation(true, reg::kLfsr, 0),
        UnitBench::operation(false, reg::kTableC + 8 * 4), UnitBench::operation(true, reg::kCounters, 0)}) {
    for (int k = 0; k < 5; ++k) bench.step(request({5, 2, 0}));
    bench.step(both(request({5, 2, 0}), bad));
    EXPECT_EQ(bench.out().cfg_ready, 1);
    bench.step(request({5, 2, 0}));
    bench.step(request({5, 2, 0}));
    EXPECT_EQ(bench.out().cfg_ack, 1);
    EXPECT_EQ(bench.out().cfg_err, 1);
    EXPECT_EQ(bench.out().cfg_rdata, 0u);
  }
}

TEST_F(UnitTest, OneOperationACycleIsSustained) {
  for (int k = 0; k < 100; ++k) {
    bench.step(UnitBench::operation(true, reg::kTableA + 8 * (k % 2), 1 + k % 2));
    EXPECT_EQ(bench.out().cfg_ready, 1);
    EXPECT_EQ(bench.out().cfg_ack, k >= 2);
  }
}

TEST_F(UnitTest, AnOperationOfferedWhileNotReadyIsNotTaken) {
  bench.step(request({5, 2, 0}));
  bench.step(UnitBench::operation(true, reg::kTableA, 1));  // meets the request in stage 2
  ASSERT_EQ(bench.out().cfg_ready, 0);
  bench.step(UnitBench::operation(true, reg::kTableA, 2));
  bench.idle(5);
  EXPECT_EQ(bench.unit().registers().read(Target::table_a, 0), 1u);
}

TEST_F(UnitTest, AcknowledgePinsAreZeroWithoutAnAcknowledgement) {
  bench.operate(false, reg::kId);
  EXPECT_EQ(bench.out().cfg_rdata, reg::kIdValue);
  bench.idle(1);
  EXPECT_EQ(bench.out().cfg_ack + bench.out().cfg_err + bench.out().cfg_rdata, 0u);
}

// ---- configuration operations: effects

TEST_F(UnitTest, ATableWriteIsSeenByTheStageAfterItsExecution) {
  // The operation and the request are taken at the same edge: executed at t+1, read by stage 2 up to t+2.
  bench.step(both(request({1, 1, 0}), UnitBench::operation(true, reg::kTableA, 0x40)));
  bench.idle(4);
  EXPECT_EQ(bench.out().resp_port, 6);
}

TEST_F(UnitTest, ATableWriteThatWaitsIsNotSeenByTheRequestInStage2) {
  bench.step(request({1, 1, 0}));
  bench.step(UnitBench::operation(true, reg::kTableA, 0x40));
  bench.idle(3);
  EXPECT_EQ(bench.out().resp_port, 0);
  bench.step(request({1, 1, 0}));
  bench.idle(4);
  EXPECT_EQ(bench.out().resp_port, 6);
}

TEST_F(UnitTest, ATableCWriteIsSeenFromStage3OnNotByTheRequestInIt) {
  const Address to{7, 0, 0};  // the minimal port is 7 of router 3
  const int via = kTiny.local_port(1, 3);
  for (int taken = 0; taken <= 3; ++taken) {
    ASSERT_TRUE(bench.write(reg::kTableC + 8 * 3, 0x80u | static_cast<uint32_t>(via)));
    for (int edge = 0; edge <= 4; ++edge) {
      UnitInputs in = edge == 0 ? request(to) : UnitInputs{};
      if (edge == taken) in = both(in, UnitBench::operation(true, reg::kTableC + 8 * 3, 0));
      bench.step(in);
    }
    const bool unreachable = taken <= 1;  // executed at edge 1 or 2, before stage 3 (edge 3)
    EXPECT_EQ(bench.out().resp_hop_class == static_cast<int>(HopClass::ga), !unreachable) << "taken at edge " << taken;
    bench.idle(4);
  }
}

TEST_F(UnitTest, RouterIdAndPortChangeOnlyBetweenRequests) {
  bench.step(request({1, 1, 1}));
  bench.step(both(request({1, 1, 1}), UnitBench::operation(true, reg::kRouterId, 2 << 5)));
  bench.idle(3);
  EXPECT_EQ(bench.out().resp_hop_class, static_cast<int>(HopClass::le));
  bench.idle(1);
  EXPECT_EQ(bench.out().resp_hop_class, static_cast<int>(HopClass::le))
      << "the second request still belongs to the old router";
  bench.idle(4);
  EXPECT_EQ(bench.unit().registers().config().own(), (RouterId{2, 0}));
}

TEST_F(UnitTest, AReadReturnsWhatWasWritten) {
  EXPECT_TRUE(bench.write(reg::kTableA + 8 * 3, 0x55));
  EXPECT_TRUE(bench.write(reg::kTableB + 8 * 2, 0x2A));
  EXPECT_TRUE(bench.write(reg::kTableC + 8 * 1, 0x82 | 0x83 << 8));
  EXPECT_TRUE(bench.write(reg::kRouterId, 7 << 5 | 3));
  EXPECT_TRUE(bench.write(reg::kPort, 2 | 4));
  EXPECT_TRUE(bench.write(reg::kThreshold, 0x12345678));
  EXPECT_TRUE(bench.write(reg::kLfsr, 0xBEEF));
  EXPECT_EQ(bench.read(reg::kTableA + 8 * 3), 0x55u);
  EXPECT_EQ(bench.read(reg::kTableB + 8 * 2), 0x2Au);
  EXPECT_EQ(bench.read(reg::kTableC + 8 * 1), 0x8382u);
  EXPECT_EQ(bench.read(reg::kRouterId), (7u << 5 | 3u));
  EXPECT_EQ(bench.read(reg::kPort), 6u);
  EXPECT_EQ(bench.read(reg::kThreshold), 0x12345678u);
  EXPECT_EQ(bench.read(reg::kLfsr), 0xBEEFu);
}

TEST_F(UnitTest, IdAndSizeAreConstants) {
  EXPECT_EQ(bench.read(reg::kId) & 0xFFFFFFFF, 0x4F445243u);
  EXPECT_EQ(bench.read(reg::kId) >> 32, 1u);
  EXPECT_EQ(bench.read(reg::kSize), 2u | 4u << 8 | 2u << 16 | 8u << 24 | 8ull << 40);
}

TEST_F(UnitTest, ThresholdsAreShownOnTheirPins) {
  EXPECT_EQ(bench.out().threshold, 10u | 30u << 16);
  bench.step(UnitBench::operation(true, reg::kThreshold, 7u | 9u << 16));
  bench.idle(1);
  EXPECT_EQ(bench.out().threshold, 7u | 9u << 16);
}

TEST_F(UnitTest, ClassNodeIsJudgedAtTheTimeOfTheWrite) {
  const uint32_t global_a = reg::kTableA + 8 * (2 + 4 + 5);
  const uint64_t default_entry = 0x7F, global_entry = table::GlobalEntryA{3, false, 3}.encode();
  EXPECT_FALSE(bench.write(global_a, default_entry));
  EXPECT_TRUE(bench.write(global_a, global_entry));
  ASSERT_TRUE(bench.write(reg::kPort, 1));
  EXPECT_TRUE(bench.write(global_a, default_entry));
  EXPECT_FALSE(bench.write(global_a, global_entry));
  ASSERT_TRUE(bench.write(reg::kPort, 0));
  EXPECT_EQ(bench.read(global_a), default_entry) << "a read returns the stored word, whatever the class";
}

TEST_F(UnitTest, AGlobalEntryWithoutALocalPortCountsAsNone) {
  const uint32_t index = 2 + 4 + 5;
  ASSERT_TRUE(bench.write(reg::kPort, 1));
  ASSERT_TRUE(bench.write(reg::kTableA + 8 * index, 0x3));  // read as a global entry: port 0 (a node port), GP = 3
  ASSERT_TRUE(bench.write(reg::kTableB + 8 * (4 + 5), 0));  // eight times port 0
  ASSERT_TRUE(bench.write(reg::kPort, 0));
  bench.step(request({5, 0, 0}));
  bench.idle(4);
  EXPECT_EQ(bench.out().resp_valid, 1);
  EXPECT_EQ(bench.out().resp_hop_class, 0);
}

// ---- refusals

struct Refusal {
  const char* label;
  bool write;
  uint32_t address;
  uint64_t data;
};
std::ostream& operator<<(std::ostream& out, const Refusal& r) { return out << r.label; }

class Refused : public ::testing::TestWithParam<Refusal> {
 protected:
  Refused() { bench.configure(kOwn, 0); }
  /// Every readable word.
  std::vector<uint64_t> content() {
    std::vector<uint64_t> out;
    const Registers& regs = bench.unit().registers();
    for (uint32_t word = 0; word < reg::kEnd / 8; ++word) {
      const Target target = regs.target(false, word, 0);
      if (target != Target::refused) out.push_back(regs.read(target, word));
    }
    return out;
  }
  UnitBench bench{kTiny};
};

TEST_P(Refused, IsAcknowledgedWithAnErrorAndChangesNothing) {
  const std::vector<uint64_t> before = content();
  const UnitOutputs out = bench.operate(GetParam().write, GetParam().address, GetParam().data);
  EXPECT_EQ(out.cfg_ack, 1);
  EXPECT_EQ(out.cfg_err, 1);
  EXPECT_EQ(out.cfg_rdata, 0u);
  EXPECT_EQ(content(), before) << "the counter of writes included";
}

// Tiny: tables A and B end after 14 and 12 words, C after 4; 7 ports, local ports 2..4.
INSTANTIATE_TEST_SUITE_P(
    Operations, Refused,
    ::testing::Values(
        Refusal{"ReadBehindTableA", false, reg::kTableA + 8 * 14, 0},
        Refusal{"WriteBehindTableA", true, reg::kTableA + 8 * 14, 0},
        Refusal{"ReadBehindTableB", false, reg::kTableB + 8 * 12, 0},
        Refusal{"WriteBehindTableB", true, reg::kTableB + 8 * 12, 0},
        Refusal{"ReadBehindTableC", false, reg::kTableC + 8 * 4, 0},
        Refusal{"WriteBehindTableC", true, reg::kTableC + 8 * 4, 0}, Refusal{"RuleUndefinedBit", true, reg::kRule, 8},
        Refusal{"ReadHole6038", false, 0x6038, 0}, Refusal{"ReadBehindTheCounters", false, reg::kCounters + 8 * 11, 0},
        Refusal{"ReadLastWord", false, 0x7FF8, 0}, Refusal{"WriteId", true, reg::kId, 0},
        Refusal{"WriteSize", true, reg::kSize, 0}, Refusal{"WriteCounter", true, reg::kCounters, 0},
        Refusal{"WriteLastCounter", true, reg::kCounters + 8 * 10, 0},
        Refusal{"RouterIdBidOutOfRange", true, reg::kRouterId, 4},
        Refusal{"RouterIdGidOutOfRange", true, reg::kRouterId, 8 << 5},
        Refusal{"RouterIdUndefinedBit", true, reg::kRouterId, 1 << 14},
        Refusal{"RouterIdHighBit", true, reg::kRouterId, 1ull << 63}, Refusal{"PortClassReserved", true, reg::kPort, 3},
        Refusal{"PortUndefinedBit", true, reg::kPort, 8}, Refusal{"PortHighBit", true, reg::kPort, 1ull << 63},
        Refusal{"ThresholdUndefinedBit", true, reg::kThreshold, 1ull << 32}, Refusal{"LfsrZero", true, reg::kLfsr, 0},
        Refusal{"LfsrUndefinedBit", true, reg::kLfsr, 0x10001},
        Refusal{"DefaultEntryAPort7", true, reg::kTableA, 1 << 7},
        Refusal{"DefaultEntryAPort63", true, reg::kTableA + 8 * 2, 1ull << 63},
        Refusal{"DefaultEntryBPort7", true, reg::kTableB, 1 << 7},
        Refusal{"GlobalEntryAUndefinedPortBit", true, reg::kTableA + 8 * 6, 63 << 16 | 1 << 2},
        Refusal{"GlobalEntryANodePort", true, reg::kTableA + 8 * 6, 1 << 16 | 1},
        Refusal{"GlobalEntryAGlobalPort", true, reg::kTableA + 8 * 6, 5 << 16 | 1},
        Refusal{"GlobalEntryAUndefinedBit", true, reg::kTableA + 8 * 6, 1 << 23 | 63 << 16},
        Refusal{"GlobalEntryBPortZero", true, reg::kTableB + 8 * 4, 0},
        Refusal{"GlobalEntryBPort62", true, reg::kTableB + 8 * 4, (low_mask(48) & ~63ull) | 62},
        Refusal{"GlobalEntryBUndefinedBit", true, reg::kTableB + 8 * 4, low_mask(48) | 1ull << 50},
        Refusal{"TableCNodePort", true, reg::kTableC, 0x81}, Refusal{"TableCGlobalPort", true, reg::kTableC, 0x85},
        Refusal{"TableCInvalidByteNotZero", true, reg::kTableC, 0x02},
        Refusal{"TableCReservedBit", true, reg::kTableC, 0xC2},
        Refusal{"TableCHighBits", true, reg::kTableC, 1ull << 48}),
    [](const auto& info) { return std::string(info.param.label); });

// ---- reset

TEST_F(UnitTest, ResetInMidFlightDropsEveryRequest) {
  for (int k = 0; k < 4; ++k) bench.step(request({5, 2, 0}));
  bench.step(UnitBench::reset());
  EXPECT_EQ(bench.out().probe, 0u);
  for (int k = 0; k < 10; ++k) {
    EXPECT_EQ(bench.out().resp_valid, 0);
    bench.step();
  }
  EXPECT_EQ(bench.unit().registers().counter(reg::kCounterRequests), 0u);
}

TEST_F(UnitTest, ResetClearsAResponseThatWouldHaveBeenShown) {
  bench.step(request({1, 1, 0}));
  bench.idle(3);
  bench.step(UnitBench::reset());
  EXPECT_EQ(bench.out().resp_valid, 0);
}

TEST_F(UnitTest, ResetDropsAPendingOperationAndItsAcknowledgement) {
  bench.step(request({5, 2, 0}));
  bench.step(UnitBench::operation(true, reg::kTableA, 2));  // waits
  ASSERT_EQ(bench.out().cfg_ready, 0);
  bench.step(UnitBench::reset());
  EXPECT_EQ(bench.out().cfg_ready, 1);
  for (int k = 0; k < 5; ++k) EXPECT_EQ(bench.step().cfg_ack, 0);
  EXPECT_EQ(bench.unit().registers().read(Target::table_a, 0), 1u);

  bench.step(UnitBench::operation(false, reg::kId));
  bench.idle(1);  // executed, not yet acknowledged
  bench.step(UnitBench::reset());
  for (int k = 0; k < 5; ++k) EXPECT_EQ(bench.step().cfg_ack, 0);
}

TEST_F(UnitTest, NoRamWriteTakesPlaceAtAResetEdge) {
  bench.step(UnitBench::operation(true, reg::kTableA, 2));  // would be executed at the next edge
  bench.step(UnitBench::reset());
  bench.idle(3);
  EXPECT_EQ(bench.unit().registers().read(Target::table_a, 0), 1u);
}

TEST_F(UnitTest, PinsAreNotSampledAtAResetEdge) {
  UnitInputs in = both(request({1, 1, 0}), UnitBench::operation(true, reg::kThreshold, 1));
  in.reset = true;
  bench.step(in);
  for (int k = 0; k < 8; ++k) {
    bench.step();
    EXPECT_EQ(bench.out().resp_valid + bench.out().cfg_ack, 0);
  }
  EXPECT_EQ(bench.out().threshold, reg::kThresholdReset);
}

TEST_F(UnitTest, ResetValues) {
  ASSERT_TRUE(bench.write(reg::kThreshold, 1));
  ASSERT_TRUE(bench.write(reg::kPort, 4 | 1));
  bench.step(UnitBench::reset());
  EXPECT_EQ(bench.out().threshold, 10u | 30u << 16);
  EXPECT_EQ(bench.read(reg::kRouterId), 0u);
  EXPECT_EQ(bench.read(reg::kPort), 0u);
  EXPECT_EQ(bench.read(reg::kLfsr), 0xACE1u);
  for (int r = 0; r < 4; ++r) EXPECT_EQ(bench.read(reg::kTableC + 8 * r), 0u);
  for (int k = 0; k < reg::kNumCounters; ++k) EXPECT_EQ(bench.read(reg::kCounters + 8 * k), 0u) << k;
}

TEST_F(UnitTest, ResetKeepsTablesAAndB) {
  const uint64_t a = bench.read(reg::kTableA + 8 * 2), b = bench.read(reg::kTableB + 8 * 7);
  ASSERT_NE(a, 0u);
  bench.step(UnitBench::reset());
  EXPECT_EQ(bench.read(reg::kTableA + 8 * 2), a);
  EXPECT_EQ(bench.read(reg::kTableB + 8 * 7), b);
}

TEST(UnitReset, TheArrangementBitHasTheResetValueOfTheSize) {
  UnitBench paper(Dragonfly::named("paper"));
  EXPECT_EQ(paper.read(reg::kPort), 4u);
  ASSERT_TRUE(paper.write(reg::kPort, 0));
  paper.step(UnitBench::reset());
  EXPECT_EQ(paper.read(reg::kPort), 4u);
}

TEST(UnitReset, PowerUpIsTheResetState) {
  UnitBench fresh(kTiny), reset(kTiny);
  reset.step(UnitBench::reset());
  EXPECT_TRUE(fresh.out() == reset.out());
  EXPECT_EQ(fresh.out().cfg_ready, 1);
}

// ---- counters

TEST_F(UnitTest, RequestsCountWhenTheyLeaveStage1) {
  const Registers& regs = bench.unit().registers();
  bench.step(request({5, 2, 0}));
  EXPECT_EQ(regs.counter(reg::kCounterRequests), 0u);
  bench.step();
  EXPECT_EQ(regs.counter(reg::kCounterRequests), 1u);
}

TEST_F(UnitTest, EveryHopClassHasItsCounter) {
  std::array<uint32_t, 8> expected{};
  Random random(5);
  for (int k = 0; k < 4000; ++k) {
    UnitInputs in = request({static_cast<int>(random.below(9)), static_cast<int>(random.below(4)), 0});
    const int density = static_cast<int>(random.below(4));
    in.congestion.local = density == 0 ? 0 : density == 1 ? ~0ull : random.next();
    in.congestion.global.word[0] = density == 0 ? 0 : density == 1 ? ~0ull : random.next();
    bench.step(in);
    if (bench.out().resp_valid) ++expected[bench.out().resp_hop_class];
  }
  for (int k = 0; k < 4; ++k) {
    if (bench.step().resp_valid) ++expected[bench.out().resp_hop_class];
  }
  for (int c = 0; c < 8; ++c) {
    EXPECT_EQ(bench.read(reg::kCounters + 8 * (reg::kCounterHopClass + c)), expected[c]) << "class " << c;
    EXPECT_GT(expected[c], 0u) << "class " << c;
  }
  EXPECT_EQ(bench.read(reg::kCounters), 4000u);
}

TEST_F(UnitTest, OnlyWritesWithoutErrorCount) {
  const uint32_t before = bench.unit().registers().counter(reg::kCounterWrites);
  bench.write(reg::kThreshold, 1);
  bench.write(reg::kThreshold, ~0ull);
  bench.write(0x6038, 0);
  bench.read(reg::kId);
  EXPECT_EQ(bench.unit().registers().counter(reg::kCounterWrites), before + 1);
}

/// What a router may leave out: a unit with a request anywhere in it is not idle, nor one with an operation.
TEST_F(UnitTest, IsIdleWhenNothingIsInIt) {
  for (int k = 0; k < 4; ++k) bench.step();
  EXPECT_TRUE(bench.unit().idle());
  bench.step(request({1, 1, 1}));
  for (int k = 1; k <= 4; ++k) {
    EXPECT_FALSE(bench.unit().idle()) << k;
    EXPECT_EQ(bench.step().resp_valid, k == 4);
  }
  EXPECT_FALSE(bench.unit().idle()) << "its answer is shown";
  bench.step();
  EXPECT_TRUE(bench.unit().idle());
}

// ---- the probe

TEST_F(UnitTest, TheProbeShowsTheRequestStageByStage) {
  bench.step(request({5, 2, 0}));
  EXPECT_EQ(bench.out().probe, 1u) << "stage 1";
  bench.step();
  EXPECT_EQ(bench.out().probe, 2u | 2u << 2 | 1u << 4 | (2u + 4 + 5) << 5) << "stage 2: zone G, RTA, index A";
  bench.step();
  EXPECT_EQ(bench.out().probe, 1u << 15) << "stage 3";
  bench.step();
  EXPECT_EQ(bench.out().probe & 0x1FFFF, 1u << 16) << "stage 4";
  EXPECT_EQ(bench.out().probe >> 17 & 1, 1u) << "GA is not empty";
  EXPECT_EQ(bench.out().probe >> 21 & 3, 0u) << "S1 and S2 belong to RTB";
  EXPECT_EQ(bench.out().probe >> 23, 1u) << "there are valid options";
  bench.step();
  EXPECT_EQ(bench.out().probe, 0u);
}

TEST_F(UnitTest, TheProbeOfARequestOutOfRange) {
  bench.step(request({511, 31, 15}));
  bench.step();
  EXPECT_EQ(bench.out().probe, 2u | 3u << 2);
  bench.idle(2);
  EXPECT_EQ(bench.out().probe, 1u << 16) << "no vector has a bit";
}

// ---- driving it

TEST(ConfigurationWrites, AreAllAcceptedAtEveryPortClassAndSize) {
  for (const Dragonfly& d : {Dragonfly::named("tiny"), Dragonfly::named("paper"), Dragonfly::named("full"),
                             Dragonfly({3, 5, 3, 7}, Arrangement::direct)}) {
    for (int port : {0, d.first_local(), d.first_global(), d.num_ports() - 1}) {
      UnitBench bench(d);
      const RouterId own{d.g() - 1, d.a() - 1};
      bench.configure(own, port, 99);
      const table::PortTables tables = table::configure(d, own, port);
      const Registers& regs = bench.unit().registers();
      EXPECT_EQ(regs.config().own(), own);
      EXPECT_EQ(regs.config().port_class(), d.port_class(port));
      EXPECT_EQ(regs.lfsr(), 99);
      for (int i = 0; i < table::size_a(d); ++i) ASSERT_EQ(regs.read(Target::table_a, i), tables.a[i]);
      for (int i = 0; i < table::size_b(d); ++i)
        ASSERT_EQ(regs.read(Target::table_b, reg::kTableB / 8 + i), tables.b[i]);
      for (int i = 0; i < d.a(); ++i) ASSERT_EQ(regs.read(Target::table_c, reg::kTableC / 8 + i), tables.c[i]);
    }
  }
}

TEST(ConfigurationWrites, SeedsAreNeverZeroAndDifferFromPortToPort) {
  const Dragonfly d = Dragonfly::named("paper");
  std::set<int> seeds;
  int total = 0;
  for (int r = 0; r < 40; ++r) {
    for (int port = 0; port < d.num_ports(); ++port, ++total) {
      seeds.insert(lfsr_seed(1, d, d.router(r), port));
      ASSERT_NE(lfsr_seed(1, d, d.router(r), port), 0);
    }
  }
  EXPECT_GT(seeds.size(), total * 0.98);
  EXPECT_NE(lfsr_seed(1, d, {0, 0}, 0), lfsr_seed(2, d, {0, 0}, 0));
}

TEST(PackAddress, RoundTrip) {
  for (uint32_t bits = 0; bits < 1u << 18; ++bits) ASSERT_EQ(pack_address(unpack_address(bits)), bits);
  EXPECT_EQ(pack_address({1, 2, 3}), 1u << 9 | 2u << 4 | 3u);
}

// ---- lockstep with the second cycle model

/// Random pins: requests, operations with good and bad addresses and data, congestion, now and then a reset.
class RandomPins {
 public:
  RandomPins(const Dragonfly& d, uint64_t seed) : d_(d), random_(seed) {}

  UnitInputs next() {
    if (random_.chance(0.01)) load_ = random_.unit();
    if (random_.chance(0.01)) density_ = static_cast<int>(random_.below(5));
    UnitInputs in;
    in.reset = random_.chance(0.0005);
    in.req_valid = random_.chance(load_);
    in.req_dest = any_address();
    in.req_src_gid = static_cast<uint16_t>(random_.chance(0.5) ? random_.below(d_.g()) : random_.below(512));
    in.req_vc = static_cast<uint8_t>(random_.below(4));
    in.congestion.local = random_bits(random_, density_) & low_mask(d_.num_ports());
    for (uint64_t& word : in.congestion.global.word) word = random_bits(random_, density_);
    in.congestion.global = in.congestion.global & GroupMap::low(d_.group_ports());
    in.congestion.busy_local = random_bits(random_, density_) & low_mask(d_.num_ports());
    for (uint64_t& word : in.congestion.busy_global.word) word = random_bits(random_, density_);
    in.congestion.busy_global = in.congestion.busy_global & GroupMap::low(d_.group_ports());
    in.cfg_valid = random_.chance(0.4);
    in.cfg_write = random_.chance(0.7);
    any_operation(in);
    return in;
  }

 private:
  uint32_t any_address() {
    if (random_.chance(0.05)) return random_.below(1 << 18);
    const Address to{static_cast<int>(random_.below(d_.g())), static_cast<int>(random_.below(d_.a())),
                     static_cast<int>(random_.below(d_.p()))};
    return pack_address(to);
  }
  int any_local() { return d_.first_local() + static_cast<int>(random_.below(d_.a() - 1)); }
  uint64_t any_entry(bool second) {
    switch (random_.below(4)) {
      case 0:
        return random_.next() & low_mask(d_.num_ports());
      case 1:
        return random_.next();
      default:
        break;
    }
    if (!second)
      return table::GlobalEntryA{any_local(), random_.chance(0.3),
                                 static_cast<uint32_t>(random_.next() & low_mask(d_.h()))}
          .encode();
    table::GlobalEntryB e;
    e.own_global_ports = static_cast<uint32_t>(random_.next() & low_mask(d_.h()));
    for (int& port : e.port) {
      if (random_.chance(0.6)) port = any_local();
    }
    return e.encode();
  }
  void any_operation(UnitInputs& in) {
    const auto at = [&in](uint32_t base, uint32_t index) { in.cfg_addr = static_cast<uint16_t>(base / 8 + index); };
    in.cfg_wdata = random_.next();
    switch (random_.below(13)) {
      case 0:
      case 1:
      case 2:
        return at(reg::kTableA, random_.below(table::size_a(d_) + 1)), void(in.cfg_wdata = any_entry(false));
      case 3:
      case 4:
      case 5:
        return at(reg::kTableB, random_.below(table::size_b(d_) + 1)), void(in.cfg_wdata = any_entry(true));
      case 6:
      case 7:
        return at(reg::kTableC, random_.below(d_.a())),
               void(in.cfg_wdata = 0x80u | static_cast<uint64_t>(any_local()) |
                                   (random_.chance(0.5) ? 0x8000ull | static_cast<uint64_t>(any_local()) << 8 : 0));
      case 8:
        return at(reg::kRouterId, 0), void(in.cfg_wdata = random_.below(d_.g() + 1) << 5 | random_.below(d_.a()));
      case 9:
        return at(reg::kPort, 0), void(in.cfg_wdata = random_.below(random_.chance(0.9) ? 3 : 9));
      case 11:
        return at(reg::kRule, 0), void(in.cfg_wdata = random_.below(random_.chance(0.9) ? 8 : 64));
      case 10:
        return at(reg::kId, random_.below(24)), void(in.cfg_wdata &= random_.chance(0.8) ? 0xFFFF : ~0ull);
      default:
        in.cfg_addr = static_cast<uint16_t>(random_.below(4096));
    }
  }
  Dragonfly d_;
  Random random_;
  double load_ = 0.5;
  int density_ = 1;
};

std::string show(const UnitOutputs& o) {
  std::ostringstream out;
  out << "resp " << int{o.resp_valid} << " class " << int{o.resp_hop_class} << " port " << int{o.resp_port} << " vc "
      << int{o.resp_vc} << " router " << int{o.resp_router} << "; cfg ready " << int{o.cfg_ready} << " ack "
      << int{o.cfg_ack} << " err " << int{o.cfg_err} << std::hex << " rdata 0x" << o.cfg_rdata << "; threshold 0x"
      << o.threshold << " probe 0x" << o.probe;
  return out.str();
}

/// Runs both for a number of cycles; the number of responses and acknowledgements that were compared.
std::pair<int, int> lockstep(const Dragonfly& d, uint64_t seed, int cycles) {
  Unit unit(d);
  oracle::UnitOracle expected(d.size(), d.arrangement() == Arrangement::absolute);
  RandomPins pins(d, seed);
  std::pair<int, int> seen{0, 0};
  for (int cycle = 0; cycle < cycles; ++cycle) {
    const UnitInputs in = pins.next();
    unit.step(in);
    const UnitOutputs want = expected.step(in);
    seen.first += want.resp_valid;
    seen.second += want.cfg_ack;
    if (!(unit.out() == want)) {
      ADD_FAILURE() << d.name() << ", seed " << seed << ", cycle " << cycle << "\nexpected " << show(want)
                    << "\ngot      " << show(unit.out());
      break;
    }
  }
  return seen;
}

TEST(UnitLockstep, WithTheHistoryModelAtTinySize) {
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    const auto [responses, acknowledgements] = lockstep(kTiny, seed, 20000);
    EXPECT_GT(responses, 5000);
    EXPECT_GT(acknowledgements, 1000);
  }
}
TEST(UnitLockstep, WithTheHistoryModelAtOddSizes) {
  lockstep(Dragonfly({3, 5, 3, 7}, Arrangement::direct), 5, 15000);
  lockstep(Dragonfly({1, 2, 1, 3}, Arrangement::absolute), 6, 15000);
  lockstep(Dragonfly({16, 32, 16, 300}, Arrangement::absolute), 7, 2000);
}
TEST(UnitLockstep, WithTheHistoryModelAtPaperSize) { lockstep(Dragonfly::named("paper"), 8, 10000); }
TEST(UnitLockstep, WithTheHistoryModelAtFullSize) { lockstep(Dragonfly::named("full"), 9, 4000); }

TEST(UnitLockstep, NoticesAnUnitThatIsOneCycleLate) {
  Unit unit(kTiny);
  oracle::UnitOracle expected(kTiny.size(), false);
  RandomPins pins(kTiny, 1);
  UnitOutputs late;
  int differences = 0;
  for (int cycle = 0; cycle < 1000; ++cycle) {
    const UnitInputs in = pins.next();
    unit.step(in);
    differences += !(late == expected.step(in));
    late = unit.out();
  }
  EXPECT_GT(differences, 100);
}

}  // namespace
}  // namespace odonata::route_compute
