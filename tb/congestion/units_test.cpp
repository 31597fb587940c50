// SPDX-License-Identifier: Apache-2.0
// The golden units of the congestion plane against slow recounts and against each rule of docs/congestion.md §2-§6.
#include <gtest/gtest.h>

#include <set>

#include "models/congestion/golden_device.h"
#include "models/congestion/pcs_transport.h"
#include "models/congestion/router_plane.h"
#include "tb/common/property.h"
#include "tb/congestion/recount.h"

namespace odonata::congestion {
namespace {

// ---- Frame ----

uint8_t crc_bit_by_bit(int bid, uint32_t bits, bool phase) {
  uint32_t crc = 0xFC;
  const uint32_t message = static_cast<uint32_t>(phase) << 21 | static_cast<uint32_t>(bid) << 16 | bits;
  for (int i = 21; i >= 0; --i) {
    const bool out = (crc >> 7 & 1) != (message >> i & 1);
    crc = (crc << 1 & 0xFF) ^ (out ? 0x07 : 0);
  }
  return static_cast<uint8_t>(crc);
}

TEST(Frame, CrcIsThePolynomialDivisionOf22Bits) {
  for (int bid = 0; bid < 32; ++bid) {
    for (uint32_t bits = 0; bits < 65536; bits += 7) {
      for (bool phase : {false, true}) ASSERT_EQ(frame_crc(bid, bits, phase), crc_bit_by_bit(bid, bits, phase));
    }
  }
}

/// Frames of phase 0 are those of a plane that knows no phase: 21 bits {bid, bitmap} from 0xFF.
TEST(Frame, WithPhaseZeroTheCrcIsThatOf21BitsFromAllOnes) {
  for (int bid = 0; bid < 32; ++bid) {
    for (uint32_t bits = 0; bits < 65536; bits += 101) {
      uint32_t crc = 0xFF;
      for (int i = 20; i >= 0; --i) {
        const bool out = (crc >> 7 & 1) != ((static_cast<uint32_t>(bid) << 16 | bits) >> i & 1);
        crc = (crc << 1 & 0xFF) ^ (out ? 0x07 : 0);
      }
      ASSERT_EQ(frame_crc(bid, bits, false), crc);
    }
  }
}

TEST(Frame, EveryErrorOfUpToThreeBitsAndEveryShortBurstIsFound) {
  // The CRC is linear: an error is missed exactly when the CRC of the error pattern (start value 0) is its own CRC
  // part.
  const auto missed = [](uint32_t error) {
    const auto bits = error >> 8 & 0xFFFF;  // bit 24: the phase
    return (frame_crc(0, bits, error >> 24 & 1) ^ frame_crc(0, 0, false)) == (error & 0xFF);
  };
  int errors = 0;
  for (int i = 0; i < 25; ++i) {
    for (int j = i; j < 25; ++j) {
      for (int k = j; k < 25; ++k, ++errors) {
        const uint32_t error = 1u << i | 1u << j | 1u << k;
        ASSERT_FALSE(missed(error)) << error;
      }
    }
  }
  EXPECT_EQ(errors, 2925);
  for (uint32_t burst = 1; burst < 256; ++burst) {
    for (int at = 0; at <= 16; ++at) ASSERT_FALSE(missed(burst << at)) << burst << " at " << at;
  }
}

TEST(Frame, AFrameOfAnotherNeighbourIsBad) {
  for (int a = 0; a < 32; ++a) {
    for (int b = 0; b < 32; ++b) EXPECT_EQ(frame_crc(a, 0x1234, false) == frame_crc(b, 0x1234, false), a == b);
  }
}

TEST(PcsTransport, DelaysByItsLatencyWithSeveralFramesInFlight) {
  for (int latency : {1, 2, 7, 30}) {
    PcsTransport pipe(latency);
    for (int e = 1; e < 100; ++e) {
      const Frame out = pipe.step({static_cast<uint16_t>(e), 0, e % 3 != 0,
                                   static_cast<uint16_t>(e % 2)});  // on the input pins between edges e-1 and e
      const int put = e - latency + 1;
      if (put < 1) {
        EXPECT_FALSE(out.valid);
      } else
        EXPECT_EQ(out, (Frame{static_cast<uint16_t>(put), 0, put % 3 != 0, static_cast<uint16_t>(put % 2)}));
    }
  }
}

// ---- Credit monitor ----

using Steps = std::vector<MonitorInputs>;

/// Arbitrary credit traffic: legal, illegal, bursts, silence, changes of the configuration.
Steps arbitrary_traffic(Random& random, MonitorLimits limits, int cycles, bool reconfigure) {
  Steps steps;
  MonitorInputs in;
  double send = 0.5, credit = 0.5, depart = 0.5;
  int queue = 0;  // packets that were sent and have not departed
  for (int i = 0; i < cycles; ++i) {
    if (i == 0 || (reconfigure && random.below(40) == 0)) {
      in.capacity = static_cast<uint16_t>(random.below(limits.max_capacity + 3));
      in.window = static_cast<uint16_t>(random.below(limits.max_window + 3));
      in.window_enable = random.below(4) != 0;
      in.threshold = static_cast<uint16_t>(random.below(limits.max_capacity));
      in.busy_threshold = in.threshold / 2;
    }
    if (random.below(30) == 0) send = random.unit();
    if (random.below(30) == 0) credit = random.unit();
    if (random.below(30) == 0) depart = random.below(2) ? 1 : random.unit();
    in.sent = in.credit = 0;
    for (int v = 0; v < kNumVcs; ++v) {
      in.sent |= static_cast<uint8_t>(random.chance(send) << v);
      in.credit |= static_cast<uint8_t>(random.chance(credit) << v);
    }
    queue += std::popcount(in.sent);
    in.departed = queue != 0 && random.chance(depart);
    queue -= in.departed;
    in.failed = random.below(50) == 0;
    steps.push_back(in);
  }
  return steps;
}

/// Cycles until the recount disagrees with the device, -1 when it never does. `twist` may damage what the device sees.
template <class Twist>
int first_difference(const Steps& steps, MonitorLimits limits, Twist&& twist) {
  CreditMonitor device(limits);
  test::Recount recount(limits);
  for (size_t i = 0; i < steps.size(); ++i) {
    device.step(twist(steps[i]));
    recount.sample(steps[i]);
    if (!(device.out() == recount.after())) return static_cast<int>(i);
  }
  return -1;
}
constexpr auto kAsIs = [](const MonitorInputs& in) { return in; };

TEST(CreditMonitor, EqualsABruteForceRecountOfTheLastRoundTrip) {
  odonata::test::check_property(200, [] {
    Random random(odonata::test::uniform_word());
    const MonitorLimits limits{1 + static_cast<int>(random.below(4)), 1 + static_cast<int>(random.below(12)),
                               1 + static_cast<int>(random.below(20))};
    RC_ASSERT(first_difference(arbitrary_traffic(random, limits, 200, true), limits, kAsIs) == -1);
  });
}

TEST(CreditMonitor, EqualsTheRecountAtFullSize) {
  Random random(7);
  for (int run = 0; run < 4; ++run) {
    EXPECT_EQ(first_difference(arbitrary_traffic(random, {}, 1200, run > 1), {}, kAsIs), -1) << run;
  }
}

TEST(CreditMonitor, TheRecountFindsPlantedErrors) {
  Random random(11);
  const MonitorLimits limits{4, 8, 16};
  const Steps steps = arbitrary_traffic(random, limits, 400, false);
  const auto found = [&](auto twist) { return first_difference(steps, limits, twist) >= 0; };
  EXPECT_TRUE(found([](MonitorInputs in) {
    in.window += in.window < 15 ? 1 : -1;
    return in;
  })) << "window one cycle off";
  EXPECT_TRUE(found([](MonitorInputs in) {
    in.credit &= 7;
    return in;
  })) << "credits of the last VC forgotten";
  EXPECT_TRUE(found([](MonitorInputs in) {
    in.sent &= 14;
    return in;
  })) << "sends of the first VC forgotten";
  EXPECT_TRUE(found([](MonitorInputs in) {
    in.departed = in.sent != 0;
    return in;
  })) << "grants taken off instead of departures";
  EXPECT_TRUE(found([lost = false](MonitorInputs in) mutable {
    if (in.departed && !lost) lost = true, in.departed = false;
    return in;
  })) << "the first departure lost";
  EXPECT_TRUE(found([](MonitorInputs in) {
    in.threshold += 1;
    return in;
  })) << "threshold one off";
  EXPECT_TRUE(found([](MonitorInputs in) {
    in.busy_threshold += 1;
    return in;
  })) << "second threshold one off";
  EXPECT_TRUE(found([](MonitorInputs in) {
    in.capacity += 1;
    return in;
  })) << "one slot too many";
  EXPECT_TRUE(found([](MonitorInputs in) {
    in.window_enable = !in.window_enable;
    return in;
  })) << "switch inverted";
  EXPECT_TRUE(found([](MonitorInputs in) {
    in.failed = false;
    return in;
  })) << "failed port ignored";
}

TEST(CreditMonitor, UnderflowAndOverflowAreReportedAndChangeNothing) {
  CreditMonitor m;
  const MonitorInputs config{.window_enable = true, .capacity = 2, .window = 22, .threshold = 10};
  const auto step = [&](uint8_t sent, uint8_t credit) {
    MonitorInputs in = config;
    in.sent = sent;
    in.credit = credit;
    m.step(in);
  };
  step(0, 0);
  step(0, 4);
  step(0, 0);
  EXPECT_EQ(m.out().overflow, 4);
  EXPECT_EQ(m.out().occupancy, 0);
  for (int i = 0; i < 3; ++i) step(1, 0);
  EXPECT_EQ(vc_in_use(m.out(), 0), 2);
  EXPECT_EQ(m.out().underflow, 0);
  step(1, 1);  // judged by the value before the edge: the send is refused, the credit counts
  EXPECT_EQ(m.out().underflow, 1);
  EXPECT_EQ(vc_in_use(m.out(), 0), 2);
  step(0, 0);
  EXPECT_EQ(m.out().underflow, 1);
  EXPECT_EQ(vc_in_use(m.out(), 0), 1);
  step(0, 0);
  EXPECT_EQ(m.out().underflow, 0) << "a pulse";
}

TEST(CreditMonitor, AFlowWithoutQueueingIsNotCongestedUnlessTheWindowIsOff) {
  for (const bool enable : {true, false}) {
    CreditMonitor m;
    bool congested = false;
    int most = 0;
    for (int e = 0; e < 2000; ++e) {  // a packet a cycle; its credit is back after the round trip of 202 cycles
      MonitorInputs in{.window_enable = enable, .capacity = 256, .window = 202, .threshold = 30};
      if (e >= 2) in.sent = static_cast<uint8_t>(1 << (e & 3));
      in.departed = e >= 2;
      if (e >= 204) in.credit = static_cast<uint8_t>(1 << ((e - 202) & 3));
      m.step(in);
      congested |= m.out().congested;
      most = std::max<int>(most, m.out().corrected);
      EXPECT_EQ(m.out().underflow | m.out().overflow, 0);
    }
    EXPECT_EQ(congested, !enable);
    EXPECT_EQ(m.out().occupancy, 202);
    EXPECT_EQ(most, enable ? 0 : 202);
  }
}

/// The finding behind `departed_i`: packets that wait in front of the link are seen at once, not a round trip later.
TEST(CreditMonitor, AQueueInTheOutputFifoCountsUntilItDeparts) {
  CreditMonitor m;
  const int packets = 40;  // granted two a cycle, depart one a cycle, credits after the round trip
  for (int e = 0; e < 400; ++e) {
    MonitorInputs in{.window_enable = true, .capacity = 256, .window = 202, .threshold = 10};
    if (e >= 10 && e < 10 + packets / 2) in.sent = 3;
    in.departed = e >= 10 && e < 10 + packets;
    if (e >= 212 && e < 212 + packets) in.credit = e & 1 ? 1 : 2;
    m.step(in);
    const int shown = e - 12, granted = std::clamp(2 * (shown + 1), 0, packets),
              departed = std::clamp(shown + 1, 0, packets);
    EXPECT_EQ(m.out().corrected, granted - departed) << e;
    EXPECT_EQ(m.out().congested, granted - departed > 10) << e;
    EXPECT_EQ(m.out().underflow | m.out().overflow, 0);
  }
}

TEST(CreditMonitor, CongestionIsShownTwoEdgesAfterTheEvent) {
  CreditMonitor m;
  const MonitorInputs idle{.capacity = 4, .threshold = 0};
  MonitorInputs send = idle;
  send.sent = 8;
  m.step(idle);
  m.step(send);  // edge t
  EXPECT_EQ(m.out().occupancy, 0);
  m.step(idle);
  EXPECT_EQ(m.out().occupancy, 1);
  EXPECT_FALSE(m.out().congested);
  m.step(idle);
  EXPECT_TRUE(m.out().congested);
}

// ---- Bitmap sender ----

struct SenderRun {
  std::vector<SenderInputs> in;
  std::vector<SenderOutputs> out;
};
SenderRun run_sender(uint64_t seed, int ports, int cycles) {
  Random random(seed);
  BitmapSender sender(ports);
  SenderRun run;
  SenderInputs in;
  in.interval = static_cast<uint8_t>(1 + random.below(14));
  in.own_bid = static_cast<uint8_t>(random.below(32));
  in.alternate = random.below(2) != 0;
  const double busy = random.unit(), tail = random.unit();
  for (int e = 0; e < cycles; ++e) {
    in.congested = static_cast<uint16_t>(random.next());
    in.busy = static_cast<uint16_t>(random.next());
    in.flit = in.tail = 0;
    for (int k = 0; k < ports; ++k) {
      in.flit |= static_cast<uint32_t>(random.chance(busy)) << k;
      in.tail |= static_cast<uint32_t>(random.chance(tail)) << k;
    }
    sender.step(in);
    run.in.push_back(in);
    run.out.push_back(sender.out());
  }
  return run;
}

TEST(BitmapSender, KeepsEveryRuleUnderArbitraryTraffic) {
  odonata::test::check_property(200, [] {
    const auto seed = odonata::test::uniform_word();
    const int ports = odonata::test::uniform(1, 31);
    const SenderRun run = run_sender(seed, ports, 120);
    RC_ASSERT(test::broken_sender_rule(run.in, run.out, ports) == "");
  });
}

TEST(BitmapSender, TheRulesFindPlantedErrors) {
  const int ports = 5;
  SenderRun good;
  bool stolen = false, rides = false;
  for (uint64_t seed = 1; !stolen || !rides; ++seed) {
    good = run_sender(seed, ports, 200);
    stolen = rides = false;
    if (!good.in.front().alternate) continue;
    for (const SenderOutputs& o : good.out) {
      stolen |= o.stolen != 0;
      rides |= (o.valid & ~o.idle) != 0;
    }
  }
  ASSERT_EQ(test::broken_sender_rule(good.in, good.out, ports), "");
  const auto rule = [&](auto damage) {
    SenderRun run = good;
    for (SenderOutputs& o : run.out) damage(o);
    return test::broken_sender_rule(run.in, run.out, ports);
  };
  EXPECT_EQ(rule([](SenderOutputs& o) { o.latch = 0; }), "a bitmap is latched every N cycles");
  EXPECT_EQ(rule([](SenderOutputs& o) { o.idle = o.stolen; }), "other frames ride in tail flits");
  EXPECT_EQ(rule([](SenderOutputs& o) { o.bits ^= o.valid ? 1 : 0; }), "a frame carries what was latched");
  EXPECT_EQ(rule([](SenderOutputs& o) { o.crc ^= o.valid ? 1 : 0; }), "a frame has the right CRC");
  EXPECT_EQ(rule([](SenderOutputs& o) { o.phase = 0; }), "busy and congested bitmaps in turn");
  EXPECT_NE(rule([](SenderOutputs& o) {
              o.valid &= ~1u;
              o.idle &= ~1u;
              o.stolen &= ~1u;
            }),
            "")
      << "port 0 loses its frames";
  EXPECT_EQ(rule([](SenderOutputs& o) { o.stolen = 0; }), "a slot is stolen when an idle frame meets a flit");
}

TEST(BitmapSender, FullLinksWithPacketsOfOneIntervalLoseNoSlot) {
  BitmapSender sender(3);
  int frames = 0;
  for (int e = 0; e < 1000; ++e) {
    SenderInputs in{.interval = 10, .congested = 1, .flit = 7};
    in.tail = e % 10 == 3 ? 7 : 0;
    sender.step(in);
    frames += __builtin_popcount(sender.out().valid);
    EXPECT_EQ(sender.out().idle, 0u);
  }
  EXPECT_EQ(frames, 3 * 99);
}

// ---- Bitmap collector ----

constexpr int kA = 4, kH = 2, kStops = 7;

struct CollectorBench {
  BitmapCollector unit{kA, kH, kStops};
  CollectorInputs in;
  int edge = 0;
  CollectorBench() {
    in.interval = 10;
    in.stale_limit = 3;
    in.own_bid = 1;
    in.neighbour[0] = 0;
    in.neighbour[1] = 2;
    in.neighbour[2] = 3;
  }
  void step() {
    ++edge;
    unit.step(in);
    in.valid = 0;
  }
  void frame(int k, uint16_t bits, int bid, bool busy = false) {
    in.valid |= 1u << k;
    in.phase = (in.phase & ~(1u << k)) | static_cast<uint32_t>(busy) << k;
    in.bits[k] = bits;
    in.crc[k] = frame_crc(bid, bits, busy);
  }
  uint64_t map(int stop) const { return unit.out().map[stop].word[0]; }
  uint64_t busy_map(int stop) const { return unit.out().busy_map[stop].word[0]; }
};

TEST(BitmapCollector, BitsLandAtTheNeighboursOffsetOneRingStopACycle) {
  for (int k = 0; k < kA - 1; ++k) {
    for (int phase = 0; phase < kA; ++phase) {
      CollectorBench b;
      for (int i = 0; i < 20 + phase; ++i) b.step();
      const int arrived = b.edge;  // the pins show the frame after this edge
      const int bid = b.in.neighbour[k];
      b.frame(k, 0b10, bid);
      int loaded = arrived + 3;
      while ((loaded - 1) % kA != k) ++loaded;
      for (int stop = 0; stop < kStops;) {
        b.step();
        const bool seen = b.map(stop) != 0;
        ASSERT_EQ(seen, b.edge == loaded + 1 + stop) << "port " << k << " stop " << stop << " edge " << b.edge;
        if (!seen) continue;
        EXPECT_EQ(b.map(stop), 0b10u << (bid * kH));
        ++stop;
      }
      for (int i = 0; i < 50; ++i) b.step();
      EXPECT_EQ(b.map(0), 0b10u << (bid * kH)) << "and nowhere else";
    }
  }
}

TEST(BitmapCollector, ABadFrameIsDroppedAndTheOldValueStays) {
  CollectorBench b;
  b.step();
  b.frame(1, 0b01, 2);
  b.step();
  b.step();
  EXPECT_EQ(b.unit.out().good, 2u);
  for (int i = 0; i < 20; ++i) b.step();
  EXPECT_EQ(b.map(6), 0b01u << 4);
  b.frame(1, 0b11, 2);
  b.in.crc[1] ^= 0x10;
  b.step();
  b.step();
  EXPECT_EQ(b.unit.out().bad, 2u);
  EXPECT_EQ(b.unit.out().good, 0u);
  for (int i = 0; i < 20; ++i) b.step();
  EXPECT_EQ(b.map(6), 0b01u << 4);
  b.frame(1, 0b11, 3);  // of another router
  b.step();
  b.step();
  EXPECT_EQ(b.unit.out().bad, 2u);
}

TEST(BitmapCollector, EachPhaseHasAMapOfItsOwn) {
  CollectorBench b;
  b.step();
  b.frame(0, 0b01, 0, true);
  b.frame(2, 0b10, 3, false);
  b.in.own_busy = 0b11;
  for (int i = 0; i < 20; ++i) b.step();
  EXPECT_EQ(b.map(6), 0b10u << 6);
  EXPECT_EQ(b.busy_map(6), 0b01u | 0b11u << 2);
  b.frame(0, 0b11, 0, true);
  b.in.phase = 0;  // damaged on the way
  b.step();
  b.step();
  EXPECT_EQ(b.unit.out().bad, 1u);
  for (int i = 0; i < 20; ++i) b.step();
  EXPECT_EQ(b.map(6), 0b10u << 6);
  EXPECT_EQ(b.busy_map(6), 0b01u | 0b11u << 2);
  b.in.failed = 1;
  for (int i = 0; i < 20; ++i) b.step();
  EXPECT_EQ(b.map(6), 0b11u | 0b10u << 6) << "behind a failed port everything is congested and busy";
  EXPECT_EQ(b.busy_map(6), 0b11u | 0b11u << 2);
}

TEST(BitmapCollector, AFrameOfEitherPhaseEndsASilence) {
  for (const bool busy : {false, true}) {
    CollectorBench b;
    b.in.stale_enable = true;
    for (int i = 0; i < 60; ++i) b.step();
    EXPECT_EQ(b.unit.out().stale, 7u);
    b.frame(1, 0, 2, busy);
    b.step();
    b.step();
    EXPECT_EQ(b.unit.out().stale, 5u);
  }
}

TEST(BitmapCollector, OwnBitsAndFailedLocalPorts) {
  CollectorBench b;
  b.in.own_bits = 0b11;
  b.in.failed = 1u << 2;
  for (int i = 0; i < 20; ++i) b.step();
  EXPECT_EQ(b.map(6), 0b11u << 2 | 0b11u << 6);
  b.in.failed = 0;
  b.in.own_bits = 0;
  for (int i = 0; i < 20; ++i) b.step();
  EXPECT_EQ(b.map(6), 0u);
}

TEST(BitmapCollector, ASilentNeighbourReadsCongestedUnderThePolicyAndKeepsItsValueWithoutIt) {
  for (const bool policy : {true, false}) {
    CollectorBench b;
    b.in.stale_enable = policy;
    for (int i = 0; i < 400; ++i) {
      if (i % 10 == 5 && i < 100) b.frame(0, 0b01, 0);
      if (i % 10 == 5) b.frame(1, 0, 2);
      b.step();
      if (i < 100) {
        EXPECT_FALSE(b.unit.out().stale & 1) << i;
      }
    }
    EXPECT_EQ(b.unit.out().stale, policy ? 0b101u : 0u);
    EXPECT_EQ(b.map(0) & 3, policy ? 3u : 1u);
    EXPECT_EQ(b.map(0) >> 4 & 3, 0u);
    EXPECT_EQ(b.map(0) >> 6 & 3, policy ? 3u : 0u) << "never heard of";
    b.frame(0, 0b10, 0);
    for (int i = 0; i < 20; ++i) b.step();
    EXPECT_EQ(b.map(0) & 3, 2u) << "a good frame ends the silence";
  }
}

TEST(BitmapCollector, SilenceIsNoticedExactlyWithinItsBound) {
  for (int last_good = 100; last_good < 110; ++last_good) {
    CollectorBench b;
    b.in.stale_enable = true;
    while (b.edge < last_good) {
      b.frame(0, 0, 0);
      b.step();
    }
    const int stored = last_good + 1;  // sampled at last_good, stored one edge later
    while (!(b.unit.out().stale & 1)) b.step();
    EXPECT_LE(b.edge - stored, 3 * 10);
    EXPECT_GT(b.edge - stored, 2 * 10);
    while ((b.map(kStops - 1) & 3) != 3) b.step();
    EXPECT_LE(b.edge - stored, 3 * 10 + kA + kStops);
  }
}

TEST(BitmapCollector, AnImpossibleBidWritesNothing) {
  CollectorBench b;
  b.in.neighbour[0] = 4;
  b.in.failed = 1;
  for (int i = 0; i < 30; ++i) b.step();
  for (int stop = 0; stop < kStops; ++stop) EXPECT_FALSE(b.unit.out().map[stop].any());
}

/// Neither a frame that has been stored nor words on the ring come through a reset.
TEST(BitmapCollector, NothingIsLeftAfterAReset) {
  for (int wait = 1; wait < 20; ++wait) {
    CollectorBench b;
    b.frame(0, 0b11, 0);
    b.frame(2, 0b11, 3, true);
    for (int i = 0; i < wait; ++i) b.step();
    b.in.reset = true;
    b.step();
    b.in.reset = false;
    for (int i = 0; i < 20; ++i) {
      b.step();
      for (int stop = 0; stop < kStops; ++stop) EXPECT_EQ(b.map(stop) | b.busy_map(stop), 0u) << wait;
    }
  }
}

/// A silence has no end but a frame: longer than the counter of intervals counts.
TEST(BitmapCollector, ALongSilenceStaysOne) {
  CollectorBench b;
  b.in.stale_enable = true;
  b.in.interval = 1;
  for (int i = 0; i < 600; ++i) {
    b.step();
    if (i > 10) {
      ASSERT_EQ(b.unit.out().stale, 7u) << i;
    }
  }
}

// ---- Router plane and its registers ----

struct PlaneBench {
  Dragonfly d = Dragonfly::named("tiny");
  RouterPlane plane{d};
  PlaneInputs in;
  void step() {
    plane.step(in);
    in.cfg_valid = false;
  }
  /// An operation from handshake to acknowledgement; true when it was not refused.
  bool operate(bool write, uint32_t address, uint64_t data, uint64_t* read = nullptr) {
    in.cfg_valid = true;
    in.cfg_write = write;
    in.cfg_addr = static_cast<uint16_t>(address / 8);
    in.cfg_wdata = data;
    step();
    step();
    EXPECT_FALSE(plane.out().cfg_ack);
    step();
    EXPECT_TRUE(plane.out().cfg_ack);
    if (read) *read = plane.out().cfg_rdata;
    return !plane.out().cfg_err;
  }
  uint64_t read(uint32_t address) {
    uint64_t data = 0;
    EXPECT_TRUE(operate(false, address, 0, &data)) << address;
    return data;
  }
};

TEST(RouterPlane, RegistersHaveTheirResetValuesAndKeepWhatIsWritten) {
  PlaneBench b;
  EXPECT_EQ(b.read(reg::kId), reg::kIdValue);
  EXPECT_EQ(b.read(reg::kSize), 2u | 4u << 8 | 2u << 16 | 7u << 24);
  const std::pair<uint32_t, uint64_t> defaults[] = {{reg::kRouterId, 0},
                                                    {reg::kInterval, reg::kIntervalReset},
                                                    {reg::kWindow, reg::kWindowReset},
                                                    {reg::kThreshold, reg::kThresholdReset},
                                                    {reg::kCapacity, reg::kCapacityReset},
                                                    {reg::kStale, reg::kStaleReset},
                                                    {reg::kNeighbour, 1},
                                                    {reg::kNeighbour + 16, 3}};
  for (const auto& [address, value] : defaults) EXPECT_EQ(b.read(address), value) << address;
  const std::pair<uint32_t, uint64_t> values[] = {
      {reg::kRouterId, 3},     {reg::kInterval, 255},    {reg::kWindow, 512ull << 32 | 1u << 16},
      {reg::kInterval, 0x1FF}, {reg::kThreshold, ~0ull}, {reg::kCapacity, 1u << 16 | 256},
      {reg::kStale, 0x1FF},    {reg::kNeighbour + 8, 3}};
  for (const auto& [address, value] : values) {
    EXPECT_TRUE(b.operate(true, address, value)) << address;
    EXPECT_EQ(b.read(address), value) << address;
  }
}

TEST(RouterPlane, RefusesWhatTheRegisterMapDoesNotAllow) {
  PlaneBench b;
  const std::pair<uint32_t, uint64_t> refused[] = {{reg::kId, 0},
                                                   {reg::kSize, 0},
                                                   {reg::kCounters, 0},
                                                   {reg::kRouterId, 4},
                                                   {reg::kInterval, 0},
                                                   {reg::kInterval, 256},
                                                   {reg::kInterval, 0x201},
                                                   {reg::kWindow, 513},
                                                   {reg::kWindow, 513ull << 32},
                                                   {reg::kWindow, 1u << 10},
                                                   {reg::kCapacity, 0},
                                                   {reg::kCapacity, 1},
                                                   {reg::kCapacity, 257u << 16 | 1},
                                                   {reg::kCapacity, 1u << 16 | 257},
                                                   {reg::kStale, 0},
                                                   {reg::kStale, 0x201},
                                                   {reg::kNeighbour, 4},
                                                   {reg::kNeighbour + 24, 0},
                                                   {0x7FF8, 0}};
  for (const auto& [address, value] : refused) EXPECT_FALSE(b.operate(true, address, value)) << address << " " << value;
  EXPECT_FALSE(b.operate(false, reg::kCounters + 8 * reg::kNumCounters, 0));
  EXPECT_FALSE(b.operate(false, reg::kNeighbour + 24, 0));
  EXPECT_EQ(b.read(reg::kCapacity), reg::kCapacityReset);
  for (const uint32_t address : {reg::kNeighbour, reg::kInterval, reg::kCapacity})
    EXPECT_TRUE(b.operate(false, address, ~uint64_t{0})) << address << ": a read has no data to refuse";
}

/// As reset: the second maps of the own ports repeat the first ones, and all frames have phase 0.
TEST(RouterPlane, AfterResetThereIsOneThresholdAndNoPhase) {
  PlaneBench b;
  Random random(3);
  uint64_t congested = 0, frames = 0;
  for (int i = 0; i < 4000; ++i) {
    for (PortMap& m : b.in.events.sent) m = random.next() & random.next();
    b.in.events.credit = {};
    if (i % 400 > 200) b.in.events.credit = b.in.events.sent;
    b.in.events.tail = b.in.events.flit = random.next();
    b.step();
    ASSERT_EQ(b.plane.out().busy_local, b.plane.out().cong_local);
    ASSERT_EQ(b.plane.out().sender.phase, 0);
    congested += b.plane.out().cong_local != 0;
    frames += b.plane.out().sender.valid != 0;
  }
  EXPECT_GT(congested, 1000u);
  EXPECT_GT(frames, 100u);
}

TEST(RouterPlane, FailedPortsReadAsCongestedInBothMapsAndErrorsAreCounted) {
  PlaneBench b;
  b.in.events.failed = 1u << 0 | 1u << 3 | 1u << 6;  // node 0, local port 1 (to router 2), global port 1
  b.in.events.credit[2] = 1u << 5;
  b.step();
  b.in.events.credit[2] = 0;
  b.step();
  EXPECT_EQ(b.plane.out().cong_local, b.in.events.failed);
  EXPECT_EQ(b.plane.out().busy_local, b.in.events.failed);
  EXPECT_TRUE(b.plane.out().error);
  for (int i = 0; i < 30; ++i) b.step();
  EXPECT_FALSE(b.plane.out().error);
  EXPECT_EQ(b.plane.out().collector.map[6].word[0], 0b10u | 0b11u << 4);
  EXPECT_EQ(b.plane.out().collector.busy_map[6].word[0], 0b10u | 0b11u << 4);
  EXPECT_EQ(b.read(reg::kCounters + 8 * reg::kOverflows), 1u);
  EXPECT_EQ(b.read(reg::kCounters + 8 * reg::kUnderflows), 0u);
}

/// The reset comes in the middle of everything: an operation, frames on their way, congested ports, other registers.
TEST(RouterPlane, AfterAResetItIsAsNew) {
  for (int edges = 40; edges < 60; ++edges) {
    PlaneBench used, fresh;
    EXPECT_TRUE(used.operate(true, reg::kRouterId, 3));
    EXPECT_TRUE(used.operate(true, reg::kThreshold, 0));
    EXPECT_TRUE(used.operate(true, reg::kInterval, 0x103));
    Random random(static_cast<uint64_t>(edges));
    const auto draw = [&random](PlaneInputs& in) {
      for (PortMap& m : in.events.sent) m = random.next() & random.next();
      in.events.credit = in.events.sent;
      in.events.tail = in.events.flit = random.next();
      in.cfg_valid = random.chance(0.5);
      in.cfg_write = false;
      in.cfg_addr = static_cast<uint16_t>(
          (random.chance(0.5) ? reg::kRouterId : reg::kCounters + 8 * random.below(reg::kNumCounters)) / 8);
      in.rx[1] = {static_cast<uint16_t>(random.below(4)), 0, true, 0};
      in.rx[1].crc = frame_crc(2, in.rx[1].bits, false);
    };
    for (int i = 0; i < edges; ++i) {
      draw(used.in);
      used.plane.step(used.in);
    }
    for (PlaneBench* b : {&used, &fresh}) {
      b->in = {};
      b->in.reset = true;
      b->step();
    }
    for (int i = 0; i < 100; ++i) {
      draw(used.in);
      used.in.reset = false;
      fresh.in = used.in;
      used.plane.step(used.in), fresh.plane.step(fresh.in);
      ASSERT_EQ(used.plane.out(), fresh.plane.out()) << edges << ' ' << i;
    }
  }
}

/// Every register reaches the block that it is for, every pulse its counter.
TEST(RouterPlane, RegistersReachTheirBlocks) {
  PlaneBench b;
  EXPECT_TRUE(b.operate(true, reg::kRouterId, 2));
  EXPECT_TRUE(b.operate(true, reg::kInterval, 0x104));  // frames of both phases, every four cycles
  EXPECT_TRUE(b.operate(true, reg::kStale, 0x105));
  EXPECT_TRUE(b.operate(true, reg::kWindow, 0));
  // Global ports are congested above 9 and busy above 1, local ones neither.
  constexpr uint64_t kNever = 0xFFFF;
  EXPECT_TRUE(b.operate(true, reg::kThreshold, uint64_t{1} << 48 | kNever << 32 | uint64_t{9} << 16 | kNever));
  const PortMap port = PortMap{1} << b.d.first_global();
  for (int i = 0; i < 5; ++i) {
    b.in.events.sent[0] = port | PortMap{1} << b.d.first_local();
    b.step();
  }
  b.in.events.sent = {};
  for (int i = 0; i < 20; ++i) b.step();
  EXPECT_EQ(b.plane.out().cong_local, 0u);
  EXPECT_EQ(b.plane.out().busy_local, port);
  EXPECT_EQ(b.plane.out().collector.map[6].word[0] >> 4 & 3, 0u);
  EXPECT_EQ(b.plane.out().collector.busy_map[6].word[0] >> 4 & 3, 1u);
  std::set<int> phases;
  const uint64_t before = b.read(reg::kCounters + 8 * reg::kFramesInTails);
  uint64_t in_tails = 0;
  for (int i = 0; i < 40; ++i) {
    b.in.events.flit = b.in.events.tail = i < 30 ? low_mask(b.d.num_ports()) : 0;
    b.step();
    const SenderOutputs& s = b.plane.out().sender;
    in_tails += static_cast<uint64_t>(std::popcount(s.valid & ~s.idle));
    if (s.valid == 0) continue;
    phases.insert(s.phase);
    EXPECT_EQ(s.bits, s.phase);
    EXPECT_EQ(s.crc, frame_crc(2, s.bits, s.phase));
  }
  EXPECT_EQ(phases, (std::set<int>{0, 1}));
  EXPECT_GT(in_tails, 10u);
  EXPECT_EQ(b.read(reg::kCounters + 8 * reg::kFramesInTails), before + in_tails);
  // A bad frame, then a good one, which ends the silence for five intervals.
  const auto frame = [&b](int wrong) {
    const int bid = static_cast<int>(b.read(reg::kNeighbour + 8));
    b.in.rx[1] = {1, static_cast<uint8_t>(frame_crc(bid, 1, false) ^ wrong), true, 0};
    b.step();
    b.in.rx[1] = {};
    b.step();
  };
  frame(1);
  EXPECT_EQ(b.plane.out().collector.bad, 2u);
  EXPECT_TRUE(b.plane.out().collector.stale & 2);
  frame(0);
  EXPECT_EQ(b.plane.out().collector.bad, 0u);
  int heard = 0;
  for (; heard < 100 && !(b.plane.out().collector.stale & 2); ++heard) b.step();
  EXPECT_GT(heard, 4 * 4);
  EXPECT_LE(heard, 5 * 4);
  EXPECT_EQ(b.read(reg::kCounters + 8 * reg::kBadFrames), 1u);
}

/// What a difference in lockstep says of each unit.
TEST(RouterPlane, EachClassOfPortsHasAWindowOfItsOwn) {
  for (const bool global : {false, true}) {
    PlaneBench b;
    const PortMap local_port = PortMap{1} << b.d.first_local(), global_port = PortMap{1} << b.d.first_global();
    EXPECT_TRUE(b.operate(true, reg::kWindow, uint64_t{100} << 32 | 100 | uint64_t{1} << (global ? 48 : 16)));
    EXPECT_TRUE(b.operate(true, reg::kThreshold, 0x0001'0001'0001'0001));
    b.in.events.sent[0] = b.in.events.departed = local_port | global_port;
    for (int i = 0; i < 3; ++i) b.step();
    b.in.events = {};
    for (int i = 0; i < 10; ++i) b.step();
    EXPECT_EQ(b.plane.out().cong_local, global ? local_port : global_port) << "whose window is off";
  }
}

TEST(Reasons, OfACreditMonitor) {
  CreditMonitor unit;
  MonitorInputs in;
  in.capacity = 8;
  in.window = 4;
  in.threshold = 1;
  in.busy_threshold = 2;
  in.sent = 0b0100;  // a packet a cycle on virtual channel 2
  unit.step(in);
  unit.step(in);
  in.sent = 0;
  unit.step(in);
  unit.step(in);
  using Lines = std::vector<std::string>;
  EXPECT_EQ(reasons(unit), (Lines{"In use a VC: 0 0 2 0 of 8; occupancy 2, window of 4 cycles holds 0.",
                                  "Corrected occupancy 2 (congested), threshold 1; not busy, second threshold 2."}));
  in.failed = true;
  unit.step(in);
  unit.step(in);
  unit.step(in);
  EXPECT_EQ(reasons(unit)[1],
            "Corrected occupancy 2 (congested), threshold 1; busy, second threshold 2; the port has failed.");
  EXPECT_EQ(reasons(CreditMonitor{})[1],
            "Corrected occupancy 0 (not congested), threshold 0; not busy, second threshold 0.");
}

/// Every congested port of a router, local and global, first to last.
TEST(Reasons, OfAPlaneNameEveryCongestedPort) {
  const Dragonfly d = Dragonfly::named("tiny");
  RouterPlane plane(d);
  PlaneInputs in;
  for (int port = d.p(); port < d.num_ports(); ++port) in.events.failed |= 1ull << port;
  for (int edge = 0; edge < 4; ++edge) plane.step(in);
  const std::vector<std::string> lines = reasons(plane);
  ASSERT_EQ(lines.size(), 2u + static_cast<size_t>(d.num_ports() - d.p()));
  for (int port = d.p(); port < d.num_ports(); ++port)
    EXPECT_EQ(lines[2 + static_cast<size_t>(port - d.p())].rfind("Port " + std::to_string(port) + ": Corrected", 0),
              0u);
}

TEST(Reasons, OfSenderAndTransport) {
  BitmapSender sender(3);
  SenderInputs in;
  in.interval = 8;
  in.alternate = true;
  std::set<std::string> ends;
  for (int edge = 0; edge < 40; ++edge) {
    sender.step(in);
    const std::string line = reasons(sender).front();
    EXPECT_EQ(line.find("a busy bitmap") != std::string::npos, sender.phase()) << line;
    ends.insert(line.substr(line.find(" (a ")));
  }
  EXPECT_EQ(ends, (std::set<std::string>{" (a busy bitmap).", " (a congested bitmap)."}));
  PcsTransport pipe(1);
  EXPECT_EQ(reasons(pipe).front(), "No frame was sent 1 cycles ago.");
  pipe.step({5, 7, true, 1});
  EXPECT_EQ(reasons(pipe).front(), "A frame with busy bitmap 5 and CRC 7 arrives, 1 cycles after it was sent.");
  pipe.step({5, 7, true, 0});
  EXPECT_EQ(reasons(pipe).front(), "A frame with bitmap 5 and CRC 7 arrives, 1 cycles after it was sent.");
}

/// What a difference in lockstep says of the plane.
TEST(RouterPlane, TellsWhichPortsAreCongestedAndWhy) {
  PlaneBench b;
  b.in.events.failed = 1u << 3;
  b.in.events.credit[2] = 1u << 5;
  b.step();
  b.in.events.credit[2] = 0;
  b.step();
  std::vector<std::string> lines = reasons(b.plane);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0],
            "Congested ports 8, above the second threshold 8 (bit maps of ports); a monitor has a packet or a credit "
            "too many.");
  EXPECT_EQ(lines[2], "Port 3: " + reasons(b.plane.monitor(3)).back());
  EXPECT_NE(lines[2].find("; the port has failed."), std::string::npos);
  b.in.events.failed = 0;
  EXPECT_TRUE(b.operate(true, reg::kRouterId, 3));
  lines = reasons(b.plane);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0], "Congested ports 0, above the second threshold 0 (bit maps of ports).");
  EXPECT_EQ(lines[2], "A configuration operation is done.");
  EXPECT_FALSE(b.operate(true, reg::kRouterId, 4));
  EXPECT_EQ(reasons(b.plane).back(), "A configuration operation is refused.");
  b.step();
  EXPECT_EQ(reasons(b.plane).size(), 2u);
}

}  // namespace
}  // namespace odonata::congestion
