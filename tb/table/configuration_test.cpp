// SPDX-License-Identifier: Apache-2.0
// What is configured at every port: DOAR Fig. 7(a) rule by rule, and the choice of the neighbours of table B.
#include "models/table/configuration.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "tb/common/property.h"

namespace odonata::table {
namespace {

using Ports = std::set<int>;

Ports ports_of(uint64_t word) {
  Ports out;
  for (int k = 0; k < 64; ++k) {
    if (word >> k & 1) out.insert(k);
  }
  return out;
}

/// What the rules are checked on: an arrangement, a size and a policy.
struct Case {
  Dragonfly d;
  MinimalRouterPolicy policy;
};

std::vector<Case> cases() {
  const std::vector<Dragonfly> sizes{
      Dragonfly::named("tiny"),
      Dragonfly({2, 4, 2, 9}, Arrangement::absolute),
      Dragonfly({2, 3, 2, 6}, Arrangement::direct),
      Dragonfly({3, 5, 3, 7}, Arrangement::direct),    // 15 group ports, 7 groups: routers without a link
      Dragonfly({3, 5, 3, 8}, Arrangement::absolute),  // the same in the other arrangement
      Dragonfly({1, 2, 1, 2}, Arrangement::direct),
      Dragonfly({1, 2, 1, 3}, Arrangement::absolute),
      Dragonfly({2, 10, 1, 10}, Arrangement::direct),  // one global port a router
      Dragonfly({2, 12, 3, 37}, Arrangement::absolute),
  };
  std::vector<Case> out;
  for (const Dragonfly& d : sizes) {
    for (MinimalRouterPolicy policy : {MinimalRouterPolicy::examples, MinimalRouterPolicy::printed})
      out.push_back({d, policy});
  }
  return out;
}

/// One port of one router with its tables, and the words in which Fig. 7(a) speaks.
struct PortView {
  const Dragonfly& d;
  RouterId own;
  int port;
  MinimalRouterPolicy policy;
  PortTables tables;

  PortClass port_class() const { return d.port_class(port); }
  Ports a_n(int nid) const { return ports_of(tables.a[nid]); }
  Ports a_b(int bid) const { return ports_of(tables.a[d.p() + bid]); }
  Ports b_b(int bid) const { return ports_of(tables.b[bid]); }
  uint64_t word_a_g(int gid) const { return tables.a[d.p() + d.a() + gid]; }
  uint64_t word_b_g(int gid) const { return tables.b[d.a() + gid]; }
  Ports a_g(int gid) const { return ports_of(word_a_g(gid)); }
  Ports b_g(int gid) const { return ports_of(word_b_g(gid)); }

  /// The router at the other end of this port's cable; {-1, -1} for a node port or an uncabled one.
  RouterId from() const {
    const Dragonfly::Peer peer = d.peer(own, port);
    return peer.connected ? peer.router : RouterId{-1, -1};
  }
  int attached(int to) const { return d.attached_router(own.gid, to); }
  /// Physical ports of router `bid` of the own group that lead to a group other than `to`.
  Ports other_global_ports(int bid, int to) const {
    Ports out;
    for (int i = 0; i < d.h(); ++i) {
      const Dragonfly::Peer there = d.peer({own.gid, bid}, d.global_port(i));
      if (there.connected && there.router.gid != to) out.insert(d.global_port(i));
    }
    return out;
  }
  /// The physical port of the own router with the link to group `to`.
  int direct_port(int to) const {
    for (int i = 0; i < d.h(); ++i) {
      const Dragonfly::Peer there = d.peer(own, d.global_port(i));
      if (there.connected && there.router.gid == to) return d.global_port(i);
    }
    return -1;
  }
  Ports locals_without(int router) const {
    Ports out;
    for (int s = 0; s < d.a(); ++s) {
      if (s != own.bid && s != router) out.insert(d.local_port(own.bid, s));
    }
    return out;
  }
};

/// Calls check(view) for every port of the given class of every router of every case; stops at the first failed one.
template <class Check>
void for_ports(PortClass port_class, Check check) {
  for (const Case& c : cases()) {
    ConfigurationPolicy policy;
    policy.minimal_router = c.policy;
    for (int r = 0; r < c.d.num_routers(); ++r) {
      for (int port = 0; port < c.d.num_ports(); ++port) {
        if (c.d.port_class(port) != port_class) continue;
        const RouterId own = c.d.router(r);
        const PortView view{c.d, own, port, c.policy, configure(c.d, own, port, policy)};
        check(view);
        ASSERT_FALSE(::testing::Test::HasFailure()) << c.d.name() << ", " << to_string(c.policy) << ", router "
                                                    << own.gid << "." << own.bid << ", port " << port;
      }
    }
  }
}

template <class Check>
void for_all_ports(Check check) {
  for (PortClass port_class : {PortClass::node, PortClass::local, PortClass::global}) for_ports(port_class, check);
}

/// Calls check(view, gid) for every other group.
template <class Check>
void for_target_groups(PortClass port_class, Check check) {
  for_ports(port_class, [&](const PortView& view) {
    for (int to = 0; to < view.d.g(); ++to) {
      if (to != view.own.gid) check(view, to);
    }
  });
}

// ---- zone N

TEST(Fig7aZoneN, EveryPortSendsToTheNodeByTableA) {
  for_all_ports([](const PortView& v) {
    for (int n = 0; n < v.d.p(); ++n) EXPECT_EQ(v.a_n(n), Ports{n});
  });
}

// ---- zone B

TEST(Fig7aZoneB, NodePortTableAIsTheDirectLocalPort) {
  for_ports(PortClass::node, [](const PortView& v) {
    for (int r = 0; r < v.d.a(); ++r) {
      if (r != v.own.bid) {
        EXPECT_EQ(v.a_b(r), Ports{v.d.local_port(v.own.bid, r)});
      }
    }
  });
}

TEST(Fig7aZoneB, NodePortTableBIsAllOtherRoutersOfTheGroup) {
  for_ports(PortClass::node, [](const PortView& v) {
    for (int r = 0; r < v.d.a(); ++r) {
      if (r != v.own.bid) {
        EXPECT_EQ(v.b_b(r), v.locals_without(r));
      }
    }
  });
}

TEST(Fig7aZoneB, LocalPortHasTableAOnlyAndNoWayBack) {
  for_ports(PortClass::local, [](const PortView& v) {
    for (int r = 0; r < v.d.a(); ++r) {
      if (r == v.own.bid) continue;
      EXPECT_EQ(v.a_b(r), r == v.from().bid ? Ports{} : Ports{v.d.local_port(v.own.bid, r)});
      EXPECT_EQ(v.b_b(r), Ports{});
    }
  });
}

TEST(Fig7aZoneB, GlobalPortHasTableAOnly) {
  for_ports(PortClass::global, [](const PortView& v) {
    for (int r = 0; r < v.d.a(); ++r) {
      if (r != v.own.bid) {
        EXPECT_EQ(v.a_b(r), Ports{v.d.local_port(v.own.bid, r)});
      }
      EXPECT_EQ(v.b_b(r), Ports{});
    }
  });
}

TEST(Fig7aZoneB, TheOwnRouterHasNoEntry) {
  for_all_ports([](const PortView& v) {
    EXPECT_EQ(v.a_b(v.own.bid), Ports{});
    EXPECT_EQ(v.b_b(v.own.bid), Ports{});
  });
}

// ---- zone G, node ports

TEST(Fig7aZoneGNodePort, TableANamesTheAttachedRouterAndItsPort) {
  for_target_groups(PortClass::node, [](const PortView& v, int to) {
    const GlobalEntryA e = GlobalEntryA::decode(v.word_a_g(to));
    const int attached = v.attached(to);
    EXPECT_EQ(e.own_router, attached == v.own.bid);
    EXPECT_EQ(e.port, e.own_router ? kNoPort : v.d.local_port(v.own.bid, attached));
    EXPECT_EQ(std::popcount(e.global_ports), 1);
    const int port = v.d.global_port(std::countr_zero(e.global_ports));
    EXPECT_EQ(v.d.peer({v.own.gid, attached}, port).router.gid, to);
  });
}

TEST(Fig7aZoneGNodePort, TableBHasAllOwnGlobalPortsThatLeadElsewhere) {
  for_target_groups(PortClass::node, [](const PortView& v, int to) {
    Ports own;
    for (int i : ports_of(GlobalEntryB::decode(v.word_b_g(to)).own_global_ports)) own.insert(v.d.global_port(i));
    EXPECT_EQ(own, v.other_global_ports(v.own.bid, to));
  });
}

TEST(Fig7aZoneGNodePort, TableBListsOnlyRoutersWithAUsablePortEachOnceAtMostEight) {
  for_target_groups(PortClass::node, [](const PortView& v, int to) {
    const GlobalEntryB e = GlobalEntryB::decode(v.word_b_g(to));
    Ports seen;
    bool ended = false;
    for (int port : e.port) {
      ended = ended || port == kNoPort;
      if (ended) {
        EXPECT_EQ(port, kNoPort) << "no gap in the list";
        continue;
      }
      EXPECT_TRUE(v.d.is_local_port(port));
      EXPECT_TRUE(seen.insert(port).second);
      EXPECT_FALSE(v.other_global_ports(v.d.neighbour(v.own.bid, port), to).empty());
    }
  });
}

TEST(Fig7aZoneGNodePort, TableBListsEveryCandidateWhenThereAreAtMostEight) {
  for_target_groups(PortClass::node, [](const PortView& v, int to) {
    size_t candidates = 0;
    for (int s = 0; s < v.d.a(); ++s) {
      const bool listed = s != v.attached(to) || v.policy == MinimalRouterPolicy::examples;
      candidates += s != v.own.bid && listed && !v.other_global_ports(s, to).empty();
    }
    size_t listed = 0;
    for (int port : GlobalEntryB::decode(v.word_b_g(to)).port) listed += port != kNoPort;
    EXPECT_EQ(listed, std::min<size_t>(candidates, 8));
  });
}

TEST(Fig7aZoneGNodePort, PrintedPolicyLeavesTheAttachedRouterOutOfTableB) {
  for_target_groups(PortClass::node, [](const PortView& v, int to) {
    if (v.policy != MinimalRouterPolicy::printed || v.attached(to) == v.own.bid) return;
    for (int port : GlobalEntryB::decode(v.word_b_g(to)).port)
      EXPECT_NE(port, v.d.local_port(v.own.bid, v.attached(to)));
  });
}

TEST(Fig7aZoneGNodePort, ExamplesPolicyListsTheAttachedRouterWhenItHasOtherPorts) {
  const Dragonfly d = Dragonfly::named("tiny");
  const GlobalEntryB e = GlobalEntryB::decode(configure(d, {0, 0}, 0).b[d.a() + 7]);
  EXPECT_TRUE(std::count(e.port.begin(), e.port.end(), d.local_port(0, 3)));
}

TEST(Fig7aZoneGNodePort, TheOwnGroupHasNoOption) {
  for_ports(PortClass::node, [](const PortView& v) {
    EXPECT_EQ(v.word_a_g(v.own.gid), GlobalEntryA{}.encode());
    EXPECT_EQ(v.word_b_g(v.own.gid), GlobalEntryB{}.encode());
  });
}

TEST(Fig7aNodePort, AllNodePortsOfARouterAreAlike) {
  const Dragonfly d = Dragonfly::named("paper");
  for (int n = 1; n < d.p(); ++n) EXPECT_EQ(configure(d, {5, 5}, n), configure(d, {5, 5}, 0));
}

// ---- zone G, local ports

TEST(Fig7aZoneGLocalPort, AttachedRouterHasTableAOnlyItsDirectPort) {
  for_target_groups(PortClass::local, [](const PortView& v, int to) {
    if (v.attached(to) == v.own.bid) {
      EXPECT_EQ(v.a_g(to), Ports{v.direct_port(to)});
    }
  });
}

TEST(Fig7aZoneGLocalPort, AttachedRouterHasNoTableBInThePrintedPolicy) {
  for_target_groups(PortClass::local, [](const PortView& v, int to) {
    if (v.policy == MinimalRouterPolicy::printed && v.attached(to) == v.own.bid) {
      EXPECT_EQ(v.b_g(to), Ports{});
    }
  });
}

TEST(Fig7aZoneGLocalPort, AttachedRouterHasItsOtherPortsInTableBInTheExamplesPolicy) {
  for_target_groups(PortClass::local, [](const PortView& v, int to) {
    if (v.policy == MinimalRouterPolicy::examples && v.attached(to) == v.own.bid) {
      EXPECT_EQ(v.b_g(to), v.other_global_ports(v.own.bid, to));
    }
  });
}

TEST(Fig7aZoneGLocalPort, OtherRoutersHaveTableBOnlyOwnPortsAndTheEgressRouter) {
  for_target_groups(PortClass::local, [](const PortView& v, int to) {
    if (v.attached(to) == v.own.bid) return;
    Ports expected = v.other_global_ports(v.own.bid, to);
    if (v.attached(to) != v.from().bid) expected.insert(v.d.local_port(v.own.bid, v.attached(to)));
    EXPECT_EQ(v.a_g(to), Ports{});
    EXPECT_EQ(v.b_g(to), expected);
  });
}

// ---- zone G, global ports (the intermediate group)

TEST(Fig7aZoneGGlobalPort, AttachedRouterHasTableAOnly) {
  for_target_groups(PortClass::global, [](const PortView& v, int to) {
    if (v.from().gid < 0 || to == v.from().gid || v.attached(to) != v.own.bid) return;
    EXPECT_EQ(v.a_g(to), Ports{v.direct_port(to)});
    EXPECT_EQ(v.b_g(to), Ports{});
  });
}

TEST(Fig7aZoneGGlobalPort, OtherRoutersHaveTheEgressRouterInTableAAndOneDetourInTableB) {
  for_target_groups(PortClass::global, [](const PortView& v, int to) {
    if (v.from().gid < 0 || to == v.from().gid || v.attached(to) == v.own.bid) return;
    EXPECT_EQ(v.a_g(to), Ports{v.d.local_port(v.own.bid, v.attached(to))});
    EXPECT_EQ(v.b_g(to), v.locals_without(v.attached(to)));
  });
}

TEST(Fig7aZoneGGlobalPort, NoWayBackToTheGroupThatThePacketCameFrom) {
  for_ports(PortClass::global, [](const PortView& v) {
    if (v.from().gid < 0) return;
    EXPECT_EQ(v.a_g(v.from().gid), Ports{});
    EXPECT_EQ(v.b_g(v.from().gid), Ports{});
  });
}

TEST(Fig7aZoneGGlobalPort, AnUncabledPortHasNoEntries) {
  for_ports(PortClass::global, [](const PortView& v) {
    if (v.from().gid >= 0) return;
    for (int to = 0; to < v.d.g(); ++to) EXPECT_TRUE(v.a_g(to).empty() && v.b_g(to).empty());
  });
}

// ---- all ports

TEST(Fig7aZoneG, LocalAndGlobalPortsHaveNoEntryForTheOwnGroup) {
  for (PortClass port_class : {PortClass::local, PortClass::global}) {
    for_ports(port_class,
              [](const PortView& v) { EXPECT_TRUE(v.word_a_g(v.own.gid) == 0 && v.word_b_g(v.own.gid) == 0); });
  }
}

TEST(Fig7a, NoUTurns) {
  for_all_ports([](const PortView& v) {
    if (v.port_class() == PortClass::node) return;
    for (uint64_t word : v.tables.a) EXPECT_FALSE(word >> v.port & 1);
    for (uint64_t word : v.tables.b) EXPECT_FALSE(word >> v.port & 1);
  });
}

TEST(Fig7a, NoOptionIsAnUncabledPort) {
  for_all_ports([](const PortView& v) {
    uint64_t used = 0;
    const bool node = v.port_class() == PortClass::node;
    const size_t end_a = node ? v.d.p() + v.d.a() : v.tables.a.size(), end_b = node ? v.d.a() : v.tables.b.size();
    for (size_t i = v.d.p(); i < end_a; ++i) used |= v.tables.a[i];
    for (size_t i = 0; i < end_b; ++i) used |= v.tables.b[i];
    for (int port : ports_of(used)) EXPECT_TRUE(v.d.peer(v.own, port).connected) << port;
  });
}

TEST(Fig7a, EveryConfiguredEntryIsAValidEncoding) {
  for_all_ports([](const PortView& v) {
    const bool node = v.port_class() == PortClass::node;
    for (int i = 0; i < size_a(v.d); ++i) {
      const bool global = node && i >= v.d.p() + v.d.a();
      EXPECT_TRUE(global ? valid_global_a(v.d, v.tables.a[i]) : valid_default_entry(v.d, v.tables.a[i])) << i;
    }
    for (int i = 0; i < size_b(v.d); ++i) {
      const bool global = node && i >= v.d.a();
      EXPECT_TRUE(global ? valid_global_b(v.d, v.tables.b[i]) : valid_default_entry(v.d, v.tables.b[i])) << i;
    }
    for (uint64_t word : v.tables.c) EXPECT_TRUE(valid_c(v.d, word));
  });
}

TEST(Fig7a, TablesHaveTheSizesOfTheSpecification) {
  const Dragonfly d = Dragonfly::named("full");
  const PortTables t = configure(d, {0, 0}, 20);
  EXPECT_EQ(t.a.size(), 560u);
  EXPECT_EQ(t.b.size(), 544u);
  EXPECT_EQ(t.c.size(), 32u);
}

TEST(TableC, NamesTheOneLocalPortToEveryOtherRouter) {
  for_all_ports([](const PortView& v) {
    for (int r = 0; r < v.d.a(); ++r) {
      EntryC expected;
      if (r != v.own.bid) expected.port[0] = v.d.local_port(v.own.bid, r);
      EXPECT_EQ(EntryC::decode(v.tables.c[r]).port, expected.port);
    }
  });
}

TEST(Configuration, IsDeterministic) {
  for (const char* name : {"tiny", "paper", "full"}) {
    const Dragonfly d = Dragonfly::named(name);
    for (int port : {0, d.first_local(), d.first_global()})
      EXPECT_EQ(configure(d, {1, 1}, port), configure(d, {1, 1}, port));
  }
}

// ---- which eight neighbours

/// How often something is used: the largest count minus the smallest.
int spread(const std::map<int, int>& count) {
  int low = count.begin()->second, high = low;
  for (const auto& [key, n] : count) {
    low = std::min(low, n);
    high = std::max(high, n);
  }
  return high - low;
}

std::vector<int> neighbours(const Dragonfly& d, RouterId own, int to, const ConfigurationPolicy& policy) {
  std::vector<int> routers;
  for (int port : nonminimal_neighbours(d, own, to, policy)) routers.push_back(d.neighbour(own.bid, port));
  return routers;
}

/// For one source router: how often each neighbour is listed over all target groups.
std::map<int, int> use_over_targets(const Dragonfly& d, RouterId own, const ConfigurationPolicy& policy) {
  std::map<int, int> count;
  for (int s = 0; s < d.a(); ++s) {
    if (s != own.bid) count[s] = 0;
  }
  for (int to = 0; to < d.g(); ++to) {
    if (to == own.gid) continue;
    for (int s : neighbours(d, own, to, policy)) ++count[s];
  }
  return count;
}

/// For one target group: how often each router of group gid is listed by the others.
std::map<int, int> use_over_sources(const Dragonfly& d, int gid, int to, const ConfigurationPolicy& policy) {
  std::map<int, int> count;
  for (int s = 0; s < d.a(); ++s) count[s] = 0;
  for (int b = 0; b < d.a(); ++b) {
    for (int s : neighbours(d, {gid, b}, to, policy)) ++count[s];
  }
  return count;
}

const std::vector<MinimalRouterPolicy> kBothPolicies{MinimalRouterPolicy::examples, MinimalRouterPolicy::printed};

TEST(SpreadPolicy, ASourceUsesAllNeighboursEvenlyOverTheTargetGroups) {
  for (const char* name : {"paper", "full"}) {
    const Dragonfly d = Dragonfly::named(name);
    for (MinimalRouterPolicy minimal : kBothPolicies) {
      for (int b = 0; b < d.a(); ++b) {
        const std::map<int, int> count = use_over_targets(d, {3, b}, {NeighbourPolicy::spread, minimal});
        EXPECT_LE(spread(count), 5) << name << ", " << to_string(minimal) << ", router " << b;
      }
    }
  }
}

TEST(SpreadPolicy, TheSourcesOfAGroupShareTheNeighboursEvenlyForEveryTargetGroup) {
  for (const char* name : {"paper", "full"}) {
    const Dragonfly d = Dragonfly::named(name);
    for (MinimalRouterPolicy minimal : kBothPolicies) {
      int worst = 0;
      for (int to = 0; to < d.g(); ++to) {
        if (to == 3) continue;
        std::map<int, int> count = use_over_sources(d, 3, to, {NeighbourPolicy::spread, minimal});
        if (minimal == MinimalRouterPolicy::printed) count.erase(d.attached_router(3, to));
        worst = std::max(worst, spread(count));
      }
      EXPECT_LE(worst, 4) << name << ", " << to_string(minimal);
    }
  }
}

TEST(SpreadPolicy, IsEvenForAnySizeWithMoreThanEightCandidates) {
  test::check_property(60, [] {
    const int a = test::uniform(10, 32), h = test::uniform(2, 16);
    const bool absolute = *rc::gen::arbitrary<bool>() && a * h < 512;
    const Dragonfly d({1, a, h, std::min(512, absolute ? a * h + 1 : a * h)},
                      absolute ? Arrangement::absolute : Arrangement::direct);
    const RouterId own{*rc::gen::inRange(0, d.g()), *rc::gen::inRange(0, a)};
    RC_ASSERT(spread(use_over_targets(d, own, {})) <= 8);
  });
}

TEST(LowestPolicy, TakesTheLowestRoutersAndIsUneven) {
  const Dragonfly d = Dragonfly::named("full");
  const ConfigurationPolicy policy{NeighbourPolicy::lowest, MinimalRouterPolicy::examples};
  EXPECT_EQ(neighbours(d, {3, 20}, 100, policy), (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(neighbours(d, {3, 2}, 100, policy), (std::vector<int>{0, 1, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(spread(use_over_targets(d, {3, 20}, policy)), 511);
}

TEST(Policies, HaveNames) {
  EXPECT_EQ(to_string(NeighbourPolicy::spread), "spread");
  EXPECT_EQ(to_string(NeighbourPolicy::lowest), "lowest");
  EXPECT_EQ(to_string(MinimalRouterPolicy::examples), "examples");
  EXPECT_EQ(to_string(MinimalRouterPolicy::printed), "printed");
}

}  // namespace
}  // namespace odonata::table
