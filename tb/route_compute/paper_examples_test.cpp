// SPDX-License-Identifier: Apache-2.0
// The worked examples of DOAR Fig. 3, 4 and 7 by name, with engineered congestion.
#include <gtest/gtest.h>

#include <functional>
#include <initializer_list>
#include <map>

#include "models/route_compute/path.h"
#include "tb/route_compute/situation.h"

namespace odonata::route_compute {
namespace {

using oracle::to_ports;
using Ports = oracle::Ports;

/// A network and what its routers see of congestion.
class Scene {
 public:
  explicit Scene(const Dragonfly& d, table::MinimalRouterPolicy minimal = table::MinimalRouterPolicy::examples)
      : d_(d), network_(d, {table::NeighbourPolicy::spread, minimal}) {}

  /// In group `gid` every global port but `free` is congested: all its routers see it in the map, the owner at its own
  /// port too.
  void only_global_ports(int gid, std::initializer_list<int> free) {
    GroupMap map = GroupMap::low(d_.group_ports());
    for (int j : free) map.clear(j);
    for (int bid = 0; bid < d_.a(); ++bid) {
      Congestion& seen = congestion_[d_.router_index({gid, bid})];
      seen.global = map;
      seen.local &= low_mask(d_.first_global());
      seen.local |= static_cast<uint64_t>(map.field(bid * d_.h(), d_.h())) << d_.first_global();
    }
  }
  /// The local port of `router` to router `other` of its group is congested.
  void congest_local(RouterId router, int other) {
    congestion_[d_.router_index(router)].local |= 1ull << d_.local_port(router.bid, other);
  }
  void congest_port(RouterId router, int port) { congestion_[d_.router_index(router)].local |= 1ull << port; }

  /// The candidates of the source router, split by hop class.
  GlobalRequests options(const Address& from, const Address& to) { return explain_at_source(from, to).global_options; }
  HopClass source_class(const Address& from, const Address& to) {
    return explain_at_source(from, to).decision.hop_class;
  }

  Path follow(const Address& from, const Address& to) {
    return route_compute::follow(
        network_, from, to, [this](RouterId r) { return seen_by(r); }, seed_++);
  }
  /// "L0 G1 L1": link classes and virtual channels along the path; "lost" if it is not delivered to `to`.
  std::string channels(const Address& from, const Address& to) {
    const Path path = follow(from, to);
    if (path.outcome != Outcome::delivered || !(path.hops.back().router == to.router())) return "lost";
    std::string out;
    for (int k = 0; k < path.links(); ++k) {
      const Decision& decision = path.hops[k].record.decision;
      out += std::string(k > 0 ? " " : "") + (d_.port_class(decision.port) == PortClass::global ? "G" : "L") +
             std::to_string(decision.vc);
    }
    return out;
  }
  /// The shape, which has to be the same whatever the LFSR picks among equals.
  std::string shape(const Address& from, const Address& to) {
    std::string first = follow(from, to).shape(d_);
    for (int k = 0; k < 20; ++k) {
      const std::string other = follow(from, to).shape(d_);
      if (other != first) return first + " or " + other;
    }
    return first;
  }

 private:
  Congestion seen_by(RouterId router) const {
    const auto found = congestion_.find(d_.router_index(router));
    return found == congestion_.end() ? Congestion{} : found->second;
  }
  DecisionRecord explain_at_source(const Address& from, const Address& to) {
    const UnitConfig& config = network_.config(from.router(), from.nid);
    const Request request{to, from.gid, 0};
    return explain(config, request, network_.entries(from.router(), from.nid, decode(config, request)),
                   seen_by(from.router()), 1);
  }
  Dragonfly d_;
  NetworkTables network_;
  std::map<int, Congestion> congestion_;
  uint64_t seed_ = 1;
};

// ---- Fig. 3: the four cases of the source group, on dfly(2,4,2,8) from router 0 of group 0.
// Group 7 is attached to router 3 (port 7); its router 1 has the links to groups 2 and 3, its router 0 those to groups
// 0 and 1.

class Fig3 : public ::testing::Test {
 protected:
  Scene scene{Dragonfly::named("tiny")};
  const Address from{0, 0, 1}, to{7, 1, 0};
  const int source = 0;  // group
};

TEST_F(Fig3, Case1MinimalPathIsLGL) {
  EXPECT_EQ(to_ports(scene.options(from, to).ga), Ports{7});
  EXPECT_EQ(scene.source_class(from, to), HopClass::ga);
  EXPECT_EQ(scene.shape(from, to), "L-G-L");
}

TEST_F(Fig3, Case2OwnGlobalPortSavesTheHopInTheSourceGroup) {
  scene.only_global_ports(source, {1});
  EXPECT_EQ(scene.source_class(from, to), HopClass::gc);
  EXPECT_EQ(scene.shape(from, to), "G-L-GL");
}

TEST_F(Fig3, Case3GroupAttachedToTheDestinationRouterSavesTheHopInTheDestinationGroup) {
  for (int port : {2, 3}) {
    scene.only_global_ports(source, {port});
    EXPECT_EQ(scene.source_class(from, to), HopClass::gc);
    EXPECT_EQ(scene.shape(from, to), "LG-L-G");
  }
}

TEST_F(Fig3, Case4AnyOtherGroupIsLongest) {
  for (int port : {4, 5}) {
    scene.only_global_ports(source, {port});
    EXPECT_EQ(scene.source_class(from, to), HopClass::gd);
    EXPECT_EQ(scene.shape(from, to), "LG-L-GL");
  }
}

TEST_F(Fig3, Cases2And3TogetherSaveBothHops) {
  const Address same{7, 0, 0};
  scene.only_global_ports(source, {1});
  EXPECT_EQ(scene.source_class(from, same), HopClass::gb);
  EXPECT_EQ(scene.shape(from, same), "G-L-G");
}

TEST_F(Fig3, ADetourInTheIntermediateGroupAddsOneHopToCases2To4) {
  const auto detour = [this](int port, const Address& dest) {
    scene.only_global_ports(source, {port});
    scene.congest_local({port, 0}, 3);  // group `port` is entered at its router 0; its router 3 leads to group 7
    return scene.shape(from, dest);
  };
  EXPECT_EQ(detour(1, to), "G-LL-GL");
  EXPECT_EQ(detour(2, to), "LG-LL-G");
  EXPECT_EQ(detour(4, to), "LG-LL-GL");
}

TEST_F(Fig3, ShorterClassesWinAsLongAsTheyAreFree) {
  scene.only_global_ports(source, {1, 2, 4, 7});
  EXPECT_EQ(scene.source_class(from, to), HopClass::ga);
  scene.only_global_ports(source, {1, 2, 4});
  EXPECT_EQ(scene.source_class(from, to), HopClass::gc);
  scene.only_global_ports(source, {4});
  EXPECT_EQ(scene.source_class(from, to), HopClass::gd);
  scene.only_global_ports(source, {});
  EXPECT_EQ(scene.source_class(from, to), HopClass::fallback);
}

// ---- Fig. 4: dfly(2,3,2,6), from router 1 of group 1 (node c) to group 4

class Fig4 : public ::testing::Test {
 protected:
  const Dragonfly d{{2, 3, 2, 6}, Arrangement::direct};
  Scene scene{d};
  const Address c{1, 1, 0}, e{4, 2, 0}, d_node{4, 1, 0};
  const int source = 1;  // group
};

TEST_F(Fig4, Port4IsMinimal) {
  EXPECT_EQ(to_ports(scene.options(c, e).ga), Ports{4});
  EXPECT_EQ(scene.shape(c, e), "L-G-L");
}

TEST_F(Fig4, Ports2And3AreCase2AndPort5IsCase3) {
  EXPECT_EQ(to_ports(scene.options(c, e).gb), Ports{});
  EXPECT_EQ(to_ports(scene.options(c, e).gc), (Ports{2, 3, 5}));
  for (int port : {2, 3}) {
    scene.only_global_ports(source, {port});
    EXPECT_EQ(scene.shape(c, e), "G-L-GL");
  }
  scene.only_global_ports(source, {5});
  EXPECT_EQ(scene.shape(c, e), "LG-L-G");
}

TEST_F(Fig4, Port0IsCase4) {
  EXPECT_EQ(to_ports(scene.options(c, e).gd), Ports{0});
  scene.only_global_ports(source, {0});
  EXPECT_EQ(scene.shape(c, e), "LG-L-GL");
}

TEST_F(Fig4, ToRouter1OfGroup4Ports2And3AreCases2And3AtOnce) {
  EXPECT_EQ(to_ports(scene.options(c, d_node).ga), Ports{4});
  EXPECT_EQ(to_ports(scene.options(c, d_node).gb), (Ports{2, 3}));
  EXPECT_EQ(to_ports(scene.options(c, d_node).gc), Ports{});
  EXPECT_EQ(to_ports(scene.options(c, d_node).gd), (Ports{0, 5}));
}

TEST_F(Fig4, ToRouter1OfGroup4Port2SavesBothHops) {
  // Group 2 is entered at its router 0 (port 1) and left from its router 2 (port 4): one local hop.
  scene.only_global_ports(source, {2});
  EXPECT_EQ(scene.source_class(c, d_node), HopClass::gb);
  EXPECT_EQ(scene.shape(c, d_node), "G-L-G");
}

TEST_F(Fig4, ThePrintedPolicyCannotHavePort5) {
  Scene printed(d, table::MinimalRouterPolicy::printed);
  EXPECT_EQ(to_ports(printed.options(c, e).gc), (Ports{2, 3})) << "port 5 belongs to the router attached to group 4";
}

TEST_F(Fig4, ExplainedInWords) {
  NetworkTables network(d);
  const UnitConfig& config = network.config(c.router(), 0);
  const Request request{e, 1, 0};
  const DecisionRecord record =
      explain(config, request, network.entries(c.router(), 0, decode(config, request)), {}, 1);
  std::string text;
  for (const std::string& line : in_words(config, record)) text += line + "\n";
  EXPECT_NE(text.find("seen from group 1, router 1 at a node port: zone G (other group), unit RTA."), std::string::npos)
      << text;
  EXPECT_NE(text.find("GA minimal, 3 hops: 4 (router 2 to group 4); free: all of them"), std::string::npos) << text;
  EXPECT_NE(text.find("2 (router 1 to group 2), 3 (router 1 to group 3), 5 (router 2 to group 5)"), std::string::npos)
      << text;
  EXPECT_NE(
      text.find(
          "Lowest class with a free candidate is GA: router 2, through local port 3 to router 2, virtual channel 0."),
      std::string::npos)
      << text;
}

/// Everything is congested: with the rule of doar_stable, and with the printed one.
TEST_F(Fig4, AFallbackIsExplainedAsMinimalOnlyIfThereIsAMinimalOption) {
  NetworkTables network(d);
  const Congestion all{.local = low_mask(d.num_ports()),
                       .global = GroupMap::low(d.group_ports()),
                       .busy_local = low_mask(d.num_ports()),
                       .busy_global = GroupMap::low(d.group_ports())};
  const auto last_words = [&](const Address& to, const Rule& rule, bool with_minimal) {
    UnitConfig config = network.config(c.router(), 0);
    config.set_rule(rule);
    const Request request{to, source, 0};
    Entries entries = network.entries(c.router(), 0, decode(config, request));
    if (!with_minimal) entries.a = 0;
    const DecisionRecord record = explain(config, request, entries, all, 1);
    EXPECT_EQ(record.decision.hop_class, HopClass::fallback);
    return in_words(config, record).back();
  };
  const std::string minimal = "Everything is congested: a minimal option is taken: ",
                    any = "Everything is congested: one of all valid options is taken at random: ";
  for (const Address& to : {e, Address{source, 2, 0}}) {  // by RTA, by RTB
    EXPECT_TRUE(last_words(to, kStableRule, true).starts_with(minimal)) << last_words(to, kStableRule, true);
    EXPECT_TRUE(last_words(to, kStableRule, false).starts_with(any)) << last_words(to, kStableRule, false);
    EXPECT_TRUE(last_words(to, {}, true).starts_with(any)) << last_words(to, {}, true);
    const Rule global{.minimal_global = true}, local{.minimal_local = true};  // each table has its own bit
    const bool by_rta = to.gid != source;
    EXPECT_TRUE(last_words(to, by_rta ? global : local, true).starts_with(minimal));
    EXPECT_TRUE(last_words(to, by_rta ? local : global, true).starts_with(any));
  }
}

TEST(InWords, OfMoreThanTwelveOptionsTheOthersAreCounted) {
  const Dragonfly d = Dragonfly::named("paper");
  NetworkTables network(d);
  const UnitConfig& config = network.config({0, 0}, 0);
  const auto detours = [&](int count) {
    DecisionRecord record;
    record.decoded.rta = true;
    record.global_options.gd = record.global_free.gd = GroupMap::low(count);
    return in_words(config, record)[4];
  };
  const std::string eleven =
      "GD any other intermediate group, 5 hops: 0 (router 0 to group 1), 1 (router 0 to group 2), 2 (router 0 to group "
      "3), 3 (router 0 to group 4), 4 (router 0 to group 5), 5 (router 0 to group 6), 6 (router 1 to group 7), 7 "
      "(router 1 to group 8), 8 (router 1 to group 9), 9 (router 1 to group 10), 10 (router 1 to group 11)";
  EXPECT_EQ(detours(12), eleven + ", 11 (router 1 to group 12); free: all of them");
  EXPECT_EQ(detours(13), eleven + ", 11 (router 1 to group 12), ... (13 in all); free: all of them");
}

// ---- Fig. 7(b) and (c): s1-d1 inside a group, s2-d2 minimal, s3-d3 non-minimal, with hops and virtual channels

class Fig7 : public ::testing::Test {
 protected:
  Scene scene{Dragonfly::named("tiny")};
  const Address s3{0, 0, 0}, d3{7, 1, 0};
  const RouterId m32{4, 0};  // entered from group 0
  const int m34 = 3;         // leads to group 7
};

TEST_F(Fig7, S1ToD1TakesOneHopWhenTheDirectPortIsFree) { EXPECT_EQ(scene.channels({3, 0, 0}, {3, 2, 1}), "L0"); }

TEST_F(Fig7, S1ToD1TakesLThenLWhenTheDirectPortIsCongested) {
  scene.congest_local({3, 0}, 2);
  EXPECT_EQ(scene.shape({3, 0, 0}, {3, 2, 1}), "L-L");
  EXPECT_EQ(scene.channels({3, 0, 0}, {3, 2, 1}), "L0 L1");
}

TEST_F(Fig7, S1ToD1HasOnlyTableAAtM1) {
  scene.congest_local({3, 0}, 2);
  for (int m1 : {1, 3}) scene.congest_local({3, m1}, 2);  // everything is congested at m1: still table A
  EXPECT_EQ(scene.channels({3, 0, 0}, {3, 2, 1}), "L0 L1");
}

TEST_F(Fig7, S2ToD2TakesLGL) {
  EXPECT_EQ(scene.shape({0, 0, 0}, {7, 1, 0}), "L-G-L");
  EXPECT_EQ(scene.channels({0, 0, 0}, {7, 1, 0}), "L0 G1 L1");
}

TEST_F(Fig7, S3ToD3TakesLGLLGL) {
  scene.only_global_ports(s3.gid, {4});
  scene.congest_local(m32, m34);
  EXPECT_EQ(scene.shape(s3, d3), "LG-LL-GL");
  EXPECT_EQ(scene.channels(s3, d3), "L0 G1 L1 L2 G3 L3");
}

TEST_F(Fig7, S3ToD3LeavesTheMinimalPathForLocalCongestionToo) {
  scene.congest_local(s3.router(), 3);  // the router attached to group 7
  EXPECT_NE(scene.source_class(s3, d3), HopClass::ga);
}

TEST_F(Fig7, S3ToD3PassesTheRoutersOfTheFigure) {
  scene.only_global_ports(s3.gid, {4});
  scene.congest_local(m32, m34);
  const Path path = scene.follow(s3, d3);
  ASSERT_EQ(path.hops.size(), 7u);
  EXPECT_EQ(path.hops[1].router, (RouterId{0, 2})) << "m31, not attached to the destination group";
  EXPECT_EQ(path.hops[2].router, m32);
  EXPECT_TRUE(path.hops[3].router == (RouterId{4, 1}) || path.hops[3].router == (RouterId{4, 2})) << "m33, a detour";
  EXPECT_EQ(path.hops[4].router, (RouterId{4, 3})) << "m34, attached to the destination group";
  EXPECT_EQ(path.hops[5].router, (RouterId{7, 2})) << "m35";
  EXPECT_EQ(path.hops[6].router, d3.router());
  EXPECT_EQ(path.hops[1].record.decision.hop_class, HopClass::lf) << "table B, filtered to global ports";
  EXPECT_EQ(path.hops[2].record.decision.hop_class, HopClass::lf) << "table B, the detour";
  EXPECT_EQ(path.hops[3].record.decision.hop_class, HopClass::lf) << "table B, filtered to local ports";
  EXPECT_EQ(path.hops[4].record.decision.hop_class, HopClass::le);
  EXPECT_EQ(path.hops[5].record.decision.hop_class, HopClass::le);
}

TEST_F(Fig7, S3ToD3IsReducedToLGLGLWhenM32IsFree) {
  scene.only_global_ports(s3.gid, {4});
  EXPECT_EQ(scene.shape(s3, d3), "LG-L-GL");
  EXPECT_EQ(scene.channels(s3, d3), "L0 G1 L1 G2 L2");
}

TEST_F(Fig7, S3ToD3IsReducedToGLGLWhenS3LeavesByItsOwnPort) {
  scene.only_global_ports(s3.gid, {1});
  EXPECT_EQ(scene.shape(s3, d3), "G-L-GL");
  EXPECT_EQ(scene.channels(s3, d3), "G0 L0 G1 L1");
}

TEST_F(Fig7, EverythingCongestedStillArrives) {
  for (int gid = 0; gid < 8; ++gid) {
    scene.only_global_ports(gid, {});
    for (int bid = 0; bid < 4; ++bid) {
      for (int port = 0; port < 8; ++port) scene.congest_port({gid, bid}, port);
    }
  }
  for (int k = 0; k < 200; ++k) EXPECT_NE(scene.channels(s3, d3), "lost");
}

}  // namespace
}  // namespace odonata::route_compute
