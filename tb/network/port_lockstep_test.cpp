// SPDX-License-Identifier: Apache-2.0
// RTL in the loop of a running network: it agrees on live traffic, with faults too, a planted bug stops it, and a
// record plays again.
#include <gtest/gtest.h>

#include <filesystem>

#include "models/common/error.h"
#include "sim/rtl_in_loop/port_lockstep.h"
#include "sim/network/simulation.h"
#include "sim/network/topologies/dragonfly.h"
#include "tb/network/configs.h"
#include "tb/route_compute/campaign.h"

namespace odonata::network {
namespace {

Config tiny() { return run_on_tiny("doar", "ur", 0.4, 500, 5000); }

using Ports = std::vector<std::unique_ptr<PortLockstep>>;

/// Units at all ports of router G1.s2.
Ports watch_router(Config& c, const std::string& plant, bool rtl = true) {
  Ports ports;
  const RouterId router{1, 2};
  for (int port = 0; port < dragonfly_of(c).num_ports(); ++port) {
    const route_compute::Rule rule = c.routing == "doar_stable" ? route_compute::kStableRule : route_compute::Rule{};
    PortLockstep::Options o{dragonfly_of(c), router, port, c.tables, rule, rtl, plant, "", true};
    ports.push_back(std::make_unique<PortLockstep>(o));
    c.taps.push_back({dragonfly_of(c).router_index(router), port, ports.back().get()});
  }
  return ports;
}

bool any_failed(const Ports& ports) {
  return std::any_of(ports.begin(), ports.end(), [](const auto& p) { return p->failed(); });
}

uint64_t run(const Config& c, Ports& ports) {
  const auto simulation = make_simulation(c);
  const Result r = simulate(*simulation, [&](uint64_t) { return !any_failed(ports); });
  EXPECT_TRUE(r.conservation_ok);
  uint64_t compared = 0;
  for (auto& p : ports) {
    p->finish();
    compared += p->compared();
  }
  return compared;
}

TEST(PortLockstep, TheRtlOfAllPortsOfARouterAgreesOnLiveTraffic) {
  for (const auto& [routing, traffic] : {std::pair{"doar", "ur"}, {"doar", "adv+1"}, {"doar_stable", "adv+1"}}) {
    Config c = tiny();
    c.routing = routing;
    c.traffic = traffic;
    const uint64_t plain = simulate(c).digest;
    Ports ports = watch_router(c, "");
    EXPECT_GT(run(c, ports), 5000u);
    for (const auto& p : ports) {
      EXPECT_FALSE(p->failed()) << (p->failed() ? p->report("out").front() : "");
      EXPECT_GT(p->compared(), 100u);
    }
    EXPECT_EQ(simulate(c).digest, plain) << "watching changes nothing";
  }
}

TEST(PortLockstep, WithFaultsTheTablesOfTheRtlFollow) {
  for (const int flits : {1, 5}) {
    Config c = tiny();
    c.router.lengths = {flits};
    c.sample = 12'000;
    Random random(1);
    for (const char* name : {"global:G1-G3", "local:G1.s1-G1.s2", "router:G4.s0"}) {
      for (const fault::Fault& f : fault::parse_faults(dragonfly_of(c), name, random)) {
        c.faults.events.push_back({f, false, 1000});
        c.faults.events.push_back({f, true, 7500});
      }
    }
    Ports ports = watch_router(c, "");
    EXPECT_GT(run(c, ports), 5000u);
    for (const auto& p : ports) EXPECT_FALSE(p->failed()) << (p->failed() ? p->report("out").front() : "");
  }
}

TEST(PortLockstep, APlantedBugStopsTheRunWithAReport) {
  const auto folder = std::filesystem::temp_directory_path() / "odonata_port_lockstep";
  std::filesystem::create_directories(folder);
  Config c = tiny();
  c.traffic = "adv+1";
  Ports ports = watch_router(c, "gb-gc-swap");
  run(c, ports);
  ASSERT_TRUE(any_failed(ports));
  const auto failed = std::find_if(ports.begin(), ports.end(), [](const auto& p) { return p->failed(); });
  std::string text;
  for (const std::string& line : (*failed)->report(folder.string())) text += line + "\n";
  EXPECT_NE(text.find("expected 0x"), std::string::npos) << text;
  EXPECT_NE(text.find("Replay: odonata cosim --block route_compute --trace-in"), std::string::npos) << text;
  std::filesystem::remove_all(folder);
}

TEST(PortLockstep, ARecordPlaysAgainInTheCosimulation) {
  Config c = tiny();
  Ports ports = watch_router(c, "", false);
  run(c, ports);
  const auto file = std::filesystem::temp_directory_path() / "odonata_port_lockstep.trace";
  cosim::write_file(file.string(), ports[0]->record());
  cosim::CampaignRequest request;
  request.trace_in = file.string();
  const cosim::CampaignResult played = cosim::route_compute_units()[0].run(request);
  EXPECT_TRUE(played.passed());
  EXPECT_EQ(played.compared, ports[0]->compared());
  EXPECT_GT(played.compared, 100u);
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace odonata::network
