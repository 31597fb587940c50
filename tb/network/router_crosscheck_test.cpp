// SPDX-License-Identifier: Apache-2.0
// Networks of whole RTL routers agree with the engine packet by packet and message by message, in the SystemC network
// and with nothing but wires; and the comparison finds bugs that are planted in the RTL.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <tuple>
#include <vector>

#include "hw/router/whole_router.h"
#include "models/common/error.h"
#include "models/route_compute/unit.h"
#include "sim/network/simulation.h"
#include "sim/network/topologies/dragonfly.h"
#include "tb/network/crosscheck.h"
#include "tb/network/crosscheck_parts.h"
#include "tb/network/difference_text.h"
#include "tb/network/engine_tap.h"
#include "tb/network/timed_faults.h"
#include "tb/router/campaign.h"

namespace odonata::cosim {
namespace {

/// The hardware's timing and FIFOs.
network::Config hardware(double load, const char* traffic = "ur", const char* size = "tiny") {
  network::Config c = network::on_dragonfly(Dragonfly::named(size));
  c.load = load;
  c.traffic = traffic;
  c.route_compute = network::RouteCompute::arrival;
  c.router.output_fifo = 64;
  return c;
}

RouterDevices in_systemc(std::function<bool(int)> chosen = {}, const char* level = "rtl") {
  RouterDevices out{level, std::move(chosen)};
  out.block = "router";
  return out;
}

RouterDevices with_wires(std::function<bool(int)> chosen = {}, const char* level = "rtl") {
  RouterDevices out = in_systemc(std::move(chosen), level);
  out.around = "engine";
  return out;
}

/// Of every kind of happening one that both sides have; then one field of it at a time that differs.
TEST(WholeRouters, EveryFieldOfAHappeningIsCompared) {
  using Kind = Happening::Kind;
  const Dragonfly d = Dragonfly::named("tiny");
  const Happening::Name packet{3, 17, 1};
  const Happenings good = {Happening::grant(4, 2, 1, 5, 2, 7, packet),
                           Happening::delivered(4, packet),
                           Happening::lost(packet),
                           Happening::service(4, 3, 2, 9),
                           Happening::message(Kind::sent, 4, 2, 9),
                           Happening::message(Kind::arrived, 4, 2, 9),
                           Happening::write(4, 2, 6)};
  CrossCheckResult same;
  Comparison all(d, same);
  all.add(20, good, {good.rbegin(), good.rend()});
  EXPECT_TRUE(same.difference.empty()) << text(same);
  EXPECT_EQ(same.events, 3u);
  EXPECT_EQ(same.packets, 2u);
  EXPECT_EQ(same.delivered, 1u);
  EXPECT_EQ(same.lost, 1u);
  EXPECT_EQ(same.services, 1u);
  EXPECT_EQ(same.messages, 1u);
  using Change = void (*)(Happening&);
  constexpr Change kChanges[] = {[](Happening& h) { ++h.router; },
                                 [](Happening& h) { ++h.in_port; },
                                 [](Happening& h) { ++h.in_vc; },
                                 [](Happening& h) { ++h.out_port; },
                                 [](Happening& h) { ++h.out_vc; },
                                 [](Happening& h) { ++h.credits; },
                                 [](Happening& h) { ++h.source; },
                                 [](Happening& h) { ++h.born; },
                                 [](Happening& h) { ++h.flit; },
                                 [](Happening& h) { h.kind = h.kind == Kind::lost ? Kind::delivered : Kind::lost; }};
  for (const Happening& h : good) {
    for (const Change change : kChanges) {
      Happening other = h;
      change(other);
      CrossCheckResult r;
      Comparison(d, r).add(20, {good.front(), h}, {good.front(), other});
      ASSERT_GE(r.difference.size(), 5u);
      EXPECT_EQ(r.difference[0], "The first cycle that differs: 20");
      EXPECT_EQ(r.difference[1], "  engine alone:");
      EXPECT_EQ(r.difference[3], "  routers alone:");
      EXPECT_EQ(r.events, 0u);
    }
    CrossCheckResult r;
    Comparison(d, r).add(21, {h}, {});
    ASSERT_EQ(r.difference.size(), 4u);
    EXPECT_EQ(r.difference[3], "  routers alone: nothing");
    EXPECT_FALSE(r.passed());
  }
}

/// What the engine tells of credits is what is free: all of an idle network's, then one less for every flit under way.
TEST(WholeRouters, TheEngineTellsTheCreditsOfAGrant) {
  network::Config c = hardware(0.3);
  const Dragonfly& d = network::dragonfly_of(c);
  EngineTap tap(d, {});
  c.watch = &tap;
  c.warmup = 0, c.sample = 300;
  const auto engine = network::make_simulation(c);
  std::map<std::tuple<uint32_t, int, int>, int> taken;  // of outputs, before the first credit can have come back
  int first = 0, later = 0;
  const auto local = static_cast<int64_t>(c.link("local").latency);
  for (int64_t cycle = 0; cycle < 300; ++cycle) {
    while (static_cast<int64_t>(engine->now()) <= cycle + 1 && engine->advance()) {
    }
    for (const Happening& h : tap.take(cycle)) {
      if (h.kind != Happening::Kind::granted || h.out_port < d.first_local()) continue;
      const bool global = h.out_port >= d.first_global();
      const auto buffer = static_cast<int>(c.link(global ? "global" : "local").buffer);
      const auto at = std::tuple(h.router, int{h.out_port}, int{h.out_vc});
      if (cycle < 2 * local) {
        EXPECT_EQ(h.credits, buffer - taken[at]++);
        ++first;
      }
      later += h.credits < buffer;
      EXPECT_TRUE(h.credits > 0 && h.credits <= buffer);
    }
  }
  EXPECT_GT(first, 5);
  EXPECT_GT(later, 100);
}

TEST(WholeRouters, StandInTheSystemcNetwork) {
  network::Config c = hardware(0.5, "adv+1");
  add_random_faults(c, 600);
  const CrossCheckResult all = crosscheck(c, 800, "", {}, in_systemc());
  EXPECT_TRUE(all.passed()) << text(all);
  EXPECT_GT(all.packets, 1'500u);
  EXPECT_GT(all.messages, 50u);
  const CrossCheckResult some = crosscheck(c, 600, "", {}, in_systemc([](int router) { return router % 3 == 0; }));
  EXPECT_TRUE(some.passed()) << text(some);
}

/// Frames that alternate between two maps: a router that told the wrong one would choose otherwise.
TEST(WholeRouters, TellTwoMapsInTurn) {
  network::Config c = hardware(0.9, "adv+1");
  c.routing = "doar_stable";
  const CrossCheckResult r = crosscheck(c, 500, "", {}, in_systemc());
  EXPECT_TRUE(r.passed()) << text(r);
  EXPECT_GT(r.packets, 4'000u);
}

/// Also where a round of collector and poll is an odd number of intervals: the first map of the run is the same one.
TEST(WholeRouters, TellTwoMapsInTurnWhateverTheSize) {
  for (const DragonflySize size : {DragonflySize{1, 3, 2, 7}, {2, 2, 2, 5}, {1, 5, 1, 6}, {3, 3, 1, 4}}) {
    network::Config c = hardware(0.9, "adv+1");
    c.topology = network::on_dragonfly(Dragonfly(size, Arrangement::absolute)).topology;
    c.routing = "doar_stable";
    const CrossCheckResult r = crosscheck(c, 500, "", {}, in_systemc({}, "systemc"));
    EXPECT_TRUE(r.passed()) << network::dragonfly_of(c).name() << ": " << text(r);
    EXPECT_GT(r.packets, 100u);
  }
}

/// A device sees what the modules see: as long as its router is dead, the links of its nodes are down.
TEST(WholeRouters, TheLinksOfTheNodesOfADeadRouterAreDown) {
  struct Watched final : router::RouterDevice {
    void step(const router::RouterInputs& in, router::RouterOutputs& out) override {
      (in.alive ? alive : dead) |= in.link_up;
      edges_dead += in.alive ? 0 : 1;
      device->step(in, out);
    }
    Watched(std::unique_ptr<router::RouterDevice> device, PortMap& alive, PortMap& dead, int& edges_dead)
        : device(std::move(device)), alive(alive), dead(dead), edges_dead(edges_dead) {}
    std::unique_ptr<router::RouterDevice> device;
    PortMap &alive, &dead;
    int& edges_dead;
  };
  network::Config c = hardware(0.3);
  c.faults.events.push_back({{.is_router = true, .router = {2, 1}}, false, 100});
  c = engine_config(c, 400);
  const Dragonfly& d = network::dragonfly_of(c);
  PortMap alive = 0, dead = 0;
  int edges_dead = 0;
  const router::MakeRouterDevice golden = router_devices(c, in_systemc({}, "golden"));
  router::Makers makers;
  put_whole_routers(makers, parameters_of(c), {}, [&](int router) -> std::unique_ptr<router::RouterDevice> {
    if (router != d.router_index({2, 1})) return golden(router);
    return std::make_unique<Watched>(golden(router), alive, dead, edges_dead);
  });
  const std::unique_ptr<router::Source> traffic = shared_traffic(c);
  struct Nobody final : router::Observer {
    void granted(const router::Flit&, int64_t, int, int, int, int, int, int) override {}
    void delivered(const router::Flit&, int64_t) override {}
    void lost(const router::Flit&, int64_t) override {}
  } nobody;
  hw::Tick tick("clock", sc_core::sc_time(1, sc_core::SC_NS));
  router::DragonflyModule network("network", tick, parameters_of(c), *traffic, nobody, makers);
  while (network.cycle() < 400) sc_core::sc_start(tick.period());
  const PortMap nodes = low_mask(d.p());
  EXPECT_GT(edges_dead, 200);
  EXPECT_EQ(alive & nodes, nodes);
  EXPECT_EQ(dead & nodes, 0u);
}

TEST(WholeRouters, StandAloneWithWires) {
  for (const char* traffic : {"ur", "adv+1", "rp"}) {
    const CrossCheckResult r = crosscheck(hardware(0.6, traffic), 2'000, "", {}, with_wires());
    EXPECT_TRUE(r.passed()) << traffic << "\n" << text(r);
    EXPECT_GT(r.packets, 20'000u);
    EXPECT_EQ(r.routers, 32);
  }
}

/// Beside the engine while links fail, flap and come back, a node, a router that dies and is repaired.
CrossCheckResult expect_faults_agree(network::Config c, const std::string& what) {
  add_random_faults(c, 3'500);
  CrossCheckResult r = crosscheck(c, 4'500, "", {}, with_wires());
  EXPECT_TRUE(r.passed()) << what << " " << to_string(c.faults.recovery) << "\n" << text(r);
  EXPECT_GT(r.lost, 0u);
  EXPECT_GT(r.messages, 100u);
  return r;
}

/// In both modes and recoveries.
TEST(WholeRouters, FaultsOfEveryKind) {
  uint64_t seed = 1;
  for (const auto mode : {fault::Mode::safe, fault::Mode::paper}) {
    for (const auto recovery : {fault::Recovery::per_entry, fault::Recovery::port_level}) {
      network::Config c = hardware(0.4);
      c.seed = ++seed;
      c.faults.mode = mode;
      c.faults.recovery = recovery;
      expect_faults_agree(c, std::string(to_string(mode)));
    }
  }
}

/// Packets of several flits that links cut in two while they fail, flap and come back; every flit and poisoned tail is
/// compared.
TEST(WholeRouters, FaultsCutPacketsInTwo) {
  uint64_t seed = 30, cut = 0;
  for (const std::vector<int>& lengths : {std::vector{3}, {1, 6}, {2}}) {
    for (const auto recovery : {fault::Recovery::per_entry, fault::Recovery::port_level}) {
      network::Config c = hardware(0.4);
      c.seed = ++seed;
      c.router.lengths = lengths;
      c.faults.recovery = recovery;
      cut += expect_faults_agree(c, std::to_string(lengths.back()) + " flits").cut;
    }
  }
  for (const std::vector<int>& lengths : {std::vector{3}, {8}, {16}, {1, 20}}) {
    network::Config c = hardware(0.6);
    c.seed = ++seed;
    c.router.lengths = lengths;
    add_flapping_links(c, 40, 2'000);
    const CrossCheckResult r = crosscheck(c, 2'200, "", {}, with_wires());
    EXPECT_TRUE(r.passed()) << lengths.back() << "\n" << text(r);
    cut += r.cut;
  }
  EXPECT_GT(cut, 50u);
  network::Config c = hardware(0.5, "adv+1");
  c.router.lengths = {3};
  add_random_faults(c, 600);
  const CrossCheckResult systemc = crosscheck(c, 800, "", {}, in_systemc());
  EXPECT_TRUE(systemc.passed()) << text(systemc);
  EXPECT_THROW(crosscheck(c, 100, "", {}, with_wires([](int router) { return router == 5; })), Error);
}

/// Links of nodes fail while packets come in whose ways nobody knows yet.
TEST(WholeRouters, NodesInTheSystemcNetworkLoseTheirLinks) {
  network::Config c = hardware(0.8, "adv+1");
  c.router.lengths = {3};
  for (int k = 0; k < 16; ++k) {
    const std::string router = "node:G" + std::to_string(k % 8) + ".s" + std::to_string(k % 4);
    add_faults(c, {router + ".n" + std::to_string(k / 8)}, 100 + 7 * static_cast<uint64_t>(k), 300);
  }
  const CrossCheckResult r = crosscheck(c, 400, "", {}, in_systemc());
  EXPECT_TRUE(r.passed()) << text(r);
  EXPECT_GT(r.lost, 0u);
}

/// For a cycle, so that the node's next packet is not due when the link is up again.
TEST(WholeRouters, ANodesLinkFailsForOneCycle) {
  network::Config c = hardware(0.4, "ur");
  c.router.lengths = {9};
  for (int k = 0; k < 64; ++k) {
    const std::string node = "node:G" + std::to_string(k % 8) + ".s" + std::to_string(k / 8 % 4) + ".n";
    add_faults(c, {node + std::to_string(k / 32)}, 200 + static_cast<uint64_t>(k), 201 + static_cast<uint64_t>(k));
  }
  const CrossCheckResult r = crosscheck(c, 600, "", {}, with_wires());
  EXPECT_TRUE(r.passed()) << text(r);
  EXPECT_GT(r.lost, 5u);
}

/// Some routers are RTL, the others of their groups golden parts; what comes from the other groups is as the engine has
/// it.
TEST(WholeRouters, StandInTheEnginesNetwork) {
  network::Config c = hardware(0.5, "adv+1");
  add_random_faults(c, 1'000);
  const CrossCheckResult r =
      crosscheck(c, 1'500, "", {}, with_wires([](int router) { return router == 5 || router == 16; }));
  EXPECT_TRUE(r.passed()) << text(r);
  EXPECT_EQ(r.routers, 8);
  EXPECT_GT(r.packets, 1'000u);
  EXPECT_GT(r.messages, 10u);
}

/// Four of its routers are RTL.
TEST(WholeRouters, AGroupOfPaperSize) {
  network::Config c = hardware(0.4, "ur", "paper");
  Random random(7);
  for (const fault::Fault& f : fault::parse_faults(network::dragonfly_of(c), "random-links:50", random))
    c.faults.events.push_back({f, false, 50});
  add_faults(c, {"local:G5.s2-G5.s7"}, 60, 300);
  const CrossCheckResult r =
      crosscheck(c, 400, "", {}, with_wires([](int router) { return router / 12 == 5 && router % 3 == 0; }));
  EXPECT_TRUE(r.passed()) << text(r);
  EXPECT_EQ(r.routers, 12);
  EXPECT_GT(r.packets, 1'000u);
  EXPECT_GT(r.services, 10u);
}

/// The next command is fetched while the units work.
TEST(WholeRouters, WithPipelinedFaultPlanes) {
  network::Config c = hardware(0.4);
  c.faults.pipelined = true;
  add_random_faults(c, 3'000);
  const CrossCheckResult wires = crosscheck(c, 4'000, "", {}, with_wires());
  EXPECT_TRUE(wires.passed()) << text(wires);
  EXPECT_GT(wires.messages, 100u);
  RouterDevices planted = with_wires();
  planted.plant = "slot-not-taken";
  EXPECT_THROW(crosscheck(c, 100, "", {}, planted), Error);
  c.faults.events.clear();
  add_random_faults(c, 600);
  const CrossCheckResult systemc = crosscheck(c, 700, "", {}, in_systemc());
  EXPECT_TRUE(systemc.passed()) << text(systemc);
  EXPECT_GT(systemc.messages, 50u);
  c.faults.banks = 2;
  EXPECT_THROW(crosscheck(c, 100, "", {}, with_wires()), Error);
}

/// The SystemC module with the router's pins, between golden parts.
TEST(WholeRouters, AsSystemcModules) {
  network::Config c = hardware(0.4);
  add_random_faults(c, 500);
  const CrossCheckResult r =
      crosscheck(c, 700, "", {}, with_wires([](int router) { return router == 5 || router == 6; }, "systemc"));
  EXPECT_TRUE(r.passed()) << text(r);
  EXPECT_EQ(r.routers, 4);
  EXPECT_GT(r.packets, 200u);
}

TEST(WholeRouters, ThreadsChangeNothing) {
  network::Config c = hardware(0.5);
  add_random_faults(c, 600);
  RouterDevices devices = with_wires();
  const CrossCheckResult one = crosscheck(c, 800, "", {}, devices);
  devices.threads = 2;
  const CrossCheckResult two = crosscheck(c, 800, "", {}, devices);
  EXPECT_TRUE(one.passed() && two.passed()) << text(one) << text(two);
  EXPECT_EQ(one.events, two.events);
}

/// Bugs where the blocks meet are seen in the network, too.
TEST(WholeRouters, PlantedBugsAreFound) {
  for (const char* plant :
       {"slot-not-taken", "message-not-shown", "never-joins", "joins-without-end-marks", "dead-link-congested-at-once",
        "unit-of-port-0", "level-of-a-ignored", "neighbours-unknown", "two-slots-as-one"}) {
    network::Config c = hardware(0.5);
    c.faults.recovery =
        std::string(plant) == "joins-without-end-marks" ? fault::Recovery::port_level : fault::Recovery::per_entry;
    add_random_faults(c, 3'000);
    RouterDevices devices = with_wires();
    devices.plant = plant;
    const CrossCheckResult r = crosscheck(c, 4'000, "", {}, devices);
    EXPECT_FALSE(r.passed()) << plant;
    ASSERT_FALSE(r.difference.empty()) << plant;
    std::printf("%-28s %s\n", plant, r.difference.front().c_str());
  }
}

/// What is written behind an address of a router to which nothing else happens.
uint64_t read_back(router::RouterDevice& device, const router::RouterInputs& quiet,
                   const router::ConfigurationWrite& where) {
  router::RouterInputs in = quiet;
  in.cfg_valid = true;
  in.cfg_unit = where.unit;
  in.cfg_addr = static_cast<uint16_t>(where.address / 8);
  router::RouterOutputs out;
  device.step(quiet, out);
  device.step(in, out);
  while (!out.cfg_ack) device.step(quiet, out);
  EXPECT_FALSE(out.cfg_err);
  return out.cfg_rdata;
}

/// Cycles in which both show the same: packets at all ports, a link that fails and comes back.
int alike(router::RouterDevice& left, router::RouterDevice& right, const Dragonfly& d,
          const router::RouterInputs& quiet, int cycles) {
  Random random(11);
  router::RouterOutputs a, b;
  for (int n = 0; n < cycles; ++n) {
    router::RouterInputs in = quiet;
    if (n / 200 == 1) in.link_up &= ~(PortMap{1} << d.first_local());
    for (int k = 0; k < d.num_ports(); ++k) {
      for (size_t v = 0; v < 4; ++v) in.credit[4 * static_cast<size_t>(k) + v] = a.sent[4 * static_cast<size_t>(k) + v];
      if (!random.chance(0.2)) continue;
      router::Flit flit;
      flit.source = random.below(static_cast<uint32_t>(d.num_nodes()));
      flit.dest =
          route_compute::pack_address(d.node(static_cast<int>(random.below(static_cast<uint32_t>(d.num_nodes())))));
      flit.vc = static_cast<uint8_t>(random.below(4));
      const router::FlitWords words = router::pack_flit(d, flit);
      in.in_kind[static_cast<size_t>(k)] = router::kSlotFlit;
      in.in_flit[static_cast<size_t>(2 * k)] = words.low;
      in.in_flit[static_cast<size_t>(2 * k + 1)] = words.high;
    }
    left.step(in, a);
    right.step(in, b);
    if (!(a == b)) return n;
  }
  return cycles;
}

/// Which is why not every router of a large network is written in full (RouterNetwork). The router of another place,
/// too: there more differs.
TEST(WholeRouters, ACopyThatIsToldTheDifferencesIsTheRouterConfiguredInFull) {
  const Dragonfly d = Dragonfly::named("tiny");
  const router::Parameters p = parameters_of(hardware(0.5));
  constexpr int kLike = 1, kCycles = 600;
  const auto like = make_router_rtl(d, false);
  const uint64_t edges = configure(*like, p, kLike);
  for (const int number : {5, 13, 29, 2}) {
    const router::RouterInputs quiet = quiet_pins(p, number);
    const auto full = make_router_rtl(d, false), same = make_router_rtl(d, false), copy = make_router_rtl(d, false),
               untold = make_router_rtl(d, false);
    ASSERT_EQ(configure(*full, p, number), configure(*same, p, number));
    ASSERT_TRUE(copy_state(*like, *copy) && copy_state(*like, *untold));
    EXPECT_GT(configure_differences(*copy, p, number, kLike, edges), edges);
    EXPECT_EQ(alike(*full, *copy, d, quiet, kCycles), kCycles) << number;
    EXPECT_LT(alike(*same, *untold, d, quiet, kCycles), kCycles) << number;
    int differ = 0;
    for (const router::ConfigurationWrite& w : configuration(p, number)) {
      const uint64_t wanted = read_back(*full, quiet, w);
      ASSERT_EQ(read_back(*copy, quiet, w), wanted) << number << ", unit " << int{w.unit} << ", address " << w.address;
      differ += read_back(*untold, quiet, w) != wanted;
    }
    EXPECT_GT(differ, 0) << number;
  }
}

TEST(WholeRouters, NothingComparedIsNoPass) {
  const CrossCheckResult quiet = crosscheck(hardware(0), 100, "", {}, with_wires());
  EXPECT_TRUE(quiet.difference.empty());
  EXPECT_FALSE(quiet.passed());
  network::Config late = hardware(0.3);
  add_faults(late, {"global:G0-G2"}, 5'000, 0);
  const CrossCheckResult r = crosscheck(late, 200, "", {}, with_wires());
  EXPECT_GT(r.packets, 100u);
  EXPECT_FALSE(r.passed());
}

TEST(WholeRouters, WhatTheyCannotDoIsRefused) {
  for (const RouterDevices& devices : {in_systemc(), with_wires()}) {
    network::Config c = hardware(0.1);
    c.router.output_fifo = 32;
    EXPECT_THROW(crosscheck(c, 100, "", {}, devices), Error);
    c = hardware(0.1);
    c.link("local").buffer = 16;
    EXPECT_THROW(crosscheck(c, 100, "", {}, devices), Error);
    c = hardware(0.1);
    c.plane.interval = 4;
    EXPECT_THROW(crosscheck(c, 100, "", {}, devices), Error);
    c = hardware(0.1);
    c.route_compute = network::RouteCompute::pipeline;
    EXPECT_THROW(crosscheck(c, 100, "", {}, devices), Error);
  }
  RouterDevices unknown = with_wires();
  unknown.plant = "no-such-bug";
  EXPECT_THROW(crosscheck(hardware(0.1), 100, "", {}, unknown), Error);
  EXPECT_THROW(crosscheck(hardware(0.1), 100, "", {}, with_wires({}, "netlist")), Error);
}

}  // namespace
}  // namespace odonata::cosim
