// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <ctime>
#include <iterator>
#include <stdexcept>

#include "hw/router/router_unit.h"
#include "models/common/error.h"
#include "sim/network/simulation.h"
#include "sim/network/topologies/dragonfly.h"
#include "tb/harness/plant.h"
#include "tb/network/crosscheck_parts.h"
#include "tb/network/engine_tap.h"
#include "tb/network/router_network.h"
#include "tb/router/campaign.h"
#include "tb/router/golden_router.h"
#include "tb/router/router_block.h"

namespace odonata::cosim {

using network::Config;

void Comparison::add(int64_t cycle, Happenings engine, Happenings routers) {
  std::sort(engine.begin(), engine.end());
  std::sort(routers.begin(), routers.end());
  if (engine != routers) return describe(cycle, engine, routers);
  for (const Happening& h : engine) count(h);
}

void Comparison::count(const Happening& h) {
  using Kind = Happening::Kind;
  result_.events += h.of_packet();
  result_.packets += h.kind == Kind::delivered || h.kind == Kind::lost;
  result_.delivered += h.kind == Kind::delivered;
  result_.lost += h.kind == Kind::lost;
  result_.services += h.kind == Kind::served;
  result_.messages += h.kind == Kind::arrived;
}

std::string Comparison::words(const Happening& h) const {
  using Kind = Happening::Kind;
  const auto number = [](int n) { return std::to_string(n); };
  const std::string flit = h.flit == router::Flit::kPoisoned ? "poisoned tail of the "
                           : h.flit != 0                     ? "flit " + std::to_string(h.flit) + " of the "
                                                             : "";
  const std::string packet = h.of_packet() ? " " + flit + "packet of node " + names_.node(h.source) +
                                                 ", created in cycle " + std::to_string(h.born)
                                           : "";
  const std::string router = h.kind == Kind::lost ? "" : names_.router(h.router) + " ";
  const auto message = [&] { return to_string(fault::decode_message(h.source)); };
  constexpr const char* kServices[] = {"link down", "link up", "FD", "FR"};
  switch (h.kind) {
    case Kind::granted:
      return router + "grants from port " + number(h.in_port) + " VC " + number(h.in_vc) + " to port " +
             number(h.out_port) + " VC " + number(h.out_vc) + ", credits " + number(h.credits) + ":" + packet;
    case Kind::delivered:
      return router + "delivers" + packet;
    case Kind::lost:
      return "lost:" + packet;
    case Kind::served:
      return router + "serves " + kServices[h.in_vc & 3] + " of port " + number(h.in_port) +
             (h.in_vc >= 2 ? ": " + message() : "");
    case Kind::sent:
      return router + "sends through port " + number(h.out_port) + ": " + message();
    case Kind::arrived:
      return router + "hears at port " + number(h.in_port) + ": " + message();
    case Kind::written:
      return router + "writes row " + std::to_string(h.source) + " of port " + number(h.in_port);
  }
  return {};
}

void Comparison::describe(int64_t cycle, const Happenings& engine, const Happenings& routers) {
  std::vector<std::string>& out = result_.difference;
  out.push_back("The first cycle that differs: " + std::to_string(cycle));
  const auto alone = [&](const char* name, const Happenings& mine, const Happenings& others) {
    Happenings only;
    std::set_difference(mine.begin(), mine.end(), others.begin(), others.end(), std::back_inserter(only));
    out.push_back(std::string("  ") + name + " alone:" + (only.empty() ? " nothing" : ""));
    for (size_t i = 0; i < std::min(only.size(), kShown); ++i) out.push_back("    " + words(only[i]));
    if (only.size() > kShown) out.push_back("    and " + std::to_string(only.size() - kShown) + " more");
  };
  alone("engine", engine, routers);
  alone("routers", routers, engine);
}

namespace {

/// The groups of the chosen routers; empty: all.
std::function<bool(int)> groups_of(const Dragonfly& d, const RouterDevices& devices) {
  if (!devices.chosen) return {};
  std::vector<bool> here(static_cast<size_t>(d.g()));
  for (int r = 0; r < d.num_routers(); ++r) {
    if (devices.chosen(r)) here[static_cast<size_t>(d.router(r).gid)] = true;
  }
  return [here](int group) { return here[static_cast<size_t>(group)]; };
}

double wall() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
double processor() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace

router::MakeRouterDevice router_devices(const Config& config, const RouterDevices& devices) {
  const Dragonfly& d = network::dragonfly_of(config);
  const bool pipelined = config.faults.pipelined;
  const int plant = plant_number(router_plants(), devices.plant);
  if (plant != 0 && devices.level != "rtl") throw Error("plant '" + devices.plant + "' belongs to --device rtl");
  if (plant != 0 && pipelined)
    throw Error("plant '" + devices.plant + "': routers with planted bugs are built without --pipelined");
  const GoldenRouter::Options golden_options{2, false, pipelined};
  const auto golden = [=](int) -> std::unique_ptr<router::RouterDevice> {
    return std::make_unique<GoldenRouter>(d, router::DataConfig(d), WrongWire::none, golden_options);
  };
  if (devices.level == "golden") return golden;
  if (devices.level == "systemc") {
    return [=, chosen = devices.chosen](int router) -> std::unique_ptr<router::RouterDevice> {
      if (chosen && !chosen(router)) return golden(router);
      return std::make_unique<router::RouterUnitDevice>(d, router::DataConfig(d),
                                                        router::RouterOptions{2, false, pipelined});
    };
  }
  if (devices.level != "rtl")
    throw Error("there is no whole router at level '" + devices.level + "', expected golden, systemc or rtl");
  return [=, chosen = devices.chosen](int router) -> std::unique_ptr<router::RouterDevice> {
    if (chosen && !chosen(router)) return golden(router);
    return make_router_rtl(d, pipelined, plant);
  };
}

CrossCheckResult crosscheck_wires(const Config& config, uint64_t cycles, const RouterDevices& devices,
                                  const std::function<bool(double)>& go_on) {
  Config c = engine_config(config, cycles);
  if (c.router.turn_cycles != 0) throw Error("--block router: whole routers are built without --turn-cycles");
  const Dragonfly& d = network::dragonfly_of(c);
  const auto here = groups_of(d, devices);
  if (here && c.router.packet_flits() != 1)
    throw Error("--around engine: packet_flits is " + std::to_string(c.router.packet_flits()) +
                ", must be 1 unless --at all");
  EngineTap tap(d, here);
  c.watch = &tap;
  c.faults.tap = &tap;
  const std::unique_ptr<router::Source> traffic = shared_traffic(c);
  RouterNetwork::Options options(parameters_of(c));
  options.here = here;
  options.make = router_devices(c, devices);
  options.surroundings = &tap;
  options.threads = here ? 1 : devices.threads;
  const auto engine = network::make_simulation(c);
  const auto run_engine = [&](int64_t last) {
    last = std::min(last, static_cast<int64_t>(cycles) - 1);
    while (static_cast<int64_t>(engine->now()) <= last && engine->advance()) {
    }
  };
  if (!here) options.beside = run_engine;  // no router waits for what the engine says
  RouterNetwork routers(options, *traffic);
  CrossCheckResult out;
  out.routers = routers.num_here();
  out.configuration_edges = routers.configuration_edges();
  Comparison comparison(d, out);
  const double wall_start = wall(), processor_start = processor();
  while (routers.cycle() + 1 < static_cast<int64_t>(cycles) && out.difference.empty() && !out.interrupted) {
    if (here) run_engine(routers.cycle() + 1);
    try {
      routers.step();
    } catch (const std::logic_error& broken) {  // what its wires do not allow
      out.difference = {"The first cycle that differs: " + std::to_string(routers.cycle()),
                        "  " + std::string(broken.what())};
      break;
    }
    comparison.add(routers.cycle(), tap.take(routers.cycle()), routers.happenings());
    if (go_on && routers.cycle() % 100 == 0)
      out.interrupted = !go_on(static_cast<double>(routers.cycle()) / static_cast<double>(cycles));
  }
  out.cycles = static_cast<uint64_t>(routers.cycle() + 1);
  out.seconds = wall() - wall_start;
  out.processor_seconds = processor() - processor_start;
  if (out.difference.empty() && !out.interrupted) {
    out.cut = engine->result().cut;
    if (!engine->result().conservation_ok) throw Error("cross-check: the engine has lost or duplicated a packet");
    if (!c.faults.events.empty() && out.services == 0)
      out.difference.emplace_back("Fault planes: no service was compared");
  }
  return out;
}

}  // namespace odonata::cosim
