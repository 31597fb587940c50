// SPDX-License-Identifier: Apache-2.0
#include "tb/network/crosscheck.h"

#include <algorithm>

#include "hw/common/own_kernel.h"
#include "hw/router/data_path.h"
#include "hw/router/device_router.h"
#include "hw/router/whole_router.h"
#include "models/common/error.h"
#include "models/router/golden_device.h"
#include "sim/network/topologies/dragonfly.h"
#include "tb/network/crosscheck_fabric.h"
#include "tb/network/crosscheck_parts.h"
#include "tb/network/crosscheck_plants.h"
#include "tb/network/crosscheck_sides.h"
#include "tb/network/own_route_units.h"
#include "tb/router/campaign.h"

namespace odonata::cosim {

namespace {

using network::Config;

/// A data path of a level. Throws Error when it is not built.
std::unique_ptr<router::DataDevice> make_data(const std::string& level, const router::DataConfig& config) {
  if (level == "golden") return std::make_unique<router::GoldenData>(config);
  if (level == "systemc") return std::make_unique<router::DataPathDevice>(config);
  if (config.turn_cycles != 0) throw Error("--device rtl: the data path in RTL is built without --turn-cycles");
  return make_rtl<RouterDataBlock>(rtl_parameters(config));
}

router::Makers makers_of(const Config& c, const std::string& plant, const RouterDevices& devices,
                         OwnRouteAnswers& answers) {
  if (devices.own_routes != nullptr) {
    if (!plant.empty() || !devices.level.empty())
      throw Error("--device-lib " + devices.own_routes->library() + ": expected neither --device nor --plant");
    router::Makers makers;
    makers.pipeline = devices.own_routes->maker(parameters_of(c), devices.chosen, answers);
    return makers;
  }
  if (devices.level.empty()) return makers_with(plant);
  if (devices.block == "router" && c.router.turn_cycles != 0)
    throw Error("--block router: whole routers are built without --turn-cycles");
  if (!plant.empty()) throw Error("plant '" + plant + "' belongs to routers without --device");
  if (c.route_compute != network::RouteCompute::arrival || c.router.output_fifo == 0)
    throw Error("--device: expected --route-compute arrival and --fifo, which is 64 in the RTL");
  router::Makers makers;
  if (devices.block == "router") {
    put_whole_routers(makers, parameters_of(c), devices.chosen, router_devices(c, devices));
    return makers;
  }
  if (!devices.plant.empty()) throw Error("plant '" + devices.plant + "' belongs to whole routers (--block router)");
  makers.router = [devices](const char* name, hw::Tick& tick, const router::Parameters& p, int router,
                            router::Source& source, router::Observer& observer, congestion::CongestionPlane& plane,
                            const fault::FaultPlane& fault_plane, const fault::FaultRouterModule* fault_router,
                            const router::MakePipeline& make) -> std::unique_ptr<router::RouterModule> {
    if (devices.chosen && !devices.chosen(router))
      return std::make_unique<router::RouterModule>(name, tick, p, router, source, observer, plane, fault_plane,
                                                    fault_router, make);
    return std::make_unique<router::DeviceRouterModule>(name, tick, p, router, source, observer, plane, fault_plane,
                                                        fault_router, make,
                                                        make_data(devices.level, router::data_config(p)));
  };
  return makers;
}

std::string router_name(const Dragonfly& d, uint32_t router) {
  const RouterId r = d.router(static_cast<int>(router));
  return "g" + std::to_string(r.gid) + ".r" + std::to_string(r.bid);
}

/// Messages and services of the fault planes against the golden network, which is what the engine runs.
void compare_faults(const Config& c, const fault::FaultPlaneNetworkModule& systemc, CrossCheckResult& out) {
  if (c.faults.events.empty()) return;
  fault::Parameters p;
  p.mode = c.faults.mode;
  p.recovery = c.faults.recovery;
  p.timing = fault::Timing::native(network::dragonfly_of(c));
  p.timing.pipelined = c.faults.pipelined;
  p.timing.local_latency = c.link("local").latency + 1;
  p.timing.global_latency = c.link("global").latency + 1;
  p.policy = c.tables;
  p.record = true;
  fault::FaultPlaneNetwork model(network::dragonfly_of(c), p);
  for (const network::TimedFault& f : c.faults.events)
    fault::apply(model, f.fault, f.repair, static_cast<int64_t>(f.cycle));
  const auto end = static_cast<int64_t>(c.sample);
  model.run(end);
  const std::string difference = fault::compare_with_model(model, systemc, end);
  if (!difference.empty()) out.difference.push_back("Fault planes: " + difference);
  out.services = systemc.services().size();
  out.messages = systemc.transfers().size();
}

}  // namespace

router::Parameters parameters_of(const Config& c) {
  router::Parameters p(network::dragonfly_of(c));
  p.vcs = c.router.vcs;
  p.phases = c.router.phases;
  p.output_fifo = c.router.output_fifo;
  p.turn_cycles = c.router.turn_cycles;
  p.packet_flits = c.router.packet_flits();
  p.cut_through = c.router.switching == network::Switching::cut_through;
  p.ask_at_arrival = c.route_compute == network::RouteCompute::arrival;
  p.node_buffer = c.link("node").buffer;
  p.local_buffer = c.link("local").buffer;
  p.global_buffer = c.link("global").buffer;
  p.local_latency = c.link("local").latency;
  p.global_latency = c.link("global").latency;
  p.seed = c.seed;
  p.plane = c.plane;
  if (c.routing == "doar_stable") p.rule = route_compute::kStableRule, p.plane.alternate = true;
  // The engine's plane knows no staleness: no frame is ever lost (docs/congestion.md §10). With short intervals the
  // hardware's neighbours would read as silent until their first frame.
  const int first_frame = 2 * c.plane.interval + c.plane.pcs + c.link("local").latency + 4;
  if (c.plane.interval * (c.plane.stale_limit - 1) < first_frame) p.plane.stale_enable = false;
  p.tables = c.tables;
  p.mode = c.faults.mode;
  p.recovery = c.faults.recovery;
  p.pipelined = c.faults.pipelined;
  for (const network::TimedFault& f : c.faults.events)
    p.faults.push_back({static_cast<int64_t>(f.cycle), f.fault, f.repair});
  return p;
}

Config engine_config(const Config& config, uint64_t cycles) {
  Config c = config;
  if (c.workload != nullptr) throw Error("cross-check: traffic patterns are compared, no programs");
  if (c.router.packet_flits() != 1 && c.route_compute != network::RouteCompute::arrival)
    throw Error("cross-check: packet_flits is " + std::to_string(c.router.packet_flits()) +
                ", expected 1, or --route-compute arrival");
  if (c.faults.poll_width != 1 || c.faults.ring_hop != 1 || c.faults.banks != 1)
    throw Error("cross-check: fault planes are compared without --poll-width, --ring-hop and --banks");
  if (c.trace || c.topology->kind() != "dragonfly")
    throw Error("cross-check: a dragonfly, torus or fat-tree with a traffic pattern is compared, no " +
                c.topology->kind() + " and no trace");
  for (const std::string kind : {"local", "global"}) {
    if (c.link(kind).buffer > congestion::kMaxCapacity)
      throw Error("cross-check: --" + kind + "-buffer is " + std::to_string(c.link(kind).buffer) + ", expected " +
                  std::to_string(congestion::kMaxCapacity) + " at most: a credit monitor counts no more");
  }
  if (c.router.vcs != 0 && c.router.vcs != route_compute::kNumVcs)
    throw Error("cross-check: --vcs is " + std::to_string(c.router.vcs) + ", the hardware has " +
                std::to_string(route_compute::kNumVcs));
  c.router.vcs = route_compute::kNumVcs;
  if (!c.piped()) c.route_compute = network::RouteCompute::pipeline;
  c.faults.hardware = "native";
  c.threads = 1;
  c.taps.clear();
  c.warmup = c.drain = 0;
  c.sample = cycles;
  return c;
}

WayNames names_of(const Dragonfly& d) {
  return {[d](uint32_t router) { return router_name(d, router); },
          [d](uint32_t number) {
            const Address node = d.node(static_cast<int>(number));
            return router_name(d, static_cast<uint32_t>(d.router_index(node.router()))) + ".n" +
                   std::to_string(node.nid);
          },
          [d](uint32_t address) { return static_cast<uint32_t>(d.node_index(network::unpack(address))); }};
}

std::unique_ptr<router::Source> shared_traffic(const Config& c) {
  return std::make_unique<SharedTraffic<network::DragonflySource>>(
      c, network::DragonflyTopology::source(c, c.topology->wire(c)));
}

void add_random_faults(Config& config, uint64_t cycles) {
  if (config.topology->kind() == "torus") return add_torus_faults(config, cycles);
  if (config.topology->kind() == "fat_tree") return add_fat_tree_faults(config, cycles);
  Random random = random_of_faults(config);
  const auto at = [&](uint64_t from, uint64_t to) {
    return from + random.below(static_cast<uint32_t>(std::max<uint64_t>(to - from, 1)));
  };
  const auto add = [&](const fault::Fault& f, uint64_t down, uint64_t up) {
    config.faults.events.push_back({f, false, down});
    config.faults.events.push_back({f, true, up});
  };
  const auto add_drawn = [&](const fault::Fault& f) {  // one after the other: compilers order arguments as they like
    const uint64_t down = at(cycles / 10, cycles / 2);
    const uint64_t up = at(cycles / 2, cycles);
    add(f, down, up);
  };
  const std::vector<fault::Fault> links = fault::parse_faults(network::dragonfly_of(config), "random-links:4", random);
  for (size_t i = 0; i < 3; ++i) add_drawn(links[i]);
  for (uint64_t k = 0; k < 4; ++k) add(links[3], cycles / 4 + 20 * k, cycles / 4 + 20 * k + at(1, 19));
  const Address node = network::dragonfly_of(config).node(
      static_cast<int>(random.below(static_cast<uint32_t>(network::dragonfly_of(config).num_nodes()))));
  add_drawn({false, node.router(), node.nid});
  const fault::Fault router = fault::parse_faults(network::dragonfly_of(config), "random-routers:1", random).front();
  const uint64_t death = at(cycles / 10, cycles / 4),
                 back = std::max(death + Config::kLeastDeadTime, at(cycles / 2, cycles));
  config.faults.events.push_back({router, false, death});
  if (back < cycles) config.faults.events.push_back({router, true, back});
}

CrossCheckResult crosscheck(const Config& config, uint64_t cycles, const std::string& plant,
                            const std::function<bool(double)>& go_on, const RouterDevices& devices) {
  if (config.topology->kind() == "torus") return crosscheck_torus(config, cycles, plant, go_on, devices.own_fabric);
  if (config.topology->kind() == "fat_tree")
    return crosscheck_fat_tree(config, cycles, plant, go_on, devices.own_fabric);
  if (devices.block == "router" && devices.around == "engine") return crosscheck_wires(config, cycles, devices, go_on);
  Config c = engine_config(config, cycles);
  OwnRouteAnswers answers;
  const router::Makers makers = makers_of(c, plant, devices, answers);
  CrossCheckResult faults;
  const SystemcRun run = [&](SystemcSide& observer, const std::function<bool(double)>& ask) {
    const std::unique_ptr<router::Source> traffic = shared_traffic(c);
    hw::OwnKernel kernel;
    const hw::OwnKernel::Scope scope(kernel);
    hw::Tick tick("clock", sc_core::sc_time(1, sc_core::SC_NS));
    router::DragonflyModule network("network", tick, parameters_of(c), *traffic, observer, makers);
    answers.lead = network.lead();
    if (run_cycles(network, tick.period(), cycles, ask, answers)) return true;
    if (answers.difference.empty()) compare_faults(c, network.faults(), faults);
    return false;
  };
  CrossCheckResult out = crosscheck_ways(c, cycles, names_of(network::dragonfly_of(c)), go_on, run, answers);
  out.difference.insert(out.difference.end(), faults.difference.begin(), faults.difference.end());
  out.services = faults.services;
  out.messages = faults.messages;
  return out;
}

}  // namespace odonata::cosim
