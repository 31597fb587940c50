// SPDX-License-Identifier: Apache-2.0
#include "tb/router/campaign.h"

#include "hw/router/data_path.h"
#include "hw/router/router_unit.h"
#include "router_plants.h"
#include "models/congestion/congestion_plane_registers.h"
#include "tb/route_compute/block.h"
#include "tb/router/coverage.h"
#include "tb/router/router_coverage.h"
#include "tb/router/router_data_words.h"
#include "tb/router/router_traffic.h"
#include "tb/router/router_words.h"
#include "tb/router/stimulus.h"

namespace odonata::cosim {

using namespace router;

namespace {

constexpr uint64_t kEpisode = 30'000;  ///< cycles of traffic between two resets of a whole router

bool is_shallow(const CampaignRequest& request) {
  check_parameters(request, RouterDataBlock::kName, {"buffers"});
  const std::string text = parameter_of(request, "buffers", "hardware");
  if (text != "hardware" && text != "shallow") throw Error("buffers is '" + text + "', expected hardware or shallow");
  check_traffic(request, RouterDataBlock::kName);
  return text == "shallow";
}

}  // namespace

DataConfig data_config(const Dragonfly& d, bool shallow) {
  DataConfig config(d);
  if (!shallow) return config;
  config.node_depth = config.local_depth = 8;
  config.global_depth = 16;
  config.output_fifo = 4;
  return config;
}

DataConfig three_ports(int turn_cycles) {
  DataConfig config = data_config(Dragonfly::named("tiny"), true);
  config.nodes = config.globals = 1;
  config.routers = 2;
  config.turn_cycles = turn_cycles;
  if (turn_cycles != 0) {  // no powers of two
    config.local_depth = 10;
    config.global_depth = 18;
    config.output_fifo = 6;
  }
  return config;
}

RtlParameters rtl_parameters(const DataConfig& c) {
  return {{"P", c.nodes},
          {"A", c.routers},
          {"H", c.globals},
          {"FlitBits", 64 * c.words},
          {"NodeDepth", c.node_depth},
          {"LocalDepth", c.local_depth},
          {"GlobalDepth", c.global_depth},
          {"OutputFifo", c.output_fifo},
          {"TurnCycles", c.turn_cycles}};
}

UnitBench<RouterDataBlock> router_data_bench(const CampaignRequest& r) {
  const bool shallow = is_shallow(r);
  const DataConfig config = data_config(r.dragonfly, shallow);
  UnitBench<RouterDataBlock> bench;
  bench.golden = [=] { return std::make_unique<GoldenData>(config); };
  bench.systemc = [=] { return std::make_unique<DataPathDevice>(config); };
  bench.rtl = [=](RtlVariant variant, int plant) {
    return make_rtl<RouterDataBlock>(rtl_parameters(config), variant, plant);
  };
  bench.stimulus = [=] {
    DataDemand demand;
    demand.load = r.load;
    return std::make_unique<DataTraffic>(config, demand, r.traffic == "corner", r.seed);
  };
  bench.cover_with(std::make_shared<DataCoverage>(config),
                   [](auto& bins, const auto& in, const auto&, const auto& golden) { bins.sample(in, golden.unit()); });
  bench.parameters = rtl_parameters(config);
  bench.meta = dragonfly_meta(r.dragonfly);
  bench.meta["buffers"] = shallow ? "shallow" : "hardware";
  return bench;
}

std::unique_ptr<RtlDevice<RouterBlock>> make_router_rtl(const Dragonfly& d, bool pipelined, int plant) {
  RtlParameters parameters = cosim::rtl_parameters(d);
  parameters["TablePorts"] = 2;
  parameters["Pipelined"] = pipelined;
  return make_rtl<RouterBlock>(parameters,
                               pipelined    ? RtlVariant::random
                               : plant != 0 ? RtlVariant::debug
                                            : RtlVariant::fast,
                               plant);
}

/// Reset and configuration through the pins, an operation when the one before has been acknowledged. Marks and what is
/// under way cannot be preloaded: a cut inside an episode may lose the mismatch.
std::vector<RouterInputs> RouterBlock::preload(const GoldenRouter& golden) {
  constexpr int kOperation = 6;  // cycles, nothing in the way
  const Dragonfly& d = golden.plane().dragonfly();
  const fault::PortInputs& pins = golden.port_unit(0).sampled();
  RouterInputs quiet;
  quiet.own_gid = pins.own_gid;
  quiet.own_bid = pins.own_bid;
  quiet.safe = pins.safe;
  quiet.port_level = pins.port_level;
  std::vector<RouterInputs> cycles{quiet};
  cycles[0].reset = true;
  const auto write = [&](int unit, uint32_t address, uint64_t data) {
    RouterInputs& in = cycles.emplace_back(quiet);
    in.cfg_valid = in.cfg_write = true;
    in.cfg_unit = static_cast<uint8_t>(unit);
    in.cfg_addr = static_cast<uint16_t>(address / 8);
    in.cfg_wdata = data;
    cycles.insert(cycles.end(), kOperation - 1, quiet);
  };
  for (const uint32_t address : {congestion::reg::kRouterId, congestion::reg::kInterval, congestion::reg::kWindow,
                                 congestion::reg::kThreshold, congestion::reg::kCapacity, congestion::reg::kStale})
    write(64, address, golden.plane().registers().read(address / 8));
  for (int k = 0; k < d.a() - 1; ++k) {
    const uint32_t address = congestion::reg::kNeighbour + 8 * static_cast<uint32_t>(k);
    write(64, address, golden.plane().registers().read(address / 8));
  }
  for (int k = 0; k < d.num_ports(); ++k) {
    for (const route_compute::RegisterWrite& w : configuration_of(golden.route(k).registers()))
      write(k, w.address, w.data);
  }
  return cycles;
}

UnitBench<RouterBlock> router_bench(const CampaignRequest& r) {
  check_parameters(r, RouterBlock::kName, {"fault"});
  check_traffic(r, RouterBlock::kName);
  const auto given = r.parameters.find("fault");
  const std::string fault = given == r.parameters.end() ? "plain" : given->second;
  if (fault != "plain" && fault != "pipelined") throw Error("fault is '" + fault + "', expected plain or pipelined");
  const bool pipelined = fault == "pipelined";
  const Dragonfly& d = r.dragonfly;
  const DataConfig config(d);
  UnitBench<RouterBlock> bench;
  bench.parameters = cosim::rtl_parameters(d);
  bench.parameters["Pipelined"] = pipelined;
  bench.meta = dragonfly_meta(d);
  bench.golden = [=] {
    return std::make_unique<GoldenRouter>(d, config, WrongWire::none, GoldenRouter::Options{2, false, pipelined});
  };
  bench.systemc = [=] { return std::make_unique<RouterUnitDevice>(d, config, RouterOptions{2, false, pipelined}); };
  bench.rtl = [=, parameters = bench.parameters](RtlVariant variant, int plant) {
    return make_rtl<RouterBlock>(parameters, pipelined && variant == RtlVariant::fast ? RtlVariant::random : variant,
                                 plant);
  };
  bench.stimulus = [=]() -> std::unique_ptr<StimulusOf<RouterBlock>> {
    if (r.traffic == "corner") return std::make_unique<RouterEpisodes>(d, config, kEpisode, r.seed);
    return std::make_unique<RouterTraffic>(d, config, steady_traffic(r.load, 1, 20), trouble(0, 0, 0, 0), r.seed);
  };
  bench.cover_with(std::make_shared<WholeRouterCoverage>(d),
                   [](WholeRouterCoverage& bins, const RouterInputs& in, const RouterOutputs& out,
                      const GoldenRouter& golden) { bins.sample(in, out, golden); });
  return bench;
}

std::span<const Plant> router_plants() { return planted_router::kPlants; }

bool of_whole_router(const Plant& plant) {
  for (const std::string_view file :
       {"rtl/router/router.sv", "rtl/router/router_route.sv", "rtl/router/router_mask.sv",
        "rtl/router/router_options.sv", "rtl/router/router_config.sv", "rtl/router/router_backlog.sv"})
    if (plant.file == file) return true;
  return !plant.file.starts_with("rtl/router/");
}

std::span<const Unit> router_units() {
  static const Unit kUnits[] = {make_unit<router_data_bench>("router_data", "router", router_plants(), kLoaded),
                                make_unit<router_bench>("router", "router", router_plants(), kLoaded)};
  return kUnits;
}

}  // namespace odonata::cosim
