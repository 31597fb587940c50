// SPDX-License-Identifier: Apache-2.0
// decide(), the units and explain() agree with the oracle on random situations; planted bugs do not.
#include "tb/route_compute/oracle.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "models/route_compute/dependency.h"
#include "models/route_compute/explain.h"
#include "models/route_compute/shortcuts.h"
#include "tb/common/property.h"
#include "tb/route_compute/situation.h"

namespace odonata::route_compute::oracle {
namespace {

using test::check_property;
using test::run_property;

constexpr int kCases = 12000;

Decision by_stages(const Arguments& x) {
  if (x.decoded.rta) {
    return stage4_rta(x.config, stage3_rta(x.config, x.request.dest, x.entries, x.congestion), x.congestion.local,
                      x.request.vc, x.lfsr);
  }
  return stage4_rtb(x.config, stage3_rtb(x.config, x.decoded, x.entries, x.congestion), x.request.vc, x.lfsr);
}

TEST(Oracle, DecodeAgrees) {
  check_property(kCases, [] {
    const Situation s = *any_situation();
    const Decoded got = Arguments(s).decoded;
    const char zone = answer(s).zone;
    const Address& to = s.request.dest;
    RC_ASSERT("NBG-"[static_cast<int>(got.zone)] == zone);
    RC_ASSERT(got.rta == answer(s).rta);
    RC_ASSERT(got.transit == answer(s).transit);
    const int a = zone == 'N'   ? to.nid
                  : zone == 'B' ? s.size.p + to.bid
                  : zone == 'G' ? s.size.p + s.size.a + to.gid
                                : 0;
    const int b = zone == 'B' ? to.bid : zone == 'G' ? s.size.a + to.gid : 0;
    RC_ASSERT(got.index_a == a);
    RC_ASSERT(got.index_b == b);
  });
}

TEST(Oracle, DecideAgrees) {
  check_property(2 * kCases, [] {
    const Situation s = *any_situation();
    RC_ASSERT(difference(answer(s).decision, Arguments(s).decide()) == "");
  });
}

TEST(Oracle, DecideAgreesInRta) {
  check_property(2 * kCases, [] {
    const Situation s = *any_rta_situation();
    RC_ASSERT(difference(answer(s).decision, Arguments(s).decide()) == "");
  });
}

TEST(Oracle, FastMinimalDecisionAgreesWithDecide) {
  int taken = 0, refused = 0;
  check_property(2 * kCases, [&] {
    const Situation s = *any_rta_situation();
    const Arguments x(s);
    const Decision expected = x.decide();
    Decision got;
    const bool minimal = decide_minimal(x.config, x.entries, x.congestion.local, x.congestion.global, x.lfsr, got);
    got.nonempty = expected.nonempty;  // not part of it
    if (minimal) RC_ASSERT(difference(expected, got) == "");
    const bool one_way =
        expected.router == x.config.own().bid || std::has_single_bit(x.config.ports_c(expected.router));
    RC_ASSERT(minimal == (expected.hop_class == HopClass::ga && one_way));
    ++(minimal ? taken : refused);
  });
  EXPECT_GT(taken, kCases / 100);
  EXPECT_GT(refused, kCases / 100);
}

TEST(Oracle, StageThreeOfRtaAgreesVectorByVector) {
  check_property(kCases, [] {
    const Situation s = *any_rta_situation();
    const Arguments x(s);
    const Answer expected = answer(s);
    const GlobalRequests got = stage3_rta(x.config, x.request.dest, x.entries, x.congestion);
    RC_ASSERT(to_ports(got.ga) == expected.ga);
    RC_ASSERT(to_ports(got.gb) == expected.gb);
    RC_ASSERT(to_ports(got.gc) == expected.gc);
    RC_ASSERT(to_ports(got.gd) == expected.gd);
    RC_ASSERT(to_ports(got.any) == expected.any);
  });
}

TEST(Oracle, StageThreeOfRtbAgreesVectorByVector) {
  check_property(kCases, [] {
    const Situation s = *any_situation();
    const Arguments x(s);
    RC_PRE(!x.decoded.rta);
    const Answer expected = answer(s);
    const LocalRequests got = stage3_rtb(x.config, x.decoded, x.entries, x.congestion);
    RC_ASSERT(to_ports(got.s1) == expected.s1);
    RC_ASSERT(to_ports(got.s2) == expected.s2);
    RC_ASSERT(to_ports(got.any) == expected.any);
  });
}

TEST(Oracle, StagesTogetherAgree) {
  check_property(kCases, [] {
    const Situation s = *any_situation();
    RC_ASSERT(difference(answer(s).decision, by_stages(Arguments(s))) == "");
  });
}

TEST(Oracle, ExplainAgreesWithDecide) {
  check_property(kCases, [] {
    const Situation s = *rc::gen::oneOf(any_situation(), any_rta_situation());
    const Arguments x(s);
    const DecisionRecord record = explain(x.config, x.request, x.entries, x.congestion, x.lfsr);
    RC_ASSERT(difference(x.decide(), record.decision) == "");
    RC_ASSERT(!in_words(x.config, record).empty());
  });
}

TEST(Rule, AsResetTheSecondMapsDoNotMatter) {
  check_property(kCases, [] {
    Situation s = *rc::gen::oneOf(any_situation(), any_rta_situation());
    s.rule = {};
    const Decision with = Arguments(s).decide();
    s.busy_local.clear(), s.busy_global.clear();
    RC_ASSERT(difference(with, Arguments(s).decide()) == "");
  });
}

/// With equal maps and all options free or not, the rule differs from the printed one only where nothing is free.
TEST(Rule, WithEqualMapsOnlyTheFallbackDiffers) {
  int fallback = 0, differs = 0;
  check_property(kCases, [&] {
    Situation s = *rc::gen::oneOf(any_situation(), any_rta_situation());
    s.busy_local = s.cong_local, s.busy_global = s.cong_global;
    s.rule = {};
    const Decision printed = Arguments(s).decide();
    s.rule = kStableRule;
    const Decision stable = Arguments(s).decide();
    if (printed.hop_class != HopClass::fallback && printed.hop_class != HopClass::unroutable)
      RC_ASSERT(difference(printed, stable) == "");
    RC_ASSERT(printed.nonempty == stable.nonempty);
    fallback += printed.hop_class == HopClass::fallback;
    differs += printed.port != stable.port;
  });
  EXPECT_GT(fallback, kCases / 100);
  EXPECT_GT(differs, kCases / 500);
}

TEST(Rule, FallbackIsMinimalWhereTableAHasAnOption) {
  int minimal = 0, without = 0;
  check_property(kCases, [&] {
    Situation s = *rc::gen::oneOf(any_situation(), any_rta_situation());
    s.rule = kStableRule;
    const Arguments x(s);
    const Decision got = x.decide();
    if (got.hop_class != HopClass::fallback) return;
    const GroupMap min = x.decoded.rta ? unit_a1(x.config, x.entries.a) : GroupMap();
    const PortMap le = x.entries.a & x.config.all_ports();
    const bool has = x.decoded.rta ? min.any() : le != 0;
    ++(has ? minimal : without);
    if (!has) return;
    if (x.decoded.rta) RC_ASSERT((routers_of_ports(x.config.dragonfly(), min) >> got.router & 1) != 0);
    if (!x.decoded.rta) RC_ASSERT((le >> got.port & 1) != 0);
  });
  EXPECT_GT(minimal, kCases / 100);
  EXPECT_GT(without, 0);
}

/// The channel dependency graph (dependency_test.cpp) is that of all valid options: a rule that chooses among them has
/// a part of it.
TEST(Rule, ChoosesAmongTheValidOptionsOnly) {
  int checked = 0, total = 0;
  check_property(kCases, [&checked, &total] {
    ++total;
    Situation s = *rc::gen::oneOf(any_situation(), any_rta_situation());
    s.rule = kStableRule;
    const Arguments x(s);
    const Decision got = x.decide();
    if (got.port == kNoPort) return;
    ++checked;
    RC_ASSERT((valid_options(x.config, x.decoded, x.entries) >> got.port & 1) != 0);
  });
  EXPECT_GT(checked, total / 10);  // a sanitizer runs fewer cases
}

TEST(Oracle, DecideIsPure) {
  check_property(2000, [] {
    const Situation s = *any_situation();
    const Arguments x(s);
    RC_ASSERT(x.decide() == x.decide());
  });
}

/// The generator is worth something only if it reaches every kind of decision often.
TEST(Oracle, SituationsReachEveryHopClassZoneAndVirtualChannel) {
  std::map<std::string, int> seen;
  int total = 0;
  check_property(kCases, [&seen, &total] {
    ++total;
    const Situation s = *rc::gen::oneOf(any_situation(), any_rta_situation());
    const Answer a = answer(s);
    ++seen[to_string(a.decision.hop_class)];
    ++seen[std::string("zone ") + a.zone];
    ++seen["VC " + std::to_string(a.decision.vc)];
    if (a.decision.hop_class == HopClass::unroutable && a.decision.nonempty != 0) ++seen["VC overflow"];
    if (a.decision.hop_class != HopClass::unroutable && a.rta)
      ++seen[a.decision.router == s.own.bid ? "own router" : "other router"];
    if (a.decision.hop_class == HopClass::fallback) ++seen[a.rta ? "RTA fallback" : "RTB fallback"];
  });
  for (const char* kind :
       {"unroutable", "GA",     "GB",          "GC",         "GD",           "LE",           "LF",
        "fallback",   "zone N", "zone B",      "zone G",     "zone -",       "VC 0",         "VC 1",
        "VC 2",       "VC 3",   "VC overflow", "own router", "other router", "RTA fallback", "RTB fallback"}) {
    EXPECT_GE(seen[kind], total / 500) << kind;
  }
}

// ---- the comparison notices planted bugs

using Subject = std::function<Decision(const Arguments&)>;

/// Runs the comparison against a mutant: it has to fail, and the counterexample has to be shrunk to a readable one.
void expect_caught(const Subject& mutant) {
  const auto result = run_property(kCases, [&mutant] {
    const Situation s = *rc::gen::oneOf(any_situation(), any_rta_situation());
    RC_ASSERT(difference(answer(s).decision, mutant(Arguments(s))) == "");
  });
  ASSERT_TRUE(result.is<rc::detail::FailureResult>()) << "the planted bug was not noticed";
  const auto& failure = result.get<rc::detail::FailureResult>();
  EXPECT_NE(failure.description.find("expected class"), std::string::npos) << failure.description;
  EXPECT_FALSE(failure.reproduce.shrinkPath.empty());
}

/// A mutant of stage 3 of RTA; everything else is right.
Subject rta_mutant(const std::function<void(const Arguments&, GlobalRequests&)>& spoil) {
  return [spoil](const Arguments& x) {
    if (!x.decoded.rta) return x.decide();
    GlobalRequests requests = stage3_rta(x.config, x.request.dest, x.entries, x.congestion);
    spoil(x, requests);
    return stage4_rta(x.config, requests, x.congestion.local, x.request.vc, x.lfsr);
  };
}

TEST(PlantedBug, NoneIsNotCaught) {
  check_property(kCases, [] {
    const Situation s = *rc::gen::oneOf(any_situation(), any_rta_situation());
    RC_ASSERT(difference(answer(s).decision, by_stages(Arguments(s))) == "");
  });
}

TEST(PlantedBug, WrongClassOrder) {
  expect_caught(rta_mutant([](const Arguments&, GlobalRequests& r) { std::swap(r.gb, r.gc); }));
}

TEST(PlantedBug, FallbackOnlyFromThePortsOfOneWord) {
  expect_caught(rta_mutant([](const Arguments&, GlobalRequests& r) { r.any.word[7] = 0; }));
}

TEST(PlantedBug, StuckBit511) {
  expect_caught(rta_mutant([](const Arguments&, GlobalRequests& r) { r.any.clear(511), r.ga.clear(511); }));
}

TEST(PlantedBug, DirectShortcutInTheAbsoluteArrangement) {
  expect_caught(rta_mutant([](const Arguments& x, GlobalRequests& r) {
    UnitConfig direct = x.config;
    direct.set_port(x.config.port_class(), false);
    const GroupMap free = r.gb | r.gc | r.gd;
    r = unit_b(direct, x.request.dest, r.ga, free, r.any);
  }));
}

TEST(PlantedBug, OwnGlobalPortIgnoresLocalCongestion) {
  expect_caught(rta_mutant([](const Arguments& x, GlobalRequests& r) {
    Congestion without = x.congestion;
    without.local &= ~x.config.global_ports();
    r = stage3_rta(x.config, x.request.dest, x.entries, without);
  }));
}

TEST(PlantedBug, NonminimalCandidatesByTheFirstMaps) {
  expect_caught([](const Arguments& x) {
    Congestion wrong = x.congestion;
    wrong.busy_global = wrong.global;
    return decide(x.config, x.request, x.decoded, x.entries, wrong, x.lfsr);
  });
}

TEST(PlantedBug, MinimalCandidatesByTheSecondMaps) {
  expect_caught([](const Arguments& x) {
    Congestion wrong = x.congestion;
    if (x.config.rule().second_maps) wrong.local = wrong.busy_local;
    return decide(x.config, x.request, x.decoded, x.entries, wrong, x.lfsr);
  });
}

TEST(PlantedBug, FallbackBitsSwapped) {
  expect_caught([](const Arguments& x) {
    UnitConfig wrong = x.config;
    const Rule& r = x.config.rule();
    wrong.set_rule({r.second_maps, r.minimal_local, r.minimal_global});
    return decide(wrong, x.request, x.decoded, x.entries, x.congestion, x.lfsr);
  });
}

TEST(PlantedBug, StartValuesSwapped) {
  expect_caught([](const Arguments& x) {
    const auto swapped = static_cast<uint16_t>(x.lfsr << 8 | x.lfsr >> 8);
    return decide(x.config, x.request, x.decoded, x.entries, x.congestion, x.decoded.rta ? swapped : x.lfsr);
  });
}

TEST(PlantedBug, FilterFReversed) {
  expect_caught([](const Arguments& x) {
    Decoded wrong = x.decoded;
    wrong.transit = !wrong.transit;
    return decide(x.config, x.request, wrong, x.entries, x.congestion, x.lfsr);
  });
}

TEST(PlantedBug, VirtualChannelOffByOne) {
  expect_caught([](const Arguments& x) {
    Decision d = x.decide();
    if (d.vc == 3) d.vc = 2;
    return d;
  });
}

TEST(PlantedBug, VirtualChannelFourWrapsToZero) {
  expect_caught([](const Arguments& x) {
    Request low = x.request;
    if (low.vc == 3) low.vc = 0;
    Decision d = decide(x.config, low, x.decoded, x.entries, x.congestion, x.lfsr);
    if (x.request.vc == 3 && d.hop_class != HopClass::unroutable && x.config.port_class() != PortClass::node)
      d.vc = static_cast<uint8_t>((d.vc + 3) & 3);
    return d;
  });
}

TEST(PlantedBug, NonemptyFlagLost) {
  expect_caught([](const Arguments& x) {
    Decision d = x.decide();
    d.nonempty &= 0x5F;  // S2
    return d;
  });
}

}  // namespace
}  // namespace odonata::route_compute::oracle
