// SPDX-License-Identifier: Apache-2.0
// The dragonfly topology: cabling, degree, diameter, numbering, and the words with which bad sizes are refused.
#include "models/topology/dragonfly.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "tb/common/error_text.h"
#include "tb/common/property.h"

namespace odonata {
namespace {

using test::check_property;

std::vector<Dragonfly> many_sizes() {
  std::vector<Dragonfly> all;
  for (Arrangement arrangement : {Arrangement::direct, Arrangement::absolute}) {
    for (int a : {2, 3, 4, 5, 8}) {
      for (int h : {1, 2, 3, 4}) {
        const int most = arrangement == Arrangement::direct ? a * h : a * h + 1;
        for (int g = 2; g <= most; ++g) all.push_back({{1 + (a + g) % 3, a, h, g}, arrangement});
      }
    }
  }
  for (const char* name : {"tiny", "paper", "full"}) all.push_back(Dragonfly::named(name));
  all.push_back({{4, 8, 4, 33}, Arrangement::absolute});
  all.push_back({{16, 32, 16, 300}, Arrangement::absolute});
  return all;
}

/// Calls visit(router, port) for every port of every router.
template <class Visit>
void for_every_port(const Dragonfly& d, Visit visit) {
  for (int r = 0; r < d.num_routers(); ++r) {
    for (int port = 0; port < d.num_ports(); ++port) visit(d.router(r), port);
  }
}

TEST(Dragonfly, CablingIsSymmetric) {
  for (const Dragonfly& d : many_sizes()) {
    int wrong = 0;
    for_every_port(d, [&](RouterId router, int port) {
      const Dragonfly::Peer there = d.peer(router, port);
      if (!there.connected) return;
      const Dragonfly::Peer back = d.peer(there.router, there.port);
      if (!back.connected || !(back.router == router) || back.port != port) ++wrong;
      if (there.router == router || d.port_class(port) != d.port_class(there.port)) ++wrong;
    });
    EXPECT_EQ(wrong, 0) << d.name();
  }
}

TEST(Dragonfly, EveryGroupPairIsLinkedExactlyOnce) {
  for (const Dragonfly& d : many_sizes()) {
    std::vector<int> links(d.g() * d.g());
    for_every_port(d, [&](RouterId router, int port) {
      if (d.port_class(port) != PortClass::global) return;
      const Dragonfly::Peer there = d.peer(router, port);
      if (there.connected) ++links[router.gid * d.g() + there.router.gid];
    });
    for (int x = 0; x < d.g(); ++x) {
      for (int y = 0; y < d.g(); ++y)
        ASSERT_EQ(links[x * d.g() + y], x == y ? 0 : 1) << d.name() << ": groups " << x << ", " << y;
    }
  }
}

TEST(Dragonfly, EveryRouterOfAGroupIsLinkedToEveryOtherOnce) {
  for (const Dragonfly& d : many_sizes()) {
    for (int b = 0; b < d.a(); ++b) {
      std::set<int> others;
      for (int k = 0; k < d.a() - 1; ++k) {
        const Dragonfly::Peer there = d.peer({0, b}, d.first_local() + k);
        ASSERT_TRUE(there.connected && there.router.gid == 0 && there.router.bid != b);
        others.insert(there.router.bid);
      }
      EXPECT_EQ(static_cast<int>(others.size()), d.a() - 1) << d.name();
    }
  }
}

TEST(Dragonfly, DegreeOfARouter) {
  for (const Dragonfly& d : many_sizes()) {
    int global_links = 0, wrong_local = 0;
    for (int r = 0; r < d.num_routers(); ++r) {
      int local = 0, global = 0;
      for (int port = 0; port < d.num_ports(); ++port) {
        const bool connected = d.peer(d.router(r), port).connected;
        local += connected && d.is_local_port(port);
        global += connected && d.port_class(port) == PortClass::global;
      }
      wrong_local += local != d.a() - 1;
      EXPECT_LE(global, d.h());
      global_links += global;
    }
    EXPECT_EQ(wrong_local, 0) << d.name();
    EXPECT_EQ(global_links, d.g() * (d.g() - 1)) << d.name();
  }
}

/// The largest number of links between router `from` and any other, by breadth-first search.
int eccentricity(const Dragonfly& d, int from) {
  std::vector<int> distance(d.num_routers(), -1), queue{from};
  distance[from] = 0;
  for (size_t at = 0; at < queue.size(); ++at) {
    for (int port = d.first_local(); port < d.num_ports(); ++port) {
      const Dragonfly::Peer there = d.peer(d.router(queue[at]), port);
      if (!there.connected || distance[d.router_index(there.router)] >= 0) continue;
      distance[d.router_index(there.router)] = distance[queue[at]] + 1;
      queue.push_back(d.router_index(there.router));
    }
  }
  return *std::min_element(distance.begin(), distance.end()) < 0 ? -1 : distance[queue.back()];
}

TEST(Dragonfly, DiameterIsAtMostThreeLinks) {
  for (const Dragonfly& d : many_sizes()) {
    const int step = d.num_routers() > 500 ? d.num_routers() / 37 : 1;
    for (int r = 0; r < d.num_routers(); r += step) {
      const int most = eccentricity(d, r);
      ASSERT_TRUE(most > 0 && most <= 3) << d.name() << ": " << most << " links from router " << r;
    }
  }
  EXPECT_EQ(eccentricity(Dragonfly::named("tiny"), 0), 3);
}

TEST(Dragonfly, PortsAreNumberedNodeLocalGlobal) {
  const Dragonfly d = Dragonfly::named("full");
  EXPECT_EQ(d.num_ports(), 63);
  EXPECT_EQ(d.port_class(0), PortClass::node);
  EXPECT_EQ(d.port_class(15), PortClass::node);
  EXPECT_EQ(d.port_class(16), PortClass::local);
  EXPECT_EQ(d.port_class(46), PortClass::local);
  EXPECT_EQ(d.port_class(47), PortClass::global);
  EXPECT_EQ(d.port_class(62), PortClass::global);
  EXPECT_FALSE(d.is_local_port(kNoPort));
}

TEST(Dragonfly, LocalPortsFollowTheNeighboursWithTheOwnRouterSkipped) {
  const Dragonfly d = Dragonfly::named("tiny");
  EXPECT_EQ(d.local_port(0, 1), 2);
  EXPECT_EQ(d.local_port(2, 0), 2);
  EXPECT_EQ(d.local_port(2, 1), 3);
  EXPECT_EQ(d.local_port(2, 3), 4);
  for (const Dragonfly& size : many_sizes()) {
    for (int own = 0; own < size.a(); ++own) {
      for (int other = 0; other < size.a(); ++other) {
        if (other != own) {
          ASSERT_EQ(size.neighbour(own, size.local_port(own, other)), other);
        }
      }
    }
  }
}

TEST(Dragonfly, NodePortsAndUncabledPortsHaveNoPeer) {
  const Dragonfly d({2, 4, 2, 5}, Arrangement::direct);
  EXPECT_FALSE(d.peer({0, 0}, 0).connected);
  EXPECT_FALSE(d.peer({0, 0}, d.global_port(0)).connected) << "the port of the own group stays unused";
  EXPECT_TRUE(d.peer({0, 0}, d.global_port(1)).connected);
  EXPECT_FALSE(d.peer({0, 3}, d.global_port(1)).connected) << "group 7 does not exist";
  ASSERT_TRUE(d.peer({0, 1}, d.global_port(0)).connected);
  EXPECT_FALSE(d.peer({0, 0}, d.num_ports()).connected) << "no port of the next router";
  EXPECT_FALSE(d.peer({0, 0}, kNoPort).connected);
  EXPECT_EQ(d.peer({0, 3}, kNoPort).port, kNoPort);
}

TEST(Dragonfly, DirectCablesGroupXPortYToGroupYPortX) {
  const Dragonfly d = Dragonfly::named("full");
  const Dragonfly::Peer there = d.peer({100, 200 / 16}, d.global_port(200 % 16));
  EXPECT_EQ(there.router, (RouterId{200, 100 / 16}));
  EXPECT_EQ(there.port, d.global_port(100 % 16));
}

TEST(Dragonfly, AbsoluteSkipsTheOwnGroup) {
  const Dragonfly d = Dragonfly::named("paper");
  EXPECT_EQ(d.group_of_port(10, 9), 9);
  EXPECT_EQ(d.group_of_port(10, 10), 11);
  EXPECT_EQ(d.group_of_port(0, 0), 1);
  EXPECT_EQ(d.group_of_port(72, 71), 71);
  EXPECT_EQ(d.port_to_group(10, 11), 10);
  EXPECT_EQ(d.attached_router(10, 72), 11);
}

TEST(Dragonfly, PortToGroupIsTheInverseOfGroupOfPort) {
  for (const Dragonfly& d : many_sizes()) {
    int wrong = 0;
    for (int x = 0; x < d.g(); ++x) {
      for (int to = 0; to < d.g(); ++to) {
        if (to == x) continue;
        const int j = d.port_to_group(x, to);
        wrong += j < 0 || j >= d.group_ports() || d.group_of_port(x, j) != to || d.attached_router(x, to) != j / d.h();
      }
    }
    EXPECT_EQ(wrong, 0) << d.name();
  }
}

TEST(Dragonfly, NumbersOfRoutersAndNodesGoBackAndForth) {
  check_property(200, [] {
    const Dragonfly d({*rc::gen::inRange(1, 17), *rc::gen::inRange(2, 33), 2, 4}, Arrangement::direct);
    const int node = *rc::gen::inRange(0, d.num_nodes());
    const Address at = d.node(node);
    RC_ASSERT(d.contains(at));
    RC_ASSERT(d.node_index(at) == node);
    RC_ASSERT(d.router(d.router_index(at.router())) == at.router());
  });
}

TEST(Dragonfly, ContainsRefusesEveryCoordinateOutside) {
  const Dragonfly d = Dragonfly::named("tiny");
  EXPECT_TRUE(d.contains({7, 3, 1}));
  for (const Address& out : {Address{8, 0, 0}, {0, 4, 0}, {0, 0, 2}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}})
    EXPECT_FALSE(d.contains(out));
}

TEST(Dragonfly, NamedSizes) {
  EXPECT_EQ(Dragonfly::named("tiny").name(), "dfly(2,4,2,8) direct");
  EXPECT_EQ(Dragonfly::named("paper").name(), "dfly(6,12,6,73) absolute");
  EXPECT_EQ(Dragonfly::named("full").name(), "dfly(16,32,16,512) direct");
  EXPECT_EQ(Dragonfly::named("full").num_nodes(), 262144);
  EXPECT_EQ(Dragonfly::named("paper").num_nodes(), 5256);
}

// DOAR §5.3: "7,446 links, 876 routers", with 4,818 local and 2,628 global ones.
TEST(Dragonfly, LinksOfThePapersNetwork) {
  const Dragonfly d = Dragonfly::named("paper");
  EXPECT_EQ(d.num_routers(), 876);
  int local = 0, global = 0;
  for_every_port(d, [&](RouterId router, int port) {
    if (!d.peer(router, port).connected) return;
    (d.port_class(port) == PortClass::local ? local : global) += 1;
  });
  EXPECT_EQ(local / 2, 4818);
  EXPECT_EQ(global / 2, 2628);
}

// DOAR §2.1: under ADV+h the h global ports through which traffic comes into a group all lead on over one local link,
// to the next router; under ADV+1 all but one of h go on in the router where they come in.
TEST(Dragonfly, AdvHMeetsOneLocalLink) {
  const Dragonfly d = Dragonfly::named("full");
  const int h = d.h(), between = 100;
  int met = 0;
  for (int source = 0; source + h < d.g(); ++source) {
    if (source == between || source + h == between || source + 1 == between) continue;
    const int in = d.attached_router(between, source);
    EXPECT_EQ(d.attached_router(between, source + h), in + 1);
    EXPECT_EQ(d.attached_router(between, source + 1), source % h == h - 1 ? in + 1 : in);
    ++met;
  }
  EXPECT_EQ(met, d.g() - h - 3);
}

TEST(Dragonfly, ParseChoosesTheArrangementByTheNumberOfGroups) {
  EXPECT_EQ(Dragonfly::parse("2,4,2,8").arrangement(), Arrangement::direct);
  EXPECT_EQ(Dragonfly::parse("2,4,2,9").arrangement(), Arrangement::absolute);
  EXPECT_EQ(Dragonfly::parse("6,12,6,73").name(), Dragonfly::named("paper").name());
}

void expect_refused(DragonflySize size, Arrangement arrangement, const std::string& parameter) {
  const std::string message = error_text([&] { Dragonfly(size, arrangement); });
  EXPECT_NE(message.find(parameter + " = "), std::string::npos) << "'" << message << "' does not name " << parameter;
  EXPECT_EQ(message.find('\n'), std::string::npos);
}

TEST(DragonflyRefuses, SizesOutOfRangeNamingTheParameter) {
  const auto direct = Arrangement::direct, absolute = Arrangement::absolute;
  expect_refused({0, 4, 2, 8}, direct, "p");
  expect_refused({17, 4, 2, 8}, direct, "p");
  expect_refused({2, 1, 2, 2}, direct, "a");
  expect_refused({2, 33, 2, 8}, direct, "a");
  expect_refused({2, 4, 0, 2}, direct, "h");
  expect_refused({2, 4, 17, 8}, direct, "h");
  expect_refused({2, 4, 2, 1}, direct, "g");
  expect_refused({2, 4, 2, 9}, direct, "g");
  expect_refused({2, 4, 2, 10}, absolute, "g");
  expect_refused({16, 32, 16, 513}, absolute, "g");
  expect_refused({-1, 4, 2, 8}, direct, "p");
}

TEST(DragonflyRefuses, GroupsNamingTheLimitThatApplies) {
  EXPECT_NE(error_text([] { Dragonfly({2, 4, 2, 9}, Arrangement::direct); }).find("2..8"), std::string::npos);
  EXPECT_NE(error_text([] { Dragonfly({2, 4, 2, 10}, Arrangement::absolute); }).find("2..9"), std::string::npos);
}

TEST(DragonflyRefuses, TextThatIsNotFourNumbers) {
  for (const char* text : {"", "2", "2,4,2", "2,4,2,8,1", "2,4,2,8 ", " 2,4,2,8", "2,4,2,x", "2;4;2;8", "2,,2,8",
                           "2,4,2,", ",", "2,4,2,8,", "99999999999,4,2,8", "0x2,4,2,8"}) {
    const std::string message = error_text([&] { Dragonfly::parse(text); });
    EXPECT_NE(message.find("'" + std::string(text) + "'"), std::string::npos) << "for '" << text << "': " << message;
  }
}

TEST(DragonflyRefuses, ParsedSizesOutOfRange) {
  EXPECT_NE(error_text([] { Dragonfly::parse("2,4,2,100"); }).find("g = 100"), std::string::npos);
  EXPECT_NE(error_text([] { Dragonfly::parse("2,2147483647,2147483647,1"); }).find("a = "), std::string::npos);
  EXPECT_NE(error_text([] { Dragonfly::parse("2,32,2147483647,9"); }).find("h = "), std::string::npos);
}

TEST(DragonflyRefuses, UnknownNames) {
  EXPECT_NE(error_text([] { Dragonfly::named("huge"); }).find("'huge'"), std::string::npos);
}

TEST(Dragonfly, AnyTextIsParsedOrRefusedNeverAnythingElse) {
  check_property(2000, [] {
    const auto letters = rc::gen::container<std::string>(rc::gen::elementOf(std::string("0123456789,,,-+ x")));
    const std::string text = *letters;
    try {
      const Dragonfly d = Dragonfly::parse(text);
      RC_ASSERT(d.num_ports() <= 63);
    } catch (const Error& error) {
      RC_ASSERT(std::string(error.what()).find("dragonfly") == 0);
    }
  });
}

}  // namespace
}  // namespace odonata
