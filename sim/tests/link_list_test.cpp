// SPDX-License-Identifier: Apache-2.0
#include "sim/route/link_list.h"

#include <gtest/gtest.h>

#include "models/common/error.h"
#include "tb/common/error_text.h"

namespace odonata::cli {
namespace {

const Dragonfly kTiny = Dragonfly::named("tiny");

std::vector<RouterPort> ports(const std::vector<std::string>& items, uint64_t seed = 1) {
  return parse_ports(kTiny, "--congested", items, seed);
}

TEST(LinkList, NamesPorts) {
  EXPECT_EQ(ports({"g3.r1.p2"}), (std::vector<RouterPort>{{{3, 1}, 2}}));
  EXPECT_EQ(ports({"g0.r0.p1,g7.r3.p3", "G1.R2.P4"}), (std::vector<RouterPort>{{{0, 0}, 1}, {{7, 3}, 3}, {{1, 2}, 4}}));
  EXPECT_TRUE(ports({"", ",,"}).empty());
}

TEST(LinkList, NamesAllPortsOfAKind) {
  EXPECT_EQ(ports({"g3.r1.local"}), (std::vector<RouterPort>{{{3, 1}, 2}, {{3, 1}, 3}, {{3, 1}, 4}}));
  EXPECT_EQ(ports({"g3.r0.global"}), (std::vector<RouterPort>{{{3, 0}, 5}, {{3, 0}, 6}}));
  EXPECT_EQ(ports({"G3.R1.LOCAL"}), ports({"g3.r1.local"}));
  EXPECT_EQ(ports({"g3.r0.Global"}), ports({"g3.r0.global"}));
  EXPECT_EQ(ports({"g3.r1.global"}).size(), 1u) << "port 3 of group 3 would lead to group 3 itself";
}

TEST(LinkList, NamesBothEndsOfALink) {
  // Routers 1 and 3: local port p + 2 of router 1 leads to router 3, local port p + 1 of router 3 to router 1.
  EXPECT_EQ(ports({"local:G0.s1-G0.s3"}), (std::vector<RouterPort>{{{0, 1}, 4}, {{0, 3}, 3}}));
  EXPECT_EQ(ports({"local:G0.s1-s3"}), ports({"local:g0.s1-g0.s3"}));
  EXPECT_EQ(ports({"global:G0-G2"}), (std::vector<RouterPort>{{{0, 1}, 5}, {{2, 0}, 5}}));
  for (const RouterPort& at : ports({"global:G5-G2"})) {
    const Dragonfly::Peer peer = kTiny.peer(at.router, at.port);
    EXPECT_TRUE(peer.connected);
    EXPECT_EQ(peer.router.gid + at.router.gid, 7);
  }
}

TEST(LinkList, AllIsEveryCabledPort) {
  // 32 routers with 3 local ports, 8 groups with 7 global links.
  EXPECT_EQ(ports({"all"}).size(), 32u * 3 + 8 * 7);
}

TEST(LinkList, RandomFollowsTheSeed) {
  EXPECT_EQ(ports({"random:0.5"}, 7), ports({"random:0.5"}, 7));
  EXPECT_NE(ports({"random:0.5"}, 7), ports({"random:0.5"}, 8));
  EXPECT_TRUE(ports({"random:0"}).empty());
  EXPECT_EQ(ports({"random:1"}), ports({"all"}));
  const Dragonfly full = Dragonfly::named("full");
  const double share = static_cast<double>(parse_ports(full, "--congested", {"random:0.3"}, 1).size()) /
                       static_cast<double>(parse_ports(full, "--congested", {"all"}, 1).size());
  EXPECT_NEAR(share, 0.3, 0.005);
}

TEST(LinkList, LinksCountOnce) {
  const auto links = [](const std::vector<std::string>& items) { return parse_links(kTiny, "--failed", items, 1); };
  EXPECT_EQ(links({"local:G0.s1-s3"}).size(), 1u);
  EXPECT_EQ(links({"global:G0-G2", "g0.r1.p5", "g2.r0.p5"}).size(), 1u);
  EXPECT_EQ(links({"random:1"}).size(), (32u * 3 + 8 * 7) / 2);
  const Dragonfly full = Dragonfly::named("full");  // and are drawn once
  EXPECT_NEAR(static_cast<double>(parse_links(full, "--failed", {"random:0.3"}, 1).size()) /
                  static_cast<double>(parse_links(full, "--failed", {"random:1"}, 1).size()),
              0.3, 0.005);
  EXPECT_THROW(links({"all"}), Error);
  EXPECT_THROW(links({"g0.r0.p0"}), Error);
}

TEST(LinkList, RefusesWithTheOptionsName) {
  for (const char* item :
       {"g8.r0.p2", "g0.r4.p2", "g0.r0.p7", "g0.r0", "p3", "global:G0", "local:G0.s1", "random:", "random:x",
        "random:2", "g00000.r0.p1", "global:G0-G8", "local:G0.s0-s4", "ALL!", "g1.r1.p-1"}) {
    const std::string why = error_text([&] { ports({item}); });
    EXPECT_EQ(why.rfind("--congested: '", 0), 0u) << item << ": " << why;
  }
  EXPECT_THROW(ports({std::string(100'000, 'g')}), Error);
}

TEST(CongestionMaps, GlobalPortsShowInTheWholeGroup) {
  CongestionMaps maps(kTiny);
  maps.mark({{0, 1}, 5});  // global port 2 of group 0
  maps.mark({{0, 1}, 3});  // a local port
  EXPECT_EQ(maps.seen_by({0, 1}).local, (1ull << 5) | (1ull << 3));
  for (int bid = 0; bid < 4; ++bid) {
    EXPECT_TRUE(maps.seen_by({0, bid}).global.test(2));
    EXPECT_EQ(maps.seen_by({0, bid}).global.count(), 1);
    if (bid != 1) {
      EXPECT_EQ(maps.seen_by({0, bid}).local, 0u);
    }
  }
  EXPECT_EQ(maps.seen_by({1, 1}).local, 0u);
  EXPECT_FALSE(maps.seen_by({1, 1}).global.any());
}

}  // namespace
}  // namespace odonata::cli
