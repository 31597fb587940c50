// SPDX-License-Identifier: Apache-2.0
// One network over several ranks: the same result, packet by packet, for any number of them.
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <functional>
#include <numeric>
#include <sstream>
#include <streambuf>
#include <tuple>

#include "models/arb_request/golden_device.h"
#include "models/common/error.h"
#include "models/fault/closed_form.h"
#include "models/torus/golden_device.h"
#include "models/workload/motif.h"
#include "sim/network/balance.h"
#include "sim/network/closed_loop.h"
#include "sim/network/domain_state.h"
#include "sim/network/fault_feed.h"
#include "sim/network/mail.h"
#include "sim/network/packet_watch.h"
#include "sim/network/parameters.h"
#include "sim/network/route_hardware.h"
#include "sim/network/simulation.h"
#include "sim/network/state_file.h"
#include "sim/network/topologies/graph.h"
#include "sim/network/topologies/mesh.h"
#include "sim/network/topologies/torus.h"
#include "sim/network/untouched_array.h"
#include "tb/common/error_text.h"
#include "tb/network/configs.h"
#include "tb/network/seen_run.h"
#include "tb/network/thread_ranks.h"
#include "tb/network/timed_faults.h"

namespace odonata::network {
namespace {

Config tiny(const std::string& routing, const std::string& traffic, double load) {
  Config c = run_on_tiny(routing, traffic, load, 500, 1000);
  c.drain = 1000;
  c.interval = 300;
  return c;
}

/// A stream's end that counts what goes through.
class Counted final : public std::streambuf {
 public:
  explicit Counted(std::streambuf& to) : to_(to) {}
  uint64_t bytes() const { return bytes_; }

 protected:
  std::streamsize xsputn(const char* data, std::streamsize size) override {
    bytes_ += static_cast<uint64_t>(size);
    return to_.sputn(data, size);
  }
  int_type overflow(int_type c) override {
    ++bytes_;
    return to_.sputc(traits_type::to_char_type(c));
  }
  pos_type seekpos(pos_type position, std::ios_base::openmode mode) override { return to_.pubseekpos(position, mode); }
  pos_type seekoff(off_type offset, std::ios_base::seekdir from, std::ios_base::openmode mode) override {
    return to_.pubseekoff(offset, from, mode);
  }

 private:
  std::streambuf& to_;
  uint64_t bytes_ = 0;
};

TEST(NetworkRanks, TheResultDoesNotDependOnRanksForAnyRoutingOfADragonfly) {
  for (const char* routing : {"min", "doar", "val", "ugal_l", "ugal_g", "par", "par_ph"}) {
    expect_same(tiny(routing, "adv+1", 0.3), {2, 3, 8}, routing);
  }
  for (const char* routing : {"doar_stable", "tpr"}) expect_same(tiny(routing, "adv+1", 0.3), {3}, routing);
}

TEST(NetworkRanks, PacketsOfSeveralFlitsCrossRanksWhole) {
  for (const Switching switching : {Switching::cut_through, Switching::wormhole}) {
    Config c = tiny("doar", "ur", 0.4);
    c.router.lengths = {1, 5};
    c.router.switching = switching;
    expect_same(c, {3}, "5 flits");
  }
}

TEST(NetworkRanks, FaultsAndRepairsAtRunTime) {
  for (const int flits : {1, 5}) {
    Config c = tiny("doar", "adv+1", 0.3);
    c.router.lengths = {flits};
    c.sample = flits == 1 ? 5000 : 8000;
    add_faults(c, {"global:G0-G1", "local:G2.s0-G2.s1", "router:G3.s1"}, 700, flits == 1 ? 4000 : 6900);
    expect_same(c, {3, 8}, "faults");
  }
}

/// A run that ends while tails of packets that were cut are on their way, in the domains of every rank.
TEST(NetworkRanks, ARunThatEndsWhileCutPacketsAreUnderWay) {
  Config c = tiny("doar", "ur", 0.6);
  c.router.lengths = {8};
  c.router.switching = Switching::wormhole;
  c.warmup = 0;
  c.drain = 0;
  add_faults(c, {"router:G1.s1", "router:G6.s2"}, 990, 0);
  add_faults(c, {"global:G0-G2", "global:G3-G5", "local:G2.s0-G2.s1", "local:G7.s1-G7.s3", "local:G4.s0-G4.s3"}, 995,
             0);
  const Result whole = simulate(c);
  EXPECT_GT(whole.cut, 0u);
  EXPECT_TRUE(whole.conservation_ok);
  expect_same(c, {2, 3}, "cut");
}

/// The first detection is that of the first rank that sees one, wherever the later faults are.
TEST(NetworkRanks, TheFirstFaultIsDetectedFirstWhoseeverItIs) {
  for (const auto& [early, late] :
       {std::pair{"local:G0.s0-G0.s1", "local:G7.s0-G7.s1"}, {"local:G7.s0-G7.s1", "local:G0.s0-G0.s1"}}) {
    Config c = tiny("doar", "ur", 0.2);
    add_faults(c, {early}, 600, 0);
    add_faults(c, {late}, 900, 0);
    const FaultResult f = simulate(c).faults;
    EXPECT_GE(f.detected, 600);
    EXPECT_LT(f.detected, 700);
    expect_same(c, {2, 3, 8}, early);
  }
}

/// With a recovery that comes to its end, each cycle of which some rank was the last to see.
TEST(NetworkRanks, ARecoveryEndsInTheSameCycleOnAllRanks) {
  Config c = tiny("doar", "ur", 0.2);
  c.sample = 8000;
  add_faults(c, {"global:G0-G1", "local:G2.s0-G2.s1"}, 700, 4000);
  const FaultResult f = simulate(c).faults;
  ASSERT_TRUE(f.quiet);
  ASSERT_GT(f.recovery_write, 4000);
  ASSERT_GT(f.recovery_done, 4000);
  expect_same(c, {3, 8}, "recovery");
}

/// A message from group to group that the parts do not hand over: the tables differ, and whoever looks sees it.
TEST(NetworkRanks, TheFaultPlanesInPartsAreThoseOfTheWhole) {
  const Dragonfly d = Dragonfly::named("tiny");
  Random random(1);
  const fault::Fault fault = fault::parse_faults(d, "router:G0.s1", random).front();
  fault::FaultPlaneNetwork whole(d, {});
  fault::apply(whole, fault, false, 100);
  whole.run();
  for (const bool hands_over : {true, false}) {
    std::vector<std::unique_ptr<fault::FaultPlaneNetwork>> parts;
    for (int part = 0; part < 3; ++part) {
      fault::Parameters p;
      for (int g = 0; g < d.g(); ++g) p.groups.push_back(g % 3 == part);
      parts.push_back(std::make_unique<fault::FaultPlaneNetwork>(d, p));
      fault::apply(*parts.back(), fault, false, 100);
    }
    for (int64_t limit = 0; limit < 100'000; limit += 100) {
      for (auto& p : parts) p->run(limit);
      for (auto& from : parts) {
        const std::vector<std::byte> leaving = from->take_leaving();
        for (auto& to : parts) {
          if (hands_over) to->bring(leaving);
        }
      }
    }
    uint64_t rows = 0, messages = 0;
    bool as_closed_form = true;
    for (auto& p : parts) {
      EXPECT_EQ(p->next(), INT64_MAX);
      rows += p->stored_rows();
      messages += p->statistics().fd_total;
      as_closed_form &= fault::compare_with_closed_form(*p).empty();
    }
    EXPECT_EQ(as_closed_form, hands_over);
    EXPECT_EQ(rows == whole.stored_rows(), hands_over);
    EXPECT_EQ(messages == whole.statistics().fd_total, hands_over);
  }
}

/// The fault planes of the tiny network in parts, each of which runs `lookahead` cycles from the next event of any:
/// what happened.
std::string in_parts(int count, const std::vector<fault::Fault>& faults, int64_t lookahead) {
  const Dragonfly d = Dragonfly::named("tiny");
  std::vector<std::unique_ptr<fault::FaultPlaneNetwork>> parts;
  for (int part = 0; part < count; ++part) {
    fault::Parameters p;
    for (int g = 0; g < d.g(); ++g) p.groups.push_back(g % count == part);
    parts.push_back(std::make_unique<fault::FaultPlaneNetwork>(d, p));
    for (size_t i = 0; i < faults.size(); ++i) {
      fault::apply(*parts.back(), faults[i], false, static_cast<int64_t>(300 * i));
      fault::apply(*parts.back(), faults[i], true, static_cast<int64_t>(30'000 + 300 * i));
    }
  }
  for (int64_t next = 0; next != INT64_MAX;) {
    std::vector<std::byte> leaving;
    const int64_t limit = next + lookahead;
    next = INT64_MAX;
    for (auto& p : parts) {
      p->run(limit);
      next = std::min(next, p->next());
      const std::vector<std::byte> own = p->take_leaving();
      leaving.insert(leaving.end(), own.begin(), own.end());
    }
    for (auto& p : parts) p->bring(leaving);
  }
  uint64_t fd = 0, fr = 0, services = 0;
  int64_t write = 0, recovery = 0;
  for (auto& p : parts) {
    const fault::Statistics& s = p->statistics();
    fd += s.fd_total, fr += s.fr_total, services += s.services;
    write = std::max(write, s.phases.last_write), recovery = std::max(recovery, s.phases.recovery_write);
  }
  std::ostringstream out;
  out << fd << ' ' << fr << ' ' << services << ' ' << write << ' ' << recovery;
  return out.str();
}

/// A part may run ahead of the others as long as no message takes: it leaves with the third cycle after its look and
/// the ring's way to the first global port. A cycle more, and one comes in a cycle that is over, which is refused.
TEST(NetworkRanks, PartsOfFaultPlanesRunAsFarAsNoMessageTakes) {
  const Dragonfly d = Dragonfly::named("tiny");
  const fault::Timing timing = fault::Parameters{}.timing;
  Random random(1);
  std::vector<fault::Fault> faults;
  for (const char* name : {"router:G0.s1", "local:G2.s0-G2.s1", "global:G4-G6", "local:G5.s1-G5.s3"}) {
    faults.push_back(fault::parse_faults(d, name, random).front());
  }
  const std::string whole = in_parts(1, faults, 1000);
  const int64_t latency = timing.global_latency, most = latency + 2 + d.first_global() * timing.ring_hop;
  for (int64_t lookahead : {int64_t{1}, latency, latency + 1, most})
    EXPECT_EQ(in_parts(3, faults, lookahead), whole) << lookahead;
  EXPECT_THROW(in_parts(3, faults, most + 1), std::logic_error);
}

/// Wiring, mail and what the fault planes report lie where their domains are. A rank keeps the ends of its links twice:
/// its own and those behind them.
TEST(NetworkRanks, MemoryFallsWithTheRanks) {
  Config c = on_dragonfly(Dragonfly::named("paper"));
  add_faults(c, {"global:G0-G1"}, 300, 0);
  const Wiring all = c.topology->wire(c);
  const Share alone(nullptr, all.domains);
  const auto whole = static_cast<double>(all.wire.bytes()), mail = static_cast<double>(Post(all, alone).bytes());
  const auto feed = static_cast<double>(FaultFeed(c).bytes());
  for (const int ranks : {2, 4, 8}) {
    for (const std::string& error : ThreadRanks(ranks).run([&](Exchange& exchange) {
           Wiring wiring = all;
           const Share share(&exchange, wiring.domains);
           wiring.keep(share.own());
           EXPECT_EQ(wiring.lookahead(), all.lookahead());
           EXPECT_LT(static_cast<double>(wiring.wire.bytes()), whole / ranks * 1.15);
           EXPECT_LT(static_cast<double>(Post(wiring, share).bytes()), mail / ranks * 2.1);
           EXPECT_LT(static_cast<double>(FaultFeed(c, &share).bytes()), feed / ranks * 1.15);
         })) {
      EXPECT_EQ(error, "");
    }
  }
}

/// Pages of this process that are in memory.
size_t resident_pages() {
  std::ifstream file("/proc/self/statm");
  size_t all = 0, resident = 0;
  file >> all >> resident;
  return resident;
}

TEST(NetworkRanks, RingsThatAreNeverTouchedCostNothing) {
  const size_t before = resident_pages();
  UntouchedArray<uint64_t> rings;
  rings.allot(size_t{64} << 20);  // half a gigabyte
  rings[5] = 1, rings[(size_t{64} << 20) - 1] = 2;
  StateWriter writer;
  rings.visit_state(writer);
  EXPECT_LT(writer.bytes().size(), 10'000u);
  EXPECT_LT(resident_pages(), before + 1000);
  UntouchedArray<uint64_t> copy;
  copy.allot(rings.size());
  StateReader reader(writer.bytes());
  copy.visit_state(reader);
  reader.finish();
  EXPECT_EQ(copy[5], 1u);
  EXPECT_EQ(copy[4], 0u);
  EXPECT_EQ(copy[copy.size() - 1], 2u);
  EXPECT_LT(resident_pages(), before + 2000);
  UntouchedArray<uint64_t> smaller;
  smaller.allot(1000);
  StateReader other(writer.bytes());
  EXPECT_THROW(smaller.visit_state(other), Error);
}

TEST(NetworkRanks, TheLongestDomainIsPlacedFirst) {
  const std::vector<int> blocks{0, 0, 0, 1, 1, 1, 2, 2};
  const std::vector<uint64_t> even(8, 100);
  EXPECT_EQ(balance(even, {0, 0, 1, 1, 2, 2, 3, 3}, 4), (std::vector<int>{0, 0, 1, 1, 2, 2, 3, 3}));
  EXPECT_EQ(balance(even, blocks, 3), blocks) << "3, 3, 2 is the best there is";
  const std::vector<uint64_t> skewed{900, 800, 700, 1, 1, 1, 1, 1};
  const std::vector<int> halves{0, 0, 1, 1};
  EXPECT_EQ(balance({60, 44, 56, 40}, halves, 2), halves) << "4 % less for the busiest rank is not worth it";
  EXPECT_NE(balance({60, 50, 50, 40}, halves, 2), halves) << "9 % less is";
  EXPECT_EQ(balance({2, 6, 3}, {0, 1, 1}, 2), (std::vector<int>{0, 1, 0})) << "nothing moves for an equal load";
  EXPECT_EQ(imbalance({0, 0, 0}, {0, 0, 1}, 2), 4. / 3) << "a domain costs something that the clock has not seen";
  EXPECT_EQ(balance({0, 0, 0, 0}, {0, 0, 0, 0}, 2), (std::vector<int>{0, 0, 1, 1}));
  const std::vector<int> owner = balance(skewed, blocks, 3);
  EXPECT_NE(owner[0], owner[1]);
  EXPECT_NE(owner[0], owner[2]);
  EXPECT_NE(owner[1], owner[2]);
  EXPECT_GT(imbalance(skewed, blocks, 3), 2.9);
  EXPECT_LT(imbalance(skewed, owner, 3), 1.13);
  // Whatever they cost: every rank has a domain, and none more than 4/3 of what is unavoidable.
  Random random(7);
  for (int i = 0; i < 200; ++i) {
    const int ranks = 1 + static_cast<int>(random.below(6));
    const auto domains = static_cast<uint32_t>(ranks) + random.below(20);
    std::vector<uint64_t> cost;
    std::vector<int> before;
    for (uint32_t d = 0; d < domains; ++d) {
      cost.push_back(random.below(4) == 0 ? random.below(100'000) : random.below(1000));
      before.push_back(static_cast<int>(d * static_cast<uint32_t>(ranks) / domains));
    }
    const std::vector<int> after = balance(cost, before, ranks);
    for (int r = 0; r < ranks; ++r) EXPECT_NE(std::find(after.begin(), after.end(), r), after.end());
    EXPECT_LE(imbalance(cost, after, ranks), imbalance(cost, before, ranks));
    const auto sum = static_cast<double>(std::accumulate(cost.begin(), cost.end(), uint64_t{0}));
    const double least =
        std::max(1.0, static_cast<double>(*std::max_element(cost.begin(), cost.end())) / (sum / ranks));
    EXPECT_LT(imbalance(cost, after, ranks), least / 0.95 + 1.0 / 3) << i;
  }
}

/// Packets inside groups 0 and 1 only, so that their rank has nearly all to do until the domains move.
TEST(NetworkRanks, DomainsMoveAndTheResultStays) {
  const Dragonfly d = Dragonfly::named("tiny");
  traffic::PacketTrace trace;
  trace.nodes = d.num_nodes();
  Random random(3);
  for (uint32_t cycle = 0; cycle < 4000; ++cycle) {
    for (uint32_t node = 0; node < 16; ++node) {
      if (random.below(3) != 0) trace.packets.push_back({cycle, node, (node + 1 + random.below(15)) % 16, 1});
    }
  }
  for (const std::string kind : {"doar", "ugal_g", "faults", "flits"}) {
    Config c = tiny(kind == "ugal_g" ? kind : "doar", "ur", 0);
    c.trace = std::make_shared<const traffic::PacketTrace>(trace);
    c.sample = 3000;
    c.balance = 8;
    if (kind == "faults") add_faults(c, {"local:G0.s1-G0.s2", "router:G5.s1"}, 600, 2800);
    if (kind == "flits") c.router.lengths = {3};
    const Seen alone = run(c);
    for (const int count : {2, 3, 5}) {
      for (const std::string& error : ThreadRanks(count).run([&](Exchange& exchange) {
             const Seen seen = run(c, &exchange);
             EXPECT_EQ(seen.result, alone.result) << kind << ", " << count << " ranks";
             EXPECT_TRUE(seen.deliveries == alone.deliveries) << kind << ", " << count << " ranks";
             Config own = c;
             own.exchange = &exchange;
             const Result r = simulate(own);
             if (count == 5) return;  // groups 0 and 1 may be where they are to be
             EXPECT_GT(r.moved_domains, 0u) << kind;
             EXPECT_LT(r.imbalance[1], r.imbalance[0]) << kind;
             own.balance = 0;
             EXPECT_EQ(simulate(own).moved_domains, 0u);
           })) {
        EXPECT_EQ(error, "");
      }
    }
  }
}

/// The programs of 16 ranks on groups 0 and 1, which move while messages are under way.
TEST(NetworkRanks, ProgramsMoveWithTheirDomains) {
  Config c = tiny("doar", "ur", 0);
  c.warmup = 0;
  c.sample = 1'000'000;
  c.balance = 6;
  workload::Workload all;
  all.jobs = {workload::make_motif("random:ranks=16,rounds=60,bytes=5000")};
  c.workload = std::make_shared<const workload::Workload>(std::move(all));
  expect_same(c, {2, 3}, "programs that move");
}

/// Links between domains of different latencies, so that windows are shorter than most of them.
TEST(NetworkRanks, AGraphOfSeveralDomains) {
  Graph::Parts parts;
  parts.name = "ring of rings";
  for (int s = 0; s < 12; ++s) {
    parts.switches.push_back({"s" + std::to_string(s), s / 3});
    parts.nodes.push_back({"n" + std::to_string(s), s, static_cast<uint32_t>(s)});
    parts.links.push_back({s, s % 3 == 2 ? s - 2 : s + 1, 1});
    if (s % 3 == 0) parts.links.push_back({s, (s + 4) % 12, 7 + s});
  }
  Config c = on_graph(Graph(parts));
  c.load = 0.2;
  c.warmup = 500;
  c.sample = 2000;
  c.drain = 2000;
  expect_same(c, {2, 3, 4}, "graph");
}

/// Whichever of them it is: what is sent in a window must not arrive in it.
TEST(NetworkRanks, AWindowIsAsLongAsTheShortestLinkBetweenDomains) {
  std::vector<int> latencies{5, 9, 14};
  do {
    Graph::Parts parts;
    parts.name = "triangle";
    for (int s = 0; s < 3; ++s) {
      parts.switches.push_back({"s" + std::to_string(s), s});
      parts.nodes.push_back({"n" + std::to_string(s), s, static_cast<uint32_t>(s)});
      parts.links.push_back({s, (s + 1) % 3, latencies[static_cast<size_t>(s)]});
    }
    const Config c = on_graph(Graph(parts));
    EXPECT_EQ(c.topology->wire(c).lookahead(), 5) << latencies[0] << ' ' << latencies[1];
  } while (std::next_permutation(latencies.begin(), latencies.end()));
}

/// A circle of channels that goes over all ranks: the watchdog's report and what stands where.
/// Another exchange, and the bytes that it was given to send.
class CountedExchange final : public Exchange {
 public:
  explicit CountedExchange(Exchange& to) : to_(to) {}
  uint64_t bytes = 0;
  int ranks() const override { return to_.ranks(); }
  int own() const override { return to_.own(); }
  void swap(const std::vector<int>& peers, const std::vector<Bytes>& to, std::vector<Bytes>& from) override {
    for (const int r : peers) bytes += to[static_cast<size_t>(r)].size();
    to_.swap(peers, to, from);
  }
  void sum(std::span<uint64_t> values) override { to_.sum(values); }
  void largest(std::span<uint64_t> values) override { to_.largest(values); }
  std::vector<Bytes> gather(const Bytes& own) override { return to_.gather(own); }

 private:
  Exchange& to_;
};

TEST(NetworkRanks, BytesOfTheMailAreThoseThatAreSent) {
  if (kCheck) GTEST_SKIP() << "an engine that checks its invariants exchanges the slots behind its outputs, too";
  Config c = tiny("doar", "ur", 0.4);
  c.balance = 0;
  for (const std::string& error : ThreadRanks(3).run([&](Exchange& exchange) {
         CountedExchange counted(exchange);
         Config own = c;
         own.exchange = &counted;
         const auto simulation = make_simulation(own);
         const uint64_t before = counted.bytes;
         while (simulation->advance()) {
         }
         const uint64_t sent = counted.bytes - before;
         const Result r = simulation->result();
         EXPECT_GT(sent, 100'000u);
         EXPECT_EQ(r.exchange_bytes, sent);
       }))
    EXPECT_EQ(error, "");
}

TEST(NetworkRanks, ADeadlockIsFoundAcrossRanks) {
  Graph::Parts parts;
  parts.name = "ring";
  for (int s = 0; s < 6; ++s) {
    parts.switches.push_back({"s" + std::to_string(s), s / 2});
    parts.nodes.push_back({"n" + std::to_string(s), s, static_cast<uint32_t>(s)});
    parts.links.push_back({s, (s + 1) % 6, 1});
  }
  Config c = on_graph(Graph(parts));
  c.routing = "shortest";
  c.traffic = "shift+2";
  c.load = 1;
  c.allow_cycles = true;
  c.router.lengths = {8};
  c.router.switching = Switching::wormhole;
  c.link("link").buffer = 2;
  c.watchdog = 500;
  c.warmup = 0;
  c.sample = 20'000;
  const Result alone = simulate(c);
  EXPECT_NE(alone.deadlock.find("waits for channel s"), std::string::npos) << alone.deadlock;
  EXPECT_FALSE(alone.stalled.empty());
  for (const std::string& error : ThreadRanks(3).run([&](Exchange& exchange) {
         Config own = c;
         own.exchange = &exchange;
         EXPECT_EQ(words(simulate(own)), words(alone));
       })) {
    EXPECT_EQ(error, "");
  }
}

/// Programs of a closed loop over all domains, eager and rendezvous, to their end; and with lost messages, where every
/// rank has to say that they wait.
TEST(NetworkRanks, ProgramsComeToTheSameEnd) {
  for (const uint64_t eager : {uint64_t{0}, uint64_t{1} << 20}) {
    Config c = tiny("doar", "ur", 0);
    c.warmup = 0;
    c.sample = 1'000'000;
    c.programs.eager_limit = eager;
    workload::Workload all;
    all.jobs = {workload::make_motif("random:ranks=64,rounds=40,bytes=5000")};
    c.workload = std::make_shared<const workload::Workload>(std::move(all));
    const Result alone = simulate(c);
    ASSERT_EQ(alone.programs->unfinished_ranks, 0u) << alone.programs->waits;
    expect_same(c, {3, 8}, "programs");
    add_faults(c, {"router:G3.s1"}, 300, 0);
    c.watchdog = 2000;
    EXPECT_NE(simulate(c).programs->unfinished_ranks, 0u);
    expect_same(c, {3}, "programs that wait");
  }
}

TEST(NetworkRanks, ACheckpointIsLoadedWithAnyNumberOfRanks) {
  for (const char* routing : {"doar", "ugal_g"}) {
    Config c = tiny(routing, "adv+1", 0.3);
    if (std::string(routing) == "doar") add_faults(c, {"global:G0-G1"}, 300, 900);
    const Result whole = simulate(c);
    const auto save = [&c](Exchange* exchange, std::ostream& to) {
      Config own = c;
      own.exchange = exchange;
      const auto simulation = make_simulation(own);
      while (simulation->now() < 700) simulation->advance();
      simulation->save(to);
    };
    std::stringstream alone;
    save(nullptr, alone);
    const std::string four = saved_by(4, [&](Exchange& exchange, std::ostream& to) { save(&exchange, to); });
    for (const std::string& state : {alone.str(), four}) {
      const auto resume = [&](Exchange* exchange) {
        Config own = c;
        own.exchange = exchange;
        const auto simulation = make_simulation(own);
        std::istringstream from(state);
        simulation->load(from);
        EXPECT_EQ(words(simulate(*simulation)), words(whole)) << routing;
      };
      resume(nullptr);
      for (const int ranks : {3, 8}) {
        for (const std::string& error : ThreadRanks(ranks).run([&](Exchange& exchange) { resume(&exchange); }))
          EXPECT_EQ(error, "");
      }
    }
  }
}

/// Ranks may have as many threads as their machines.
TEST(NetworkRanks, RanksOfSeveralSizesWriteAndReadACheckpoint) {
  const Config c = tiny("doar", "adv+1", 0.3);
  const Result whole = simulate(c);
  const auto simulation_of = [&c](Exchange& exchange, bool larger) {
    Config own = c;
    own.exchange = &exchange;
    own.threads = (exchange.own() == 0) == larger ? 3 : 1;
    return make_simulation(own);
  };
  for (const bool larger : {true, false}) {
    const std::string state = saved_by(2, [&](Exchange& exchange, std::ostream& to) {
      const auto simulation = simulation_of(exchange, larger);
      while (simulation->now() < 700) simulation->advance();
      simulation->save(to);
    });
    for (const std::string& error : ThreadRanks(2).run([&](Exchange& exchange) {
           const auto simulation = simulation_of(exchange, !larger);
           std::istringstream from(state);
           simulation->load(from);
           EXPECT_EQ(words(simulate(*simulation)), words(whole)) << larger;
         }))
      EXPECT_EQ(error, "");
  }
}

TEST(NetworkRanks, AStateOfAnotherCycleThanThatOfARankIsRefused) {
  const Config c = tiny("min", "ur", 0.3);
  const auto simulation = make_simulation(c);
  std::vector<std::string> states;
  for (const uint64_t until : {400u, 900u}) {
    while (simulation->now() < until) simulation->advance();
    std::ostringstream to;
    simulation->save(to);
    states.push_back(to.str());
  }
  for (const std::string& error : ThreadRanks(2).run([&](Exchange& exchange) {
         Config own = c;
         own.exchange = &exchange;
         std::istringstream from(states[static_cast<size_t>(exchange.own())]);
         make_simulation(own)->load(from);
       }))
    EXPECT_NE(error.find("the present cycle"), std::string::npos) << error;
}

/// Two ranks cut a mesh in two; the checkpoint cuts it in 16, which can move.
TEST(NetworkRanks, ANetworkThatACheckpointHasCutIsBalanced) {
  Config c = on_mesh(arb_request::Mesh::parse("6x6"));
  c.routing = "d2ra";
  c.router.vcs = 3;
  c.load = 0.2;
  c.warmup = 0;
  c.sample = 2'000;
  c.balance = 2;
  Config saved = c;
  saved.domains = 16;
  const auto simulation = make_simulation(saved);
  while (simulation->now() < 500) simulation->advance();
  std::ostringstream state;
  simulation->save(state);
  const Result whole = simulate(c);
  for (const std::string& error : ThreadRanks(2).run([&](Exchange& exchange) {
         Config own = c;
         own.exchange = &exchange;
         const auto resumed = make_simulation(own);
         std::istringstream from(state.str());
         resumed->load(from);
         const Result r = simulate(*resumed);
         EXPECT_EQ(words(r), words(whole));
         EXPECT_GT(r.imbalance[0], 0) << "was not looked at";
       }))
    EXPECT_EQ(error, "");
}

/// The ranks write one file together: every byte of it once, every piece whole, and each rank a part of it.
TEST(NetworkRanks, EveryRankWritesItsOwnPieces) {
  Config c = tiny("doar", "adv+1", 0.3);
  c.router.vcs = 4;
  std::ostringstream alone;
  const auto save = [&c](Exchange* exchange, std::ostream& to) {
    Config own = c;
    own.exchange = exchange;
    const auto simulation = make_simulation(own);
    while (simulation->now() < 300) simulation->advance();
    simulation->save(to);
  };
  save(nullptr, alone);
  for (const int ranks : {2, 3, 8}) {
    std::vector<std::atomic<uint64_t>> written(static_cast<size_t>(ranks));
    const std::string together = saved_by(ranks, [&](Exchange& exchange, std::ostream& to) {
      Counted counted(*to.rdbuf());
      std::ostream through(&counted);
      save(&exchange, through);
      written[static_cast<size_t>(exchange.own())] = counted.bytes();
    });
    std::istringstream file(together);
    CheckpointReader reader(file, describe_text(c));
    for (uint64_t piece = 0; piece != reader.pieces(); ++piece) EXPECT_NO_THROW(reader.check(piece)) << piece;
    uint64_t sum = 0;
    for (const auto& n : written) {
      EXPECT_GT(n, alone.str().size() / 100) << "a rank that writes nothing";
      sum += n;
    }
    EXPECT_EQ(sum, together.size()) << ranks;
  }
}

TEST(NetworkRanks, ADamagedOrMissingPieceIsNamed) {
  const Config c = tiny("min", "ur", 0.3);
  const auto simulation = make_simulation(c);
  for (int i = 0; i < 3; ++i) simulation->advance();
  std::ostringstream to;
  simulation->save(to);
  const std::string good = to.str();
  const auto error_of = [&](const std::string& bytes) {
    std::istringstream from(bytes);
    return error_text([&] { make_simulation(c)->load(from); });
  };
  EXPECT_EQ(error_of(good), "");
  std::string broken = good;
  broken[good.size() / 2] ^= 1;
  EXPECT_NE(error_of(broken).find("checkpoint: damaged: the piece of domain "), std::string::npos) << error_of(broken);
  EXPECT_NE(error_of(good.substr(0, good.size() - 1)).find("checkpoint: damaged"), std::string::npos);
  EXPECT_NE(error_of(good + "x").find("checkpoint: damaged"), std::string::npos);
}

TEST(NetworkRanks, WhatCannotBeSharedIsRefusedOnEveryRank) {
  const auto expect_refused = [](int ranks, const std::function<Config(int)>& config, const std::string& words) {
    for (const std::string& error : ThreadRanks(ranks).run([&](Exchange& exchange) {
           Config c = config(exchange.own());
           c.exchange = &exchange;
           make_simulation(c);
         })) {
      EXPECT_NE(error.find(words), std::string::npos) << error;
    }
  };
  expect_refused(
      9, [](int) { return tiny("min", "ur", 0.1); }, "9 ranks, but the network has 8 domains");
  expect_refused(
      17,
      [](int) {
        return on_mesh(arb_request::Mesh({4, 4}));
      },
      "17 ranks, but the network has 16 domains");
  expect_refused(
      3, [](int rank) { return tiny("min", "ur", rank == 2 ? 0.2 : 0.1); },
      "settings: rank 2 has load '0.2', rank 0 '0.1'");
}

/// What watches every packet sees those of one process.
TEST(NetworkRanks, AWatchIsForARunOfOneProcess) {
  class Blind final : public PacketWatch {
    void granted(const Flit&, uint32_t, uint32_t, int, int, int, int, int) override {}
    void delivered(const Flit&, uint32_t) override {}
    void lost(const Flit&, uint32_t) override {}
  };
  const auto errors = ThreadRanks(2).run([](Exchange& exchange) {
    Blind watch;
    Config c = tiny("doar", "ur", 0.1);
    c.route_compute = RouteCompute::arrival;
    c.exchange = &exchange;
    c.watch = &watch;
    make_simulation(c);
  });
  for (const std::string& error : errors)
    EXPECT_EQ(error, "a watch on every packet: only in a run of one process, this one has 2 ranks");
}

/// The first rank that has something to say is heard by all.
TEST(NetworkRanks, TheFirstTextIsThatOfTheFirstRankThatHasOne) {
  const auto errors = ThreadRanks(4).run([](Exchange& exchange) {
    const std::string own = exchange.own() % 2 == 0 ? "" : "rank " + std::to_string(exchange.own());
    const std::string first = first_text(&exchange, own), none = first_text(&exchange, "");
    if (first != "rank 1" || !none.empty()) throw Error("heard '" + first + "' and '" + none + "'");
  });
  for (const std::string& error : errors) EXPECT_EQ(error, "");
}

/// A network without domains of its own is cut by the threads of the rank that has the most, on all ranks alike.
TEST(NetworkRanks, RanksOfSeveralSizesCutAMeshAlike) {
  Config c = run_of(on_mesh(arb_request::Mesh::parse("6x6")), "d2ra", "uniform", 0.2, 100, 500);
  c.router.vcs = 3;
  const Seen alone = run(c);
  for (const int larger : {0, 1}) {
    for (const std::string& error : ThreadRanks(2).run([&](Exchange& exchange) {
           Config own = c;
           own.threads = exchange.own() == larger ? 3 : 1;
           const Seen seen = run(own, &exchange);
           EXPECT_EQ(seen.result, alone.result) << larger;
           EXPECT_TRUE(seen.deliveries == alone.deliveries) << larger;
         }))
      EXPECT_EQ(error, "");
  }
}

/// Hears of decisions and fault planes and keeps nothing.
struct Listener final : DecisionTap, FaultTap {
  void cycle(uint32_t) override {}
  void decided(const Seen&) override {}
  void link(int, int, bool, int64_t) override {}
  void router(int, bool, int64_t) override {}
  void written(int, int, int, int64_t) override {}
  void heard(int, int, int, bool, int64_t) override {}
  void opened(int, int, int64_t) override {}
  void sent(int, int, const fault::Message&, int64_t) override {}
  void arrived(int, int, const fault::Message&, int64_t) override {}
  void served(int, fault::ServiceKind, int, const fault::Message&, int64_t) override {}
  void known(int64_t) override {}
};

/// docs/network_ranks.md §4: nothing moves with a device in the loop, of whatever kind and on whichever rank; without
/// one the domains are looked at.
TEST(NetworkRanks, NothingMovesWithADeviceInTheLoop) {
  Config fly = tiny("doar", "ur", 0.2);
  fly.sample = 3000;
  Config faulty = fly;
  add_faults(faulty, {"global:G0-G2"}, 700, 0);
  Config mesh = on_mesh(arb_request::Mesh::parse("4x4"));
  mesh.routing = "d2ra";
  mesh.router.vcs = 3;
  Config torus = on_torus(Torus({5, 5}));
  torus.routing = "torus_safe6";
  torus.route_compute = RouteCompute::arrival;
  for (Config* c : {&mesh, &torus}) c->domains = 8, c->load = 0.1, c->warmup = 100, c->sample = 1000;
  const auto watched = [](Config& c, Listener& l) { c.taps = {{5, 2, &l}}; };
  const auto heard = [](Config& c, Listener& l) { c.faults.tap = &l; };
  const auto logic = [](Config& c, Listener&) {
    c.requests.device_router = 5;
    c.requests.device = [] {
      return std::make_unique<arb_request::GoldenLogic>(arb_request::PortSize{.dimensions = 2});
    };
  };
  const auto unit = [](Config& c, Listener&) {
    RouteHardware hardware{.router = 7};
    hardware.torus = [] { return std::make_unique<torus::GoldenRoute>(Torus({5, 5}), torus::Variant::kSafe6); };
    c.hardware = std::make_shared<const RouteHardware>(std::move(hardware));
  };
  const std::vector<std::tuple<const char*, Config, std::function<void(Config&, Listener&)>>> cases{
      {"decisions", fly, watched},
      {"fault planes", faulty, heard},
      {"logic", mesh, logic},
      {"route unit", torus, unit}};
  for (const auto& [name, base, add] : cases) {
    for (const bool device : {false, true}) {
      for (const std::string& error :
           ThreadRanks(2).run([&, &base = base, &add = add, name = name](Exchange& exchange) {
             Listener listener;
             Config own = base;
             own.exchange = &exchange;
             own.balance = 2;
             if (device) add(own, listener);
             const Result r = simulate(own);
             EXPECT_EQ(r.imbalance[0] == 0, device) << name << ", rank " << exchange.own();
             EXPECT_TRUE(!device || r.moved_domains == 0) << name;
           }))
        EXPECT_EQ(error, "");
    }
  }
}

}  // namespace
}  // namespace odonata::network
