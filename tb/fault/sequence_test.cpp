// SPDX-License-Identifier: Apache-2.0
// Random fail / flap / repair sequences: whatever the order, the quiet network has the tables of the closed form, keeps
// its promises, and is as configured once everything is repaired. Failing sequences are shrunk. Without an ordering
// rule sequences fail.
#include <sstream>

#include "tb/common/property.h"
#include "tb/fault/network_helpers.h"

namespace odonata::fault::test {
namespace {

/// One step: the element changes its state (up: fails, failed: repaired) `gap` cycles after the step before.
struct Step {
  int element = 0;
  int gap = 0;
};
std::ostream& operator<<(std::ostream& out, const Step& s) { return out << "{" << s.element << " +" << s.gap << "}"; }

/// Everything that can fail.
std::vector<Fault> elements(const Dragonfly& d) {
  std::vector<Fault> all = all_links(d);
  for (int r = 0; r < d.num_routers(); ++r) all.push_back({true, d.router(r), 0});
  all.push_back({false, d.router(0), 0});
  return all;
}

rc::Gen<std::vector<Step>> sequences(int n) {
  // Few elements that flap often find more than many that fail once; gaps from within a service to far apart.
  const auto gap = rc::gen::weightedOneOf<int>(
      {{3, rc::gen::inRange(0, 3)}, {4, rc::gen::inRange(0, 120)}, {1, rc::gen::inRange(0, 4000)}});
  const auto step = rc::gen::construct<Step>(rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, n)), gap);
  return rc::gen::resize(14, rc::gen::container<std::vector<Step>>(step));
}

/// Runs a sequence; an empty text when all is well, else what is not.
std::string run_sequence(const Dragonfly& d, const Parameters& p, const std::vector<Fault>& all,
                         const std::vector<Step>& steps, Verifier* verifier) {
  FaultPlaneNetwork n(d, p);
  std::vector<uint8_t> failed(all.size(), 0);
  int64_t time = 0;
  for (const Step& s : steps) {
    time += s.gap;
    apply(n, all[s.element], failed[s.element], time);
    failed[s.element] ^= 1;
  }
  n.run();
  std::string wrong = compare_with_closed_form(n);
  if (wrong.empty() && verifier != nullptr) {
    const VerifyReport r = verifier->check(n);
    // With many faults even live paths can be out of reach of the algorithm: only the other promises count here.
    VerifyReport promises = r;
    promises.broken_promises = 0;
    if (!promises.keeps_promise()) wrong = r.words.empty() ? "a violation without words" : r.words[0];
  }
  for (size_t i = 0; i < all.size(); ++i) {
    if (failed[i]) apply(n, all[i], true, n.now() + 1 + static_cast<int64_t>(i % 7) * 50);
  }
  n.run();
  if (wrong.empty() && !n.restored()) wrong = std::to_string(n.invalid_options()) + " options never came back";
  return wrong;
}

/// A flapping sequence: the elements of a small set, again and again (what a fault plane with a broken ordering rule
/// trips over).
rc::Gen<std::vector<Step>> flapping(int n) {
  return rc::gen::mapcat(
      rc::gen::resize(rc::kNominalSize, rc::gen::pair(rc::gen::inRange(0, n), rc::gen::inRange(0, n))),
      [](std::pair<int, int> two) {
        const auto step = rc::gen::construct<Step>(rc::gen::element(two.first, two.second), rc::gen::inRange(0, 150));
        return rc::gen::resize(20, rc::gen::container<std::vector<Step>>(step));
      });
}

struct Case {
  const char* size;
  Mode mode;
  int sequences;
};

class Sequences : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Networks, Sequences,
                         ::testing::Values(Case{"2,4,2,8", Mode::safe, 500}, Case{"2,4,2,8", Mode::paper, 300},
                                           Case{"2,4,2,9", Mode::safe, 400}, Case{"2,4,2,9", Mode::paper, 200},
                                           Case{"3,6,3,18", Mode::safe, 200}, Case{"3,6,3,18", Mode::paper, 100}),
                         [](const auto& info) {
                           std::string name = info.param.size;
                           std::replace(name.begin(), name.end(), ',', '_');
                           return name + "_" + std::string(to_string(info.param.mode));
                         });

TEST_P(Sequences, ConvergeToTheClosedFormAndAreRestored) {
  const Dragonfly d = Dragonfly::parse(GetParam().size);
  const std::vector<Fault> all = elements(d);
  Parameters p;
  p.mode = GetParam().mode;
  p.timing = Timing::native(d);
  Verifier verifier(d, p.mode);
  odonata::test::check_property(GetParam().sequences, [&] {
    const auto steps = *sequences(static_cast<int>(all.size()));
    const bool flap = *rc::gen::arbitrary<bool>();
    const auto more = flap ? *flapping(static_cast<int>(all.size())) : std::vector<Step>{};
    std::vector<Step> both = steps;
    both.insert(both.end(), more.begin(), more.end());
    const std::string wrong = run_sequence(d, p, all, both, &verifier);
    if (!wrong.empty()) RC_LOG(wrong);
    RC_ASSERT(wrong.empty());
  });
}

class Variants : public ::testing::TestWithParam<Mode> {};
INSTANTIATE_TEST_SUITE_P(Modes, Variants, ::testing::Values(Mode::paper, Mode::safe),
                         [](const auto& info) { return std::string(to_string(info.param)); });

void check_variant(const Parameters& p, int cases) {
  const Dragonfly d = Dragonfly::parse("2,4,2,8");
  const std::vector<Fault> all = elements(d);
  Verifier verifier(d, p.mode);
  odonata::test::check_property(cases, [&] {
    const auto steps = *sequences(static_cast<int>(all.size()));
    const std::string wrong = run_sequence(d, p, all, steps, &verifier);
    if (!wrong.empty()) RC_LOG(wrong);
    RC_ASSERT(wrong.empty());
  });
}

/// Frames are damaged, dropped and asked for again: the tables are the same in the end (a message that is applied is
/// the one that was sent, or the network throws).
TEST_P(Variants, DamagedFramesConvergeToTheSameTables) {
  Parameters p;
  p.mode = GetParam();
  p.timing = Timing::native(Dragonfly::named("tiny"));
  p.link = {true, 0.15, 5};
  check_variant(p, 120);
}

/// What is beyond the paper changes cycles, not tables.
TEST_P(Variants, BeyondThePaperConvergesToTheSameTables) {
  Parameters p;
  p.mode = GetParam();
  p.timing = Timing::native(Dragonfly::named("tiny"));
  p.timing.banks = 4;
  p.timing.pipelined = true;
  p.timing.load = 0.5;
  check_variant(p, 120);
}

TEST(DamagedFrames, AreCountedAndRepeated) {
  const Dragonfly d = Dragonfly::named("tiny");
  Parameters p;
  p.link = {true, 0.1, 1};
  FaultPlaneNetwork damaged(d, p);
  p.link = {};
  FaultPlaneNetwork clean(d, p);
  for (FaultPlaneNetwork* n : {&damaged, &clean}) {
    apply(*n, fault(d, "local:G0.s1-G0.s3"), false, 0);
    n->run();
  }
  const Statistics& s = damaged.statistics();
  EXPECT_GT(s.frames_corrupted, 10u);
  EXPECT_GE(s.frames_dropped, s.frames_corrupted);
  EXPECT_GT(s.frames_malformed, 0u);
  EXPECT_EQ(s.fd_total, clean.statistics().fd_total);
  EXPECT_GT(s.phases.diagnosis_done, clean.statistics().phases.diagnosis_done);
  EXPECT_EQ(damaged.table_hash(), clean.table_hash());
}

class OrderingRule : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Rules, OrderingRule, ::testing::Values(0, 1),
                         [](const auto& info) { return info.param == 0 ? "one_fifo" : "event_first"; });

/// A build without the rule fails, and the shrunk sequence is short.
TEST_P(OrderingRule, IsNeeded) {
  const Dragonfly d = Dragonfly::parse("2,4,2,8");
  const std::vector<Fault> links = all_links(d);
  Parameters p;
  p.timing = Timing::native(d);
  (GetParam() == 0 ? p.rules.one_fifo : p.rules.event_first) = false;
  const auto result = odonata::test::run_property(400, [&] {
    const auto steps = *flapping(static_cast<int>(links.size()));
    RC_ASSERT(run_sequence(d, p, links, steps, nullptr).empty());
  });
  rc::detail::FailureResult failure;
  ASSERT_TRUE(result.match(failure)) << "no sequence failed without the rule";
}

/// All that a network has recorded, in words.
std::string record_of(const FaultPlaneNetwork& n) {
  std::ostringstream out;
  const auto span = [&](const UnitSpan& u) { out << ' ' << u.port << ' ' << u.start << ' ' << u.ram_wait; };
  for (size_t i = 0; i < n.services().size(); ++i) {
    const Service& s = n.services()[i];
    const ServiceCycles& c = n.service_cycles()[i];
    out << "service " << s.start << ' ' << s.end << ' ' << s.router << ' ' << static_cast<int>(s.kind) << ' ' << s.port
        << ' ' << to_string(s.message) << ' ' << s.source << ' ' << s.isolated << ", " << c.incident << ' '
        << c.waiting_since << ' ' << c.looks << ' ' << c.sent << ' ' << c.written;
    span(c.sender);
    span(c.writer);
    out << '\n';
  }
  for (const Transfer& t : n.transfers()) {
    out << "transfer " << t.sent << ' ' << t.arrived << ' ' << t.from << ' ' << t.from_port << ' ' << t.to << ' '
        << t.to_port << ' ' << to_string(t.message) << ' ' << t.service << '\n';
  }
  for (const Incident& i : n.incidents()) {
    out << "incident " << i.repair << ' ' << i.router << ' ' << i.port << ' ' << i.cycle << ' ' << i.detected << ' '
        << i.local_done << ' ' << i.last_fd << ' ' << i.last_service << ' ' << i.last_write << ' ' << i.nodes_open
        << '\n';
  }
  const Statistics& s = n.statistics();
  const Phases& f = s.phases;
  for (const int64_t x : {f.detected, f.local_done, f.last_fd, f.diagnosis_done, f.last_write, f.recovery_done,
                          f.recovery_write, s.poll_cycles, s.polls, n.now(), n.next()})
    out << x << ' ';
  for (const uint64_t x : {s.fd_total, s.fr_total, s.fd_dropped, s.frames, s.frames_corrupted, s.frames_dropped,
                           s.services, n.table_hash(), n.stored_rows()})
    out << x << ' ';
  out << s.max_unacknowledged << ' ' << s.critical_path_services << ' ' << s.rounds << ' ' << s.max_queue;
  for (const auto& list : {s.fd_sent, s.fr_sent}) {
    for (const uint32_t x : list) out << ' ' << x;
  }
  for (const int64_t x : s.converged) out << ' ' << x;
  return out.str();
}

/// A failure that is repaired, all of it recorded.
void fail_and_repair(FaultPlaneNetwork& n) {
  const Dragonfly& d = n.dragonfly();
  apply(n, fault(d, "router:G2.s0"), false, 0);
  apply(n, fault(d, "local:G0.s1-G0.s3"), false, 30);
  apply(n, fault(d, "router:G2.s0"), true, 20'000);
  apply(n, fault(d, "local:G0.s1-G0.s3"), true, 20'000);
  n.run();
}
Parameters recorded(const Dragonfly& d, bool ideal) {
  Parameters p;
  p.record = true;
  p.timing = Timing::native(d);
  p.timing.ideal = ideal;
  return p;
}

TEST(Record, StatisticsAreThoseOfItsServices) {
  const Dragonfly d = Dragonfly::named("tiny");
  for (const bool ideal : {false, true}) {
    FaultPlaneNetwork n(d, recorded(d, ideal));
    fail_and_repair(n);
    std::vector<int64_t> converged(static_cast<size_t>(d.num_routers()), -1);
    int64_t last_fd = -1, diagnosed = -1, recovered = -1, polls = 0, looks = 0;
    for (size_t i = 0; i < n.services().size(); ++i) {
      const Service& s = n.services()[i];
      const ServiceCycles& c = n.service_cycles()[i];
      int64_t& last = converged[static_cast<size_t>(s.router)];
      last = std::max(last, c.written);
      const bool repair = n.incidents()[static_cast<size_t>(c.incident)].repair;
      (repair ? recovered : diagnosed) = std::max(repair ? recovered : diagnosed, s.end);
      if (s.kind == ServiceKind::diagnosis && !repair) last_fd = std::max(last_fd, s.end);
      if (ideal || s.kind == ServiceKind::link_down || s.kind == ServiceKind::link_up) continue;
      ++polls;
      looks += c.looks;
    }
    const Statistics& s = n.statistics();
    EXPECT_EQ(s.converged, converged);
    EXPECT_GT(last_fd, 0);
    EXPECT_EQ(s.phases.last_fd, last_fd);
    EXPECT_EQ(s.phases.diagnosis_done, diagnosed);
    EXPECT_EQ(s.phases.recovery_done, recovered);
    EXPECT_EQ(s.polls, polls);
    EXPECT_EQ(s.poll_cycles, looks);
    EXPECT_EQ(s.services, n.services().size());
  }
}

TEST(Record, AMessageIsOnItsLinkForTheLatencyOfTheLink) {
  const Dragonfly d = Dragonfly::named("tiny");
  for (const bool ideal : {false, true}) {
    FaultPlaneNetwork n(d, recorded(d, ideal));
    fail_and_repair(n);
    const Timing& t = n.parameters().timing;
    ASSERT_FALSE(n.transfers().empty());
    for (const Transfer& m : n.transfers())
      EXPECT_EQ(m.arrived - m.sent, d.is_local_port(m.from_port) ? t.local_latency : t.global_latency);
  }
}

/// A router that waits for end marks finds its ports without a cable down when it comes back, another one has no events
/// there.
TEST(Record, PortsWithoutACableOfARouterThatComesBack) {
  const Dragonfly d = Dragonfly::parse("2,4,2,5");
  const int router = d.router_index({1, 3});
  ASSERT_FALSE(d.peer({1, 3}, d.global_port(1)).connected);
  for (const Recovery recovery : {Recovery::per_entry, Recovery::port_level}) {
    Parameters p = recorded(d, false);
    p.recovery = recovery;
    FaultPlaneNetwork n(d, p);
    n.fail_router({1, 3}, 0);
    n.run();
    const int64_t back = n.now() + 1000;
    n.repair_router({1, 3}, back);
    n.run();
    int events = 0;
    for (size_t i = 0; i < n.services().size(); ++i) {
      const Service& s = n.services()[i];
      if (s.router != router || s.start < back) continue;
      EXPECT_GE(n.service_cycles()[i].waiting_since, back) << i;
      const bool bare = s.port >= d.p() && !d.peer({1, 3}, s.port).connected;
      events += bare;
      EXPECT_TRUE(!bare || s.kind == ServiceKind::link_down) << i;
    }
    EXPECT_EQ(events > 0, p.waits_for_end_mark()) << static_cast<int>(recovery);
  }
}

/// A row whose options are all back is not kept.
TEST(Record, RowsThatAreWholeAgainTakeNoMemory) {
  const Dragonfly d = Dragonfly::named("tiny");
  FaultPlaneNetwork n(d, recorded(d, false));
  fail_and_repair(n);
  EXPECT_TRUE(n.restored());
  EXPECT_EQ(n.stored_rows(), 0u);
}

TEST(Tables, RowsThatAreStoredAreCounted) {
  const Dragonfly d = Dragonfly::named("tiny");
  FaultPlaneNetwork n(d, recorded(d, false));
  n.plant_marks(3, 0, 0, Marks{});
  n.plant_marks(3, 1, 0, Marks{});
  EXPECT_EQ(n.stored_rows(), 2u);
  EXPECT_TRUE(n.restored()) << "no mark is in them";
  n.plant_marks(3, 1, 0, {.a = Level::lost});
  EXPECT_EQ(n.stored_rows(), 2u);
  EXPECT_FALSE(n.restored());
}

TEST(Events, TheNextOneIsTheFirstThatIsLeft) {
  const Dragonfly d = Dragonfly::named("tiny");
  FaultPlaneNetwork n(d, recorded(d, false));
  EXPECT_EQ(n.next(), INT64_MAX);
  n.fail_router({1, 2}, 900);
  n.fail_router({2, 2}, 700);
  EXPECT_EQ(n.next(), 700);
  n.run(699);
  EXPECT_EQ(n.next(), 700);
  EXPECT_EQ(n.now(), 699) << "so far it has come";
  n.run();
  EXPECT_EQ(n.next(), INT64_MAX);
}

TEST(Tables, ThoseOfADeadRouterAreNotLookedAt) {
  const Dragonfly d = Dragonfly::named("tiny");
  FaultPlaneNetwork n(d, recorded(d, false));
  n.fail_router({1, 2}, 0);
  n.run();
  const uint64_t hash = n.table_hash();
  n.plant_marks(d.router_index({1, 2}), 0, 0, {.a = Level::lost});
  EXPECT_EQ(n.table_hash(), hash);
  n.plant_marks(d.router_index({1, 3}), 0, 0, {.a = Level::lost});
  EXPECT_NE(n.table_hash(), hash);
}

/// A router that comes back has heard of none of its neighbours, and in the end of all.
TEST(Tables, ARouterThatComesBackHasHeardOfNobody) {
  const Dragonfly d = Dragonfly::named("tiny");
  FaultPlaneNetwork n(d, recorded(d, false));
  n.fail_router({1, 2}, 0);
  n.run();
  const int router = d.router_index({1, 2});
  const int64_t back = n.now() + 10;
  n.repair_router({1, 2}, back);
  n.run(back + 1);
  PortMap neighbours = 0;
  for (int port = d.p(); port < d.num_ports(); ++port)
    if (n.link_up(router, port)) neighbours |= PortMap{1} << port;
  EXPECT_EQ(n.unheard(router) & neighbours, neighbours);
  n.run();
  EXPECT_EQ(n.unheard(router), 0u);
}

/// Whatever it was in the middle of: messages in queues and on wires, dead routers, ports that have not heard their
/// neighbours. The later faults are beside the earlier ones, so that what is left of those would be seen.
TEST(Reset, ANetworkThatHasHadFaultsIsAsNew) {
  const Dragonfly d = Dragonfly::named("tiny");
  const auto before = [&d](FaultPlaneNetwork& n) {
    apply(n, fault(d, "router:G2.s1"), false, 5040);
    apply(n, fault(d, "router:G2.s1"), true, 7100);
    for (const char* name : {"local:G1.s0-G1.s1", "local:G1.s0-G1.s2", "local:G0.s0-G0.s1", "node:G0.s0.n0"})
      apply(n, fault(d, name), false, 5000);
    apply(n, fault(d, "local:G3.s1-G3.s2"), false, 5050);
    apply(n, fault(d, "global:G0-G4"), false, 5090);
    apply(n, fault(d, "local:G0.s0-G0.s1"), true, 7000);
  };
  const auto after = [&d](FaultPlaneNetwork& n) {
    apply(n, fault(d, "router:G3.s1"), false, 300);
    apply(n, fault(d, "local:G2.s1-G2.s3"), false, 330);
    apply(n, fault(d, "local:G1.s0-G1.s3"), false, 340);
    apply(n, fault(d, "global:G0-G4"), false, 390);
    apply(n, fault(d, "router:G3.s1"), true, 2300);
    n.run();
  };
  Parameters plain;
  plain.record = true;
  plain.timing = Timing::native(d);
  std::vector<Parameters> all(4, plain);
  all[1].link = {true, 0.2, 3};
  all[2].timing.pipelined = true;
  all[2].timing.banks = 2;
  all[3].recovery = Recovery::port_level;
  for (const Parameters& p : all) {
    Parameters loaded = p;
    loaded.timing.load = 0.4;
    loaded.timing.seed = 9;
    FaultPlaneNetwork fresh(d, loaded), used(d, p);
    after(fresh);
    const std::string expected = record_of(fresh);
    for (const int64_t limit : {5045, 5160, 7050, 7110, 7130, 7400, 100'000}) {
      used.draw_poll(7);
      before(used);
      used.run(limit);
      used.reset(0.4, 9);
      EXPECT_TRUE(used.restored()) << limit;
      EXPECT_TRUE(used.services().empty() && used.transfers().empty() && used.incidents().empty()) << limit;
      EXPECT_EQ(used.next(), INT64_MAX) << limit;
      after(used);
      EXPECT_EQ(record_of(used), expected) << limit;
      used.reset(0, 1);
    }
  }
}

}  // namespace
}  // namespace odonata::fault::test
