// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "hw/common/own_kernel.h"
#include "hw/torus/boxes_module.h"
#include "hw/torus/torus_module.h"
#include "models/common/error.h"
#include "sim/network/topologies/torus.h"
#include "tb/network/crosscheck_fabric.h"
#include "tb/network/crosscheck_sides.h"
#include "tb/network/data_path_plants.h"

namespace odonata::cosim {

using network::Config;
using torus::BoxesMakers;
using torus::TorusMakers;

namespace {

torus::TorusParameters parameters_of(const Config& c) {
  torus::TorusParameters p(network::torus_of(c));
  if (p.torus.dimensions() == 2) p.variant = torus::variant_from_name(c.routing);
  p.rule = c.faults.rule;
  p.data_path = data_path_of(c);
  p.data_path.node_latency = 2 * c.link("node").latency;
  p.node_buffer = c.link("node").buffer;
  p.link_buffer = c.link("local").buffer;
  p.link_latency = c.link("local").latency;
  p.standing = network::torus_faults(c.faults.standing);
  for (const network::TimedFault& f : c.faults.events)
    p.events.push_back({static_cast<int64_t>(f.cycle), network::torus_faults({f.fault})});
  std::stable_sort(p.events.begin(), p.events.end(), [](const auto& a, const auto& b) { return a.cycle < b.cycle; });
  return p;
}

// ---- planted bugs

/// The second stage takes one edge more.
class LateRoute : public torus::TorusRouteModule {
 public:
  using TorusRouteModule::TorusRouteModule;

 protected:
  void turn() override {
    TorusRouteModule::turn();
    std::swap(next().out, late_);
  }

 private:
  torus::RouteOutputs late_;
};

/// The detour channels of the two directions are exchanged.
class OtherDetour : public torus::TorusRouteModule {
 public:
  using TorusRouteModule::TorusRouteModule;

 protected:
  unsigned detour(bool minus) const override { return TorusRouteModule::detour(!minus); }
};

/// Directions are chosen without a look at the walls.
class BlindToWalls : public torus::TorusRouteModule {
 public:
  using TorusRouteModule::TorusRouteModule;

 protected:
  bool crosses(uint64_t, uint64_t) const override { return false; }
};

/// No healthy router is ever marked.
class Unmarked : public torus::FaultRegionModule {
 public:
  using FaultRegionModule::FaultRegionModule;

 protected:
  bool marked(bool, uint8_t) const override { return false; }
};

template <class Route>
TorusMakers with_route() {
  TorusMakers m;
  m.route = [](const char* name, hw::Tick& tick, const Torus& torus, torus::Variant variant,
               hw::Drive<torus::RouteInputs> pins, int,
               int) { return std::make_unique<Route>(name, tick, torus, variant, std::move(pins)); };
  return m;
}

TorusMakers unmarked() {
  TorusMakers m;
  m.region = [](auto&&... arguments) {
    return std::make_unique<Unmarked>(std::forward<decltype(arguments)>(arguments)...);
  };
  return m;
}

const std::map<std::string, TorusMakers>& plants() {
  static const std::map<std::string, TorusMakers> list = [] {
    std::map<std::string, TorusMakers> out{{"late-route", with_route<LateRoute>()},
                                           {"other-detour", with_route<OtherDetour>()},
                                           {"blind-to-walls", with_route<BlindToWalls>()},
                                           {"unmarked", unmarked()}};
    for (const auto& [name, make] : data_path_plants()) out[name].data_path = make;
    return out;
  }();
  return list;
}

/// Three dimensions: every hop in the second plane is as from a source.
class AlwaysFresh : public torus::TorusBoxModule {
 public:
  using TorusBoxModule::TorusBoxModule;

 protected:
  bool begins_second(const torus::BoxInputs&) const override { return true; }
};

/// The plane is chosen by y.
class OtherPlane : public torus::TorusBoxModule {
 public:
  using TorusBoxModule::TorusBoxModule;

 protected:
  bool in_second(const torus::BoxInputs& in) const override { return in.at_y == in.dest_y; }
};

template <class Route>
BoxesMakers with_box() {
  BoxesMakers m;
  m.route = [](const char* name, hw::Tick& tick, const Torus& torus, hw::Drive<torus::BoxInputs> pins) {
    return std::make_unique<Route>(name, tick, torus, std::move(pins));
  };
  return m;
}

const std::map<std::string, BoxesMakers>& box_plants() {
  static const std::map<std::string, BoxesMakers> list = [] {
    std::map<std::string, BoxesMakers> out{{"always-fresh", with_box<AlwaysFresh>()},
                                           {"other-plane", with_box<OtherPlane>()}};
    for (const auto& [name, make] : data_path_plants()) out[name].data_path = make;
    return out;
  }();
  return list;
}

}  // namespace

const std::vector<std::string>& torus_crosscheck_plants(int dimensions) {
  static const std::vector<std::string> two = plant_names(plants()), three = plant_names(box_plants());
  return dimensions == 3 ? three : two;
}

/// A node and a link that fail from the start, and in two dimensions two of each at run time.
void add_torus_faults(Config& config, uint64_t cycles) {
  Random random = random_of_faults(config);
  std::vector<fault::Fault> taken = config.faults.standing;
  const auto draw = [&](const char* what) {
    taken.push_back(config.topology->parse_faults(what, random, taken).front());
    return taken.back();
  };
  for (const char* what : {"random-nodes:1", "random-links:1"}) config.faults.standing.push_back(draw(what));
  if (network::torus_of(config).dimensions() != 2) return;
  for (const char* what : {"random-links:1", "random-nodes:1", "random-links:1", "random-nodes:1"})
    config.faults.events.push_back(
        {draw(what), false, cycles / 5 + random.below(static_cast<uint32_t>(std::max<uint64_t>(cycles / 2, 1)))});
}

namespace {

/// Compares the engine with a SystemC network of this kind.
template <class Module, class Makers>
CrossCheckResult compare(Config& c, uint64_t cycles, const Makers& makers, const std::function<bool(double)>& go_on,
                         const OwnRouteAnswers& answers) {
  const Torus& t = network::torus_of(c);
  const auto name = [t](uint32_t n) { return t.node_name(static_cast<int>(n)); };
  const SystemcRun run = [&](SystemcSide& observer, const std::function<bool(double)>& ask) {
    SharedTraffic traffic(c, network::TorusTopology::source(c, c.topology->wire(c)));
    hw::OwnKernel kernel;
    const hw::OwnKernel::Scope scope(kernel);
    Module network("network", parameters_of(c), traffic, observer, makers);
    return run_cycles(network, network.period(), cycles, ask, answers);
  };
  return crosscheck_ways(c, cycles, {name, name}, go_on, run, answers);
}

}  // namespace

CrossCheckResult crosscheck_torus(const Config& config, uint64_t cycles, const std::string& plant,
                                  const std::function<bool(double)>& go_on, const OwnFabricUnits* own) {
  Config c = fabric_config(config, cycles);
  OwnRouteAnswers answers;
  if (const Torus& t = network::torus_of(config); t.dimensions() != 2) {
    if (own != nullptr)
      throw Error("cross-check: --device-lib: torus " + t.name() + " has three dimensions, expected two");
    return compare<torus::BoxesModule>(c, cycles, makers_with(plant, box_plants()), go_on, answers);
  }
  TorusMakers makers = makers_with(plant, plants());
  if (own != nullptr) own->put_into(makers, answers);
  return compare<torus::TorusModule>(c, cycles, makers, go_on, answers);
}

}  // namespace odonata::cosim
