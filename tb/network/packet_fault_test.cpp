// SPDX-License-Identifier: Apache-2.0
// Packets of several flits that links and routers cut in two: nothing is lost twice or left behind, nodes get whole
// packets only, and no channel stays held (docs/network.md §8). The engine's invariants are on in all of it, in release
// builds too.
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "models/common/error.h"
#include "sim/network/make_engine.h"
#include "sim/network/policies/doar_live.h"
#include "tb/common/error_text.h"
#include "tb/network/timed_faults.h"

namespace odonata::network {
namespace {

class Checked : public DoarLive {
 public:
  [[maybe_unused]] static constexpr bool kChecked = true;
  using DoarLive::DoarLive;
};

template <class Policy, bool kPackets = true>
std::unique_ptr<Simulation> build(const Config& c) {
  const Wiring wiring = c.topology->wire(c);
  auto kind = domain_kind<Policy, DragonflySource, kPackets>(DragonflyTopology::source(c, wiring));
  return std::make_unique<Engine>(c, wiring, std::move(kind));
}

Config configuration(const Dragonfly& size, int flits, Switching switching, uint64_t seed) {
  Config c = on_dragonfly(size);
  c.router.vcs = DoarLive::kVcs;
  c.router.lengths = {flits};
  c.router.switching = switching;
  c.link("node").buffer = c.link("local").buffer = 4;
  c.link("global").buffer = 24;
  c.seed = seed;
  c.load = 0.4;
  c.warmup = 500;
  c.sample = 7500;
  c.drain = 6000;
  c.faults.hardware = "native";  // a repaired router is in the network again after a thousand cycles
  return c;
}

/// Links of all kinds and a router, some for good, some for longer than a diagnosis takes, some for a few cycles.
void add_many_faults(Config& c) {
  add_faults(c, {"random-links:3"}, 900, 0);
  add_faults(c, {"node:G1.s1.n0"}, 1003, 4000);
  add_faults(c, {"router:G2.s0"}, 1500, 1500 + c.least_dead_time());
  add_faults(c, {"random-links:2"}, 2000, 5001);
  for (uint64_t k = 0; k < 40; ++k) {
    add_faults(c, {"local:G0.s1-G0.s0"}, 1000 + 90 * k, 1001 + 92 * k);
    add_faults(c, {"global:G0-G2"}, 1007 + 110 * k, 1017 + 110 * k);
    add_faults(c, {"node:G0.s0.n0"}, 1000 + 57 * k, 1001 + 57 * k);
  }
}

constexpr Switching kBoth[] = {Switching::cut_through, Switching::wormhole};

void expect_sound(const Result& r) {
  EXPECT_TRUE(r.conservation_ok);
  EXPECT_EQ(r.deadlock, "");
  EXPECT_EQ(r.created, r.delivered + r.lost + r.waiting + r.in_flight);
  EXPECT_GT(r.lost, 0u);
}

/// A router stays dead for as long as what waits in the deepest buffer of any class of ports may be due.
TEST(PacketFaults, TheDeepestBufferSaysHowLongARouterStaysDead) {
  for (const char* deepest : {"node", "local", "global"}) {
    Config c = network::on_dragonfly(Dragonfly::named("tiny"));
    c.router.lengths = {1, 4};
    c.router.vcs = 4;
    for (LinkClass& l : c.links) l.buffer = l.name == deepest ? 64 : 8;
    EXPECT_EQ(c.least_dead_time(), Config::kLeastDeadTime + 3 * 4 * 64) << deepest;
  }
}

/// Every death counts: that of another router, and the second one of the same.
TEST(PacketFaults, NoRouterComesBackTooEarly) {
  const uint64_t least = configuration(Dragonfly::named("tiny"), 5, Switching::wormhole, 1).least_dead_time();
  for (const char* second : {"router:G2.s0", "router:G5.s1"}) {
    for (const uint64_t dead : {least, least - 1}) {
      Config c = configuration(Dragonfly::named("tiny"), 5, Switching::wormhole, 1);
      add_faults(c, {"router:G2.s0"}, 1000, 1000 + least);
      add_faults(c, {second}, 2000 + least, 2000 + least + dead);
      const std::string refusal = error_text([&] { make_simulation(c); });
      EXPECT_EQ(refusal.empty(), dead == least) << second << ": " << refusal;
      EXPECT_EQ(refusal.find(std::string(second) + ": repair of a router") != std::string::npos, dead != least)
          << refusal;
    }
  }
}

TEST(PacketFaults, PacketsFlitsCreditsAndChannelsAreConserved) {
  uint64_t cut = 0, unroutable = 0, in_routers = 0;
  for (const Dragonfly& size : {Dragonfly::named("tiny"), Dragonfly::parse("3,6,3,18")}) {
    for (const Switching switching : kBoth) {
      for (const int flits : {2, 5, 10}) {
        for (uint64_t seed = 1; seed <= (size.g() > 10 ? 1 : 3); ++seed) {
          SCOPED_TRACE(size.name() + " flits " + std::to_string(flits) + " seed " + std::to_string(seed));
          Config c = configuration(size, flits, switching, seed);
          add_many_faults(c);
          const Result r = simulate(*build<Checked>(c));
          expect_sound(r);
          cut += r.cut, unroutable += r.unroutable, in_routers += r.lost_in_routers;
        }
      }
    }
  }
  EXPECT_GT(cut, 300u);
  EXPECT_GT(unroutable, 100u);
  EXPECT_GT(in_routers, 100u);
}

/// Whether the monitors have forgotten every packet is part of what tables_ok says.
class CheckedAndIdle : public Checked {
 public:
  using Checked::Checked;
  bool tables_ok() const {
    for (int i = 0; i < context_.wiring.routers * context_.wiring.ports; ++i) {
      if (context_.wiring.wire[static_cast<size_t>(i)].port_class != 0 && plane_.corrected(i) != 0) return false;
    }
    return Checked::tables_ok();
  }
};

/// Packets of 1 to `longest` flits, sparse ones again once everything is repaired, and at the very end one that leaves
/// no router.
std::shared_ptr<traffic::PacketTrace> trace_in_two_parts(int nodes, int longest, uint64_t seed, uint32_t second) {
  auto trace = std::make_shared<traffic::PacketTrace>();
  trace->nodes = nodes;
  Random random(seed);
  const auto add = [&](uint32_t first, uint32_t cycles, int packets) {
    for (int i = 0; i < packets; ++i) {
      const uint32_t source = random.below(static_cast<uint32_t>(nodes)),
                     dest = random.below(static_cast<uint32_t>(nodes));
      trace->packets.push_back({first + random.below(cycles), source, dest,
                                static_cast<uint8_t>(1 + random.below(static_cast<uint32_t>(longest)))});
    }
  };
  add(0, 3000, 9'000);
  add(second, 6000, 3000);
  trace->packets.push_back({second + 10'000, 0, 1, 1});
  trace->normalise();
  return trace;
}

TEST(PacketFaults, AfterTheRepairsTheNetworkIsEmptyAndWorksAsBefore) {
  constexpr uint32_t kSecond = 25'000;
  uint64_t cut = 0;
  for (const Switching switching : kBoth) {
    for (uint64_t seed = 1; seed <= 4; ++seed) {
      Config c = configuration(Dragonfly::named("tiny"), 10, switching, seed);
      c.link("node").buffer = c.link("local").buffer = 1;  // a slot or channel that stays taken stops the traffic
      c.link("global").buffer = 4;
      c.trace = trace_in_two_parts(dragonfly_of(c).num_nodes(), 10, seed, kSecond);
      c.warmup = 0;
      c.sample = c.trace->cycles();
      add_faults(c, {"random-links:4"}, 900, 6000);
      for (const char* router : {"router:G2.s0", "router:G5.s1"}) add_faults(c, {router}, 2000, 6000);
      for (uint64_t k = 0; k < 40; ++k)
        add_faults(c, {k % 2 == 0 ? "node:G1.s1.n0" : "local:G0.s1-G0.s0"}, 1000 + 47 * k, 1001 + 47 * k);
      const auto simulation = build<CheckedAndIdle>(c);
      std::set<std::pair<uint32_t, uint32_t>> delivered;
      uint64_t second_part = 0;
      simulation->on_delivery([&](const Delivery& d) {
        EXPECT_TRUE(delivered.emplace(d.flit.source, d.flit.born).second);
        second_part += d.flit.born >= kSecond;
      });
      const Result r = simulate(*simulation);
      expect_sound(r);
      cut += r.cut;
      EXPECT_EQ(r.delivered, delivered.size());
      EXPECT_EQ(r.delivered + r.lost, c.trace->packets.size());
      EXPECT_EQ(second_part, 3001u);
      EXPECT_EQ(r.in_flight_flits, 0u);
      EXPECT_EQ(r.unfinished, 0u);
      EXPECT_TRUE(r.faults.restored);
      EXPECT_TRUE(r.faults.tables_ok);
    }
  }
  EXPECT_GT(cut, 20u);
}

/// Nothing but these packets, of up to ten flits.
Config only(std::vector<traffic::TracePacket> packets) {
  Config c = configuration(Dragonfly::named("tiny"), 10, Switching::wormhole, 1);
  auto trace = std::make_shared<traffic::PacketTrace>();
  trace->nodes = dragonfly_of(c).num_nodes();
  trace->packets = std::move(packets);
  trace->normalise();
  c.trace = trace;
  c.warmup = 0;
  c.sample = trace->cycles();
  return c;
}

/// A packet of ten flits between two nodes of group 0, and one long afterwards that ends the run.
Config single_packet(int dest) {
  return only({{100, 0, static_cast<uint32_t>(dest), 10}, {9000, 0, static_cast<uint32_t>(dest), 10}});
}

struct Cycles {
  uint64_t first, last;
  bool holds(uint64_t cycle) const { return cycle >= first && cycle <= last; }
};

/// A fault of `length` cycles in every one of `tried`, a run for each: the packet is lost when it begins in `lost`, and
/// cut in two in `cut`. `dead`: has failed before and comes back before the last packet.
void expect_lost(int dest, const std::string& name, uint64_t length, Cycles tried, Cycles lost, Cycles cut,
                 const char* dead = nullptr) {
  for (uint64_t cycle = tried.first; cycle <= tried.last; ++cycle) {
    Config c = single_packet(dest);
    add_faults(c, {name}, cycle, cycle + length);
    if (dead != nullptr) add_faults(c, {dead}, 50, 4000);
    const Result r = simulate(*build<Checked>(c));
    SCOPED_TRACE(name + " in cycle " + std::to_string(cycle));
    EXPECT_TRUE(r.conservation_ok);
    EXPECT_EQ(r.lost, lost.holds(cycle));
    EXPECT_EQ(r.delivered + r.lost, 2u);
    EXPECT_EQ(r.cut, cut.holds(cycle));
    EXPECT_LT(r.latency.max(), 500u);
    EXPECT_EQ(r.in_flight_flits, 0u);
    EXPECT_EQ(r.unfinished, 0u);
  }
}

/// The packet is created in cycle 100; its flits are granted by the first router in cycles 101 to 110 and on its output
/// link from 102 to 111 on.
TEST(PacketFaults, APacketIsLostExactlyWhenAFlitMeetsTheFault) {
  const Dragonfly d = Dragonfly::named("tiny");
  expect_lost(1, "node:G0.s0.n1", 1, {98, 120}, {102, 111}, {0, 0});
  expect_lost(1, "node:G0.s0.n0", 1, {98, 120}, {102, 110}, {102, 110});  // in cycle 101 it enters a cycle later
  const uint64_t local = 10, global = 100;
  expect_lost(d.p(), "local:G0.s0-G0.s1", 1, {98, 130}, {102, 111 + local}, {102 + local + 1, 111 + local});
  int port = d.first_global();
  while (!d.peer({0, 0}, port).connected) ++port;
  const RouterId peer = d.peer({0, 0}, port).router;
  const int there = d.node_index({peer.gid, peer.bid, 0});
  const std::string link = "global:G0-G" + std::to_string(peer.gid);
  expect_lost(there, link, 1, {99, 103}, {102, 111 + global}, {102 + global + 1, 111 + global});
  expect_lost(there, link, 1, {200, 214}, {102, 111 + global}, {102 + global + 1, 111 + global});
  const uint64_t delivered = 111 + local + 2;                                        // the tail, by the second router
  expect_lost(1, "node:G0.s0.n0", 1, {98, 120}, {0, 200}, {0, 0}, "node:G0.s0.n1");  // dropped while it enters
  expect_lost(d.p(), "local:G0.s0-G0.s1", 1, {98, 130}, {0, 200}, {0, 0},
              "node:G0.s1.n0");  // dropped by the second router
  expect_lost(d.p(), "router:G0.s1", 5000, {102, 130}, {102, delivered}, {0, 0});
  expect_lost(d.p(), "router:G0.s0", 5000, {102, 125}, {102, 111 + local}, {102 + local + 1, 111 + local});
}

/// The packet counts where its tail is lost: on its way into the first router. What becomes of the poisoned tail
/// changes no counter of packets.
TEST(PacketFaults, APoisonedTailIsNoPacket) {
  const int dest = Dragonfly::named("tiny").p();
  const auto run = [dest](uint64_t cycle, const char* name, uint64_t fails, uint64_t back) {
    Config c = single_packet(dest);
    add_faults(c, {"node:G0.s0.n0"}, cycle, cycle + 1);
    add_faults(c, {name}, fails, back);
    const Result r = simulate(*build<Checked>(c));
    EXPECT_TRUE(r.conservation_ok);
    EXPECT_EQ(r.cut, 1u);
    EXPECT_EQ(r.lost, 1u);
    EXPECT_EQ(r.unroutable, 0u);
    EXPECT_EQ(r.lost_in_routers, 0u);
  };
  for (uint64_t cycle = 102; cycle <= 110; ++cycle) {
    SCOPED_TRACE(cycle);
    run(cycle, "node:G0.s1.n0", 50, 4000);        // dropped with its head by the second router
    run(cycle, "router:G0.s0", cycle + 1, 8000);  // lost in the router that has just made it
  }
}

TEST(PacketFaults, APoisonedTailHasASlotOfItsOwn) {
  const Dragonfly d = Dragonfly::named("tiny");
  const RouterId second{0, 1};
  int port = d.first_global();
  while (!d.peer(second, port).connected) ++port;
  const RouterId third = d.peer(second, port).router;
  const auto dest = static_cast<uint32_t>(d.node_index({third.gid, third.bid, 0}));
  std::vector<traffic::TracePacket> packets = {{100, 0, dest, 3}, {9000, 0, dest, 4}};
  for (uint32_t k = 1; k < 8; ++k) packets.push_back({100 + k, 0, dest, 4});
  uint64_t cut = 0;
  for (uint64_t cycle = 102; cycle < 150; ++cycle) {
    Config c = only(packets);
    c.router.lengths = {4};
    c.link("global").buffer = c.link("local").buffer =
        1;  // a poisoned tail waits 200 cycles for a credit; packets behind it fill the buffer
    add_faults(c, {"local:G0.s0-G0.s1"}, cycle, cycle + 1);
    SCOPED_TRACE(cycle);
    const Result r = simulate(*build<Checked>(c));
    EXPECT_TRUE(r.conservation_ok);
    EXPECT_EQ(r.delivered + r.lost, packets.size());
    EXPECT_EQ(r.in_flight_flits, 0u);
    cut += r.cut;
  }
  EXPECT_GT(cut, 20u);
}

void expect_equal(const Result& a, const Result& b) {
  EXPECT_EQ(a.digest, b.digest);
  EXPECT_EQ(a.flit_hops, b.flit_hops);
  EXPECT_EQ(a.lost, b.lost);
  EXPECT_EQ(a.unroutable, b.unroutable);
  EXPECT_EQ(a.lost_in_routers, b.lost_in_routers);
  EXPECT_EQ(a.cut, b.cut);
  EXPECT_EQ(a.in_flight_flits, b.in_flight_flits);
  EXPECT_EQ(a.latency.mean(), b.latency.mean());
}

TEST(PacketFaults, TheResultDoesNotDependOnThreadsNorOnCheckpoints) {
  for (const Switching switching : kBoth) {
    Config c = configuration(Dragonfly::parse("3,6,3,18"), 5, switching, 7);
    c.sample = 3500;
    c.drain = 0;
    add_many_faults(c);
    const Result one = simulate(c);
    expect_sound(one);
    EXPECT_GT(one.cut, 0u);
    for (c.threads = 2; c.threads <= 3; ++c.threads) {
      auto simulation = make_simulation(c);
      for (uint64_t cycle : {1100, 1600, 2200}) {
        while (simulation->now() < cycle) simulation->advance();
        std::stringstream file;
        simulation->save(file);
        simulation = make_simulation(c);
        simulation->load(file);
      }
      expect_equal(simulate(*simulation), one);
    }
  }
}

TEST(PacketFaults, PacketsOfOneFlitFareAsInTheEngineForThem) {
  for (const Switching switching : kBoth) {
    Config c = configuration(Dragonfly::named("tiny"), 1, switching, 3);
    c.link("node").buffer = c.link("local").buffer = 16;
    c.link("global").buffer = 128;
    add_many_faults(c);
    const Result several = simulate(*build<Checked, true>(c)), one = simulate(*build<Checked, false>(c));
    expect_sound(one);
    expect_sound(several);
    EXPECT_EQ(several.cut, 0u);
    expect_equal(several, one);
  }
}

TEST(PacketFaults, WithoutAnEffectTheRunIsThatWithoutFaultPlanes) {
  Config c = configuration(Dragonfly::named("tiny"), 5, Switching::wormhole, 1);
  const Result plain = simulate(c);
  add_faults(c, {"global:G0-G2"}, 900'000, 0);  // after the end
  EXPECT_EQ(simulate(c).digest, plain.digest);
}

/// Planted bug: a router that does not notice that the link into it has failed, and so cuts no packet.
template <class Base>
class Unnoticing : public Base {
 public:
  using Base::Base;
  const FaultEvent* next_event(uint32_t cycle) {
    const FaultEvent* e = Base::next_event(cycle);
    if (e == nullptr || e->kind != FaultEvent::Kind::link || e->up) return e;
    shown_ = *e;
    shown_.up = true;
    return &shown_;
  }

 private:
  FaultEvent shown_;
};

/// Planted bug: a flit in ten thousand vanishes on a link that is up.
class Vanishing : public Checked {
 public:
  using Checked::Checked;
  bool cut_off(int input, uint32_t departure, uint32_t now) const {
    return ++flits_ % 10'000 == 0 || Checked::cut_off(input, departure, now);
  }

 private:
  mutable uint64_t flits_ = 0;
};

TEST(PacketFaults, PlantedBugsAreFound) {
  Config c = configuration(Dragonfly::named("tiny"), 5, Switching::wormhole, 1);
  add_faults(c, {"random-links:4"}, 1000, 0);
  c.sample = 3000;
  c.drain = 0;
  EXPECT_GT(simulate(*build<Checked>(c)).cut, 0u);
  EXPECT_THROW(simulate(*build<Unnoticing<Checked>>(c)), std::logic_error);
  if constexpr (kCheck)  // there every engine looks at its invariants
    EXPECT_THROW(simulate(*build<Unnoticing<DoarLive>>(c)), std::logic_error);
  else
    EXPECT_FALSE(simulate(*build<Unnoticing<DoarLive>>(c)).conservation_ok);
  EXPECT_THROW(simulate(*build<Vanishing>(c)), std::logic_error);
}

TEST(PacketFaults, ARouterStaysDeadUntilItsQueuesAreEmpty) {
  Config c = configuration(Dragonfly::named("tiny"), 5, Switching::wormhole, 1);
  add_faults(c, {"router:G2.s0"}, 1000, 1000 + c.least_dead_time());
  EXPECT_NO_THROW(make_simulation(c));
  c.faults.events.back().cycle--;
  EXPECT_THROW(make_simulation(c), Error);
}

}  // namespace
}  // namespace odonata::network
