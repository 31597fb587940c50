// SPDX-License-Identifier: Apache-2.0
// The frame of an FD or FR, and the link level: what is corrupted or malformed is dropped, counted, asked for again,
// never applied.
#include "models/fault/link.h"
#include "models/common/random.h"
#include "tb/common/property.h"

namespace odonata::fault {
namespace {

const Dragonfly& tiny() {
  static const Dragonfly d = Dragonfly::named("tiny");
  return d;
}

Message random_message(Random& r) {
  Message m;
  m.kind = static_cast<Kind>(r.below(2));
  m.message_class = static_cast<MessageClass>(r.below(2));
  m.prefix = static_cast<uint8_t>(1 + r.below(3));
  m.gid = static_cast<uint16_t>(r.below(8));
  if (m.prefix >= 2) m.bid = static_cast<uint8_t>(r.below(4));
  if (m.prefix >= 3) m.nid = static_cast<uint8_t>(r.below(2));
  return m;
}

TEST(FaultPacket, EveryMessageSurvivesTheRoundTrip) {
  for (uint32_t bits = 0; bits < 1u << 22; bits += 7) ASSERT_EQ(encode_message(decode_message(bits)), bits);
}

TEST(FaultPacket, LayoutIsTheDocumentedOne) {
  const Message m{Kind::recovery, MessageClass::s, 2, 0x155, 0x0A, 0};
  EXPECT_EQ(encode_message(m), 1u << 21 | 1u << 20 | 2u << 18 | 0x155u << 9 | 0x0Au << 4);
  const uint64_t word = encode_frame({FrameType::message, 5, m});
  EXPECT_EQ(word >> 30 & 3, 1u);
  EXPECT_EQ(word >> 26 & 15, 5u);
  EXPECT_EQ(word >> 4 & 0x3FFFFF, encode_message(m));
  EXPECT_EQ(word & 15, 0u);
  EXPECT_EQ(word >> 32, crc8(static_cast<uint32_t>(word)));
}

TEST(FaultPacket, OneTwoAndThreeWrongBitsAreSeen) {
  Random r(5);
  for (int round = 0; round < 4; ++round) {
    const uint64_t word = encode_frame({FrameType::message, static_cast<uint8_t>(r.below(16)), random_message(r)});
    for (int i = 0; i < 40; ++i) {
      ASSERT_FALSE(decode_frame(word ^ 1ull << i));
      for (int j = 0; j < i; ++j) {
        ASSERT_FALSE(decode_frame(word ^ 1ull << i ^ 1ull << j));
        for (int k = 0; k < j; ++k) ASSERT_FALSE(decode_frame(word ^ 1ull << i ^ 1ull << j ^ 1ull << k));
      }
    }
  }
}

TEST(FaultPacket, MalformedMessages) {
  const auto bad = [](Message m) { return !well_formed(m, tiny()); };
  EXPECT_TRUE(bad({Kind::diagnosis, MessageClass::d, 0, 0, 0, 0}));
  EXPECT_FALSE(bad(kWholePort));
  EXPECT_TRUE(bad({Kind::recovery, MessageClass::s, 0, 0, 0, 0}));
  EXPECT_TRUE(bad({Kind::recovery, MessageClass::d, 0, 1, 0, 0}));
  EXPECT_TRUE(bad({Kind::recovery, MessageClass::d, 0, 0, 1, 0}));
  EXPECT_TRUE(bad({Kind::diagnosis, MessageClass::d, 1, 8, 0, 0}));
  EXPECT_TRUE(bad({Kind::diagnosis, MessageClass::d, 1, 1, 2, 0}));
  EXPECT_TRUE(bad({Kind::diagnosis, MessageClass::d, 2, 1, 4, 0}));
  EXPECT_FALSE(bad({Kind::diagnosis, MessageClass::d, 2, 1, 1, kGatewayOnly}));
  EXPECT_TRUE(bad({Kind::recovery, MessageClass::d, 2, 1, 1, kGatewayOnly})) << "an FR takes everything back";
  EXPECT_TRUE(bad({Kind::diagnosis, MessageClass::d, 2, 1, 1, 2}));
  EXPECT_TRUE(bad({Kind::diagnosis, MessageClass::d, 1, 1, 0, kGatewayOnly}));
  EXPECT_TRUE(well_formed({Kind::diagnosis, MessageClass::s, 2, 1, 1, kGatewayOnly}, Dragonfly::parse("1,2,1,3")))
      << "it is no node of the router";
  EXPECT_TRUE(bad({Kind::diagnosis, MessageClass::d, 3, 1, 1, 2}));
  EXPECT_FALSE(bad({Kind::diagnosis, MessageClass::s, 3, 1, 1, 1}));
}

/// Two ends and two wires with latency that flip bits; both directions carry messages.
struct Wire {
  std::deque<std::pair<int64_t, uint64_t>> frames;
};

struct Outcome {
  std::vector<Message> sent[2], taken[2];
  uint64_t dropped = 0;
};

Outcome talk(uint64_t seed, int messages, double error, double lose) {
  Random r(seed);
  LinkEnd end[2] = {LinkEnd(tiny()), LinkEnd(tiny())};
  Wire wire[2];  // from end i
  Outcome o;
  for (int64_t cycle = 0; cycle < 200000; ++cycle) {
    for (int i = 0; i < 2; ++i) {
      if (static_cast<int>(o.sent[i].size()) < messages && r.chance(0.3)) {
        const Message m = random_message(r);
        if (end[i].push(m, 8)) o.sent[i].push_back(m);
      }
      if (const auto word = end[i].transmit(cycle)) {
        uint64_t w = *word;
        if (r.chance(error)) w ^= 1ull << r.below(40);
        if (!r.chance(lose)) wire[i].frames.emplace_back(cycle + 20, w);
      }
      auto& in = wire[1 - i].frames;
      if (!in.empty() && in.front().first <= cycle) {
        if (const auto m = end[i].receive(in.front().second, cycle)) o.taken[i].push_back(*m);
        in.pop_front();
      }
    }
    const bool all = static_cast<int>(o.taken[0].size()) == messages && static_cast<int>(o.taken[1].size()) == messages;
    if (all) break;
  }
  o.dropped = end[0].dropped() + end[1].dropped();
  return o;
}

TEST(FaultLink, DeliversInOrderWithoutErrors) {
  const Outcome o = talk(1, 500, 0, 0);
  EXPECT_EQ(o.taken[1], o.sent[0]);
  EXPECT_EQ(o.taken[0], o.sent[1]);
  EXPECT_EQ(o.sent[0].size(), 500u);
  EXPECT_EQ(o.dropped, 0u);
}

TEST(FaultLink, DeliversOnceAndInOrderOverABadWire) {
  uint64_t dropped = 0;
  odonata::test::check_property(60, [&] {
    const uint64_t seed = odonata::test::uniform_word();
    const double error = odonata::test::uniform(0, 20) / 100.0, lose = odonata::test::uniform(0, 5) / 100.0;
    const Outcome o = talk(seed, 60, error, lose);
    RC_ASSERT(o.sent[0].size() == 60u);
    RC_ASSERT(o.taken[1] == o.sent[0]);
    RC_ASSERT(o.taken[0] == o.sent[1]);
    dropped += o.dropped;
  });
  EXPECT_GT(dropped, 100u) << "the wire was not bad enough to show anything";
}

TEST(FaultLink, MalformedMessageIsCountedAndAskedForAgain) {
  LinkEnd end(tiny());
  EXPECT_FALSE(end.receive(encode_frame({FrameType::message, 0, {Kind::diagnosis, MessageClass::d, 1, 200, 0, 0}}), 0));
  EXPECT_EQ(end.malformed(), 1u);
  EXPECT_EQ(end.dropped(), 1u);
  const auto answer = decode_frame(end.transmit(1).value());
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->type, FrameType::ask_again);
  EXPECT_EQ(answer->sequence, 0);
  const Message good{Kind::diagnosis, MessageClass::d, 1, 2, 0, 0};
  EXPECT_EQ(end.receive(encode_frame({FrameType::message, 0, good}), 2), good);
}

TEST(FaultLink, FullQueueTakesNothing) {
  LinkEnd end(tiny());
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(end.push({}, 3));
  EXPECT_FALSE(end.push({}, 3));
  EXPECT_EQ(end.waiting(), 3);
}

TEST(FaultLink, RandomBitsNeverMakeAMessageThatIsNotWellFormed) {
  Random r(77);
  LinkEnd end(tiny());
  for (int i = 0; i < 300000; ++i) {
    if (const auto m = end.receive(r.next() & 0xFFFFFFFFFF, i)) {
      ASSERT_TRUE(well_formed(*m, tiny()));
    }
    end.transmit(i);
  }
}

}  // namespace
}  // namespace odonata::fault
