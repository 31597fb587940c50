// SPDX-License-Identifier: Apache-2.0
// The fault plane's view of the tables is the configuration of models/table, word for word.
#include <gtest/gtest.h>

#include "models/fault/entry.h"

namespace odonata::fault {
namespace {

/// Options of the encoded words of a port's tables.
Options options_of(const Dragonfly& d, int port, EntryId id, uint64_t a, uint64_t b) {
  if (d.port_class(port) != PortClass::node || id.zone != Zone::global) return {a, b};
  const table::GlobalEntryA ga = table::GlobalEntryA::decode(a);
  const table::GlobalEntryB gb = table::GlobalEntryB::decode(b);
  Options o;
  if (ga.own_router) o.a = static_cast<uint64_t>(ga.global_ports) << d.first_global();
  if (ga.port != kNoPort) o.a = 1ull << ga.port;
  o.b = static_cast<uint64_t>(gb.own_global_ports) << d.first_global();
  for (int p : gb.port) {
    if (p != kNoPort) o.b |= 1ull << p;
  }
  return o;
}

void compare_router(const Dragonfly& d, RouterId own, const table::ConfigurationPolicy& policy) {
  for (int port = 0; port < d.num_ports(); ++port) {
    const table::PortTables t = table::configure(d, own, port, policy);
    for (int row = 0; row < num_rows(d); ++row) {
      const EntryId id = entry_of_row(d, row);
      ASSERT_EQ(row_of_entry(d, id), row);
      const uint64_t a = t.a[row], b = row < d.p() ? 0 : t.b[row - d.p()];
      const Options want = options_of(d, port, id, a, b);
      const Options paper = row_config(d, own, id, Mode::paper, policy).at(d, port);
      ASSERT_EQ(want.a, paper.a) << d.name() << " G" << own.gid << ".s" << own.bid << " port " << port << " row "
                                 << row;
      ASSERT_EQ(want.b, paper.b) << d.name() << " G" << own.gid << ".s" << own.bid << " port " << port << " row "
                                 << row;
      ASSERT_LE(std::popcount(paper.a), 1);
      // All options valid: the masked words are the configured ones, bit for bit, in both modes.
      const PortClass at = d.port_class(port);
      ASSERT_EQ(options_of_words(d, at, id, {a, b}), paper);
      for (Mode mode : {Mode::paper, Mode::safe}) {
        const RowConfig config = row_config(d, own, id, mode, policy);
        Options shown = effective(config, at, config.at(d, port), Marks{}, false, 0);
        const Options other = effective(config, at, config.at(d, port), Marks{}, true, 0);
        shown.a |= other.a;
        shown.b |= other.b;
        const EntryWords words = masked_words(d, at, id, {a, b}, shown);
        ASSERT_EQ(words.a, a);
        ASSERT_EQ(words.b, b);
      }
    }
  }
}

TEST(FaultEntry, OptionsAreTheConfigurationAtEveryPort) {
  for (const char* size : {"2,4,2,8", "2,4,2,9", "3,6,3,18", "1,2,1,3", "2,4,2,5"}) {
    const Dragonfly d = Dragonfly::parse(size);
    for (int r = 0; r < d.num_routers(); ++r) compare_router(d, d.router(r), {});
  }
  const Dragonfly paper = Dragonfly::named("paper"), full = Dragonfly::named("full");
  for (int r : {0, 5, 400, 875}) compare_router(paper, paper.router(r), {});
  for (int r : {0, 16383}) compare_router(full, full.router(r), {});
}

TEST(FaultEntry, OptionsAreTheConfigurationUnderThePrintedPolicy) {
  const Dragonfly d = Dragonfly::named("tiny");
  table::ConfigurationPolicy policy;
  policy.minimal_router = table::MinimalRouterPolicy::printed;
  for (int r = 0; r < d.num_routers(); ++r) compare_router(d, d.router(r), policy);
}

TEST(FaultTypes, WordsAreReadAsTheyAreWritten) {
  for (const Mode mode : {Mode::paper, Mode::safe}) EXPECT_EQ(parse_mode(to_string(mode)), mode);
  for (const Recovery recovery : {Recovery::per_entry, Recovery::port_level})
    EXPECT_EQ(parse_recovery(to_string(recovery)), recovery);
  EXPECT_EQ(to_string(Recovery::port_level), "port_level");
  EXPECT_THROW(parse_mode("fast"), Error);
  EXPECT_THROW(parse_recovery("entry"), Error);
}

TEST(FaultEntry, AimFindsTheEntryThatCoversTheAddress) {
  const RouterId own{3, 2};
  EXPECT_EQ(aim({Kind::diagnosis, MessageClass::d, 1, 5, 0, 0}, own), (EntryId{Zone::global, 5}));
  EXPECT_EQ(aim({Kind::diagnosis, MessageClass::d, 2, 5, 1, 0}, own), (EntryId{Zone::global, 5}));
  EXPECT_EQ(aim({Kind::diagnosis, MessageClass::d, 2, 3, 1, 0}, own), (EntryId{Zone::group_local, 1}));
  EXPECT_EQ(aim({Kind::diagnosis, MessageClass::d, 2, 3, 2, 0}, own),
            (EntryId{Zone::group_local, 2}));  // the router itself: no node of it
  EXPECT_EQ(aim({Kind::diagnosis, MessageClass::d, 1, 3, 0, 0}, own), (EntryId{Zone::global, 3}));
  EXPECT_EQ(aim({Kind::diagnosis, MessageClass::d, 3, 5, 1, 1}, own), (EntryId{Zone::global, 5}));
  EXPECT_EQ(aim({Kind::diagnosis, MessageClass::d, 3, 3, 1, 1}, own), (EntryId{Zone::group_local, 1}));
  EXPECT_EQ(aim({Kind::diagnosis, MessageClass::d, 3, 3, 2, 1}, own), (EntryId{Zone::node, 1}));
}

TEST(FaultEntry, LostOptionsLeaveTheGlobalFormatWithoutHoles) {
  const Dragonfly d = Dragonfly::named("tiny");
  const RouterId own{0, 0};
  const table::PortTables t = table::configure(d, own, 0);
  const EntryId id{Zone::global, 2};
  const int row = row_of_entry(d, id);
  const RowConfig config = row_config(d, own, id, Mode::safe);
  Marks m;
  set_option(d, PortClass::node, config.node, d.local_port(0, 1), Level::lost, Scope::d, m);  // the minimal way
  set_option(d, PortClass::node, config.node, d.local_port(0, 3), Level::lost, Scope::s, m);
  const Options keep = effective(config, PortClass::node, config.node, m, false, 0);
  const EntryWords words = masked_words(d, PortClass::node, id, {t.a[row], t.b[row - d.p()]}, keep);
  EXPECT_EQ(table::GlobalEntryA::decode(words.a).port, kNoPort);
  for (int port : table::GlobalEntryB::decode(words.b).port) EXPECT_NE(port, d.local_port(0, 3));
  EXPECT_TRUE(table::valid_global_a(d, words.a));
  EXPECT_TRUE(table::valid_global_b(d, words.b));
}

/// docs/fault.md §4, effective options of zone G: one dead local link of a group must take neither its minimal path
/// away nor the intermediate groups.
/// Alg. 2, lines 9 to 16, mode paper, on the entry of G4 at a global port of G2s0, which has s2, s1 and s3: a port that
/// is not in it changes nothing; while others are left it is lost alone, and nothing is told; with the last one the
/// entry is lost, which an FD says (told is not level any more).
TEST(Algorithm2, LinesNineToSixteen) {
  const Dragonfly d = Dragonfly::named("tiny");
  const RowConfig row = row_config(d, {2, 0}, {Zone::global, 4}, Mode::paper);
  const Options configured = row.global;
  ASSERT_EQ(std::popcount(configured.a | configured.b), 3);
  Marks m;
  const auto lose = [&](int port) {
    const bool changed = set_option(d, PortClass::global, configured, port, Level::lost, Scope::all, m);
    update_level(row, PortClass::global, configured, Mode::paper, false, 0, m);
    return changed;
  };
  const auto told_all = [&] { return m.told[0] == m.level[0] && m.told[1] == m.level[1]; };
  const auto shown = [&] { return effective(row, PortClass::global, configured, m, true, 0); };
  EXPECT_FALSE(lose(d.global_port(0)));
  EXPECT_EQ(m, Marks{});
  Options left = configured;
  for (const int bid : {1, 2, 3}) {
    const int port = d.local_port(0, bid);
    EXPECT_TRUE(told_all()) << bid;
    EXPECT_TRUE(lose(port)) << bid;
    EXPECT_FALSE(lose(port)) << "twice";
    left.a &= ~(PortMap{1} << port);
    left.b &= ~(PortMap{1} << port);
    EXPECT_EQ(shown(), left);
  }
  EXPECT_EQ(left, Options{});
  EXPECT_EQ(m.level[0], Level::lost);
  EXPECT_FALSE(told_all());
}

TEST(FaultEntry, PartialOptionsHideBehindNothing) {
  const Dragonfly d = Dragonfly::named("tiny");
  const RowConfig config = row_config(d, {0, 0}, {Zone::global, 2}, Mode::safe);
  const auto shown = [&](const Marks& m) { return effective(config, PortClass::node, config.node, m, false, 0); };
  const PortMap a = config.node.a, b = config.node.b, one = b & -b;
  Marks m;
  m.a = Level::partial;
  EXPECT_EQ(shown(m), (Options{a, b})) << "a partial A beside full options of B";
  m.partial_b = one;
  EXPECT_EQ(shown(m), (Options{a, b})) << "a partial option of B beside full ones";
  m.a = Level::full;
  EXPECT_EQ(shown(m), (Options{a, b})) << "and beside a full A";
  m.lost_b = one;
  m.partial_b = b & ~one;
  EXPECT_EQ(shown(m), (Options{a, b & ~one})) << "lost ones are gone";
  m.a = Level::lost;
  EXPECT_EQ(shown(m), (Options{0, b & ~one}));
}

/// Options that are gateway only hide behind every other one.
TEST(FaultEntry, GatewayOnlyOptionsAreTheLastResort) {
  const Dragonfly d = Dragonfly::named("tiny");
  const RowConfig config = row_config(d, {0, 0}, {Zone::global, 2}, Mode::safe);
  const auto shown = [&](const Marks& m) { return effective(config, PortClass::node, config.node, m, false, 0); };
  const PortMap a = config.node.a, b = config.node.b, one = b & -b;
  Marks m;
  m.a = Level::gateway;
  EXPECT_EQ(shown(m), (Options{0, b})) << "an A that is gateway only";
  m.lost_b = m.partial_b = one;
  EXPECT_EQ(shown(m), (Options{0, b & ~one})) << "an option of B";
  m.partial_b = b;
  EXPECT_EQ(shown(m), (Options{0, b & ~one})) << "beside partial ones";
  m.lost_b = b;
  m.partial_b = one;
  EXPECT_EQ(shown(m), (Options{a, one})) << "nothing else is left";
  m.a = Level::lost;
  EXPECT_EQ(shown(m), (Options{0, one}));
  EXPECT_EQ(rank(Level::full), 0);
  EXPECT_EQ(rank(Level::partial), 1);
  EXPECT_EQ(rank(Level::gateway), 2);
  EXPECT_EQ(rank(Level::lost), 3);
}

/// Detours of the own group at a global port are for an emergency: A is lost, and a channel is left for them.
TEST(FaultEntry, EmergencyDetoursAreForPacketsOnLowChannels) {
  const Dragonfly d = Dragonfly::named("tiny");
  const RowConfig config = row_config(d, {0, 0}, {Zone::group_local, 2}, Mode::safe);
  const auto shown = [&](const Marks& m, int vc) {
    return effective(config, PortClass::global, config.global, m, true, vc);
  };
  ASSERT_NE(config.global.b, 0u);
  Marks m;
  for (int vc = 0; vc <= 3; ++vc) EXPECT_EQ(shown(m, vc), (Options{config.global.a, 0})) << vc;
  m.a = Level::lost;
  for (int vc = 0; vc <= kHighestDetourVc; ++vc) EXPECT_EQ(shown(m, vc), (Options{0, config.global.b})) << vc;
  EXPECT_EQ(shown(m, kHighestDetourVc + 1), (Options{0, 0}));
}

}  // namespace
}  // namespace odonata::fault
