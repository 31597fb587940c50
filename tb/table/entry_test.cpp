// SPDX-License-Identifier: Apache-2.0
// Encodings of the table entries, indices, and what is refused (docs/route_compute.md §4).
#include "models/table/entry.h"

#include <gtest/gtest.h>

#include "tb/common/property.h"

namespace odonata::table {
namespace {

using test::check_property;

int any_port() { return *rc::gen::inRange(0, 64); }

TEST(GlobalEntryA, RoundTrip) {
  check_property(2000, [] {
    const GlobalEntryA e{any_port(), *rc::gen::arbitrary<bool>(), static_cast<uint32_t>(*rc::gen::inRange(0, 65536))};
    const GlobalEntryA back = GlobalEntryA::decode(e.encode());
    RC_ASSERT(back.port == e.port);
    RC_ASSERT(back.own_router == e.own_router);
    RC_ASSERT(back.global_ports == e.global_ports);
    RC_ASSERT((e.encode() >> 23) == 0u);
  });
}

TEST(GlobalEntryA, BitPositions) {
  EXPECT_EQ((GlobalEntryA{0, false, 0x8001}.encode()), 0x8001u);
  EXPECT_EQ((GlobalEntryA{0x2A, false, 0}.encode()), 0x2Aull << 16);
  EXPECT_EQ((GlobalEntryA{0, true, 0}.encode()), 1ull << 22);
  EXPECT_EQ(GlobalEntryA{}.encode(), 63ull << 16) << "nothing configured means port none";
}

TEST(GlobalEntryB, RoundTrip) {
  check_property(2000, [] {
    GlobalEntryB e;
    for (int& port : e.port) port = any_port();
    e.own_global_ports = static_cast<uint32_t>(*rc::gen::inRange(0, 65536));
    const GlobalEntryB back = GlobalEntryB::decode(e.encode());
    RC_ASSERT(back.port == e.port);
    RC_ASSERT(back.own_global_ports == e.own_global_ports);
  });
}

TEST(GlobalEntryB, EveryWordIsAnEntry) {
  check_property(2000, [] {
    const uint64_t word = *rc::gen::arbitrary<uint64_t>();
    RC_ASSERT(GlobalEntryB::decode(word).encode() == word);
  });
}

TEST(GlobalEntryB, BitPositions) {
  GlobalEntryB e;
  e.port = {1, 2, 3, 4, 5, 6, 7, 8};
  e.own_global_ports = 0x8001;
  uint64_t expected = 0x8001ull << 48;
  for (int k = 1; k <= 8; ++k) expected |= static_cast<uint64_t>(k) << (6 * k - 6);
  EXPECT_EQ(e.encode(), expected);
  EXPECT_EQ(GlobalEntryB{}.encode(), low_mask(48)) << "nothing configured means eight times port none";
}

TEST(EntryC, RoundTrip) {
  check_property(2000, [] {
    EntryC e;
    for (int& port : e.port) port = *rc::gen::inRange(-1, 64);
    RC_ASSERT(EntryC::decode(e.encode()).port == e.port);
    RC_ASSERT((e.encode() >> 48) == 0u);
  });
}

TEST(EntryC, BitPositions) {
  EntryC e;
  EXPECT_EQ(e.encode(), 0u);
  e.port[0] = 5;
  e.port[5] = 17;
  EXPECT_EQ(e.encode(), 0x85ull | 0x91ull << 40);
}

TEST(Index, ZonesFollowOneAnother) {
  const Dragonfly d = Dragonfly::named("full");
  EXPECT_EQ(size_a(d), 560);
  EXPECT_EQ(size_b(d), 544);
  EXPECT_EQ(index_a(d, Zone::node, {0, 0, 15}), 15);
  EXPECT_EQ(index_a(d, Zone::group_local, {0, 31, 0}), 47);
  EXPECT_EQ(index_a(d, Zone::global, {511, 0, 0}), 559);
  EXPECT_EQ(index_b(d, Zone::group_local, {0, 31, 0}), 31);
  EXPECT_EQ(index_b(d, Zone::global, {511, 0, 0}), 543);
  EXPECT_EQ(index_b(d, Zone::node, {0, 0, 15}), -1);
  EXPECT_EQ(index_a(d, Zone::invalid, {0, 0, 0}), -1);
}

TEST(Index, EveryDestinationHasItsOwnPlace) {
  for (const Dragonfly& d :
       {Dragonfly::named("tiny"), Dragonfly::named("paper"), Dragonfly({3, 5, 1, 4}, Arrangement::direct)}) {
    std::vector<int> used_a(size_a(d)), used_b(size_b(d));
    const auto visit = [&](Zone zone, const Address& to) {
      ++used_a.at(index_a(d, zone, to));
      if (index_b(d, zone, to) >= 0) ++used_b.at(index_b(d, zone, to));
    };
    for (int n = 0; n < d.p(); ++n) visit(Zone::node, {0, 0, n});
    for (int b = 0; b < d.a(); ++b) visit(Zone::group_local, {0, b, 0});
    for (int g = 0; g < d.g(); ++g) visit(Zone::global, {g, 0, 0});
    EXPECT_EQ(used_a, std::vector<int>(size_a(d), 1));
    EXPECT_EQ(used_b, std::vector<int>(size_b(d), 1));
  }
}

TEST(Zone, IsDecidedByGroupThenRouter) {
  const Dragonfly d = Dragonfly::named("tiny");
  EXPECT_EQ(zone_of(d, {3, 2}, {3, 2, 1}), Zone::node);
  EXPECT_EQ(zone_of(d, {3, 2}, {3, 1, 1}), Zone::group_local);
  EXPECT_EQ(zone_of(d, {3, 2}, {4, 2, 1}), Zone::global);
  for (const Address& out : {Address{8, 0, 0}, {3, 4, 0}, {3, 2, 2}, {511, 31, 15}})
    EXPECT_EQ(zone_of(d, {3, 2}, out), Zone::invalid);
}

// ---- reserved encodings, on dfly(2,4,2,8): local ports 2..4, 7 ports

class Refuses : public ::testing::Test {
 protected:
  const Dragonfly d = Dragonfly::named("tiny");
};

TEST_F(Refuses, DefaultEntryBitsAboveTheLastPort) {
  EXPECT_TRUE(valid_default_entry(d, 0x7F));
  EXPECT_TRUE(valid_default_entry(d, 0));
  for (int bit = 7; bit < 64; ++bit) EXPECT_FALSE(valid_default_entry(d, 1ull << bit)) << bit;
  EXPECT_FALSE(valid_default_entry(Dragonfly::named("full"), 1ull << 63));
  EXPECT_TRUE(valid_default_entry(Dragonfly::named("full"), low_mask(63)));
}

TEST_F(Refuses, GlobalEntryAUndefinedBits) {
  const uint64_t good = GlobalEntryA{3, false, 3}.encode();
  EXPECT_TRUE(valid_global_a(d, good));
  for (int bit = 2; bit < 16; ++bit) EXPECT_FALSE(valid_global_a(d, good | 1ull << bit)) << bit;
  for (int bit = 23; bit < 64; ++bit) EXPECT_FALSE(valid_global_a(d, good | 1ull << bit)) << bit;
}

TEST_F(Refuses, GlobalEntryAPortsThatAreNotLocal) {
  for (int port = 0; port < 64; ++port) {
    EXPECT_EQ(valid_global_a(d, GlobalEntryA{port, false, 1}.encode()), port == 63 || (port >= 2 && port <= 4)) << port;
  }
  EXPECT_TRUE(valid_global_a(d, GlobalEntryA{63, true, 3}.encode()));
}

TEST_F(Refuses, GlobalEntryBPortsThatAreNotLocalAndUndefinedBits) {
  for (int k = 0; k < 8; ++k) {
    for (int port = 0; port < 64; ++port) {
      GlobalEntryB e;
      e.port[k] = port;
      EXPECT_EQ(valid_global_b(d, e.encode()), port == 63 || (port >= 2 && port <= 4)) << k << " " << port;
    }
  }
  for (int bit = 48; bit < 64; ++bit) EXPECT_EQ(valid_global_b(d, low_mask(48) | 1ull << bit), bit < 50) << bit;
}

TEST_F(Refuses, TableCBytes) {
  for (int k = 0; k < 6; ++k) {
    for (int byte = 0; byte < 256; ++byte) {
      const bool valid = byte == 0 || (byte >= 0x82 && byte <= 0x84);
      EXPECT_EQ(valid_c(d, static_cast<uint64_t>(byte) << (8 * k)), valid) << k << " " << byte;
    }
  }
  for (int bit = 48; bit < 64; ++bit) EXPECT_FALSE(valid_c(d, 1ull << bit));
}

}  // namespace
}  // namespace odonata::table
