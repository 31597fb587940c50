// SPDX-License-Identifier: Apache-2.0
// The router in RTL against its golden parts, wired as the specification says; a wrong wire is seen.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "hw/router/device_router.h"
#include "hw/router/router_device.h"
#include "hw/router/router_unit.h"
#include "tb/common/error_text.h"
#include "tb/harness/lockstep.h"
#include "tb/harness/rtl_library.h"
#include "tb/router/campaign.h"
#include "tb/router/golden_router.h"
#include "tb/router/router_coverage.h"
#include "tb/router/router_traffic.h"
#include "tb/router/router_block.h"
#include "tb/router/router_data_block.h"

namespace odonata::cosim {
namespace {

struct Lockstep {
  RunResult result;
  uint64_t answers = 0, congested = 0, frames = 0, refused = 0, served = 0;
};

using Demand = RouterDemand;

constexpr int kNoPlant = -1;  ///< the model for planted bugs without one

/// A router of any size under one stimulus.
Lockstep run_sized(const Dragonfly& d, const router::DataConfig& config,
                   CycleDevice<router::RouterInputs, router::RouterOutputs>& rtl, const Demand& demand, uint64_t cycles,
                   uint64_t seed) {
  RouterTraffic stimulus(d, config, demand.data, demand.faults, seed);
  GoldenRouter golden(d, config);
  RunOptions options;
  options.max_cycles = cycles;
  Lockstep run;
  run.result =
      run_lockstep<RouterBlock>(stimulus, golden, rtl, options, [&](const auto&, const router::RouterOutputs& out) {
        run.answers += static_cast<uint64_t>(std::popcount(out.answer));
        run.served += out.serve;
      });
  return run;
}

/// A router, with a planted bug when it is not 0, against golden parts with a wrong wire. `linked`: tables with one
/// port, frames on the links, the debug model.
Lockstep run(const Demand& demand, uint64_t cycles, uint64_t seed, WrongWire wrong = WrongWire::none, int plant = 0,
             WholeRouterCoverage* coverage = nullptr, bool linked = false) {
  const Dragonfly d = Dragonfly::named("tiny");
  const router::DataConfig config(d);
  FaultDemand faults = demand.faults;
  faults.frames = linked;
  RouterTraffic stimulus(d, config, demand.data, faults, seed);
  GoldenRouter golden(d, config, wrong, {linked ? 1 : 2, linked});
  RtlParameters parameters = rtl_parameters(d);
  parameters["TablePorts"] = linked ? 1 : 2;
  const auto variant = plant == 0 && !linked ? RtlVariant::fast : RtlVariant::debug;
  const auto rtl = make_rtl<RouterBlock>(parameters, variant, std::max(plant, 0));
  RunOptions options;
  options.max_cycles = cycles;
  Lockstep run;
  run.result = run_lockstep<RouterBlock>(stimulus, golden, *rtl, options,
                                         [&](const router::RouterInputs& in, const router::RouterOutputs& out) {
                                           run.answers += static_cast<uint64_t>(std::popcount(out.answer));
                                           run.congested += out.cong_local != 0;
                                           run.frames += out.frame_valid != 0;
                                           run.refused += out.cfg_err;
                                           run.served += out.serve;
                                           if (coverage != nullptr) coverage->sample(in, out, golden);
                                         });
  return run;
}

std::string text(const RunResult& r) {
  std::string out;
  if (r.mismatch)
    for (const auto& d : r.mismatch->differences)
      out += "cycle " + std::to_string(r.mismatch->cycle) + ": " + d.probe + "\n";
  return out;
}

TEST(Router, RtlEqualsItsGoldenParts) {
  uint64_t seed = 1;
  for (const DataDemand& d : {steady_traffic(0.2, 1, 10), steady_traffic(0.9, 1, 40), steady_traffic(0.7, 4, 20),
                              dying_traffic(0.6, 0.002, 0.1)}) {
    const Lockstep r = run({d, trouble(1.0 / 60, 1.0 / 300, 0, 0.02)}, 12'000, seed++);
    EXPECT_FALSE(r.result.mismatch) << text(r.result);
    EXPECT_GT(r.answers, 4'000u);
    EXPECT_GT(r.congested, 100u);
    EXPECT_GT(r.frames, 100u);
    EXPECT_GT(r.refused, 0u);
  }
}

TEST(Router, RtlEqualsItsGoldenPartsUnderFaultsAndCoverageIsComplete) {
  WholeRouterCoverage coverage(Dragonfly::named("tiny"));
  uint64_t seed = 100;
  for (const Demand& demand : troubled()) {
    const Lockstep r = run(demand, 30'000, seed++, WrongWire::none, 0, &coverage);
    EXPECT_FALSE(r.result.mismatch) << text(r.result);
    EXPECT_EQ(r.result.cycles, 30'000u);
    EXPECT_GT(r.served, 100u);
  }
  EXPECT_EQ(coverage.coverage().percent(), 100.0) << coverage.coverage().to_text(100);
  EXPECT_EQ(coverage.coverage().errors(), "");
}

/// One port for look-ups, port unit and configuration: under load the unit waits for the look-ups. Messages in frames,
/// some of which are lost.
TEST(Router, RtlEqualsItsGoldenPartsWithOneTablePortAndFrames) {
  uint64_t seed = 300;
  for (const Demand& demand : {troubled()[0], troubled()[1], troubled()[2], troubled()[5], troubled()[6]}) {
    const Lockstep r = run(demand, 15'000, seed++, WrongWire::none, kNoPlant, nullptr, true);
    EXPECT_FALSE(r.result.mismatch) << text(r.result);
    EXPECT_GT(r.served, 50u);
  }
}

// The SystemC module and the variants of the router.

using RouterDevice = CycleDevice<router::RouterInputs, router::RouterOutputs>;

GoldenRouter::Options golden_options(const router::RouterOptions& o) { return {o.table_ports, o.frames, o.pipelined}; }

/// What the second of two routers of tiny size shows first that the first one does not.
Lockstep compare(RouterDevice& reference, RouterDevice& device, Demand demand, const router::RouterOptions& options,
                 uint64_t cycles, uint64_t seed) {
  const Dragonfly d = Dragonfly::named("tiny");
  demand.faults.frames = options.frames;
  RouterTraffic stimulus(d, router::DataConfig(d), demand.data, demand.faults, seed);
  RunOptions run_options;
  run_options.max_cycles = cycles;
  Lockstep run;
  run.result = run_lockstep<RouterBlock>(stimulus, reference, device, run_options,
                                         [&](const auto&, const router::RouterOutputs& out) {
                                           run.answers += static_cast<uint64_t>(std::popcount(out.answer));
                                           run.served += out.serve;
                                           run.frames += out.frame_valid != 0;
                                           run.refused += out.cfg_err;
                                         });
  return run;
}

template <class Module = router::RouterUnitModule>
Lockstep systemc_against_golden(const Demand& demand, const router::RouterOptions& options, uint64_t cycles,
                                uint64_t seed) {
  const Dragonfly d = Dragonfly::named("tiny");
  const router::DataConfig config(d);
  GoldenRouter golden(d, config, WrongWire::none, golden_options(options));
  router::BasicRouterUnitDevice<Module> systemc(d, config, options);
  return compare(golden, systemc, demand, options, cycles, seed);
}

constexpr router::RouterOptions kPlain{}, kLinked{1, true, false}, kPipelined{2, false, true};

TEST(RouterSystemc, EqualsTheGoldenParts) {
  const std::vector<Demand> all = troubled();
  const std::tuple<router::RouterOptions, size_t, uint64_t> runs[] = {
      {kPlain, 0, 6'000},     {kPlain, 1, 6'000},     {kPlain, 2, 6'000},     {kPlain, 3, 4'000},
      {kPlain, 4, 6'000},     {kPlain, 5, 4'000},     {kPlain, 6, 6'000},     {kPlain, 7, 6'000},
      {kPlain, 8, 20'000},    {kLinked, 0, 4'000},    {kLinked, 2, 6'000},    {kLinked, 6, 4'000},
      {kPipelined, 2, 6'000}, {kPipelined, 3, 6'000}, {kPipelined, 7, 4'000}, {{1, false, true}, 2, 4'000}};
  uint64_t seed = 500, served = 0;
  std::set<size_t> demands;
  for (const auto& [options, demand, cycles] : runs) {
    demands.insert(demand);
    const Lockstep r = systemc_against_golden(all[demand], options, cycles, seed++);
    EXPECT_FALSE(r.result.mismatch) << "run " << seed - 500 << "\n" << text(r.result);
    EXPECT_EQ(r.result.cycles, cycles);
    EXPECT_GT(r.answers, 500u);
    served += r.served;
  }
  EXPECT_EQ(demands.size(), all.size()) << "each of them";
  EXPECT_GT(served, 1'000u);
}

/// Holds credits back and gives those of a virtual channel three at a time, one channel of a port in a cycle: more than
/// the monitors take at once.
class CreditsInBursts final : public Stimulus<router::RouterInputs, router::RouterOutputs> {
 public:
  CreditsInBursts(RouterTraffic traffic, int ports) : traffic_(std::move(traffic)), ports_(ports) {}
  bool next(const router::RouterOutputs& last, router::RouterInputs& in) override {
    if (!traffic_.next(last, in)) return false;
    if (in.reset) held_ = {};
    for (size_t port = 0; port < static_cast<size_t>(ports_); ++port) {
      bool given = false;
      for (size_t v = 4 * port; v < 4 * port + 4; ++v) {
        held_[v] += in.credit[v];
        in.credit[v] = 0;
        if (given || held_[v] < 3) continue;
        in.credit[v] = 3;
        held_[v] -= 3;
        given = true;
        ++bursts;
      }
    }
    return true;
  }
  uint64_t bursts = 0;

 private:
  RouterTraffic traffic_;
  int ports_;
  std::array<int, 256> held_{};
};

/// Credits beyond what the monitors take wait; long packets wait for their room.
TEST(RouterSystemc, EqualsTheGoldenPartsWhereCreditsAreShort) {
  const Dragonfly d = Dragonfly::named("tiny");
  for (const int packet : {1, 4}) {
    GoldenRouter golden(d, router::DataConfig(d), WrongWire::none, {});
    router::RouterUnitDevice systemc(d, router::DataConfig(d), kPlain);
    CreditsInBursts stimulus(
        RouterTraffic(d, router::DataConfig(d), steady_traffic(0.9, packet, 100),
                      trouble(1.0 / 400, 1.0 / 800, 0.02, 0.05), 900 + static_cast<uint64_t>(packet)),
        d.num_ports());
    RunOptions options;
    options.max_cycles = 8'000;
    const RunResult r = run_lockstep<RouterBlock>(stimulus, golden, systemc, options);
    EXPECT_FALSE(r.mismatch) << "packets of " << packet << "\n" << text(r);
    EXPECT_GT(stimulus.bursts, 500u);
  }
}

/// An operation for a unit that is not there is refused, but not when a reset comes with its answer.
TEST(RouterSystemc, AResetTakesARefusalBack) {
  const Dragonfly d = Dragonfly::named("tiny");
  GoldenRouter golden(d, router::DataConfig(d));
  router::RouterUnitDevice systemc(d, router::DataConfig(d), kPlain);
  const auto rtl = make_rtl<RouterBlock>(rtl_parameters(d), RtlVariant::debug);
  uint64_t refusals = 0;
  for (int reset_at = 1; reset_at < 8; ++reset_at) {
    for (int edge = -2; edge < 12; ++edge) {
      router::RouterInputs in;
      in.reset = edge < 0 || edge == reset_at;
      in.cfg_valid = edge == 0;
      in.cfg_unit = 62;
      router::RouterOutputs outs[3];
      golden.step(in, outs[0]);
      systemc.step(in, outs[1]);
      rtl->step(in, outs[2]);
      refusals += outs[0].cfg_err;
      for (const int other : {1, 2}) {
        EXPECT_EQ(outs[other].cfg_ack, outs[0].cfg_ack) << other << ", reset " << reset_at << ", edge " << edge;
        EXPECT_EQ(outs[other].cfg_err, outs[0].cfg_err) << other << ", reset " << reset_at << ", edge " << edge;
      }
    }
  }
  EXPECT_GT(refusals, 0u);
  EXPECT_LT(refusals, 7u);
}

/// The single-port RAM of the paper: SharedTableRam in the SystemC module.
TEST(RouterSystemc, EqualsTheRtlWithOneTablePort) {
  const Dragonfly d = Dragonfly::named("tiny");
  uint64_t seed = 600;
  for (const size_t demand : {0u, 2u, 6u}) {
    RtlParameters parameters = rtl_parameters(d);
    parameters["TablePorts"] = 1;
    const auto rtl = make_rtl<RouterBlock>(parameters, RtlVariant::debug);
    router::RouterUnitDevice systemc(d, router::DataConfig(d), kLinked);
    const Lockstep r = compare(systemc, *rtl, troubled()[demand], kLinked, 5'000, seed++);
    EXPECT_FALSE(r.result.mismatch) << text(r.result);
    EXPECT_GT(r.served, 10u);
  }
}

TEST(RouterSystemc, EqualsTheRtl) {
  const Dragonfly d = Dragonfly::named("tiny");
  uint64_t seed = 700;
  for (const router::RouterOptions& options : {kPlain, kPipelined}) {
    const auto rtl = make_router_rtl(d, options.pipelined);
    router::RouterUnitDevice systemc(d, router::DataConfig(d), options);
    const Lockstep r = compare(systemc, *rtl, troubled()[2], options, 6'000, seed++);
    EXPECT_FALSE(r.result.mismatch) << text(r.result);
    EXPECT_GT(r.served, 100u);
  }
}

/// Hardware is built for one size: what a network asks for in addition is refused by name.
TEST(RouterSystemc, AWholeRouterIsRefusedWhatItsHardwareLacks) {
  const auto why = [](const std::function<void(router::Parameters&)>& change) {
    router::Parameters p(Dragonfly::named("tiny"));
    p.ask_at_arrival = true;
    p.output_fifo = router::DataConfig(p.dragonfly).output_fifo;
    change(p);
    return error_text([&] { router::check_router_device(p); });
  };
  EXPECT_EQ(why([](auto&) {}), "");
  EXPECT_EQ(why([](auto& p) { p.ask_at_arrival = false; }),
            "a whole router as a device needs routes that are asked at arrival");
  const std::string device = "a whole router as a device: ";
  EXPECT_EQ(why([](auto& p) { p.vcs = 5; }), device + "number of virtual channels is 5, expected 4");
  EXPECT_EQ(why([](auto& p) { p.phases = 1; }), device + "number of switch phases is 1, expected 2");
  EXPECT_EQ(why([](auto& p) { p.output_fifo = 0; }), device + "output FIFO is 0, expected 64");
  EXPECT_EQ(why([](auto& p) { p.node_buffer = 31; }), device + "buffer of a node port is 31, expected 32");
  EXPECT_EQ(why([](auto& p) { p.local_buffer = 33; }), device + "buffer of a local port is 33, expected 32");
  EXPECT_EQ(why([](auto& p) { p.global_buffer = 255; }), device + "buffer of a global port is 255, expected 256");
  EXPECT_EQ(why([](auto& p) { p.plane.interval = 9; }), device + "congestion interval is 9, expected 10");
}

/// A data path takes every depth of the network.
TEST(RouterSystemc, ADataPathHasTheDepthsOfTheNetwork) {
  router::Parameters p(Dragonfly::named("tiny"));
  p.node_buffer = 3, p.local_buffer = 5, p.global_buffer = 7, p.output_fifo = 9, p.turn_cycles = 11;
  const router::DataConfig config = router::data_config(p);
  EXPECT_EQ(config.node_depth, 3);
  EXPECT_EQ(config.local_depth, 5);
  EXPECT_EQ(config.global_depth, 7);
  EXPECT_EQ(config.output_fifo, 9);
  EXPECT_EQ(config.turn_cycles, 11);
}

TEST(Router, RtlWithAPipelinedFaultPlaneEqualsItsGoldenParts) {
  const Dragonfly d = Dragonfly::named("tiny");
  uint64_t seed = 800, more = 0;
  for (const Demand& demand : troubled()) {
    uint64_t served[2] = {};
    for (const bool pipelined : {false, true}) {
      GoldenRouter golden(d, router::DataConfig(d), WrongWire::none, {2, false, pipelined});
      const auto rtl = make_router_rtl(d, pipelined);
      const Lockstep r =
          compare(golden, *rtl, demand, pipelined ? kPipelined : kPlain, pipelined ? 15'000 : 5'000, seed);
      EXPECT_FALSE(r.result.mismatch) << text(r.result);
      served[pipelined] = r.served;
    }
    more += served[1] > served[0];
    ++seed;
  }
  EXPECT_EQ(more, troubled().size()) << "the next command does not wait for the last";
}

/// A pipelined router is not a plain one.
TEST(Router, ThePipelinedFaultPlaneIsAnother) {
  const Dragonfly d = Dragonfly::named("tiny");
  GoldenRouter golden(d, router::DataConfig(d));
  const auto rtl = make_router_rtl(d, true);
  EXPECT_TRUE(compare(golden, *rtl, troubled()[2], kPlain, 15'000, 1).result.mismatch);
}

struct CutAsks : router::RouterUnitModule {
  using RouterUnitModule::RouterUnitModule;
  route_compute::UnitInputs route_pins(int port) override {
    route_compute::UnitInputs u = RouterUnitModule::route_pins(port);
    u.req_valid |= pins().in_kind[static_cast<size_t>(port)] == router::kSlotFlit && (pins().in_cut >> port & 1) != 0 &&
                   pins().alive;
    return u;
  }
};
struct NeverJoins : router::RouterUnitModule {
  using RouterUnitModule::RouterUnitModule;
  fault::RouterInputs fault_pins() override {
    fault::RouterInputs f = RouterUnitModule::fault_pins();
    f.joins = false;
    return f;
  }
};
struct UnitFirst : router::RouterUnitModule {
  using RouterUnitModule::RouterUnitModule;
  fault::RouterInputs fault_pins() override {
    fault::RouterInputs f = RouterUnitModule::fault_pins();
    f.route_read = 0;
    return f;
  }
};
struct FreeSlot : router::RouterUnitModule {
  using RouterUnitModule::RouterUnitModule;
  router::DataInputs data_pins() override {
    router::DataInputs in = RouterUnitModule::data_pins();
    in.slot_taken = 0;
    return in;
  }
};
struct LinksUpAtOnce : router::RouterUnitModule {
  using RouterUnitModule::RouterUnitModule;
  congestion::PlaneInputs plane_pins() override {
    congestion::PlaneInputs in = RouterUnitModule::plane_pins();
    in.events.failed = ~pins().link_up & low_mask(ports());
    return in;
  }
};
struct FramesOfDeadLinks : router::RouterUnitModule {
  using RouterUnitModule::RouterUnitModule;
  fault::LinkInputs link_pins(int port) override {
    fault::LinkInputs in = RouterUnitModule::link_pins(port);
    in.link_up = true;
    return in;
  }
};

/// The cycle in which some stimulus sees a planted bug; 0: none does.
template <class Module>
uint64_t caught(const router::RouterOptions& options) {
  for (const Demand& demand : troubled()) {
    const Lockstep r = systemc_against_golden<Module>(demand, options, 6'000, 900);
    if (r.result.mismatch) return r.result.mismatch->cycle;
  }
  return 0;
}

TEST(RouterSystemc, PlantedBugsAreCaught) {
  EXPECT_NE(caught<CutAsks>(kPlain), 0u);
  EXPECT_NE(caught<NeverJoins>(kPlain), 0u);
  EXPECT_NE(caught<FreeSlot>(kPlain), 0u);
  EXPECT_NE(caught<LinksUpAtOnce>(kPlain), 0u);
  EXPECT_NE(caught<FramesOfDeadLinks>(kLinked), 0u);
  EXPECT_ANY_THROW(caught<UnitFirst>(kLinked)) << "two accesses to the RAM in a cycle";
}

/// Whether a wrong wire or a plant is of tables with one port, or of frames.
bool of_linked(WrongWire wrong) { return wrong >= WrongWire::unit_first && wrong != WrongWire::count; }
bool of_linked(int plant) {
  for (const Plant& p : router_plants())
    if (p.number == plant) return p.name.starts_with("linked-");
  return false;
}

/// Several credits of a channel come back in a cycle, four a port at most.
Demand bunched() {
  Demand demand{steady_traffic(0.7, 2, 20), trouble(1.0 / 200, 1.0 / 2000, 0, 0.02)};
  demand.data.credit_bunch = 4;
  return demand;
}

TEST(Router, RtlEqualsItsGoldenPartsWithCreditsInBunches) {
  const Lockstep r = run(bunched(), 20'000, 400);
  EXPECT_FALSE(r.result.mismatch) << text(r.result);
  EXPECT_GT(r.congested, 100u);
}

/// Whether some stimulus sees the difference; in which cycle of which.
std::string seen(WrongWire wrong, int plant, std::string_view file = {}) {
  std::vector<Demand> demands = file == "rtl/router/router_backlog.sv" ? std::vector<Demand>{bunched()} : troubled();
  Demand busy{steady_traffic(0.9, 1, 60), trouble(1.0 / 60, 1.0 / 300, 0.01, 0.02)};
  busy.data.cuts = 0.1;
  busy.data.deaths = 0.0005;
  busy.data.repairs = 0.1;
  demands.push_back(busy);
  for (size_t n = 0; n < demands.size(); ++n) {
    const Lockstep r = run(demands[n], 30'000, 7, wrong, plant, nullptr, of_linked(wrong) || of_linked(plant));
    if (r.result.mismatch)
      return "stimulus " + std::to_string(n) + " cycle " + std::to_string(r.result.mismatch->cycle) + ": " +
             r.result.mismatch->differences.front().probe;
  }
  return {};
}

TEST(Router, AWrongWireIsSeen) {
  for (int wrong = 1; wrong < static_cast<int>(WrongWire::count); ++wrong)
    EXPECT_NE(seen(static_cast<WrongWire>(wrong), 0), "") << wrong;
}

TEST(Router, TheUnplantedDebugModelAgrees) {
  const Lockstep r = run(troubled()[0], 30'000, 7, WrongWire::none, kNoPlant);
  EXPECT_FALSE(r.result.mismatch) << text(r.result);
}

TEST(Router, EveryPlantedBugWhereTheBlocksMeetIsCaught) {
  int plants = 0;
  for (const Plant& plant : router_plants()) {
    if (!of_whole_router(plant)) continue;
    ++plants;
    const std::string how = seen(WrongWire::none, plant.number, plant.file);
    EXPECT_NE(how, "") << plant.name << ": " << plant.what;
    std::printf("%-28s %s\n", std::string(plant.name).c_str(), how.c_str());
  }
  EXPECT_GE(plants, 20);
}

TEST(Router, RtlEqualsItsGoldenPartsAtPaperSize) {
  const Dragonfly d = Dragonfly::named("paper");
  for (const Demand& demand : {troubled()[0], troubled()[2], troubled()[6]}) {
    const auto rtl = make_rtl<RouterBlock>(d);
    const Lockstep r = run_sized(d, router::DataConfig(d), *rtl, demand, 40'000, 11);
    EXPECT_FALSE(r.result.mismatch) << text(r.result);
    EXPECT_GT(r.answers, 10'000u);
    EXPECT_GT(r.served, 30u);
  }
}

TEST(RouterOfThreePorts, RtlOfTheDataPathEqualsTheGoldenModel) {
  const router::DataConfig config = three_ports(0);
  DataTraffic stimulus(config, {}, true, 3);
  router::GoldenData golden(config);
  const auto rtl = make_rtl<RouterDataBlock>(rtl_parameters(config));
  RunOptions options;
  options.max_cycles = 60'000;
  EXPECT_EQ(run_lockstep<RouterDataBlock>(stimulus, golden, *rtl, options).cycles, 60'000u);
}

}  // namespace
}  // namespace odonata::cosim
